"""A running table: the loop, its queue of inputs, the socket, phones, backups, threads' health, and systemd."""

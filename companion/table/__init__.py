"""A running table: the loop, its devices, the workers beside it, its sockets, backups, and systemd.

Read `loop` first: all others put inputs on its queue, or take what it sends out. Then `workers`.
"""

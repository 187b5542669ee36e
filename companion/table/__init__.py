"""A running table: the loop, its devices, the workers beside it, its sockets, backups, and systemd.

Read `loop` first, then `table_devices` and `workers`, which put inputs on its queue or take what it sends out. For
phones read `state_server`, `phone_worker`, `phone_view` and `public_state`. Questions about old rounds are answered in
another process, by `host_worker` and `host_answers`.
"""

"""A running table: the loop, its devices, the workers beside it, its sockets, backups, and systemd.

Read `loop` first, then `devices` and `workers`: they put inputs on its queue, or take what it sends out. Of phones read
`state_server`, `phone_worker`, `phone_view` and `public`; `host_reader` and `host` answer questions about old rounds in
another process.
"""

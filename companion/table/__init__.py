"""A running table: the loop, its queue of inputs, the socket, phones, backups, threads' health, and systemd.

Read `loop` first: all others put inputs on its queue, or take what it sends out. What takes long is in the folder
`desks`.
"""

"""Ports for the servers that a test starts."""

from __future__ import annotations

import itertools
import os
import socket

FIRST, LAST = 10_000, 30_000
"""Below the ports that the kernel gives out by itself: a connection of somebody else takes none of these, and a client
that tries a port where nobody listens yet is not connected with itself."""

_next = itertools.count(FIRST + os.getpid() * 64 % (LAST - FIRST))
_held: list[socket.socket] = []


def free_port() -> int:
    """A TCP port of 127.0.0.1 that no other test is given while this process lives: a UDP socket holds its number."""
    for _ in range(FIRST, LAST):
        port = FIRST + (next(_next) - FIRST) % (LAST - FIRST)
        mark = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            mark.bind(("127.0.0.1", port))
            with socket.socket() as tried:
                tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                tried.bind(("127.0.0.1", port))
        except OSError:
            mark.close()
            continue
        _held.append(mark)
        return port
    raise OSError("no port is free")

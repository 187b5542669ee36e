"""Ports for the servers that a test starts."""

from __future__ import annotations

import itertools
import os
import socket

FIRST_PORT, LAST_PORT = 10_000, 30_000
"""Below the ports that the kernel assigns, so that no other connection takes one of them.

A client that tries such a port before its server listens can't be connected with itself either.
"""

UNSAFE_PORT = 10_080
"""A port that browsers open no page at."""

_next_ports = itertools.count(FIRST_PORT + os.getpid() * 64 % (LAST_PORT - FIRST_PORT))
_held_sockets: list[socket.socket] = []


def free_port() -> int:
    """A TCP port of 127.0.0.1 that no other test gets while this process lives; a UDP socket reserves its number."""
    for _ in range(FIRST_PORT, LAST_PORT):
        port = FIRST_PORT + (next(_next_ports) - FIRST_PORT) % (LAST_PORT - FIRST_PORT)
        if port == UNSAFE_PORT:
            continue
        mark = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            mark.bind(("127.0.0.1", port))
            with socket.socket() as tried:
                tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                tried.bind(("127.0.0.1", port))
        except OSError:
            mark.close()
            continue
        _held_sockets.append(mark)
        return port
    raise OSError("no port is free")

"""What a program that has taken over the pages would try: every way to another address, from inside their unit.

    python3 attack.py HOST:PORT…

It needs only the standard library. It prints a line for each way that leads somewhere: the target, and how.
"""

from __future__ import annotations

import ctypes
import os
import socket
import struct
import sys

LIBC = ctypes.CDLL(None, use_errno=True)
SECONDS = 2.0
SECONDS_FOR_CLIENT = 20.0
FAMILIES = (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK, socket.AF_PACKET)
OWN = ("/run/companion-table/table.sock", "/run/companion-web/pages.sock")
"""The sockets that belong to the pages."""


def descriptors() -> list[socket.socket]:
    """Every socket that was passed to this process."""
    found = []
    for number in [number for number in range(3, 64) if is_open(number)]:
        try:
            found.append(socket.socket(fileno=os.dup(number)))
        except OSError:
            continue
    return found


def is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def accept_clients(listeners: list[socket.socket]) -> list[socket.socket]:
    """The first client of each listening socket, for whom it waits some seconds."""
    found = []
    for listener in listeners:
        try:
            listener.settimeout(SECONDS_FOR_CLIENT)
            found.append(listener.accept()[0])
        except OSError:
            continue
    return found


def is_answered(sock: socket.socket, target: tuple[str, int]) -> bool:
    """Whether a socket can be connected to another target, and gets an answer."""
    try:
        LIBC.connect(sock.fileno(), struct.pack("H14x", socket.AF_UNSPEC), 16)
        sock.settimeout(SECONDS)
        sock.connect(target)
        return sock.recv(5) == b"there"
    except (OSError, TypeError, ValueError):
        return False


def new_socket(family: int, kind: int) -> socket.socket | None:
    try:
        return socket.socket(family, kind)
    except OSError:
        return None


def other_services(folder: str = "/run") -> list[str]:
    """The sockets of other services that accept a connection."""
    found = []
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
                try:
                    asking.settimeout(SECONDS)
                    asking.connect(path)
                except OSError:
                    continue
            if path not in OWN:
                found.append(path)
    return found


def main(targets: list[tuple[str, int]]) -> None:
    """Try everything, and print what leads out."""
    handed = descriptors()
    ways = [(f"{sock.family.name} descriptor", sock) for sock in handed]
    ways += [(f"{sock.family.name} client", sock) for sock in accept_clients(handed)]
    for target in targets:
        for how, sock in ways:
            print(*target, how, "REACHED" if is_answered(sock, target) else "no", flush=True)
        made = new_socket(socket.AF_INET, socket.SOCK_STREAM)
        print(*target, "new socket", "REACHED" if made is not None and is_answered(made, target) else "no", flush=True)
    for family in FAMILIES:
        if new_socket(family, socket.SOCK_DGRAM) is not None:
            print("a new socket of family", family, "REACHED", flush=True)
    for path in other_services():
        print(path, "REACHED", flush=True)
    print("tried", len(ways), "descriptors", flush=True)


if __name__ == "__main__":
    main([(host, int(port)) for host, port in (each.rsplit(":", 1) for each in sys.argv[1:])])

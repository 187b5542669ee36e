"""Reports the service's state to systemd: ready, alive, stopping; see sd_notify(3)."""

from __future__ import annotations

import os

SENT_ONCE = 1.0
"""The patience for a state that is not sent again soon."""


def notify(state: str, seconds: float = SENT_ONCE) -> None:
    """Send a state such as ``READY=1`` to the service manager, if there is one.

    Where the manager has so many unread states that there is no room, wait at most so many seconds, then drop it: the
    game must not stand still for a service manager.
    """
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    import socket  # Only a service needs this import.

    if address.startswith("@"):
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
            channel.settimeout(seconds)
            channel.connect(address)  # Only a connected socket can wait until there is room.
            channel.send(state.encode())
    except OSError:
        pass  # A service manager that does not answer must not end the game.


def watchdog_seconds() -> float | None:
    """The seconds between two ``WATCHDOG=1``: half of systemd's limit; None without a watchdog."""
    limit, pid = os.environ.get("WATCHDOG_USEC", ""), os.environ.get("WATCHDOG_PID", "")
    if not limit.isdigit() or (pid and pid != str(os.getpid())):
        return None
    return int(limit) / 2_000_000

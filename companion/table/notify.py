"""Telling systemd how the service is: ready, alive, stopping (sd_notify(3), one datagram each)."""

from __future__ import annotations

import os


def notify(state: str) -> None:
    """Send ``READY=1`` or the like to the service manager; without one, nothing happens."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    import socket  # Only a service needs it.

    if address.startswith("@"):
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
            channel.sendto(state.encode(), address)
    except OSError:
        pass  # A manager that does not listen must not end the game.


def watchdog_seconds() -> float | None:
    """How often systemd wants to hear that the loop lives: half its limit; None where it does not watch."""
    limit, pid = os.environ.get("WATCHDOG_USEC", ""), os.environ.get("WATCHDOG_PID", "")
    if not limit.isdigit() or (pid and pid != str(os.getpid())):
        return None
    return int(limit) / 2_000_000

"""Reports the service's state to systemd: ready, alive, stopping; see sd_notify(3)."""

from __future__ import annotations

import os


def notify(state: str) -> None:
    """Send a state such as ``READY=1`` to the service manager, if there is one."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    import socket  # Only a service needs this import.

    if address.startswith("@"):
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
            channel.sendto(state.encode(), address)
    except OSError:
        pass  # A service manager that does not answer must not end the game.


def watchdog_seconds() -> float | None:
    """The seconds between two ``WATCHDOG=1``: half of systemd's limit; None without a watchdog."""
    limit, pid = os.environ.get("WATCHDOG_USEC", ""), os.environ.get("WATCHDOG_PID", "")
    if not limit.isdigit() or (pid and pid != str(os.getpid())):
        return None
    return int(limit) / 2_000_000

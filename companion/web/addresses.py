"""Under which addresses this box's pages can be reached."""

from __future__ import annotations

import ipaddress
import socket
from pathlib import Path

FILE = Path("/run/companion-phones/addresses")
"""Where a service without a network finds the box's addresses, one a line."""


def addresses(port: int, file: Path = FILE) -> list[str]:
    """The pages' addresses, the likeliest first; () without a network."""
    hosts = file.read_text(encoding="ascii", errors="ignore").split() if file.exists() else [_own()]
    return [f"http://{host}:{port}/" for host in hosts if _usable(host)]


def _own() -> str:
    """The address by which this machine would reach the others of its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("10.254.254.254", 1))
            return str(asking.getsockname()[0])
        except OSError:
            return ""


def _usable(host: str) -> bool:
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return False
    return found.version == 4 and found.is_private and not found.is_loopback

"""The URLs of this box's pages on the local network."""

from __future__ import annotations

import socket
from pathlib import Path

from companion.web.places import address_of

FILE = Path("/run/companion-phones/addresses")
"""The box's IP addresses, one a line, for services that run without network access."""


def addresses(port: int, file: Path = FILE) -> list[str]:
    """The pages' URLs, by private IPv4 addresses, the likeliest first; an empty list without a network."""
    hosts = file.read_text(encoding="ascii", errors="ignore").split() if file.exists() else [own_address()]
    return [f"http://{host}:{port}/" for host in hosts if _usable(host)]


def own_address() -> str:
    """The address on the local network, "" without one: connecting a UDP socket sends nothing but picks it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("10.254.254.254", 1))
            return str(asking.getsockname()[0])
        except OSError:
            return ""


def _usable(host: str) -> bool:
    found = address_of(host)
    return found is not None and found.version == 4 and found.is_private and not found.is_loopback

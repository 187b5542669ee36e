"""Who a client is, how many connections it gets, and the URLs of this box's own pages.

A client is known by its address, a phone by its secret. The secret is in an HttpOnly cookie, and the table and the
templates know only its hash.

Connections and streams are limited. So that one client cannot use up all of them, `ConnectionSlots` takes a slot away
from the client that has the most.
"""

import hashlib
import ipaddress
import math
import secrets
import socket
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

CLIENT_NETWORK_BITS = 64
"""Bits of an IPv6 address that belong to one client: a network gives each device as many addresses as it likes."""


PHONE_COOKIE = "companion-phone"
PHONE_COOKIE_SECONDS = 30 * 24 * 3600
"""How long a browser keeps the cookie: 30 days."""
ADDRESSES_FILE = Path("/run/companion-phones/addresses")
"""The box's IP addresses, one a line, for services that run without network access."""


# -- addresses ------------------------------------------------------------------------------------------------


def parse_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Parse a host as an IP address; None if it is a name."""
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None


def client_key(address: str) -> str:
    """What stands for the client of an address: an IPv4 address itself, the network of an IPv6 address."""
    ip_address = parse_address(address)
    if ip_address is None or ip_address.version == 4:
        return address
    mapped = ip_address.ipv4_mapped
    return str(mapped or ipaddress.ip_network((int(ip_address), CLIENT_NETWORK_BITS), strict=False))


def page_urls(port: int, file: Path = ADDRESSES_FILE) -> list[str]:
    """The pages' URLs, by private IPv4 addresses, the likeliest first; an empty list without a network."""
    hosts = file.read_text(encoding="ascii", errors="ignore").split() if file.exists() else [local_address()]
    return [f"http://{host}:{port}/" for host in hosts if _is_local_ipv4(host)]


def local_address() -> str:
    """The address of this computer on the local network, "" without one.

    Connecting a UDP socket sends nothing, but the system picks the address from which it would send.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.254.254.254", 1))
            return str(probe.getsockname()[0])
        except OSError:
            return ""


def _is_local_ipv4(host: str) -> bool:
    ip_address = parse_address(host)
    return ip_address is not None and ip_address.version == 4 and ip_address.is_private and not ip_address.is_loopback


# -- phones -----------------------------------------------------------------------------------------------------


def hash_secret(secret: str) -> str:
    """The SHA-256 of a secret in hexadecimal. Nothing else of the secret is stored."""
    return hashlib.sha256(secret.encode()).hexdigest()


def requesting_phone_hash(request: "Request") -> str:
    """The hash of the requesting phone's secret, "" for a phone without one."""
    secret = request.cookies.get(PHONE_COOKIE, "")
    return hash_secret(secret) if secret else ""


def phone_hash_in_cookies(header: str) -> str:
    """The hash of the secret in a Cookie header, "" for none."""
    from starlette.requests import cookie_parser  # Not every command that imports this module has starlette.

    secret = cookie_parser(header).get(PHONE_COOKIE, "") if PHONE_COOKIE in header else ""
    return hash_secret(secret) if secret else ""


def make_secret() -> str:
    """Make a secret for a phone that asks to be let in.

    A secret that the phone brings is never used: somebody else may know it.
    """
    return secrets.token_urlsafe(24)


def set_phone_cookie(response: "Response", secret: str) -> None:
    """Set the cookie with a phone's secret in a response."""
    response.set_cookie(PHONE_COOKIE, secret, httponly=True, samesite="strict", max_age=PHONE_COOKIE_SECONDS)


# -- places -----------------------------------------------------------------------------------------------------


class ConnectionSlot(NamedTuple):
    """A slot that is taken.

    `client` is whose it is, `on_evicted` is called when it is taken away, and `phone` is the paired phone for which it
    is reserved, "" for none.
    """

    client: str
    on_evicted: Callable[[], object]
    phone: str = ""


class ConnectionSlots:
    """A limited number of slots for connections or streams.

    When all are taken, a new one replaces the oldest of the client that has the most. A slot that is reserved for a
    paired phone is taken away only when all are reserved.

    Args:
        most_slots: how many there are.
        most_per_client: how many a client gets; one more is refused.
        most_reserved_per_phone: how many are reserved for one phone.
    """

    def __init__(self, most_slots: int, most_per_client: float = math.inf, most_reserved_per_phone: int = 8) -> None:
        self._most_slots = most_slots
        self._most_per_client = most_per_client
        self._most_reserved_per_phone = most_reserved_per_phone
        self._evictable: dict[object, ConnectionSlot] = {}  # Not reserved; the oldest first.
        self._reserved: dict[object, ConnectionSlot] = {}

    def take_slot(self, holder: object, client: str, on_evicted: Callable[[], object]) -> bool:
        """Take a slot for `holder`, a connection of `client`. Returns whether there was one for that client.

        `on_evicted` is called when the slot is taken away again.
        """
        if (
            sum(slot.client == client for slot in (*self._evictable.values(), *self._reserved.values()))
            >= self._most_per_client
        ):
            return False
        if len(self) >= self._most_slots:
            self._evict_oldest()
        self._evictable[holder] = ConnectionSlot(client, on_evicted)
        return True

    def reserve_slot(self, holder: object, phone: str) -> None:
        """Reserve the slot of `holder` for a paired phone, unless that has too many reserved already."""
        slot = self._evictable.get(holder)
        if (
            slot is not None
            and sum(each.phone == phone for each in self._reserved.values()) < self._most_reserved_per_phone
        ):
            del self._evictable[holder]
            self._reserved[holder] = slot._replace(phone=phone)

    def free_slot(self, holder: object) -> None:
        """Free the slot of `holder`, if it has one."""
        self._evictable.pop(holder, None)
        self._reserved.pop(holder, None)

    def __len__(self) -> int:
        return len(self._evictable) + len(self._reserved)

    def _evict_oldest(self) -> None:
        slots = self._evictable or self._reserved
        greediest = Counter(slot.phone or slot.client for slot in slots.values()).most_common(1)[0][0]
        holder = next(holder for holder, slot in slots.items() if (slot.phone or slot.client) == greediest)
        slots.pop(holder).on_evicted()

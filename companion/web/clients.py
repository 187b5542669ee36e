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

NETWORK = 64
"""Bits of an IPv6 address that belong to one client: a network gives each device as many addresses as it likes."""


COOKIE = "companion-phone"
SECONDS = 30 * 24 * 3600
"""How long a browser keeps the cookie: 30 days."""
ADDRESSES_FILE = Path("/run/companion-phones/addresses")
"""The box's IP addresses, one a line, for services that run without network access."""


# -- addresses ------------------------------------------------------------------------------------------------


def address_of(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Parse a host as an IP address; None if it is a name."""
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None


def client_of(address: str) -> str:
    """What stands for the client of an address: an IPv4 address itself, the network of an IPv6 address."""
    found = address_of(address)
    if found is None or found.version == 4:
        return address
    mapped = found.ipv4_mapped
    return str(mapped or ipaddress.ip_network((int(found), NETWORK), strict=False))


def addresses(port: int, file: Path = ADDRESSES_FILE) -> list[str]:
    """The pages' URLs, by private IPv4 addresses, the likeliest first; an empty list without a network."""
    hosts = file.read_text(encoding="ascii", errors="ignore").split() if file.exists() else [own_address()]
    return [f"http://{host}:{port}/" for host in hosts if _is_usable(host)]


def own_address() -> str:
    """The address of this computer on the local network, "" without one.

    Connecting a UDP socket sends nothing, but the system picks the address from which it would send.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("10.254.254.254", 1))
            return str(asking.getsockname()[0])
        except OSError:
            return ""


def _is_usable(host: str) -> bool:
    found = address_of(host)
    return found is not None and found.version == 4 and found.is_private and not found.is_loopback


# -- phones -----------------------------------------------------------------------------------------------------


def hashed(secret: str) -> str:
    """The SHA-256 of a secret in hexadecimal. Nothing else of the secret is stored."""
    return hashlib.sha256(secret.encode()).hexdigest()


def phone_of(request: "Request") -> str:
    """The hash of the requesting phone's secret, "" for a phone without one."""
    secret = request.cookies.get(COOKIE, "")
    return hashed(secret) if secret else ""


def phone_of_cookies(header: str) -> str:
    """The hash of the secret in a Cookie header, "" for none."""
    from starlette.requests import cookie_parser  # Not every command that imports this module has starlette.

    secret = cookie_parser(header).get(COOKIE, "") if COOKIE in header else ""
    return hashed(secret) if secret else ""


def new_secret() -> str:
    """Make a secret for a phone that asks to be let in.

    A secret that the phone brings is never used: somebody else may know it.
    """
    return secrets.token_urlsafe(24)


def set_secret(response: "Response", secret: str) -> None:
    """Set the cookie with a phone's secret in a response."""
    response.set_cookie(COOKIE, secret, httponly=True, samesite="strict", max_age=SECONDS)


# -- places -----------------------------------------------------------------------------------------------------


class Place(NamedTuple):
    """A slot that is taken.

    `client` is whose it is, `on_evicted` is called when it is taken away, and `phone` is the paired phone for which it
    is reserved, "" for none.
    """

    client: str
    leave: Callable[[], object]
    phone: str = ""


class Places:
    """A limited number of slots for connections or streams.

    When all are taken, a new one replaces the oldest of the client that has the most. A slot that is reserved for a
    paired phone is taken away only when all are reserved.

    Args:
        most_slots: how many there are.
        most_per_client: how many a client gets; one more is refused.
        most_reserved_per_phone: how many are reserved for one phone.
    """

    def __init__(self, most: int, most_of_one: float = math.inf, kept: int = 8) -> None:
        self._most = most
        self._most_of_one = most_of_one
        self._kept_of_one = kept
        self._free: dict[object, Place] = {}  # Not reserved; the oldest first.
        self._kept: dict[object, Place] = {}

    def take(self, who: object, client: str, leave: Callable[[], object]) -> bool:
        """Take a slot for `holder`, a connection of `client`. Returns whether there was one for that client.

        `on_evicted` is called when the slot is taken away again.
        """
        if sum(place.client == client for place in (*self._free.values(), *self._kept.values())) >= self._most_of_one:
            return False
        if len(self) >= self._most:
            self._make_room()
        self._free[who] = Place(client, leave)
        return True

    def keep(self, who: object, phone: str) -> None:
        """Reserve the slot of `holder` for a paired phone, unless that has too many reserved already."""
        place = self._free.get(who)
        if place is not None and sum(each.phone == phone for each in self._kept.values()) < self._kept_of_one:
            del self._free[who]
            self._kept[who] = place._replace(phone=phone)

    def give_back(self, who: object) -> None:
        """Free the slot of `holder`, if it has one."""
        self._free.pop(who, None)
        self._kept.pop(who, None)

    def __len__(self) -> int:
        return len(self._free) + len(self._kept)

    def _make_room(self) -> None:
        places = self._free or self._kept
        greediest = Counter(place.phone or place.client for place in places.values()).most_common(1)[0][0]
        who = next(who for who, place in places.items() if (place.phone or place.client) == greediest)
        places.pop(who).leave()

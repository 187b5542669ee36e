"""Who has a place among the connections or streams: nobody is refused, the greediest client makes room."""

from __future__ import annotations

import ipaddress
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

NETWORK = 64
"""Bits of an IPv6 address that are one client's: a network gives each device as many addresses as it likes."""


def address_of(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The IP address that a host is named by, None where it has another name."""
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None


def client_of(address: str) -> str:
    """Whose an address is: an IPv4 address stands for itself, an IPv6 address for its network."""
    found = address_of(address)
    if found is None or found.version == 4:
        return address
    mapped = found.ipv4_mapped
    return str(mapped or ipaddress.ip_network((int(found), NETWORK), strict=False))


class Place(NamedTuple):
    """Whose a place is, and what is called when it is taken away."""

    client: str
    leave: Callable[[], object]


class Places:
    """At most `most` places. Where all are taken, a newcomer gets the oldest one of the client with the most.

    A place that is kept, a paired phone's, is not taken away while there are others, and each client keeps at most
    `kept` of them.
    """

    def __init__(self, most: int, kept: int = 8) -> None:
        self._most = most
        self._kept_of_one = kept
        self._free: dict[object, Place] = {}  # may be taken away; the oldest first
        self._kept: dict[object, Place] = {}

    def take(self, who: object, client: str, leave: Callable[[], object]) -> None:
        """Give `who`, which is one of `client`'s, a place; `leave` is called when it is taken away."""
        if len(self._free) + len(self._kept) >= self._most:
            self._make_room()
        self._free[who] = Place(client, leave)

    def keep(self, who: object, client: str) -> None:
        """Let `who` keep its place, as one of `client`'s, if that has not too many already."""
        place = self._free.get(who)
        if place is not None and sum(each.client == client for each in self._kept.values()) < self._kept_of_one:
            del self._free[who]
            self._kept[who] = Place(client, place.leave)

    def give_back(self, who: object) -> None:
        """Free the place of `who`, if it has one."""
        self._free.pop(who, None)
        self._kept.pop(who, None)

    def __len__(self) -> int:
        return len(self._free) + len(self._kept)

    def _make_room(self) -> None:
        places = self._free or self._kept
        greediest = Counter(place.client for place in places.values()).most_common(1)[0][0]
        who = next(who for who, place in places.items() if place.client == greediest)
        places.pop(who).leave()

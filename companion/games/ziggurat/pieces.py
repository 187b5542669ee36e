"""The dominoes of Ziggurat and the written form of plays; cells are those of `companion.games.ziggurat.grid`.

A set of dominoes is an int with one bit for each domino, in the order of `DOUBLE_TWELVE`.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from companion.games.ziggurat.grid import CELLS, PLACES
from companion.games.ziggurat.refusals import Refused

_NUM = "(0|[1-9][0-9]{0,2})"
_EVENT = re.compile(rf"{_NUM}[ \t]*-[ \t]*{_NUM}[ \t,]*([A-Ga-g][1-7])[ \t,]*([A-Ga-g][1-7])")
_DOMINO = re.compile(f"{_NUM}-{_NUM}")
_APART = re.compile(r"[ \t,]+")
_CELL = {written: cell for cell, name in enumerate(CELLS) for written in (name, name.upper())}


class Domino(NamedTuple):
    """A domino, its lower pip first; pips are 0–12 in the largest set, up to 999 in text that was only parsed."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}-{self.high}"


class Move(NamedTuple):
    """A play in the player's order: pip `p` on cell `first`, pip `q` on cell `second`."""

    p: int
    q: int
    first: int
    second: int

    @property
    def domino(self) -> Domino:
        """The domino played, its lower pip first."""
        return Domino(self.p, self.q) if self.p <= self.q else Domino(self.q, self.p)

    def __str__(self) -> str:
        return f"{self.p}-{self.q} {CELLS[self.first]}{CELLS[self.second]}"


DOUBLE_TWELVE = tuple(Domino(low, high) for low in range(13) for high in range(low, 13))
"""Every domino of the largest set, sorted."""
BITS = {pips: 1 << index for index, domino in enumerate(DOUBLE_TWELVE) for pips in (domino, domino[::-1])}
"""The pips of a domino in either order → its bit."""
_DOMINOES = {1 << index: domino for index, domino in enumerate(DOUBLE_TWELVE)}


def dominoes(top: int) -> list[Domino]:
    """Every domino of the set that ends at `top`-`top`, sorted: 28, 55 or 91 for a `top` of 6, 9 or 12."""
    return [domino for domino in DOUBLE_TWELVE if domino.high <= top]


def unpack(bits: int) -> tuple[Domino, ...]:
    """The dominoes of a set given as bits, sorted."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(_DOMINOES[lowest])
        bits ^= lowest
    return tuple(found)


@cache
def plays(domino: Domino) -> tuple[tuple[Move, ...], ...]:
    """A domino's moves on every place, by place, one tuple for each orientation; a double has only one.

    They are created once, so that listing the moves of a position only selects them.
    """
    low, high = domino
    along = tuple(Move(low, high, a, b) for a, b in PLACES)
    return (along,) if low == high else (along, tuple(Move(low, high, b, a) for a, b in PLACES))


def read(text: str) -> Move:
    """Parse ``3-6 e4d4``; cells may be in capitals, and spaces, tabs and commas between. Raises Refused ``syntax``."""
    match = _EVENT.fullmatch(text)
    if match is None:
        raise Refused("syntax", said=text[:22])
    p, q, first, second = match.groups()
    return Move(int(p), int(q), _CELL[first], _CELL[second])


def read_deal(text: str, kind: str, options: Mapping[str, str]) -> tuple[Domino, ...]:
    """Parse dominoes separated by spaces, tabs or commas, sorted. Raises Refused ``syntax``."""
    return tuple(sorted(map(_read_domino, _APART.split(text)))) if text else ()


def write_deal(pieces: Sequence[Domino]) -> str:
    """The dominoes with a space between: ``0-3 6-6``."""
    return " ".join(map(str, pieces))


@lru_cache(maxsize=256)
def _read_domino(text: str) -> Domino:
    """Parse a domino like ``6-3``. Raises Refused ``syntax``."""
    match = _DOMINO.fullmatch(text)
    if match is None:
        raise Refused("syntax domino", said=text[:22])
    return Domino(*sorted(map(int, match.groups())))

"""The dominoes of Ziggurat, its plays, and the sentences of its refusals. Squares are those of `grid`.

A set of dominoes is an int with one bit for each domino, in the order of `DOUBLE_TWELVE`.
"""

from functools import cache
from typing import NamedTuple

from companion.games import api
from companion.games.ziggurat.grid import PAIRS, SQUARE_NAMES

ONCE_RULE = "the set has each domino once"
SENTENCES = {
    "syntax": ("{said}", "a play is like 3-6 e4d4", "give two pips, then the square of each"),
    "syntax domino": ("{said}", "a domino is like 3-6", "write two pips with a - between them"),
    "deal seat": ("{kind} {seat}", "the seats are 1 to {players}", "there is no such hand"),
    "deal size": ("{dominoes} of {size}", "the hand of {who}", "each player gets the same number"),
    "deal set": ("{who}", "the set ends at {top}-{top}", "one domino is not in this set"),
    "deal twice": ("{who}", "one domino twice", ONCE_RULE),
    "deal both": ("{who}", "{other} has one of them too", ONCE_RULE, "which one is a secret"),
    "set": ("{domino}", "the set ends at {top}-{top}", "there is no such domino"),
    "held": ("{domino}", "not in the hand", "play only what you hold"),
    "supply": ("{domino}", "it is on the table", ONCE_RULE),
    "supply other": ("{domino}", "another hand has it", ONCE_RULE),
    "adjacent": ("{cells}", "they share no edge", "a domino covers two squares side by side"),
    "adjacent same": ("{cells}", "the same square twice", "a domino covers two squares side by side"),
    "anchor": ("{domino}", "the middle is d4", "the first domino covers d4 and e4 or d5"),
    "occupied": ("{domino}", "a domino lies there", "build up only once the base is complete"),
    "occupied both": ("{domino}", "a domino lies there", "build up only once the base is complete"),
    "frame columns": ("{number} columns", "that is too wide", "the base is 4×4", "4 is the limit"),
    "frame rows": ("{number} rows", "that is too long", "the base is 4×4", "4 is the limit"),
    "touch": ("{domino}", "no domino is beside it", "a domino must share an edge with another one"),
    "gap": ("{domino}", "{cell} could not be filled", "the base must become a full 4×4"),
    "gap somewhere": ("{domino}", "a gap would stay", "the base must become a full 4×4"),
    "vacant": ("{domino}", "nothing lies on {low}", "no domino may cover an empty square"),
    "vacant low": ("{domino}", "{low} is {high} high", "level {level} needs two squares {ground} high"),
    "uneven": ("{domino}", "{first} high and {second} high", "both must be level", "{free} are still free"),
    "level": ("{domino}", "already {high} high", "level {level} must be filled first", "{free} are still free"),
}
"""Code, with further words where a code has several rows → figure, conflict, rule, what is needed."""


class RefusedError(api.RefusedError):
    """A refusal of Ziggurat, with the sentences of this game."""

    sentences = SENTENCES
    rows_about_others = ("supply other",)


class Domino(NamedTuple):
    """A domino, its lower pip first. Pips are 0 to 12 in the largest set, and up to 999 in text that is only parsed."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}-{self.high}"


class Move(NamedTuple):
    """A play in the player's order: pip `p` on the square `first`, pip `q` on the square `second`."""

    p: int
    q: int
    first: int
    second: int

    @property
    def domino(self) -> Domino:
        """The domino that is played, its lower pip first."""
        return Domino(self.p, self.q) if self.p <= self.q else Domino(self.q, self.p)

    @property
    def domino_text(self) -> str:
        """The domino in the order of its halves: ``6-3``."""
        return f"{self.p}-{self.q}"

    def __str__(self) -> str:
        return f"{self.domino_text} {SQUARE_NAMES[self.first]}{SQUARE_NAMES[self.second]}"


DOUBLE_TWELVE = tuple(Domino(low, high) for low in range(13) for high in range(low, 13))
"""Every domino of the largest set, sorted."""
DOMINO_BITS = {pips: 1 << index for index, domino in enumerate(DOUBLE_TWELVE) for pips in (domino, domino[::-1])}
"""The pips of a domino in either order → its bit."""
_DOMINOES = {1 << index: domino for index, domino in enumerate(DOUBLE_TWELVE)}


PIP_KEYS = "0123456789ABC"
"""The key of each pip."""


def dominoes_of_set(top: int) -> list[Domino]:
    """Every domino of the set that ends at `top`-`top`, sorted: 28, 55 or 91 for a `top` of 6, 9 or 12."""
    return [domino for domino in DOUBLE_TWELVE if domino.high <= top]


def dominoes_of_bits(bits: int) -> tuple[Domino, ...]:
    """The dominoes of a set that is given as bits, sorted."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(_DOMINOES[lowest])
        bits ^= lowest
    return tuple(found)


@cache
def moves_of_domino(domino: Domino) -> tuple[tuple[Move, ...], ...]:
    """A domino's moves on every pair, by pair, one tuple for each orientation; a double has only one.

    They are created once, so that listing the moves of a position only selects them.
    """
    low, high = domino
    along = tuple(Move(low, high, a, b) for a, b in PAIRS)
    return (along,) if low == high else (along, tuple(Move(low, high, b, a) for a, b in PAIRS))

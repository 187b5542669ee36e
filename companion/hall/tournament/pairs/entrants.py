"""A player as the pairing of the next round sees them: points, whom they met, how often they started.

"To start" is what chess clubs call to have White: seat 1 of a round.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class NoPairing(Exception):
    """No round can be paired by the rules any more, in one sentence, which is a text."""


class Float(Enum):
    """Where the opponent of a round stood: lower (a downfloat), on the same points, or higher."""

    DOWN = -1
    NONE = 0
    UP = 1


class Entrant(NamedTuple):
    """A player who is here for the next round.

    Attributes:
        number: the rank at the start among all who have come so far, from 1.
        points: in halves, so that 2 is a win.
        starts: for each game that was played, in order, whether the player started it.
        met: the numbers of those played against, once for each game.
        barred: the numbers of those whom the player must not meet.
        floats: of the last round and of the one before it.
        had_bye: whether the player had a win without a game: no bye is due then.
        unplayed: rounds without a game.
    """

    number: int
    points: int = 0
    starts: tuple[bool, ...] = ()
    met: tuple[int, ...] = ()
    barred: frozenset[int] = frozenset()
    floats: tuple[Float, Float] = (Float.NONE, Float.NONE)
    had_bye: bool = False
    unplayed: int = 0

    @property
    def rank(self) -> tuple[int, int]:
        """Sorts the best first."""
        return -self.points, self.number

    @property
    def balance(self) -> int:
        """How many times more often the player started than not."""
        return 2 * sum(self.starts) - len(self.starts)

    @property
    def streak(self) -> bool:
        """Whether the last two games began in the same way."""
        return len(self.starts) > 1 and self.starts[-1] == self.starts[-2]

    @property
    def wish(self) -> bool | None:
        """Whether the player is due to start, None where it does not matter (C.04.3, 1.7)."""
        if not self.starts:
            return None
        if abs(self.balance) > 1 or (self.balance and not self.streak):
            return self.balance < 0
        return not self.starts[-1]

    @property
    def strength(self) -> int:
        """Of the wish: 3 must be granted, 2 strong, 1 mild, 0 none."""
        if not self.starts:
            return 0
        if abs(self.balance) > 1 or self.streak:
            return 3
        return 2 if self.balance else 1


def starter(one: Entrant, other: Entrant) -> Entrant:
    """Which of two starts their game (C.04.3, 5.2); in the first round the odd numbers of the better half do."""
    higher, lower = sorted((one, other), key=lambda each: each.rank)
    if one.wish is not None and other.wish is not None and one.wish is not other.wish:
        return one if one.wish else other
    if one.strength != other.strength:
        return _granted(*sorted((one, other), key=lambda each: -each.strength))
    if one.strength == 3 and abs(one.balance) != abs(other.balance):
        return _granted(*sorted((one, other), key=lambda each: -abs(each.balance)))
    for mine, theirs in zip(reversed(higher.starts), reversed(lower.starts), strict=False):
        if mine is not theirs:
            return lower if mine else higher
    if higher.wish is not None:
        return _granted(higher, lower)
    return higher if higher.number % 2 else lower


def _granted(one: Entrant, other: Entrant) -> Entrant:
    """Who starts where the first of two has the wish fulfilled."""
    return one if one.wish else other

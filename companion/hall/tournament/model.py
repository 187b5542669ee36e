"""A tournament as plain values: who plays, what was paired, how it ended."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Outcome(Enum):
    """How a pairing ended, as it is written in a cross-table; a + is a win without a game."""

    FIRST = "1-0"
    DRAW = "½-½"
    SECOND = "0-1"
    FIRST_UNPLAYED = "+--"
    SECOND_UNPLAYED = "--+"
    NOBODY = "---"

    @property
    def points(self) -> tuple[int, int]:
        """Of the two players, in halves."""
        first, second = self.value[0], self.value[2]
        return _HALVES[first], _HALVES[second]

    @property
    def played(self) -> bool:
        """Whether there was a game."""
        return self in (Outcome.FIRST, Outcome.DRAW, Outcome.SECOND)


_HALVES = {"1": 2, "+": 2, "½": 1, "0": 0, "-": 0}
WIN = 2
"""Points of a win in halves."""


class Player(NamedTuple):
    """A player by start number, from 1; `here` is false for one who is late, missing or gone."""

    number: int
    name: str
    here: bool = True


class Game(NamedTuple):
    """A pairing of a round; `first` starts. `second` is 0 for a bye, which is a win. `outcome` is None while open."""

    round: int
    board: int
    first: int
    second: int
    outcome: Outcome | None = None

    @property
    def open(self) -> bool:
        """Whether its result is still to come."""
        return self.second != 0 and self.outcome is None

    @property
    def played(self) -> bool:
        """Whether there was a game that is over."""
        return self.outcome is not None and self.outcome.played

    def points(self, number: int) -> int:
        """Of a player of it, in halves."""
        if not self.second:
            return WIN
        return self.outcome.points[number != self.first] if self.outcome is not None else 0

    def opponent(self, number: int) -> int:
        """The other player's number, 0 for a bye."""
        return self.second if number == self.first else self.first


class Tournament(NamedTuple):
    """All that pairing and standings need; `rounds` is how many there will be, `swiss` false for round-robin."""

    players: tuple[Player, ...]
    games: tuple[Game, ...]
    rounds: int
    swiss: bool

    @property
    def round(self) -> int:
        """The newest round that was paired, 0 before the first."""
        return max((game.round for game in self.games), default=0)

    def games_of(self, number: int) -> dict[int, Game]:
        """The pairings of a player by their rounds."""
        return {game.round: game for game in self.games if number in (game.first, game.second)}

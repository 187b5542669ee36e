"""The score pad: points of any other game, two to eight players. Pure; no game of the records knows it.

An entry is one player's change of points, and one turn of that player where the game has a number of turns.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from companion.game.result import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

ID = "pad"
NAME = "Score pad"
UNNAMED = "Game"
PLAYERS = tuple(range(2, 9))
MOST = 1_000_000
"""The largest change in one entry, the largest target."""
MOST_TURNS = 99

_POINTS = re.compile(r"[+-][0-9]{1,7}")


class Pad(NamedTuple):
    """A pad as it stands.

    Args:
        players: how many, 2 to 8.
        title: the game's name, up to 16 letters.
        lowest: whether the fewest points win.
        target: the score at which the game may be over, 0 for none.
        turns: the number of turns of each player, 0 for no limit.
        entries: seat (from 1) and points, oldest first.
    """

    players: int
    title: str = UNNAMED
    lowest: bool = False
    target: int = 0
    turns: int = 0
    entries: tuple[tuple[int, int], ...] = ()

    @property
    def totals(self) -> tuple[int, ...]:
        """The points by seat."""
        points = [0] * self.players
        for seat, change in self.entries:
            points[seat - 1] += change
        return tuple(points)

    @property
    def taken(self) -> tuple[int, ...]:
        """How many turns each seat has had."""
        return tuple(sum(seat == each for each, _ in self.entries) for seat in range(1, self.players + 1))

    @property
    def turn(self) -> int:
        """The turn that is being played, from 1."""
        last = min(self.taken) + 1
        return min(last, self.turns) if self.turns else last

    @property
    def dealer(self) -> int:
        """The seat that deals the round that is being played: seat 1 the first one, then the next seat in turn."""
        return min(self.taken) % self.players + 1

    @property
    def running(self) -> list[list[int | None]]:
        """Round by round each seat's points so far, None where a seat has no entry in that round."""
        columns: list[list[int | None]] = [[] for _ in range(self.players)]
        totals = [0] * self.players
        for seat, change in self.entries:
            totals[seat - 1] += change
            columns[seat - 1].append(totals[seat - 1])
        return [list(row) for row in zip_longest(*columns)]

    @property
    def full(self) -> bool:
        """Whether everybody has had all turns."""
        return bool(self.turns) and min(self.taken) >= self.turns

    @property
    def leaders(self) -> tuple[int, ...]:
        """The seats that are ahead, or have won if nothing more comes; nobody before the first entry."""
        if not self.entries:
            return ()
        totals = self.totals
        best = min(totals) if self.lowest else max(totals)
        return tuple(seat for seat, total in enumerate(totals, 1) if total == best)

    def reaches(self, seat: int, points: int) -> bool:
        """Whether this entry brings the seat to the target, coming from below."""
        before = self.totals[seat - 1]
        return bool(self.target) and before < self.target <= before + points

    def add(self, seat: int, points: int) -> Pad:
        """The pad with an entry more. Raises ValueError for a seat or a change that cannot be."""
        return self._replace(entries=(*self.entries, self.judged(seat, points)))

    def judged(self, seat: int, points: int) -> tuple[int, int]:
        """An entry. Raises ValueError for a seat or a change that cannot be."""
        if not 1 <= seat <= self.players or abs(points) > MOST:
            raise ValueError(f"no entry of a pad for {self.players}: seat {seat}, {points:+d}")
        return seat, points

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """What the pad was set up with, as it is kept: name and value."""
        wins = "lowest" if self.lowest else "highest"
        return ("title", self.title), ("wins", wins), ("target", str(self.target)), ("turns", str(self.turns))


def opened(players: int, options: Sequence[tuple[str, str]], entries: Sequence[tuple[int, str]] = ()) -> Pad:
    """The pad that was kept: see `Pad.options` and `write`. Raises ValueError where one cannot have been."""
    said = dict(options)
    pad = Pad(
        players, said.get("title", UNNAMED), said.get("wins") == "lowest",
        int(said.get("target", 0)), int(said.get("turns", 0)),
    )  # fmt: skip
    return pad._replace(entries=tuple(pad.judged(seat, read(text)) for seat, text in entries))


def read(text: str) -> int:
    """An entry's points: ``+12``, ``-5``. Raises ValueError for anything else."""
    if not _POINTS.fullmatch(text):
        raise ValueError(f"no points of a score pad: {text[:22]!r}")
    return int(text)


def write(points: int) -> str:
    """Points as an entry keeps them, always with a sign."""
    return f"{points:+d}"


def result(pad: Pad) -> Result:
    """The totals, and the seats that lead."""
    return Result(pad.totals, pad.leaders)

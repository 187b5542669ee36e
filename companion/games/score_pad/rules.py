"""The score pad: the points of any other game, for two to eight players.

Each entry changes the points of one player and counts as one turn of that player. All functions are pure. A pad is
never written as a record.
"""

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from companion.games.api.result import Result, leaders
from companion.games.api.text import text

ID = "pad"
NAME = text("Score pad")
UNNAMED = text("Game")
PLAYERS = tuple(range(2, 9))
MOST = 1_000_000
"""The largest change of points in one entry, and the largest target."""
MOST_TURNS = 99

_POINTS = re.compile(r"[+-][0-9]{1,7}")


class Pad(NamedTuple):
    """The state of a score pad.

    Args:
        players: the number of players, 2 to 8.
        title: the name of the game that is played, up to 16 letters.
        lowest_wins: whether the fewest points win.
        target: the score at which the game may be over, 0 for none.
        turn_limit: the number of turns of each player, 0 for no limit.
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
        """The sum of points by seat."""
        points = [0] * self.players
        for seat, change in self.entries:
            points[seat - 1] += change
        return tuple(points)

    @property
    def taken(self) -> tuple[int, ...]:
        """The number of turns that each seat has had."""
        return tuple(sum(seat == each for each, _ in self.entries) for seat in range(1, self.players + 1))

    @property
    def turn(self) -> int:
        """The number of the current turn, from 1. A turn is over when every seat has an entry in it."""
        last = min(self.taken) + 1
        return min(last, self.turns) if self.turns else last

    @property
    def dealer(self) -> int:
        """The seat that deals the current turn: seat 1 in turn 1, seat 2 in turn 2, and so on, starting again."""
        return min(self.taken) % self.players + 1

    @property
    def by_turn(self) -> list[list[int | None]]:
        """For each turn the points of each seat; None for a seat without an entry in that turn."""
        columns: list[list[int | None]] = [[] for _ in range(self.players)]
        for seat, change in self.entries:
            columns[seat - 1].append(change)
        return [list(row) for row in zip_longest(*columns)]

    @property
    def full(self) -> bool:
        """Whether every seat has had all its turns; always False without a limit of turns."""
        return all(self.had_all(seat) for seat in range(1, self.players + 1))

    def had_all(self, seat: int) -> bool:
        """Whether a seat has had all its turns; always False without a limit of turns."""
        return bool(self.turns) and self.taken[seat - 1] >= self.turns

    @property
    def leaders(self) -> tuple[int, ...]:
        """The seats with the best total, which win if the pad is closed now; () before the first entry."""
        if not self.entries:
            return ()
        return leaders([-total if self.lowest else total for total in self.totals])

    def reaches(self, seat: int, points: int) -> bool:
        """Whether `points` would bring the seat from below the target to the target or above it."""
        before = self.totals[seat - 1]
        return bool(self.target) and before < self.target <= before + points

    @property
    def stands_at_target(self) -> int:
        """The seat with the most points, if these reach the target and the turn is complete; otherwise 0."""
        most = max(self.totals)
        came_round = bool(self.target) and self.entries[-1][0] % self.players + 1 == self.entries[0][0]
        return self.totals.index(most) + 1 if came_round and most >= self.target else 0

    def add(self, seat: int, points: int) -> "Pad":
        """The pad with one more entry.

        Raises ValueError for a seat that does not exist, and for more points than `MAX_POINTS`.
        """
        return self._replace(entries=(*self.entries, self.judged(seat, points)))

    @property
    def due(self) -> int:
        """The seat that should play next: the next one after the last entry among those with the fewest turns.

        When all seats have had the same number of turns, the seat that began the first turn begins the next one.
        """
        if self.entries and len(set(self.taken)) == 1:
            return self.entries[0][0]
        last = self.entries[-1][0] if self.entries else 0
        order = [(last + ahead) % self.players + 1 for ahead in range(self.players)]
        return next(seat for seat in order if self.taken[seat - 1] == min(self.taken))

    def last_of(self, seat: int) -> int:
        """The number of a seat's last entry, from 1; 0 if the seat has none, or if it is this seat's turn."""
        numbers = [number for number, (each, _) in enumerate(self.entries, 1) if each == seat]
        return numbers[-1] if numbers and seat != self.due else 0

    def turn_of(self, number: int) -> int:
        """Which turn of its seat the entry `number` (from 1) was."""
        seat, _ = self.entries[number - 1]
        return sum(each == seat for each, _ in self.entries[:number])

    def corrected(self, number: int, points: int) -> "Pad":
        """The pad after `points` were added to the entry `number`, from 1.

        Raises ValueError if that entry would then have more than `MAX_POINTS`.
        """
        seat, before = self.entries[number - 1]
        entry = self.judged(seat, before + points)
        return self._replace(entries=(*self.entries[: number - 1], entry, *self.entries[number:]))

    def judged(self, seat: int, points: int) -> tuple[int, int]:
        """An entry as (seat, points). Raises ValueError as `with_entry` does."""
        if not 1 <= seat <= self.players or abs(points) > MOST:
            raise ValueError(f"no entry of a pad for {self.players}: seat {seat}, {points:+d}")
        return seat, points

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """The settings of the pad as they are stored: names and values."""
        wins = "lowest" if self.lowest else "highest"
        return ("title", self.title), ("wins", wins), ("target", str(self.target)), ("turns", str(self.turns))


def pad_after(players: int, options: Sequence[tuple[str, str]], entries: Sequence[tuple[int, str]] = ()) -> Pad:
    """A stored pad from its options (`Pad.stored_options`) and its entries (see `format_points`).

    Raises ValueError for invalid ones.
    """
    said = dict(options)
    title = said.get("title", UNNAMED)
    # The default title is translated, a title that somebody typed is not.
    title = UNNAMED if title == UNNAMED else title
    target, turns = int(said.get("target", 0)), int(said.get("turns", 0))
    pad = Pad(players, title, said.get("wins") == "lowest", target, turns)
    return pad._replace(entries=tuple(pad.judged(seat, read(points)) for seat, points in entries))


def read(text: str) -> int:
    """Parse the points of an entry: ``+12``, ``-5``. Raises ValueError for anything else."""
    if not _POINTS.fullmatch(text):
        raise ValueError(f"no points of a score pad: {text[:22]!r}")
    return int(text)


def stepped(number: int, by: int, *, tens: bool) -> int:
    """The number that an arrow leads to: the next one up (`direction` 1) or down (-1).

    With `tens` it is the next multiple of ten.
    """
    step = 10 if tens else 1
    return by * (by * number // step + 1) * step


def write(points: int) -> str:
    """Points in the stored form of an entry, always with a sign: ``+12``."""
    return f"{points:+d}"


def result(pad: Pad) -> Result:
    """The result of a pad: its totals, and the seats that lead."""
    return Result(pad.totals, pad.leaders)

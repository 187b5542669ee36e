"""The score pad: the points of any other game, for two to eight players.

Each entry changes the points of one player and counts as one turn of that player. All functions are pure. A pad is
never written as a record.
"""

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from companion.games.api import result
from companion.games.api.text import text

PAD_ID = "pad"
PAD_NAME = text("Score pad")
DEFAULT_TITLE = text("Game")
PLAYER_COUNTS = tuple(range(2, 9))
MAX_POINTS = 1_000_000
"""The largest change of points in one entry, and the largest target."""
MAX_TURNS = 99

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
    title: str = DEFAULT_TITLE
    lowest_wins: bool = False
    target: int = 0
    turn_limit: int = 0
    entries: tuple[tuple[int, int], ...] = ()

    @property
    def totals(self) -> tuple[int, ...]:
        """The sum of points by seat."""
        points = [0] * self.players
        for seat, change in self.entries:
            points[seat - 1] += change
        return tuple(points)

    @property
    def turns_taken(self) -> tuple[int, ...]:
        """The number of turns that each seat has had."""
        return tuple(sum(seat == entry_seat for entry_seat, _ in self.entries) for seat in range(1, self.players + 1))

    @property
    def current_turn(self) -> int:
        """The number of the current turn, from 1. A turn is over when every seat has an entry in it."""
        next_turn = min(self.turns_taken) + 1
        return min(next_turn, self.turn_limit) if self.turn_limit else next_turn

    @property
    def dealer(self) -> int:
        """The seat that deals the current turn: seat 1 in turn 1, seat 2 in turn 2, and so on, starting again."""
        return min(self.turns_taken) % self.players + 1

    @property
    def points_by_turn(self) -> list[list[int | None]]:
        """For each turn the points of each seat; None for a seat without an entry in that turn."""
        columns: list[list[int | None]] = [[] for _ in range(self.players)]
        for seat, change in self.entries:
            columns[seat - 1].append(change)
        return [list(row) for row in zip_longest(*columns)]

    @property
    def is_full(self) -> bool:
        """Whether every seat has had all its turns; always False without a limit of turns."""
        return all(self.has_had_all_turns(seat) for seat in range(1, self.players + 1))

    def has_had_all_turns(self, seat: int) -> bool:
        """Whether a seat has had all its turns; always False without a limit of turns."""
        return bool(self.turn_limit) and self.turns_taken[seat - 1] >= self.turn_limit

    @property
    def leading_seats(self) -> tuple[int, ...]:
        """The seats with the best total, which win if the pad is closed now; () before the first entry."""
        if not self.entries:
            return ()
        return result.leading_seats([-total if self.lowest_wins else total for total in self.totals])

    def reaches_target(self, seat: int, points: int) -> bool:
        """Whether `points` would bring the seat from below the target to the target or above it."""
        total = self.totals[seat - 1]
        return bool(self.target) and total < self.target <= total + points

    @property
    def seat_at_target(self) -> int:
        """The seat with the most points, if these reach the target and the turn is complete; otherwise 0."""
        highest = max(self.totals)
        turn_is_complete = bool(self.target) and self.entries[-1][0] % self.players + 1 == self.entries[0][0]
        return self.totals.index(highest) + 1 if turn_is_complete and highest >= self.target else 0

    def with_entry(self, seat: int, points: int) -> "Pad":
        """The pad with one more entry.

        Raises ValueError for a seat that does not exist, and for more points than `MAX_POINTS`.
        """
        return self._replace(entries=(*self.entries, self.checked_entry(seat, points)))

    @property
    def due_seat(self) -> int:
        """The seat that should play next: the next one after the last entry among those with the fewest turns.

        When all seats have had the same number of turns, the seat that began the first turn begins the next one.
        """
        if self.entries and len(set(self.turns_taken)) == 1:
            return self.entries[0][0]
        last = self.entries[-1][0] if self.entries else 0
        order = [(last + ahead) % self.players + 1 for ahead in range(self.players)]
        return next(seat for seat in order if self.turns_taken[seat - 1] == min(self.turns_taken))

    def last_entry_number(self, seat: int) -> int:
        """The number of a seat's last entry, from 1; 0 if the seat has none, or if it is this seat's turn."""
        numbers = [number for number, (each, _) in enumerate(self.entries, 1) if each == seat]
        return numbers[-1] if numbers and seat != self.due_seat else 0

    def turn_of_entry(self, number: int) -> int:
        """Which turn of its seat the entry `number` (from 1) was."""
        seat, _ = self.entries[number - 1]
        return sum(each == seat for each, _ in self.entries[:number])

    def with_correction(self, number: int, points: int) -> "Pad":
        """The pad after `points` were added to the entry `number`, from 1.

        Raises ValueError if that entry would then have more than `MAX_POINTS`.
        """
        seat, old_points = self.entries[number - 1]
        entry = self.checked_entry(seat, old_points + points)
        return self._replace(entries=(*self.entries[: number - 1], entry, *self.entries[number:]))

    def checked_entry(self, seat: int, points: int) -> tuple[int, int]:
        """An entry as (seat, points). Raises ValueError as `with_entry` does."""
        if not 1 <= seat <= self.players or abs(points) > MAX_POINTS:
            raise ValueError(f"no entry of a pad for {self.players}: seat {seat}, {points:+d}")
        return seat, points

    @property
    def stored_options(self) -> tuple[tuple[str, str], ...]:
        """The settings of the pad as they are stored: names and values."""
        wins = "lowest" if self.lowest_wins else "highest"
        return ("title", self.title), ("wins", wins), ("target", str(self.target)), ("turns", str(self.turn_limit))


def restore_pad(players: int, options: Sequence[tuple[str, str]], entries: Sequence[tuple[int, str]] = ()) -> Pad:
    """A stored pad from its options (`Pad.stored_options`) and its entries (see `format_points`).

    Raises ValueError for invalid ones.
    """
    settings = dict(options)
    title = settings.get("title", DEFAULT_TITLE)
    # The default title is translated, a title that somebody typed is not.
    title = DEFAULT_TITLE if title == DEFAULT_TITLE else title
    target, turns = int(settings.get("target", 0)), int(settings.get("turns", 0))
    pad = Pad(players, title, settings.get("wins") == "lowest", target, turns)
    return pad._replace(entries=tuple(pad.checked_entry(seat, parse_points(points)) for seat, points in entries))


def parse_points(written: str) -> int:
    """Parse the points of an entry: ``+12``, ``-5``. Raises ValueError for anything else."""
    if not _POINTS.fullmatch(written):
        raise ValueError(f"no points of a score pad: {written[:22]!r}")
    return int(written)


def next_number(number: int, direction: int, *, tens: bool) -> int:
    """The number that an arrow leads to: one more (`direction` 1) or less (-1), with `tens` ten more or less."""
    return number + direction * (10 if tens else 1)


def format_points(points: int) -> str:
    """Points in the stored form of an entry, always with a sign: ``+12``."""
    return f"{points:+d}"


def pad_result(pad: Pad) -> result.Result:
    """The result of a pad: its totals, and the seats that lead."""
    return result.Result(pad.totals, pad.leading_seats)

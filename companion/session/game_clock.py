"""The game clock as values: what each seat has, how a move counts, and how both are written down.

A control is written ``600``, ``600+5`` (seconds, and what each move adds) or ``600d5`` (seconds, and how long each move
is free); one a seat with blanks between, or one for all. What is left is written in seconds, ``583.2 600``.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MOST_MINUTES, MOST_EXTRA = 180, 60
"""The longest time of a seat in minutes, and the most seconds that a move adds or has free."""
WARNING = 30.0
"""Seconds left at which a seat is warned."""
INSTANT = 1e-6
"""The tolerance for floating-point sums, in seconds."""
LEAST = 1.0
"""A take-back that removes an increment leaves at least so many seconds."""


class Control(NamedTuple):
    """The time of a seat: `base` seconds; each move adds `extra` seconds, or with `delay` is free for so long."""

    base: int
    extra: int = 0
    delay: bool = False

    def __str__(self) -> str:
        return f"{self.base}{'d' if self.delay else '+'}{self.extra}" if self.extra else str(self.base)

    @property
    def words(self) -> str:
        """``10 min``, ``10 min + 5 s``, ``10 min, 5 s free``."""
        minutes, seconds = divmod(self.base, 60)
        said = f"{minutes}:{seconds:02} min" if seconds else f"{minutes} min"
        if not self.extra:
            return said
        return f"{said}, {self.extra} s free" if self.delay else f"{said} + {self.extra} s"


def controls(text: str, seats: int) -> tuple[Control, ...]:
    """The control of each seat; () for none, or where it cannot be read."""
    found = [re.fullmatch(r"([1-9][0-9]{0,5})(?:([+d])([0-9]{1,3}))?", part) for part in text.split()]
    read = [Control(int(each[1]), int(each[3] or 0), each[2] == "d") for each in found if each]
    if not read or len(read) != len(found):
        return ()
    return tuple(read) if len(read) == seats else (read[0],) * seats


def words(text: str) -> str:
    """A setting in words: ``10 min + 5 s``, ``own times`` where the seats differ, ``none``."""
    parts = set(text.split())
    return controls(text, 1)[0].words if len(parts) == 1 else "own times" if parts else "none"


def moved_up(text: str) -> str:
    """The setting once each player has moved up a seat: a player's time goes along."""
    parts = text.split()
    return " ".join((*parts[1:], *parts[:1]))


class GameClock(NamedTuple):
    """The clock of a round. `left` are seconds by seat, `free` those of this turn that cost nothing yet.

    A clock stands until it is started or a move is played. `turn` are the seconds since this turn began; `warned` and
    `told` are the seats that were warned, and whose fallen flag was told.
    """

    round: int
    controls: tuple[Control, ...]
    left: tuple[float, ...]
    runs: bool = False
    free: float = 0.0
    turn: float = 0.0
    warned: tuple[int, ...] = ()
    told: tuple[int, ...] = ()

    def __str__(self) -> str:
        return " ".join(f"{left:.1f}".removesuffix(".0") for left in self.left)

    def fallen(self, seat: int) -> bool:
        """Whether a seat's time is up."""
        return self.left[seat - 1] <= 0

    def passed(self, seat: int, seconds: float) -> GameClock:
        """The clock after `seconds` of a seat's turn."""
        charged = max(0.0, seconds - self.free)
        left = self.left[seat - 1] - charged
        left = left if left > INSTANT else 0.0
        return self._with(seat, left)._replace(free=max(0.0, self.free - seconds), turn=self.turn + seconds)

    def moved(self, seat: int) -> GameClock:
        """The clock once a seat's turn has ended by its move: what the move adds is added, if the flag stands."""
        control, left = self.controls[seat - 1], self.left[seat - 1]
        adds = control.extra if not control.delay and left > 0 else 0
        return self._with(seat, left + adds)

    def unmoved(self, seat: int) -> GameClock:
        """The clock once such a move is taken back: what it added is gone, the time that has passed stays so."""
        control, left = self.controls[seat - 1], self.left[seat - 1]
        takes = control.extra if not control.delay and left > 0 else 0
        return self._with(seat, max(left - takes, min(left, LEAST)))

    def turned(self, seat: int | None) -> GameClock:
        """The clock at the start of a seat's turn."""
        control = self.controls[seat - 1] if seat else Control(0)
        return self._replace(free=float(control.extra if control.delay else 0), turn=0.0)

    def _with(self, seat: int, left: float) -> GameClock:
        return self._replace(left=(*self.left[: seat - 1], left, *self.left[seat:]))


def clock_of(round_: int, text: str, left: str, seats: int) -> GameClock | None:
    """The clock of a round that begins or is gone on with, standing; None where it has none.

    `left` is what was left when it was last kept, "" at the start.
    """
    set_to = controls(text, seats)
    if not set_to:
        return None
    kept = [float(part) for part in left.split() if re.fullmatch(r"[0-9]{1,7}(\.[0-9]+)?", part)]
    times = tuple(kept) if len(kept) == seats else tuple(float(each.base) for each in set_to)
    warned = tuple(seat for seat, each in enumerate(times, 1) if each <= WARNING)
    fallen = tuple(seat for seat, each in enumerate(times, 1) if each <= 0)
    return GameClock(round_, set_to, times, warned=warned, told=fallen)

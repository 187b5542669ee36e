"""The game clock as values: each seat's time control, and what a move does to the seconds left.

The settings of a clock are text, which the store saves with the round:

| settings | meaning |
| --- | --- |
| ``600`` | 600 seconds for all moves |
| ``600+5`` | each move adds 5 seconds |
| ``600d5`` | the first 5 seconds of each move are free |
| ``300 600+3`` | a control for each seat, separated by spaces |

Times left are saved as seconds with one decimal: ``583.2 600``.
"""

import re
from typing import NamedTuple, Self

from companion.languages import text

MOST_MINUTES, MOST_EXTRA = 180, 60
"""The longest base time of a seat in minutes; the most seconds that a move adds or that are free."""
WARNING = 30.0
"""A seat is warned when this many seconds are left."""
INSTANT = 1e-6
"""Less time than this counts as none: sums of floating-point seconds are not exact."""
LEAST = 1.0
"""The fewest seconds that a takeback leaves when it removes an increment."""


class Control(NamedTuple):
    """The time control of a seat.

    Attributes:
        base_seconds: the time for all moves.
        extra_seconds: what each move adds, or the free seconds at the start of each move.
        is_delay: whether the extra seconds are free rather than added.
    """

    base: int
    extra: int = 0
    delay: bool = False

    def __str__(self) -> str:
        return f"{self.base}{'d' if self.delay else '+'}{self.extra}" if self.extra else str(self.base)

    @property
    def words(self) -> str:
        """The control for people: ``10 min``, ``10 min + 5 s``, ``10 min, 5 s free``."""
        minutes, seconds = divmod(self.base, 60)
        said = text("{minutes} min", minutes=f"{minutes}:{seconds:02}" if seconds else minutes)
        if not self.extra:
            return said
        message = "{base}, {extra} s free" if self.delay else "{base} + {extra} s"
        return text(message, base=said, extra=self.extra)

    @property
    def short(self) -> str:
        """The control for a narrow line: ``10 min+5 s``, ``10 min, 5 free``."""
        message = "{base}, {extra} free" if self.delay else "{base}+{extra} s"
        return text(message, base=self._replace(extra=0).words, extra=self.extra) if self.extra else self.words


def controls(written: str, seats: int) -> tuple[Control, ...]:
    """Parse the settings of a clock into a control for each seat; () for no clock, or for invalid text."""
    found = [re.fullmatch(r"([1-9][0-9]{0,5})(?:([+d])([0-9]{1,3}))?", part) for part in written.split()]
    read = [Control(int(each[1]), int(each[3] or 0), each[2] == "d") for each in found if each]
    if not read or len(read) != len(found):
        return ()
    return tuple(read) if len(read) == seats else (read[0],) * seats


def words(written: str, *, short: bool = False) -> str:
    """The settings of a clock for people: ``10 min + 5 s``, ``own times`` if the seats differ, ``none``."""
    parts = set(written.split())
    if len(parts) == 1:
        control = controls(written, 1)[0]
        return control.short if short else control.words
    return text("own times") if parts else text("none")


def moved_up(written: str) -> str:
    """The settings after each player has moved up one seat and has taken their own control along."""
    parts = written.split()
    return " ".join((*parts[1:], *parts[:1]))


class GameClock(NamedTuple):
    """The clock of a round. It is stopped until somebody starts it or plays a move.

    Attributes:
        round_number: the round that it belongs to.
        controls: the time control of each seat.
        seconds_left: what each seat has left.
        is_running: whether time passes for the seat to move.
        free_seconds: what is left of the free seconds of this turn.
        turn_seconds: how long this turn has taken so far.
        warned_seats: the seats that were warned.
        notified_seats: the seats whose end of time was announced.
    """

    round: int
    controls: tuple[Control, ...]
    left: tuple[float, ...]
    runs: bool = False
    free: float = 0.0
    turn: float = 0.0
    warned: tuple[int, ...] = ()
    notified: tuple[int, ...] = ()

    def __str__(self) -> str:
        return " ".join(f"{left:.1f}".removesuffix(".0") for left in self.left)

    def passed(self, seat: int, seconds: float) -> Self:
        """The clock after `seconds` of a seat's turn; free seconds are used up first."""
        charged = max(0.0, seconds - self.free)
        left = self.left[seat - 1] - charged
        left = left if left > INSTANT else 0.0
        return self._with(seat, left)._replace(free=max(0.0, self.free - seconds), turn=self.turn + seconds)

    def moved(self, seat: int) -> Self:
        """The clock after a seat's move: the increment is added, unless the seat's time was up."""
        control, left = self.controls[seat - 1], self.left[seat - 1]
        adds = control.extra if not control.delay and left > 0 else 0
        return self._with(seat, left + adds)

    def unmoved(self, seat: int) -> Self:
        """The clock after a takeback: the move's increment is removed, the time used is not given back."""
        control, left = self.controls[seat - 1], self.left[seat - 1]
        takes = control.extra if not control.delay and left > 0 else 0
        return self._with(seat, max(left - takes, min(left, LEAST)))

    def turned(self, seat: int | None) -> Self:
        """The clock at the start of a seat's turn (None: nobody is to move), with its free seconds."""
        control = self.controls[seat - 1] if seat else Control(0)
        return self._replace(free=float(control.extra if control.delay else 0), turn=0.0)

    def _with(self, seat: int, left: float) -> Self:
        return self._replace(left=(*self.left[: seat - 1], left, *self.left[seat:]))


def clock_of(round_: int, written: str, left: str, seats: int) -> GameClock | None:
    """The stopped clock of a round that begins or is resumed; None if the round has no clock.

    `saved_text` is the text that was saved last for the times left, "" at the start.
    """
    set_to = controls(written, seats)
    if not set_to:
        return None
    kept = [float(part) for part in left.split() if re.fullmatch(r"[0-9]{1,7}(\.[0-9]+)?", part)]
    times = tuple(kept) if len(kept) == seats else tuple(float(each.base) for each in set_to)
    warned = tuple(seat for seat, each in enumerate(times, 1) if each <= WARNING)
    fallen = tuple(seat for seat, each in enumerate(times, 1) if each <= 0)
    return GameClock(round_, set_to, times, warned=warned, notified=fallen)

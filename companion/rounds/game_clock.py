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

MAX_MINUTES, MAX_EXTRA_SECONDS = 180, 60
"""The longest base time of a seat in minutes; the most seconds that a move adds or that are free."""
WARNING_SECONDS = 30.0
"""A seat is warned when this many seconds are left."""
TOLERANCE_SECONDS = 1e-6
"""Less time than this counts as none: sums of floating-point seconds are not exact."""
MIN_SECONDS = 1.0
"""The fewest seconds that a takeback leaves when it removes an increment."""


class TimeControl(NamedTuple):
    """The time control of a seat.

    Attributes:
        base_seconds: the time for all moves.
        extra_seconds: what each move adds, or the free seconds at the start of each move.
        is_delay: whether the extra seconds are free rather than added.
    """

    base_seconds: int
    extra_seconds: int = 0
    is_delay: bool = False

    def __str__(self) -> str:
        if not self.extra_seconds:
            return str(self.base_seconds)
        return f"{self.base_seconds}{'d' if self.is_delay else '+'}{self.extra_seconds}"

    @property
    def display_text(self) -> str:
        """The control for people: ``10 min``, ``10 min + 5 s``, ``10 min, 5 s free``."""
        minutes, seconds = divmod(self.base_seconds, 60)
        base = text("{minutes} min", minutes=f"{minutes}:{seconds:02}" if seconds else minutes)
        if not self.extra_seconds:
            return base
        message = "{base}, {extra} s free" if self.is_delay else "{base} + {extra} s"
        return text(message, base=base, extra=self.extra_seconds)

    @property
    def short_text(self) -> str:
        """The control for a narrow line: ``10 min+5 s``, ``10 min, 5 free``."""
        if not self.extra_seconds:
            return self.display_text
        message = "{base}, {extra} free" if self.is_delay else "{base}+{extra} s"
        return text(message, base=self._replace(extra_seconds=0).display_text, extra=self.extra_seconds)


def parse_controls(settings: str, seats: int) -> tuple[TimeControl, ...]:
    """Parse the settings of a clock into a control for each seat; () for no clock, or for invalid text."""
    matches = [re.fullmatch(r"([1-9][0-9]{0,5})(?:([+d])([0-9]{1,3}))?", part) for part in settings.split()]
    controls = [TimeControl(int(each[1]), int(each[3] or 0), each[2] == "d") for each in matches if each]
    if not controls or len(controls) != len(matches):
        return ()
    return tuple(controls) if len(controls) == seats else (controls[0],) * seats


def settings_text(settings: str, *, short: bool = False) -> str:
    """The settings of a clock for people: ``10 min + 5 s``, ``own times`` if the seats differ, ``none``."""
    parts = set(settings.split())
    if len(parts) == 1:
        control = parse_controls(settings, 1)[0]
        return control.short_text if short else control.display_text
    return text("own times") if parts else text("none")


def rotate_controls(settings: str) -> str:
    """The settings after each player has moved up one seat and has taken their own control along."""
    parts = settings.split()
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

    round_number: int
    controls: tuple[TimeControl, ...]
    seconds_left: tuple[float, ...]
    is_running: bool = False
    free_seconds: float = 0.0
    turn_seconds: float = 0.0
    warned_seats: tuple[int, ...] = ()
    notified_seats: tuple[int, ...] = ()

    def __str__(self) -> str:
        return " ".join(f"{left:.1f}".removesuffix(".0") for left in self.seconds_left)

    def after_seconds(self, seat: int, seconds: float) -> Self:
        """The clock after `seconds` of a seat's turn; free seconds are used up first."""
        charged = max(0.0, seconds - self.free_seconds)
        seconds_left = self.seconds_left[seat - 1] - charged
        seconds_left = seconds_left if seconds_left > TOLERANCE_SECONDS else 0.0
        return self._with_seconds_left(seat, seconds_left)._replace(
            free_seconds=max(0.0, self.free_seconds - seconds), turn_seconds=self.turn_seconds + seconds
        )

    def after_move(self, seat: int) -> Self:
        """The clock after a seat's move: the increment is added, unless the seat's time was up."""
        control, seconds_left = self.controls[seat - 1], self.seconds_left[seat - 1]
        added = control.extra_seconds if not control.is_delay and seconds_left > 0 else 0
        return self._with_seconds_left(seat, seconds_left + added)

    def after_takeback(self, seat: int) -> Self:
        """The clock after a takeback: the move's increment is removed, the time used is not given back."""
        control, seconds_left = self.controls[seat - 1], self.seconds_left[seat - 1]
        removed = control.extra_seconds if not control.is_delay and seconds_left > 0 else 0
        return self._with_seconds_left(seat, max(seconds_left - removed, min(seconds_left, MIN_SECONDS)))

    def at_turn_start(self, seat: int | None) -> Self:
        """The clock at the start of a seat's turn (None: nobody is to move), with its free seconds."""
        control = self.controls[seat - 1] if seat else TimeControl(0)
        return self._replace(free_seconds=float(control.extra_seconds if control.is_delay else 0), turn_seconds=0.0)

    def _with_seconds_left(self, seat: int, seconds: float) -> Self:
        return self._replace(seconds_left=(*self.seconds_left[: seat - 1], seconds, *self.seconds_left[seat:]))


def stopped_clock(round_number: int, settings: str, saved_text: str, seats: int) -> GameClock | None:
    """The stopped clock of a round that begins or is resumed; None if the round has no clock.

    `saved_text` is the text that was saved last for the times left, "" at the start.
    """
    controls = parse_controls(settings, seats)
    if not controls:
        return None
    saved_seconds = [float(part) for part in saved_text.split() if re.fullmatch(r"[0-9]{1,7}(\.[0-9]+)?", part)]
    times = (
        tuple(saved_seconds) if len(saved_seconds) == seats else tuple(float(each.base_seconds) for each in controls)
    )
    warned = tuple(seat for seat, each in enumerate(times, 1) if each <= WARNING_SECONDS)
    expired = tuple(seat for seat, each in enumerate(times, 1) if each <= 0)
    return GameClock(round_number, controls, times, warned_seats=warned, notified_seats=expired)

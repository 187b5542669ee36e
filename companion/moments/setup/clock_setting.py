"""Setting the game clock: minutes and seconds of each seat, by digits or by up and down."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.contents.kinds import KeyMeaning
from companion.languages import text
from companion.rounds.game_clock import MOST_EXTRA, MOST_MINUTES, Control, controls
from companion.session.screen_kinds import InputScreen

if TYPE_CHECKING:
    from companion.session.model import Session
    from companion.session.round_setup import Setup

USUAL = Control(600, 5)
KINDS = (text("each move adds"), text("each move is free"))
"""The two meanings that the seconds of a seat can have."""


class ClockSetting(InputScreen):
    """The game clock being set, for `done`: `values` are minutes and seconds of the first of `names`, of the next, ...

    The cursor is `on` a value, or after the last one on the meaning of the seconds (added or free); `keys` are typed
    digits, and the value `was` so before them.
    """

    names: tuple[str, ...]
    values: tuple[int, ...]
    done: Callable[[Session, str], Session]
    delay: bool = False
    on: int = 0
    keys: str = ""
    was: int = 0

    @property
    def erases(self) -> bool:
        """Whether digits were typed."""
        return bool(self.keys)

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """Left and right walk over the values, up, down and digits change one; OK takes them, BACK erases or leaves."""
        if key == "#":
            return self.done(session, self.control)
        if key == "*" and not self.keys:
            return session.close()
        return session.show(self._changed(key))

    @property
    def control(self) -> str:
        """The setting in the written form of a round's header (see `game_clock`)."""
        pairs = zip(self.values[::2], self.values[1::2], strict=True)
        each = [str(Control(minutes * 60, extra, self.delay)) for minutes, extra in pairs]
        return each[0] if len(set(each)) == 1 else " ".join(each)

    def _changed(self, key: str) -> ClockSetting:
        count = len(self.values) + 1
        if key in ("left", "right"):
            return self._replace(on=(self.on + (1 if key == "right" else -1)) % count, keys="")
        if self.on == count - 1:
            return self._replace(delay=not self.delay) if key in ("up", "down") else self
        if key in ("up", "down"):
            return self._with(self.values[self.on] + (1 if key == "up" else -1))
        keys = self.keys[:-1] if key == "*" else self.keys + key if key.isdigit() else self.keys
        if len(keys) > len(str(self._most)):
            return self
        was = self.was if self.keys else self.values[self.on]
        return self._with(int(keys) if keys else was, keys)._replace(was=was)

    @property
    def _most(self) -> int:
        return MOST_EXTRA if self.on % 2 else MOST_MINUTES

    def _with(self, value: int, keys: str = "") -> ClockSetting:
        """The setting with another value, limited to the possible range: minutes from 1, seconds from 0."""
        value = min(max(value, 1 - self.on % 2), self._most)
        return self._replace(values=(*self.values[: self.on], value, *self.values[self.on + 1 :]), keys=keys)

    def content(self, session: Session) -> kinds.Content:
        """The times of each player."""
        pairs = zip(self.values[::2], self.values[1::2], strict=True)
        rows = zip(self.names, [((minutes, text("min")), (extra, text("s"))) for minutes, extra in pairs], strict=True)
        meanings = [KeyMeaning("ok", text("done")), KeyMeaning("back", text("erase" if self.keys else "back"))]
        meanings += [
            KeyMeaning("up", text("change it")),
            KeyMeaning("down", text("change it")),
            KeyMeaning("left", text("next")),
        ]
        meanings += [KeyMeaning("right", text("next")), *([KeyMeaning("digits")] if self.on < len(self.values) else [])]
        return kinds.Form(text("Clock"), KINDS[self.delay], tuple(rows), self.on, tuple(meanings))


def open_setting(setup: Setup, done: Callable[[Session, str], Session]) -> ClockSetting:
    """What sets the game clock, with the times chosen so far, else the usual ones."""
    chosen = controls(setup.clock, setup.seats) or (USUAL,) * setup.seats
    values = [value for each in chosen for value in (max(1, each.base // 60), each.extra)]
    seats = tuple(text("seat {seat}", seat=seat) for seat in range(1, setup.seats + 1))
    names = setup.names if len(setup.names) == setup.seats else seats
    return ClockSetting(names, tuple(values), done, any(each.delay for each in chosen))

"""The settings of the box: what the menu "Settings" changes, and the code that locks it.

A setting counts at once, and is saved before its effect is shown (`companion.settings_file`). The host's phone picks
from the same menu.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from companion.evening.contents import kinds
from companion.evening.contents.kinds import KeyHint
from companion.evening.model import Session
from companion.evening.screen_kinds import InputScreen
from companion.evening.screens import box_checks, evening_start
from companion.evening.screens.lists import MenuItem, MenuScreen, TextPage
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

BRIGHTNESS_LEVELS = (1, 31, 95, 159, 207, 255)
"""The levels that are offered; the fifth is the default."""
IDLE_LABELS = {
    "off": text("When idle: off"), "dim": text("When idle: dim"), "on": text("When idle: on"),
}  # fmt: skip
"""What the panel does after some minutes without a key."""
VOICE_LABELS = {
    "off": text("Voice: off"), "table": text("Voice: table"), "everything": text("Voice: all"),
}  # fmt: skip
"""What the box says aloud."""
VOICE_EXPLANATIONS = {
    "off": text("nothing is spoken"), "table": text("moves and results"),
    "everything": text("to play without seeing"),
}  # fmt: skip
SPEEDS, LOUDNESS_LEVELS = (110, 140, 170, 220, 280), (40, 70, 100, 140, 200)
"""The speeds, in words a minute, and the loudness levels that are offered; the third is the default."""
CODE_DIGITS = 4


class SettingsMenu(MenuScreen):
    """The settings. OK changes one to its next value."""

    def leave(self, session: Session) -> Session:
        return session.close_screen()

    def items(self, session: Session) -> tuple[MenuItem, ...]:
        box = session.box
        level, next_level = _level_and_next(BRIGHTNESS_LEVELS, box.brightness)
        next_state = _next_of(IDLE_LABELS, box.idle)
        brightness = text("Brightness: {level}", level=level)
        return (
            MenuItem(brightness, _change(brightness=next_level)),
            MenuItem(
                text("Upside down: yes") if box.upside_down else text("Upside down: no"),
                _change(upside_down=not box.upside_down),
            ),
            MenuItem(
                text("Pixel shift: on") if box.shift else text("Pixel shift: off"),
                _change(shift=not box.shift),
                explanation=text("against burn-in"),
            ),
            MenuItem(IDLE_LABELS[box.idle], _change(idle=next_state)),
            MenuItem(text("Sound"), open_sound_settings),
            MenuItem(evening_start.language_label(session), evening_start.ask_language),
            MenuItem(text("Test the keys"), box_checks.open_key_test),
            MenuItem(text("Lock: on") if box.lock else text("Lock: off"), _change_lock),
            MenuItem(text("First start again"), evening_start.open_first_start),
        )


class SoundMenu(MenuScreen):
    """What is heard. OK changes an entry to its next value."""

    def leave(self, session: Session) -> Session:
        return session.close_screen()

    def items(self, session: Session) -> tuple[MenuItem, ...]:
        box = session.box
        speed, next_speed = _level_and_next(SPEEDS, box.speed)
        loudness, next_loudness = _level_and_next(LOUDNESS_LEVELS, box.loudness)
        return (
            MenuItem(
                VOICE_LABELS[box.voice],
                _change(voice=_next_of(VOICE_LABELS, box.voice)),
                explanation=VOICE_EXPLANATIONS[box.voice],
            ),
            MenuItem(text("Speed: {level}", level=speed), _change(speed=next_speed)),
            MenuItem(text("Loudness: {level}", level=loudness), _change(loudness=next_loudness)),
            MenuItem(
                text("Buzzer: off") if box.quiet else text("Buzzer: on"),
                _change(quiet=not box.quiet),
                unavailable_reason="" if session.settings.has_buzzer else text("There is no buzzer."),
            ),
        )


def open_sound_settings(session: Session) -> Session:
    """Open the settings of what is heard."""
    return session.open_screens(SoundMenu())


def _level_and_next(levels: Sequence[int], value: int) -> tuple[int, int]:
    """The number, from 1, of the highest level up to a value, and the level after it."""
    level = sum(each <= value for each in levels)
    return max(1, level), levels[level % len(levels)]


def _next_of(words: Iterable[str], word: str) -> str:
    """The word after another one; the first one after the last."""
    states = [*words]
    return states[(states.index(word) + 1) % len(states)]


def _change(**changed: Any) -> Callable[[Session], Session]:
    """The action that changes settings."""
    return partial(_with_settings, changed=changed)


def _with_settings(session: Session, changed: dict[str, Any]) -> Session:
    return session._replace(box=session.box._replace(**changed))


def open_settings(session: Session) -> Session:
    """Open the settings; if they are locked, their code is asked first."""
    return session.open_screens(LockCode(session.box.lock) if session.box.lock else SettingsMenu())


def _change_lock(session: Session) -> Session:
    """Remove the lock, or ask for a new code."""
    return _with_settings(session, {"lock": ""}) if session.box.lock else session.open_screens(LockCode())


class LockCode(InputScreen):
    """Four digits: the code that opens the settings, or a new one, which is asked for twice.

    Digits are typed; with buttons up and down choose one, and OK or right goes on.

    Attributes:
        wanted: the code that must be entered, "" for a new one.
        is_new: whether `wanted` is a new code that is entered once more.
        digits: the digits so far.
        picked: the digit that is being chosen, -1 for none.
    """

    wanted: str = ""
    is_new: bool = False
    digits: str = ""
    picked: int = -1

    @property
    def can_erase(self) -> bool:
        return bool(self.digits)

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "*" and not self.digits:
            return session.close_screen()
        if key == "*":
            return session.replace_screen(self._replace(digits=self.digits[:-1], picked=-1))
        if key in ("up", "down"):
            digit = (self.picked + (1 if key == "up" else -1 if self.picked >= 0 else 0)) % 10
            return session.replace_screen(self._replace(picked=digit))
        digit_key = key if key.isdigit() else str(self.picked) if key in ("#", "right") and self.picked >= 0 else ""
        digits = self.digits + digit_key
        if len(digits) < CODE_DIGITS:
            picked = -1 if key.isdigit() else self.picked
            return session.replace_screen(self._replace(digits=digits, picked=picked))
        session = session.close_screen()
        if not self.wanted:
            return session.open_screens(LockCode(digits, is_new=True))
        if digits != self.wanted:
            return session.open_screens(TextPage((text("Wrong code"), text("Nothing has changed."))))
        return _with_settings(session, {"lock": digits}) if self.is_new else session.open_screens(SettingsMenu())

    def take_text(self, session: Session, words: str) -> tuple[Session, str]:
        if not (words.isascii() and words.isdigit() and len(words) == CODE_DIGITS):
            return session, text("Enter a number.")
        return self._replace(digits=words[:-1]).press(session, words[-1]), ""

    def content(self, session: Session) -> kinds.Content:
        title = text("Enter it again") if self.is_new else text("Locked") if self.wanted else text("New code")
        shown = "*" * len(self.digits) + (str(self.picked) if self.picked >= 0 else "")
        hints = (
            *((KeyHint("ok", text("next")),) if self.picked >= 0 else ()),
            KeyHint("back", text("erase") if self.digits else text("back")),
            KeyHint("digits"), KeyHint("up", text("change")), KeyHint("down", text("change")),
        )  # fmt: skip
        note = text("{number} digits", number=CODE_DIGITS)
        return kinds.Amount(title, note, shown, self.picked < 0, "", hints)

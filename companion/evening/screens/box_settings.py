"""The settings of the box: what the menu "Settings" changes, and the code that locks it.

A setting counts at once, and is saved before its effect is shown (`companion.settings_file`). The host's phone picks
from the same menu.
"""

from __future__ import annotations

import math
from calendar import monthrange
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from companion.evening.contents import kinds
from companion.evening.contents.kinds import KeyHint
from companion.evening.model import Session
from companion.evening.screen_kinds import InputScreen
from companion.evening.screens import box_checks, first_start, network, stick
from companion.evening.screens.lists import MenuItem, MenuScreen, TextPage
from companion.evening.screens.name_screens import SpellingScreen
from companion.inputs import HelperRequest
from companion.languages import plural_text, text
from companion.rounds.player_names import invalid_name_reason, is_valid_name, normalize_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from companion.inputs import HelperAnswered, SettingRequest

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
CODE_DIGITS, CLOCK_DIGITS, DATE_DIGITS = 4, 10, 6
LOCKED_SECONDS, MAX_LOCKED_SECONDS = 5, 640
"""How long no code counts after the first wrong one, and at most."""
WRONG_TIME_TEXT = text("There is no such time.")


class SettingsMenu(MenuScreen):
    """The settings. OK changes one to its next value."""

    has_pages = True

    def leave(self, session: Session) -> Session:
        return session.close_screen()

    def items(self, session: Session) -> tuple[MenuItem, ...]:
        box = session.box
        level, next_level = _level_and_next(BRIGHTNESS_LEVELS, box.brightness)
        next_state = _next_of(IDLE_LABELS, box.idle)
        brightness = text("Brightness: {level}", level=level)
        return (
            MenuItem(brightness, _change(brightness=next_level), word="brightness"),
            MenuItem(
                text("Upside down: yes") if box.upside_down else text("Upside down: no"),
                _change(upside_down=not box.upside_down),
                word="upside-down",
            ),
            MenuItem(
                text("Pixel shift: on") if box.shift else text("Pixel shift: off"),
                _change(shift=not box.shift),
                explanation=text("against burn-in"),
                word="shift",
            ),
            MenuItem(IDLE_LABELS[box.idle], _change(idle=next_state), word="idle"),
            MenuItem(text("Sound"), open_sound_settings),
            MenuItem(first_start.language_label(session), first_start.ask_language),
            MenuItem(text("Test the keys"), box_checks.open_key_test),
            MenuItem(text("Lock: on") if box.lock else text("Lock: off"), _change_lock),
            MenuItem(text("First start again"), first_start.open_first_start),
            MenuItem(text("Set the clock"), ask_clock),
            MenuItem(text("Name of the box"), _ask_name, names=(box.name,) if box.name else ()),
            MenuItem(text("USB stick"), stick.open_stick_menu, is_listed=not session.settings.is_terminal),
            MenuItem(text("Network"), network.open_network, is_listed=session.settings.has_network),
            MenuItem(
                text("Big score: always") if session.switches.rests else text("Big score: when idle"),
                partial(Session.toggle_switch, which="rests"),
            ),
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
                word="voice",
            ),
            MenuItem(text("Speed: {level}", level=speed), _change(speed=next_speed), word="speed"),
            MenuItem(text("Loudness: {level}", level=loudness), _change(loudness=next_loudness), word="loudness"),
            MenuItem(
                text("Buzzer: off") if box.quiet else text("Buzzer: on"),
                _change(quiet=not box.quiet),
                unavailable_reason="" if session.settings.has_buzzer else text("There is no buzzer."),
                word="buzzer",
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


def _ask_name(session: Session) -> Session:
    return session.open_screens(SpellingScreen(text("Name of the box"), session.box.name, _set_name))


def _set_name(session: Session, name: str) -> Session:
    return _with_settings(session.close_screen(), {"name": name})


def _with_settings(session: Session, changed: dict[str, Any]) -> Session:
    return session._replace(box=session.box._replace(**changed))


def open_settings(session: Session) -> Session:
    """Open the settings; if they are locked, their code is asked first."""
    return session.open_screens(LockCode(is_locked=True) if session.box.lock else SettingsMenu())


def try_code(session: Session, code: str) -> tuple[Session, str]:
    """The session after a try to unlock the settings, and why that was refused; "" if they are open.

    After a wrong code none counts for some seconds, twice as many each time.
    """
    wait = math.ceil(session.locked_until - session.now - 0.001)
    if not session.box.lock or (wait <= 0 and code == session.box.lock):
        return session._replace(wrong_codes=0), ""
    if wait <= 0:
        wait = min(MAX_LOCKED_SECONDS, LOCKED_SECONDS << session.wrong_codes)
        session = session._replace(wrong_codes=session.wrong_codes + 1, locked_until=session.now + wait)
    return session, plural_text(wait, "Wrong code: wait {number} second.", "Wrong code: wait {number} seconds.")


def items_for_phone(session: Session) -> list[MenuItem]:
    """The settings that the host's phone can change, each to its next value."""
    return [item for menu in (SettingsMenu(), SoundMenu()) for item in menu.listed_items(session) if item.word]


def change_for_phone(session: Session, request: SettingRequest) -> tuple[Session, str]:
    """The session after a change from the host's phone, and why it was refused, "" if it was done."""
    session, refusal = try_code(session, request.code)
    if refusal:
        return session, refusal
    if request.setting == "name":
        name = normalize_name(request.text)
        valid = not name or is_valid_name(name)
        return (_with_settings(session, {"name": name}), "") if valid else (session, invalid_name_reason(name))
    if request.setting == "clock":
        digits = "".join(filter(str.isdigit, request.text))[2:]
        return _set_clock(session, digits) if len(digits) == CLOCK_DIGITS else (session, WRONG_TIME_TEXT)
    for item in items_for_phone(session):
        if item.word == request.setting:
            return item.action(session), ""
    return session, text("This is not possible here.")


def ask_clock(session: Session) -> Session:
    """Ask for date and time, for a box that no network tells them."""
    return session.open_screens(ClockInput())


def _set_clock(session: Session, digits: str) -> tuple[Session, str]:
    """Ask for the clock to be set to YYMMDDhhmm, and why it was refused, "" if it wasn't."""
    year, month, day, hour, minute = (int(digits[place : place + 2]) for place in range(0, CLOCK_DIGITS, 2))
    if not (1 <= month <= 12 and 1 <= day <= monthrange(2000 + year, month)[1] and hour < 24 and minute < 60):
        return session, WRONG_TIME_TEXT
    return session.send_request(HelperRequest("clock", (f"20{year:02}-{month:02}-{day:02} {hour:02}:{minute:02}",))), ""


def report_clock(session: Session, answered: HelperAnswered) -> Session:
    """Show in a banner what became of setting the clock."""
    is_set, (local_time,) = answered.lines[0] == "ok", answered.request.lines
    said = text("The clock is set:\n{time}", time=local_time)
    return session._replace(banner=said if is_set else text("Clock not set:\nit needs the service"))


def _change_lock(session: Session) -> Session:
    """Remove the lock, or ask for a new code."""
    return _with_settings(session, {"lock": ""}) if session.box.lock else session.open_screens(LockCode())


class DigitInput(InputScreen, kw_only=True):
    """Digits, as many as `count`.

    Digits are typed; with buttons up and down choose one, and OK or right goes on.

    Attributes:
        digits: the digits so far.
        picked: the digit that is being chosen, -1 for none.
    """

    digits: str = ""
    picked: int = -1

    count: ClassVar[int]

    def finish(self, session: Session, digits: str) -> Session:
        """The session after the last digit; the screen is closed already."""
        raise NotImplementedError

    def shown(self) -> tuple[str, str, str]:
        """The title, a note, and how the digits are shown."""
        raise NotImplementedError

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
        if len(digits) < self.count:
            picked = -1 if key.isdigit() else self.picked
            return session.replace_screen(self._replace(digits=digits, picked=picked))
        return self.finish(session.close_screen(), digits)

    def take_text(self, session: Session, words: str) -> tuple[Session, str]:
        if not (words.isascii() and words.isdigit() and len(words) == self.count):
            return session, text("Enter a number.")
        return self._replace(digits=words[:-1]).press(session, words[-1]), ""

    def content(self, session: Session) -> kinds.Content:
        title, note, shown = self.shown()
        hints = (
            *((KeyHint("ok", text("next")),) if self.picked >= 0 else ()),
            KeyHint("back", text("erase") if self.digits else text("back")),
            KeyHint("digits"), KeyHint("up", text("change")), KeyHint("down", text("change")),
        )  # fmt: skip
        return kinds.Amount(title, note, shown, self.picked < 0, "", hints)


class LockCode(DigitInput):
    """The code that opens the settings, or a new one, which is asked for twice.

    Attributes:
        is_locked: whether the code opens the settings.
        new_code: the new code, which is entered once more; "" before that.
    """

    is_locked: bool = False
    new_code: str = ""

    count = CODE_DIGITS

    def finish(self, session: Session, digits: str) -> Session:
        if self.is_locked:
            session, refusal = try_code(session, digits)
            return session.open_screens(TextPage((text("Locked"), refusal)) if refusal else SettingsMenu())
        if not self.new_code:
            return session.open_screens(LockCode(new_code=digits))
        if digits != self.new_code:
            return session.open_screens(TextPage((text("Wrong code"), text("Nothing has changed."))))
        return _with_settings(session, {"lock": digits})

    def shown(self) -> tuple[str, str, str]:
        title = text("Enter it again") if self.new_code else text("Locked") if self.is_locked else text("New code")
        picked = str(self.picked) if self.picked >= 0 else ""
        return title, text("{number} digits", number=CODE_DIGITS), "*" * len(self.digits) + picked


class ClockInput(DigitInput):
    """Date and time, for a box without a network: two digits each of the year, the month, the day, hour and minute."""

    count = CLOCK_DIGITS

    def finish(self, session: Session, digits: str) -> Session:
        session, refusal = _set_clock(session, digits)
        return session.open_screens(TextPage((text("Set the clock"), refusal))) if refusal else session

    def shown(self) -> tuple[str, str, str]:
        shown = "20{}{}-{}{}-{}{} {}{}:{}{}"
        for digit in self.digits + (str(self.picked) if self.picked >= 0 else ""):
            shown = shown.replace("{}", digit, 1)
        title = text("Year, month, day") if len(self.digits) < DATE_DIGITS else text("Hour, minute")
        return title, "", shown.partition("{}")[0]


ANSWER_SCREENS = {"clock": report_clock, "network": network.show_answer, "stick": stick.show_answer}
"""What shows the answer of each helper."""
REPAIRS = (
    ("keypad", first_start.open_keys), ("number pad", first_start.open_keys), ("buttons", first_start.open_keys),
    ("clock", ask_clock),
)  # fmt: skip
"""What the box can repair of what the doctor finds: the part, and what begins its repair."""

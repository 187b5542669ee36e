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
from companion.evening.screens import first_start, network, stick
from companion.evening.screens.lists import MenuItem, MenuScreen, TextPage
from companion.evening.screens.name_screens import SpellingScreen
from companion.inputs import HelperRequest
from companion.languages import plural_text, text
from companion.rounds.player_names import invalid_name_reason, is_valid_name, normalize_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.evening.session_values import BoxSettings
    from companion.inputs import HelperAnswered, SettingRequest

BRIGHTNESS_LEVELS = (1, 31, 95, 159, 207, 255)
"""The levels that are offered; the fifth is the default."""
CHOICES: dict[str, dict[Any, str]] = {
    "upside_down": {False: text("Upside down: no"), True: text("Upside down: yes")},
    "shift": {True: text("Pixel shift: on"), False: text("Pixel shift: off")},
    "idle": {"off": text("When idle: off"), "dim": text("When idle: dim"), "on": text("When idle: on")},
    "voice": {"off": text("Voice: off"), "everything": text("Voice: all"), "table": text("Voice: table")},
    "quiet": {False: text("Buzzer: on"), True: text("Buzzer: off")},
}
"""The values of settings that have a few, in their order, each with its label."""
IDLE_EXPLANATIONS = {
    "off": text("dark after 5 minutes"), "dim": text("dim after 1 minute"), "on": text("it stays on"),
}  # fmt: skip
VOICE_EXPLANATIONS = {
    "off": text("nothing is spoken"), "table": text("moves, but no menus"),
    "everything": text("to play without seeing"),
}  # fmt: skip
SPEEDS, LOUDNESS_LEVELS = (110, 140, 170, 220, 280), (40, 70, 100, 140, 200)
"""The speeds, in words a minute, and the loudness levels that are offered; the third is the default."""
CODE_DIGITS, CLOCK_DIGITS, DATE_DIGITS = 4, 10, 6
LOCKED_SECONDS, MAX_LOCKED_SECONDS = 5, 640
"""How long no code counts after the first wrong one, and at most."""
WRONG_TIME_TEXT = text("There is no such time.")


class SettingsMenu(MenuScreen):
    """The settings, no more than have a digit each."""

    def heading(self, session: Session) -> tuple[str, tuple[str, ...]]:
        return text("Settings"), ()

    def leave(self, session: Session) -> Session:
        return session.close_screen()

    def items(self, session: Session) -> tuple[MenuItem, ...]:
        box = session.box
        return (
            MenuItem(text("Panel"), lambda after: after.open_screens(PanelMenu())),
            MenuItem(text("Sound"), lambda after: after.open_screens(SoundMenu())),
            MenuItem(first_start.language_label(session), first_start.ask_language),
            MenuItem(text("Locked: yes") if box.lock else text("Locked: no"), _change_lock),
            MenuItem(text("Set the clock"), ask_clock),
            MenuItem(text("Name of the box"), _ask_name, names=(box.name,) if box.name else ()),
            MenuItem(text("USB stick"), stick.open_stick_menu, is_listed=not session.settings.is_terminal),
            MenuItem(text("Network"), network.open_network, is_listed=session.settings.has_network),
            MenuItem(text("First start again"), first_start.open_first_start),
        )


class ExplainedMenu(MenuScreen):
    """Settings whose entries are explained below the list. OK changes one to its next value; left lowers a level."""

    def key_hints(self, session: Session) -> tuple[KeyHint, ...]:
        return kinds.ok_and_back_hints("change", self.back_label)

    def leave(self, session: Session) -> Session:
        return session.close_screen()

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        lower = self.listed_items(session)[self.cursor].lower if key == "left" else None
        return super().press(session, key, held=held) if lower is None else lower(session)


class PanelMenu(ExplainedMenu):
    """The settings of the panel's picture."""

    def items(self, session: Session) -> tuple[MenuItem, ...]:
        box, rests = session.box, session.switches.rests
        return (
            _level(box, "brightness", BRIGHTNESS_LEVELS, lambda level: text("Brightness: {level}", level=level)),
            _choice(box, "upside_down", "upside-down", explanation=text("turns the picture round")),
            _choice(box, "idle", explanation=IDLE_EXPLANATIONS[box.idle]),
            MenuItem(
                text("Big score: always") if rests else text("Big score: when idle"),
                partial(Session.toggle_switch, which="rests"),
                explanation=text("after each move") if rests else text("10 seconds after a key"),
            ),
            _choice(box, "shift", explanation=text("against burn-in")),
        )


class SoundMenu(ExplainedMenu):
    """The settings of the voice and the buzzer."""

    def items(self, session: Session) -> tuple[MenuItem, ...]:
        box = session.box
        return (
            _choice(box, "voice", explanation=VOICE_EXPLANATIONS[box.voice]),
            _level(box, "speed", SPEEDS, lambda level: text("Speed: {level}", level=level)),
            _level(box, "loudness", LOUDNESS_LEVELS, lambda level: text("Loudness: {level}", level=level)),
            _choice(box, "quiet", "buzzer", explanation=text("short signals"), is_listed=session.settings.has_buzzer),
        )


def _level(box: BoxSettings, field: str, levels: Sequence[int], label: Callable[[int], str]) -> MenuItem:
    """The entry of a setting with levels, labelled by the number, from 1, of the highest one up to its value.

    OK raises it, and the highest one is followed by 1, which the explanation says before.
    """
    number = sum(each <= getattr(box, field) for each in levels)
    change, lower = (_change(**{field: levels[at]}) for at in (number % len(levels), max(0, number - 2)))
    following = text("then {level}; ◂ lowers it", level=number % len(levels) + 1)
    return MenuItem(label(max(1, number)), change, explanation=following, word=field, lower=lower)


def _choice(box: BoxSettings, field: str, word: str = "", **shown: Any) -> MenuItem:
    """The entry of a setting with `CHOICES`, which takes its next value, the first one after the last."""
    values, value = [*CHOICES[field]], getattr(box, field)
    next_value = values[(values.index(value) + 1) % len(values)]
    return MenuItem(CHOICES[field][value], _change(**{field: next_value}), word=word or field, **shown)


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
    return [item for menu in (PanelMenu(), SoundMenu()) for item in menu.listed_items(session) if item.word]


def change_for_phone(session: Session, request: SettingRequest) -> tuple[Session, str]:
    """The session after a change from the host's phone, and why it was refused, "" if it was done."""
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

"""Decides whether a press counts. What it then does is up to the topmost screen.

A press doesn't count, in this order: a letter where no name is typed; one that only lights a dark panel; one within
`WAKE_PAUSE_SECONDS` after that; any while the program ends; an automatic repeat of BACK where nothing is erased; the
second tap of a double tap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.evening import double_taps
from companion.evening.model import Session
from companion.evening.screen_kinds import InputScreen
from companion.evening.screens import box_checks, first_start
from companion.evening.screens.box_checks import DISK_DEVICE
from companion.evening.screens.evening_start import Splash
from companion.evening.screens.pad import pad_play
from companion.evening.screens.play import table_menu
from companion.evening.screens.play.playing import PlayScreen
from companion.inputs import BUTTON_KEYS, DOCTOR_KEY, KEYPAD_KEYS, TAKE_BACK_KEY

if TYPE_CHECKING:
    from companion.inputs import KeyPressed

WAKE_PAUSE_SECONDS = 1.0
"""Seconds after a press that only lit a dark panel in which no other press counts."""


def take_press(session: Session, press: KeyPressed) -> Session:
    """The session after a press; on a dark panel it only lights the panel."""
    key = {"ok": "#", "back": "*"}.get(press.key, press.key)
    light_before = session.light
    taps = session.taps._replace(pressed_at=session.now, wait_until=0.0)
    session = session._replace(
        taps=taps, light="on", uses_buttons=_uses_buttons(session, press), key_device=press.device
    )
    if len(key) == 1 and key not in KEYPAD_KEYS and session.screen.letter_keys != "text":
        return session  # Letters of a keyboard are only keys where a name is typed.
    if light_before == "off":
        return session._replace(taps=taps._replace(ignored_until=session.now + WAKE_PAUSE_SECONDS))
    if session.now < taps.ignored_until:
        return double_taps.show_wait(session, taps.ignored_until)
    if session.is_stopping:
        return session
    if press.pin >= 0 and (not press.key or isinstance(session.screen, first_start.FirstKeys)):
        return first_start.take_pin(session, press.pin, press.key)
    session = _drop_unsaved_move(session, key)._replace(banner="")
    if key == "*" and press.held and not (isinstance(session.screen, InputScreen) and session.screen.can_erase):
        return session
    if double_taps.is_double_tap(session, key, press.at):
        return double_taps.ignore_early_press(session)
    session = session._replace(taps=session.taps._replace(last_key=key))
    if isinstance(session.screen, Splash) and press.key in ("ok", DOCTOR_KEY):
        return session.screen.press_ok_or_doctor_key(session, press.key)
    return _handle_key(session, key, held=press.held)


def _drop_unsaved_move(session: Session, key: str) -> Session:
    """Drop the unsaved move in the draft, if the banner reports it and this key is the first of a new move.

    The draft stays until then, so that OK plays it and BACK corrects it. But the same digits typed behind it would be
    another move.
    """
    shows_unsaved_move = (
        isinstance(session.screen, PlayScreen)
        and session.screen.typed_keys
        and session.banner
        and DISK_DEVICE in session.missing_devices
    )
    return session.replace_screen(PlayScreen()) if shows_unsaved_move and key not in ("#", "*") else session


def _uses_buttons(session: Session, press: KeyPressed) -> bool:
    """Whether key hints name buttons after this key. Enter and Backspace of a keyboard change nothing."""
    if press.key == TAKE_BACK_KEY or ((session.settings.is_terminal or press.device) and press.key in ("#", "*")):
        return session.uses_buttons
    return press.pin >= 0 or press.key in (*BUTTON_KEYS, DOCTOR_KEY)


def _handle_key(session: Session, key: str, *, held: bool) -> Session:
    if key == TAKE_BACK_KEY:
        takes_back = session.screen.can_take_back
        if session.pad is not None if takes_back is None else takes_back:
            if session.pad is not None:
                return pad_play.drop_points_or_ask_takeback(session)
            return table_menu.ask_takeback(session)
        key = "*"  # Where nothing can be taken back, a long press counts as a short one.
    return box_checks.open_doctor(session) if key == DOCTOR_KEY else session.press_key(key, held=held)

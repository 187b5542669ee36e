"""Dispatches key presses: whether a press counts, and which part of the session handles it."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from companion.inputs import BUTTONS, KEYPAD
from companion.session import (
    asks,
    dealing,
    doctor,
    guard,
    help_pages,
    hints,
    history_pages,
    main_menu_keys,
    mending_keys,
    menu_keys,
    names,
    offers,
    pads,
    phones,
    playing,
    resuming,
    setup,
    table_menu,
    walking,
)
from companion.session.actions import Action
from companion.session.model import (
    Ask,
    ClockSetting,
    Dealing,
    Doctor,
    Figure,
    Goodbye,
    Hint,
    Letting,
    LookAway,
    MatchScore,
    Mending,
    Menu,
    Notice,
    Offered,
    PadOver,
    PadSheet,
    Page,
    PageKind,
    Peek,
    Phones,
    Playing,
    Refusing,
    Resume,
    RoundOver,
    Scoring,
    Seats,
    Session,
    Spelling,
    Splash,
    Walk,
)
from companion.session.spelling import LETTERS, LONGEST_NAME

if TYPE_CHECKING:
    from companion.inputs import Pressed
    from companion.session.model import Mode

WAKE_PAUSE = 1.0
"""After a press that only lit a dark panel, the pause in seconds until presses count again."""
TAKE_BACK = "take-back"
"""The key that stands for a long press of BACK."""


def pressed(session: Session, press: Pressed) -> Session:
    """The session after a press; on a dark panel the press only lights it."""
    key = {"ok": "#", "back": "*"}.get(press.key, press.key)
    pause_before = session.clock - session.pressed
    was_on = session.light
    session = session._replace(
        pressed=session.clock,
        light="on",
        wait_until=0.0,
        buttons=_by_buttons(session, press.key),
    )
    if key in LETTERS and key not in KEYPAD and not isinstance(session.mode, Spelling):
        return session  # Only names have letters.
    if was_on == "off":
        return session._replace(ignore_until_pause=True)
    if session.ignore_until_pause:
        if pause_before < WAKE_PAUSE:
            return guard.waiting(session, session.clock + WAKE_PAUSE)
        session = session._replace(ignore_until_pause=False)
    if session.stopping:
        return session
    session = session._replace(banner="")
    if key == "*" and press.held and not _can_erase(session.mode):
        return session
    if guard.ignores(session, key, press.at):
        return guard.guarded(session)
    session = session._replace(key=key)
    if isinstance(session.mode, Splash) and press.key == "ok" and not session.mode.ok:
        # A button: the title waits for its release, for held it asks for the doctor.
        return session._replace(mode=Splash(session.clock + doctor.HOLD_SECONDS, ok=True))
    return count(session, key, held=press.held)


def _can_erase(mode: Mode) -> bool:
    """Whether BACK may repeat while it is held: there is an entry that it erases step by step."""
    match mode:
        case Dealing():
            return bool(mode.pieces or mode.keys)
        case Spelling():
            return bool(mode.text)
        case Figure() | ClockSetting():
            return bool(mode.keys)
    return False


def _by_buttons(session: Session, key: str) -> bool:
    """Whether legends name buttons after this key; Enter and Backspace of a keyboard leave them as they are."""
    if key == TAKE_BACK or (session.settings.terminal and key in ("#", "*")):
        return session.buttons
    return key in (*BUTTONS, doctor.KEY)


def count(session: Session, key: str, *, held: bool = False) -> Session:
    """The session after a key that counts, by the moment that it is in; `held` for an automatic repeat."""
    key = menu_keys.arrow(session.mode, key, session.settings.terminal)
    if key == TAKE_BACK:
        if _takes_back(session):
            return pads.ask_back(session) if session.pad is not None else asks.ask_take_back(session)
        key = "*"  # Nothing can be taken back: a long press counts as a short one.
    if key == doctor.KEY:
        opened = resuming.opening(session) if isinstance(session.mode, Splash) else session
        return opened if isinstance(opened.mode, Doctor) else doctor.opened(opened)
    return _by_mode(session, key, held)


def _takes_back(session: Session) -> bool:
    """Whether a long press of BACK asks for the take-back."""
    mode = session.mode
    if session.pad is not None:
        return not isinstance(mode, Doctor | Phones | Letting)
    return isinstance(mode, Playing | RoundOver) or (isinstance(mode, Menu) and mode.kind == "table")


def _by_mode(session: Session, key: str, held: bool) -> Session:
    mode = session.mode
    match mode:
        case Splash():
            return _splash(session, mode, key)
        case Resume():
            return resuming.press_resume(session, mode, key)
        case Menu():
            return _menu(session, mode, key)
        case Seats():
            return setup.press_seats(session, mode, key)
        case Spelling():
            return _spelling(session, mode, key)
        case Figure():
            return setup.press_figure(session, mode, key)
        case ClockSetting():
            return setup.press_clock_setting(session, mode, key)
        case Doctor():
            return doctor.press(session, mode, key)
        case Phones():
            return phones.press(session, mode, key)
        case Letting():
            return phones.press_letting(session, mode, key)
        case Offered():
            return offers.press(session, mode, key)
        case Page():
            return _page(session, mode, key)
        case PadSheet():
            return pads.press_sheet(session, mode, key)
        case Walk():
            return walking.press(session, mode, key)
        case Goodbye():
            return session
        case Peek():
            return table_menu.press_peek(session, key)
        case Mending():
            return mending_keys.press(session, mode, key)
        case Hint():
            return _or_beneath(hints.press(session, mode, key), asks.to_table(session), key)
        case _:
            return _at_table(session, mode, key, held)


def _at_table(
    session: Session,
    mode: Dealing | Playing | Refusing | Notice | Ask | LookAway | RoundOver | MatchScore | Scoring | PadOver,
    key: str,
    held: bool,
) -> Session:
    """A key where a round or score pad is on the table."""
    match mode:
        case Dealing():
            return dealing.press(session, mode, key)
        case Playing():
            return playing.press(session, mode, key)
        case Refusing():
            fresh = Playing() if isinstance(mode.back, Playing) else mode.back
            return _or_beneath(playing.press_refusing(session, mode, key), session._replace(mode=fresh), key)
        case Notice():
            return _or_beneath(playing.press_notice(session, mode, key), session._replace(mode=mode.then), key)
        case Ask():
            return _ask(session, mode, key)
        case LookAway():
            return table_menu.press_look_away(session, mode, key)
        case RoundOver():
            return playing.press_round_over(session, mode, key)
        case MatchScore():
            return playing.press_match(session, mode, key)
        case Scoring():
            return pads.press_scoring(session, mode, key, held=held)
        case PadOver():
            return pads.press_over(session, mode, key)
        case _:
            assert_never(mode)


def _or_beneath(after: Session | None, beneath: Session, key: str) -> Session:
    """`after`; where it is None, the key has ended what covered the session `beneath`, and counts there."""
    return after if after is not None else count(beneath, key)


def _ask(session: Session, mode: Ask, key: str) -> Session:
    if mode.does is Action.NAMES:
        return names.press_ask(session, mode, key)
    return pads.press_ask(session, mode, key) if session.pad is not None else asks.press_ask(session, mode, key)


def _spelling(session: Session, mode: Spelling, key: str) -> Session:
    """A key of a name that is spelled: BACK held on until nothing is left does not leave, a letter too many is told."""
    if key == "*" and not mode.text and session.clock - session.erased < guard.ERASE_SECONDS:
        return guard.waiting(session, session.erased + guard.ERASE_SECONDS)
    after = names.press_spelling(session, mode, key) if mode.name else setup.press_spelling(session, mode, key)
    if isinstance(after.mode, Spelling) and len(after.mode.text) < len(mode.text):
        return after._replace(erased=session.clock)
    full = len(mode.text) >= LONGEST_NAME and after.mode == mode and key != "#"
    return after._replace(banner=f"{LONGEST_NAME} letters at most") if full else after


def _splash(session: Session, mode: Splash, key: str) -> Session:
    """A press ends the title and counts; 0 opens the doctor."""
    opened = resuming.opening(session)
    if key == "0":
        return doctor.opened(opened)
    return count(count(opened, "#") if mode.ok else opened, key)


def _menu(session: Session, menu: Menu, key: str) -> Session:
    if menu.setup is not None:
        return setup.press_question(session, menu, menu.setup, key)
    match menu.kind:
        case "table" | "whose":
            return table_menu.press_menu(session, menu, key)
        case "pad":
            return pads.press_menu(session, menu, key)
        case "names" | "name of" | "same as":
            return names.press(session, menu, key)
        case "main" | "more" | "history" | "help":
            return main_menu_keys.press(session, menu, key)
        case "option" | "seats" | "match" | "holding" | "name" | "pad title" | "how many" | "wins" | "ends" | "clock":
            return session  # Questions have a setup.
        case _:
            assert_never(menu.kind)


def _page(session: Session, page: Page, key: str) -> Session:
    if page.kind is PageKind.HELP:
        return help_pages.press(session, page, key)
    if (after := history_pages.press(session, page, key)) is not None:
        return after
    return pads.press_page(session, page, key) if session.pad is not None else table_menu.press_page(session, page, key)

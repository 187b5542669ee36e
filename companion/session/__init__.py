"""The evening as a pure state machine: `start` opens it, `update` is the whole of what inputs do to it.

Nothing here reads a clock or a device: inputs carry their time, and what is to be kept waits in `unsaved` until the
loop has put it on disk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion import games
from companion.game import Refused
from companion.inputs import (
    BUTTONS,
    KEYPAD,
    BoxExamined,
    CodeIssued,
    DeviceBack,
    DeviceLost,
    Input,
    PagesServed,
    PhoneRequest,
    Pressed,
    QueryResult,
    Released,
    Stop,
    Tick,
)
from companion.session import (
    clock,
    dealing,
    doctor,
    guard,
    history_pages,
    menu_keys,
    pads,
    phones,
    playing,
    setup,
    table_menu,
)
from companion.session.guard import shown
from companion.session.model import (
    Ask,
    Dealing,
    Doctor,
    Figure,
    Goodbye,
    Letting,
    LookAway,
    MatchScore,
    Menu,
    Notice,
    Page,
    Peek,
    Phones,
    Playing,
    Refusing,
    Resume,
    RoundOver,
    Scoring,
    Seats,
    Session,
    Settings,
    Spelling,
    Splash,
    StoredHistory,
)
from companion.session.spelling import LETTERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.session.model import Mode

SPLASH_SECONDS = 2.0
DIM_SECONDS = 60.0
SLEEP_SECONDS = 300.0
NUDGE_SECONDS = 20.0
SHIFT_SECONDS = 120.0
WAKE_PAUSE = 1.0
TAKE_BACK = "take-back"
"""The extra key of a long press of BACK."""

__all__ = ["Session", "Settings", "StoredHistory", "due", "saved", "shown", "start", "update"]


def start(settings: Settings, past: StoredHistory, now: float = 0.0) -> Session:
    """The first moment of the evening; an unfinished round is offered before anything else."""
    session = Session(
        Splash(now + SPLASH_SECONDS), past, settings, clock=now, pressed=now, buttons=not settings.keypad,
        timing=settings.timing, hints=past.hints,
    )  # fmt: skip
    kept = past.unfinished or past.between
    if kept is not None:
        try:
            return session._replace(mode=setup.left(kept))
        except (
            Refused,
            ValueError,
        ) as no:  # Rules were corrected since: the round stays in the store, and play goes on.
            opened = setup.opening(session)
            if isinstance(no, games.UnknownGame):
                return opened._replace(banner=f"Round {kept.id} is kept:\nno game {kept.about.game}")
            why = no.why if isinstance(no, Refused) else str(no)
            why = f"round {kept.id} no longer replays ({why}); it is kept"
            return opened._replace(banner=why)
    return session if settings.about is None else setup.opening(session)


def update(session: Session, event: Input) -> Session:
    """The session after one input. Never raises; an input that means nothing changes nothing but the clock.

    A round in which a game of another package fails is set aside, kept as it was before the input.
    """
    try:
        after = guard.watched(session, _updated(session, event))
        if games.is_added(_game(after)):
            due(after)  # It asks the game too.
        return after
    except Exception as error:
        game = _game(session)
        if not games.is_added(game):
            raise
        kept = session._replace(clock=max(session.clock, event.at), sounds=())
        if session.round is not None:
            kept = setup.set_aside(kept, session.round)
        return setup.main_menu(kept)._replace(banner=games.failure(game, error))


def _game(session: Session) -> str:
    """The game on the table, or the one that is being set up; "" for none."""
    if session.round is not None:
        return session.round.about.game
    asking = session.mode.setup if isinstance(session.mode, Menu | Seats) else None
    return asking.game if asking is not None else ""


def _updated(session: Session, event: Input) -> Session:
    now = max(session.clock, event.at)
    if clock.runs(session):
        session = session._replace(thinking_seconds=session.thinking_seconds + now - session.clock)
    session = session._replace(clock=now, sounds=())
    match event:
        case Pressed():
            return _shifted(session, _pressed(session, event))
        case Released():
            if isinstance(session.mode, Peek) and event.key == "ok":
                return table_menu.end_peek(session)
            if isinstance(session.mode, Splash) and session.mode.ok and event.key == "ok":
                return _key(setup.opening(session), "#")
            return session
        case DeviceLost():
            return _lost(session, event)
        case DeviceBack():
            missing_devices = tuple(device for device in session.missing_devices if device != event.device)
            banner = "" if event.device in session.missing_devices else session.banner
            return session._replace(missing_devices=missing_devices, banner=banner)
        case Tick():
            return _shifted(session, _ticked(session))
        case Stop():
            return pads.settled(session)._replace(mode=Goodbye(), stopping=True, light="on")
        case BoxExamined():
            return doctor.told(session, event)
        case QueryResult():
            return history_pages.told(session, event)
        case PagesServed():
            return phones.served(session, event)
        case CodeIssued():
            return phones.coded(session, event)
        case PhoneRequest():
            return _shifted(session, phones.asked(session, event))


def _shifted(before: Session, after: Session) -> Session:
    """With the shift of the time, where most of the picture changes anyway or nobody looks at it."""
    another = type(before.mode) is not type(after.mode) or before.round is not after.round
    if another or after.light != before.light == "on":
        return after._replace(shift=(int(after.clock // SHIFT_SECONDS) % 3) - 1)
    return after


def due(session: Session) -> float | None:
    """The next monotonic moment at which the session changes by itself; None when it waits for a press."""
    moments = []
    if isinstance(session.mode, Splash | Peek):
        moments.append(session.mode.until)
    if isinstance(session.mode, Scoring) and (entered := pads.due(session)) is not None:
        moments.append(entered)
    moments += [moment for moment in (clock.due(session), phones.due(session)) if moment is not None]
    if session.wait_until:
        moments.append(session.wait_until)
    if session.light == "on":
        moments.append(session.pressed + DIM_SECONDS)
        if _could_be_nudged(session):
            moments.append(session.pressed + NUDGE_SECONDS)
    if session.light == "dim":
        moments.append(session.pressed + SLEEP_SECONDS)
    return min(moments, default=None)


def saved(session: Session) -> Session:
    """The session with everything in the store, and what it wanted asked for."""
    return session._replace(unsaved=(), requests=(), answers=())


# -- presses ----------------------------------------------------------------------------------------------------


def _pressed(session: Session, press: Pressed) -> Session:
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
    return pads.press(session, key, held=press.held) if session.pad is not None else _key(session, key)


def _can_erase(mode: Mode) -> bool:
    """Whether BACK may repeat while it is held: something is entered that it takes off step by step."""
    match mode:
        case Dealing():
            return bool(mode.pieces or mode.keys)
        case Spelling():
            return bool(mode.text)
        case Figure():
            return bool(mode.keys)
    return False


def _by_buttons(session: Session, key: str) -> bool:
    """Whether legends are those of buttons after a key: that of a keyboard's Enter and Backspace goes for both."""
    if key == TAKE_BACK or (session.settings.terminal and key in ("#", "*")):
        return session.buttons
    return key in (*BUTTONS, doctor.WHAT)


def _key(session: Session, key: str) -> Session:
    mode = session.mode
    key = menu_keys.arrow(mode, key, session.settings.terminal)
    if key == TAKE_BACK:
        if isinstance(mode, Playing | RoundOver) or (isinstance(mode, Menu) and mode.kind == "table"):
            return table_menu.ask_take_back(session)
        key = "*"  # Nothing can be taken back here: the long press counts as a short one.
    if key == doctor.WHAT:
        opened = setup.opening(session) if isinstance(mode, Splash) else session
        return opened if isinstance(mode, Doctor) else doctor.opened(opened)
    if isinstance(mode, Splash):
        if key == "0":
            return doctor.opened(setup.opening(session))
        opened = setup.opening(session)
        return _key(_key(opened, "#") if mode.ok else opened, key)
    if isinstance(mode, Menu):
        at_table = mode.kind in ("table", "whose")
        return table_menu.press_menu(session, mode, key) if at_table else setup.press_menu(session, mode, key)
    if isinstance(mode, Refusing):
        after = playing.press_refusing(session, mode, key)
        if after is not None:
            return after
        fresh = Playing() if isinstance(mode.back, Playing) else mode.back
        return _key(session._replace(mode=fresh), key)
    if isinstance(mode, Notice):
        after = playing.press_notice(session, mode, key)
        return after if after is not None else _key(session._replace(mode=mode.then), key)
    if isinstance(mode, Page) and (after := history_pages.press(session, mode, key)) is not None:
        return after
    handler = _HANDLERS.get(type(mode))
    return handler(session, mode, key) if handler else session


_HANDLERS: dict[type, Callable[[Session, Any, str], Session]] = {
    Resume: setup.press_resume,
    Seats: setup.press_seats,
    Spelling: setup.press_spelling,
    Figure: setup.press_figure,
    Dealing: dealing.press,
    Playing: playing.press,
    Ask: table_menu.press_ask,
    LookAway: table_menu.press_look_away,
    Page: table_menu.press_page,
    Doctor: doctor.press,
    Phones: phones.press,
    Letting: phones.press_letting,
    RoundOver: playing.press_round_over,
    MatchScore: playing.press_match,
}


# -- what happens by itself -------------------------------------------------------------------------------------

_GONE = {
    "keypad": "Keypad unplugged",
    "buttons": "Buttons are away",
    "panel": "Panel is away",
    "lamps": "Lamps are away",
}


def _lost(session: Session, lost: DeviceLost) -> Session:
    """A banner: what fits the panel of a device's reason, and how it goes on; or a reason in two lines as it is."""
    if lost.device in _GONE:
        missing_devices = (*(device for device in session.missing_devices if device != lost.device), lost.device)
        if isinstance(session.mode, Peek):
            session = table_menu.end_peek(session)
        session = session._replace(missing_devices=missing_devices)
    if lost.device not in _GONE or "\n" in lost.why:
        return session._replace(banner=lost.why)
    words = lost.why.partition(":")[0] or _GONE[lost.device]
    rest = "the table goes on"
    if lost.device == "keypad":
        rest = "buttons still work" if session.settings.buttons else "plug it in again"
    elif lost.device == "buttons":
        rest = "keypad still works" if session.settings.keypad else "companion doctor"
    return session._replace(banner=f"{words[:1].upper()}{words[1:]}\n{rest}")


def _ticked(session: Session) -> Session:
    mode, now = session.mode, session.clock
    if session.wait_until and now >= session.wait_until:
        session = session._replace(wait_until=0.0)
    if isinstance(mode, Splash) and now >= mode.until:
        session = setup.opening(session)
        if mode.ok:
            session = doctor.opened(session)
    elif isinstance(mode, Peek) and now >= mode.until:
        session = table_menu.end_peek(session)
    elif isinstance(mode, Scoring) and (entered := pads.due(session)) is not None and now >= entered:
        session = pads.settled(session)
    session = phones.renewed(session)
    if now >= session.pressed + NUDGE_SECONDS and _could_be_nudged(session):
        session = session._replace(mode=Playing(nudge=True))
    if now >= session.pressed + SLEEP_SECONDS:  # The very sum that `due` told, so that a tick at it is not too early.
        return session._replace(light="off")
    return session._replace(light="dim") if now >= session.pressed + DIM_SECONDS and session.light == "on" else session


def _could_be_nudged(session: Session) -> bool:
    round_ = session.round
    return session.mode == Playing() and round_ is not None and bool(round_.entry.cannot(round_.state))

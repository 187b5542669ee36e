"""The evening as a pure state machine: `start` makes the first session, `update` the next one from each input.

Nothing here reads a clock or a device: inputs have their time, and entries to be stored are in `unsaved` until the loop
has put them on disk.
"""

from __future__ import annotations

from companion import games
from companion.game import Refused
from companion.inputs import (
    BoxExamined,
    BoxMove,
    CodeIssued,
    DeviceBack,
    DeviceLost,
    Hinted,
    Input,
    LookedBack,
    NameRequest,
    OfferMade,
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
    countdown,
    devices,
    doctor,
    guard,
    hints,
    history_pages,
    host_requests,
    looking_back,
    mending_pages,
    offers,
    opponent,
    pads,
    phone_requests,
    phones,
    presses,
    resuming,
    rounds,
    table_menu,
)
from companion.session.guard import shown
from companion.session.main_menu import main_menu
from companion.session.model import (
    Goodbye,
    Menu,
    Peek,
    Playing,
    Scoring,
    Seats,
    Session,
    Settings,
    Splash,
    StoredHistory,
)
from companion.session.presses import TAKE_BACK

SPLASH_SECONDS = 2.0
DIM_SECONDS = 60.0
SLEEP_SECONDS = 300.0
ARROWS_SECONDS = 5.0
"""In seconds: after this time without a key, the panel says what the arrow buttons do."""
NUDGE_SECONDS = 20.0
SHIFT_SECONDS = 120.0

__all__ = ["TAKE_BACK", "Session", "Settings", "StoredHistory", "due", "saved", "shown", "start", "update"]


def start(settings: Settings, past: StoredHistory, now: float = 0.0) -> Session:
    """The first session; an unfinished round is offered before anything else."""
    session = Session(
        Splash(now + SPLASH_SECONDS), past, settings, clock=now, pressed=now, buttons=not settings.keypad,
        timing=settings.timing, hints=past.hints, dealer=past.dealer,
    )  # fmt: skip
    kept = past.unfinished or past.between
    if kept is not None:
        try:
            return session._replace(mode=resuming.question(kept))
        except (
            Refused,
            ValueError,
        ) as no:  # Rules were corrected since: the round stays in the store, and play goes on.
            opened = resuming.opening(session)
            if isinstance(no, games.UnknownGame):
                return opened._replace(banner=f"Round {kept.id} is kept:\nno game {kept.header.game}")
            why = no.why if isinstance(no, Refused) else str(no)
            why = f"round {kept.id} no longer replays ({why}); it is kept"
            return opened._replace(banner=why)
    return session if settings.requested is None else opponent.watched(resuming.opening(session))


def update(session: Session, event: Input) -> Session:
    """The session after one input. Never raises; an input without meaning only changes the time.

    A round in which a game of another package fails is set aside, kept as it was before the input.
    """
    try:
        after = opponent.watched(countdown.watched(countdown.fitted(_updated(session, event))))
        after = offers.watched(after)
        after = guard.watched(session, after)
        if games.is_added(_game(after)):
            due(after)  # It asks the game too.
        return after
    except Exception as error:
        game = _game(session)
        if not games.is_added(game):
            raise
        kept = session._replace(clock=max(session.clock, event.at), sounds=())
        if session.round is not None:
            kept = rounds.set_aside(kept, session.round)
        return main_menu(kept)._replace(banner=games.failure(game, error))


def _game(session: Session) -> str:
    """The game on the table, or the one that is being set up; "" for none."""
    if session.round is not None:
        return session.round.header.game
    asking = session.mode.setup if isinstance(session.mode, Menu | Seats) else None
    return asking.game if asking is not None else ""


def _updated(session: Session, event: Input) -> Session:
    session = _later(session, max(session.clock, event.at))
    match event:
        case Pressed():
            return _shifted(session, presses.pressed(session, event))
        case Released():
            return _released(session, event.key)
        case DeviceLost():
            return devices.lost(session, event)
        case DeviceBack():
            return devices.back(session, event)
        case Tick():
            return _shifted(session, _ticked(session))
        case Stop():
            return pads.settled(session)._replace(mode=Goodbye(), stopping=True, light="on")
        case BoxExamined():
            return doctor.on_result(session, event)
        case QueryResult(NameRequest() as request):
            return host_requests.renamed(session, event, request)
        case QueryResult():
            return history_pages.on_result(session, event)
        case LookedBack():
            return looking_back.on_result(session, event)
        case Hinted():
            return hints.on_result(session, event)
        case BoxMove():
            return opponent.on_result(session, event)
        case PagesServed():
            return phones.served(session, event)
        case CodeIssued():
            return phones.coded(session, event)
        case OfferMade():
            return _shifted(session, offers.received(session, event))
        case PhoneRequest():
            return _shifted(session, phone_requests.asked(session, event))


def _later(session: Session, now: float) -> Session:
    """The session at a later time: thinking and the game clock have gone on, and its sounds were heard."""
    seconds = now - session.clock
    if clock.runs(session):
        session = session._replace(thinking_seconds=session.thinking_seconds + seconds)
    return countdown.passed(session, seconds)._replace(clock=now, sounds=())


def _released(session: Session, key: str) -> Session:
    """The session after a button was let go: OK covers the pieces that it showed, or has only ended the title."""
    if isinstance(session.mode, Peek) and key == "ok":
        return table_menu.end_peek(session)
    if isinstance(session.mode, Splash) and session.mode.ok and key == "ok":
        return presses.count(resuming.opening(session), "#")
    return session


def _shifted(before: Session, after: Session) -> Session:
    """The session with the burn-in shift of its time, which changes only with most of the picture or with the light."""
    another = type(before.mode) is not type(after.mode) or before.round is not after.round
    if another or after.light != before.light == "on":
        return after._replace(shift=(int(after.clock // SHIFT_SECONDS) % 3) - 1)
    return after


def due(session: Session) -> float | None:
    """The next monotonic time at which the session changes by itself; None while it waits for an input."""
    moments = []
    if isinstance(session.mode, Splash | Peek):
        moments.append(session.mode.until)
    if isinstance(session.mode, Scoring) and (entered := pads.due(session)) is not None:
        moments.append(entered)
    watches = (clock.due, countdown.due, phones.due, mending_pages.due, guard.due)
    moments += [moment for watch in watches if (moment := watch(session)) is not None]
    if session.wait_until:
        moments.append(session.wait_until)
    if session.light == "on":
        moments.append(session.pressed + DIM_SECONDS)
        if _could_tell_arrows(session):
            moments.append(session.pressed + ARROWS_SECONDS)
        if _could_be_nudged(session):
            moments.append(session.pressed + NUDGE_SECONDS)
    if session.light == "dim":
        moments.append(session.pressed + SLEEP_SECONDS)
    return min(moments, default=None)


def saved(session: Session) -> Session:
    """The session after its entries were stored and its requests and answers sent."""
    return session._replace(unsaved=(), requests=(), answers=())


# -- what happens by itself -------------------------------------------------------------------------------------


def _ticked(session: Session) -> Session:
    mode, now = session.mode, session.clock
    if session.wait_until and now >= session.wait_until:
        session = session._replace(wait_until=0.0)
    if isinstance(mode, Splash) and now >= mode.until:
        session = resuming.opening(session)
        if mode.ok:
            session = doctor.opened(session)
    elif isinstance(mode, Peek) and now >= mode.until:
        session = table_menu.end_peek(session)
    elif isinstance(mode, Scoring) and (entered := pads.due(session)) is not None and now >= entered:
        session = pads.paused(session)
    session = mending_pages.ticked(phones.renewed(session))
    if now >= session.pressed + ARROWS_SECONDS and _could_tell_arrows(session):
        session = session._replace(mode=Playing(arrows=True))
    if now >= session.pressed + NUDGE_SECONDS and _could_be_nudged(session):
        session = session._replace(mode=Playing(nudge=True))
    if now >= session.pressed + SLEEP_SECONDS:  # The very sum that `due` told, so that a tick at it is not too early.
        return session._replace(light="off")
    return session._replace(light="dim") if now >= session.pressed + DIM_SECONDS and session.light == "on" else session


def _could_be_nudged(session: Session) -> bool:
    round_ = session.round
    at_rest = session.mode in (Playing(), Playing(arrows=True)) and session.box_move is None
    return at_rest and round_ is not None and bool(round_.entry.cannot(round_.state))


def _could_tell_arrows(session: Session) -> bool:
    """Whether somebody with six buttons has entered nothing; neither the clock nor a forced draw loses its line."""
    round_ = session.round
    if (
        not session.buttons
        or session.timing
        or session.game_clock is not None
        or session.box_move is not None
        or session.light != "on"
        or session.mode != Playing()
        or round_ is None
    ):
        return False
    if any(seat == round_.turn for seat, _ in round_.events):
        return False  # Who has moved knows the arrows, and the line of the last move stays.
    told = round_.entry.arrows(round_.game.view(round_.state, None))
    return bool(told) and round_.turn is not None and not round_.entry.forced(round_.state)

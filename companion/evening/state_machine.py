"""The evening as a state machine: `start_session` makes the first session, `update_session` each next one.

Nothing here reads a clock, a device or a file. Each input brings its time, and entries for the store wait in the
outbox until the loop has put them on disk::

    update_session(session, input)
        _advance_time           thinking time and the game clock go on
        _take_input             the topmost screen, or the module for this input, makes the next session
        open_due_screens        placeholders become screens
        with_clock_of_round ... what follows from any change: a clock, a warning, a computer's move, an offer
"""

from __future__ import annotations

from companion import games
from companion.evening import countdown, double_taps, rest_view, thinking_time
from companion.evening.double_taps import mark_shown
from companion.evening.model import Session
from companion.evening.screens import box_checks, box_settings, evening_start, first_start, pages, presses
from companion.evening.screens.base_screen import open_due_screens
from companion.evening.screens.evening_start import Splash
from companion.evening.screens.messages import Goodbye
from companion.evening.screens.pad import pad_play
from companion.evening.screens.phones import pairing, requests
from companion.evening.screens.play import computer_moves, round_actions
from companion.evening.screens.private import hints
from companion.evening.screens.setup import offers
from companion.evening.session_values import Outbox, Switches, Taps
from companion.games.api import RefusedError
from companion.inputs import (
    BoxExamined,
    CodeIssued,
    ComputerMove,
    DeviceMissing,
    DeviceReturned,
    HelperAnswered,
    HintProgress,
    Input,
    KeyPressed,
    KeyReleased,
    NameChangeRequest,
    PagesServed,
    PairingOffered,
    PhoneRequest,
    QueryResult,
    Request,
    ReviewProgress,
    SettingFound,
    StopRequested,
    StoredRoundChangeRequest,
    StoredRoundRequest,
    Tick,
)
from companion.languages import text
from companion.rounds.stored import SessionSettings, StoredHistory

SPLASH_SECONDS = 2.0
DIM_SECONDS = 60.0
SLEEP_SECONDS = 300.0
PIXEL_SHIFT_SECONDS = 120.0

__all__ = ["clear_outbox", "mark_shown", "next_change_time", "start_session", "update_session"]


def start_session(settings: SessionSettings, stored_history: StoredHistory, now: float = 0.0) -> Session:
    """The first session. An unfinished round is offered before anything else."""
    timing = settings.measures_thinking if stored_history.timing is None else stored_history.timing
    session = Session(
        (Splash(now + SPLASH_SECONDS),), stored_history, settings, now=now, taps=Taps(pressed_at=now),
        uses_buttons=not settings.has_keypad, rest_view_at=now + rest_view.IDLE_SECONDS,
        switches=Switches(stored_history.hints, stored_history.dealer, timing, stored_history.rests),
        language=stored_history.language or settings.language or "en",
    )  # fmt: skip
    unfinished_round = stored_history.unfinished_round or stored_history.open_match_round
    if unfinished_round is not None:
        try:
            return session.replace_screen(evening_start.resume_screen(unfinished_round))
        except games.UnknownGameError:  # The round stays in the store, and the evening starts without it.
            reason = text("no game {game}", game=unfinished_round.header.game)
        except RefusedError:
            reason = text("its rules changed")
        except ValueError:
            reason = text("it cannot be read")
        banner = text("Round {number} on hold:\n{why}", number=unfinished_round.id, why=reason)
        return open_due_screens(evening_start.start_evening(session))._replace(banner=banner)
    if settings.requested_round is None:
        return session
    # The round gets its clock at once, because the first key may be the OK that starts it.
    return computer_moves.request_computer_move(
        countdown.with_clock_of_round(open_due_screens(evening_start.start_evening(session)))
    )


def update_session(session: Session, input_: Input) -> Session:
    """The next session after one input. An input that means nothing here only changes the time.

    If the game of another package raises an exception, its round is set aside as it was before the input, and a banner
    reports that. An exception from a game of this program is a bug, and is raised.
    """
    try:
        after = computer_moves.request_computer_move(
            round_actions.warn_about_time(countdown.with_clock_of_round(open_due_screens(_take_input(session, input_))))
        )
        after = offers.report_withdrawn_offer(offers.ask_to_begin_pairing(after))
        after = rest_view.schedule_rest_view(session, double_taps.mark_new_screen_unshown(session, after), input_)
        if games.is_added_game(after.game_id):
            next_change_time(after)  # `next_change_time` calls the game as well, so its failures are caught here.
        return after
    except Exception as error:
        banner = games.failure_text(session.game_id, error)
        session_before = session._replace(now=max(session.now, input_.at)).without_sounds()
        if session.round is not None:
            session_before = round_actions.save_as_unfinished(session_before, session.round)
        return open_due_screens(session_before.clear_table())._replace(banner=banner)


def _take_input(session: Session, input_: Input) -> Session:
    session = _advance_time(session, max(session.now, input_.at))
    match input_:
        case KeyPressed():
            return _shift_picture(session, presses.take_press(session, input_))
        case KeyReleased():
            return session.screen.release(session, input_.key)
        case DeviceMissing():
            return box_checks.note_missing_device(session, input_)
        case DeviceReturned():
            return box_checks.note_returned_device(session, input_)
        case SettingFound():
            return first_start.use_found_setting(session, input_)
        case Tick():
            return _shift_picture(session, _apply_timeouts(session))
        case StopRequested():
            return pad_play.enter_pending_points(session).open_screens(Goodbye())._replace(is_stopping=True, light="on")
        case BoxExamined():
            return box_checks.show_findings(session, input_, box_settings.REPAIRS)
        case HelperAnswered():
            return box_settings.ANSWER_SCREENS[input_.request.helper](session, input_)
        case QueryResult(NameChangeRequest() as request):
            return requests.finish_name_change(session, input_, request)
        case QueryResult(Request.HISTORY | StoredRoundRequest() | StoredRoundChangeRequest()):
            from companion.evening.screens import history  # Imported late, because it is rarely needed.

            return history.show_store_answer(session, input_)
        case QueryResult():
            return pages.show_arrived_standings(session, input_)
        case ReviewProgress():
            return pages.show_review_progress(session, input_)
        case HintProgress():
            return hints.apply_hint_progress(session, input_)
        case ComputerMove():
            return computer_moves.take_computer_move(session, input_)
        case PagesServed():
            return pairing.take_page_addresses(session, input_)
        case CodeIssued():
            return pairing.set_pairing_code(session, input_)
        case PairingOffered():
            return _shift_picture(session, offers.receive_pairing_offer(session, input_))
        case PhoneRequest():
            return _shift_picture(session, requests.handle_phone_request(session, input_))


def _advance_time(session: Session, now: float) -> Session:
    """The session at a later time: thinking time and the game clock have gone on, and the sounds were played."""
    seconds = now - session.now
    if thinking_time.is_running(session):
        session = session._replace(thinking_seconds=session.thinking_seconds + seconds)
    return countdown.charge_time(session, seconds)._replace(now=now).without_sounds()


def _shift_picture(before: Session, after: Session) -> Session:
    """Change the shift against burn-in, but only when most of the picture or the light changes anyway."""
    after = open_due_screens(after)
    is_other_screen = type(before.screen) is not type(after.screen) or before.round is not after.round
    if is_other_screen or after.light != before.light == "on":
        shift = (int(after.now // PIXEL_SHIFT_SECONDS) % 3) - 1
        return after._replace(pixel_shift=shift if after.box.shift else 0)
    return after


def next_change_time(session: Session) -> float | None:
    """The next monotonic time at which the session changes by itself; None while it waits for an input."""
    times = []
    if (screen_change_time := session.screen.next_change_time(session)) is not None:
        times.append(screen_change_time)
    sources = (thinking_time.next_change_time, countdown.next_change_time, rest_view.next_change_time)
    times += [at for watch in sources if (at := watch(session)) is not None]
    if session.taps.wait_until:
        times.append(session.taps.wait_until)
    if session.light == "on" and session.box.idle != "on":
        times.append(session.taps.pressed_at + DIM_SECONDS)
    if session.light == "dim" and session.box.idle == "off":
        times.append(session.taps.pressed_at + SLEEP_SECONDS)
    return min(times, default=None)


def clear_outbox(session: Session) -> Session:
    """Empty the outbox, after the loop has saved the entries and sent the requests and replies."""
    return session._replace(outbox=Outbox(sounds=session.outbox.sounds))


# -- what happens by itself -------------------------------------------------------------------------------------


def _apply_timeouts(session: Session) -> Session:
    screen, now, taps = session.screen, session.now, session.taps
    if taps.wait_until and now >= taps.wait_until:
        session = session._replace(taps=taps._replace(wait_until=0.0))
    if (change_time := screen.next_change_time(session)) is not None and now >= change_time:
        session = screen.tick(session)
    pressed = session.taps.pressed_at
    # The same sum as in `next_change_time`, so that a tick at that time is not too early.
    if session.box.idle == "on":
        return session
    if now >= pressed + SLEEP_SECONDS and session.box.idle == "off":
        return session._replace(light="off")
    return session._replace(light="dim") if now >= pressed + DIM_SECONDS and session.light == "on" else session

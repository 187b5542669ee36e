"""The game clock at the table: whose time runs, when to warn, what the panel shows, and what is saved.

`companion.rounds.game_clock` counts the time of each seat. This module decides when it runs:

- It starts with the first move, or with OK.
- It runs while a move or a refill is due, also while a menu is open or the panel is dark.
- It stops when the players pause it, and a resumed round starts with a stopped clock.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from companion.evening.model import Session
from companion.evening.screen_kinds import topmost_empty_move_screen
from companion.evening.thinking_time import DIMMED_STEP_SECONDS, format_time
from companion.languages import text
from companion.rounds.game_clock import TOLERANCE_SECONDS, WARNING_SECONDS, stopped_clock
from companion.rounds.stored import LogEntry

if TYPE_CHECKING:
    from companion.rounds.game_clock import GameClock
    from companion.rounds.on_table import Round

LAST_MOVE_SHOWN_SECONDS = 2.0
"""Seconds from the start of a turn in which the last line shows the last move; then the times replace it."""
WARNING_SHOWN_SECONDS = 4.0
"""Seconds for which the panel shows that a player's time is nearly up."""
ROUNDING_TOLERANCE_SECONDS = 0.01
"""A fraction of a second up to this many seconds is not rounded up to a whole second."""


def with_clock_of_round(session: Session) -> Session:
    """The session with the clock that belongs to its round: none, the one it has, or a new stopped one."""
    round_, clock = session.round, session.game_clock
    if round_ is None or not round_.header.clock:
        return session if clock is None else session._replace(game_clock=None)
    if clock is not None and clock.round_number == round_.id:
        return session
    clock = stopped_clock(round_.id, round_.header.clock, round_.clock_left, len(round_.header.names))
    return session._replace(game_clock=clock.at_turn_start(round_.turn) if clock is not None else None)


def running_seat(session: Session) -> int:
    """The seat whose time runs, 0 for none.

    A computer player's time never runs, because the players have to make its moves.
    """
    round_, clock = session.round, session.game_clock
    if (
        round_ is None
        or clock is None
        or not clock.is_running
        or clock.round_number != round_.id
        or session.computer_move is not None
    ):
        return 0
    return round_.turn or 0


def charge_time(session: Session, seconds: float) -> Session:
    """Take `seconds` from the seat whose time runs."""
    running = running_seat(session)
    if not running or session.game_clock is None:
        return session
    return session._replace(game_clock=session.game_clock.after_seconds(running, seconds))


def clock_after_event(clock: GameClock | None, before: Round, after: Round) -> GameClock | None:
    """The clock after an event, which also starts a clock that stood still."""
    if clock is None:
        return None
    mover = before.turn
    if mover is None or not _ends_turn(before, after):
        return clock._replace(is_running=True)
    return clock.after_move(mover).at_turn_start(after.turn)._replace(is_running=True)


def clock_after_takeback(clock: GameClock | None, before: Round, after: Round) -> GameClock | None:
    """The clock after the last event of `after` was taken back, so that the round is `before` again."""
    if clock is None:
        return None
    mover = before.turn
    if mover is not None and len(after.events) > len(before.events) and _ends_turn(before, after):
        clock = clock.after_takeback(mover)
    return clock.at_turn_start(before.turn)


def _ends_turn(before: Round, after: Round) -> bool:
    return after.turn != before.turn or bool(after.game.skipped_seats(after.state))


def start_or_stop_clock(session: Session) -> Session:
    """Stop the clock or start it. At a stop the times left are saved, if the round is saved already."""
    clock, round_ = session.game_clock, session.round
    if clock is None or round_ is None:
        return session
    session = session._replace(game_clock=clock._replace(is_running=not clock.is_running))
    if not clock.is_running or round_.is_empty:
        return session
    log_entry = LogEntry(round_.id, "pause", clock=str(clock))
    return session._replace(round=round_._replace(clock_left=str(clock))).save_entries(log_entry)


def is_game_clock_stopped(session: Session) -> bool:
    """Whether the round on the table has a game clock that is stopped while a move is due."""
    round_, clock = session.round, session.game_clock
    return clock is not None and not clock.is_running and round_ is not None and round_.turn is not None


# -- warnings, and times on the panel ---------------------------------------------------------------------------


def next_change_time(session: Session) -> float | None:
    """The monotonic time at which the panel has to change next; None if no time runs.

    It is that of a warning, of a new second in the times shown, or of the end of a player's time.
    """
    running, clock = running_seat(session), session.game_clock
    if not running or clock is None:
        return None
    left = clock.seconds_left[running - 1]
    waiting_times = []
    if running not in clock.notified_seats and (left > 0 or session.screen.is_interruptible):
        waiting_times.append(left)
    if running not in clock.warned_seats and left > WARNING_SECONDS + TOLERANCE_SECONDS:
        waiting_times.append(left - WARNING_SECONDS)
    if shows_time_warning(session):
        waiting_times.append(left - WARNING_SECONDS + WARNING_SHOWN_SECONDS)
    due_at = [session.now + clock.free_seconds + wait for wait in waiting_times]
    if left > 0 and topmost_empty_move_screen(session) is not None and session.light != "off":
        due_at.append(_display_change_time(session, clock, left))
    # A sum of floats may end slightly too early, so the wait has a minimum.
    return max(min(due_at), session.now + ROUNDING_TOLERANCE_SECONDS / 2) if due_at else None


def warning_text(session: Session) -> str:
    """The banner which says that the time of the seat to move is nearly up."""
    name = session.current_round.player_name(running_seat(session))
    return text("{who}:\n{seconds} seconds left", who=name, seconds=f"{WARNING_SECONDS:.0f}")


def shows_time_warning(session: Session) -> bool:
    """Whether the panel says that a player's time is nearly up."""
    return bool(session.banner) and running_seat(session) > 0 and session.banner == warning_text(session)


def _display_change_time(session: Session, clock: GameClock, left: float) -> float:
    """The monotonic time at which the displayed time changes."""
    if _shows_last_move(session, clock):
        return session.now + LAST_MOVE_SHOWN_SECONDS - clock.turn_seconds
    step = 1.0 if session.light == "on" else DIMMED_STEP_SECONDS
    wait = left - step * (math.ceil((left - ROUNDING_TOLERANCE_SECONDS) / step) - 1)
    return session.now + clock.free_seconds + wait


def _shows_last_move(session: Session, clock: GameClock) -> bool:
    """Whether the line where the times belong still shows the last move."""
    played = session.round is not None and bool(session.round.events)
    return played and clock.turn_seconds < LAST_MOVE_SHOWN_SECONDS - ROUNDING_TOLERANCE_SECONDS


def displayed_times(session: Session) -> tuple[str, ...]:
    """The times left, as the panel shows them; () while it shows none.

    With two seats both times are shown, with more only that of the seat to move.
    """
    clock, round_ = session.game_clock, session.round
    if clock is None or round_ is None or round_.turn is None:
        return ()
    if clock.is_running and _shows_last_move(session, clock):
        return ()
    left = clock.seconds_left if len(clock.seconds_left) == 2 else (clock.seconds_left[round_.turn - 1],)
    return tuple(map(format_time_left, left))


def format_time_left(left: float) -> str:
    """A time left in seconds as ``12:40``, rounded up, so that ``0:00`` means that the time is up."""
    return format_time(math.ceil(left - ROUNDING_TOLERANCE_SECONDS) if left > 0 else 0)

"""The clock of thinking times: how long the player to move has thought, and in the whole round.

It counts while a move is due, but not in menus or while the panel is dark. It is off by default,
because the table has to wake up once a second while it runs, or once in ten seconds when the panel is dimmed.
"""

from __future__ import annotations

from companion.evening.model import Session
from companion.evening.screen_kinds import is_player_thinking, topmost_empty_move_screen
from companion.languages import text

SHOWN_AFTER_SECONDS = 4.0
"""Seconds from the start of a turn after which the clock and the last move take turns in the last line."""
DIMMED_STEP_SECONDS = 10.0
"""Seconds between two changes of a displayed time while the panel is dimmed."""
SHORTEST_WAIT_SECONDS = 0.005
"""Seconds to wait at least for the next change, since sums of floats may end slightly too early."""


def toggle_thinking_clock(session: Session) -> Session:
    """Switch the clock on or off. The thinking time so far is not counted."""
    return session.toggle_switch("timing")._replace(thinking_seconds=0.0)


def is_running(session: Session) -> bool:
    """Whether thinking time runs: a move or a refill is due, and the panel is not dark."""
    round_ = session.round
    if not session.switches.timing or session.light == "off" or round_ is None or round_.turn is None:
        return False
    return is_player_thinking(session)


def next_change_time(session: Session) -> float | None:
    """The monotonic time at which the displayed times change; None if they aren't shown."""
    if not is_running(session) or topmost_empty_move_screen(session) is None:
        return None
    step = 1.0 if session.light == "on" else DIMMED_STEP_SECONDS
    wait = SHOWN_AFTER_SECONDS - session.thinking_seconds
    # A sum of floats may end slightly before the second that is shown next, so the wait has a minimum.
    return session.now + max(wait if wait > 0 else step - session.thinking_seconds % step, SHORTEST_WAIT_SECONDS)


def line_times(session: Session) -> tuple[str, ...]:
    """The times of `displayed_times` while the last line shows them; () while it shows the last move."""
    return displayed_times(session) if session.thinking_seconds // SHOWN_AFTER_SECONDS % 2 else ()


def displayed_times(session: Session) -> tuple[str, ...]:
    """The times of this move and of the whole round for the player to move; () in the first seconds."""
    round_ = session.round
    if (
        round_ is None
        or round_.turn is None
        or not is_running(session)
        or session.thinking_seconds < SHOWN_AFTER_SECONDS
    ):
        return ()
    return format_time(session.thinking_seconds), format_time(
        round_.thinking_seconds[round_.turn - 1] + session.thinking_seconds
    )


def clock_line(session: Session) -> str:
    """Both times in a line such as ``0:07, sum 12:40``; "" while they aren't shown."""
    clock_times = displayed_times(session)
    return text("{turn}, sum {round}", turn=clock_times[0], round=clock_times[1]) if clock_times else ""


def format_time(seconds: float) -> str:
    """Seconds as minutes and seconds, from one hour on with hours: ``0:07``, ``12:40``, ``1:02:03``."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"

"""What is told of the game clock: that a time is nearly up, and that it is up."""

from __future__ import annotations

from companion.languages import text
from companion.moments.notice import Notice
from companion.rounds.game_clock import INSTANT, WARNING
from companion.session.countdown import WARNED_SECONDS, seat, warned, warning
from companion.session.model import Session


def warn_of_time(session: Session) -> Session:
    """Warn a seat of its time, or tell that it is up, if that is due."""
    running, clock = seat(session), session.game_clock
    if not running or clock is None or session.round is None or session.stopping:
        return session
    name, left = session.round.name(running), clock.left[running - 1]
    if left <= 0 and running not in clock.notified and session.screen.interruptible:
        told = Notice("alert", name, (text("has no time left."),), text("The players decide"))
        clock = clock._replace(notified=(*clock.notified, running), warned=(*clock.warned, running))
        return _lit(session).open(told)._replace(game_clock=clock, banner="").sound("flag")
    if 0 < left <= WARNING + INSTANT and running not in clock.warned:
        clock = clock._replace(warned=(*clock.warned, running))
        return _lit(session)._replace(banner=warning(session), game_clock=clock).sound("warning")
    if warned(session) and left <= WARNING - WARNED_SECONDS + INSTANT:
        return session._replace(banner="")
    return session


def _lit(session: Session) -> Session:
    """A dark panel lights up as if a key had been pressed."""
    return session.wake() if session.light != "on" else session

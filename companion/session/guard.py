"""Double taps: right after its picture was handed to the panel a result takes no key, and a notice no OK.

The players are told: until `Session.wait_until` the panel says ``wait…``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.session import countdown
from companion.session.actions import Action
from companion.session.model import (
    Ask,
    Letting,
    MatchScore,
    Notice,
    Offered,
    PadOver,
    Page,
    PageKind,
    Phones,
    Playing,
    Refusing,
    RoundOver,
    Scoring,
    Session,
)

if TYPE_CHECKING:
    from companion.session.model import Mode

GUARD_SECONDS = 0.7
"""In seconds: how long after its picture was sent a result ignores keys, and a notice OK."""
PAUSE_SECONDS = 2.0
"""The same for something that appeared while points were entered, since OK may be meant for them."""
ERASE_SECONDS = 0.6
"""How long after a BACK that erased something another BACK does not open the menu."""
LEAST_SECONDS = 0.3
"""The shortest time for which ``wait…`` is shown."""


def watched(before: Session, after: Session) -> Session:
    """The session after an input; a new mode counts as not yet shown, so that a double tap cannot skip it."""
    return after if after.mode is before.mode else after._replace(shown=None)


def shown(session: Session, at: float) -> Session:
    """The session after its picture was sent to the panel at the monotonic time `at`."""
    if session.shown is not None:
        return session
    waits = session.wait_until and max(session.wait_until, at + _seconds(session.mode))
    return session._replace(shown=at, wait_until=waits)


def ignores(session: Session, key: str, at: float) -> bool:
    """Whether a key pressed at the time `at` may be the second tap of the press that led to this mode."""
    if session.shown is not None and at >= session.shown + _seconds(session.mode):
        return False
    mode = session.mode
    if isinstance(mode, RoundOver | MatchScore | PadOver):
        return True
    if isinstance(mode, Letting | Offered) or (isinstance(mode, Ask) and (mode.unbidden or mode.by_pause)):
        return True  # It is asked in the middle of anything: nobody agrees by a key meant for the game.
    if isinstance(mode, Notice | Refusing | Phones) or (isinstance(mode, Page) and mode.kind is PageKind.CLAIMS):
        return key == "#"
    if isinstance(mode, Scoring) and mode.points is None:
        return key == "#" == session.key  # One OK counts for one player.
    if isinstance(mode, Playing) and session.box_move is not None:
        return key == "#"  # Nobody confirms a move that was not there to be seen.
    if mode == Playing() and countdown.stands(session):
        return key == "#" == session.key  # The OK that begins a round does not start its clock.
    if isinstance(mode, Ask):
        return key == "#" == session.key and (mode.does is not Action.TAKE_BACK or _over(session))
    return False


def due(session: Session) -> float | None:
    """When OK starts to count in a refusal or notice and its picture changes; None if it does, or in other modes."""
    shown = session.shown
    if shown is None or not isinstance(session.mode, Notice | Refusing) or session.clock >= shown + GUARD_SECONDS:
        return None
    return shown + GUARD_SECONDS


def takes_any_key(session: Session) -> bool:
    """Whether a refusal or notice takes any key, OK included, since its picture has been shown for long enough."""
    return session.shown is not None and session.clock >= session.shown + GUARD_SECONDS


def waiting(session: Session, until: float) -> Session:
    """The session that shows, until the given second, that a press was ignored."""
    return session._replace(wait_until=max(until, session.clock + LEAST_SECONDS))


def guarded(session: Session) -> Session:
    """The session after a press that came too soon for a result or notice."""
    return waiting(session, (session.clock if session.shown is None else session.shown) + _seconds(session.mode))


def _seconds(mode: Mode) -> float:
    """How long after its picture was sent a mode ignores keys."""
    return PAUSE_SECONDS if isinstance(mode, Ask | PadOver) and mode.by_pause else GUARD_SECONDS


def _over(session: Session) -> bool:
    """Whether the round or score pad on the table has its result."""
    if session.pad is not None:
        return session.pad.over
    return session.round is not None and session.round.over

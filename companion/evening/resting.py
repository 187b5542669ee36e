"""The rest view: who is to move and the score, to be read from a metre away, while nobody presses a key.

It stands in place of a move that is due and not begun. The first key brings the table back, and counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.evening.model import Session
from companion.evening.screen_kinds import move_at_rest
from companion.inputs import Pressed

if TYPE_CHECKING:
    from companion.inputs import Input

IDLE_SECONDS = 10.0
"""In seconds: after this time without a key it is shown."""


def put_off_rest(before: Session, after: Session, event: Input) -> Session:
    """The session after an input, with the time from which the rest view may be shown.

    A key puts it off. Where the players want it always, it follows every move at once.
    """
    if isinstance(event, Pressed):
        after = after._replace(rests_at=after.clock + IDLE_SECONDS)
    moved = any(
        new is not None and new is not old for new, old in ((after.round, before.round), (after.pad, before.pad))
    )
    return after._replace(rests_at=after.clock) if after.switches.rests and moved else after


def shows(session: Session) -> bool:
    """Whether it is shown now."""
    return session.clock >= session.rests_at and _may(session)


def due(session: Session) -> float | None:
    """When it will be shown; None if it is shown already, or may not be."""
    if session.light != "on" or session.clock >= session.rests_at or not _may(session):
        return None
    return session.rests_at


def _may(session: Session) -> bool:
    """Whether only the table is covered: no entry, no question, no banner, no move of the box, no draw that is due."""
    round_ = session.round
    if move_at_rest(session) is None or session.banner or session.box_move is not None:
        return False
    if round_ is None:
        return session.pad is not None and not session.pad.empty  # Before, what to type is worth more.
    return round_.turn is not None and not round_.entry.forced(round_.known)

"""The rest view: who is to move and the score, large enough to be read from a metre away.

It appears when nobody has pressed a key for a while, in place of a move whose draft is empty. The first key brings the
table back, and counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.evening.model import Session
from companion.evening.screen_kinds import topmost_empty_move_screen
from companion.inputs import KeyPressed

if TYPE_CHECKING:
    from companion.inputs import Input

IDLE_SECONDS = 10.0
"""Seconds without a key after which the rest view appears."""


def schedule_rest_view(before: Session, after: Session, input_: Input) -> Session:
    """The session with the time from which the rest view may appear, after `input_` led from `before` to `after`.

    A key puts it off. With the switch `rests` it appears right after every move.
    """
    if isinstance(input_, KeyPressed):
        after = after._replace(rest_view_at=after.now + IDLE_SECONDS)
    has_moved = any(
        new is not None and new is not old for new, old in ((after.round, before.round), (after.pad, before.pad))
    )
    return after._replace(rest_view_at=after.now) if after.switches.rests and has_moved else after


def is_rest_view_shown(session: Session) -> bool:
    """Whether the panel shows the rest view now."""
    return session.now >= session.rest_view_at and _can_show_rest_view(session)


def next_change_time(session: Session) -> float | None:
    """The monotonic time at which the rest view will appear; None if it is shown already, or may not be."""
    if session.light != "on" or session.now >= session.rest_view_at or not _can_show_rest_view(session):
        return None
    return session.rest_view_at


def _can_show_rest_view(session: Session) -> bool:
    """Whether the rest view would cover the table alone: no draft, question, banner, start page, computer's move or
    forced draw.
    """
    round_ = session.round
    screen = topmost_empty_move_screen(session)
    if screen is None or not screen.can_rest or session.banner or session.computer_move is not None:
        return False
    if round_ is None:
        # On an empty pad the help on what to type is more useful.
        return session.pad is not None and not session.pad.is_empty
    return round_.turn is not None and not round_.move_input.must_draw(round_.known_state)

"""Protects players from their own double taps.

A result takes no key, and a message no OK, for a moment after the panel has shown it: a key that arrives so early was
meant for the picture before. The players are not left guessing: until `Taps.wait_until` the panel says ``wait…``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.evening.model import DOUBLE_TAP_GUARD_SECONDS

if TYPE_CHECKING:
    from companion.evening.model import Session

ERASE_GUARD_SECONDS = 0.6
"""Seconds after a BACK that erased something in which another BACK doesn't open the menu."""
SHORTEST_WAIT_SHOWN_SECONDS = 0.3
"""Seconds for which ``wait…`` is shown at least."""


def mark_new_screen_unshown(before: Session, after: Session) -> Session:
    """Mark a new screen as not yet on the panel, so that a double tap can't skip it."""
    return after if after.screen is before.screen else after._replace(taps=after.taps._replace(shown_at=None))


def mark_shown(session: Session, at: float) -> Session:
    """Remember that the picture went to the panel at the monotonic time `at`."""
    taps = session.taps
    if taps.shown_at is not None:
        return session
    waits = taps.wait_until and max(taps.wait_until, at + DOUBLE_TAP_GUARD_SECONDS)
    return session._replace(taps=taps._replace(shown_at=at, wait_until=waits))


def is_double_tap(session: Session, key: str, at: float) -> bool:
    """Whether a key pressed at the time `at` may be the second tap of the press that led to this screen."""
    if session.taps.shown_at is not None and at >= session.taps.shown_at + DOUBLE_TAP_GUARD_SECONDS:
        return False
    if session.screen is session.taps.familiar_screen and key != session.taps.last_key:
        return False
    return session.screen.may_be_double_tap(session, key)


def show_wait(session: Session, until: float) -> Session:
    """Show ``wait…`` until the monotonic time `until`, because a press was ignored."""
    return session._replace(
        taps=session.taps._replace(wait_until=max(until, session.now + SHORTEST_WAIT_SHOWN_SECONDS))
    )


def ignore_early_press(session: Session) -> Session:
    """Ignore a press that came too soon for a result or a message, and show ``wait…``."""
    shown = session.taps.shown_at
    return show_wait(session, (session.now if shown is None else shown) + DOUBLE_TAP_GUARD_SECONDS)


def relax_double_tap_guard(session: Session) -> Session:
    """Remember that the players know this screen and its keys already: a page or a menu over it has just been closed.

    From then on only a second tap of the key that led back is ignored, and no other key.
    """
    return session._replace(taps=session.taps._replace(familiar_screen=session.screen))


def mark_erased(session: Session) -> Session:
    """Remember that BACK has just erased something, or has led back to an input."""
    return session._replace(taps=session.taps._replace(erased_at=session.now))


def has_just_erased(session: Session) -> bool:
    """Whether BACK erased something a moment ago, so that another BACK may be meant to erase too."""
    return session.now - session.taps.erased_at < ERASE_GUARD_SECONDS


def ignore_back_after_erasing(session: Session) -> Session:
    """Ignore a BACK that came too soon after one that erased something, and show ``wait…``."""
    return show_wait(session, session.taps.erased_at + ERASE_GUARD_SECONDS)

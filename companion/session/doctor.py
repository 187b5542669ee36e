"""The doctor's pages: an overview, a page for each finding, and last a page that shows the keys as they arrive.

It is an entry of the menu "more", and opens at the start: for a button OK held while the box is switched on or while
the title shows; for a keypad, which cannot tell that a key is held, `0` while the title or "Go on?" shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.inputs import Request
from companion.session import mending_pages
from companion.session.model import Doctor, Session

if TYPE_CHECKING:
    from companion.inputs import BoxExamined

KEY = "doctor"
"""The key that stands for OK held down at the start."""
HOLD_SECONDS = 0.8
"""How long OK must be held on the title, in seconds."""
HEARD = 18
"""How many keys are shown."""


def opened(session: Session) -> Session:
    """Open the doctor's pages, still empty, and request the examination of the box."""
    return session._replace(
        mode=Doctor(mending_pages.covered(session.mode)), requests=(*session.requests, Request.EXAMINE_BOX), banner=""
    )


def on_result(session: Session, answer: BoxExamined) -> Session:
    """Show the findings, if the pages are still open."""
    if not isinstance(session.mode, Doctor):
        return session
    return session._replace(mode=session.mode._replace(findings=answer.findings))


def last(mode: Doctor) -> int:
    """The number of the page of keys; the overview is 0."""
    return len(mode.findings or ()) + 1


def press(session: Session, mode: Doctor, key: str) -> Session:
    """OK and down turn the page, up turns back, BACK leaves; on the last page every key is only shown."""
    if mode.number == last(mode):
        return _hear(session, mode, key)
    if key == "*":
        return session._replace(mode=mode.back)
    if key in ("#", "down", "right", "8", "0"):
        return session._replace(mode=mode._replace(number=mode.number + 1))
    if key in ("up", "left", "2"):
        return session._replace(mode=mode._replace(number=max(0, mode.number - 1)))
    return session


def _hear(session: Session, mode: Doctor, key: str) -> Session:
    """Add a key to those heard; BACK twice in a row leaves."""
    name = {"#": "OK", "*": "BACK"}.get(key, key) if session.buttons else key
    if key == "*" and mode.pressed and mode.pressed[-1] == name:
        return session._replace(mode=mode.back)
    return session._replace(mode=mode._replace(pressed=(*mode.pressed, name)[-HEARD:], total=mode.total + 1))

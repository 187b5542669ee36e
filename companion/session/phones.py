"""Phones and big screens: switched on here, and shown how to come to the table's page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.session.model import Phones, Session

if TYPE_CHECKING:
    from companion.inputs import Served

ON, OFF = "phones on", "phones off"
"""What the session asks its surroundings for."""


def opened(session: Session) -> Session:
    """The page that tells how to come; it switches phones on."""
    asked = session.wanted if session.phones else (*session.wanted, ON)
    return session._replace(mode=Phones(session.mode), phones=True, wanted=asked)


def press(session: Session, mode: Phones, key: str) -> Session:
    """OK switches phones off again and leaves; BACK leaves them on."""
    if key == "#":
        return session._replace(mode=mode.back, phones=False, pages=(), wanted=(*session.wanted, OFF))
    return session._replace(mode=mode.back) if key == "*" else session


def served(session: Session, event: Served) -> Session:
    """The session that knows where its page is."""
    return session._replace(pages=event.pages if session.phones else ())

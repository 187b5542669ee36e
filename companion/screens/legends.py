"""What keys are called: OK and BACK after a press of a button, ``#`` and ``*`` after one of the keypad."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.panel.parts import Legend
    from companion.session.model import Dealing, Session


def legend(session: Session, does: str, key: str = "OK") -> Legend:
    """A key's tag as the device last used calls it, and what it does."""
    if not session.buttons:
        key = {"OK": "#", "BACK": "*"}.get(key, key)
    return key, does


def erasing(session: Session, mode: Dealing) -> Legend:
    """What BACK does while pieces are named."""
    return legend(session, "undo" if mode.pieces or mode.keys else "menu", "BACK")


def dead(mode: Dealing) -> str:
    """What is said of a key that means nothing while pieces are named, "" after any other."""
    return f"{mode.stray} means nothing here" if mode.stray else ""


def ok_back(session: Session, ok: str, back: str) -> tuple[Legend, Legend]:
    """The tags of OK and BACK, and what they do."""
    return legend(session, ok), legend(session, back, "BACK")

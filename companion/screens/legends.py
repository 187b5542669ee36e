"""What keys are called: OK and BACK after a press of a button, ``#`` and ``*`` after one of the keypad."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.panel import parts

if TYPE_CHECKING:
    from companion.panel.canvas import Canvas
    from companion.panel.parts import Legend
    from companion.session.model import Session


def legend(session: Session, does: str, key: str = "OK") -> Legend:
    """A key's tag as the device last used calls it, and what it does."""
    return parts.legend(session.buttons, does, key)


def ok_back(session: Session, ok: str, back: str) -> tuple[Legend, Legend]:
    """The tags of OK and BACK, and what they do."""
    return legend(session, ok), legend(session, back, "BACK")


def scrolling(canvas: Canvas, session: Session) -> None:
    """A keypad's keys that are up and down, in the footer of a list that is longer than the panel."""
    if not session.buttons:
        parts.arrow_keys(canvas, "A", "C", ("more-up", "more-down"))


def swapping(canvas: Canvas, session: Session) -> None:
    """A keypad's keys that are left and right, in the footer."""
    if not session.buttons:
        parts.arrow_keys(canvas, "D", "B", ("left", "right"))

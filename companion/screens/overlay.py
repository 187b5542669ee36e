"""What is drawn over any picture: that a press was ignored, a banner, or the small sign of a missing device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.languages import said
from companion.panel import parts
from companion.panel.fonts import TEXT, wrap
from companion.session.screen_kinds import MoveScreen

if TYPE_CHECKING:
    from companion.contents.kinds import Content
    from companion.panel.canvas import Canvas
    from companion.session.model import Session


def draw(canvas: Canvas, session: Session, content: Content | None) -> None:
    """Draw it over a content."""
    if session.taps.wait_until:
        parts.waiting(canvas)
    elif session.banner and not (isinstance(content, kinds.Cover) and content.last):
        first, _, second = said(session.banner).partition("\n")
        if not second:
            lines = wrap(first, TEXT, 108, 2)
            first, second = lines[0], lines[1] if len(lines) > 1 else ""
        parts.banner(canvas, first, second)
    elif session.missing_devices and isinstance(session.screen, MoveScreen) and session.screen.shows_missing:
        canvas.clear(121, 55, 126, 63)
        canvas.icon(126, 56, "alert-small", "r")

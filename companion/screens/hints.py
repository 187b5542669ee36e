"""A hint on the panel: how far it is thought out, then one of its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.panel import menus, parts
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import TEXT, cut, wrap
from companion.screens.legends import legend, ok_back

if TYPE_CHECKING:
    from companion.panel.canvas import Canvas
    from companion.session.model import Hint, Session

TOP, PITCH = 19, 9


def draw(canvas: Canvas, session: Session, mode: Hint) -> None:
    """Draw the part that is open; while the hint is thought out how far it has come."""
    if not mode.parts:
        parts.title(canvas, "Hint", f"{mode.percent}%")
        canvas.text(LEFT, TOP, "I think.")
        canvas.bar(LEFT, TOP + 12, RIGHT, TOP + 18, mode.percent / 100)
        canvas.text(LEFT, TOP + 24, "You need not wait.")
        parts.footer(canvas, legend(session, "back", "BACK"))
        return
    part, last = mode.parts[mode.number], len(mode.parts) - 1
    parts.title(canvas, part.title, f"{mode.number + 1}/{last + 1}" if last else "")
    edge = menus.page_bar(canvas, mode.number, last + 1)
    for index, (move, leads_to) in enumerate(part.rows):
        wide = canvas.text(edge, TOP + index * PITCH, leads_to, TEXT, "r")
        canvas.text(LEFT, TOP + index * PITCH, cut(move, TEXT, edge - LEFT - wide - 3))
    words = [line for said in part.lines for line in wrap(said, TEXT, edge, names=canvas.names)]
    for index, line in enumerate(words, len(part.rows)):
        canvas.text(LEFT, TOP + index * PITCH, line)
    ok, back = ok_back(session, "more", "back")
    parts.footer(canvas, ok if mode.number < last else None, back)

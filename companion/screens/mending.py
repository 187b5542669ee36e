"""The screens for correcting an entered piece: all of a player's pieces, then the wrong one and its replacement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.panel import menus, parts
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import HEADING, NAMES, TEXT
from companion.panel.icons import icon
from companion.screens.legends import ok_back, swapping
from companion.session import mending_keys

if TYPE_CHECKING:
    from companion.panel.canvas import Canvas
    from companion.session.model import Mending, Round, Session

ROWS, TOP, PITCH = 3, 20, 11
"""The rows of pieces, the first one's top, and their distance in pixels."""
ARROW = "right"


def draw(canvas: Canvas, session: Session, mode: Mending) -> None:
    """Draw the pieces to choose from, or the one that is named anew."""
    round_ = session.round
    if round_ is None:
        return
    parts.title(canvas, "Mend", round_.name(mode.seat))
    if mode.naming:
        _naming(canvas, round_, mode)
        same = mending_keys.picked(round_, mode) == mode.pieces[mode.on]
        ok, back = ok_back(session, "keep it" if same else "mend", "undo" if mode.keys else "back")
        parts.footer(canvas, ok if mode.cursor is not None else None, back)
        return
    _choosing(canvas, round_, mode)
    parts.footer(canvas, *ok_back(session, "choose", "back"))
    swapping(canvas, session)


def _choosing(canvas: Canvas, round_: Round, mode: Mending) -> None:
    """All pieces as they are printed, the one under the cursor inverse; of many the rows around it."""
    shown = [round_.entry.printed(piece) for piece in mode.pieces]
    cell = max(TEXT.width(piece) for piece in shown) + 7
    across = (RIGHT - LEFT + 4) // cell
    if len(shown) > ROWS * across:
        across = (menus.BESIDE_BAR - LEFT + 4) // cell
    last = (len(shown) - 1) // across
    first = min(max(0, mode.on // across - 1), max(0, last - ROWS + 1))
    for index, piece in enumerate(shown):
        row = index // across - first
        if not 0 <= row < ROWS:
            continue
        x, y = LEFT + index % across * cell, TOP + row * PITCH
        if index == mode.on:
            canvas.tag(x, y, piece)
        else:
            canvas.text(x + 2, y, piece)
    menus.scrollbar(canvas, first, ROWS, last + 1)


def _naming(canvas: Canvas, round_: Round, mode: Mending) -> None:
    """The piece that is wrong, an arrow, the piece that it is to be; below it those that can be picked."""
    wrong = round_.entry.printed(mode.pieces[mode.on])
    x = 12 + canvas.fitted(12, 20, wrong, (HEADING, *NAMES), 40) + 8
    x += canvas.icon(x, 20 + 6 - icon(ARROW).height // 2, ARROW) + 8
    new = mending_keys.picked(round_, mode)
    canvas.fitted(x, 20, round_.entry.printed(new) if new else f"{mode.keys}_", (HEADING, *NAMES), RIGHT - x)
    if mode.cursor is None:
        word = mending_keys.spot(round_, mode)[1]
        stray = round_.entry.stray_piece(mode.keys, word, round_.options) if mode.stray else ""
        canvas.text(LEFT, 42, stray or "type the right one")
        return
    places = mending_keys.offered(round_, mode)
    line = [place for place in places if place[0] == mode.cursor[0]] or [mode.cursor]
    names = [round_.entry.printed(mending_keys.picked(round_, mode._replace(cursor=place))) for place in line]
    _row(canvas, names, line.index(mode.cursor) if mode.cursor in line else 0)


def _row(canvas: Canvas, names: list[str], column: int) -> None:
    """Pieces side by side, the one under the picker inverse, as near to the middle as there is room."""
    cell = max(map(TEXT.width, names)) + 7
    across = (RIGHT - LEFT + 4) // cell
    first = min(max(0, column - across // 2), max(0, len(names) - across))
    for index, name in enumerate(names[first : first + across]):
        x = LEFT + index * cell
        if first + index == column:
            canvas.tag(x, 42, name)
        else:
            canvas.text(x + 2, 42, name)

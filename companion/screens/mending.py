"""The screens for correcting an entered piece: all of a player's pieces, then the wrong one and its replacement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.panel import menus, parts, pieces
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import MIDDLE, NAMES, TEXT, fit
from companion.panel.icons import icon
from companion.screens.legends import footer, swapping

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.contents import kinds
    from companion.panel.canvas import Canvas

ROWS, TOP, PITCH = 3, 20, 11
"""The rows of pieces, the first one's top, and their distance in pixels."""
ARROW = "right"
FRAME, GAP, MOST_WIDE = 6, 8, 40
"""The columns between a piece and the outside of its frame, those around the arrow, and the most of a piece."""


def own_pieces(canvas: Canvas, content: kinds.OwnPieces, *, buttons: bool) -> None:
    """All pieces as they are printed, the one under the cursor inverse; of many the rows around it."""
    parts.title(canvas, content.title, content.name)
    if not pieces.draw(canvas, content.pieces, content.on):
        _rows_around(canvas, content)
    footer(canvas, content.meanings, buttons=buttons)
    swapping(canvas, buttons=buttons)


def _rows_around(canvas: Canvas, content: kinds.OwnPieces) -> None:
    """The rows around the cursor, with a scrollbar."""
    cell = max(TEXT.width(piece) for piece in content.pieces) + 7
    across = (menus.BESIDE_BAR - LEFT + 4) // cell
    last = (len(content.pieces) - 1) // across
    first = min(max(0, content.on // across - 1), max(0, last - ROWS + 1))
    for index, piece in enumerate(content.pieces):
        row = index // across - first
        if not 0 <= row < ROWS:
            continue
        x, y = LEFT + index % across * cell, TOP + row * PITCH
        if index == content.on:
            canvas.tag(x, y, piece)
        else:
            canvas.text(x + 2, y, piece)
    menus.scrollbar(canvas, first, ROWS, last + 1)


def mend(canvas: Canvas, content: kinds.Mend, *, buttons: bool) -> None:
    """The piece that is wrong, an arrow, the piece that it is to be, each framed; below them those to pick from."""
    parts.title(canvas, content.title, content.name)
    faces = [fit(piece, (MIDDLE, *NAMES), MOST_WIDE) for piece in (content.wrong, content.new)]
    wide = [face.width(shown) + 2 * FRAME for face, shown in faces]
    x = (LEFT + RIGHT + 1 - sum(wide) - icon(ARROW).width - 2 * GAP) // 2
    for index, (face, shown) in enumerate(faces):
        if index:
            x += GAP + canvas.icon(x + GAP, 28 - icon(ARROW).height // 2, ARROW) + GAP
        canvas.box(x, 18, x + wide[index] - 1, 38)
        canvas.text(x + FRAME, 28 - face.capitals // 2, shown, face)
        x += wide[index]
    if content.row:
        _row(canvas, content.row, content.column)
    else:
        canvas.text((LEFT + RIGHT + 1) // 2, 43, content.said, TEXT, "c")
    footer(canvas, content.meanings, buttons=buttons)
    if content.row:
        swapping(canvas, buttons=buttons)


def _row(canvas: Canvas, names: Sequence[str], column: int) -> None:
    """Pieces side by side, the one under the picker inverse, as near to the middle as there is room."""
    cell = max(map(TEXT.width, names)) + 7
    across = (RIGHT - LEFT + 4) // cell
    first = min(max(0, column - across // 2), max(0, len(names) - across))
    shown = names[first : first + across]
    left = LEFT + (RIGHT - LEFT + 4 - len(shown) * cell) // 2
    for index, name in enumerate(shown):
        x = left + index * cell
        if first + index == column:
            canvas.tag(x, 43, name)
        else:
            canvas.text(x + 2, 43, name)

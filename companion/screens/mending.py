"""The screens for correcting an entered piece: all of a player's pieces, then the wrong one and its replacement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.panel import menus, parts
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import HEADING, NAMES, TEXT
from companion.panel.icons import icon
from companion.screens.legends import footer, swapping

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.contents import kinds
    from companion.panel.canvas import Canvas

ROWS, TOP, PITCH = 3, 20, 11
"""The rows of pieces, the first one's top, and their distance in pixels."""
ARROW = "right"


def own_pieces(canvas: Canvas, content: kinds.OwnPieces, *, buttons: bool) -> None:
    """All pieces as they are printed, the one under the cursor inverse; of many the rows around it."""
    parts.title(canvas, content.title, content.name)
    cell = max(TEXT.width(piece) for piece in content.pieces) + 7
    across = (RIGHT - LEFT + 4) // cell
    if len(content.pieces) > ROWS * across:
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
    footer(canvas, content.answers, buttons=buttons)
    swapping(canvas, buttons=buttons)


def mend(canvas: Canvas, content: kinds.Mend, *, buttons: bool) -> None:
    """The piece that is wrong, an arrow, the piece that it is to be; below it those that can be picked."""
    parts.title(canvas, content.title, content.name)
    x = 12 + canvas.fitted(12, 20, content.wrong, (HEADING, *NAMES), 40) + 8
    x += canvas.icon(x, 20 + 6 - icon(ARROW).height // 2, ARROW) + 8
    canvas.fitted(x, 20, content.new, (HEADING, *NAMES), RIGHT - x)
    if content.row:
        _row(canvas, content.row, content.column)
    else:
        canvas.text(LEFT, 42, content.said)
    footer(canvas, content.answers, buttons=buttons)


def _row(canvas: Canvas, names: Sequence[str], column: int) -> None:
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

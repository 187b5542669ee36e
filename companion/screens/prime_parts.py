"""What the screens of Prime Attactics share: the who band with its line one row higher, and a row of tiles.

The line stands on row 14, the foot of the inverted tab, which gives the strip its two full lines: scores on rows
16–35, tiles on 37–46, then P6 and P7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.screens import parts
from companion.screens.fonts import TEXT, cut

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from companion.screens.canvas import Canvas

CELLS = 8
"""Tiles that a row takes."""
PITCH, WIDE = 16, 14


def header(canvas: Canvas, names: Sequence[str], turn: int | None) -> None:
    """The names on rows 0–14, the seat to move inverted."""
    parts.tabs(canvas, [parts.Tab(name) for name in names], turn, rule=False)
    canvas.hline(14)


def cells(canvas: Canvas, tiles: Sequence[str], picked: Collection[int], y: int = 38) -> None:
    """Up to eight tiles with their capitals from row `y` down, a line under each, the picked ones inverse."""
    for at, tile in enumerate(tiles[:CELLS]):
        x = 1 + at * PITCH
        chosen = at in picked
        wide = WIDE if TEXT.width(tile) <= WIDE else TEXT.width(tile) + 4
        if chosen:
            canvas.plate(x, y - 1, x + wide - 1, y + 8)
        else:
            canvas.hline(y + 8, x, x + wide - 1)
        canvas.text(x + (wide - TEXT.width(tile)) // 2, y, cut(tile, TEXT, wide), inverse=chosen)

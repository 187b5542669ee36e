"""What the screens of Prime Attactics share: the who band with its line one row higher, and a row of tiles.

The line stands on row 14, the foot of the inverted tab, which gives the strip its two full lines: scores on rows
16–35, tiles on rows 39–45 under a line on row 37, then P6 and P7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.panel import parts
from companion.panel.fonts import TEXT, cut

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from companion.panel.canvas import Canvas

CELLS = 8
"""Tiles that a row takes."""
PITCH, WIDE = 16, 13
TILES = 39
"""The top row of the capitals of tiles on the table."""


def header(canvas: Canvas, names: Sequence[str], turn: int | None) -> None:
    """The names on rows 0–14, the seat to move inverted."""
    parts.tabs(canvas, [parts.Tab(name) for name in names], turn, rule=False)
    canvas.hline(14)


def cells(canvas: Canvas, tiles: Sequence[str], picked: Collection[int], y: int = TILES) -> None:
    """Up to eight tiles with their capitals from row `y` down, a line over each, the picked ones inverse.

    The line over a picked tile is the edge of its plate, so that its sign has a lit row on every side.
    """
    for index, tile in enumerate(tiles[:CELLS]):
        x = 1 + index * PITCH
        chosen = index in picked
        wide = WIDE if TEXT.width(tile) <= WIDE else TEXT.width(tile) + 4
        canvas.hline(y - 2, x, x + wide - 1)
        if chosen:
            canvas.fill(x, y - 2, x + wide - 1, y + TEXT.capitals)
        up = tile == "pass"  # All its letters are low, and the p reaches below the line.
        canvas.text(x + (wide - TEXT.width(tile)) // 2, y - up, cut(tile, TEXT, wide), inverse=chosen)

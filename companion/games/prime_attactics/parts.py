"""Shared by the screens of Prime Attactics: the players' names with a line under them, and a row of tiles.

The line is on row 14, the lowest row of the inverted tab and one row higher than in other games. So the strip has two
full lines: scores on rows 16–35, tiles on rows 39–45, the strip on pages 6 and 7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.text import text
from companion.panel import seat_tabs
from companion.panel.canvas import RIGHT
from companion.panel.fonts import TEXT, cut

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from companion.panel.canvas import Canvas

CELLS = 8
"""The most tiles in a row."""
PITCH, WIDE = 16, 13
TILES = 39
"""The top row of the capitals of the tiles on the table's screen."""


def header(canvas: Canvas, names: Sequence[str], turn: int | None) -> None:
    """Draw the names on rows 0–14, that of the seat `turn` (from 1, None for nobody) inverted."""
    seat_tabs.tabs(canvas, [seat_tabs.Tab(name) for name in names], turn, rule=False)
    canvas.hline(14)


def cells(canvas: Canvas, tiles: Sequence[str], picked: Collection[int], y: int = TILES) -> None:
    """Draw up to eight tiles, their capitals from row `y` down; `picked` are indices drawn inverse, on a plate."""
    for index, each in enumerate(tiles[:CELLS]):
        chosen, up = index in picked, each == "pass"  # It has no capitals, and its p has a descender.
        tile = text("pass") if up else each
        wide = WIDE if TEXT.width(tile) <= WIDE else TEXT.width(tile) + 4
        x = min(1 + index * PITCH, RIGHT - wide + 1)
        if chosen:
            canvas.plate(x, y - 1, x + wide - 1, y + TEXT.capitals)
        canvas.text(x + (wide - TEXT.width(tile)) // 2, y - up, cut(tile, TEXT, wide), inverse=chosen)

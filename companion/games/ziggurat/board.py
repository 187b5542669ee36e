"""The board of Ziggurat for the big screen: the cells from above with pips and heights; higher cells are brighter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game import board
from companion.game.board import Svg
from companion.game.text import text
from companion.games.ziggurat.grid import CELLS, SIDE
from companion.games.ziggurat.likely import extent
from companion.games.ziggurat.pieces import Move
from companion.games.ziggurat.state import VACANT, State

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 1000, 560
LEFT, TOP = 60, 20
CELL = 118
BRIGHTEST = 6
"""Cells of this height or more have the same shade."""


class Board(board.Board):
    """The board of Ziggurat."""

    def draw(self, view: State, names: Sequence[str], last: tuple[int, Move] | None) -> Svg:
        """The map with its column letters and row numbers, the last domino marked; the players' points beside it."""
        drawing = Svg(WIDTH, HEIGHT, text("Ziggurat, level {level}", level=view.level))
        columns, rows = extent(view)
        size = min(CELL, (HEIGHT - TOP - 50) / len(rows), 560 / len(columns))
        fresh = {last[1].first, last[1].second} if last is not None else set()
        for across, column in enumerate(columns):
            for down, row in enumerate(reversed(rows)):
                cell = column * SIDE + row
                _cell(drawing, view, cell, x=LEFT + across * size, y=TOP + down * size, size=size, fresh=cell in fresh)
        for across, column in enumerate(columns):
            drawing.text(
                LEFT + (across + 0.5) * size, TOP + len(rows) * size + 40, CELLS[column * SIDE][0], 34, "faint"
            )
        for down, row in enumerate(reversed(rows)):
            drawing.text(LEFT - 14, TOP + (down + 0.6) * size, str(row + 1), 34, "faint", anchor="end")
        _players(drawing, view, names)
        return drawing

    def key_words(self, view: State, keys: str) -> dict[str, str]:
        """The labels of a phone's keys after `keys`: pips, then columns, rows and directions."""
        if len(keys) < 2:
            return {"A": "10", "B": "11", "C": "12"} | {str(pip): "" for pip in range(view.top + 1, 10)}
        if len(keys) == 2:
            return {str(index + 1): CELLS[index * SIDE][0] for index in range(SIDE)}
        if len(keys) == 3:
            return {str(row): text("row {row}", row=row) for row in range(1, SIDE + 1)}
        return {"A": "up", "B": "right", "C": "down", "D": "left"}


BOARD = Board()


def _cell(drawing: Svg, view: State, cell: int, *, x: float, y: float, size: float, fresh: bool) -> None:
    """Draw a cell with its top pip and height, or a dot if it is vacant; the pip is marked if the cell is `fresh`."""
    pip, height = view.pips[cell], view.heights[cell]
    if pip == VACANT:
        drawing.circle(x + size / 2, y + size / 2, 5, "faint")
        return
    drawing.rect(x + 3, y + 3, size - 6, size - 6, f"height{min(height, BRIGHTEST)}", round_=8)
    drawing.text(x + size / 2, y + size * 0.7, str(pip), size * 0.55, "mark" if fresh else "ink")
    if height > 1:
        drawing.text(x + size - 10, y + size - 12, str(height), size * 0.2, "faint", anchor="end")


def _players(drawing: Svg, view: State, names: Sequence[str]) -> None:
    drawing.text(WIDTH - 20, 60, text("level {level}", level=view.level), 44, "faint", anchor="end")
    for index, name in enumerate(names):
        y = 150 + index * 100
        drawing.rect(670, y - 50, 14, 66, f"seat{index + 1}", round_=6)
        drawing.text(700, y, name, min(40.0, 330 / len(name)), "ink", anchor="start")
        drawing.text(WIDTH - 20, y, str(view.scores[index]), 56, "ink", anchor="end")
        drawing.text(700, y + 36, text("{number} dominoes", number=view.sizes[index]), 28, "faint", anchor="start")

"""The map of Ziggurat on the panel: always four rows and four columns of squares, always of the same size.

The panel has no room for 7×7 squares. Until the base's frame (its 4×4 block) is fixed, the map shows four of the
columns and four of the rows that the base may still cover: the middle ones, or the nearest to these that include all
dominoes and the draft. Every legal move fits, since a frame is four squares wide. An arrowhead at an end of the line
beside the row numbers, or beside the column labels, says that the base can grow on that side.

Row numbers are left of the map, and everything else is right of it, so that no number stands beside a score.

What is built on this level is lit. Dark squares are those where the next domino can lie; on the base they have a dot.
A square that nothing can lie on any more is shaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from companion.games.ziggurat import rules
from companion.games.ziggurat.drafts import Marks, map_extent
from companion.games.ziggurat.grid import GRID_SIDE, SQUARE_COUNT
from companion.games.ziggurat.state import NO_PIP, State
from companion.panel import widgets
from companion.panel.canvas import LEFT, Canvas

SQUARES_IN_SIGHT = 4
"""How many columns, and how many rows, are in sight."""
LOWEST_IN_SIGHT = 2
"""The lowest column and row in sight, from 0, unless the base needs others: those of c3."""
FIRST_COLUMN, AXIS_COLUMN, LINE_COLUMN = 9, 7, 65
"""The pixel columns of the first square, of the line between it and the row numbers, and of the line that ends the map.
"""
PITCH_COLUMNS, PITCH_ROWS = 14, 13
"""The pixels from one square to the next; the last column and row of these are dark."""
PIPS_ROW = 2
"""The top pixel row of the first row's pips, and of its number."""


class MapLayout(NamedTuple):
    """The part of the map that is in sight.

    Args:
        columns: the four columns in sight, from 0.
        rows: the four rows in sight, from 0.
        open_sides: the sides on which the base may extend further: ``left``, ``right``, ``up``, ``down``.
    """

    columns: range
    rows: range
    open_sides: frozenset[str]

    def corner_of(self, cell: int) -> tuple[int, int] | None:
        """The left pixel column and top pixel row of a square; None for a square out of sight."""
        column, row = divmod(cell, GRID_SIDE)
        if column not in self.columns or row not in self.rows:
            return None
        return FIRST_COLUMN + PITCH_COLUMNS * self.columns.index(column), PITCH_ROWS * (self.rows[-1] - row)


def map_layout(state: State, marks: Marks) -> MapLayout:
    """The part of the map in sight. It includes all dominoes, and the squares of the draft that the base may cover."""
    columns, rows = map_extent(state)
    entered = [divmod(cell, GRID_SIDE) for cell, _ in marks.pips_on_squares]
    columns_in_sight = _range_in_sight(columns, [column for column, _ in entered] or [marks.column])
    rows_in_sight = _range_in_sight(rows, [row for _, row in entered])
    open_sides = {
        "left": columns_in_sight.start > columns.start,
        "right": columns_in_sight.stop < columns.stop,
        "down": rows_in_sight.start > rows.start,
        "up": rows_in_sight.stop < rows.stop,
    }
    return MapLayout(columns_in_sight, rows_in_sight, frozenset(side for side, there in open_sides.items() if there))


def _range_in_sight(lines: range, entered: Sequence[int]) -> range:
    """Four of the `lines` (columns or rows) that the base may cover, including those of `entered` that are among them.

    Dominoes already laid are always included: every frame that is still possible contains them.
    """
    start = min(max(LOWEST_IN_SIGHT, lines.start), lines.stop - SQUARES_IN_SIGHT)
    for line in entered:
        if line in lines:
            start = max(min(start, line), line - SQUARES_IN_SIGHT + 1)
    return range(start, start + SQUARES_IN_SIGHT)


def draw_map(canvas: Canvas, state: State, layout: MapLayout, marks: Marks, *, is_forbidden: bool) -> None:
    """Draw the squares in sight, the row numbers, and the draft; `is_forbidden` says whether the rules refuse it."""
    canvas.icon(0, 0, _squares_mask(state, layout))
    for index, row in enumerate(reversed(layout.rows)):
        is_below_arrow = not index and "up" in layout.open_sides
        canvas.text(LEFT, PIPS_ROW + PITCH_ROWS * index + is_below_arrow, str(row + 1))
    bottom = PITCH_ROWS * SQUARES_IN_SIGHT
    for column in (AXIS_COLUMN, LINE_COLUMN):
        canvas.dotted_line(column, 0, column, bottom - 2)
    for side, tip, inwards in (("up", 0, 1), ("down", bottom, -1)):
        if side in layout.open_sides:
            canvas.fill(AXIS_COLUMN, tip, AXIS_COLUMN, tip)
            canvas.hline(tip + inwards, AXIS_COLUMN - 1, AXIS_COLUMN + 1)
            canvas.clear(AXIS_COLUMN, tip + 2 * inwards, AXIS_COLUMN, tip + 2 * inwards)
    _draw_preview(canvas, layout, marks, is_forbidden)


@lru_cache(maxsize=8)
def _squares_mask(state: State, layout: MapLayout) -> Image.Image:
    """The squares in sight as a mask. They are most of the picture, and stay the same while a domino is entered."""
    canvas = Canvas()
    free = {cell for place in rules.free_pairs(state) for cell in place}
    for cell in range(SQUARE_COUNT):
        if corner := layout.corner_of(cell):
            _draw_square(canvas, state, *corner, cell, free=cell in free)
    return canvas.image


def _draw_square(canvas: Canvas, state: State, x: int, y: int, cell: int, *, free: bool) -> None:
    """Draw a square with its upper left corner at (x, y), seen from above."""
    pip, height = state.top_pips[cell], state.heights[cell]
    right, bottom = x + PITCH_COLUMNS - 2, y + PITCH_ROWS - 2
    middle = x + PITCH_COLUMNS // 2 - 1
    if height == state.level:
        canvas.fill_rounded_box(x, y, right, bottom)
        canvas.text(middle, y + 2, str(pip), anchor="c", inverse=True)
    elif free and pip == NO_PIP:
        canvas.fill(middle, y + 5, middle + 1, y + 6)
    elif free:
        canvas.text(middle, y + 2, str(pip), anchor="c")
    elif state.level > 1:
        canvas.checkerboard(x, y, right, bottom)


def join_halves(canvas: Canvas, state: State, layout: MapLayout, first: int, second: int) -> None:
    """Light pixels between two squares, so that they look like one domino: the last one.

    Once it has filled its level its squares are not lit; then a frame is around them.
    """
    corners = sorted(corner for cell in (first, second) if (corner := layout.corner_of(cell)))
    if len(corners) < 2:
        return
    (x, y), (other_x, other_y) = corners
    gap_x, gap_y = other_x - 1, max(y, other_y) - 1
    if state.heights[first] != state.level:
        # In the dark pixels around the squares.
        left, top = x - 1, max(0, min(y, other_y) - 1)
        right, bottom = other_x + PITCH_COLUMNS - 1, max(y, other_y) + PITCH_ROWS - 1
        for row in (top, bottom):
            canvas.hline(row, left + 1, right - 1)
        for column in (left, right):
            canvas.vline(column, top + 1, bottom - 1)
    elif x == other_x:
        canvas.hline(gap_y, x + 3, x + PITCH_COLUMNS - 5)
    else:
        canvas.vline(gap_x, y + 2, y + PITCH_ROWS - 4)


def _draw_preview(canvas: Canvas, layout: MapLayout, marks: Marks, is_forbidden: bool) -> None:
    """Draw the draft's squares with its pips in a thick frame, or in a dotted one if the rules forbid it.

    Squares without a domino are inverted.
    """
    placed = [(corner, pip) for cell, pip in marks.pips_on_squares if (corner := layout.corner_of(cell))]
    if not placed:
        return
    across, down = zip(*(corner for corner, _ in placed), strict=True)
    x0, y0, x1, y1 = min(across), min(down), max(across) + PITCH_COLUMNS - 2, max(down) + PITCH_ROWS - 2
    if placed[0][1] == NO_PIP:  # The pips on these squares must stay visible.
        canvas.invert(x0, y0, x1, y1)
        return
    x0, y0, x1, y1 = x0 - 1, max(0, y0 - 1), x1 + 1, y1 + 1  # In the dark pixels around the squares.
    canvas.box(x0, y0, x1, y1)
    if is_forbidden:
        canvas.clear(x0, y0, x1, y1)
        for line in ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)):
            canvas.dotted_line(*line)
    else:
        canvas.hline(min(down), x0 + 1, x1 - 1)
        canvas.hline(min(y1 + 1, PITCH_ROWS * SQUARES_IN_SIGHT - 1), x0 + 1, x1 - 1)
    for (x, y), pip in placed:
        canvas.text(x + PITCH_COLUMNS // 2 - 1, y + 2, str(pip), anchor="c")


def draw_column_labels(canvas: Canvas, layout: MapLayout, *, as_digits: bool, chosen: int = -1) -> None:
    """Draw the columns' letters under the map, or the digits to press, and arrowheads for columns out of sight.

    The column `chosen`, from 0, is on a plate; -1 for none.
    """
    for index, column in enumerate(layout.columns):
        x = FIRST_COLUMN + PITCH_COLUMNS * index + PITCH_COLUMNS // 2 - 1
        label = str(column + 1) if as_digits else "abcdefg"[column]
        canvas.tag(x, widgets.LAST_LINE_ROW, label, "c", lit=column == chosen)
    if "left" in layout.open_sides:
        canvas.icon(AXIS_COLUMN - 2, widgets.LAST_LINE_ROW + 2, "more-left")
    if "right" in layout.open_sides:
        canvas.icon(LINE_COLUMN - 3, widgets.LAST_LINE_ROW + 2, "more-right")

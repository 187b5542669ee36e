"""The map of Ziggurat on the panel: always four rows and four columns of squares, always of the same size.

The panel has no room for 7×7 squares with pips and heights. Until the base's frame (its 4×4 block) is fixed, the map
shows four of the columns and four of the rows that the base may still cover: the middle ones, or the nearest to these
that include all dominoes and the draft. Every legal move fits, since a frame is four squares wide. An arrowhead beside
the row numbers or column letters says that the base can grow on that side.

Where the next domino can lie, a vacant square has a dot, and one that is built on has an arrowhead in place of its
height, which is that of the level below. A square that is too low ever to be built on again is shaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from PIL import Image

from companion.games.ziggurat import rules
from companion.games.ziggurat.drafts import Marks, map_extent
from companion.games.ziggurat.grid import GRID_SIDE, SQUARE_COUNT
from companion.games.ziggurat.state import NO_PIP, State
from companion.panel import widgets
from companion.panel.canvas import LEFT, LIT, Canvas
from companion.panel.fonts import MIDDLE, NARROW, TEXT, Face

SQUARES_IN_SIGHT = 4
"""How many columns, and how many rows, are in sight."""
LOWEST_IN_SIGHT = 2
"""The lowest column and row in sight, from 0, unless the base needs others: those of c3."""
SQUARE_PITCH_ROWS, PIP_ROWS = 14, 13
"""The pixel rows from one square to the next, and the height of a pip."""
NUMBER_ROWS = (4, 17, 31, 44)
"""The top pixel rows of the row numbers; they leave room for an arrowhead above the first and below the last."""
TWO_DIGIT_PIP = 10
"""Pips from this one on have two digits.

Heights from this one on are not written: the level is shown beside the map, and squares that can be built on have their
mark.
"""


class PixelColumns(NamedTuple):
    """Pixel columns, which depend on the widest pip of the set.

    Args:
        first_columns: the first column of each square's pip.
        pip_columns: the width of a pip; a dark column and five columns for the height follow.
        columns_before_pip: the columns of a lit square before its pip.
        seats_column: the first column of the seats beside the map.
    """

    first_columns: tuple[int, int, int, int]
    pip_columns: int
    columns_before_pip: int
    seats_column: int


ONE_DIGIT_COLUMNS = PixelColumns((10, 27, 44, 61), 7, 1, 77)
TWO_DIGIT_COLUMNS = PixelColumns((8, 27, 45, 63), 11, 0, 83)
COLUMNS_OF_SET = {6: ONE_DIGIT_COLUMNS, 9: ONE_DIGIT_COLUMNS, 12: TWO_DIGIT_COLUMNS}
"""The highest pip of the set → the columns of its map."""
BASE_COLUMNS_AFTER_PIP, COLUMNS_AFTER_PIP = 2, 6
"""The columns of a lit square after its pip: on the base, and from level 2 on, where the height is there."""


class MapLayout(NamedTuple):
    """The part of the map that is in sight.

    Args:
        columns: the four columns in sight, from 0.
        rows: the four rows in sight, from 0.
        open_sides: the sides on which the base may extend further: ``left``, ``right``, ``up``, ``down``.
        pixels: the pixel columns of the panel.
    """

    columns: range
    rows: range
    open_sides: frozenset[str]
    pixels: PixelColumns

    def corner_of(self, cell: int) -> tuple[int, int] | None:
        """The left pixel column and top pixel row of a square's pip; None for a square out of sight."""
        column, row = divmod(cell, GRID_SIDE)
        if column not in self.columns or row not in self.rows:
            return None
        return self.pixels.first_columns[self.columns.index(column)], SQUARE_PITCH_ROWS * (self.rows[-1] - row)


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
    return MapLayout(
        columns_in_sight,
        rows_in_sight,
        frozenset(side for side, there in open_sides.items() if there),
        COLUMNS_OF_SET[state.highest_pip],
    )


def _range_in_sight(lines: range, entered: Sequence[int]) -> range:
    """Four of the `lines` (columns or rows) that the base may cover, including those of `entered` that are among them.

    Dominoes already laid are always included: every frame that is still possible contains them.
    """
    start = min(max(LOWEST_IN_SIGHT, lines.start), lines.stop - SQUARES_IN_SIGHT)
    for line in entered:
        if line in lines:
            start = max(min(start, line), line - SQUARES_IN_SIGHT + 1)
    return range(start, start + SQUARES_IN_SIGHT)


def draw_map(canvas: Canvas, state: State, layout: MapLayout, marks: Marks, is_forbidden: bool) -> None:
    """Draw the squares in sight, the row numbers, and the draft; `is_forbidden` says whether the rules refuse it."""
    canvas.icon(0, 0, _squares_mask(state, layout))
    for y, row in zip(NUMBER_ROWS, reversed(layout.rows), strict=True):
        canvas.text(LEFT, y, str(row + 1))
    if "up" in layout.open_sides:
        canvas.icon(LEFT, 0, "more-up")
    if "down" in layout.open_sides:
        canvas.icon(LEFT, NUMBER_ROWS[-1] + TEXT.capital_rows + 1, "more-down")
    _draw_preview(canvas, state, layout, marks, is_forbidden)


@lru_cache(maxsize=8)
def _squares_mask(state: State, layout: MapLayout) -> Image.Image:
    """The squares in sight as a mask. They are most of the picture, and stay the same while a domino is entered."""
    canvas = Canvas()
    free = {cell for place in rules.free_pairs(state) for cell in place}
    for cell in range(SQUARE_COUNT):
        if layout.corner_of(cell):
            _draw_square(canvas, state, layout, cell, free=cell in free)
    return canvas.image


def _draw_square(canvas: Canvas, state: State, layout: MapLayout, cell: int, *, free: bool) -> None:
    """Draw a square in sight from above.

    It has its top pip, and from level 2 on right of it the height, or the mark of a free square.
    """
    x, y = layout.corner_of(cell) or (0, 0)
    pip, height, level = state.top_pips[cell], state.heights[cell], state.level
    right = x + layout.pixels.pip_columns - 1
    if height < level - 1:
        _draw_closed_square(canvas, x, y, right + COLUMNS_AFTER_PIP - 1, pip)
    elif pip == NO_PIP:
        if free:
            canvas.fill(
                x + layout.pixels.pip_columns // 2,
                y + PIP_ROWS // 2,
                x + layout.pixels.pip_columns // 2 + 1,
                y + PIP_ROWS // 2 + 1,
            )
    else:
        is_narrow = pip >= TWO_DIGIT_PIP  # A wide pip would touch whatever is left of it.
        draw_pip(canvas, right, y + (2 if is_narrow and level == 1 else 0), pip, NARROW if is_narrow else MIDDLE)
        if level > 1 and free:
            canvas.icon(right + 4, y + PIP_ROWS // 2, "more-up", "c")
        elif level > 1 and height < TWO_DIGIT_PIP:
            canvas.text(right + 2, y + PIP_ROWS - TEXT.capital_rows, str(height))


def _draw_closed_square(canvas: Canvas, x0: int, y: int, x1: int, pip: int) -> None:
    """Draw a square that nothing can lie on any more: lightly shaded, with a small pip if a domino lies there."""
    canvas.icon(x0, y, _shading(x1 - x0 + 1))
    if pip != NO_PIP:
        right = (x0 + x1 + pip_width(pip, TEXT)) // 2
        canvas.clear(right - pip_width(pip, TEXT), y + 2, right + 1, y + TEXT.capital_rows + 3)
        draw_pip(canvas, right, y + 3, pip, TEXT)


@cache
def _shading(width: int) -> Image.Image:
    """A pattern `width` pixels wide: one lit pixel in four of every second row, shifted from row to row."""
    shading = Image.new("1", (width, PIP_ROWS))
    for row in range(1, PIP_ROWS - 1, 2):
        for x in range(row % 4, width, 4):
            shading.putpixel((x, row), LIT)
    return shading


def _draw_preview(canvas: Canvas, state: State, layout: MapLayout, marks: Marks, is_forbidden: bool) -> None:
    """Draw the draft's squares with its pips: lit, or in a dotted frame if the rules forbid it.

    A pair of squares without a domino is inverted. The pips are smaller here, so that two rows are free above and below
    them, and one between lit squares and others.
    """
    corners_and_pips = [(corner, pip) for cell, pip in marks.pips_on_squares if (corner := layout.corner_of(cell))]
    if not corners_and_pips:
        return
    before = layout.pixels.columns_before_pip
    after = layout.pixels.pip_columns - 1 + (COLUMNS_AFTER_PIP if state.level > 1 else BASE_COLUMNS_AFTER_PIP)
    across, down = zip(*(corner for corner, _ in corners_and_pips), strict=True)
    box = (min(across) - before, min(down), max(across) + after, max(down) + PIP_ROWS - 1)
    if corners_and_pips[0][1] == NO_PIP:  # Without a domino, the pips on these squares must stay visible.
        canvas.invert(*box)
        return
    canvas.clear(*box)  # The box has rounded corners, where pixels of the map would remain.
    if is_forbidden:
        x0, y0, x1, y1 = box
        for line in ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)):
            canvas.dotted_line(*line)
    else:
        canvas.fill_rounded_box(*box)
    for half, ((x, y), pip) in enumerate(corners_and_pips):
        left = x - before + (before + after + 1 - pip_width(pip, NARROW)) // 2
        right = left + pip_width(pip, NARROW) - 1
        draw_pip(canvas, right, y + 2, pip, NARROW, inverse=not is_forbidden)
        if marks.can_move and not half:  # A line under the half that the arrows move.
            canvas.fill(left, y + PIP_ROWS - 1, right, y + PIP_ROWS - 1, is_forbidden)


def draw_column_letters(canvas: Canvas, layout: MapLayout, marks: Marks, with_keys: bool) -> None:
    """Draw the letters of the columns under the map, and arrowheads for columns out of sight.

    With `with_keys` a letter has the digit to press before it: ``4:d``.
    """
    for index, column in enumerate(layout.columns):
        x = layout.pixels.first_columns[index] + layout.pixels.pip_columns // 2
        canvas.text(
            x,
            widgets.LAST_LINE_ROW,
            f"{column + 1}:{'abcdefg'[column]}" if with_keys else "abcdefg"[column],
            anchor="c",
        )
    if "left" in layout.open_sides:
        canvas.icon(LEFT, widgets.LAST_LINE_ROW + 1, "more-left")
    if "right" in layout.open_sides:
        canvas.icon(layout.pixels.seats_column - 3, widgets.LAST_LINE_ROW + 1, "more-right", "r")


def pip_width(pip: int, face: Face) -> int:
    """The width in pixels of a pip as `draw_pip` draws it."""
    return (
        face.width(str(pip))
        if pip < TWO_DIGIT_PIP
        else face.width(str(pip - TWO_DIGIT_PIP)) + _stroke_columns(face) + 2
    )


def draw_pip(canvas: Canvas, right: int, y: int, pip: int, face: Face, *, inverse: bool = False) -> None:
    """Draw a pip whose last pixel column is `right`. In pips from 10 on the 1 is a thin stroke, to save width."""
    digit_columns = canvas.text(right, y, str(pip % TWO_DIGIT_PIP), face, "r", inverse=inverse)
    if pip >= TWO_DIGIT_PIP:
        stroke = _stroke_columns(face)
        x = right - digit_columns - stroke
        canvas.fill(x, y, x + stroke - 1, y + face.capital_rows - 1, not inverse)
        canvas.fill(x - 1, y + 1, x - 1, y + stroke, not inverse)


def _stroke_columns(face: Face) -> int:
    return 1 if face is TEXT else 2

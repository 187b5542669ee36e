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
from companion.games.ziggurat.grid import AREA, SIDE
from companion.games.ziggurat.judging import Marks, extent
from companion.games.ziggurat.state import VACANT, State
from companion.panel import parts
from companion.panel.canvas import LEFT, LIT, Canvas
from companion.panel.fonts import MIDDLE, NARROW, TEXT, Face

SIGHT = 4
"""How many columns, and how many rows, are in sight."""
LOWEST = 2
"""The lowest column and row in sight, from 0, unless the base needs others: those of c3."""
PITCH, TALL = 14, 13
"""The pixel rows from one square to the next, and the height of a pip."""
NUMBERS = (4, 17, 31, 44)
"""The top pixel rows of the row numbers; they leave room for an arrowhead above the first and below the last."""
TWO_DIGITS_FROM = 10
"""Pips from this one on have two digits.

Heights from this one on are not written: the level is shown beside the map, and squares that can be built on have their
mark.
"""


class Columns(NamedTuple):
    """Pixel columns, which depend on the widest pip of the set.

    Args:
        first_columns: the first column of each square's pip.
        pip_columns: the width of a pip; a dark column and five columns for the height follow.
        columns_before_pip: the columns of a lit square before its pip.
        seats_column: the first column of the seats beside the map.
    """

    lefts: tuple[int, int, int, int]
    pip: int
    before: int
    side: int


ONE_DIGIT, TWO_DIGITS = Columns((10, 27, 44, 61), 7, 1, 77), Columns((8, 27, 45, 63), 11, 0, 83)
COLUMNS = {6: ONE_DIGIT, 9: ONE_DIGIT, 12: TWO_DIGITS}
"""The highest pip of the set → the columns of its map."""
BASE_AFTER, AFTER = 2, 6
"""The columns of a lit square after its pip: on the base, and from level 2 on, where the height is there."""


class Layout(NamedTuple):
    """The part of the map that is in sight.

    Args:
        columns: the four columns in sight, from 0.
        rows: the four rows in sight, from 0.
        open_sides: the sides on which the base may extend further: ``left``, ``right``, ``up``, ``down``.
        pixels: the pixel columns of the panel.
    """

    columns: range
    rows: range
    more: frozenset[str]
    on: Columns

    def corner(self, cell: int) -> tuple[int, int] | None:
        """The left pixel column and top pixel row of a square's pip; None for a square out of sight."""
        column, row = divmod(cell, SIDE)
        if column not in self.columns or row not in self.rows:
            return None
        return self.on.lefts[self.columns.index(column)], PITCH * (self.rows[-1] - row)


def layout(state: State, marks: Marks) -> Layout:
    """The part of the map in sight. It includes all dominoes, and the squares of the draft that the base may cover."""
    columns, rows = extent(state)
    entered = [divmod(cell, SIDE) for cell, _ in marks.squares]
    across = _in_sight(columns, [column for column, _ in entered] or [marks.column])
    up = _in_sight(rows, [row for _, row in entered])
    more = {
        "left": across.start > columns.start,
        "right": across.stop < columns.stop,
        "down": up.start > rows.start,
        "up": up.stop < rows.stop,
    }
    return Layout(across, up, frozenset(side for side, there in more.items() if there), COLUMNS[state.top])


def _in_sight(lines: range, entered: Sequence[int]) -> range:
    """Four of the `lines` (columns or rows) that the base may cover, including those of `entered` that are among them.

    Dominoes already laid are always included: every frame that is still possible contains them.
    """
    start = min(max(LOWEST, lines.start), lines.stop - SIGHT)
    for line in entered:
        if line in lines:
            start = max(min(start, line), line - SIGHT + 1)
    return range(start, start + SIGHT)


def draw(canvas: Canvas, state: State, plan: Layout, marks: Marks, forbidden: bool) -> None:
    """Draw the squares in sight, the row numbers, and the draft; `is_forbidden` says whether the rules refuse it."""
    canvas.icon(0, 0, _cells(state, plan))
    for y, row in zip(NUMBERS, reversed(plan.rows), strict=True):
        canvas.text(LEFT, y, str(row + 1))
    if "up" in plan.more:
        canvas.icon(LEFT, 0, "more-up")
    if "down" in plan.more:
        canvas.icon(LEFT, NUMBERS[-1] + TEXT.capital_rows + 1, "more-down")
    _preview(canvas, state, plan, marks, forbidden)


@lru_cache(maxsize=8)
def _cells(state: State, plan: Layout) -> Image.Image:
    """The squares in sight as a mask. They are most of the picture, and stay the same while a domino is entered."""
    canvas = Canvas()
    free = {cell for place in rules.places(state) for cell in place}
    for cell in range(AREA):
        if plan.corner(cell):
            _cell(canvas, state, plan, cell, free=cell in free)
    return canvas.image


def _cell(canvas: Canvas, state: State, plan: Layout, cell: int, *, free: bool) -> None:
    """Draw a square in sight from above.

    It has its top pip, and from level 2 on right of it the height, or the mark of a free square.
    """
    x, y = plan.corner(cell) or (0, 0)
    pip, height, level = state.pips[cell], state.heights[cell], state.level
    right = x + plan.on.pip - 1
    if height < level - 1:
        _closed(canvas, x, y, right + AFTER - 1, pip)
    elif pip == VACANT:
        if free:
            canvas.fill(x + plan.on.pip // 2, y + TALL // 2, x + plan.on.pip // 2 + 1, y + TALL // 2 + 1)
    else:
        narrow = pip >= TWO_DIGITS_FROM  # A wide pip would touch whatever is left of it.
        draw_pip(canvas, right, y + (2 if narrow and level == 1 else 0), pip, NARROW if narrow else MIDDLE)
        if level > 1 and free:
            canvas.icon(right + 4, y + TALL // 2, "more-up", "c")
        elif level > 1 and height < TWO_DIGITS_FROM:
            canvas.text(right + 2, y + TALL - TEXT.capital_rows, str(height))


def _closed(canvas: Canvas, x0: int, y: int, x1: int, pip: int) -> None:
    """Draw a square that nothing can lie on any more: lightly shaded, with a small pip if a domino lies there."""
    canvas.icon(x0, y, _shading(x1 - x0 + 1))
    if pip != VACANT:
        right = (x0 + x1 + width(pip, TEXT)) // 2
        canvas.clear(right - width(pip, TEXT), y + 2, right + 1, y + TEXT.capital_rows + 3)
        draw_pip(canvas, right, y + 3, pip, TEXT)


@cache
def _shading(wide: int) -> Image.Image:
    """A pattern `width` pixels wide: one lit pixel in four of every second row, shifted from row to row."""
    made = Image.new("1", (wide, TALL))
    for row in range(1, TALL - 1, 2):
        for x in range(row % 4, wide, 4):
            made.putpixel((x, row), LIT)
    return made


def _preview(canvas: Canvas, state: State, plan: Layout, marks: Marks, forbidden: bool) -> None:
    """Draw the draft's squares with its pips: lit, or in a dotted frame if the rules forbid it.

    A pair of squares without a domino is inverted. The pips are smaller here, so that two rows are free above and below
    them, and one between lit squares and others.
    """
    placed = [(corner, pip) for cell, pip in marks.squares if (corner := plan.corner(cell))]
    if not placed:
        return
    before = plan.on.before
    after = plan.on.pip - 1 + (AFTER if state.level > 1 else BASE_AFTER)
    across, down = zip(*(corner for corner, _ in placed), strict=True)
    box = (min(across) - before, min(down), max(across) + after, max(down) + TALL - 1)
    if placed[0][1] == VACANT:  # Without a domino, the pips on these squares must stay visible.
        canvas.invert(*box)
        return
    canvas.clear(*box)  # The box has rounded corners, where pixels of the map would remain.
    if forbidden:
        x0, y0, x1, y1 = box
        for line in ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)):
            canvas.dotted_line(*line)
    else:
        canvas.plate(*box)
    for half, ((x, y), pip) in enumerate(placed):
        left = x - before + (before + after + 1 - width(pip, NARROW)) // 2
        right = left + width(pip, NARROW) - 1
        draw_pip(canvas, right, y + 2, pip, NARROW, inverse=not forbidden)
        if marks.moves and not half:  # A line under the half that the arrows move.
            canvas.fill(left, y + TALL - 1, right, y + TALL - 1, forbidden)


def labels(canvas: Canvas, plan: Layout, marks: Marks, keys: bool) -> None:
    """Draw the letters of the columns under the map, and arrowheads for columns out of sight.

    With `with_keys` a letter has the digit to press before it: ``4:d``.
    """
    for index, column in enumerate(plan.columns):
        x = plan.on.lefts[index] + plan.on.pip // 2
        canvas.text(x, parts.LAST_LINE_ROW, f"{column + 1}:{'abcdefg'[column]}" if keys else "abcdefg"[column], anchor="c")
    if "left" in plan.more:
        canvas.icon(LEFT, parts.LAST_LINE_ROW + 1, "more-left")
    if "right" in plan.more:
        canvas.icon(plan.on.side - 3, parts.LAST_LINE_ROW + 1, "more-right", "r")


def width(pip: int, face: Face) -> int:
    """The width in pixels of a pip as `draw_pip` draws it."""
    return face.width(str(pip)) if pip < TWO_DIGITS_FROM else face.width(str(pip - TWO_DIGITS_FROM)) + _stroke(face) + 2


def draw_pip(canvas: Canvas, right: int, y: int, pip: int, face: Face, *, inverse: bool = False) -> None:
    """Draw a pip whose last pixel column is `right`. In pips from 10 on the 1 is a thin stroke, to save width."""
    wide = canvas.text(right, y, str(pip % TWO_DIGITS_FROM), face, "r", inverse=inverse)
    if pip >= TWO_DIGITS_FROM:
        stroke = _stroke(face)
        x = right - wide - stroke
        canvas.fill(x, y, x + stroke - 1, y + face.capital_rows - 1, not inverse)
        canvas.fill(x - 1, y + 1, x - 1, y + stroke, not inverse)


def _stroke(face: Face) -> int:
    return 1 if face is TEXT else 2

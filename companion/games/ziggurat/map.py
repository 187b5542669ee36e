"""The map of Ziggurat on the panel: four rows and four columns of cells, of one size from the first domino to the last.

Before the frame of the base is known, the map shows four of the columns and four of the rows that the base may come to
cover: those in the middle, or as near to it as what lies there and what is being entered allow. Whatever the rules
allow fits in, since a frame is four wide. An arrowhead beside the row numbers or the column letters says that the base
may grow on that side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.games.ziggurat import rules
from companion.games.ziggurat.grid import AREA, SIDE
from companion.games.ziggurat.likely import extent
from companion.panel import parts
from companion.panel.canvas import LEFT
from companion.panel.fonts import MIDDLE, NARROW, TEXT, Face

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.ziggurat.judging import Marks
    from companion.panel.canvas import Canvas

SIGHT = 4
"""The columns and the rows in sight."""
LOWEST = 2
"""The lowest column and row in sight, from 0, unless the base asks for others: those of c3."""
PITCH, TALL = 14, 13
"""The rows from a cell to the next, and of a pip."""
NUMBERS = (4, 17, 31, 44)
"""The top rows of the row numbers: above the first and below the last is room for an arrowhead."""
UNITS = 10
"""Pips from this on take two digits. From this level on a height is its last digit, and cells that are too low to be
built on have a small pip and no height.
"""


class Columns(NamedTuple):
    """Columns of the panel, which depend on how wide a pip may be.

    Args:
        left: the first column of the first cell's pip.
        pitch: the columns from a cell to the next.
        pip: the columns of a pip, after which come a dark one and five for the height.
        before: the columns that a lit cell has before its pip.
        side: where the seats begin beside the map.
    """

    left: int
    pitch: int
    pip: int
    before: int
    side: int


ONE_DIGIT, TWO_DIGITS = Columns(10, 17, 7, 1, 77), Columns(7, 19, 11, 0, 83)
COLUMNS = {6: ONE_DIGIT, 9: ONE_DIGIT, 12: TWO_DIGITS}
"""The highest pip of the set → the columns of its map."""
LEVEL_AFTER, BASE_AFTER = 6, 2
"""The columns that a lit cell has after its pip: from level 2 on those of the height too."""


class Layout(NamedTuple):
    """What is in sight: four columns and four rows of cells, from 0, and the sides on which there is more."""

    columns: range
    rows: range
    more: frozenset[str]
    on: Columns

    def corner(self, cell: int) -> tuple[int, int] | None:
        """The left column and the top row of a cell's pip; None for a cell out of sight."""
        column, row = divmod(cell, SIDE)
        if column not in self.columns or row not in self.rows:
            return None
        return self.on.left + self.on.pitch * self.columns.index(column), PITCH * (self.rows[-1] - row)


def layout(state: rules.State, marks: Marks) -> Layout:
    """The part of the map in sight: all that lies there and, as far as the base may cover it, what is entered."""
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
    """Four of the lines that the base may cover, which hold all that lies there whichever four they are."""
    start = min(max(LOWEST, lines.start), lines.stop - SIGHT)
    for line in entered:
        if line in lines:
            start = max(min(start, line), line - SIGHT + 1)
    return range(start, start + SIGHT)


def draw(canvas: Canvas, state: rules.State, plan: Layout, marks: Marks, forbidden: bool) -> None:
    """Draw the cells in sight, the row numbers, and what is entered."""
    frames = rules.frames(state) if state.level == 1 else ()
    reach = frozenset[int]().union(*frames)
    sure = reach.intersection(*frames)
    for cell in range(AREA):
        if corner := plan.corner(cell):
            if state.pips[cell] != rules.VACANT:
                _square(canvas, state, plan, corner, cell)
            elif cell in reach:
                _vacant(canvas, corner[0] + plan.on.pip // 2, corner[1] + TALL // 2, cell in sure)
    for y, row in zip(NUMBERS, reversed(plan.rows), strict=True):
        canvas.text(LEFT, y, str(row + 1))
    if "up" in plan.more:
        canvas.icon(LEFT, 0, "more-up")
    if "down" in plan.more:
        canvas.icon(LEFT, NUMBERS[-1] + TEXT.capitals + 1, "more-down")
    _preview(canvas, state, plan, marks, forbidden)


def _vacant(canvas: Canvas, x: int, y: int, sure: bool) -> None:
    """A cell that the base may come to cover; a larger dot where it does whatever its frame will be."""
    if sure:
        canvas.plate(x - 2, y - 2, x + 2, y + 2)
    else:
        canvas.fill(x, y, x + 1, y + 1)


def _square(canvas: Canvas, state: rules.State, plan: Layout, corner: tuple[int, int], cell: int) -> None:
    """A cell from above: its top pip, and to the right of it, from level 2 on, its height."""
    right, y = corner[0] + plan.on.pip - 1, corner[1]
    if state.level >= UNITS and state.heights[cell] < state.level - 1:
        draw_pip(canvas, right, y + 3, state.pips[cell], TEXT)
        return
    draw_pip(canvas, right, y, state.pips[cell], MIDDLE)
    if state.level > 1:
        canvas.text(right + 2, y + TALL - TEXT.capitals, str(state.heights[cell] % UNITS))


def _preview(canvas: Canvas, state: rules.State, plan: Layout, marks: Marks, forbidden: bool) -> None:
    """The cells of the entry lit, with the pips that are to lie there; where the rules forbid it, a frame round those
    that do.

    These pips are smaller, so that two rows stay free above and below them, and one between the lit cells and others.
    """
    placed = [(corner, cell, pip) for cell, pip in marks.squares if (corner := plan.corner(cell))]
    if not placed:
        return
    before, after = plan.on.before, plan.on.pip - 1 + (LEVEL_AFTER if state.level > 1 else BASE_AFTER)
    across, down = zip(*(corner for corner, *_ in placed), strict=True)
    box = (min(across) - before, min(down), max(across) + after, max(down) + TALL - 1)
    canvas.clear(*box)  # Nothing of what lies below stays in the corners.
    if forbidden:
        canvas.box(*box)
    else:
        canvas.plate(*box)
    for (x, y), cell, pip in placed:
        shown = state.pips[cell] if forbidden else pip
        if shown != rules.VACANT:
            left = x - before + (before + after + 1 - width(shown, NARROW)) // 2
            draw_pip(canvas, left + width(shown, NARROW) - 1, y + 2, shown, NARROW, not forbidden)


def labels(canvas: Canvas, plan: Layout, marks: Marks, typed: bool) -> None:
    """The columns under the map: letters, or while an entry is typed the digits to press; an arrowhead before the
    chosen one."""
    for index, column in enumerate(plan.columns):
        x = plan.on.left + plan.on.pitch * index + plan.on.pip // 2
        canvas.text(x, parts.LAST, str(column + 1) if typed else "abcdefg"[column], anchor="c")
        if column == marks.column:
            canvas.icon(x - 4, parts.LAST, "cursor", "r")
    if "left" in plan.more:
        canvas.icon(LEFT, parts.LAST + 1, "more-left")
    if "right" in plan.more:
        canvas.icon(plan.on.side - 3, parts.LAST + 1, "more-right", "r")


def width(pip: int, face: Face) -> int:
    """The width of a pip as `draw_pip` draws it."""
    return face.width(str(pip)) if pip < UNITS else face.width(str(pip - UNITS)) + _stroke(face) + 2


def draw_pip(canvas: Canvas, right: int, y: int, pip: int, face: Face, inverse: bool = False) -> None:
    """A pip that ends on column `right`; from 10 on it is one numeral with a slim 1, so that cells stay narrow."""
    wide = canvas.text(right, y, str(pip % UNITS), face, "r", inverse=inverse)
    if pip >= UNITS:
        stroke = _stroke(face)
        x = right - wide - stroke
        canvas.fill(x, y, x + stroke - 1, y + face.capitals - 1, not inverse)
        canvas.fill(x - 1, y + 1, x - 1, y + stroke, not inverse)


def _stroke(face: Face) -> int:
    return 1 if face is TEXT else 2

"""The map of Ziggurat on the panel: always four rows and four columns of cells, always of the same size.

Until the base's frame (its 4×4 block) is fixed, the map shows four of the columns and four of the rows that the base
may still cover: the middle ones, or the nearest to these that include all dominoes and the entry. Every legal move
fits, since a frame is four cells wide. An arrowhead beside the row numbers or column letters says that the base can
grow on that side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.games.ziggurat import rules
from companion.games.ziggurat.grid import AREA, SIDE
from companion.games.ziggurat.likely import extent
from companion.games.ziggurat.state import VACANT, State
from companion.panel import parts
from companion.panel.canvas import LEFT
from companion.panel.fonts import MIDDLE, NARROW, TEXT, Face

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.ziggurat.judging import Marks
    from companion.panel.canvas import Canvas

SIGHT = 4
"""How many columns, and how many rows, are in sight."""
LOWEST = 2
"""The lowest column and row in sight, from 0, unless the base needs others: those of c3."""
PITCH, TALL = 14, 13
"""The pixel rows from one cell to the next, and the height of a pip."""
NUMBERS = (4, 17, 31, 44)
"""The top pixel rows of the row numbers, which leave room for an arrowhead above the first and below the last."""
UNITS = 10
"""Pips from this on take two digits. From this level on only the last digit of a height is shown, and cells that are
too low to be built on have a small pip and no height.
"""


class Columns(NamedTuple):
    """Pixel columns, which depend on the widest pip of the set.

    Args:
        left: the first column of the first cell's pip.
        pitch: the columns from one cell to the next.
        pip: the width of a pip; it is followed by a dark column and five columns for the height.
        before: the columns of a lit cell before its pip.
        side: the first column of the seats beside the map.
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
"""The columns of a lit cell after its pip: from level 2 on, which has the height there, and on the base."""


class Layout(NamedTuple):
    """The part of the map in sight.

    Args:
        columns: the four columns in sight, from 0.
        rows: the four rows in sight, from 0.
        more: the sides on which the base may extend further: ``left``, ``right``, ``up``, ``down``.
        on: the pixel columns of the panel.
    """

    columns: range
    rows: range
    more: frozenset[str]
    on: Columns

    def corner(self, cell: int) -> tuple[int, int] | None:
        """The left pixel column and top pixel row of a cell's pip; None for a cell out of sight."""
        column, row = divmod(cell, SIDE)
        if column not in self.columns or row not in self.rows:
            return None
        return self.on.left + self.on.pitch * self.columns.index(column), PITCH * (self.rows[-1] - row)


def layout(state: State, marks: Marks) -> Layout:
    """The part of the map in sight: it includes all dominoes, and the entered cells that the base may cover."""
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
    """Draw the cells in sight, the row numbers, and the entry; `forbidden` is whether the rules refuse the entry."""
    frames = rules.frames(state) if state.level == 1 else ()
    reach = frozenset[int]().union(*frames)
    sure = reach.intersection(*frames)
    for cell in range(AREA):
        if corner := plan.corner(cell):
            if state.pips[cell] != VACANT:
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
    """Draw a dot for a vacant cell that the base may cover, a larger one if the cell is in every possible frame."""
    if sure:
        canvas.plate(x - 2, y - 2, x + 2, y + 2)
    else:
        canvas.fill(x, y, x + 1, y + 1)


def _square(canvas: Canvas, state: State, plan: Layout, corner: tuple[int, int], cell: int) -> None:
    """Draw a cell from above: its top pip, and from level 2 on its height to the right of it."""
    right, y = corner[0] + plan.on.pip - 1, corner[1]
    if state.level >= UNITS and state.heights[cell] < state.level - 1:
        draw_pip(canvas, right, y + 3, state.pips[cell], TEXT)
        return
    draw_pip(canvas, right, y, state.pips[cell], MIDDLE)
    if state.level > 1:
        canvas.text(right + 2, y + TALL - TEXT.capitals, str(state.heights[cell] % UNITS))


def _preview(canvas: Canvas, state: State, plan: Layout, marks: Marks, forbidden: bool) -> None:
    """Draw the entry's cells lit, with its pips; if the rules forbid it, a frame around the pips that are there now.

    These pips are smaller, so that two rows are free above and below them, and one between lit cells and others.
    """
    placed = [(corner, cell, pip) for cell, pip in marks.squares if (corner := plan.corner(cell))]
    if not placed:
        return
    before, after = plan.on.before, plan.on.pip - 1 + (LEVEL_AFTER if state.level > 1 else BASE_AFTER)
    across, down = zip(*(corner for corner, *_ in placed), strict=True)
    box = (min(across) - before, min(down), max(across) + after, max(down) + TALL - 1)
    canvas.clear(*box)  # The box has rounded corners, where pixels of the map would remain.
    if forbidden:
        canvas.box(*box)
    else:
        canvas.plate(*box)
    for (x, y), cell, pip in placed:
        shown = state.pips[cell] if forbidden else pip
        if shown != VACANT:
            left = x - before + (before + after + 1 - width(shown, NARROW)) // 2
            draw_pip(canvas, left + width(shown, NARROW) - 1, y + 2, shown, NARROW, inverse=not forbidden)


def labels(canvas: Canvas, plan: Layout, marks: Marks, typed: bool) -> None:
    """Draw the labels under the map: column letters, or with `typed` the digits to press; a cursor before the chosen
    one; arrowheads for columns out of sight."""
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
    """The width in pixels of a pip as `draw_pip` draws it."""
    return face.width(str(pip)) if pip < UNITS else face.width(str(pip - UNITS)) + _stroke(face) + 2


def draw_pip(canvas: Canvas, right: int, y: int, pip: int, face: Face, *, inverse: bool = False) -> None:
    """Draw a pip whose last pixel column is `right`; in pips from 10 on the 1 is a thin stroke, to save width."""
    wide = canvas.text(right, y, str(pip % UNITS), face, "r", inverse=inverse)
    if pip >= UNITS:
        stroke = _stroke(face)
        x = right - wide - stroke
        canvas.fill(x, y, x + stroke - 1, y + face.capitals - 1, not inverse)
        canvas.fill(x - 1, y + 1, x - 1, y + stroke, not inverse)


def _stroke(face: Face) -> int:
    return 1 if face is TEXT else 2

"""Where the cells of Ziggurat lie on the panel, and how a pip is drawn in one.

While the base grows, rows and columns with dominoes get the room, and those that may only come to be covered little:
so the pips stay as large as they can. From level 2 on there are four rows of 14 and four columns of equal width.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.games.ziggurat.grid import SIDE, members
from companion.games.ziggurat.likely import extent
from companion.panel.fonts import MIDDLE, NAME, TEXT, Face

if TYPE_CHECKING:
    from companion.games.ziggurat.rules import State
    from companion.panel.canvas import Canvas

HEIGHT = 56
"""The rows of the map: pages P0 to P6."""
LEFT = 9
"""The first column of the map, right of the row numbers."""
SIDES = {6: 77, 9: 77, 12: 83}
"""The highest pip of the set → where the seats begin beside the map."""


class Layout(NamedTuple):
    """The first and last column of each column of cells, first and last row of each row, and the face of the pips.

    The last row of a cell is the gap below it. `narrow` and `low` are the columns and rows without a domino.
    """

    columns: dict[int, tuple[int, int]]
    rows: dict[int, tuple[int, int]]
    face: Face
    narrow: frozenset[int] = frozenset()
    low: frozenset[int] = frozenset()

    def box(self, cell: int) -> tuple[int, int, int, int] | None:
        """Left, top, right, bottom of a cell; None for one that is not on the map."""
        column, row = divmod(cell, SIDE)
        if column not in self.columns or row not in self.rows:
            return None
        (x0, x1), (y0, y1) = self.columns[column], self.rows[row]
        return x0, y0, x1, y1

    def face_of(self, cell: int) -> Face:
        """The face of a pip in a cell: small where the base has not grown to yet."""
        column, row = divmod(cell, SIDE)
        return TEXT if column in self.narrow or row in self.low else self.face


def layout(state: State) -> Layout:
    """The map of a position."""
    columns, rows = extent(state)
    if state.level > 1:
        first, pitch = (LEFT + 1, 17) if state.top < 10 else (LEFT - 2, 19)
        return Layout(
            {column: (first + pitch * index, first + pitch * (index + 1) - 1) for index, column in enumerate(columns)},
            {row: (14 * index, 14 * index + 13) for index, row in enumerate(reversed(rows))},
            MIDDLE,
        )
    covered = [divmod(cell, SIDE) for cell in members(state.covered)]
    low = frozenset(rows) - {row for _, row in covered}
    narrow = frozenset(columns) - {column for column, _ in covered}
    face, tall, short = _heights(len(rows) - len(low), len(low))
    room = SIDES[state.top] - LEFT - 2
    wide, slim = _widths(len(columns) - len(narrow), len(narrow), room)
    top = (HEIGHT - tall * (len(rows) - len(low)) - short * len(low)) // 2
    return Layout(
        _spread(columns, narrow, wide, slim, LEFT), _spread(rows[::-1], low, tall, short, top), face, narrow, low
    )


def _heights(covered: int, vacant: int) -> tuple[Face, int, int]:
    """The largest face for the rows with dominoes, their pitch, and that of the vacant ones (at least 8)."""
    for face in (MIDDLE, NAME):
        tall = face.capitals + 1
        short = (HEIGHT - tall * covered) // vacant if vacant else 8
        if covered and short >= 8:
            return face, tall, min(short, tall)
    return TEXT, 8, 8


def _widths(covered: int, vacant: int, room: int) -> tuple[int, int]:
    """The pitch of columns with dominoes and of vacant ones."""
    wide = 13 if covered < 2 and room < 70 else 15 if vacant else min(18, room // 4)
    return wide, min(wide, (room - wide * covered) // vacant) if vacant else wide


def _spread(lines: range, small: frozenset[int], most: int, least: int, start: int) -> dict[int, tuple[int, int]]:
    """Each line's first and last pixel, one after the other."""
    placed = {}
    for line in lines:
        end = start + (least if line in small else most)
        placed[line] = (start, end - 1)
        start = end
    return placed


def width(pip: int, face: Face) -> int:
    """The width of a pip as `draw_pip` draws it."""
    return face.width(str(pip)) if pip < 10 else face.width(str(pip - 10)) + _stroke(face) + 2


def draw_pip(canvas: Canvas, right: int, y: int, pip: int, face: Face, inverse: bool = False) -> None:
    """A pip that ends on column `right`; from 10 on it is one numeral with a slim 1, so that cells stay narrow."""
    wide = canvas.text(right, y, str(pip % 10), face, "r", inverse=inverse)
    if pip > 9:
        stroke = _stroke(face)
        x = right - wide - stroke
        canvas.fill(x, y, x + stroke - 1, y + face.capitals - 1, not inverse)
        canvas.fill(x - 1, y + 1, x - 1, y + stroke, not inverse)


def _stroke(face: Face) -> int:
    return 1 if face is TEXT else 2

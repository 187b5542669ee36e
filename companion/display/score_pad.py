"""Draws the score pad: a cell for each player, the one under the cursor on a plate, and its sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.panel import widgets
from companion.panel.canvas import HEIGHT, LEFT, RIGHT
from companion.panel.fonts import BIG, CONDENSED, MIDDLE, TEXT, WORD_FACES, cut_text, fits_width
from companion.panel.seat_tabs import SHAPE_COLUMNS, draw_seat_shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.display.key_hints import KeyHints
    from companion.evening.contents.kinds import Scores, Sheet
    from companion.panel.canvas import Canvas
    from companion.panel.fonts import Face

PADDING, NAME_GAP = 3, 4
"""Columns between a cell's edge and what is in it, and between a name and its points."""
CELL_COLUMNS, STACKED_ROWS = 62, 30
"""Columns of one of two cells side by side, and the fewest rows of a cell with the points below the name."""
STACKED_FACES: tuple[tuple[Face, int], ...] = ((BIG, 2), (MIDDLE, 2), (BIG, 1), (MIDDLE, 1), (CONDENSED, 1), (TEXT, 1))
"""The faces of points below a name, and how many times as large they are; the first one that fits is used."""
MAX_SHAPES, MIN_NAME_COLUMNS = 3, 18
"""The most players who have their seats' shapes, and the fewest columns that points leave for a name."""
VISIBLE_TURNS, FIRST_TURN_ROW, TURN_PITCH, SUM_ROW = 3, 17, 8, 43
"""Turns of the sheet that are visible at a time, their first row and distance, and the row of the totals below."""
MAX_ARROW_NAME_COLUMNS, MIN_ARROW_NAME_COLUMNS = 30, 14
"""The most columns of a name beside an arrow, and the fewest; with less room the arrow stands alone."""


class Cell(NamedTuple):
    """A player's cell: the points, and what is being added to them; the seat of its shape, 0 for none; where it is."""

    name: str
    points: tuple[str, ...]
    is_on: bool
    seat: int
    x0: int
    y0: int
    x1: int
    y1: int


def draw_scores(canvas: Canvas, content: Scores, hints: KeyHints) -> None:
    """Draw every player's points, what is being added to them, and what OK does.

    In the rest view the points take the whole panel.
    """
    count = len(content.players)
    across = 1 if count == MAX_SHAPES else 2
    pitch = (HEIGHT if content.at_rest else widgets.LAST_LINE_ROW - 2) // -(-count // across)
    for index, player in enumerate(content.players):
        row, column = divmod(index, across)
        is_on = index + 1 == content.seat
        points: tuple[str, ...] = (str(player.total),)
        if is_on and content.total is not None and int(content.change):
            before, sign, change = content.total - int(content.change), content.change[0], content.change[1:]
            points = (f"{before} {sign} {change}", str(content.total))
        elif is_on and content.change and content.total is None:
            points = (str(player.total), content.change)
        x0 = RIGHT - CELL_COLUMNS + 1 if column else LEFT
        # A last player who is alone in a row gets all of it.
        x1 = RIGHT if column or across == 1 or index == count - 1 else x0 + CELL_COLUMNS - 1
        seat = index + 1 if count <= MAX_SHAPES else 0
        cell = Cell(player.name, points, is_on, seat, x0, row * pitch, x1, (row + 1) * pitch - 2)
        if is_on:
            canvas.fill_rounded_box(*cell[-4:])
        (_draw_stacked if pitch >= STACKED_ROWS else _draw_beside)(canvas, cell)
    if not content.at_rest:
        widgets.draw_footer(canvas, *hints.ok_and_back_labels(), content.line)


def _draw_stacked(canvas: Canvas, cell: Cell) -> None:
    """Draw a name, below it a sum, if there is one, and its points, as large as they fit."""
    _draw_name(canvas, cell, cell.y0 + 3, cell.x1 - PADDING)
    top = cell.y0 + 3 + CONDENSED.capital_rows
    middle, room = (cell.x0 + cell.x1 + 1) // 2, cell.x1 - cell.x0 - 2 * PADDING
    *sums, number = cell.points
    for words in sums:
        words = words if fits_width(words, TEXT, room) else words.partition(" ")[2]
        canvas.fitted_text(middle, top + 3, words, WORD_FACES, room, anchor="c", inverse=cell.is_on)
        top += widgets.LINE_PITCH
    fits = (
        (face, scale)
        for face, scale in STACKED_FACES
        if face.capital_rows * scale < cell.y1 - top and face.width(number) * scale <= room
    )
    face, scale = next(fits, (TEXT, 1))
    y = top + (cell.y1 - top - face.capital_rows * scale) // 2 + 1
    canvas.large_text(middle, y, number, face, scale, inverse=cell.is_on)


def _draw_beside(canvas: Canvas, cell: Cell) -> None:
    """Draw a name and its points in a line. Points that leave no room for the whole name are smaller.

    The sum is left out where even that is not enough.
    """
    faces = [face for face in (MIDDLE, CONDENSED) if face.capital_rows + 2 <= cell.y1 - cell.y0 + 1]
    tried = [(" = ".join(cell.points), face) for face in faces] + [(cell.points[-1], face) for face in (*faces, TEXT)]
    room = cell.x1 - cell.x0 - 2 * PADDING - NAME_GAP - SHAPE_COLUMNS * bool(cell.seat)
    whole = (each for each in tried if each[1].width(each[0]) + TEXT.width(cell.name) <= room)
    sums = [(" = ".join(cell.points), CONDENSED)] if cell.seat and cell.points[1:] else []
    large = (each for each in [*sums, *tried[len(faces) :]] if each[1].width(each[0]) + MIN_NAME_COLUMNS <= room)
    points, face = next(whole, None) or next(large, tried[-1])
    middle = (cell.y0 + cell.y1 + 1) // 2
    end = cell.x1 - PADDING
    end -= canvas.text(end, middle - face.capital_rows // 2, points, face, "r", inverse=cell.is_on) + NAME_GAP
    _draw_name(canvas, cell, middle - CONDENSED.capital_rows // 2, end)


def _draw_name(canvas: Canvas, cell: Cell, y: int, x1: int) -> None:
    """Draw the shape of a seat, if it has one here, and the player's name up to column `x1`."""
    x0 = cell.x0 + PADDING
    if cell.seat:
        draw_seat_shape(canvas, x0, y, cell.seat, inverse=cell.is_on)
        x0 += SHAPE_COLUMNS
    canvas.fitted_text(x0, y, cell.name, WORD_FACES, x1 - x0 + 1, inverse=cell.is_on)


def draw_sheet(canvas: Canvas, content: Sheet, hints: KeyHints) -> None:
    """Draw the sheet: what each player got turn by turn, and the totals below, for as many players as have room."""
    rows, players = content.rows, len(content.names)
    cells = [*(cell for row in rows for cell in row if cell is not None), *content.totals]
    number = TEXT.width(str(len(rows)))
    wide = max(24, *(TEXT.width(str(cell)) for cell in cells))
    edge = widgets.draw_scrollbar(canvas, content.row, VISIBLE_TURNS, len(rows), y1=40) - 1
    across = min(players, (edge - LEFT - number) // (wide + 6))
    first = min(content.column, players - across)
    pitch = (edge - LEFT - number) // across
    visible = rows[content.row : content.row + VISIBLE_TURNS]
    for place, seat in enumerate(range(first, first + across), 1):
        x = LEFT + number + pitch * place
        canvas.text(x, 4, cut_text(content.names[seat], TEXT, pitch - 5, canvas.names), TEXT, "r")
        for line, row in enumerate(visible):
            canvas.text(x, FIRST_TURN_ROW + TURN_PITCH * line, "-" if row[seat] is None else str(row[seat]), TEXT, "r")
        canvas.text(x, SUM_ROW, str(content.totals[seat]), TEXT, "r")
    canvas.hline(15)
    for line in range(len(visible)):
        canvas.text(LEFT, FIRST_TURN_ROW + TURN_PITCH * line, str(content.row + line + 1), TEXT)
    canvas.hline(SUM_ROW - 2)
    canvas.text(LEFT, SUM_ROW, "=", TEXT)
    _draw_hidden_neighbours(canvas, content.names, first, first + across, uses_buttons=hints.uses_buttons)
    if len(rows) > VISIBLE_TURNS:
        hints.draw_up_down_keys()


def _draw_hidden_neighbours(
    canvas: Canvas, names: Sequence[str], first: int, after: int, *, uses_buttons: bool
) -> None:
    """Draw in the footer which players stand left and right of the visible ones, and the keys that lead there."""
    x, end = canvas.free_columns
    neighbours = [("left", "D", names[first - 1])] if first else []
    neighbours += [("right", "B", names[after])] if after < len(names) else []
    for arrow, key, name in neighbours:
        x += 0 if uses_buttons else canvas.text(x, widgets.LAST_LINE_ROW, widgets.key_name(key)) + 2
        x += canvas.icon(x, widgets.LAST_LINE_ROW + 2, arrow) + 3
        if (room := min(MAX_ARROW_NAME_COLUMNS, end - x)) >= MIN_ARROW_NAME_COLUMNS:
            x += (
                canvas.text(x, widgets.LAST_LINE_ROW, cut_text(name, TEXT, room, canvas.names))
                + widgets.LABEL_GAP_COLUMNS
            )
    canvas.free_columns = (x, end)

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
VISIBLE_TURNS, FIRST_TURN_ROW, TURN_PITCH, SUM_ROW = 2, 16, 11, 40
"""Turns of the sheet that are visible at a time, their first row and distance, and the row of the totals below."""
MAX_ARROW_NAME_COLUMNS, MIN_ARROW_NAME_COLUMNS = 30, 14
"""The most columns of a name beside an arrow, and the fewest; with less room the arrow stands alone."""


class Cell(NamedTuple):
    """A player's cell: the points and the sum that leads to them; the seat of its shape, 0 for none; where it is."""

    name: str
    sum: str
    points: str
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
        points, sum_ = str(player.total), ""
        if is_on and content.total is not None and (content.correction or int(content.change)):
            before, sign, change = content.total - int(content.change), content.change[0], content.change[1:]
            points, sum_ = str(content.total), content.correction or f"{before} {sign} {change} ="
            sum_ += " →" * bool(content.correction and pitch < STACKED_ROWS)
        elif is_on and content.change and content.total is None:
            points = f"{player.total} {content.change}"
        x0 = RIGHT - CELL_COLUMNS + 1 if column else LEFT
        # A last player who is alone in a row gets all of it.
        x1 = RIGHT if column or across == 1 or index == count - 1 else x0 + CELL_COLUMNS - 1
        seat = index + 1 if count <= MAX_SHAPES else 0
        cell = Cell(player.name, sum_, points, is_on, seat, x0, row * pitch, x1, (row + 1) * pitch - 2)
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
    if cell.sum:
        words = cell.sum if fits_width(cell.sum, TEXT, room) else cell.sum.partition(" ")[2]
        canvas.fitted_text(middle, top + 3, words, WORD_FACES, room, anchor="c", inverse=cell.is_on)
        top += widgets.LINE_PITCH
    fits = (
        (face, scale)
        for face, scale in STACKED_FACES
        if face.capital_rows * scale < cell.y1 - top and face.width(cell.points) * scale <= room
    )
    face, scale = next(fits, (TEXT, 1))
    y = top + (cell.y1 - top - face.capital_rows * scale) // 2 + 1
    canvas.large_text(middle, y, cell.points, face, scale, inverse=cell.is_on)


def _draw_beside(canvas: Canvas, cell: Cell) -> None:
    """Draw a name, the sum in the words' face, and the points, in a line.

    With a shape for the seat the name is cut for the sum, so that typed points never look as if they were entered;
    otherwise a sum that leaves no room for the whole name is left out. Then points get smaller before the name is cut.
    """
    faces = [face for face in (MIDDLE, CONDENSED, TEXT) if face.capital_rows + 2 <= cell.y1 - cell.y0 + 1]
    room = cell.x1 - cell.x0 - 2 * PADDING - NAME_GAP - SHAPE_COLUMNS * bool(cell.seat)
    whole_name = TEXT.width(cell.name)
    tried = [(cell.sum, face, MIN_NAME_COLUMNS if cell.seat else whole_name) for face in faces[:-1] if cell.sum]
    tried += [("", face, name) for name in (whole_name, MIN_NAME_COLUMNS) for face in faces]
    fits = (
        (words, face)
        for words, face, name in tried
        if _sum_columns(words) + face.width(cell.points) + min(name, whole_name) <= room
    )
    words, face = next(fits, ("", TEXT))
    middle = (cell.y0 + cell.y1 + 1) // 2
    end = cell.x1 - PADDING
    end -= canvas.text(end, middle - face.capital_rows // 2, cell.points, face, "r", inverse=cell.is_on) + NAME_GAP
    if words:
        y = middle - CONDENSED.capital_rows // 2
        end -= canvas.text(end, y, words, CONDENSED, "r", inverse=cell.is_on) + NAME_GAP
    _draw_name(canvas, cell, middle - CONDENSED.capital_rows // 2, end)


def _sum_columns(words: str) -> int:
    """The columns of a sum before the points."""
    return CONDENSED.width(words) + NAME_GAP if words else 0


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
    number = CONDENSED.width(str(len(rows)))
    wide = max(24, *(CONDENSED.width(str(cell)) for cell in cells))
    edge = widgets.draw_scrollbar(canvas, content.row, VISIBLE_TURNS, len(rows), y0=16, y1=36) - 1
    across = min(players, (edge - LEFT - number) // (wide + 6))
    first = min(content.column, players - across)
    pitch = (edge - LEFT - number) // across
    visible = rows[content.row : content.row + VISIBLE_TURNS]
    for place, seat in enumerate(range(first, first + across), 1):
        x = LEFT + number + pitch * place
        name = content.names[seat]
        face = next((face for face in WORD_FACES if face.width(name) <= pitch - 5), CONDENSED)
        canvas.text(x, widgets.TITLE_ROW, cut_text(name, face, pitch - 5, canvas.names), face, "r")
        for line, row in enumerate(visible):
            words = "-" if row[seat] is None else str(row[seat])
            canvas.text(x, FIRST_TURN_ROW + TURN_PITCH * line, words, CONDENSED, "r")
        canvas.text(x, SUM_ROW, str(content.totals[seat]), CONDENSED, "r")
    canvas.hline(13)
    for line in range(len(visible)):
        canvas.text(LEFT, FIRST_TURN_ROW + TURN_PITCH * line, str(content.row + line + 1), TEXT)
    canvas.hline(SUM_ROW - 3)
    canvas.text(LEFT, SUM_ROW, "=", CONDENSED)
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

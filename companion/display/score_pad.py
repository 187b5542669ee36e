"""Draws the score pad: a cell for each player, the one under the cursor inverted, and the draft below them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.display.key_hints import cut_player_name_in
from companion.languages import Text, text, translate
from companion.panel import widgets
from companion.panel.canvas import HEIGHT, LEFT, LINE_COLUMNS, RIGHT, Canvas
from companion.panel.fonts import BIG, MIDDLE, NAME, NAME_FACES, NARROW, TEXT, Face, cut_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.display.key_hints import KeyHints
    from companion.evening.contents.kinds import Scores, Sheet

CELLS_TOP_ROW, CELLS_BOTTOM_ROW = 10, 52
"""The first row of the cells, and the row of the line below them."""
SHORTEST_NAME_COLUMNS = 17
"""Columns of a long name that is cut to ``A…e``."""
BUTTONS_HELP, KEYPAD_HELP = text("▴▾± ◂▸ player"), text("A+ C- D◂▸B next")
"""What the arrows do, on buttons and on a keypad."""
FIRST_KEYPAD_HELP = text("type the points")
"""What players with a keypad do first, while the pad is empty."""
ENTER_ARROWS = "◂▸"
"""The arrows that enter points on buttons, besides OK, since they choose another player."""
HOLD_HINT, ERASE_HINT = text("hold: 10"), text("erase")
"""What a held arrow counts by, and what BACK does."""
HOLD_HINT_POINTS = range(4, 7)
"""The points, counted up one by one, at which the panel says what a held arrow does."""
POINTS_COLUMNS = 57
"""Columns for the points in a cell."""
TALL_CELL_ROWS = 21
"""The most rows of a cell in which the name is beside the points, not above them."""
HEADING_GAP_COLUMNS, MIN_LAST_ENTRY_COLUMNS = 6, 60
"""Columns between the texts of the first row, and the fewest for the last entry."""
VISIBLE_TURNS, SUM_ROW = 3, 46
"""Turns of the sheet that are visible at a time, and the row of the totals below them."""
MAX_ARROW_NAME_COLUMNS, MIN_ARROW_NAME_COLUMNS = 30, 14
"""The most columns of a name beside an arrow, and the fewest; with less room the arrow stands alone."""
CROWN_COLUMNS, CROWNED_NAME_COLUMNS = 9, 29
"""Columns of the crown of who is ahead, and of a name beside it, in which five letters fit."""


class PointsStyle(NamedTuple):
    """How points are drawn: their face, how many times as large it is, and whether the name stands above them."""

    face: Face
    scale: int = 1
    has_name_above: bool = False


class Cell(NamedTuple):
    """A player's cell, in the columns from `x0` to `x1`, with the points in letters."""

    name: str
    points: str
    is_leading: bool
    x0: int
    x1: int

    def name_columns(self, style: PointsStyle) -> int:
        """The columns for the name and the crown before it."""
        return self.x1 - self.x0 - (5 if style.has_name_above else 6 + style.face.width(self.points))

    def fits_whole_name(self, face: Face) -> bool:
        """Whether the whole name, after its crown, has room beside the points."""
        wide = TEXT.width(self.name) + CROWN_COLUMNS * self.is_leading
        return face.has_glyphs(self.points) and wide <= self.name_columns(PointsStyle(face))

    def has_room_for_crown(self, style: PointsStyle) -> bool:
        """Whether there is room for a crown beside the name, which may be cut if it is long."""
        return self.name_columns(style) >= min(TEXT.width(self.name), CROWNED_NAME_COLUMNS) + CROWN_COLUMNS


def draw_scores(canvas: Canvas, content: Scores, hints: KeyHints) -> None:
    """Draw the pad in play: its game, the last entry, every player's points, the draft and the new total.

    In the rest view the points take the whole panel.
    """
    top, floor = (0, HEIGHT) if content.at_rest else (CELLS_TOP_ROW, CELLS_BOTTOM_ROW)
    last = len(content.players) - 1
    # There are two columns; a last player who is alone in a row gets all of it.
    columns = [(65, RIGHT) if at % 2 else (LEFT, RIGHT if at == last else 62) for at in range(last + 1)]
    cells = [
        Cell(name, str(total), leads, *x) for (name, total, leads), x in zip(content.players, columns, strict=True)
    ]
    pitch = (floor - top) // (last // 2 + 1)
    styles = _points_styles(cells, pitch, at_rest=content.at_rest)
    if not all(cell.has_room_for_crown(each) for cell, each in zip(cells, styles, strict=True) if cell.is_leading):
        # Without this, only some of those who share the lead would have a crown.
        cells = [cell._replace(is_leading=False) for cell in cells]
        styles = _points_styles(cells, pitch, at_rest=content.at_rest)
    for at, cell in enumerate(cells):
        _draw_cell(canvas, cell, styles[at], top + at // 2 * pitch, pitch, is_chosen=at + 1 == content.seat)
    if content.at_rest:
        return
    _draw_heading(canvas, content)
    canvas.hline(CELLS_BOTTOM_ROW)
    if content.line:
        canvas.text(1, widgets.LAST_LINE_ROW, cut_text(content.line, TEXT, LINE_COLUMNS, canvas.names))
    elif content.change:
        _draw_change(canvas, content, uses_buttons=hints.uses_buttons)
    else:
        _draw_key_help(canvas, content, hints)


def _draw_heading(canvas: Canvas, content: Scores) -> None:
    """Draw the first row: the game, how it ends, and the last entry.

    Where there is no room for all of it, the less important part of how it ends is left out, then the game. If the row
    says who deals, the last entry is left out instead.
    """
    title, last = content.title, content.last
    rooms = [(note, LINE_COLUMNS - (TEXT.width(note) + HEADING_GAP_COLUMNS if note else 0)) for note in content.notes]
    note, room = next(((note, room) for note, room in rooms if TEXT.width(title) <= room), rooms[-1])
    if last and TEXT.width(title) + HEADING_GAP_COLUMNS + TEXT.width(last) > room:
        keeps_title = isinstance(title, Text) or room < MIN_LAST_ENTRY_COLUMNS
        title, last = (title, "") if keeps_title else ("", last)
    left = TEXT.width(title) + HEADING_GAP_COLUMNS if title else 0
    wide = canvas.text(LEFT, 1, cut_text(cut_player_name_in(title, room, canvas.names), TEXT, room, canvas.names))
    if last and room - left >= MIN_LAST_ENTRY_COLUMNS:
        canvas.text(RIGHT, 1, cut_player_name_in(last, room - left, canvas.names), TEXT, "r")
        canvas.text(LEFT + (wide + HEADING_GAP_COLUMNS if title else 0), 1, note)
    else:
        canvas.text(RIGHT, 1, note, TEXT, "r")


def _points_styles(cells: Sequence[Cell], pitch: int, *, at_rest: bool) -> list[PointsStyle]:
    """How the points of each player are drawn in cells of `pitch` rows.

    Points below names are alike for all players. Points beside names are as large as leaves each name whole, but in the
    rest view the points come first.
    """

    def fits(face: Face, scale: int = 1) -> bool:
        return all(face.has_glyphs(cell.points) and face.width(cell.points) * scale <= POINTS_COLUMNS for cell in cells)

    if pitch > 2 * TALL_CELL_ROWS and fits(MIDDLE, 2):
        return [PointsStyle(MIDDLE, 2, has_name_above=True)] * len(cells)
    if pitch > TALL_CELL_ROWS or (len(cells) in (3, 4) and not all(cell.fits_whole_name(TEXT) for cell in cells)):
        above = (BIG, MIDDLE, NAME, NARROW) if pitch > TALL_CELL_ROWS else (NAME, NARROW)
        return [PointsStyle(next(filter(fits, above), TEXT), has_name_above=True)] * len(cells)
    faces = [face for face in (MIDDLE, NAME, NARROW) if face.capital_rows + 2 <= pitch]
    return [PointsStyle(_face_beside_name(cell, faces, at_rest=at_rest)) for cell in cells]


def _face_beside_name(cell: Cell, faces: Sequence[Face], *, at_rest: bool) -> Face:
    """The face of a player's points beside the name.

    It is the largest one that leaves the name whole. If the name is too long for any, it is the smallest one, which
    leaves most of the name, or in the rest view the largest.
    """
    if not at_rest and cell.fits_whole_name(TEXT):
        return next(filter(cell.fits_whole_name, faces), TEXT)
    room = POINTS_COLUMNS - SHORTEST_NAME_COLUMNS
    sizes = faces if at_rest else faces[::-1]
    return next((face for face in sizes if face.has_glyphs(cell.points) and face.width(cell.points) <= room), TEXT)


def _draw_cell(canvas: Canvas, cell: Cell, style: PointsStyle, y0: int, pitch: int, *, is_chosen: bool) -> None:
    """Draw a player's cell from row `y0`, the name above the points if there are enough rows, else beside them."""
    (name, points, leads, x0, x1), (face, scale, above) = cell, style
    y1 = y0 + pitch - 2
    if is_chosen:
        canvas.fill_rounded_box(x0, y0, x1, y1)
    faces: tuple[Face, ...] = (TEXT,)
    if above:
        x, y = x0 + 3, y0 + 1
        if pitch >= 2 * TALL_CELL_ROWS:
            faces, y = NAME_FACES, y0 + 2
        top = (y + faces[0].capital_rows + y1 + 1 - face.capital_rows * scale) // 2
        canvas.large_text((x0 + x1) // 2, top, points, face, scale, inverse=is_chosen)
    else:
        middle = y0 + (pitch - 1) // 2
        x, y = x0 + 2, middle - TEXT.capital_rows // 2
        canvas.text(x1 - 2, middle - face.capital_rows // 2, points, face, "r", inverse=is_chosen)
    if leads:
        canvas.icon(x, y + (faces[0].capital_rows - 4) // 2, "crown", inverse=is_chosen)
    canvas.fitted_text(
        x + CROWN_COLUMNS * leads, y, name, faces, cell.name_columns(style) - CROWN_COLUMNS * leads, inverse=is_chosen
    )


def _draw_change(canvas: Canvas, content: Scores, *, uses_buttons: bool) -> None:
    """Draw the last rows: the points in the draft, and the new total that OK enters."""
    # Numbers are never cut for a name.
    is_crowded = content.total is not None and TEXT.width(str(content.total)) > 36
    faces = (TEXT,) if content.limit or is_crowded else (NAME, NARROW, TEXT)
    wide = canvas.fitted_text(LEFT + 1, 56 if content.limit else 54, content.change, faces, 60)
    if content.limit:
        canvas.text(RIGHT, 56, content.limit, TEXT, "r")
    elif content.total is not None:
        total_text, arrows_enter = f": {content.total}", uses_buttons and content.change != "+0"
        key, steps = widgets.key_label(uses_buttons, "")[0], abs(int(content.change))
        hint = (
            ""
            if not uses_buttons
            else translate(HOLD_HINT)
            if steps in HOLD_HINT_POINTS
            else f"↩ {translate(ERASE_HINT)}"
        )
        room = RIGHT - LEFT - wide - 13 - TEXT.width(total_text) - TEXT.width(key)
        room -= (TEXT.width(ENTER_ARROWS) + 6) * arrows_enter  # The arrows are never left out for a long name.
        name = content.players[content.seat - 1].name
        # With buttons a name without room beside the hint for BACK is left out: its player's cell is lit.
        beside = room - (TEXT.width(hint) + 2 * widgets.LABEL_GAP_COLUMNS) * bool(hint)
        has_room_for_name = TEXT.width(name) <= beside
        shown = (
            cut_text(name, TEXT, room, canvas.names) + total_text
            if has_room_for_name or (not hint and room >= SHORTEST_NAME_COLUMNS)
            else f"={total_text[1:]}"
        )
        right = RIGHT - canvas.text(RIGHT, widgets.LAST_LINE_ROW, shown, TEXT, "r") - 3
        right -= canvas.tag(right, widgets.LAST_LINE_ROW, key, "r")
        left = LEFT + wide + widgets.LABEL_GAP_COLUMNS
        if arrows_enter and TEXT.width(ENTER_ARROWS) + 3 <= right - left:
            right -= canvas.text(right - 3, widgets.LAST_LINE_ROW, ENTER_ARROWS, TEXT, "r") + 3
        if hint and TEXT.width(hint) + 2 * widgets.LABEL_GAP_COLUMNS <= right - left:
            canvas.text(left + widgets.LABEL_GAP_COLUMNS, widgets.LAST_LINE_ROW, hint)
    else:
        canvas.text(RIGHT, widgets.LAST_LINE_ROW, text("points?"), TEXT, "r")


def _draw_key_help(canvas: Canvas, content: Scores, hints: KeyHints) -> None:
    """Draw the last row: what the arrows do, and how to leave."""
    widgets.draw_footer(canvas, None, hints.ok_and_back_labels()[1])
    first, last = canvas.free_columns
    words = translate(BUTTONS_HELP if hints.uses_buttons else KEYPAD_HELP if content.last else FIRST_KEYPAD_HELP)
    canvas.text(first, widgets.LAST_LINE_ROW, words if TEXT.width(words) <= last - first else words.rpartition(" ")[0])


def draw_sheet(canvas: Canvas, content: Sheet, hints: KeyHints) -> None:
    """Draw the sheet: what each player got turn by turn, and the totals below, for as many players as have room."""
    rows, players = content.rows, len(content.names)
    cells = [*(cell for row in rows for cell in row if cell is not None), *content.totals]
    number = TEXT.width(str(len(rows)))
    wide = max(24, *(TEXT.width(str(cell)) for cell in cells))
    edge = widgets.draw_scrollbar(canvas, content.row, VISIBLE_TURNS, len(rows), y1=42) - 1
    across = min(players, (edge - LEFT - number) // (wide + 6))
    first = min(content.column, players - across)
    pitch = (edge - LEFT - number) // across
    visible = rows[content.row : content.row + VISIBLE_TURNS]
    for place, seat in enumerate(range(first, first + across), 1):
        x = LEFT + number + pitch * place
        canvas.text(x, 4, cut_text(content.names[seat], TEXT, pitch - 5, canvas.names), TEXT, "r")
        for line, row in enumerate(visible):
            canvas.text(x, 18 + 9 * line, "-" if row[seat] is None else str(row[seat]), TEXT, "r")
        canvas.text(x, SUM_ROW, str(content.totals[seat]), TEXT, "r")
    canvas.hline(15)
    for line in range(len(visible)):
        canvas.text(LEFT, 18 + 9 * line, str(content.row + line + 1))
    canvas.hline(SUM_ROW - 2)
    canvas.text(LEFT, SUM_ROW, "=")
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
        x += 0 if uses_buttons else canvas.text(x, widgets.LAST_LINE_ROW, key) + 2
        x += canvas.icon(x, widgets.LAST_LINE_ROW + 2, arrow) + 3
        if (room := min(MAX_ARROW_NAME_COLUMNS, end - x)) >= MIN_ARROW_NAME_COLUMNS:
            x += (
                canvas.text(x, widgets.LAST_LINE_ROW, cut_text(name, TEXT, room, canvas.names))
                + widgets.LABEL_GAP_COLUMNS
            )
    canvas.free_columns = (x, end)

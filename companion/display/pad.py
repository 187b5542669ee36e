"""Draws the score pad: a cell for each player, the one under the cursor inverted, and the draft below them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.display.key_hints import cut_name
from companion.languages import Text, translate, text
from companion.panel import parts
from companion.panel.canvas import HEIGHT, LEFT, RIGHT, LINE_COLUMNS, Canvas
from companion.panel.fonts import BIG, MIDDLE, NAME, NAME_FACES, NARROW, TEXT, Face, cut_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.display.key_hints import KeyHints
    from companion.evening.contents.kinds import Scores, Sheet

TOP, FLOOR = 10, 52
"""The first row of the cells, and the row of the line below them."""
SHORTEST = 17
"""Columns of a long name that is cut to ``A…e``."""
PICKED, TYPED = text("▴▾± ◂▸ player"), text("A+ C- D◂▸B next")
"""What the arrows do, on buttons and on a keypad."""
FIRST = text("type the points")
"""What players with a keypad do first, while the pad is empty."""
ENTERS = "◂▸"
"""The arrows that enter points on buttons, besides OK, since they choose another player."""
HELD, ERASED = text("hold: 10"), text("erase")
"""What a held arrow counts by, and what BACK does."""
STEPS = range(4, 7)
"""The points, counted up one by one, at which the panel says what a held arrow does."""
CELL = 57
"""Columns for the points in a cell."""
TALL = 21
"""The most rows of a cell in which the name is beside the points, not above them."""
APART, LEAST = 6, 60
"""Columns between the texts of the first row, and the fewest for the last entry."""
ROUNDS, SUM = 3, 46
"""Turns of the sheet that are visible at a time, and the row of the totals below them."""
NAMED, LEAST_NAMED = 30, 14
"""The most columns of a name beside an arrow, and the fewest; with less room the arrow stands alone."""
CROWN, CROWNED = 9, 29
"""Columns of the crown of who is ahead, and of a name beside it, in which five letters fit."""


class Faced(NamedTuple):
    """How points are drawn: their face, how many times as large it is, and whether the name stands above them."""

    face: Face
    scale: int = 1
    above: bool = False


class Cell(NamedTuple):
    """A player's cell, in the columns from `x0` to `x1`, with the points in letters."""

    name: str
    points: str
    leads: bool
    x0: int
    x1: int

    def room(self, faced: Faced) -> int:
        """The columns for the name and the crown before it."""
        return self.x1 - self.x0 - (5 if faced.above else 6 + faced.face.width(self.points))

    def is_whole(self, face: Face) -> bool:
        """Whether the whole name, after its crown, has room beside the points."""
        wide = TEXT.width(self.name) + CROWN * self.leads
        return face.has_glyphs(self.points) and wide <= self.room(Faced(face))

    def has_crown(self, faced: Faced) -> bool:
        """Whether there is room for a crown beside the name, which may be cut if it is long."""
        return self.room(faced) >= min(TEXT.width(self.name), CROWNED) + CROWN


def draw_scores(c: Canvas, content: Scores, hints: KeyHints) -> None:
    """Draw the pad in play: its game, the last entry, every player's points, the draft and the new total.

    In the rest view the points take the whole panel.
    """
    top, floor = (0, HEIGHT) if content.at_rest else (TOP, FLOOR)
    last = len(content.players) - 1
    # There are two columns; a last player who is alone in a row gets all of it.
    columns = [(65, RIGHT) if at % 2 else (LEFT, RIGHT if at == last else 62) for at in range(last + 1)]
    cells = [
        Cell(name, str(total), leads, *x) for (name, total, leads), x in zip(content.players, columns, strict=True)
    ]
    pitch = (floor - top) // (last // 2 + 1)
    faced = _faces(cells, pitch, at_rest=content.at_rest)
    if not all(cell.has_crown(each) for cell, each in zip(cells, faced, strict=True) if cell.leads):
        # Without this, only some of those who share the lead would have a crown.
        cells = [cell._replace(leads=False) for cell in cells]
        faced = _faces(cells, pitch, at_rest=content.at_rest)
    for at, cell in enumerate(cells):
        _draw_cell(c, cell, faced[at], top + at // 2 * pitch, pitch, chosen=at + 1 == content.seat)
    if content.at_rest:
        return
    _draw_heading(c, content)
    c.hline(FLOOR)
    if content.line:
        c.text(1, parts.LAST_LINE_ROW, cut_text(content.line, TEXT, LINE_COLUMNS, c.names))
    elif content.change:
        _draw_change(c, content, buttons=hints.buttons)
    else:
        _draw_keys(c, content, hints)


def _draw_heading(c: Canvas, content: Scores) -> None:
    """Draw the first row: the game, how it ends, and the last entry.

    Where there is no room for all of it, the less important part of how it ends is left out, then the game. If the row
    says who deals, the last entry is left out instead.
    """
    title, last = content.title, content.last
    rooms = [(note, LINE_COLUMNS - (TEXT.width(note) + APART if note else 0)) for note in content.notes]
    note, room = next(((note, room) for note, room in rooms if TEXT.width(title) <= room), rooms[-1])
    if last and TEXT.width(title) + APART + TEXT.width(last) > room:
        stays = isinstance(title, Text) or room < LEAST
        title, last = (title, "") if stays else ("", last)
    left = TEXT.width(title) + APART if title else 0
    wide = c.text(LEFT, 1, cut_text(cut_name(title, room, c.names), TEXT, room, c.names))
    if last and room - left >= LEAST:
        c.text(RIGHT, 1, cut_name(last, room - left, c.names), TEXT, "r")
        c.text(LEFT + (wide + APART if title else 0), 1, note)
    else:
        c.text(RIGHT, 1, note, TEXT, "r")


def _faces(cells: Sequence[Cell], pitch: int, *, at_rest: bool) -> list[Faced]:
    """How the points of each player are drawn in cells of `pitch` rows.

    Points below names are alike for all players. Points beside names are as large as leaves each name whole, but in the
    rest view the points come first.
    """

    def fits(face: Face, scale: int = 1) -> bool:
        return all(face.has_glyphs(cell.points) and face.width(cell.points) * scale <= CELL for cell in cells)

    if pitch > 2 * TALL and fits(MIDDLE, 2):
        return [Faced(MIDDLE, 2, above=True)] * len(cells)
    if pitch > TALL or (len(cells) in (3, 4) and not all(cell.is_whole(TEXT) for cell in cells)):
        above = (BIG, MIDDLE, NAME, NARROW) if pitch > TALL else (NAME, NARROW)
        return [Faced(next(filter(fits, above), TEXT), above=True)] * len(cells)
    faces = [face for face in (MIDDLE, NAME, NARROW) if face.capital_rows + 2 <= pitch]
    return [Faced(_face_beside(cell, faces, at_rest=at_rest)) for cell in cells]


def _face_beside(cell: Cell, faces: Sequence[Face], *, at_rest: bool) -> Face:
    """The face of a player's points beside the name.

    It is the largest one that leaves the name whole. If the name is too long for any, it is the smallest one, which
    leaves most of the name, or in the rest view the largest.
    """
    if not at_rest and cell.is_whole(TEXT):
        return next(filter(cell.is_whole, faces), TEXT)
    room = CELL - SHORTEST
    sizes = faces if at_rest else faces[::-1]
    return next((face for face in sizes if face.has_glyphs(cell.points) and face.width(cell.points) <= room), TEXT)


def _draw_cell(c: Canvas, cell: Cell, faced: Faced, y0: int, pitch: int, *, chosen: bool) -> None:
    """Draw a player's cell from row `y0`, the name above the points if there are enough rows, else beside them."""
    (name, points, leads, x0, x1), (face, scale, above) = cell, faced
    y1 = y0 + pitch - 2
    if chosen:
        c.plate(x0, y0, x1, y1)
    faces: tuple[Face, ...] = (TEXT,)
    if above:
        x, y = x0 + 3, y0 + 1
        if pitch >= 2 * TALL:
            faces, y = NAME_FACES, y0 + 2
        top = (y + faces[0].capital_rows + y1 + 1 - face.capital_rows * scale) // 2
        c.large_text((x0 + x1) // 2, top, points, face, scale, inverse=chosen)
    else:
        middle = y0 + (pitch - 1) // 2
        x, y = x0 + 2, middle - TEXT.capital_rows // 2
        c.text(x1 - 2, middle - face.capital_rows // 2, points, face, "r", inverse=chosen)
    if leads:
        c.icon(x, y + (faces[0].capital_rows - 4) // 2, "crown", inverse=chosen)
    c.fitted_text(x + CROWN * leads, y, name, faces, cell.room(faced) - CROWN * leads, inverse=chosen)


def _draw_change(c: Canvas, content: Scores, *, buttons: bool) -> None:
    """Draw the last rows: the points in the draft, and the new total that OK enters."""
    # Numbers are never cut for a name.
    crowded = content.total is not None and TEXT.width(str(content.total)) > 36
    faces = (TEXT,) if content.limit or crowded else (NAME, NARROW, TEXT)
    wide = c.fitted_text(LEFT + 1, 56 if content.limit else 54, content.change, faces, 60)
    if content.limit:
        c.text(RIGHT, 56, content.limit, TEXT, "r")
    elif content.total is not None:
        made, enters = f": {content.total}", buttons and content.change != "+0"
        key, steps = parts.key_label(buttons, "")[0], abs(int(content.change))
        hint = "" if not buttons else translate(HELD) if steps in STEPS else f"↩ {translate(ERASED)}"
        room = RIGHT - LEFT - wide - 13 - TEXT.width(made) - TEXT.width(key)
        room -= (TEXT.width(ENTERS) + 6) * enters  # The arrows are never left out for a long name.
        name = content.players[content.seat - 1].name
        # With buttons a name without room beside the hint for BACK is left out: its player's cell is lit.
        beside = room - (TEXT.width(hint) + 2 * parts.LABEL_GAP_COLUMNS) * bool(hint)
        whole = TEXT.width(name) <= beside
        shown = cut_text(name, TEXT, room, c.names) + made if whole or (not hint and room >= SHORTEST) else f"={made[1:]}"
        right = RIGHT - c.text(RIGHT, parts.LAST_LINE_ROW, shown, TEXT, "r") - 3
        right -= c.tag(right, parts.LAST_LINE_ROW, key, "r")
        left = LEFT + wide + parts.LABEL_GAP_COLUMNS
        if enters and TEXT.width(ENTERS) + 3 <= right - left:
            right -= c.text(right - 3, parts.LAST_LINE_ROW, ENTERS, TEXT, "r") + 3
        if hint and TEXT.width(hint) + 2 * parts.LABEL_GAP_COLUMNS <= right - left:
            c.text(left + parts.LABEL_GAP_COLUMNS, parts.LAST_LINE_ROW, hint)
    else:
        c.text(RIGHT, parts.LAST_LINE_ROW, text("points?"), TEXT, "r")


def _draw_keys(c: Canvas, content: Scores, hints: KeyHints) -> None:
    """Draw the last row: what the arrows do, and how to leave."""
    parts.draw_footer(c, None, hints.legends()[1])
    first, last = c.free_columns
    words = translate(PICKED if hints.buttons else TYPED if content.last else FIRST)
    c.text(first, parts.LAST_LINE_ROW, words if TEXT.width(words) <= last - first else words.rpartition(" ")[0])


def draw_sheet(c: Canvas, content: Sheet, hints: KeyHints) -> None:
    """Draw the sheet: what each player got turn by turn, and the totals below, for as many players as have room."""
    rows, players = content.rows, len(content.names)
    cells = [*(cell for row in rows for cell in row if cell is not None), *content.totals]
    number = TEXT.width(str(len(rows)))
    wide = max(24, *(TEXT.width(str(cell)) for cell in cells))
    edge = parts.draw_scrollbar(c, content.row, ROUNDS, len(rows), y1=42) - 1
    across = min(players, (edge - LEFT - number) // (wide + 6))
    first = min(content.column, players - across)
    pitch = (edge - LEFT - number) // across
    visible = rows[content.row : content.row + ROUNDS]
    for place, seat in enumerate(range(first, first + across), 1):
        x = LEFT + number + pitch * place
        c.text(x, 4, cut_text(content.names[seat], TEXT, pitch - 5, c.names), TEXT, "r")
        for line, row in enumerate(visible):
            c.text(x, 18 + 9 * line, "-" if row[seat] is None else str(row[seat]), TEXT, "r")
        c.text(x, SUM, str(content.totals[seat]), TEXT, "r")
    c.hline(15)
    for line in range(len(visible)):
        c.text(LEFT, 18 + 9 * line, str(content.row + line + 1))
    c.hline(SUM - 2)
    c.text(LEFT, SUM, "=")
    _draw_others(c, content.names, first, first + across, buttons=hints.buttons)
    if len(rows) > ROUNDS:
        hints.draw_scroll_keys()


def _draw_others(c: Canvas, names: Sequence[str], first: int, after: int, *, buttons: bool) -> None:
    """Draw in the footer which players stand left and right of the visible ones, and the keys that lead there."""
    x, end = c.free_columns
    there = [("left", "D", names[first - 1])] if first else []
    there += [("right", "B", names[after])] if after < len(names) else []
    for arrow, key, name in there:
        x += 0 if buttons else c.text(x, parts.LAST_LINE_ROW, key) + 2
        x += c.icon(x, parts.LAST_LINE_ROW + 2, arrow) + 3
        if (room := min(NAMED, end - x)) >= LEAST_NAMED:
            x += c.text(x, parts.LAST_LINE_ROW, cut_text(name, TEXT, room, c.names)) + parts.LABEL_GAP_COLUMNS
    c.free_columns = (x, end)

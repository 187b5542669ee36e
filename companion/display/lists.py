"""Draws lists to pick from: rows with a cursor and a scrollbar, or two entries with an explanation each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.evening.contents.kinds import MAX_VISIBLE_ENTRIES, PAGE_SIZE
from companion.games import game_icons
from companion.panel import widgets
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import TEXT, cut_text, fits_lines, short_number, wrap_text
from companion.panel.icons import Icon, icon_mask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.display.key_hints import KeyHints
    from companion.evening.contents.kinds import Choice, ChoiceLine
    from companion.panel.canvas import Canvas

MAX_ROWS, MAX_ROWS_UNDER_TITLE, MAX_PAIR_ROWS = MAX_VISIBLE_ENTRIES, 3, 2
"""The most entries that are shown at a time: without a title, under one, and where an entry has pairs."""
SCORE_COLUMNS = widgets.LAST_COLUMN_BESIDE_BAR - 23
"""Columns of a row of the history, between its game's icon and the scrollbar."""
LINE_ROWS = 9
"""Pixels from line to line in a row of more than one line."""
GREY_COLUMNS = 8
"""Columns that are left at least after the text of a grey row, for its checkerboard."""
DASH_MARGIN_COLUMNS = 4
"""Columns on each side of the dash between two names."""


class Row(NamedTuple):
    """A row of a list.

    Attributes:
        text: the words.
        note: a note at the right end.
        icon: an icon before the text.
        digit: the key that picks the row, before the text.
        is_grey: the entry can't be used now, so a checkerboard fills the line after the text.
        pairs: up to four pairs of name and number, in two lines instead of the text.
    """

    text: str
    note: str = ""
    icon: Icon = ""
    digit: str = ""
    is_grey: bool = False
    pairs: tuple[tuple[str, str], ...] = ()


def draw_choice(canvas: Canvas, content: Choice, hints: KeyHints) -> None:
    """Draw a list to pick from."""
    digits = ["" if hints.uses_buttons else str(line.place % PAGE_SIZE + 1) for line in content.lines]
    if any(line.explains for line in content.lines):
        _draw_explained_entries(canvas, content, digits)
        return
    shown, y, pitch = (MAX_ROWS_UNDER_TITLE, 19, 12) if content.title else (MAX_ROWS, 2, 11)
    if content.title:
        question = content.notes[0] if content.notes else ""
        if widgets.fits_beside_title(content.title, question):
            widgets.draw_title(canvas, content.title, question)
        else:
            widgets.draw_title(canvas, question[:1].upper() + question[1:])
    rows = [
        _choice_row(line, digit, has_title=bool(content.title))
        for line, digit in zip(content.lines, digits, strict=True)
    ]
    if any(row.pairs for row in rows):
        shown, pitch = MAX_PAIR_ROWS, 18
    # Digits only pick on the cursor's page, so with a keypad only rows of that page are shown.
    pages = [line.place // PAGE_SIZE for line in content.lines]
    start = 0 if hints.uses_buttons else pages.index(pages[content.cursor])
    first = max(start, content.cursor - shown + 1)
    if draw_rows(canvas, rows, content.cursor, first, shown=shown, y=y, pitch=pitch):
        hints.draw_up_down_keys()
    hints.draw_arrow_hint("right")


def _choice_row(line: ChoiceLine, digit: str, *, has_title: bool) -> Row:
    """A row for an entry; with a keypad it has the digit that picks it."""
    if has_title and not line.icon:
        return Row(line.words, line.note, digit=digit, is_grey=bool(line.why))
    mark = "match" if line.icon == "match" else game_icons.small_icon(line.icon) if line.icon else ""
    if line.pairs:
        scores = " - ".join(f"{name} {score}".rstrip() for name, score in line.pairs)
        room = SCORE_COLUMNS - bool(line.note) * (TEXT.width(line.note) + 3)
        fits_one_line = TEXT.width(scores) <= room
        return Row(scores, line.note, mark) if fits_one_line else Row("", line.note, mark, pairs=line.pairs)
    return Row(line.words, line.note or ("" if has_title else digit), mark, is_grey=bool(line.why))


def _draw_explained_entries(canvas: Canvas, content: Choice, digits: Sequence[str]) -> None:
    """Draw two entries, each with its icon, its digit at the right end, and its explanation below."""
    has_room = widgets.fits_beside_title(content.title, content.notes[0])
    widgets.draw_title(canvas, content.title, content.notes[0 if has_room else -1])
    for index, (line, digit) in enumerate(zip(content.lines, digits, strict=True)):
        top = 19 + 18 * index
        if index == content.cursor:
            canvas.icon(LEFT, top, "cursor")
        if line.icon:
            canvas.icon(9, top + 7 - icon_mask(line.icon).height, line.icon)
        x = 20 if line.icon else 9
        end = RIGHT - (canvas.text(RIGHT, top, digit, TEXT, "r") + 3 if digit else 0)
        canvas.text(x, top, cut_text(line.words, TEXT, end - x + 1, canvas.names))
        canvas.text(x, top + LINE_ROWS, cut_text(line.explains, TEXT, RIGHT - x + 1, canvas.names))


def draw_rows(
    canvas: Canvas,
    rows: Sequence[Row],
    cursor: int,
    first: int = 0,
    *,
    shown: int = MAX_ROWS,
    y: int = 2,
    pitch: int = 11,
) -> bool:
    """Draw `shown` of the rows at most, from row `first` (from 0), with a scrollbar if there are more.

    A row that is too long for one line takes two or three, and then fewer rows are visible; that of the cursor always
    is. Returns whether there is a scrollbar.
    """
    visible, y1 = list(rows[first : first + shown]), y + shown * pitch - 3
    edge = widgets.LAST_COLUMN_BESIDE_BAR if len(rows) > shown else RIGHT
    x = 24 if any(row.icon for row in visible) else 20 if any(row.digit for row in visible) else 9
    row_lines = [_row_lines(row, edge - x + 1) for row in visible]
    max_lines = shown * pitch // LINE_ROWS if max(map(len, row_lines), default=1) > 1 else shown
    if sum(map(len, row_lines)) > max_lines and edge == RIGHT:
        edge = widgets.LAST_COLUMN_BESIDE_BAR
        row_lines = [_row_lines(row, edge - x + 1) for row in visible]
    while sum(map(len, row_lines[: cursor - first + 1])) > max_lines:
        first, row_lines = first + 1, row_lines[1:]
    while sum(map(len, row_lines)) > max_lines:
        row_lines.pop()
    if edge < RIGHT:
        widgets.draw_scrollbar(
            canvas, first, min(shown, len(row_lines)) if len(rows) <= shown else shown, len(rows), y0=y, y1=y1
        )
    if max(map(len, row_lines), default=1) > 1:
        y, pitch = y - 1, LINE_ROWS
    for index, lines in enumerate(row_lines, first):
        if index == cursor:
            canvas.icon(LEFT, y, "cursor")
        for line in lines:
            _draw_row(canvas, line, y, x, edge)
            y += pitch
    return edge < RIGHT


def _row_lines(row: Row, room: int) -> list[Row]:
    """A row as one or more rows of one line each, so many columns wide, with the note beside or below the words."""
    whole = room - GREY_COLUMNS * row.is_grey
    if row.pairs or _fits_one_line(row, room) or not fits_lines(row.text, TEXT, whole, 2):
        return [row]
    # A note that would be alone on a second line may have room beside words that are wrapped into two lines.
    beside = whole - TEXT.width(row.note) - 3
    for width in (whole, beside) if fits_lines(row.text, TEXT, beside, 2) else (whole,):
        lines = _wrapped_rows(row, width)
        lines[-1] = lines[-1]._replace(note=row.note)
        if _fits_one_line(lines[-1], room):
            return lines
    return [*_wrapped_rows(row, whole), Row("", row.note)]


def _wrapped_rows(row: Row, width: int) -> list[Row]:
    """The words of a row in lines, without its note. Only the first line has its icon and digit."""
    first, *more = wrap_text(row.text, TEXT, width, 2)
    return [row._replace(text=first, note=""), *(Row(words, is_grey=row.is_grey) for words in more)]


def _fits_one_line(row: Row, room: int) -> bool:
    """Whether a row's words and note fit into one line of so many columns."""
    words, note = TEXT.width(row.text) + GREY_COLUMNS * row.is_grey, TEXT.width(row.note)
    return words <= room and (not note or (note <= max(60, room - words - 6) and words + 3 + note <= room))


def _draw_row(canvas: Canvas, row: Row, top: int, x: int, edge: int) -> None:
    """Draw a row, its words from column `x` and its note up to column `edge`."""
    if row.icon:
        canvas.icon(8 + (9 - icon_mask(row.icon).width) // 2, top + 3 - icon_mask(row.icon).height // 2, row.icon)
    if row.digit:
        canvas.tag(9, top, row.digit, pad=1)
    right = cut_text(row.note, TEXT, max(60, edge - x - TEXT.width(row.text) - 5), canvas.names)
    end = edge - (canvas.text(edge, top, right, TEXT, "r") + 3 if right else 0)
    if row.pairs:
        _draw_pairs(canvas, x, top, end, row.pairs)
        return
    shown = cut_text(row.text, TEXT, end - x + 1 - GREY_COLUMNS * row.is_grey, canvas.names)
    wide = canvas.text(x, top, shown)
    if row.is_grey:
        canvas.checkerboard(x + wide + 3, top + 1, end, top + TEXT.capital_rows - 2)


def _draw_pairs(canvas: Canvas, x: int, top: int, end: int, pairs: Sequence[tuple[str, str]]) -> None:
    """Draw two names side by side with their numbers below, or up to four in two columns with their numbers beside."""
    if len(pairs) == 2:
        _draw_two_names(canvas, x, top, end, pairs)
        return
    half = (end - x - 8) // 2
    for index, (name, number) in enumerate(pairs):
        row, column = divmod(index, 2)
        left, y = x + column * (half + 8), top + LINE_ROWS * row
        wide = canvas.text(left + half - 1, y, _number_text(number, half - 14), TEXT, "r")
        canvas.text(left, y, cut_text(name, TEXT, half - wide - (3 if wide else 0), canvas.names))


def _draw_two_names(canvas: Canvas, x: int, top: int, end: int, pairs: Sequence[tuple[str, str]]) -> None:
    """Draw two names with their numbers below. A short name leaves the rest of its half to the other one.

    Names without numbers have a dash between them, so that they aren't read as one.
    """
    if not any(number for _, number in pairs):
        (one, _), (other, _) = pairs
        room = end - x - TEXT.width("-") - 2 * DASH_MARGIN_COLUMNS
        x += (
            canvas.text(x, top, cut_text(one, TEXT, max(room // 2, room - TEXT.width(other)), canvas.names))
            + DASH_MARGIN_COLUMNS
        )
        x += canvas.text(x, top, "-") + DASH_MARGIN_COLUMNS
        canvas.text(x, top, cut_text(other, TEXT, end - x, canvas.names))
        return
    room = end - x - 5
    needed = [max(TEXT.width(name), TEXT.width(number)) for name, number in pairs]
    first = min(needed[0], max(room // 2, room - needed[1])) if max(needed) > room // 2 else room // 2
    for (name, number), left, wide in zip(pairs, (x, x + first + 5), (first, room - first), strict=True):
        canvas.text(left, top, cut_text(name, TEXT, wide, canvas.names))
        canvas.text(left, top + LINE_ROWS, _number_text(number, wide))


def _number_text(number: str, width: int) -> str:
    return number if TEXT.width(number) <= width else short_number(number)

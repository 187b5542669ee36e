"""Draws lists to pick from: rows with a cursor and a scrollbar, or two entries with an explanation each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.evening.contents.kinds import PAGE_SIZE, MAX_VISIBLE_ENTRIES
from companion.games import marks
from companion.panel import parts
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import TEXT, cut_text, short_number, wrap_text, fits_lines
from companion.panel.icons import Icon, icon_mask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.display.key_hints import KeyHints
    from companion.evening.contents.kinds import Choice, ChoiceLine
    from companion.panel.canvas import Canvas

SHOWN, UNDER_TITLE, PAIRED = MAX_VISIBLE_ENTRIES, 3, 2
"""The most entries that are shown at a time: without a title, under one, and where an entry has pairs."""
SCORED = parts.LAST_COLUMN_BESIDE_BAR - 23
"""Columns of a row of the history, between its game's icon and the scrollbar."""
LINE = 9
"""Pixels from line to line in a row of more than one line."""
GREY = 8
"""Columns that are left at least after the text of a grey row, for its checkerboard."""
BESIDE_DASH = 4
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
    right: str = ""
    icon: Icon = ""
    digit: str = ""
    grey: bool = False
    pairs: tuple[tuple[str, str], ...] = ()


def draw_choice(canvas: Canvas, content: Choice, hints: KeyHints) -> None:
    """Draw a list to pick from."""
    digits = ["" if hints.buttons else str(line.place % PAGE_SIZE + 1) for line in content.lines]
    if any(line.explains for line in content.lines):
        _draw_explained(canvas, content, digits)
        return
    shown, y, pitch = (UNDER_TITLE, 19, 12) if content.title else (SHOWN, 2, 11)
    if content.title:
        asked = content.notes[0] if content.notes else ""
        if parts.fits_beside_title(content.title, asked):
            parts.draw_title(canvas, content.title, asked)
        else:
            parts.draw_title(canvas, asked[:1].upper() + asked[1:])
    rows = [_row(line, digit, titled=bool(content.title)) for line, digit in zip(content.lines, digits, strict=True)]
    if any(row.pairs for row in rows):
        shown, pitch = PAIRED, 18
    # Digits only pick on the cursor's page, so with a keypad only rows of that page are shown.
    pages = [line.place // PAGE_SIZE for line in content.lines]
    start = 0 if hints.buttons else pages.index(pages[content.cursor])
    first = max(start, content.cursor - shown + 1)
    if draw_rows(canvas, rows, content.cursor, first, shown=shown, y=y, pitch=pitch):
        hints.draw_scroll_keys()
    hints.draw_arrow("right")


def _row(line: ChoiceLine, digit: str, *, titled: bool) -> Row:
    """A row for an entry; with a keypad it has the digit that picks it."""
    if titled and not line.icon:
        return Row(line.words, line.note, digit=digit, grey=bool(line.why))
    mark = "match" if line.icon == "match" else marks.small_icon(line.icon) if line.icon else ""
    if line.pairs:
        scores = " - ".join(f"{name} {score}".rstrip() for name, score in line.pairs)
        room = SCORED - bool(line.note) * (TEXT.width(line.note) + 3)
        whole = TEXT.width(scores) <= room
        return Row(scores, line.note, mark) if whole else Row("", line.note, mark, pairs=line.pairs)
    return Row(line.words, line.note or ("" if titled else digit), mark, grey=bool(line.why))


def _draw_explained(c: Canvas, content: Choice, digits: Sequence[str]) -> None:
    """Draw two entries, each with its icon, its digit at the right end, and its explanation below."""
    whole = parts.fits_beside_title(content.title, content.notes[0])
    parts.draw_title(c, content.title, content.notes[0 if whole else -1])
    for index, (line, digit) in enumerate(zip(content.lines, digits, strict=True)):
        top = 19 + 18 * index
        if index == content.cursor:
            c.icon(LEFT, top, "cursor")
        if line.icon:
            c.icon(9, top + 7 - icon_mask(line.icon).height, line.icon)
        x = 20 if line.icon else 9
        end = RIGHT - (c.text(RIGHT, top, digit, TEXT, "r") + 3 if digit else 0)
        c.text(x, top, cut_text(line.words, TEXT, end - x + 1, c.names))
        c.text(x, top + LINE, cut_text(line.explains, TEXT, RIGHT - x + 1, c.names))


def draw_rows(
    c: Canvas, rows: Sequence[Row], cursor: int, first: int = 0, *, shown: int = SHOWN, y: int = 2, pitch: int = 11
) -> bool:
    """Draw `shown` of the rows at most, from row `first` (from 0), with a scrollbar if there are more.

    A row that is too long for one line takes two or three, and then fewer rows are visible; that of the cursor always
    is. Returns whether there is a scrollbar.
    """
    visible, y1 = list(rows[first : first + shown]), y + shown * pitch - 3
    edge = parts.LAST_COLUMN_BESIDE_BAR if len(rows) > shown else RIGHT
    x = 24 if any(row.icon for row in visible) else 20 if any(row.digit for row in visible) else 9
    made = [_lines(row, edge - x + 1) for row in visible]
    most = shown * pitch // LINE if max(map(len, made), default=1) > 1 else shown
    if sum(map(len, made)) > most and edge == RIGHT:
        edge = parts.LAST_COLUMN_BESIDE_BAR
        made = [_lines(row, edge - x + 1) for row in visible]
    while sum(map(len, made[: cursor - first + 1])) > most:
        first, made = first + 1, made[1:]
    while sum(map(len, made)) > most:
        made.pop()
    if edge < RIGHT:
        parts.draw_scrollbar(c, first, min(shown, len(made)) if len(rows) <= shown else shown, len(rows), y0=y, y1=y1)
    if max(map(len, made), default=1) > 1:
        y, pitch = y - 1, LINE
    for index, lines in enumerate(made, first):
        if index == cursor:
            c.icon(LEFT, y, "cursor")
        for line in lines:
            _draw_row(c, line, y, x, edge)
            y += pitch
    return edge < RIGHT


def _lines(row: Row, room: int) -> list[Row]:
    """A row as one or more rows of one line each, so many columns wide, with the note beside or below the words."""
    whole = room - GREY * row.grey
    if row.pairs or _is_whole(row, room) or not fits_lines(row.text, TEXT, whole, 2):
        return [row]
    # A note that would be alone on a second line may have room beside words that are wrapped into two lines.
    beside = whole - TEXT.width(row.right) - 3
    for width in (whole, beside) if fits_lines(row.text, TEXT, beside, 2) else (whole,):
        lines = _wrapped(row, width)
        lines[-1] = lines[-1]._replace(right=row.right)
        if _is_whole(lines[-1], room):
            return lines
    return [*_wrapped(row, whole), Row("", row.right)]


def _wrapped(row: Row, width: int) -> list[Row]:
    """The words of a row in lines, without its note. Only the first line has its icon and digit."""
    first, *more = wrap_text(row.text, TEXT, width, 2)
    return [row._replace(text=first, right=""), *(Row(words, grey=row.grey) for words in more)]


def _is_whole(row: Row, room: int) -> bool:
    """Whether a row's words and note fit into one line of so many columns."""
    words, note = TEXT.width(row.text) + GREY * row.grey, TEXT.width(row.right)
    return words <= room and (not note or (note <= max(60, room - words - 6) and words + 3 + note <= room))


def _draw_row(c: Canvas, row: Row, top: int, x: int, edge: int) -> None:
    """Draw a row, its words from column `x` and its note up to column `edge`."""
    if row.icon:
        c.icon(8 + (9 - icon_mask(row.icon).width) // 2, top + 3 - icon_mask(row.icon).height // 2, row.icon)
    if row.digit:
        c.tag(9, top, row.digit, pad=1)
    right = cut_text(row.right, TEXT, max(60, edge - x - TEXT.width(row.text) - 5), c.names)
    end = edge - (c.text(edge, top, right, TEXT, "r") + 3 if right else 0)
    if row.pairs:
        _draw_pairs(c, x, top, end, row.pairs)
        return
    shown = cut_text(row.text, TEXT, end - x + 1 - GREY * row.grey, c.names)
    wide = c.text(x, top, shown)
    if row.grey:
        c.checkerboard(x + wide + 3, top + 1, end, top + TEXT.capital_rows - 2)


def _draw_pairs(c: Canvas, x: int, top: int, end: int, pairs: Sequence[tuple[str, str]]) -> None:
    """Draw two names side by side with their numbers below, or up to four in two columns with their numbers beside."""
    if len(pairs) == 2:
        _draw_two(c, x, top, end, pairs)
        return
    half = (end - x - 8) // 2
    for index, (name, number) in enumerate(pairs):
        row, column = divmod(index, 2)
        left, y = x + column * (half + 8), top + LINE * row
        wide = c.text(left + half - 1, y, _whole_or_short(number, half - 14), TEXT, "r")
        c.text(left, y, cut_text(name, TEXT, half - wide - (3 if wide else 0), c.names))


def _draw_two(c: Canvas, x: int, top: int, end: int, pairs: Sequence[tuple[str, str]]) -> None:
    """Draw two names with their numbers below. A short name leaves the rest of its half to the other one.

    Names without numbers have a dash between them, so that they aren't read as one.
    """
    if not any(number for _, number in pairs):
        (one, _), (other, _) = pairs
        room = end - x - TEXT.width("-") - 2 * BESIDE_DASH
        x += c.text(x, top, cut_text(one, TEXT, max(room // 2, room - TEXT.width(other)), c.names)) + BESIDE_DASH
        x += c.text(x, top, "-") + BESIDE_DASH
        c.text(x, top, cut_text(other, TEXT, end - x, c.names))
        return
    room = end - x - 5
    needed = [max(TEXT.width(name), TEXT.width(number)) for name, number in pairs]
    first = min(needed[0], max(room // 2, room - needed[1])) if max(needed) > room // 2 else room // 2
    for (name, number), left, wide in zip(pairs, (x, x + first + 5), (first, room - first), strict=True):
        c.text(left, top, cut_text(name, TEXT, wide, c.names))
        c.text(left, top + LINE, _whole_or_short(number, wide))


def _whole_or_short(number: str, width: int) -> str:
    return number if TEXT.width(number) <= width else short_number(number)

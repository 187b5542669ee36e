"""Menus: lists with a cursor, their scrollbar, and choices with an explanation."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.languages import text
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import TEXT, cut, wrap, wraps
from companion.panel.icons import Icon, icon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.panel.canvas import Canvas


BESIDE_BAR = RIGHT - 4
"""The last column of rows beside a scrollbar."""
UNITS = ("", "k", "M", "G", "T", "P", "E")
"""What the thousands of a number are called in short."""
LINE = 9
"""The rows of pixels from line to line in a row of more than one."""
SHORTEST = 5
"""The fewest rows of pixels of a scrollbar's lit part."""
GREY = 8
"""At least so many columns are left after the text of a grey row, for its checkerboard."""
BESIDE_DASH = 4
"""The columns on either side of the dash between two names."""


class Row(NamedTuple):
    """A row of a menu.

    Attributes:
        text: the words.
        right: a note at the right end.
        icon: an icon before the text.
        digit: the key that chooses the row, before the text; of an explained choice at the right end.
        grey: a checkerboard fills the line after the text, for an entry that cannot be used now.
        pairs: up to four pairs of name and number, in two lines instead of the text.
    """

    text: str
    right: str = ""
    icon: Icon = ""
    digit: str = ""
    grey: bool = False
    pairs: tuple[tuple[str, str], ...] = ()


def menu(
    c: Canvas,
    rows: Sequence[Row],
    cursor: int | None,
    first: int | None = None,
    *,
    shown: int = 5,
    y: int = 2,
    pitch: int = 11,
) -> bool:
    """A list of which `shown` rows are visible, from row `first` (from 0), or by default the cursor's page of them.

    A list that is longer has a scrollbar. Under a title, use three rows with ``y=19`` and ``pitch=12``. A row that is
    too long for a line has two or three, and then fewer rows may be visible. Returns whether it has a scrollbar.
    """
    if first is None:
        first = (cursor or 0) // shown * shown
    visible, y1 = list(rows[first : first + shown]), y + shown * pitch - 3
    edge = BESIDE_BAR if len(rows) > shown else RIGHT
    x = 24 if any(row.icon for row in visible) else 20 if any(row.digit for row in visible) else 9
    made = [_lines(row, edge - x + 1) for row in visible]
    most = shown * pitch // LINE if max(map(len, made), default=1) > 1 else shown
    if sum(map(len, made)) > most and edge == RIGHT:
        edge = BESIDE_BAR
        made = [_lines(row, edge - x + 1) for row in visible]
    while cursor is not None and sum(map(len, made[: cursor - first + 1])) > most:
        first, made = first + 1, made[1:]
    while sum(map(len, made)) > most:
        made.pop()
    hidden = edge < RIGHT
    if hidden:
        scrollbar(c, first, min(shown, len(made)) if len(rows) <= shown else shown, len(rows), y0=y, y1=y1)
    if max(map(len, made), default=1) > 1:
        y, pitch = y - 1, LINE
    for index, lines in enumerate(made, first):
        if index == cursor:
            c.icon(LEFT, y, "cursor")
        for line in lines:
            _row(c, line, y, x, edge)
            y += pitch
    return hidden


def _lines(row: Row, room: int) -> list[Row]:
    """A row of a list as lines of so many columns: its words, its note beside or below them."""
    if row.pairs or _whole(row, room) or not wraps(row.text, TEXT, room - GREY * row.grey, 2):
        return [row]
    whole = room - GREY * row.grey
    beside = whole - TEXT.width(row.right) - 3
    # A note that would be alone in a line below words of one line may have room beside words of two.
    for width in (whole, beside) if wraps(row.text, TEXT, beside, 2) else (whole,):
        *before, last = (row._replace(text=line, right="") for line in wrap(row.text, TEXT, width, 2))
        noted = last._replace(right=row.right)
        if _whole(noted, room):
            return _below([*before, noted])
    return _below([*(row._replace(text=line, right="") for line in wrap(row.text, TEXT, whole, 2)), Row("", row.right)])


def _below(lines: Sequence[Row]) -> list[Row]:
    """Lines of one row, of which only the first has its icon and digit."""
    return [lines[0], *(line._replace(icon="", digit="") for line in lines[1:])]


def _whole(row: Row, room: int) -> bool:
    """Whether a row's words and note are whole in one line of so many columns."""
    words, note = TEXT.width(row.text) + GREY * row.grey, TEXT.width(row.right)
    return words <= room and (not note or (note <= max(60, room - words - 6) and words + 3 + note <= room))


def _row(c: Canvas, row: Row, top: int, x: int, edge: int) -> None:
    """A row, its words from column `x` and its note up to column `edge`."""
    if row.icon:
        c.icon(8 + (9 - icon(row.icon).width) // 2, top + 3 - icon(row.icon).height // 2, row.icon)
    if row.digit:
        c.tag(9, top, row.digit, pad=1)
    right = cut(row.right, TEXT, max(60, edge - x - TEXT.width(row.text) - 5), c.names)
    end = edge - (c.text(edge, top, right, TEXT, "r") + 3 if right else 0)
    if row.pairs:
        _paired(c, x, top, end, row.pairs)
        return
    shown = cut(row.text, TEXT, end - x + 1 - GREY * row.grey, c.names)
    wide = c.text(x, top, shown)
    if row.grey:
        c.shade(x + wide + 3, top + 1, end, top + TEXT.capitals - 2)


def explained(c: Canvas, rows: Sequence[Row], cursor: int | None) -> None:
    """Two choices, each with its icon before it, its `digit` at the right end and its explanation (`right`) below."""
    for index, row in enumerate(rows):
        top = 19 + 18 * index
        if index == cursor:
            c.icon(LEFT, top, "cursor")
        if row.icon:
            c.icon(9, top + 7 - icon(row.icon).height, row.icon)
        x = 20 if row.icon else 9
        end = RIGHT - (c.text(RIGHT, top, row.digit, TEXT, "r") + 3 if row.digit else 0)
        c.text(x, top, cut(row.text, TEXT, end - x + 1, c.names))
        c.text(x, top + 9, cut(row.right, TEXT, RIGHT - x + 1, c.names))


def scrollbar(c: Canvas, first: int, shown: int, count: int, *, y0: int = 18, y1: int = 51) -> int:
    """Draw which `shown` of `count` rows are visible, from row `first` (from 0), at the right edge, rows `y0` to `y1`.

    Returns the last column that is left for the rows. What fits has no scrollbar.
    """
    if count <= shown:
        return RIGHT
    high = max(SHORTEST, (y1 - y0 + 1) * shown // count)
    top = y0 + round((y1 - y0 + 1 - high) * min(1.0, first / (count - shown)))
    c.dotted(RIGHT, y0, RIGHT, y1)
    c.fill(RIGHT - 1, top, RIGHT, top + high - 1)
    return BESIDE_BAR


def page_bar(c: Canvas, number: int, count: int) -> int:
    """The scrollbar of text under a title: page `number`, from 0, of `count`. Returns the last column for the text."""
    return scrollbar(c, number, 1, count)


def short(number: str) -> str:
    """A whole number in a few letters: ``2.1 G`` for 2117483631; one of at most four digits, and a time, as it is."""
    size = len(number.lstrip("-"))
    if size <= 4 or not number.lstrip("-").isdecimal():
        return number
    power = (size - 1) // 3
    if power >= len(UNITS):
        return f"10^{size - 1}"
    value = int(number) / 1000**power
    return f"{value:.{int(abs(value) < 9.95)}f} {UNITS[power]}"


def digits(number: str, width: int) -> str:
    """A number that fits into `width` pixels; a longer one as both its ends and, if it fits, how many digits."""
    many = text("{number} digits", number=len(number.lstrip("-")))
    ends = text("{first}…{last} ({many})", first=number[:4], last=number[-4:], many=many)
    return next((each for each in (number, ends) if TEXT.width(each) <= width), f"{number[:3]}…{number[-2:]}")


def _paired(c: Canvas, x: int, top: int, end: int, pairs: Sequence[tuple[str, str]]) -> None:
    """Draw two names side by side with their numbers below, or up to four in two columns beside their numbers."""
    if len(pairs) == 2:
        _two(c, x, top, end, pairs)
        return
    half = (end - x - 8) // 2
    for index, (name, number) in enumerate(pairs):
        row, column = divmod(index, 2)
        left, y = x + column * (half + 8), top + 9 * row
        wide = c.text(left + half - 1, y, _whole_or_short(number, half - 14), TEXT, "r")
        c.text(left, y, cut(name, TEXT, half - wide - (3 if wide else 0), c.names))


def _two(c: Canvas, x: int, top: int, end: int, pairs: Sequence[tuple[str, str]]) -> None:
    """Two names with their numbers below; one that needs less than half of the room leaves the rest to the other.

    Between names without numbers is a dash, so that they do not read as one.
    """
    if not any(number for _, number in pairs):
        (one, _), (other, _) = pairs
        room = end - x - TEXT.width("-") - 2 * BESIDE_DASH
        x += c.text(x, top, cut(one, TEXT, max(room // 2, room - TEXT.width(other)), c.names)) + BESIDE_DASH
        x += c.text(x, top, "-") + BESIDE_DASH
        c.text(x, top, cut(other, TEXT, end - x, c.names))
        return
    room = end - x - 5
    needed = [max(TEXT.width(name), TEXT.width(number)) for name, number in pairs]
    first = min(needed[0], max(room // 2, room - needed[1])) if max(needed) > room // 2 else room // 2
    for (name, number), left, wide in zip(pairs, (x, x + first + 5), (first, room - first), strict=True):
        c.text(left, top, cut(name, TEXT, wide, c.names))
        c.text(left, top + 9, _whole_or_short(number, wide))


def _whole_or_short(number: str, width: int) -> str:
    return number if TEXT.width(number) <= width else short(number)

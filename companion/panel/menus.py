"""Menus: lists with a cursor, their scrollbar, and choices with an explanation."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import TEXT, cut
from companion.panel.icons import Icon, icon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.panel.canvas import Canvas


BESIDE_BAR = RIGHT - 4
"""The last column of rows beside a scrollbar."""
SHORTEST = 5
"""The fewest rows of pixels of a scrollbar's lit part."""


class Row(NamedTuple):
    """A row of a menu.

    Attributes:
        text: the words.
        right: a note at the right end.
        icon: an icon before the text.
        digit: the key that chooses the row, before the text.
        dotted: draw a dotted line under the text, for an entry that cannot be used now.
        pairs: up to four pairs of name and number, in two lines instead of the text.
    """

    text: str
    right: str = ""
    icon: Icon = ""
    digit: str = ""
    dotted: bool = False
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
) -> None:
    """A list of which `shown` rows are visible, from row `first` (from 0), or by default the cursor's page of them.

    A list that is longer has a scrollbar. Under a title, use three rows with ``y=19`` and ``pitch=12``.
    """
    if first is None:
        first = (cursor or 0) // shown * shown
    visible = list(rows[first : first + shown])
    edge = scrollbar(c, first, shown, len(rows), y0=y, y1=y + shown * pitch - 3)
    x = 24 if any(row.icon for row in visible) else 20 if any(row.digit for row in visible) else 9
    for index, row in enumerate(visible):
        top = y + index * pitch
        if first + index == cursor:
            c.icon(LEFT, top, "cursor")
        _row(c, row, top, x, edge)


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
    c.text(x, top, cut(row.text, TEXT, end - x + 1, c.names))
    if row.dotted:  # Under the words, so that they stay legible.
        c.underline(x, end, top + 8)


def explained(c: Canvas, rows: Sequence[Row], cursor: int | None) -> None:
    """Two choices, each with its icon before it and its explanation (`right`) below it."""
    for index, row in enumerate(rows):
        top = 19 + 18 * index
        if index == cursor:
            c.icon(LEFT, top, "cursor")
        if row.icon:
            c.icon(9, top + 7 - icon(row.icon).height, row.icon)
        x = 20 if row.icon else 9
        c.text(x, top, cut(row.text, TEXT, RIGHT - x + 1, c.names))
        c.text(x, top + 8, cut(row.right, TEXT, RIGHT - x + 1, c.names))


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


def digits(number: str, width: int) -> str:
    """A number that fits into `width` pixels; a longer one as both its ends and, if it fits, how many digits."""
    said = f"{number[:4]}…{number[-4:]} ({len(number.lstrip('-'))} digits)"
    return next((each for each in (number, said) if TEXT.width(each) <= width), f"{number[:3]}…{number[-2:]}")


def _paired(c: Canvas, x: int, top: int, end: int, pairs: Sequence[tuple[str, str]]) -> None:
    """Draw two names side by side with their numbers below, or up to four in two columns beside their numbers."""
    gap = 5 if len(pairs) == 2 else 8
    half = (end - x - gap) // 2
    for index, (name, number) in enumerate(pairs):
        row, column = divmod(index, 2)
        left, y = x + column * (half + gap), top + 8 * row
        if len(pairs) == 2:
            c.text(left, y, cut(name, TEXT, half, c.names))
            c.text(left, y + 8, digits(number, half))
            continue
        wide = c.text(left + half - 1, y, digits(number, half - 14), TEXT, "r")
        c.text(left, y, cut(name, TEXT, half - wide - (3 if wide else 0), c.names))

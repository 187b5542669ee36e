"""The furniture that screens share: tabs, titles, menus, footers, verdicts, banners.

Each part draws plain data on a canvas and knows neither games nor the session. What is too long takes a smaller
face and is cut after that; nothing runs over its neighbour.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import MIDDLE, NAME, NAMES, NARROW, NUMBERS, TEXT, cut, fit, named
from companion.panel.icons import Icon, icon

if TYPE_CHECKING:
    from collections.abc import Sequence

STRIP = 48
"""The first row of the strip, pages P6 and P7."""
LAST = 56
"""The row of the capitals on the last page, P7, where verdicts and footers stand."""

WORKING = 36
"""The column of an entry's working and verdict; a longer entry moves them to the right."""

Legend = tuple[str, str]
"""A key and what it does: ``("OK", "choose")``, ``("#", "choose")``, ``("any key", "goes on")``."""

ENTRY = (MIDDLE, NAME, NARROW, TEXT)
MARK = {"ok": "tick", "no": "cross", "more": ""}
"""The icon of a draft's verdict."""


class Tab(NamedTuple):
    """A seat as its tab shows it.

    Args:
        name: up to 16 letters, cut where the tab is too small.
        value: a number at the right; never cut, the name gives way.
        badge: an icon before the number, such as ``hand``.
        mark: an icon before the name in tabs, such as ``full-disc``; it stays light on dark beside the inverted plate.
    """

    name: str
    value: str = ""
    badge: str = ""
    mark: Icon = ""


class Row(NamedTuple):
    """A row of a menu: its text, a digit or note at its right end, an icon or its digit before the text.

    A dotted line runs under a `dotted` one, which cannot be used now. `pairs`, up to four names with a number each,
    take two lines in the place of the text.
    """

    text: str
    right: str = ""
    icon: Icon = ""
    digit: str = ""
    dotted: bool = False
    pairs: tuple[tuple[str, str], ...] = ()


def tabs(c: Canvas, seats: Sequence[Tab], to_move: int | None, rule: bool = True) -> None:
    """The who band for two seats on rows 0–14; `to_move` is a seat from 1, `rule` the line on row 15.

    A tab's mark stands before its plate, light on dark as on the table: on the plate a full one would look hollow.
    """
    for seat, (tab, x0, x1) in enumerate(zip(seats, (LEFT, 65), (62, RIGHT), strict=True), 1):
        left = x0
        if tab.mark:
            c.icon(x0, 7 - icon(tab.mark).height // 2, tab.mark)
            left += icon(tab.mark).width + 2
        if seat == to_move:
            c.fill(left + 1, 0, x1 - 1, 0)
            c.fill(left, 1, x1, 14)
        _tab(c, tab, left + (3 if tab.mark else 4), x1 - 3, 1, seat == to_move)
    if rule:
        c.hline(15)


def seat_list(
    c: Canvas, seats: Sequence[Tab], to_move: int | None, x0: int, y: int = 0, pitch: int = 15, small: bool = False
) -> None:
    """Seats one below the other from column `x0` to the right edge, `pitch` rows each: 15 for two, 13 for four.

    With `small` all numbers take the text face, so that they do not differ where only one would have to.
    """
    for seat, tab in enumerate(seats, 1):
        top = y + (seat - 1) * pitch
        inverse = seat == to_move
        if inverse:
            c.plate(x0, top, RIGHT, top + min(pitch, 15) - 1)
        _tab(c, tab, x0 + 3, RIGHT - 3, top + 1, inverse, tall=pitch >= 15, small=small)


def _tab(c: Canvas, tab: Tab, x0: int, x1: int, y: int, inverse: bool, tall: bool = True, small: bool = False) -> None:
    """Name and number between two columns; `y` is the top row of a tall number."""
    end = x1
    if tab.value:
        big, less = NUMBERS if tall else (NAME, TEXT)
        face = big if not small and big.has(tab.value) and big.width(tab.value) <= x1 - x0 - 16 else less
        top = y + (big.capitals - face.capitals) // 2
        end -= c.text(x1, top, tab.value, face, "r", inverse=inverse) + 1
    if tab.badge:
        end -= c.icon(end - 3, y + 3, tab.badge, "r", inverse=inverse) + 4
    room = end - x0 - 2 if tab.value or tab.badge else end - x0 + 1
    c.fitted(x0, y + 1 if tall else y, tab.name, NAMES, room, inverse=inverse)


def title(c: Canvas, s: str, note: str = "", figure: str = "") -> None:
    """A screen's title over a line on row 15, with a note in small or a figure in 13 px at the right."""
    end = RIGHT + 1
    if figure:
        end -= c.fitted(RIGHT, 1, figure, ENTRY, 60, "r") + 5
    elif note:
        room = 122 - min(TEXT.width(s), 44)
        end -= c.text(RIGHT, 5, cut(note, TEXT, room, c.names), TEXT, "r") + 4
    face, shown = fit(s, NAMES, end - LEFT, c.names)
    c.text(LEFT, 2 + NAME.capitals - face.capitals, shown, face)  # On one base line with the note.
    c.hline(15)


def question(c: Canvas, subject: str, asked: str) -> None:
    """The title of a question: what it is about and what is asked, or the question alone where there is no room."""
    if TEXT.width(subject) + TEXT.width(asked) <= 118:
        title(c, subject, asked)
    else:
        title(c, asked[:1].upper() + asked[1:])


def legend(buttons: bool, does: str, key: str = "OK") -> Legend:
    """A key's tag as the device last used calls it, and what it does."""
    return key if buttons else {"OK": "#", "BACK": "*"}.get(key, key), does


def beside(*keys: str) -> int:
    """The columns of the last page that the tags of one or two keys leave for what these do."""
    return 126 - sum(TEXT.width(key) + 7 for key in keys if key) - (5 if all(keys) else 0)


def footer(c: Canvas, left: Legend | None, right: Legend | None = None) -> None:
    """Up to two keys on the last page, each a tag and what it does; both give way where they are too long."""
    c.clear(LEFT, LAST - 1, RIGHT, LAST + 7)
    keys = [legend[0] if legend else "" for legend in (left, right)]
    does = [legend[1] if legend else "" for legend in (left, right)]
    room = beside(*keys)
    wide = [TEXT.width(word) for word in does]
    if sum(wide) > room:
        wide[1] = min(wide[1], max(room - wide[0], room // 2))
        wide[0] = room - wide[1]
    if keys[0]:
        x = LEFT + c.tag(LEFT, LAST, keys[0]) + 3
        c.text(x, LAST, cut(does[0], TEXT, wide[0], c.names))
    if keys[1]:
        end = RIGHT - c.text(RIGHT, LAST, cut(does[1], TEXT, wide[1], c.names), TEXT, "r") - (3 if does[1] else 0)
        c.tag(end, LAST, keys[1], "r")


def arrow_keys(c: Canvas, first: str, second: str, icons: tuple[str, str]) -> None:
    """Two keys and the arrows that they are, between the two legends of the last page."""
    wide = TEXT.width(first) + TEXT.width(second) + icon(icons[0]).width + icon(icons[1]).width + 5
    x = 68 - wide // 2
    for part in (first, *icons, second):
        if part in icons:
            x += c.icon(x, LAST + 4 - icon(part).height // 2, part) + 1
        else:
            x += c.text(x, LAST, part) + 2


def more(c: Canvas, x: int, y: int, above: bool, below: bool) -> int:
    """A small arrowhead that ends at `x` in a row, where there are more rows; the width that it takes."""
    return c.icon(x, y + 2, "more-up" if above else "more-down", "r") + 1 if above or below else 0


def digits(number: str, width: int) -> str:
    """A number as it fits; of one that does not, both ends with a mark between and, where it fits, how many digits."""
    said = f"{number[:4]}…{number[-4:]} ({len(number.lstrip('-'))} digits)"
    return next((each for each in (number, said) if TEXT.width(each) <= width), f"{number[:3]}…{number[-2:]}")


def _paired(c: Canvas, x: int, top: int, end: int, pairs: Sequence[tuple[str, str]]) -> None:
    """Two names side by side, each with its number below it; more in two columns, each number beside its name."""
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
    """A list with a cursor, both counted from 0; `first` is its first visible row, else the cursor's page.

    A small arrowhead in the first or last visible row tells that there are more. Under a title: three rows from
    ``y=19`` with ``pitch=12``.
    """
    if first is None:
        first = (cursor or 0) // shown * shown
    visible = list(rows[first : first + shown])
    x = 24 if any(row.icon for row in visible) else 20 if any(row.digit for row in visible) else 9
    for index, row in enumerate(visible):
        top = y + index * pitch
        if first + index == cursor:
            c.icon(LEFT, top, "cursor")
        if row.icon:
            c.icon(8 + (9 - icon(row.icon).width) // 2, top + 3 - icon(row.icon).height // 2, row.icon)
        if row.digit:
            c.tag(9, top, row.digit, pad=1)
        right = cut(row.right, TEXT, max(60, RIGHT - x - TEXT.width(row.text) - 5), c.names)
        end = RIGHT - (c.text(RIGHT, top, right, TEXT, "r") + 3 if right else 0)
        end -= more(c, end, top, index == 0 and first > 0, index == shown - 1 and first + shown < len(rows))
        if row.pairs:
            _paired(c, x, top, end, row.pairs)
            continue
        c.text(x, top, cut(row.text, TEXT, end - x + 1, c.names))
        if row.dotted:  # Under its words: they stay legible.
            c.dotted(x, top + 8, end, top + 8)


def explained(c: Canvas, rows: Sequence[Row], cursor: int | None, y: int = 19, pitch: int = 18) -> None:
    """Two choices whose meaning (`right`) is written below them; the icon stands before the first line."""
    for index, row in enumerate(rows):
        top = y + index * pitch
        if index == cursor:
            c.icon(LEFT, top, "cursor")
        if row.icon:
            c.icon(9, top + 7 - icon(row.icon).height, row.icon)
        x = 20 if row.icon else 9
        c.text(x, top, cut(row.text, TEXT, RIGHT - x + 1, c.names))
        c.text(x, top + 8, cut(row.right, TEXT, RIGHT - x + 1, c.names))


def verdict(c: Canvas, s: str, mark: str = "", x: int = LEFT, y: int = LAST, end: int = RIGHT) -> int:
    """A line that judges an entry, with ``tick`` or ``cross`` before it, cut at column `end`; where its words begin."""
    if mark:
        c.icon(x, y + 7 - icon(mark).height, mark)
        x += 11
    c.text(x, y, cut(s, TEXT, end - x + 1, c.names))
    return x


def entry_strip(c: Canvas, entry: str, working: str = "", judged: str = "", mark: str = "") -> None:
    """The strip while entering: the entry in 13 px at the left, the working and its verdict beside it."""
    c.clear(LEFT, STRIP - 1, RIGHT, 63)
    face, shown = fit(entry, ENTRY, 78)
    wide = c.text(2, 63 - face.capitals if face is MIDDLE else 52, shown, face)
    x = max(WORKING, wide + 8)
    c.text(x, STRIP, cut(working, TEXT, RIGHT - x + 1, c.names))
    verdict(c, judged, mark, x)


def rest_strip(c: Canvas, left: str, label: str = "", figure: str = "", name: str = "") -> None:
    """The strip at rest: the last move at the left, a labelled figure in 13 px at the right, such as the pile.

    With `name`, ``{}`` in `left` stands for it, and it is the name that is cut, not the move: ``{} 3:36T``.
    """
    c.clear(LEFT, STRIP - 1, RIGHT, 63)
    end = RIGHT
    if figure:
        end -= c.fitted(RIGHT, 50, figure, NUMBERS, 60, "r") + 3
    if label:
        end -= c.text(end, LAST, cut(label, TEXT, 60, c.names), TEXT, "r") + 5
    if name:
        left = named(left, name, TEXT, end - LEFT + 1, c.names)
    c.text(LEFT, LAST, cut(left, TEXT, end - LEFT + 1, c.names))


def banner(c: Canvas, first: str, second: str = "", mark: str = "alert") -> None:
    """Two lines over the strip with an icon before them; the table above stays, a line that is half covered goes."""
    c.erase_from(STRIP - 1, STRIP - 9)
    c.icon(LEFT, STRIP, mark)
    x = LEFT + icon(mark).width + 5
    c.text(x, STRIP, cut(first, TEXT, RIGHT - x + 1, c.names))
    c.text(x, LAST, cut(second, TEXT, RIGHT - x + 1, c.names))


def waiting(c: Canvas) -> None:
    """The sign that a press was ignored, in the place of the last page, of which no part is left to be misread.

    What reaches into that page from above, such as a tall figure, goes as a whole.
    """
    c.erase_from(LAST, STRIP - 4)
    c.plate(LEFT + 1, LAST, LEFT + 4 + TEXT.width("wait…"), 63)  # A row less than a tag, off the line above it.
    c.text(LEFT + 3, LAST, "wait…", inverse=True)


def cards(c: Canvas, entered: int, size: int, y: int = 19, high: int = 17) -> None:
    """`size` card backs of `high` rows, or in two rows, a dot on each entered one, a cursor on the next.

    Above 32 a bar takes their place.
    """
    if size > 32:
        c.bar(2, y + 3, 125, y + 13, entered / size)
        return
    rows = 1 if size <= 8 else 2
    across = -(-size // rows)
    pitch = min(16, 128 // max(across, 1))
    wide, high = min(12, pitch - 2), high if rows == 1 else 8
    left = 64 - ((across - 1) * pitch + wide) // 2
    for index in range(size):
        row, column = divmod(index, across)
        x0, y0 = left + column * pitch, y + row * 10
        x1, y1 = x0 + wide - 1, y0 + high - 1
        c.box(x0, y0, x1, y1)
        if index < entered and rows == 1:
            c.icon(x0 + 3, y0 + high // 2 - 2, "dot")
        elif index < entered:
            c.fill(x0 + 3, y0 + 3, x1 - 3, y1 - 3)
        elif index == entered:
            c.fill(x0 + 3, y1 - 2 - (rows == 1), x1 - 3, y1 - 2)

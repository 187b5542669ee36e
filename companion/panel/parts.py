"""The parts that screens share: tabs, titles, footers, verdicts, banners.

Each part draws plain data on a canvas and knows neither games nor the session. A text that is too long gets a smaller
face, then is cut, so that it never covers its neighbour.
"""

from collections.abc import Sequence
from typing import NamedTuple

from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import MIDDLE, NAME, NAMES, NARROW, NUMBERS, TEXT, cut, fit, named
from companion.panel.icons import Icon, icon

STRIP = 48
"""The first row of the strip, which is the last two text lines (the panel's pages P6 and P7)."""
LAST = 56
"""The top row of capitals on the last line (page P7), which has verdicts and footers."""

WORKING = 36
"""The first column of an entry's working and verdict; a long entry moves them to the right."""

LONGEST, GAP = 78, 8
"""The most columns of an entry, and from it to its working."""

Legend = tuple[str, str]
"""A key and what it does, such as ``("OK", "choose")`` or ``("any key", "goes on")``."""

ENTRY = (MIDDLE, NAME, NARROW, TEXT)
MARK = {"ok": "tick", "no": "cross", "more": ""}
"""The icon for each verdict of a draft."""


class Tab(NamedTuple):
    """What a seat's tab shows.

    Args:
        name: the player's name, cut to fit.
        value: a number at the right, which is never cut.
        badge: an icon before the number, such as ``hand``.
        mark: an icon before the name, such as ``full-disc``, which is not inverted with the tab.
    """

    name: str
    value: str = ""
    badge: str = ""
    mark: Icon = ""


def tabs(c: Canvas, seats: Sequence[Tab], to_move: int | None, rule: bool = True) -> None:
    """The tabs of two seats on rows 0–14; that of `to_move` (from 1) is inverted. `rule`: draw the line on row 15.

    A tab's mark is outside the inverted plate, since a full disc would look hollow on it.
    """
    for seat, (tab, x0, x1) in enumerate(zip(seats, (LEFT, 65), (62, RIGHT), strict=True), 1):
        left = x0
        if tab.mark:
            c.icon(x0, 7 - icon(tab.mark).height // 2, tab.mark)
            left += icon(tab.mark).width + 2
        if seat == to_move:
            c.fill(left + 1, 0, x1 - 1, 0)
            c.fill(left, 1, x1, 14)
        _tab(c, tab, left + (3 if tab.mark else 4), x1 - 3, 1, inverse=seat == to_move)
    if rule:
        c.hline(15)


def seat_list(
    c: Canvas, seats: Sequence[Tab], to_move: int | None, x0: int, *, pitch: int = 15, small: bool = False
) -> None:
    """The tabs of seats in a column from `x0` to the right edge, `pitch` rows each: 15 for two, 13 for four.

    With `small` all numbers have the text face, also those that would fit in a larger one.
    """
    for seat, tab in enumerate(seats, 1):
        top = (seat - 1) * pitch
        inverse = seat == to_move
        if inverse:
            c.plate(x0, top, RIGHT, top + min(pitch, 15) - 1)
        _tab(c, tab, x0 + 3, RIGHT - 3, top + 1, inverse=inverse, tall=pitch >= 15, small=small)


def _tab(
    c: Canvas, tab: Tab, x0: int, x1: int, y: int, *, inverse: bool, tall: bool = True, small: bool = False
) -> None:
    """Draw name and number between columns `x0` and `x1`; `y` is the top row of a tall number.

    The badge is left out, and then the number small, where that alone leaves room for the whole name.
    """
    end = x1
    big, less = NUMBERS if tall else (NAME, TEXT)
    face = big if not small and big.has(tab.value) and big.width(tab.value) <= x1 - x0 - 16 else less
    if tab.badge and tab.value:
        room = x1 - x0 - 2 - TEXT.width(tab.name)
        needed = [number.width(tab.value) + 1 for number in (face, less)]
        if needed[0] + icon(tab.badge).width + 4 > room >= needed[1]:
            tab, face = tab._replace(badge=""), face if needed[0] <= room else less
    if tab.value:
        top = y + (big.capitals - face.capitals) // 2
        end -= c.text(x1, top, tab.value, face, "r", inverse=inverse) + 1
    if tab.badge:
        end -= c.icon(end - 3, y + 3, tab.badge, "r", inverse=inverse) + 4
    room = end - x0 - 2 if tab.value or tab.badge else end - x0 + 1
    c.fitted(x0, y + 1 if tall else y, tab.name, NAMES, room, inverse=inverse)


def title(c: Canvas, s: str, note: str = "", figure: str = "") -> None:
    """A screen's title above a line on row 15, with a small note or a figure 13 pixels high at the right."""
    end = RIGHT + 1
    if figure:
        end -= c.fitted(RIGHT, 1, figure, ENTRY, 60, anchor="r") + 5
    elif note:
        room = 122 - min(TEXT.width(s), 44)
        end -= c.text(RIGHT, 5, cut(note, TEXT, room, c.names), TEXT, "r") + 4
    face, shown = fit(s, NAMES, end - LEFT, c.names)
    c.text(LEFT, 2 + NAME.capitals - face.capitals, shown, face)  # On the note's baseline.
    c.hline(15)


def question(c: Canvas, subject: str, asked: str) -> None:
    """The title of a question: its subject and what is asked, or only the latter if both do not fit."""
    if TEXT.width(subject) + TEXT.width(asked) <= 118:
        title(c, subject, asked)
    else:
        title(c, asked[:1].upper() + asked[1:])


def legend(buttons: bool, does: str, key: str = "OK") -> Legend:
    """A key's name on buttons or keypad, whichever was used last, and what it does."""
    return key if buttons else {"OK": "#", "BACK": "*"}.get(key, key), does


def beside(*keys: str) -> int:
    """The width in pixels that the tags of one or two keys leave in the footer for words."""
    return 126 - sum(TEXT.width(key) + 7 for key in keys if key) - (5 if all(keys) else 0)


def footer(c: Canvas, left: Legend | None, right: Legend | None = None) -> None:
    """Up to two keys on the last line, each a tag and what it does; both texts are cut if they are too long."""
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
    """Two keys and the arrows that they stand for, between the two legends of the footer."""
    wide = TEXT.width(first) + TEXT.width(second) + icon(icons[0]).width + icon(icons[1]).width + 5
    x = 68 - wide // 2
    for part in (first, *icons, second):
        if part in icons:
            x += c.icon(x, LAST + 4 - icon(part).height // 2, part) + 1
        else:
            x += c.text(x, LAST, part) + 2


def verdict(c: Canvas, s: str, mark: str = "", *, x: int = LEFT, y: int = LAST, end: int = RIGHT) -> int:
    """A line that judges an entry, after the icon ``tick`` or ``cross``, cut at column `end`.

    Returns the column where its words begin.
    """
    if mark:
        c.icon(x, y + 7 - icon(mark).height, mark)
        x += 11
    c.text(x, y, cut(s, TEXT, end - x + 1, c.names))
    return x


def entry_strip(c: Canvas, entry: str, working: str = "", judged: str = "", mark: str = "") -> None:
    """The strip during an entry: the entry 13 pixels high at the left, beside it the working and the verdict."""
    c.clear(LEFT, STRIP - 1, RIGHT, 63)
    face, shown = fit(entry, ENTRY, LONGEST)
    wide = c.text(2, 63 - face.capitals if face is MIDDLE else 52, shown, face)
    x = max(WORKING, wide + GAP)
    c.text(x, STRIP, cut(working, TEXT, RIGHT - x + 1, c.names))
    verdict(c, judged, mark, x=x)


def rest_strip(c: Canvas, s: str, name: str = "") -> None:
    """The strip at rest, such as the last move. `name` replaces ``{}`` in it and is what is cut: ``{} 3:36T``."""
    c.clear(LEFT, STRIP - 1, RIGHT, 63)
    room = RIGHT - LEFT + 1
    c.text(LEFT, LAST, cut(named(s, name, TEXT, room, c.names) if name else s, TEXT, room, c.names))


def banner(c: Canvas, first: str, second: str = "") -> None:
    """Two lines over the strip, with a warning sign; the picture above stays, except a line that they half cover."""
    c.erase_from(STRIP - 1, STRIP - 9)
    c.clear(LEFT, STRIP - 2, RIGHT, STRIP - 2)
    c.icon(LEFT, STRIP, "alert")
    x = LEFT + icon("alert").width + 5
    c.text(x, STRIP - 1, cut(first, TEXT, RIGHT - x + 1, c.names))  # A row apart, where letters reach below it.
    c.text(x, LAST, cut(second, TEXT, RIGHT - x + 1, c.names))


def waiting(c: Canvas) -> None:
    """Replace the last line by the sign that a press was ignored.

    Characters that reach into that line from above, such as a tall figure, are erased completely.
    """
    c.erase_from(LAST, STRIP - 4)
    c.text(LEFT, LAST, "wait…")


def cards(c: Canvas, entered: int, size: int, y: int = 19, high: int = 17) -> None:
    """`size` card backs `high` pixels tall in one row, or smaller in two rows: a dot on each entered one, a cursor
    on the next. More than 32 are drawn as a bar."""
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

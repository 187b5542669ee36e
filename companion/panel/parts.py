"""The widgets that screens share: titles, footers, verdicts, strips, scrollbars.

A widget draws plain data on a canvas, and knows neither games nor the session. A text that is too long gets a smaller
face, and then is cut, so that it never covers its neighbour. The rows of the panel::

     0-14   title, or the seats' tabs
    15      line
    16-47   the picture
    48-55   strip: the draft and its working        (page P6)
    56-63   last line: verdict, key labels, banner  (page P7)
"""

from collections.abc import Sequence

from PIL.Image import Image

from companion.languages import translate
from companion.panel.canvas import LEFT, RIGHT, WIDE, Canvas
from companion.panel.fonts import (
    BOLD,
    MIDDLE,
    NAME,
    NARROW,
    TEXT,
    balanced,
    cut,
    face_for,
    fit,
    wraps,
)
from companion.panel.icons import Icon, icon

STRIP = 48
"""The first row of the strip, which is the last two lines of text (the panel's pages P6 and P7)."""
LAST = 56
"""The top row of capitals on the last line (page P7), which has verdicts and footers."""

WORKING = 36
"""The first column of a draft's working and verdict. A long draft moves them to the right."""

LONGEST, GAP = 78, 8
"""The most columns of a draft, and columns between it and its working."""

LinePart = str | Image
"""Words, or the mask of an icon, in a line of both."""

Legend = tuple[str, str]
"""A key and what it does, such as ``("OK", "choose")`` or ``("any key", "goes on")``."""

APART = 3
"""Dark columns between two key labels."""
CLEAR = 2
"""More dark columns before a letter that stands for an arrow, where there is room."""
BESIDE_TITLE = WIDE - 5
"""The columns for a title and its note."""
BESIDE_BAR = RIGHT - 4
"""The last column of rows beside a scrollbar."""
SHORTEST = 5
"""The fewest pixels of a scrollbar's lit part."""

ENTRY = (MIDDLE, NAME, NARROW, TEXT)
SIGN = {"OK": "key-ok", "#": "key-hash"}
"""The icon for each name of OK, one row lower than its tag in a footer."""
MARK = {"ok": "tick", "no": "cross", "more": ""}
"""The icon for each verdict of a draft."""


def title(c: Canvas, s: str, note: str = "", figure: str = "") -> None:
    """Draw a screen's title above a line on row 15, with a small note or a figure 13 pixels high at the right.

    The title is bold. One that is too long for that is thin, if necessary in two lines without the line below. A note
    without room beside the title is left out, but a name there is cut.
    """
    end = RIGHT + 1
    if figure:
        end -= c.fitted(RIGHT, 1, figure, ENTRY, 60, anchor="r") + 5
    elif note:
        room = BESIDE_TITLE - NARROW.width(s)
        if note in c.names or s in c.names:
            room = max(room, 60)
        if TEXT.width(note) <= room or note in c.names:
            end -= c.text(RIGHT, 5, cut(note, TEXT, room, c.names), TEXT, "r") + 4
    s = translate(s)
    named = any(name in s for name in c.names)
    if not named and face_for(s, BOLD, end - LEFT) is None and wraps(s, TEXT, end - LEFT, 2):
        lines = balanced(s, TEXT, end - LEFT, 2)
        c.text_block(LEFT, 0 if len(lines) > 1 else 5, lines)
        if len(lines) == 1:
            c.hline(15)
        return
    face, shown = fit(s, BOLD, end - LEFT, c.names)
    c.text(LEFT, 2 + NAME.capitals - face.capitals, shown, face)  # On the note's baseline.
    c.hline(15)


def has_room_beside(s: str, note: str) -> bool:
    """Whether a note fits beside a bold title as a whole."""
    return NARROW.width(s) + TEXT.width(note) <= BESIDE_TITLE


def legend(buttons: bool, does: str, key: str = "OK") -> Legend:
    """A key's label: its name on buttons or on a keypad, and what it does. BACK is a sign on buttons, to save room."""
    return ({"BACK": "↩"} if buttons else {"OK": "#", "BACK": "*"}).get(key, key), does


def beside(*keys: str) -> int:
    """The pixels that the tags of one or two keys leave in the footer for words."""
    return 126 - sum(TEXT.width(key) + 7 for key in keys if key) - (5 if all(keys) else 0)


def footer(c: Canvas, left: Legend | None, right: Legend | None = None) -> None:
    """Draw up to two key labels on the last line, each a tag and what it does. Texts that are too long are cut.

    Beside a tag that is a word itself, such as "any key", a text that is too long is left out. The columns between the
    two labels are `Canvas.free_columns` afterwards.
    """
    c.clear(LEFT, LAST - 1, RIGHT, LAST + 7)
    keys = [legend[0] if legend else "" for legend in (left, right)]
    does = [legend[1] if legend else "" for legend in (left, right)]
    room = beside(*keys)
    wide = [TEXT.width(word) for word in does]
    if sum(wide) > room:
        wide[1] = min(wide[1], max(room - wide[0], room // 2))
        wide[0] = room - wide[1]
        if len(keys[0]) > len("OK") and TEXT.width(does[0]) > wide[0]:
            does[0] = ""
    first, last = LEFT, RIGHT
    if keys[0]:
        first += c.tag(LEFT, LAST, keys[0]) + 3
        first += c.text(first, LAST, cut(does[0], TEXT, wide[0], c.names)) + APART
    if keys[1]:
        last -= c.text(RIGHT, LAST, cut(does[1], TEXT, wide[1], c.names), TEXT, "r") + (3 if does[1] else 0)
        last -= c.tag(last, LAST, keys[1], "r") + APART
    c.free = (first, last)


def line_width(line: Sequence[LinePart], gaps: tuple[int, int]) -> int:
    """The columns of a line of words and icons, with the gaps that `draw_mixed_line` leaves after each."""
    return sum(TEXT.width(part) + gaps[0] if isinstance(part, str) else part.width + gaps[1] for part in line)


def draw_line(c: Canvas, x: int, y: int, line: Sequence[LinePart], *, gaps: tuple[int, int], middle: int = 4) -> None:
    """Write words and icons (masks) in a line from column `x`, the words with their capitals on row `y`.

    `gaps` are the columns after a word and after an icon. The middle of an icon is `middle` rows below `y`.
    """
    for part in line:
        if isinstance(part, str):
            x += c.text(x, y, part) + gaps[0]
        else:
            x += c.icon(x, y + middle - part.height // 2, part) + gaps[1]


def arrow_keys(c: Canvas, first: str, second: str, icons: Sequence[Icon]) -> None:
    """Draw two keys ("" on buttons) and their arrows in the footer's free columns, if they fit there."""
    line: list[LinePart] = [*filter(None, [first]), *map(icon, icons)]
    line += filter(None, [second])
    gaps = 2, 1
    wide = line_width(line, gaps) - 1
    x = min(max(c.free[0] + CLEAR, 68 - wide // 2), c.free[1] - wide + 1)
    if x >= c.free[0]:
        draw_line(c, x, LAST, line, gaps=gaps)
        c.free = (x + wide + 1 + APART, c.free[1])


def verdict(
    c: Canvas, s: str, mark: str = "", *, x: int = LEFT, y: int = LAST, end: int = RIGHT, key: Legend | None = None
) -> int:
    """Draw a draft's verdict in a line, after the icon ``tick`` or ``cross``, cut at column `end`.

    With `key` its label replaces the icon, for a draft that OK only takes a step further. Returns the column where the
    words begin.
    """
    if key is not None:
        x += c.icon(x, y, SIGN[key[0]]) + APART
        x += c.text(x, y, key[1]) + 2 * APART
    elif mark:
        c.icon(x, y + 7 - icon(mark).height, mark)
        x += 11
    if s:
        c.text(x, y, cut(s, TEXT, end - x + 1, c.names))
    return x


def beside_entry(entry: str) -> int:
    """The first column of the working and the verdict beside a draft in its strip."""
    face, shown = fit(entry, ENTRY, LONGEST)
    return max(WORKING, face.width(shown) + GAP)


def entry_strip(
    c: Canvas, entry: str, working: str = "", judged: str = "", mark: str = "", *, key: Legend | None = None
) -> None:
    """Draw the strip: the draft 13 pixels high at the left, and beside it the working and the verdict."""
    c.clear(LEFT, STRIP - 1, RIGHT, 63)
    face, shown = fit(entry, ENTRY, LONGEST)
    c.text(2, 63 - face.capitals if face is MIDDLE else 52, shown, face)
    x = beside_entry(entry)
    c.text(x, STRIP, cut(working, TEXT, RIGHT - x + 1, c.names))
    verdict(c, judged, mark, x=x, key=key)


def cards(c: Canvas, entered: int, size: int, y: int = 19, high: int = 17) -> None:
    """Draw `card_count` card backs in one row, or smaller ones in two: a dot on each entered one, a cursor on the next.

    One row of cards is `card_rows` pixels tall. More than 32 cards are drawn as a bar.
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


def scrollbar(c: Canvas, first: int, shown: int, count: int, *, y0: int = 18, y1: int = 51) -> int:
    """Draw at the right edge which `visible_count` of `count` rows are visible, from row `first` (from 0).

    The bar is in the pixel rows `y0` to `y1`. Returns the last column that is left for the text. If all rows are
    visible, there is no bar.
    """
    if count <= shown:
        return RIGHT
    high = max(SHORTEST, (y1 - y0 + 1) * shown // count)
    top = y0 + round((y1 - y0 + 1 - high) * min(1.0, first / (count - shown)))
    c.dotted(RIGHT, y0, RIGHT, y1)
    c.fill(RIGHT - 1, top, RIGHT, top + high - 1)
    return BESIDE_BAR


def page_bar(c: Canvas, number: int, count: int) -> int:
    """Draw the scrollbar of a text under a title: page `page_number`, from 0, of `count`.

    Returns the last column that is left for the text.
    """
    return scrollbar(c, number, 1, count)

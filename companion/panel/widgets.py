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
from companion.panel.canvas import LEFT, LINE_COLUMNS, RIGHT, Canvas
from companion.panel.fonts import (
    BOLD_FACES,
    MIDDLE,
    NAME,
    NARROW,
    TEXT,
    cut_text,
    fit_text,
    fits_lines,
    fitting_face,
    wrap_balanced,
)
from companion.panel.icons import Icon, icon_mask

STRIP_ROW = 48
"""The first row of the strip, which is the last two lines of text (the panel's pages P6 and P7)."""
LAST_LINE_ROW = 56
"""The top row of capitals on the last line (page P7), which has verdicts and footers."""

WORKING_COLUMN = 36
"""The first column of a draft's working and verdict. A long draft moves them to the right."""

MAX_DRAFT_COLUMNS, DRAFT_GAP_COLUMNS = 78, 8
"""The most columns of a draft, and columns between it and its working."""

LinePart = str | Image
"""Words, or the mask of an icon, in a line of both."""

KeyLabel = tuple[str, str]
"""A key and what it does, such as ``("OK", "choose")`` or ``("any key", "continues")``."""

LABEL_GAP_COLUMNS = 3
"""Dark columns between two key labels."""
ARROW_GAP_COLUMNS = 2
"""More dark columns before a letter that stands for an arrow, where there is room."""
TITLE_LINE_COLUMNS = LINE_COLUMNS - 5
"""The columns for a title and its note."""
LAST_COLUMN_BESIDE_BAR = RIGHT - 4
"""The last column of rows beside a scrollbar."""
MIN_SCROLLBAR_ROWS = 5
"""The fewest pixels of a scrollbar's lit part."""

DRAFT_FACES = (MIDDLE, NAME, NARROW, TEXT)
OK_ICONS = {"OK": "key-ok", "#": "key-hash"}
"""The icon for each name of OK, one row lower than its tag in a footer."""
VERDICT_ICONS = {"ok": "tick", "no": "cross", "more": ""}
"""The icon for each verdict of a draft."""


def draw_title(canvas: Canvas, text: str, note: str = "", figure: str = "") -> None:
    """Draw a screen's title above a line on row 15, with a small note or a figure 13 pixels high at the right.

    The title is bold. One that is too long for that is thin, if necessary in two lines without the line below. A note
    without room beside the title is left out, but a name there is cut.
    """
    end = RIGHT + 1
    if figure:
        end -= canvas.fitted_text(RIGHT, 1, figure, DRAFT_FACES, 60, anchor="r") + 5
    elif note:
        room = TITLE_LINE_COLUMNS - NARROW.width(text)
        if note in canvas.names or text in canvas.names:
            room = max(room, 60)
        if TEXT.width(note) <= room or note in canvas.names:
            end -= canvas.text(RIGHT, 5, cut_text(note, TEXT, room, canvas.names), TEXT, "r") + 4
    text = translate(text)
    named = any(name in text for name in canvas.names)
    if not named and fitting_face(text, BOLD_FACES, end - LEFT) is None and fits_lines(text, TEXT, end - LEFT, 2):
        lines = wrap_balanced(text, TEXT, end - LEFT, 2)
        canvas.text_block(LEFT, 0 if len(lines) > 1 else 5, lines)
        if len(lines) == 1:
            canvas.hline(15)
        return
    face, shown = fit_text(text, BOLD_FACES, end - LEFT, canvas.names)
    canvas.text(LEFT, 2 + NAME.capital_rows - face.capital_rows, shown, face)  # On the note's baseline.
    canvas.hline(15)


def fits_beside_title(text: str, note: str) -> bool:
    """Whether a note fits beside a bold title as a whole."""
    return NARROW.width(text) + TEXT.width(note) <= TITLE_LINE_COLUMNS


def key_label(uses_buttons: bool, words: str, key: str = "OK") -> KeyLabel:
    """A key's label: its name on buttons or on a keypad, and what it does. BACK is a sign on buttons, to save room."""
    return ({"BACK": "↩"} if uses_buttons else {"OK": "#", "BACK": "*"}).get(key, key), words


def footer_room_for_words(*keys: str) -> int:
    """The pixels that the tags of one or two keys leave in the footer for words."""
    return 126 - sum(TEXT.width(key) + 7 for key in keys if key) - (5 if all(keys) else 0)


def draw_footer(canvas: Canvas, left: KeyLabel | None, right: KeyLabel | None = None) -> None:
    """Draw up to two key labels on the last line, each a tag and what it does. Texts that are too long are cut.

    Beside a tag that is a word itself, such as "any key", a text that is too long is left out. The columns between the
    two labels are `Canvas.free_columns` afterwards.
    """
    canvas.clear(LEFT, LAST_LINE_ROW - 1, RIGHT, LAST_LINE_ROW + 7)
    keys = [label[0] if label else "" for label in (left, right)]
    words = [label[1] if label else "" for label in (left, right)]
    room = footer_room_for_words(*keys)
    wide = [TEXT.width(word) for word in words]
    if sum(wide) > room:
        wide[1] = min(wide[1], max(room - wide[0], room // 2))
        wide[0] = room - wide[1]
        if len(keys[0]) > len("OK") and TEXT.width(words[0]) > wide[0]:
            words[0] = ""
    first, last = LEFT, RIGHT
    if keys[0]:
        first += canvas.tag(LEFT, LAST_LINE_ROW, keys[0]) + 3
        first += canvas.text(first, LAST_LINE_ROW, cut_text(words[0], TEXT, wide[0], canvas.names)) + LABEL_GAP_COLUMNS
    if keys[1]:
        last -= canvas.text(RIGHT, LAST_LINE_ROW, cut_text(words[1], TEXT, wide[1], canvas.names), TEXT, "r") + (
            3 if words[1] else 0
        )
        last -= canvas.tag(last, LAST_LINE_ROW, keys[1], "r") + LABEL_GAP_COLUMNS
    canvas.free_columns = (first, last)


def mixed_line_width(line: Sequence[LinePart], gaps: tuple[int, int]) -> int:
    """The columns of a line of words and icons, with the gaps that `draw_mixed_line` leaves after each."""
    return sum(TEXT.width(part) + gaps[0] if isinstance(part, str) else part.width + gaps[1] for part in line)


def draw_mixed_line(
    canvas: Canvas, x: int, y: int, line: Sequence[LinePart], *, gaps: tuple[int, int], middle: int = 4
) -> None:
    """Write words and icons (masks) in a line from column `x`, the words with their capitals on row `y`.

    `gaps` are the columns after a word and after an icon. The middle of an icon is `middle` rows below `y`.
    """
    for part in line:
        if isinstance(part, str):
            x += canvas.text(x, y, part) + gaps[0]
        else:
            x += canvas.icon(x, y + middle - part.height // 2, part) + gaps[1]


def draw_arrow_keys(canvas: Canvas, first: str, second: str, icons: Sequence[Icon]) -> None:
    """Draw two keys ("" on buttons) and their arrows in the footer's free columns, if they fit there."""
    line: list[LinePart] = [*filter(None, [first]), *map(icon_mask, icons)]
    line += filter(None, [second])
    gaps = 2, 1
    wide = mixed_line_width(line, gaps) - 1
    x = min(max(canvas.free_columns[0] + ARROW_GAP_COLUMNS, 68 - wide // 2), canvas.free_columns[1] - wide + 1)
    if x >= canvas.free_columns[0]:
        draw_mixed_line(canvas, x, LAST_LINE_ROW, line, gaps=gaps)
        canvas.free_columns = (x + wide + 1 + LABEL_GAP_COLUMNS, canvas.free_columns[1])


def draw_verdict(
    canvas: Canvas,
    text: str,
    mark: str = "",
    *,
    x: int = LEFT,
    y: int = LAST_LINE_ROW,
    end: int = RIGHT,
    key: KeyLabel | None = None,
) -> int:
    """Draw a draft's verdict in a line, after the icon ``tick`` or ``cross``, cut at column `end`.

    With `key` its label replaces the icon, for a draft that OK only takes a step further. Returns the column where the
    words begin.
    """
    if key is not None:
        x += canvas.icon(x, y, OK_ICONS[key[0]]) + LABEL_GAP_COLUMNS
        x += canvas.text(x, y, key[1]) + 2 * LABEL_GAP_COLUMNS
    elif mark:
        canvas.icon(x, y + 7 - icon_mask(mark).height, mark)
        x += 11
    if text:
        canvas.text(x, y, cut_text(text, TEXT, end - x + 1, canvas.names))
    return x


def column_beside_draft(draft: str) -> int:
    """The first column of the working and the verdict beside a draft in its strip."""
    face, shown = fit_text(draft, DRAFT_FACES, MAX_DRAFT_COLUMNS)
    return max(WORKING_COLUMN, face.width(shown) + DRAFT_GAP_COLUMNS)


def draw_draft_strip(
    canvas: Canvas,
    draft: str,
    working: str = "",
    verdict_text: str = "",
    mark: str = "",
    *,
    key: KeyLabel | None = None,
) -> None:
    """Draw the strip: the draft 13 pixels high at the left, and beside it the working and the verdict."""
    canvas.clear(LEFT, STRIP_ROW - 1, RIGHT, 63)
    face, shown = fit_text(draft, DRAFT_FACES, MAX_DRAFT_COLUMNS)
    canvas.text(2, 63 - face.capital_rows if face is MIDDLE else 52, shown, face)
    x = column_beside_draft(draft)
    canvas.text(x, STRIP_ROW, cut_text(working, TEXT, RIGHT - x + 1, canvas.names))
    draw_verdict(canvas, verdict_text, mark, x=x, key=key)


def draw_card_backs(canvas: Canvas, entered_count: int, card_count: int, y: int = 19, card_rows: int = 17) -> None:
    """Draw `card_count` card backs in one row, or smaller ones in two: a dot on each entered one, a cursor on the next.

    One row of cards is `card_rows` pixels tall. More than 32 cards are drawn as a bar.
    """
    if card_count > 32:
        canvas.progress_bar(2, y + 3, 125, y + 13, entered_count / card_count)
        return
    rows = 1 if card_count <= 8 else 2
    across = -(-card_count // rows)
    pitch = min(16, 128 // max(across, 1))
    wide, card_rows = min(12, pitch - 2), card_rows if rows == 1 else 8
    left = 64 - ((across - 1) * pitch + wide) // 2
    for index in range(card_count):
        row, column = divmod(index, across)
        x0, y0 = left + column * pitch, y + row * 10
        x1, y1 = x0 + wide - 1, y0 + card_rows - 1
        canvas.box(x0, y0, x1, y1)
        if index < entered_count and rows == 1:
            canvas.icon(x0 + 3, y0 + card_rows // 2 - 2, "dot")
        elif index < entered_count:
            canvas.fill(x0 + 3, y0 + 3, x1 - 3, y1 - 3)
        elif index == entered_count:
            canvas.fill(x0 + 3, y1 - 2 - (rows == 1), x1 - 3, y1 - 2)


def draw_scrollbar(canvas: Canvas, first: int, visible_count: int, count: int, *, y0: int = 18, y1: int = 51) -> int:
    """Draw at the right edge which `visible_count` of `count` rows are visible, from row `first` (from 0).

    The bar is in the pixel rows `y0` to `y1`. Returns the last column that is left for the text. If all rows are
    visible, there is no bar.
    """
    if count <= visible_count:
        return RIGHT
    high = max(MIN_SCROLLBAR_ROWS, (y1 - y0 + 1) * visible_count // count)
    top = y0 + round((y1 - y0 + 1 - high) * min(1.0, first / (count - visible_count)))
    canvas.dotted_line(RIGHT, y0, RIGHT, y1)
    canvas.fill(RIGHT - 1, top, RIGHT, top + high - 1)
    return LAST_COLUMN_BESIDE_BAR


def draw_page_bar(canvas: Canvas, page_number: int, count: int) -> int:
    """Draw the scrollbar of a text under a title: page `page_number`, from 0, of `count`.

    Returns the last column that is left for the text.
    """
    return draw_scrollbar(canvas, page_number, 1, count)

"""The widgets that screens share: titles, footers, lines of words, scrollbars.

A widget draws plain data on a canvas, and knows neither games nor the session. A text that is too long gets a smaller
face, and then is cut, so that it never covers its neighbour. The rows of the panel::

     0-14   title above a line on row 14, or the players' tabs
    16-50   the picture, or three lines of words
    52-62   last line: what OK does at the left, what BACK does at the right, or a question
"""

from collections.abc import Sequence
from contextvars import ContextVar

from PIL.Image import Image

from companion.languages import translate
from companion.languages.key_names import KEY_NAMES
from companion.panel.canvas import LEFT, LINE_COLUMNS, RIGHT, Canvas
from companion.panel.fonts import (
    CONDENSED,
    TEXT,
    WORD_FACES,
    Face,
    cut_text,
    fits_lines,
    fits_width,
    report_cut,
    wrap_balanced,
)
from companion.panel.icons import Icon, icon_mask
from companion.panel.name_cutting import MIN_CUT_CHARACTERS, shorten_names_in

TITLE_ROW, WORDS_ROW, DETAIL_ROW, LAST_LINE_ROW = 2, 16, 40, 53
"""The top rows of capitals of a title, of words below it, of the line below a game's picture, and of the last line."""
LINE_PITCH, SMALL_LINE_PITCH = 12, 9
"""Rows from one line of words to the next, in the condensed face and in the text face."""
MAX_LINES, MAX_SMALL_LINES = 3, 4
"""The most lines of words between a title and the last line."""

LinePart = str | Image
"""Words, or the mask of an icon, in a line of both."""

KeyLabel = tuple[str, str]
"""A key and what it does, such as ``("OK", "choose")`` or ``("any key", "continues")``."""

LABEL_GAP_COLUMNS = 3
"""Dark columns between a key's plate and its words."""
PART_GAP_COLUMNS = 5
"""Dark columns between two parts of the last line."""
ARROW_GAP_COLUMNS = 2
"""More dark columns before a letter that stands for an arrow, where there is room."""
LAST_COLUMN_BESIDE_BAR = RIGHT - 4
"""The last column of rows beside a scrollbar."""
RECOGNIZED_NAME_CHARACTERS = 5
"""The characters to which a name may be cut in the first of several words for the last line, ``…`` included."""
MIN_SCROLLBAR_ROWS = 5
"""The fewest pixels of a scrollbar's lit part."""

VERDICT_ICONS = {"ok": "tick", "no": "cross", "more": ""}
"""The icon for each verdict of a draft."""


def draw_title(canvas: Canvas, text: str, note: str = "", *, line: bool = True) -> None:
    """Draw a screen's title, with a note at the right, and a line on row 14 unless a list follows.

    For a note, names in the title are cut; a note without room beside the title is left out, but a name there is cut.
    """
    end = RIGHT + 1
    if note:
        room = LINE_COLUMNS - CONDENSED.width(note) - PART_GAP_COLUMNS
        text = with_fitting_names(canvas, text, room)
        room = LINE_COLUMNS - TEXT.width(text) - PART_GAP_COLUMNS
        if note in canvas.names or text in canvas.names:
            room = max(room, 60)
        if TEXT.width(note) <= room or note in canvas.names:
            end -= canvas.fitted_text(RIGHT, TITLE_ROW, note, WORD_FACES, room, anchor="r") + PART_GAP_COLUMNS
    canvas.fitted_text(LEFT, TITLE_ROW, text, WORD_FACES, end - LEFT)
    if line:
        canvas.hline(14)


def fits_beside_title(text: str, note: str) -> bool:
    """Whether a note fits beside a title as a whole."""
    return TEXT.width(text) + PART_GAP_COLUMNS + TEXT.width(note) <= LINE_COLUMNS


def draw_words(
    canvas: Canvas, words: str, y: int = WORDS_ROW, *, x: int = LEFT, end: int = RIGHT, lines: int = MAX_LINES
) -> None:
    """Write sentences in at most so many `lines` from row `y`; if they don't fit, in one more of the smaller face."""
    width = end - x + 1
    face, pitch = (CONDENSED, LINE_PITCH)
    if not fits_lines(translate(words), CONDENSED, width, lines):
        face, pitch, lines = TEXT, SMALL_LINE_PITCH, lines + 1
    canvas.text_block(x, y, wrap_balanced(words, face, width, lines, canvas.names), face=face, pitch=pitch)


def draw_detail(
    canvas: Canvas, words: str | Sequence[str], mark: str = "", *, y: int = DETAIL_ROW, end: int = RIGHT
) -> None:
    """Write a line after the icon `mark` (``tick``, ``cross`` or ""), by default above the last line.

    Of several `words` the first are written that fit, or else the last.
    """
    x = LEFT + (canvas.icon(LEFT, y, mark) + LABEL_GAP_COLUMNS if mark else 0)
    if not isinstance(words, str):
        words = next((each for each in words if fits_width(translate(each), TEXT, end - x + 1)), words[-1])
    canvas.fitted_text(x, y, with_fitting_names(canvas, words, end - x + 1), WORD_FACES, end - x + 1)


def with_fitting_names(canvas: Canvas, words: str, room: int) -> str:
    """The words with names cut so that they fit in the condensed face; unchanged if that is not enough."""
    if words in canvas.names:
        return words
    cut = shorten_names_in(translate(words), canvas.names, lambda tried: fits_width(tried, CONDENSED, room))
    return cut if fits_width(cut, CONDENSED, room) else words


key_device = ContextVar("key_device", default="")
"""The device on which the last key was pressed, as in `KeyPressed`."""


def key_name(key: str, device: str | None = None) -> str:
    """What the panel shows for a keypad's key on a device, by default on the one in use."""
    name = KEY_NAMES[key_device.get() if device is None else device].get(key)
    return key if name is None else name.shown


def key_label(uses_buttons: bool, words: str, key: str = "OK") -> KeyLabel:
    """A key's label: its name on buttons or on a keypad, and what it does. BACK is a sign on buttons, to save room."""
    return key_name(key, "buttons" if uses_buttons else None), words


def draw_footer(
    canvas: Canvas,
    ok: KeyLabel | None = None,
    back: KeyLabel | None = None,
    words: str | Sequence[str] = "",
    mark: str = "",
    *,
    start: int = LEFT,
    end: int = RIGHT,
) -> None:
    """Draw the last line: what OK does, then an icon and `words`; at the right what BACK does.

    If there is no room, names in the words are cut, then the words get the smaller face, then BACK has only its plate,
    then that is left out, then `words`, and what OK does is never left out. It is in the columns `start` to `end`. The
    free columns are `Canvas.free_columns` afterwards. Of several `words` the first are drawn that fit in the larger
    face with names that can be recognized, else with names cut further, else in any of these ways.
    """
    canvas.clear(LEFT, LAST_LINE_ROW - 1, RIGHT, 63)
    plate = (back[0], "") if back else None
    choices = [words] if isinstance(words, str) else list(words)
    keys = [(ok, kept) for kept in (back, plate, None)]
    room = end - start + 1
    ways = [(RECOGNIZED_NAME_CHARACTERS, False), (MIN_CUT_CHARACTERS, False), (MIN_CUT_CHARACTERS, True)]
    fitting = (
        _fitting_words(choice, canvas.names, keys, mark, room, least=least, can_be_thin=can_be_thin)
        for least, can_be_thin in ways[0 if len(choices) > 1 else -1 :]
        for choice in choices
    )
    words = next(filter(None, fitting), choices[-1])
    tried = [(ok, back, words, face) for face in WORD_FACES]
    if ok or words:
        tried += [(ok, kept, words, face) for kept in (plate, None) for face in WORD_FACES]
    tried += [(ok, kept, "", face) for kept in ((plate, None) if ok else (back,)) for face in WORD_FACES]
    ok, back, shown, face = next(
        (each for each in tried if footer_columns(*each, mark=mark) <= room), (ok, None, words, TEXT)
    )
    if words and not shown and TEXT.width(words) > room:
        report_cut(words, shown, TEXT, room)
    down = CONDENSED.capital_rows - face.capital_rows
    first, last = start, end
    if back:
        if back[1]:
            last -= canvas.text(end, LAST_LINE_ROW + down, back[1], face, "r") + LABEL_GAP_COLUMNS
        last -= canvas.tag(last, LAST_LINE_ROW, back[0], "r") + PART_GAP_COLUMNS
    if ok:
        first += canvas.tag(start, LAST_LINE_ROW, ok[0]) + LABEL_GAP_COLUMNS
        said = cut_text(ok[1], face, last - first + 1, canvas.names)
        first += canvas.text(first, LAST_LINE_ROW + down, said, face) + PART_GAP_COLUMNS
    if mark:
        first += canvas.icon(first, LAST_LINE_ROW, mark) + PART_GAP_COLUMNS
    if shown:
        said = cut_text(shown, face, last - first + 1, canvas.names)
        first += canvas.text(first, LAST_LINE_ROW + down, said, face) + PART_GAP_COLUMNS
    canvas.free_columns = (first, last)


def _fitting_words(
    words: str,
    names: Sequence[str],
    keys: Sequence[tuple[KeyLabel | None, KeyLabel | None]],
    mark: str,
    room: int,
    *,
    least: int,
    can_be_thin: bool,
) -> str:
    """The words of a footer, with these names cut beside the first of `keys` (OK, BACK) that leave room; else "".

    Names keep `least` characters. If it `can_be_thin`, words that are too wide even so are whole where the smaller face
    has room beside the last of `keys`.
    """
    for shown_keys in keys:

        def fits(tried: str, shown_keys: tuple[KeyLabel | None, KeyLabel | None] = shown_keys) -> bool:
            return footer_columns(*shown_keys, tried, CONDENSED, mark) <= room

        if fits(shown := shorten_names_in(translate(words), names, fits, least)):
            return shown
    return words if can_be_thin and footer_columns(*keys[-1], words, TEXT, mark) <= room else ""


def footer_columns(ok: KeyLabel | None, back: KeyLabel | None, words: str, face: Face, mark: str = "") -> int:
    """The columns that the last line takes with these parts, in a face."""
    labels = [
        CONDENSED.width(key) + 4 + (LABEL_GAP_COLUMNS + face.width(said) if said else 0)
        for key, said in filter(None, (ok, back))
    ]
    parts = labels + ([icon_mask(mark).width] if mark else []) + ([face.width(words)] if words else [])
    return sum(parts) + PART_GAP_COLUMNS * (len(parts) - 1)


def mixed_line_width(line: Sequence[LinePart], gaps: tuple[int, int]) -> int:
    """The columns of a line of words and icons, with the gaps that `draw_mixed_line` leaves after each."""
    return sum(CONDENSED.width(part) + gaps[0] if isinstance(part, str) else part.width + gaps[1] for part in line)


def draw_mixed_line(
    canvas: Canvas, x: int, y: int, line: Sequence[LinePart], *, gaps: tuple[int, int], middle: int = 4
) -> int:
    """Write words and icons (masks) in a line from column `x`, the words with their capitals on row `y`.

    Returns the column after it. `gaps` are the columns after a word and after an icon, whose middle is `middle` rows
    below `y`.
    """
    for part in line:
        if isinstance(part, str):
            x += canvas.text(x, y, part) + gaps[0]
        else:
            x += canvas.icon(x, y + middle - part.height // 2, part) + gaps[1]
    return x


def draw_arrow_keys(canvas: Canvas, first: str, second: str, icons: Sequence[Icon]) -> None:
    """Draw two keys ("" on buttons) and their arrows in the footer's free columns, if they fit there."""
    line: list[LinePart] = [*filter(None, [key_name(first)]), *map(icon_mask, icons)]
    line += filter(None, [key_name(second)])
    gaps = 2, 1
    wide = mixed_line_width(line, gaps) - 1
    x = min(max(canvas.free_columns[0] + ARROW_GAP_COLUMNS, 68 - wide // 2), canvas.free_columns[1] - wide + 1)
    if x >= canvas.free_columns[0]:
        draw_mixed_line(canvas, x, LAST_LINE_ROW, line, gaps=gaps)
        canvas.free_columns = (x + wide + 1 + LABEL_GAP_COLUMNS, canvas.free_columns[1])


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


def draw_scrollbar(canvas: Canvas, first: int, visible_count: int, count: int, *, y0: int = 17, y1: int = 50) -> int:
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

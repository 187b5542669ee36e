"""Draws what is set before a round: who sits where, a number, the times of a clock, a name letter by letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.languages import text, translate
from companion.panel import widgets
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import BIG, CONDENSED, MIDDLE, NAME, NAME_FACES, NARROW, TEXT, WORD_FACES, cut_text
from companion.panel.seat_tabs import draw_seat_shape

if TYPE_CHECKING:
    from companion.display.key_hints import KeyHints
    from companion.evening.contents.kinds import Amount, Form, Letters, Seating
    from companion.panel.canvas import Canvas

MAX_SHAPES = 4
"""The most seats that have a shape, and that are listed in one column."""
MAX_CLOCKS_WITH_HELP = 2
"""The most seats under whose clocks there is room for a line about the arrows."""
NAME_COLUMNS = 50
"""Columns for a name beside its clock."""
FIRST_SEAT_ROW, FIRST_CLOCK_ROW, SEAT_COLUMNS = 15, 16, 12
"""The rows of the first player and of the first clock, and the columns of a seat's sign."""
TAP_LINES = ("1-' 2abc 3def 4ghi", "5jkl 6mno 7pqrs 8tuv", "9wxyz 0_")
"""What the digits of a keypad spell."""
SIGN_PAGE_ROWS = 3
"""Rows of the page of digits and signs, below which there is room for a line."""
ACCENT_HELP = text("for ü add u first")
"""How an accent is found: beside "done", after its letter was taken."""
TAP_HELP = text("more taps: äé"), text("wait: next")
"""How accents are typed, and how two letters of one digit follow each other."""
GRID_TOP_ROW, GRID_CELL_ROWS, GRID_CELL_COLUMNS = 18, 12, 14
"""The first row of the grid's letters, and the rows and columns of a cell."""
UP_ARROW_COLUMNS = 8
"""Columns of the arrowhead before the first word."""
COMMAND_GAP_COLUMNS = 6
"""Columns between the words for what OK does beside letters."""


def draw_seating(canvas: Canvas, content: Seating, hints: KeyHints) -> None:
    """Draw who sits where, in one column or two, and beside the title what is played."""
    note = next((each for each in content.notes if widgets.fits_beside_title(content.title, each)), "")
    widgets.draw_title(canvas, content.title, note, line=False)
    count = len(content.places)
    columns = 1 if count <= MAX_SHAPES else 2
    face, pitch = (CONDENSED, 12) if count <= widgets.MAX_LINES else (TEXT, 9)
    for index, place in enumerate(content.places):
        row, column = divmod(index, columns)
        x, end, y = (LEFT, 65)[column], RIGHT if columns == 1 else (62, RIGHT)[column], FIRST_SEAT_ROW + pitch * row
        if count <= MAX_SHAPES:
            draw_seat_shape(canvas, x, y + (face.capital_rows - 7) // 2, index + 1, small=True)
        else:
            canvas.text(x, y, str(index + 1), face)
        x += SEAT_COLUMNS
        if place.caption and columns == 1:
            end -= canvas.text(end, y, cut_text(place.caption, face, 60, canvas.names), face, "r") + 5
        canvas.text(x, y, cut_text(place.name, face, end - x + 1, canvas.names), face)
    hints.draw_arrow_hint("right", widgets.DETAIL_ROW if count < widgets.MAX_LINES else widgets.LAST_LINE_ROW)


def draw_amount(canvas: Canvas, content: Amount, hints: KeyHints) -> None:
    """Draw a number, as large as it fits."""
    widgets.draw_title(canvas, content.title, content.note)
    number_text = f"{content.number}_" if content.typed else content.number
    face = BIG if BIG.has_glyphs(number_text) else MIDDLE if MIDDLE.has_glyphs(number_text) else NAME
    canvas.text(64, 17, number_text, face, "c")
    if content.limit:
        canvas.fitted_text(64, widgets.DETAIL_ROW, content.limit, WORD_FACES, RIGHT - LEFT + 1, anchor="c")
    else:
        hints.draw_value_and_cursor_keys(widgets.DETAIL_ROW)


def draw_form(canvas: Canvas, content: Form, hints: KeyHints) -> None:
    """Draw a row of numbers for each name, the one under the cursor inverse."""
    numbers = [(*number, row) for row, (_, each) in enumerate(content.rows) for number in each]
    is_meaning = content.on == len(numbers)
    widgets.draw_title(canvas, content.title, "" if is_meaning else content.meaning, line=False)
    if is_meaning:
        canvas.tag(RIGHT, widgets.TITLE_ROW, content.meaning, "r")
    names = [name for name, _ in content.rows]
    face, pitch = (CONDENSED, 12) if len(names) <= MAX_CLOCKS_WITH_HELP else (TEXT, 9)
    for row, name in enumerate(names):
        canvas.text(LEFT, FIRST_CLOCK_ROW + pitch * row, cut_text(name, face, NAME_COLUMNS, names), face)
    for index, (number, unit, row) in enumerate(numbers):
        y = FIRST_CLOCK_ROW + pitch * row
        canvas.tag((93, RIGHT)[index % 2], y, f"{number} {unit}", "r", lit=index == content.on, face=face)
    if len(names) <= MAX_CLOCKS_WITH_HELP:
        hints.draw_value_and_cursor_keys(widgets.DETAIL_ROW + 1)
    else:
        hints.draw_left_right_keys()


def draw_letters(canvas: Canvas, content: Letters, hints: KeyHints) -> None:
    """Draw a name that is being spelled, with a grid of letters to pick from, or a keypad's digits."""
    _draw_name(canvas, content, hints)
    if content.rows:
        _draw_grid(canvas, content)
        _draw_commands(canvas, content, hints)
        return
    hints.draw_footer()
    more_taps, next_letter = map(translate, TAP_HELP)
    canvas.text_block(LEFT, 20, [*TAP_LINES, more_taps])
    canvas.text(RIGHT, 38, next_letter, TEXT, "r")
    first, last = canvas.free_columns
    if TEXT.width(content.board) <= last - first:
        canvas.text((first + last) // 2, widgets.LAST_LINE_ROW, content.board, TEXT, "c")


def _draw_name(canvas: Canvas, content: Letters, hints: KeyHints) -> None:
    """Draw the name so far and where its next letter goes; before the first letter, for what the name is.

    A short name leaves room beside it for what OK does with the letter under the cursor, or without a grid for what
    the name is.
    """
    if not content.text:
        widgets.draw_title(canvas, content.title, content.whose)
        return
    blank = 6 * content.text.endswith(" ")
    end = LEFT + canvas.fitted_text(LEFT, 2, content.text.rstrip(), NAME_FACES, 116 - blank) + blank
    canvas.fill(end + 2, NAME.capital_rows + 1, end + 9, NAME.capital_rows + 2)
    take = hints.ok_and_back_labels()[0]
    if content.rows and content.row < len(content.rows) - 1 and take is not None:
        key, ok_words = take
        if end + 21 + TEXT.width(key) + TEXT.width(ok_words) <= RIGHT:
            canvas.tag(RIGHT - canvas.text(RIGHT, 5, ok_words, TEXT, "r") - 3, 5, key, "r")
    elif not content.rows and end + 14 + TEXT.width(content.whose) <= RIGHT:
        canvas.text(RIGHT, 5, content.whose, TEXT, "r")
    canvas.hline(15)


def _draw_grid(canvas: Canvas, content: Letters) -> None:
    """Draw the letters, the one under the cursor on a plate."""
    for row, line in enumerate(content.rows[:-1]):
        for column, letter in enumerate(line):
            middle, y = LEFT + GRID_CELL_COLUMNS // 2 + GRID_CELL_COLUMNS * column, GRID_TOP_ROW + GRID_CELL_ROWS * row
            is_under_cursor = (row, column) == (content.row, content.column)
            if is_under_cursor:
                canvas.fill_rounded_box(middle - 6, y - 1, middle + 6, y + GRID_CELL_ROWS - 2)
            if letter == " ":  # A blank is drawn as it is on keyboards.
                canvas.icon(middle, y + 5, "blank", "c", inverse=is_under_cursor)
            canvas.text(middle, y, letter, NARROW, "c", inverse=is_under_cursor)
    if len(content.rows) <= SIGN_PAGE_ROWS:
        canvas.text(LEFT + 2, GRID_TOP_ROW + GRID_CELL_ROWS * (SIGN_PAGE_ROWS - 1) + 1, translate(ACCENT_HELP))


def _draw_commands(canvas: Canvas, content: Letters, hints: KeyHints) -> None:
    """Draw the last line: what else OK can do, and what BACK does."""
    x = LEFT + 2
    take, back = hints.ok_and_back_labels()
    assert take is not None, "OK takes a letter or a command"
    assert back is not None, "BACK erases or leaves"
    end = RIGHT - canvas.text(RIGHT, widgets.LAST_LINE_ROW, back[1], TEXT, "r") - 3
    end -= canvas.tag(end, widgets.LAST_LINE_ROW, back[0], "r")
    room = end - x - sum(TEXT.width(label) + COMMAND_GAP_COLUMNS for label in content.rows[-1] if label)
    at = content.row - len(content.rows) + 1, content.column
    # From the first letter, up leads to the first command.
    if content.rows[-1][0] and (content.row, content.column) == (0, 0) and room > UP_ARROW_COLUMNS:
        x += canvas.icon(x, widgets.LAST_LINE_ROW + 2, "more-up") + 2
    for column, label in enumerate(content.rows[-1]):
        if label:
            x += canvas.tag(x - 2, widgets.LAST_LINE_ROW, label, lit=at == (0, column)) - 4 + COMMAND_GAP_COLUMNS
    wide = TEXT.width(take[0]) + TEXT.width(take[1]) + 7
    if not content.text and wide <= end - x:  # Later on the commands need the room, and players know OK.
        x = (x + end - wide) // 2
        canvas.text(x + canvas.tag(x, widgets.LAST_LINE_ROW, take[0]) + 3, widgets.LAST_LINE_ROW, take[1])

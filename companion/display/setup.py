"""Draws what is set before a round: who sits where, a number, the times of a clock, a name letter by letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.evening.contents.kinds import DEFAULT_SEATING_TITLE
from companion.games import game_icons
from companion.languages import text, translate
from companion.panel import widgets
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import BIG, MIDDLE, NAME, NAME_FACES, NARROW, TEXT, cut_text
from companion.panel.icons import icon_mask

if TYPE_CHECKING:
    from companion.display.key_hints import KeyHints
    from companion.evening.contents.kinds import Amount, Form, Letters, Seating, SeatPreview
    from companion.panel.canvas import Canvas
    from companion.panel.icons import Icon

SUMMARY_COLUMNS = 73
"""Columns for what was chosen before, beside the title."""
MAX_LISTED_PLAYERS = 4
"""The most players in one column."""
MAX_CLOCKS_WITH_HELP = 3
"""The most seats under whose clocks there is room for a line about the arrows."""
NAME_COLUMNS = 50
"""Columns for a name beside its clock, or in one of two columns."""
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
    """Draw who sits where: two players side by side, three or four with captions, more in two columns."""
    note = next((each for each in content.notes if TEXT.width(each) <= SUMMARY_COLUMNS), content.notes[-1])
    title = content.title
    if title == DEFAULT_SEATING_TITLE and TEXT.width(content.notes[0]) > SUMMARY_COLUMNS:
        # What is played matters more than the title "Players", which the boxes make clear anyway.
        title, note = next((each for each in content.notes if TEXT.width(each) <= widgets.TITLE_LINE_COLUMNS), note), ""
    widgets.draw_title(canvas, title, note)
    if len(content.places) > MAX_LISTED_PLAYERS or "ok" not in hints.hints_by_key:
        for index, place in enumerate(content.places):
            x, y = (LEFT, 65)[index % 2], 18 + 9 * (index // 2)
            canvas.text(x, y, str(index + 1))
            canvas.text(x + 9, y, cut_text(place.name, TEXT, NAME_COLUMNS, canvas.names))
    elif len(content.places) > 2:
        for index, place in enumerate(content.places):
            y = 18 + 9 * index
            if place.icon:
                canvas.icon(9, y, game_icons.icon_named(content.game, place.icon))
            else:
                canvas.text(9, y, str(index + 1))
            end = RIGHT - canvas.text(RIGHT, y, cut_text(place.caption, TEXT, 50, canvas.names), TEXT, "r") - 5
            canvas.text(19, y, cut_text(place.name, TEXT, end - 18, canvas.names))
    else:
        for seat, (place, x0) in enumerate(zip(content.places, (LEFT, 70), strict=True)):
            mark = game_icons.icon_named(content.game, place.icon) if place.icon else ""
            _draw_seat(canvas, x0, place, mark, stroke=1 if seat else 2)
        canvas.icon(60, 29, "left")
        canvas.icon(61, 37, "right")
    hints.draw_left_right_keys()


def _draw_seat(canvas: Canvas, x0: int, place: SeatPreview, mark: Icon, stroke: int) -> None:
    """Draw a seat in a box 57 pixels wide: its name, and below it its caption with an icon.

    A long caption takes the icon's place, and the icon stands beside the name.
    """
    x1 = x0 + 56
    canvas.box(x0, 19, x1, 51, stroke)
    wide = icon_mask(mark).width if mark else 0
    beside = wide + 2 if mark and TEXT.width(place.caption) > 46 - wide else 0
    canvas.fitted_text((x0 + beside + x1 + 1) // 2, 23, place.name, NAME_FACES, 51 - beside, anchor="c")
    if beside:
        canvas.icon(x0 + 4, 21, mark)
    room = wide + 3 if mark and not beside else 0
    caption = cut_text(place.caption, TEXT, 49 - room, canvas.names)
    x = x0 + (58 - room - TEXT.width(caption)) // 2
    if room:
        canvas.icon(x, 40, mark)
    canvas.text(x + room, 39, caption)


def draw_amount(canvas: Canvas, content: Amount, hints: KeyHints) -> None:
    """Draw a number, as large as it fits."""
    widgets.draw_title(canvas, content.title, content.note)
    number_text = f"{content.number}_" if content.typed else content.number
    face = BIG if BIG.has_glyphs(number_text) else MIDDLE if MIDDLE.has_glyphs(number_text) else NAME
    canvas.text(64, 21, number_text, face, "c")
    if content.limit:
        canvas.text(64, 45, content.limit, TEXT, "c")
    else:
        hints.draw_value_and_cursor_keys(45)


def draw_form(canvas: Canvas, content: Form, hints: KeyHints) -> None:
    """Draw a row of numbers for each name, the one under the cursor inverse."""
    beside = widgets.fits_beside_title(content.title, content.meaning)
    widgets.draw_title(canvas, content.title if beside else "", content.meaning)
    numbers = [(*number, row) for row, (_, each) in enumerate(content.rows) for number in each]
    if content.on == len(numbers):
        canvas.clear(RIGHT - TEXT.width(content.meaning) - 2, 3, RIGHT, 14)
        canvas.tag(RIGHT, 5, content.meaning, "r")
    many = len(content.rows) > 2
    names = [name for name, _ in content.rows]
    tops = [18 + 9 * row if many else 19 + 12 * row for row in range(len(names))]
    for y, name in zip(tops, names, strict=True):
        canvas.text(LEFT, y, cut_text(name, TEXT, NAME_COLUMNS, names))
    for index, (number, unit, row) in enumerate(numbers):
        canvas.tag((96, RIGHT)[index % 2], tops[row], f"{number} {unit}", "r", lit=index == content.on)
    if len(names) <= MAX_CLOCKS_WITH_HELP:
        hints.draw_value_and_cursor_keys(45 if many else 44)
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

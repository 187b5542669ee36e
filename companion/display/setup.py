"""Draws what is set before a round: who sits where, a number, the times of a clock, a name letter by letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.panel import widgets
from companion.panel.canvas import LEFT, LINE_COLUMNS, RIGHT
from companion.panel.fonts import (
    BIG,
    CONDENSED,
    HEADING,
    MIDDLE,
    NAME,
    NAME_FACES,
    TEXT,
    WORD_FACES,
    cut_text,
    fit_text,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.display.key_hints import KeyHints
    from companion.evening.contents.kinds import Amount, Form, Letters, Seating
    from companion.panel.canvas import Canvas
    from companion.panel.fonts import Face

MAX_IN_COLUMN = 4
"""The most seats that are listed in one column."""
MAX_CLOCKS_WITH_HELP = 2
"""The most seats under whose clocks there is room for a line about the arrows."""
NAME_COLUMNS = 50
"""Columns for a name beside its clock."""
FIRST_SEAT_ROW, FIRST_CLOCK_ROW, SEAT_COLUMNS = 15, 16, 12
"""The rows of the first player and of the first clock, and the columns of a seat's sign."""
TAP_LINES = ("2ABC 3DEF 4GHI 5JKL", "6MNO 7PQRS 8TUV 9WXYZ")
"""What the digits of a keypad spell."""
NAME_ROW, LETTER_ROW, LETTER_PITCH, TAP_ROW, TAP_PITCH = 18, 39, 11, 31, 11
"""The rows of the name and of the letters, the columns of a letter, and the first row and distance of `TAP_LINES`."""


def draw_seating(canvas: Canvas, content: Seating, hints: KeyHints) -> None:
    """Draw who sits where, in one column or two, and beside the title what is played."""
    shortest = next(filter(None, reversed(content.notes)), "")
    note = next((each for each in content.notes if widgets.fits_beside_title(content.title, each)), shortest)
    widgets.draw_title(canvas, content.title, note, line=False)
    count = len(content.places)
    columns = 1 if count <= MAX_IN_COLUMN else 2
    face, pitch = (CONDENSED, 12) if count <= widgets.MAX_LINES else (TEXT, 9)
    for index, place in enumerate(content.places):
        row, column = divmod(index, columns)
        x, end, y = (LEFT, 65)[column], RIGHT if columns == 1 else (62, RIGHT)[column], FIRST_SEAT_ROW + pitch * row
        if place.icon:
            canvas.icon(x, y + (face.capital_rows - 7) // 2, place.icon)
        else:
            canvas.text(x, y, str(index + 1), face)
        x += SEAT_COLUMNS
        if place.caption and columns == 1:
            end -= canvas.text(end, y, cut_text(place.caption, face, 60, canvas.names), face, "r") + 5
        canvas.text(x, y, cut_text(place.name, face, end - x + 1, canvas.names), face)
    hints.draw_right_hint(widgets.DETAIL_ROW if count < widgets.MAX_LINES else widgets.LAST_LINE_ROW)


def draw_amount(canvas: Canvas, content: Amount, hints: KeyHints) -> None:
    """Draw a number, as large as it fits."""
    widgets.draw_title(canvas, content.title, content.note)
    number_text = f"{content.number}_" if content.typed else content.number
    faces = (face for face in (BIG, MIDDLE) if face.has_glyphs(number_text) and face.width(number_text) <= LINE_COLUMNS)
    face = next(faces, NAME)
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
    """Draw a name that is being spelled, above the letters of a row or of a digit, or what the digits spell."""
    widgets.draw_title(canvas, content.title, content.whose)
    faces = (HEADING, *NAME_FACES) if hints.uses_buttons else NAME_FACES
    spelled = content.text if content.is_letter_open else f"{content.text}_"
    end = LEFT + canvas.fitted_text(LEFT, NAME_ROW, spelled, faces, LINE_COLUMNS)
    if content.is_letter_open and content.text:  # The cursor is below the letter that the next tap changes.
        face, _ = fit_text(spelled, faces, LINE_COLUMNS, canvas.names)
        canvas.hline(NAME_ROW + faces[0].capital_rows + 2, end - face.width(content.text[-1]), end - 1)
    if not content.text:
        x = end + widgets.PART_GAP_COLUMNS
        canvas.fitted_text(x, NAME_ROW + 1, content.board, WORD_FACES, RIGHT - x + 1)
    if content.rows:
        face = CONDENSED if hints.uses_buttons else NAME
        _draw_letter_row(canvas, content.rows[0], content.column, face, wraps=hints.uses_buttons)
    else:
        canvas.text_block(LEFT, TAP_ROW, TAP_LINES, pitch=TAP_PITCH)
    hints.draw_footer()
    if content.rows and not hints.uses_buttons:
        hints.draw_left_right_keys()


def _draw_letter_row(canvas: Canvas, cells: Sequence[str], at: int, face: Face, *, wraps: bool) -> None:
    """Draw the cell under the cursor on a plate in the middle, or where the row begins nearer to it."""
    order = [index for index, cell in enumerate(cells) if cell]
    if wraps:
        first = order.index(at) - len(order) // 2
        order = [*order[first:], *order[:first]]
    wide = {index: max(LETTER_PITCH, face.width(cells[index]) + 5) for index in order}
    x = (LEFT + RIGHT) // 2 - sum(wide[index] for index in order[: order.index(at)]) - wide[at] // 2
    x = x if wraps else min(x, LEFT)
    for index in order:
        if x >= LEFT and x + wide[index] - 1 <= RIGHT:
            middle, is_on = x + wide[index] // 2, index == at
            if is_on:
                bottom = LETTER_ROW + face.capital_rows + 2
                canvas.fill_rounded_box(x, LETTER_ROW - face.accent_rows - 1, x + wide[index] - 1, bottom)
            if cells[index] == " ":  # A blank is drawn as it is on keyboards.
                canvas.icon(middle, LETTER_ROW + 5, "blank", "c", inverse=is_on)
            canvas.text(middle, LETTER_ROW, cells[index], face, "c", inverse=is_on)
        x += wide[index]

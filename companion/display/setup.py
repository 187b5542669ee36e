"""Draws what is set before a round: who sits where, a number, the times of a clock, a name letter by letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.evening.contents.kinds import DEFAULT_SEATING_TITLE
from companion.games import game_icons
from companion.panel import widgets
from companion.panel.canvas import LEFT, LINE_COLUMNS, RIGHT
from companion.panel.fonts import BIG, CONDENSED, HEADING, MIDDLE, NAME, NAME_FACES, TEXT, cut_text
from companion.panel.icons import icon_mask

if TYPE_CHECKING:
    from collections.abc import Sequence

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
TAP_LINES = ("2ABC 3DEF 4GHI 5JKL", "6MNO 7PQRS 8TUV 9WXYZ")
"""What the digits of a keypad spell."""
LETTER_ROW, LETTER_PITCH, TAP_ROW = 39, 11, 34
"""The row of the letters to pick from, the columns of a letter, and the first row of `TAP_LINES`."""


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
    """Draw a name that is being spelled, above the letters of a row or of a digit, or what the digits spell."""
    widgets.draw_title(canvas, content.title, content.whose)
    faces = (HEADING, *NAME_FACES) if hints.uses_buttons else NAME_FACES
    canvas.fitted_text(LEFT, 19, f"{content.text}_" if content.text else content.board, faces, LINE_COLUMNS)
    if content.rows:
        _draw_letter_row(canvas, content.rows[0], content.column, wraps=hints.uses_buttons)
    else:
        canvas.text_block(LEFT, TAP_ROW, TAP_LINES, face=TEXT, pitch=widgets.SMALL_LINE_PITCH)
    hints.draw_footer()


def _draw_letter_row(canvas: Canvas, cells: Sequence[str], at: int, *, wraps: bool) -> None:
    """Draw the cell under the cursor on a plate in the middle, or where the row begins nearer to it."""
    order = [index for index, cell in enumerate(cells) if cell]
    if wraps:
        first = order.index(at) - len(order) // 2
        order = [*order[first:], *order[:first]]
    wide = {index: max(LETTER_PITCH, CONDENSED.width(cells[index]) + 5) for index in order}
    x = (LEFT + RIGHT) // 2 - sum(wide[index] for index in order[: order.index(at)]) - wide[at] // 2
    x = x if wraps else min(x, LEFT)
    for index in order:
        if x >= LEFT and x + wide[index] - 1 <= RIGHT:
            middle, is_on = x + wide[index] // 2, index == at
            if is_on:
                bottom = LETTER_ROW + CONDENSED.capital_rows + 2
                canvas.fill_rounded_box(x, LETTER_ROW - CONDENSED.accent_rows - 1, x + wide[index] - 1, bottom)
            if cells[index] == " ":  # A blank is drawn as it is on keyboards.
                canvas.icon(middle, LETTER_ROW + 5, "blank", "c", inverse=is_on)
            canvas.text(middle, LETTER_ROW, cells[index], anchor="c", inverse=is_on)
        x += wide[index]

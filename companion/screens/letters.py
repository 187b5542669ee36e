"""A name that is spelled, on the panel: a grid of letters to pick from, or a keypad's digits and their letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.languages import said, text
from companion.panel import parts
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import NAME, NAMES, NARROW, TEXT
from companion.screens.legends import footer, keys

if TYPE_CHECKING:
    from companion.contents.kinds import Letters
    from companion.panel.canvas import Canvas

TAPPED = ("1-' 2abc 3def 4ghi", "5jkl 6mno 7pqrs 8tuv", "9wxyz 0_")
"""What the digits of a keypad spell."""
SIGNS_ROWS = 3
"""The rows of the page of digits and signs, which leaves room for a line."""
ACCENTS = text("for ü take u first")
"""Where an accent is found: beside "done", once its letter is there."""
TAP_ON = text("more taps: äé"), text("wait: next")
"""How accents are typed, by more taps of a letter's digit, and how two letters of one digit follow each other."""
TAPS, PITCH = 20, 9
"""The first row of the digits and their letters, and the rows from line to line."""
TOP, HIGH, WIDE = 18, 12, 14
"""The first row of the grid's letters, and the rows and columns of a cell."""
UP = 8
"""The columns of an arrowhead before the first word."""
APART = 6
"""The columns between what OK does beside letters."""


def letters(canvas: Canvas, content: Letters, *, buttons: bool) -> None:
    """A name being spelled."""
    _heading(canvas, content, buttons=buttons)
    if content.rows:
        _grid(canvas, content)
        _commands(canvas, content, buttons=buttons)
        return
    for index, typed in enumerate(TAPPED):
        canvas.text(LEFT, TAPS + PITCH * index, typed)
    on, following = map(said, TAP_ON)
    canvas.text(LEFT, TAPS + PITCH * len(TAPPED), on)
    canvas.text(RIGHT, TAPS + PITCH * (len(TAPPED) - 1), following, TEXT, "r")
    footer(canvas, content.meanings, buttons=buttons)
    first, last = canvas.free
    if TEXT.width(content.board) <= last - first:
        canvas.text((first + last) // 2, parts.LAST, content.board, TEXT, "c")


def _heading(canvas: Canvas, content: Letters, *, buttons: bool) -> None:
    """The name so far and where its next letter comes; before the first one whose name it will be.

    Beside a short name stands what OK does with the letter under the cursor, or without a grid whose name it is.
    """
    if not content.text:
        parts.title(canvas, content.title, content.whose)
        return
    blank = 6 * content.text.endswith(" ")
    end = LEFT + canvas.fitted(LEFT, 2, content.text.rstrip(), NAMES, 116 - blank) + blank
    canvas.fill(end + 2, NAME.capitals + 1, end + 9, NAME.capitals + 2)
    take = keys(content.meanings, buttons=buttons)[0]
    if content.rows and content.row < len(content.rows) - 1 and take is not None:
        key, does = take
        if end + 21 + TEXT.width(key) + TEXT.width(does) <= RIGHT:
            canvas.tag(RIGHT - canvas.text(RIGHT, 5, does, TEXT, "r") - 3, 5, key, "r")
    elif not content.rows and end + 14 + TEXT.width(content.whose) <= RIGHT:
        canvas.text(RIGHT, 5, content.whose, TEXT, "r")
    canvas.hline(15)


def _grid(canvas: Canvas, content: Letters) -> None:
    """The letters, the one under the cursor on a plate."""
    for row, line in enumerate(content.rows[:-1]):
        for column, letter in enumerate(line):
            middle, y = LEFT + WIDE // 2 + WIDE * column, TOP + HIGH * row
            on = (row, column) == (content.row, content.column)
            if on:
                canvas.plate(middle - 6, y - 1, middle + 6, y + HIGH - 2)
            if letter == " ":  # A blank is drawn as on keyboards.
                canvas.icon(middle, y + 5, "blank", "c", inverse=on)
            canvas.text(middle, y, letter, NARROW, "c", inverse=on)
    if len(content.rows) <= SIGNS_ROWS:
        canvas.text(LEFT + 2, TOP + HIGH * (SIGNS_ROWS - 1) + 1, said(ACCENTS))


def _commands(canvas: Canvas, content: Letters, *, buttons: bool) -> None:
    """The last line: what else OK does, and what BACK does."""
    x = LEFT + 2
    take, back = keys(content.meanings, buttons=buttons)
    assert take is not None, "OK takes a letter or a command"
    assert back is not None, "BACK erases or leaves"
    end = RIGHT - canvas.text(RIGHT, parts.LAST, back[1], TEXT, "r") - 3
    end -= canvas.tag(end, parts.LAST, back[0], "r")
    room = end - x - sum(TEXT.width(label) + APART for label in content.rows[-1] if label)
    for column, label in enumerate(content.rows[-1]):
        on = (len(content.rows) - 1, column) == (content.row, content.column)
        if label and not column and (content.row, content.column) == (0, 0) and room > UP:  # Up leads to it.
            x += canvas.icon(x, parts.LAST + 2, "more-up") + 2
        if on:
            canvas.plate(x - 2, parts.LAST - 1, x + TEXT.width(label) + 1, parts.LAST + TEXT.capitals)
        x += canvas.text(x, parts.LAST, label, inverse=on) + APART * bool(label)
    wide = TEXT.width(take[0]) + TEXT.width(take[1]) + 7
    if not content.text and wide <= end - x:  # Later what the cursor is on needs the room, and OK is known.
        x = (x + end - wide) // 2
        canvas.text(x + canvas.tag(x, parts.LAST, take[0]) + 3, parts.LAST, take[1])

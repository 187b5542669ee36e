"""Pages to read in Prime Attactics: the score sheet, and each seat's tiles as the board shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.prime_attactics import rules
from companion.games.prime_attactics.entry import shown
from companion.games.prime_attactics.parts import header
from companion.panel import parts
from companion.panel.fonts import TEXT, cut
from companion.screens.legends import legend
from companion.session.pause import SHEET_LINES

if TYPE_CHECKING:
    from companion.panel.canvas import Canvas
    from companion.session.model import Page, Session

COLUMNS = ((2, 62), (66, 126))
"""First and last column of pixels of the sheet's two columns."""
BOARDS = (1, 67)
"""The first column of pixels of each seat's tiles."""
TOP, PITCH = 18, 9
DIGIT = 6


def page(canvas: Canvas, session: Session, mode: Page) -> None:
    """Draw the page that is open."""
    round_ = session.round
    if round_ is None:
        return
    header(canvas, round_.about.names, None)
    canvas.dotted(64, 16, 64, 53)
    if mode.kind == "sheet":
        _sheet(canvas, mode)
        pages = (len(mode.lines) - 1) // SHEET_LINES + 1
        note = f"{mode.at + 1} of {pages}" if pages > 1 else ""
    else:
        view = round_.game.view(round_.state, None)
        for seat in (1, 2):
            _tiles(canvas, view, seat)
        note = ""
    parts.footer(canvas, legend(session, "back"))
    if mode.kind == "tiles":
        canvas.text(126, parts.LAST, "played", anchor="r")
        _played(canvas, 126 - TEXT.width("played") - 9)
    elif note:
        canvas.text(126, parts.LAST, note, anchor="r")
        end = 126 - TEXT.width(note) - 4
        if mode.at:
            canvas.icon(end - 6, parts.LAST + 2, "more-up", "r")
        if mode.at + 1 < pages:
            canvas.icon(end, parts.LAST + 2, "more-down", "r")


def _sheet(canvas: Canvas, mode: Page) -> None:
    """Four lines, of the last page the last four; a result with a line for itself stands at the right of its column."""
    first = max(0, min(mode.at * SHEET_LINES, len(mode.lines) - SHEET_LINES))
    while any(cell.startswith("=") for cell in mode.lines[first].split("\t")):
        first += 1  # The first half of this stands on the page before.
    for at, line in enumerate(mode.lines[first : first + SHEET_LINES]):
        for (x0, x1), text in zip(COLUMNS, line.split("\t"), strict=True):
            late = text.startswith("=") or text.isdigit()
            canvas.text(x1 if late else x0, TOP + at * PITCH, cut(text, TEXT, x1 - x0 + 1), anchor="r" if late else "l")


def _tiles(canvas: Canvas, view: rules.State, seat: int) -> None:
    """A row a colour: the numbers still to come, a mark where one is played, and the doubles left."""
    left = BOARDS[seat - 1]
    to_come = [rules.tile_text(tile) for tile in rules.to_come(view, seat)]
    numbers = [rules.tile_text(tile) for tile in rules.SETS[view.level]]
    for at, sign in enumerate("+-x/"):
        y = TOP + at * PITCH
        canvas.text(left, y, shown(sign))
        for number in range(1, 8):
            x = left + 7 + (number - 1) * DIGIT
            if f"{sign}{number}" in to_come:
                canvas.text(x, y, str(number))
            elif f"{sign}{number}" in numbers:
                _played(canvas, x, y)
        if sign != "/":
            doubles = to_come.count(f"D{sign}")
            canvas.text(left + 7 + 7 * DIGIT, y, f"D{doubles}" if doubles else "D")


def _played(canvas: Canvas, x: int, y: int = parts.LAST) -> None:
    """The mark of a played tile, in the cell of a digit."""
    canvas.fill(x + 1, y + 3, x + 2, y + 4)

"""The pages of Prime Attactics: the score sheet, and each seat's tiles, played and still to come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.screen import ROWS
from companion.game.text import text
from companion.games.plain import PlainScreen
from companion.games.prime_attactics.parts import header
from companion.games.prime_attactics.pick import shown
from companion.games.prime_attactics.state import State, to_come
from companion.games.prime_attactics.tiles import SETS, tile_text
from companion.panel import parts
from companion.panel.fonts import TEXT, cut

if TYPE_CHECKING:
    from companion.game.screen import PageScene
    from companion.panel.canvas import Canvas

COLUMNS = ((1, 59), (64, 122))
"""The first and last pixel column of each of the sheet's two columns; the scrollbar is right of them."""
BETWEEN = 62
"""The pixel column of the line between these two."""
BOARDS = (1, 67)
"""The first pixel column of each seat's tiles."""
TOP, PITCH = 18, 9
DIGIT = 6


class PagesScreen(PlainScreen):
    """The pages of Prime Attactics."""

    def page(self, canvas: Canvas, scene: PageScene) -> None:
        """Draw the page that is open."""
        header(canvas, scene.names, None)
        if scene.kind == "sheet":
            canvas.dotted(BETWEEN, 16, BETWEEN, 53)
            _sheet(canvas, scene)
        else:
            canvas.dotted(64, 16, 64, 53)
            for seat in (1, 2):
                _tiles(canvas, scene.view, seat)
        parts.footer(canvas, parts.legend(scene.buttons, text("back")))
        if scene.kind == "sheet" and len(scene.lines) > ROWS:
            parts.arrow_keys(canvas, *("", "") if scene.buttons else ("A", "C"), ("more-up", "more-down"))
        if scene.kind == "tiles":
            _played(canvas, 126 - canvas.text(126, parts.LAST, text("played"), anchor="r") - 9)


def _sheet(canvas: Canvas, scene: PageScene) -> None:
    """Draw four lines of the sheet: on the last page its last four. A result on a line of its own is right-aligned."""
    parts.page_bar(canvas, scene.number, (len(scene.lines) - 1) // ROWS + 1)
    first = max(0, min(scene.number * ROWS, len(scene.lines) - ROWS))
    while any(cell.startswith("=") for cell in scene.lines[first].split("\t")):
        first += 1  # This line continues one on the page before.
    for index, line in enumerate(scene.lines[first : first + ROWS]):
        for (x0, x1), said in zip(COLUMNS, line.split("\t"), strict=True):
            late = said.startswith("=") or said.isdigit()
            canvas.text(
                x1 if late else x0, TOP + index * PITCH, cut(said, TEXT, x1 - x0 + 1), anchor="r" if late else "l"
            )


def _tiles(canvas: Canvas, view: State, seat: int) -> None:
    """Draw one row for each colour: the numbers not played yet, a mark for each played one, and the doubles left."""
    left = BOARDS[seat - 1]
    left_to_play = [tile_text(tile) for tile in to_come(view, seat)]
    numbers = [tile_text(tile) for tile in SETS[view.level]]
    for index, sign in enumerate("+-x/"):
        y = TOP + index * PITCH
        canvas.text(left, y, shown(sign))
        for number in range(1, 8):
            x = left + 7 + (number - 1) * DIGIT
            if f"{sign}{number}" in left_to_play:
                canvas.text(x, y, str(number))
            elif f"{sign}{number}" in numbers:
                _played(canvas, x, y)
        if sign != "/":
            doubles = left_to_play.count(f"D{sign}")
            x = left + 7 + 7 * DIGIT
            x += canvas.text(x, y, "D") + 1
            if doubles:
                canvas.text(x, y, str(doubles))
            else:
                _played(canvas, x, y)


def _played(canvas: Canvas, x: int, y: int = parts.LAST) -> None:
    """Draw the mark of a played tile in the cell of a digit whose top left pixel is (x, y)."""
    canvas.fill(x + 1, y + 3, x + 2, y + 4)

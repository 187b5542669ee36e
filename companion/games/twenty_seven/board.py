"""The board of 27 for the big screen: the piles in a row, seen from the side, piece by piece."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game import board
from companion.game.board import Svg
from companion.game.text import counted, text
from companion.games.twenty_seven import rules
from companion.games.twenty_seven.rules import BLACK, GREY, RED, WHITE, Move, State

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 1000, 560
BASE = 480
"""The y of the line that the piles stand on, in units of the drawing."""
GAP = 4
"""The gap between two pieces of a pile, in units of the drawing."""
COLOURS = {GREY: "faint", WHITE: "seat1", BLACK: "seat2", RED: "red"}


class Board(board.Board):
    """The board of 27."""

    def draw(self, view: State, names: Sequence[str], last: tuple[int, Move] | None) -> Svg:
        """Draw the piles on their fields; the field that the last move started from is marked."""
        heights = rules.heights(view)
        drawing = Svg(WIDTH, HEIGHT, f"27: {names[0]} {heights[0]}, {names[1]} {heights[1]}")
        pitch = WIDTH / len(view.piles)
        tallest = max(len(pile) for pile in view.piles)
        disc = min(36.0, (BASE - 60) / tallest)
        for index, pile in enumerate(view.piles):
            _pile(drawing, pile, index * pitch + pitch * 0.1, pitch * 0.8, disc)
            marked = last is not None and last[1].field == index + 1
            drawing.text((index + 0.5) * pitch, BASE + 62, str(index + 1), 44, "mark" if marked else "ink")
        drawing.line(0, BASE, WIDTH, BASE)
        return drawing

    def key_words(self, view: State, keys: str) -> dict[str, str]:
        """Labels of a phone's keypad: first the fields, then the numbers of pieces."""
        if not keys:
            return {"0": ""} | {
                str(field): text("field {field}", field=field) for field in range(1, len(view.piles) + 1)
            }
        return {str(count): counted(count, "{number} piece", "{number} pieces") for count in range(1, 10)}


BOARD = Board()


def _pile(drawing: Svg, pile: tuple[int, ...], left: float, wide: float, disc: float) -> None:
    """Draw one pile, its field piece at the bottom, and the number of its pieces if there are more than three."""
    for index, piece in enumerate(pile):
        top = BASE - (index + 1) * disc
        drawing.rect(left, top + GAP, wide, disc - GAP, COLOURS[piece], round_=6)
    if len(pile) > 3:
        drawing.text(left + wide / 2, BASE - len(pile) * disc - 8, str(len(pile)), 30, "ink")

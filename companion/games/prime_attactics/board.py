"""The board of Prime Attactics for the big screen: both scores, each seat's display, and the size of each rack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game import board
from companion.game.board import Svg
from companion.game.text import text
from companion.games.prime_attactics.pick import shown
from companion.games.prime_attactics.state import Side, State
from companion.games.prime_attactics.tiles import Move, tile_text

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 1000, 560
COLOURS = {"+": "green", "-": "blue", "x": "red", "/": "black"}
TILE = 84


class Board(board.Board):
    """The board of Prime Attactics."""

    def draw(self, view: State, names: Sequence[str], last: tuple[int, Move] | None) -> Svg:
        """One half for each seat: the score as large as fits, the tiles on display, how many are in the rack."""
        scores = [side.score for side in view.sides]
        drawing = Svg(WIDTH, HEIGHT, f"Prime Attactics: {names[0]} {scores[0]}, {names[1]} {scores[1]}")
        for index, (name, side) in enumerate(zip(names, view.sides, strict=True)):
            _half(drawing, index * HEIGHT / 2, name, side, f"seat{index + 1}")
        drawing.line(0, HEIGHT / 2, WIDTH, HEIGHT / 2)
        return drawing

    def key_words(self, view: State, keys: str) -> dict[str, str]:
        """The labels of a phone's keys after `keys`: signs on A to D; on 0 the aim, the double or a zero."""
        signs = {"A": "+", "B": "-", "C": "×", "D": "÷"}
        return signs | {"0": "the other score" if not keys else "double" if keys[-1].isdigit() else "0"}


BOARD = Board()


def _half(drawing: Svg, top: float, name: str, side: Side, css: str) -> None:
    digits = str(side.score)
    drawing.rect(20, top + 34, 18, 100, css, round_=6)
    drawing.text(60, top + 100, name, min(52.0, 640 / len(name)), "ink", anchor="start")
    drawing.text(WIDTH - 20, top + 122, digits, min(130.0, 1000 / len(digits)), "ink", anchor="end")
    if side.display.pieces is None:
        said = text("{number} tiles on display", number=side.display.size)
        drawing.text(60, top + 230, said, 44, "faint", anchor="start")
    else:
        for index, tile in enumerate(side.display.pieces):
            _tile(drawing, 20 + index * (TILE + 12), top + 160, tile_text(tile))
    drawing.text(WIDTH - 20, top + 230, text("rack {rack}", rack=side.rack.size), 44, "faint", anchor="end")


def _tile(drawing: Svg, x: float, y: float, tile: str) -> None:
    """Draw a tile in the colour of its sign; `tile` is written ``+3``, or ``D+`` for a double."""
    sign = tile[1] if tile[0] == "D" else tile[0]
    drawing.rect(x, y, TILE, TILE, COLOURS[sign], round_=10)
    drawing.text(x + TILE / 2, y + 58, shown(tile), 44, "on")

"""The board of Prime Attactics: both scores, each seat's display, each rack by number; on a phone the own tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game import board
from companion.game.board import Seen, Svg
from companion.game.text import Text, counted, text
from companion.games.prime_attactics import taps
from companion.games.prime_attactics.pick import shown
from companion.games.prime_attactics.state import Side, State
from companion.games.prime_attactics.taps import draw_tile
from companion.games.prime_attactics.tiles import Move, tile_text

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 1000, 560
TILE = 84


class Board(board.Board):
    """The board of Prime Attactics."""

    def draw(self, view: State, names: Sequence[str], last: tuple[int, Move] | None) -> Svg:
        """One half for each seat: the score as large as fits, the tiles on display, how many are in the rack."""
        one, two = view.sides
        title = text(
            "Prime Attactics: {name} {score}, {other} {others}",
            name=names[0],
            score=one.score,
            other=names[1],
            others=two.score,
        )
        drawing = Svg(WIDTH, HEIGHT, title)
        for index, (name, side) in enumerate(zip(names, view.sides, strict=True)):
            _half(drawing, index * HEIGHT / 2, name, side, f"seat{index + 1}")
        drawing.line(0, HEIGHT / 2, WIDTH, HEIGHT / 2)
        return drawing

    def show(self, seen: Seen) -> Svg:
        """The same; a phone's is drawn by `taps`."""
        return taps.drawn(seen) if seen.seat else self.draw(seen.view, seen.names, seen.last)

    def in_words(self, view: State, names: Sequence[str]) -> Sequence[str]:
        """Each player's score, display and rack."""
        return [_side_words(name, side) for name, side in zip(names, view.sides, strict=True)]

    def key_words(self, view: State, keys: str) -> dict[str, str]:
        """The labels of a phone's keys after `keys`: signs on A to D; on 0 the aim, the double or a zero."""
        signs = {"A": "+", "B": "-", "C": "×", "D": "÷"}
        return signs | {"0": text("the other score") if not keys else text("double") if keys[-1].isdigit() else "0"}


BOARD = Board()


def _half(drawing: Svg, top: float, name: str, side: Side, css: str) -> None:
    digits = str(side.score)
    drawing.rect(20, top + 34, 18, 100, css, round_=6)
    drawing.text(60, top + 100, name, min(52.0, 640 / len(name)), "ink", anchor="start")
    drawing.text(WIDTH - 20, top + 122, digits, min(130.0, 1000 / len(digits)), "ink", anchor="end")
    if side.display.pieces is None:
        said = counted(side.display.size, "{number} tile on display", "{number} tiles on display")
        drawing.text(60, top + 230, said, 44, "faint", anchor="start")
    else:
        for index, tile in enumerate(side.display.pieces):
            draw_tile(drawing, 20 + index * (TILE + 12), top + 160, TILE, tile_text(tile))
    drawing.text(WIDTH - 20, top + 230, text("rack {rack}", rack=side.rack.size), 44, "faint", anchor="end")


def _side_words(name: str, side: Side) -> Text:
    """``Ann: 11, on display +1 -2, 4 in the rack``."""
    rack = side.rack.size
    if side.display.pieces is None:
        sealed = side.display.size
        return text(
            "{name}: {score}, {sealed} on display, {rack} in the rack",
            name=name,
            score=side.score,
            sealed=sealed,
            rack=rack,
        )
    tiles = " ".join(shown(tile_text(tile)) for tile in side.display.pieces)
    return text(
        "{name}: {score}, on display {tiles}, {rack} in the rack", name=name, score=side.score, tiles=tiles, rack=rack
    )

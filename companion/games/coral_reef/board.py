"""The board of Coral Reef: the stacks' tops as cards, the pile, the hands by number; on a phone the own hand too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game import board
from companion.game.board import Seen, Svg
from companion.game.text import counted, text
from companion.games.coral_reef import taps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.coral_reef.moves import Move
    from companion.games.coral_reef.state import State

WIDTH, HEIGHT = 1000, 560
CARD = (104, 150)
"""Width and height of the card on top of a stack, in units of the drawing."""


class Board(board.Board):
    """The board of Coral Reef."""

    def draw(self, view: State, names: Sequence[str], last: tuple[int, Move] | None) -> Svg:
        """The stacks in a row with their numbers, the stack of the last move marked; hands and pile below."""
        drawing = Svg(WIDTH, HEIGHT, text("Coral Reef: stacks {tops}", tops=", ".join(map(str, view.tops))))
        pitch = WIDTH / max(len(view.tops), 5)
        left = (WIDTH - pitch * len(view.tops)) / 2
        touched = taps.touched(view, last)
        for index, top in enumerate(view.tops):
            middle = left + (index + 0.5) * pitch
            drawing.rect(middle - CARD[0] / 2, 60, *CARD, css="card", round_=12)
            drawing.text(middle, 170, str(top), 96 if top < 10 else 62, "ink")
            drawing.text(middle, 270, str(index + 1), 44, "mark" if index + 1 == touched else "faint")
        for seat, (name, size) in enumerate(zip(names, view.sizes, strict=True), 1):
            _hand(drawing, 330 + (seat - 1) * 80, name, size, f"seat{seat}")
        drawing.text(WIDTH - 20, 540, text("{pile} to draw", pile=view.pile), 40, "faint", anchor="end")
        return drawing

    def show(self, seen: Seen) -> Svg:
        """The same; a phone's is drawn by `taps`."""
        return taps.drawn(seen) if seen.seat else self.draw(seen.view, seen.names, seen.last)

    def in_words(self, view: State, names: Sequence[str]) -> Sequence[str]:
        """The stacks' tops, the hands by number, the pile."""
        return [
            *(text("Stack {stack}: {top} on top", stack=index, top=top) for index, top in enumerate(view.tops, 1)),
            *(
                counted(size, "{name} has {number} coral", "{name} has {number} corals", name=name)
                for name, size in zip(names, view.sizes, strict=True)
            ),
            text("{pile} to draw", pile=view.pile),
        ]

    def key_words(self, view: State, keys: str) -> dict[str, str]:
        """Labels of a phone's keypad: first the stacks with their tops, a seed and "I cannot", then the corals."""
        if not keys:
            stacks = {
                str(index): text("stack {stack}: {top}", stack=index, top=top) for index, top in enumerate(view.tops, 1)
            }
            vacant = {str(index): "" for index in range(len(view.tops) + 1, 9)}
            return vacant | {"9": text("new reef: 9"), "0": text("I cannot")} | stacks
        return {"1": "A", "A": "", "0": "10", "B": "J", "C": "Q", "D": "K"}


BOARD = Board()


def _hand(drawing: Svg, top: float, name: str, size: int, css: str) -> None:
    """A player's name and corals, as backs of cards and as a number; `top` is the upper edge in the drawing's units."""
    drawing.text(20, top + 44, name, min(40.0, 480 / len(name)), "ink", anchor="start")
    pitch = min(44.0, 560 / max(size, 1))
    for index in range(size):
        drawing.rect(330 + index * pitch, top, 36, 54, f"{css} back", round_=6)
    drawing.text(WIDTH - 20, top + 44, str(size), 52, "ink", anchor="end")

"""The pieces of a hand, shown to their owner: under a title, in even columns and as large as they fit."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import MIDDLE, NAME, TEXT, Face

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.panel.canvas import Canvas

FIRST, LAST = 18, 63
"""The rows below a title."""
ROOM = RIGHT - LEFT + 1
FACES = {MIDDLE: (5, 2), NAME: (5, 2), TEXT: (4, 1)}
"""Each face, the largest first → the fewest columns between two pieces and rows between two lines."""
WIDEST, TALLEST = 12, 5
"""The most columns between two pieces, and rows between two lines."""


class Grid(NamedTuple):
    """A face in which pieces fit, their number of lines, and the width of each column of pieces."""

    face: Face
    lines: int
    widths: tuple[int, ...]


def fit(words: Sequence[str]) -> Grid | None:
    """The largest face, and the fewest lines, in which all pieces have room below a title; None where none has."""
    for face, (apart, under) in FACES.items():
        for lines in count(1):
            if lines * (face.capitals + under) - under > LAST - FIRST + 1:
                break
            across = -(-len(words) // lines)
            widths = tuple(max(map(face.width, words[column::across])) for column in range(across))
            if sum(widths) + apart * (across - 1) <= ROOM and all(map(face.has, words)):
                return Grid(face, lines, widths)
    return None


def draw(canvas: Canvas, words: Sequence[str]) -> bool:
    """Draw pieces, line by line, in the middle of the room below a title. Returns whether they fit."""
    if not words or (grid := fit(words)) is None:
        return not words
    face, lines, widths = grid
    across, high = len(widths), LAST - FIRST + 1 - lines * face.capitals
    apart = min(WIDEST, (ROOM - sum(widths)) // max(1, across - 1))
    under = min(TALLEST, high // max(1, lines - 1))
    left = LEFT + (ROOM - sum(widths) - apart * (across - 1)) // 2
    top = FIRST + (high - under * (lines - 1)) // 2
    for index, word in enumerate(words):
        line, column = divmod(index, across)
        x = left + sum(widths[:column]) + apart * column
        canvas.text(x, top + (face.capitals + under) * line, word, face)
    return True

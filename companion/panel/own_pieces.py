"""Draws the pieces of a hand for their owner: under a title, in even columns, and as large as they fit."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from companion.panel.canvas import LEFT, LINE_COLUMNS
from companion.panel.fonts import BIG, CONDENSED, MIDDLE, NAME, TEXT, Face

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.panel.canvas import Canvas

FIRST_ROW, LAST_ROW = 17, 63
"""The rows below a title."""
ROWS_ABOVE_KEYS = (18, 48)
"""The rows of pieces to choose from, with room for the plate of the chosen one."""
FACE_SPACING = {BIG: (13, 0, 5), MIDDLE: (5, 2, 2), NAME: (5, 2, 2), CONDENSED: (5, 2, 1), TEXT: (4, 1, 1)}
"""For each face, the largest first: the fewest columns between two pieces, the fewest rows between two lines, and the
pixels that a piece's frame or plate takes around it.
"""
MAX_COLUMN_GAP, MAX_LINE_GAP = 12, 5
"""The most columns between two pieces, and the most rows between two lines."""
MAX_CARDS = 4
"""The most pieces that are shown as cards, in the largest face, each in a frame."""


class PieceGrid(NamedTuple):
    """How pieces fit: their face, the number of lines, and the width of each column."""

    face: Face
    lines: int
    widths: tuple[int, ...]


def largest_fitting_grid(words: Sequence[str], *, has_plate: bool = False) -> PieceGrid | None:
    """The largest face, and the fewest lines, in which all pieces fit; None if they fit in none.

    With `has_plate` one of them has a plate around it, and there are keys below them.
    """
    first, last = ROWS_ABOVE_KEYS if has_plate else (FIRST_ROW, LAST_ROW)
    high = last - first + 1
    for face, (apart, under, pad) in FACE_SPACING.items():
        under = max(under, pad + 1) if has_plate else under
        most = 1 if face is BIG else high
        for lines in count(1):
            if lines * (face.capital_rows + under) - under > high or lines > most:
                break
            across = -(-len(words) // lines)
            widths = tuple(max(map(face.width, words[column::across])) for column in range(across))
            wide = sum(widths) + apart * (across - 1)
            if (
                wide <= LINE_COLUMNS - 2 * pad * (has_plate or face is BIG)
                and all(map(face.has_glyphs, words))
                and (face is not BIG or across <= MAX_CARDS)
            ):
                return PieceGrid(face, lines, widths)
    return None


def draw_pieces(canvas: Canvas, words: Sequence[str], chosen_index: int | None = None) -> bool:
    """Draw pieces line by line, in the middle of the room below a title; piece `chosen_index`, from 0, is on a plate.

    With a chosen one there are keys below them. Returns whether they fit.
    """
    first, last = (FIRST_ROW, LAST_ROW) if chosen_index is None else ROWS_ABOVE_KEYS
    if not words or (grid := largest_fitting_grid(words, has_plate=chosen_index is not None)) is None:
        return not words
    face, lines, widths = grid
    across, high = len(widths), last - first + 1 - lines * face.capital_rows
    least, _, pad = FACE_SPACING[face]
    around = 2 * pad * (chosen_index is not None or face is BIG)
    apart = max(least, min(MAX_COLUMN_GAP, (LINE_COLUMNS - around - sum(widths)) // max(1, across - 1)))
    under = min(MAX_LINE_GAP, high // max(1, lines - 1))
    left = LEFT + (LINE_COLUMNS - sum(widths) - apart * (across - 1)) // 2
    top = first + (high - under * (lines - 1)) // 2
    for index, word in enumerate(words):
        line, column = divmod(index, across)
        x, y = left + sum(widths[:column]) + apart * column, top + (face.capital_rows + under) * line
        end = x + (face.width(word) if face is not BIG else widths[column])
        box = (x - pad, y - min(pad, 4), end - 1 + pad, y + face.capital_rows - 1 + min(pad, 4))
        if index == chosen_index:
            canvas.fill_rounded_box(*box)
        elif face is BIG:
            canvas.box(*box)
        inside = x if face is not BIG else x + (widths[column] - face.width(word)) // 2
        canvas.text(inside, y, word, face, inverse=index == chosen_index)
    return True

"""The doctor's test picture, which shows all edges of the panel and whether it is upside down or mirrored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.languages import text
from companion.panel.canvas import Canvas
from companion.panel.fonts import NAME

if TYPE_CHECKING:
    from PIL import Image

MUST_BE_SEEN = text(
    "a line along all four edges, upright words, below them a chequered square at the left and a full one at the right"
)
"""What somebody in front of the panel must see."""


def draw() -> Image.Image:
    """Draw it. It also lights columns 0 and 127, so it must be shown without a shift."""
    canvas = Canvas()
    for edge in ((0, 0, 127, 0), (0, 63, 127, 63), (0, 0, 0, 63), (127, 0, 127, 63)):
        canvas.fill(*edge)
    canvas.text(64, 5, text("Test picture"), NAME, "c")
    canvas.text(64, 21, text("a line on all 4 edges?"), anchor="c")
    canvas.shade(6, 34, 29, 57)
    canvas.fill(98, 34, 121, 57)
    canvas.text(34, 36, text("checks"))
    canvas.text(34, 48, text("here"))
    canvas.text(93, 36, text("full"), anchor="r")
    canvas.text(93, 48, text("here"), anchor="r")
    return canvas.image

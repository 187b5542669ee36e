"""The first picture, in a module of its own: it is on the panel before the other screens are loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.panel.fonts import HEADING
from companion.panel.icons import icon

if TYPE_CHECKING:
    from companion.panel.canvas import Canvas


def splash(c: Canvas, name: str = "Companion") -> None:
    """The picture at power-up: one mark, one word, the games."""
    c.icon(4, 13, "coral-reef-large")
    c.text(45, 11, name, HEADING)
    c.fill(45, 29, 125, 30)
    for x, mark in zip((45, 69, 93, 117), ("coral-reef", "27", "prime-attactics", "ziggurat"), strict=True):
        c.icon(x, 48 - icon(mark).height, mark)

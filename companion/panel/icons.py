"""Drawn icons, by name, from a text file: a name on a line of its own, then its rows, indented.

Those of the program are in faces/icons.txt; a game may have an icons.txt of its own.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from PIL import Image

from companion.panel.fonts import FACES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Icon = str | Image.Image
"""The name of an icon of the program, or the mask of another."""


def read(file: Path) -> dict[str, list[str]]:
    """The drawings in a file: name → rows. Raises OSError."""
    drawings: dict[str, list[str]] = {}
    rows: list[str] = []
    for row in file.read_text(encoding="utf-8").splitlines():
        if row.startswith(" "):
            rows.append(row.strip())
        elif row:
            rows = drawings[row] = []
    return drawings


def names() -> tuple[str, ...]:
    """Every icon's name, in the order of the file."""
    return tuple(_drawings())


def icon(name: Icon) -> Image.Image:
    """An icon as a mask, cut to its ink. It is shared: paste it, do not draw on it. Raises KeyError."""
    return _named(name) if isinstance(name, str) else name


@cache
def _named(name: str) -> Image.Image:
    return mask(_drawings()[name])


@cache
def _drawings() -> dict[str, list[str]]:
    return read(FACES / "icons.txt")


def mask(rows: Sequence[str]) -> Image.Image:
    """A drawing as a mask."""
    image = Image.new("1", (len(rows[0]), len(rows)))
    image.putdata([255 * (mark == "#") for row in rows for mark in row])
    return image

"""Icons, which are drawn with characters in a text file: a name on a line, then its rows, indented.

The program's icons are in faces/icons.txt. A game may have an icons.txt of its own.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from PIL import Image

from companion.panel.fonts import FACES_FOLDER

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Icon = str | Image.Image
"""The name of one of the program's icons, or a mask."""


def read_icons(file: Path) -> dict[str, list[str]]:
    """Read a file of icons as name → rows. Raises OSError."""
    drawings: dict[str, list[str]] = {}
    rows: list[str] = []
    for row in file.read_text(encoding="utf-8").splitlines():
        if row.startswith(" "):
            rows.append(row.strip())
        elif row:
            rows = drawings[row] = []
    return drawings


def icon_mask(name: Icon) -> Image.Image:
    """An icon as a mask, cropped to its ink. It is cached: paste it, don't draw on it. Raises KeyError."""
    return _cached_icon_mask(name) if isinstance(name, str) else name


@cache
def _cached_icon_mask(name: str) -> Image.Image:
    return mask_from_rows(_icon_drawings()[name])


@cache
def _icon_drawings() -> dict[str, list[str]]:
    return read_icons(FACES_FOLDER / "icons.txt")


def mask_from_rows(rows: Sequence[str]) -> Image.Image:
    """The mask of an icon's rows, in which ``#`` is lit."""
    image = Image.new("1", (len(rows[0]), len(rows)))
    image.putdata([255 * (mark == "#") for row in rows for mark in row])
    return image


def icon_path(mask: Image.Image) -> tuple[int, int, str]:
    """An icon as width, height, and an SVG path with a unit square for each lit pixel."""
    lit = [(x, y) for y in range(mask.height) for x in range(mask.width) if mask.getpixel((x, y))]
    return mask.width, mask.height, "".join(f"M{x} {y}h1v1h-1z" for x, y in lit)

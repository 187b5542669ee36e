"""The drawn icons, by name, from faces/icons.txt: a name on a line of its own, then its rows, indented."""

from __future__ import annotations

from functools import cache

from PIL import Image

from companion.panel.fonts import FACES


@cache
def _drawings() -> dict[str, list[str]]:
    drawings: dict[str, list[str]] = {}
    rows: list[str] = []
    for row in (FACES / "icons.txt").read_text(encoding="utf-8").splitlines():
        if row.startswith(" "):
            rows.append(row.strip())
        elif row:
            rows = drawings[row] = []
    return drawings


def names() -> tuple[str, ...]:
    """Every icon's name, in the order of the file."""
    return tuple(_drawings())


@cache
def icon(name: str) -> Image.Image:
    """An icon as a mask, cut to its ink. It is shared: paste it, do not draw on it. Raises KeyError."""
    rows = _drawings()[name]
    image = Image.new("1", (len(rows[0]), len(rows)))
    image.putdata([255 * (mark == "#") for row in rows for mark in row])
    return image

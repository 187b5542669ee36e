"""The icons of the games, from the ``icons.txt`` in the folder of each; a game that draws none gets a default icon."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from companion import games
from companion.panel import icons

if TYPE_CHECKING:
    from PIL import Image

    from companion.panel.icons import Icon

SMALL, LARGE = "icon", "icon-large"
MOST = 36
"""The largest width and height, in pixels, of a small icon that is enlarged."""
_PLAIN = {SMALL: "plain", LARGE: "plain-large"}


def mark(game: str) -> Icon:
    """The small icon of a game, about 9 × 9 pixels."""
    return drawn(game, SMALL)


def large(game: str) -> Icon:
    """The icon of a game for a whole screen. If the game draws no large one, its small icon is enlarged."""
    small = icons_of(game).get(SMALL)
    if LARGE in icons_of(game) or small is None:
        return drawn(game, LARGE)
    scale = max(1, min(MOST // small.width, MOST // small.height))
    return small.resize((small.width * scale, small.height * scale))


def drawn(game: str, name: str) -> Icon:
    """An icon by its name: the game's own if it has one, otherwise the program's."""
    return icons_of(game).get(name) or _PLAIN.get(name, name)


@cache
def icons_of(game: str) -> dict[str, Image.Image]:
    """The icons that the game draws itself, by name; none if its ``icons.txt`` is missing or invalid."""
    try:
        file = import_module(games.package(game)).__file__
        return {name: icons.mask_from_rows(rows) for name, rows in icons.read_icons(Path(file or "").with_name("icons.txt")).items()}
    except (games.UnknownGame, OSError, ValueError, TypeError, IndexError):
        return {}

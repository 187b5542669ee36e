"""The icons of the games, from the icons.txt in each game's folder; a plain one for a game that draws none."""

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
"""The most columns and rows of an enlarged icon."""
_PLAIN = {SMALL: "plain", LARGE: "plain-large"}


def mark(game: str) -> Icon:
    """The small icon of a game."""
    return drawn(game, SMALL)


def large(game: str) -> Icon:
    """The icon of a game for a whole screen: its small one, enlarged, where it draws no other."""
    small = icons_of(game).get(SMALL)
    if LARGE in icons_of(game) or small is None:
        return drawn(game, LARGE)
    scale = max(1, min(MOST // small.width, MOST // small.height))
    return small.resize((small.width * scale, small.height * scale))


def drawn(game: str, name: str) -> Icon:
    """An icon by its name: the game's own, else the program's."""
    return icons_of(game).get(name) or _PLAIN.get(name, name)


@cache
def icons_of(game: str) -> dict[str, Image.Image]:
    """The game's own icons; none if its icons.txt is missing or invalid."""
    try:
        file = import_module(games.package(game)).__file__
        return {name: icons.mask(rows) for name, rows in icons.read(Path(file or "").with_name("icons.txt")).items()}
    except (games.UnknownGame, OSError, ValueError, TypeError, IndexError):
        return {}

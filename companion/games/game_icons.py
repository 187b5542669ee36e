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

SMALL_ICON, LARGE_ICON = "icon", "icon-large"
MAX_ICON_PIXELS = 36
"""The largest width and height, in pixels, of a small icon that is enlarged."""
_DEFAULT_ICONS = {SMALL_ICON: "plain", LARGE_ICON: "plain-large"}


def small_icon(game: str) -> Icon:
    """The small icon of a game, about 9 × 9 pixels."""
    return icon_named(game, SMALL_ICON)


def large_icon(game: str) -> Icon:
    """The icon of a game for a whole screen. If the game draws no large one, its small icon is enlarged."""
    small = own_icons(game).get(SMALL_ICON)
    if LARGE_ICON in own_icons(game) or small is None:
        return icon_named(game, LARGE_ICON)
    scale = max(1, min(MAX_ICON_PIXELS // small.width, MAX_ICON_PIXELS // small.height))
    return small.resize((small.width * scale, small.height * scale))


def icon_named(game: str, name: str) -> Icon:
    """An icon by its name: the game's own if it has one, otherwise the program's."""
    return own_icons(game).get(name) or _DEFAULT_ICONS.get(name, name)


@cache
def own_icons(game: str) -> dict[str, Image.Image]:
    """The icons that the game draws itself, by name; none if its ``icons.txt`` is missing or invalid."""
    try:
        file = import_module(games.package_name(game)).__file__
        return {
            name: icons.mask_from_rows(rows)
            for name, rows in icons.read_icons(Path(file or "").with_name("icons.txt")).items()
        }
    except (games.UnknownGameError, OSError, ValueError, TypeError, IndexError):
        return {}

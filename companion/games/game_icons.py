"""The icons and pictures of the games, from the ``icons.txt`` and ``picture.svg`` in the folder of each.

A game that draws no icon gets a default one. A game without a picture is shown by its icon.
"""

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


PICTURE_WIDTH, PICTURE_HEIGHT = 96, 76
"""The size of the ``viewBox`` of a picture."""
PICTURE_TAGS = ("svg", "g", "rect", "circle", "ellipse", "line", "path", "polygon", "text")
PICTURE_ATTRIBUTES = {
    "viewBox", "class", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx", "ry", "width", "height", "d",
    "points", "transform", "font-size", "text-anchor",
}  # fmt: skip


@cache
def game_picture(game: str) -> str:
    """The picture of a game as SVG, for the page on which a game is chosen; its own, or its icon."""
    from xml.etree import ElementTree

    svg = None
    try:
        text = _file_beside_manifest(game, "picture.svg").read_text(encoding="utf-8")
        svg = ElementTree.fromstring(text.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1))
    except (games.UnknownGameError, OSError, ValueError, TypeError, ElementTree.ParseError):
        pass
    if svg is None or not all(
        each.tag in PICTURE_TAGS and PICTURE_ATTRIBUTES.issuperset(each.keys()) for each in svg.iter()
    ):
        width, height, path = icons.icon_path(icons.icon_mask(large_icon(game)))
        svg = ElementTree.Element("svg", viewBox=f"0 0 {PICTURE_WIDTH} {PICTURE_HEIGHT}")
        place = f"translate({(PICTURE_WIDTH - width) // 2} {(PICTURE_HEIGHT - height) // 2})"
        ElementTree.SubElement(svg, "path", {"class": "ink", "d": path, "transform": place})
    svg.attrib |= {"class": "board picture", "aria-hidden": "true"}
    return ElementTree.tostring(svg, encoding="unicode")


def own_icons(game: str) -> dict[str, Image.Image]:
    """The icons that the game draws itself, by name; none if its ``icons.txt`` is missing or invalid."""
    try:
        return _read_own_icons(game)
    except (games.UnknownGameError, OSError, ValueError, TypeError, IndexError):
        return {}  # Not cached: the next try may read the file.


@cache
def _read_own_icons(game: str) -> dict[str, Image.Image]:
    file = _file_beside_manifest(game, "icons.txt")
    drawings = icons.read_icons(file) if file.exists() else {}
    return {name: icons.mask_from_rows(rows) for name, rows in drawings.items()}


def _file_beside_manifest(game: str, name: str) -> Path:
    return Path(import_module(games.package_name(game)).__file__ or "").with_name(name)

"""The title screen. It has a module of its own, so that it is on the panel before the other modules are loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.games.game_icons import large_icon, small_icon
from companion.panel.canvas import RIGHT
from companion.panel.fonts import HEADING, NAME_FACES
from companion.panel.icons import icon_mask

MARK_COLUMNS = (45, 69, 93, 117)
"""The columns of the games' icons."""

if TYPE_CHECKING:
    from companion.panel.canvas import Canvas


NAME = "Companion"


def draw_title_screen(canvas: Canvas, name: str = NAME) -> None:
    """Draw the picture at power-up: the first game's large mark, the box's name, the marks of the built-in games."""
    games_with_mark = [game.id for game in games.built_in_manifests() if game.is_on_title_screen]
    canvas.icon(4, 13, large_icon(games_with_mark[0]))
    canvas.fitted_text(45, 11, name, (HEADING, *NAME_FACES), RIGHT - 45)
    canvas.fill(45, 29, 125, 30)
    for x, game in zip(MARK_COLUMNS, games_with_mark, strict=False):
        canvas.icon(x, 46 - icon_mask(small_icon(game)).height, small_icon(game))  # A banner begins below row 46.

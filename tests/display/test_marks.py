"""The icons of games for a whole screen."""

from __future__ import annotations

import pytest
from PIL import Image

from companion.games import game_icons
from companion.panel import icons


@pytest.mark.parametrize(("size", "times"), [((9, 9), 4), ((10, 8), 3), ((40, 9), 1)])
def test_a_small_icon_is_enlarged_for_a_whole_screen(
    size: tuple[int, int], times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game with one icon of 9 by 9 pixels gets a large one too, in whole pixels, as large as there is room for."""
    small = icons.mask_from_rows(["#" + "." * (size[0] - 2) + "#"] * size[1])
    monkeypatch.setattr(game_icons, "own_icons", lambda game: {"icon": small})
    large = game_icons.large_icon("kalah")
    assert isinstance(large, Image.Image)
    assert large.size == (size[0] * times, size[1] * times)
    assert [large.getpixel((x, 0)) for x in range(times + 1)] == [255] * times + [0]
    drawn = icons.mask_from_rows(["##"])
    monkeypatch.setattr(game_icons, "own_icons", lambda game: {"icon": small, "icon-large": drawn})
    assert game_icons.large_icon("kalah") is drawn

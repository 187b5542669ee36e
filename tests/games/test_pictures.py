"""The pictures of the games on the host's page: their own, or their icon."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from companion import games
from companion.games import game_icons
from companion.games.game_icons import game_picture
from companion.panel.canvas import LINE_COLUMNS
from companion.panel.fonts import CONDENSED

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 76">{}</svg>'


@pytest.fixture
def picture_of(monkeypatch, tmp_path):
    """The picture of a game with this file beside its manifest."""

    def drawn(file: str | None) -> ElementTree.Element:
        module = tmp_path / "__init__.py"
        if file is not None:
            (tmp_path / "picture.svg").write_text(file)
        monkeypatch.setattr(
            "companion.games.game_icons.import_module", lambda name: type("m", (), {"__file__": module})
        )
        monkeypatch.setattr(game_icons, "_read_own_icons", game_icons._read_own_icons.__wrapped__)
        return ElementTree.fromstring(game_picture.__wrapped__("27"))

    return drawn


@pytest.mark.parametrize("game", [each.id for each in games.all_manifests()])
def test_each_game_has_a_picture_and_a_line(game):
    """A drawing without words of any language, and a line that has room in the main menu."""
    picture = ElementTree.fromstring(game_picture(game))
    assert picture.get("viewBox") == "0 0 96 76"
    assert len(list(picture.iter())) > 4
    assert not any(letter.isalpha() for each in picture.iter("text") for letter in each.text or "")
    assert 0 < CONDENSED.width(games.manifest_of(game).description) <= LINE_COLUMNS


def test_a_picture_keeps_what_it_draws(picture_of):
    """It gets the classes of boards, for its colours, and is decoration for those who hear the page."""
    picture = picture_of(SVG.format('<rect class="seat1" width="5" height="5"/>'))
    assert (picture.get("class"), picture.get("aria-hidden")) == ("board picture", "true")
    assert [each.tag for each in picture] == ["rect"]


@pytest.mark.parametrize(
    "file",
    [None, "", "no picture", SVG.format("<script>alert(1)</script>"), SVG.format('<rect onclick="x()"/>'),
     SVG.format('<rect style="fill: red"/>'), SVG.format('<image href="http://other/x.png"/>')],
)  # fmt: skip
def test_without_a_picture_the_icon_is_shown(picture_of, file):
    """Also where the file has more than shapes and words."""
    picture = picture_of(file)
    assert [each.get("class") for each in picture.iter()] == ["board picture", "ink"]
    assert picture[0].get("d").startswith("M")

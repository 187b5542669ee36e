"""Manifests: what the program says about a game in the game's own words."""

import pytest

from companion import games
from companion.games.api.manifest import Manifest, Option


def test_a_report_names_an_option_in_the_words_of_its_game() -> None:
    """An option may have its own words for reports; without them a report uses the label of the value."""
    game = Manifest(
        "nim",
        "Nim",
        options={
            "set": Option("how many", {"3": "few", "5": "many"}, report="{0} heaps of {0}"),
            "end": Option("who loses", {"last": "usual", "misere": "other"}, {"misere": "misère"}, report="a {1} game"),
            "speed": Option("how fast", {"slow": "long", "quick": "short"}, {"quick": "quickly"}),
        },
    )
    said = [
        game.option_report(*each) for each in (("set", "5"), ("end", "misere"), ("speed", "quick"), ("gone", "old"))
    ]
    assert said == ["5 heaps of 5", "a misère game", "quickly", "old"]


@pytest.mark.parametrize("game", games.built_in_game_ids())
def test_a_report_names_every_value(game: str) -> None:
    """Two values of an option never have the same words, and no mark for a value is left over in them."""
    known = games.manifest_of(game)
    for name, option in known.options.items():
        said = {known.option_report(name, value) for value in option.values}
        assert len(said) == len(option.values)
        assert all("{" not in words for words in said)

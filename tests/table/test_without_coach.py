"""Nothing of the coach is loaded before somebody asks for a hint, a look back or the box as a player."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from companion import games

TESTS = Path(__file__).parents[1]
RECORDS = {
    "27": "27-basic",
    "coral-reef": "coral-reef-tiles",
    "prime-attactics": "prime-attactics-easy-13",
    "ziggurat": "ziggurat-6-solid",
}
OF_COACH = ("coach", "reasons", "tree")
"""The modules of a game's folder that are for its coach alone."""
LIMIT = 60


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The modules of a process in which a whole round of each game was played, hints off and no box at the table."""
    records = [TESTS / "records" / f"{name}.tcr" for name in RECORDS.values()]
    said = subprocess.check_output(
        [sys.executable, TESTS / "support" / "whole_rounds.py", tmp_path_factory.mktemp("rounds"), *records],
        text=True,
        timeout=LIMIT,
    )
    return set(said.split())


def test_rounds_of_every_game_that_has_a_coach_are_played() -> None:
    """A game that is added here is played too."""
    assert set(RECORDS) == {game.id for game in games.built_in() if games.load_coach(game.id) is not None}


def test_the_search_is_not_loaded(loaded: set[str]) -> None:
    """Neither the package nor a module of it; the workers, which would load it, are."""
    assert "companion.table.search_workers" in loaded
    assert not [name for name in loaded if name.startswith("companion.coach")]


@pytest.mark.parametrize("game", RECORDS)
def test_no_coach_of_a_game_is_loaded(loaded: set[str], game: str) -> None:
    """The game itself is; its coach, the reasons that this gives and the tree that it searches are not."""
    package = games.package(game)
    assert f"{package}.rules" in loaded
    assert not loaded & {f"{package}.{name}" for name in OF_COACH}

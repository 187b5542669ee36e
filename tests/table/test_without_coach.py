"""The coach is loaded only when somebody asks for a hint, a review or a computer player."""

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
COACH_MODULES = ("coach", "reasons", "tree")
"""The modules in a game's folder that belong to its coach."""
LIMIT_SECONDS = 60


@pytest.fixture(scope="module")
def loaded_modules(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The modules of a process that has played a round of each game without hints and computer players."""
    records = [TESTS / "records" / f"{name}.tcr" for name in RECORDS.values()]
    output = subprocess.check_output(
        [sys.executable, TESTS / "support" / "play_records.py", tmp_path_factory.mktemp("rounds"), *records],
        text=True,
        timeout=LIMIT_SECONDS,
    )
    return set(output.split())


def test_rounds_of_every_game_that_has_a_coach_are_played() -> None:
    """A game that gets a coach has to be added here."""
    assert set(RECORDS) == {game.id for game in games.built_in_manifests() if games.load_coach(game.id) is not None}


def test_the_search_is_not_loaded(loaded_modules: set[str]) -> None:
    """The workers are loaded, but nothing of the coach's package."""
    assert "companion.table.search_workers" in loaded_modules
    assert not [name for name in loaded_modules if name.startswith("companion.coach")]


@pytest.mark.parametrize("game", RECORDS)
def test_no_coach_of_a_game_is_loaded(loaded_modules: set[str], game: str) -> None:
    """The game's rules are loaded, but neither its coach nor the modules for it."""
    package = games.package_name(game)
    assert f"{package}.rules" in loaded_modules
    assert not loaded_modules & {f"{package}.{name}" for name in COACH_MODULES}

"""Loads the module beside the tests of each game that has what the tests of all games need to know about it."""

from __future__ import annotations

from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from companion import games

GAME_TESTS_FOLDER = Path(__file__).parents[1] / "games"


@cache
def support_of_game(game: str) -> Any:
    """The module of a game by its id; it has keys, random events, and a second count of the result."""
    folder = games.package_name(game).rpartition(".")[2]
    spec = spec_from_file_location(f"support_of_{folder}", GAME_TESTS_FOLDER / folder / "game_facts.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def all_options(game: str, **chosen: str) -> tuple[tuple[str, str], ...]:
    """All options of a game, as a round's header has them; options that are not chosen have their default."""
    return tuple((games.manifest_of(game).option_defaults | chosen).items())

"""The games, a folder each; only what is asked for is imported."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.game import Game
    from companion.game.entry import Entry

GAMES = {
    "coral-reef": "coral_reef",
    "27": "twenty_seven",
    "prime-attactics": "prime_attactics",
    "ziggurat": "ziggurat",
}
"""Game id in a record → folder in this package."""


def load(game: str) -> Game[Any, Any]:
    """The rules of a game by its id. Raises KeyError for an id that is not in `GAMES`."""
    return import_module(f"companion.games.{GAMES[game]}.rules")


def load_entry(game: str) -> Entry:
    """The entry module of a game by its id. Raises KeyError."""
    return import_module(f"companion.games.{GAMES[game]}.entry")


def load_screen(game: str) -> Any:
    """The screen module of a game by its id. Raises KeyError."""
    return import_module(f"companion.games.{GAMES[game]}.screen")


def load_board(game: str) -> Any:
    """The board module of a game by its id, None where it has none. Raises KeyError."""
    from importlib.util import find_spec

    name = f"companion.games.{GAMES[game]}.board"
    return import_module(name) if find_spec(name) else None

"""The rules, one module a game; only the one asked for is imported."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.game import Game

GAMES = {
    "coral-reef": "coral_reef",
    "27": "twenty_seven",
    "prime-attactics": "prime_attactics",
    "ziggurat": "ziggurat",
}
"""Game id in a record → module in this package."""


def load(game: str) -> Game[Any, Any]:
    """The rules of a game by its id. Raises KeyError for an id that is not in `GAMES`."""
    return import_module(f"companion.games.{GAMES[game]}")

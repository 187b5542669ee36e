"""What a tournament can be played with: each installed game for two, with each choice of its options."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion import games

if TYPE_CHECKING:
    from companion.game.manifest import Manifest


def _games() -> list[Manifest]:
    """The installed games that two can play and that leave a record."""
    return [each for each in games.known() if each.recorded and 2 in each.players]


class Choice(NamedTuple):
    """A game with its options: as the form sends it, and in words."""

    game: str
    options: dict[str, str]
    sent: str
    words: str


def choices() -> list[Choice]:
    """Each game with each choice of its options."""
    found = []
    for game in _games():
        options: list[dict[str, str]] = [{}]
        for name, values in game.values.items():
            options = [{**each, name: value} for each in options for value in values]
        for each in options:
            sent = " ".join((game.id, *(f"{name}={value}" for name, value in each.items())))
            found.append(Choice(game.id, each, sent, games.in_words(game.id, each.items())))
    return found

"""What a tournament can be played with: each installed game for two, with each choice of its options."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from companion import games


class Choice(NamedTuple):
    """A game with its options: as the form sends it, and in words."""

    game: str
    options: dict[str, str]
    sent: str
    words: str


def choices() -> list[Choice]:
    """Each installed game that two can play and that leaves a record, with each choice of its options."""
    found = []
    for game in (each for each in games.known() if each.recorded and 2 in each.players):
        for chosen in product(*game.values.values()):
            options = dict(zip(game.values, chosen, strict=True))
            sent = " ".join((game.id, *(f"{name}={value}" for name, value in options.items())))
            found.append(Choice(game.id, options, sent, games.in_words(game.id, options.items())))
    return found

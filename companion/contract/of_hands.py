"""Checks of what players hold: a hand has as many pieces as it says, and what was drawn is in it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from companion.game import Holding
from companion.game.words import draws

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from companion.contract.play import Played


def hands_keep_what_they_hold(played: Played, chance: Random) -> None:
    """An open holding has as many pieces as it counts, and after a draw or refill its owner holds the named pieces."""
    for state in played.some(8):
        for holding in _holdings(state):
            assert holding.pieces is None or len(holding.pieces) == holding.size, (
                f"a holding counts {holding.size} pieces, but has {' '.join(map(str, holding.pieces))}"
            )
    for number, (seat, move) in enumerate(played.events, 1):
        word, *drawn = str(move).split()
        if drawn and draws(word):
            held = played.entry.held(played.rules.view(played.state(number), seat), seat)
            gone = Counter(drawn) - Counter(drawn if held is None else held)
            assert not gone, f"seat {seat} has drawn {' '.join(gone)} with {move}, but does not hold it afterwards"
    played.at.clear()


def _holdings(state: Any) -> Iterator[Holding[Any]]:
    """The holdings anywhere in a position."""
    if isinstance(state, Holding):
        yield state
    elif isinstance(state, tuple):
        for each in state:
            yield from _holdings(each)

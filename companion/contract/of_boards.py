"""Checks of a game's board on the big screen, and of the words of a phone's keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion import games
from companion.contract.of_entries import KEYS
from companion.contract.play import NAMES
from companion.game.board import Svg

if TYPE_CHECKING:
    from random import Random

    from companion.contract.play import Played
    from companion.game.board import Board


def boards_are_drawn(played: Played, chance: Random) -> None:
    """The board draws the public's view of some positions, and labels keys."""
    board = games.load_board(played.manifest.id)
    if board is None:
        return
    names, rules = NAMES[: played.header.seats], played.rules
    for number in sorted({0, chance.randrange(len(played.states)), len(played.states) - 1}):
        state = played.state(number)
        view = rules.view(state, None)
        last = played.events[number - 1] if number else None
        drawing = board.draw(view, names, last)
        assert isinstance(drawing, Svg), f"draw returns {drawing!r}, which is no Svg"
        assert str(drawing)
        if rules.turn(state) is not None and played.entry.due(state) is None:
            _check_key_words(played, board, state, chance)


def _check_key_words(played: Played, board: Board, state: Any, chance: Random) -> None:
    """Check the labels after each of some keys, and that some key is offered that begins a move."""
    offered = [key for key in KEYS if board.key_words(played.rules.view(state, None), "").get(key) != ""]
    assert any(played.entry.typed(state, key) is not None for key in offered), "no key that is offered begins a move"
    keys = ""
    for _ in range(4):
        labels = board.key_words(played.rules.view(state, None), keys)
        for key, words in labels.items():
            assert key in KEYS, f"key_words labels {key!r}, which is no key of {KEYS}"
            assert isinstance(words, str), f"key_words labels {key} with {words!r}"
        draft = played.entry.typed(state, longer := keys + chance.choice(KEYS))
        keys = longer if draft is not None else keys

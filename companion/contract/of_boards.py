"""Checks of a game's board on the big screen, and of the words of a phone's keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion import games
from companion.contract.of_entries import KEYS
from companion.contract.play import NAMES
from companion.game.board import LEAST, Seen, Svg

if TYPE_CHECKING:
    from random import Random

    from companion.contract.play import Played
    from companion.game.board import Board


def boards_are_drawn(played: Played, chance: Random) -> None:
    """The board draws some positions for everybody and for phones, where what is tapped is typed, and labels keys."""
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
            _check_taps(played, board, number, chance)


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


def _check_taps(played: Played, board: Board, number: int, chance: Random) -> None:
    """Tap at random what a phone of the seat to move shows; each place is told, large enough and inside the drawing."""
    rules, state = played.rules, played.state(number)
    seat, names = rules.turn(state) or 1, NAMES[: played.header.seats]
    view, keys = rules.view(state, seat), ""
    for words in board.in_words(view, names):
        assert isinstance(words, str), f"in_words gives {words!r}"
        assert words, "in_words gives an empty sentence"
    for _ in range(5):
        drawing = board.show(Seen(view, names, played.events[:number], seat, keys, due=True))
        for tap in drawing.taps:
            left, top, wide, high = tap.place
            assert tap.words, f"no words say what a tap of {tap.keys!r} does"
            assert min(wide, high) >= LEAST * drawing.size[0] / 600, f"{tap.words!r} is too small to be tapped"
            inside = left >= 0 and top >= 0 and left + wide <= drawing.size[0] and top + high <= drawing.size[1]
            assert inside, f"{tap.words!r} is outside of the drawing"
            taken = not tap.keys or played.entry.typed(view, tap.keys) is not None
            assert taken, f"a tap on {tap.words!r} means {tap.keys!r}, which cannot be typed"
        assert len({tap.place[:2] for tap in drawing.taps}) == len(drawing.taps), "two places to tap have one corner"
        if not drawing.taps:
            return
        keys = chance.choice(drawing.taps).keys

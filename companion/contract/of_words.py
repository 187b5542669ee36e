"""Checks of the words of a move: in records and reports, on the big screen, and of the coach."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion import games
from companion.coach.sight import look
from companion.game.entry import without_hidden
from companion.game.words import draws

if TYPE_CHECKING:
    from random import Random

    from companion.contract.play import Played

FORMS = ("short", "brief", "said", "written")
"""The forms of a move's words."""


def moves_have_words(played: Played, chance: Random) -> None:
    """An event has words as players write it, and the coach has its own for each move that it may advise."""
    for number, (seat, move) in enumerate(played.events):
        if number % (len(played.events) // 8 + 1) == 0:
            _check_move(played, number, seat, move)
    if games.load_coach(played.manifest.id) is not None:
        _check_coach(played, chance.randrange(len(played.states)), chance)


def _check_move(played: Played, number: int, seat: int, move: Any) -> None:
    """Check all forms of an event's words, for its player and for everybody, whether or not the seat moves again."""
    rules, entry, state, names = played.rules, played.entry, played.state(number), played.header.players
    seen = rules.read(without_hidden(entry, str(move)))
    for before, known in ((state, move), (rules.view(state, None), seen)):
        for again in (False, True):
            told = entry.move_words(before, seat, known, names, again=again)
            for form in FORMS:
                _check_words(f"{form} of move_words, for {known}", getattr(told, form))
    after = played.states[number + 1]
    if rules.turn(after) == seat and not (draws(str(move)) or rules.skipped(after) or entry.due(after)):
        once, more = (entry.move_words(state, seat, move, names, again=again).brief for again in (False, True))
        assert once != more, f"brief of move_words, for {move}: {once} does not say that the same player moves again"


def _check_coach(played: Played, number: int, chance: Random) -> None:
    """Check what the coach says of a move at one position, if it knows the pieces of the seat to move."""
    rules, entry, coach = played.rules, played.entry, games.load_coach(played.manifest.id)
    state = played.state(number)
    seat = rules.turn(state)
    if coach is None or seat is None or entry.due(state) is not None:
        return
    events = [(who, str(move)) for who, move in played.events[:number]]
    sight = look(rules, entry, played.states[: number + 1], events, seat)
    moves = [move for move in rules.moves(state) if not draws(str(move))]
    if not coach.knows(sight) or not moves:
        return
    move = chance.choice(moves)
    for name in ("look_at", "reason"):
        _check_words(f"{name} of the coach, for {move}", getattr(coach, name)(sight, move))
    _check_words("words of the coach, for a lead of 1", coach.words(1))


def _check_words(of: str, words: object) -> None:
    assert isinstance(words, str), f"{of}: {words!r} is no text"
    assert words.strip(), f"{of}: there are no words"
    assert "\n" not in words, f"{of}: {words!r} has more than one line"

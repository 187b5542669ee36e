"""The rules of First game: throw two dice up to three times a turn, or stop and keep what the throws brought.

A throw brings its pips. A one ends the turn and brings nothing, and two ones cost 10 points, so scores may be negative.
"""

import re
from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

from companion.gamekit.template_dice import GAME
from companion.games import api
from companion.games.api import Outcome, check_seat, check_turn

TURNS = 4
"""The turns of each player."""
MAX_THROWS = 3
THROW_WORD = "roll"
"""The look-back judges no event that begins with this word, since chance decided it."""
LOST_POINTS = 10


class Move(NamedTuple):
    """A throw, ``roll 35`` with the lower die first, or ``stop`` without dice."""

    dice: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{THROW_WORD} {''.join(map(str, self.dice))}" if self.dice else "stop"


THROWS = [Move(dice) for dice in combinations_with_replacement(range(1, 7), 2)]


class State(NamedTuple):
    """A position: the scores, the seat to move, the points and throws of its turn, and the turns that have ended."""

    scores: tuple[int, ...]
    seat: int = 1
    points: int = 0
    throws: int = 0
    turns: int = 0


SENTENCES = {
    "syntax": ("{said}", "", "a throw is roll and two dice: roll 35"),
    "stop": ("stop", "nothing thrown", "throw at least once"),
}
"""Code → the figure, what it conflicts with, the rule."""


class RefusedError(api.RefusedError):
    """A refusal of First game, with its sentences."""

    sentences = SENTENCES


class Rules(api.Rules[State, Move]):
    """The rules of First game. Everything else is inherited: no hands, nothing hidden."""

    def initial_state(self, players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], Any]) -> State:
        return State((0,) * players)

    def seat_to_move(self, state: State) -> int | None:
        return state.seat if state.turns < TURNS * len(state.scores) else None

    def legal_moves(self, state: State) -> list[Move]:
        if self.seat_to_move(state) is None:
            return []
        return [*THROWS, Move()] if state.throws else THROWS

    def parse_move(self, text: str) -> Move:
        if text == "stop":
            return Move()
        if not re.fullmatch("roll [1-6]{2}", text):
            raise RefusedError("syntax", said=text[:22])
        return Move(tuple(sorted(map(int, text[5:]))))

    def play_move(self, state: State, seat: int, move: Move) -> State:
        """Raises RefusedError ``stop`` before the first throw of a turn."""
        check_seat(seat, len(state.scores))
        check_turn(seat, self.seat_to_move(state))
        if not move.dice and not state.throws:
            raise RefusedError("stop")
        points, throws = state.points + sum(move.dice), state.throws + 1
        if move.dice and 1 not in move.dice and throws < MAX_THROWS:
            return state._replace(points=points, throws=throws)
        if 1 in move.dice:
            points = -LOST_POINTS if move.dice == (1, 1) else 0
        scores = tuple(score + points * (player == seat) for player, score in enumerate(state.scores, 1))
        return State(scores, seat % len(scores) + 1, turns=state.turns + 1)

    def outcome(self, state: State) -> Outcome:
        is_over = self.seat_to_move(state) is None
        return Outcome.by_score(state.scores, GAME.ending_reason("turns") if is_over else "")


RULES = Rules()

"""The rules of First game: throw two dice up to three times a turn, or stop and keep what the throws brought.

A throw brings its pips. A one ends the turn and brings nothing, and two ones cost 10 points, so scores may be negative.

A turn is a throw, ``roll 35``, then ``again`` and another throw, or ``stop``. The players throw; the box only learns
what they threw, so what chance decides has an event of its own.
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
LOST_POINTS = 10


class Move(NamedTuple):
    """``again`` or ``stop``, or a throw of `dice` with the lower one first: ``roll 35``."""

    word: str
    dice: tuple[int, ...] = ()

    def __str__(self) -> str:
        return " ".join(filter(None, (self.word, "".join(map(str, self.dice)))))


CHOICES = [Move("again"), Move("stop")]
THROWS = {Move("roll", (low, high)): 1 + (low < high) for low, high in combinations_with_replacement(range(1, 7), 2)}
"""Each throw with its weight: 3 and 5 come twice as often as two threes."""


class State(NamedTuple):
    """A position: the scores, the seat to move, the points and throws of its turn, and the turns that have ended.

    With `may_stop` the seat decides; otherwise the dice do.
    """

    scores: tuple[int, ...]
    seat: int = 1
    points: int = 0
    throws: int = 0
    turns: int = 0
    may_stop: bool = False


SENTENCES = {
    "syntax": ("{said}", "", "enter again, stop, or roll and two dice: roll 35"),
    "throw": ("{said}", "the dice come first", "throw both dice"),
    "choose": ("{said}", "no throw yet", "say first: again, or stop"),
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
        return CHOICES if state.may_stop else [*THROWS]

    def chance_outcomes(self, state: State) -> Mapping[Move, int]:
        return {} if state.may_stop or self.seat_to_move(state) is None else THROWS

    def parse_move(self, text: str) -> Move:
        found = re.fullmatch("(again|stop)|roll ([1-6]{2})", text)
        if not found:
            raise RefusedError("syntax", said=text[:22])
        return Move(found[1]) if found[1] else Move("roll", tuple(sorted(map(int, found[2]))))

    def play_move(self, state: State, seat: int, move: Move) -> State:
        """Raises RefusedError ``throw`` for a choice where a throw is due, and ``choose`` for the contrary."""
        check_seat(seat, len(state.scores))
        check_turn(seat, self.seat_to_move(state))
        if bool(move.dice) is state.may_stop:
            raise RefusedError("choose" if state.may_stop else "throw", said=str(move))
        if move.word == "again":
            return state._replace(may_stop=False)
        points, throws = state.points + sum(move.dice), state.throws + bool(move.dice)
        if 1 in move.dice:
            points = -LOST_POINTS if move.dice == (1, 1) else 0
        elif move.dice and throws < MAX_THROWS:
            return state._replace(points=points, throws=throws, may_stop=True)
        scores = tuple(score + points * (player == seat) for player, score in enumerate(state.scores, 1))
        return State(scores, seat % len(scores) + 1, turns=state.turns + 1)

    def outcome(self, state: State) -> Outcome:
        is_over = self.seat_to_move(state) is None
        return Outcome.by_score(state.scores, GAME.ending_reason("turns") if is_over else "")


RULES = Rules()

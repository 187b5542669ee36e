"""The rules of First game: players take turns to add 1, 2 or 3 to a number, and the one who makes it 21 wins."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.games import api
from companion.games.api import Outcome, check_seat, check_turn

GOAL_NUMBER = 21
MAX_ADDED = 3


class Move(NamedTuple):
    """Add `added` to the number; it is written ``+2``."""

    added: int

    def __str__(self) -> str:
        return f"+{self.added}"


class State(NamedTuple):
    """A position: the number, and the seat that is to add to it."""

    number: int
    seat: int


SENTENCES = {
    "syntax": ("{said}", "", "a move is a plus and a number: +2"),
    "count": ("add {added}", "at most {most}", "add 1 to {most}"),
    "beyond": ("{number}+{added} = {sum}", "goal {goal}", "stop at {goal}"),
}
"""Code → the figure, what it conflicts with, the rule."""


class RefusedError(api.RefusedError):
    """A refusal of First game, with its sentences."""

    sentences = SENTENCES


class Rules(api.Rules[State, Move]):
    """The rules of First game. Everything else is inherited: no hands, nothing drawn, nothing hidden."""

    def initial_state(self, players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], Any]) -> State:
        return State(0, 1)

    def seat_to_move(self, state: State) -> int | None:
        return state.seat if state.number < GOAL_NUMBER else None

    def legal_moves(self, state: State) -> list[Move]:
        return [Move(count) for count in range(1, min(MAX_ADDED, GOAL_NUMBER - state.number) + 1)]

    def parse_move(self, text: str) -> Move:
        if not re.fullmatch(r"\+[1-9]", text):
            raise RefusedError("syntax", said=text[:22])
        return Move(int(text[1:]))

    def play_move(self, state: State, seat: int, move: Move) -> State:
        """Raises RefusedError ``count`` for more than 3, and ``beyond`` if the number would be more than 21."""
        check_seat(seat, 2)
        check_turn(seat, self.seat_to_move(state))
        if move.added > MAX_ADDED:
            raise RefusedError("count", added=move.added, most=MAX_ADDED)
        number = state.number + move.added
        if number > GOAL_NUMBER:
            raise RefusedError("beyond", number=state.number, added=move.added, sum=number, goal=GOAL_NUMBER)
        return State(number, 3 - seat)

    def outcome(self, state: State) -> Outcome:
        """The seat that made it 21 wins with a score of 1; the other has 0."""
        if state.number < GOAL_NUMBER:
            return Outcome((0, 0), (), "")
        winner = 3 - state.seat
        return Outcome((int(winner == 1), int(winner == 2)), (winner,), "the goal is reached")


RULES = Rules()

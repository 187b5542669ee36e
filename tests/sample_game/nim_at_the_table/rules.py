"""The rules of Nim: on your turn take as many pieces as you like from one heap."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.games import api
from companion.games.api import Outcome, check_seat, check_turn


class Move(NamedTuple):
    """Take `pieces` from `heap` (from 1)."""

    heap: int
    pieces: int

    def __str__(self) -> str:
        return f"{self.heap}-{self.pieces}"


class State(NamedTuple):
    """A position: what is left of each heap, what each seat has taken, who is to move, whether the last piece wins."""

    heaps: tuple[int, ...]
    taken: tuple[int, int]
    seat: int
    last_wins: bool


SENTENCES = {
    "syntax": ("{said}", "", "a move is a heap and a number of pieces: 2-3"),
    "heap": ("heap {heap}", "there are {heaps}", "there is no such heap"),
    "pieces": ("take {pieces}", "heap {heap} has {left}", "take what is there"),
}
"""What is refused: the figure, what it contradicts, the rule."""


class RefusedError(api.RefusedError):
    """A refusal of Nim."""

    sentences = SENTENCES


class Rules(api.Rules[State, Move]):
    """What `companion.games.api.Rules` asks for; there are no hands, and nothing is drawn."""

    def initial_state(self, players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], Any]) -> State:
        """The heaps of the option."""
        heaps = tuple(map(int, options.get("heaps", "345")))
        return State(heaps, (0, 0), 1, options.get("last", "wins") == "wins")

    def seat_to_move(self, state: State) -> int | None:
        """Nobody's once all heaps are empty."""
        return state.seat if any(state.heaps) else None

    def legal_moves(self, state: State) -> list[Move]:
        """Heap by heap."""
        return [Move(heap, count) for heap, size in enumerate(state.heaps, 1) for count in range(1, size + 1)]

    def parse_move(self, text: str) -> Move:
        """``2-3`` is three pieces from the second heap."""
        found = re.fullmatch(r"([1-9])-([1-9])", text)
        if not found:
            raise RefusedError("syntax", said=text[:22])
        return Move(int(found[1]), int(found[2]))

    def play_move(self, state: State, seat: int, move: Move) -> State:
        """The heap without the pieces. Raises RefusedError ``heap``, ``pieces``."""
        check_seat(seat, 2)
        check_turn(seat, self.seat_to_move(state))
        if move.heap > len(state.heaps):
            raise RefusedError("heap", heap=move.heap, heaps=len(state.heaps))
        left = state.heaps[move.heap - 1] - move.pieces
        if left < 0:
            raise RefusedError("pieces", pieces=move.pieces, heap=move.heap, left=state.heaps[move.heap - 1])
        heaps = (*state.heaps[: move.heap - 1], left, *state.heaps[move.heap :])
        taken = [count + move.pieces * (player == seat) for player, count in enumerate(state.taken, 1)]
        return state._replace(heaps=heaps, taken=(taken[0], taken[1]), seat=3 - seat)

    def outcome(self, state: State) -> Outcome:
        """The seat that took the last piece wins, or loses; the scores are 1 and 0."""
        if any(state.heaps):
            return Outcome((0, 0), (), "")
        winner = 3 - state.seat if state.last_wins else state.seat
        return Outcome((int(winner == 1), int(winner == 2)), (winner,), "all heaps are empty")


RULES = Rules()

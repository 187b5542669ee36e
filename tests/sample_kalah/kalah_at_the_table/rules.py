"""The rules of Kalah: sow the seeds of one of your houses, one into each of the next.

Places go round the board as seeds do: houses 0 to 5 and store 6 of seat 1, houses 7 to 12 and store 13 of seat 2.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.games import api
from companion.games.api import Outcome, check_seat, check_turn

HOUSES = 6
PLACES = 14


class Move(NamedTuple):
    """Sow the seeds of an own house, 1 to 6, of which 6 is next to the own store."""

    house: int

    def __str__(self) -> str:
        return f"house {self.house}"


class State(NamedTuple):
    """A position: the seeds of each place, and the seat to move."""

    seeds: tuple[int, ...]
    seat: int


def first(seat: int) -> int:
    """The place of a seat's first house."""
    return (seat - 1) * (HOUSES + 1)


def store(seat: int) -> int:
    """The place of a seat's store."""
    return first(seat) + HOUSES


def houses(seeds: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """The seeds of a seat's houses, from the first."""
    return seeds[first(seat) : store(seat)]


def over(seeds: tuple[int, ...]) -> bool:
    """Whether the houses of a seat are empty, which ends the round."""
    return not any(houses(seeds, 1)) or not any(houses(seeds, 2))


def sown(state: State, house: int) -> tuple[State, int, int]:
    """The position after a house was sown, the place of the last seed, and how many seeds it caught, itself included.

    A last seed in the own store moves again. In an own house that was empty it goes to the store with all seeds of the
    house opposite, if there are any.
    """
    seeds, seat = list(state.seeds), state.seat
    at = first(seat) + house - 1
    left, seeds[at] = seeds[at], 0
    while left:
        at = (at + 1) % PLACES
        if at != store(3 - seat):
            seeds[at] += 1
            left -= 1
    caught, opposite = 0, 2 * HOUSES - at
    if first(seat) <= at < store(seat) and seeds[at] == 1 and seeds[opposite]:
        caught = 1 + seeds[opposite]
        seeds[at] = seeds[opposite] = 0
        seeds[store(seat)] += caught
    return State(tuple(seeds), seat if at == store(seat) else 3 - seat), at, caught


SENTENCES = {
    "syntax": ("{said}", "", "a move is an own house: house 3"),
    "empty": ("house {house}", "it is empty", "sow a house with seeds"),
}
"""What is refused: the figure, what it contradicts, the rule."""


class RefusedError(api.RefusedError):
    """A refusal of Kalah."""

    sentences = SENTENCES


class Rules(api.Rules[State, Move]):
    """What `companion.games.api.Rules` asks for; there are no hands, and nothing is drawn."""

    def initial_state(self, players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], Any]) -> State:
        """The houses as full as the option says, the stores empty."""
        row = (*[int(options.get("seeds", "4"))] * HOUSES, 0)
        return State((*row, *row), 1)

    def seat_to_move(self, state: State) -> int | None:
        """Nobody's once the houses of a seat are empty."""
        return None if over(state.seeds) else state.seat

    def legal_moves(self, state: State) -> list[Move]:
        """The own houses with seeds."""
        if over(state.seeds):
            return []
        return [Move(house) for house, count in enumerate(houses(state.seeds, state.seat), 1) if count]

    def parse_move(self, text: str) -> Move:
        """``house 3``."""
        if not re.fullmatch(r"house [1-6]", text):
            raise RefusedError("syntax", said=text[:22])
        return Move(int(text[-1]))

    def play_move(self, state: State, seat: int, move: Move) -> State:
        """The position after the house was sown. Raises RefusedError ``empty``."""
        check_seat(seat, 2)
        check_turn(seat, self.seat_to_move(state))
        if not houses(state.seeds, seat)[move.house - 1]:
            raise RefusedError("empty", house=move.house)
        return sown(state, move.house)[0]

    def outcome(self, state: State) -> Outcome:
        """More seeds in the store win; at the end, those left in a seat's houses are its own."""
        ended = over(state.seeds)
        one, two = (state.seeds[store(seat)] + ended * sum(houses(state.seeds, seat)) for seat in (1, 2))
        return Outcome.by_score((one, two), "one side is empty" if ended else "")


RULES = Rules()

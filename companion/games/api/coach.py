"""What a game contributes to the search for moves: positions that one seat must reckon with, and their values.

The coach must not cheat. A coach therefore gets a `SeatKnowledge` and never a position in which more is open than the
seat may know. From that knowledge it samples full positions, *worlds*, which the search then plays out::

    SeatKnowledge ──sample_world──▶ world ──build_tree──▶ Tree ──search──▶ values ──▶ hints, reviews, computer player

A game without a coach is searched by its rules alone (`companion.coach.rules_coach`).

A value is an integer from the point of view of one seat: 0 is even, above 0 is ahead. Each game chooses its unit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from companion.languages import Text, text

S = TypeVar("S")
N = TypeVar("N")
M = TypeVar("M")

Sample = Callable[[Sequence[Any], int], Sequence[Any]]
"""Draws pieces like `random.Random.sample`. The arguments are the pieces to draw from, and how many to draw."""

DEFAULT_WORLD_COUNT = 8
"""The number of worlds that are sampled for a search, unless the coach of the game says otherwise."""


def lead_text(lead_in_units: int) -> Text:
    """A lead in words, for `Coach.value_text`: ``3 ahead``, ``2 behind``, ``even``."""
    if not lead_in_units:
        return text("even")
    return text("{lead} ahead" if lead_in_units > 0 else "{lead} behind", lead=abs(lead_in_units))


def chances_text(value: int, certain: int, likely: int, unsure: int) -> Text | None:
    """How likely the round is won or lost, in words, for `Coach.value_text`; None for a value up to `unsure`.

    From `likely` on it is won in most of the sampled worlds, and from `certain` on in all of them.
    """
    wins, size = value > 0, abs(value)
    if size >= certain:
        return text("wins") if wins else text("loses")
    if size >= likely:
        return text("likely wins") if wins else text("likely loses")
    if size > unsure:
        return text("may win") if wins else text("may lose")
    return None


class Effort(NamedTuple):
    """How much is searched for a move of the computer player.

    Attributes:
        max_plies: the greatest depth, in moves of either seat.
        node_share: the share of `Coach.node_budget` that may be used, from 0 to 1.
    """

    max_plies: int
    node_share: float


class PublicEvent(NamedTuple):
    """One past event as everybody at the table saw it.

    Attributes:
        view: the public's view of the position before the event.
        seat: the seat that played it.
        event: the text of the event, with a dot for each hidden piece: ``draw •``.
    """

    view: Any
    seat: int
    event: str


class SeatKnowledge(NamedTuple, Generic[S]):
    """All that a coach may know: the position as `seat` knows it, and the past events as everybody saw them.

    Create it only with `companion.coach.advice.seat_knowledge`, which takes the view from the rules.
    """

    seat: int
    view: S
    past_events: tuple[PublicEvent, ...]


class Tree(ABC, Generic[N, M]):
    """The game tree that the search walks, with small nodes and fast methods.

    Args:
        root: the node of the position at which the tree begins.
        max_value: no round ends with a value above this, or below its negative; `value_bounds` uses it.
    """

    def __init__(self, root: N, max_value: int = 1 << 30) -> None:
        self._root, self._max_value = root, max_value

    def root(self) -> N:
        """The node of the position at which the tree begins."""
        return self._root

    @abstractmethod
    def seat_to_move(self, node: N) -> int:
        """The seat to move, 0 when the round is over."""

    @abstractmethod
    def ordered_moves(self, node: N) -> Sequence[M]:
        """All moves from a node, the most promising first."""

    def promising_moves(self, node: N) -> Sequence[M]:
        """The moves that a narrow search looks at, the most promising first; () if it looks at all moves."""
        return ()

    @abstractmethod
    def child_node(self, node: N, move: M) -> N:
        """The node that a move leads to."""

    def position_key(self, node: N) -> Hashable:
        """A hashable key, equal only for equal positions with the same seat to move.

        The default is the node itself.
        """
        return node

    def value_bounds(self, node: N, seat: int) -> tuple[int, int]:
        """The lowest and the highest value that the round can still end with for `seat`; equal when the round is over.

        They must be right, since a verdict is called certain because of them. The default knows them only at the end.
        """
        if self.seat_to_move(node):
            return -self._max_value, self._max_value
        value = self.estimated_value(node, seat)
        return value, value

    @abstractmethod
    def estimated_value(self, node: N, seat: int) -> int:
        """An estimate of the value that the round will end with for `seat`; exact once the round is over."""

    def rules_move(self, node: N, move: M) -> Any:
        """The move of the rules that a move of this tree stands for; the default returns it unchanged."""
        return move


class Coach(ABC, Generic[S]):
    """The coach of a game. The game's `coach` module inherits from this class and has one object, ``COACH``."""

    @abstractmethod
    def node_budget(self, knowledge: SeatKnowledge[S]) -> int:
        """How many nodes a search may visit: about 0.5 s of processor time on a desktop, 8 s on a Pi Zero 2."""

    def knows_own_pieces(self, knowledge: SeatKnowledge[S]) -> bool:
        """Whether the seat's own pieces are known. Without them there is no advice."""
        return True

    @abstractmethod
    def is_exact(self, knowledge: SeatKnowledge[S]) -> bool:
        """Whether only one position fits what everybody saw, and nothing more is left to chance.

        Only then can a verdict be certain. Claims ("I can't move") do not count as seen, since they may be false.
        """

    def sample_world(self, knowledge: SeatKnowledge[S], sample: Sample) -> S:
        """A random full position that fits everything that is public, including claims.

        The default returns the seat's view, which is right for a game in which nothing is hidden.
        """
        return knowledge.view

    def world_count(self, nodes: int) -> int:
        """How many worlds are sampled for a search of `nodes` nodes, at least 2."""
        return DEFAULT_WORLD_COUNT

    @abstractmethod
    def build_tree(self, world: S, sample: Sample) -> Tree[Any, Any]:
        """The game tree that begins at a full position; `sample` draws the pieces that are drawn on the way."""

    def efforts(self) -> tuple[Effort, Effort, Effort]:
        """How much is searched for a computer player of each strength, the weakest first.

        The last one uses the whole budget.
        """
        return Effort(1, 0.1), Effort(2, 0.6), Effort(64, 1.0)

    @abstractmethod
    def mistake_threshold(self) -> int:
        """The smallest loss of value that counts as a mistake, above 0."""

    @abstractmethod
    def value_text(self, value: int) -> str:
        """A value in about 12 characters: ``3 ahead``."""

    @abstractmethod
    def look_here_text(self, knowledge: SeatKnowledge[S], move: Any) -> str:
        """A hint what to look at, in about 60 characters. It names neither the move nor a hidden piece."""

    @abstractmethod
    def move_reason(self, knowledge: SeatKnowledge[S], move: Any) -> str:
        """A move with its reason, in about 80 characters: ``Move 2 from field 3 to 9: your goal gets 5 high.``"""

    def similarity_key(self, knowledge: SeatKnowledge[S], move: Any) -> Hashable:
        """A key that is equal for moves that differ too little to be listed side by side.

        A hint shows only the best of them.
        """
        return str(move)

    def reveals_hidden_piece(self, knowledge: SeatKnowledge[S], move: Any) -> bool:
        """Whether the move reveals a piece that the seat hides from the others."""
        return False

    def final_value(self, knowledge: SeatKnowledge[S], move: Any) -> int | None:
        """The value, for its seat, of a move that certainly ends the round whatever is hidden; None for other moves."""
        return None

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
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from companion.languages import Text, text

S = TypeVar("S")
N = TypeVar("N")
M = TypeVar("M")

Sample = Callable[[Sequence[Any], int], Sequence[Any]]
"""Draws pieces like `random.Random.sample`. The arguments are the pieces to draw from, and how many to draw."""

WORLDS = 8
"""The number of worlds that are sampled for a search, unless the coach of the game says otherwise."""


def lead(units: int) -> Text:
    """A lead in words, for `Coach.value_text`: ``3 ahead``, ``2 behind``, ``even``."""
    if not units:
        return text("even")
    return text("{lead} ahead" if units > 0 else "{lead} behind", lead=abs(units))


class Effort(NamedTuple):
    """How much is searched for a move of the computer player.

    Attributes:
        max_plies: the greatest depth, in moves of either seat.
        node_share: the share of `Coach.node_budget` that may be used, from 0 to 1.
    """

    deepest: int
    share: float


class Seen(NamedTuple):
    """One past event as everybody at the table saw it.

    Attributes:
        view: the public's view of the position before the event.
        seat: the seat that played it.
        event: the text of the event, with a dot for each hidden piece: ``draw •``.
    """

    view: Any
    seat: int
    event: str


class Sight(NamedTuple, Generic[S]):
    """All that a coach may know: the position as `seat` knows it, and the past events as everybody saw them.

    Create it only with `companion.coach.advice.seat_knowledge`, which takes the view from the rules.
    """

    seat: int
    view: S
    past: tuple[Seen, ...]


class Tree(ABC, Generic[N, M]):
    """The game tree that the search walks, with small nodes and fast methods.

    Args:
        root: the node of the position at which the tree begins.
        max_value: no round ends with a value above this, or below its negative; `value_bounds` uses it.
    """

    def __init__(self, root: N, limit: int = 1 << 30) -> None:
        self._root, self._limit = root, limit

    def root(self) -> N:
        """The node of the position at which the tree begins."""
        return self._root

    @abstractmethod
    def turn(self, node: N) -> int:
        """The seat to move, 0 when the round is over."""

    @abstractmethod
    def moves(self, node: N) -> Sequence[M]:
        """All moves from a node, the most promising first."""

    def promising(self, node: N) -> Sequence[M]:
        """The moves that a narrow search looks at, the most promising first; () if it looks at all moves."""
        return ()

    @abstractmethod
    def after(self, node: N, move: M) -> N:
        """The node that a move leads to."""

    def key(self, node: N) -> Hashable:
        """A hashable key, equal only for equal positions with the same seat to move.

        The default is the node itself.
        """
        return node

    def bounds(self, node: N, seat: int) -> tuple[int, int]:
        """The lowest and the highest value that the round can still end with for `seat`; equal when the round is over.

        They must be right, since a verdict is called certain because of them. The default knows them only at the end.
        """
        if self.turn(node):
            return -self._limit, self._limit
        value = self.value(node, seat)
        return value, value

    @abstractmethod
    def value(self, node: N, seat: int) -> int:
        """An estimate of the value that the round will end with for `seat`; exact once the round is over."""

    def named(self, node: N, move: M) -> Any:
        """The move of the rules that a move of this tree stands for; the default returns it unchanged."""
        return move


class Coach(ABC, Generic[S]):
    """The coach of a game. The game's `coach` module inherits from this class and has one object, ``COACH``.

    Attributes:
        unit: what leads are counted in, such as ``corals``; "" where `value_text` names the unit itself.
    """

    unit: ClassVar[str] = ""

    @abstractmethod
    def nodes(self, sight: Sight[S]) -> int:
        """How many nodes a search may visit: about 0.5 s of processor time on a desktop, 8 s on a Pi Zero 2."""

    def knows(self, sight: Sight[S]) -> bool:
        """Whether the seat's own pieces are known. Without them there is no advice."""
        return True

    @abstractmethod
    def exact(self, sight: Sight[S]) -> bool:
        """Whether only one position fits what everybody saw, and nothing more is left to chance.

        Only then can a verdict be certain. Claims ("I can't move") do not count as seen, since they may be false.
        """

    def world(self, sight: Sight[S], sample: Sample) -> S:
        """A random full position that fits everything that is public, including claims.

        The default returns the seat's view, which is right for a game in which nothing is hidden.
        """
        return sight.view

    def worlds(self, nodes: int) -> int:
        """How many worlds are sampled for a search of `nodes` nodes, at least 2."""
        return WORLDS

    @abstractmethod
    def tree(self, world: S, sample: Sample) -> Tree[Any, Any]:
        """The game tree that begins at a full position; `sample` draws the pieces that are drawn on the way."""

    def efforts(self) -> tuple[Effort, Effort, Effort]:
        """How much is searched for a computer player of each strength, the weakest first.

        The last one uses the whole budget.
        """
        return Effort(1, 0.1), Effort(2, 0.6), Effort(64, 1.0)

    @abstractmethod
    def slip(self) -> int:
        """The smallest loss of value that counts as a mistake, above 0."""

    @abstractmethod
    def words(self, value: int) -> str:
        """A value in about 12 characters: ``3 ahead``."""

    @abstractmethod
    def look_at(self, sight: Sight[S], move: Any) -> str:
        """A hint what to look at, in about 60 characters. It names neither the move nor a hidden piece."""

    @abstractmethod
    def reason(self, sight: Sight[S], move: Any) -> str:
        """A move with its reason, in about 80 characters: ``Move 2 from field 3 to 9: your goal gets 5 high.``"""

    def alike(self, sight: Sight[S], move: Any) -> Hashable:
        """A key that is equal for moves that differ too little to be listed side by side.

        A hint shows only the best of them.
        """
        return str(move)

    def secret(self, sight: Sight[S], move: Any) -> bool:
        """Whether the move reveals a piece that the seat hides from the others."""
        return False

    def settled(self, sight: Sight[S], move: Any) -> int | None:
        """The value, for its seat, of a move that certainly ends the round whatever is hidden; None for other moves."""
        return None

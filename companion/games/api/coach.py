"""What a game contributes to the search for moves: positions consistent with a seat's knowledge, and their values.

A coach gets a `Sight`, never a position with more than the seat may
know. A game without a coach is searched by its rules alone (`companion.coach.plain`).

Values are integers from the view of one seat: 0 is even, above 0 is ahead; each game chooses its unit.
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
"""Draws like `random.Random.sample`: pieces to draw from, and how many."""

WORLDS = 8
"""How many positions that are consistent with a seat's knowledge are sampled if a coach does not say otherwise."""


def lead(units: int) -> Text:
    """A lead in words, for `Coach.words`: ``3 ahead``, ``2 behind``, ``even``."""
    if not units:
        return text("even")
    return text("{lead} ahead" if units > 0 else "{lead} behind", lead=abs(units))


class Effort(NamedTuple):
    """How much is searched for a move: at most `deepest` plies, and a `share` (0 to 1) of `Coach.nodes` positions."""

    deepest: int
    share: float


class Seen(NamedTuple):
    """An event as everybody saw it.

    `view` is the public's view before it; `event` is its text, with a dot for each hidden piece: ``draw •``.
    """

    view: Any
    seat: int
    event: str


class Sight(NamedTuple, Generic[S]):
    """All that a coach may know: the position as `seat` knows it, and the round's events as everybody saw them.

    Only `companion.coach.advice.look` makes it, with the view that the rules give.
    """

    seat: int
    view: S
    past: tuple[Seen, ...]


class Tree(ABC, Generic[N, M]):
    """The game tree that the search walks, with small nodes and fast functions.

    Args:
        root: the node of the position that the tree is made from.
        limit: no round ends with a value above it, or below its negative; `bounds` uses it.
    """

    def __init__(self, root: N, limit: int = 1 << 30) -> None:
        self._root, self._limit = root, limit

    def root(self) -> N:
        """The node of the position that the tree was made from."""
        return self._root

    @abstractmethod
    def turn(self, node: N) -> int:
        """The seat to move, 0 when the round is over."""

    @abstractmethod
    def moves(self, node: N) -> Sequence[M]:
        """All moves, the most promising first."""

    def promising(self, node: N) -> Sequence[M]:
        """The moves that a narrow search looks at, the most promising first; () if it looks at all moves."""
        return ()

    @abstractmethod
    def after(self, node: N, move: M) -> N:
        """The node after a move."""

    def key(self, node: N) -> Hashable:
        """A hashable key, equal only for equal positions with the same seat to move; the default is the node itself."""
        return node

    def bounds(self, node: N, seat: int) -> tuple[int, int]:
        """The lowest and highest value that the round can end with for `seat`; equal when it is over.

        They must be right: verdicts that are called certain depend on them. The default knows them only at the end.
        """
        if self.turn(node):
            return -self._limit, self._limit
        value = self.value(node, seat)
        return value, value

    @abstractmethod
    def value(self, node: N, seat: int) -> int:
        """An estimate of the value that the round ends with for `seat`."""

    def named(self, node: N, move: M) -> Any:
        """The tree's move as a move of the rules, which the default takes it for."""
        return move


class Coach(ABC, Generic[S]):
    """The coach of a game, inherited from here; the game's `coach` module has one object of its class, ``COACH``.

    `unit` is what leads are counted in: ``corals``; "" where `words` says it.
    """

    unit: ClassVar[str] = ""

    @abstractmethod
    def nodes(self, sight: Sight[S]) -> int:
        """How many nodes a search may visit: about 0.5 s of processor time on a desktop, 8 s on a Pi Zero 2."""

    def knows(self, sight: Sight[S]) -> bool:
        """Whether the seat's own pieces are known; without them there is no advice."""
        return True

    @abstractmethod
    def exact(self, sight: Sight[S]) -> bool:
        """Whether only one position is consistent with what was seen, and nothing is left to chance.

        Only then a verdict is certain. Claims ("I cannot") do not count as seen, since they may be false.
        """

    def world(self, sight: Sight[S], sample: Sample) -> S:
        """A random full position that is consistent with everything public, including claims.

        The default is the view, in which nothing may be hidden.
        """
        return sight.view

    def worlds(self, nodes: int) -> int:
        """How many such positions are sampled for a search of so many nodes, at least 2."""
        return WORLDS

    @abstractmethod
    def tree(self, world: S, sample: Sample) -> Tree[Any, Any]:
        """The game tree from a full position; `sample` draws pieces on the way."""

    def efforts(self) -> tuple[Effort, Effort, Effort]:
        """How much the box searches as a player at each strength, the weakest first; the last takes the most."""
        return Effort(1, 0.1), Effort(2, 0.6), Effort(64, 1.0)

    @abstractmethod
    def slip(self) -> int:
        """The smallest loss of value that counts as a mistake, above 0."""

    @abstractmethod
    def words(self, value: int) -> str:
        """A value in words of about 12 characters: ``3 ahead``."""

    @abstractmethod
    def look_at(self, sight: Sight[S], move: Any) -> str:
        """A hint what to look at, in about 60 characters, without the move or a hidden piece."""

    @abstractmethod
    def reason(self, sight: Sight[S], move: Any) -> str:
        """A move with its reason, in about 80 characters: ``Move 2 from field 3 to 9: your goal gets 5 high.``"""

    def alike(self, sight: Sight[S], move: Any) -> Hashable:
        """A key that is equal for moves that differ too little for a hint, which shows only the best of them."""
        return str(move)

    def secret(self, sight: Sight[S], move: Any) -> bool:
        """Whether the move reveals a piece that the seat hides."""
        return False

    def settled(self, sight: Sight[S], move: Any) -> int | None:
        """The value, for its seat, of a move that surely ends the round, whatever is hidden; None for other moves."""
        return None

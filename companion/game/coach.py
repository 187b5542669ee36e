"""What a game tells the search about itself: which positions fit what a seat knows, and what they are worth.

A game's `coach` module has the functions of `Coach`. It is handed a `Sight`, never a position that holds more than the
seat may know. A game without one is searched by its rules alone (`companion.coach.plain`).

Values are whole numbers from the side of one seat, 0 for even, above 0 for ahead; a game chooses its unit.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

S = TypeVar("S")
N = TypeVar("N")
M = TypeVar("M")

Sample = Callable[[Sequence[Any], int], Sequence[Any]]
"""Draws like `random.Random.sample`: pieces to draw from, and how many."""


class Seen(NamedTuple):
    """An event as everybody saw it.

    `view` is the public's just before it, and `event` its text without pieces that only their owner knows: ``draw •``.
    """

    view: Any
    seat: int
    event: str


class Sight(NamedTuple, Generic[S]):
    """All that a coach may know: the view of one seat, and what everybody has seen.

    Made by `companion.coach.sight.look` alone, which asks the rules for the view. `view` is the position as `seat`
    knows it, `past` every event of the round as the public saw it.
    """

    seat: int
    view: S
    past: tuple[Seen, ...]


class Tree(Protocol[N, M]):
    """The positions of a round as the search walks them: small, hashable, quick."""

    @abstractmethod
    def root(self) -> N:
        """The position that the tree was made from."""

    @abstractmethod
    def turn(self, node: N) -> int:
        """The seat to move, 0 when the round is over."""

    @abstractmethod
    def moves(self, node: N) -> Sequence[M]:
        """Every move there is, the most promising first."""

    @abstractmethod
    def after(self, node: N, move: M) -> N:
        """The position after a move."""

    @abstractmethod
    def key(self, node: N) -> Hashable:
        """What tells this position from any other, the seat to move included."""

    @abstractmethod
    def bounds(self, node: N, seat: int) -> tuple[int, int]:
        """What the round can end in for `seat`, at worst and at best: both the same when it is over.

        Never wrong: whatever is called certain rests on it.
        """

    @abstractmethod
    def value(self, node: N, seat: int) -> int:
        """A guess at what the round ends in for `seat`."""

    @abstractmethod
    def named(self, node: N, move: M) -> Any:
        """The move as the rules have it."""


class Coach(Protocol[S]):
    """A coach is a module with these functions, or an object of a class that inherits them, ``COACH``."""

    @abstractmethod
    def nodes(self, sight: Sight[S]) -> int:
        """How many positions take about 0.5 processor seconds on a desktop, 8 on a Pi Zero 2."""

    def knows(self, sight: Sight[S]) -> bool:
        """Whether all that the seat holds is known: else there is nothing to advise."""
        return True

    @abstractmethod
    def exact(self, sight: Sight[S]) -> bool:
        """Whether a single position fits what was seen, and no chance is left: only then a verdict is certain.

        What was claimed ("I cannot") is no part of what was seen: it may be false.
        """

    @abstractmethod
    def world(self, sight: Sight[S], sample: Sample) -> S:
        """A full position that fits all that is public, claims included."""

    @abstractmethod
    def tree(self, world: S, sample: Sample) -> Tree[Any, Any]:
        """The positions from a full one on; what is drawn on the way is drawn by `sample`."""

    @abstractmethod
    def slip(self) -> int:
        """How much value a move must lose to be told as a slip."""

    @abstractmethod
    def words(self, value: int) -> str:
        """A value as players say it, in about 12 characters: ``3 ahead``."""

    @abstractmethod
    def look_at(self, sight: Sight[S], move: Any) -> str:
        """What to look at, in about 60 characters, that tells neither the move nor a hidden piece."""

    @abstractmethod
    def reason(self, sight: Sight[S], move: Any) -> str:
        """A move with its reason in numbers, in about 80 characters: ``Field 3, 2 discs: your goal gets 5 high.``"""

    def secret(self, sight: Sight[S], move: Any) -> bool:
        """Whether whoever is told the move learns a piece that the seat hides."""
        return False

    def settled(self, sight: Sight[S], move: Any) -> int | None:
        """What a move is worth to its seat that ends the round whatever is hidden; None where it does not."""
        return None

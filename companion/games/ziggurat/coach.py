"""The coach of Ziggurat: full positions that fit what a seat knows, and moves and values in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game import coach
from companion.game.coach import Effort, Sample, Sight
from companion.game.text import text
from companion.games.ziggurat import reasons, rules
from companion.games.ziggurat.pieces import BITS, Move, dominoes
from companion.games.ziggurat.state import State
from companion.games.ziggurat.tree import POINT, Plays

if TYPE_CHECKING:
    from collections.abc import Hashable


class Coach(coach.Coach[State]):
    """The coach of Ziggurat."""

    unit = text("points")

    def nodes(self, sight: Sight[State]) -> int:
        """Measured on a desktop: 25,000 positions a second."""
        return 12_000

    def knows(self, sight: Sight[State]) -> bool:
        """Whether the seat's own hand is open."""
        return sight.view.dealt[sight.seat - 1] is not None

    def exact(self, sight: Sight[State]) -> bool:
        """Whether there are two players and every domino not seen by the seat is in the other hand."""
        view = sight.view
        others = [size for seat, size in enumerate(view.sizes, 1) if seat != sight.seat]
        return len(others) == 1 and len(_unseen(sight)) == others[0]

    def world(self, sight: Sight[State], sample: Sample) -> State:
        """The position with the other hands dealt at random from the dominoes that the seat has not seen."""
        view, seat = sight.view, sight.seat
        unseen = _unseen(sight)
        drawn = list(sample(unseen, min(len(unseen), sum(view.sizes) - view.sizes[seat - 1])))
        dealt = []
        for other, size in enumerate(view.sizes, 1):
            if other == seat:
                dealt.append(view.dealt[seat - 1])
            else:
                dealt.append(sum(drawn[:size]))
                del drawn[:size]
        return view._replace(dealt=tuple(dealt))

    def tree(self, world: State, sample: Sample) -> Plays:
        """The game tree from this position; `sample` is not needed, since nothing is drawn after the deal."""
        return Plays(world)

    def efforts(self) -> tuple[Effort, Effort, Effort]:
        """At the middle strength 3 plies instead of 2: a narrow search visits few positions for its first plies."""
        return Effort(1, 0.1), Effort(3, 0.4), Effort(64, 1.0)

    def slip(self) -> int:
        """Two points."""
        return 2 * POINT

    def words(self, value: int) -> str:
        """The lead in points; with equal points the player with fewer dominoes is ``just ahead``."""
        if abs(value) >= POINT:
            return coach.lead(value // POINT if value > 0 else -(-value // POINT))
        return text("just ahead") if value > 0 else text("just behind") if value else text("even")

    def look_at(self, sight: Sight[State], move: Move) -> str:
        """The cells of the move with its points, or without any what it leaves to the others; never its domino."""
        return reasons.look_at(sight.view, sight.seat, move, _unseen(sight))

    def reason(self, sight: Sight[State], move: Move) -> str:
        """The points of the move, both totals after it, and what the others can score then."""
        return reasons.reason(sight.view, sight.seat, move, _unseen(sight))

    def alike(self, sight: Sight[State], move: Move) -> Hashable:
        """The domino and its points: where it lies makes too little difference."""
        return min(move.p, move.q), max(move.p, move.q), rules.effect(sight.view, move).points

    def secret(self, sight: Sight[State], move: Move) -> bool:
        """Always true: every move plays a domino of a hidden hand."""
        return True


COACH = Coach()


def _unseen(sight: Sight[State]) -> list[int]:
    """The dominoes, one bit each, that are neither on the table nor in the seat's own hand."""
    seen = sight.view.gone | (sight.view.dealt[sight.seat - 1] or 0)
    return [BITS[domino] for domino in dominoes(sight.view.top) if not BITS[domino] & seen]

"""What the coach says of Ziggurat: who may hold which dominoes, and moves and leads in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.coach import Coach, Effort, Sample, Sight
from companion.games.ziggurat import rules
from companion.games.ziggurat.grid import CELLS
from companion.games.ziggurat.pieces import BITS, Move, dominoes
from companion.games.ziggurat.state import State
from companion.games.ziggurat.tree import POINT, Plays

if TYPE_CHECKING:
    from collections.abc import Hashable


class ZigguratCoach(Coach[State]):
    """The coach of Ziggurat."""

    def nodes(self, sight: Sight[State]) -> int:
        """As measured on a desktop: 25,000 positions a second."""
        return 12_000

    def knows(self, sight: Sight[State]) -> bool:
        """Whether the seat's own hand is open."""
        return sight.view.dealt[sight.seat - 1] is not None

    def exact(self, sight: Sight[State]) -> bool:
        """Two players who hold the whole set between them: whatever one has not got the other has."""
        view = sight.view
        others = [size for seat, size in enumerate(view.sizes, 1) if seat != sight.seat]
        return len(others) == 1 and len(_unseen(sight)) == others[0]

    def world(self, sight: Sight[State], sample: Sample) -> State:
        """The other hands, dealt from what is neither on the table nor in the seat's own hand."""
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
        """The positions from there; nothing is drawn."""
        return Plays(world)

    def efforts(self) -> tuple[Effort, Effort, Effort]:
        """A narrow search takes few positions for its first plies."""
        return Effort(1, 0.1), Effort(3, 0.4), Effort(64, 1.0)

    def slip(self) -> int:
        """Two points."""
        return 2 * POINT

    def words(self, value: int) -> str:
        """Points; with equal ones who holds fewer dominoes is just ahead."""
        points = abs(value) // POINT
        if points:
            return f"{points} ahead" if value > 0 else f"{points} behind"
        return "just ahead" if value > 0 else "just behind" if value else "even"

    def look_at(self, sight: Sight[State], move: Move) -> str:
        """Where, not which."""
        points = rules.effect(sight.view, move).points
        cells = f"{CELLS[move.first]} and {CELLS[move.second]}"
        if points:
            return f"Look at {cells}: one of your dominoes scores there."
        return f"Nothing has to score: look what the others could do at {cells}."

    def reason(self, sight: Sight[State], move: Move) -> str:
        """The points, and the lead after it."""
        view = sight.view
        points = rules.effect(view, move).points
        own = view.scores[sight.seat - 1] + points
        most = max(score for seat, score in enumerate(view.scores, 1) if seat != sight.seat)
        scores = f"scores {points}: {own} to {most}" if points else f"scores nothing: {own} to {most}"
        return f"{move.p}-{move.q} on {CELLS[move.first]} {CELLS[move.second]} {scores}."

    def alike(self, sight: Sight[State], move: Move) -> Hashable:
        """The same domino for the same points."""
        return min(move.p, move.q), max(move.p, move.q), rules.effect(sight.view, move).points

    def secret(self, sight: Sight[State], move: Move) -> bool:
        """A hand is hidden."""
        return True


COACH = ZigguratCoach()


def _unseen(sight: Sight[State]) -> list[int]:
    """The bits of the dominoes that are neither on the table nor in the seat's own hand."""
    seen = sight.view.gone | (sight.view.dealt[sight.seat - 1] or 0)
    return [BITS[domino] for domino in dominoes(sight.view.top) if not BITS[domino] & seen]

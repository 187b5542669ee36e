"""What the search is told of Prime Attactics: which tiles may be in a rack, and what two scores are worth.

A score counts by its doublings, since tiles multiply it: values are hundredths of a doubling, own less other's.
"""

from __future__ import annotations

from math import log2
from operator import itemgetter
from typing import TYPE_CHECKING

from companion.game import Holding, Refused
from companion.game.coach import Coach, Sample, Sight, Tree
from companion.games.prime_attactics import rules
from companion.games.prime_attactics.state import Side, State, without
from companion.games.prime_attactics.tiles import BLACK, Move, Pass, Play, Refill, result

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

WON = 100_000
"""A round that is won, however high the scores."""
DOUBLING = 100
MANY = 1000
"""Nobody wants to know whether a score is more than so many times as high."""
LONGEST = 80
"""Characters of a reason: of very long scores only the new one is told."""
UNSURE = 30 * DOUBLING
"""Further apart than scores are: what is found where some of the worlds are won or lost."""
Line = Tree[State, Move]


class Scores(Line):
    """The positions of a round with all that matters open; tiles are drawn as the pile lies."""

    def __init__(self, state: State, sample: Sample) -> None:
        self._sample = sample
        self._root = self._drawn(state)

    def root(self) -> State:
        """The position that the tree was made from, with what was due to be drawn."""
        return self._root

    def turn(self, node: State) -> int:
        """The seat to move, 0 when it is over."""
        return 0 if node.ended else node.to_move

    def key(self, node: State) -> Hashable:
        """The position itself."""
        return node

    def moves(self, node: State) -> Sequence[Move]:
        """The plays, those that change the scores the most for the seat first."""
        seat = node.to_move
        scored = [(_gain(node, seat, move), move) for move in rules.moves(node)]
        return [move for _, move in sorted(scored, key=itemgetter(0), reverse=True)]

    def after(self, node: State, move: Move) -> State:
        """As the rules play it, and the tiles drawn."""
        return self._drawn(rules.play(node, node.to_move, move))

    def _drawn(self, state: State) -> State:
        while not state.ended and state.due != rules.NOTHING:
            state = rules.play(state, state.to_move, rules.complete(state, Refill(), self._sample))
        return state

    def bounds(self, node: State, seat: int) -> tuple[int, int]:
        """Known at the end alone."""
        if not node.ended:
            return -WON, WON
        value = self.value(node, seat)
        return value, value

    def value(self, node: State, seat: int) -> int:
        """The doublings between the two scores; at the end who has won (sheet, Play finishes)."""
        if node.ended:
            winners = rules.outcome(node).winners
            return 0 if len(winners) == 2 else WON if winners == (seat,) else -WON
        own, other = node.sides[seat - 1].score, node.sides[2 - seat].score
        return max(1 - WON, min(WON - 1, round(DOUBLING * (log2(own) - log2(other)))))

    def named(self, node: State, move: Move) -> Move:
        """The move itself."""
        return move


class ScoresCoach(Coach[State]):
    """The coach of Prime Attactics."""

    def nodes(self, sight: Sight[State]) -> int:
        """As measured on a desktop, where listing the plays takes most of the time."""
        return 8_000

    def knows(self, sight: Sight[State]) -> bool:
        """Whether the seat's own display and rack are open."""
        side = sight.view.sides[sight.seat - 1]
        return side.display.open and side.rack.open

    def exact(self, sight: Sight[State]) -> bool:
        """Nothing is left to draw, and what is left of the other's black tiles is its rack."""
        own, other = (sight.view.sides[at] for at in (sight.seat - 1, 2 - sight.seat))
        hidden = 0 if other.rack.open else other.rack.size
        return not own.coloured and not own.black and not other.coloured and len(other.black) == hidden

    def world(self, sight: Sight[State], sample: Sample) -> State:
        """The other's hidden tiles, drawn from those of its set that are neither played nor to be seen."""
        sides = list(sight.view.sides)
        sides[2 - sight.seat] = _opened(sides[2 - sight.seat], sample)
        return sight.view._replace(sides=(sides[0], sides[1]))

    def tree(self, world: State, sample: Sample) -> Scores:
        """The positions from there."""
        return Scores(world, sample)

    def slip(self) -> int:
        """Half a doubling."""
        return DOUBLING // 2

    def words(self, value: int) -> str:
        """How many times as high the own score is; who wins where that is found."""
        if abs(value) >= WON // 2:
            return "wins" if value > 0 else "loses"
        if abs(value) > UNSURE:
            return "may win" if value > 0 else "may lose"
        times = 2 ** (abs(value) / DOUBLING)
        if times < 1.1:
            return "even"
        many = f"{times:.2g}" if times < 10 else f"{times:.0f}" if times < MANY else f"{MANY}+"
        return f"{many} times " + ("ahead" if value > 0 else "behind")

    def look_at(self, sight: Sight[State], move: Move) -> str:
        """Which score, and with which kind of tile where that is no secret."""
        if not isinstance(move, Play):
            return "Nothing that is open can be played."
        if self.settled(sight, move) == WON:
            return "The other score can be brought to 0."
        return "How far down can the other score go?" if move.aimed else "How far up can your own score go?"

    def reason(self, sight: Sight[State], move: Move) -> str:
        """The sum, and the two scores after it."""
        if not isinstance(move, Play):
            return "Pass: nothing that is open can be played."
        said, made = rules.working(sight.view, sight.seat, move)
        whose = "The other's" if move.aimed else "Your"
        if made == 0:
            return f"{whose} {said} = 0: {'you win' if move.aimed else 'you lose'}."
        own, other = (sight.view.sides[at].score for at in (sight.seat - 1, 2 - sight.seat))
        after = (own, made) if move.aimed else (made, other)
        told = f"{whose} {said} = {made}: then {after[0]} to {after[1]}."
        return told if len(told) <= LONGEST else f"{whose} {said} = {made}."

    def secret(self, sight: Sight[State], move: Move) -> bool:
        """Black tiles are in the rack."""
        return isinstance(move, Play) and (move.tile >= BLACK or move.slam)

    def settled(self, sight: Sight[State], move: Move) -> int | None:
        """A score of 0 ends the round at once, whatever anybody holds."""
        if isinstance(move, Pass | Refill):
            return None
        made = rules.working(sight.view, sight.seat, move)[1]
        return None if made else WON if move.aimed else -WON


COACH = ScoresCoach()


def _gain(state: State, seat: int, move: Move) -> float:
    """What a play does to the scores, in doublings for the seat."""
    if not isinstance(move, Play):
        return 0.0
    score = state.sides[2 - seat if move.aimed else seat - 1].score
    try:
        made = result(score, move)
    except Refused:  # A slam dunk's first step may be refused where its tile alone is not.
        return 0.0
    gain = log2(made / score) if made else -WON
    return -gain if move.aimed else gain


def _opened(side: Side, sample: Sample) -> Side:
    """A side with what is hidden of it drawn out of what it may be."""
    score, display, rack, coloured, black, slammed = side
    if not display.open:
        display, coloured = _drawn(display, coloured, sample)
    if not rack.open:
        rack, black = _drawn(rack, black, sample)
    return Side(score, display, rack, coloured, black, slammed)


def _drawn(holding: Holding[int], pile: tuple[int, ...], sample: Sample) -> tuple[Holding[int], tuple[int, ...]]:
    pieces = tuple(sorted(sample(pile, holding.size)))
    for tile in pieces:
        pile = without(pile, tile)
    return Holding(holding.size, pieces), pile

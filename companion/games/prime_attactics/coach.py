"""The coach of Prime Attactics: full positions that fit what a seat knows, and the value of a position.

Tiles multiply scores, so a value is a ratio: 100 × log2(own score / other score). A value of 100 is one doubling.

The reasons for a move use only the public's view: a score is in danger from the black tiles that divide it (sheet,
Further Notes: primes are defence positions), and from the tiles face up on the other display.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from operator import itemgetter

from companion.games.api import Holding, Refused, coach
from companion.games.api.coach import Sample, Sight, Tree
from companion.games.api.hint import as_much_as_fits, fits
from companion.games.api.text import format_decimal, text
from companion.games.prime_attactics import rules
from companion.games.prime_attactics.moves import list_plays
from companion.games.prime_attactics.rules import NOTHING, RULES
from companion.games.prime_attactics.state import Side, State, without
from companion.games.prime_attactics.tiles import BLACK, NUMBER, Move, Pass, Play, Refill, arithmetic, result

LOST = 100_000
"""The gain, negated, of a play that brings the own score to 0."""
WON = 100_000
"""The value of a won round. The value of an open position is always closer to 0."""
DOUBLING = 100
MANY = 1000
"""From this ratio of the scores on, the words say only ``1000+ times``."""
UNSURE = 30 * DOUBLING
"""A mean value beyond this is no ratio of scores: the round is won or lost in some of the sampled worlds."""
Line = Tree[State, Move]


class Scores(Line):
    """The game tree from a full position; `sample` draws the tiles of each refill."""

    def __init__(self, state: State, sample: Sample) -> None:
        self._sample = sample
        super().__init__(self._drawn(state), WON)

    def turn(self, node: State) -> int:
        return 0 if node.ended else node.to_move

    def moves(self, node: State) -> Sequence[Move]:
        """The plays, first the one that gains the seat to move the most."""
        side, opposite = node.sides[node.to_move - 1], node.sides[2 - node.to_move]
        scored = [(gain(move, side.score, opposite.score), move) for move in RULES.moves(node)]
        return [move for _, move in sorted(scored, key=itemgetter(0), reverse=True)]

    def after(self, node: State, move: Move) -> State:
        """The position after the move and after the refill that follows it."""
        return self._drawn(RULES.play(node, node.to_move, move))

    def _drawn(self, state: State) -> State:
        while not state.ended and state.due != NOTHING:
            state = RULES.play(state, state.to_move, RULES.complete(state, Refill(), self._sample))
        return state

    def value(self, node: State, seat: int) -> int:
        """100 × log2(own score / other score); at the end `WIN_VALUE`, 0 or -`WIN_VALUE` (sheet, Play finishes)."""
        if node.ended:
            winners = RULES.outcome(node).winners
            return 0 if len(winners) == 2 else WON if winners == (seat,) else -WON
        own, other = node.sides[seat - 1].score, node.sides[2 - seat].score
        return max(1 - WON, min(WON - 1, round(DOUBLING * (log2(own) - log2(other)))))


class Coach(coach.Coach[State]):
    """The coach of Prime Attactics."""

    def nodes(self, sight: Sight[State]) -> int:
        """Measured on a desktop, where listing the plays takes most of the time."""
        return 12_000

    def knows(self, sight: Sight[State]) -> bool:
        side = sight.view.sides[sight.seat - 1]
        return side.display.open and side.rack.open

    def exact(self, sight: Sight[State]) -> bool:
        """True once no pile has tiles left: then the other seat's unplayed black tiles are exactly its rack."""
        own, other = (sight.view.sides[at] for at in (sight.seat - 1, 2 - sight.seat))
        hidden = 0 if other.rack.open else other.rack.size
        return not own.coloured and not own.black and not other.coloured and len(other.black) == hidden

    def world(self, sight: Sight[State], sample: Sample) -> State:
        """The other seat's hidden tiles are sampled from the tiles of its set that were not seen so far."""
        sides = list(sight.view.sides)
        sides[2 - sight.seat] = _opened(sides[2 - sight.seat], sample)
        return sight.view._replace(sides=(sides[0], sides[1]))

    def tree(self, world: State, sample: Sample) -> Scores:
        return Scores(world, sample)

    def slip(self) -> int:
        return DOUBLING // 2

    def words(self, value: int) -> str:
        """The ratio of the two scores: ``1.5 times ahead``, ``even``; or ``wins``, ``may lose`` and the like."""
        if abs(value) >= WON // 2:
            return text("wins") if value > 0 else text("loses")
        if abs(value) > UNSURE:
            return text("may win") if value > 0 else text("may lose")
        times = 2 ** (abs(value) / DOUBLING)
        if times < 1.1:
            return text("even")
        many = format_decimal(times, ".2g") if times < 10 else f"{times:.0f}" if times < MANY else f"{MANY}+"
        return text("{times} times more" if value > 0 else "{times} times less", times=many)

    def look_at(self, sight: Sight[State], move: Move) -> str:
        """The score that the move is for, before and after it; never its tile."""
        if not isinstance(move, Play):
            return text("None of the open tiles can be played.")
        view, seat = sight.view, sight.seat
        before, made = view.sides[2 - seat if move.aimed else seat - 1].score, rules.working(view, seat, move)[1]
        if made:
            message = "Bring your own score from {before} to {score}. How?"
            if move.aimed:
                message = "Bring the other score from {before} to {score}. How?"
            return text(message, before=before, score=made)
        return text("The other score can be brought to 0." if move.aimed else "Your own score falls to 0: you lose.")

    def reason(self, sight: Sight[State], move: Move) -> str:
        """The arithmetic of the move, both scores after it, and what can be played against them."""
        if not isinstance(move, Play):
            return text("Pass: none of the open tiles can be played.")
        view, seat = sight.view, sight.seat
        said, made = rules.working(view, seat, move)
        message = "The other's {sum} = {score}" if move.aimed else "Your {sum} = {score}"
        if move.slam:
            message = "Slam dunk: the other's {sum} = {score}"
        play = text(message, sum=said, score=made)
        if made == 0:
            return text("{play}: you win." if move.aimed else "{play}: you lose.", play=play)
        own, other = (made, view.sides[2 - seat].score) if not move.aimed else (view.sides[seat - 1].score, made)
        told = text("{play}: then {own} against {other}.", play=play, own=own, other=other)
        if not fits(told):
            return text("{play}.", play=play)
        counter, danger = counterplay(view, seat, own, other), divided(view, seat, own)
        counter_first = move.aimed or counter.endswith(" = 0.")
        return as_much_as_fits(told, *((counter, danger) if counter_first else (danger, counter)))

    def secret(self, sight: Sight[State], move: Move) -> bool:
        return isinstance(move, Play) and (move.tile >= BLACK or move.slam)

    def settled(self, sight: Sight[State], move: Move) -> int | None:
        """`WIN_VALUE` or -`WIN_VALUE` for a play that brings a score to 0, which ends the round at once."""
        if isinstance(move, Pass | Refill):
            return None
        made = rules.working(sight.view, sight.seat, move)[1]
        return None if made else WON if move.aimed else -WON


COACH = Coach()


def _opened(side: Side, sample: Sample) -> Side:
    """A side with its sealed holdings filled by random tiles from those that are unseen."""
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


def divided(view: State, seat: int, score: int) -> str:
    """The other seat's unplayed black tiles that divide a score of `seat`; "" if it has no black tile left.

    Tiles in its rack and tiles in its pile are mixed, so nothing hidden is revealed.
    """
    side = view.sides[2 - seat]
    if not side.rack.size:  # The rack is restocked from the pile, so the pile is empty too.
        return ""
    unplayed = sorted({tile & NUMBER for tile in (*side.black, *(side.rack.pieces or ()))})
    found = [str(number) for number in unplayed if score % number == 0]
    if not found:
        return text("They can't divide {score}.", score=score)
    if len(found) == 1:
        return text("They may divide {score} by {last}.", score=score, last=found[0])
    message = "They may divide {score} by {some} or {last}."
    return text(message, score=score, some=", ".join(found[:-1]), last=found[-1])


def counterplay(view: State, seat: int, own: int, other: int) -> str:
    """The other seat's best play from its open display, for these two scores; "" if none is known."""
    display = view.sides[2 - seat].display.pieces
    plays = [play for play in list_plays(display, None, other, own, False) if isinstance(play, Play)]
    if not plays:
        return ""
    play = max(plays, key=lambda each: gain(each, other, own))
    score = own if play.aimed else other
    message = "Their best open tile: {sum} = {score}."
    if play.aimed:
        message = "Their best open tile: your {sum} = {score}."
    return text(message, sum=arithmetic(score, play), score=result(score, play))


def gain(move: Move, own: int, other: int) -> float:
    """What a play gains for its seat, as a change of log2(own score / other score)."""
    if not isinstance(move, Play):
        return 0.0
    score = other if move.aimed else own
    try:
        made = result(score, move)
    except Refused:  # The first step of a slam dunk may be refused although its tile alone is legal.
        return 0.0
    gained = log2(made / score) if made else -LOST
    return -gained if move.aimed else gained

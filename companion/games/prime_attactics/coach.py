"""The coach of Prime Attactics: full positions that fit what a seat knows, and the value of a position.

Tiles multiply scores, so a value is a ratio: 100 × log2(own score / other score). A value of 100 is one doubling.

The reasons for a move use only the public's view: a score is in danger from the black tiles that divide it (sheet,
Further Notes: primes are defence positions), and from the tiles face up on the other display.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from operator import itemgetter

from companion.games.api import Holding, RefusedError, coach
from companion.games.api.coach import Sample, SeatKnowledge, Tree
from companion.games.api.hint import append_while_fits, fits_hint_part
from companion.games.api.text import format_decimal, text
from companion.games.prime_attactics import rules
from companion.games.prime_attactics.play_lists import possible_plays
from companion.games.prime_attactics.rules import NO_REFILL, RULES
from companion.games.prime_attactics.state import Side, State, without_tile
from companion.games.prime_attactics.tiles import (
    BLACK,
    NUMBER_MASK,
    Move,
    Pass,
    Play,
    Refill,
    arithmetic_text,
    result_of_play,
)

LOST_GAIN = 100_000
"""What a play loses that brings the own score to 0."""
WIN_VALUE = 100_000
"""The value of a won round. The value of an open position is always closer to 0."""
DOUBLING_VALUE = 100
MAX_TIMES = 10
"""From this ratio of the scores on, the words say only ``far ahead``."""
UNSURE_VALUE = 30 * DOUBLING_VALUE
"""A mean value beyond this is no ratio of scores: the round is won or lost in some of the sampled worlds."""
GameTree = Tree[State, Move]


class ScoresTree(GameTree):
    """The game tree from a full position; `sample` draws the tiles of each refill."""

    def __init__(self, state: State, sample: Sample) -> None:
        self._sample = sample
        super().__init__(self._with_refills(state), WIN_VALUE)

    def seat_to_move(self, node: State) -> int:
        return 0 if node.end_reason else node.to_move

    def ordered_moves(self, node: State) -> Sequence[Move]:
        """The plays, first the one that gains the seat to move the most."""
        side, opposite = node.sides[node.to_move - 1], node.sides[2 - node.to_move]
        scored = [(gain_of_play(move, side.score, opposite.score), move) for move in RULES.legal_moves(node)]
        return [move for _, move in sorted(scored, key=itemgetter(0), reverse=True)]

    def child_node(self, node: State, move: Move) -> State:
        """The position after the move and after the refill that follows it."""
        return self._with_refills(RULES.play_move(node, node.to_move, move))

    def _with_refills(self, state: State) -> State:
        while not state.end_reason and state.due_refill != NO_REFILL:
            state = RULES.play_move(state, state.to_move, RULES.complete_draw(state, Refill(), self._sample))
        return state

    def estimated_value(self, node: State, seat: int) -> int:
        """100 × log2(own score / other score); at the end `WIN_VALUE`, 0 or -`WIN_VALUE` (sheet, Play finishes)."""
        if node.end_reason:
            winners = RULES.outcome(node).winners
            return 0 if len(winners) == 2 else WIN_VALUE if winners == (seat,) else -WIN_VALUE
        own, other = node.sides[seat - 1].score, node.sides[2 - seat].score
        return max(1 - WIN_VALUE, min(WIN_VALUE - 1, round(DOUBLING_VALUE * (log2(own) - log2(other)))))


class Coach(coach.Coach[State]):
    """Completes what a seat knows to full positions, and values them."""

    def node_budget(self, knowledge: SeatKnowledge[State]) -> int:
        """Half a second on a desktop, most of which is for listing the plays."""
        return 12_000

    def knows_own_pieces(self, knowledge: SeatKnowledge[State]) -> bool:
        side = knowledge.view.sides[knowledge.seat - 1]
        return side.display.is_open and side.rack.is_open

    def is_exact(self, knowledge: SeatKnowledge[State]) -> bool:
        """True once no pile has tiles left: then the other seat's unplayed black tiles are exactly its rack."""
        own, other = (knowledge.view.sides[at] for at in (knowledge.seat - 1, 2 - knowledge.seat))
        hidden = 0 if other.rack.is_open else other.rack.size
        return (
            not own.unseen_coloured
            and not own.unseen_black
            and not other.unseen_coloured
            and len(other.unseen_black) == hidden
        )

    def sample_world(self, knowledge: SeatKnowledge[State], sample: Sample) -> State:
        """The other seat's hidden tiles are sampled from the tiles of its set that were not seen so far."""
        sides = list(knowledge.view.sides)
        sides[2 - knowledge.seat] = _with_open_holdings(sides[2 - knowledge.seat], sample)
        return knowledge.view._replace(sides=(sides[0], sides[1]))

    def build_tree(self, world: State, sample: Sample) -> ScoresTree:
        return ScoresTree(world, sample)

    def mistake_threshold(self) -> int:
        return DOUBLING_VALUE // 2

    def value_text(self, value: int) -> str:
        """The ratio of the two scores: ``1.5 times ahead``, ``far behind``, ``even``, ``wins``, ``may lose``, …"""
        if chances := coach.chances_text(value, WIN_VALUE // 2, WIN_VALUE // 2, UNSURE_VALUE):
            return chances
        times = 2 ** (abs(value) / DOUBLING_VALUE)
        if times < 1.1:
            return text("even")
        if times >= MAX_TIMES:
            return text("far ahead") if value > 0 else text("far behind")
        many = format_decimal(times, ".2g")
        return text("{times} times ahead" if value > 0 else "{times} times behind", times=many)

    def look_here_text(self, knowledge: SeatKnowledge[State], move: Move) -> str:
        """The score that the move is for, before and after it; never its tile."""
        if not isinstance(move, Play):
            return text("None of the open tiles can be played.")
        view, seat = knowledge.view, knowledge.seat
        before = view.sides[2 - seat if move.at_other_score else seat - 1].score
        score_after = rules.working_of_play(view, seat, move)[1]
        if score_after:
            message = "Bring your own score from {before} to {score}. How?"
            if move.at_other_score:
                message = "Bring the other score from {before} to {score}. How?"
            return text(message, before=before, score=score_after)
        return text(
            "The other score can be brought to 0." if move.at_other_score else "Your own score falls to 0: you lose."
        )

    def move_reason(self, knowledge: SeatKnowledge[State], move: Move) -> str:
        """The arithmetic of the move, both scores after it, and what can be played against them."""
        if not isinstance(move, Play):
            return text("Pass: none of the open tiles can be played.")
        view, seat = knowledge.view, knowledge.seat
        sum_, score_after = rules.working_of_play(view, seat, move)
        message = "The other's {sum} = {score}" if move.at_other_score else "Your {sum} = {score}"
        if move.is_slam_dunk:
            message = "Slam dunk: the other's {sum} = {score}"
        play = text(message, sum=sum_, score=score_after)
        if score_after == 0:
            return text("{play}: you win." if move.at_other_score else "{play}: you lose.", play=play)
        own, other = (
            (score_after, view.sides[2 - seat].score)
            if not move.at_other_score
            else (view.sides[seat - 1].score, score_after)
        )
        sentence = text("{play}: then {own} against {other}.", play=play, own=own, other=other)
        if not fits_hint_part(sentence):
            return text("{play}.", play=play)
        counter, danger = best_reply_text(view, seat, own, other), dividing_tiles_text(view, seat, own)
        counter_first = move.at_other_score or counter.endswith(" = 0.")
        return append_while_fits(sentence, *((counter, danger) if counter_first else (danger, counter)))

    def reveals_hidden_piece(self, knowledge: SeatKnowledge[State], move: Move) -> bool:
        return isinstance(move, Play) and (move.tile >= BLACK or move.is_slam_dunk)

    def final_value(self, knowledge: SeatKnowledge[State], move: Move) -> int | None:
        """`WIN_VALUE` or -`WIN_VALUE` for a play that brings a score to 0, which ends the round at once."""
        if isinstance(move, Pass | Refill):
            return None
        made = rules.working_of_play(knowledge.view, knowledge.seat, move)[1]
        return None if made else WIN_VALUE if move.at_other_score else -WIN_VALUE


COACH = Coach()


def _with_open_holdings(side: Side, sample: Sample) -> Side:
    """A side with its sealed holdings filled by random tiles from those that are unseen."""
    score, display, rack, coloured, black, slammed = side
    if not display.is_open:
        display, coloured = _draw_holding(display, coloured, sample)
    if not rack.is_open:
        rack, black = _draw_holding(rack, black, sample)
    return Side(score, display, rack, coloured, black, slammed)


def _draw_holding(
    holding: Holding[int], unseen: tuple[int, ...], sample: Sample
) -> tuple[Holding[int], tuple[int, ...]]:
    pieces = tuple(sorted(sample(unseen, holding.size)))
    for tile in pieces:
        unseen = without_tile(unseen, tile)
    return Holding(holding.size, pieces), unseen


def dividing_tiles_text(view: State, seat: int, score: int) -> str:
    """The other seat's unplayed black tiles that divide a score of `seat`; "" if it has no black tile left.

    Tiles in its rack and tiles in its pile are mixed, so nothing hidden is revealed.
    """
    side = view.sides[2 - seat]
    if not side.rack.size:  # The rack is restocked from the pile, so the pile is empty too.
        return ""
    unplayed = sorted({tile & NUMBER_MASK for tile in (*side.unseen_black, *(side.rack.pieces or ()))})
    found = [str(number) for number in unplayed if score % number == 0]
    if not found:
        return text("They can't divide {score}.", score=score)
    if len(found) == 1:
        return text("They may divide {score} by {last}.", score=score, last=found[0])
    message = "They may divide {score} by {some} or {last}."
    return text(message, score=score, some=", ".join(found[:-1]), last=found[-1])


def best_reply_text(view: State, seat: int, own: int, other: int) -> str:
    """The other seat's best play from its open display, for these two scores; "" if none is known."""
    display = view.sides[2 - seat].display.pieces
    plays = [play for play in possible_plays(display, None, other, own, False) if isinstance(play, Play)]
    if not plays:
        return ""
    play = max(plays, key=lambda each: gain_of_play(each, other, own))
    score = own if play.at_other_score else other
    message = "Their best open tile: {sum} = {score}."
    if play.at_other_score:
        message = "Their best open tile: your {sum} = {score}."
    return text(message, sum=arithmetic_text(score, play), score=result_of_play(score, play))


def gain_of_play(move: Move, own: int, other: int) -> float:
    """What a play gains for its seat, as a change of log2(own score / other score)."""
    if not isinstance(move, Play):
        return 0.0
    score = other if move.at_other_score else own
    try:
        score_after = result_of_play(score, move)
    except RefusedError:  # The first step of a slam dunk may be refused although its tile alone is legal.
        return 0.0
    gained = log2(score_after / score) if score_after else -LOST_GAIN
    return -gained if move.at_other_score else gained

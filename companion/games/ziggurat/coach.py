"""The coach of Ziggurat: full positions that fit what a seat knows, and moves and values in words.

What the others can score is counted over the dominoes that the seat has not seen; some of these may be out of the game.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from companion.games.api import coach
from companion.games.api.coach import Effort, Sample, SeatKnowledge
from companion.games.api.hint import append_while_fits, fits_hint_part
from companion.games.api.text import join_texts, text
from companion.games.ziggurat import rules
from companion.games.ziggurat.drafts import scoring_pips
from companion.games.ziggurat.game_tree import POINT_VALUE, DominoTree
from companion.games.ziggurat.grid import SQUARE_NAMES
from companion.games.ziggurat.pieces import DOMINO_BITS, Move, dominoes_of_bits, dominoes_of_set
from companion.games.ziggurat.rules import RULES
from companion.games.ziggurat.state import State

SCORING_NEXT_MESSAGES = (
    "Then {count} of {unseen} unseen dominoes can score, up to {best}.",
    "Then {count} of {unseen} unseen can score, up to {best}.",
    "Then {count} of {unseen} unseen can score.",
)
"""What the others can score, the longest form first."""
SCORING_ON_NEXT_LEVEL_MESSAGES = (
    "Then level {level}: {count} of {unseen} unseen dominoes can score, up to {best}.",
    "Then level {level}: {count} of {unseen} unseen can score, up to {best}.",
    "Then {count} of {unseen} unseen can score.",
)
"""The same after a play that completes a level."""


class Coach(coach.Coach[State]):
    """Completes what a seat knows to full positions, and puts moves and values into words."""

    def node_budget(self, knowledge: SeatKnowledge[State]) -> int:
        """Half a second on a desktop, which searches 25,000 positions a second."""
        return 12_000

    def knows_own_pieces(self, knowledge: SeatKnowledge[State]) -> bool:
        return knowledge.view.dealt_bits[knowledge.seat - 1] is not None

    def is_exact(self, knowledge: SeatKnowledge[State]) -> bool:
        """True for two players, if every domino that the seat has not seen is in the other hand."""
        view = knowledge.view
        others = [size for seat, size in enumerate(view.sizes, 1) if seat != knowledge.seat]
        return len(others) == 1 and len(_unseen_dominoes(knowledge)) == others[0]

    def sample_world(self, knowledge: SeatKnowledge[State], sample: Sample) -> State:
        """The other hands are dealt at random from the dominoes that the seat has not seen."""
        view, seat = knowledge.view, knowledge.seat
        unseen = _unseen_dominoes(knowledge)
        drawn = list(sample(unseen, min(len(unseen), sum(view.sizes) - view.sizes[seat - 1])))
        dealt = list(view.dealt_bits)
        for other, size in enumerate(view.sizes, 1):
            if other != seat:
                dealt[other - 1] = sum(drawn[:size])
                del drawn[:size]
        return view._replace(dealt_bits=tuple(dealt))

    def build_tree(self, world: State, sample: Sample) -> DominoTree:
        """The tree of the dominoes in `world`; `sample` is unused, since nothing is drawn after the deal."""
        return DominoTree(world)

    def efforts(self) -> tuple[Effort, Effort, Effort]:
        """At the middle strength 3 plies instead of 2: a narrow search visits few positions for its first plies."""
        return Effort(1, 0.1), Effort(3, 0.4), Effort(64, 1.0)

    def mistake_threshold(self) -> int:
        return 2 * POINT_VALUE

    def value_text(self, value: int) -> str:
        """The lead in points; with equal points the player with fewer dominoes is ``just ahead``."""
        if abs(value) >= POINT_VALUE:
            return coach.lead_text(value // POINT_VALUE if value > 0 else -(-value // POINT_VALUE))
        return text("just ahead") if value > 0 else text("just behind") if value else text("even")

    def look_here_text(self, knowledge: SeatKnowledge[State], move: Move) -> str:
        """The squares of the move with its points, or if it has none what it leaves to the others; never its domino."""
        view, seat, unseen = knowledge.view, knowledge.seat, _unseen_dominoes(knowledge)
        cells = text("{first} and {second}", first=SQUARE_NAMES[move.first], second=SQUARE_NAMES[move.second])
        points = rules.score_of_play(view, move).points
        if points:
            return text("One of your dominoes scores {points} at {cells}.", points=points, cells=cells)
        state_after = RULES.play_move(view, seat, move)
        if state_after.to_move is None:
            return text("Playing on {cells} ends the round, for no points.", cells=cells)
        values = {"cells": cells, "count": count_scoring_next(state_after, unseen)[0], "all": len(unseen)}
        if not view.played_bits:
            message = "Nothing scores yet. After one of yours {count} of {all} unseen dominoes can score."
            return text(message, **values)
        if len(rules.free_pairs(view)) == 1:
            message = "Only {cells} are left. After one of yours {count} of {all} unseen dominoes can score."
            return text(message, **values)
        if state_after.level == view.level and len(rules.free_pairs(state_after)) == 1:
            message = "At {cells}, no points: then 1 place is left, where {count} of {all} unseen can score."
            return text(message, **values)
        message = "{cells}: no points. Of {all} unseen dominoes {now} score now, {count} after it."
        return text(message, now=count_scoring_next(view, unseen)[0], **values)

    def move_reason(self, knowledge: SeatKnowledge[State], move: Move) -> str:
        """The points of the move, both totals after it, and what the others can score then."""
        view, seat, unseen = knowledge.view, knowledge.seat, _unseen_dominoes(knowledge)
        points, state_after = rules.score_of_play(view, move).points, RULES.play_move(view, seat, move)
        best_other_score = max(score for other, score in enumerate(view.scores, 1) if other != seat)
        message = "{move} scores {points}: {own} to {most}."
        cells = f"{SQUARE_NAMES[move.first]} {SQUARE_NAMES[move.second]}"
        placed = text("{domino} on {cells}", domino=move.domino_text, cells=cells)
        sentence = text(message, move=placed, points=points, own=state_after.scores[seat - 1], most=best_other_score)
        if state_after.to_move is None:
            return append_while_fits(sentence, text("That ends the round."))
        if lead := _next_level_text(state_after, seat, unseen):
            return append_while_fits(sentence, lead)
        is_level_over = state_after.level != view.level
        count, best = count_scoring_next(state_after, unseen)
        if not count:
            message = "Then no unseen domino can score."
            if is_level_over:
                message = "Then level {level}: no unseen domino can score."
            return append_while_fits(sentence, text(message, level=state_after.level))
        values = {"level": state_after.level, "count": count, "unseen": len(unseen), "best": best}
        messages = SCORING_ON_NEXT_LEVEL_MESSAGES if is_level_over else SCORING_NEXT_MESSAGES
        ways = [text(message, **values) for message in messages]
        way = next((way for way in ways if fits_hint_part(f"{sentence} {way}")), ways[-1])
        return join_texts((sentence, way), " ")

    def similarity_key(self, knowledge: SeatKnowledge[State], move: Move) -> Hashable:
        """The domino and its points: where it lies makes too little difference."""
        return min(move.p, move.q), max(move.p, move.q), rules.score_of_play(knowledge.view, move).points

    def reveals_hidden_piece(self, knowledge: SeatKnowledge[State], move: Move) -> bool:
        return True


COACH = Coach()


def _unseen_dominoes(knowledge: SeatKnowledge[State]) -> list[int]:
    """The dominoes, one bit each, that are neither on the table nor in the seat's own hand."""
    seen = knowledge.view.played_bits | (knowledge.view.dealt_bits[knowledge.seat - 1] or 0)
    return [
        DOMINO_BITS[domino] for domino in dominoes_of_set(knowledge.view.highest_pip) if not DOMINO_BITS[domino] & seen
    ]


def count_scoring_next(state: State, unseen: Sequence[int]) -> tuple[int, int]:
    """How many of these dominoes would score if they were played next, and the most points of one."""
    places = rules.free_pairs(state)
    pips_that_score = {cell: scoring_pips(state, cell) for place in places for cell in place}
    ways = rules.free_placements(state)
    halves = [
        max(((p in pips_that_score[first]) + (q in pips_that_score[second]) for first, second in ways), default=0)
        for p, q in dominoes_of_bits(sum(unseen))
    ]
    return sum(half > 0 for half in halves), state.level * max(halves, default=0)


def _next_level_text(after: State, seat: int, unseen: Sequence[int]) -> str:
    """A sentence for a level with one free pair left, which the other of two players must fill; "" otherwise.

    Then `seat` starts the next level.
    """
    places = rules.free_pairs(after)
    if len(places) != 1 or len(after.sizes) != 2:
        return ""
    filled = RULES.play_move(after, 3 - seat, Move(*dominoes_of_bits(unseen[0])[0], *places[0]))
    message = "Then 1 place is left: you start level {level}."
    return text(message, level=filled.level) if filled.to_move else ""

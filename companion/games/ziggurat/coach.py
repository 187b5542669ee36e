"""The coach of Ziggurat: full positions that fit what a seat knows, and moves and values in words.

What the others can score is counted over the dominoes that the seat has not seen; some of these may be out of the game.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from companion.games.api import coach
from companion.games.api.coach import Effort, Sample, Sight
from companion.games.api.hint import as_much_as_fits, fits
from companion.games.api.text import text
from companion.games.ziggurat import rules
from companion.games.ziggurat.grid import CELLS
from companion.games.ziggurat.judging import wanted
from companion.games.ziggurat.pieces import BITS, Move, dominoes, unpack
from companion.games.ziggurat.rules import RULES
from companion.games.ziggurat.state import State
from companion.games.ziggurat.tree import POINT, Plays

SCORING_NEXT = (
    "{then} {count} of {unseen} unseen dominoes can score, up to {best}.",
    "{then} {count} of {unseen} unseen can score, up to {best}.",
    "Then {count} of {unseen} unseen can score.",
)
"""What the others can score, the longest form first."""


class Coach(coach.Coach[State]):
    """The coach of Ziggurat."""

    unit = text("points")

    def nodes(self, sight: Sight[State]) -> int:
        """Measured on a desktop: 25,000 positions a second."""
        return 12_000

    def knows(self, sight: Sight[State]) -> bool:
        return sight.view.dealt[sight.seat - 1] is not None

    def exact(self, sight: Sight[State]) -> bool:
        """True for two players, if every domino that the seat has not seen is in the other hand."""
        view = sight.view
        others = [size for seat, size in enumerate(view.sizes, 1) if seat != sight.seat]
        return len(others) == 1 and len(_unseen(sight)) == others[0]

    def world(self, sight: Sight[State], sample: Sample) -> State:
        """The other hands are dealt at random from the dominoes that the seat has not seen."""
        view, seat = sight.view, sight.seat
        unseen = _unseen(sight)
        drawn = list(sample(unseen, min(len(unseen), sum(view.sizes) - view.sizes[seat - 1])))
        dealt = list(view.dealt)
        for other, size in enumerate(view.sizes, 1):
            if other != seat:
                dealt[other - 1] = sum(drawn[:size])
                del drawn[:size]
        return view._replace(dealt=tuple(dealt))

    def tree(self, world: State, sample: Sample) -> Plays:
        """`sample` is not needed, since nothing is drawn after the deal."""
        return Plays(world)

    def efforts(self) -> tuple[Effort, Effort, Effort]:
        """At the middle strength 3 plies instead of 2: a narrow search visits few positions for its first plies."""
        return Effort(1, 0.1), Effort(3, 0.4), Effort(64, 1.0)

    def slip(self) -> int:
        return 2 * POINT

    def words(self, value: int) -> str:
        """The lead in points; with equal points the player with fewer dominoes is ``just ahead``."""
        if abs(value) >= POINT:
            return coach.lead(value // POINT if value > 0 else -(-value // POINT))
        return text("just ahead") if value > 0 else text("just behind") if value else text("even")

    def look_at(self, sight: Sight[State], move: Move) -> str:
        """The squares of the move with its points, or if it has none what it leaves to the others; never its domino."""
        view, seat, unseen = sight.view, sight.seat, _unseen(sight)
        cells = text("{first} and {second}", first=CELLS[move.first], second=CELLS[move.second])
        points = rules.effect(view, move).points
        if points:
            return text("One of your dominoes scores {points} at {cells}.", points=points, cells=cells)
        after = RULES.play(view, seat, move)
        if after.to_move is None:
            return text("Playing on {cells} ends the round, for no points.", cells=cells)
        values = {"cells": cells, "count": scoring_next(after, unseen)[0], "all": len(unseen)}
        if not view.gone:
            message = "Nothing scores yet. After one of yours {count} of {all} unseen dominoes can score."
            return text(message, **values)
        if len(rules.places(view)) == 1:
            message = "Only {cells} are left. After one of yours {count} of {all} unseen dominoes can score."
            return text(message, **values)
        if after.level == view.level and len(rules.places(after)) == 1:
            message = "At {cells}, no points: then 1 place is left, where {count} of {all} unseen can score."
            return text(message, **values)
        message = "{cells}: no points. Of {all} unseen dominoes {now} score now, {count} after it."
        return text(message, now=scoring_next(view, unseen)[0], **values)

    def reason(self, sight: Sight[State], move: Move) -> str:
        """The points of the move, both totals after it, and what the others can score then."""
        view, seat, unseen = sight.view, sight.seat, _unseen(sight)
        points, after = rules.effect(view, move).points, RULES.play(view, seat, move)
        most = max(score for other, score in enumerate(view.scores, 1) if other != seat)
        message = "{move} scores {points}: {own} to {most}."
        told = text(message, move=str(move), points=points, own=after.scores[seat - 1], most=most)
        if after.to_move is None:
            return as_much_as_fits(told, text("That ends the round."))
        if lead := _lead(after, seat, unseen):
            return as_much_as_fits(told, lead)
        then = text("Then") if after.level == view.level else text("Then level {level}:", level=after.level)
        count, best = scoring_next(after, unseen)
        if not count:
            return as_much_as_fits(told, text("{then} no unseen domino can score.", then=then))
        values = {"then": then, "count": count, "unseen": len(unseen), "best": best}
        ways = [text(message, **values) for message in SCORING_NEXT]
        way = next((way for way in ways if fits(f"{told} {way}")), ways[-1])
        return text("{told} {answer}", told=told, answer=way)

    def alike(self, sight: Sight[State], move: Move) -> Hashable:
        """The domino and its points: where it lies makes too little difference."""
        return min(move.p, move.q), max(move.p, move.q), rules.effect(sight.view, move).points

    def secret(self, sight: Sight[State], move: Move) -> bool:
        return True


COACH = Coach()


def _unseen(sight: Sight[State]) -> list[int]:
    """The dominoes, one bit each, that are neither on the table nor in the seat's own hand."""
    seen = sight.view.gone | (sight.view.dealt[sight.seat - 1] or 0)
    return [BITS[domino] for domino in dominoes(sight.view.top) if not BITS[domino] & seen]


def scoring_next(state: State, unseen: Sequence[int]) -> tuple[int, int]:
    """How many of these dominoes would score if they were played next, and the most points of one."""
    places = rules.places(state)
    wishes = {cell: wanted(state, cell) for place in places for cell in place}
    ways = rules.ways(state)
    halves = [
        max(((p in wishes[first]) + (q in wishes[second]) for first, second in ways), default=0)
        for p, q in unpack(sum(unseen))
    ]
    return sum(half > 0 for half in halves), state.level * max(halves, default=0)


def _lead(after: State, seat: int, unseen: Sequence[int]) -> str:
    """A sentence for a level with one free pair left, which the other of two players must fill; "" otherwise.

    Then `seat` starts the next level.
    """
    places = rules.places(after)
    if len(places) != 1 or len(after.sizes) != 2:
        return ""
    filled = RULES.play(after, 3 - seat, Move(*unpack(unseen[0])[0], *places[0]))
    message = "Then 1 place is left: you start level {level}."
    return text(message, level=filled.level) if filled.to_move else ""

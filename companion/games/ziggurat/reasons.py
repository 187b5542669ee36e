"""Moves of Ziggurat in words, with the numbers that speak for or against them.

What the others can score is counted over the dominoes that the seat has not seen; some of them may be out of the game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.hint import as_much_as_fits, fits
from companion.game.text import text
from companion.games.ziggurat import rules
from companion.games.ziggurat.grid import CELLS
from companion.games.ziggurat.likely import wanted
from companion.games.ziggurat.pieces import Move, unpack
from companion.games.ziggurat.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.ziggurat.state import State

SCORING_NEXT = (
    "{then} {count} of {unseen} unseen dominoes can score, up to {best}.",
    "{then} {count} of {unseen} unseen can score, up to {best}.",
    "Then {count} of {unseen} unseen can score.",
)
"""What the others can score, the longest form first."""


def look_at(view: State, seat: int, move: Move, unseen: Sequence[int]) -> str:
    """The cells of a move and its points; without points what it leaves to the others. Never its domino.

    `unseen` has one bit for each domino that the seat has not seen.
    """
    cells = text("{first} and {second}", first=CELLS[move.first], second=CELLS[move.second])
    points = rules.effect(view, move).points
    if points:
        return text("One of your dominoes scores {points} at {cells}.", points=points, cells=cells)
    after = RULES.play(view, seat, move)
    if after.to_move is None:
        return text("The round ends at {cells}, without points.", cells=cells)
    values = {"cells": cells, "count": scoring_next(after, unseen)[0], "all": len(unseen)}
    if not view.gone:
        message = "Nothing scores yet. After one of yours {count} of {all} unseen dominoes can score."
        return text(message, **values)
    if len(rules.places(view)) == 1:
        message = "Only {cells} are left. After one of yours {count} of {all} unseen dominoes can score."
        return text(message, **values)
    if after.level == view.level and len(rules.places(after)) == 1:
        message = "At {cells}, for no points: 1 place is left then, {count} of {all} unseen can score."
        return text(message, **values)
    message = "{cells}: no points. Of {all} unseen dominoes {now} score now, {count} after it."
    return text(message, now=scoring_next(view, unseen)[0], **values)


def reason(view: State, seat: int, move: Move, unseen: Sequence[int]) -> str:
    """The points of a move, both totals after it, and what the others can score then; `unseen` as for `look_at`."""
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


def scoring_next(state: State, unseen: Sequence[int]) -> tuple[int, int]:
    """How many of these dominoes would score in a position if they were played next, and the most points of one."""
    places = rules.places(state)
    wishes = {cell: wanted(state, cell) for place in places for cell in place}
    ways = [way for place in places for way in (place, place[::-1])]
    halves = [
        max(((p in wishes[first]) + (q in wishes[second]) for first, second in ways), default=0)
        for p, q in unpack(sum(unseen))
    ]
    return sum(half > 0 for half in halves), state.level * max(halves, default=0)


def _lead(after: State, seat: int, unseen: Sequence[int]) -> str:
    """A sentence if the other of two players has to fill the last place of a level, so that `seat` starts the next."""
    places = rules.places(after)
    if len(places) != 1 or len(after.sizes) != 2:
        return ""
    filled = RULES.play(after, 3 - seat, Move(*unpack(unseen[0])[0], *places[0]))
    message = "Then 1 place is left: you start level {level}."
    return text(message, level=filled.level) if filled.to_move else ""

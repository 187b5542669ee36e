"""Moves of Ziggurat in words, with the numbers that speak for or against them.

What the others can score is counted over the dominoes that the seat has not seen; some of them may be out of the game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.hint import as_much_as_fits, fits
from companion.games.ziggurat import rules
from companion.games.ziggurat.grid import CELLS
from companion.games.ziggurat.likely import wanted
from companion.games.ziggurat.pieces import unpack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.ziggurat.pieces import Move
    from companion.games.ziggurat.state import State


def look_at(view: State, seat: int, move: Move, unseen: Sequence[int]) -> str:
    """The cells of a move and its points; without points what it leaves to the others. Never its domino.

    `unseen` has one bit for each domino that the seat has not seen.
    """
    cells, points = f"{CELLS[move.first]} and {CELLS[move.second]}", rules.effect(view, move).points
    if points:
        return f"One of your dominoes scores {points} at {cells}."
    after = rules.play(view, seat, move)
    if after.to_move is None:
        return f"The round ends at {cells}, without points."
    count, all_ = answers(after, unseen)[0], len(unseen)
    if not view.gone:
        return f"Nothing scores yet. After one of yours {count} of {all_} unseen dominoes can score."
    if len(rules.places(view)) == 1:
        return f"Only {cells} are left. After one of yours {count} of {all_} unseen dominoes can score."
    if after.level == view.level and len(rules.places(after)) == 1:
        return f"At {cells}, for no points: 1 place is left then, {count} of {all_} unseen can score."
    return (
        f"At {cells}, for no points: {answers(view, unseen)[0]} of {all_} unseen dominoes can score now, {count} then."
    )


def reason(view: State, seat: int, move: Move, unseen: Sequence[int]) -> str:
    """The points of a move, both totals after it, and what the others can score then; `unseen` as for `look_at`."""
    points, after = rules.effect(view, move).points, rules.play(view, seat, move)
    most = max(score for other, score in enumerate(view.scores, 1) if other != seat)
    told = f"{move.p}-{move.q} {CELLS[move.first]}{CELLS[move.second]} scores {points}"
    told = f"{told}: {after.scores[seat - 1]} to {most}."
    if after.to_move is None:
        return as_much_as_fits(told, "That ends the round.")
    if lead := _lead(after, seat, unseen):
        return as_much_as_fits(told, lead)
    then = "Then" if after.level == view.level else f"Then level {after.level}:"
    count, best = answers(after, unseen)
    if not count:
        return as_much_as_fits(told, f"{then} no unseen domino can score.")
    numbers = f"{count} of {len(unseen)} unseen"
    ways = (f"{then} {numbers} dominoes can score, up to {best}.", f"{then} {numbers} can score, up to {best}.",
            f"Then {numbers} can score.")  # fmt: skip
    return f"{told} {next((way for way in ways if fits(f'{told} {way}')), ways[-1])}"


def answers(state: State, unseen: Sequence[int]) -> tuple[int, int]:
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
    filled = rules.play(after, 3 - seat, rules.Move(*unpack(unseen[0])[0], *places[0]))
    return f"Then 1 place is left: you start level {filled.level}." if filled.to_move else ""

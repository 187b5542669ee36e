"""The box as a player: a move for one seat, at one of three strengths that differ in how much is searched.

A weaker one searches fewer plies and fewer positions; each plays the best move that it has found.
"""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING, Any

from companion.coach.advice import advise
from companion.coach.budget import TellingBudget

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.coach.search import Ranked
    from companion.game.coach import Coach, Sight


def choose(
    coach: Coach[Any],
    sight: Sight[Any],
    strength: int,
    seed: int = 0,
    *,
    clock: Callable[[], float] = time.thread_time,
    stopped: Callable[[], bool] = bool,
    tell: Callable[[int], object] = bool,
) -> Any:
    """A move for the seat `sight.seat` at a strength from 1 (weakest) to 3; None if the coach ranks none.

    `seed` picks one of equally good moves. The same sight, strength and `seed` give the same move unless `clock` (in
    seconds) or `stopped` ends the search. `tell` gets the progress in percent (see `TellingBudget`).
    """
    effort = coach.efforts()[strength - 1]
    nodes = max(1, round(coach.nodes(sight) * effort.share))
    budget = TellingBudget(nodes, clock, stopped, tell)
    return _one_of_the_best(advise(coach, sight, budget, deepest=effort.deepest, narrow=True).ranked, seed)


def _one_of_the_best(ranked: tuple[Ranked, ...], seed: int) -> Any:
    best = [each.move for each in ranked if each.value == ranked[0].value]
    return Random(seed).choice(best) if best else None

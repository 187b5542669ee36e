"""The box as a player: a move for one seat, at one of three strengths that differ in how much is searched.

A weaker one looks fewer plies ahead, at fewer positions; none of them plays a worse move than it has found.
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
    """The move of the seat that looks, at a strength from 1; None where the coach finds none.

    The same sight, strength and `seed` give the same move: of moves that are found to be equally good `seed` picks
    one. `tell` is told how far it has come, as by a `TellingBudget`; `stopped` may end the search early.
    """
    effort = coach.efforts()[strength - 1]
    nodes = max(1, round(coach.nodes(sight) * effort.share))
    budget = TellingBudget(nodes, clock, stopped, tell)
    return _one_of_the_best(advise(coach, sight, budget, deepest=effort.deepest, narrow=True).ranked, seed)


def _one_of_the_best(ranked: tuple[Ranked, ...], seed: int) -> Any:
    best = [each.move for each in ranked if each.value == ranked[0].value]
    return Random(seed).choice(best) if best else None

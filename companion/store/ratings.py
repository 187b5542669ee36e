"""How strong players are: Plackett-Luce ratings by the openskill library, which rates any number of players at once.

A round tells who won it, alone or shared, and nothing about the order of the others: two places, first and not. The
figures are shown on the scale that players know from chess: a newcomer has 1500 ± 500, the second number being the
standard deviation of the first.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from companion.session.stored import Rating

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


def rated(before: Mapping[str, Rating], winners: Collection[str]) -> dict[str, Rating]:
    """The ratings of a round's players after it, by name; a round that all share moves them towards each other.

    Raises ImportError where the library is not installed.
    """
    model = _model()
    names = list(before)
    teams = [[model.rating(mu=before[name].mu, sigma=before[name].sigma)] for name in names]
    after = model.rate(teams, ranks=[1 if name in winners else 2 for name in names])
    return {name: Rating(team[0].mu, team[0].sigma) for name, team in zip(names, after, strict=True)}


@cache
def _model() -> Any:
    from openskill.models import PlackettLuce

    return PlackettLuce()

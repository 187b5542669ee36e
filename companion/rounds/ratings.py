"""Players' ratings by the Plackett-Luce model of the openskill library, for any number of players.

A round has two places, winners and others, since the order of the others is unknown. Ratings are shown on a scale like
that of chess: a new player has 1500 ± 500, where the second number is the standard deviation.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from companion.rounds.stored import Rating


def rated(before: Mapping[str, Rating], winners: Collection[str]) -> dict[str, Rating]:
    """The players' ratings after a round, by name; a round that all share moves them towards each other.

    Raises ImportError if the library is not installed.
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

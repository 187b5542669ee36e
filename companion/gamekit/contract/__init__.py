"""Checks that every game must pass: the games of this program and those of other packages.

A test plays random rounds and runs every check on each. A check that fails raises AssertionError::

    from companion.gamekit import contract

    def test_the_contract():
        for seed in range(50):
            contract.check("nim", seed)

Each public function of a module ``…_checks`` is a check.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from types import FunctionType

from companion.gamekit.contract import of_coaches, of_entries, of_rules, of_screens, of_secrets
from companion.gamekit.contract.play import (
    LONGEST_ROUND,
    TEXTS,
    Played,
    failure_report,
    play_round,
    refusal,
    settings,
)

__all__ = ["CHECKS", "TEXTS", "Played", "again", "check", "play_round", "refusal", "settings"]


def check(game: str, seed: int | Random, share: float = 0.5, longest: int = LONGEST_ROUND) -> None:
    """Run each check on a random round of its own, with random options and a random number of players.

    `share` is the probability that a holding is open, and `longest` the number of events that a round may have (see
    `play_random_round`). Raises AssertionError for the first check that fails. The message says what is wrong and
    where, and names the call of `run_check` that runs this check alone.
    """
    chance = Random(seed) if isinstance(seed, int) else seed
    for holds in CHECKS:
        again(game, holds.__name__, chance.getrandbits(32), share=share, longest=longest)


def again(game: str, check: str, seed: int, *, share: float = 0.5, longest: int = LONGEST_ROUND) -> None:
    """Run one check on the round of a seed. Raises AssertionError as `check` does."""
    holds = next(each for each in CHECKS if each.__name__ == check)
    chance, choices = Random(seed), list(settings(game))
    begun: list[Played] = []
    try:
        played = play_round(*chance.choice(choices), chance, share=share, longest=longest, begun=begun.append)
        holds(played, chance)
    except Exception as error:
        said = failure_report(error, (game, check, seed), share, longest, begun[0] if begun else None)
        raise AssertionError(said) from error


CHECKS: Sequence[Callable[[Played, Random], None]] = [
    each
    for module in (of_rules, of_entries, of_screens, of_secrets, of_coaches)
    for name, each in vars(module).items()
    if isinstance(each, FunctionType) and each.__module__ == module.__name__ and not name.startswith("_")
]

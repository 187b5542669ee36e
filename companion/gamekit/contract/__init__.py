"""Checks that every game must pass: the games of this program and those of other packages.

A test plays random rounds and runs every check on each. A check that fails raises AssertionError::

    from companion.gamekit import contract

    def test_the_contract():
        for seed in range(50):
            contract.check("kalah", seed)

Each public function of a module ``…_checks`` that takes a round and a chance is a check. The names of the game's
functions are checked before, then rules, input, secrets and search; pictures and texts come last, since a fault in the
rules must not hide behind a line that is too long. What only may be a fault is a warning (`unusual_play`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from types import FunctionType

from companion.gamekit.contract import (
    coach_checks,
    input_checks,
    part_checks,
    piece_checks,
    rules_checks,
    screen_checks,
    secrecy_checks,
    text_checks,
    unusual_play,
)
from companion.gamekit.contract.random_rounds import (
    MAX_ROUND_EVENTS,
    TRIED_TEXTS,
    RandomRound,
    failure_report,
    option_combinations,
    play_random_round,
    refusal_of_text,
    with_saved_drafts,
)
from companion.gamekit.contract.unusual_play import ContractWarning

__all__ = [
    "CHECKS",
    "TRIED_TEXTS",
    "ContractWarning",
    "RandomRound",
    "check",
    "option_combinations",
    "play_random_round",
    "refusal_of_text",
    "run_check",
]


def check(game: str, seed: int | Random, share: float = 0.5, longest: int = MAX_ROUND_EVENTS) -> None:
    """Run each check on a random round of its own, with random options and a random number of players.

    `share` is the probability that a holding is open, and `longest` the number of events that a round may have (see
    `play_random_round`). Raises AssertionError for the first check that fails. The message says what is wrong and
    where, and names the call of `run_check` that runs this check alone.
    """
    random = Random(seed) if isinstance(seed, int) else seed
    part_checks.check_function_names(game)
    for contract_check in CHECKS:
        run_check(game, contract_check.__name__, random.getrandbits(32), share=share, longest=longest)
    unusual_play.warn_of_unusual_play(game, longest)


def run_check(game: str, check: str, seed: int, *, share: float = 0.5, longest: int = MAX_ROUND_EVENTS) -> None:
    """Run one check on the round of a seed. Raises AssertionError as `check` does.

    If its round can't be played, that is reported as a failure of `rounds_can_be_played`.
    """
    contract_check = next(each for each in CHECKS if each.__name__ == check)
    random, choices = Random(seed), list(option_combinations(game))
    rounds_begun: list[RandomRound] = []
    running = part_checks.rounds_can_be_played.__name__
    try:
        played = play_random_round(
            *random.choice(choices), random, share=share, longest=longest, on_begin=rounds_begun.append
        )
        running = check
        contract_check(played._replace(move_input=with_saved_drafts(played.move_input)), random)
    except Exception as error:
        report = failure_report(error, (game, running, seed), share, longest, rounds_begun[0] if rounds_begun else None)
        raise AssertionError(report) from error


CHECKS: Sequence[Callable[[RandomRound, Random], None]] = [
    each
    for module in (
        part_checks,
        rules_checks,
        piece_checks,
        input_checks,
        secrecy_checks,
        coach_checks,
        screen_checks,
        text_checks,
    )
    for name, each in vars(module).items()
    if isinstance(each, FunctionType) and each.__module__ == module.__name__ and not name.startswith("_")
    if each.__code__.co_varnames[: each.__code__.co_argcount] == ("played", "chance")
]

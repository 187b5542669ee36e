"""Checks that every game must pass, for the tests of the games here and of games in other packages.

A test plays random rounds and runs every check on each. A check that fails raises AssertionError:

    from random import Random
    from companion import contract

    def test_the_contract():
        for seed in range(50):
            contract.check("nim", Random(seed))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contract.of_boards import boards_are_drawn
from companion.contract.of_entries import (
    drafts_are_judged,
    hidden_pieces_are_masked,
    moves_can_be_entered,
    pieces_can_be_named,
    words_are_short,
)
from companion.contract.of_rules import (
    claims_are_of_their_seat,
    deals_are_complete,
    events_read_back,
    listed_events_are_legal,
    other_seats_are_refused,
    outcome_and_turn_agree,
    positions_cannot_change,
    public_views_tell_nothing_hidden,
    records_stand,
    refusals_change_nothing,
    views_hide,
)
from companion.contract.of_screens import help_fits, hints_fit, pages_are_whole, pictures_are_whole
from companion.contract.play import TEXTS, Played, play_round, refusal, settings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

__all__ = ["CHECKS", "TEXTS", "Played", "check", "play_round", "refusal", "settings"]


def check(game: str, chance: Random, share: float = 0.5) -> None:
    """Run each check on a random round of its own, with random options and number of players.

    `share` is the probability that a holding is open (see `play_round`). Raises AssertionError for the first check that
    fails.
    """
    for holds in CHECKS:
        holds(play_round(*chance.choice(list(settings(game))), chance, share=share), chance)


CHECKS: Sequence[Callable[[Played, Random], None]] = (
    deals_are_complete,
    events_read_back,
    listed_events_are_legal,
    refusals_change_nothing,
    other_seats_are_refused,
    positions_cannot_change,
    views_hide,
    public_views_tell_nothing_hidden,
    outcome_and_turn_agree,
    records_stand,
    claims_are_of_their_seat,
    pieces_can_be_named,
    hidden_pieces_are_masked,
    drafts_are_judged,
    moves_can_be_entered,
    words_are_short,
    pictures_are_whole,
    pages_are_whole,
    help_fits,
    hints_fit,
    boards_are_drawn,
)

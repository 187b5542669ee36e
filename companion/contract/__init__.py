"""Checks that every game must pass, for the tests of the games here and of games in other packages.

A test plays random rounds and runs every check on each. A check that fails raises AssertionError:

    from companion import contract

    def test_the_contract():
        for seed in range(50):
            contract.check("nim", seed)
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from companion.contract.of_boards import boards_are_drawn
from companion.contract.of_entries import (
    drafts_are_judged,
    hidden_pieces_are_masked,
    moves_can_be_entered,
    pieces_can_be_named,
    words_are_short,
)
from companion.contract.of_hands import hands_keep_what_they_hold
from companion.contract.of_records import kept_records_stand
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
    rounds_end,
    unlisted_events_are_refused,
    views_allow_what_is_played,
    views_hide,
)
from companion.contract.of_screens import (
    box_moves_are_shown,
    help_fits,
    hints_fit,
    namings_are_whole,
    pages_are_whole,
    pictures_are_whole,
)
from companion.contract.of_words import moves_have_words
from companion.contract.play import LONGEST, TEXTS, Played, play_round, refusal, settings
from companion.contract.telling import told

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["CHECKS", "TEXTS", "Played", "again", "check", "play_round", "refusal", "settings"]


def check(game: str, seed: int | Random, share: float = 0.5, longest: int = LONGEST) -> None:
    """Run each check on a random round of its own, with random options and number of players.

    `share` is the probability that a holding is open, and `longest` how many events a round may have (see
    `play_round`). Raises AssertionError for the first check that fails: it says what is wrong and where, and names the
    call of `again` that runs this check alone.
    """
    chance = Random(seed) if isinstance(seed, int) else seed
    for holds in CHECKS:
        again(game, holds.__name__, chance.getrandbits(32), share=share, longest=longest)


def again(game: str, check: str, seed: int, *, share: float = 0.5, longest: int = LONGEST) -> None:
    """Run one check on the round of a seed. Raises AssertionError as `check` does."""
    holds = next(each for each in CHECKS if each.__name__ == check)
    chance, choices = Random(seed), list(settings(game))
    begun: list[Played] = []
    try:
        played = play_round(*chance.choice(choices), chance, share=share, longest=longest, begun=begun.append)
        holds(played, chance)
    except Exception as error:
        said = told(error, (game, check, seed), share, longest, begun[0] if begun else None)
        raise AssertionError(said) from error


CHECKS: Sequence[Callable[[Played, Random], None]] = (
    deals_are_complete,
    events_read_back,
    listed_events_are_legal,
    unlisted_events_are_refused,
    rounds_end,
    refusals_change_nothing,
    other_seats_are_refused,
    positions_cannot_change,
    hands_keep_what_they_hold,
    views_hide,
    public_views_tell_nothing_hidden,
    outcome_and_turn_agree,
    records_stand,
    kept_records_stand,
    claims_are_of_their_seat,
    pieces_can_be_named,
    hidden_pieces_are_masked,
    drafts_are_judged,
    moves_can_be_entered,
    words_are_short,
    moves_have_words,
    pictures_are_whole,
    box_moves_are_shown,
    namings_are_whole,
    pages_are_whole,
    help_fits,
    hints_fit,
    boards_are_drawn,
    views_allow_what_is_played,
)

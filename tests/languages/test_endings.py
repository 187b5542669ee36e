"""Why a kept round ended, which is kept in English, in the language of whoever asks."""

from __future__ import annotations

import random

import pytest

from companion import contract, games
from companion.languages import said, speaking

ENDED = 12
"""Seeds of random rounds, enough to find each reason that has numbers."""


@pytest.mark.parametrize("game", games.ids())
def test_the_reason_of_a_kept_round_is_in_the_language_of_who_asks(game):
    """It is what the rules say at the end of the round, found again in the English words."""
    for seed in range(ENDED):
        chance = random.Random(seed)
        played = contract.play_round(*next(contract.settings(game)), chance, longest=400)
        reason = played.rules.outcome(played.states[-1]).reason
        if not reason:
            continue
        for language in ("de", "fr", "es"):
            with speaking(language):
                assert games.ending(game, str.__str__(reason)) == said(reason) != str.__str__(reason)
        assert games.ending(game, str.__str__(reason)) == reason


def test_a_number_of_pieces_is_in_the_right_form():
    """One coral, several corals."""
    with speaking("de"):
        assert games.ending("coral-reef", "blocked: 1 coral each") != games.ending(
            "coral-reef", "blocked: 2 corals each"
        )
        assert "each" not in games.ending("coral-reef", "blocked: 2 corals each")
        assert "level" not in games.ending("ziggurat", "only one place left on level 12")

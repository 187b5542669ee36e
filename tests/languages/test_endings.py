"""Why a saved round ended, of which the code is saved, in the language of whoever asks."""

from __future__ import annotations

import random
import re

import pytest

from companion import games
from companion.gamekit import contract
from companion.games.api.manifest import Manifest
from companion.languages import in_language, text, translate

ENDED = 12
"""Seeds of random rounds, enough to find each reason that has numbers."""


@pytest.mark.parametrize("game", games.built_in_game_ids())
def test_the_reason_of_a_saved_round_is_in_the_language_of_who_asks(game):
    """It is what the rules say at the end of the round; no sentence of it is saved."""
    manifest = games.manifest_of(game)
    for seed in range(ENDED):
        chance = random.Random(seed)
        played = contract.play_random_round(*next(contract.option_combinations(game)), chance, longest=400)
        reason = played.rules.outcome(played.states[-1]).reason
        if not reason:
            continue
        with in_language("de"):
            saved = manifest.format_ending(reason)
        assert re.fullmatch(r'[a-z]+(-[a-z]+)*( \{("[a-z]+": [0-9]+(, )?)+\})?', saved)
        for language in ("de", "fr", "es"):
            with in_language(language):
                assert games.ending_text(game, saved) == translate(reason) != str.__str__(reason)
        assert games.ending_text(game, saved) == reason


def test_a_number_of_pieces_is_in_the_right_form():
    """One coral, several corals."""
    endings = {
        'blocked-equal {"number": 1}': "blocked: 1 coral each",
        'blocked-equal {"number": 2}': "blocked: 2 corals each",
    }
    for saved, reason in endings.items():
        assert games.ending_text("coral-reef", saved) == reason
    with in_language("de"):
        assert len({games.ending_text("coral-reef", saved) for saved in endings} | set(endings.values())) == 4


@pytest.mark.parametrize(
    ("game", "saved"),
    [
        ("coral-reef", "drowned"),
        ("coral-reef", 'drowned {"fish": 3}'),
        ("coral-reef", 'blocked {"fish": 3}'),
        ("coral-reef", 'blocked-equal {"count": 2}'),
        ("coral-reef", "blocked {fewer"),
        ("coral-reef", "blocked: 3 against 5"),
        ("ziggurat", "only one place left on level 12"),
        ("27", "stuck in the mud"),
        ("gone", 'blocked {"fewer": 3}'),
        ("pad", ""),
    ],
)
def test_what_no_manifest_here_knows_is_shown_as_it_is(game, saved):
    """A newer program's code or values, numbers in the sentences of 0.6 and 0.7, a game that is not installed."""
    for language in ("en", "de"):
        with in_language(language):
            assert games.ending_text(game, saved) == saved


def test_words_of_versions_before_are_translated():
    """0.6 and 0.7 saved the English sentences."""
    for game, words in (
        ("27", "neither can move"),
        ("coral-reef", "last coral placed"),
        ("ziggurat", "all dominoes played"),
    ):
        assert games.ending_text(game, words) == words
        with in_language("de"):
            assert games.ending_text(game, words) != words


def test_a_reason_of_a_game_without_codes_is_saved_in_english():
    """As from a package that gives a plain sentence, or a text that its manifest does not have."""
    manifest = Manifest("kalah", "Kalah", endings={"empty": "one side is empty"})
    with in_language("de"):
        assert manifest.format_ending(text("neither can move")) == "neither can move"
        assert manifest.format_ending("nobody knows") == "nobody knows"
        assert manifest.format_ending("one side is empty") == "empty"
        assert manifest.parse_ending("empty") == "one side is empty"

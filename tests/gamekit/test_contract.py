"""What holds for every game with every option: the contract, on rounds played at random."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from examples import example_count
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion import games
from companion.gamekit import contract
from companion.gamekit.contract import screen_checks
from companion.languages import in_language

CODES = """
    syntax over turn held supply
    stack ten-last face-top sum drawn must-play pile must-draw
    field not-yours count overshoot
    level double-black slam-level slam-target slam-once slam-early negative inexact refill
    set adjacent anchor occupied frame touch gap vacant uneven
"""
"""The codes that a refusal of these games can have."""


EVENTS = (
    "1x1", "9x9", "seed", "draw A", "pass", "1:9", "2:45", "3:A2J7", "x3", "@/3", "x7D", "@+2/3", "/2D", "refill +5 D-",
    "6-3 d4e4", "0-0 d4d5", "12-12 g7g6", "1-2 a1c3", "3-3 d4d4",
)  # fmt: skip
"""Events of all these games, which each game refuses or accepts."""


@pytest.mark.parametrize("game", games.built_in_game_ids())
def test_what_a_game_is_called_and_can_be_set_to(game: str) -> None:
    """A game has an id, a name, numbers of players, and options with a question and words for each value."""
    known = games.manifest_of(game)
    assert game == known.id
    assert known.name
    assert known.players[0] == 2
    assert all(len(option.values) > 1 for option in known.options.values())
    assert all(set(option.labels) <= set(option.values) for option in known.options.values())
    assert tuple(known.holdings) in ((), ("deal",), ("deal", "rack"))


@pytest.mark.parametrize("holds", contract.CHECKS, ids=lambda holds: holds.__name__)
@settings(max_examples=example_count(30))
@given(which=st.integers(0), seed=st.integers(0, 2**32), share=st.sampled_from([0, 0.5, 1, 1]))
@example(which=17, seed=18, share=0)  # Ziggurat: three ways beside the wider map.
@example(which=9, seed=117, share=0.5)  # Prime Attactics: the first seat cannot play and is skipped at once.
def test_the_contract(
    settings_of_all_games: Any, play_round: Callable[..., Any], holds: Any, which: int, seed: int, share: float
) -> None:
    """Any game and options, any random numbers, any open holdings: every check of the contract passes."""
    game, options, players = settings_of_all_games[which % len(settings_of_all_games)]
    chance = random.Random(seed)
    holds(play_round(game, options, players, chance, share=share), chance)


@pytest.mark.parametrize(
    ("which", "seed"),
    [
        pytest.param(0, 2225, id="coral-reef: jack right of a long entry, under the plate of stack 4"),
        pytest.param(23, 588592853, id="ziggurat: 12 beside a row number, on level 10"),
    ],
)
def test_pictures_that_were_not_whole(
    settings_of_all_games: Any, play_round: Callable[..., Any], monkeypatch: Any, which: int, seed: int
) -> None:
    """Rounds in which a text once touched something; here the margins of all pictures are checked."""
    monkeypatch.setattr(screen_checks, "MARGIN_CHECK_SHARE", 1)
    game, options, players = settings_of_all_games[which]
    chance = random.Random(seed)
    screen_checks.pictures_are_whole(play_round(game, options, players, chance, share=1), chance)


@pytest.mark.parametrize("language", ["de", "fr", "es"])
@settings(max_examples=example_count(60))
@given(which=st.integers(0), seed=st.integers(0, 2**32), share=st.sampled_from([0, 0.5, 1]))
def test_no_picture_cuts_a_word_in_another_language(
    settings_of_all_games: Any, play_round: Callable[..., Any], language: str, which: int, seed: int, share: float
) -> None:
    """At rest, while moves are entered, and with lines about keys, translated words have room as English ones do."""
    game, options, players = settings_of_all_games[which % len(settings_of_all_games)]
    chance = random.Random(seed)
    with in_language(language), pytest.MonkeyPatch.context() as margins:
        margins.setattr(screen_checks, "MARGIN_CHECK_SHARE", 0)  # Accents reach what stands above them.
        screen_checks.pictures_are_whole(play_round(game, options, players, chance, share=share), chance)


@settings(max_examples=example_count(30))
@given(which=st.integers(0), seed=st.integers(0, 2**32))
def test_refusals_have_a_known_code(
    settings_of_all_games: Any, play_round: Callable[..., Any], which: int, seed: int
) -> None:
    """Whatever is refused has one of the known codes, which programs may rely on."""
    game, options, players = settings_of_all_games[which % len(settings_of_all_games)]
    chance = random.Random(seed)
    played = play_round(game, options, players, chance)
    for state in played.sample_positions(6):
        for text in (*contract.TRIED_TEXTS, *EVENTS):
            refused = contract.refusal_of_text(played.rules, state, played.rules.seat_to_move(state) or 1, text)
            assert refused is None or refused.code in CODES.split()

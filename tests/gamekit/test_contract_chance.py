"""The contract for games with chance: draws beside other choices, dice, results below 0, open and sealed hands."""

from __future__ import annotations

from random import Random
from typing import Any

import chance_games
import pytest

from companion.gamekit import contract


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    chance_games.install_games(monkeypatch)


@pytest.mark.parametrize("game", chance_games.GAMES_BY_ID)
@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_a_game_with_chance_passes_the_contract(game: str, share: float) -> None:
    """With all hands sealed, with one of them, and with none."""
    for seed in range(3):
        contract.check(game, seed, share)


def played_rounds(game: str, share: float, count: int) -> list[Any]:
    chance = Random(1)
    return [
        contract.play_random_round(*next(contract.option_combinations(game)), chance, share=share) for _ in range(count)
    ]


@pytest.mark.parametrize("game", chance_games.GAMES_BY_ID)
def test_results_below_0_are_among_them(game: str) -> None:
    """The records of these rounds have such results, which are written, parsed and checked."""
    results = [played.rules.outcome(played.states[-1]).scores for played in played_rounds(game, 0.5, 10)]
    assert any(score < 0 for scores in results for score in scores)


def test_a_table_with_an_open_and_a_sealed_hand_is_played_to_its_end() -> None:
    """An open hand draws nothing that was dealt to the sealed one, and is never left without a card to lay down."""
    mixed = [each for each in played_rounds("draw-then-play", 0.5, 100) if len(each.deals) == 1]
    assert len(mixed) > 30
    assert all(each.rules.seat_to_move(each.states[-1]) is None for each in mixed)


def test_a_refill_that_does_not_fit_the_round_is_drawn_anew() -> None:
    """The dealt pieces may stop fitting the round: here another number of sealed tiles would have been refilled."""
    contract.run_check("prime-attactics", "rounds_end", 137)


@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_a_draw_is_chosen_beside_other_moves(share: float) -> None:
    """Otherwise a round that ends only when everything is drawn might have no end."""
    choices = [
        move
        for played in played_rounds("draw-or-play", share, 20)
        for state, (seat, move) in zip(played.states, played.events, strict=False)
        if state.hands[seat - 1].size
    ]
    assert sum(move.startswith("draw") for move in choices) > len(choices) / 6

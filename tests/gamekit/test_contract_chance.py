"""The contract for games with chance: draws beside other choices, dice, results below 0, open and sealed hands."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

import chance_games
import pytest

from companion import games
from companion.coach.advice import seat_knowledge
from companion.coach.hints import make_hint
from companion.coach.rules_coach import RulesCoach, RulesTree
from companion.coach.search import Budget
from companion.coach.verdicts import judge_moves
from companion.gamekit import contract
from companion.gamekit.contract.rules_checks import chance_is_told, check_weights_of_dice
from companion.gamekit.contract.unusual_play import find_unusual_play
from companion.games.api.move_input import MoveInput, MoveTexts


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    chance_games.install_games(monkeypatch)


@pytest.mark.filterwarnings(
    "ignore:draw-or-play. CardsState.has_drawn:companion.gamekit.contract.ContractWarning"
)  # Only draw-then-play uses it.
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


@pytest.mark.parametrize("game", [game for game in chance_games.GAMES_BY_ID if game != "auction"])
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
    contract.run_check("prime-attactics", "rounds_can_be_played", 137)


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


def test_where_chance_decides_nothing_is_judged_or_chosen() -> None:
    """A throw is no move: the look-back passes it over, a hint says so, and its words do not matter."""
    rules = chance_games.GAMES_BY_ID["throw-or-stop"][1]
    round_ = chance_games.random_round_of(rules, Random(3))
    judged = judge_moves(RulesCoach(rules), round_, lambda _: Budget(500))
    assert {round_.events[each.event_index][1] for each in judged} <= {"take", "leave"}
    knowledge = seat_knowledge(rules, round_.move_input, round_.states[:1], [], 1)
    (part,) = make_hint("throw-or-stop", knowledge)
    assert part.text_lines[-1] == "Chance decides now: enter what came."
    assert part.event == ""
    assert round_.move_input.rules.chance_outcomes(round_.states[0])["throw 7"] == 6
    assert MoveInput.input_instructions(round_.move_input, round_.states[0]) == "what came, then #"


def test_a_search_tries_throws_as_often_as_they_come() -> None:
    """It tries one in each sampled world, however many there are."""
    rules = chance_games.GAMES_BY_ID["throw-or-stop"][1]
    start, chance = rules.initial_state(2, {}, {}), Random(1)
    throws = Counter(move for _ in range(720) for move in RulesTree(rules, start, chance.sample).ordered_moves(start))
    assert throws.total() == 720
    assert throws["throw 7"] > 3 * throws["throw 2"] > 0


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"throw 2": 1}, "legal_moves and chance_outcomes differ where chance decides: only one of them has throw 10"),
        ({f"throw {total}": 0.5 for total in range(2, 13)}, "no whole number above 0: throw 2: 0.5"),
    ],
)
def test_wrong_outcomes_are_reported(wrong: Any, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The weights are those of the events that can be entered."""
    rules = chance_games.GAMES_BY_ID["throw-or-stop"][1]
    played = played_rounds("throw-or-stop", 0.5, 1)[0]
    monkeypatch.setattr(rules, "chance_outcomes", lambda state: {} if state.thrown else wrong)
    monkeypatch.setattr(rules, "legal_moves", lambda state: [f"throw {total}" for total in range(2, 13)])
    with pytest.raises(AssertionError, match=said):
        chance_is_told(played, Random(1))


def test_a_sealed_hand_that_plays_one_copy_too_many_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """All copies of a card are in open hands, so the sealed one has none of it."""
    rules = games.load_rules("auction")
    monkeypatch.setattr(rules, "_known_cards", lambda state: [])
    said = r"accepts bid \d of the sealed hand of seat 1, but all copies of \d, 4 of them, are in open hands"

    def check_rounds() -> None:
        for seed in range(8):
            contract.run_check("auction", "sealed_hands_lack_pieces_seen_elsewhere", seed)

    with pytest.raises(AssertionError, match=said):
        check_rounds()


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ({f"throw {total}": 1 for total in range(2, 13)}, "of 36 throws 6 give 7, and 1 gives 2"),
        ({f"throw {total}": 1 for total in range(3, 19)}, "of 216 throws 27 give 10, and 1 gives 3"),
        ({f"roll {low}{high}": 1 for high in range(1, 7) for low in range(1, high + 1)},
         "of 36 throws 2 give 12, and 1 gives 11"),
    ],
)  # fmt: skip
def test_throws_that_are_all_equally_likely_are_reported(weights: dict[str, int], said: str) -> None:
    """Of two or three dice sums, or dice in order, do not come equally often."""
    with pytest.raises(AssertionError, match=f"makes all throws of the dice equally likely, but {said}"):
        check_weights_of_dice(weights)


@pytest.mark.parametrize(
    "weights",
    [
        {f"roll {pips}": 1 for pips in range(1, 7)},
        {f"throw {total}": 6 - abs(7 - total) for total in range(2, 13)},
        {f"draw {card}": 1 for card in range(2, 13)},
        {f"roll {first}{second}": 1 for first in range(1, 7) for second in range(1, 7)},
        {},
    ],
)
def test_right_weights_are_accepted(weights: dict[str, int]) -> None:
    """One die, sums with their weights, cards, and two dice that are told apart."""
    check_weights_of_dice(weights)


def test_a_forgotten_turn_and_a_forgotten_field_are_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both may be meant, so the contract passes and says what to look at."""
    cards, rules = games.load_rules("draw-then-play"), games.load_rules("draw-or-play")
    assert not list(find_unusual_play("draw-then-play", 400))
    play, play_or_draw = cards.play_move, rules.play_move
    monkeypatch.setattr(cards, "play_move", lambda state, *move: play(state, *move)._replace(laid=state.laid))
    (field,) = find_unusual_play("draw-then-play", 400)
    assert field == "CardsState.laid is ((), ()) in all positions of 12 rounds: does play_move forget it?"
    monkeypatch.setattr(
        rules, "play_move", lambda state, seat, move: play_or_draw(state, seat, move)._replace(to_move=seat)
    )
    said = r"the turn is not passed on: after moves such as 'play \d' the same player moves again, (\d+) times of \1: "
    with pytest.raises(AssertionError, match=said):
        next(find_unusual_play("draw-or-play", 400))
    # Words of the game's own say that it is meant, so this is only a warning.
    monkeypatch.setattr(
        games.load_move_input("draw-or-play"), "move_texts",
        lambda *move, moves_again=False: MoveTexts("it", "and once more" if moves_again else ""),
    )  # fmt: skip
    assert re.match("after moves such as", next(find_unusual_play("draw-or-play", 400)))


def test_a_round_that_cannot_be_played_is_reported_by_that_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever check needed the round, its name would mislead."""
    monkeypatch.setattr(games.load_rules("draw-or-play"), "legal_moves", lambda state: ["play 0"])
    with pytest.raises(AssertionError, match=r"contract\.run_check\('draw-or-play', 'rounds_can_be_played', 5"):
        contract.run_check("draw-or-play", "views_are_consistent", 5, share=1)

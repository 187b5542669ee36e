"""What the contract reports if a review, a hint or the computer player fails: whose fault, and what is wrong."""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import chance_games
import pytest

from companion import games
from companion.coach import advice, hints, rules_coach, verdicts
from companion.coach.rules_coach import RulesTree
from companion.coach.verdicts import Mark
from companion.gamekit import contract
from companion.gamekit.contract import coach_checks
from companion.gamekit.contract.coach_checks import moves_are_judged

GAME = "draw-or-play"


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    chance_games.install_games(monkeypatch)
    monkeypatch.setattr(coach_checks, "CHECKED_SHARE", 1)


def first_failure(game: str = GAME, seeds: int = 8, after: Callable[[], object] = bool) -> str:
    """The first failure that the check reports for some rounds; "" for none.

    `after` is called after each round is played and before it is checked.
    """
    for seed in range(seeds):
        chance = Random(seed)
        played = contract.play_random_round(*next(contract.option_combinations(game)), chance, share=1)
        try:
            after()
            moves_are_judged(played, chance)
        except AssertionError as found:
            return str(found).splitlines()[0]  # pytest may add values.
    return ""


class FailingRules:
    """Methods of rules that fail."""

    def play_move(self, state: Any, seat: int, move: str) -> Any:
        raise ValueError("not a move")

    def outcome(self, state: Any) -> Any:
        raise ValueError("not a move")

    def seat_view(self, state: Any, seat: int | None) -> Any:
        return statistics.mean(3)  # type: ignore[type-var]


@pytest.mark.parametrize(
    ("name", "error"), [("play_move", "ValueError"), ("outcome", "ValueError"), ("seat_view", "TypeError")]
)
def test_an_error_of_the_game_names_its_function(name: str, error: str) -> None:
    """The author finds the fault there, also if the coach has called it, or if Python's library raised the error."""
    with pytest.MonkeyPatch.context() as patch:
        said = first_failure(
            after=lambda: patch.setattr(type(games.load_rules(GAME)), name, getattr(FailingRules, name))
        )
    assert said.startswith(f"the look-back fails in FailingRules.{name} of {GAME}: {error}: ")
    assert re.search(r" in test_contract_coaches\.py, line \d+$", said)


@pytest.mark.parametrize(
    ("module", "name", "wrong", "what"),
    [
        (rules_coach, "WIN_VALUE", None, "the look-back"),
        (verdicts, "mark_move", None, "the look-back"),
        (advice, "Random", statistics.mean, "the look-back"),
        (coach_checks, "advise", partial(advice.advise, max_plies=None), "the computer player"),
        (hints, "_suggestion_hint", None, "a hint"),
    ],
)
def test_an_error_of_the_coach_does_not_blame_the_game(
    module: Any, name: str, wrong: Any, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody should search a game, or Python's library, for a fault of this program."""
    monkeypatch.setattr(module, name, wrong)
    said = first_failure()
    assert said.startswith(f"{what} fails by a fault of the coach and not of {GAME}, please report it: TypeError: ")
    assert re.search(r" in (advice|hints|verdicts|rules_coach|search)\.py, line \d+$", said)


def test_an_error_of_the_contract_blames_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is raised as it is, with its place."""
    monkeypatch.setattr(coach_checks, "coach_for_game", None)
    with pytest.raises(TypeError):
        first_failure()


def test_a_position_with_too_many_moves_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search would look at each of them once, whatever its budget."""
    monkeypatch.setattr(coach_checks, "MAX_MOVES", 0)
    monkeypatch.setattr(rules_coach, "WIN_VALUE", None)
    assert not first_failure()


def verdicts_with(**wrong: Any) -> Callable[..., Any]:
    """A function like `judge_moves` that replaces these fields of each verdict."""
    return lambda *given: (verdict._replace(**wrong) for verdict in verdicts.judge_moves(*given))


WRONG_COACHES: dict[str, tuple[Any, str, Any, str]] = {
    "a move that is not legal is better": (
        coach_checks, "judge_moves", verdicts_with(best_move="play 0"),
        "calls play 0 better than .*, which is not legal",
    ),
    "the best move is a mistake": (
        verdicts, "mark_move", lambda *given: (Mark.SLIP, True), "calls .* a mistake, and the best move",
    ),
    "a move is better than the best": (
        coach_checks, "judge_moves", verdicts_with(best_value=-100_000), "values .* above the best move, ",
    ),
    "the winner is certain to lose": (
        coach_checks, "judge_moves", verdicts_with(is_value_proven=True, value=-1, best_value=0, is_only_move=False),
        r"is certain that play \d leads to -1, and then \(\d,\) have won",
    ),
    "the box finds a move that is not legal": (
        RulesTree, "rules_move", lambda tree, node, move: "play 0",
        "the computer player finds moves that are not legal: play 0",
    ),
    "the box finds a move twice": (
        coach_checks, "advise", lambda *given, **more: ranked_twice(advice.advise(*given, **more)),
        "the computer player finds a move twice: ",
    ),
    "the box finds nothing": (
        advice, "_rank_over_worlds", lambda *given, **more: advice.Advice((), False, 0, 0),
        "the computer player finds none of the moves draw, play",
    ),
}  # fmt: skip


def ranked_twice(found: advice.Advice) -> advice.Advice:
    return found._replace(ranked_moves=(*found.ranked_moves, *found.ranked_moves))


@pytest.mark.parametrize("wrong", WRONG_COACHES)
def test_an_impossible_answer_of_the_coach_is_reported(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An impossible answer is found without knowing the best move."""
    where, name, replacement, said = WRONG_COACHES[wrong]
    assert not first_failure()
    monkeypatch.setattr(where, name, replacement)
    found = first_failure()
    assert re.search(said, found)
    assert found.endswith(f": a fault of the coach and not of {GAME}, please report it")


def test_a_coach_of_a_game_that_is_wrong_about_the_end_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bounds of a tree must be right; when the round is over everybody can see who has won."""
    coach = games.load_coach("27")
    assert coach is not None
    tree = type(coach.build_tree(games.load_rules("27").initial_state(2, {}, {}), Random().sample))
    right = tree.value_bounds
    monkeypatch.setattr(tree, "value_bounds", lambda *given: tuple(-value for value in reversed(right(*given))))
    found = first_failure("27", seeds=30)
    assert "the look-back is certain that" in found
    assert found.endswith("a fault of the COACH of 27, or of ours")


@pytest.mark.parametrize(
    ("name", "wrong", "said"),
    [
        ("_enterable_event", lambda move: "9x9", "a hint offers 9x9, but play_move refuses it: "),
        ("_best_move_title", lambda coach, best: "", "a part of a hint has no words: HintPart(title=''"),
    ],
)
def test_a_useless_hint_is_reported(name: str, wrong: Any, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone offers to play the move of a hint, so it must be legal."""
    monkeypatch.setattr(hints, name, wrong)
    assert first_failure("27").startswith(said)

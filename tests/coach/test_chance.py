"""Verdicts, and the coach of the rules, in games that offer a choice beside chance."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from chance_games import DrawOrPlay, RollOrStop, random_round_of

from companion import games
from companion.coach.advice import advise, seat_knowledge
from companion.coach.rules_coach import WIN_VALUE, RulesCoach
from companion.coach.search import Budget
from companion.coach.verdicts import judge_moves


def verdicts_of(played: Any, nodes: int = 300) -> list[Any]:
    """The verdicts by the rules alone, with a second search of each mistake."""
    return list(judge_moves(RulesCoach(played.rules), played, lambda _: Budget(nodes, extra_nodes=nodes)))


@pytest.mark.parametrize("told", [(1, 2), (1,), (2,), ()])
@pytest.mark.parametrize("seed", range(3))
def test_a_turn_with_a_draw_among_other_choices_gets_a_verdict(told: tuple[int, ...], seed: int) -> None:
    """Whichever hands are open: no verdict has a card that was or could be drawn, and every play has a verdict."""
    played = random_round_of(DrawOrPlay(), Random(seed), told)
    found = verdicts_of(played)
    assert all(each.best_move == "draw" or each.best_move.startswith("play") for each in found)
    assert {each.event_index for each in found} == {
        event for event, (_, move) in enumerate(played.events) if move.startswith("play")
    }


def test_a_draw_is_one_move_with_a_value_in_each_sampled_position() -> None:
    """Worlds draw different pieces, so the value of a draw is the mean over all of them, as for a play."""
    played = random_round_of(DrawOrPlay(), Random(1), (1, 2))
    knowledge = seat_knowledge(played.rules, played.move_input, played.states[:1], (), 1)
    coach = RulesCoach(played.rules)
    advice = advise(coach, knowledge, Budget(800))
    assert {str(each.move) for each in advice.ranked_moves} == set(played.rules.legal_moves(knowledge.view))
    assert {len(values) for values in advice.world_values.values()} == {coach.world_count(800)}


@pytest.mark.parametrize("seed", range(3))
def test_a_throw_of_dice_is_nobodys_decision(seed: int) -> None:
    """Only the moves after a throw get verdicts, and no throw is called better than another."""
    played = random_round_of(RollOrStop(), Random(seed))
    found = verdicts_of(played)
    assert {each.event_index for each in found} == {
        event for event, (_, move) in enumerate(played.events) if not move.startswith("roll")
    }
    assert all(each.best_move in ("take", "leave") for each in found)


def test_an_error_of_the_coach_does_not_blame_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is named only if its own code has failed, and not if the coach's has."""
    monkeypatch.setattr(games, "is_added_game", lambda game: True)

    class Failing(RollOrStop):
        def play_move(self, state: Any, seat: int, move: str) -> Any:
            raise ValueError("not a move")

    played = random_round_of(RollOrStop(), Random(0))
    said = []
    for faulty in (played._replace(rules=Failing()), played._replace(states=())):
        with pytest.raises(Exception, match=r".") as raised:
            verdicts_of(faulty)
        said.append(games.failure_text("27", raised.value))
    assert said == [
        "27 failed: a program error",
        "This could not be worked out because of a program error",
    ]


@pytest.mark.parametrize(
    ("wins", "losses", "said"),
    [(8, 0, "wins"), (0, 8, "loses"), (5, 0, "likely wins"), (0, 2, "may lose"), (4, 4, "even"), (0, 0, "3 ahead")],
)
def test_a_mean_over_worlds_with_ends_is_no_number_of_points(wins: int, losses: int, said: str) -> None:
    """Of eight worlds some are won or lost; in the others the seat is 3 points ahead, which counts beside no win."""
    worlds = [WIN_VALUE] * wins + [-WIN_VALUE] * losses + [3] * (8 - wins - losses)
    assert RulesCoach(RollOrStop()).value_text(sum(worlds) // 8) == said

"""What a coach may know, for every game that hides something: rounds that look the same get the same answer."""

from __future__ import annotations

import ast
import inspect
import time
from pathlib import Path
from random import Random

import pytest
from examples import first_cases_fast
from indistinguishable_rounds import rounds_seen_alike

import companion
from companion import games
from companion.coach.advice import advise, coach_for_game, seat_knowledge
from companion.coach.search import Budget
from companion.games.api.coach import Coach
from companion.games.api.hint import HintPart
from companion.inputs import HintRequest
from companion.table.search_workers import HintWorker

ROOT = Path(companion.__file__).parent
ENOUGH = 5
HIDING = [
    game.id
    for game in games.built_in_manifests()
    if game.has_records and any(not held.is_face_up for held in game.holdings.values())
]


def test_seat_knowledge_is_made_in_one_place() -> None:
    """Only `seat_knowledge` creates a SeatKnowledge, and it asks the rules for the view of the seat."""
    makers = []
    for path in (each for each in ROOT.rglob("*.py") if "SeatKnowledge" in each.read_text(encoding="utf-8")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in (
                "SeatKnowledge",
                "coach.SeatKnowledge",
                "SeatKnowledge._make",
            ):
                makers.append(path.relative_to(ROOT).as_posix())
    assert makers == ["coach/advice.py"]


def test_a_coach_is_handed_nothing_but_seat_knowledge() -> None:
    """Every method of a coach takes a SeatKnowledge, a world that was made from one, or a plain number."""
    takes = {
        name: [str(each.annotation) for each in list(inspect.signature(function).parameters.values())[1:]]
        for name, function in vars(Coach).items()
        if inspect.isfunction(function) and not name.startswith("_")
    }
    del takes["build_tree"]  # Its world is what `sample_world` made of a SeatKnowledge.
    assert {first[0] for first in takes.values() if first} == {"SeatKnowledge[S]", "int"}
    for types in takes.values():
        assert {*types[1:]} <= {"Any", "Sample"}


def hint_of_table(request: HintRequest) -> tuple[HintPart, ...]:
    """The hint as the table computes it, starting from the whole position."""
    desk = HintWorker(lambda event: None)
    while not (found := desk.request_hint(request)).parts:
        time.sleep(0.01)
    return found.parts


@pytest.mark.parametrize("game", first_cases_fast(1, HIDING))
def test_what_is_hidden_changes_no_advice_and_no_hint(game: str, quick_coaches: None) -> None:
    """Seat 1 gets the same advice in two rounds with the same public history and another hidden holding."""
    rules, entry, coach = games.load_rules(game), games.load_move_input(game), coach_for_game(game)
    compared = 0
    for seed in range(400):
        found = rounds_seen_alike(game, Random(seed))
        if found is None:
            continue
        events, one, two = found
        if one[-1] == two[-1]:
            continue
        if rules.seat_to_move(one[-1]) != 1:
            continue
        sights = [seat_knowledge(rules, entry, states, events, 1) for states in (one, two)]
        assert sights[0] == sights[1]
        first, second = (advise(coach, knowledge, Budget(12)) for knowledge in sights)
        assert first == second
        if first.ranked_moves:
            told = [
                (
                    coach.look_here_text(knowledge, first.ranked_moves[0].move),
                    coach.move_reason(knowledge, first.ranked_moves[0].move),
                )
                for knowledge in sights
            ]
            assert told[0] == told[1]
        requests = [HintRequest(game, 1, tuple(states), tuple(events)) for states in (one, two)]
        assert requests[0] != requests[1]
        if not compared:  # It takes long.
            assert hint_of_table(requests[0]) == hint_of_table(requests[1])
        compared += 1
        if compared == ENOUGH:
            break
    assert compared == ENOUGH

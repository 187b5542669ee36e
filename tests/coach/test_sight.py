"""What a coach may know, for every game that hides something: two rounds that look the same get the same answer."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from random import Random
from typing import Any

import pytest

import companion
from companion import games
from companion.coach.advice import advise, coach_of
from companion.coach.search import Budget
from companion.coach.sight import look
from companion.game import Refused
from companion.game.coach import Coach
from companion.inputs import HintPart, HintRequest
from companion.table.hints import HintDesk

ROOT = Path(companion.__file__).parent
ENOUGH = 5
SECONDS = 60
HIDING = [
    game.id for game in games.built_in() if game.recorded and any(not held.face_up for held in game.holdings.values())
]


def test_a_sight_is_made_in_one_place() -> None:
    """Nothing but `look` makes a Sight, and it asks the rules for the view of the seat."""
    makers = []
    for path in (each for each in ROOT.rglob("*.py") if "Sight" in each.read_text(encoding="utf-8")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Sight", "coach.Sight", "Sight._make"):
                makers.append(path.relative_to(ROOT).as_posix())
    assert makers == ["coach/sight.py"]


def test_a_coach_is_handed_nothing_but_a_sight() -> None:
    """Every function of the protocol takes a sight, a world that was made from one, or a plain number."""
    takes = {
        name: [str(each.annotation) for each in list(inspect.signature(function).parameters.values())[1:]]
        for name, function in vars(Coach).items()
        if inspect.isfunction(function) and not name.startswith("_")
    }
    del takes["tree"]  # Its world is what `world` made of a sight.
    assert {first[0] for first in takes.values() if first} == {"Sight[S]", "int"}
    for types in takes.values():
        assert {*types[1:]} <= {"Any", "Sample"}


def rounds_alike(game: str, chance: Random) -> tuple[Any, ...] | None:
    """Two rounds with the same public history that differ in a hidden holding of seat 2; None where chance made none.

    The events, and the positions of both.
    """
    rules, manifest = games.load(game), games.manifest(game)
    options = {name: chance.choice(list(option.values)) for name, option in manifest.options.items()}
    deals = rules.deal(2, options, chance.sample)
    kind = next(kind for kind, held in manifest.holdings.items() if not held.face_up)
    other = rules.deal(2, options, chance.sample)
    mine = {piece for (each, seat), hand in deals.items() if (each, seat) != (kind, 2) for piece in hand}
    swapped = [*deals[kind, 2]]
    spare = [piece for piece in other[kind, 2] if piece not in mine and piece not in swapped]
    if not spare:
        return None
    out = chance.randrange(len(swapped))
    swapped[out] = spare[0]
    alike = deals | {(kind, 2): tuple(sorted(swapped))}
    try:
        worlds = [[rules.start(2, options, dealt)] for dealt in (deals, alike)]
    except Refused:
        return None
    events: list[tuple[int, str]] = []
    for _ in range(chance.randrange(7)):
        state = worlds[0][-1]
        seat = rules.turn(state)
        if seat is None:
            break
        move = rules.complete(state, chance.choice(rules.moves(state)), chance.sample)
        try:
            following = [rules.play(states[-1], seat, move) for states in worlds]
        except Refused:
            break
        if rules.view(following[0], 1) != rules.view(following[1], 1):
            break
        events.append((seat, str(move)))
        for states, state in zip(worlds, following, strict=True):
            states.append(state)
    return events, *worlds


def found_out(request: HintRequest) -> tuple[HintPart, ...]:
    """The hint as the table thinks it out, from the whole position."""
    desk = HintDesk(lambda event: None)
    while not (found := desk.ask(request)).parts:
        assert desk._thought is not None
        desk._thought.join(timeout=SECONDS)
    return found.parts


@pytest.mark.parametrize("game", HIDING)
def test_what_is_hidden_changes_no_advice_and_no_hint(game: str, quick_coaches: None) -> None:
    """Two rounds that differ in a hidden holding, with the same public history, get seat 1 the same advice."""
    rules, entry, coach = games.load(game), games.load_entry(game), coach_of(game)
    compared = 0
    for seed in range(400):
        found = rounds_alike(game, Random(seed))
        if found is None:
            continue
        events, one, two = found
        if one[-1] == two[-1]:
            continue
        if rules.turn(one[-1]) != 1:
            continue
        sights = [look(rules, entry, states, events, 1) for states in (one, two)]
        assert sights[0] == sights[1]
        first, second = (advise(coach, sight, Budget(12)) for sight in sights)
        assert first == second
        if first.ranked:
            told = [
                (coach.look_at(sight, first.ranked[0].move), coach.reason(sight, first.ranked[0].move))
                for sight in sights
            ]
            assert told[0] == told[1]
        requests = [HintRequest(game, 1, tuple(states), tuple(events)) for states in (one, two)]
        assert requests[0] != requests[1]
        if not compared:  # It takes long.
            assert found_out(requests[0]) == found_out(requests[1])
        compared += 1
        if compared == ENOUGH:
            break
    assert compared == ENOUGH

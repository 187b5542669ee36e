"""The computer player: the same move in positions that look the same, and only by what its own seat knows."""

from __future__ import annotations

from random import Random

import pytest
from indistinguishable_rounds import rounds_seen_alike

from companion import games
from companion.coach.advice import choose_move, coach_for_game, seat_knowledge

ALLOWED = [game.id for game in games.built_in_manifests() if game.allows_computer_player]
HIDING = [game for game in ALLOWED if not all(held.is_face_up for held in games.manifest_of(game).holdings.values())]
ENOUGH = 4


@pytest.mark.parametrize("game", HIDING)
def test_worlds_that_look_the_same_get_the_same_move(game: str) -> None:
    """Whatever another seat hides, the computer plays the same move at every strength."""
    rules, entry, coach = games.load_rules(game), games.load_move_input(game), coach_for_game(game)
    found, seed = 0, 0
    while found < ENOUGH:
        seed += 1
        alike = rounds_seen_alike(game, Random(seed))
        if alike is None or rules.seat_to_move(alike[1][-1]) != 1 or entry.due_refill(alike[1][-1]):
            continue
        events, *worlds = alike
        found += 1
        strength = found % 3 + 1
        moves = [
            choose_move(_quick(coach), seat_knowledge(rules, entry, states, events, 1), strength, clock=float)
            for states in worlds
        ]
        assert moves[0] == moves[1]
        assert all(moves[0] in rules.legal_moves(states[-1]) for states in worlds)


def _quick(coach):
    """The same coach with a budget that a test has time for, limited by positions alone, so that no clock decides."""

    class Quick(type(coach)):
        def nodes(self, knowledge) -> int:
            return 300

    return Quick()


@pytest.mark.parametrize("game", ALLOWED)
def test_the_strengths_differ_by_how_much_they_search(game: str) -> None:
    """Each strength looks no less far ahead than the one below, at more positions; the most take 0.6 s on a desktop."""
    efforts = coach_for_game(game).efforts()
    assert len(efforts) == 3
    assert sorted(efforts) == list(efforts)
    assert [each.node_share for each in efforts] == sorted({each.node_share for each in efforts})
    assert efforts[-1].node_share * 0.5 <= 0.67


def test_a_number_picks_one_of_equally_good_moves() -> None:
    """Rounds do not always begin the same, but the same seed gives the same move."""
    rules, entry = games.load_rules("27"), games.load_move_input("27")
    knowledge = seat_knowledge(rules, entry, [rules.initial_state(2, {}, {})], [], 1)
    moves = [choose_move(coach_for_game("27"), knowledge, 1, seed, clock=float) for seed in range(12)]
    assert len(set(moves)) > 1
    assert moves == [choose_move(coach_for_game("27"), knowledge, 1, seed, clock=float) for seed in range(12)]


def test_the_computer_player_reports_progress_and_can_be_stopped() -> None:
    """In steps of 10 %; when it is stopped it answers with what it has found."""
    rules, entry = games.load_rules("27"), games.load_move_input("27")
    knowledge = seat_knowledge(rules, entry, [rules.initial_state(2, {}, {})], [], 1)
    told: list[int] = []
    assert choose_move(
        coach_for_game("27"), knowledge, 3, clock=float, report_progress=told.append, is_stopped=lambda: len(told) > 2
    )
    assert told == [10, 20, 30]

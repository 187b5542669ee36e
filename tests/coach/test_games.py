"""What holds for the coach of every game, over positions of random rounds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from examples import first_cases_fast
from game_support import support_of_game

from companion import games
from companion.coach.advice import advise, coach_for_game, seat_knowledge
from companion.coach.rules_coach import RulesCoach
from companion.coach.search import Budget, Search
from companion.games.api.coach import Coach, SeatKnowledge, Tree
from companion.panel import widgets
from companion.panel.canvas import Canvas
from companion.panel.fonts import TEXT, wrap_text

EDGE = widgets.draw_page_bar(Canvas(), 0, 2)
"""The first column of the scrollbar, which a hint must not reach."""
GAMES = [game for game in games.built_in_game_ids() if games.load_coach(game) is not None]


def random_knowledge(game: str, seed: int) -> Iterator[tuple[Any, SeatKnowledge[Any]]]:
    """The positions of a random round with all holdings open, each also as the seat to move knows it."""
    rules, entry, chance = games.load_rules(game), games.load_move_input(game), Random(seed)
    options = {name: chance.choice(list(option.values)) for name, option in games.manifest_of(game).options.items()}
    states = [rules.initial_state(2, options, rules.deal_holdings(2, options, chance.sample))]
    events: list[tuple[int, str]] = []
    while (seat := rules.seat_to_move(states[-1])) is not None:
        yield states[-1], seat_knowledge(rules, entry, states, events, seat)
        move = rules.complete_draw(states[-1], chance.choice(rules.legal_moves(states[-1])), chance.sample)
        states.append(rules.play_move(states[-1], seat, move))
        events.append((seat, str(move)))


def test_every_game_has_a_coach() -> None:
    """Every built-in game with records has a coach."""
    assert tuple(GAMES) == games.built_in_game_ids()


@pytest.mark.parametrize("game", GAMES)
def test_a_world_fits_what_the_seat_knows(game: str) -> None:
    """A world looks like the same position to the seat; if it is said to be the only one, it is the true position."""
    rules, coach = games.load_rules(game), coach_for_game(game)
    exact = 0
    for seed in range(4):
        for state, knowledge in random_knowledge(game, seed):
            world = coach.sample_world(knowledge, Random(seed).sample)
            assert rules.seat_view(world, knowledge.seat) == rules.seat_view(state, knowledge.seat)
            if coach.is_exact(knowledge):
                exact += 1
                assert world == state or rules.legal_moves(world) == rules.legal_moves(state)
    assert exact or support_of_game(game).IS_SELDOM_EXACT


@pytest.mark.parametrize("game", GAMES)
def test_promising_moves_are_some_of_all(game: str) -> None:
    """Promising moves are legal, none occurs twice, and there are fewer than all; () if all are searched."""
    coach, found = coach_for_game(game), 0
    for seed in range(3):
        for _, knowledge in random_knowledge(game, seed):
            tree = coach.build_tree(coach.sample_world(knowledge, Random(seed).sample), Random(seed).sample)
            root = tree.root()
            some = tree.promising_moves(root)
            found += bool(some)
            moves = tree.ordered_moves(root) if tree.seat_to_move(root) else ()
            assert len(set(some)) == len(some) <= len(moves)
            assert set(some) <= set(moves)
    assert found or "promising" not in vars(type(tree))


def solve(tree: Tree[Any, Any], node: Any, seat: int, left: list[int]) -> int:
    """The value of a position for a seat by an exhaustive search; `left` counts down to an IndexError."""
    left.pop()
    turn = tree.seat_to_move(node)
    if not turn:
        low, high = tree.value_bounds(node, seat)
        assert low == high
        return low
    values = [solve(tree, tree.child_node(node, move), seat, left) for move in tree.ordered_moves(node)]
    return max(values) if turn == seat else min(values)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_certain_is_true(game: str) -> None:
    """Ends that are searched completely, with small and large budgets, against an exhaustive search."""
    coach, checked = coach_for_game(game), 0
    for seed in range(40):
        for _, knowledge in [*random_knowledge(game, seed)][-6:]:
            chance = Random(seed)
            tree = coach.build_tree(coach.sample_world(knowledge, chance.sample), chance.sample)
            root = tree.root()
            if not coach.is_exact(knowledge) or tree.seat_to_move(root) != knowledge.seat:
                continue
            try:
                truth = solve(tree, root, knowledge.seat, [0] * 400)
            except IndexError:
                continue
            for nodes in (3, 10_000):
                found = Search(tree, knowledge.seat, Budget(nodes)).search_value(root)
                assert found.low <= truth <= found.high
            assert found.is_proven
            ranked = advise(coach, knowledge, Budget(10_000)).ranked_moves
            assert ranked[0].value == ranked[0].low == ranked[0].high == truth
            checked += 1
        if checked > 20:
            return
    assert checked or support_of_game(game).IS_SELDOM_EXACT


@pytest.mark.parametrize("game", first_cases_fast(2, GAMES))
def test_words_are_true_to_the_move(game: str) -> None:
    """Advice has legal moves, the best first; its texts fit, and moves that end the round do so."""
    rules, coach = games.load_rules(game), coach_for_game(game)
    settled = 0
    for seed in range(3):
        for state, knowledge in random_knowledge(game, seed):
            ranked = advise(coach, knowledge, Budget(30)).ranked_moves
            assert all(one.value >= two.value for one, two in pairwise(ranked))
            for each in ranked[:3]:
                after = rules.play_move(
                    state, knowledge.seat, rules.complete_draw(state, each.move, Random(seed).sample)
                )
                for words in (coach.look_here_text(knowledge, each.move), coach.move_reason(knowledge, each.move)):
                    assert 0 < len(wrap_text(words, TEXT, EDGE)) <= 4, words
                assert 0 < len(coach.value_text(each.value)) <= 24
                if (worth := coach.final_value(knowledge, each.move)) is not None:
                    settled += 1
                    assert rules.seat_to_move(after) is None
                    assert (rules.outcome(after).winners == (knowledge.seat,)) is (worth > 0)
    assert settled or type(coach).final_value is Coach.final_value


@pytest.mark.parametrize("game", GAMES)
def test_sealed_pieces_get_no_advice(game: str) -> None:
    """There is no advice about pieces that the box does not know."""
    rules, entry, coach = games.load_rules(game), games.load_move_input(game), coach_for_game(game)
    if not games.manifest_of(game).holdings:
        return
    state = rules.initial_state(2, {}, {})
    assert advise(coach, seat_knowledge(rules, entry, [state], [], 1), Budget(50)).ranked_moves == ()


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_alone_can_be_searched(game: str) -> None:
    """A game without a coach is searched by its rules: moves are legal, and nothing is called certain."""
    rules = games.load_rules(game)
    for state, knowledge in [*random_knowledge(game, 1)][::7]:
        advice = advise(RulesCoach(rules), knowledge, Budget(30))
        assert not advice.is_exact
        for each in advice.ranked_moves[:3]:
            rules.play_move(state, knowledge.seat, rules.complete_draw(state, each.move, Random(1).sample))

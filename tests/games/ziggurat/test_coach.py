"""The coach of Ziggurat: the positions that it searches are those of the rules."""

from __future__ import annotations

import sys
from itertools import product
from random import Random
from types import FrameType

import pytest

from companion.games.ziggurat import GAME, rules
from companion.games.ziggurat.game_tree import MAX_PROMISING_MOVES, POINT_VALUE, DominoTree
from companion.games.ziggurat.pieces import Domino, Move
from companion.games.ziggurat.rules import RULES

OPTIONS = [
    dict(zip(GAME.options, values, strict=True))
    for values in product(*(option.values for option in GAME.options.values()))
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_tree_is_the_rules(players: int, options: dict[str, str]) -> None:
    """The tree has the plays, turns, points and ends of the rules, with the plays that score the most first."""
    chance = Random(players)
    state = RULES.initial_state(players, options, RULES.deal_holdings(players, options, chance.sample))
    tree = DominoTree(state)
    node = tree.root()
    while state.to_move is not None:
        assert node == DominoTree(state).root()
        assert tree.seat_to_move(node) == state.to_move
        moves = tree.ordered_moves(node)
        points = [rules.score_of_play(state, move).points for move in moves]
        assert sorted(moves) == sorted(RULES.legal_moves(state))
        assert points == sorted(points, reverse=True)
        assert len(tree.promising_moves(node)) <= MAX_PROMISING_MOVES
        assert set(tree.promising_moves(node)) <= set(moves)
        some = [rules.score_of_play(state, move).points for move in tree.promising_moves(node)]
        assert not some or max(some) == points[0]
        if state.level == 1:
            kinds: dict[tuple[int, Domino], Move] = {}
            for each in tree.all_moves(node):
                kinds.setdefault((-rules.score_of_play(state, each).points, each.domino), each)
            assert tree.promising_moves(node) == [kinds[kind] for kind in sorted(kinds)][:MAX_PROMISING_MOVES]
        move = chance.choice(moves)
        state, node = RULES.play_move(state, state.to_move, move), tree.child_node(node, move)
    assert tree.seat_to_move(node) == 0
    for seat in range(1, players + 1):
        low, high = tree.value_bounds(node, seat)
        others = [score for other, score in enumerate(state.scores, 1) if other != seat]
        assert low == high == tree.estimated_value(node, seat)
        assert abs(low - POINT_VALUE * (state.scores[seat - 1] - max(others))) <= 1
        winners = RULES.outcome(state).winners
        assert (low > 0) is (winners == (seat,))
        assert (low == 0) is (len(winners) > 1 and seat in winners)


def test_the_opening_costs_no_look_at_each_play() -> None:
    """An early position of the largest set has more than a thousand plays, so each must cost less than a call."""
    options, chance = {"set": "12", "base": "solid"}, Random(1)
    state = RULES.initial_state(2, options, RULES.deal_holdings(2, options, chance.sample))
    for _ in range(2):
        state = RULES.play_move(state, state.to_move or 0, chance.choice(RULES.legal_moves(state)))
    tree = DominoTree(state)
    plays, calls = len(tree.ordered_moves(tree.root())), 0

    def counted(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    tree.promising_moves(tree.root())  # What is found once and kept is not counted.
    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        tree.promising_moves(tree.root())
    finally:
        sys.setprofile(before)
    assert 0 < calls < plays


def test_a_guess_knows_what_comes_next() -> None:
    """From level 2 on the estimate includes the best play of either seat, so that none is a surprise."""
    chance, seen = Random(1), 0
    options = GAME.option_defaults
    state = RULES.initial_state(2, options, RULES.deal_holdings(2, options, chance.sample))
    while state.to_move is not None:
        tree = DominoTree(state)
        if state.level > 1:
            best = max(rules.score_of_play(state, move).points for move in RULES.legal_moves(state))
            waiting = state._replace(to_move=3 - state.to_move)
            other = max((rules.score_of_play(state, move).points for move in RULES.legal_moves(waiting)), default=0)
            ahead = POINT_VALUE * (state.scores[state.to_move - 1] - state.scores[2 - state.to_move])
            assert abs(tree.estimated_value(tree.root(), state.to_move) - (ahead + POINT_VALUE * best - other)) <= 1
            seen += best > 0
        state = RULES.play_move(state, state.to_move, chance.choice(RULES.legal_moves(state)))
    assert seen > 3

"""The search by itself, on artificial trees: what it finds, what it calls proven, and when it stops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from examples import example_count

from companion.coach.search import INFINITE_VALUE, Budget, Search
from companion.games.api.coach import Tree

Node = tuple[int, ...]
"""The path to a node: which branch was taken each time."""


class RandomTree(Tree[Node, int]):
    """A random tree, the same for the same seed: leaves at any depth, seats in any order, bad estimates."""

    def __init__(self, seed: int, seats: int = 2) -> None:
        self.seed, self.seats = seed, seats

    def chance(self, node: Node) -> Random:
        return Random(f"{self.seed} {node}")

    def root(self) -> Node:
        return ()

    def seat_to_move(self, node: Node) -> int:
        over = len(node) > 1 and (len(node) > 6 or self.chance(node).random() < 0.2)
        return 0 if over else self.chance(node).randint(1, self.seats)

    def ordered_moves(self, node: Node) -> Sequence[int]:
        return range(1 + Random(f"{self.seed} {node} wide").randrange(3))

    def child_node(self, node: Node, move: int) -> Node:
        return (*node, move)

    def position_key(self, node: Node) -> Node:
        return node

    def end(self, node: Node) -> int:
        return Random(f"{self.seed} {node} end").randint(-5, 5)

    def value_bounds(self, node: Node, seat: int) -> tuple[int, int]:
        if self.seat_to_move(node):
            return -5, 5
        value = self.end(node) if seat == 1 else -self.end(node)
        return value, value

    def estimated_value(self, node: Node, seat: int) -> int:
        return (
            Random(f"{self.seed} {node} guess").randint(-9, 9)
            if self.seat_to_move(node)
            else self.value_bounds(node, seat)[0]
        )

    def rules_move(self, node: Node, move: int) -> str:
        return f"branch {move}"


def minimax(tree: RandomTree, node: Node, me: int) -> int:
    """The value of a node for `me` by an exhaustive search."""
    turn = tree.seat_to_move(node)
    if not turn:
        return tree.value_bounds(node, me)[0]
    values = [minimax(tree, tree.child_node(node, move), me) for move in tree.ordered_moves(node)]
    return max(values) if turn == me else min(values)


@pytest.mark.parametrize("seats", [2, 4])
def test_a_whole_search_is_minimax(seats: int) -> None:
    """With a large enough budget the value is that of minimax, and proven."""
    for seed in range(30):
        tree = RandomTree(seed, seats)
        found = Search(tree, 1, Budget(10_000)).search_value(())
        assert (found.value, found.low, found.high) == (minimax(tree, (), 1),) * 3


def test_what_is_proven_is_true_whatever_is_spent() -> None:
    """The bounds contain the true value, with every budget and window."""
    for seed in range(example_count(200)):
        tree, chance = RandomTree(seed), Random(seed)
        truth = minimax(tree, (), 1)
        search = Search(tree, 1, Budget(chance.randrange(1, 40)))
        found = search.search_value((), chance.randint(-5, 0), chance.randint(1, 5))
        assert found.low <= truth <= found.high
        assert found.low <= found.value <= found.high


class NarrowTree(RandomTree):
    """The same tree, in which only every other move is promising, if there are several."""

    def promising_moves(self, node: Node) -> Sequence[int]:
        return [*self.ordered_moves(node)][1:]


def test_what_a_narrow_search_proves_is_true() -> None:
    """It ranks only promising moves; its bounds contain the true value whatever was skipped, and sometimes meet."""
    proven = 0
    for seed in range(tries := example_count(400)):
        tree, chance = NarrowTree(seed), Random(seed)
        search = Search(tree, 1, Budget(chance.choice((5, 40, 10_000))), is_narrow=True)
        found = search.search_value(())
        assert found.low <= minimax(tree, (), 1) <= found.high
        proven += found.is_proven
        if tree.seat_to_move(()) == 1:
            ranked = search.rank_moves((), 1)
            expected = tree.promising_moves(()) or tree.ordered_moves(())
            assert sorted(each.move for each in ranked) == [tree.rules_move((), move) for move in expected]
            for each in ranked:
                assert each.low <= minimax(tree, (int(each.move.split()[1]),), 1) <= each.high
    assert 0 < proven < tries


def test_a_position_that_is_searched_again_counts() -> None:
    """The cost of a search is the number of positions whose moves are listed, new or not."""
    tree: Any = WideTree()
    once, again = Budget(10_000), Budget(10_000)
    Search(tree, 1, once).search_value((), max_plies=2)
    search = Search(tree, 1, again)
    search.search_value((), max_plies=2)
    used = again.used_nodes
    search.search_value((), max_plies=3)
    assert again.used_nodes > used == once.used_nodes


def test_moves_are_ranked_by_what_they_lead_to() -> None:
    """The first few moves have their minimax values, best first, and no other move is better."""
    for seed in range(30):
        tree = RandomTree(seed)
        if tree.seat_to_move(()) != 1:
            continue
        ranked = Search(tree, 1, Budget(10_000)).rank_moves((), 2)
        truth = sorted((minimax(tree, (move,), 1) for move in tree.ordered_moves(())), reverse=True)
        assert [each.value for each in ranked[:2]] == truth[:2]
        assert all(each.low == each.high for each in ranked[:2])
        assert len(ranked) == len(truth)


def test_a_search_stops_at_its_limits() -> None:
    """By the number of positions, by the clock, or by `is_stopped`; it always has an answer."""

    def clock() -> Iterator[float]:
        yield from (0.0, 99.0, 99.0, 99.0)

    times = clock()
    for budget in (
        Budget(3),
        Budget(INFINITE_VALUE, 1.0, lambda: next(times)),
        Budget(INFINITE_VALUE, is_stopped=lambda: True),
    ):
        tree: Any = WideTree()
        found = Search(tree, 1, budget).search_value(())
        assert found.low != found.high
        assert budget.used_nodes <= 256


class WideTree(RandomTree):
    """A tree with far too many positions to search."""

    def __init__(self) -> None:
        super().__init__(0)

    def seat_to_move(self, node: Node) -> int:
        return 1 + len(node) % 2

    def ordered_moves(self, node: Node) -> Sequence[int]:
        return range(30)

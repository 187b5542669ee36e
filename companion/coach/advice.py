"""Ranks a seat's moves: by one search if the position is fully known, else by their mean over sampled positions."""

from __future__ import annotations

import zlib
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from companion import games
from companion.coach.plain import PlainCoach
from companion.coach.search import DEEPEST, Ranked, Search
from companion.game.words import decision

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Mapping, Sequence

    from companion.coach.budget import Budget
    from companion.game.coach import Coach, Sample, Sight

FEW = 6
"""In each of them at least this many of the best moves get exact values."""
UNKNOWN = 1 << 30
"""The upper bound, and negated the lower bound, of a value of which nothing is proven."""


class Advice(NamedTuple):
    """The moves of a seat, ranked, and how much was searched.

    Attributes:
        ranked: the moves, best first.
        exact: whether only one position was consistent with what was seen, so that equal bounds are certain.
        depth: the plies looked ahead, the lowest of all sampled positions.
        nodes: the positions searched.
        values: each move's value by sampled position, by the move's `decision`; empty if no positions were sampled.
    """

    ranked: tuple[Ranked, ...]
    exact: bool
    depth: int
    nodes: int
    values: Mapping[str, Mapping[int, int]] = MappingProxyType({})


def coach_of(game: str) -> Coach[Any]:
    """The coach of a game by its id, a `PlainCoach` if the game has none. Raises UnknownGame."""
    found = games.load_coach(game)
    return PlainCoach(games.load(game)) if found is None else found


def advise(
    coach: Coach[Any],
    sight: Sight[Any],
    budget: Budget,
    *,
    few: int = 1,
    deepest: int = DEEPEST,
    kind: Callable[[Any], Hashable] | None = None,
    narrow: bool = False,
    among: Collection[str] = (),
) -> Advice:
    """Rank the moves of the seat `sight.seat`, with `among` only these decisions, at most `deepest` plies ahead.

    There are no moves if it is another seat's turn or the coach does not know the seat's own pieces. Only the values
    of the first `few` moves are exact, with `kind` those of the best move of each of the first `few` kinds; the others
    may be upper bounds. A `narrow` search ranks only promising moves. The same sight and number of positions give the
    same answer unless the budget's clock ends the search.
    """
    if not coach.knows(sight):
        return Advice((), False, 0, 0)
    chance = Random(zlib.crc32(repr(sight).encode()))
    if coach.exact(sight):
        search = Search(coach.tree(coach.world(sight, chance.sample), chance.sample), sight.seat, budget, narrow=narrow)
        root = search.tree.root()
        if search.tree.turn(root) != sight.seat:
            return Advice((), True, 0, budget.used)
        return Advice(tuple(search.rank(root, few, deepest, kind, among)), True, search.depth, budget.used)

    def rank(search: Search) -> list[Ranked]:
        return search.rank(search.tree.root(), max(few, FEW), deepest, kind, among)

    return _sampled(coach, sight, budget, chance=chance, rank=rank, narrow=narrow)


def _sampled(
    coach: Coach[Any],
    sight: Sight[Any],
    budget: Budget,
    *,
    chance: Random,
    rank: Callable[[Search], list[Ranked]],
    narrow: bool,
) -> Advice:
    """Rank moves by their mean value over sampled positions; only moves that end the round are certain.

    What is drawn or thrown differs between the positions, so all draws are one move, and so are all throws.
    """
    moves: dict[str, Any] = {}
    values: dict[str, dict[int, int]] = {}
    depth, limit = DEEPEST, budget.nodes
    worlds = coach.worlds(limit - budget.used)
    for left in range(worlds, 0, -1):
        if not budget.stopped:
            budget.nodes = budget.used + (limit - budget.used) // left
        world = coach.world(sight, chance.sample)
        search = Search(coach.tree(world, _in_order(chance.random())), sight.seat, budget, narrow=narrow)
        if search.tree.turn(search.tree.root()) != sight.seat:
            return Advice((), False, 0, budget.used)
        outcomes: dict[str, list[int]] = {}
        for each in rank(search):
            moves[text := decision(str(each.move))] = each.move
            outcomes.setdefault(text, []).append(each.value)
        for text, found in outcomes.items():
            values.setdefault(text, {})[left] = sum(found) // len(found)
        depth = min(depth, search.depth)
    ranked = [
        _judged(coach, sight, move, sum(values[text].values()) // len(values[text])) for text, move in moves.items()
    ]
    ranked.sort(key=lambda each: each.value, reverse=True)
    return Advice(tuple(ranked), False, depth, budget.used, values)


def _judged(coach: Coach[Any], sight: Sight[Any], move: Any, value: int) -> Ranked:
    settled = coach.settled(sight, move)
    return Ranked(move, value, -UNKNOWN, UNKNOWN) if settled is None else Ranked(move, settled, settled, settled)


def _in_order(seed: float) -> Sample:
    """A sampler for a pile in one fixed random order: drawing from the same pieces always gives the same result."""
    places: dict[tuple[Any, int], float] = {}
    shuffled = Random(seed)

    def draw(pieces: Sequence[Any], count: int) -> list[Any]:
        copies: dict[Any, int] = {}
        each = []
        for piece in pieces:
            copies[piece] = copies.get(piece, 0) + 1
            each.append((piece, copies[piece]))
        for copy in each:
            if copy not in places:
                places[copy] = shuffled.random()
        return [piece for piece, _ in sorted(each, key=places.__getitem__)[:count]]

    return draw

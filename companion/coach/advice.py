"""What to play: the moves of a seat ranked, by one search where all is known, else over positions that fit what is."""

from __future__ import annotations

import zlib
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from companion import games
from companion.coach.plain import PlainCoach
from companion.coach.search import DEEPEST, Ranked, Search

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from companion.coach.budget import Budget
    from companion.game.coach import Coach, Sample, Sight

WORLDS = 8
"""So many positions that fit what a seat knows are searched, where something is hidden or drawn."""
FEW = 6
"""So many moves are told apart in each of them."""
UNKNOWN = 1 << 30
"""A bound that nothing is known of."""


class Advice(NamedTuple):
    """The moves of a seat, best first, and what it took: plies looked ahead, positions, how many worlds.

    `exact` is whether a single position fitted, so that bounds that meet are certain.
    """

    ranked: tuple[Ranked, ...]
    exact: bool
    depth: int
    nodes: int
    worlds: int


def coach_of(game: str) -> Coach[Any]:
    """The coach of a game by its id; one that knows the rules alone where it has none. Raises UnknownGame."""
    found: Coach[Any] | None = games.load_coach(game)
    return PlainCoach(games.load(game)) if found is None else found


def advise(
    coach: Coach[Any],
    sight: Sight[Any],
    budget: Budget,
    few: int = 1,
    deepest: int = DEEPEST,
    kind: Callable[[Any], Hashable] | None = None,
    *,
    narrow: bool = False,
) -> Advice:
    """The moves of the seat that looks, best first; none where it is not to move or what it holds is sealed.

    The values of the first `few` are told apart, with `kind` those of the best of the first few kinds of moves. The
    same sight and the same number of positions to search give the same answer. With `narrow` only promising moves are
    looked at and ranked.
    """
    if not coach.knows(sight):
        return Advice((), False, 0, 0, 0)
    chance = Random(zlib.crc32(repr(sight).encode()))
    if coach.exact(sight):
        search = Search(coach.tree(coach.world(sight, chance.sample), chance.sample), sight.seat, budget, narrow=narrow)
        root = search.tree.root()
        if search.tree.turn(root) != sight.seat:
            return Advice((), True, 0, budget.used, 1)
        return Advice(tuple(search.rank(root, few, deepest, kind)), True, search.depth, budget.used, 1)
    return _sampled(
        coach,
        sight,
        budget,
        chance,
        lambda search: search.rank(search.tree.root(), max(few, FEW), deepest, kind),
        narrow,
    )


def _sampled(
    coach: Coach[Any],
    sight: Sight[Any],
    budget: Budget,
    chance: Random,
    rank: Callable[[Search], list[Ranked]],
    narrow: bool,
) -> Advice:
    """The moves by their mean value over worlds that fit; certain only where a move ends the round by itself."""
    sums: dict[str, tuple[Any, int]] = {}
    depth, limit = DEEPEST, budget.nodes
    for left in range(WORLDS, 0, -1):
        if not budget.stopped:
            budget.nodes = budget.used + (limit - budget.used) // left
        world = coach.world(sight, chance.sample)
        search = Search(coach.tree(world, _in_order(chance.random())), sight.seat, budget, narrow=narrow)
        if search.tree.turn(search.tree.root()) != sight.seat:
            return Advice((), False, 0, budget.used, WORLDS)
        for each in rank(search):
            move, total = sums.get(str(each.move), (each.move, 0))
            sums[str(each.move)] = move, total + each.value
        depth = min(depth, search.depth)
    ranked = [_judged(coach, sight, move, total // WORLDS) for move, total in sums.values()]
    ranked.sort(key=lambda each: each.value, reverse=True)
    return Advice(tuple(ranked), False, depth, budget.used, WORLDS)


def _judged(coach: Coach[Any], sight: Sight[Any], move: Any, value: int) -> Ranked:
    settled = coach.settled(sight, move)
    return Ranked(move, value, -UNKNOWN, UNKNOWN) if settled is None else Ranked(move, settled, settled, settled)


def _in_order(seed: float) -> Sample:
    """A pile that lies as it lies: of the same pieces the same ones are drawn, whatever was done before."""
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

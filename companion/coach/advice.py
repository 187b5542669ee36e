"""Ranks the moves of a seat by what that seat may know, and chooses the move of the computer player.

If the position is fully known, one search ranks the moves. Otherwise several worlds (full positions that fit what was
seen) are sampled, and moves are ranked by their mean value over these worlds.
"""

from __future__ import annotations

import time
import zlib
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from companion import games
from companion.coach.plain import PlainCoach
from companion.coach.search import DEEPEST, MOVE_SECONDS, Budget, Ranked, Search
from companion.games.api.coach import PublicEvent, SeatKnowledge
from companion.games.api.entry import public_event_text
from companion.games.api.words import decided_part

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Mapping, Sequence

    from companion.games.api import Rules
    from companion.games.api.coach import Coach, Sample
    from companion.games.api.entry import MoveInput

FEW = 6
"""In each sampled world at least this many of the best moves get exact values."""
UNKNOWN = 1 << 30
"""The upper bound, and negated the lower bound, of a value about which nothing is proven."""


def look(
    rules: Rules[Any, Any], entry: MoveInput, states: Sequence[Any], events: Sequence[tuple[int, str]], seat: int
) -> SeatKnowledge[Any]:
    """What `seat` knows of a round. This is the only place where a coach's `SeatKnowledge` is created.

    `states` begins with the initial position, so it has one more element than `events`; an event is its seat and its
    text.
    """
    past = tuple(
        PublicEvent(rules.seat_view(before, None), who, public_event_text(entry, text))
        for before, (who, text) in zip(states, events, strict=False)
    )
    return SeatKnowledge(seat, rules.seat_view(states[-1], seat), past)


class Advice(NamedTuple):
    """The ranked moves of a seat, and how much was searched for that.

    Attributes:
        ranked_moves: the moves, best first.
        is_exact: whether only one position fits what was seen, so that equal bounds make a value certain.
        plies: how many plies were looked ahead; with several worlds the lowest number.
        searched_nodes: the number of positions that were searched.
        world_values: for each move, by its `decided_part`, its value by sampled world; empty if no worlds were sampled.
    """

    ranked: tuple[Ranked, ...]
    exact: bool
    depth: int
    nodes: int
    values: Mapping[str, Mapping[int, int]] = MappingProxyType({})


def coach_of(game: str) -> Coach[Any]:
    """The coach of a game by its id; a `RulesCoach` if the game has none. Raises UnknownGameError."""
    found = games.load_coach(game)
    return PlainCoach(games.load_rules(game)) if found is None else found


def advise(
    coach: Coach[Any],
    sight: SeatKnowledge[Any],
    budget: Budget,
    *,
    few: int = 1,
    deepest: int = DEEPEST,
    kind: Callable[[Any], Hashable] | None = None,
    narrow: bool = False,
    among: Collection[str] = (),
) -> Advice:
    """Rank the moves of the seat ``knowledge.seat``, at most `max_plies` plies ahead.

    There are no moves if it is another seat's turn, or if the coach does not know the seat's own pieces. The same
    knowledge and number of positions give the same answer, unless the clock of the budget ends the search.

    - `exact_count`: so many of the first moves get exact values; the other values may be upper bounds.
    - `kind_of_move`: if given, `exact_count` counts kinds of moves, and the best move of each kind is exact.
    - `is_narrow`: only promising moves are ranked.
    - `decisions`: if given, only moves with one of these decisions are ranked.
    """
    if not coach.knows_own_pieces(sight):
        return Advice((), False, 0, 0)
    chance, exact = Random(zlib.crc32(repr(sight).encode())), coach.is_exact(sight)
    few = few if exact else max(few, FEW)

    def rank(sampler: Callable[[], Sample]) -> tuple[list[Ranked], int] | None:
        """The moves in a position that fits what was seen, and the plies looked ahead; None out of turn."""
        world = coach.sample_world(sight, chance.sample)
        search = Search(coach.build_tree(world, sampler()), sight.seat, budget, narrow=narrow)
        root = search.tree.root()
        if search.tree.seat_to_move(root) != sight.seat:
            return None
        return search.rank(root, few, deepest, kind, among), search.depth

    if not exact:
        return _sampled(coach, sight, budget, lambda: rank(lambda: _in_order(chance.random())))
    ranked, depth = rank(lambda: chance.sample) or ([], 0)
    return Advice(tuple(ranked), True, depth, budget.used)


def _sampled(
    coach: Coach[Any], sight: SeatKnowledge[Any], budget: Budget, rank: Callable[[], tuple[list[Ranked], int] | None]
) -> Advice:
    """Rank moves by their mean value over sampled worlds; only moves that end the round are certain.

    Draws and throws differ from world to world, so all draws count as one move, and so do all throws.
    """
    moves: dict[str, Any] = {}
    values: dict[str, dict[int, int]] = {}
    depth, limit = DEEPEST, budget.nodes
    for left in range(coach.world_count(limit - budget.used), 0, -1):
        if not budget.stopped:
            budget.nodes = budget.used + (limit - budget.used) // left
        if (found := rank()) is None:
            return Advice((), False, 0, budget.used)
        depth = min(depth, found[1])
        outcomes: dict[str, list[int]] = {}
        for each in found[0]:
            moves[text := decided_part(str(each.move))] = each.move
            outcomes.setdefault(text, []).append(each.value)
        for text, of_move in outcomes.items():
            values.setdefault(text, {})[left] = sum(of_move) // len(of_move)
    ranked = []
    for text, move in moves.items():
        settled = coach.final_value(sight, move)
        mean = sum(values[text].values()) // len(values[text])
        ranked.append(Ranked(move, mean, -UNKNOWN, UNKNOWN) if settled is None else Ranked(move, *[settled] * 3))
    ranked.sort(key=lambda each: each.value, reverse=True)
    return Advice(tuple(ranked), False, depth, budget.used, values)


def _in_order(seed: float) -> Sample:
    """Return a sampler for a deck in one random order: drawing from the same pieces always gives the same result."""
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


def choose(
    coach: Coach[Any],
    sight: SeatKnowledge[Any],
    strength: int,
    seed: int = 0,
    *,
    clock: Callable[[], float] = time.thread_time,
    stopped: Callable[[], bool] = bool,
    tell: Callable[[int], object] = bool,
) -> Any:
    """The computer player's move for the seat ``knowledge.seat``; None if the coach ranks no move.

    A weaker player (`strength` 1 to 3) searches fewer plies and fewer positions; each plays the best move that it
    finds. `seed` picks one of equally good moves. The same knowledge, strength and seed give the same move, unless
    `clock` (in seconds) or `is_stopped` ends the search. `report_progress` is called with the progress in percent (see
    `Budget`).
    """
    effort = coach.efforts()[strength - 1]
    nodes = max(1, round(coach.node_budget(sight) * effort.node_share))
    budget = Budget(nodes, MOVE_SECONDS, clock, stopped, tell=tell)
    ranked = advise(coach, sight, budget, deepest=effort.max_plies, narrow=True).ranked
    best = [each.move for each in ranked if each.value == ranked[0].value]
    return Random(seed).choice(best) if best else None

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
from companion.coach.rules_coach import RulesCoach
from companion.coach.search import MAX_PLIES, MOVE_SECONDS, Budget, RankedMove, Search
from companion.games.api.coach import PublicEvent, SeatKnowledge
from companion.games.api.game_texts import chosen_part
from companion.games.api.move_input import public_event_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Mapping, Sequence

    from companion.games.api import Rules
    from companion.games.api.coach import Coach, Sample
    from companion.games.api.move_input import MoveInput

MIN_EXACT_MOVES = 6
"""In each sampled world at least this many of the best moves get exact values."""
UNPROVEN_BOUND = 1 << 30
"""The upper bound, and negated the lower bound, of a value about which nothing is proven."""


def seat_knowledge(
    rules: Rules[Any, Any], move_input: MoveInput, states: Sequence[Any], events: Sequence[tuple[int, str]], seat: int
) -> SeatKnowledge[Any]:
    """What `seat` knows of a round. This is the only place where a coach's `SeatKnowledge` is created.

    `states` begins with the initial position, so it has one more element than `events`; an event is its seat and its
    text.
    """
    past_events = tuple(
        PublicEvent(rules.seat_view(before, None), who, public_event_text(move_input, text))
        for before, (who, text) in zip(states, events, strict=False)
    )
    return SeatKnowledge(seat, rules.seat_view(states[-1], seat), past_events)


class Advice(NamedTuple):
    """The ranked moves of a seat, and how much was searched for that.

    Attributes:
        ranked_moves: the moves, best first.
        is_exact: whether only one position fits what was seen, so that equal bounds make a value certain.
        plies: how many plies were looked ahead; with several worlds the lowest number.
        searched_nodes: the number of positions that were searched.
        world_values: for each move, by its `chosen_part`, its value by sampled world; empty if no worlds were sampled.
    """

    ranked_moves: tuple[RankedMove, ...]
    is_exact: bool
    plies: int
    searched_nodes: int
    world_values: Mapping[str, Mapping[int, int]] = MappingProxyType({})


def coach_for_game(game: str) -> Coach[Any]:
    """The coach of a game by its id; a `RulesCoach` if the game has none. Raises UnknownGameError."""
    coach = games.load_coach(game)
    return RulesCoach(games.load_rules(game)) if coach is None else coach


def advise(
    coach: Coach[Any],
    knowledge: SeatKnowledge[Any],
    budget: Budget,
    *,
    exact_count: int = 1,
    max_plies: int = MAX_PLIES,
    kind_of_move: Callable[[Any], Hashable] | None = None,
    is_narrow: bool = False,
    decisions: Collection[str] = (),
) -> Advice:
    """Rank the moves of the seat ``knowledge.seat``, at most `max_plies` plies ahead.

    There are no moves if it is another seat's turn, or if the coach does not know the seat's own pieces. The same
    knowledge and number of positions give the same answer, unless the clock of the budget ends the search.

    - `exact_count`: so many of the first moves get exact values; the other values may be upper bounds.
    - `kind_of_move`: if given, `exact_count` counts kinds of moves, and the best move of each kind is exact.
    - `is_narrow`: only promising moves are ranked.
    - `decisions`: if given, only moves with one of these decisions are ranked.
    """
    if not coach.knows_own_pieces(knowledge):
        return Advice((), False, 0, 0)
    random, is_exact = Random(zlib.crc32(repr(knowledge).encode())), coach.is_exact(knowledge)
    exact_count = exact_count if is_exact else max(exact_count, MIN_EXACT_MOVES)

    def rank(sampler: Callable[[], Sample]) -> tuple[list[RankedMove], int] | None:
        """The moves in a position that fits what was seen, and the plies looked ahead; None out of turn."""
        world = coach.sample_world(knowledge, random.sample)
        search = Search(coach.build_tree(world, sampler()), knowledge.seat, budget, is_narrow=is_narrow)
        root = search.tree.root()
        if search.tree.seat_to_move(root) != knowledge.seat:
            return None
        return search.rank_moves(root, exact_count, max_plies, kind_of_move, decisions), search.plies

    if not is_exact:
        return _rank_over_worlds(coach, knowledge, budget, lambda: rank(lambda: _fixed_order_sampler(random.random())))
    ranked, depth = rank(lambda: random.sample) or ([], 0)
    return Advice(tuple(ranked), True, depth, budget.used_nodes)


def _rank_over_worlds(
    coach: Coach[Any],
    knowledge: SeatKnowledge[Any],
    budget: Budget,
    rank: Callable[[], tuple[list[RankedMove], int] | None],
) -> Advice:
    """Rank moves by their mean value over sampled worlds; only moves that end the round are certain.

    Draws and throws differ from world to world, so all draws count as one move, and so do all throws.
    """
    moves: dict[str, Any] = {}
    values: dict[str, dict[int, int]] = {}
    depth, node_limit = MAX_PLIES, budget.node_limit
    for worlds_left in range(coach.world_count(node_limit - budget.used_nodes), 0, -1):
        if not budget.was_stopped:
            budget.node_limit = budget.used_nodes + (node_limit - budget.used_nodes) // worlds_left
        if (ranked_in_world := rank()) is None:
            return Advice((), False, 0, budget.used_nodes)
        depth = min(depth, ranked_in_world[1])
        values_in_world: dict[str, list[int]] = {}
        for each in ranked_in_world[0]:
            moves[text := chosen_part(str(each.move))] = each.move
            values_in_world.setdefault(text, []).append(each.value)
        for text, move_values in values_in_world.items():
            values.setdefault(text, {})[worlds_left] = sum(move_values) // len(move_values)
    ranked = []
    for text, move in moves.items():
        final_value = coach.final_value(knowledge, move)
        mean = sum(values[text].values()) // len(values[text])
        ranked.append(
            RankedMove(move, mean, -UNPROVEN_BOUND, UNPROVEN_BOUND)
            if final_value is None
            else RankedMove(move, *[final_value] * 3)
        )
    ranked.sort(key=lambda each: each.value, reverse=True)
    return Advice(tuple(ranked), False, depth, budget.used_nodes, values)


def _fixed_order_sampler(seed: float) -> Sample:
    """Return a sampler for a deck in one random order: drawing from the same pieces always gives the same result."""
    sort_keys: dict[tuple[Any, int], float] = {}
    random = Random(seed)

    def draw(pieces: Sequence[Any], count: int) -> list[Any]:
        copies: dict[Any, int] = {}
        numbered_pieces = []
        for piece in pieces:
            copies[piece] = copies.get(piece, 0) + 1
            numbered_pieces.append((piece, copies[piece]))
        for copy in numbered_pieces:
            if copy not in sort_keys:
                sort_keys[copy] = random.random()
        return [piece for piece, _ in sorted(numbered_pieces, key=sort_keys.__getitem__)[:count]]

    return draw


def choose_move(
    coach: Coach[Any],
    knowledge: SeatKnowledge[Any],
    strength: int,
    seed: int = 0,
    *,
    clock: Callable[[], float] = time.thread_time,
    is_stopped: Callable[[], bool] = bool,
    report_progress: Callable[[int], object] = bool,
) -> Any:
    """The computer player's move for the seat ``knowledge.seat``; None if the coach ranks no move.

    A weaker player (`strength` 1 to 3) searches fewer plies and fewer positions; each plays the best move that it
    finds. `seed` picks one of equally good moves. The same knowledge, strength and seed give the same move, unless
    `clock` (in seconds) or `is_stopped` ends the search. `report_progress` is called with the progress in percent (see
    `Budget`).
    """
    effort = coach.efforts()[strength - 1]
    nodes = max(1, round(coach.node_budget(knowledge) * effort.node_share))
    budget = Budget(nodes, MOVE_SECONDS, clock, is_stopped, report_progress=report_progress)
    ranked = advise(coach, knowledge, budget, max_plies=effort.max_plies, is_narrow=True).ranked_moves
    best = [each.move for each in ranked if each.value == ranked[0].value]
    return Random(seed).choice(best) if best else None

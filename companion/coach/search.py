"""The search for the best move: alpha-beta with iterative deepening and a transposition table.

(Knuth and Moore 1975, Marsland 1986.) An estimate alone can't tell a certain win from a likely one. So each position
has, besides its estimated value, *proven* lower and upper bounds of the value that the round ends with. The bounds
depend on no estimate and no search depth; where they are equal, the value is certain.

Inside the search, values are from the point of view of the side to move (negamax): the seat that is searched for, or
all other seats together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.games.api.game_texts import chosen_part

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Sequence

    from companion.games.api.coach import Tree

INFINITE_VALUE = 1 << 30
MAX_PLIES = 64
"""The greatest number of plies that a search looks ahead."""
MAX_TABLE_POSITIONS = 100_000
"""The largest number of positions in the table, about 45 MiB. A full table is emptied."""
MOVE_SECONDS = 10.0
"""The limit for one move, in seconds of processor time. A Pi Zero 2 does in 10 s what a desktop does in 0.67 s."""
PROGRESS_STEP_PERCENT = 10
"""Progress is reported in steps of this many percent."""


class BudgetSpentError(Exception):
    """A limit of the search has been reached."""


class Budget:
    """The limits of a search: a number of positions and of seconds, whichever is reached first.

    The search also ends when `is_stopped` returns True. That and `clock` are called every 256 positions. Their
    defaults, `bool` and `float`, return False and 0.0: nothing stops the search, and there is no time limit.

    `extra_nodes` positions are reserved for a second search, which `allow_extra_nodes` permits. `report_progress` is
    called with the percentage of positions used: 10, 20, … 90.
    """

    def __init__(
        self,
        node_limit: int,
        seconds: float = INFINITE_VALUE,
        clock: Callable[[], float] = float,
        is_stopped: Callable[[], bool] = bool,
        *,
        extra_nodes: int = 0,
        report_progress: Callable[[int], object] = bool,
    ) -> None:
        self.node_limit = node_limit
        self.extra_nodes = extra_nodes
        self.used_nodes = 0
        # Whether the clock or `is_stopped` has ended the search, and not the number of positions.
        self.was_stopped = False
        self._clock, self._is_stopped, self._report_progress = clock, is_stopped, report_progress
        self._end_time = clock() + seconds
        self._planned_nodes, self._reported_percent = node_limit, 0

    def check_limits(self) -> None:
        """Report the progress. Raises BudgetSpentError if a limit is reached or the search was stopped."""
        percent = 100 * self.used_nodes // self._planned_nodes // PROGRESS_STEP_PERCENT * PROGRESS_STEP_PERCENT
        if self._reported_percent < percent < 100:
            self._reported_percent = percent
            self._report_progress(percent)
        if self._clock() >= self._end_time or self._is_stopped():
            self.was_stopped = True
            self.node_limit = self.used_nodes
        if self.used_nodes >= self.node_limit:
            raise BudgetSpentError

    def allow_extra_nodes(self) -> bool:
        """Allow the extra positions; False if there are none, or if the clock or `is_stopped` has ended the search."""
        self.node_limit = self.used_nodes + (0 if self.was_stopped else self.extra_nodes)
        return self.node_limit > self.used_nodes


class Bounds(NamedTuple):
    """The estimated value of a position, with its proven lower and upper bounds."""

    value: int
    low: int
    high: int

    @property
    def is_proven(self) -> bool:
        """Whether the value is certain."""
        return self.low == self.high


class RankedMove(NamedTuple):
    """A move of the rules, with the value and bounds of the position after it for the seat that makes it."""

    move: Any
    value: int
    low: int
    high: int

    @property
    def bounds(self) -> Bounds:
        """The value and bounds without the move."""
        return Bounds(self.value, self.low, self.high)


_TableEntry = tuple[int, int, int, int, int, Any]
"""What the table has of a position: proven bounds, depth searched, bounds at that depth, and the best move.

Values are from the point of view of the side to move.
"""
TranspositionTable = dict[Any, _TableEntry]


class Search:
    """Searches one tree for one seat against all others. The table stays between calls.

    Searches of a two-player round may share a `table` if their trees have the same nodes, even for different seats. A
    narrow search looks only at promising moves and so further ahead; the values of the other moves are never proven.
    """

    def __init__(
        self,
        tree: Tree[Any, Any],
        seat: int,
        budget: Budget,
        table: TranspositionTable | None = None,
        *,
        is_narrow: bool = False,
    ) -> None:
        self.tree = tree
        self.is_narrow = is_narrow
        self.seat = seat
        self.budget = budget
        self._has_skipped_moves = False  # Whether the narrow search has left out moves.
        self._new_positions = 0  # The number of positions that were not in the table.
        self.plies = 0  # The plies that the last call has searched completely.
        self._table: TranspositionTable = {} if table is None else table
        self._kind_of_move: dict[Any, Hashable] = {}

    def search_value(
        self, node: Any, alpha: int = -INFINITE_VALUE, beta: int = INFINITE_VALUE, max_plies: int = MAX_PLIES
    ) -> Bounds:
        """The value of a position for `seat`, searched one ply deeper each time.

        The search ends when the value is proven, the budget is spent or `max_plies` is reached. The value is exact only
        between `alpha` and `beta`; at or beyond these it is a bound.
        """
        bounds = self._estimated_bounds(node)
        self.plies = 0
        try:
            while self.plies < max_plies and not bounds.is_proven and bounds.low < beta and bounds.high > alpha:
                bounds = Bounds(*self._search_from_side(node, self.plies + 1, alpha, beta, True))
                self.plies += 1
        except BudgetSpentError:
            known_bounds = self._known_bounds(node)
            bounds = Bounds(
                max(known_bounds.low, min(known_bounds.high, bounds.value)), known_bounds.low, known_bounds.high
            )
        return bounds

    def rank_moves(
        self,
        node: Any,
        exact_count: int,
        max_plies: int = MAX_PLIES,
        kind_of_move: Callable[[Any], Hashable] | None = None,
        decisions: Collection[str] = (),
    ) -> list[RankedMove]:
        """Rank the moves of a position in which `seat` is to move, best first.

        Only the values of the first `exact_count` moves are exact; the others may be upper bounds. With `kind_of_move`,
        a function of a move of the rules, these are the best moves of the first `exact_count` kinds. With `decisions`
        only moves with one of these decisions are ranked, and a narrow search ranks only promising moves. One ply is
        looked ahead even with a spent budget.
        """
        moves = self._promising_moves(node) or self.tree.ordered_moves(node)
        if decisions:
            moves = [move for move in moves if chosen_part(str(self.tree.rules_move(node, move))) in decisions]
        self._kind_of_move = (
            {} if kind_of_move is None else {move: kind_of_move(self.tree.rules_move(node, move)) for move in moves}
        )
        children = [(move, self.tree.child_node(node, move)) for move in moves]
        ranked = sorted(
            ((self._estimated_bounds(child), move, child) for move, child in children), key=_ranking_value, reverse=True
        )
        self.plies = 1
        try:
            while self.plies < max_plies and not self._is_ranking_final(ranked, exact_count):
                new_positions_before = self._new_positions
                ranked = self._rank_one_ply_deeper(ranked, exact_count)
                self.plies += 1
                if self._has_skipped_moves and self._new_positions == new_positions_before and self.plies > 2:
                    break  # No new position was met: all promising moves are searched to the end of the round.
        except BudgetSpentError:
            ranked = [(self._with_known_bounds(child, bounds), move, child) for bounds, move, child in ranked]
            ranked.sort(key=_ranking_value, reverse=True)
        return [RankedMove(self.tree.rules_move(node, move), *bounds) for bounds, move, _ in ranked]

    def _rank_one_ply_deeper(
        self, ranked: Sequence[tuple[Bounds, Any, Any]], exact_count: int
    ) -> list[tuple[Bounds, Any, Any]]:
        """Search each move one ply deeper.

        A move that cannot be among the first `exact_count` gets only an upper bound.
        """
        best_of_kind: dict[Hashable, int] = {}
        ranked_deeper = []
        for _, move, child in ranked:
            alpha = (
                sorted(best_of_kind.values(), reverse=True)[exact_count - 1] - 1
                if len(best_of_kind) >= exact_count
                else -INFINITE_VALUE
            )
            bounds = Bounds(*self._search_from_side(child, self.plies, alpha, INFINITE_VALUE, True))
            kind = self._kind_of_move.get(move, move)
            best_of_kind[kind] = max(best_of_kind.get(kind, -INFINITE_VALUE), bounds.value)
            ranked_deeper.append((bounds, move, child))
        return sorted(ranked_deeper, key=_ranking_value, reverse=True)

    def _is_ranking_final(self, ranked: Sequence[tuple[Bounds, Any, Any]], exact_count: int) -> bool:
        """Whether a deeper search would change nothing: the first `exact_count` are proven and no other is better."""
        first_of_kind: dict[Hashable, int] = {}
        for bounds, move, _ in ranked:
            kind = self._kind_of_move.get(move, move)
            if kind not in first_of_kind and len(first_of_kind) < exact_count:
                if not bounds.is_proven:
                    return False
                first_of_kind[kind] = lowest = bounds.value
            elif bounds.high > first_of_kind.get(kind, lowest):
                return False
        return True

    def _estimated_bounds(self, node: Any) -> Bounds:
        """The estimate and the bounds of a position for `seat`, without looking ahead."""
        low, high = self.tree.value_bounds(node, self.seat)
        return Bounds(max(low, min(high, self.tree.estimated_value(node, self.seat))), low, high)

    def _known_bounds(self, node: Any) -> Bounds:
        """The proven bounds of a position for `seat`, from the table if it has them; the value is a placeholder."""
        entry = self._table.get(self.tree.position_key(node))
        if entry is None:
            return self._estimated_bounds(node)
        low, high = entry[:2] if self.tree.seat_to_move(node) == self.seat else (-entry[1], -entry[0])
        return Bounds(low, low, high)

    def _with_known_bounds(self, node: Any, bounds: Bounds) -> Bounds:
        """The result of an earlier depth, with its bounds narrowed by what has been proven since."""
        known_bounds = self._known_bounds(node)
        low, high = max(bounds.low, known_bounds.low), min(bounds.high, known_bounds.high)
        return Bounds(max(low, min(high, bounds.value)), low, high)

    def _search_from_side(
        self, node: Any, depth: int, alpha: int, beta: int, is_own_side: bool
    ) -> tuple[int, int, int]:
        """Search a node as `_search_node` does, but from the point of view of one side, whoever is to move.

        With `is_own_side` that side is `seat`, otherwise the others.
        """
        if (self.tree.seat_to_move(node) == self.seat) == is_own_side:
            return self._search_node(node, depth, alpha, beta, is_own_side)
        value, low, high = self._search_node(node, depth, -beta, -alpha, not is_own_side)
        return -value, -high, -low

    def _search_node(self, node: Any, depth: int, alpha: int, beta: int, is_own_turn: bool) -> tuple[int, int, int]:
        """Search a position `depth` plies deep: its value within the window `alpha` to `beta`, and its proven bounds.

        Values are from the point of view of the side to move; `is_own_turn` says whether that is `seat`. Raises
        BudgetSpentError.
        """
        key = self.tree.position_key(node)
        entry = self._table.get(key)
        if entry is None:
            self._count_node()
            self._new_positions += 1
            low, high = self.tree.value_bounds(node, self.seat)
            low, high, first_move = (low, high, None) if is_own_turn else (-high, -low, None)
        else:
            low, high, table_depth, table_low, table_high, first_move = entry
            if table_depth >= depth:
                if table_low >= beta or table_low == table_high:
                    return table_low, low, high
                if table_high <= alpha:
                    return table_high, low, high
        if low >= beta or low == high:
            return low, low, high
        if high <= alpha:
            return high, low, high
        if entry is not None:
            self._count_node()  # Listing the moves again takes as long as for a new position.
        if not depth:
            value = self.tree.estimated_value(node, self.seat)
            if not is_own_turn:
                value = -value
            return (low if value < low else high if value > high else value), low, high
        best, low, high, first_move = self._search_moves(
            node, depth, alpha, beta, (low, high, first_move), is_own_turn=is_own_turn
        )
        if len(self._table) >= MAX_TABLE_POSITIONS:
            self._table.clear()
        self._table[key] = (
            low,
            high,
            depth,
            low if best <= alpha else best,
            high if best >= beta else best,
            first_move,
        )
        return best, low, high

    def _promising_moves(self, node: Any) -> Sequence[Any]:
        """The moves that a narrow search looks at; () if it looks at all moves."""
        promising = self.tree.promising_moves(node) if self.is_narrow else ()
        self._has_skipped_moves = self._has_skipped_moves or bool(promising)
        return promising

    def _count_node(self) -> None:
        budget = self.budget
        budget.used_nodes += 1
        if budget.used_nodes >= budget.node_limit or not budget.used_nodes & 255:
            budget.check_limits()

    def _search_moves(
        self, node: Any, depth: int, alpha: int, beta: int, known_bounds: tuple[int, int, Any], *, is_own_turn: bool
    ) -> tuple[int, int, int, Any]:
        """Search the moves of a position: the best value, the proven bounds, and the move to search first next time."""
        tree = self.tree
        low, high, first_move = known_bounds
        promising = self._promising_moves(node)
        moves = promising or tree.ordered_moves(node)
        if not moves:  # The holding of the seat to move is sealed, so no move is known.
            value = tree.estimated_value(node, self.seat)
            return max(low, min(high, value if is_own_turn else -value)), low, high, None
        if first_move is not None and moves[0] != first_move:
            moves = [first_move, *(move for move in moves if move != first_move)]
        best = proven_low = proven_high = -INFINITE_VALUE
        search, child_node, depth = self._search_from_side, tree.child_node, depth - 1
        for move in moves:
            child = child_node(node, move)
            if best > -INFINITE_VALUE and beta - alpha > 1:
                # Principal variation search: a null window tells whether the move is better, then how much better.
                value, child_low, child_high = search(child, depth, alpha, alpha + 1, is_own_turn)
                if alpha < value < beta and child_low != child_high:
                    value, child_low, child_high = search(child, depth, alpha, beta, is_own_turn)
            else:
                value, child_low, child_high = search(child, depth, alpha, beta, is_own_turn)
            if child_low > proven_low:
                proven_low = child_low
            if child_high > proven_high:
                proven_high = child_high
            if value > best:
                best, first_move = value, move
                if best > alpha:
                    alpha = best
                if alpha >= beta:
                    proven_high = high  # The moves that are not searched may be better still.
                    break
        low, high = max(low, proven_low), high if promising else min(high, proven_high)
        return max(low, min(high, best)), low, high, first_move


def _ranking_value(ranked: tuple[Bounds, Any, Any]) -> int:
    return ranked[0].value

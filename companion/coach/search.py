"""The search for the best move: alpha-beta with iterative deepening and a transposition table.

(Knuth and Moore 1975, Marsland 1986.) An estimate alone can't tell a certain win from a likely one. So each position
has, besides its estimated value, *proven* lower and upper bounds of the value that the round ends with. The bounds
depend on no estimate and no search depth; where they are equal, the value is certain.

Inside the search, values are from the point of view of the side to move (negamax): the seat that is searched for, or
all other seats together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.games.api.words import decided_part

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Sequence

    from companion.games.api.coach import Tree

INFINITE = 1 << 30
DEEPEST = 64
"""The greatest number of plies that a search looks ahead."""
LARGEST = 100_000
"""The largest number of positions in the table, about 45 MiB. A full table is emptied."""
MOVE_SECONDS = 10.0
"""The limit for one move, in seconds of processor time. A Pi Zero 2 does in 10 s what a desktop does in 0.67 s."""
STEP = 10
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
        nodes: int,
        seconds: float = INFINITE,
        clock: Callable[[], float] = float,
        stopped: Callable[[], bool] = bool,
        *,
        more: int = 0,
        tell: Callable[[int], object] = bool,
    ) -> None:
        self.nodes = nodes
        self.more = more
        self.used = 0
        self.stopped = False  # Whether the clock or `is_stopped` has ended the search, and not the number of positions.
        self._clock, self._stopped, self._tell = clock, stopped, tell
        self._end = clock() + seconds
        self._whole, self._share = nodes, 0

    def look(self) -> None:
        """Report the progress. Raises BudgetSpentError if a limit is reached or the search was stopped."""
        share = 100 * self.used // self._whole // STEP * STEP
        if self._share < share < 100:
            self._share = share
            self._tell(share)
        if self._clock() >= self._end or self._stopped():
            self.stopped = True
            self.nodes = self.used
        if self.used >= self.nodes:
            raise BudgetSpentError

    def extend(self) -> bool:
        """Allow the extra positions; False if there are none, or if the clock or `is_stopped` has ended the search."""
        self.nodes = self.used + (0 if self.stopped else self.more)
        return self.nodes > self.used


class Bounds(NamedTuple):
    """The estimated value of a position, with its proven lower and upper bounds."""

    value: int
    low: int
    high: int

    @property
    def proven(self) -> bool:
        """Whether the value is certain."""
        return self.low == self.high


class Ranked(NamedTuple):
    """A move of the rules, with the value and bounds of the position after it for the seat that makes it."""

    move: Any
    value: int
    low: int
    high: int

    @property
    def bounds(self) -> Bounds:
        """The value and bounds without the move."""
        return Bounds(self.value, self.low, self.high)


_Entry = tuple[int, int, int, int, int, Any]
"""What the table has of a position: proven bounds, depth searched, bounds at that depth, and the best move.

Values are from the point of view of the side to move.
"""
Table = dict[Any, _Entry]


class Search:
    """Searches one tree for one seat against all others. The table stays between calls.

    Searches of a two-player round may share a `table` if their trees have the same nodes, even for different seats. A
    narrow search looks only at promising moves and so further ahead; the values of the other moves are never proven.
    """

    def __init__(
        self, tree: Tree[Any, Any], me: int, budget: Budget, table: Table | None = None, *, narrow: bool = False
    ) -> None:
        self.tree = tree
        self.narrow = narrow
        self.me = me
        self.budget = budget
        self._some = False  # Whether the narrow search has left out moves.
        self._met = 0  # The number of positions that were not in the table.
        self.depth = 0  # The plies that the last call has searched completely.
        self._table: Table = {} if table is None else table
        self._kinds: dict[Any, Hashable] = {}

    def find(self, node: Any, alpha: int = -INFINITE, beta: int = INFINITE, deepest: int = DEEPEST) -> Bounds:
        """The value of a position for `seat`, searched one ply deeper each time.

        The search ends when the value is proven, the budget is spent or `max_plies` is reached. The value is exact only
        between `alpha` and `beta`; at or beyond these it is a bound.
        """
        found = self._static(node)
        self.depth = 0
        try:
            while self.depth < deepest and not found.proven and found.low < beta and found.high > alpha:
                found = Bounds(*self._step(node, self.depth + 1, alpha, beta, True))
                self.depth += 1
        except BudgetSpentError:
            known = self._known_bounds(node)
            found = Bounds(max(known.low, min(known.high, found.value)), known.low, known.high)
        return found

    def rank(
        self,
        node: Any,
        few: int,
        deepest: int = DEEPEST,
        kind: Callable[[Any], Hashable] | None = None,
        among: Collection[str] = (),
    ) -> list[Ranked]:
        """Rank the moves of a position in which `seat` is to move, best first.

        Only the values of the first `exact_count` moves are exact; the others may be upper bounds. With `kind_of_move`,
        a function of a move of the rules, these are the best moves of the first `exact_count` kinds. With `decisions`
        only moves with one of these decisions are ranked, and a narrow search ranks only promising moves. One ply is
        looked ahead even with a spent budget.
        """
        moves = self._promising(node) or self.tree.ordered_moves(node)
        if among:
            moves = [move for move in moves if decided_part(str(self.tree.rules_move(node, move))) in among]
        self._kinds = {} if kind is None else {move: kind(self.tree.rules_move(node, move)) for move in moves}
        found = [(move, self.tree.child_node(node, move)) for move in moves]
        ranked = sorted(((self._static(child), move, child) for move, child in found), key=_worth, reverse=True)
        self.depth = 1
        try:
            while self.depth < deepest and not self._settled(ranked, few):
                before = self._met
                ranked = self._row(ranked, few)
                self.depth += 1
                if self._some and self._met == before and self.depth > 2:
                    break  # No new position was met: all promising moves are searched to the end of the round.
        except BudgetSpentError:
            ranked = [(self._proven(child, bounds), move, child) for bounds, move, child in ranked]
            ranked.sort(key=_worth, reverse=True)
        return [Ranked(self.tree.rules_move(node, move), *bounds) for bounds, move, _ in ranked]

    def _row(self, ranked: Sequence[tuple[Bounds, Any, Any]], few: int) -> list[tuple[Bounds, Any, Any]]:
        """Search each move one ply deeper.

        A move that cannot be among the first `exact_count` gets only an upper bound.
        """
        best: dict[Hashable, int] = {}
        row = []
        for _, move, child in ranked:
            least = sorted(best.values(), reverse=True)[few - 1] - 1 if len(best) >= few else -INFINITE
            bounds = Bounds(*self._step(child, self.depth, least, INFINITE, True))
            kind = self._kinds.get(move, move)
            best[kind] = max(best.get(kind, -INFINITE), bounds.value)
            row.append((bounds, move, child))
        return sorted(row, key=_worth, reverse=True)

    def _settled(self, ranked: Sequence[tuple[Bounds, Any, Any]], few: int) -> bool:
        """Whether a deeper search would change nothing: the first `exact_count` are proven and no other is better."""
        first: dict[Hashable, int] = {}
        for bounds, move, _ in ranked:
            kind = self._kinds.get(move, move)
            if kind not in first and len(first) < few:
                if not bounds.proven:
                    return False
                first[kind] = least = bounds.value
            elif bounds.high > first.get(kind, least):
                return False
        return True

    def _static(self, node: Any) -> Bounds:
        """The estimate and the bounds of a position for `seat`, without looking ahead."""
        low, high = self.tree.value_bounds(node, self.me)
        return Bounds(max(low, min(high, self.tree.estimated_value(node, self.me))), low, high)

    def _known_bounds(self, node: Any) -> Bounds:
        """The proven bounds of a position for `seat`, from the table if it has them; the value is a placeholder."""
        entry = self._table.get(self.tree.position_key(node))
        if entry is None:
            return self._static(node)
        low, high = entry[:2] if self.tree.seat_to_move(node) == self.me else (-entry[1], -entry[0])
        return Bounds(low, low, high)

    def _proven(self, node: Any, found: Bounds) -> Bounds:
        """The result of an earlier depth, with its bounds narrowed by what has been proven since."""
        known = self._known_bounds(node)
        low, high = max(found.low, known.low), min(found.high, known.high)
        return Bounds(max(low, min(high, found.value)), low, high)

    def _step(self, node: Any, depth: int, alpha: int, beta: int, mine: bool) -> tuple[int, int, int]:
        """Search a node as `_search_node` does, but from the point of view of one side, whoever is to move.

        With `is_own_side` that side is `seat`, otherwise the others.
        """
        if (self.tree.seat_to_move(node) == self.me) == mine:
            return self._walk(node, depth, alpha, beta, mine)
        value, low, high = self._walk(node, depth, -beta, -alpha, not mine)
        return -value, -high, -low

    def _walk(self, node: Any, depth: int, alpha: int, beta: int, mine: bool) -> tuple[int, int, int]:
        """Search a position `depth` plies deep: its value within the window `alpha` to `beta`, and its proven bounds.

        Values are from the point of view of the side to move; `is_own_turn` says whether that is `seat`. Raises
        BudgetSpentError.
        """
        key = self.tree.position_key(node)
        entry = self._table.get(key)
        if entry is None:
            self._count()
            self._met += 1
            low, high = self.tree.value_bounds(node, self.me)
            low, high, first = (low, high, None) if mine else (-high, -low, None)
        else:
            low, high, deep, least, most, first = entry
            if deep >= depth:
                if least >= beta or least == most:
                    return least, low, high
                if most <= alpha:
                    return most, low, high
        if low >= beta or low == high:
            return low, low, high
        if high <= alpha:
            return high, low, high
        if entry is not None:
            self._count()  # Listing the moves again takes as long as for a new position.
        if not depth:
            value = self.tree.estimated_value(node, self.me)
            if not mine:
                value = -value
            return (low if value < low else high if value > high else value), low, high
        best, low, high, first = self._branches(node, depth, alpha, beta, (low, high, first), mine=mine)
        if len(self._table) >= LARGEST:
            self._table.clear()
        self._table[key] = (low, high, depth, low if best <= alpha else best, high if best >= beta else best, first)
        return best, low, high

    def _promising(self, node: Any) -> Sequence[Any]:
        """The moves that a narrow search looks at; () if it looks at all moves."""
        some = self.tree.promising_moves(node) if self.narrow else ()
        self._some = self._some or bool(some)
        return some

    def _count(self) -> None:
        budget = self.budget
        budget.used += 1
        if budget.used >= budget.nodes or not budget.used & 255:
            budget.look()

    def _branches(
        self, node: Any, depth: int, alpha: int, beta: int, known: tuple[int, int, Any], *, mine: bool
    ) -> tuple[int, int, int, Any]:
        """Search the moves of a position: the best value, the proven bounds, and the move to search first next time."""
        tree = self.tree
        low, high, first = known
        some = self._promising(node)
        moves = some or tree.ordered_moves(node)
        if not moves:  # The holding of the seat to move is sealed, so no move is known.
            value = tree.estimated_value(node, self.me)
            return max(low, min(high, value if mine else -value)), low, high, None
        if first is not None and moves[0] != first:
            moves = [first, *(move for move in moves if move != first)]
        best = least = most = -INFINITE
        step, after, depth = self._step, tree.child_node, depth - 1
        for move in moves:
            child = after(node, move)
            if best > -INFINITE and beta - alpha > 1:
                # Principal variation search: a null window tells whether the move is better, then how much better.
                value, under, over = step(child, depth, alpha, alpha + 1, mine)
                if alpha < value < beta and under != over:
                    value, under, over = step(child, depth, alpha, beta, mine)
            else:
                value, under, over = step(child, depth, alpha, beta, mine)
            if under > least:
                least = under
            if over > most:
                most = over
            if value > best:
                best, first = value, move
                if best > alpha:
                    alpha = best
                if alpha >= beta:
                    most = high  # The moves that are not searched may be better still.
                    break
        low, high = max(low, least), high if some else min(high, most)
        return max(low, min(high, best)), low, high, first


def _worth(each: tuple[Bounds, Any, Any]) -> int:
    return each[0].value

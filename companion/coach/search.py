"""The one search: alpha-beta with iterative deepening and a table of positions (Knuth and Moore 1975, Marsland 1986).

Beside the guess that it goes by, it keeps for each position what is proven: a lower and an upper bound of what the
round ends in, which no horizon and no guess has touched. Where the two meet the value is certain.

Within the search values are from the side to move: `me`, or all others together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.coach.budget import INFINITE, Spent

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from companion.coach.budget import Budget
    from companion.game.coach import Tree

DEEPEST = 64
"""No search looks further ahead, in plies."""
LARGEST = 100_000
"""So many positions are remembered: about 45 MiB."""


class Bounds(NamedTuple):
    """The value of a position as it was found, and what is proven of it."""

    value: int
    low: int
    high: int

    @property
    def proven(self) -> bool:
        """Whether the value is certain."""
        return self.low == self.high


class Ranked(NamedTuple):
    """A move as the rules have it, with what is known of the position after it, for the seat that makes it."""

    move: Any
    value: int
    low: int
    high: int


_Entry = tuple[int, int, int, int, int, Any]
"""Of a position, from the side to move: proven bounds; a depth, and bounds that hold at it; the best move there."""
Table = dict[Any, _Entry]


class Search:
    """Searches one tree for one side, `me` against all others; its table lasts from one position to the next.

    A table may be shared by searches of a round of two whose trees hold the same positions, whoever is `me`. A `narrow`
    search looks at promising moves alone, and so further ahead; what the others lead to stays open.
    """

    def __init__(
        self, tree: Tree[Any, Any], me: int, budget: Budget, table: Table | None = None, *, narrow: bool = False
    ) -> None:
        self.tree = tree
        self.narrow = narrow
        self.me = me
        self.budget = budget
        self._some = False  # Whether moves were passed over.
        self._met = 0  # How many positions were met for the first time.
        self.depth = 0  # The plies that the last search has looked ahead, whole.
        self._table: Table = {} if table is None else table
        self._kinds: dict[Any, Hashable] = {}

    def find(self, node: Any, alpha: int = -INFINITE, beta: int = INFINITE, deepest: int = DEEPEST) -> Bounds:
        """What a position is worth to `me`: a ply deeper each time, until it is proven or all is spent.

        With `alpha` and `beta` only what lies between them is told apart.
        """
        found = self._static(node)
        self.depth = 0
        try:
            while self.depth < deepest and not found.proven and found.low < beta and found.high > alpha:
                found = Bounds(*self._step(node, self.depth + 1, alpha, beta, True))
                self.depth += 1
        except Spent:
            known = self._known(node)
            found = Bounds(max(known.low, min(known.high, found.value)), known.low, known.high)
        return found

    def rank(
        self, node: Any, few: int, deepest: int = DEEPEST, kind: Callable[[Any], Hashable] | None = None
    ) -> list[Ranked]:
        """The moves of a position where `me` is to move, best first; only those of the first `few` are told apart.

        With `kind`, which is asked of moves as the rules have them, it is the best of each of the first few kinds that
        are. At least one ply is looked ahead, even where all is spent. A narrow search tells promising
        moves alone.
        """
        moves = self._promising(node) or self.tree.moves(node)
        self._kinds = {} if kind is None else {move: kind(self.tree.named(node, move)) for move in moves}
        found = [(move, self.tree.after(node, move)) for move in moves]
        ranked = sorted(((self._static(child), move, child) for move, child in found), key=_worth, reverse=True)
        self.depth = 1
        try:
            while self.depth < deepest and not self._settled(ranked, few):
                before = self._met
                ranked = self._row(ranked, few)
                self.depth += 1
                if self._some and self._met == before and self.depth > 2:
                    break  # It has looked at all there is for it to the end of the round.
        except Spent:
            ranked = [(self._proven(child, bounds), move, child) for bounds, move, child in ranked]
            ranked.sort(key=_worth, reverse=True)
        return [Ranked(self.tree.named(node, move), *bounds) for bounds, move, _ in ranked]

    def _row(self, ranked: Sequence[tuple[Bounds, Any, Any]], few: int) -> list[tuple[Bounds, Any, Any]]:
        """Every move looked at a ply deeper than before; those that cannot get among the first `few` but roughly."""
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
        """Whether looking further would change nothing: the first few are proven, and no other can be better."""
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
        """What is known of a position without looking ahead, for `me`."""
        low, high = self.tree.bounds(node, self.me)
        return Bounds(max(low, min(high, self.tree.value(node, self.me))), low, high)

    def _known(self, node: Any) -> Bounds:
        """The proven bounds of a position that the table has, for `me`; the value is not to be used."""
        entry = self._table.get(self.tree.key(node))
        if entry is None:
            return self._static(node)
        low, high = entry[:2] if self.tree.turn(node) == self.me else (-entry[1], -entry[0])
        return Bounds(low, low, high)

    def _proven(self, node: Any, found: Bounds) -> Bounds:
        """The bounds of an earlier depth, with what has been proven since."""
        known = self._known(node)
        low, high = max(found.low, known.low), min(found.high, known.high)
        return Bounds(max(low, min(high, found.value)), low, high)

    def _step(self, node: Any, depth: int, alpha: int, beta: int, mine: bool) -> tuple[int, int, int]:
        """`_walk` for the side that `mine` names, whoever is to move in `node`."""
        if (self.tree.turn(node) == self.me) == mine:
            return self._walk(node, depth, alpha, beta, mine)
        value, low, high = self._walk(node, depth, -beta, -alpha, not mine)
        return -value, -high, -low

    def _walk(self, node: Any, depth: int, alpha: int, beta: int, mine: bool) -> tuple[int, int, int]:
        """A position's value within a window, and its proven bounds, for the side to move. Raises Spent.

        `mine` is whether that is `me`.
        """
        key = self.tree.key(node)
        entry = self._table.get(key)
        if entry is None:
            low, high, first = *self._fresh(node, mine), None
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
            self._count()  # Its moves are listed again, which takes as long as for a new one.
        if not depth:
            value = self.tree.value(node, self.me)
            if not mine:
                value = -value
            return (low if value < low else high if value > high else value), low, high
        best, low, high, first = self._branches(node, depth, alpha, beta, (low, high, first), mine)
        if len(self._table) >= LARGEST:
            self._table.clear()
        self._table[key] = (low, high, depth, low if best <= alpha else best, high if best >= beta else best, first)
        return best, low, high

    def _fresh(self, node: Any, mine: bool) -> tuple[int, int]:
        """The bounds of a position that is met for the first time; it counts. Raises Spent."""
        self._count()
        self._met += 1
        low, high = self.tree.bounds(node, self.me)
        return (low, high) if mine else (-high, -low)

    def _promising(self, node: Any) -> Sequence[Any]:
        """The moves of a narrow search where they are but some; () for all."""
        some = self.tree.promising(node) if self.narrow else ()
        self._some = self._some or bool(some)
        return some

    def _count(self) -> None:
        budget = self.budget
        budget.used += 1
        if budget.used >= budget.nodes or not budget.used & 255:
            budget.look()

    def _branches(
        self, node: Any, depth: int, alpha: int, beta: int, known: tuple[int, int, Any], mine: bool
    ) -> tuple[int, int, int, Any]:
        """The moves of a position: the best value, the proven bounds, and the move to look at first next time."""
        tree = self.tree
        low, high, first = known
        some = self._promising(node)
        moves = some or tree.moves(node)
        if not moves:  # What is held there is sealed.
            value = tree.value(node, self.me)
            return max(low, min(high, value if mine else -value)), low, high, None
        if first is not None and moves[0] != first:
            moves = [first, *(move for move in moves if move != first)]
        best = least = most = -INFINITE
        step, after, depth = self._step, tree.after, depth - 1
        for move in moves:
            child = after(node, move)
            if best > -INFINITE and beta - alpha > 1:
                # All but the first are asked whether they are better, and how much better only where they are.
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
                    most = high  # The other moves may be better still.
                    break
        low, high = max(low, least), high if some else min(high, most)
        return max(low, min(high, best)), low, high, first


def _worth(each: tuple[Bounds, Any, Any]) -> int:
    return each[0].value

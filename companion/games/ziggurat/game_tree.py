"""The game tree of Ziggurat for the search, with every hand open and as few objects in a node as possible.

Values are in half points: twice the lead in points, plus or minus 1 for holding fewer or more dominoes, which decides
between equal points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from operator import itemgetter

from companion.games.api.coach import Tree
from companion.games.ziggurat.grid import (
    NEIGHBOUR_GETTERS,
    PAIRS,
    count_pairs_within,
    free_base_pairs,
    is_base_complete,
    pairs_within,
)
from companion.games.ziggurat.pieces import DOMINO_BITS, DOUBLE_TWELVE, Move, dominoes_of_bits, moves_of_domino
from companion.games.ziggurat.state import NO_PIP, State

POINT_VALUE = 2
MAX_VALUE = 1_000_000
"""In half points: more than any lead can be."""
MAX_PROMISING_MOVES = 12
"""The most plays of a position that count as promising."""

Node = tuple[int, int, bytes, int, int, tuple[int, ...], tuple[int, ...]]
"""A position as a tuple, in this order:

1. the seat to move, 0 when the round is over;
2. the level;
3. the top pips, `_NO_PIP` for a vacant square;
4. `ground` and
5. `built_on_level`, masks as in ``state.State``;
6. the dominoes held by each seat, as bits;
7. the points of each seat.
"""
GameTree = Tree[Node, Move]

_NO_PIP = 255
_DOMINO_BITS = tuple(tuple(DOMINO_BITS[low, high] for high in range(13)) for low in range(13))
_DOMINOES_WITH_PIP = tuple(sum(_DOMINO_BITS[pip][other] for other in range(13)) for pip in range(13))
# Pip → the dominoes that have it.
_OTHER_PIP = {
    (_DOMINO_BITS[pip][other], pip): other for domino in DOUBLE_TWELVE for pip, other in (domino, domino[::-1])
}
# A domino and one of its pips → the other one.


class DominoTree(GameTree):
    """The game tree of a round with every hand open."""

    def __init__(self, state: State) -> None:
        self._solid = state.is_solid
        hands = tuple((bits or 0) & ~state.played_bits for bits in state.dealt_bits)
        pips = bytes(_NO_PIP if pip == NO_PIP else pip for pip in state.top_pips)
        seat = state.to_move or 0
        super().__init__((seat, state.level, pips, state.ground, state.built_on_level, hands, state.scores), MAX_VALUE)

    def seat_to_move(self, node: Node) -> int:
        return node[0]

    def ordered_moves(self, node: Node) -> Sequence[Move]:
        """All plays, those with the most points first; of first plays, those that fewest dominoes of others match."""
        if not node[4] and node[1] == 1:
            others = sum(hand for seat, hand in enumerate(node[5], 1) if seat != node[0])
            return sorted(
                self.all_moves(node),
                key=lambda move: (others & (_DOMINOES_WITH_PIP[move.p] | _DOMINOES_WITH_PIP[move.q])).bit_count(),
            )
        if node[1] == 1:
            scored = [(_points_on_base(node[2], move), move) for move in self.all_moves(node)]
            return [move for _, move in sorted(scored, key=itemgetter(0), reverse=True)]
        scoring = _scoring_moves(node)
        listed = set(scoring)
        return scoring + [move for move in self.all_moves(node) if move not in listed]

    def promising_moves(self, node: Node) -> Sequence[Move]:
        """At most `MAX_PROMISING_MOVES` plays; () for all, if a level above the base has no more than that.

        On the base these are, for each domino and number of points, the first play, most points first. Later, first
        come plays that score, then plays that cover a pair of pips which the next seat could match with both halves.
        """
        if node[1] == 1:
            return _promising_on_base(node[2], free_base_pairs(node[4], self._solid), node[5][node[0] - 1])[
                :MAX_PROMISING_MOVES
            ]
        scoring = _scoring_moves(node)
        if len(scoring) < MAX_PROMISING_MOVES:
            listed = set(scoring)
            rest = [move for move in self.all_moves(node) if move not in listed]
            if len(scoring) + len(rest) <= MAX_PROMISING_MOVES:
                return ()
            pips, hand = node[2], node[5][node[0] % len(node[5])]
            scoring += sorted(rest, key=lambda move: not hand & _DOMINO_BITS[pips[move.first]][pips[move.second]])
        return scoring[:MAX_PROMISING_MOVES]

    def all_moves(self, node: Node) -> Iterator[Move]:
        """All moves of a position, not ordered by how good they are."""
        seat, level, _, ground, built, hands, _ = node
        free = free_base_pairs(built, self._solid) if level == 1 else pairs_within(ground)
        rows = [row for domino in dominoes_of_bits(hands[seat - 1]) for row in moves_of_domino(domino)]
        if len(free) == 1:
            return iter([row[free[0]] for row in rows])
        return chain.from_iterable(map(itemgetter(*free), rows))

    def child_node(self, node: Node, move: Move) -> Node:
        """The same as `Rules.play_move`, on nodes."""
        seat, level, pips, ground, built, hands, scores = node
        p, q, first, second = move
        index = seat - 1
        points = _points_on_base(pips, move) if level == 1 else ((p == pips[first]) + (q == pips[second])) * level
        if points:
            scores = (*scores[:index], scores[index] + points, *scores[seat:])
        hands = (*hands[:index], hands[index] ^ _DOMINO_BITS[p][q], *hands[seat:])
        top = bytearray(pips)
        top[first], top[second] = p, q
        mask = 1 << first | 1 << second
        ground ^= mask
        built |= mask
        is_over = not hands[-1]  # All seats held the same number, so the last seat runs out last.
        if is_base_complete(built, self._solid) if level == 1 else not count_pairs_within(ground):
            level, ground, built = level + 1, built, 0
            is_over = is_over or count_pairs_within(ground) == 1
        return 0 if is_over else seat % len(hands) + 1, level, bytes(top), ground, built, hands, scores

    def estimated_value(self, node: Node, seat: int) -> int:
        """The lead, corrected by the best play of the seat to move, and by half of that of the seat after it."""
        seat_to_move, lead = node[0], _lead(node, seat)
        if not seat_to_move:
            return lead
        next_seat = seat_to_move % len(node[5]) + 1
        own, other = POINT_VALUE * _best_points(node, seat_to_move), _best_points(node, next_seat) * POINT_VALUE // 2
        return (
            lead
            + (own if seat_to_move == seat else -own)
            - (other if seat_to_move == seat else -other if next_seat == seat else 0)
        )


def _points_on_base(pips: bytes, move: Move) -> int:
    """The points of a play on level 1."""
    return (move.p in NEIGHBOUR_GETTERS[move.first](pips)) + (move.q in NEIGHBOUR_GETTERS[move.second](pips))


def _promising_on_base(pips: bytes, free: Sequence[int], hand: int) -> list[Move]:
    """For each domino and number of points its first play on the free pairs, most points first.

    The pairs are bits of a mask, since a hand has a thousand plays and more.
    """
    # Top pip → the pairs that have it beside their first or second square.
    pairs_by_first_pip, pairs_by_second_pip = [0] * 256, [0] * 256
    for at, place in enumerate(free):
        first, second = PAIRS[place]
        for pip in NEIGHBOUR_GETTERS[first](pips):
            pairs_by_first_pip[pip] |= 1 << at
        for pip in NEIGHBOUR_GETTERS[second](pips):
            pairs_by_second_pip[pip] |= 1 << at
    all_pairs = (1 << len(free)) - 1
    moves_by_points: tuple[list[Move], list[Move], list[Move]] = [], [], []
    for domino in dominoes_of_bits(hand):
        low, high = domino
        points_wanted = 7  # A bit for each number of points for which the domino has no play yet.
        for row, one, other in zip(
            moves_of_domino(domino),
            (pairs_by_first_pip[low], pairs_by_second_pip[low]),
            (pairs_by_second_pip[high], pairs_by_first_pip[high]),
            strict=False,
        ):
            for points, places in ((2, one & other), (1, one ^ other), (0, all_pairs & ~(one | other))):
                if places and points_wanted >> points & 1:
                    points_wanted ^= 1 << points
                    moves_by_points[points].append(row[free[(places & -places).bit_length() - 1]])
    return moves_by_points[2] + moves_by_points[1] + moves_by_points[0]


def _scoring_moves(node: Node) -> list[Move]:
    """The plays that score, from level 2 on: first those of which both halves score."""
    seat, _, pips, ground, _, hands, _ = node
    hand = hands[seat - 1]
    both, one = [], []
    for place in pairs_within(ground):
        a, b = PAIRS[place]
        x, y = pips[a], pips[b]
        match = hand & _DOMINO_BITS[x][y]
        if match:
            both.append(Move(x, y, a, b) if x <= y else Move(y, x, b, a))
        for pip, cell, beside in ((x, a, b), (y, b, a)):
            left = hand & _DOMINOES_WITH_PIP[pip] & ~match
            while left:
                bit = left & -left
                left ^= bit
                other = _OTHER_PIP[bit, pip]
                if pip == other:
                    one.append(Move(pip, pip, a, b))
                else:
                    one.append(Move(pip, other, cell, beside) if pip < other else Move(other, pip, beside, cell))
    return both + one


def _best_points(node: Node, seat: int) -> int:
    """The points of a seat's best play now; 0 on the base, where plays score too little to matter."""
    level, pips, ground, hand = node[1], node[2], node[3], node[5][seat - 1]
    if level == 1:
        return 0
    best = 0
    for place in pairs_within(ground):
        a, b = PAIRS[place]
        x, y = pips[a], pips[b]
        if hand & _DOMINO_BITS[x][y]:
            return 2 * level
        if not best and hand & (_DOMINOES_WITH_PIP[x] | _DOMINOES_WITH_PIP[y]):
            best = level
    return best


def _lead(node: Node, seat: int) -> int:
    """The seat's lead over the best of the others in half points (sheet, Winning)."""
    hands, scores = node[5:]
    ranks = [(score, -hand.bit_count()) for score, hand in zip(scores, hands, strict=True)]
    score, held = ranks.pop(seat - 1)
    most, fewest = max(ranks)
    return POINT_VALUE * (score - most) + (held > fewest) - (held < fewest)

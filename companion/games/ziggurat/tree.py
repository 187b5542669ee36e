"""The game tree of Ziggurat for the search, with every hand open and as few objects in a node as possible.

Values are in half points: twice the lead in points, plus or minus 1 for holding fewer or more dominoes, which decides
between equal points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from operator import itemgetter

from companion.games.api.coach import Tree
from companion.games.ziggurat.grid import AROUND, PLACES, base_complete, base_places, count_pairs, pairs
from companion.games.ziggurat.pieces import BITS, DOUBLE_TWELVE, Move, plays, unpack
from companion.games.ziggurat.state import VACANT, State

POINT = 2
FAR = 1_000_000
"""In half points: more than any lead can be."""
FEW = 12
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
Line = Tree[Node, Move]

_BARE = 255
_BIT = tuple(tuple(BITS[low, high] for high in range(13)) for low in range(13))
_WITH = tuple(sum(_BIT[pip][other] for other in range(13)) for pip in range(13))
# Pip → the dominoes that have it.
_OTHER = {(_BIT[pip][other], pip): other for domino in DOUBLE_TWELVE for pip, other in (domino, domino[::-1])}
# A domino and one of its pips → the other one.


class Plays(Line):
    """The game tree of a round with every hand open."""

    def __init__(self, state: State) -> None:
        self._solid = state.solid
        hands = tuple((bits or 0) & ~state.gone for bits in state.dealt)
        pips = bytes(_BARE if pip == VACANT else pip for pip in state.pips)
        seat = state.to_move or 0
        super().__init__((seat, state.level, pips, state.ground, state.built, hands, state.scores), FAR)

    def turn(self, node: Node) -> int:
        return node[0]

    def moves(self, node: Node) -> Sequence[Move]:
        """All plays, those with the most points first; of first plays, those that fewest dominoes of others match."""
        if not node[4] and node[1] == 1:
            others = sum(hand for seat, hand in enumerate(node[5], 1) if seat != node[0])
            return sorted(self.all_moves(node), key=lambda move: (others & (_WITH[move.p] | _WITH[move.q])).bit_count())
        if node[1] == 1:
            scored = [(_on_the_base(node[2], move), move) for move in self.all_moves(node)]
            return [move for _, move in sorted(scored, key=itemgetter(0), reverse=True)]
        first = _scoring(node)
        known = set(first)
        return first + [move for move in self.all_moves(node) if move not in known]

    def promising(self, node: Node) -> Sequence[Move]:
        """At most `MAX_PROMISING_MOVES` plays; () for all, if a level above the base has no more than that.

        On the base these are, for each domino and number of points, the first play, most points first. Later, first
        come plays that score, then plays that cover a pair of pips which the next seat could match with both halves.
        """
        if node[1] == 1:
            return _first_on_the_base(node[2], base_places(node[4], self._solid), node[5][node[0] - 1])[:FEW]
        first = _scoring(node)
        if len(first) < FEW:
            known = set(first)
            rest = [move for move in self.all_moves(node) if move not in known]
            if len(first) + len(rest) <= FEW:
                return ()
            pips, hand = node[2], node[5][node[0] % len(node[5])]
            first += sorted(rest, key=lambda move: not hand & _BIT[pips[move.first]][pips[move.second]])
        return first[:FEW]

    def all_moves(self, node: Node) -> Iterator[Move]:
        """All moves of a position, not ordered by how good they are."""
        seat, level, _, ground, built, hands, _ = node
        free = base_places(built, self._solid) if level == 1 else pairs(ground)
        rows = [row for domino in unpack(hands[seat - 1]) for row in plays(domino)]
        if len(free) == 1:
            return iter([row[free[0]] for row in rows])
        return chain.from_iterable(map(itemgetter(*free), rows))

    def after(self, node: Node, move: Move) -> Node:
        """The same as `Rules.play_move`, on nodes."""
        seat, level, pips, ground, built, hands, scores = node
        p, q, first, second = move
        at = seat - 1
        points = _on_the_base(pips, move) if level == 1 else ((p == pips[first]) + (q == pips[second])) * level
        if points:
            scores = (*scores[:at], scores[at] + points, *scores[seat:])
        hands = (*hands[:at], hands[at] ^ _BIT[p][q], *hands[seat:])
        top = bytearray(pips)
        top[first], top[second] = p, q
        cells = 1 << first | 1 << second
        ground ^= cells
        built |= cells
        over = not hands[-1]  # All seats held the same number, so the last seat runs out last.
        if base_complete(built, self._solid) if level == 1 else not count_pairs(ground):
            level, ground, built = level + 1, built, 0
            over = over or count_pairs(ground) == 1
        return 0 if over else seat % len(hands) + 1, level, bytes(top), ground, built, hands, scores

    def value(self, node: Node, seat: int) -> int:
        """The lead, corrected by the best play of the seat to move, and by half of that of the seat after it."""
        turn, lead = node[0], _lead(node, seat)
        if not turn:
            return lead
        following = turn % len(node[5]) + 1
        own, other = POINT * _best(node, turn), _best(node, following) * POINT // 2
        return lead + (own if turn == seat else -own) - (other if turn == seat else -other if following == seat else 0)


def _on_the_base(pips: bytes, move: Move) -> int:
    """The points of a play on level 1."""
    return (move.p in AROUND[move.first](pips)) + (move.q in AROUND[move.second](pips))


def _first_on_the_base(pips: bytes, free: Sequence[int], hand: int) -> list[Move]:
    """For each domino and number of points its first play on the free pairs, most points first.

    The pairs are bits of a mask, since a hand has a thousand plays and more.
    """
    near, beyond = [0] * 256, [0] * 256  # Top pip → the pairs that have it beside their first or second square.
    for at, place in enumerate(free):
        first, second = PLACES[place]
        for pip in AROUND[first](pips):
            near[pip] |= 1 << at
        for pip in AROUND[second](pips):
            beyond[pip] |= 1 << at
    whole = (1 << len(free)) - 1
    found: tuple[list[Move], list[Move], list[Move]] = [], [], []
    for domino in unpack(hand):
        low, high = domino
        left = 7  # A bit for each number of points for which the domino has no play yet.
        for row, one, other in zip(plays(domino), (near[low], beyond[low]), (beyond[high], near[high]), strict=False):
            for points, places in ((2, one & other), (1, one ^ other), (0, whole & ~(one | other))):
                if places and left >> points & 1:
                    left ^= 1 << points
                    found[points].append(row[free[(places & -places).bit_length() - 1]])
    return found[2] + found[1] + found[0]


def _scoring(node: Node) -> list[Move]:
    """The plays that score, from level 2 on: first those of which both halves score."""
    seat, _, pips, ground, _, hands, _ = node
    hand = hands[seat - 1]
    both, one = [], []
    for place in pairs(ground):
        a, b = PLACES[place]
        x, y = pips[a], pips[b]
        match = hand & _BIT[x][y]
        if match:
            both.append(Move(x, y, a, b) if x <= y else Move(y, x, b, a))
        for pip, cell, beside in ((x, a, b), (y, b, a)):
            left = hand & _WITH[pip] & ~match
            while left:
                bit = left & -left
                left ^= bit
                other = _OTHER[bit, pip]
                if pip == other:
                    one.append(Move(pip, pip, a, b))
                else:
                    one.append(Move(pip, other, cell, beside) if pip < other else Move(other, pip, beside, cell))
    return both + one


def _best(node: Node, seat: int) -> int:
    """The points of a seat's best play now; 0 on the base, where plays score too little to matter."""
    level, pips, ground, hand = node[1], node[2], node[3], node[5][seat - 1]
    if level == 1:
        return 0
    most = 0
    for place in pairs(ground):
        a, b = PLACES[place]
        x, y = pips[a], pips[b]
        if hand & _BIT[x][y]:
            return 2 * level
        if not most and hand & (_WITH[x] | _WITH[y]):
            most = level
    return most


def _lead(node: Node, seat: int) -> int:
    """The seat's lead over the best of the others in half points (sheet, Winning)."""
    hands, scores = node[5:]
    ranks = [(score, -hand.bit_count()) for score, hand in zip(scores, hands, strict=True)]
    score, held = ranks.pop(seat - 1)
    most, fewest = max(ranks)
    return POINT * (score - most) + (held > fewest) - (held < fewest)

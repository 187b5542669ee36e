"""What the FIDE (Dutch) System asks of a bracket's pairs, as weights of a matching (FIDE Handbook C.04.3, 3 and 4).

A weight is a list of numbers, the most important first; the weights of all pairs of a round are added up. The numbers
are packed into one integer with room enough for every sum, so a matching of maximum weight is exact.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from companion.hall.tournament.pairs.entrants import Entrant, Float, NoPairing, starter
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Pair = tuple[Entrant, Entrant]
    Order = Callable[[Entrant, Entrant], tuple[int, ...] | None]

BYE = Entrant(0, -1)
"""Whoever is paired with it has a bye."""


class Field:
    """A bracket, and all below it, whom its pairs must leave a pairing.

    Args:
        left: all who are not paired yet, the best first.
        floaters: those of the bracket who are left from the bracket above, the best first.
        residents: those of the bracket who have its points.
        top: whoever has more points than this, in halves, may meet all [C3]; None for nobody.
        again: whether some may meet once more, or have a second bye; then as few as possible do.
    """

    def __init__(
        self, left: list[Entrant], floaters: list[Entrant], residents: list[Entrant], top: int | None, *, again: bool
    ) -> None:
        self.residents = residents
        self._again = again
        self.bracket = [*floaters, *residents]
        self._floaters = floaters
        self._inside = set(self.bracket)
        below = [each for each in left if each not in self._inside]
        self._next = {each for each in below if each.points == below[0].points}
        self._all = [*left, BYE] if len(left) % 2 else left
        self._top = top
        levels = sorted({each.points for each in left})
        self._level = {points: len(left).bit_length() * n for n, points in enumerate(levels)}
        self._settled: set[Entrant] = set()
        self._edges = {
            (one, other): self._wanted(one, other)
            for n, one in enumerate(self._all)
            for other in self._all[n + 1 :]
            if self._may_meet(one, other)
        }

    def is_floater(self, one: Entrant) -> bool:
        """Whether a player came from the bracket above."""
        return one in self._floaters

    def settle(self, pairs: list[Pair]) -> None:
        """From now on these pairs stand, and no other pair has a player from above in it."""
        gone = {each for pair in pairs for each in pair}
        self._settled |= gone
        self._edges = {
            (one, other): wanted
            for (one, other), wanted in self._edges.items()
            if one not in gone and other not in gone and not (self.is_floater(one) and other in self._inside)
        }

    def matched(self, order: Order) -> list[Pair]:
        """The best pairs of the bracket; `order` decides between pairs that are as good, None rules one out.

        Raises NoPairing.
        """
        import networkx  # It takes memory and a moment, and only a tournament needs it.

        edges = []
        for (one, other), wanted in self._edges.items():
            behind = order(one, other) if one in self._inside and other in self._inside else ()
            if behind is not None:
                edges.append((one, other, (*wanted, *behind)))
        graph = networkx.Graph()  # Its nodes are numbers, which are looked up faster than players.
        graph.add_nodes_from(each.number for each in self._all if each not in self._settled)
        graph.add_weighted_edges_from(_packed(edges))
        found = networkx.max_weight_matching(graph, maxcardinality=True)
        if 2 * len(found) < len(graph):
            strictly = "no pairing is left in which nobody meets twice and nobody has a second bye"
            raise NoPairing(text("no pairing is left" if self._again else strictly))
        place = {each.number: n for n, each in enumerate(self.bracket)}
        inside = sorted(sorted((place[one], place[other])) for one, other in found if one in place and other in place)
        return [(self.bracket[one], self.bracket[other]) for one, other in inside]

    # -- the order among pairs that are as good -----------------------------------------------------------------

    def by_floaters(self, one: Entrant, other: Entrant) -> tuple[int, ...]:
        """Those from above who are paired: the best of them; then the best opponents, for the best of them first."""
        if one not in self._floaters:
            return 0, 0
        place = len(self._floaters) - self._floaters.index(one)
        digits = len(self.residents).bit_length()
        return 1 << place, -self.residents.index(other) << (digits * place)

    def by_exchange(self, rest: Sequence[Entrant], count: int) -> Order:
        """As few as possible change the half that they are in, then those near the middle (C.04.3, 4.3)."""
        place = {each: n for n, each in enumerate(rest, 1)}

        def order(one: Entrant, other: Entrant) -> tuple[int, ...] | None:
            if one not in place or other not in place:
                return None
            upper = place[one]
            if upper > count:  # Both are of the lower half: the better one goes up.
                return -1, -upper, 0, 1 << (len(rest) - upper)
            # Whoever of the upper half is in no pair goes down too: so what stays in place is counted here.
            return 0, -upper, -(1 << upper), 0

        return order

    def by_transposition(self, upper: Sequence[Entrant], rest: Sequence[Entrant]) -> Order:
        """The best opponents of the other half for the best of the upper half first (C.04.3, 4.2)."""
        place = {each: len(upper) - n for n, each in enumerate(upper)}
        behind = {each: n for n, each in enumerate(rest) if each not in place}
        digits = len(rest).bit_length()

        def order(one: Entrant, other: Entrant) -> tuple[int, ...] | None:
            if one in place and other in behind:
                return (-behind[other] << (digits * place[one]),)
            if other in place and one in behind:
                return (-behind[one] << (digits * place[other]),)
            return None

        return order

    # -- the rules of the Handbook ------------------------------------------------------------------------------

    def _may_meet(self, one: Entrant, other: Entrant) -> bool:
        """[C1] nobody twice, [C2] one bye, [C3] who starts; of two from above neither is the other's opponent."""
        if other is BYE:
            return self._again or not one.had_bye
        if (other.number in one.met and not self._again) or other.number in one.barred:
            return False
        if one in self._floaters and other in self._floaters:
            return False
        clash = one.strength == other.strength == 3 and one.wish is other.wish
        return not clash or self._is_top(one) or self._is_top(other)

    def _is_top(self, one: Entrant) -> bool:
        return self._top is not None and one.points > self._top

    def _wanted(self, one: Entrant, other: Entrant) -> tuple[int, ...]:
        """What a pair adds, most important first; `one` is not below `other`."""
        inside = one in self._inside and other in self._inside
        following = not inside and other in self._next and (one in self._inside or one in self._next)
        bye = other is BYE
        scores = sum(1 << self._level[each.points] for each in (one, other)) if inside or following else 0
        return (
            -self._repeats(one, other) if self._again else 0,
            -one.points if bye else 0,  # [C5]
            int(inside),  # [C6]
            scores if inside else 0,  # [C7]
            int(following),  # [C8]
            scores if following else 0,
            -one.unplayed if bye and one in self._inside else 0,  # [C9]
            *(self._of_the_bracket(one, other) if inside else (0,) * 12),
        )

    def _of_the_bracket(self, one: Entrant, other: Entrant) -> tuple[int, ...]:
        """[C10] to [C21], for a pair of the bracket."""
        clash = one.wish is other.wish and one.wish is not None
        loser = self._loser(one, other) if clash else None
        must = clash and one.strength == other.strength == 3
        floats = one in self._floaters
        residents = (other,) if floats else (one, other)
        fell = [sum(each.floats[ago] is Float.DOWN for each in residents) for ago in (0, 1)]
        rose = [int(floats and other.floats[ago] is Float.UP) for ago in (0, 1)]
        level = 1 << self._level[one.points]
        again = [level * (floats and one.floats[ago] is Float.DOWN) for ago in (0, 1)]
        return (
            -int(must and loser is not None and abs(loser.balance) > 1),
            -int(must and loser is not None and loser.streak),
            -int(clash),
            -int(clash and min(one.strength, other.strength) > 1),
            fell[0], -rose[0], fell[1], -rose[1],
            again[0], -level * rose[0], again[1], -level * rose[1],
        )  # fmt: skip

    def _repeats(self, one: Entrant, other: Entrant) -> int:
        """How often two have met, or whether one had a bye."""
        return int(one.had_bye) if other is BYE else one.met.count(other.number)

    def _loser(self, one: Entrant, other: Entrant) -> Entrant:
        """Of two who wish the same, the one who does not get it."""
        first = starter(one, other)
        second = other if first is one else one
        return second if one.wish else first


def _packed(edges: list[tuple[Entrant, Entrant, tuple[int, ...]]]) -> list[tuple[int, int, int]]:
    """The weights as integers: each number has room for the sum of all."""
    columns = list(zip_longest(*(wanted for _, _, wanted in edges), fillvalue=0))
    sums = [sum(abs(number) for number in column) for column in columns]
    widths = [total.bit_length() + 1 for total in sums]
    packed = []
    for one, other, wanted in edges:
        weight = 0
        for number, width in zip_longest(wanted, widths, fillvalue=0):
            weight = (weight << width) + number
        packed.append((one.number, other.number, weight))
    return packed

"""The position in Ziggurat: how a round is set up, how it stands, who sees what; `ziggurat` plays it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from companion.game import Holding, Refused
from companion.games.ziggurat.grid import AREA, EVERYWHERE, base_places, pairs
from companion.games.ziggurat.pieces import BITS, Domino, dominoes, unpack

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

VACANT = -1
"""The top pip of a cell on which nothing lies."""


class State(NamedTuple):
    """A position; cells and masks are those of `companion.games.ziggurat.grid`.

    `top` is the highest pip of the set, `solid` whether the base may have no gaps, `level` the one being built (1 is
    the base), `pips` what each of the 49 cells shows from above. Three masks tell what lies where: `ground` the cells
    exactly level−1 high, `built` those covered on this level, `below` those covered on each level before it.
    `sizes` are the numbers of dominoes held, `dealt` the bits of those dealt into each open hand, None for a sealed
    one, and `gone` the bits of those on the table: what is dealt and not gone is held.
    """

    top: int
    solid: bool
    sizes: tuple[int, ...]
    dealt: tuple[int | None, ...]
    scores: tuple[int, ...]
    to_move: int | None
    level: int
    pips: tuple[int, ...]
    ground: int
    built: int
    below: tuple[int, ...]
    gone: int

    @property
    def hands(self) -> tuple[Holding[Domino], ...]:
        """The hands as the protocol has them."""
        both = zip(self.sizes, self.dealt, strict=True)
        return tuple([Holding(size, None if bits is None else unpack(bits & ~self.gone)) for size, bits in both])

    @property
    def covered(self) -> int:
        """The mask of cells on which something lies."""
        return self.below[0] if self.below else self.built

    @property
    def played(self) -> tuple[Domino, ...]:
        """The dominoes on the table, sorted."""
        return unpack(self.gone)

    @property
    def heights(self) -> tuple[int, ...]:
        """How many dominoes lie on each of the 49 cells."""
        return _heights((*self.below, self.built))

    @property
    def free(self) -> tuple[int, ...]:
        """The places that are now open, none when the round is over."""
        if self.to_move is None:
            return ()
        return base_places(self.built, self.solid) if self.level == 1 else pairs(self.ground)


@lru_cache(maxsize=64)
def _heights(layers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([sum([layer >> cell & 1 for layer in layers]) for cell in range(AREA)])


def size(kind: str, players: int, options: Mapping[str, str]) -> int:
    """The set shared out evenly, as many as possible: 7 to 45 dominoes a seat (sheet, Setting Up)."""
    top = _top(options)
    return (top + 1) * (top + 2) // 2 // players


def deal(
    players: int, options: Mapping[str, str], sample: Callable[[Sequence[Domino], int], Sequence[Domino]]
) -> dict[tuple[str, int], tuple[Domino, ...]]:
    """A hand for every seat, drawn at once from the whole set."""
    each = size("deal", players, options)
    drawn = sample(dominoes(_top(options)), each * players)
    return {("deal", seat): tuple(sorted(drawn[(seat - 1) * each : seat * each])) for seat in range(1, players + 1)}


def start(players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], tuple[Domino, ...]]) -> State:
    """The empty table, each hand open where it was dealt (sheet, Setting Up).

    Raises Refused ``deal``, naming no domino, since hands may be hidden from one another.
    """
    top, each = _top(options), size("deal", players, options)
    dealt: list[int | None] = [None] * players
    for (kind, seat), hand in deals.items():
        if kind != "deal" or not 1 <= seat <= players:
            raise Refused("deal", f"{kind} {seat}", f"the seats are 1 to {players}", "there is no such hand")
        if len(hand) != each:
            raise Refused("deal", f"{len(hand)} of {each}", f"the hand of seat {seat}", "each gets the same number")
        if max(high for _, high in hand) > top:
            raise Refused("deal", f"seat {seat}", f"the set ends at {top}-{top}", "a domino is not of this set")
        bits = 0
        for domino in hand:
            bits |= BITS[domino]
        if bits.bit_count() < each:
            raise Refused("deal", f"seat {seat}", "a domino twice", "the set has each domino once")
        for other, held in enumerate(dealt, 1):
            if held is not None and bits & held:
                raise Refused("deal", f"seat {seat}", f"seat {other} has one too", "the set has each domino once")
        dealt[seat - 1] = bits
    solid, bare = options.get("base", "solid") == "solid", (VACANT,) * AREA
    return State(top, solid, (each,) * players, tuple(dealt), (0,) * players, 1, 1, bare, EVERYWHERE, 0, (), 0)


def view(state: State, seat: int | None) -> State:
    """The position with the hands of all other seats sealed."""
    return state._replace(dealt=tuple([bits if owner == seat else None for owner, bits in enumerate(state.dealt, 1)]))


def _top(options: Mapping[str, str]) -> int:
    """The highest pip of the set."""
    return int(options.get("set", "6"))

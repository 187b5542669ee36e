"""The position in Ziggurat: setting up, the state, and what each seat sees. `rules` adds the moves."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.games import api
from companion.games.api import Holding, who_is_in
from companion.games.ziggurat.grid import AREA, CELLS, EVERYWHERE, base_places, pairs
from companion.games.ziggurat.pieces import BITS, Domino, Move, Refused, dominoes, unpack

VACANT = -1
"""The top pip of a square on which nothing lies."""


class State(NamedTuple):
    """A position. Squares and masks are those of `grid`; sets of dominoes are bits as in ``pieces.DOMINO_BITS``.

    Args:
        highest_pip: the highest pip of the set: 6, 9 or 12.
        is_solid: whether the base may have no gaps.
        sizes: how many dominoes each seat holds.
        dealt_bits: the dominoes dealt into each open hand, including played ones; None for a sealed hand.
        scores: the points of each seat.
        to_move: the seat to move, from 1; None when the round is over.
        level: the level that is being built; the base is level 1.
        top_pips: the top pip of each of the 49 squares, `NO_PIP` for none.
        ground: the mask of the squares that are exactly level-1 high.
        built_on_level: the mask of the squares covered on this level.
        built_below: the masks of the squares covered on each lower level, the base first.
        played_bits: the dominoes on the table.
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
        """The hands as holdings, by seat."""
        both = zip(self.sizes, self.dealt, strict=True)
        return tuple([Holding(size, None if bits is None else unpack(bits & ~self.gone)) for size, bits in both])

    @property
    def covered(self) -> int:
        """The mask of the squares that are not vacant."""
        return self.below[0] if self.below else self.built

    @property
    def played(self) -> tuple[Domino, ...]:
        """The dominoes on the table, sorted."""
        return unpack(self.gone)

    @property
    def heights(self) -> tuple[int, ...]:
        """How many dominoes lie on each of the 49 squares."""
        return _heights((*self.below, self.built))

    @property
    def free(self) -> tuple[int, ...]:
        """The pairs of squares where a domino can be laid now, as indices of `PAIRS`; () when the round is over."""
        if self.to_move is None:
            return ()
        return base_places(self.built, self.solid) if self.level == 1 else pairs(self.ground)


@lru_cache(maxsize=64)
def _heights(layers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([sum([layer >> cell & 1 for layer in layers]) for cell in range(AREA)])  # noqa: C419  # A list is faster.


_NUM = "(0|[1-9][0-9]{0,2})"
_EVENT = re.compile(rf"{_NUM}[ \t]*-[ \t]*{_NUM}[ \t,]*([A-Ga-g][1-7])[ \t,]*([A-Ga-g][1-7])")
_DOMINO = re.compile(f"{_NUM}-{_NUM}")
_APART = re.compile(r"[ \t,]+")
_CELL = {written: cell for cell, name in enumerate(CELLS) for written in (name, name.upper())}


@lru_cache(maxsize=256)
def _read_domino(text: str) -> Domino:
    """Parse a domino like ``6-3``. Raises RefusedError ``syntax``."""
    match = _DOMINO.fullmatch(text)
    if match is None:
        raise Refused("syntax domino", said=text[:22])
    return Domino(*sorted(map(int, match.groups())))


class SetUp(api.Rules[State, Move]):
    """The part of the rules about setting up a round, writing hands, and what each seat sees of them."""

    def read(self, text: str) -> Move:
        """``3-6 e4d4``; squares may be in capitals, with blanks, tabs or commas between them."""
        match = _EVENT.fullmatch(text)
        if match is None:
            raise Refused("syntax", said=text[:22])
        p, q, first, second = match.groups()
        return Move(int(p), int(q), _CELL[first], _CELL[second])

    def read_deal(self, text: str, kind: str, options: Mapping[str, str]) -> tuple[Domino, ...]:
        """Dominoes separated by blanks, tabs or commas."""
        return tuple(sorted(map(_read_domino, _APART.split(text)))) if text else ()

    def write_deal(self, pieces: Sequence[Domino]) -> str:
        """The dominoes with a blank between two: ``0-3 6-6``."""
        return " ".join(map(str, pieces))

    def size(self, kind: str, players: int, options: Mapping[str, str]) -> int:
        """The whole set is shared equally, which gives each seat 7 to 45 dominoes (sheet, Setting Up)."""
        top = _top(options)
        return (top + 1) * (top + 2) // 2 // players

    def deal(
        self, players: int, options: Mapping[str, str], sample: Callable[[Sequence[Domino], int], Sequence[Domino]]
    ) -> dict[tuple[str, int], tuple[Domino, ...]]:
        """`sample` is called once, for all hands together."""
        each = self.size("deal", players, options)
        drawn = sample(dominoes(_top(options)), each * players)
        return {("deal", seat): tuple(sorted(drawn[(seat - 1) * each : seat * each])) for seat in range(1, players + 1)}

    def start(
        self, players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], tuple[Domino, ...]]
    ) -> State:
        """No domino has been laid (sheet, Setting Up).

        Raises RefusedError ``deal`` for hands that cannot all exist. It never names a domino, since hands are hidden.
        """
        top, each = _top(options), self.size("deal", players, options)
        dealt: list[int | None] = [None] * players
        for (kind, seat), hand in deals.items():
            if kind != "deal" or not 1 <= seat <= players:
                raise Refused("deal seat", kind=kind, seat=seat, players=players)
            if len(hand) != each:
                raise Refused("deal size", dominoes=len(hand), size=each, who=who_is_in(seat))
            if max(high for _, high in hand) > top:
                raise Refused("deal set", who=who_is_in(seat), top=top)
            bits = 0
            for domino in hand:
                bits |= BITS[domino]
            if bits.bit_count() < each:
                raise Refused("deal twice", who=who_is_in(seat))
            for other, held in enumerate(dealt, 1):
                if held is not None and bits & held:
                    raise Refused("deal both", who=who_is_in(seat), other=who_is_in(other))
            dealt[seat - 1] = bits
        solid, bare = options.get("base", "solid") == "solid", (VACANT,) * AREA
        return State(top, solid, (each,) * players, tuple(dealt), (0,) * players, 1, 1, bare, EVERYWHERE, 0, (), 0)

    def view(self, state: State, seat: int | None) -> State:
        dealt = tuple([bits if owner == seat else None for owner, bits in enumerate(state.dealt, 1)])
        return state._replace(dealt=dealt)


def _top(options: Mapping[str, str]) -> int:
    """The highest pip of the set."""
    return int(options.get("set", "6"))

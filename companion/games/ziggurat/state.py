"""The position in Ziggurat: setting up, the state, and what each seat sees. `rules` adds the moves."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.games import api
from companion.games.api import Holding, player_in_seat
from companion.games.ziggurat.grid import ALL_SQUARES, SQUARE_COUNT, SQUARE_NAMES, free_base_pairs, pairs_within
from companion.games.ziggurat.pieces import DOMINO_BITS, Domino, Move, RefusedError, dominoes_of_bits, dominoes_of_set

NO_PIP = -1
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

    highest_pip: int
    is_solid: bool
    sizes: tuple[int, ...]
    dealt_bits: tuple[int | None, ...]
    scores: tuple[int, ...]
    to_move: int | None
    level: int
    top_pips: tuple[int, ...]
    ground: int
    built_on_level: int
    built_below: tuple[int, ...]
    played_bits: int

    @property
    def hands(self) -> tuple[Holding[Domino], ...]:
        """The hands as holdings, by seat."""
        both = zip(self.sizes, self.dealt_bits, strict=True)
        return tuple(
            [Holding(size, None if bits is None else dominoes_of_bits(bits & ~self.played_bits)) for size, bits in both]
        )

    @property
    def covered(self) -> int:
        """The mask of the squares that are not vacant."""
        return self.built_below[0] if self.built_below else self.built_on_level

    @property
    def played_dominoes(self) -> tuple[Domino, ...]:
        """The dominoes on the table, sorted."""
        return dominoes_of_bits(self.played_bits)

    @property
    def heights(self) -> tuple[int, ...]:
        """How many dominoes lie on each of the 49 squares."""
        return _heights((*self.built_below, self.built_on_level))

    @property
    def free_pairs(self) -> tuple[int, ...]:
        """The pairs of squares where a domino can be laid now, as indices of `PAIRS`; () when the round is over."""
        if self.to_move is None:
            return ()
        return free_base_pairs(self.built_on_level, self.is_solid) if self.level == 1 else pairs_within(self.ground)


@lru_cache(maxsize=64)
def _heights(layers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([sum([layer >> cell & 1 for layer in layers]) for cell in range(SQUARE_COUNT)])  # noqa: C419  # A list is faster.


_NUMBER_PATTERN = "(0|[1-9][0-9]{0,2})"
_EVENT_PATTERN = re.compile(
    rf"{_NUMBER_PATTERN}[ \t]*-[ \t]*{_NUMBER_PATTERN}[ \t,]*([A-Ga-g][1-7])[ \t,]*([A-Ga-g][1-7])"
)
_DOMINO_PATTERN = re.compile(f"{_NUMBER_PATTERN}-{_NUMBER_PATTERN}")
_SEPARATOR_PATTERN = re.compile(r"[ \t,]+")
_SQUARE_OF_NAME = {written: cell for cell, name in enumerate(SQUARE_NAMES) for written in (name, name.upper())}


@lru_cache(maxsize=256)
def _parse_domino(text: str) -> Domino:
    """Parse a domino like ``6-3``. Raises RefusedError ``syntax``."""
    match = _DOMINO_PATTERN.fullmatch(text)
    if match is None:
        raise RefusedError("syntax domino", said=text[:22])
    return Domino(*sorted(map(int, match.groups())))


class SetUpRules(api.Rules[State, Move]):
    """The part of the rules about setting up a round, writing hands, and what each seat sees of them."""

    def parse_move(self, text: str) -> Move:
        """``3-6 e4d4``; squares may be in capitals, with blanks, tabs or commas between them."""
        match = _EVENT_PATTERN.fullmatch(text)
        if match is None:
            raise RefusedError("syntax", said=text[:22])
        p, q, first, second = match.groups()
        return Move(int(p), int(q), _SQUARE_OF_NAME[first], _SQUARE_OF_NAME[second])

    def parse_deal(self, text: str, kind: str, options: Mapping[str, str]) -> tuple[Domino, ...]:
        """Dominoes separated by blanks, tabs or commas."""
        return tuple(sorted(map(_parse_domino, _SEPARATOR_PATTERN.split(text)))) if text else ()

    def format_deal(self, pieces: Sequence[Domino]) -> str:
        """The dominoes with a blank between two: ``0-3 6-6``."""
        return " ".join(map(str, pieces))

    def holding_size(self, kind: str, players: int, options: Mapping[str, str]) -> int:
        """The whole set is shared equally, which gives each seat 7 to 45 dominoes (sheet, Setting Up)."""
        top = _highest_pip(options)
        return (top + 1) * (top + 2) // 2 // players

    def deal_holdings(
        self, players: int, options: Mapping[str, str], sample: Callable[[Sequence[Domino], int], Sequence[Domino]]
    ) -> dict[tuple[str, int], tuple[Domino, ...]]:
        """`sample` is called once, for all hands together."""
        each = self.holding_size("deal", players, options)
        drawn = sample(dominoes_of_set(_highest_pip(options)), each * players)
        return {("deal", seat): tuple(sorted(drawn[(seat - 1) * each : seat * each])) for seat in range(1, players + 1)}

    def initial_state(
        self, players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], tuple[Domino, ...]]
    ) -> State:
        """No domino has been laid (sheet, Setting Up).

        Raises RefusedError ``deal`` for hands that cannot all exist. It never names a domino, since hands are hidden.
        """
        top, each = _highest_pip(options), self.holding_size("deal", players, options)
        dealt: list[int | None] = [None] * players
        for (kind, seat), hand in deals.items():
            if kind != "deal" or not 1 <= seat <= players:
                raise RefusedError("deal seat", kind=kind, seat=seat, players=players)
            if len(hand) != each:
                raise RefusedError("deal size", dominoes=len(hand), size=each, who=player_in_seat(seat))
            if max(high for _, high in hand) > top:
                raise RefusedError("deal set", who=player_in_seat(seat), top=top)
            bits = 0
            for domino in hand:
                bits |= DOMINO_BITS[domino]
            if bits.bit_count() < each:
                raise RefusedError("deal twice", who=player_in_seat(seat))
            for other, held in enumerate(dealt, 1):
                if held is not None and bits & held:
                    raise RefusedError("deal both", who=player_in_seat(seat), other=player_in_seat(other))
            dealt[seat - 1] = bits
        solid, bare = options.get("base", "solid") == "solid", (NO_PIP,) * SQUARE_COUNT
        return State(top, solid, (each,) * players, tuple(dealt), (0,) * players, 1, 1, bare, ALL_SQUARES, 0, (), 0)

    def seat_view(self, state: State, seat: int | None) -> State:
        dealt = tuple([bits if owner == seat else None for owner, bits in enumerate(state.dealt_bits, 1)])
        return state._replace(dealt_bits=dealt)


def _highest_pip(options: Mapping[str, str]) -> int:
    """The highest pip of the set."""
    return int(options.get("set", "6"))

"""The position in Prime Attactics: what each seat has, how tiles are written, dealt and drawn, and who sees which."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.games import api
from companion.games.api import Holding, make_tuple
from companion.games.api.text import plural_text, text
from companion.games.prime_attactics.tiles import (
    BLACK,
    COPIES_IN_SET,
    DOUBLE_BIT,
    NUMBER_MASK,
    SIGNS,
    Move,
    Pass,
    Play,
    Refill,
    RefusedError,
    check_double,
    tile_text,
)

HOLDING_WORDS: tuple[str, ...] = ("deal", "rack")
"""The record's words for the display and the rack."""
HOLDING_SIZES = {"full": {"deal": 8, "rack": 4}, "easy": {"deal": 5, "rack": 3}}
"""Level → the number of tiles on the display and in the rack (Set up for full game, Set up for easy play)."""


def _all_copies(level: str, rack: bool) -> tuple[int, ...]:
    return tuple(
        tile for tile, copies in COPIES_IN_SET[level].items() if (tile >= BLACK) == rack for _ in range(copies)
    )


ALL_COPIES = {(level, kind): _all_copies(level, kind == "rack") for level in HOLDING_SIZES for kind in HOLDING_WORDS}
"""(Level, holding) → the tiles that it is drawn from, every copy, sorted."""


HoldingAndUnseen = tuple[Holding[int], tuple[int, ...]]
"""A holding, and the tiles that are neither played nor in an open holding."""


class Side(NamedTuple):
    """What one seat has.

    Args:
        score: its score, 0 or more, unlimited.
        display: the coloured tiles on the table, open or sealed.
        rack: the black tiles in the rack, open or sealed.
        unseen_coloured: its coloured tiles that are neither played nor in an open holding; every copy, sorted. They are
            in the pile, or in a sealed display.
        unseen_black: the same for its black tiles and its rack.
        has_slammed: whether it has made its slam dunk.
    """

    score: int
    display: Holding[int]
    rack: Holding[int]
    unseen_coloured: tuple[int, ...]
    unseen_black: tuple[int, ...]
    has_slammed: bool


class State(NamedTuple):
    """A position.

    Args:
        level: ``full`` or ``easy``.
        sides: what each seat has.
        to_move: the seat to move, 1 or 2.
        turns: how many turns are complete, including missed ones.
        missed_turns: how many turns in a row were missed up to now, 0 to 2.
        due_refill: how many coloured and black tiles the seat to move must name by a refill before the next move.
        skipped: the seats that missed their turn after the last event.
        end_reason: why the round is over; "" while it runs.
    """

    level: str
    sides: tuple[Side, Side]
    to_move: int
    turns: int
    missed_turns: int
    due_refill: tuple[int, int]
    skipped: tuple[int, ...]
    end_reason: str


_NUMBER_PATTERN = "(?:0|[1-9][0-9]{0,2})"
_TILE_PATTERN = f"[-+x/]{_NUMBER_PATTERN}|D[-+x]"
# Without ASCII, IGNORECASE would match ``ſ`` (long s) as s and the Kelvin sign as k.
_PATTERN_FLAGS = re.ASCII | re.IGNORECASE
_PLAY_PATTERN = re.compile(rf"(@?)[ \t,]*([-+x/]{_NUMBER_PATTERN})[ \t,]*(D?)", _PATTERN_FLAGS)
_SLAM_PATTERN = re.compile(rf"(@?)[ \t,]*([-+]{_NUMBER_PATTERN})[ \t,]*(/{_NUMBER_PATTERN})", _PATTERN_FLAGS)
_INVALID_SLAM_PATTERN = re.compile(r"@(?:[-+x/][1-9](D)|[x/][1-9])/[1-9]")
_PASS_PATTERN = re.compile("pass", _PATTERN_FLAGS)
_REFILL_PATTERN = re.compile(rf"refill(?:[ \t,]+((?:(?:{_TILE_PATTERN})[ \t,]*)*))?", _PATTERN_FLAGS)
_TILES_PATTERN = re.compile(rf"[ \t,]*((?:(?:{_TILE_PATTERN})[ \t,]*)*)", _PATTERN_FLAGS)
_EACH_TILE_PATTERN = re.compile(_TILE_PATTERN, _PATTERN_FLAGS)


@lru_cache(maxsize=128)
def _parse_tile(written: str) -> int:
    written = written.lower()
    if written[0] == "d":
        return SIGNS.index(written[1]) << 11 | DOUBLE_BIT
    return SIGNS.index(written[0]) << 11 | int(written[1:])


def _shortened_text(written: str) -> str:
    return written if len(written) <= 14 else f"{written[:13]}…"


class SetUpRules(api.Rules[State, Move]):
    """The part of the rules about how many tiles are dealt, how they are written, and who sees which of them."""

    def parse_move(self, text: str) -> Move:
        """``x3``, ``@/3``, ``x7D``, ``@+2/3``, ``pass``, ``refill +5 D-``."""
        if found := _PLAY_PATTERN.fullmatch(text):
            tile = _parse_tile(found[2])
            return Play(bool(found[1]), tile, tile & ~NUMBER_MASK | DOUBLE_BIT if found[3] else 0)
        if found := _SLAM_PATTERN.fullmatch(text):
            return Play(bool(found[1]), _parse_tile(found[2]), _parse_tile(found[3]))
        if _PASS_PATTERN.fullmatch(text):
            return Pass()
        if found := _REFILL_PATTERN.fullmatch(text):
            return Refill(tuple(_parse_tile(each) for each in _EACH_TILE_PATTERN.findall(found[1] or "")))
        if found := _INVALID_SLAM_PATTERN.fullmatch(text):
            raise RefusedError("syntax double" if found[1] else "syntax sign")
        raise RefusedError("syntax", said=_shortened_text(text))

    def parse_deal(self, text: str, kind: str, options: Mapping[str, str]) -> tuple[int, ...]:
        """The tiles of a `deal` or `rack` line, sorted. `initial_state` checks whether a seat can have them."""
        if found := _TILES_PATTERN.fullmatch(text):
            return tuple(sorted(_parse_tile(each) for each in _EACH_TILE_PATTERN.findall(found[1])))
        raise RefusedError("syntax tiles", said=_shortened_text(text))

    def format_deal(self, pieces: Sequence[int]) -> str:
        """Tiles in their short written form: ``+5 D-``."""
        return " ".join(map(tile_text, pieces))

    def holding_size(self, kind: str, players: int, options: Mapping[str, str]) -> int:
        """On the display (`deal`) 8 tiles and in the `rack` 4; in the easy game 5 and 3."""
        return HOLDING_SIZES[options.get("level", "full")][kind]

    def deal_holdings(
        self, players: int, options: Mapping[str, str], sample: Callable[[Sequence[int], int], Sequence[int]]
    ) -> dict[tuple[str, int], tuple[int, ...]]:
        level = options.get("level", "full")
        drawn = (
            (kind, seat, sample(ALL_COPIES[level, kind], HOLDING_SIZES[level][kind]))
            for seat in (1, 2)
            for kind in HOLDING_WORDS
        )
        return {(kind, seat): tuple(sorted(tiles)) for kind, seat, tiles in drawn}

    def seat_view(self, state: State, seat: int | None) -> State:
        """The racks of other seats are sealed. Displays stay as they are, since everybody can see them."""
        first, second = (
            side if owner == seat else _with_sealed_rack(side) for owner, side in enumerate(state.sides, 1)
        )
        return state._replace(sides=(first, second))


def without_tile(tiles: tuple[int, ...], tile: int) -> tuple[int, ...]:
    """`tiles` without one copy of `tile`. Raises ValueError if the tile is not among them."""
    index = tiles.index(tile)
    return tiles[:index] + tiles[index + 1 :]


def refuse_impossible_deals(level: str, deals: Mapping[tuple[str, int], Sequence[int]]) -> None:
    """Raise RefusedError ``deal`` for an unknown holding, a wrong number of tiles, or tiles that the set has not."""
    for (kind, seat), pieces in deals.items():
        if kind not in HOLDING_WORDS or seat not in (1, 2):
            raise RefusedError("deal seat", kind=kind, seat=seat)
        count, holding_name = HOLDING_SIZES[level][kind], text("rack") if kind == "rack" else text("display")
        if len(pieces) != count:
            tiles = plural_text(len(pieces), "{number} tile", "{number} tiles")
            raise RefusedError("deal size", tiles=tiles, where=holding_name, count=count)
        copies = ALL_COPIES[level, kind]
        for tile in pieces:
            if tile not in copies:
                raise RefusedError("deal tile", tile=tile_text(tile), where=holding_name)
            if pieces.count(tile) > copies.count(tile):
                raise RefusedError("deal alike", tile=tile_text(tile), copies=copies.count(tile))


def initial_side(level: str, score: int, seat: int, deals: Mapping[tuple[str, int], Sequence[int]]) -> Side:
    """A seat's side at the start; a holding is open if `deals` has it.

    `deals` must have passed `refuse_impossible_deals`.
    """
    holdings, unseen = [], []
    for kind in HOLDING_WORDS:
        pieces, unseen_of_kind = deals.get((kind, seat)), ALL_COPIES[level, kind]
        for tile in pieces or ():
            unseen_of_kind = without_tile(unseen_of_kind, tile)
        holdings.append(Holding(HOLDING_SIZES[level][kind], None if pieces is None else tuple(sorted(pieces))))
        unseen.append(unseen_of_kind)
    return Side(score, holdings[0], holdings[1], unseen[0], unseen[1], False)


def take_played_tiles(side: Side, move: Play) -> tuple[Holding[int], tuple[int, ...], Holding[int], tuple[int, ...]]:
    """Take the played tiles. Returns display, unseen coloured tiles, rack and unseen black tiles after that.

    The tiles are checked in the order in which they are written. Raises RefusedError ``held`` or ``supply`` for a tile
    that the seat cannot have, and ``double-black`` for a double after a black tile.
    """
    _, tile, second_tile = move
    _, display, rack, coloured, black, _ = side
    if tile < BLACK:
        display, coloured = _take_tile(display, coloured, tile, "display")
        if 0 < second_tile < BLACK:
            display, coloured = _take_tile(display, coloured, second_tile, "display")
    else:
        rack, black = _take_tile(rack, black, tile, "rack")
        check_double(move)
    if second_tile >= BLACK:
        rack, black = _take_tile(rack, black, second_tile, "rack")
    return display, coloured, rack, black


def _take_tile(holding: Holding[int], unseen: tuple[int, ...], tile: int, holding_word: str) -> HoldingAndUnseen:
    """The holding and the unseen tiles after `tile` is taken.

    Raises RefusedError ``held`` if an open holding does not have it or the holding is empty, and ``supply`` if every
    copy of it has been played.
    """
    size, pieces = holding
    if pieces is not None:
        if tile not in pieces:
            raise RefusedError(f"held {holding_word}", tile=tile_text(tile))
        return make_tuple(Holding, (size - 1, without_tile(pieces, tile))), unseen
    if size < 1:
        raise RefusedError("held none", tile=tile_text(tile))
    if tile not in unseen:
        raise RefusedError("supply", tile=tile_text(tile))
    return Holding(size - 1, None), without_tile(unseen, tile)


def restock_or_count_refill(holding: Holding[int], full_size: int, unseen: tuple[int, ...]) -> tuple[Holding[int], int]:
    """Restock a holding (sheet, Playing the game). Returns the holding, and how many tiles a refill must name.

    A sealed holding gets back its `full_size` as long as there are tiles in the pile, and needs no refill.
    """
    size, pieces = holding
    if pieces is not None:
        return holding, min(full_size - size, len(unseen))
    return Holding(min(full_size, len(unseen)), None), 0


def split_by_kind(tiles: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The coloured tiles, and the black ones."""
    if len(tiles) == 1:
        return (tiles, ()) if tiles[0] < BLACK else ((), tiles)
    return tuple(tile for tile in tiles if tile < BLACK), tuple(tile for tile in tiles if tile >= BLACK)


def refill_holding(holding: Holding[int], unseen: tuple[int, ...], tiles: tuple[int, ...]) -> HoldingAndUnseen:
    """Add named tiles to an open holding (sheet, Playing the game, restock).

    Returns it with the unseen tiles that are left.

    Raises RefusedError ``supply`` for a tile that is not in the pile.
    """
    for tile in tiles:
        if tile not in unseen:
            raise RefusedError("supply pile", tile=tile_text(tile))
        unseen = without_tile(unseen, tile)
    pieces = tuple(sorted((holding.pieces or ()) + tiles))
    return make_tuple(Holding, (len(pieces), pieces)), unseen


def hides_tiles(side: Side) -> bool:
    """Whether the seat has a sealed holding that is not empty."""
    return any(pieces is None and size for size, pieces in (side.display, side.rack))


def _with_sealed_rack(side: Side) -> Side:
    size, pieces = side.rack
    return side._replace(rack=Holding(size, None), unseen_black=tuple(sorted(side.unseen_black + (pieces or ()))))


def unplayed_tiles(state: State, seat: int) -> tuple[int, ...]:
    """The tiles of the seat's set that are not played yet, every copy, sorted.

    Tiles in a holding and tiles in the pile are mixed, so nothing hidden is revealed.
    """
    side = state.sides[seat - 1]
    return tuple(
        sorted(side.unseen_coloured + side.unseen_black + (side.display.pieces or ()) + (side.rack.pieces or ()))
    )

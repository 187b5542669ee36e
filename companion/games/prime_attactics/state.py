"""The position in Prime Attactics: what each seat has, how tiles are written, dealt and drawn, and who sees which."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.games import api
from companion.games.api import Holding, make
from companion.games.api.text import plural_text, text
from companion.games.prime_attactics.tiles import (
    BLACK,
    DOUBLE,
    NUMBER,
    SETS,
    SIGNS,
    Move,
    Pass,
    Play,
    Refill,
    Refused,
    check_double,
    tile_text,
)

HOLDINGS: tuple[str, ...] = ("deal", "rack")
"""The record's words for the display and the rack."""
SIZES = {"full": {"deal": 8, "rack": 4}, "easy": {"deal": 5, "rack": 3}}
"""Level → the number of tiles on the display and in the rack (Set up for full game, Set up for easy play)."""


def _copies(level: str, rack: bool) -> tuple[int, ...]:
    return tuple(tile for tile, copies in SETS[level].items() if (tile >= BLACK) == rack for _ in range(copies))


COPIES = {(level, kind): _copies(level, kind == "rack") for level in SIZES for kind in HOLDINGS}
"""(Level, holding) → the tiles that it is drawn from, every copy, sorted."""


Stock = tuple[Holding[int], tuple[int, ...]]
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
    coloured: tuple[int, ...]
    black: tuple[int, ...]
    slammed: bool


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
    missed: int
    due: tuple[int, int]
    passed: tuple[int, ...]
    ended: str


_NUM = "(?:0|[1-9][0-9]{0,2})"
_TILE = f"[-+x/]{_NUM}|D[-+x]"
# Without ASCII, IGNORECASE would match ``ſ`` (long s) as s and the Kelvin sign as k.
_FLAGS = re.ASCII | re.IGNORECASE
_PLAY = re.compile(rf"(@?)[ \t,]*([-+x/]{_NUM})[ \t,]*(D?)", _FLAGS)
_SLAM = re.compile(rf"(@?)[ \t,]*([-+]{_NUM})[ \t,]*(/{_NUM})", _FLAGS)
_NO_SLAM = re.compile(r"@(?:[-+x/][1-9](D)|[x/][1-9])/[1-9]")
_PASS = re.compile("pass", _FLAGS)
_REFILL = re.compile(rf"refill(?:[ \t,]+((?:(?:{_TILE})[ \t,]*)*))?", _FLAGS)
_TILES = re.compile(rf"[ \t,]*((?:(?:{_TILE})[ \t,]*)*)", _FLAGS)
_EACH = re.compile(_TILE, _FLAGS)


@lru_cache(maxsize=128)
def _tile(text: str) -> int:
    text = text.lower()
    if text[0] == "d":
        return SIGNS.index(text[1]) << 11 | DOUBLE
    return SIGNS.index(text[0]) << 11 | int(text[1:])


def _sign_shown(text: str) -> str:
    return text if len(text) <= 14 else f"{text[:13]}…"


class SetUp(api.Rules[State, Move]):
    """The part of the rules about how many tiles are dealt, how they are written, and who sees which of them."""

    def read(self, text: str) -> Move:
        """``x3``, ``@/3``, ``x7D``, ``@+2/3``, ``pass``, ``refill +5 D-``."""
        if found := _PLAY.fullmatch(text):
            tile = _tile(found[2])
            return Play(bool(found[1]), tile, tile & ~NUMBER | DOUBLE if found[3] else 0)
        if found := _SLAM.fullmatch(text):
            return Play(bool(found[1]), _tile(found[2]), _tile(found[3]))
        if _PASS.fullmatch(text):
            return Pass()
        if found := _REFILL.fullmatch(text):
            return Refill(tuple(_tile(each) for each in _EACH.findall(found[1] or "")))
        if found := _NO_SLAM.fullmatch(text):
            raise Refused("syntax double" if found[1] else "syntax sign")
        raise Refused("syntax", said=_sign_shown(text))

    def read_deal(self, text: str, kind: str, options: Mapping[str, str]) -> tuple[int, ...]:
        """The tiles of a `deal` or `rack` line, sorted. `initial_state` checks whether a seat can have them."""
        if found := _TILES.fullmatch(text):
            return tuple(sorted(_tile(each) for each in _EACH.findall(found[1])))
        raise Refused("syntax tiles", said=_sign_shown(text))

    def write_deal(self, pieces: Sequence[int]) -> str:
        """Tiles in their short written form: ``+5 D-``."""
        return " ".join(map(tile_text, pieces))

    def size(self, kind: str, players: int, options: Mapping[str, str]) -> int:
        """On the display (`deal`) 8 tiles and in the `rack` 4; in the easy game 5 and 3."""
        return SIZES[options.get("level", "full")][kind]

    def deal(
        self, players: int, options: Mapping[str, str], sample: Callable[[Sequence[int], int], Sequence[int]]
    ) -> dict[tuple[str, int], tuple[int, ...]]:
        level = options.get("level", "full")
        drawn = ((kind, seat, sample(COPIES[level, kind], SIZES[level][kind])) for seat in (1, 2) for kind in HOLDINGS)
        return {(kind, seat): tuple(sorted(tiles)) for kind, seat, tiles in drawn}

    def view(self, state: State, seat: int | None) -> State:
        """The racks of other seats are sealed. Displays stay as they are, since everybody can see them."""
        first, second = (side if owner == seat else _sealed(side) for owner, side in enumerate(state.sides, 1))
        return state._replace(sides=(first, second))


def without(tiles: tuple[int, ...], tile: int) -> tuple[int, ...]:
    """`tiles` without one copy of `tile`. Raises ValueError if the tile is not among them."""
    index = tiles.index(tile)
    return tiles[:index] + tiles[index + 1 :]


def check_deals(level: str, deals: Mapping[tuple[str, int], Sequence[int]]) -> None:
    """Raise RefusedError ``deal`` for an unknown holding, a wrong number of tiles, or tiles that the set has not."""
    for (kind, seat), pieces in deals.items():
        if kind not in HOLDINGS or seat not in (1, 2):
            raise Refused("deal seat", kind=kind, seat=seat)
        count, where = SIZES[level][kind], text("rack") if kind == "rack" else text("display")
        if len(pieces) != count:
            tiles = plural_text(len(pieces), "{number} tile", "{number} tiles")
            raise Refused("deal size", tiles=tiles, where=where, count=count)
        there = COPIES[level, kind]
        for tile in pieces:
            if tile not in there:
                raise Refused("deal tile", tile=tile_text(tile), where=where)
            if pieces.count(tile) > there.count(tile):
                raise Refused("deal alike", tile=tile_text(tile), copies=there.count(tile))


def set_out(level: str, score: int, seat: int, deals: Mapping[tuple[str, int], Sequence[int]]) -> Side:
    """A seat's side at the start; a holding is open if `deals` has it. `deals` must have passed `check_deals`."""
    holdings, rests = [], []
    for kind in HOLDINGS:
        pieces, rest = deals.get((kind, seat)), COPIES[level, kind]
        for tile in pieces or ():
            rest = without(rest, tile)
        holdings.append(Holding(SIZES[level][kind], None if pieces is None else tuple(sorted(pieces))))
        rests.append(rest)
    return Side(score, holdings[0], holdings[1], rests[0], rests[1], False)


def taken(side: Side, move: Play) -> tuple[Holding[int], tuple[int, ...], Holding[int], tuple[int, ...]]:
    """Take the played tiles. Returns display, unseen coloured tiles, rack and unseen black tiles after that.

    The tiles are checked in the order in which they are written. Raises RefusedError ``held`` or ``supply`` for a tile
    that the seat cannot have, and ``double-black`` for a double after a black tile.
    """
    _, tile, then = move
    _, display, rack, coloured, black, _ = side
    if tile < BLACK:
        display, coloured = _take(display, coloured, tile, "display")
        if 0 < then < BLACK:
            display, coloured = _take(display, coloured, then, "display")
    else:
        rack, black = _take(rack, black, tile, "rack")
        check_double(move)
    if then >= BLACK:
        rack, black = _take(rack, black, then, "rack")
    return display, coloured, rack, black


def _take(holding: Holding[int], unaccounted: tuple[int, ...], tile: int, where: str) -> Stock:
    """The holding and the unseen tiles after `tile` is taken.

    Raises RefusedError ``held`` if an open holding does not have it or the holding is empty, and ``supply`` if every
    copy of it has been played.
    """
    size, pieces = holding
    if pieces is not None:
        if tile not in pieces:
            raise Refused(f"held {where}", tile=tile_text(tile))
        return make(Holding, (size - 1, without(pieces, tile))), unaccounted
    if size < 1:
        raise Refused("held none", tile=tile_text(tile))
    if tile not in unaccounted:
        raise Refused("supply", tile=tile_text(tile))
    return Holding(size - 1, None), without(unaccounted, tile)


def restocked(holding: Holding[int], before: int, unaccounted: tuple[int, ...]) -> tuple[Holding[int], int]:
    """Restock a holding (sheet, Playing the game). Returns the holding, and how many tiles a refill must name.

    A sealed holding gets back its `full_size` as long as there are tiles in the pile, and needs no refill.
    """
    size, pieces = holding
    if pieces is not None:
        return holding, min(before - size, len(unaccounted))
    return Holding(min(before, len(unaccounted)), None), 0


def by_kind(tiles: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The coloured tiles, and the black ones."""
    if len(tiles) == 1:
        return (tiles, ()) if tiles[0] < BLACK else ((), tiles)
    return tuple(tile for tile in tiles if tile < BLACK), tuple(tile for tile in tiles if tile >= BLACK)


def refilled(holding: Holding[int], pile: tuple[int, ...], tiles: tuple[int, ...]) -> Stock:
    """Add named tiles to an open holding (sheet, Playing the game, restock).

    Returns it with the unseen tiles that are left.

    Raises RefusedError ``supply`` for a tile that is not in the pile.
    """
    for tile in tiles:
        if tile not in pile:
            raise Refused("supply pile", tile=tile_text(tile))
        pile = without(pile, tile)
    pieces = tuple(sorted((holding.pieces or ()) + tiles))
    return make(Holding, (len(pieces), pieces)), pile


def hides(side: Side) -> bool:
    """Whether the seat has a sealed holding that is not empty."""
    return any(pieces is None and size for size, pieces in (side.display, side.rack))


def _sealed(side: Side) -> Side:
    size, pieces = side.rack
    return side._replace(rack=Holding(size, None), black=tuple(sorted(side.black + (pieces or ()))))


def to_come(state: State, seat: int) -> tuple[int, ...]:
    """The tiles of the seat's set that are not played yet, every copy, sorted.

    Tiles in a holding and tiles in the pile are mixed, so nothing hidden is revealed.
    """
    side = state.sides[seat - 1]
    return tuple(sorted(side.coloured + side.black + (side.display.pieces or ()) + (side.rack.pieces or ())))

"""The tiles of Prime Attactics, the written form of plays, and their arithmetic.

A tile is a small int: colour in bits 11–12, bit 10 set for a double, the number (0–999) in bits 0–9; 0 is "no tile".
In sorted order come green, blue, red and black tiles, each colour's double after its numbers.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.game.text import text as say
from companion.games.prime_attactics.refusals import Refused

SIGNS = "+-x/"
GREEN, BLUE, RED, BLACK = (colour << 11 for colour in range(4))
DOUBLE = 1 << 10
NUMBER = DOUBLE - 1
BLACK_DOUBLE = BLACK | DOUBLE
"""It can be written, as in ``/3D``, but no set has it."""

DOUBLES = {GREEN | DOUBLE: 4, BLUE | DOUBLE: 2, RED | DOUBLE: 3}
RANGES = {
    "full": {GREEN: (1, 7), BLUE: (1, 7), RED: (2, 7), BLACK: (2, 7)},
    "easy": {GREEN: (2, 5), BLUE: (2, 5), RED: (2, 5), BLACK: (2, 5)},
}
"""Level → colour → lowest and highest number (sheet, Game components and Set up for easy play)."""


def _set(ranges: Mapping[int, tuple[int, int]]) -> dict[int, int]:
    numbers = {colour | number: 1 for colour, (low, high) in ranges.items() for number in range(low, high + 1)}
    return dict(sorted({**numbers, **DOUBLES}.items()))


SETS: dict[str, dict[int, int]] = {level: _set(ranges) for level, ranges in RANGES.items()}
"""Level → tile, sorted → how many copies one seat's set has of it."""


class Play(NamedTuple):
    """One or two tiles played on a score: ``x3``, ``@/3``, ``x7D``, the slam dunk ``@+2/3``.

    `aimed` is whether it is on the opponent's score; `then` is 0 for none, the double of the tile's colour, or the
    black tile of a slam dunk.
    """

    aimed: bool
    tile: int
    then: int = 0

    @property
    def slam(self) -> bool:
        """Whether it is a slam dunk."""
        return self.then >= BLACK and not self.then & DOUBLE

    def __str__(self) -> str:
        then = "D" if self.then & DOUBLE else tile_text(self.then) if self.then else ""
        return f"{'@' if self.aimed else ''}{tile_text(self.tile)}{then}"


class Pass(NamedTuple):
    """A seat's claim that none of its tiles, some of them hidden, can be played."""

    def __str__(self) -> str:
        return "pass"


class Refill(NamedTuple):
    """The tiles drawn into the seat's open holdings, in the order named; () while these are still to be drawn."""

    tiles: tuple[int, ...] = ()

    def __str__(self) -> str:
        return " ".join(["refill", *map(tile_text, self.tiles)])


Move = Play | Pass | Refill

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


def tile_text(tile: int) -> str:
    """A tile as it is written: ``+5``, ``/3``, ``D-``."""
    sign = SIGNS[tile >> 11]
    return f"D{sign}" if tile & DOUBLE else f"{sign}{tile & NUMBER}"


@lru_cache(maxsize=128)
def _tile(text: str) -> int:
    text = text.lower()
    if text[0] == "d":
        return SIGNS.index(text[1]) << 11 | DOUBLE
    return SIGNS.index(text[0]) << 11 | int(text[1:])


def _sign_shown(text: str) -> str:
    return text if len(text) <= 14 else f"{text[:13]}…"


def read(text: str) -> Move:
    """Parse an event's text, without a position; `str` is the inverse. Raises Refused ``syntax``."""
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


def read_deal(text: str, kind: str, options: Mapping[str, str]) -> tuple[int, ...]:
    """Parse the tiles of a `deal` or `rack` line, sorted. Raises Refused ``syntax``.

    Whether a seat can have these tiles is checked by `rules.start`.
    """
    if found := _TILES.fullmatch(text):
        return tuple(sorted(_tile(each) for each in _EACH.findall(found[1])))
    raise Refused("syntax tiles", said=_sign_shown(text))


def write_deal(pieces: Sequence[int]) -> str:
    """The short written form of tiles, ``+5 D-``; `read_deal` is its inverse."""
    return " ".join(map(tile_text, pieces))


def check_level(level: str, move: Play) -> None:
    """Raise Refused ``level`` for a tile that the level does not have (sheet, Set up for easy play).

    A black double is left to `check_double`.
    """
    tiles = SETS[level]
    if move.tile in tiles and (not move.then or move.then in tiles):
        return
    for tile in (move.tile, move.then) if move.then else (move.tile,):
        if tile not in tiles and tile != BLACK_DOUBLE:
            sign, (low, high) = SIGNS[tile >> 11], RANGES[level][tile & ~NUMBER]
            raise Refused("level", tile=tile_text(tile), lowest=f"{sign}{low}", highest=f"{sign}{high}")


def check_double(move: Play) -> None:
    """Raise Refused ``double-black`` for a double with a black tile (sheet, Game components: no black D)."""
    if move.then == BLACK_DOUBLE:
        raise Refused("double-black", move=str(move))


def result(score: int, move: Play) -> int:
    """The score after a play of tiles that exist, on `score` (1 or more, unlimited).

    Raises Refused ``negative`` for a score below 0 (below 1 in a slam dunk), ``inexact`` for a division with a
    remainder (sheet, Playing the game and Further notes).
    """
    number, then = move.tile & NUMBER, move.then
    if move.tile < BLUE:
        score += number
    elif move.tile < RED:
        if number >= score and (number > score or move.slam):
            raise _negative(score, number, move.slam)
        score -= number
    elif move.tile < BLACK:
        score *= number
    else:
        score = _divided(score, number)
    if not then:
        return score
    if then & DOUBLE:
        return score * 2
    return _divided(score, then & NUMBER)


def _negative(score: int, number: int, slam: bool) -> Refused:
    left = score - slam
    most = say("at most {most} can be taken away", most=left) if left else say("nothing can be taken away")
    return Refused("negative slam" if slam else "negative", sum=f"{score}-{number} = {score - number}", most=most)


def _divided(score: int, number: int) -> int:
    quotient, rest = divmod(score, number)
    if rest:
        low, high = score - rest, score - rest + number
        row = "inexact" if low else "inexact small"
        raise Refused(row, sum=f"{score}÷{number}", rest=rest, low=low, high=high)
    return quotient


def arithmetic(score: int, move: Play, spaced: bool = False) -> str:
    """The left side of a play's sum: ``33×7×2``; spaced as on the score sheet: ``33 x 7 x D``."""
    signs = ("+", "-", "x", "÷") if spaced else ("+", "-", "×", "÷")
    gap = " " if spaced else ""

    def step(left: str, tile: int) -> str:
        return f"{left}{gap}{signs[tile >> 11]}{gap}{tile & NUMBER}"

    first = step(str(score), move.tile)
    if not move.then:
        return first
    # Without brackets 11 + 2 x D would mean 11 + (2 x D).
    left = f"({first})" if move.tile < RED else first
    if move.then & DOUBLE:
        return f"{left}{gap}{signs[2]}{gap}{'D' if spaced else '2'}"
    return step(left, move.then)

"""The tiles of Prime Attactics, its plays, the sentences of its refusals, and the arithmetic of a play.

A tile is a small int: colour in bits 11 and 12, bit 10 set for a double, the number (0 to 999) in bits 0 to 9; 0 is "no
tile". In sorted order come green, blue, red and black tiles, each colour's double after its numbers.
"""

from collections.abc import Mapping
from typing import NamedTuple

from companion.games import api
from companion.games.api.text import text as say

HELD_ONLY_RULE = "play only what you hold"
SLAM_FIGURE = "slam dunk"
SENTENCES = {
    "syntax": ("{said}", "not a move of this game", "moves look like x3, @/3, x7D or @+2/3"),
    "syntax tiles": ("{said}", "some of these are not tiles", "tiles look like +5, -2, x3, /4 or D+"),
    "syntax sign": (SLAM_FIGURE, "with × or ÷", "a slam dunk adds or subtracts"),
    "syntax double": (SLAM_FIGURE, "with a double", "no double in a slam dunk"),
    "deal seat": ("{kind} {seat}", "no such holding", "each seat has a display and a rack"),
    "deal size": ("{tiles}", "the {where} has {count}", "count your tiles"),
    "deal tile": ("{tile}", "not a tile of the {where}", "this tile can't be there"),
    "deal alike": ("{tile}", "a set has only {copies}", "a set does not have that many"),
    "turn": ("{move}", "you drew {drawn}", "first name the tiles you drew"),
    "turn refill": ("refill", "nothing was drawn", "a refill comes after a play"),
    "level": ("{tile}", "the set has {lowest} to {highest}", "other numbers are not in this game"),
    "held display": ("{tile}", "not on the display", HELD_ONLY_RULE),
    "held rack": ("{tile}", "not in the rack", HELD_ONLY_RULE),
    "held none": ("{tile}", "nothing left to play", HELD_ONLY_RULE),
    "supply": ("{tile}", "none left in the set", "all of yours are played"),
    "supply pile": ("{tile}", "not in your pile", "you still hold it, or have played it"),
    "double-black": ("{move}", "there is no black double", "only a coloured tile can be doubled"),
    "slam-level": (SLAM_FIGURE, "not in the {level} game", "only the full game has slam dunks"),
    "slam-target": (SLAM_FIGURE, "on your own score", "a slam dunk is for the other score"),
    "slam-once": (SLAM_FIGURE, "your second slam dunk", "each player has one slam dunk a round"),
    "slam-early": ("turn {turn}", "not before turn {first}", "slam dunks come after three turns each"),
    "negative": ("{sum}", "below 0", "a score can never be negative", "{most}"),
    "negative slam": ("{sum}", "below 1", "a slam dunk must leave something to divide", "{most}"),
    "inexact": ("{sum}", "{rest} left over", "it must divide evenly", "{low} or {high} would do"),
    "inexact small": ("{sum}", "{rest} left over", "it must divide evenly", "{high} would do"),
    "refill": ("{tiles}", "you drew {drawn}", "name every tile you drew"),
    "must-play": ("pass", "you can play", "a turn is missed only when nothing can be played"),
}
"""Code, with further words where a code has several rows → figure, conflict, rule, what is needed."""


class RefusedError(api.RefusedError):
    """A refusal of Prime Attactics, with the sentences of this game."""

    sentences = SENTENCES


SIGNS = "+-x/"
GREEN, BLUE, RED, BLACK = (colour << 11 for colour in range(4))
DOUBLE_BIT = 1 << 10
NUMBER_MASK = DOUBLE_BIT - 1
BLACK_DOUBLE = BLACK | DOUBLE_BIT
"""A black double can be written, as in ``/3D``, but no set has one."""

COPIES_OF_DOUBLES = {GREEN | DOUBLE_BIT: 4, BLUE | DOUBLE_BIT: 2, RED | DOUBLE_BIT: 3}
NUMBER_RANGES = {
    "full": {GREEN: (1, 7), BLUE: (1, 7), RED: (2, 7), BLACK: (2, 7)},
    "easy": {GREEN: (2, 5), BLUE: (2, 5), RED: (2, 5), BLACK: (2, 5)},
}
"""Level → colour → lowest and highest number (sheet, Game components and Set up for easy play)."""


def _copies_in_set(ranges: Mapping[int, tuple[int, int]]) -> dict[int, int]:
    numbers = {colour | number: 1 for colour, (low, high) in ranges.items() for number in range(low, high + 1)}
    return dict(sorted({**numbers, **COPIES_OF_DOUBLES}.items()))


COPIES_IN_SET: dict[str, dict[int, int]] = {level: _copies_in_set(ranges) for level, ranges in NUMBER_RANGES.items()}
"""Level → tile, sorted → how many copies of it are in the set of one seat."""


class Play(NamedTuple):
    """One or two tiles played on a score: ``x3``, ``@/3``, ``x7D``, the slam dunk ``@+2/3``.

    `at_other_score` says whether it is played on the opponent's score. `second_tile` is 0 for none, the double of the
    tile's colour, or the black tile of a slam dunk.
    """

    at_other_score: bool
    tile: int
    second_tile: int = 0

    @property
    def is_slam_dunk(self) -> bool:
        """Whether the play is a slam dunk."""
        return self.second_tile >= BLACK and not self.second_tile & DOUBLE_BIT

    def __str__(self) -> str:
        second = "D" if self.second_tile & DOUBLE_BIT else tile_text(self.second_tile) if self.second_tile else ""
        return f"{'@' if self.at_other_score else ''}{tile_text(self.tile)}{second}"


class Pass(NamedTuple):
    """A seat's claim that none of its tiles, some of them hidden, can be played."""

    def __str__(self) -> str:
        return "pass"


class Refill(NamedTuple):
    """The tiles drawn into the seat's open holdings, in the order in which they are named.

    While they are not drawn yet it is ().
    """

    tiles: tuple[int, ...] = ()

    def __str__(self) -> str:
        return " ".join(["refill", *map(tile_text, self.tiles)])


Move = Play | Pass | Refill


def tile_text(tile: int) -> str:
    """A tile as it is written: ``+5``, ``/3``, ``D-``."""
    sign = SIGNS[tile >> 11]
    return f"D{sign}" if tile & DOUBLE_BIT else f"{sign}{tile & NUMBER_MASK}"


def check_tiles_of_level(level: str, move: Play) -> None:
    """Raise RefusedError ``level`` for a tile that the level does not have (sheet, Set up for easy play).

    A black double is left to `check_double`.
    """
    tiles = COPIES_IN_SET[level]
    if move.tile in tiles and (not move.second_tile or move.second_tile in tiles):
        return
    for tile in (move.tile, move.second_tile) if move.second_tile else (move.tile,):
        if tile not in tiles and tile != BLACK_DOUBLE:
            sign, (low, high) = SIGNS[tile >> 11], NUMBER_RANGES[level][tile & ~NUMBER_MASK]
            raise RefusedError("level", tile=tile_text(tile), lowest=f"{sign}{low}", highest=f"{sign}{high}")


def check_double(move: Play) -> None:
    """Raise RefusedError ``double-black`` for a double with a black tile (sheet, Game components: no black D)."""
    if move.second_tile == BLACK_DOUBLE:
        raise RefusedError("double-black", move=str(move))


def result_of_play(score: int, move: Play) -> int:
    """The score after a play of tiles that exist, on `score` (1 or more, unlimited).

    Raises RefusedError ``negative`` for a score below 0 (below 1 in a slam dunk), and ``inexact`` for a division with a
    remainder (sheet, Playing the game and Further notes).
    """
    number, second_tile = move.tile & NUMBER_MASK, move.second_tile
    if move.tile < BLUE:
        score += number
    elif move.tile < RED:
        if number >= score and (number > score or move.is_slam_dunk):
            raise _negative_error(score, number, move.is_slam_dunk)
        score -= number
    elif move.tile < BLACK:
        score *= number
    else:
        score = _exact_quotient(score, number)
    if not second_tile:
        return score
    if second_tile & DOUBLE_BIT:
        return score * 2
    return _exact_quotient(score, second_tile & NUMBER_MASK)


def _negative_error(score: int, number: int, is_slam_dunk: bool) -> RefusedError:
    maximum = score - is_slam_dunk
    most = say("at most {most} can be taken away", most=maximum) if maximum else say("nothing can be taken away")
    return RefusedError(
        "negative slam" if is_slam_dunk else "negative", sum=f"{score}-{number} = {score - number}", most=most
    )


def _exact_quotient(score: int, number: int) -> int:
    quotient, rest = divmod(score, number)
    if rest:
        low, high = score - rest, score - rest + number
        row = "inexact" if low else "inexact small"
        raise RefusedError(row, sum=f"{score}÷{number}", rest=rest, low=low, high=high)
    return quotient


def arithmetic_text(score: int, move: Play, with_spaces: bool = False) -> str:
    """The left side of a play's sum, ``33×7×2``; with spaces as on the score sheet, ``33 x 7 x D``."""
    signs = ("+", "-", "x", "÷") if with_spaces else ("+", "-", "×", "÷")
    gap = " " if with_spaces else ""

    def append_tile(left: str, tile: int) -> str:
        return f"{left}{gap}{signs[tile >> 11]}{gap}{tile & NUMBER_MASK}"

    first = append_tile(str(score), move.tile)
    if not move.second_tile:
        return first
    # Without brackets 11 + 2 x D would mean 11 + (2 x D).
    left = f"({first})" if move.tile < RED else first
    if move.second_tile & DOUBLE_BIT:
        return f"{left}{gap}{signs[2]}{gap}{'D' if with_spaces else '2'}"
    return append_tile(left, move.second_tile)

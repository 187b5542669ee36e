"""The 7×7 squares of Ziggurat, and where its 4×4 base can still be: plain geometry without dominoes and players.

| term | is |
| --- | --- |
| square | the number 7 × column + row, both from 0: a1 is 0, a2 is 1, b1 is 7, g7 is 48 |
| mask | a set of squares, as 49 bits |
| pair | two squares that share an edge, the lower one first; written as its index in `PAIRS` |
| block | 4×4 squares, named by the lowest one |
| open block | a block that can still become the base: its lowest square, and the mask of its vacant squares, shifted so
    that the lowest square of the block is a1 |
"""

from __future__ import annotations

from functools import cache, lru_cache
from operator import itemgetter

SIDE = 7
AREA = SIDE * SIDE
CELLS = tuple(f"{column}{row}" for column in "abcdefg" for row in "1234567")
"""Square → its name."""
PLACES = tuple(
    (cell, other)
    for cell in range(AREA)
    for other in (cell + 1, cell + SIDE)
    if other < AREA and (other == cell + SIDE or other % SIDE)
)
"""The 84 pairs of squares that share an edge, sorted."""
PLACE = {cells: place for place, pair in enumerate(PLACES) for cells in (pair, pair[::-1])}
"""Two squares in either order → the index of their pair. Squares that share no edge are missing."""
NEXT = tuple(tuple(a + b - cell for a, b in PLACES if cell in (a, b)) for cell in range(AREA))
"""Square → the two to four squares that share an edge with it."""
AROUND = tuple(itemgetter(*beside) for beside in NEXT)
"""Square → an `itemgetter` that selects, from a sequence of 49 values, those of the squares sharing an edge with it."""
EVERYWHERE = (1 << AREA) - 1
"""All squares, as a mask."""
MASK = tuple(1 << a | 1 << b for a, b in PLACES)
"""Pair → its two squares, as a mask."""
BESIDE = tuple(sum(1 << cell for cell in {*NEXT[a], *NEXT[b]} - {a, b}) for a, b in PLACES)
"""Pair → the squares that share an edge with it, as a mask."""
ANCHORS = tuple(PLACE[CELLS.index("d4"), CELLS.index(other)] for other in ("d5", "e4"))
"""The pairs on which the first domino may lie."""
BLOCK = sum(1 << SIDE * column + row for column in range(4) for row in range(4))
"""The 4×4 block whose lowest square is a1, as a mask."""
BLOCKS = {SIDE * column + row: BLOCK << SIDE * column + row for column in range(4) for row in range(4)}
"""The lowest square of each of the 16 blocks → the block, as a mask."""


def members(cells: int) -> list[int]:
    """The squares of a mask, sorted."""
    return [cell for cell in range(AREA) if cells >> cell & 1]


@lru_cache(maxsize=4096)
def corners(cells: int) -> tuple[int, ...]:
    """The lowest squares of the 4×4 blocks that contain all squares of a mask."""
    return tuple([corner for corner, block in BLOCKS.items() if cells & block == cells])


@lru_cache(maxsize=4096)
def pairs(cells: int) -> tuple[int, ...]:
    """The pairs whose two squares are both in the mask."""
    return tuple([place for place, both in enumerate(MASK) if both & cells == both])


def count_pairs(cells: int) -> int:
    """The number of pairs in a mask that lies within one 4×4 block.

    In such a mask, squares with successive numbers are always in the same column.
    """
    return (cells & cells >> 1).bit_count() + (cells & cells >> SIDE).bit_count()


@cache
def fills(vacant: int) -> bool:
    """Whether dominoes can cover exactly the squares `vacant`, a mask within the block at a1."""
    if not vacant:
        return True
    lowest = vacant & -vacant
    return any(vacant & other and fills(vacant - lowest - other) for other in (lowest << 1, lowest << SIDE))


@lru_cache(maxsize=4096)
def rooms(covered: int, solid: bool) -> tuple[tuple[int, int], ...]:
    """The blocks that contain all of `covered`; with `solid` only those that could still be filled exactly."""
    found = [(corner, ~covered >> corner & BLOCK) for corner in corners(covered)]
    return tuple([room for room in found if fills(room[1])] if solid else found)


@lru_cache(maxsize=4096)
def base_places(covered: int, solid: bool) -> tuple[int, ...]:
    """The pairs on the base where a domino could be laid now, whichever it is; () when the base is complete."""
    if not covered:
        return ANCHORS
    left = rooms(covered, solid)
    reach = 0
    for corner, vacant in left:
        reach |= vacant << corner
    return tuple(
        place
        for place, cells in enumerate(MASK)
        if cells & reach == cells and BESIDE[place] & covered and _fits(left, cells, solid)
    )


def base_complete(covered: int, solid: bool) -> bool:
    """Whether no more domino can be laid on the base.

    With `solid` that is so only when the block is full: while squares are vacant, dominoes can fill them exactly, and
    at least one of these touches a domino on the base.
    """
    return covered.bit_count() == BLOCK.bit_count() if solid else not base_places(covered, solid)


def hole(covered: int) -> int | None:
    """A square that is vacant and without a vacant neighbour in every block that contains `covered`; None for none."""
    vacant = [~covered & BLOCK << corner for corner in corners(covered)]
    for cell, beside in enumerate(NEXT):
        if all(room >> cell & 1 and not any(room >> other & 1 for other in beside) for room in vacant):
            return cell
    return None


def _fits(left: tuple[tuple[int, int], ...], cells: int, solid: bool) -> bool:
    """Whether a mask is vacant in one of the open blocks.

    With `solid` the rest of that block must also be fillable.
    """
    for corner, vacant in left:
        if not cells & ~(vacant << corner) and (not solid or fills(vacant ^ cells >> corner)):
            return True
    return False

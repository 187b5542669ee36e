"""The 7×7 cells of Ziggurat, and where its 4×4 base can still be: plain geometry without dominoes and players.

A cell is the number 7 × column + row, both from 0: a1 is 0, a2 is 1, b1 is 7, g7 is 48. A set of cells is a mask of
49 bits. A place is a pair of adjacent cells, lower one first, identified by its index in `PLACES`. A room is a 4×4
block that can still become the base: its lowest cell, and the mask of its vacant cells, shifted so that the block's
lowest cell is a1.
"""

from __future__ import annotations

from functools import cache, lru_cache
from operator import itemgetter

SIDE = 7
AREA = SIDE * SIDE
CELLS = tuple(f"{column}{row}" for column in "abcdefg" for row in "1234567")
"""Cell → its name."""
PLACES = tuple(
    (cell, other)
    for cell in range(AREA)
    for other in (cell + 1, cell + SIDE)
    if other < AREA and (other == cell + SIDE or other % SIDE)
)
"""The 84 pairs of cells that share an edge, sorted."""
PLACE = {cells: place for place, pair in enumerate(PLACES) for cells in (pair, pair[::-1])}
"""Two cells in either order → their place; cells that share no edge are missing."""
NEXT = tuple(tuple(a + b - cell for a, b in PLACES if cell in (a, b)) for cell in range(AREA))
"""Cell → the two to four cells that share an edge with it."""
AROUND = tuple(itemgetter(*beside) for beside in NEXT)
"""Cell → an `itemgetter` that selects, from a sequence of 49 values, those of the cells sharing an edge with it."""
EVERYWHERE = (1 << AREA) - 1
"""All cells, as a mask."""
MASK = tuple(1 << a | 1 << b for a, b in PLACES)
"""Place → its two cells, as a mask."""
BESIDE = tuple(sum(1 << cell for cell in {*NEXT[a], *NEXT[b]} - {a, b}) for a, b in PLACES)
"""Place → the cells that share an edge with it, as a mask."""
ANCHORS = tuple(PLACE[CELLS.index("d4"), CELLS.index(other)] for other in ("d5", "e4"))
"""The places where the first domino may lie."""
BLOCK = sum(1 << SIDE * column + row for column in range(4) for row in range(4))
"""The 4×4 block whose lowest cell is a1, as a mask."""
BLOCKS = {SIDE * column + row: BLOCK << SIDE * column + row for column in range(4) for row in range(4)}
"""Lowest cell of each of the 16 blocks → the block, as a mask."""


def members(cells: int) -> list[int]:
    """The cells of a mask, sorted."""
    return [cell for cell in range(AREA) if cells >> cell & 1]


@lru_cache(maxsize=4096)
def corners(cells: int) -> tuple[int, ...]:
    """The lowest cells of the 4×4 blocks that contain all of `cells`."""
    return tuple([corner for corner, block in BLOCKS.items() if cells & block == cells])


@lru_cache(maxsize=4096)
def pairs(cells: int) -> tuple[int, ...]:
    """The places whose two cells are both in the mask."""
    return tuple([place for place, both in enumerate(MASK) if both & cells == both])


def count_pairs(cells: int) -> int:
    """The number of places in a mask that lies within one 4×4 block.

    In such a mask, cells with successive numbers are always in the same column.
    """
    return (cells & cells >> 1).bit_count() + (cells & cells >> SIDE).bit_count()


@cache
def fills(vacant: int) -> bool:
    """Whether dominoes can exactly cover the cells `vacant`, a mask within the block at a1."""
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
    """The places on the base where a domino could be laid now, whichever it is; () when the base is complete."""
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

    With `solid` that is so only when the block is full: while cells are vacant, dominoes can fill them exactly, and at
    least one of these touches a domino on the base.
    """
    return covered.bit_count() == BLOCK.bit_count() if solid else not base_places(covered, solid)


def hole(covered: int) -> int | None:
    """A cell that is vacant and without a vacant neighbour in every block that contains `covered`; None for none."""
    vacant = [~covered & BLOCK << corner for corner in corners(covered)]
    for cell, beside in enumerate(NEXT):
        if all(room >> cell & 1 and not any(room >> other & 1 for other in beside) for room in vacant):
            return cell
    return None


def _fits(left: tuple[tuple[int, int], ...], cells: int, solid: bool) -> bool:
    """Whether all of `cells` are vacant in one of the rooms and, with `solid`, the rest of it could still be filled."""
    for corner, vacant in left:
        if not cells & ~(vacant << corner) and (not solid or fills(vacant ^ cells >> corner)):
            return True
    return False

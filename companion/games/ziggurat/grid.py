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

GRID_SIDE = 7
SQUARE_COUNT = GRID_SIDE * GRID_SIDE
SQUARE_NAMES = tuple(f"{column}{row}" for column in "abcdefg" for row in "1234567")
"""Square → its name."""
PAIRS = tuple(
    (cell, other)
    for cell in range(SQUARE_COUNT)
    for other in (cell + 1, cell + GRID_SIDE)
    if other < SQUARE_COUNT and (other == cell + GRID_SIDE or other % GRID_SIDE)
)
"""The 84 pairs of squares that share an edge, sorted."""
PAIR_OF_SQUARES = {cells: place for place, pair in enumerate(PAIRS) for cells in (pair, pair[::-1])}
"""Two squares in either order → the index of their pair. Squares that share no edge are missing."""
NEIGHBOURS = tuple(tuple(a + b - cell for a, b in PAIRS if cell in (a, b)) for cell in range(SQUARE_COUNT))
"""Square → the two to four squares that share an edge with it."""
NEIGHBOUR_GETTERS = tuple(itemgetter(*beside) for beside in NEIGHBOURS)
"""Square → an `itemgetter` that selects, from a sequence of 49 values, those of the squares sharing an edge with it."""
ALL_SQUARES = (1 << SQUARE_COUNT) - 1
"""All squares, as a mask."""
PAIR_MASKS = tuple(1 << a | 1 << b for a, b in PAIRS)
"""Pair → its two squares, as a mask."""
PAIR_NEIGHBOURS = tuple(sum(1 << cell for cell in {*NEIGHBOURS[a], *NEIGHBOURS[b]} - {a, b}) for a, b in PAIRS)
"""Pair → the squares that share an edge with it, as a mask."""
FIRST_PAIRS = tuple(PAIR_OF_SQUARES[SQUARE_NAMES.index("d4"), SQUARE_NAMES.index(other)] for other in ("d5", "e4"))
"""The pairs on which the first domino may lie."""
BASE_BLOCK = sum(1 << GRID_SIDE * column + row for column in range(4) for row in range(4))
"""The 4×4 block whose lowest square is a1, as a mask."""
BASE_BLOCKS = {
    GRID_SIDE * column + row: BASE_BLOCK << GRID_SIDE * column + row for column in range(4) for row in range(4)
}
"""The lowest square of each of the 16 blocks → the block, as a mask."""


def squares_in(mask: int) -> list[int]:
    """The squares of a mask, sorted."""
    return [cell for cell in range(SQUARE_COUNT) if mask >> cell & 1]


@lru_cache(maxsize=4096)
def enclosing_block_corners(mask: int) -> tuple[int, ...]:
    """The lowest squares of the 4×4 blocks that contain all squares of a mask."""
    return tuple([corner for corner, block in BASE_BLOCKS.items() if mask & block == mask])


@lru_cache(maxsize=4096)
def pairs_within(mask: int) -> tuple[int, ...]:
    """The pairs whose two squares are both in the mask."""
    return tuple([place for place, both in enumerate(PAIR_MASKS) if both & mask == both])


def count_pairs_within(mask: int) -> int:
    """The number of pairs in a mask that lies within one 4×4 block.

    In such a mask, squares with successive numbers are always in the same column.
    """
    return (mask & mask >> 1).bit_count() + (mask & mask >> GRID_SIDE).bit_count()


@cache
def can_be_filled(vacant: int) -> bool:
    """Whether dominoes can cover exactly the squares `vacant`, a mask within the block at a1."""
    if not vacant:
        return True
    lowest = vacant & -vacant
    return any(
        vacant & other and can_be_filled(vacant - lowest - other) for other in (lowest << 1, lowest << GRID_SIDE)
    )


@lru_cache(maxsize=4096)
def possible_base_blocks(covered: int, solid: bool) -> tuple[tuple[int, int], ...]:
    """The blocks that contain all of `covered`; with `solid` only those that could still be filled exactly."""
    found = [(corner, ~covered >> corner & BASE_BLOCK) for corner in enclosing_block_corners(covered)]
    return tuple([room for room in found if can_be_filled(room[1])] if solid else found)


@lru_cache(maxsize=4096)
def free_base_pairs(covered: int, solid: bool) -> tuple[int, ...]:
    """The pairs on the base where a domino could be laid now, whichever it is; () when the base is complete."""
    if not covered:
        return FIRST_PAIRS
    blocks = possible_base_blocks(covered, solid)
    reachable = 0
    for corner, vacant in blocks:
        reachable |= vacant << corner
    return tuple(
        place
        for place, cells in enumerate(PAIR_MASKS)
        if cells & reachable == cells and PAIR_NEIGHBOURS[place] & covered and _has_room(blocks, cells, solid)
    )


def is_base_complete(covered: int, solid: bool) -> bool:
    """Whether no more domino can be laid on the base.

    With `solid` that is so only when the block is full: while squares are vacant, dominoes can fill them exactly, and
    at least one of these touches a domino on the base.
    """
    return covered.bit_count() == BASE_BLOCK.bit_count() if solid else not free_base_pairs(covered, solid)


def unfillable_square(covered: int) -> int | None:
    """A square that is vacant and without a vacant neighbour in every block that contains `covered`; None for none."""
    vacant = [~covered & BASE_BLOCK << corner for corner in enclosing_block_corners(covered)]
    for cell, neighbours in enumerate(NEIGHBOURS):
        if all(room >> cell & 1 and not any(room >> other & 1 for other in neighbours) for room in vacant):
            return cell
    return None


def _has_room(blocks: tuple[tuple[int, int], ...], mask: int, solid: bool) -> bool:
    """Whether a mask is vacant in one of the open blocks.

    With `solid` the rest of that block must also be fillable.
    """
    for corner, vacant in blocks:
        if not mask & ~(vacant << corner) and (not solid or can_be_filled(vacant ^ mask >> corner)):
            return True
    return False

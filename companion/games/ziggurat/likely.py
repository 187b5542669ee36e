"""Derived from the table alone: which cells can still be covered, where a picker starts, and what would score.

Nothing here uses a hand, so that the picker reveals nothing about one. Nor does the picker start on a scoring move,
since that would be a hint, and hints are off by default.
"""

from __future__ import annotations

from functools import lru_cache

from companion.games.ziggurat import rules
from companion.games.ziggurat.grid import AREA, BLOCKS, NEXT, SIDE, members, rooms
from companion.games.ziggurat.pieces import BITS, Move, dominoes
from companion.games.ziggurat.state import VACANT, State

STEP = {"up": (0, 1), "right": (1, 0), "down": (0, -1), "left": (-1, 0)}
"""Arrow → (columns, rows) that it moves by; up is towards higher rows, right towards later columns."""


def extent(state: State) -> tuple[range, range]:
    """The columns and rows, from 0, that the base covers or can still cover."""
    return _extent(state.covered, state.solid)


@lru_cache(maxsize=64)
def _extent(covered: int, solid: bool) -> tuple[range, range]:
    cells = [cell for corner, _ in rooms(covered, solid) for cell in members(BLOCKS[corner])] or range(AREA)
    columns, rows = zip(*(divmod(cell, SIDE) for cell in cells), strict=True)
    return range(min(columns), max(columns) + 1), range(min(rows), max(rows) + 1)


def beyond(cell: int, arrow: str) -> int | None:
    """The cell beside `cell` in the direction of an arrow, None off the 7×7 cells."""
    column, row = (start + by for start, by in zip(divmod(cell, SIDE), STEP[arrow], strict=True))
    return SIDE * column + row if 0 <= column < SIDE and 0 <= row < SIDE else None


def others(state: State, p: int) -> list[int]:
    """The pips that form a domino not on the table together with `p`."""
    return [q for q in range(state.top + 1) if not state.gone & BITS[p, q]]


def wanted(state: State, cell: int) -> set[int]:
    """The pips that would score on a cell if a domino were laid there now."""
    if state.level > 1:
        return {state.pips[cell]}
    return {state.pips[other] for other in NEXT[cell]} - {VACANT}


def likely(state: State) -> tuple[int, int]:
    """A domino not on the table, lower pip first: if possible with a pip that is on top of a cell.

    Of several, the one from which the others are the fewest presses away in sum. Whether it scores is not considered.
    """
    on_top = set(state.pips)
    left = [(p, q) for p in range(state.top + 1) for q in others(state, p) if p <= q] or [(0, 0)]
    presses = _presses(state.top)
    return min(left, key=lambda pips: (on_top.isdisjoint(pips), sum(presses[pips, other] for other in left)))


@lru_cache(maxsize=3)
def _presses(top: int) -> dict[tuple[tuple[int, int], tuple[int, int]], int]:
    """From each domino of the set to each: the arrows that change its pips, round the ends, either way round."""
    away = [min(steps, top + 1 - steps) for steps in range(top + 1)]

    def between(now: tuple[int, int], then: tuple[int, int]) -> int:
        return away[abs(now[0] - then[0])] + away[abs(now[1] - then[1])]

    all_ = dominoes(top)
    return {(now, then): min(between(now, then), between(now, then[::-1])) for now in all_ for then in all_}


def best(state: State) -> Move:
    """A legal play of a domino not on the table that scores the most, for a hint.

    Raises ValueError if no place is free or all dominoes are on the table.
    """
    wishes = {cell: wanted(state, cell) for place in rules.places(state) for cell in place}
    ways = [way for place in rules.places(state) for way in (place, place[::-1])]
    pips = [(p, q) for p in range(state.top + 1) for q in others(state, p)]
    plays = (Move(p, q, *way) for p, q in pips for way in ways)
    return max(plays, key=lambda move: (move.p in wishes[move.first]) + (move.q in wishes[move.second]))


def middle(state: State) -> int:
    """The open cell with the fewest steps in sum to the other open cells; the middle of the map if none is open."""
    cells = sorted({cell for place in rules.places(state) for cell in place}) or [AREA // 2]
    return min(cells, key=lambda cell: sum(_steps(cell, other) for other in cells))


def _steps(cell: int, other: int) -> int:
    return abs(cell // SIDE - other // SIDE) + abs(cell % SIDE - other % SIDE)


def free_ways(state: State, cell: int) -> list[str]:
    """The ways from a cell to a place where the next domino can lie; [] from a cell of no such place."""
    free = rules.places(state)
    return [way for way in STEP if tuple(sorted((cell, beyond(cell, way) or 0))) in free]


def is_open(state: State, cell: int | None) -> bool:
    """Whether the base may still cover a cell and nothing does, whether a domino may lie there or not."""
    if cell is None:
        return False
    columns, rows = extent(state)
    return cell // SIDE in columns and cell % SIDE in rows and not state.covered >> cell & 1


def way_from(state: State, cell: int, now: str = "right") -> str:
    """A way from a cell to a free place; if there is none, one within the `extent`; if none, one on the 7×7 cells.

    Of several it is `now`, so that a domino keeps its way as long as it can.
    """
    free = {way for place in rules.places(state) for way in (place, place[::-1])}
    columns, rows = extent(state)

    def rank(way: str) -> tuple[bool, bool]:
        other = beyond(cell, way)
        assert other is not None, "ways that lead off the map are left out below"
        return (cell, other) in free, other // SIDE in columns and other % SIDE in rows

    return max((way for way in (now, "right", "up", "left", "down") if beyond(cell, way) is not None), key=rank)

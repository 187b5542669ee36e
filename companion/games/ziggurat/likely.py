"""What the table alone suggests in Ziggurat: which cells may come into play, which domino would score, which way round.

Nothing here looks into a hand, so that a picker that starts from it tells nothing about one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.ziggurat import rules
from companion.games.ziggurat.grid import AREA, NEXT, SIDE
from companion.games.ziggurat.pieces import BITS

if TYPE_CHECKING:
    from collections.abc import Iterator

STEP = {"up": (0, 1), "right": (1, 0), "down": (0, -1), "left": (-1, 0)}
"""Arrow → columns and rows; up is a higher row, right a later column."""


def extent(state: rules.State) -> tuple[range, range]:
    """The columns and rows, from 0, that the base may still come to cover, or does."""
    cells = [cell for frame in rules.frames(state) for cell in frame] or range(AREA)
    columns, rows = zip(*(divmod(cell, SIDE) for cell in cells), strict=True)
    return range(min(columns), max(columns) + 1), range(min(rows), max(rows) + 1)


def beyond(cell: int, arrow: str) -> int | None:
    """The cell beside `cell` in the direction of an arrow, None off the 7×7 cells."""
    column, row = (start + by for start, by in zip(divmod(cell, SIDE), STEP[arrow], strict=True))
    return SIDE * column + row if 0 <= column < SIDE and 0 <= row < SIDE else None


def others(state: rules.State, p: int) -> list[int]:
    """The pips that lie with `p` on a domino that is not on the table."""
    return [q for q in range(state.top + 1) if not state.gone & BITS[p, q]]


def wanted(state: rules.State, cell: int) -> set[int]:
    """The pips that would score on a cell, were a domino laid there now."""
    if state.level > 1:
        return {state.pips[cell]}
    return {state.pips[other] for other in NEXT[cell]} - {rules.VACANT}


def likely(state: rules.State, p: int | None = None, q: int | None = None) -> rules.Move:
    """A legal play of a domino not on the table that scores the most; of the pips given, where they are."""
    best, most = None, -1
    wishes = {cell: wanted(state, cell) for place in rules.places(state) for cell in place}
    for first, second in _dominoes(state, p, q):
        for a, b in (way for place in rules.places(state) for way in (place, place[::-1])):
            points = (first in wishes[a]) + (second in wishes[b])
            if points > most:
                best, most = rules.Move(first, second, a, b), points
        if most == 2:
            break
    return best or rules.Move(p or 0, q or 0, AREA // 2, AREA // 2 + SIDE)


def _dominoes(state: rules.State, p: int | None, q: int | None) -> Iterator[tuple[int, int]]:
    for first in range(state.top + 1) if p is None else (p,):
        for second in others(state, first) if q is None else (q,):
            yield first, second


def open_ways(state: rules.State, cell: int) -> list[str]:
    """The ways from an open cell of this level to another; none from a cell that is not open."""
    columns, rows = extent(state)

    def is_open(other: int | None) -> bool:
        inside = other is not None and other // SIDE in columns and other % SIDE in rows
        return inside and bool(state.ground >> (other or 0) & 1)

    return [way for way in STEP if is_open(beyond(cell, way))] if is_open(cell) else []


def way_from(state: rules.State, p: int, q: int, cell: int) -> str:
    """The way from a cell that scores the most, else one that is free, else one that stays on the map."""
    free = {way for place in rules.places(state) for way in (place, place[::-1])}
    columns, rows = extent(state)

    def rank(way: str) -> tuple[bool, bool, bool]:
        other = beyond(cell, way)
        if other is None:
            return False, False, False
        inside = other // SIDE in columns and other % SIDE in rows
        return (cell, other) in free, q in wanted(state, other), inside

    on_map = [way for way in ("right", "up", "left", "down") if beyond(cell, way) is not None]
    return max(on_map, key=rank)

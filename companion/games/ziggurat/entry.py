"""Entering a play of Ziggurat: two pips, a square, and the way (direction) from the first pip to the second.

Picking has three steps, with OK after each:

| step | arrows | remarks |
| --- | --- | --- |
| 0, domino | up, down: first pip; left, right: second pip | one that is on the table has a cross |
| 1, square | move over the map | |
| 2, way | set the way | left out where the rules leave only one |

The picker and its hints know only what is on the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.games.api import Refused, entry
from companion.games.api.entry import Draft
from companion.games.api.text import text
from companion.games.ziggurat import GAME, rules
from companion.games.ziggurat.grid import CELLS, SIDE
from companion.games.ziggurat.judging import (
    OFF,
    STEP,
    WAYS,
    Marks,
    Wrong,
    beyond,
    extent,
    free_ways,
    in_short,
    incomplete,
    is_open,
    judged,
    likely,
    middle,
    not_there,
    one_cell,
    way_from,
)
from companion.games.ziggurat.pieces import PIPS, Move
from companion.games.ziggurat.rules import RULES
from companion.games.ziggurat.state import State
from companion.games.ziggurat.words import Words


class Pick(NamedTuple):
    """What is picked so far.

    Args:
        step: 0 for the domino, 1 for the square, 2 for the way.
        p: the pip that the arrows move on the map.
        q: the other pip.
        square: the square of `p`.
        way: the direction from `p` to `q`, one of the arrows.
        has_turned: whether the last arrow also turned the domino, to where it may lie.
        has_turned_from_open: the same, although both squares in the old direction are open.
    """

    step: int
    p: int
    q: int = 0
    cell: int = 0
    way: str = "right"
    fitted: bool = False
    turned: bool = False


class Entry(Words, entry.Entry):
    """Entering a play of Ziggurat; a pick is a `Pick`."""

    def typed(self, state: State, keys: str) -> Draft | None:
        """Pip, pip, column, row, way: ``6344B`` is ``6-3 d4e4``; with the double-twelve set A, B, C are 10, 11, 12."""
        pips = [_pip(state.top, key) for key in keys[:2]]
        place, way = keys[2:4], keys[4:]
        if None in pips or not all(key in "1234567" for key in place) or (way and way not in WAYS):
            return None
        p, q = (*pips, None)[:2]
        if p is None:
            return None
        if q is None:
            ends = Wrong(text("the set ends at {top}", top=state.top), (text("only"), text("to {top}", top=state.top)))
            return incomplete(f"{p}-_", text("2nd pip?"), Marks("pip"), ends if p > state.top else None)
        move, entered = Move(p, q, 0, 1), f"{p}-{q}"
        wrong = not_there(state, move)
        if not place:
            return incomplete(entered, text("column?"), Marks("column"), wrong, move)
        column = int(place[0]) - 1
        if len(place) == 1:
            return incomplete(f"{entered} {'abcdefg'[column]}", text("row?"), Marks("row", column=column), wrong, move)
        cell = SIDE * column + int(place[1]) - 1
        if not way:
            return one_cell(state, Move(p, q, cell, _beside(cell, way_from(state, cell))), wrong)
        if (second := beyond(cell, WAYS[way])) is None:
            return incomplete(f"{entered} {CELLS[cell]}", "", Marks("", ((cell, p),)), wrong or OFF)
        return judged(state, Move(p, q, cell, second))

    def pick(self, state: State) -> Pick:
        """A `likely_domino`. What it would score is not considered, since that would be a hint."""
        return Pick(0, *likely(state))

    def pick_changed(self, state: State, pick: Pick, arrow: str) -> Pick:
        if pick.step == 2:
            return pick._replace(way=arrow) if beyond(pick.cell, arrow) is not None else pick
        if pick.step == 1:
            return _walked(state, pick, arrow)
        by = 1 if arrow in ("up", "right") else -1
        if arrow in ("left", "right"):
            return pick._replace(q=(pick.q + by) % (state.top + 1))
        return pick._replace(p=(pick.p + by) % (state.top + 1))

    def entered(self, state: State, pick: Pick) -> Pick | None:
        """The square step begins in the middle of the free squares, whatever the domino.

        It is the last step if at most one way leads from the square to where the domino may lie. But if the domino has
        turned by itself, the way is asked for: turned back, the draft says why it cannot lie there, such as that a gap
        would stay.
        """
        if pick.step == 0:
            if _played(state, pick):
                return None
            cell = middle(state)
            return Pick(1, pick.p, pick.q, cell, way_from(state, cell))
        if pick.step == 1 and (len(free_ways(state, pick.cell)) > 1 or pick.turned):
            return pick._replace(step=2)
        return None

    def erased(self, state: State, pick: Pick) -> Pick | None:
        return pick._replace(step=pick.step - 1) if pick.step else None

    def picked(self, state: State, pick: Pick) -> Draft:
        """Judged by the table alone, with every hand treated as sealed."""
        if pick.step == 0:
            move, wrong = Move(pick.p, pick.q, 0, 1), _played(state, pick)
            draft = incomplete(str(move).partition(" ")[0], "", Marks("pip", picked=True), wrong, move)
            return draft if wrong else draft._replace(goes_to=text("map"))
        move = Move(pick.p, pick.q, pick.cell, _beside(pick.cell, pick.way))
        draft = judged(RULES.view(state, None), move)
        moves = pick.step == 1
        marks = draft.marks._replace(picked=True, turns=not moves, moves=moves, fitted=moves and pick.fitted)
        draft = draft._replace(marks=marks)
        if self.entered(state, pick) is None:
            return draft
        return draft._replace(event=None, verdict="more", goes_to=text("turn"))

    def crossed(self, draft: Draft, refused: Refused) -> Draft:
        wrong = in_short(refused)
        marks = draft.marks._replace(lines=wrong.lines)
        return draft._replace(verdict="no", says=wrong.says, marks=marks)

    def pieces(self, keys: str, kind: str, options: Mapping[str, str]) -> tuple[tuple[str, ...], str] | None:
        """Two keys for each domino: ``36`` is ``3-6``, with the double-twelve set ``3B`` is ``3-11``."""
        top = int(options.get("set", GAME.defaults["set"]))
        pips = [pip for key in keys if (pip := _pip(top, key)) is not None and pip <= top]
        if len(pips) < len(keys):
            return None
        whole = len(pips) // 2 * 2
        pairs = zip(pips[:whole:2], pips[1:whole:2], strict=True)
        return tuple(f"{min(pair)}-{max(pair)}" for pair in pairs), keys[whole:]

    def grid(self, kind: str, options: Mapping[str, str]) -> Sequence[Sequence[str]]:
        top = int(options.get("set", GAME.defaults["set"]))
        return [[f"{low}-{high}" for high in range(low, top + 1)] for low in range(top + 1)]

    def spare(self, view: State, kind: str, seat: int) -> Mapping[str, int]:
        dominoes = (domino for row in self.grid(kind, {"set": str(view.top)}) for domino in row)
        return {domino: 1 for domino in dominoes if domino not in map(str, view.played)}

    def masked(self, kind: str, piece: str) -> bool:
        return True


ENTRY = Entry()


def _pip(top: int, key: str) -> int | None:
    """The pip of a key, None for none. A, B and C are pips in the double-twelve set only."""
    pip = PIPS.find(key)
    return pip if 0 <= pip <= max(top, 9) else None


def _played(state: State, pick: Pick) -> Wrong | None:
    """Why nobody can play the picked domino: it is on the table. None if it is not."""
    return not_there(RULES.view(state, None), Move(pick.p, pick.q, 0, 1))


def _walked(state: State, pick: Pick, arrow: str) -> Pick:
    """The pick one square further in the direction of `arrow`, wrapping around at the edges of the map.

    The way stays if it can lead to a free pair, and changes if the picture would not change otherwise.
    """
    columns, rows = extent(state)
    column, row = divmod(pick.cell, SIDE)
    across, up = STEP[arrow]
    column = columns[(column - columns.start + across) % len(columns)]
    row = rows[(row - rows.start + up) % len(rows)]
    cell = SIDE * column + row
    way, free = way_from(state, cell, pick.way), free_ways(state, cell)
    if len(free) != 1 and _looks_the_same(state, pick, cell, way):
        ways = free or [other for other in STEP if beyond(cell, other) is not None]
        way = next(other for other in (pick.way, *ways) if other != way and other in ways)
    kept = is_open(state, cell) and is_open(state, beyond(cell, pick.way))
    fitted = way != pick.way
    return pick._replace(cell=cell, way=way, fitted=fitted, turned=fitted and kept)


def _looks_the_same(state: State, pick: Pick, cell: int, way: str) -> bool:
    """Whether the move only swaps the ends of the domino, and the picture shows no difference.

    That is so for a double, and for a pair that is not free.
    """
    now = tuple(sorted((pick.cell, _beside(pick.cell, pick.way))))
    then = tuple(sorted((cell, _beside(cell, way))))
    return now == then and (pick.p == pick.q or now not in rules.places(state))


def _beside(cell: int, way: str) -> int:
    """The square beside another one in the direction of `way`, which must not lead off the map."""
    second = beyond(cell, way)
    assert second is not None, "the way leads off the map"
    return second

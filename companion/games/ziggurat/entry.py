"""Entering a play of Ziggurat: two pips, a cell, and the way (direction) from the first pip to the second.

Picking has three steps, with OK after each. First the domino: up and down change its first pip, left and right its
second one; a domino that is on the table is crossed. Then the cell: the arrows move over the map. Then the way: an
arrow sets it; it is not asked for where the rules leave only one. The picker and its hints know only what is on the
table.
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
        step: 0 for the domino, 1 for the cell, 2 for the way.
        p: the pip that the arrows move on the map.
        q: the other pip.
        cell: the cell of `p`.
        way: the direction from `p` to `q`, one of the arrows.
        fitted: whether the last step has turned the domino by itself, to where it may lie.
        turned: the same, although both cells of the way that it had are open.
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
        """A domino not on the table (`judging.likely`); what it would score is not considered, since that is a hint."""
        return Pick(0, *likely(state))

    def pick_changed(self, state: State, pick: Pick, arrow: str) -> Pick:
        """The pick with another first pip (up, down) or second pip (left, right); later another cell or way."""
        if pick.step == 2:
            return pick._replace(way=arrow) if beyond(pick.cell, arrow) is not None else pick
        if pick.step == 1:
            return _walked(state, pick, arrow)
        by = 1 if arrow in ("up", "right") else -1
        if arrow in ("left", "right"):
            return pick._replace(q=(pick.q + by) % (state.top + 1))
        return pick._replace(p=(pick.p + by) % (state.top + 1))

    def entered(self, state: State, pick: Pick) -> Pick | None:
        """The pick at the next step; None after the last.

        The cell step begins in the middle of the open cells, whatever the domino. It is the last step if at most one
        way leads from the cell to where the domino may lie, but not where the domino has turned by itself: turned back
        it says why, such as that a gap would stay.
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
        """The pick at the step before, the domino as it lies; None from the first step."""
        return pick._replace(step=pick.step - 1) if pick.step else None

    def picked(self, state: State, pick: Pick) -> Draft:
        """The draft of the pick, judged by the table alone, with every hand treated as sealed."""
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
        """In the two short lines beside the map too."""
        wrong = in_short(refused)
        marks = draft.marks._replace(lines=wrong.lines)
        return draft._replace(verdict="no", says=wrong.says, marks=marks)

    def pieces(self, keys: str, kind: str, options: Mapping[str, str]) -> tuple[tuple[str, ...], str] | None:
        """Two keys a domino: ``36`` is ``3-6``, with the double-twelve set ``3B`` is ``3-11``."""
        top = int(options.get("set", GAME.defaults["set"]))
        pips = [pip for key in keys if (pip := _pip(top, key)) is not None and pip <= top]
        if len(pips) < len(keys):
            return None
        whole = len(pips) // 2 * 2
        pairs = zip(pips[:whole:2], pips[1:whole:2], strict=True)
        return tuple(f"{min(pair)}-{max(pair)}" for pair in pairs), keys[whole:]

    def grid(self, kind: str, options: Mapping[str, str]) -> Sequence[Sequence[str]]:
        """The dominoes of the set, a row for each lower pip."""
        top = int(options.get("set", GAME.defaults["set"]))
        return [[f"{low}-{high}" for high in range(low, top + 1)] for low in range(top + 1)]

    def spare(self, view: State, kind: str, seat: int) -> Mapping[str, int]:
        """Each domino that is not on the table, once."""
        dominoes = (domino for row in self.grid(kind, {"set": str(view.top)}) for domino in row)
        return {domino: 1 for domino in dominoes if domino not in map(str, view.played)}

    def masked(self, kind: str, piece: str) -> bool:
        """Always true: hands are hidden."""
        return True


ENTRY = Entry()


def _pip(top: int, key: str) -> int | None:
    """The pip of a key, None for none; A, B and C are pips in the double-twelve set only."""
    pip = PIPS.find(key)
    return pip if 0 <= pip <= max(top, 9) else None


def _played(state: State, pick: Pick) -> Wrong | None:
    """Why a picked domino cannot be played whoever holds it: it is on the table; None if it is not."""
    return not_there(RULES.view(state, None), Move(pick.p, pick.q, 0, 1))


def _walked(state: State, pick: Pick, arrow: str) -> Pick:
    """The pick one cell further in the direction of `arrow`, wrapping around at the edges of the map.

    The way stays where it can lead to a free place, and becomes another one if the picture would not change.
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
    """Whether moving there only swaps the ends of the domino, and the picture shows no difference.

    That is so for a double, and for a place that is not free.
    """
    now = tuple(sorted((pick.cell, _beside(pick.cell, pick.way))))
    then = tuple(sorted((cell, _beside(cell, way))))
    return now == then and (pick.p == pick.q or now not in rules.places(state))


def _beside(cell: int, way: str) -> int:
    """The cell beside `cell` in the direction of `way`, which must not lead off the map."""
    second = beyond(cell, way)
    assert second is not None, "the way leads off the map"
    return second

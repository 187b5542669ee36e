"""Entering a play of Ziggurat: two pips, a cell, and the way from the first pip to the second.

Picked step by step: up and down walk the lower pip and left and right the other of the dominoes that are not on the
table, each of them once, OK goes on, the arrows walk the cells of the map, and at last set the way. The picker and its
hints know only what lies on the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.game.entry import SILENT, Draft, Due
from companion.games.ziggurat import GAME, rules
from companion.games.ziggurat.grid import CELLS, SIDE
from companion.games.ziggurat.judging import WAYS, Marks, halves, incomplete, judged, not_there, one_cell
from companion.games.ziggurat.likely import (
    STEP,
    best,
    beyond,
    extent,
    likely,
    middle,
    open_ways,
    others,
    wanted,
    way_from,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TWO_DIGITS = 10
"""Pips from this on take two digits."""
PIPS = "0123456789ABC"
"""The key of each pip."""
_MANY = 20
"""A hand of more dominoes is told suit by suit."""


class Pick(NamedTuple):
    """The picker at a step (0 domino, 1 cell, 2 way) and what it stands on."""

    step: int
    p: int
    q: int = 0
    cell: int = 0
    way: str = "right"

    @property
    def settled(self) -> str:
        """What the steps behind it have settled of the event's text: ``6-3 d4``."""
        return ("", f"{self.p}-{self.q} ", f"{self.p}-{self.q} {CELLS[self.cell]}")[self.step]


def typed(state: rules.State, keys: str) -> Draft | None:
    """Pip, pip, column, row, way: ``6344B`` is ``6-3 d4e4``; with the double-twelve set A B C are 10 11 12."""
    pips = [_pip(state.top, key) for key in keys[:2]]
    place, way = keys[2:4], keys[4:]
    if None in pips or not all(key in "1234567" for key in place) or (way and way not in WAYS):
        return None
    p, q = (*pips, None)[:2]
    if p is None:
        return None
    if q is None:
        return incomplete(f"{p}-_", "2nd pip?", Marks("pip"), f"the set ends at {state.top}" if p > state.top else "")
    wrong, text = not_there(state, p, q), f"{p}-{q}"
    if not place:
        return incomplete(text, "column?", Marks("column"), wrong)
    column = int(place[0]) - 1
    if len(place) == 1:
        return incomplete(f"{text} {'abcdefg'[column]}", "row?", Marks("row", column=column), wrong)
    cell = SIDE * column + int(place[1]) - 1
    if not way:
        return one_cell(state, rules.Move(p, q, cell, _beside(cell, way_from(state, cell))), wrong)
    if (second := beyond(cell, WAYS[way])) is None:
        return Draft(f"{text} {CELLS[cell]}", None, "no", "", "that is off the map", Marks("", ((cell, p),)))
    return judged(state, rules.Move(p, q, cell, second), "")


def pick(state: rules.State) -> Pick:
    """A domino with the pips that lie on top most often; what a move would score is for a hint to tell."""
    return Pick(0, *likely(state))


def moved(state: rules.State, pick: Pick, arrow: str) -> Pick:
    """Up and down walk the lower pip, left and right the other; then the arrows walk cells, then set the way."""
    if pick.step == 2:
        return pick._replace(way=arrow) if beyond(pick.cell, arrow) is not None else pick
    if pick.step == 1:
        return _walked(state, pick, arrow)
    by = 1 if arrow in ("up", "right") else -1
    if arrow in ("left", "right"):
        return pick._replace(q=_next(_higher(state, pick.p), pick.q, by))
    first = [p for p in range(state.top + 1) if _higher(state, p)]
    p = _next(first, pick.p, by)
    seconds = _higher(state, p)
    return pick._replace(p=p, q=pick.q if pick.q in seconds else min(seconds, key=lambda q: abs(q - pick.q)))


def _higher(state: rules.State, p: int) -> list[int]:
    """The other pips of dominoes of which `p` is the lower one: so each domino is walked once."""
    return [q for q in others(state, p) if q >= p]


def entered(state: rules.State, pick: Pick) -> Pick | None:
    """The next step, for the cell from the middle of the open ones, whatever the domino; None after the last.

    A cell from which only one way leads to an open cell is the last step: nothing is left to choose.
    """
    if pick.step == 0:
        cell = middle(state)
        return Pick(1, pick.p, pick.q, cell, way_from(state, cell))
    if pick.step == 1 and len(open_ways(state, pick.cell)) != 1:
        return pick._replace(step=2)
    return None


def erased(state: rules.State, pick: Pick) -> Pick | None:
    """The step before, None from the first."""
    return pick._replace(step=pick.step - 1) if pick.step else None


def picked(state: rules.State, pick: Pick) -> Draft:
    """The pick, judged by the table alone: every hand counts as sealed."""
    if pick.step == 0:
        return incomplete(f"{pick.p}-{pick.q}", "domino?", Marks("pip", typed=False))
    move = rules.Move(pick.p, pick.q, pick.cell, _beside(pick.cell, pick.way))
    more = pick.step == 1 and entered(state, pick) is not None
    draft = judged(rules.view(state, None), move, "cell" if more else "turn" if pick.step == 2 else "")
    return draft._replace(marks=draft.marks._replace(typed=False))


def due(state: rules.State) -> Due | None:
    """Nothing is drawn after the deal."""
    return None


def pieces(keys: str, kind: str, options: Mapping[str, str]) -> tuple[tuple[str, ...], str] | None:
    """Two keys a domino: ``36`` is ``3-6``, with the double-twelve set ``3B`` is ``3-11``."""
    top = int(options.get("set", GAME.defaults["set"]))
    pips = [pip for key in keys if (pip := _pip(top, key)) is not None and pip <= top]
    if len(pips) < len(keys):
        return None
    whole = len(pips) // 2 * 2
    pairs = zip(pips[:whole:2], pips[1:whole:2], strict=True)
    return tuple(f"{min(pair)}-{max(pair)}" for pair in pairs), keys[whole:]


def grid(kind: str, options: Mapping[str, str]) -> Sequence[Sequence[str]]:
    """The dominoes of the set, a row for each lower pip."""
    top = int(options.get("set", GAME.defaults["set"]))
    return [[f"{low}-{high}" for high in range(low, top + 1)] for low in range(top + 1)]


def spare(view: rules.State, kind: str, seat: int) -> Mapping[str, int]:
    """One of each domino that is not on the table."""
    dominoes = (domino for row in grid(kind, {"set": str(view.top)}) for domino in row)
    return {domino: 1 for domino in dominoes if domino not in map(str, view.played)}


def masked(kind: str, piece: str) -> bool:
    """A hand is hidden."""
    return True


def stray(state: rules.State, keys: str, key: str) -> str:
    """What the key is not: a pip, a column, a row or a direction."""
    steps = ("pip", "pip", "column", "row", "direction")
    return f"{key} is no {steps[len(keys)]}" if len(keys) < len(steps) else "now press #"


def stray_piece(keys: str, kind: str, options: Mapping[str, str]) -> str:
    """Which pips there are."""
    return f"pips are 0 to {options.get('set', GAME.defaults['set'])}"


def arrows(view: rules.State) -> str:
    """Both pips of a domino; beside the wider map of the double-twelve set there are 44 columns for it."""
    return "▴▾◂▸ pips" if view.top < TWO_DIGITS else "▴▾◂▸ pip"


def hint(state: rules.State) -> str:
    """A free place and what would score there, from the table alone."""
    if not state.free:
        return ""
    move = best(state)
    scoring = [f"{pip} on {CELLS[cell]}" for pip, cell in halves(move) if pip in wanted(state, cell)]
    where = f"{CELLS[move.first]} {CELLS[move.second]} is free"
    return f"{where}, {' and '.join(scoring)} would score" if scoring else f"{where} for any domino"


def own(view: rules.State, seat: int) -> str:
    """The hand, ``0-3 6-6``; a large one suit by suit, ``0-3 5 6; 4-4 6``."""
    hand = view.hands[seat - 1].pieces or ()
    if len(hand) <= _MANY:
        return rules.write_deal(hand)
    suits: dict[int, list[str]] = {}
    for low, high in hand:
        suits.setdefault(low, []).append(str(high))
    return "; ".join(f"{low}-{' '.join(highs)}" for low, highs in suits.items())


def held(view: rules.State, seat: int) -> list[str]:
    """The hand, domino by domino."""
    return list(map(str, view.hands[seat - 1].pieces or ()))


def keys(event: str) -> str:
    """Pips, cell and way: ``6-3 d4e4`` is ``6344B``."""
    move = rules.read(event)
    way = next(key for key, arrow in WAYS.items() if beyond(move.first, arrow) == move.second)
    column, row = divmod(move.first, SIDE)
    return f"{PIPS[move.p]}{PIPS[move.q]}{column + 1}{row + 1}{way}"


# What this game has not got: nobody ever has to pass, and a play shows nothing that the table does not.
cannot, claimed, reveals, table = SILENT.cannot, SILENT.claimed, SILENT.reveals, SILENT.table
blocked, could, forced, turn_over = SILENT.blocked, SILENT.could, SILENT.forced, SILENT.turn_over
counted, gain, lines, piles = SILENT.counted, SILENT.gain, SILENT.lines, SILENT.piles
printed, sheet, written = SILENT.printed, SILENT.sheet, SILENT.written


# -- steps ------------------------------------------------------------------------------------------------------


def _pip(top: int, key: str) -> int | None:
    """The pip of a key; A B C only where the set has them."""
    if key.isdigit():
        return int(key)
    return 10 + "ABC".index(key) if top > 9 and key in "ABC" else None


def _next(choices: Sequence[int], now: int, by: int) -> int:
    return choices[(choices.index(now) + by) % len(choices)]


def _walked(state: rules.State, pick: Pick, arrow: str) -> Pick:
    """One cell on, round the edges of the map; the way falls back to the likeliest one there."""
    columns, rows = extent(state)
    column, row = divmod(pick.cell, SIDE)
    across, up = STEP[arrow]
    column = columns[(column - columns.start + across) % len(columns)]
    row = rows[(row - rows.start + up) % len(rows)]
    cell = SIDE * column + row
    way = way_from(state, cell)
    if len(open_ways(state, cell)) != 1 and _looks_the_same(state, pick, cell, way):
        ways = [other for other in (pick.way, *STEP) if other != way and beyond(cell, other) is not None]
        way = ways[0]
    return pick._replace(cell=cell, way=way)


def _looks_the_same(state: rules.State, pick: Pick, cell: int, way: str) -> bool:
    """Whether only the ends change places, which nobody sees: those of a double, or of a place that is not free."""
    now = tuple(sorted((pick.cell, _beside(pick.cell, pick.way))))
    then = tuple(sorted((cell, _beside(cell, way))))
    return now == then and (pick.p == pick.q or now not in rules.places(state))


def _beside(cell: int, way: str) -> int:
    """The second cell; the ways that get here stay on the map."""
    second = beyond(cell, way)
    assert second is not None
    return second

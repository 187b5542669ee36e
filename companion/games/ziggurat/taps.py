"""Tapping a play of Ziggurat: a domino, the cell of its first pip, then that of the other one.

A tap on a cell where the half-made play lies, or on its domino, turns the domino around. Of a sealed hand all dominoes
that are not on the table can be tapped, in the larger sets its two pips one after the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.game.text import Text, text
from companion.games.ziggurat import rules
from companion.games.ziggurat.grid import CELLS, SIDE
from companion.games.ziggurat.judging import WAYS
from companion.games.ziggurat.likely import beyond
from companion.games.ziggurat.pieces import Domino, dominoes
from companion.games.ziggurat.state import VACANT, State

if TYPE_CHECKING:
    from companion.game.board import Place, Svg

IN_ROW = 7
PITCH, WIDE, HIGH = 84, 80, 58
"""The distance of two dominoes of a row, and the size of one."""
SMALL = 6
"""The largest set of which all dominoes have room on a phone."""


class Tapped(NamedTuple):
    """What is entered: the pips in the order of the cells, the cell of the first pip, and the way from there."""

    p: int | None = None
    q: int | None = None
    cell: int | None = None
    way: str = ""

    @classmethod
    def of(cls, top: int, keys: str) -> Tapped:
        """What these keys mean, which the entry takes; a column alone counts as no cell yet."""
        pips = [10 + "ABC".index(key) if key in "ABC" else int(key) for key in keys[:2]]
        cell = SIDE * (int(keys[2]) - 1) + int(keys[3]) - 1 if len(keys) > 3 else None
        p, q = (*pips, None, None)[:2]
        return cls(p, q, cell, keys[4:])

    @property
    def keys(self) -> str:
        """The keys that mean this."""
        pips = "".join("0123456789ABC"[pip] for pip in (self.p, self.q) if pip is not None)
        return pips if self.cell is None else f"{pips}{self.cell // SIDE + 1}{self.cell % SIDE + 1}{self.way}"

    @property
    def asks(self) -> str:
        """What to tap next, "" once a whole play is entered."""
        if self.p is None:
            return text("Tap a domino.")
        if self.q is None:
            return text("Tap its other pip.")
        if self.cell is None:
            return text("Tap the cell for the {pip}.", pip=self.p)
        return "" if self.way else text("Tap the cell for the {pip}, beside it.", pip=self.q)

    @property
    def turned(self) -> Tapped:
        """The same with the pips in the other order."""
        return self._replace(p=self.q, q=self.p)

    @property
    def second(self) -> int | None:
        """The cell of the second pip, None while the way is not entered."""
        return beyond(self.cell, WAYS[self.way]) if self.cell is not None and self.way else None


Piece = tuple[str, Tapped, bool]
"""What can be tapped below the map: its label of one or two pips, what is entered then, whether it is chosen."""


def hand_rows(view: State, seat: int, keys: str, *, due: bool) -> list[list[Piece]]:
    """The dominoes below the map of a seat's phone, or while two pips are tapped the pips, in rows."""
    tapped = Tapped.of(view.top, keys)
    held = view.hands[seat - 1].pieces
    if held is None and not due:
        return []
    if held is None and view.top > SMALL:
        pieces = [_pip(tapped, pip) for pip in range(view.top + 1)]
    else:
        left = held if held is not None else [each for each in dominoes(view.top) if each not in view.played]
        pieces = [_domino(tapped, domino) for domino in left]
    return [pieces[start : start + IN_ROW] for start in range(0, len(pieces), IN_ROW)]


def _domino(tapped: Tapped, domino: Domino) -> Piece:
    if tapped.q is not None and sorted((tapped.p or 0, tapped.q)) == list(domino):
        return f"{tapped.p}-{tapped.q}", tapped.turned, True
    return str(domino), tapped._replace(p=domino.low, q=domino.high), False


def _pip(tapped: Tapped, pip: int) -> Piece:
    """A pip is the first one, then the second one; a tap after both begins anew."""
    first = tapped.p is None or tapped.q is not None
    return str(pip), Tapped(pip) if first else tapped._replace(q=pip), pip in (tapped.p, tapped.q)


def tap_hand(drawing: Svg, rows: list[list[Piece]], top: float, *, due: bool) -> None:
    """Draw the rows below `top`; each piece can be tapped while the seat is to move."""
    for down, row in enumerate(rows):
        for across, (label, tapped, chosen) in enumerate(row):
            x, y = 8 + across * PITCH, top + down * 64
            drawing.rect(x, y, WIDE, HIGH, "card", round_=8)
            halves = label.split("-")
            for index, pip in enumerate(halves):
                drawing.text(x + WIDE * (2 * index + 1) / (2 * len(halves)), y + 41, pip, 34 if len(pip) < 2 else 28)
            if len(halves) > 1:
                drawing.line(x + WIDE / 2, y + 8, x + WIDE / 2, y + HIGH - 8)
            if due:
                said = text("turn {domino} around", domino=label) if chosen and len(halves) > 1 else label
                drawing.tap(tapped.keys, said, (x, y, WIDE, HIGH), chosen=chosen)


def tap_cell(drawing: Svg, view: State, tapped: Tapped, cell: int, place: Place) -> None:
    """Let a cell be tapped once there is a domino for it."""
    if tapped.q is None:
        return
    cells = (tapped.cell, tapped.second)
    words = cell_words(view, cell)
    if cell in cells and tapped.way:
        drawing.tap(tapped.turned.keys, text("{cell}; turns the domino around", cell=words), place, chosen=True)
        return
    way = (
        next((key for key, way in WAYS.items() if beyond(tapped.cell, way) == cell), "")
        if tapped.cell is not None
        else ""
    )
    if cell == tapped.cell:
        then = tapped._replace(cell=None)
    elif way and not tapped.way:
        then = tapped._replace(way=way)
    else:
        then = tapped._replace(cell=cell, way=_only_way(view, cell))
    drawing.tap(then.keys, words, place, chosen=cell in cells)


def _only_way(view: State, cell: int) -> str:
    """The key of the one way from a cell that makes a place, "" if there are more or none."""
    free = rules.places(view)
    ways = [key for key, way in WAYS.items() if tuple(sorted((cell, beyond(cell, way) or cell))) in free]
    return ways[0] if len(ways) == 1 else ""


def cell_words(view: State, cell: int) -> Text:
    """What lies on a cell: ``d4: 6, 2 high``."""
    if view.pips[cell] == VACANT:
        return text("{cell}: empty", cell=CELLS[cell])
    return text("{cell}: {pip}, {height} high", cell=CELLS[cell], pip=view.pips[cell], height=view.heights[cell])

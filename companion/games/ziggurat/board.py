"""The board of Ziggurat: squares from above with pips, heights and the edges of dominoes; higher squares are brighter.

On a phone a domino is tapped, then the square of its first pip, then that of the other one. A tap on a square where the
half-made play lies, or on its domino, turns the domino around. For a sealed hand all dominoes that are not on the table
can be tapped; in the larger sets the two pips are tapped one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.games.api import board
from companion.games.api.board import Place, Seen, Svg
from companion.games.api.text import Text, text
from companion.games.ziggurat.entry import ENTRY
from companion.games.ziggurat.grid import CELLS, SIDE
from companion.games.ziggurat.judging import WAYS, Marks, beyond, extent, free_ways, way_key
from companion.games.ziggurat.pieces import PIPS, Domino, Move, dominoes
from companion.games.ziggurat.state import VACANT, State

WIDTH, HEIGHT = 1000, 560
PHONE = 600, 500
"""The width of a phone's drawing, and its height above the dominoes."""
TOP = 20
DIGIT, LETTER = 40, 0.75
"""The width of a digit of the points beside the map, and the width of a bold letter as a share of its size."""
LEAST = 22
"""The smallest size of a name's letters; a phone shows them at half of it."""
BRIGHTEST = 6
"""Squares of this height or more have the same shade."""
START = CELLS.index("d4")
IN_ROW = 7
PITCH, WIDE, HIGH = 84, 80, 58
"""The distance between two dominoes of a row, and the size of one."""
SMALL = 6
"""The largest set of which a phone has room for all dominoes."""


class Map(NamedTuple):
    """Where the squares are drawn: the left edge, the size of a square, and the columns and rows that are shown."""

    left: float
    size: float
    columns: range
    rows: range

    def place(self, cell: int) -> tuple[float, float]:
        """The upper left corner of a square."""
        column, row = divmod(cell, SIDE)
        return self.left + (column - self.columns.start) * self.size, TOP + (self.rows.stop - 1 - row) * self.size

    @property
    def cells(self) -> list[int]:
        """The squares that are shown, row by row from the upper left."""
        return [column * SIDE + row for row in reversed(self.rows) for column in self.columns]


class Board(board.Board):
    """The board of Ziggurat."""

    def draw(self, view: State, names: Sequence[str], last: tuple[int, Move] | None) -> Svg:
        return self.show(Seen(view, names, (last,) if last else ()))

    def show(self, seen: Seen) -> Svg:
        view, phone = seen.view, seen.seat > 0
        columns, rows = extent(view)
        rows_of_hand = _hand_rows(view, seen.seat, seen.keys, due=seen.due) if phone else []
        wide, high = (PHONE[0], PHONE[1] + len(rows_of_hand) * 64) if phone else (WIDTH, HEIGHT)
        drawing = Svg(wide, high, text("Ziggurat, level {level}", level=view.level))
        room = (428, 430) if phone else (560, HEIGHT - TOP - 50)
        most = 104 if phone else 118
        map_ = Map(36 if phone else 60, min(most, room[1] / len(rows), room[0] / len(columns)), columns, rows)
        draft = ENTRY.typed(view, seen.keys) if seen.keys else None
        _map(drawing, map_, seen, draft.marks if draft else Marks(""))
        _players(drawing, view, seen.names)
        if seen.due:
            tapped = Tapped.of(seen.keys)
            drawing.asks = tapped.asks
            for cell in map_.cells:
                _tap_cell(drawing, view, tapped, cell, (*map_.place(cell), map_.size, map_.size))
        _tap_hand(drawing, rows_of_hand, PHONE[1], due=seen.due)
        return drawing

    def in_words(self, view: State, names: Sequence[str]) -> Sequence[str]:
        players = [
            text("{name}: {points} points, {number} dominoes", name=name, points=points, number=number)
            for name, points, number in zip(names, view.scores, view.sizes, strict=True)
        ]
        cells = [_cell_words(view, cell) for cell, pip in enumerate(view.pips) if pip != VACANT]
        none = [text("The table is empty: the first domino covers d4.")]
        return [text("Level {level}", level=view.level), *players, *(cells or none)]

    def key_words(self, view: State, keys: str) -> dict[str, str]:
        if len(keys) < 2:
            return {"A": "10", "B": "11", "C": "12"} | {str(pip): "" for pip in range(view.top + 1, 10)}
        if len(keys) == 2:
            return {str(index + 1): CELLS[index * SIDE][0] for index in range(SIDE)}
        if len(keys) == 3:
            return {str(row): text("row {row}", row=row) for row in range(1, SIDE + 1)}
        return {"A": text("up"), "B": text("right"), "C": text("down"), "D": text("left")}


BOARD = Board()


def _map(drawing: Svg, map_: Map, seen: Seen, marks: Marks) -> None:
    """Draw the squares with their edges, letters and numbers. A half-made play lies on them with a broken edge."""
    view, size = seen.view, map_.size
    laid = dict(marks.squares)
    fresh = {seen.last[1].first, seen.last[1].second} if seen.last else set()
    for cells in _dominoes(view, [move for _, move in seen.moves]):
        corners = [map_.place(cell) for cell in cells]
        (x, y), (x1, y1) = map(min, zip(*corners, strict=True)), map(max, zip(*corners, strict=True))
        css = f"height{min(view.heights[cells[0]], BRIGHTEST)}"
        drawing.rect(x + 3, y + 3, x1 - x + size - 6, y1 - y + size - 6, f"{css} joined", round_=8)
    for cell in map_.cells:
        x, y = map_.place(cell)
        _cell(drawing, view, cell, (x, y, size, size), laid, fresh=cell in fresh)
    for column in map_.columns:
        x, y = map_.place(column * SIDE + map_.rows.start)
        drawing.text(x + size / 2, y + size + 34, CELLS[column * SIDE][0], 34, "faint")
    for row in map_.rows:
        x, y = map_.place(map_.columns.start * SIDE + row)
        drawing.text(x - 10, y + size * 0.6, str(row + 1), 34, "faint", anchor="end")


def _dominoes(view: State, moves: Sequence[Move]) -> list[tuple[int, ...]]:
    """The covered squares in groups: the two of one domino together if both of its halves are visible."""
    on_top: Mapping[int, int] = {cell: index for index, move in enumerate(moves) for cell in (move.first, move.second)}
    whole = [(m.first, m.second) for index, m in enumerate(moves) if on_top[m.first] == on_top[m.second] == index]
    joined = {cell for cells in whole for cell in cells}
    return [*whole, *((cell,) for cell, pip in enumerate(view.pips) if pip != VACANT and cell not in joined)]


def _cell(drawing: Svg, view: State, cell: int, place: board.Place, laid: Mapping[int, int], *, fresh: bool) -> None:
    """Draw a square's top pip and height, or a dot if it is vacant.

    The pip is highlighted if it is new or only entered.
    """
    x, y, size, _ = place
    pip, height = laid.get(cell, view.pips[cell]), view.heights[cell]
    if cell in laid:
        drawing.rect(x + 5, y + 5, size - 10, size - 10, "ghost", round_=8)
    if pip == VACANT:
        drawing.circle(x + size / 2, y + size / 2, 5, "faint")
        if cell == START and not any(view.heights) and not laid:
            drawing.rect(x + 5, y + 5, size - 10, size - 10, "ghost", round_=8)
            drawing.text(x + size / 2, y + size * 0.36, text("start"), size * 0.26, "ink")
        return
    drawing.text(x + size / 2, y + size * 0.7, str(pip), size * 0.55, "mark" if fresh or cell in laid else "ink")
    if height > 1:
        drawing.text(x + size - 10, y + size - 10, text("×{height}", height=height), size * 0.21, "ink", anchor="end")


def _players(drawing: Svg, view: State, names: Sequence[str]) -> None:
    """Draw the level, and each player's points and dominoes; on a phone, whose page has points, only dominoes."""
    wide, right = drawing.size[0], drawing.size[0] - 20
    phone = wide < WIDTH
    left = 474 if phone else 670
    drawing.text(right, 60, text("level {level}", level=view.level), 28 if phone else 44, "faint", anchor="end")
    for index, name in enumerate(names):
        y = 150 + index * 100
        drawing.rect(left, y - 50, 14, 80, f"seat{index + 1}", round_=6)
        room = right - left - 24 - (0 if phone else DIGIT * len(str(view.scores[index])))
        size = max(LEAST, min(40, room / len(name) / LETTER))
        drawing.text(left + 24, y - 20, _shortened(name, int(room / size / LETTER)), size, "ink", anchor="start")
        if phone:  # A picture and a number: in some languages words would have no room.
            drawing.rect(left + 24, y + 2, 36, 20, "card", round_=4)
            drawing.line(left + 42, y + 5, left + 42, y + 19)
            drawing.text(left + 70, y + 22, str(view.sizes[index]), 28, "faint", anchor="start")
        else:
            drawing.text(right, y + 10, str(view.scores[index]), 56, "ink", anchor="end")
            number = text("{number} left", number=view.sizes[index])
            drawing.text(left + 24, y + 22, number, 28, "faint", anchor="start")


def _shortened(name: str, letters: int) -> str:
    """The name, or as much of it as fits in `letters`. The page has the whole name beside the same colour."""
    return name if len(name) <= max(letters, 1) else f"{name[: letters - 1]}…"


class Tapped(NamedTuple):
    """A half-made play on a phone: the pips in the order of the squares, the first square, and the way from there."""

    p: int | None = None
    q: int | None = None
    cell: int | None = None
    way: str = ""

    @classmethod
    def of(cls, keys: str) -> Tapped:
        """The half-made play that these keys mean. A column without its row does not count as a square."""
        cell = SIDE * (int(keys[2]) - 1) + int(keys[3]) - 1 if len(keys) > 3 else None
        p, q = (*map(PIPS.index, keys[:2]), None, None)[:2]
        return cls(p, q, cell, keys[4:])

    @property
    def keys(self) -> str:
        """The keys that type this play."""
        pips = "".join(PIPS[pip] for pip in (self.p, self.q) if pip is not None)
        return pips if self.cell is None else f"{pips}{self.cell // SIDE + 1}{self.cell % SIDE + 1}{self.way}"

    @property
    def asks(self) -> str:
        """What to tap next; "" once a whole play is entered."""
        if self.p is None:
            return text("Tap a domino.")
        if self.q is None:
            return text("Tap its other pip.")
        if self.cell is None:
            return text("Tap the square for the {pip}.", pip=self.p)
        return "" if self.way else text("Tap the square for the {pip}, beside it.", pip=self.q)

    @property
    def turned(self) -> Tapped:
        """The same play with the pips in the other order."""
        return self._replace(p=self.q, q=self.p)

    @property
    def second(self) -> int | None:
        """The square of the second pip; None while the way is not entered."""
        return beyond(self.cell, WAYS[self.way]) if self.cell is not None and self.way else None


Piece = tuple[str, Tapped, bool]
"""What can be tapped below the map: its label of one or two pips, the play after the tap, whether it is chosen."""


def _hand_rows(view: State, seat: int, keys: str, *, due: bool) -> list[list[Piece]]:
    """The dominoes below the map of a seat's phone, in rows; or single pips, while two pips are tapped one by one."""
    tapped = Tapped.of(keys)
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
    """A pip that can be tapped: it is the first one, then the second one; a tap after both begins anew."""
    first = tapped.p is None or tapped.q is not None
    return str(pip), Tapped(pip) if first else tapped._replace(q=pip), pip in (tapped.p, tapped.q)


def _tap_hand(drawing: Svg, rows: list[list[Piece]], top: float, *, due: bool) -> None:
    """Draw the rows below `top`. Each piece can be tapped while the seat is to move."""
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


def _tap_cell(drawing: Svg, view: State, tapped: Tapped, cell: int, place: Place) -> None:
    """Let a square be tapped once there is a domino for it."""
    if tapped.q is None:
        return
    cells = (tapped.cell, tapped.second)
    words = _cell_words(view, cell)
    if cell in cells and tapped.way:
        drawing.tap(tapped.turned.keys, text("{cell}; turns the domino around", cell=words), place, chosen=True)
        return
    way = "" if tapped.cell is None else way_key(tapped.cell, cell)
    if cell == tapped.cell:
        then = tapped._replace(cell=None)
    elif way and not tapped.way:
        then = tapped._replace(way=way)
    else:
        then = tapped._replace(cell=cell, way=_only_way(view, cell))
    drawing.tap(then.keys, words, place, chosen=cell in cells)


def _only_way(view: State, cell: int) -> str:
    """The key of the only way from a square that makes a free pair; "" if there are more or none."""
    ways = [key for key, way in WAYS.items() if way in free_ways(view, cell)]
    return ways[0] if len(ways) == 1 else ""


def _cell_words(view: State, cell: int) -> Text:
    """What lies on a square: ``d4: 6, 2 high``."""
    if view.pips[cell] == VACANT:
        return text("{cell}: empty", cell=CELLS[cell])
    return text("{cell}: {pip}, {height} high", cell=CELLS[cell], pip=view.pips[cell], height=view.heights[cell])

"""The board of Ziggurat: squares from above with pips, heights and the edges of dominoes; higher squares are brighter.

On a phone a domino is tapped, then the square of its first pip, then that of the other one. A tap on a square where the
half-made play lies, or on its domino, turns the domino around. For a sealed hand all dominoes that are not on the table
can be tapped; in the larger sets the two pips are tapped one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.games.api import board
from companion.games.api.board import BoardScene, Rectangle, Svg
from companion.games.api.text import Text, text
from companion.games.ziggurat.drafts import WAY_OF_KEY, Marks, free_ways_from, map_extent, square_in_direction, way_key
from companion.games.ziggurat.grid import GRID_SIDE, SQUARE_NAMES
from companion.games.ziggurat.move_input import MOVE_INPUT
from companion.games.ziggurat.pieces import PIP_KEYS, Domino, Move, dominoes_of_set
from companion.games.ziggurat.state import NO_PIP, State

SCREEN_WIDTH, SCREEN_HEIGHT = 1000, 560
PHONE_SIZE = 600, 500
"""The width of a phone's drawing, and its height above the dominoes."""
MAP_TOP = 20
DIGIT_WIDTH, LETTER_SHARE = 40, 0.75
"""The width of a digit of the points beside the map, and the width of a bold letter as a share of its size."""
MIN_LETTER_SIZE = 22
"""The smallest size of a name's letters; a phone shows them at half of it."""
BRIGHTEST_HEIGHT = 6
"""Squares of this height or more have the same shade."""
START_SQUARE = SQUARE_NAMES.index("d4")
DOMINOES_IN_ROW = 7
DOMINO_PITCH, DOMINO_WIDTH, DOMINO_HEIGHT = 84, 80, 58
"""The distance between two dominoes of a row, and the size of one."""
MAX_PIP_OF_FULL_HAND = 6
"""The largest set of which a phone has room for all dominoes."""


class MapPlacement(NamedTuple):
    """Where the squares are drawn: the left edge, the size of a square, and the columns and rows that are shown."""

    left: float
    size: float
    columns: range
    rows: range

    def corner_of(self, cell: int) -> tuple[float, float]:
        """The upper left corner of a square."""
        column, row = divmod(cell, GRID_SIDE)
        return self.left + (column - self.columns.start) * self.size, MAP_TOP + (self.rows.stop - 1 - row) * self.size

    @property
    def squares(self) -> list[int]:
        """The squares that are shown, row by row from the upper left."""
        return [column * GRID_SIDE + row for row in reversed(self.rows) for column in self.columns]


class Board(board.Board):
    """Draws the squares from above, with pips, heights and the edges of dominoes."""

    def draw(self, view: State, names: Sequence[str], last_move: tuple[int, Move] | None) -> Svg:
        return self.draw_scene(BoardScene(view, names, (last_move,) if last_move else ()))

    def draw_scene(self, scene: BoardScene) -> Svg:
        view, is_phone = scene.view, scene.seat > 0
        columns, rows = map_extent(view)
        rows_of_hand = _rows_of_pieces(view, scene.seat, scene.keys, is_to_move=scene.is_to_move) if is_phone else []
        width, height = (
            (PHONE_SIZE[0], PHONE_SIZE[1] + len(rows_of_hand) * 64) if is_phone else (SCREEN_WIDTH, SCREEN_HEIGHT)
        )
        drawing = Svg(width, height, text("Ziggurat, level {level}", level=view.level))
        room = (428, 430) if is_phone else (560, SCREEN_HEIGHT - MAP_TOP - 50)
        max_square_size = 104 if is_phone else 118
        placement = MapPlacement(
            36 if is_phone else 60, min(max_square_size, room[1] / len(rows), room[0] / len(columns)), columns, rows
        )
        draft = MOVE_INPUT.draft_from_keys(view, scene.keys) if scene.keys else None
        _draw_map(drawing, placement, scene, draft.marks if draft else Marks(""))
        _draw_players(drawing, view, scene.names)
        if scene.is_to_move:
            tapped = TappedPlay.from_keys(scene.keys)
            drawing.prompt = tapped.prompt
            for cell in placement.squares:
                _add_square_tap(
                    drawing, view, tapped, cell, (*placement.corner_of(cell), placement.size, placement.size)
                )
        _draw_pieces(drawing, rows_of_hand, PHONE_SIZE[1], is_to_move=scene.is_to_move)
        return drawing

    def position_sentences(self, view: State, names: Sequence[str]) -> Sequence[str]:
        players = [
            text("{name}: {points} points, {number} dominoes", name=name, points=points, number=number)
            for name, points, number in zip(names, view.scores, view.sizes, strict=True)
        ]
        cells = [_square_sentence(view, cell) for cell, pip in enumerate(view.top_pips) if pip != NO_PIP]
        none = [text("The table is empty: the first domino covers d4.")]
        return [text("Level {level}", level=view.level), *players, *(cells or none)]

    def key_labels(self, view: State, keys: str) -> dict[str, str]:
        if len(keys) < 2:
            return {"A": "10", "B": "11", "C": "12"} | {str(pip): "" for pip in range(view.highest_pip + 1, 10)}
        if len(keys) == 2:
            return {str(index + 1): SQUARE_NAMES[index * GRID_SIDE][0] for index in range(GRID_SIDE)}
        if len(keys) == 3:
            return {str(row): text("row {row}", row=row) for row in range(1, GRID_SIDE + 1)}
        return {"A": text("up"), "B": text("right"), "C": text("down"), "D": text("left")}


BOARD = Board()


def _draw_map(drawing: Svg, placement: MapPlacement, scene: BoardScene, marks: Marks) -> None:
    """Draw the squares with their edges, letters and numbers. A half-made play lies on them with a broken edge."""
    view, size = scene.view, placement.size
    pips_entered = dict(marks.pips_on_squares)
    last_squares = {scene.last_move[1].first, scene.last_move[1].second} if scene.last_move else set()
    for cells in _groups_of_squares(view, [move for _, move in scene.moves]):
        corners = [placement.corner_of(cell) for cell in cells]
        (x, y), (x1, y1) = map(min, zip(*corners, strict=True)), map(max, zip(*corners, strict=True))
        css = f"height{min(view.heights[cells[0]], BRIGHTEST_HEIGHT)}"
        drawing.add_rect(x + 3, y + 3, x1 - x + size - 6, y1 - y + size - 6, f"{css} joined", corner_radius=8)
    for cell in placement.squares:
        x, y = placement.corner_of(cell)
        _draw_square(drawing, view, cell, (x, y, size, size), pips_entered, is_fresh=cell in last_squares)
    for column in placement.columns:
        x, y = placement.corner_of(column * GRID_SIDE + placement.rows.start)
        drawing.add_text(x + size / 2, y + size + 34, SQUARE_NAMES[column * GRID_SIDE][0], 34, "faint")
    for row in placement.rows:
        x, y = placement.corner_of(placement.columns.start * GRID_SIDE + row)
        drawing.add_text(x - 10, y + size * 0.6, str(row + 1), 34, "faint", anchor="end")


def _groups_of_squares(view: State, moves: Sequence[Move]) -> list[tuple[int, ...]]:
    """The covered squares in groups: the two of one domino together if both of its halves are visible."""
    on_top: Mapping[int, int] = {cell: index for index, move in enumerate(moves) for cell in (move.first, move.second)}
    visible_dominoes = [
        (m.first, m.second) for index, m in enumerate(moves) if on_top[m.first] == on_top[m.second] == index
    ]
    joined = {cell for cells in visible_dominoes for cell in cells}
    return [
        *visible_dominoes,
        *((cell,) for cell, pip in enumerate(view.top_pips) if pip != NO_PIP and cell not in joined),
    ]


def _draw_square(
    drawing: Svg, view: State, cell: int, rectangle: board.Rectangle, pips_entered: Mapping[int, int], *, is_fresh: bool
) -> None:
    """Draw a square's top pip and height, or a dot if it is vacant.

    The pip is highlighted if it is new or only entered.
    """
    x, y, size, _ = rectangle
    pip, height = pips_entered.get(cell, view.top_pips[cell]), view.heights[cell]
    if cell in pips_entered:
        drawing.add_rect(x + 5, y + 5, size - 10, size - 10, "ghost", corner_radius=8)
    if pip == NO_PIP:
        drawing.add_circle(x + size / 2, y + size / 2, 5, "faint")
        if cell == START_SQUARE and not any(view.heights) and not pips_entered:
            drawing.add_rect(x + 5, y + 5, size - 10, size - 10, "ghost", corner_radius=8)
            drawing.add_text(x + size / 2, y + size * 0.36, text("start"), size * 0.26, "ink")
        return
    drawing.add_text(
        x + size / 2, y + size * 0.7, str(pip), size * 0.55, "mark" if is_fresh or cell in pips_entered else "ink"
    )
    if height > 1:
        drawing.add_text(
            x + size - 10, y + size - 10, text("×{height}", height=height), size * 0.21, "ink", anchor="end"
        )


def _draw_players(drawing: Svg, view: State, names: Sequence[str]) -> None:
    """Draw the level, and each player's points and dominoes; on a phone, whose page has points, only dominoes."""
    width, right = drawing.size[0], drawing.size[0] - 20
    is_phone = width < SCREEN_WIDTH
    left = 474 if is_phone else 670
    drawing.add_text(right, 60, text("level {level}", level=view.level), 28 if is_phone else 44, "faint", anchor="end")
    for index, name in enumerate(names):
        y = 150 + index * 100
        drawing.add_rect(left, y - 50, 14, 80, f"seat{index + 1}", corner_radius=6)
        room = right - left - 24 - (0 if is_phone else DIGIT_WIDTH * len(str(view.scores[index])))
        size = max(MIN_LETTER_SIZE, min(40, room / len(name) / LETTER_SHARE))
        drawing.add_text(
            left + 24, y - 20, _shortened_name(name, int(room / size / LETTER_SHARE)), size, "ink", anchor="start"
        )
        if is_phone:  # A picture and a number: in some languages words would have no room.
            drawing.add_rect(left + 24, y + 2, 36, 20, "card", corner_radius=4)
            drawing.add_line(left + 42, y + 5, left + 42, y + 19)
            drawing.add_text(left + 70, y + 22, str(view.sizes[index]), 28, "faint", anchor="start")
        else:
            drawing.add_text(right, y + 10, str(view.scores[index]), 56, "ink", anchor="end")
            number = text("{number} left", number=view.sizes[index])
            drawing.add_text(left + 24, y + 22, number, 28, "faint", anchor="start")


def _shortened_name(name: str, letters: int) -> str:
    """The name, or as much of it as fits in `letters`. The page has the whole name beside the same colour."""
    return name if len(name) <= max(letters, 1) else f"{name[: letters - 1]}…"


class TappedPlay(NamedTuple):
    """A half-made play on a phone: the pips in the order of the squares, the first square, and the way from there."""

    p: int | None = None
    q: int | None = None
    square: int | None = None
    way: str = ""

    @classmethod
    def from_keys(cls, keys: str) -> TappedPlay:
        """The half-made play that these keys mean. A column without its row does not count as a square."""
        cell = GRID_SIDE * (int(keys[2]) - 1) + int(keys[3]) - 1 if len(keys) > 3 else None
        p, q = (*map(PIP_KEYS.index, keys[:2]), None, None)[:2]
        return cls(p, q, cell, keys[4:])

    @property
    def keys(self) -> str:
        """The keys that type this play."""
        pips = "".join(PIP_KEYS[pip] for pip in (self.p, self.q) if pip is not None)
        return (
            pips
            if self.square is None
            else f"{pips}{self.square // GRID_SIDE + 1}{self.square % GRID_SIDE + 1}{self.way}"
        )

    @property
    def prompt(self) -> str:
        """What to tap next; "" once a whole play is entered."""
        if self.p is None:
            return text("Tap a domino.")
        if self.q is None:
            return text("Tap its other pip.")
        if self.square is None:
            return text("Tap the square for the {pip}.", pip=self.p)
        return "" if self.way else text("Tap the square for the {pip}, beside it.", pip=self.q)

    @property
    def turned_around(self) -> TappedPlay:
        """The same play with the pips in the other order."""
        return self._replace(p=self.q, q=self.p)

    @property
    def second_square(self) -> int | None:
        """The square of the second pip; None while the way is not entered."""
        return square_in_direction(self.square, WAY_OF_KEY[self.way]) if self.square is not None and self.way else None


TappablePiece = tuple[str, TappedPlay, bool]
"""What can be tapped below the map: its label of one or two pips, the play after the tap, whether it is chosen."""


def _rows_of_pieces(view: State, seat: int, keys: str, *, is_to_move: bool) -> list[list[TappablePiece]]:
    """The dominoes below the map of a seat's phone, in rows; or single pips, while two pips are tapped one by one."""
    tapped = TappedPlay.from_keys(keys)
    held = view.hands[seat - 1].pieces
    if held is None and not is_to_move:
        return []
    if held is None and view.highest_pip > MAX_PIP_OF_FULL_HAND:
        pieces = [_pip_piece(tapped, pip) for pip in range(view.highest_pip + 1)]
    else:
        dominoes = (
            held
            if held is not None
            else [each for each in dominoes_of_set(view.highest_pip) if each not in view.played_dominoes]
        )
        pieces = [_domino_piece(tapped, domino) for domino in dominoes]
    return [pieces[start : start + DOMINOES_IN_ROW] for start in range(0, len(pieces), DOMINOES_IN_ROW)]


def _domino_piece(tapped: TappedPlay, domino: Domino) -> TappablePiece:
    if tapped.q is not None and sorted((tapped.p or 0, tapped.q)) == list(domino):
        return f"{tapped.p}-{tapped.q}", tapped.turned_around, True
    return str(domino), tapped._replace(p=domino.low, q=domino.high), False


def _pip_piece(tapped: TappedPlay, pip: int) -> TappablePiece:
    """A pip that can be tapped: it is the first one, then the second one; a tap after both begins anew."""
    first = tapped.p is None or tapped.q is not None
    return str(pip), TappedPlay(pip) if first else tapped._replace(q=pip), pip in (tapped.p, tapped.q)


def _draw_pieces(drawing: Svg, rows: list[list[TappablePiece]], top: float, *, is_to_move: bool) -> None:
    """Draw the rows below `top`. Each piece can be tapped while the seat is to move."""
    for down, row in enumerate(rows):
        for across, (label, tapped, is_chosen) in enumerate(row):
            x, y = 8 + across * DOMINO_PITCH, top + down * 64
            drawing.add_rect(x, y, DOMINO_WIDTH, DOMINO_HEIGHT, "card", corner_radius=8)
            halves = label.split("-")
            for index, pip in enumerate(halves):
                drawing.add_text(
                    x + DOMINO_WIDTH * (2 * index + 1) / (2 * len(halves)), y + 41, pip, 34 if len(pip) < 2 else 28
                )
            if len(halves) > 1:
                drawing.add_line(x + DOMINO_WIDTH / 2, y + 8, x + DOMINO_WIDTH / 2, y + DOMINO_HEIGHT - 8)
            if is_to_move:
                label_text = text("turn {domino} around", domino=label) if is_chosen and len(halves) > 1 else label
                drawing.add_tap(tapped.keys, label_text, (x, y, DOMINO_WIDTH, DOMINO_HEIGHT), chosen=is_chosen)


def _add_square_tap(drawing: Svg, view: State, tapped: TappedPlay, cell: int, rectangle: Rectangle) -> None:
    """Let a square be tapped once there is a domino for it."""
    if tapped.q is None:
        return
    cells = (tapped.square, tapped.second_square)
    words = _square_sentence(view, cell)
    if cell in cells and tapped.way:
        drawing.add_tap(
            tapped.turned_around.keys, text("{cell}; turns the domino around", cell=words), rectangle, chosen=True
        )
        return
    way = "" if tapped.square is None else way_key(tapped.square, cell)
    if cell == tapped.square:
        tapped_after = tapped._replace(square=None)
    elif way and not tapped.way:
        tapped_after = tapped._replace(way=way)
    else:
        tapped_after = tapped._replace(square=cell, way=_only_way_key(view, cell))
    drawing.add_tap(tapped_after.keys, words, rectangle, chosen=cell in cells)


def _only_way_key(view: State, cell: int) -> str:
    """The key of the only way from a square that makes a free pair; "" if there are more or none."""
    ways = [key for key, way in WAY_OF_KEY.items() if way in free_ways_from(view, cell)]
    return ways[0] if len(ways) == 1 else ""


def _square_sentence(view: State, cell: int) -> Text:
    """What lies on a square: ``d4: 6, 2 high``."""
    if view.top_pips[cell] == NO_PIP:
        return text("{cell}: empty", cell=SQUARE_NAMES[cell])
    return text(
        "{cell}: {pip}, {height} high", cell=SQUARE_NAMES[cell], pip=view.top_pips[cell], height=view.heights[cell]
    )

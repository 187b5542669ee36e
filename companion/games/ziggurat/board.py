"""The board of Ziggurat: dominoes from above, higher ones lifted, with the colour and the number of their height.

On a phone a domino is tapped, then the square of its first pip, then that of the other one. A tap on a square where the
half-made play lies turns the domino around, one on its empty slot takes it back. For a sealed hand all dominoes that
are not on the table can be tapped; in the larger sets the two pips are tapped one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.games.api import board
from companion.games.api.board import BoardScene, Rectangle, Svg
from companion.games.api.move_input import Draft
from companion.games.api.text import Text, join_texts, plural_text, text
from companion.games.ziggurat import rules
from companion.games.ziggurat.drafts import (
    WAY_OF_KEY,
    free_ways_from,
    halves_of_move,
    map_extent,
    square_in_direction,
    way_key,
)
from companion.games.ziggurat.grid import GRID_SIDE, SQUARE_NAMES
from companion.games.ziggurat.move_input import MOVE_INPUT
from companion.games.ziggurat.pieces import PIP_KEYS, Domino, Move, dominoes_of_set
from companion.games.ziggurat.rules import RULES
from companion.games.ziggurat.state import NO_PIP, State

PHONE_SIZE, SCREEN_SIZE = (700, 602), (860, 580)
PHONE_MAP, SCREEN_MAP = (40, 4, 530, 550), (56, 6, 600, 528)
"""Where the map is in the middle of: the left edge, the upper edge, the width and the height."""
MAX_SQUARE_SIZE = 134
LIFT_SHARE = 0.25
"""How much of a square the highest domino is lifted at most: the pips of the square behind it stay visible."""
MIN_LETTER_SIZE, LEVEL_LETTER_SIZE, AXIS_LETTER_SIZE = 30, 28, 39
"""The least size of a height, that of the level in words, of columns and rows; shown at 0.32 of it on a small phone."""
BRIGHTEST_HEIGHT = 6
"""Squares of this height or more have the same shade."""
START_SQUARE = SQUARE_NAMES.index("d4")
DOMINOES_IN_ROW = {10: 5, 21: 7, 91: 10}
"""The most dominoes of a hand → how many of them are in a row of the tray."""
TRAY_WIDTH = 600
PIECE_HEIGHT, ROW_HEIGHT, PIECE_GAP = 71, 77, 8
"""The height of a domino in the tray, that of a row, and what is free beside a domino where there is room for it."""
_BASE_IS_FULL, _BASE_SIZE = "The base must become a full 4×4.", "The base has 4 columns and 4 rows."
_EACH_ONCE, _NOT_YET = "The set has each domino once.", "Build up only once the base is complete."
_REFUSALS = {
    "set": ("There is no domino {domino}.", "The set ends at {top}-{top}."),
    "held": ("You don't hold {domino}.", ""),
    "supply": ("The domino {domino} is on the table.", _EACH_ONCE),
    "supply other": ("Another hand has {domino}.", _EACH_ONCE),
    "anchor": ("The first domino covers d4.", "It lies on d4 and e4, or on d4 and d5."),
    "occupied": ("A domino lies on {cells}.", _NOT_YET),
    "occupied both": ("Both squares are occupied.", _NOT_YET),
    "frame columns": ("That makes {number} columns.", _BASE_SIZE),
    "frame rows": ("That makes {number} rows.", _BASE_SIZE),
    "gap": ("Then {cell} could not be filled.", _BASE_IS_FULL),
    "gap somewhere": ("Then a gap would stay.", _BASE_IS_FULL),
    "touch": ("It touches no domino.", "It must share an edge with another one."),
    "vacant": ("Nothing lies on {low}.", "No domino may cover an empty square."),
    "vacant low": ("The square {low} is only {high} high.", "Level {level} needs two squares {ground} high."),
    "uneven": ("One square is {first} high, the other {second}.", "Free and equally high: {free}."),
    "level": ("Both squares are {high} high.", "Fill level {level} first: {free} are free."),
}
"""A row of the refusals that a phone can meet → why a play is refused, and what is allowed."""
MAX_PIP_OF_FULL_HAND = 6
"""The largest set of which a phone has room for all dominoes."""


class MapPlacement(NamedTuple):
    """Where the squares are drawn: the corner of the map, the size of a square, by how much a level is lifted, ….

    ``columns`` and ``rows`` are those that are shown.
    """

    left: float
    top: float
    size: float
    lift: float
    columns: range
    rows: range

    @classmethod
    def of_scene(cls, scene: BoardScene, room: Rectangle) -> MapPlacement:
        """The largest map within a rectangle, in the middle of it: the base, or what a play can reach."""
        view, (left, top, width, height) = scene.view, room
        columns, rows = map_extent(view)
        if view.level == 1:
            covered = [cell for cell, each in enumerate(view.heights) if each]
            used = zip(*(divmod(cell, GRID_SIDE) for cell in covered or [START_SQUARE]), strict=True)
            reach = 2 if covered else 1
            columns, rows = (
                range(max(base.start, min(each) - reach), min(base.stop, max(each) + reach + 1))
                for base, each in zip((columns, rows), used, strict=True)
            )
        size = min(MAX_SQUARE_SIZE, width / len(columns), height / (len(rows) + LIFT_SHARE))
        lift = size * min(0.1, LIFT_SHARE / max(1, view.level - 1))
        left += (width - len(columns) * size) / 2
        top += (height - (len(rows) - LIFT_SHARE) * size) / 2
        return cls(left, top, size, lift, columns, rows)

    def corner_of(self, cell: int, height: int = 0) -> tuple[float, float]:
        """The upper left corner of a square; with a height, that of a domino on it that is so many levels high."""
        column, row = divmod(cell, GRID_SIDE)
        x = self.left + (column - self.columns.start) * self.size
        return x, self.top + (self.rows.stop - 1 - row) * self.size - max(0, height - 1) * self.lift

    def place_of(self, cells: Sequence[int], height: int = 0) -> Rectangle:
        """The rectangle of one square, or of two beside each other."""
        corners = [self.corner_of(cell, height) for cell in cells]
        (x, y), (x1, y1) = map(min, zip(*corners, strict=True)), map(max, zip(*corners, strict=True))
        return x, y, x1 - x + self.size, y1 - y + self.size

    def visible_place_of(self, cell: int, heights: Sequence[int]) -> Rectangle:
        """The rectangle of a square without what a higher one in front of it hides."""
        x, y, width, high = self.place_of([cell], heights[cell])
        if cell % GRID_SIDE:
            high = min(high, self.corner_of(cell - 1, heights[cell - 1])[1] - y)
        return x, y, width, high

    @property
    def squares(self) -> list[int]:
        """The squares that are shown, row by row from the upper left."""
        return [column * GRID_SIDE + row for row in reversed(self.rows) for column in self.columns]


class Board(board.Board):
    """Draws the squares from above, with pips, heights and the edges of dominoes."""

    def draw(self, view: State, names: Sequence[str], last_move: tuple[int, Move] | None) -> Svg:
        return self.draw_scene(BoardScene(view, names, (last_move,) if last_move else ()))

    def draw_scene(self, scene: BoardScene) -> Svg:
        view = scene.view
        size, room = (PHONE_SIZE, PHONE_MAP) if scene.seat else (SCREEN_SIZE, SCREEN_MAP)
        drawing = Svg(*size, text("Ziggurat, level {level}", level=view.level))
        placement = MapPlacement.of_scene(scene, room)
        if scene.seat:
            _draw_hand_sizes(drawing, view)
        else:
            _draw_numbers_left(drawing, view)
        draft = MOVE_INPUT.draft_from_keys(view, scene.keys) if scene.keys else None
        _draw_map(drawing, placement, scene, [cell for cell, _ in draft.marks.pips_on_squares] if draft else [])
        if draft:
            _draw_half_made_play(drawing, placement, scene, draft)
        if scene.seat:
            drawing.tray = _draw_tray(scene)
        if scene.is_to_move:
            tapped = TappedPlay.from_keys(scene.keys)
            drawing.prompt, drawing.verb = tapped.prompt, text("Lay", "button")
            drawing.undo = tapped.without_last_tap(scene).keys
            for cell in placement.squares:
                _add_square_tap(drawing, view, tapped, cell, placement.visible_place_of(cell, view.heights))
        return drawing

    def draft_sentences(self, scene: BoardScene, draft: Draft) -> tuple[str, str]:
        """``2 on 2, twice: 4 points.`` ``Level 2 counts each match twice.``"""
        if draft.verdict == "ok" and draft.event:
            return _score_sentences(scene.view, RULES.parse_move(draft.event))
        event = draft.event or draft.attempted_event
        refused = RULES.refusal(scene.view, RULES.parse_move(event)) if draft.verdict == "no" and event else None
        if refused is None or refused.row not in _REFUSALS:
            return draft.working, draft.message
        if refused.row in ("uneven", "level") and len(draft.marks.pips_on_squares) == 1:
            why, allowed = "No domino can lie there now.", "Still free: {free}."
        else:
            why, allowed = _REFUSALS[refused.row]
        return text(allowed, **refused.values) if allowed else "", text(why, **refused.values)

    def position_sentences(self, view: State, names: Sequence[str]) -> Sequence[str]:
        players = [
            text("{name}: {points} points, {number} dominoes", name=name, points=points, number=number)
            for name, points, number in zip(names, view.scores, view.sizes, strict=True)
        ]
        rows = (range(row, len(view.top_pips), GRID_SIDE) for row in range(GRID_SIDE))
        covered = ([_square_sentence(view, cell) for cell in row if view.top_pips[cell] != NO_PIP] for row in rows)
        lines = [join_texts(row, "; ") for row in covered if row]
        none = [text("The table is empty: the first domino covers d4.")]
        return [text("Level {level}", level=view.level), *players, *(lines or none)]

    def key_labels(self, view: State, keys: str) -> dict[str, str]:
        if len(keys) < 2:
            return {"A": "10", "B": "11", "C": "12"} | {str(pip): "" for pip in range(view.highest_pip + 1, 10)}
        if len(keys) == 2:
            return {str(index + 1): SQUARE_NAMES[index * GRID_SIDE][0] for index in range(GRID_SIDE)}
        if len(keys) == 3:
            return {str(row): text("row {row}", row=row) for row in range(1, GRID_SIDE + 1)}
        return {"A": text("up"), "B": text("right"), "C": text("down"), "D": text("left")}


BOARD = Board()


def _score_sentences(view: State, move: Move) -> tuple[str, str]:
    """What a play scores, and why."""
    points, cells = rules.score_of_play(view, move)
    pips = [pip for pip, cell in halves_of_move(move) if cell in cells]
    if view.level == 1:
        reason = text("A half scores beside an equal half.")
    elif not pips:
        reason = text("A half scores on an equal half.")
    else:
        message = (
            "Level {level} counts each match twice."
            if view.level == 2
            else "Level {level} counts each match {level} times."
        )
        reason = text(message, level=view.level)
    if not pips:
        return text("No match: no points."), reason
    if len(set(pips)) > 1:
        message = "{pip} and {other} match: {points}."
    elif view.level == 1:
        message = "{pip} beside {pip}, twice: {points}." if pips[1:] else "{pip} beside {pip}: {points}."
    else:
        message = "{pip} on {pip}, twice: {points}." if pips[1:] else "{pip} on {pip}: {points}."
    points_text = plural_text(points, "{number} point", "{number} points")
    return text(message, pip=pips[0], other=pips[-1], points=points_text), reason


def _draw_map(drawing: Svg, placement: MapPlacement, scene: BoardScene, covered: Sequence[int]) -> None:
    """Draw the squares and dominoes, those behind first, and letters and numbers; a ring is around the last domino.

    The half-made play lies on the `covered` squares, so their pips are left out.
    """
    view, size = scene.view, placement.size
    for cell in placement.squares:
        if view.top_pips[cell] == NO_PIP:
            x, y = placement.corner_of(cell)
            drawing.add_circle(x + size / 2, y + size / 2, 6, "faint")
    if not any(view.heights) and not scene.keys:
        x, y = placement.corner_of(START_SQUARE)
        drawing.add_rect(x + 4, y + 4, size - 8, size - 8, "ghost", corner_radius=10)
        drawing.add_text(x + size / 2, y + size + 32, text("start"), AXIS_LETTER_SIZE, "faint")
    last_squares = {scene.last_move[1].first, scene.last_move[1].second} if scene.last_move else set()
    for cells in sorted(_groups_of_squares(view, [move for _, move in scene.moves]), key=_front_row, reverse=True):
        pips, height = {cell: view.top_pips[cell] for cell in cells}, view.heights[cells[0]]
        x, y, wide, high = placement.place_of(cells, height)
        seat = scene.last_move[0] if scene.last_move and last_squares == set(cells) else 0
        away = (0.0, size) if scene.seat else (drawing.size[0] - 150 - x, _y_of_player(seat) - y)
        _draw_sides(drawing, placement, cells, height)
        with drawing.travelling_from(*away if seat and not scene.keys else (0, 0)):
            _draw_top(drawing, placement, pips, height, covered)
        if seat:
            drawing.add_ring((x + 1, y + 1, wide - 2, high - 2), board.ring_class(seat))
            drawing.add_circle(x + 7, y + 7, 17, f"seat{seat}")
            drawing.add_shape(seat, x + 7, y + 7, 9, f"on-seat{seat}")
    y = placement.corner_of(placement.rows.start)[1] + size + 36
    for column in placement.columns:
        x = placement.corner_of(column * GRID_SIDE)[0] + size / 2
        drawing.add_text(x, y, SQUARE_NAMES[column * GRID_SIDE][0], AXIS_LETTER_SIZE, "faint")
    for row in placement.rows:
        drawing.add_text(
            placement.left - 12, placement.corner_of(row)[1] + size * 0.68, str(row + 1), AXIS_LETTER_SIZE, "faint",
            anchor="end",
        )  # fmt: skip


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


def _front_row(cells: tuple[int, ...]) -> int:
    return min(cell % GRID_SIDE for cell in cells)


def _draw_sides(drawing: Svg, placement: MapPlacement, cells: Sequence[int], height: int) -> None:
    """Draw the shadow of a domino, or of what is visible of one, and the edges of the levels below it."""
    x, y, width, high = placement.place_of(cells)
    drawing.add_rect(x + 3, y + 8, width - 6, high - 6, "shade", corner_radius=12)
    for level in range(1, height):
        _draw_slab(drawing, placement, cells, level)


def _draw_slab(drawing: Svg, placement: MapPlacement, cells: Sequence[int], level: int) -> None:
    x, y, width, high = placement.place_of(cells, level)
    css = f"height{min(level, BRIGHTEST_HEIGHT)} joined"
    drawing.add_rect(x + 2, y + 2, width - 4, high - 4, css, corner_radius=12)


def _draw_top(
    drawing: Svg, placement: MapPlacement, pips: Mapping[int, int], height: int, covered: Sequence[int] = ()
) -> None:
    """Draw a domino, or what is visible of one.

    `pips` are its squares, each with its pip, which is left out on `covered` squares.
    """
    cells, size = list(pips), placement.size
    _draw_slab(drawing, placement, cells, height)
    x, y, width, high = placement.place_of(cells, height)
    if len(cells) > 1:
        across = (x + size, y + 0.18 * size, x + size, y + 0.82 * size)
        down = (x + 0.18 * size, y + size, x + 0.82 * size, y + size)
        drawing.add_line(*(across if width > high else down), "joined")
    for cell, pip in pips.items():
        if cell not in covered:
            _draw_half(drawing, placement.corner_of(cell, height), size, pip, height)


def _draw_half(drawing: Svg, corner: tuple[float, float], size: float, pip: int, height: int) -> None:
    """Write the pip of a domino's half in its square, and the height of a lifted one beside three layers.

    A triangle would be the shape of a player, and words have no room.
    """
    x, y = corner
    drawing.add_text(x + size / 2, y + size * 0.68, str(pip), size * (0.54 if pip < 10 else 0.46), "piece-ink")
    if height > 1:
        _draw_height(drawing, (x + size - 10, y + size * 0.27), max(MIN_LETTER_SIZE, size * 0.18), height)


def _draw_height(drawing: Svg, corner: tuple[float, float], letter_size: float, height: int) -> None:
    """Write a height beside three layers; their lower right corner is given."""
    right, base = corner
    drawing.add_text(right, base, str(height), letter_size, "piece-ink", anchor="end")
    middle = right - letter_size * (0.62 * len(str(height)) + 0.42)
    for share in (0.16, 0.42, 0.68):
        layer = middle - letter_size * 0.3, base - letter_size * share, letter_size * 0.6, letter_size * 0.15
        drawing.add_rect(*layer, "piece-ink")


def _draw_half_made_play(drawing: Svg, placement: MapPlacement, scene: BoardScene, draft: Draft) -> None:
    """Draw the domino of the draft where it will lie, with the points of each half that scores."""
    view, size = scene.view, placement.size
    pips = {cell: pip for cell, pip in draft.marks.pips_on_squares if cell in placement.squares}
    if not pips:
        return
    height = max(view.heights[cell] for cell in pips) + 1
    _draw_sides(drawing, placement, list(pips), height)
    _draw_top(drawing, placement, pips, height)
    css = board.ring_class(scene.seat or view.to_move, is_drafted=True, is_refused=draft.verdict == "no")
    drawing.add_ring(placement.place_of(list(pips), height), css)
    if draft.verdict == "ok" and draft.event:
        for cell in rules.score_of_play(view, RULES.parse_move(draft.event)).scoring_squares:
            x, y = placement.corner_of(cell, height)
            drawing.add_pill(x + size / 2, y, f"+{view.level}", 34, css="ok-back", text_css="ok")


def _draw_hand_sizes(drawing: Svg, view: State) -> None:
    """Draw on a phone beside the map the level, and how many dominoes each player has: a back with the number."""
    left = drawing.size[0] - 84
    drawing.add_text(left + 80, 40, text("level {level}", level=view.level), LEVEL_LETTER_SIZE, "ink", anchor="end")
    for seat, number in enumerate(view.sizes, 1):
        y = 66 * seat
        drawing.add_shape(seat, left, y + 34, 11)
        back = left + 18, y + 10, 64.0, 48.0
        drawing.add_piece(back, f"seat{seat}", edge=4, corner_radius=7)
        drawing.add_centred_text(back, str(number), 39, f"on-seat{seat}")


def _y_of_player(seat: int) -> float:
    """The middle of a player's line beside the map of the big screen."""
    return 66.0 + 62 * seat


def _draw_numbers_left(drawing: Svg, view: State) -> None:
    """Draw beside the map of the big screen the level, and how many dominoes each player has; the page has the rest."""
    left = drawing.size[0] - 170
    drawing.add_text(left, 50, text("level {level}", level=view.level), 34, "faint", anchor="start")
    for seat, size in enumerate(view.sizes, 1):
        drawing.add_name(seat, left, _y_of_player(seat) + 11, text("{number} left", number=size), 30)


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

    def without_last_tap(self, scene: BoardScene) -> TappedPlay:
        """The play before its last tap: a tap chooses a domino, or a square, or also the only way from there."""
        if self.way and not _only_way_key(scene.view, self.square or 0):
            return self._replace(way="")
        if self.square is not None:
            return self._replace(square=None, way="")
        if len(scene.keys) > len(self.keys):  # A column was typed, which is no square yet.
            return self
        has_single_pips = all(len(pips) == 1 for pips in _pieces_of_tray(scene))
        return self._replace(q=None) if has_single_pips and self.q is not None else TappedPlay()

    def has_piece(self, pips: tuple[int, ...]) -> bool:
        """Whether a domino is in this play, or a single pip."""
        if len(pips) == 1:
            return pips[0] in (self.p, self.q)
        return self.q is not None and sorted((self.p or 0, self.q)) == list(pips)

    def after_tap(self, pips: tuple[int, ...]) -> TappedPlay:
        """The play after a tap on a domino, or on a single pip: the first or the second one; a third begins anew."""
        if len(pips) == 1:
            return self._replace(q=pips[0]) if self.p is not None and self.q is None else TappedPlay(pips[0])
        return TappedPlay() if self.has_piece(pips) else self._replace(p=pips[0], q=pips[1])


def _draw_tray(scene: BoardScene) -> Svg | None:
    """Draw the pieces of a seat, each of which can be tapped while it is to move; None without any.

    A sealed hand that waits is drawn as backs in as much room, so that the board stays where it is.
    """
    pieces, tapped = _pieces_of_tray(scene), TappedPlay.from_keys(scene.keys)
    if not pieces:
        return None
    is_hidden = not scene.is_to_move and scene.view.hands[scene.seat - 1].pieces is None
    shown = pieces[: scene.view.sizes[scene.seat - 1]] if is_hidden else pieces
    in_row = next(number for most, number in DOMINOES_IN_ROW.items() if len(pieces) <= most)
    in_row -= in_row == 10 and scene.view.highest_pip > 9  # Two digits in each half need more room.
    pitch = TRAY_WIDTH / in_row
    gap = min(PIECE_GAP, pitch - board.MIN_TAP_UNITS)
    tray = Svg(TRAY_WIDTH, -(-len(pieces) // in_row) * ROW_HEIGHT, text("My pieces"))
    for index, pips in enumerate(shown):
        x, y, width = index % in_row * pitch + gap / 2, index // in_row * ROW_HEIGHT + 1, pitch - gap
        is_chosen = tapped.has_piece(pips)
        is_slot = is_chosen and len(pips) > 1
        place = x, y, width, PIECE_HEIGHT
        if is_hidden:
            tray.add_piece(place, f"seat{scene.seat}", edge=5, corner_radius=10)
            tray.add_shape(scene.seat, x + width / 2, y + PIECE_HEIGHT / 2, 10, f"on-seat{scene.seat}")
            continue
        if is_slot:
            tray.add_rect(*place, "slot", corner_radius=10)
        else:
            tray.add_piece(place, edge=5, corner_radius=10)
            if is_chosen:
                tray.add_rect(*place, board.ring_class(scene.seat), corner_radius=10)
        if len(pips) > 1:
            tray.add_line(x + width / 2, y + 10, x + width / 2, y + PIECE_HEIGHT - 10, "joined")
        for half, pip in enumerate(pips):
            size = min(34, width / len(pips) * (0.88 if pip < 10 else 0.8))
            at = x + width * (2 * half + 1) / (2 * len(pips))
            tray.add_text(at, y + PIECE_HEIGHT / 2 + size * 0.36, str(pip), size, "faint" if is_slot else "piece-ink")
        if scene.is_to_move:
            words = "-".join(map(str, pips))
            label = text("take {piece} back", piece=words) if is_slot else words
            tray.add_tap(tapped.after_tap(pips).keys, label, place, chosen=is_chosen, drawn=True)
    return tray


def _pieces_of_tray(scene: BoardScene) -> list[tuple[int, ...]]:
    """What a seat's phone offers in its tray: the dominoes of an open hand, each as its two pips.

    For a sealed hand: all unplayed dominoes, or single pips if the set is too large.
    """
    view = scene.view
    dominoes: Sequence[Domino] | None = view.hands[scene.seat - 1].pieces
    if dominoes is None:
        if view.highest_pip > MAX_PIP_OF_FULL_HAND:
            return [(pip,) for pip in range(view.highest_pip + 1)]
        dominoes = [each for each in dominoes_of_set(view.highest_pip) if each not in view.played_dominoes]
    return [tuple(domino) for domino in dominoes]


def _add_square_tap(drawing: Svg, view: State, tapped: TappedPlay, cell: int, rectangle: Rectangle) -> None:
    """Let a square be tapped once there is a domino for it."""
    if tapped.q is None:
        return
    cells = (tapped.square, tapped.second_square)
    words = _square_sentence(view, cell)
    way = "" if tapped.square is None else way_key(tapped.square, cell)
    if cell in cells and tapped.way:
        tapped_after, words = tapped.turned_around, text("{cell}; turns the domino around", cell=words)
    elif cell == tapped.square:
        tapped_after = tapped._replace(square=None)
    elif way and not tapped.way:
        tapped_after = tapped._replace(way=way)
    else:
        tapped_after = tapped._replace(square=cell, way=_only_way_key(view, cell))
    # While the second square is missing only those beside the first one are framed.
    is_drawn = bool(tapped.way) or cell in cells or (tapped.square is not None and not way)
    drawing.add_tap(tapped_after.keys, words, rectangle, chosen=cell in cells, drawn=is_drawn)


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

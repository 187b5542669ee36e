"""The board of 27: the stacks in a row, seen from the side, piece by piece.

On a phone a stack is tapped, then how many pieces of it: their numbers are in the tray.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby
from typing import NamedTuple

from companion.games.api import RefusedError, board
from companion.games.api.board import BoardScene, Rectangle, Svg
from companion.games.api.move_input import Draft
from companion.games.api.text import Text, format_list, join_texts, plural_text, text
from companion.games.twenty_seven import rules
from companion.games.twenty_seven.game_texts import Marks, disc_count_text
from companion.games.twenty_seven.move_input import MOVE_INPUT
from companion.games.twenty_seven.rules import BLACK, FIXED_PIECES, GREY, RED, RULES, WHITE, Move, State

FEWEST_PITCHES = 6
"""When fewer stacks than these are left, they stand in the middle instead of becoming wider."""
LOWEST_COUNT = 4
"""The smallest number of pieces that is written above a stack, but for the goals."""
PIECE_CLASSES = {GREY: "faint", WHITE: "seat1", BLACK: "seat2", RED: "red"}
CHIPS_IN_ROW, ROW_HEIGHT, LOW_ROW_HEIGHT = 10, 90, 66
"""The most numbers of pieces in a row of the tray, and the height of a single row and of one of several."""


class Sizes(NamedTuple):
    """The size of a drawing, and of what is in it: field numbers, other words, the thickest disc, the fixed pieces."""

    width: float
    height: float
    number: float
    word: float
    disc: float
    fixed: float


PHONE, SCREEN = Sizes(600, 600, 34, 28, 47, 16), Sizes(1000, 580, 32, 21, 43, 14)


class Row(NamedTuple):
    """Where the stacks are drawn: all that depends on the position, so that a half-made move changes none of it."""

    view: State
    sizes: Sizes
    disc: float = 0

    @classmethod
    def from_position(cls, view: State, sizes: Sizes) -> Row:
        """Leave room for the highest stack that the next move can make, and for lifted pieces."""
        highest = max(5, *(len(stack) + 0.8 for stack in view.stacks))
        for move in RULES.legal_moves(view):
            target = rules.target_field(view, view.to_move or 1, move.field)
            highest = max(highest, len(view.stacks[target - 1]) + move.pieces)
        row = cls(view, sizes)
        return row._replace(disc=min(sizes.disc, (row.ground - sizes.fixed - row.sky) / highest))

    @property
    def pitch(self) -> float:
        """The distance between two stacks."""
        return self.sizes.width / max(len(self.view.stacks), FEWEST_PITCHES)

    @property
    def ground(self) -> float:
        """What the stacks stand on; the numbers and the goals are below."""
        return self.sizes.height - self.sizes.number - 1.8 * self.sizes.word

    @property
    def sky(self) -> float:
        """How much is left free above the highest stack: there are the names, the label of an arrow, and a number."""
        return self.sizes.number + 3.4 * self.sizes.word

    @property
    def width(self) -> float:
        """The width of a piece."""
        return min(0.84 * self.pitch, 4 * self.sizes.disc)

    def middle_of(self, field: float) -> float:
        """The middle of a field; between two fields for a fraction."""
        return self.sizes.width / 2 + (field - (len(self.view.stacks) + 1) / 2) * self.pitch

    def top_of(self, field: int, pieces: int | None = None) -> float:
        """The upper edge of a stack, or of its lowest `pieces`."""
        stack = self.view.stacks[field - 1]
        count = len(stack) if pieces is None else pieces
        has_fixed = count > 0 and stack[0] in self.view.fixed
        return self.ground - (count - has_fixed) * self.disc - has_fixed * self.sizes.fixed

    def place_of(self, field: int, above: int, count: int) -> Rectangle:
        """The rectangle of `count` pieces that lie on the lowest `above` of a stack."""
        top, bottom = self.top_of(field, above + count), self.top_of(field, above)
        return self.middle_of(field) - self.width / 2, top, self.width, bottom - top

    def frame_of(self, field: int, lifted: int = 0) -> Rectangle:
        """The rectangle of a stack with the counts above it and its number below, and with `lifted` pieces."""
        top = self.top_of(field) - 0.75 * self.disc * bool(lifted) - 1.7 * self.sizes.word
        width = min(self.pitch - 4, self.width + 16)
        return self.middle_of(field) - width / 2, top, width, self.ground + 1.28 * self.sizes.number - top


class LastMove(NamedTuple):
    """The last move: who made it, where its pieces lie, what it left, and where they lay in the row as it is now.

    Args:
        field: where they lay; between two fields if they left none.
        left: how many pieces are left there.
        came_from: how far away they lay, across and down.
    """

    seat: int
    pieces: int
    steps: int
    target: int
    field: float
    left: int
    came_from: tuple[float, float]

    @classmethod
    def of_scene(cls, scene: BoardScene, row: Row) -> LastMove | None:
        """None before the first move, and where not all moves are known."""
        variant = next(name for name, fixed in FIXED_PIECES.items() if fixed == scene.view.fixed)
        before = after = RULES.initial_state(2, {"variant": variant}, {})
        with suppress(RefusedError):
            for seat, move in scene.moves:
                before, after = after, RULES.play_move(after, seat, move)
        if not scene.moves or after.stacks != scene.view.stacks:
            return None
        seat, (field, pieces) = scene.moves[-1]
        left = len(before.stacks[field - 1]) - pieces
        target = rules.target_field(before, seat, field) - (not left and seat == WHITE)
        old_x, old_y, *_ = Row.from_position(before, row.sizes).place_of(field, left, pieces)
        x, y, *_ = row.place_of(target, len(row.view.stacks[target - 1]) - pieces, pieces)
        steps = rules.steps_of_move(before, seat)
        return cls(seat, pieces, steps, target, field if left else field - 0.5, left, (old_x - x, old_y - y))


class Board(board.Board):
    """Draws the row of stacks from the side, piece by piece."""

    def draw(self, view: State, names: Sequence[str], last_move: tuple[int, Move] | None) -> Svg:
        return self.draw_scene(BoardScene(view, names, (last_move,) if last_move else ()))

    def draw_scene(self, scene: BoardScene) -> Svg:
        view, mover = scene.view, scene.seat or scene.view.to_move or 1
        draft = MOVE_INPUT.draft_from_keys(view, scene.keys) if scene.keys else None
        marks = draft.marks if draft else Marks(0)
        chosen = marks.field if 1 <= marks.field <= len(view.stacks) else 0
        legal_fields = {move.field for move in RULES.legal_moves(view)} if scene.is_to_move else set()
        row = Row.from_position(view, PHONE if scene.seat else SCREEN)
        last = None if scene.keys else LastMove.of_scene(scene, row)
        drawing = Svg(row.sizes.width, row.sizes.height, _title(view, scene.names))
        _draw_players(drawing, row, scene.names)
        for field in sorted(legal_fields - {chosen}):
            drawing.add_rect(*row.frame_of(field), "line", corner_radius=12)
        for field in range(1, len(view.stacks) + 1):
            _draw_stack(drawing, row, field, marks, last)
        if chosen:
            css = board.ring_class(mover, is_refused=draft is not None and draft.verdict == "no")
            drawing.add_rect(*row.frame_of(chosen, marks.lifted_pieces), css, corner_radius=12)
        if marks.target:
            _draw_half_made_move(drawing, row, marks, mover)
        if last:
            _draw_last_move(drawing, row, last)
        if scene.seat:
            maximum = rules.movable_piece_count(view, chosen) if chosen in legal_fields else 0
            drawing.tray = _draw_tray(scene, chosen, maximum)
        if scene.is_to_move:
            drawing.prompt = text("Tap one of your stacks.") if not scene.keys else text("How many?") if maximum else ""
            drawing.undo = scene.keys[:1] if scene.keys[1:] and maximum > 1 else ""  # One piece: a tap is the move.
            _add_stack_taps(drawing, row, scene.names, chosen)
        return drawing

    def draft_sentences(self, scene: BoardScene, draft: Draft) -> tuple[str, str]:
        """``Ben's disc is on top of field 8.`` ``You can move from 2, 3 and 5.``"""
        view, seat, marks = scene.view, scene.seat, draft.marks
        steps = rules.steps_of_move(view, seat)
        steps_text = plural_text(
            steps,
            "You have {number} stack, so you move {number} field ahead.",
            "You have {number} stacks, so you move {number} fields ahead.",
        )
        if draft.verdict != "no":
            return "", steps_text
        refused = RULES.refusal(view, Move(marks.field, marks.pieces or 1))
        own_fields = format_list([str(field) for field in sorted({move.field for move in RULES.legal_moves(view)})])
        may_move = text("You can move from {fields}.", fields=own_fields)
        if refused is not None and refused.code == "overshoot":
            return steps_text, text("From field {field} it would go past the end.", field=marks.field)
        if refused is None or refused.code != "not-yours":
            return draft.working, draft.message
        return may_move, text("{what:capital}.", what=refused.conflict)

    def position_sentences(self, view: State, names: Sequence[str]) -> Sequence[str]:
        return [_stack_sentence(names, field, stack) for field, stack in enumerate(view.stacks, 1)]

    def key_labels(self, view: State, keys: str) -> dict[str, str]:
        if not keys:
            fields = range(1, len(view.stacks) + 1)
            return {"0": ""} | {str(field): text("field {field}", field=field) for field in fields}
        return {str(count): disc_count_text(count) for count in range(1, 10)}


BOARD = Board()


def _title(view: State, names: Sequence[str]) -> Text:
    one, two = rules.goal_heights(view)
    return text("27: {first} {one}, {second} {two}", first=names[0], one=one, second=names[1], two=two)


def _stack_sentence(names: Sequence[str], field: int, stack: tuple[int, ...]) -> Text:
    """``Field 3, from the top: 2 of Ann, covering 1 of Ben, a grey``."""
    fixed = {GREY: text("a grey"), RED: text("a red")}
    runs = [(piece, len(list(run))) for piece, run in groupby(reversed(stack))]
    own = ("{number} of {name}", *("covering {number} of {name}",) * len(runs))
    parts = [
        fixed.get(piece) or text(message, number=n, name=names[piece - 1])
        for message, (piece, n) in zip(own, runs, strict=False)
    ]
    return text("Field {field}, from the top: {pieces}", field=field, pieces=join_texts(parts, ", "))


def _draw_players(drawing: Svg, row: Row, names: Sequence[str]) -> None:
    """Draw each player's name and direction at the end where the player starts, and the goal at the other end.

    Long names are shortened: the page has them whole. How many pieces lie on the goal, which are the player's points,
    is above that stack.
    """
    width, _, number, word, *_ = row.sizes
    letters = int((width / 2 / word - 2.6) / board.LETTER_WIDTH)  # A name has its shape and an arrow beside it.
    first, second = (name if len(name) <= letters else f"{name[: letters - 1].rstrip(' -')}…" for name in names)
    drawing.add_name(WHITE, 4, number, text("{name} →", name=first), word)
    drawing.add_name(BLACK, width - 4, number, text("← {name}", name=second), word, anchor="end")
    for seat, side, anchor in ((WHITE, 0.5, "end"), (BLACK, -0.5, "start")):
        x = row.middle_of(rules.goal_field(row.view, seat)) + side * row.width
        drawing.add_name(seat, x, row.ground + number + 1.3 * word, text("goal"), word, anchor=anchor)


def _goal_owners(view: State, field: int) -> list[int]:
    return [seat for seat in (WHITE, BLACK) if rules.goal_field(view, seat) == field]


def _count_above(view: State, field: int) -> int:
    """How many pieces of a stack can move, if that is written above it: if they are many or lie on a goal; else 0."""
    count = rules.movable_piece_count(view, field)
    return count if count >= LOWEST_COUNT or _goal_owners(view, field) else 0


def _draw_stack(drawing: Svg, row: Row, field: int, marks: Marks, last: LastMove | None) -> None:
    """Draw a stack with its number below and the count above it."""
    stack, word = row.view.stacks[field - 1], row.sizes.word
    lifted = marks.lifted_pieces if field == marks.field else 0
    arrived = last.pieces if last and last.target == field else 0
    for index, piece in enumerate(stack):
        x, y, width, height = row.place_of(field, index, 1)
        if not index and piece in row.view.fixed:
            drawing.add_rect(x, y, width, height, "faint", corner_radius=4)
            continue
        is_lifted = index >= len(stack) - lifted
        with drawing.travelling_from(*last.came_from if last and index >= len(stack) - arrived else (0, 0)):
            _draw_piece(drawing, piece, (x, y - 0.75 * row.disc * is_lifted, width, height))
    for seat in _goal_owners(row.view, field):
        drawing.add_rect(*row.place_of(field, 0, 1), f"ring-seat{seat}", corner_radius=5)
    if (count := _count_above(row.view, field)) and not (marks.target and field in (marks.field, marks.target)):
        drawing.add_text(row.middle_of(field), row.top_of(field) - 0.5 * word, str(count), word, "faint")
    drawing.add_text(row.middle_of(field), row.ground + 1.1 * row.sizes.number, str(field), row.sizes.number)


def _draw_piece(drawing: Svg, piece: int, place: Rectangle) -> None:
    """Draw a piece with the edge below it. A disc bears the shape of its seat, a red two stripes, a grey nothing."""
    x, y, width, height = place
    corner = height * 0.3 if piece in (WHITE, BLACK) else 4
    drawing.add_piece((x, y, width, height - 1), PIECE_CLASSES[piece], edge=height * 0.17, corner_radius=corner)
    _draw_shape_of_disc(drawing, piece, place)
    for part in (0.2, 0.6) if piece == RED else ():
        drawing.add_rect(x + width * part, y + height * 0.4, width / 5, height / 5, "on")


def _draw_shape_of_disc(drawing: Svg, piece: int, place: Rectangle) -> None:
    """Draw the shape of a disc's seat on it; nothing on the piece of a field."""
    x, y, width, height = place
    if piece in (WHITE, BLACK):
        drawing.add_shape(piece, x + width / 2, y + height / 2, height * 0.22, f"on-seat{piece}")


def _draw_half_made_move(drawing: Svg, row: Row, marks: Marks, seat: int) -> None:
    """Draw the lifted pieces where they will lie, and how far they go."""
    lifted, below = marks.lifted_pieces, len(row.view.stacks[marks.target - 1])
    for index in range(lifted):
        piece = row.view.stacks[marks.field - 1][index - lifted]
        place = x, y, width, height = row.place_of(marks.target, below + index, 1)
        drawing.add_rect(x, y, width, height - 2, f"{PIECE_CLASSES[piece]} dim", corner_radius=height * 0.3)
        _draw_shape_of_disc(drawing, piece, place)
    if lifted:
        css = board.ring_class(seat, is_drafted=True)
        drawing.add_rect(*row.place_of(marks.target, below, lifted), css, corner_radius=10)
    start = row.middle_of(marks.field), row.top_of(marks.field) - 0.75 * row.disc * bool(lifted)
    end = row.middle_of(marks.target), row.top_of(marks.target, below + lifted)
    _draw_way(drawing, row, start, end, abs(marks.target - marks.field))


def _draw_last_move(drawing: Svg, row: Row, last: LastMove) -> None:
    """Draw the way of the last move: the empty place, an arrow, and a ring around the pieces."""
    height = len(row.view.stacks[last.target - 1])
    x, y, width, high = row.place_of(last.target, height - last.pieces, last.pieces)
    drawing.add_ring((x - 5, y - 5, width + 10, high + 12), f"ring-seat{last.seat}", corner_radius=14)
    start = row.middle_of(last.field), row.ground - row.sizes.fixed
    if last.left:
        place = row.place_of(round(last.field), last.left, last.pieces)
        drawing.add_rect(*place, "slot", corner_radius=10)
        start = start[0], place[1]
    room_for_count = 1.2 * row.sizes.word * bool(_count_above(row.view, last.target))
    _draw_way(drawing, row, start, (row.middle_of(last.target), y - room_for_count), last.steps)


def _draw_way(drawing: Svg, row: Row, start: tuple[float, float], end: tuple[float, float], fields: int) -> None:
    """Draw an arrow over all stacks between two points, with the number of fields that it leads."""
    word, all_fields = row.sizes.word, range(1, len(row.view.stacks) + 1)
    (x0, y0), (x1, y1) = (start[0], start[1] - 0.4 * word), (end[0], end[1] - 0.4 * word)
    left, right = sorted((x0, x1))
    tops = [row.top_of(field) for field in all_fields if left <= row.middle_of(field) <= right]
    peak = max(row.sky - 2.3 * word, min(y0 - word, y1 - word, *tops) - 2.3 * word)
    arch = peak if right - left > 2 * row.pitch else peak + 1.1 * word  # A pill would hide a narrow one.
    control = (8 * arch - y0 - y1) / 6
    head = 0.45 * word
    drawing.add_path(f"M{x0:.1f} {y0:.1f}C{x0:.1f} {control:.1f} {x1:.1f} {control:.1f} {x1:.1f} {y1 - head:.1f}")
    drawing.add_path(f"M{x1:.1f} {y1:.1f}l{-head:.1f} {-1.6 * head:.1f}h{2 * head:.1f}z", "pill")
    drawing.add_pill((x0 + x1) / 2, peak, plural_text(fields, "{number} field", "{number} fields"), word)


def _add_stack_taps(drawing: Svg, row: Row, names: Sequence[str], chosen: int) -> None:
    """Make each stack with its number tappable. For an own stack with a single movable piece, a tap is the move."""
    view = row.view
    for number, stack in enumerate(view.stacks, 1):
        is_whole_move = stack[-1] == view.to_move and rules.movable_piece_count(view, number) == 1
        words, keys = _stack_sentence(names, number, stack), f"{number}1" if is_whole_move else str(number)
        top = 1.6 * row.sizes.number
        height = row.ground + 1.28 * row.sizes.number - top
        place = row.middle_of(number) - row.pitch / 2 + 1, top, row.pitch - 2, height
        drawing.add_tap(keys, words, place, chosen=number == chosen, drawn=True)


def _draw_tray(scene: BoardScene, field: int, maximum: int) -> Svg:
    """Draw how many pieces of the chosen stack may move; before one is chosen, only the place of these numbers."""
    view, goal = scene.view, rules.goal_field(scene.view, scene.seat)
    own_fields = [field for field, top in enumerate(view.tops, 1) if top == scene.seat and field != goal]
    most = max((rules.movable_piece_count(view, field) for field in own_fields), default=1)
    rows = -(-most // CHIPS_IN_ROW)  # The room for the highest stack, so that a tap on another one moves nothing.
    row_height = ROW_HEIGHT if rows == 1 else LOW_ROW_HEIGHT
    tray = Svg(PHONE.width, rows * row_height, text("How many?"))
    if scene.is_to_move and not maximum:
        place = 130.0, 6.0, 340.0, ROW_HEIGHT - 14.0
        tray.add_rect(*place, "slot", corner_radius=18)
        tray.add_centred_text(place, text("How many?"), 28, "faint")
        return tray
    in_row = -(-maximum // max(1, -(-maximum // CHIPS_IN_ROW)))
    pitch = min(112.0, PHONE.width / max(in_row, 4))
    left = (PHONE.width - pitch * in_row) / 2
    for count in range(1, maximum + 1):
        down, right = divmod(count - 1, in_row)
        x, y, keys = left + right * pitch, down * row_height + 4, f"{field}{count}"
        is_chosen = keys == scene.keys
        place = x + 4, y, pitch - 8, row_height - 16
        tray.add_piece(place, f"seat{scene.seat}" if is_chosen else "card", edge=6, corner_radius=18)
        tray.add_centred_text(
            place, str(count), min(38, 0.56 * pitch), f"on-seat{scene.seat}" if is_chosen else "piece-ink"
        )
        words = disc_count_text(count)
        tray.add_tap(keys, words, (x + 2, y, pitch - 4, row_height - 10), chosen=is_chosen, drawn=True)
    return tray

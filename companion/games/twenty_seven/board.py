"""The board of 27: the stacks in a row, seen from the side, piece by piece.

On a phone a stack is tapped, then how many pieces of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from companion.games.api import board
from companion.games.api.board import BoardScene, Rectangle, Svg
from companion.games.api.text import Text, join_texts, plural_text, text
from companion.games.twenty_seven import rules
from companion.games.twenty_seven.game_texts import Marks
from companion.games.twenty_seven.move_input import MOVE_INPUT
from companion.games.twenty_seven.rules import BLACK, GREY, RED, WHITE, Move, State

SCREEN_WIDTH, SCREEN_HEIGHT = 1000, 560
PHONE_SIZE = 600, 560
"""The width and height of a phone's drawing that has one row of numbers."""
PIECE_GAP = 4
"""The gap between two pieces of a stack, in units of the drawing."""
PIECE_CLASSES = {GREY: "faint", WHITE: "seat1", BLACK: "seat2", RED: "red"}
CHIPS_IN_ROW, CHIP_SIZE = 9, 62
"""How many numbers of pieces are in a row, and the size of each of them."""


class Board(board.Board):
    """Draws the row of stacks from the side, piece by piece."""

    def draw(self, view: State, names: Sequence[str], last_move: tuple[int, Move] | None) -> Svg:
        drawing = Svg(SCREEN_WIDTH, SCREEN_HEIGHT, _title(view, names))
        _draw_players(drawing, names)
        _draw_stacks(drawing, view, 480, last_move[1].field if last_move else 0, Marks(0))
        return drawing

    def draw_for_phone(self, scene: BoardScene) -> Svg:
        view, draft = scene.view, MOVE_INPUT.draft_from_keys(scene.view, scene.keys) if scene.keys else None
        marks = draft.marks if draft else Marks(0)
        field = marks.field if 1 <= marks.field <= len(view.stacks) else 0
        maximum = rules.movable_piece_count(view, field) if field and view.stacks[field - 1][-1] == view.to_move else 0
        rows = max(1, -(-maximum // CHIPS_IN_ROW))
        drawing = Svg(PHONE_SIZE[0], PHONE_SIZE[1] + (rows - 1) * (CHIP_SIZE + 8), _title(view, scene.names))
        _draw_players(drawing, scene.names)
        _draw_stacks(drawing, view, 400, scene.last_move[1].field if scene.last_move else 0, marks)
        if scene.is_to_move:
            drawing.prompt = (
                text("Tap one of your stacks.") if not scene.keys else text("How many pieces?") if maximum else ""
            )
            _add_stack_taps(drawing, view, scene.names, field)
            _draw_piece_counts(drawing, view, field, maximum, scene.keys)
        if not (scene.is_to_move and maximum):
            _draw_points_rule(drawing, view, scene.names)
        return drawing

    def position_sentences(self, view: State, names: Sequence[str]) -> Sequence[str]:
        return [_stack_sentence(names, field, stack) for field, stack in enumerate(view.stacks, 1)]

    def key_labels(self, view: State, keys: str) -> dict[str, str]:
        if not keys:
            fields = range(1, len(view.stacks) + 1)
            return {"0": ""} | {str(field): text("field {field}", field=field) for field in fields}
        return {str(count): plural_text(count, "{number} piece", "{number} pieces") for count in range(1, 10)}


BOARD = Board()


def _title(view: State, names: Sequence[str]) -> Text:
    one, two = rules.goal_heights(view)
    return text("27: {first} {one}, {second} {two}", first=names[0], one=one, second=names[1], two=two)


def _stack_sentence(names: Sequence[str], field: int, stack: tuple[int, ...]) -> Text:
    """``Field 3, from the top: 2 of Ann, 1 of Ben, a grey``."""
    fixed = {GREY: text("a grey"), RED: text("a red")}
    runs = [(piece, len(list(run))) for piece, run in groupby(reversed(stack))]
    parts = [fixed.get(piece) or text("{number} of {name}", number=n, name=names[piece - 1]) for piece, n in runs]
    return text("Field {field}, from the top: {pieces}", field=field, pieces=join_texts(parts, ", "))


def _draw_stacks(drawing: Svg, view: State, base: float, marked_field: int, marks: Marks) -> None:
    """Draw all stacks on the line at height `base`; higher ones with the number of pieces that can move.

    Pieces that the draft lifts are drawn above their stack, and as an outline on the target.
    """
    pitch = drawing.size[0] / len(view.stacks)
    tallest = max(len(stack) for stack in view.stacks)
    disc = min(36.0, (base - 100) / (tallest + 1))
    for index, stack in enumerate(view.stacks):
        left, field = index * pitch + pitch * 0.1, index + 1
        lifted_pieces = marks.lifted_pieces if field == marks.field else 0
        _draw_stack(drawing, stack, (left, base, pitch * 0.8, disc), lifted_pieces)
        if (count := rules.movable_piece_count(view, field)) > 3:  # This many can be taken, and count at a goal.
            top = base - len(stack) * disc - disc * 0.7 * bool(lifted_pieces)
            drawing.add_text(left + pitch * 0.4, top - 8, str(count), 30)
        if field == marks.target and marks.lifted_pieces:
            height = marks.lifted_pieces * disc
            drawing.add_rect(left, base - len(stack) * disc - height, pitch * 0.8, height, "ghost", corner_radius=6)
        css = "mark" if field == marked_field else "ink"
        drawing.add_text((index + 0.5) * pitch, base + 56, str(field), 44, css)
    drawing.add_line(0, base, drawing.size[0], base)


def _draw_stack(drawing: Svg, stack: tuple[int, ...], lowest_piece: Rectangle, lifted: int) -> None:
    """Draw a stack; `lowest_piece` is a rectangle whose second value is the lower edge of the lowest piece."""
    left, base, width, disc = lowest_piece
    for index, piece in enumerate(stack):
        up = disc * 0.7 if index >= len(stack) - lifted else 0
        _draw_piece(drawing, piece, (left, base - (index + 1) * disc - up, width, disc))


def _draw_piece(drawing: Svg, piece: int, rectangle: Rectangle) -> None:
    """Draw a piece. It can be recognized without colours: the discs of seat 2 have a stripe, a red has two."""
    left, top, width, disc = rectangle
    drawing.add_rect(left, top + PIECE_GAP, width, disc - PIECE_GAP, PIECE_CLASSES[piece], corner_radius=6)
    middle, stripe_height = top + PIECE_GAP + (disc - PIECE_GAP) / 2, (disc - PIECE_GAP) / 5
    if piece == BLACK:
        drawing.add_rect(left + width / 4, middle - stripe_height / 2, width / 2, stripe_height, "paper")
    elif piece == RED:
        for part in (0.2, 0.6):
            drawing.add_rect(left + width * part, middle - stripe_height / 2, width / 5, stripe_height, "paper")


def _draw_players(drawing: Svg, names: Sequence[str]) -> None:
    """Draw each player's name and disc at the end where the player starts, with the direction of play."""
    width = drawing.size[0]
    for piece, left, edge, anchor, label in (
        (WHITE, 10, 66, "start", text("{name} ▸", name=names[0])),
        (BLACK, width - 54, width - 66, "end", text("◂ {name}", name=names[1])),
    ):
        _draw_piece(drawing, piece, (left, 6, 44, 32))
        drawing.add_text(edge, 34, label, min(30.0, 370 / len(label)), "ink", anchor=anchor)


def _draw_points_rule(drawing: Svg, view: State, names: Sequence[str]) -> None:
    """Write what the points of both players are."""
    for name, field, y in ((names[0], len(view.stacks), 508), (names[1], 1, 546)):
        sentence = text("{name}'s points: the stack on field {field}", name=name, field=field)
        drawing.add_text(drawing.size[0] / 2, y, sentence, min(27.0, 880 / len(sentence)), "faint")


def _add_stack_taps(drawing: Svg, view: State, names: Sequence[str], field: int) -> None:
    """Make each stack with its number tappable. For an own stack with a single movable piece, a tap is the move."""
    pitch = drawing.size[0] / len(view.stacks)
    for number, stack in enumerate(view.stacks, 1):
        is_whole_move = stack[-1] == view.to_move and rules.movable_piece_count(view, number) == 1
        words, keys = _stack_sentence(names, number, stack), f"{number}1" if is_whole_move else str(number)
        drawing.add_tap(keys, words, ((number - 1) * pitch, 44, pitch, 424), chosen=number == field)


def _draw_piece_counts(drawing: Svg, view: State, field: int, maximum: int, keys: str) -> None:
    """Draw how many pieces of the chosen stack may move: each number is on the piece that would then be the lowest."""
    for count in range(1, maximum + 1):
        x, y = 10 + (count - 1) % CHIPS_IN_ROW * (CHIP_SIZE + 3), 482 + (count - 1) // CHIPS_IN_ROW * (CHIP_SIZE + 8)
        drawing.add_rect(x, y, CHIP_SIZE, CHIP_SIZE, PIECE_CLASSES[view.stacks[field - 1][-count]], corner_radius=10)
        drawing.add_text(x + CHIP_SIZE / 2, y + 44, str(count), 38, "paper")
        words = plural_text(count, "{number} piece", "{number} pieces")
        drawing.add_tap(f"{field}{count}", words, (x, y, CHIP_SIZE, CHIP_SIZE), chosen=keys == f"{field}{count}")

"""The screen of 27: the stacks on a line, the shape of each owner on top, and the number of steps beside them.

Columns and rows are pixels of the panel, 128 × 64, from the upper left corner.
"""

from __future__ import annotations

from companion.games.api.screen import Scene
from companion.games.api.text import plural_text, text
from companion.games.plain_screen import PlainScreen, draw_last_line
from companion.games.twenty_seven import rules
from companion.games.twenty_seven.game_texts import Marks
from companion.games.twenty_seven.rules import BLACK, GREY, RED, WHITE, State
from companion.panel import seat_tabs
from companion.panel.canvas import RIGHT, Canvas
from companion.panel.fonts import BIG, CONDENSED, MIDDLE, WORD_FACES, wrap_text

BASE_ROW, NUMBERS_ROW = 38, 41
"""The row of the line that the stacks stand on, and the upper row of the fields' numbers."""
FIRST_COLUMN, STACK_PITCH_COLUMNS, DISC_COLUMNS = 3, 10, 7
"""The first column of field 1, the columns from one stack to the next, and of a disc."""
DISC_ROWS, SHAPE_ROWS = 3, 8
"""The rows that a disc takes, and the shape on top of a stack, each with a dark row."""
MAX_DRAWN_PIECES = 5
"""The most pieces that a stack shows one by one. A higher stack shows its number of pieces."""
HIGH_NUMBER_ROW, LOW_NUMBER_ROW = 17, 28
"""The upper row of such a number above or below the shape. Of two neighbours one has it above and one below."""
LIFTED_ROWS = 2
"""The rows by which the pieces that a draft takes are lifted."""
WORDS_FIELDS = range(3, 8)
"""The fields over which the words of `_draw_goal_words` stand."""
SIDE_COLUMNS = 35
"""The columns right of the last stack."""


class Screen(PlainScreen):
    """Draws the row of stacks, the number of steps, and the draft's pieces and target."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        state: State = scene.view
        marks = scene.draft.marks if scene.draft and isinstance(scene.draft.marks, Marks) else Marks(0)
        tabs = map(seat_tabs.SeatTab, scene.names, map(str, rules.goal_heights(state)))
        seat_tabs.draw_tabs(canvas, list(tabs), scene.seat_to_move)
        number_row = 0
        for field in range(1, len(state.stacks) + 1):
            is_high = rules.movable_piece_count(state, field) > MAX_DRAWN_PIECES
            number_row = (LOW_NUMBER_ROW if number_row == HIGH_NUMBER_ROW else HIGH_NUMBER_ROW) if is_high else 0
            _draw_stack(canvas, state, field, marks, number_row)
        if marks.pieces and scene.bottom_line:  # The last line does not say how many.
            _draw_side(canvas, scene, text("take"), marks.pieces)
        elif scene.seat_to_move is not None:
            steps = rules.steps_of_move(state, scene.seat_to_move)
            _draw_side(canvas, scene, plural_text(steps, "step", "steps"), steps)
        _draw_goal_words(canvas, state)
        draw_last_line(canvas, scene, last_move_line(scene))


SCREEN = Screen()


def last_move_line(scene: Scene) -> str:
    """The last move in words: ``Ben: 2 from 3 to 5``; before the first one who starts."""
    if scene.last_move is None or scene.view_before is None:
        seat = scene.seat_to_move or WHITE
        start = "{who} starts, white" if seat == WHITE else "{who} starts, black"
        return text(start, who=scene.player_name(seat))
    seat, move = scene.last_move
    if len(scene.view.stacks) < len(scene.view_before.stacks):
        return text("Field {field} removed", field=move.field)
    did = scene.last_move_texts.short if scene.last_move_texts else ""
    return text("{who}: {did}", who=scene.player_name(seat), did=did)


def _left_column(field: int) -> int:
    return FIRST_COLUMN + (field - 1) * STACK_PITCH_COLUMNS


def _draw_goal_words(canvas: Canvas, state: State) -> None:
    """Say what counts, while the fields between the ends are free and nobody has reached one: in the first turns."""
    has_arrived = BLACK in state.stacks[0] or WHITE in state.stacks[-1]
    if has_arrived or GREY not in state.fixed or any(len(state.stacks[field - 1]) > 1 for field in WORDS_FIELDS):
        return
    x, end = _left_column(WORDS_FIELDS[0]) - 1, _left_column(WORDS_FIELDS[-1]) + DISC_COLUMNS + 1
    lines = wrap_text(text("score: far end"), CONDENSED, end - x + 1, 2)
    canvas.text_block((x + end) // 2, HIGH_NUMBER_ROW - 1, lines, "c", pitch=10)


def _draw_stack(canvas: Canvas, state: State, field: int, marks: Marks, number_row: int) -> None:
    """Draw a stack with its base and its field's number, which is on a plate if the draft moves from or to it.

    The pieces that the draft takes are lifted a little. A high stack has only its number of pieces on `number_row`, and
    its top.
    """
    x, middle = _left_column(field), _left_column(field) + DISC_COLUMNS // 2
    stack = state.stacks[field - 1]
    pieces = stack[1:] if stack[0] in state.fixed else stack
    canvas.dotted_line(x, BASE_ROW, x + DISC_COLUMNS - 1, BASE_ROW)
    if stack[0] == RED and len(pieces) < len(stack):
        canvas.hline(BASE_ROW, x, x + DISC_COLUMNS - 1)
    first_lifted = len(pieces) - (marks.pieces * (field == marks.field))
    bottom = BASE_ROW - 1
    if number_row:
        canvas.text(middle, number_row, str(len(pieces)), anchor="c")
        first_lifted, pieces = len(pieces), pieces[-1 if number_row == LOW_NUMBER_ROW else -2 :]
        bottom = number_row - 1 if number_row == LOW_NUMBER_ROW else bottom
    for level, piece in enumerate(pieces):
        lifted = LIFTED_ROWS if level >= first_lifted else 0
        if level == len(pieces) - 1 and piece in (WHITE, BLACK):
            seat_tabs.draw_seat_shape(canvas, x, bottom - lifted - SHAPE_ROWS + 1, piece, small=True)
        else:
            _draw_piece(canvas, x, bottom - lifted - DISC_ROWS + 1, piece)
        bottom -= DISC_ROWS
    is_marked = field in (marks.field, marks.target)
    if is_marked:
        canvas.fill_rounded_box(x - 1, NUMBERS_ROW - 1, x + DISC_COLUMNS, NUMBERS_ROW + 9)
    canvas.text(middle, NUMBERS_ROW, str(field), anchor="c", inverse=is_marked)


def _draw_piece(canvas: Canvas, x: int, y: int, piece: int) -> None:
    """Draw a piece: for seat 1 a bar, for seat 2 one with a gap, for a grey a short one, for a red a line."""
    end = x + DISC_COLUMNS - 1
    if piece == RED:
        canvas.hline(y + 1, x, end)
        return
    canvas.fill(*((x + 2, y, end - 2, y + 1) if piece == GREY else (x, y, end, y + 1)))
    if piece == BLACK:
        canvas.clear(x + 2, y, end - 2, y + 1)


def _draw_side(canvas: Canvas, scene: Scene, word: str, number: int) -> None:
    """Draw a number right of the stacks, with its word above and an arrow in the mover's direction."""
    canvas.fitted_text(RIGHT, 17, word, WORD_FACES, SIDE_COLUMNS, anchor="r")
    canvas.fitted_text(RIGHT - 18, 29, str(number), (BIG, MIDDLE), SIDE_COLUMNS - 17, anchor="r")
    canvas.icon(RIGHT, 36, "long-right" if scene.seat_to_move == WHITE else "long-left", "r")

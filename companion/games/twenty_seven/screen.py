"""The screen of 27: the stacks on a line, the number of steps beside them, and the draft's move in the stacks.

Columns and rows are pixels of the panel, 128 × 64, from the upper left corner.
"""

from __future__ import annotations

from itertools import repeat

from companion.games.api.screen import Scene
from companion.games.api.text import plural_text, text
from companion.games.plain_screen import PlainScreen, draw_bottom_line
from companion.games.twenty_seven import GAME, rules
from companion.games.twenty_seven.game_texts import Marks
from companion.games.twenty_seven.rules import BLACK, GREY, RED, RULES, WHITE, State
from companion.languages import translate
from companion.panel import seat_tabs
from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import BIG, MIDDLE, TEXT
from companion.panel.icons import icon_mask

BASE_ROW = 46
"""The row of the line that the stacks stand on."""
DISC_ROWS = 3
"""The rows that a disc takes: two lit and one dark."""
STACK_PITCH_COLUMNS, DISC_COLUMNS = 11, 8
"""The columns from one stack to the next, and of a disc. The gap of three is wider than any gap inside a stack."""
MAX_DRAWN_PIECES = 10
"""The most pieces that a stack shows one by one. A higher stack shows `SHOWN_TOP_PIECES` and its number of pieces."""
SHOWN_TOP_PIECES = 7

MAX_OUTLINED_PIECES = 3
"""The height, in pieces, of the outline of what leaves a high stack."""
HIGHEST_ROW = 16
"""The highest row that a piece may use."""
WORDS_COLUMN = 14
"""The first column of the words over the fields between the ends."""
EARLY_PIECES = 7
"""Both stacks at the ends have at least so many pieces while the words are shown, so the words never come back later.
"""
MAX_PIECES_UNDER_WORDS = 2
"""The most pieces of a stack below the words."""
SIDE_MIDDLE_COLUMN = 112
"""The middle of the columns beside the stacks, 98 to 126."""
AFTER_NUMBER_COLUMN = 100
"""The first column that does not touch the number of pieces of a high stack on the last field."""
SIDE_COLUMNS = 31
"""The number of columns right of the last stack."""


class Screen(PlainScreen):
    """Draws the row of stacks, the number of steps, and where the draft leads."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        state: State = scene.view
        marks = scene.draft.marks if scene.draft and isinstance(scene.draft.marks, Marks) else None
        heights = map(str, rules.goal_heights(state))
        tabs = list(map(seat_tabs.SeatTab, scene.names, heights, repeat("flag"), GAME.seat_icons))
        seat_tabs.draw_tabs(canvas, tabs, scene.seat_to_move, with_rule=False)
        numbered = _number_positions(state, marks)
        for field in range(1, len(state.stacks) + 1):
            _draw_stack(canvas, state, field, marks, numbered.get(field, ""))
        _draw_steps(
            canvas,
            state,
            marks,
            is_last_line_taken=bool(scene.bottom_line),
            is_near_number=len(state.stacks) in numbered,
        )
        last = len(state.stacks)
        is_early = min(_drawn_pieces(state, None, 1), _drawn_pieces(state, None, last)) >= EARLY_PIECES
        if is_early and all(_drawn_pieces(state, marks, field) <= MAX_PIECES_UNDER_WORDS for field in range(2, last)):
            _draw_goal_words(canvas, _left_column(last) - 2)
        draw_bottom_line(canvas, scene, last_move_line(scene))


SCREEN = Screen()


def last_move_line(scene: Scene) -> str:
    """The last move in words: ``Ben: 1 from 4 to 1``."""
    if scene.last_move is None or scene.last_move_texts is None:
        seat = scene.seat_to_move or 1
        start_line = text(
            "{who} starts, white" if seat == rules.WHITE else "{who} starts, black", who=scene.player_name(seat)
        )
        return (
            text("{who} starts, now white", who=scene.player_name(seat))
            if scene.is_rematch and seat == rules.WHITE
            else start_line
        )
    return text("{who}: {did}", who=scene.player_name(scene.last_move[0]), did=scene.last_move_texts.brief)


def _draw_goal_words(canvas: Canvas, end: int) -> None:
    """Explain, over the middle fields while their stacks are low and the game is young, what counts as a goal's height.

    The words end at column `end`, or are left out once the row has become too short for them.
    """
    x, first = WORDS_COLUMN + icon_mask("flag").width + 3, translate(text("stack at"))
    ends = [words for words in map(translate, (text("the far end"), text("far end"))) if x + TEXT.width(words) <= end]
    if ends and x + TEXT.width(first) <= end:
        canvas.icon(WORDS_COLUMN, 23, "flag")
        canvas.text(x, 22, first)
        canvas.text(x, 31, ends[0])


def _left_column(field: int) -> int:
    return 1 + (field - 1) * STACK_PITCH_COLUMNS


def _moving_pieces(state: State, marks: Marks | None, field: int) -> tuple[int, tuple[int, ...]]:
    """How many pieces the draft takes from a field, and which pieces land on it."""
    if marks is None or not marks.lifted_pieces:
        return 0, ()
    landing = state.stacks[marks.field - 1][-marks.lifted_pieces :] if marks.target == field else ()
    return (marks.lifted_pieces if marks.field == field else 0), landing


def _drawn_pieces(state: State, marks: Marks | None, field: int) -> int:
    """How many pieces of a field are drawn, including those that the draft takes and those that land there."""
    return rules.movable_piece_count(state, field) + len(_moving_pieces(state, marks, field)[1])


def _number_positions(state: State, marks: Marks | None) -> dict[int, str]:
    """Field → where the number of pieces is drawn, for stacks that are too high to be drawn piece by piece.

    The number is at the ``foot`` of the stack. Of two neighbours the left one has it on ``top``, so that they do not
    touch.
    """
    positions: dict[int, str] = {}
    for field in range(len(state.stacks), 0, -1):
        if _drawn_pieces(state, marks, field) > MAX_DRAWN_PIECES:
            positions[field] = "top" if positions.get(field + 1) == "foot" else "foot"
    return positions


def _draw_stack(canvas: Canvas, state: State, field: int, marks: Marks | None, number: str) -> None:
    """Draw a stack as it is after the draft's move, with its base, its field's number and an outline of what left.

    `number` is where the number of its pieces is drawn, ``foot`` or ``top``; "" if they are drawn one by one.
    """
    x = _left_column(field)
    stack = state.stacks[field - 1]
    is_marked = marks is not None and field in (marks.field, marks.target)
    is_fixed = stack[0] in state.fixed
    canvas.dotted_line(
        x, BASE_ROW, x + (STACK_PITCH_COLUMNS if field < len(state.stacks) else DISC_COLUMNS) - 1, BASE_ROW
    )
    if is_fixed and stack[0] == RED:
        canvas.hline(BASE_ROW, x, x + DISC_COLUMNS - 1)
    lifted, landing = _moving_pieces(state, marks, field)
    pieces = (stack[1:] if is_fixed else stack) + landing
    pieces = pieces[: len(pieces) - lifted]
    if number:
        _draw_tall_stack(canvas, x, pieces, lifted, on_top=number == "top")
    else:
        _draw_pieces(canvas, x, BASE_ROW, pieces, lifted)
    if is_marked:  # The plate is a row higher, so that it does not touch the line below.
        canvas.fill_rounded_box(x, 46, x + DISC_COLUMNS - 1, 54)
    canvas.text(x + DISC_COLUMNS // 2, 47 if is_marked else 48, str(field), anchor="c", inverse=is_marked)


def _draw_tall_stack(canvas: Canvas, x: int, pieces: tuple[int, ...], lifted: int, *, on_top: bool) -> None:
    """Draw a stack that is too high: its number of pieces, its top pieces, and a low outline of what left."""
    canvas.text(max(LEFT, x - 1), HIGHEST_ROW + 1 if on_top else BASE_ROW - 8, str(len(pieces)), digit_gap=0)
    floor_row, highest_row = (BASE_ROW, HIGHEST_ROW + 9) if on_top else (BASE_ROW - 10, HIGHEST_ROW)
    lifted = min(lifted, MAX_OUTLINED_PIECES)
    shown_pieces = max(1, min(SHOWN_TOP_PIECES, (floor_row - highest_row) // DISC_ROWS - lifted))
    _draw_pieces(canvas, x, floor_row, pieces[-shown_pieces:], lifted)


def _draw_pieces(canvas: Canvas, x: int, floor_row: int, pieces: tuple[int, ...], lifted: int) -> None:
    """Draw pieces from row `floor_row` up, and above them a dotted outline as tall as `lifted` pieces."""
    for level, piece in enumerate(pieces):
        _draw_piece(canvas, x, floor_row - (level + 1) * DISC_ROWS, piece, pieces[level - 1] if level else None)
    if lifted:
        bottom = floor_row - len(pieces) * DISC_ROWS - 2
        top, end = bottom - lifted * DISC_ROWS + 2, x + DISC_COLUMNS - 1
        for across in (top, bottom):
            canvas.dotted_line(x, across, end - 1, across)
        for down, edge in ((top, x), (top + 1, end)):
            canvas.dotted_line(edge, down, edge, bottom)


def _draw_piece(canvas: Canvas, x: int, y: int, piece: int, below: int | None) -> None:
    """Draw a piece: a filled disc for seat 1, a hollow one for seat 2, a short bar for a grey, with a gap for a red.

    A hollow disc has no lower line on another disc, since the upper line of that one closes it.
    """
    end = x + DISC_COLUMNS - 1
    if piece == WHITE:
        canvas.fill(x, y, end, y + 1)
    elif piece == BLACK:
        canvas.hline(y, x, end)
        canvas.vline(x, y, y + 2)
        canvas.vline(end, y, y + 2)
        if below not in (WHITE, BLACK):
            canvas.hline(y + 2, x, end)
    elif piece == GREY:
        canvas.fill(x + 2, y, end - 2, y + 1)
    else:
        canvas.fill(x + 1, y, x + 2, y + 1)
        canvas.fill(end - 2, y, end - 1, y + 1)


def _draw_steps(
    canvas: Canvas, state: State, marks: Marks | None, *, is_last_line_taken: bool, is_near_number: bool
) -> None:
    """Draw the number of steps, what it counts, and an arrow in the mover's direction.

    A number of pieces that the last line does not show is drawn instead. With `is_near_number` the height of the last
    stack is right beside, and would read as if it belonged to the words.
    """
    seat = RULES.seat_to_move(state)
    if seat is None:
        return
    canvas.icon(SIDE_MIDDLE_COLUMN, 48, "long-right" if seat == 1 else "long-left", "c")
    if marks and marks.pieces and (is_last_line_taken or not marks.is_legal):
        _draw_side_word(canvas, 16, text("take"))
        canvas.fitted_text(SIDE_MIDDLE_COLUMN, 25, str(marks.pieces), (BIG, MIDDLE), 28, anchor="c")
        return
    steps = rules.steps_of_move(state, seat)
    _draw_side_word(canvas, 16, plural_text(steps, "step", "steps"))
    stacks = translate(text("stacks"))
    if steps == 1 or (is_near_number and len(state.stacks) == rules.FIRST_FIELDS) or TEXT.width(stacks) > SIDE_COLUMNS:
        canvas.text(SIDE_MIDDLE_COLUMN, 25, str(steps), MIDDLE, "c")
        return
    canvas.text(SIDE_MIDDLE_COLUMN - 7, 28, "=", anchor="c")
    canvas.text(SIDE_MIDDLE_COLUMN + 3, 25, str(steps), MIDDLE, "c")
    _draw_side_word(canvas, 40, stacks, AFTER_NUMBER_COLUMN)


def _draw_side_word(canvas: Canvas, y: int, word: str, first: int = 0) -> None:
    """Write a word beside the stacks, from column `first` on. A word that would touch the last stack is left out."""
    width = TEXT.width(word)
    if width <= SIDE_COLUMNS:
        canvas.text(max(first, min(SIDE_MIDDLE_COLUMN - width // 2, RIGHT - width + 1)), y, word)

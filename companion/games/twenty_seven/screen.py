"""The screen of 27: the stacks on a line, the number of steps beside them, and the draft's move in the stacks.

Columns and rows are pixels of the panel, 128 × 64, from the upper left corner.
"""

from __future__ import annotations

from itertools import repeat

from companion.games.api.screen import Scene
from companion.games.api.text import plural_text, text
from companion.games.plain import PlainScreen, strip
from companion.games.twenty_seven import GAME, rules
from companion.games.twenty_seven.rules import BLACK, GREY, RED, RULES, WHITE, State
from companion.games.twenty_seven.words import Marks
from companion.languages import translate
from companion.panel import seat_tabs
from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import BIG, MIDDLE, TEXT
from companion.panel.icons import icon_mask

BASE = 46
"""The row of the line that the stacks stand on."""
DISC = 3
"""The rows that a disc takes: two lit and one dark."""
PITCH, WIDTH = 11, 8
"""The columns from one stack to the next, and of a disc. The gap of three is wider than any gap inside a stack."""
HIGHEST = 10
"""The most pieces that a stack shows one by one. A higher stack shows `SHOWN_TOP_PIECES` and its number of pieces."""
SHOWN = 7

OUTLINED = 3
"""The height, in pieces, of the outline of what leaves a high stack."""
HIGH = 16
"""The highest row that a piece may use."""
TOLD = 14
"""The first column of the words over the fields between the ends."""
EARLY = 7
"""Both stacks at the ends have at least so many pieces while the words are shown, so the words never come back later.
"""
UNDER_WORDS = 2
"""The most pieces of a stack below the words."""
MIDDLE_OF_SIDE = 112
"""The middle of the columns beside the stacks, 98 to 126."""
BEYOND_NUMBER = 100
"""The first column that does not touch the number of pieces of a high stack on the last field."""
SIDE = 31
"""The number of columns right of the last stack."""


class Screen(PlainScreen):
    """The screen of 27."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        state: State = scene.view
        marks = scene.draft.marks if scene.draft and isinstance(scene.draft.marks, Marks) else None
        heights = map(str, rules.heights(state))
        tabs = list(map(seat_tabs.SeatTab, scene.names, heights, repeat("flag"), GAME.seat_icons))
        seat_tabs.draw_tabs(canvas, tabs, scene.turn, with_rule=False)
        numbered = _numbered(state, marks)
        for field in range(1, len(state.piles) + 1):
            _pile(canvas, state, field, marks, numbered.get(field, ""))
        _beside(canvas, state, marks, untold=bool(scene.say), near=len(state.piles) in numbered)
        last = len(state.piles)
        early = min(_drawn(state, None, 1), _drawn(state, None, last)) >= EARLY
        if early and all(_drawn(state, marks, field) <= UNDER_WORDS for field in range(2, last)):
            _what_counts(canvas, _left(last) - 2)
        strip(canvas, scene, describe_last_move(scene))


SCREEN = Screen()


def describe_last_move(scene: Scene) -> str:
    """The last move in words: ``Ben: 1 from 4 to 1``."""
    if scene.last is None or scene.told is None:
        seat = scene.turn or 1
        said = text("{who} starts, white" if seat == rules.WHITE else "{who} starts, black", who=scene.name(seat))
        return text("{who} starts, now white", who=scene.name(seat)) if scene.again and seat == rules.WHITE else said
    return text("{who}: {did}", who=scene.name(scene.last[0]), did=scene.told.brief)


def _what_counts(canvas: Canvas, end: int) -> None:
    """Explain, over the middle fields while their stacks are low and the game is young, what counts as a goal's height.

    The words end at column `end`, or are left out once the row has become too short for them.
    """
    x, first = TOLD + icon_mask("flag").width + 3, translate(text("stack at"))
    ends = [words for words in map(translate, (text("the far end"), text("far end"))) if x + TEXT.width(words) <= end]
    if ends and x + TEXT.width(first) <= end:
        canvas.icon(TOLD, 23, "flag")
        canvas.text(x, 22, first)
        canvas.text(x, 31, ends[0])


def _left(field: int) -> int:
    return 1 + (field - 1) * PITCH


def _moving(state: State, marks: Marks | None, field: int) -> tuple[int, tuple[int, ...]]:
    """How many pieces the draft takes from a field, and which pieces land on it."""
    if marks is None or not marks.lifted:
        return 0, ()
    landing = state.piles[marks.field - 1][-marks.lifted :] if marks.target == field else ()
    return (marks.lifted if marks.field == field else 0), landing


def _drawn(state: State, marks: Marks | None, field: int) -> int:
    """How many pieces of a field are drawn, including those that the draft takes and those that land there."""
    return rules.movable(state, field) + len(_moving(state, marks, field)[1])


def _numbered(state: State, marks: Marks | None) -> dict[int, str]:
    """Field → where the number of pieces is drawn, for stacks that are too high to be drawn piece by piece.

    The number is at the ``foot`` of the stack. Of two neighbours the left one has it on ``top``, so that they do not
    touch.
    """
    found: dict[int, str] = {}
    for field in range(len(state.piles), 0, -1):
        if _drawn(state, marks, field) > HIGHEST:
            found[field] = "top" if found.get(field + 1) == "foot" else "foot"
    return found


def _pile(canvas: Canvas, state: State, field: int, marks: Marks | None, number: str) -> None:
    """Draw a stack as it is after the draft's move, with its base, its field's number and an outline of what left.

    `number` is where the number of its pieces is drawn, ``foot`` or ``top``; "" if they are drawn one by one.
    """
    x = _left(field)
    pile = state.piles[field - 1]
    marked = marks is not None and field in (marks.field, marks.target)
    fixed = pile[0] in state.fixed
    canvas.dotted_line(x, BASE, x + (PITCH if field < len(state.piles) else WIDTH) - 1, BASE)
    if fixed and pile[0] == RED:
        canvas.hline(BASE, x, x + WIDTH - 1)
    gone, landing = _moving(state, marks, field)
    pieces = (pile[1:] if fixed else pile) + landing
    pieces = pieces[: len(pieces) - gone]
    if number:
        _tall(canvas, x, pieces, gone, on_top=number == "top")
    else:
        _stack(canvas, x, BASE, pieces, gone)
    if marked:  # The plate is a row higher, so that it does not touch the line below.
        canvas.plate(x, 46, x + WIDTH - 1, 54)
    canvas.text(x + WIDTH // 2, 47 if marked else 48, str(field), anchor="c", inverse=marked)


def _tall(canvas: Canvas, x: int, pieces: tuple[int, ...], gone: int, *, on_top: bool) -> None:
    """Draw a stack that is too high: its number of pieces, its top pieces, and a low outline of what left."""
    canvas.text(max(LEFT, x - 1), HIGH + 1 if on_top else BASE - 8, str(len(pieces)), digit_gap=0)
    floor, high = (BASE, HIGH + 9) if on_top else (BASE - 10, HIGH)
    gone = min(gone, OUTLINED)
    shown = max(1, min(SHOWN, (floor - high) // DISC - gone))
    _stack(canvas, x, floor, pieces[-shown:], gone)


def _stack(canvas: Canvas, x: int, floor: int, pieces: tuple[int, ...], gone: int) -> None:
    """Draw pieces from row `floor_row` up, and above them a dotted outline as tall as `lifted` pieces."""
    for level, piece in enumerate(pieces):
        _piece(canvas, x, floor - (level + 1) * DISC, piece, pieces[level - 1] if level else None)
    if gone:
        bottom = floor - len(pieces) * DISC - 2
        top, end = bottom - gone * DISC + 2, x + WIDTH - 1
        for across in (top, bottom):
            canvas.dotted_line(x, across, end - 1, across)
        for down, edge in ((top, x), (top + 1, end)):
            canvas.dotted_line(edge, down, edge, bottom)


def _piece(canvas: Canvas, x: int, y: int, piece: int, below: int | None) -> None:
    """Draw a piece: a filled disc for seat 1, a hollow one for seat 2, a short bar for a grey, with a gap for a red.

    A hollow disc has no lower line on another disc, since the upper line of that one closes it.
    """
    end = x + WIDTH - 1
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


def _beside(canvas: Canvas, state: State, marks: Marks | None, *, untold: bool, near: bool) -> None:
    """Draw the number of steps, what it counts, and an arrow in the mover's direction.

    A number of pieces that the last line does not show is drawn instead. With `is_near_number` the height of the last
    stack is right beside, and would read as if it belonged to the words.
    """
    seat = RULES.turn(state)
    if seat is None:
        return
    canvas.icon(MIDDLE_OF_SIDE, 48, "long-right" if seat == 1 else "long-left", "c")
    if marks and marks.pieces and (untold or not marks.legal):
        _word(canvas, 16, text("take"))
        canvas.fitted_text(MIDDLE_OF_SIDE, 25, str(marks.pieces), (BIG, MIDDLE), 28, anchor="c")
        return
    steps = rules.steps(state, seat)
    _word(canvas, 16, plural_text(steps, "step", "steps"))
    stacks = translate(text("stacks"))
    if steps == 1 or (near and len(state.piles) == rules.FIELDS) or TEXT.width(stacks) > SIDE:
        canvas.text(MIDDLE_OF_SIDE, 25, str(steps), MIDDLE, "c")
        return
    canvas.text(MIDDLE_OF_SIDE - 7, 28, "=", anchor="c")
    canvas.text(MIDDLE_OF_SIDE + 3, 25, str(steps), MIDDLE, "c")
    _word(canvas, 40, stacks, BEYOND_NUMBER)


def _word(canvas: Canvas, y: int, word: str, first: int = 0) -> None:
    """Write a word beside the stacks, from column `first` on. A word that would touch the last stack is left out."""
    wide = TEXT.width(word)
    if wide <= SIDE:
        canvas.text(max(first, min(MIDDLE_OF_SIDE - wide // 2, RIGHT - wide + 1)), y, word)

"""The screen of 27: the piles on a line, the number of steps beside them, and the entry's move in the piles.

Columns and rows are pixels of the panel, 128 × 64, from the upper left corner.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.text import text
from companion.games.plain import PlainScreen, strip
from companion.games.twenty_seven import GAME, rules
from companion.games.twenty_seven.entry import Marks
from companion.games.twenty_seven.rules import BLACK, GREY, RED, RULES, WHITE, State
from companion.panel import parts
from companion.panel.fonts import BIG, MIDDLE

if TYPE_CHECKING:
    from companion.game.screen import Scene
    from companion.panel.canvas import Canvas


BASE = 46
"""The row of the line that the piles stand on."""
DISC = 3
"""The rows that a disc takes: two lit and one dark."""
PITCH, WIDTH = 11, 8
"""The columns from one pile to the next, and of a disc; the gap of three is wider than any gap inside a pile."""
HIGHEST = 10
"""The most pieces that a pile shows one by one; a higher pile shows at most `SHOWN` top pieces and their number."""
SHOWN = 7

LIFT = 4
"""The rows by which picked pieces are lifted; fewer for a high pile, so that a row below the tabs stays dark."""
HIGH = 16
"""The highest row that a piece may use."""
MIDDLE_OF_SIDE = 112
"""The middle of the columns beside the piles, 98 to 126."""


class Screen(PlainScreen):
    """The screen of 27."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        """Draw the table of 27."""
        state: State = scene.view
        marks = scene.draft.marks if scene.draft and isinstance(scene.draft.marks, Marks) else None
        heights = rules.heights(state)
        tabs = [
            parts.Tab(scene.name(seat), str(heights[seat - 1]), "flag", GAME.seat_icons[seat - 1]) for seat in (1, 2)
        ]
        parts.tabs(canvas, tabs, scene.turn, rule=False)
        numbered = _numbered(state, marks)
        for field in range(1, len(state.piles) + 1):
            _pile(canvas, state, field, marks, numbered.get(field, ""))
        _steps(canvas, state, counted=scene.draft is None)
        if scene.draft is not None:
            canvas.fitted(MIDDLE_OF_SIDE, 17, scene.draft.text, parts.ENTRY, 28, anchor="c")
            _landing(canvas, marks, scene.draft.verdict)
        strip(canvas, scene, describe_last_move(scene))


SCREEN = Screen()


def describe_last_move(scene: Scene) -> str:
    """The last move in words: ``Ben 4x1 to 1``."""
    if scene.last is None or scene.told is None:
        seat = scene.turn or 1
        return text("{who} starts, white" if seat == rules.WHITE else "{who} starts, black", who=scene.name(seat))
    return text("{who} {did}", who=scene.name(scene.last[0]), did=scene.told.brief)


def _left(field: int) -> int:
    return 1 + (field - 1) * PITCH


def _moving(marks: Marks | None, field: int) -> tuple[int, int]:
    """How many pieces of a field the entry lifts, and how many land on it."""
    lifted = marks.lifted if marks is not None and marks.field == field else 0
    return lifted, marks.lifted if marks is not None and marks.target == field else 0


def _height(state: State, field: int) -> int:
    """How many pieces of a field's pile are drawn: all except a field piece that never moves."""
    pile = state.piles[field - 1]
    return len(pile) - (pile[0] in state.fixed)


def _numbered(state: State, marks: Marks | None) -> dict[int, str]:
    """Field → where the number of pieces is drawn, for piles that are too high to be drawn one by one.

    That is at the ``foot`` of the pile; of two neighbours, the left one has it on ``top``, so that they do not touch.
    """
    found: dict[int, str] = {}
    for field in range(len(state.piles), 0, -1):
        lifted, landing = _moving(marks, field)
        if _height(state, field) + landing + bool(lifted) > HIGHEST:
            found[field] = "top" if found.get(field + 1) == "foot" else "foot"
    return found


def _pile(canvas: Canvas, state: State, field: int, marks: Marks | None, number: str) -> None:
    """Draw a pile with its base, its field's number and the pieces that the entry lifts or lands.

    `number` is where the number of its pieces is drawn, ``foot`` or ``top``; "" if they are drawn one by one.
    """
    x = _left(field)
    pile = state.piles[field - 1]
    marked = marks is not None and field in (marks.field, marks.target)
    fixed = pile[0] in state.fixed
    canvas.dotted(x, BASE, x + (PITCH if field < len(state.piles) else WIDTH) - 1, BASE)
    if fixed and pile[0] == RED:
        canvas.hline(BASE, x, x + WIDTH - 1)
    lifted, landing = _moving(marks, field)
    pieces = pile[1:] if fixed else pile
    if number:
        _tall(canvas, x, pieces, lifted=lifted, landing=landing, on_top=number == "top")
    else:
        _stack(canvas, x, BASE, pieces, lifted=lifted, landing=landing)
    if marked:  # A row higher, so that it does not touch the line below.
        canvas.plate(x, 46, x + WIDTH - 1, 54)
    canvas.text(x + WIDTH // 2, 47 if marked else 48, str(field), anchor="c", inverse=marked)


def _tall(canvas: Canvas, x: int, pieces: tuple[int, ...], *, lifted: int, landing: int, on_top: bool) -> None:
    """Draw a pile that is too high: its number of pieces after the entered move, and its top pieces."""
    canvas.text(x, HIGH + 1 if on_top else BASE - 8, str(len(pieces) - lifted + landing), apart=0)
    floor, high = (BASE, HIGH + 9) if on_top else (BASE - 10, HIGH)
    room = (floor - high) // DISC - (2 if lifted else 0)
    ghosts = min(landing, 3)
    tops = pieces[-max(1, min(SHOWN, room - ghosts)) :]
    _stack(canvas, x, floor, tops, lifted=min(lifted, len(tops)), landing=ghosts, high=high)


def _stack(
    canvas: Canvas, x: int, floor: int, pieces: tuple[int, ...], *, lifted: int, landing: int, high: int = HIGH
) -> None:
    """Draw pieces between rows `floor` and `high`: the top `lifted` ones float, `landing` shaded ones are added."""
    resting = len(pieces) - lifted
    lift = min(LIFT, floor - len(pieces) * DISC - high)
    for level, piece in enumerate(pieces):
        floating = lift if level >= resting else 0
        below = pieces[level - 1] if level not in (0, resting) else None
        _piece(canvas, x, floor - (level + 1) * DISC - floating, piece, below)
    for level in range(len(pieces), len(pieces) + landing):
        top = floor - (level + 1) * DISC
        canvas.shade(x, top, x + WIDTH - 1, top + 1)


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


def _steps(canvas: Canvas, state: State, *, counted: bool) -> None:
    """Draw an arrow in the direction of the seat to move; with `counted` also its number of steps, large."""
    seat = RULES.turn(state)
    if seat is None:
        return
    canvas.icon(MIDDLE_OF_SIDE, 48, "long-right" if seat == 1 else "long-left", "c")
    if counted:
        steps = rules.steps(state, seat)
        canvas.text(MIDDLE_OF_SIDE, 16, "step" if steps == 1 else "steps", anchor="c")
        canvas.text(MIDDLE_OF_SIDE, 25, str(steps), BIG, "c")


def _landing(canvas: Canvas, marks: Marks | None, verdict: str) -> None:
    """Draw, between the entry and the arrow, the field that the move goes to, or a cross if it is refused."""
    if marks is None or verdict == "more":
        return
    if verdict == "no":
        canvas.icon(MIDDLE_OF_SIDE, 36, "cross", "c")
    else:
        canvas.text(MIDDLE_OF_SIDE, 33, str(marks.target), MIDDLE, "c")

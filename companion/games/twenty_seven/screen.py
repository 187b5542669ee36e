"""The screen of 27: nine piles on their line, the step count beside them, the entry shown where it will land."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.twenty_seven import rules
from companion.games.twenty_seven.entry import Marks
from companion.panel import parts
from companion.panel.fonts import BIG, MIDDLE, TEXT
from companion.screens.scene import strip

if TYPE_CHECKING:
    from companion.panel.canvas import Canvas
    from companion.screens.scene import Scene

BASE = 46
"""The row of the line that the piles stand on."""
DISC = 3
"""Rows a disc: two lit and one dark."""
PITCH, WIDTH = 11, 10
HIGHEST = 10
"""The most pieces that a pile shows one by one; a higher one shows its top seven and its number."""
SHOWN = 7

COLOURS = ("white", "black")
LIFT = 4
"""Rows by which picked pieces float."""


def draw(canvas: Canvas, scene: Scene) -> None:
    """Draw the table of 27."""
    state: rules.State = scene.view
    marks = scene.draft.marks if scene.draft and isinstance(scene.draft.marks, Marks) else None
    heights = rules.heights(state)
    marks_of = ("full-disc", "broken-disc")
    tabs = [parts.Tab(scene.name(seat), str(heights[seat - 1]), mark=marks_of[seat - 1]) for seat in (1, 2)]
    parts.tabs(canvas, tabs, scene.turn, rule=False)
    for field in range(1, len(state.piles) + 1):
        _pile(canvas, state, field, marks)
    if scene.draft is None:
        _steps(canvas, state)
    else:
        canvas.fitted(101, 18, scene.draft.text, parts.ENTRY, 26)
        _landing(canvas, scene, marks)
    strip(canvas, scene, told(scene))


def told(scene: Scene) -> str:
    """The last move in words: ``Ben 4x1 to 1``."""
    if scene.last is None or scene.before is None:
        return f"{scene.name(scene.turn or 1)} starts, {COLOURS[(scene.turn or 1) - 1]}"
    seat, move = scene.last
    ahead = rules.steps(scene.before, seat)
    fields = len(scene.view.piles)
    fewer = f", {fields} fields" if fields < len(scene.before.piles) else ""
    return f"{scene.name(seat)} {move} to {move.field + (ahead if seat == 1 else -ahead)}{fewer}"


def _left(field: int) -> int:
    return 1 + (field - 1) * PITCH


def _pile(canvas: Canvas, state: rules.State, field: int, marks: Marks | None) -> None:
    """A pile on its base, the number of its field under it, with what the entry lifts or lands."""
    x = _left(field)
    pile = state.piles[field - 1]
    marked = marks is not None and field in (marks.field, marks.target)
    red_base = pile[0] == rules.RED and rules.RED in state.fixed
    if red_base:
        canvas.hline(BASE, x, x + WIDTH - 1)
    else:
        canvas.dotted(x, BASE, x + WIDTH - 1, BASE)
    if field < len(state.piles):
        canvas.dotted(x + WIDTH, BASE, x + WIDTH, BASE)
    shown = pile[1:] if pile[0] in state.fixed or len(pile) == 1 else pile
    if len(pile) == 1 and pile[0] not in state.fixed:
        shown = pile
    lifted = marks.lifted if marks is not None and marks.field == field else 0
    landing = marks.lifted if marks is not None and marks.target == field else 0
    _pieces(canvas, x, shown, lifted, landing)
    if marked:
        canvas.plate(x, 47, x + WIDTH - 1, 55)
    canvas.text(x + WIDTH // 2, 48, str(field), anchor="c", inverse=marked)


def _pieces(canvas: Canvas, x: int, pieces: tuple[int, ...], lifted: int, landing: int) -> None:
    if len(pieces) > HIGHEST or len(pieces) + landing + bool(lifted) > HIGHEST:
        _tall(canvas, x, pieces, lifted, landing)
        return
    resting = len(pieces) - lifted
    for level, piece in enumerate(pieces):
        _piece(canvas, x, BASE - (level + 1) * DISC - (LIFT if level >= resting else 0), piece)
    for level in range(len(pieces), len(pieces) + landing):
        top = BASE - (level + 1) * DISC
        canvas.shade(x, top, x + WIDTH - 1, top + 1)


def _tall(canvas: Canvas, x: int, pieces: tuple[int, ...], lifted: int, landing: int) -> None:
    """A pile too high to draw: on a plate at its foot how many will lie there, its top pieces above it."""
    canvas.fill(x, BASE - 9, x + WIDTH - 1, BASE - 1)
    count = str(len(pieces) - lifted + landing)
    canvas.text(x + (WIDTH - TEXT.width(count, 0)) // 2, BASE - 8, count, apart=0, inverse=True)
    room = (BASE - 10 - 16) // DISC - (2 if lifted else 0)
    ghosts = min(landing, 3)
    tops = pieces[-max(1, min(SHOWN, room - ghosts)) :]
    resting = len(tops) - min(lifted, len(tops))
    for level, piece in enumerate(tops):
        _piece(canvas, x, BASE - 10 - (level + 1) * DISC - (LIFT if level >= resting else 0), piece)
    for level in range(len(tops), len(tops) + ghosts):
        top = BASE - 10 - (level + 1) * DISC
        canvas.shade(x, top, x + WIDTH - 1, top + 1)


def _piece(canvas: Canvas, x: int, y: int, piece: int) -> None:
    """A disc: full for seat 1, broken for seat 2; a short bar for a grey, with a gap for a red."""
    if piece == rules.WHITE:
        canvas.fill(x, y, x + 9, y + 1)
    elif piece == rules.BLACK:
        canvas.fill(x, y, x + 2, y + 1)
        canvas.fill(x + 7, y, x + 9, y + 1)
    elif piece == rules.GREY:
        canvas.fill(x + 3, y, x + 6, y + 1)
    else:
        canvas.fill(x + 2, y, x + 3, y + 1)
        canvas.fill(x + 6, y, x + 7, y + 1)


def _steps(canvas: Canvas, state: rules.State) -> None:
    """The steps of the seat to move, large, with an arrow in its direction."""
    seat = rules.turn(state)
    if seat is None:
        return
    canvas.text(115, 18, str(rules.steps(state, seat)), BIG, "c")
    canvas.icon(115, 41, "long-right" if seat == 1 else "long-left", "c")


def _landing(canvas: Canvas, scene: Scene, marks: Marks | None) -> None:
    """Under the entry: the arrow and the field it leads to, or a cross."""
    draft = scene.draft
    if draft is None or marks is None or draft.verdict == "more":
        return
    if draft.verdict == "no":
        canvas.icon(116, 37, "cross")
        if marks.lifted:
            canvas.icon(105, 37, _arrow(scene))
        return
    canvas.icon(105, 37, _arrow(scene))
    canvas.text(118, 34, str(marks.target), MIDDLE, "c")


def _arrow(scene: Scene) -> str:
    return "right" if rules.turn(scene.view) == 1 else "left"

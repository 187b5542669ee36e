"""The screen of Prime Attactics: two scores, the display of the seat to move, and arithmetic in the strip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.plain import PLAIN
from companion.games.prime_attactics import rules
from companion.games.prime_attactics.dealing import naming
from companion.games.prime_attactics.entry import Marks, shown
from companion.games.prime_attactics.pages import page
from companion.games.prime_attactics.parts import CELLS, TILES, cells, header
from companion.panel import parts
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import BIG, MIDDLE, NAME, NARROW, TEXT, Face, named, wrap, yielding

if TYPE_CHECKING:
    from companion.game.entry import Draft
    from companion.game.screen import Scene
    from companion.panel.canvas import Canvas

__all__ = ["draw", "naming", "page", "peek"]

peek = PLAIN.peek

SCORE = 16
"""The top row of a score 20 px high."""
HALVES = (33, 96)
"""The middle columns of the two scores."""
HALF = 61
"""Columns for a score."""
SHORTEST = 5
"""Letters that a name is not cut below: then it is left out."""
ENTRY_END = 46
"""The working stands no further left than this, so that it stays put while an entry grows."""


def draw(canvas: Canvas, scene: Scene) -> None:
    """Draw the table of Prime Attactics."""
    view: rules.State = scene.view
    header(canvas, scene.names, scene.turn)
    for x, side in zip(HALVES, view.sides, strict=True):
        score(canvas, x, side.score)
    canvas.dotted(64, SCORE, 64, SCORE + 18)
    marks = scene.draft.marks if scene.draft and isinstance(scene.draft.marks, Marks) else None
    if marks is not None and scene.draft is not None and scene.draft.event != "pass":
        _aim(canvas, (scene.turn == 1) == marks.aimed)
    _display(canvas, view, marks)
    if scene.draft is not None and marks is not None:
        _entry(canvas, scene.draft, marks, scene.say)
    else:
        _last(canvas, scene)


def _aim(canvas: Canvas, right: bool) -> None:
    """An arrowhead between the scores, towards the one that the entry is for: small, and on one page."""
    canvas.clear(62, 24, 66, 31)
    for at in range(3):
        x = 63 + at if right else 65 - at
        canvas.vline(x, 25 + at, 29 - at)


def score(canvas: Canvas, x: int, value: int) -> None:
    """A score centred on column `x`: 20 px high to six digits, then smaller, from eleven digits on in two lines."""
    digits = str(value)
    if len(digits) <= 6:
        canvas.text(x, SCORE, digits, BIG, "c", apart=1 if len(digits) == 6 else None)
    elif len(digits) <= 10:
        face = MIDDLE if len(digits) == 7 else NARROW if len(digits) == 8 else TEXT
        canvas.text(x, SCORE + (BIG.capitals - face.capitals) // 2, digits, face, "c")
    else:
        face, across = (NARROW, 8) if len(digits) <= 16 else (TEXT, 10)
        first = len(digits) % across or across
        lines = (digits[:first], digits[first:])
        if len(digits) > 20:  # No round gets near: two sets of tiles make fifteen digits at most.
            lines = (f"{digits[:8]}…", f"{len(digits)} digits")
        for at, line in enumerate(lines):
            canvas.text(x + 29, SCORE + 1 + at * 10, line, face, "r")


def _display(canvas: Canvas, view: rules.State, marks: Marks | None) -> None:
    """The tiles of the seat to move, or what its picker walks over."""
    if marks is not None and marks.row:
        cells(canvas, marks.row, (marks.chosen,))
        return
    if view.ended:
        return
    side = view.sides[view.to_move - 1]
    tiles, rack = side.display.pieces, side.rack.size
    if tiles is None:
        canvas.text(64, TILES - 2, f"{side.display.size} on display, {rack} in rack", anchor="c")
        return
    used = list(marks.used) if marks else []
    picked = []
    for at, tile in enumerate(map(rules.tile_text, tiles)):
        if tile in used:
            used.remove(tile)
            picked.append(at)
    cells(canvas, [shown(rules.tile_text(tile)) for tile in tiles], picked)
    if len(tiles) <= CELLS - 3:
        canvas.text(RIGHT, TILES, f"rack {rack}", anchor="r")


# -- the strip while entering -----------------------------------------------------------------------------------


def _entry(canvas: Canvas, draft: Draft, marks: Marks, say: str) -> None:
    """The entry left; its result right in 13 px with the working between, or both small where they are long."""
    left = 2 + _type(draft.text).width(draft.text) + 6
    if say:
        first, *rest = wrap(say, TEXT, RIGHT - max(ENTRY_END, left) + 1, 2)
        parts.entry_strip(canvas, draft.text, first if rest else "", rest[0] if rest else first)
        return
    if draft.verdict != "ok" or not marks.score:
        parts.entry_strip(canvas, draft.text, draft.working, draft.says, parts.MARK[draft.verdict])
        return
    figure, working = str(marks.score), f"{draft.working} ="
    right = RIGHT - MIDDLE.width(figure) - 4
    if left + 12 + TEXT.width(working) <= right:
        canvas.text(2, 50, draft.text, MIDDLE)
        canvas.text(RIGHT, 50, figure, MIDDLE, "r")
        x = max(left, min(ENTRY_END, right - 12 - TEXT.width(working)))
        parts.verdict(canvas, working, "tick", x)
        return
    small = f"= {marks.score}"
    if max(ENTRY_END, left) + 12 + TEXT.width(small) <= RIGHT:
        parts.entry_strip(canvas, draft.text, _fits(draft.working, RIGHT - max(ENTRY_END, left) + 1), small, "tick")
        return
    canvas.text(2, parts.STRIP, draft.text)
    canvas.text(RIGHT, parts.STRIP, _fits(draft.working, 80), anchor="r")
    if TEXT.width(small) <= RIGHT - 13:
        parts.verdict(canvas, small, "tick")
    else:
        digits = str(marks.score)
        parts.verdict(canvas, digits if TEXT.width(digits) <= 126 else f"{len(digits)} digits")


def _type(text: str) -> Face:
    """13-pixel type, which has digits and signs; words take the next smaller one."""
    return MIDDLE if MIDDLE.has(text) else NAME


def _fits(working: str, room: int) -> str:
    """The working where it has room, else its last steps: the score that it begins with stands above."""
    if TEXT.width(working) <= room:
        return working
    digits = len(working) - len(working.lstrip("(0123456789"))
    return "…" + working[digits:].replace(")", "")


# -- the strip at rest ------------------------------------------------------------------------------------------


def _last(canvas: Canvas, scene: Scene) -> None:
    """What the last move did: in one line, in two where that is long, the arithmetic always on the last."""
    if scene.say:
        parts.verdict(canvas, scene.say)
        return
    move, sum_ = told(scene)
    if not sum_:
        parts.rest_strip(canvas, move[1], name=move[0])
        return
    whole = named(move[1], move[0], TEXT, 126, scene.names)
    if TEXT.width(whole) + TEXT.width(sum_[0]) <= 118:
        canvas.text(LEFT, parts.LAST, whole)
        _sum(canvas, sum_[0], LEFT + TEXT.width(whole) + 7)
        return
    canvas.text(LEFT, parts.STRIP, whole)
    # A number is never cut: it stands above.
    _sum(canvas, next((line for line in sum_ if TEXT.width(line) <= 126), ""))


def _sum(canvas: Canvas, sum_: str, x: int = LEFT) -> None:
    """Arithmetic on the last page where the working of an entry will stand, further left only where it is long."""
    canvas.text(max(x, min(ENTRY_END, RIGHT - TEXT.width(sum_) + 1)), parts.LAST, sum_)


def told(scene: Scene) -> tuple[tuple[str, str], tuple[str, ...]]:
    """The last play as a name and ``{} ×7D``, and its arithmetic, longest form first; a refill is not its own move."""
    for before, seat, move in reversed(scene.recent):
        name = scene.name(seat)
        if isinstance(move, rules.Pass):
            return (name, "{} cannot play"), ()
        if isinstance(move, rules.Play):
            sum_, result = rules.working(before, seat, move)
            forms: tuple[str, ...] = (f"{shown(sum_)} = {result}", f"= {result}", f"{result}")
            other = scene.name(3 - seat)
            whose = yielding(f"{other} {forms[0]}", scene.names, lambda tried: TEXT.width(tried) <= 126)
            if move.aimed and TEXT.width(whose) <= 126 and len(whose) - len(forms[0]) > min(SHORTEST, len(other)):
                forms = (whose, *forms)
            return (name, f"{{}} {shown(str(move))}"), forms
    return (scene.name(scene.turn or 1), "{} starts"), ()

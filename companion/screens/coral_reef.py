"""The screen of Coral Reef: a row of tops with the stacks' numbers, hand counts in the tabs, a small pile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.entry._coral_drafts import Marks, shown, tail
from companion.games import coral_reef as rules
from companion.screens import parts
from companion.screens._coral_hands import dealing, peek, row
from companion.screens.canvas import LEFT, RIGHT
from companion.screens.fonts import BIG, MIDDLE, NAME, NAMES, TEXT, fit, named
from companion.screens.icons import icon
from companion.screens.scene import MARK

if TYPE_CHECKING:
    from companion.entry import Draft
    from companion.screens.canvas import Canvas
    from companion.screens.scene import Scene

__all__ = ["dealing", "draw", "peek"]

TOPS = 17
"""The top row of the tops, which are 20 high."""
NUMBERS = 39
"""The top row of the stacks' numbers."""
ENTRY_END = 46
"""The working stands no further left than this, so that it stays put while an entry grows."""
PLENTY = 72
"""The most columns of an entry in 13-pixel type."""


def draw(canvas: Canvas, scene: Scene) -> None:
    """Draw the table of Coral Reef."""
    view: rules.State = scene.view
    marks = scene.draft.marks if scene.draft and isinstance(scene.draft.marks, Marks) else Marks()
    tabs(canvas, scene)
    for stack, top in enumerate(view.tops, 1):
        _stack(canvas, stack, top, len(view.tops), stack == marks.stack)
    if scene.draft is None:
        _rest(canvas, scene)
    elif marks.row:
        _picking(canvas, scene, marks)
    else:
        _entry(canvas, scene, scene.draft)


def tabs(canvas: Canvas, scene: Scene) -> None:
    """The seats with the corals in their hands; a long name takes the place of the hand's icon in both tabs."""
    sizes = scene.view.sizes
    rooms = [60 - MIDDLE.width(str(size)) - icon("hand").width - 8 for size in sizes]
    fits = all(fit(name, NAMES, room)[1] == name for name, room in zip(scene.names, rooms, strict=True))
    badge = "hand" if fits else ""
    parts.tabs(canvas, [parts.Tab(n, str(s), badge) for n, s in zip(scene.names, sizes, strict=True)], scene.turn)


def _stack(canvas: Canvas, stack: int, top: int, stacks: int, marked: bool) -> None:
    """A top over the number of its stack; the row is centred, ten is one numeral."""
    pitch = 25 if stacks <= 5 else 21 if stacks == 6 else 18 if stacks == 7 else 16
    middle = 64 - (stacks - 1) * pitch // 2 + (stack - 1) * pitch
    canvas.text(middle, TOPS, str(top), BIG, "c", apart=1)
    if marked:
        canvas.plate(middle - 4, NUMBERS - 1, middle + 4, NUMBERS + 7)
    canvas.text(middle, NUMBERS, str(stack), TEXT, "c", inverse=marked)


# -- at rest ----------------------------------------------------------------------------------------------------


def _rest(canvas: Canvas, scene: Scene) -> None:
    """The last move and the pile; above it, where a card must be drawn, who has to and how."""
    pile = str(scene.view.pile)
    if scene.say:
        parts.rest_strip(canvas, scene.say, "", pile)
        return
    if scene.forced:
        how = "pick draw" if scene.buttons else f"draw: 0, {'tile' if scene.view.form == 'tiles' else 'card'}, #"
        parts.rest_strip(canvas, how, "", pile)
        canvas.text(LEFT, parts.STRIP, named("{} has no move", scene.name(scene.turn or 1), TEXT, 104))
        return
    parts.rest_strip(canvas, told(scene), "pile", pile, scene.name((scene.last or (scene.turn or 1, None))[0]))


def told(scene: Scene) -> str:
    """The last move in words, ``{}`` for its player: ``{} 3:36T``; what an open hand drew is nobody's business."""
    if scene.last is None:
        return "{} starts"
    seat, move = scene.last
    if move.kind == "play":
        return f"{{}} {move.stack}:{shown(_short(move.corals), scene.view.form)}"
    if move.kind == "seed":
        return f"{{}} seeds {len(scene.view.tops)}"
    if move.kind == "pass":
        return "{} passes"
    return "{} drew, goes on" if scene.turn == seat and scene.view.drew else "{} drew"


def _short(corals: str) -> str:
    """The last corals of a long play."""
    return corals if len(corals) <= 8 else f"…{corals[-7:]}"


# -- while entering ---------------------------------------------------------------------------------------------


def _picking(canvas: Canvas, scene: Scene, marks: Marks) -> None:
    """The row of corals that a drawn one is picked from, and who must not look."""
    seat = scene.turn or 1
    row(canvas, marks.row, marks.at, parts.STRIP)
    parts.verdict(canvas, named("{}, look away please", scene.name(3 - seat), TEXT, 126))


def _entry(canvas: Canvas, scene: Scene, draft: Draft) -> None:
    """The entry at the left and its sum and verdict beside it; both small, one below the other, where it is long."""
    mark = "" if scene.say else MARK[draft.verdict]
    says = scene.say or draft.says
    working = "" if scene.say else draft.working
    face = MIDDLE if MIDDLE.has(draft.text) else NAME
    wide = face.width(draft.text)
    x = max(ENTRY_END, 2 + wide + 6)
    room = RIGHT - x + 1
    if wide <= PLENTY and TEXT.width(says) + (12 if mark else 0) <= room and _width(working, room):
        canvas.text(2, 63 - face.capitals, draft.text, face)
        canvas.text(x, parts.STRIP, _width(working, room))
        parts.verdict(canvas, says, mark, x)
        return
    canvas.text(LEFT, parts.STRIP, _end(draft.text))
    room = 126 - (12 if mark else 0) - TEXT.width(says) - 10
    sum_ = _width(working, room)
    parts.verdict(canvas, says, mark)
    canvas.text(RIGHT, parts.LAST, sum_, anchor="r")


def _width(working: str, room: int) -> str:
    """A sum in at most `room` columns, its first terms left out; "" where even its end is too long."""
    while TEXT.width(working) > room:
        shorter = tail(working)
        if shorter == working or " = " not in working:
            return ""
        working = shorter
    return working


def _end(text: str) -> str:
    """An entry in one line: its stack, and the last corals where not all have room."""
    stack, _, corals = text.partition(":")
    face, dots = TEXT, ""
    while face.width(f"{stack}:{dots}{corals}") > 126:
        corals, dots = corals[1:], "…"
    return f"{stack}:{dots}{corals}" if corals else text

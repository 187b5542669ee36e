"""Hands of Ziggurat: naming the 7 to 45 dominoes dealt, hidden, and a hand shown to its owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.panel import parts
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import MIDDLE, NAMES, TEXT, named, wrap
from companion.screens.legends import dead, erasing, legend

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.panel.canvas import Canvas
    from companion.session.model import Dealing, Peek, Session

KEYS = "A B C = 10 11 12"
"""How the highest pips are typed."""
LINES = 8
"""Lines of text that the panel holds."""


def dealing(canvas: Canvas, session: Session, mode: Dealing) -> None:
    """Draw a mark for each domino entered, never which; picking shows the row to pick from, so others look away."""
    round_ = session.round
    if round_ is None:
        return
    _title(canvas, round_.name(mode.seat), f"{len(mode.pieces)}/{mode.size}")
    parts.cards(canvas, len(mode.pieces), mode.size, 17 if mode.at else 19)
    names = [name for seat, name in enumerate(round_.about.names, 1) if seat != mode.seat]
    others = "Others, look away"
    if len(names) == 1:
        others = named("{}, look away", names[0], TEXT, RIGHT - LEFT + 1)
    missing = mode.size - len(mode.pieces)
    twice = "one domino twice" if len(set(mode.pieces)) < len(mode.pieces) else ""
    if mode.at is not None:
        row, column = mode.at
        _row(canvas, round_.entry.grid(mode.kind, round_.options)[row], column, 37)
        canvas.text(LEFT, 46, twice or others)
    else:
        begun = "half a domino entered" if mode.keys else ""
        said = others if missing > 0 else "complete" if not missing else f"{-missing} too many"
        keys = KEYS if round_.options["set"] == "12" else ""
        canvas.text(LEFT, 38 if keys else 42, dead(mode) or begun or twice or said)
        canvas.text(LEFT, 47, keys)
    adding = mode.at is not None and missing > 0
    left = legend(session, "add" if adding else "done")
    parts.footer(canvas, left, erasing(session, mode))


def _row(canvas: Canvas, dominoes: Sequence[str], at: int, y: int) -> None:
    """As many dominoes of a row as there is room for, the one at index `at` inverse and two before it in sight."""
    x = LEFT + 2
    for index in range(max(0, min(at - 2, len(dominoes) - 4)), len(dominoes)):
        wide = TEXT.width(dominoes[index])
        if x + wide + 1 > RIGHT:
            break
        if index == at:
            canvas.tag(x - 2, y, dominoes[index])
        else:
            canvas.text(x, y, dominoes[index])
        x += wide + 7


def peek(canvas: Canvas, session: Session, mode: Peek) -> None:
    """Draw a hand in words; what is too much for the room under the title takes the whole panel, eight lines."""
    round_ = session.round
    if round_ is None:
        return
    words = round_.entry.own(round_.game.view(round_.state, mode.seat), mode.seat)
    lines = wrap(words, TEXT, RIGHT, LINES)
    if len(lines) < LINES - 1:
        _title(canvas, round_.name(mode.seat), str(round_.state.hands[mode.seat - 1].size))
    top, pitch = (19, 9) if len(lines) < LINES - 2 else (17, 8) if len(lines) < LINES - 1 else (0, 8)
    for at, line in enumerate(lines):
        canvas.text(LEFT, top + pitch * at, line)


def _title(canvas: Canvas, name: str, figure: str) -> None:
    """``Ann's hand`` with a figure at the right; a long name is cut, not what it has."""
    room = 120 - MIDDLE.width(figure)
    face = next((face for face in NAMES if face.width(f"{name}'s hand") <= room), TEXT)
    parts.title(canvas, named("{}'s hand", name, face, room), figure=figure)

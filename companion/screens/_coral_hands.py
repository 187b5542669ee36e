"""Hands of Coral Reef: naming the corals dealt, picking one out of a row, and a hand shown to its owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.entry._coral_drafts import label, ranks
from companion.screens import moments, parts
from companion.screens.canvas import LEFT, RIGHT
from companion.screens.fonts import MIDDLE, NAMES, TEXT, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.screens.canvas import Canvas
    from companion.session.model import Dealing, Peek, Session


def dealing(canvas: Canvas, session: Session, mode: Dealing) -> None:
    """Draw card backs with a dot for each coral entered; picking shows the row to pick from, so others look away."""
    round_ = session.round
    if round_ is None:
        return
    _title(canvas, round_.name(mode.seat), f"{len(mode.pieces)}/{mode.size}")
    parts.cards(canvas, len(mode.pieces), mode.size, 18 if mode.at else 19)
    other = named("{}, look away please", round_.name(3 - mode.seat), TEXT, 126)
    extra = len(mode.pieces) - mode.size
    if mode.at is not None:
        corals = [label(coral, round_.options["form"]) for line in round_.entry.grid(mode.kind, round_.options)
                  for coral in line]  # fmt: skip
        half = len(round_.entry.grid(mode.kind, round_.options)[0])
        row(canvas, corals, mode.at[0] * half + mode.at[1], 37)
        canvas.text(LEFT, 46, other)
    else:
        canvas.text(LEFT, 41, other if extra <= 0 else f"{extra} too many")
    adding = mode.at is not None and extra < 0
    left = moments.legend(session, "add" if adding else "done")
    parts.footer(canvas, left, moments.legend(session, "erase", "BACK"))


def row(canvas: Canvas, corals: Sequence[str], at: int, y: int) -> None:
    """Corals from edge to edge, the one at index `at` inverse."""
    for index, coral in enumerate(corals):
        x = _middle(index, len(corals))
        if index == at:
            canvas.tag(x, y, coral, "c")
        else:
            canvas.text(x, y, coral, anchor="c")


def peek(canvas: Canvas, session: Session, mode: Peek) -> None:
    """Draw a hand as counts under its ranks, so that forty corals take no more room than eight."""
    round_ = session.round
    if round_ is None:
        return
    view = round_.game.view(round_.state, mode.seat)
    corals = view.holdings[mode.seat - 1].pieces or ()
    _title(canvas, round_.name(mode.seat), str(len(corals)))
    line = ranks(view.form)
    for index, coral in enumerate(line):
        x = _middle(index, len(line))
        held = corals.count(coral)
        canvas.text(x, 23, label(coral, view.form), anchor="c")
        if held:
            canvas.text(x, 35, str(held), MIDDLE, "c")
        else:
            canvas.fill(x - 1, 41, x, 42)


def _title(canvas: Canvas, name: str, figure: str) -> None:
    """``Ann's hand`` with a figure at the right; a long name is cut, not what it has."""
    room = 120 - MIDDLE.width(figure)
    face = next((face for face in NAMES if face.width(f"{name}'s hand") <= room), TEXT)
    parts.title(canvas, named("{}'s hand", name, face, room), figure=figure)


def _middle(index: int, of: int) -> int:
    """The middle column of one of `of` cells between the edges."""
    return LEFT + (2 * index + 1) * (RIGHT - LEFT + 1) // (2 * of)

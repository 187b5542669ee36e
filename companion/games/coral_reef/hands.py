"""Hands of Coral Reef: naming the corals dealt, picking one out of a row, and a hand shown to its owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.coral_reef.drafts import label
from companion.panel import parts
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import MIDDLE, NAME, NAMES, TEXT, named, wrap
from companion.screens.legends import dead, erasing, legend

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.panel.canvas import Canvas
    from companion.session.model import Dealing, Peek, Session

KEYS = "0 = 10   B C D = J Q K"
"""How the cards that have no key of their own are typed."""


def dealing(canvas: Canvas, session: Session, mode: Dealing) -> None:
    """Draw card backs with a dot for each coral entered; picking shows the row to pick from, so others look away."""
    round_ = session.round
    if round_ is None:
        return
    _title(canvas, round_.name(mode.seat), f"{len(mode.pieces)}/{mode.size}")
    parts.cards(canvas, len(mode.pieces), mode.size, 18 if mode.at else 19)
    other = named("{}, look away", round_.name(3 - mode.seat), TEXT, 126)
    extra = len(mode.pieces) - mode.size
    if mode.at is not None:
        corals = [label(coral, round_.options["form"]) for line in round_.entry.grid(mode.grid, round_.options)
                  for coral in line]  # fmt: skip
        half = len(round_.entry.grid(mode.grid, round_.options)[0])
        row(canvas, corals, mode.at[0] * half + mode.at[1], 37)
        canvas.text(LEFT, 46, other)
    else:
        keys = KEYS if round_.options["form"] == "cards" else ""
        canvas.text(LEFT, 38 if keys else 41, dead(mode) or (other if extra <= 0 else f"{extra} too many"))
        canvas.text(LEFT, 47, keys)
    adding = mode.at is not None and extra < 0
    left = legend(session, "add" if adding else "done")
    parts.footer(canvas, left, erasing(session, mode))


def row(canvas: Canvas, corals: Sequence[str], at: int, y: int) -> None:
    """Corals from edge to edge, the same gap between all of them, the one at index `at` inverse."""
    ink = [TEXT.width(coral) for coral in corals]
    gap = (RIGHT - LEFT + 1 - sum(ink)) / len(corals)
    for index, coral in enumerate(corals):
        x = LEFT + round(sum(ink[:index]) + gap * (index + 0.5))
        if index == at:
            canvas.tag(x - 2, y, coral)
        else:
            canvas.text(x, y, coral)


def peek(canvas: Canvas, session: Session, mode: Peek) -> None:
    """Draw a hand as it is held; where it is large as counts under its ranks, so that forty corals have room."""
    round_ = session.round
    if round_ is None:
        return
    view = round_.game.view(round_.state, mode.seat)
    corals = view.holdings[mode.seat - 1].pieces or ()
    _title(canvas, round_.name(mode.seat), str(len(corals)))
    ranks = [coral for line in round_.entry.grid("deal", round_.options) for coral in line]
    shown = wrap(" ".join(label(coral, view.form) for coral in sorted(corals, key=ranks.index)), NAME, 126)
    if len(shown) <= 2:  # A small hand as it is held, so that a glance is enough.
        for at, words in enumerate(shown):
            canvas.text(LEFT, (30 if len(shown) < 2 else 24) + 16 * at, words, NAME)
        return
    for line, y in zip(round_.entry.grid("deal", round_.options), (18, 42), strict=True):
        for index, coral in enumerate(line):
            x = LEFT + 9 + index * (18 if len(line) > 5 else 26)
            canvas.text(x, y, label(coral, view.form), anchor="c")
            if held := corals.count(coral):
                canvas.text(x, y + 9, str(held), MIDDLE, "c")
            else:
                canvas.fill(x - 1, y + 15, x, y + 15)


def _title(canvas: Canvas, name: str, figure: str) -> None:
    """``Ann's hand`` with a figure at the right; a long name is cut, not what it has."""
    room = 120 - MIDDLE.width(figure)
    face = next((face for face in NAMES if face.width(f"{name}'s hand") <= room), TEXT)
    parts.title(canvas, named("{}'s hand", name, face, room), figure=figure)

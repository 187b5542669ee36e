"""A name that is spelled, on the panel: a wheel of letters for buttons, the digits and their letters for a keypad."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.panel import parts
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import NAME, NARROW, TEXT
from companion.screens.legends import footer

if TYPE_CHECKING:
    from companion.contents.kinds import Letters
    from companion.panel.canvas import Canvas
    from companion.panel.fonts import Face

SPELLED = (NAME, NARROW, TEXT)
"""The faces for a name that is being spelled; the first that fits is used."""
SPELT, WHEEL, BESIDE = 30, 12, 79
"""The row of its capitals, the columns of the box of the letter that changes, and where the arrows are explained."""
TAPPED = ("1-' 2abc 3def 4ghi", "5jkl 6mno 7pqrs 8tuv", "9wxyz 0 space")
"""What the digits of a keypad spell."""


def letters(canvas: Canvas, content: Letters, *, buttons: bool) -> None:
    """A name being spelled."""
    parts.title(canvas, content.title, content.whose)
    if buttons:
        _wheel(canvas, content)
    else:
        wide = canvas.fitted(1, 15, content.text, parts.ENTRY, 116)
        canvas.fill(3 + wide, 26, 10 + wide, 27)
        for index, keys in enumerate(TAPPED):
            canvas.text(1, 31 + 8 * index, keys)
    footer(canvas, content.answers, buttons=buttons)


def _wheel(canvas: Canvas, content: Letters) -> None:
    """The name, its last letter in a box between the ones that up and down lead to; beside them what arrows do."""
    before, letter = content.text[:-1], content.text[-1:] or " "
    face = next((face for face in SPELLED if _ends(before, face) + WHEEL < RIGHT), SPELLED[-1])
    top = SPELT + (NAME.capitals - face.capitals) // 2
    canvas.text(LEFT, top, before, face)
    x = _ends(before, face)
    canvas.plate(x, SPELT - 3, x + WHEEL - 1, SPELT + NAME.capitals + 2)
    middle = x + WHEEL // 2
    canvas.text(middle, top, letter, face, "c", inverse=True)
    canvas.text(middle, 18, content.up.replace(" ", "_"), TEXT, "c")
    canvas.text(middle, 46, content.down.replace(" ", "_"), TEXT, "c")
    start = BESIDE if x < BESIDE - WHEEL else LEFT
    if (change := kinds.answer(content.answers, "up")) is not None:
        canvas.icon(start, 20, "more-up")
        canvas.icon(start + 7, 20, "more-down")
        canvas.text(start + 15, 18, change.says)
    if (then := kinds.answer(content.answers, "right")) is not None:
        canvas.icon(start + 4, 47, "right")
        canvas.text(start + 15, 46, then.says)


def _ends(before: str, face: Face) -> int:
    """The first column of the box behind the letters that stand already; a blank at the end is as wide as its box."""
    ink = face.width(before.rstrip())
    return LEFT + ink + 2 * bool(ink) + 6 * (len(before) - len(before.rstrip()))

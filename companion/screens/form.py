"""What is set before a round, on the panel: who sits where, a number, the times of a clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents.kinds import PLAYERS
from companion.games import marks
from companion.panel import full_screens, parts
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import BIG, MIDDLE, NAME, NARROW, TEXT, cut
from companion.panel.full_screens import Box
from companion.screens.legends import changing, footer, keys, swapping

if TYPE_CHECKING:
    from companion.contents.kinds import Amount, Form, Seating
    from companion.panel.canvas import Canvas

CHOSEN = 73
"""The width in pixels for the choices made before, beside the title."""
LISTED = 4
"""The most players in one column."""
MOST_HINTED = 3
"""Under the clocks of so many seats there is room for a line about the arrows."""
BESIDE_TITLE = 121
"""The width in pixels for a title and what stands beside it."""
NAMED = 50
"""The width in pixels for a name beside its clock, or in one of two columns."""


def seating(canvas: Canvas, content: Seating, *, buttons: bool) -> None:
    """Who sits where; more than four in two columns."""
    note, title = next((note for note in content.notes if TEXT.width(note) <= CHOSEN), content.notes[-1]), content.title
    if title == PLAYERS and TEXT.width(content.notes[0]) > CHOSEN:
        # What is played comes before the word for its players, which the boxes are seen to be.
        title, note = next((each for each in content.notes if TEXT.width(each) <= BESIDE_TITLE), note), ""
    left, right = keys(content.meanings, buttons=buttons)
    if len(content.places) <= LISTED and left is not None:
        boxes = [
            Box(each.name, "", each.caption, marks.drawn(content.game, each.icon) if each.icon else "")
            for each in content.places
        ]
        full_screens.players(canvas, title, note, boxes, starts=1, left=left, right=right)
    else:
        parts.title(canvas, title, note)
        for index, each in enumerate(content.places):
            x, y = (LEFT, 65)[index % 2], 18 + 9 * (index // 2)
            canvas.text(x, y, str(index + 1))
            canvas.text(x + 9, y, cut(each.name, TEXT, NAMED, canvas.names))
        parts.footer(canvas, left, right)
    swapping(canvas, buttons=buttons)


def amount(canvas: Canvas, content: Amount, *, buttons: bool) -> None:
    """A number, as large as it can be."""
    parts.title(canvas, content.title, content.note)
    shown = f"{content.number}_" if content.typed else content.number
    face = BIG if BIG.has(shown) else MIDDLE if MIDDLE.has(shown) else NAME
    canvas.text(64, 21, shown, face, "c")
    footer(canvas, content.meanings, buttons=buttons)
    if content.limit:
        canvas.text(64, 45, content.limit, TEXT, "c")
    else:
        changing(canvas, content.meanings, 45, buttons=buttons)


def form(canvas: Canvas, content: Form, *, buttons: bool) -> None:
    """Numbers for each name in a row, the one under the cursor inverse."""
    beside = NARROW.width(content.title) + TEXT.width(content.meaning) <= BESIDE_TITLE
    parts.title(canvas, content.title if beside else "", content.meaning)
    numbers = [(*number, row) for row, (_, each) in enumerate(content.rows) for number in each]
    if content.on == len(numbers):
        canvas.clear(RIGHT - TEXT.width(content.meaning) - 2, 3, RIGHT, 14)
        canvas.tag(RIGHT, 5, content.meaning, "r")
    many = len(content.rows) > 2
    names = [name for name, _ in content.rows]
    tops = [18 + 9 * row if many else 19 + 12 * row for row in range(len(names))]
    for y, name in zip(tops, names, strict=True):
        canvas.text(LEFT, y, cut(name, TEXT, NAMED, names))
    for index, (number, unit, row) in enumerate(numbers):
        x, shown = (96, RIGHT)[index % 2], f"{number} {unit}"
        if index == content.on:
            canvas.tag(x, tops[row], shown, "r")
        else:
            canvas.text(x - 2, tops[row], shown, TEXT, "r")
    footer(canvas, content.meanings, buttons=buttons)
    if len(names) <= MOST_HINTED:
        changing(canvas, content.meanings, 45 if many else 44, buttons=buttons)
    else:
        swapping(canvas, buttons=buttons)

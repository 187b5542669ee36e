"""The rest view on the panel: a name and numbers, as large as they go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import BIG, HEADING, MIDDLE, NAME, NARROW, TEXT, Face, cut, fits, line
from companion.panel.menus import short
from companion.panel.parts import LAST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.contents.kinds import Rest
    from companion.panel.canvas import Canvas

Sized = tuple[Face, int]
"""A face, and how many times as large it is drawn."""
NAMES: tuple[Sized, ...] = ((HEADING, 2), (NAME, 2), (NARROW, 2), (HEADING, 1), (NAME, 1), (NARROW, 1))
NUMBERS: tuple[Sized, ...] = ((MIDDLE, 2), (BIG, 1), (MIDDLE, 1), (NAME, 1), (TEXT, 1))
WIDE = RIGHT - LEFT + 1
MIDST = (LEFT + RIGHT + 1) // 2
ACCENT = 2
"""The rows above the capitals of the bold faces, twice as large, for an accent."""
PAD = 3
"""The columns of a plate before and behind its number."""


def rest(canvas: Canvas, content: Rest, *, buttons: bool) -> None:
    """Whose turn it is at the top, below it each player's number, and what is said in the last line, if anything."""
    small = bool(content.said) or _rises(content.name)
    face, scale = next((each for each in NAMES[small:] if _fits(content.name, each, WIDE)), NAMES[-1])
    name = cut(content.name, face, WIDE // scale, canvas.names)
    high = 20 if small else 26
    canvas.large(MIDST, (high - face.capitals * scale) // 2 + ACCENT * _rises(name), name, face, scale)
    _numbers(canvas, content.numbers, content.seat, 28 if content.said else 36)
    canvas.text(LEFT, LAST, cut(content.said, TEXT, WIDE, canvas.names))


def _numbers(canvas: Canvas, numbers: Sequence[str], seat: int, top: int) -> None:
    """Draw the numbers side by side from row `top`, in 26 rows, all of one size; that of the `seat` on a plate."""
    room = WIDE // max(1, len(numbers)) - 2 * PAD
    forms = (list(numbers), list(map(short, numbers)))
    fitting = ((each, form) for form in forms for each in NUMBERS if all(_fits(number, each, room) for number in form))
    (face, scale), shown = next(fitting, (NUMBERS[-1], forms[1]))
    y = top + (26 - face.capitals * scale) // 2
    for index, number in enumerate(shown):
        x = LEFT + (2 * index + 1) * WIDE // (2 * len(shown))
        plate = index + 1 == seat and len(shown) > 1
        if plate:
            half = (face.width(number) * scale) // 2 + PAD
            canvas.plate(x - half, y - 1, x + half, y + face.capitals * scale)
        canvas.large(x, y, number, face, scale, inverse=plate)


def _rises(name: str) -> bool:
    """Whether a mark, such as the dots of an Ä, stands above the capitals."""
    found = line(HEADING, name).getbbox()
    return found is not None and found[1] < HEADING.rise


def _fits(s: str, sized: Sized, width: int) -> bool:
    """Whether a text has room in `width` pixels, and all its characters in the face."""
    face, scale = sized
    return fits(s, face, width // scale) and face.has(s)

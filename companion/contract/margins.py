"""Whether texts on the panel keep their margin: around each letter there is only its own text and its ground.

Pixels are bits of an integer, row by row. Shifts wrap around where a row ends, where the outermost columns are dark.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from PIL import Image

from companion.languages import said
from companion.panel import fonts
from companion.panel.canvas import HEIGHT, WIDTH, Canvas, start

ROW = WIDTH
"""The bits of a row."""


def bits(image: Image.Image) -> int:
    """The lit pixels of a panel."""
    return int.from_bytes(image.tobytes())  # Of mode 1: a bit for each pixel.


def places(found: int) -> list[tuple[int, int]]:
    """The column and row of each pixel."""
    lit = f"{found:0{ROW * HEIGHT}b}"
    return [(index % ROW, index // ROW) for index, bit in enumerate(lit) if bit == "1"]


@lru_cache(maxsize=2048)
def letters(face: fonts.Face, s: str, apart: int | None, left: int, top: int) -> int:
    """The pixels of a text."""
    panel = Image.new("1", (WIDTH, HEIGHT))
    panel.paste(255, (left, top), fonts.line(face, s[: fonts.MOST_MARKS], apart))
    return bits(panel)


@lru_cache(maxsize=2048)
def box(x0: int, y0: int, x1: int, y1: int) -> int:
    """The pixels of a box."""
    panel = Image.new("1", (WIDTH, HEIGHT))
    panel.paste(255, (x0, y0, x1 + 1, y1 + 1))
    return bits(panel)


PANEL = box(0, 0, WIDTH - 1, HEIGHT - 1)


class Written:
    """A text that was drawn on a canvas: where, the pixels of its letters, and those that were painted over since.

    `line` is the first row below its capitals; `body` is without the tails that reach it, and
    `core` also without the accents above the capitals.
    """

    def __init__(self, canvas: Canvas, text: str, place: tuple[int, int], line: int, pixels: int) -> None:
        self.canvas, self.text, self.place, self.pixels, self.erased = canvas, text, place, pixels, 0
        self.body = pixels & box(0, 0, WIDTH - 1, line - 1)
        self.core = self.body & box(0, max(0, place[1]), WIDTH - 1, HEIGHT - 1)


@contextmanager
def noted() -> Iterator[list[Written]]:
    """Note every text that is drawn meanwhile, and what of it is erased or painted over again."""
    found: list[Written] = []
    write, paint = Canvas.text, Canvas.fill

    def text(self, x, y, s, face=fonts.TEXT, anchor="l", **more):  # type: ignore[no-untyped-def]  # noqa: PLR0917
        s = said(s)
        width = write(self, x, y, s, face, anchor, **more)
        if width:
            left = start(x, width, anchor)
            found.append(
                Written(self, s, (left, y), y + face.capitals, letters(face, s, more.get("apart"), left, y - face.rise))
            )
        return width

    def fill(self, x0, y0, x1, y1, lit=True):  # type: ignore[no-untyped-def]  # noqa: PLR0917
        paint(self, x0, y0, x1, y1, lit)
        painted = box(x0, y0, x1, y1)
        for each in found:
            if each.canvas is self:
                each.erased |= each.pixels & painted

    Canvas.text, Canvas.fill = text, fill  # type: ignore[method-assign]
    try:
        yield found
    finally:
        Canvas.text, Canvas.fill = write, paint  # type: ignore[method-assign]


def around(pixels: int, *, diagonally: bool) -> int:
    """The pixels beside those of a text, as far as they are on the panel."""
    across = pixels | pixels << 1 | pixels >> 1
    column = across if diagonally else pixels
    return (across | column << ROW | column >> ROW) & ~pixels & PANEL


def faults(
    image: Image.Image, written: list[Written], *, tails: bool = False, accents: bool = False
) -> list[tuple[str, str, list[tuple[int, int]]]]:
    """What is wrong with the texts on a picture: the text, what it is, and the pixels where it is so.

    ``cut``: only a part of its letters was erased. ``touches``: a pixel beside a letter is lit, diagonally too; for
    letters on a lit plate one that is dark, except diagonally, since a plate's corners are round. With `tails` those of
    a g or a Q do not count, which meet the next line where two lines are 8 rows apart.

    With `accents` neither tails count nor what stands above capitals, as on an é: they meet in lines 9 rows apart.
    """
    lit = bits(image)
    bodies = [each.core if accents else each.body if tails else each.pixels for each in written]
    for each, body in zip(written, bodies, strict=True):
        lit &= ~(each.pixels & ~body)
    found = []
    for each, body in zip(written, bodies, strict=True):
        if each.erased == each.pixels:
            continue
        if each.erased:
            found.append((each.text, "cut", places(each.erased)))
            continue
        touching = around(body, diagonally=True) & ~each.pixels & lit
        if not touching:
            continue
        sides = around(body, diagonally=False) & ~each.pixels
        if (sides & lit).bit_count() * 2 > sides.bit_count():
            touching = sides & ~lit  # It is on a plate.
        if touching:
            found.append((each.text, "touches", places(touching)))
    return found

"""Whether pictures are whole: no text is cut, each keeps its margin, and the edge columns are dark.

Around each letter there is only its own text and its ground. Pixels are bits of an integer, row by row. Shifts wrap
around where a row ends, where the outermost columns are dark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from typing import Any, NamedTuple

from PIL import Image

from companion.languages import said
from companion.panel import fonts
from companion.panel.canvas import HEIGHT, LEFT, RIGHT, WIDTH, Canvas, start


def bits(image: Image.Image) -> int:
    """The lit pixels of a panel."""
    return int.from_bytes(image.tobytes())  # Of mode 1: a bit for each pixel.


def places(found: int) -> list[tuple[int, int]]:
    """The column and row of each pixel."""
    lit = f"{found:0{WIDTH * HEIGHT}b}"
    return [(index % WIDTH, index // WIDTH) for index, bit in enumerate(lit) if bit == "1"]


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
    return (across | column << WIDTH | column >> WIDTH) & ~pixels & PANEL


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


WRONG = {
    "touches": "touches another text, a line or a picture: leave a dark pixel around it",
    "cut": "is painted over in part",
}


class Loss(NamedTuple):
    """A text that was cut, what is shown of it, and its room; `drawn` is how many texts had been drawn before."""

    whole: str
    shown: str
    room: str
    drawn: int


def checked(draw: Callable[[Canvas, Any], object], scene: Any, names: Sequence[str], *, closely: bool = True) -> bytes:
    """The picture that is drawn of a scene. AssertionError says what is wrong with it; the names alone may be cut.

    Only `closely` the margins are looked at, which takes as long as all else.
    """
    canvas = Canvas(names)
    losses: list[Loss] = []
    watch: AbstractContextManager[list[Written]] = noted() if closely else nullcontext([])
    with watch as written:
        before = fonts.on_loss
        fonts.on_loss = lambda text, shown, room: losses.append(Loss(text, shown, room, len(written)))
        try:
            draw(canvas, scene)
        finally:
            fonts.on_loss = before
    lost = next((each for each in losses if each.whole not in names), None)
    if lost and not closely:
        return checked(draw, scene, names)  # To say where.
    assert lost is None, f"{lost.whole!r} is cut: {lost.shown!r}{_where(lost, written)}: {lost.room}"
    for column in (0, WIDTH - 1):
        lit = canvas.image.crop((column, 0, column + 1, HEIGHT)).getbbox()
        assert lit is None, f"column {column} is lit; pictures have columns {LEFT} to {RIGHT}"
    _check_margins(canvas, written)
    return canvas.image.tobytes()


def _where(lost: Loss, written: list[Written]) -> str:
    """Where a text stands that was cut: the first one since then that shows a part of it."""
    found = next((each for each in written[lost.drawn :] if each.text and each.text in lost.shown), None)
    return f" at column {found.place[0]}, row {found.place[1]}" if found else ""


def _check_margins(canvas: Canvas, written: list[Written]) -> None:
    mine = [each for each in written if each.canvas is canvas]
    for text, what, pixels in faults(canvas.image, mine, tails=True):
        raise AssertionError(f"{text!r} {WRONG[what]} (at column {pixels[0][0]}, row {pixels[0][1]})")

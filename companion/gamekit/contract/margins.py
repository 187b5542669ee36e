"""Checks whether pictures are whole: no text is cut, each has its margin, and the edge columns are dark.

A letter may only be surrounded by its own text and its background. Pixels are bits of an integer, row by row, so a
margin is found by shifts. A shift wraps around at the end of a row, which does no harm because the outermost columns
are dark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from typing import Any, NamedTuple

from PIL import Image

from companion.languages import translate
from companion.panel import fonts
from companion.panel.canvas import HEIGHT, LEFT, RIGHT, WIDTH, Canvas, first_column


def bits(image: Image.Image) -> int:
    """The lit pixels of a panel."""
    return int.from_bytes(image.tobytes())  # The image has mode 1: a bit for each pixel.


def places(found: int) -> list[tuple[int, int]]:
    """The column and row of each pixel."""
    lit = f"{found:0{WIDTH * HEIGHT}b}"
    return [(index % WIDTH, index // WIDTH) for index, bit in enumerate(lit) if bit == "1"]


@lru_cache(maxsize=2048)
def letters(face: fonts.Face, s: str, apart: int | None, left: int, top: int) -> int:
    """The pixels of a text."""
    panel = Image.new("1", (WIDTH, HEIGHT))
    panel.paste(255, (left, top), fonts.text_mask(face, s[: fonts.MAX_CHARACTERS], apart))
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

    `baseline` is the first row below its capitals. `body` has no tails that reach below that row, and `core` has no
    accents above the capitals either.
    """

    def __init__(self, canvas: Canvas, text: str, place: tuple[int, int], line: int, pixels: int) -> None:
        self.canvas, self.text, self.place, self.pixels, self.erased = canvas, text, place, pixels, 0
        self.body = pixels & box(0, 0, WIDTH - 1, line - 1)
        self.core = self.body & box(0, max(0, place[1]), WIDTH - 1, HEIGHT - 1)


@contextmanager
def noted() -> Iterator[list[Written]]:
    """Record every text that is drawn inside the block, and which of its pixels are erased or painted over later."""
    found: list[Written] = []
    write, paint = Canvas.text, Canvas.fill

    def text(self, x, y, s, face=fonts.TEXT, anchor="l", **more):  # type: ignore[no-untyped-def]  # noqa: PLR0917
        s = translate(s)
        width = write(self, x, y, s, face, anchor, **more)
        if width:
            left = first_column(x, width, anchor)
            found.append(
                Written(self, s, (left, y), y + face.capital_rows, letters(face, s, more.get("apart"), left, y - face.accent_rows))
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
    """What is wrong with the texts on a picture: for each fault the text, the kind of fault, and the pixels.

    | fault | is |
    | --- | --- |
    | ``cut`` | only a part of the letters was erased |
    | ``touches`` | a pixel beside a letter is lit, diagonally too; for letters on a lit plate, a pixel beside one is
        dark, but not diagonally, since a plate has round corners |

    With `ignore_tails` the tails of letters such as g and Q do not count; they meet the next line if lines are 8 rows
    apart. With `ignore_accents` neither tails nor marks above capitals, as on an é, count; they meet in lines 9 rows
    apart.
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
            touching = sides & ~lit  # The text is on a plate.
        if touching:
            found.append((each.text, "touches", places(touching)))
    return found


WRONG = {
    "touches": "touches another text, a line or a picture: leave a dark pixel around it",
    "cut": "is painted over in part",
}


class Loss(NamedTuple):
    """A text that was cut, what is shown of it, and its room.

    `texts_before` is the number of texts that had been drawn before.
    """

    whole: str
    shown: str
    room: str
    drawn: int


def checked(draw: Callable[[Canvas, Any], object], scene: Any, names: Sequence[str], *, closely: bool = True) -> bytes:
    """Draw a scene, check the picture, and return its bytes. Names may be cut, but no other text.

    Raises AssertionError with what is wrong. The margins are checked only with `with_margins`, which takes as long as
    everything else.
    """
    canvas = Canvas(names)
    losses: list[Loss] = []
    watch: AbstractContextManager[list[Written]] = noted() if closely else nullcontext([])
    with watch as written:
        before = fonts.on_text_cut
        fonts.on_text_cut = lambda text, shown, room: losses.append(Loss(text, shown, room, len(written)))
        try:
            draw(canvas, scene)
        finally:
            fonts.on_text_cut = before
    lost = next((each for each in losses if each.whole not in names), None)
    if lost and not closely:
        return checked(draw, scene, names)  # Draw again, to find out where.
    assert lost is None, f"{lost.whole!r} is cut: {lost.shown!r}{_where(lost, written)}: {lost.room}"
    for column in (0, WIDTH - 1):
        lit = canvas.image.crop((column, 0, column + 1, HEIGHT)).getbbox()
        assert lit is None, f"column {column} is lit; pictures have columns {LEFT} to {RIGHT}"
    _check_margins(canvas, written)
    return canvas.image.tobytes()


def _where(lost: Loss, written: list[Written]) -> str:
    """Where a cut text is: the position of the first text since then that shows a part of it."""
    found = next((each for each in written[lost.drawn :] if each.text and each.text in lost.shown), None)
    return f" at column {found.place[0]}, row {found.place[1]}" if found else ""


def _check_margins(canvas: Canvas, written: list[Written]) -> None:
    mine = [each for each in written if each.canvas is canvas]
    for text, what, pixels in faults(canvas.image, mine, tails=True):
        raise AssertionError(f"{text!r} {WRONG[what]} (at column {pixels[0][0]}, row {pixels[0][1]})")

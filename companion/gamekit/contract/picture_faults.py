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


def lit_pixels(image: Image.Image) -> int:
    """The lit pixels of a panel."""
    return int.from_bytes(image.tobytes())  # The image has mode 1: a bit for each pixel.


def pixel_positions(pixels: int) -> list[tuple[int, int]]:
    """The column and row of each pixel."""
    lit = f"{pixels:0{WIDTH * HEIGHT}b}"
    return [(index % WIDTH, index // WIDTH) for index, bit in enumerate(lit) if bit == "1"]


@lru_cache(maxsize=2048)
def letter_pixels(face: fonts.Face, s: str, spacing: int | None, left: int, top: int) -> int:
    """The pixels of a text."""
    panel = Image.new("1", (WIDTH, HEIGHT))
    panel.paste(255, (left, top), fonts.text_mask(face, s[: fonts.MAX_CHARACTERS], spacing))
    return lit_pixels(panel)


@lru_cache(maxsize=2048)
def box_pixels(x0: int, y0: int, x1: int, y1: int) -> int:
    """The pixels of a box."""
    panel = Image.new("1", (WIDTH, HEIGHT))
    panel.paste(255, (x0, y0, x1 + 1, y1 + 1))
    return lit_pixels(panel)


ALL_PIXELS = box_pixels(0, 0, WIDTH - 1, HEIGHT - 1)


class DrawnText:
    """A text that was drawn on a canvas: where, the pixels of its letters, and those that were painted over since.

    `baseline` is the first row below its capitals. `body` has no tails that reach below that row, and `core` has no
    accents above the capitals either.
    """

    def __init__(self, canvas: Canvas, text: str, position: tuple[int, int], baseline: int, pixels: int) -> None:
        self.canvas, self.text, self.position, self.pixels, self.erased = canvas, text, position, pixels, 0
        self.body = pixels & box_pixels(0, 0, WIDTH - 1, baseline - 1)
        self.core = self.body & box_pixels(0, max(0, position[1]), WIDTH - 1, HEIGHT - 1)


@contextmanager
def recorded_texts() -> Iterator[list[DrawnText]]:
    """Record every text that is drawn inside the block, and which of its pixels are erased or painted over later."""
    texts: list[DrawnText] = []
    draw_text, fill_box = Canvas.text, Canvas.fill

    def record_text(self, x, y, text, face=fonts.CONDENSED, anchor="l", **more):  # type: ignore[no-untyped-def]  # noqa: PLR0917
        text = translate(text)
        width = draw_text(self, x, y, text, face, anchor, **more)
        if width:
            left = first_column(x, width, anchor)
            texts.append(
                DrawnText(
                    self,
                    text,
                    (left, y),
                    y + face.capital_rows,
                    letter_pixels(face, text, more.get("digit_gap"), left, y - face.accent_rows),
                )
            )
        return width

    def fill(self, x0, y0, x1, y1, lit=True):  # type: ignore[no-untyped-def]  # noqa: PLR0917
        fill_box(self, x0, y0, x1, y1, lit)
        painted = box_pixels(x0, y0, x1, y1)
        for each in texts:
            if each.canvas is self:
                each.erased |= each.pixels & painted

    Canvas.text, Canvas.fill = record_text, fill  # type: ignore[method-assign]
    try:
        yield texts
    finally:
        Canvas.text, Canvas.fill = draw_text, fill_box  # type: ignore[method-assign]


def neighbour_pixels(pixels: int, *, diagonally: bool) -> int:
    """The pixels beside those of a text, as far as they are on the panel."""
    across = pixels | pixels << 1 | pixels >> 1
    column = across if diagonally else pixels
    return (across | column << WIDTH | column >> WIDTH) & ~pixels & ALL_PIXELS


def find_picture_faults(
    image: Image.Image, texts: list[DrawnText], *, ignore_tails: bool = False, ignore_accents: bool = False
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
    lit = lit_pixels(image)
    bodies = [each.core if ignore_accents else each.body if ignore_tails else each.pixels for each in texts]
    for each, body in zip(texts, bodies, strict=True):
        lit &= ~(each.pixels & ~body)
    found = []
    for each, body in zip(texts, bodies, strict=True):
        if each.erased == each.pixels:
            continue
        if each.erased:
            found.append((each.text, "cut", pixel_positions(each.erased)))
            continue
        touching = neighbour_pixels(body, diagonally=True) & ~each.pixels & lit
        if not touching:
            continue
        sides = neighbour_pixels(body, diagonally=False) & ~each.pixels
        if (sides & lit).bit_count() * 2 > sides.bit_count():
            touching = sides & ~lit  # The text is on a plate.
        if touching:
            found.append((each.text, "touches", pixel_positions(touching)))
    return found


FAULT_TEXTS = {
    "touches": "touches another text, a line or a picture: leave a dark pixel around it",
    "cut": "is painted over in part",
}


class CutText(NamedTuple):
    """A text that was cut, what is shown of it, and its room.

    `texts_before` is the number of texts that had been drawn before.
    """

    full_text: str
    shown_text: str
    room: str
    texts_before: int


def draw_and_check_picture(
    draw: Callable[[Canvas, Any], object], scene: Any, names: Sequence[str], *, with_margins: bool = True
) -> bytes:
    """Draw a scene, check the picture, and return its bytes. Names may be cut, but no other text.

    Raises AssertionError with what is wrong. The margins are checked only with `with_margins`, which takes as long as
    everything else.
    """
    canvas = Canvas(names)
    cut_texts: list[CutText] = []
    unknown_letters: list[str] = []
    recording: AbstractContextManager[list[DrawnText]] = recorded_texts() if with_margins else nullcontext([])
    with recording as texts:
        before = fonts.on_text_cut
        fonts.on_text_cut = lambda text, shown, room: cut_texts.append(CutText(text, shown, room, len(texts)))
        try:
            with _noticed_unknown_letters(unknown_letters):
                draw(canvas, scene)
        finally:
            fonts.on_text_cut = before
    assert not unknown_letters, f"{unknown_letters[0]}, so the panel shows hollow boxes"
    first_cut = next((each for each in cut_texts if each.full_text not in names), None)
    if first_cut and not with_margins:
        return draw_and_check_picture(draw, scene, names)  # Draw again, to find out where.
    assert first_cut is None, (
        f"{first_cut.full_text!r} is cut: {first_cut.shown_text!r}{_position_text(first_cut, texts)}: {first_cut.room}"
    )
    for column in (0, WIDTH - 1):
        lit = canvas.image.crop((column, 0, column + 1, HEIGHT)).getbbox()
        assert lit is None, f"column {column} is lit; pictures have columns {LEFT} to {RIGHT}"
    _check_margins(canvas, texts)
    return canvas.image.tobytes()


@contextmanager
def _noticed_unknown_letters(found: list[str]) -> Iterator[None]:
    """Add to `found` each text that is drawn inside the block with letters that its face does not have."""
    draw_text = Canvas.text

    def notice(self, x, y, text, face=fonts.CONDENSED, *arguments, **more):  # type: ignore[no-untyped-def]
        shown = translate(text)
        if not face.has_glyphs(shown):
            unknown = "".join(letter for letter in dict.fromkeys(shown) if not face.has_glyphs(letter))
            found.append(f"{shown!r} has {unknown!r}, which the face {face.name} lacks")
        return draw_text(self, x, y, text, face, *arguments, **more)

    Canvas.text = notice  # type: ignore[method-assign]
    try:
        yield
    finally:
        Canvas.text = draw_text  # type: ignore[method-assign]


def _position_text(cut_text: CutText, texts: list[DrawnText]) -> str:
    """Where a cut text is: the position of the first text since then that shows a part of it."""
    shown = next(
        (each for each in texts[cut_text.texts_before :] if each.text and each.text in cut_text.shown_text), None
    )
    return f" at column {shown.position[0]}, row {shown.position[1]}" if shown else ""


def _check_margins(canvas: Canvas, texts: list[DrawnText]) -> None:
    on_canvas = [each for each in texts if each.canvas is canvas]
    for text, fault, pixels in find_picture_faults(canvas.image, on_canvas, ignore_tails=True):
        raise AssertionError(f"{text!r} {FAULT_TEXTS[fault]} (at column {pixels[0][0]}, row {pixels[0][1]})")

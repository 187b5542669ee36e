"""A picture of 128×64 pixels of one bit, and the functions that draw on it.

x is the column from the left, y the row from the top, both from 0. A box is given by its first and last column and row,
which are part of it. The y of a text is the top row of its capitals.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

from PIL import Image, ImageChops, ImageOps

from companion.languages import translate
from companion.panel import fonts
from companion.panel.fonts import CONDENSED, Face
from companion.panel.icons import Icon, icon_mask

WIDTH, HEIGHT = 128, 64
LEFT, RIGHT = 1, 126
"""The first and last column that a screen may light. The outermost ones are left for the shift against burn-in."""
LINE_COLUMNS = RIGHT - LEFT + 1
"""The columns of a whole line."""

MAX_CHARACTER_GAP_COLUMNS = 11
"""The most columns between two characters of one text."""
LIT, DARK = 255, 0
"""Pillow's values of mode 1. A pixel drawn with 1 instead of 255 looks lit but is not inverted correctly."""

Anchor = Literal["l", "c", "r"]


def first_column(x: int, width: int, anchor: Anchor) -> int:
    """The first column of something `width` columns wide whose left edge (l), centre (c) or right edge (r) is `x`."""
    if anchor == "l":
        return x
    return x - width // 2 if anchor == "c" else x - width + 1


class Canvas:
    """A dark picture to draw on.

    Attributes:
        image: a PIL image of mode 1, in which a lit pixel is white.
        names: the players at the table. In a text that is too long they are cut first, and so that they stay distinct.
        colours: by seat, the number of the player's shape; empty where it is that of the seat.
        free_columns: the first and last column of the footer that no key's label has taken.
    """

    def __init__(self, names: Sequence[str] = (), colours: Sequence[int] = ()) -> None:
        self.image = Image.new("1", (WIDTH, HEIGHT))
        self.names = tuple(names)
        self.colours = colours
        self.free_columns = (LEFT, RIGHT)

    def text(
        self,
        x: int,
        y: int,
        text: str,
        face: Face = CONDENSED,
        anchor: Anchor = "l",
        *,
        inverse: bool = False,
        digit_gap: int | None = None,
    ) -> int:
        """Write a text in one line, dark if `inverse`. Returns the width of its ink in pixels.

        `y` is the top row of capitals. `digit_gap` replaces the face's gap between digits, in pixels.
        """
        text = translate(text)
        if not text.strip(fonts.BLANKS):
            return 0
        mask = fonts.text_mask(face, text[: fonts.MAX_CHARACTERS], digit_gap)
        width = mask.width
        left = first_column(x, width, anchor)
        if left < LEFT or left + width > RIGHT + 1:
            fonts.report_cut(
                text, "what runs off the panel", face, {"l": RIGHT + 1 - x, "r": x + 1 - LEFT}.get(anchor, 126)
            )
        self.image.paste(DARK if inverse else LIT, (left, y - face.accent_rows), mask)
        return width

    def text_block(
        self, x: int, y: int, lines: Iterable[str], anchor: Anchor = "l", *, face: Face = CONDENSED, pitch: int = 12
    ) -> None:
        """Write lines `pitch` pixels apart, the first one with its capitals on row `y`."""
        for index, words in enumerate(lines):
            self.text(x, y + pitch * index, words, face, anchor)

    def fitted_text(
        self,
        x: int,
        y: int,
        text: str,
        faces: Sequence[Face],
        width: int,
        *,
        anchor: Anchor = "l",
        inverse: bool = False,
    ) -> int:
        """Write a text in the first of `faces` in which it fits into `width` pixels, else cut. Returns its width.

        `y` is the top row of capitals of the first face. Smaller faces are centred at the same height.
        """
        face, shown = fonts.fit_text(text, faces, width, self.names)
        down = (faces[0].capital_rows - face.capital_rows + 1) // 2
        return self.text(x, y + down, shown, face, anchor, inverse=inverse)

    def large_text(self, x: int, y: int, text: str, face: Face, scale: int, *, inverse: bool = False) -> None:
        """Write a text in one line, `scale` (1 or 2) times as large as its face, its middle on column `x`."""
        mask = doubled_text_mask(face, text) if scale == 2 else fonts.text_mask(face, text)
        left = first_column(x, mask.width, "c")
        self.image.paste(DARK if inverse else LIT, (left, y - face.accent_rows * scale), mask)

    def icon(self, x: int, y: int, name: Icon, anchor: Anchor = "l", *, inverse: bool = False) -> int:
        """Draw an icon with its top row on `y`. Returns its width in pixels. Raises KeyError for an unknown name."""
        mask = icon_mask(name)
        self.image.paste(DARK if inverse else LIT, (first_column(x, mask.width, anchor), y), mask)
        return mask.width

    def large_icon(self, x: int, y: int, name: Icon, *, inverse: bool = False) -> None:
        """Draw an icon twice as large, with its upper left corner at (x, y)."""
        self.image.paste(DARK if inverse else LIT, (x, y), _doubled(icon_mask(name)))

    def fill(self, x0: int, y0: int, x1: int, y1: int, lit: bool = True) -> None:
        """Fill a box, with its edges from (x0, y0) to (x1, y1)."""
        self.image.paste(LIT if lit else DARK, (x0, y0, x1 + 1, y1 + 1))

    def clear(self, x0: int, y0: int, x1: int, y1: int) -> None:
        self.fill(x0, y0, x1, y1, lit=False)

    def erase_rows_from(self, y: int, highest: int) -> None:
        """Erase the rows from `y` down, and with them every whole character that reaches into them.

        A character is a group of lit pixels that touch, also by corners, with what is between two such groups, such as
        the dots of a colon. One that begins above row `highest` loses only its lower part. A line above it stays.
        """
        spans: list[list[int]] = []
        for x in range(WIDTH):
            sign = self._connected_pixels(x, y - 1, highest - 1, y) if self.image.getpixel((x, y)) else set()
            top = min((row for _, row in sign), default=y)
            if highest <= top < y:
                first, last = min(sign)[0], max(sign)[0]
                if spans and first - spans[-1][1] <= MAX_CHARACTER_GAP_COLUMNS:
                    spans[-1][1:] = max(spans[-1][1], last), min(spans[-1][2], top)
                else:
                    spans.append([first, last, top])
        for first, last, top in spans:
            groups = [self._connected_pixels(x, top - 2, highest - 1, top - 1) for x in range(first, last + 1)]
            accents = [group for group in groups if group and max(group)[0] - min(group)[0] <= last - first + 2]
            above = min((row for group in accents for _, row in group), default=top)
            self.clear(first, above if above >= highest else top, last, y - 1)
        self.clear(0, y, WIDTH - 1, HEIGHT - 1)

    def _connected_pixels(self, x: int, y: int, top: int, bottom: int) -> set[tuple[int, int]]:
        """The lit pixels in the rows from `top` to `bottom` that are connected to those around (x, y)."""
        pixels: set[tuple[int, int]] = set()
        todo = [(x + by, y) for by in (-1, 0, 1)]
        while todo:
            column, row = at = todo.pop()
            if at in pixels or not (0 <= column < WIDTH and top <= row <= bottom) or not self.image.getpixel(at):
                continue
            pixels.add(at)
            todo += [(column + right, row + down) for right in (-1, 0, 1) for down in (-1, 0, 1)]
        return pixels

    def fill_rounded_box(self, x0: int, y0: int, x1: int, y1: int, lit: bool = True) -> None:
        """Fill a box except for its four corner pixels."""
        self.fill(x0 + 1, y0, x1 - 1, y1, lit)
        self.fill(x0, y0 + 1, x1, y1 - 1, lit)

    def box(self, x0: int, y0: int, x1: int, y1: int, stroke: int = 1) -> None:
        """Draw a frame along a box's edges, `stroke` pixels thick and without the corners, and clear its inside."""
        self.fill_rounded_box(x0, y0, x1, y1)
        self.clear(x0 + stroke, y0 + stroke, x1 - stroke, y1 - stroke)

    def hline(self, y: int, x0: int = LEFT, x1: int = RIGHT) -> None:
        """Draw a horizontal line, by default from the left edge to the right."""
        self.fill(x0, y, x1, y)

    def vline(self, x: int, y0: int, y1: int) -> None:
        self.fill(x, y0, x, y1)

    def dotted_line(self, x0: int, y0: int, x1: int, y1: int) -> None:
        """Draw a horizontal or vertical line of which every other pixel is lit."""
        self.image.paste(LIT, (x0, y0), _dot_mask(max(0, x1 - x0 + 1), max(0, y1 - y0 + 1)))

    def checkerboard(self, x0: int, y0: int, x1: int, y1: int) -> None:
        """Fill a box with a checkerboard, for something that can't be used yet."""
        for y in range(y0, y1 + 1):
            self.dotted_line(x0 + (x0 + y) % 2, y, x1, y)

    def invert(self, x0: int, y0: int, x1: int, y1: int) -> None:
        """Swap lit and dark pixels in a box, such as a picked tile."""
        box = (x0, y0, x1 + 1, y1 + 1)
        self.image.paste(ImageChops.invert(self.image.crop(box)), box)

    def tag(
        self,
        x: int,
        y: int,
        text: str,
        anchor: Anchor = "l",
        pad: int = 2,
        *,
        lit: bool = True,
        face: Face = CONDENSED,
    ) -> int:
        """Write a label dark on a plate that is one row taller each way. Returns its width.

        With `lit` off there is no plate, and the letters stand in the same columns.
        """
        width = face.width(text) + 2 * pad
        x = first_column(x, width, anchor)
        if lit:
            self.fill_rounded_box(x, y - 1, x + width - 1, y + face.capital_rows)
        self.text(x + pad, y, text, face, inverse=lit)
        return width

    def progress_bar(self, x0: int, y0: int, x1: int, y1: int, fraction: float) -> None:
        """Draw a framed bar, of which a `fraction` from 0 to 1 is lit from the left."""
        self.box(x0, y0, x1, y1)
        if fraction > 0:
            lit = max(1, round((x1 - x0 - 3) * min(fraction, 1.0)))
            self.fill(x0 + 2, y0 + 2, x0 + 1 + lit, y1 - 2)


@lru_cache(maxsize=64)
def doubled_text_mask(face: Face, text: str) -> Image.Image:
    """A text as a mask twice as large as its face."""
    return _doubled(fonts.text_mask(face, text))


def _doubled(mask: Image.Image) -> Image.Image:
    """A mask twice as large, with its steps smoothed (the algorithm Scale2x)."""
    pixels = ImageOps.expand(mask, 1).load()
    assert pixels is not None, "a mask in memory has pixels"
    doubled = Image.new("1", (2 * mask.width, 2 * mask.height))
    for y in range(mask.height):
        for x in range(mask.width):
            up, left, lit = pixels[x + 1, y], pixels[x, y + 1], pixels[x + 1, y + 1]
            right, down = pixels[x + 2, y + 1], pixels[x + 1, y + 2]
            is_corner = up != down and left != right
            for column, row, beside, across in (
                (0, 0, left, up),
                (1, 0, right, up),
                (0, 1, left, down),
                (1, 1, right, down),
            ):
                doubled.putpixel((2 * x + column, 2 * y + row), beside if is_corner and beside == across else lit)
    return doubled


@lru_cache(maxsize=128)
def _dot_mask(width: int, height: int) -> Image.Image:
    """A mask of every other pixel in every other row."""
    mask = Image.new("1", (width, height))
    for y in range(0, height, 2):
        for x in range(0, width, 2):
            mask.putpixel((x, y), LIT)
    return mask


def base64_png(picture: Image.Image) -> str:
    """A picture as PNG in base64, as it is sent to pages and over the table's socket."""
    file = io.BytesIO()
    picture.save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode("ascii")

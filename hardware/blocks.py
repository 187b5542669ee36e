"""Draws a 128×64 picture with a terminal's characters. Pure: image in, lines out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from PIL import Image

WIDTH, HEIGHT = 128, 64


class Style(NamedTuple):
    """A way of drawing: a character shows `across` × `down` pixels.

    `glyphs` has a character for each combination of pixels, whose index has a bit for each: left to right, then top to
    bottom, the lowest bit first.
    """

    name: str
    across: int
    down: int
    glyphs: str

    @property
    def columns(self) -> int:
        """The picture's width in characters."""
        return WIDTH // self.across

    @property
    def rows(self) -> int:
        """The picture's height in characters."""
        return HEIGHT // self.down


def _braille() -> str:
    # The bits of a braille character: down the left column, down the right one, then the bottom row.
    bits = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
    return "".join(
        chr(0x2800 + sum(bit for place, bit in enumerate(bits) if value >> place & 1)) for value in range(256)
    )


HALF = Style("half blocks", 1, 2, " ▀▄█")
QUADRANT = Style("quadrants", 2, 2, " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█")
BRAILLE = Style("braille", 2, 4, _braille())
ASCII = Style("ASCII", 1, 2, " '.#")


def styles(encoding: str, linux_console: bool = False) -> tuple[Style, ...]:
    """The styles that a terminal with this encoding can show, the finest first."""
    if not _can(HALF.glyphs, encoding):
        return (ASCII,)
    # The Linux console's font has half blocks, but neither quadrants nor braille.
    if linux_console or not _can(QUADRANT.glyphs + BRAILLE.glyphs, encoding):
        return (HALF,)
    return (HALF, QUADRANT, BRAILLE)


def choose(columns: int, rows: int, encoding: str, linux_console: bool = False) -> Style | None:
    """The finest style that fits into `columns` × `rows` characters; None if none does."""
    possible = styles(encoding, linux_console)
    return next((style for style in possible if style.columns <= columns and style.rows <= rows), None)


def lines(image: Image.Image, style: Style) -> list[str]:
    """The picture in `style`: `style.rows` lines of `style.columns` characters."""
    pixels = image.convert("L").tobytes()
    return [
        "".join(style.glyphs[_cell(pixels, column, row, style)] for column in range(0, WIDTH, style.across))
        for row in range(0, HEIGHT, style.down)
    ]


def _cell(pixels: bytes, column: int, row: int, style: Style) -> int:
    value = 0
    place = 0
    for y in range(row * WIDTH, (row + style.down) * WIDTH, WIDTH):
        for x in range(column, column + style.across):
            if pixels[y + x]:
                value |= 1 << place
            place += 1
    return value


def _can(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True

"""Pictures as characters."""

import pytest
from PIL import Image

from hardware import blocks
from hardware.blocks import ASCII, BRAILLE, HALF, QUADRANT

# The dots of a braille pattern as (column, row), in the order of its bits in Unicode.
DOTS = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]
QUADRANTS = {
    "▘": [(0, 0)],
    "▝": [(1, 0)],
    "▖": [(0, 1)],
    "▗": [(1, 1)],
    "▀": [(0, 0), (1, 0)],
    "▙": [(0, 0), (0, 1), (1, 1)],
}


def read_braille(lines):
    """The picture that lines of braille show, by Unicode's own numbering of the dots."""
    image = Image.new("1", (128, 64))
    for row, line in enumerate(lines):
        for column, glyph in enumerate(line):
            for bit, (x, y) in enumerate(DOTS):
                image.putpixel((column * 2 + x, row * 4 + y), (ord(glyph) - 0x2800) >> bit & 1)
    return image


@pytest.mark.parametrize("style", [HALF, QUADRANT, BRAILLE, ASCII])
def test_every_style_has_its_size(style, a_picture):
    """A style's lines have its size, and only its glyphs, each of them different."""
    lines = blocks.lines(a_picture(1), style)
    assert len(lines) == style.rows
    assert {len(line) for line in lines} == {style.columns}
    assert len(set(style.glyphs)) == len(style.glyphs) == 2 ** (style.across * style.down)


def test_braille_shows_the_pixels(a_picture):
    """Each dot of a cell is the pixel of that place."""
    for seed in range(10):
        image = a_picture(seed)
        assert read_braille(blocks.lines(image, BRAILLE)).tobytes() == image.tobytes()


@pytest.mark.parametrize(("style", "glyphs"), [(HALF, "▀▄█ "), (ASCII, "'.# ")])
def test_halves_show_the_pixels(style, glyphs):
    """The upper and the lower half of a character are two pixels."""
    image = Image.new("1", (128, 64))
    for column, (upper, lower) in enumerate([(1, 0), (0, 1), (1, 1), (0, 0)]):
        image.putpixel((column, 2), upper)
        image.putpixel((column, 3), lower)
    assert blocks.lines(image, style)[1][:4] == glyphs


@pytest.mark.parametrize(("glyph", "pixels"), QUADRANTS.items())
def test_quadrants_show_the_pixels(glyph, pixels):
    """Each quarter of a character is a pixel."""
    image = Image.new("1", (128, 64))
    for x, y in pixels:
        image.putpixel((126 + x, 62 + y), 1)
    assert blocks.lines(image, QUADRANT)[31][63] == glyph


@pytest.mark.parametrize(
    ("size", "encoding", "console", "style"),
    [
        ((200, 50), "utf-8", False, HALF),
        ((128, 32), "utf-8", False, HALF),
        ((127, 32), "utf-8", False, QUADRANT),
        ((80, 24), "utf-8", False, BRAILLE),
        ((64, 16), "utf-8", False, BRAILLE),
        ((63, 50), "utf-8", False, None),
        ((200, 15), "utf-8", False, None),
        ((128, 32), "ascii", False, ASCII),
        ((127, 32), "ascii", False, None),
        ((128, 32), "cp437", False, HALF),
        ((80, 24), "utf-8", True, None),
        ((128, 48), "utf-8", True, HALF),
    ],
)
def test_the_best_that_fits(size, encoding, console, style):
    """The largest picture that the terminal has room and characters for is taken."""
    assert blocks.choose(*size, encoding, console) is style

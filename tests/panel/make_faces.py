"""Convert the misc-fixed fonts of Debian's xfonts-base into the glyph sheets in companion/panel/faces.

Run by hand (`python tests/panel/make_faces.py`); the sheets are committed, so nobody needs the fonts to run
the program. Only the fixed faces are made here: big, middle and the icons are drawn by hand.
"""

from __future__ import annotations

import gzip
import struct
import unicodedata
from pathlib import Path
from typing import NamedTuple

from PIL import Image

FONTS = Path("/usr/share/fonts/X11/misc")
FACES = Path(__file__).parents[2] / "companion" / "panel" / "faces"
PER_ROW = 32
METRICS, BITMAPS, ENCODINGS = 1 << 2, 1 << 3, 1 << 5

CHARACTERS = (
    [chr(c) for c in range(0x21, 0x7F)]
    + [chr(c) for c in range(0xA1, 0x180) if c != 0xAD]
    + list("ȘșȚțẞ‘’‚“”„–—−…•€←↑→↓≠≤≥✓✗◂▸▴▾↩")
)

# Drawn for this project: dots, star, the zero (a lozenge, among cards), the j (its dot met the line above), the sign of
# BACK of the text face, the m of the names (which looked like an n), and signs that the fonts lack, from the row seven
# above the base line.
TEXT_FACE = {
    "0": [".###.", "#...#", "#...#", "#...#", "#...#", "#...#", ".###."],
    ".": ["", "", "", "", "", "##", "##"],
    ",": ["", "", "", "", "", "##", "##", "#"],
    ":": ["", "##", "##", "", "", "##", "##"],
    ";": ["", "##", "##", "", "", "##", "##", "#"],
    "*": ["", "..#..", "#.#.#", ".###.", "#.#.#", "..#.."],
    "…": ["", "", "", "", "", "#.#.#", "#.#.#"],
    "j": ["...#", "", "..##", "...#", "...#", "...#", "#..#", ".##."],
    "↩": ["..#....", ".##....", "######.", ".##...#", "..#...#", "......#", "..####."],
}
EM = ["#######.", "##.##.##", "##.##.##", "##.##.##", "##.##.##", "##.##.##", "##.##.##"]
TICK = ["", ".......#", "......##", "#....##.", "##..##..", ".####...", "..##...."]
CROSS = ["", "##...##", ".##.##.", "..###..", ".##.##.", "##...##"]
ARROWS = {
    "◂": ["", "..#", ".##", "###", ".##", "..#"],
    "▸": ["", "#..", "##.", "###", "##.", "#.."],
    "▴": ["", "", "..#..", ".###.", "#####"],
    "▾": ["", "", "#####", ".###.", "..#.."],
}


class Glyph(NamedTuple):
    """A glyph's bitmap; `left` and `ascent` place its first column and row at the pen and over the baseline."""

    left: int
    ascent: int
    image: Image.Image


def pcf_tables(data: bytes) -> dict[int, tuple[int, bytes]]:
    """The tables of a PCF file: type → format, contents without the format word."""
    count = struct.unpack_from("<I", data, 4)[0]
    entries = [struct.unpack_from("<4I", data, 8 + 16 * i) for i in range(count)]
    return {kind: (form, data[offset + 4 : offset + size]) for kind, form, size, offset in entries}


def read_pcf(path: Path) -> dict[str, Glyph]:
    """Every glyph of a PCF font by its character."""
    found = pcf_tables(gzip.decompress(path.read_bytes()))
    form, body = found[METRICS]
    order = ">" if form & 4 else "<"
    if form & 0x100:
        count = struct.unpack_from(order + "H", body)[0]
        metrics = [tuple(b - 0x80 for b in body[2 + 5 * i : 7 + 5 * i]) for i in range(count)]
    else:
        count = struct.unpack_from(order + "I", body)[0]
        metrics = [struct.unpack_from(order + "5h", body, 4 + 12 * i) for i in range(count)]
    form, body = found[BITMAPS]
    order = ">" if form & 4 else "<"
    raw = "1" if form & 8 else "1;R"  # bit 3: the most significant bit is the leftmost pixel
    offsets = struct.unpack_from(f"{order}{count}I", body, 4)
    bits = body[4 + 4 * count + 16 :]
    glyphs = []
    for (left, right, _width, ascent, descent), offset in zip(metrics, offsets, strict=True):
        size = (right - left, ascent + descent)
        pad = 1 << (form & 3)
        stride = (size[0] + 8 * pad - 1) // (8 * pad) * pad
        data = bits[offset : offset + stride * size[1]]
        glyphs.append(Glyph(left, ascent, Image.frombytes("1", size, data, "raw", raw, stride)))
    form, body = found[ENCODINGS]
    order = ">" if form & 4 else "<"
    low, high, first, last, _default = struct.unpack_from(order + "5h", body)
    columns = high - low + 1
    indices = struct.unpack_from(f"{order}{columns * (last - first + 1)}H", body, 10)
    codes = ((first + i // columns) * 256 + low + i % columns for i in range(len(indices)))
    return {chr(code): glyphs[index] for code, index in zip(codes, indices, strict=True) if index != 0xFFFF}


def image_from_rows(rows: list[str]) -> Image.Image:
    """Rows of `#` and `.` as an image."""
    image = Image.new("1", (max(map(len, rows)), len(rows)))
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            image.putpixel((x, y), int(mark == "#"))
    return image


REDRAWN = {"6x10": TEXT_FACE, "7x13B": {"m": ["", *EM[:-1]]}, "8x13B": {"m": EM}}


def with_taller_capital(cell: Image.Image) -> Image.Image:
    """An accented capital with its accent a row higher and its body a row taller, if the row above it is free.

    Otherwise a large Ü could be taken for a small one.
    """
    rows = [cell.crop((0, y, cell.width, y + 1)) for y in range(cell.height)]
    lit = [row.getbbox() is not None for row in rows]
    begins = lit.index(True)
    gap = next((y for y in range(begins, cell.height) if not lit[y]), cell.height)  # Between the accent and the body.
    if begins == 0 or not any(lit[gap:]):
        return cell
    rows = [*rows[1 : gap + 2], rows[gap + 2], *rows[gap + 2 :]]
    made = Image.new("1", cell.size)
    for y, row in enumerate(rows):
        made.paste(row, (0, y))
    return made


def character_cells(font: dict[str, Glyph], size: tuple[int, int], ascent: int, name: str) -> dict[str, Image.Image]:
    """Each character in a cell of `size`; the text face gets its dots and its raised descenders."""
    signs = {"✓": TICK, "✗": CROSS} | ARROWS | REDRAWN.get(name, {})
    text_face = name == "6x10"
    made: dict[str, Image.Image] = {}
    for character in CHARACTERS:
        if character == "↩" and not text_face:  # Names of keys are only written in the text face.
            continue
        cell = Image.new("1", size)
        if character in signs:
            cell.paste(image_from_rows(signs[character]), (0, ascent - 7))
        elif character in font:
            glyph = font[character]
            cell.paste(glyph.image, (max(glyph.left, 0), ascent - glyph.ascent))
            box = cell.getbbox()
            if text_face and box and box[3] == size[1]:  # a line of text has to fit one page of eight rows
                cell = cell.crop((0, 1, size[0], size[1] + 1))
        if name == "8x13B" and character.isupper() and unicodedata.decomposition(character):
            cell = with_taller_capital(cell)
        if cell.getbbox():
            made[character] = cell
    return made


def write_sheet(name: str, made: dict[str, Image.Image], size: tuple[int, int]) -> None:
    """Write NAME.pbm, a fixed grid of cells, and NAME.txt, the characters of each row of it."""
    order = list(made)
    rows = [order[i : i + PER_ROW] for i in range(0, len(order), PER_ROW)]
    sheet = Image.new("1", (PER_ROW * size[0], len(rows) * size[1]))
    for y, row in enumerate(rows):
        for x, character in enumerate(row):
            sheet.paste(made[character], (x * size[0], y * size[1]))
    sheet.save(FACES / f"{name}.pbm")
    (FACES / f"{name}.txt").write_text("".join("".join(row) + "\n" for row in rows), encoding="utf-8")


def main() -> None:
    """Make all four sheets."""
    for name, size, ascent in (
        ("6x10", (9, 10), 8),
        ("7x13B", (9, 13), 11),
        ("8x13B", (9, 13), 11),
        ("10x20", (10, 20), 16),
    ):
        font = read_pcf(FONTS / f"{name}.pcf.gz")
        made = character_cells(font, size, ascent, name)
        missing = [c for c in CHARACTERS if c not in made]
        print(name, len(made), "glyphs; missing:", " ".join(missing))
        write_sheet(name, made, size)


if __name__ == "__main__":
    main()

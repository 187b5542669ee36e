"""The panel's seven fonts ("faces"), and how text is measured, cut and wrapped.

A face is NAME.pbm, a picture of cells of equal size, with NAME.txt, which lists the characters of each row of cells.
faces/README.txt names the fonts' sources and licences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

from PIL import Image

from companion.languages import translate
from companion.panel.name_cutting import ELLIPSIS, shorten_name, shorten_names_in

FACES_FOLDER = Path(__file__).with_name("faces")
DIGITS = frozenset("0123456789")
BLANKS = " \u00a0"
THOUSANDS_UNITS = ("", "k", "M", "G", "T", "P", "E")
"""The short forms of a thousand, a million and so on."""
MAX_CHARACTERS = 256
"""The most characters of a text that are measured and drawn, which are several times as many as fit on the panel.

A record's names may be of any length, and drawing one must not delay the table.
"""
on_text_cut: Callable[[str, str, str], None] | None = None
"""Called with every text that is cut: the whole, what is shown, and in words the room that it needs and has.

Tests set it; at the table it is None.
"""


class Face:
    """A proportional font: each glyph advances by the width of its ink and 1 pixel.

    Args:
        name: the name of its two files in faces/.
        cell: width and height of a cell of its picture, in pixels.
        accent_rows: rows of a cell above the capitals, for accents.
        capital_rows: rows of capitals and digits.
        space_columns: the advance of a blank, in pixels.
        digit_gap: the gap between two digits, in pixels; all other gaps are 1.
    """

    def __init__(
        self,
        name: str,
        cell: tuple[int, int],
        *,
        accent_rows: int,
        capital_rows: int,
        space_columns: int = 4,
        digit_gap: int = 1,
    ) -> None:
        self.name = name
        self.cell = cell
        self.accent_rows = accent_rows
        self.capital_rows = capital_rows
        self.space_columns = space_columns
        self.digit_gap = digit_gap
        self._glyphs: dict[str, Image.Image] = {}

    def __repr__(self) -> str:
        return f"<Face {self.name}>"

    @cached_property
    def _glyph_origins(self) -> dict[str, tuple[int, int]]:
        rows = (FACES_FOLDER / f"{self.name}.txt").read_text(encoding="utf-8").splitlines()
        width, height = self.cell
        return {mark: (x * width, y * height) for y, row in enumerate(rows) for x, mark in enumerate(row)}

    @cached_property
    def _sheet(self) -> Image.Image:
        # The file is parsed by hand, because importing Pillow's readers takes a tenth of the table's start.
        _, size, bits = (FACES_FOLDER / f"{self.name}.pbm").read_bytes().split(b"\n", 2)
        width, height = map(int, size.split())
        return Image.frombytes("1", (width, height), bits, "raw", "1;I")

    @cached_property
    def _unknown_glyph(self) -> Image.Image:
        """The glyph for characters that the face doesn't have: a hollow box, as tall as a capital."""
        width = max(5, self.capital_rows // 2)
        box = Image.new("1", (width, self.cell[1]))
        box.paste(255, (0, self.accent_rows, width, self.accent_rows + self.capital_rows))
        box.paste(0, (1, self.accent_rows + 1, width - 1, self.accent_rows + self.capital_rows - 1))
        return box

    def has_glyphs(self, text: str) -> bool:
        """Whether every character has a glyph or is a blank."""
        return all(mark in self._glyph_origins or mark in BLANKS for mark in text)

    def glyph(self, character: str) -> Image.Image:
        """A character's glyph, as wide as its ink and as high as a cell; a hollow box for an unknown character."""
        glyph = self._glyphs.get(character)
        if glyph is None:
            if character not in self._glyph_origins:
                return self._unknown_glyph
            x, y = self._glyph_origins[character]
            cell = self._sheet.crop((x, y, x + self.cell[0], y + self.cell[1]))
            ink = cell.getbbox() or (0, 0, 1, 1)
            glyph = self._glyphs[character] = cell.crop((ink[0], 0, ink[2], self.cell[1]))
        return glyph

    def glyph_positions(self, text: str, digit_gap: int | None = None) -> tuple[list[tuple[int, Image.Image]], int]:
        """The column and glyph of each character, and the total width. `digit_gap` replaces the gap between digits."""
        gap = self.digit_gap if digit_gap is None else digit_gap
        positions: list[tuple[int, Image.Image]] = []
        column = end = 0
        previous = ""
        for mark in text[:MAX_CHARACTERS]:
            if mark in BLANKS:
                column += self.space_columns
            else:
                if previous in DIGITS and mark in DIGITS:
                    column += gap - 1
                glyph = self.glyph(mark)
                positions.append((column, glyph))
                end = column + glyph.width
                column = end + 1
            previous = mark
        return positions, end

    def width(self, text: str, digit_gap: int | None = None) -> int:
        """The width in pixels, from the first to the last column of ink."""
        return _width(self, translate(text)[:MAX_CHARACTERS], digit_gap)


@lru_cache(maxsize=512)
def _width(face: Face, text: str, apart: int | None) -> int:
    return face.glyph_positions(text, apart)[1]


BIG = Face("big", (12, 20), accent_rows=0, capital_rows=20, space_columns=5, digit_gap=2)
MIDDLE = Face("middle", (12, 13), accent_rows=0, capital_rows=13, space_columns=4)
HEADING = Face("10x20", (10, 20), accent_rows=3, capital_rows=13, space_columns=6)
NAME = Face("8x13B", (9, 13), accent_rows=1, capital_rows=10, space_columns=5)
NARROW = Face("7x13B", (9, 13), accent_rows=2, capital_rows=9, space_columns=4)
CONDENSED = Face("condensed", (9, 13), accent_rows=2, capital_rows=9, space_columns=4)
TEXT = Face("6x10", (9, 10), accent_rows=1, capital_rows=7, space_columns=4)

WORD_FACES = (CONDENSED, TEXT)
"""The faces of words; the first one that fits is used."""
BOLD_FACES = (NAME, NARROW)
"""The faces of large words, which are never thin."""
NAME_FACES = (*BOLD_FACES, *WORD_FACES)
"""The faces for a name; the first one that fits is used."""
NUMBER_FACES = (MIDDLE, *WORD_FACES)
"""The faces for a number in a tab; the first one that fits is used."""
FIGURE_FACES = (BIG, MIDDLE, HEADING, NAME, NARROW, *WORD_FACES)
"""The faces for the figure of a refusal; the first one that fits and has all its characters is used."""


def report_cut(whole: str, shown: str, face: Face, width: int, lines: int | None = 1) -> None:
    """Report to `on_text_cut` that only `shown` of `whole` is on the panel.

    `width` are the pixels that the text has, and `lines` how many lines; None means that its words alone are too wide.
    """
    if on_text_cut is None:
        return
    if lines == 1:
        room = f"it is {face.width(whole)} columns wide, and has {width}"
    elif lines is None:
        room = f"a word is {max(map(face.width, _words(whole)))} columns wide, and has {width}"
    else:
        room = f"it takes {len(_wrapped_lines(whole, face, width))} lines of {width} columns, and has {lines}"
    on_text_cut(whole, shown, room)


@lru_cache(maxsize=512)
def text_mask(face: Face, text: str, digit_gap: int | None = None) -> Image.Image:
    """A text as a mask, as high as the face's cells. It is cached: paste it, don't draw on it."""
    glyph_positions, width = face.glyph_positions(text, digit_gap)
    mask = Image.new("1", (max(width, 1), face.cell[1]))
    for x, glyph in glyph_positions:
        mask.paste(glyph, (x, 0))
    return mask


def max_characters(width: int) -> int:
    """An upper limit for the characters that fit into `width` pixels: each takes at least one pixel and a gap."""
    return max(1, width // 2 + 1)


def fits_width(text: str, face: Face, width: int) -> bool:
    """Whether a text is at most `width` pixels wide."""
    text = translate(text)
    return len(text.rstrip(BLANKS)) <= max_characters(width) and face.width(text) <= width


def cut_text(text: str, face: Face, width: int, names: Sequence[str] = ()) -> str:
    """Cut a text to at most `width` pixels, ending in ``…``. The `names` in it are cut first."""
    text = translate(text)
    if fits_width(text, face, width):
        return text
    if text in names:
        shown = shorten_name(text, names, lambda tried: fits_width(tried, face, width))
    else:
        shown = shorten_names_in(text, names, lambda tried: fits_width(tried, face, width))
    if not fits_width(shown, face, width):
        shown = _longest_start(shown, face, width - face.width(ELLIPSIS) - 1)
        shown += ELLIPSIS * (bool(shown) or fits_width(ELLIPSIS, face, width))
        report_cut(text, shown, face, width)
    return shown


def fit_text(text: str, faces: Sequence[Face], width: int, names: Sequence[str] = ()) -> tuple[Face, str]:
    """The first face that fits the text into `width` pixels and has all its characters.

    If there is none, it is the last face, and the text is cut. A name is cut in the condensed face, which is bold and
    hardly wider than the last one.
    """
    text = translate(text)
    if face := fitting_face(text, faces, width):
        return face, text
    face = CONDENSED if text in names and CONDENSED in faces else faces[-1]
    return face, cut_text(text, face, width, names)


def fitting_face(text: str, faces: Sequence[Face], width: int) -> Face | None:
    """The first face that has all characters and fits the text into `width` pixels; None if there is none."""
    return _cached_fitting_face(translate(text), tuple(faces), width)


@lru_cache(maxsize=512)
def _cached_fitting_face(text: str, faces: Sequence[Face], width: int) -> Face | None:
    return next((face for face in faces if fits_width(text, face, width) and face.has_glyphs(text)), None)


def wrap_text(text: str, face: Face, width: int, lines: int | None = None, names: Sequence[str] = ()) -> list[str]:
    """A text in lines of at most `width` pixels, broken at blanks, and within words that are longer.

    With `lines` there are at most so many, and the last one ends in ``…`` if something is left out. Before a word is
    broken or left out, the `names` in the text are cut.
    """
    shown = shorten_names_in(translate(text), names, lambda tried: fits_lines(tried, face, width, lines))
    wrapped = _wrapped_lines(shown, face, width, lines)
    if lines is not None and len(wrapped) > lines:
        wrapped[lines - 1 :] = [_longest_start(wrapped[lines - 1], face, width - face.width(" …")) + "…"]
    if not fits_lines(shown, face, width, lines):
        report_cut(text, " / ".join(wrapped), face, width, lines)
    return wrapped


def fits_lines(text: str, face: Face, width: int, lines: int | None) -> bool:
    """Whether a text fits into so many lines without breaking a word."""
    whole = all(fits_width(word, face, width) for word in _words(text))
    return whole and (lines is None or len(_wrapped_lines(text, face, width, lines)) <= lines)


KEYS = re.compile(r"(?<!\w)(?:[0-9A-D*]{1,3} ){1,8}#|D◂ ▸B")
"""A sequence of keys: ``2 5 4 #``, or both arrows of a line."""


SENTENCES_OF_NUMBERS = re.compile(r"\d\. \d")
"""Two sentences that would look like one number in a line: ``9. 1 too many``."""


def _words(text: str) -> list[str]:
    """The parts of a text between which a line may end. A no-break space is inside a part."""
    if "#" in text or "◂" in text:
        text = KEYS.sub(lambda keys: keys[0].replace(" ", "\u00a0"), text)
    return re.findall(r"(?:\S|\u00a0)+", text)


def _wrapped_lines(text: str, face: Face, width: int, lines: int | None = None) -> list[str]:
    """A text in as many lines as it needs, but in at most one more than `lines`."""
    wrapped: list[str] = []
    rest = " ".join(_words(text))
    while rest and (lines is None or len(wrapped) <= lines):
        head = _longest_start(rest, face, width) or rest[0]
        tail = rest[len(head) :]
        if tail and not tail.startswith(" ") and " " in head:
            head = head[: head.rindex(" ")]
        wrapped.append(head)
        rest = rest[len(head) :].lstrip()
    return wrapped


def _longest_start(text: str, face: Face, width: int) -> str:
    """The longest beginning that fits into `width` pixels, without blanks at its end."""
    end = min(len(text), max_characters(width))
    while end and face.width(text[:end]) > width:
        end -= 1
    return text[:end].rstrip()


def wrap_balanced(text: str, face: Face, width: int, lines: int | None = None, names: Sequence[str] = ()) -> list[str]:
    """Like `wrap_text`, but with lines of similar width, so that no short word is alone on the last line."""
    wrapped = wrap_text(text, face, width, lines, names)
    shown = " ".join(wrapped)
    longest = max(map(face.width, _words(shown)), default=0)
    for narrower in range(width - 4, max(longest, width // 3), -4):
        tried = _wrapped_lines(shown, face, narrower)
        if len(tried) > len(wrapped):
            break
        if not any(map(SENTENCES_OF_NUMBERS.search, tried)):
            wrapped = tried
    return wrapped


def with_cut_name(template: str, name: str, face: Face, width: int, names: Sequence[str] = ()) -> str:
    """`template` with a name in place of ``{}``, which is cut so that the whole fits into `width` pixels."""
    return cut_text(translate(template).format(name), face, width, names if name in names else (*names, name))


def short_number(number: str) -> str:
    """A whole number in a few letters: ``2.1 G`` for 2117483631.

    A number of at most four digits stays as it is, and so does a time.
    """
    size = len(number.lstrip("-"))
    if size <= 4 or not number.lstrip("-").isdecimal():
        return number
    power = (size - 1) // 3
    if power >= len(THOUSANDS_UNITS):
        return f"10^{size - 1}"
    value = int(number) / 1000**power
    return f"{value:.{int(abs(value) < 9.95)}f} {THOUSANDS_UNITS[power]}"

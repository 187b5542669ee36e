"""The panel's six fonts ("faces"), and how text is measured, cut and wrapped.

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
from companion.panel.names import MARK, shortened, yielding

FACES = Path(__file__).with_name("faces")
DIGITS = frozenset("0123456789")
BLANKS = " \u00a0"
UNITS = ("", "k", "M", "G", "T", "P", "E")
"""The short forms of a thousand, a million and so on."""
MOST_MARKS = 256
"""The most characters of a text that are measured and drawn, which are several times as many as fit on the panel.

A record's names may be of any length, and drawing one must not delay the table.
"""
on_loss: Callable[[str, str, str], None] | None = None
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
        self, name: str, cell: tuple[int, int], *, rise: int, capitals: int, space: int = 4, apart: int = 1
    ) -> None:
        self.name = name
        self.cell = cell
        self.rise = rise
        self.capitals = capitals
        self.space = space
        self.apart = apart
        self._glyphs: dict[str, Image.Image] = {}

    def __repr__(self) -> str:
        return f"<Face {self.name}>"

    @cached_property
    def _cells(self) -> dict[str, tuple[int, int]]:
        rows = (FACES / f"{self.name}.txt").read_text(encoding="utf-8").splitlines()
        width, height = self.cell
        return {mark: (x * width, y * height) for y, row in enumerate(rows) for x, mark in enumerate(row)}

    @cached_property
    def _sheet(self) -> Image.Image:
        # The file is parsed by hand, because importing Pillow's readers takes a tenth of the table's start.
        _, size, bits = (FACES / f"{self.name}.pbm").read_bytes().split(b"\n", 2)
        width, height = map(int, size.split())
        return Image.frombytes("1", (width, height), bits, "raw", "1;I")

    @cached_property
    def _unknown(self) -> Image.Image:
        """The glyph for characters that the face doesn't have: a hollow box, as tall as a capital."""
        width = max(5, self.capitals // 2)
        box = Image.new("1", (width, self.cell[1]))
        box.paste(255, (0, self.rise, width, self.rise + self.capitals))
        box.paste(0, (1, self.rise + 1, width - 1, self.rise + self.capitals - 1))
        return box

    def has(self, s: str) -> bool:
        """Whether every character has a glyph or is a blank."""
        return all(mark in self._cells or mark in BLANKS for mark in s)

    def glyph(self, mark: str) -> Image.Image:
        """A character's glyph, as wide as its ink and as high as a cell; a hollow box for an unknown character."""
        found = self._glyphs.get(mark)
        if found is None:
            if mark not in self._cells:
                return self._unknown
            x, y = self._cells[mark]
            cell = self._sheet.crop((x, y, x + self.cell[0], y + self.cell[1]))
            ink = cell.getbbox() or (0, 0, 1, 1)
            found = self._glyphs[mark] = cell.crop((ink[0], 0, ink[2], self.cell[1]))
        return found

    def places(self, s: str, apart: int | None = None) -> tuple[list[tuple[int, Image.Image]], int]:
        """The column and glyph of each character, and the total width. `digit_gap` replaces the gap between digits."""
        gap = self.apart if apart is None else apart
        placed: list[tuple[int, Image.Image]] = []
        pen = end = 0
        before = ""
        for mark in s[:MOST_MARKS]:
            if mark in BLANKS:
                pen += self.space
            else:
                if before in DIGITS and mark in DIGITS:
                    pen += gap - 1
                glyph = self.glyph(mark)
                placed.append((pen, glyph))
                end = pen + glyph.width
                pen = end + 1
            before = mark
        return placed, end

    def width(self, s: str, apart: int | None = None) -> int:
        """The width in pixels, from the first to the last column of ink."""
        return _width(self, translate(s)[:MOST_MARKS], apart)


@lru_cache(maxsize=512)
def _width(face: Face, s: str, apart: int | None) -> int:
    return face.places(s, apart)[1]


BIG = Face("big", (12, 20), rise=0, capitals=20, space=5, apart=2)
MIDDLE = Face("middle", (12, 13), rise=0, capitals=13, space=4)
HEADING = Face("10x20", (10, 20), rise=3, capitals=13, space=6)
NAME = Face("8x13B", (9, 13), rise=1, capitals=10, space=5)
NARROW = Face("7x13B", (9, 13), rise=2, capitals=9, space=4)
TEXT = Face("6x10", (9, 10), rise=1, capitals=7, space=4)

BOLD = (NAME, NARROW)
"""The faces of titles, which are never thin."""
NAMES = (*BOLD, TEXT)
"""The faces for a name; the first one that fits is used."""
NUMBERS = (MIDDLE, TEXT)
"""The faces for a number in a tab; the first one that fits is used."""
FIGURES = (BIG, MIDDLE, HEADING, NAME, NARROW, TEXT)
"""The faces for the figure of a refusal; the first one that fits and has all its characters is used."""


def lost(whole: str, shown: str, face: Face, width: int, lines: int | None = 1) -> None:
    """Report to `on_text_cut` that only `shown` of `whole` is on the panel.

    `width` are the pixels that the text has, and `lines` how many lines; None means that its words alone are too wide.
    """
    if on_loss is None:
        return
    if lines == 1:
        room = f"it is {face.width(whole)} columns wide, and has {width}"
    elif lines is None:
        room = f"a word is {max(map(face.width, _words(whole)))} columns wide, and has {width}"
    else:
        room = f"it takes {len(_lines(whole, face, width))} lines of {width} columns, and has {lines}"
    on_loss(whole, shown, room)


@lru_cache(maxsize=512)
def line(face: Face, s: str, apart: int | None = None) -> Image.Image:
    """A text as a mask, as high as the face's cells. It is cached: paste it, don't draw on it."""
    placed, width = face.places(s, apart)
    mask = Image.new("1", (max(width, 1), face.cell[1]))
    for x, glyph in placed:
        mask.paste(glyph, (x, 0))
    return mask


def most_marks(width: int) -> int:
    """An upper limit for the characters that fit into `width` pixels: each takes at least one pixel and a gap."""
    return max(1, width // 2 + 1)


def fits(s: str, face: Face, width: int) -> bool:
    """Whether a text is at most `width` pixels wide."""
    s = translate(s)
    return len(s.rstrip(BLANKS)) <= most_marks(width) and face.width(s) <= width


def cut(s: str, face: Face, width: int, names: Sequence[str] = ()) -> str:
    """Cut a text to at most `width` pixels, ending in ``…``. The `names` in it are cut first."""
    s = translate(s)
    if fits(s, face, width):
        return s
    if s in names:
        shown = shortened(s, names, lambda tried: fits(tried, face, width))
    else:
        shown = yielding(s, names, lambda tried: fits(tried, face, width))
    if not fits(shown, face, width):
        shown = _start(shown, face, width - face.width(MARK) - 1)
        shown += MARK * (bool(shown) or fits(MARK, face, width))
        lost(s, shown, face, width)
    return shown


def fit(s: str, faces: Sequence[Face], width: int, names: Sequence[str] = ()) -> tuple[Face, str]:
    """The first face that fits the text into `width` pixels and has all its characters.

    If there is none, it is the last face, and the text is cut.
    """
    s = translate(s)
    if face := face_for(s, faces, width):
        return face, s
    return faces[-1], cut(s, faces[-1], width, names)


def face_for(s: str, faces: Sequence[Face], width: int) -> Face | None:
    """The first face that has all characters and fits the text into `width` pixels; None if there is none."""
    return _face_for(translate(s), tuple(faces), width)


@lru_cache(maxsize=512)
def _face_for(s: str, faces: Sequence[Face], width: int) -> Face | None:
    return next((face for face in faces if fits(s, face, width) and face.has(s)), None)


def wrap(s: str, face: Face, width: int, lines: int | None = None, names: Sequence[str] = ()) -> list[str]:
    """A text in lines of at most `width` pixels, broken at blanks, and within words that are longer.

    With `lines` there are at most so many, and the last one ends in ``…`` if something is left out. Before a word is
    broken or left out, the `names` in the text are cut.
    """
    shown = yielding(translate(s), names, lambda tried: wraps(tried, face, width, lines))
    made = _lines(shown, face, width, lines)
    if lines is not None and len(made) > lines:
        made[lines - 1 :] = [_start(made[lines - 1], face, width - face.width(" …")) + "…"]
    if not wraps(shown, face, width, lines):
        lost(s, " / ".join(made), face, width, lines)
    return made


def wraps(s: str, face: Face, width: int, lines: int | None) -> bool:
    """Whether a text fits into so many lines without breaking a word."""
    whole = all(fits(word, face, width) for word in _words(s))
    return whole and (lines is None or len(_lines(s, face, width, lines)) <= lines)


KEYS = re.compile(r"(?<!\w)(?:[0-9A-D*]{1,3} ){1,8}#")
"""A sequence of keys: ``2 5 4 #``."""


def _words(s: str) -> list[str]:
    """The parts of a text between which a line may end. A no-break space is inside a part."""
    if "#" in s:
        s = KEYS.sub(lambda keys: keys[0].replace(" ", "\u00a0"), s)
    return re.findall(r"(?:\S|\u00a0)+", s)


def _lines(s: str, face: Face, width: int, lines: int | None = None) -> list[str]:
    """A text in as many lines as it needs, but in at most one more than `lines`."""
    made: list[str] = []
    rest = " ".join(_words(s))
    while rest and (lines is None or len(made) <= lines):
        head = _start(rest, face, width) or rest[0]
        tail = rest[len(head) :]
        if tail and not tail.startswith(" ") and " " in head:
            head = head[: head.rindex(" ")]
        made.append(head)
        rest = rest[len(head) :].lstrip()
    return made


def _start(s: str, face: Face, width: int) -> str:
    """The longest beginning that fits into `width` pixels, without blanks at its end."""
    end = min(len(s), most_marks(width))
    while end and face.width(s[:end]) > width:
        end -= 1
    return s[:end].rstrip()


def balanced(s: str, face: Face, width: int, lines: int | None = None, names: Sequence[str] = ()) -> list[str]:
    """Like `wrap_text`, but with lines of similar width, so that no short word is alone on the last line."""
    made = wrap(s, face, width, lines, names)
    shown = " ".join(made)
    longest = max(map(face.width, _words(shown)), default=0)
    for narrower in range(width - 4, max(longest, width // 3), -4):
        tried = _lines(shown, face, narrower)
        if len(tried) > len(made):
            break
        made = tried
    return made


def named(form: str, name: str, face: Face, width: int, names: Sequence[str] = ()) -> str:
    """`template` with a name in place of ``{}``, which is cut so that the whole fits into `width` pixels."""
    return cut(translate(form).format(name), face, width, names if name in names else (*names, name))


def short_number(number: str) -> str:
    """A whole number in a few letters: ``2.1 G`` for 2117483631.

    A number of at most four digits stays as it is, and so does a time.
    """
    size = len(number.lstrip("-"))
    if size <= 4 or not number.lstrip("-").isdecimal():
        return number
    power = (size - 1) // 3
    if power >= len(UNITS):
        return f"10^{size - 1}"
    value = int(number) / 1000**power
    return f"{value:.{int(abs(value) < 9.95)}f} {UNITS[power]}"

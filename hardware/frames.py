"""Pictures in the format of a panel's memory, and the parts of it that have to be sent after a change.

A frame is 1,024 bytes: eight pages of 128 columns. A byte is eight pixels of a column, the lowest bit at the top.
"""

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from PIL import Image

WIDTH, HEIGHT, PAGES = 128, 64, 8
BLANK = bytes(WIDTH * PAGES)

# Bytes on an I2C wire besides the data: the command, and address and control byte of both messages.
WINDOW_OVERHEAD = 2 + 6 + 2
# Half of the command is enough for a window whose columns or pages the chip has, or whose pages follow by themselves.
NEXT_OVERHEAD = 2 + 3 + 2

FEW = 6
"""The most strips for which both ways of merging them are compared."""

# Columns that changed, including gaps between them that cost no more than another strip; of windows only shorter ones,
# since parts of a page that stay apart can still be merged with those of other pages.
RUN = re.compile(rb"[^\0]+(?:\0{1,%d}[^\0]+)*" % NEXT_OVERHEAD)
SHORT_RUN = re.compile(rb"[^\0]+(?:\0{1,4}[^\0]+)*")


class Window(NamedTuple):
    """Columns from `left` and pages from `top`, up to but without `right` and `bottom`."""

    left: int
    right: int
    top: int
    bottom: int

    @property
    def size(self) -> int:
        """Its number of bytes."""
        return (self.right - self.left) * (self.bottom - self.top)

    @property
    def cost(self) -> int:
        """The bytes needed to send it."""
        return WINDOW_OVERHEAD + self.size

    def of(self, frame: bytes) -> bytes:
        """The window's part of a frame, page by page."""
        pages = range(self.top * WIDTH, self.bottom * WIDTH, WIDTH)
        return b"".join(frame[page + self.left : page + self.right] for page in pages)


WHOLE = Window(0, WIDTH, 0, PAGES)
PAGE_STRIPS = [Window(0, WIDTH, page, page + 1) for page in range(PAGES)]


def pack(image: Image.Image, shift: int = 0, upside_down: bool = False) -> bytes:
    """Convert a one-bit 128×64 image to a frame, moved right by `shift` (-1, 0, 1) pixels.

    Columns 0 and 127 of the image should be dark, so that a shift loses nothing. Raises ValueError for any other size
    or mode.
    """
    if image.mode != "1" or image.size != (WIDTH, HEIGHT):
        raise ValueError(f"a picture is one-bit 128×64, not {image.mode} {image.width}×{image.height}")
    if upside_down:
        image = image.transpose(Image.Transpose.ROTATE_180)
        shift = -shift
    # After transposing, a row of the image is a column of the panel, which Pillow packs with the lowest bit first.
    columns = image.transpose(Image.Transpose.TRANSPOSE).tobytes("raw", "1;R")
    pages = [columns[page::PAGES] for page in range(PAGES)]
    if shift > 0:
        pages = [bytes(shift) + page[:-shift] for page in pages]
    elif shift < 0:
        pages = [page[-shift:] + bytes(-shift) for page in pages]
    return b"".join(pages)


def unpack(frame: bytes) -> Image.Image:
    """Convert a frame back to an image: the inverse of `pack` without shift."""
    columns = bytearray(len(frame))
    for page in range(PAGES):
        columns[page::PAGES] = frame[page * WIDTH : (page + 1) * WIDTH]
    return Image.frombytes("1", (HEIGHT, WIDTH), bytes(columns), "raw", "1;R").transpose(Image.Transpose.TRANSPOSE)


class Cursor(NamedTuple):
    """Where a chip with windows writes, by its data sheet: from `page` on, in the bounds that it was sent last.

    The columns are those from `left` up to but without `right`; after the last of the pages `top` to `bottom` (without
    it) follows the first again. A window sent whole leaves the chip at the first of its columns.
    """

    left: int
    right: int
    top: int
    bottom: int
    page: int


UNKNOWN = Cursor(-1, -1, -1, -1, -1)
"""The cursor of a chip whose bounds are not known: no window has these."""


class Bounds(NamedTuple):
    """A window, and the bounds of columns and pages to send before its data; None for those that the chip has."""

    window: Window
    columns: tuple[int, int] | None
    pages: tuple[int, int] | None
    cursor: Cursor
    """Where the chip writes after the window."""


def bounds(found: Iterable[Window], cursor: Cursor) -> Iterator[Bounds]:
    """Some windows in an order in which few bounds have to be sent to a chip that writes at `cursor`.

    The next window is always the one that needs the fewest, of those the uppermost. Where another window begins below
    it, the pages go on to the last one, so that the chip comes to that window by itself.
    """
    rest = sorted(found, key=lambda window: (window[2:], window))
    while rest:
        window = rest.pop(_nearest(rest, cursor))
        left, right, top, bottom = window
        columns = None if (left, right) == cursor[:2] else (left, right)
        pages = None
        first, end = cursor.top, cursor.bottom
        if cursor.page != top or bottom > end:
            below = any(other.top == bottom for other in rest)
            beside = any(other.top == top and other.bottom == bottom for other in rest)
            first, end = pages = top, PAGES if below and not beside else bottom
        cursor = Cursor(left, right, first, end, first if bottom == end else bottom)
        yield Bounds(window, columns, pages, cursor)


def _nearest(rest: Sequence[Window], cursor: Cursor) -> int:
    """The index of the first of the windows that need the fewest bounds."""
    begin, end, _, last, page = cursor
    found, fewest = 0, 2
    for index, (left, right, top, bottom) in enumerate(rest):
        needed = (left != begin or right != end) + (top != page or bottom > last)
        if needed < fewest:
            found, fewest = index, needed
    return found


def windows(old: bytes, new: bytes) -> list[Window]:
    """The windows to send so that `old` becomes `new`: cheap, not always the cheapest, never dearer than `WHOLE`."""
    rows = strips(old, new, SHORT_RUN)
    found = _merged(rows)
    if len(found) > 2 and len(rows) <= FEW:
        found = min(found, _merged(_columns(rows)), key=_cost)
    return [WHOLE] if _cost(found) >= WHOLE.cost else found


def strips(old: bytes, new: bytes, run: re.Pattern[bytes] = RUN) -> list[Window]:
    """Like `windows`, for chips that take a page at a time: each strip is one page high and costs seven bytes more.

    A strip is a `run` of changed columns.
    """
    changed = (int.from_bytes(old, "big") ^ int.from_bytes(new, "big")).to_bytes(len(BLANK), "big")
    return [
        Window(each.start() - page * WIDTH, each.end() - page * WIDTH, page, page + 1)
        for page in range(PAGES)
        for each in run.finditer(changed, page * WIDTH, (page + 1) * WIDTH)
    ]


def _columns(rows: Collection[Window]) -> list[Window]:
    """Cut strips where a strip on a neighbouring page begins or ends, so that upright shapes can be merged."""
    cut = []
    for left, right, top, bottom in rows:
        ends = {end for row in rows if abs(row.top - top) < 2 for end in row[:2] if left < end < right}
        edges = [left, *sorted(ends), right]
        cut += [Window(start, end, top, bottom) for start, end in itertools.pairwise(edges)]
    return sorted(cut)


def _merged(parts: Iterable[Window]) -> list[Window]:
    """Merge windows with each other wherever that costs no more bytes."""
    found: list[Window] = []
    for part in parts:
        _add(found, part)
    return found


def _cost(found: Iterable[Window]) -> int:
    """An upper limit for the bytes of windows sent one after the other."""
    return sum(window.cost for window in found)


def _add(found: list[Window], new: Window) -> None:
    """Add a window, merged with others if that costs no more bytes."""
    left, right, top, bottom = new
    at = 0
    while at < len(found):
        a, b, c, d = found[at]
        # Instead of min() and max(), whose calls would take most of a picture's time.
        x0, x1 = a if a < left else left, b if b > right else right
        y0, y1 = c if c < top else top, d if d > bottom else bottom
        apart = (b - a) * (d - c) + (right - left) * (bottom - top) + NEXT_OVERHEAD
        if (x1 - x0) * (y1 - y0) <= apart:
            del found[at]
            left, right, top, bottom, at = x0, x1, y0, y1, 0
        else:
            at += 1
    found.append(Window(left, right, top, bottom))

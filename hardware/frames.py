"""Pictures in the format of a panel's memory, and the parts of them that have to be sent after a change.

A frame is 1,024 bytes: eight pages of 128 columns. Each byte is eight pixels of a column, the lowest bit at the top.

                 column 0   1   2  …  127
    page 0        byte 0    1   2  …  127     rows 0 to 7
    page 1      byte 128  129 130  …  255     rows 8 to 15
    …
    page 7      byte 896    …        1023     rows 56 to 63
"""

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from PIL import Image

WIDTH, HEIGHT, PAGES = 128, 64, 8
BLANK_FRAME = bytes(WIDTH * PAGES)

# The bytes on an I2C wire beside the data: the command, and address and control byte of both messages.
WINDOW_OVERHEAD_BYTES = 2 + 6 + 2
# Half of the command is enough if the chip has the window's columns or pages already.
NEXT_OVERHEAD_BYTES = 2 + 3 + 2

FEW_STRIPS = 6
"""The most strips for which both ways of merging them are compared."""

# Columns that changed, including gaps between them that cost no more than another strip; of windows only shorter ones,
# since parts of a page that stay apart can still be merged with those of other pages.
RUN_PATTERN = re.compile(rb"[^\0]+(?:\0{1,%d}[^\0]+)*" % NEXT_OVERHEAD_BYTES)
SHORT_RUN_PATTERN = re.compile(rb"[^\0]+(?:\0{1,4}[^\0]+)*")


class Window(NamedTuple):
    """A rectangle of the panel's memory: columns from `left` to before `right`, pages from `top` to before `bottom`."""

    left: int
    right: int
    top: int
    bottom: int

    @property
    def size(self) -> int:
        return (self.right - self.left) * (self.bottom - self.top)

    @property
    def cost(self) -> int:
        """The bytes on the wire that sending it takes."""
        return WINDOW_OVERHEAD_BYTES + self.size

    def crop(self, frame: bytes) -> bytes:
        """The window's part of a frame, page by page."""
        pages = range(self.top * WIDTH, self.bottom * WIDTH, WIDTH)
        return b"".join(frame[page + self.left : page + self.right] for page in pages)


WHOLE_WINDOW = Window(0, WIDTH, 0, PAGES)
PAGE_STRIPS = [Window(0, WIDTH, page, page + 1) for page in range(PAGES)]


def pack_frame(image: Image.Image, shift: int = 0, upside_down: bool = False) -> bytes:
    """Convert a one-bit 128×64 image to a frame, moved right by `shift` pixels (-1, 0 or 1).

    Columns 0 and 127 of the image should be dark, so that a shift loses nothing. Raises ValueError for another size or
    mode.
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


def unpack_frame(frame: bytes) -> Image.Image:
    """Convert a frame back to an image: the inverse of `pack_frame` without a shift."""
    columns = bytearray(len(frame))
    for page in range(PAGES):
        columns[page::PAGES] = frame[page * WIDTH : (page + 1) * WIDTH]
    return Image.frombytes("1", (HEIGHT, WIDTH), bytes(columns), "raw", "1;R").transpose(Image.Transpose.TRANSPOSE)


class Cursor(NamedTuple):
    """Where a chip writes its next byte, by its data sheet: in the first column of page `page` of the newest window.

    The window is the one that was sent last: columns `left` to `right` - 1, pages `top` to `bottom` - 1. After the last
    page the chip continues with the first one.
    """

    left: int
    right: int
    top: int
    bottom: int
    page: int


UNKNOWN_CURSOR = Cursor(-1, -1, -1, -1, -1)
"""The cursor of a chip whose bounds are unknown. No window has these bounds."""


class OrderedWindow(NamedTuple):
    """A window, and the bounds of columns and pages to send before its data; None for those that the chip has."""

    window: Window
    columns: tuple[int, int] | None
    pages: tuple[int, int] | None
    cursor: Cursor
    """Where the chip writes after the window."""


def order_windows(windows: Iterable[Window], cursor: Cursor) -> Iterator[OrderedWindow]:
    """Put windows into an order in which few bounds have to be sent to a chip that writes at `cursor`.

    The next window is always the one that needs the fewest bounds, of those the uppermost. If another window begins
    right below it, its pages are extended to the panel's last one, so that the chip reaches that window by itself.
    """
    rest = sorted(windows, key=lambda window: (window[2:], window))
    while rest:
        window = rest.pop(_nearest(rest, cursor))
        left, right, top, bottom = window
        columns = None if (left, right) == cursor[:2] else (left, right)
        pages = None
        first, end = cursor.top, cursor.bottom
        if cursor.page != top or bottom > end:
            is_below = any(other.top == bottom for other in rest)
            is_beside = any(other.top == top and other.bottom == bottom for other in rest)
            first, end = pages = top, PAGES if is_below and not is_beside else bottom
        cursor = Cursor(left, right, first, end, first if bottom == end else bottom)
        yield OrderedWindow(window, columns, pages, cursor)


def _nearest(rest: Sequence[Window], cursor: Cursor) -> int:
    """The index of the first of the windows that need the fewest bounds."""
    begin, end, _, last, page = cursor
    nearest, fewest = 0, 2
    for index, (left, right, top, bottom) in enumerate(rest):
        needed = (left != begin or right != end) + (top != page or bottom > last)
        if needed < fewest:
            nearest, fewest = index, needed
    return nearest


def changed_windows(old: bytes, new: bytes) -> list[Window]:
    """The windows to send so that a panel that shows `old` shows `new`.

    They cost few bytes, though not always the fewest, and never more than `WHOLE_WINDOW`.
    """
    rows = changed_strips(old, new, SHORT_RUN_PATTERN)
    merged = _merge_windows(rows)
    if len(merged) > 2 and len(rows) <= FEW_STRIPS:
        merged = min(merged, _merge_windows(_cut_at_edges(rows)), key=_bytes_to_send)
    return [WHOLE_WINDOW] if _bytes_to_send(merged) >= WHOLE_WINDOW.cost else merged


def changed_strips(old: bytes, new: bytes, run_pattern: re.Pattern[bytes] = RUN_PATTERN) -> list[Window]:
    """The strips to send to a chip that takes one page at a time; each costs seven bytes more than its data.

    A strip is one page high; its columns are a match of `run_pattern` in the changed bytes.
    """
    changed = (int.from_bytes(old, "big") ^ int.from_bytes(new, "big")).to_bytes(len(BLANK_FRAME), "big")
    return [
        Window(each.start() - page * WIDTH, each.end() - page * WIDTH, page, page + 1)
        for page in range(PAGES)
        for each in run_pattern.finditer(changed, page * WIDTH, (page + 1) * WIDTH)
    ]


def _cut_at_edges(rows: Collection[Window]) -> list[Window]:
    """Cut strips where a strip on a neighbouring page begins or ends, so that upright shapes can be merged."""
    cut_strips = []
    for left, right, top, bottom in rows:
        ends = {end for row in rows if abs(row.top - top) < 2 for end in row[:2] if left < end < right}
        edges = [left, *sorted(ends), right]
        cut_strips += [Window(start, end, top, bottom) for start, end in itertools.pairwise(edges)]
    return sorted(cut_strips)


def _merge_windows(parts: Iterable[Window]) -> list[Window]:
    """Merge windows with each other wherever that costs no more bytes."""
    merged: list[Window] = []
    for part in parts:
        _add_window(merged, part)
    return merged


def _bytes_to_send(windows: Iterable[Window]) -> int:
    """An upper limit for the bytes that sending windows one after the other takes."""
    return sum(window.cost for window in windows)


def _add_window(merged: list[Window], new: Window) -> None:
    """Add a window, merged with others if that costs no more bytes."""
    left, right, top, bottom = new
    at = 0
    while at < len(merged):
        a, b, c, d = merged[at]
        # Instead of min() and max(), whose calls would take most of a picture's time.
        x0, x1 = a if a < left else left, b if b > right else right
        y0, y1 = c if c < top else top, d if d > bottom else bottom
        apart = (b - a) * (d - c) + (right - left) * (bottom - top) + NEXT_OVERHEAD_BYTES
        if (x1 - x0) * (y1 - y0) <= apart:
            del merged[at]
            left, right, top, bottom, at = x0, x1, y0, y1, 0
        else:
            at += 1
    merged.append(Window(left, right, top, bottom))

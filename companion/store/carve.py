"""Finds lines in the bytes of a damaged database by the form of their records, on any page of the file or its WAL.

SQLite gives up a whole page when one bit of its header is wrong. Lines never change and each has a checksum, so a copy
found anywhere is good if its checksum is right. The formats: sqlite.org/fileformat2.html.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING, NamedTuple

from companion.store.lines import KINDS, Line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

COLUMNS = 9
START = re.compile(rb"(?=[\x0a-\x12]\x00[\x00-\x09][\x15\x17\x19][\x00-\x09])")
"""How a record of `entries` begins: the header's length, then the serial types of the columns: id (always NULL), round,
kind (text of four to six letters), seat."""
INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Serial type → bytes, for integers."""
REAL = 7


class Image(NamedTuple):
    """A file of pages: its bytes, the page size, and the offset at which the page of a number begins."""

    data: bytes
    page: int
    place: dict[int, int]


def database(data: bytes, page: int) -> Image:
    """The image of a database file, whose pages count from 1."""
    return Image(data, page, {number: (number - 1) * page for number in range(1, -(-len(data) // page) + 1)})


def log(data: bytes, page: int) -> Image:
    """The image of a WAL. Each frame has a header of 24 bytes with its page number; the last frame of a page counts."""
    frame = 24 + page
    starts = range(32, len(data) - 23, frame)
    return Image(data, page, {int.from_bytes(data[offset : offset + 4], "big"): offset + 24 for offset in starts})


def candidates(image: Image) -> Iterator[Line]:
    """Every record on the pages that has the form of a line; the caller checks the checksums."""
    for found in START.finditer(image.data):
        line = _line(image, found.start())
        if line is not None:
            yield line


def _line(image: Image, offset: int) -> Line | None:
    try:
        number = _number_before(image.data, offset)
        size, types = _head(image.data, offset)
        body = _body(image, offset, sum(map(_size, types)) + size)[size:]
        _, round_, kind, seat, text, moment, seconds, clock, checksum = _values(types, body)
    except (IndexError, ValueError, KeyError, struct.error):
        return None
    whole = all(isinstance(each, int) for each in (round_, seat, checksum))
    worded = all(isinstance(each, str) for each in (text, moment, clock))
    if not whole or not worded or kind not in KINDS or not isinstance(seconds, (int, float)):
        return None
    return Line(number, round_, kind, seat, text, moment, float(seconds), clock, checksum)  # type: ignore[arg-type]


def _number_before(data: bytes, offset: int) -> int:
    """The rowid before a record: a varint of bytes with the high bit set, and one without."""
    number, shift = data[offset - 1], 0
    if number & 0x80:
        raise ValueError("no row number")
    for back in range(offset - 2, max(offset - 9, 0), -1):
        if not data[back] & 0x80:
            return number
        shift += 7
        number |= (data[back] & 0x7F) << shift
    return number


def _head(data: bytes, offset: int) -> tuple[int, list[int]]:
    """The length of a record's header, and the serial types of its columns."""
    size = data[offset]
    types: list[int] = []
    next_, end = offset + 1, offset + size
    while next_ < end:
        value = 0
        while data[next_] & 0x80:
            value = value << 7 | data[next_] & 0x7F
            next_ += 1
        types.append(value << 7 | data[next_])
        next_ += 1
    if len(types) != COLUMNS or next_ != end:
        raise ValueError("no line")
    return size, types


def _size(kind: int) -> int:
    if kind in (0, 8, 9):
        return 0
    if kind == REAL:
        return 8
    return INTEGERS[kind] if kind < 12 else (kind - 12) // 2


def _body(image: Image, offset: int, size: int) -> bytes:
    """A record of `size` bytes; a long one continues on overflow pages, chained by their numbers."""
    most = image.page - 35
    if size <= most:
        return image.data[offset : offset + size]
    if size > len(image.data):
        raise ValueError("too long")
    least = (image.page - 12) * 32 // 255 - 23
    here = least + (size - least) % (image.page - 4)
    here = here if here <= most else least
    parts = [image.data[offset : offset + here]]
    follows = int.from_bytes(image.data[offset + here : offset + here + 4], "big")
    left = size - here
    while left > 0:
        start = image.place[follows]
        follows = int.from_bytes(image.data[start : start + 4], "big")
        parts.append(image.data[start + 4 : start + 4 + min(left, image.page - 4)])
        left -= image.page - 4
    return b"".join(parts)


def _values(types: Iterable[int], body: bytes) -> Iterator[object]:
    offset = 0
    for kind in types:
        size = _size(kind)
        part = body[offset : offset + size]
        if len(part) < size:
            raise ValueError("cut short")
        offset += size
        if kind == 0:
            yield None
        elif kind in (8, 9):
            yield kind - 8
        elif kind == REAL:
            yield struct.unpack(">d", part)[0]
        elif kind < 12:
            yield int.from_bytes(part, "big", signed=True)
        elif kind % 2:
            yield part.decode("utf-8")
        else:
            raise ValueError("no text")

"""Finds lines in the bytes of a damaged database by the form of their records, on any page of the file or its WAL.

SQLite gives up a whole page when one bit of its header is wrong. Lines never change and each has a checksum, so a copy
found anywhere is good if its checksum is right. The formats: sqlite.org/fileformat2.html.
"""

from __future__ import annotations

import contextlib
import os
import re
import struct
from typing import TYPE_CHECKING, NamedTuple

from companion.store.lines import KINDS, Line
from companion.store.lock import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

COLUMNS = 9
START = re.compile(rb"(?=[\x0a-\x12]\x00[\x00-\x09][\x15\x17\x19][\x00-\x09])")
"""How a record of `entries` begins: the header's length, then the serial types of the columns: id (always NULL), round,
kind (text of four to six letters), seat."""
INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Serial type → bytes, for integers."""
REAL = 7
LONGEST = 2**20
"""In bytes: no line is nearly as long; a damaged length may be of any size."""
BLOCK = 2**20
"""How many bytes are searched at once."""
BEFORE = 16
"""How many bytes before a record are looked at: its row number has nine at most."""


class PageFile(NamedTuple):
    """An open file of pages: it is read piece by piece, for it may be larger than the memory.

    `place` gives the offset of the page of a number; KeyError if there is none.
    """

    fd: int
    size: int
    page: int
    place: Callable[[int], int]

    def read(self, offset: int, count: int) -> bytes:
        """The bytes from an offset, none outside of the file. Raises OSError."""
        return os.pread(self.fd, count, offset) if 0 <= offset < self.size else b""


def database(fd: int | None, page: int) -> PageFile:
    """The image of a database file, whose pages count from 1; of nothing for None."""
    return PageFile(fd or 0, _size_of(fd), page, lambda number: (number - 1) * page)


def log(fd: int | None, page: int) -> PageFile:
    """The image of a WAL. Each frame has a header of 24 bytes with its page number; the last frame of a page counts."""
    size = _size_of(fd)
    starts = range(32, size - 23, 24 + page)
    places = {int.from_bytes(os.pread(fd or 0, 4, offset), "big"): offset + 24 for offset in starts}
    return PageFile(fd or 0, size, page, places.__getitem__)


@contextlib.contextmanager
def images(path: Path, page: int) -> Iterator[tuple[PageFile, PageFile]]:
    """The images of a database and its WAL, either of which may be missing. Raises StoreError, OSError.

    Nobody in this process may have the database open: closing a descriptor of it would drop all locks on it.
    """
    with contextlib.ExitStack() as undo:
        fds: list[int | None] = []
        for file in (path, path.with_name(path.name + "-wal")):
            try:
                fds.append(fd := plain(file))
                undo.callback(os.close, fd)
            except FileNotFoundError:
                fds.append(None)
        yield database(fds[0], page), log(fds[1], page)


def _size_of(fd: int | None) -> int:
    return 0 if fd is None else os.fstat(fd).st_size


def candidates(image: PageFile) -> Iterator[tuple[int, int]]:
    """The offset of every record that begins like a line, and the round that it says."""
    for start in range(0, image.size, BLOCK):
        data = image.read(start, BLOCK + image.page)
        for found in START.finditer(data):
            if found.start() >= BLOCK:
                break  # The next block begins with it.
            with contextlib.suppress(IndexError, ValueError, KeyError):
                yield start + found.start(), _round(data, found.start())


def _round(data: bytes, offset: int) -> int:
    """The round of the line that seems to begin here. Raises IndexError, ValueError or KeyError if it is none."""
    size, types = _head(data, offset)
    kind = offset + size + _size(types[1])
    if types[1] in (0, REAL) or data[kind : kind + _size(types[2])].decode("ascii") not in KINDS:
        raise ValueError("no line")
    return types[1] - 8 if types[1] in (8, 9) else int.from_bytes(data[offset + size : kind], "big", signed=True)


def line_at(image: PageFile, offset: int) -> Line | None:
    """The line whose record begins at an offset, None if it is none; the caller checks the checksum."""
    before = min(offset, BEFORE)
    return _line(image, image.read(offset - before, before + image.page), before)


def _line(image: PageFile, data: bytes, offset: int) -> Line | None:
    """The line whose record begins at an offset of the page's bytes `data`."""
    try:
        number = _number_before(data, offset)
        size, types = _head(data, offset)
        body = _body(image, data[offset : offset + image.page], sum(map(_size, types)) + size)[size:]
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


def _body(image: PageFile, data: bytes, size: int) -> bytes:
    """A record of `size` bytes that begins with `data`; a long one continues on overflow pages, chained by numbers."""
    most = image.page - 35
    if size <= most:
        return data[:size]
    if size > LONGEST:
        raise ValueError("too long")
    least = (image.page - 12) * 32 // 255 - 23
    here = least + (size - least) % (image.page - 4)
    here = here if here <= most else least
    parts = [data[:here]]
    follows = int.from_bytes(data[here : here + 4], "big")
    left = size - here
    while left > 0:
        overflow = image.read(image.place(follows), 4 + min(left, image.page - 4))
        if len(overflow) <= 4:
            raise ValueError("cut short")
        follows = int.from_bytes(overflow[:4], "big")
        parts.append(overflow[4:])
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

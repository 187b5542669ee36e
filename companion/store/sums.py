"""A file beside the database with a checksum of each of its pages and the end of its WAL.

It only makes the check at the start quick: if it does not fit or is missing, every line is checked instead. The WAL's
end is written after each commit without a sync, so after a power cut it may be too early, never too late.
"""

from __future__ import annotations

import os
import struct
import zlib
from array import array
from typing import TYPE_CHECKING, NamedTuple

from companion.store.lock import open_regular, plain
from companion.store.log import End

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

ENDING = "-sums"
HEAD = struct.Struct("<8sIIQ8sI8sI")
MAGIC = b"tc-sums1"
BLOCK = 256
"""How many pages are read at once."""


class Note(NamedTuple):
    """The header of the file: the page size, the number of pages, the number of the last line, and the end of the WAL
    that is not in the pages yet."""

    page: int
    pages: int
    top: int
    end: End


class Sums:
    """The checksums of a database that is open for writing.

    Raises:
        OSError: the file beside it cannot be used.
    """

    def __init__(self, path: Path, database: int, page: int) -> None:
        self.fd = open_regular(path.with_name(path.name + ENDING))
        self._database = database
        self.page = page
        self._pages = os.fstat(database).st_size // page

    def note(self, end: End, top: int) -> None:
        """Write the WAL's end and the number of the last line, without a sync."""
        os.pwrite(self.fd, _head(Note(self.page, self._pages, top, end)), 0)

    def renew(self, pages: Iterable[int], end: End, top: int) -> None:
        """Compute the checksums of pages that a checkpoint has written; synced when this returns."""
        self._pages = os.fstat(self._database).st_size // self.page
        for number in pages:
            if 0 < number <= self._pages:
                sum_ = zlib.crc32(os.pread(self._database, self.page, (number - 1) * self.page))
                os.pwrite(self.fd, struct.pack("<I", sum_), HEAD.size + 4 * (number - 1))
        self.note(end, top)
        os.fdatasync(self.fd)

    def renew_all(self, end: End, top: int) -> None:
        """Compute the checksums of all pages."""
        found = of_pages(self._database, self.page)
        self._pages = len(found)
        os.pwrite(self.fd, found.tobytes(), HEAD.size)
        self.note(end, top)
        os.fdatasync(self.fd)


def of_pages(fd: int, page: int) -> array[int]:
    """The checksums of all pages of a file."""
    found: array[int] = array("I")
    offset = 0
    while block := os.pread(fd, BLOCK * page, offset):
        view = memoryview(block)
        found.extend(zlib.crc32(view[start : start + page]) for start in range(0, len(block), page))
        offset += len(block)
    return found


def noted(path: Path) -> Note | None:
    """The header of the file beside a database; None if missing or damaged. Raises StoreError, OSError."""
    try:
        with os.fdopen(plain(path.with_name(path.name + ENDING)), "rb") as file:
            head = file.read(HEAD.size)
    except FileNotFoundError:
        return None
    if len(head) < HEAD.size:
        return None
    magic, page, pages, top, salt, frames, checksum, own = HEAD.unpack(head)
    if magic != MAGIC or own != zlib.crc32(head[:-4]):
        return None
    return Note(page, pages, top, End(salt, frames, checksum))


def fit(path: Path, note: Note) -> bool:
    """Whether every page of a database has its checksum. Raises StoreError, OSError."""
    wanted: array[int] = array("I")
    sums = plain(path.with_name(path.name + ENDING))
    with os.fdopen(sums, "rb") as file, os.fdopen(plain(path), "rb") as database:
        file.seek(HEAD.size)
        found = file.read(4 * note.pages)
        wanted.frombytes(found[: len(found) // 4 * 4])
        size = os.fstat(database.fileno()).st_size
        return size == note.pages * note.page and of_pages(database.fileno(), note.page) == wanted[: note.pages]


def fits_with(path: Path, note: Note, offset: int, data: bytes) -> bool:
    """Whether the first page would have its checksum with these bytes at an offset. Raises StoreError, OSError."""
    with os.fdopen(plain(path.with_name(path.name + ENDING)), "rb") as file:
        wanted = file.read(HEAD.size + 4)[HEAD.size :]
    with os.fdopen(plain(path), "rb") as database:
        page = database.read(note.page)
    return struct.pack("<I", zlib.crc32(page[:offset] + data + page[offset + len(data) :])) == wanted


def _head(note: Note) -> bytes:
    head = HEAD.pack(MAGIC, note.page, note.pages, note.top, *note.end, 0)[:-4]
    return head + struct.pack("<I", zlib.crc32(head))

"""The journal's file. Entries are only appended, and are on disk when the call returns.

A file that does not grow is synced in two thirds of the time. So the file is padded with empty lines to a multiple of
`BLOCK_BYTES`, and most entries overwrite padding. A journal of any other size was cut short.

    entry ⏎ entry ⏎ entry ⏎ ⏎⏎⏎⏎⏎⏎⏎⏎⏎⏎⏎⏎⏎
                            │             └ size, a multiple of BLOCK_BYTES
                            └ `end`: the next entry is written here
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import zlib
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from companion.store.data_folder import delete_or_set_aside, open_for_reading, open_for_writing, share_with_group
from companion.store.journal_lines import MAX_LINE_BYTES, parse_entries, parse_journal_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from companion.store.journal_lines import CheckedLine
    from companion.store.stored_entries import StoredEntry

JOURNAL_NAME = "rounds.journal"
BLOCK_BYTES = 16 * 1024
"""By how many bytes the file grows at once."""
CHUNK_BYTES = 1 << 16
"""How many bytes are read at once."""
SECTOR_BYTES = 4096
COMPARED_BYTES = 64
"""How many bytes before `JournalFile.end` are compared before another entry is written."""
RECENT_BYTES = 1 << 20
"""The part of a journal that a table starts with while a database of all rounds is being built: some hundred rounds."""
FIRST_SEARCH_BYTES = 4096
"""How many bytes are searched first for an entry near the end; each further search reads four times as much."""


class Fingerprint(NamedTuple):
    """Size and CRC-32 of the start of a file.

    For a journal, also the number of the last entry in that part (-1 for none).
    """

    size: int = 0
    crc: int = 0
    last_number: int = -1


UNKNOWN_FINGERPRINT = Fingerprint()


class JournalFile:
    """The journal while it is open for writing.

    Attributes:
        end: the offset at which the next entry is written.
    """

    def __init__(self, path: Path) -> None:
        """Open the file. Raises StoreError for a link or a pipe, and OSError."""
        self.path = path
        self.fd = open_for_writing(path, create=False)
        share_with_group(self.fd, path.parent)
        self._dirty = False  # whether a failed write may have left something behind `end`
        self._note_end(content_end(self.fd))

    def _note_end(self, end: int) -> None:
        self.end, self._size = end, os.fstat(self.fd).st_size
        self._known = os.pread(self.fd, COMPARED_BYTES, max(0, end - COMPARED_BYTES))

    def has_changed(self) -> bool:
        """Whether somebody has replaced the file, cut it short, or changed its last entry. Raises OSError."""
        try:
            on_disk, opened = os.lstat(self.path), os.fstat(self.fd)
            last_bytes = os.pread(self.fd, COMPARED_BYTES, max(0, self.end - COMPARED_BYTES))
        except OSError as error:
            if error.errno not in (errno.ENOENT, errno.EIO):
                raise
            return True
        return not os.path.samestat(on_disk, opened) or opened.st_size < self._size or last_bytes != self._known

    def append(self, data: bytes) -> None:
        """Append entries; they are on disk when this returns.

        Raises OSError; then call `cut_off` or `undo_failed_write`.
        """
        if self._dirty:
            self.cut_off(self.end)
        self._dirty = True
        end = self.end + len(data)
        filled = data + padding(end) if end > self._size else data
        written = 0
        while written < len(filled):
            written += os.pwrite(self.fd, filled[written:], self.end + written)
        os.fdatasync(self.fd)
        self.end, self._size = end, max(self._size, self.end + len(filled))
        self._known = (self._known + data)[-COMPARED_BYTES:]
        self._dirty = False

    def cut_off(self, end: int) -> None:
        """Remove everything behind an offset. Raises OSError; the next `append` then tries again before it writes."""
        if self._dirty or end < self.end:
            self._dirty, self.end = True, end
            os.ftruncate(self.fd, end)
            with contextlib.suppress(OSError):  # There may be no room for padding.
                os.pwrite(self.fd, padding(end), end)
            os.fdatasync(self.fd)
            self._note_end(end)
            self._dirty = False

    def undo_failed_write(self) -> None:
        """Remove what a failed write has left behind, which could be taken for a saved entry. Raises OSError."""
        self.cut_off(self.end)

    def close(self) -> None:
        """Close the file; everything that was appended is on disk."""
        with contextlib.suppress(OSError):
            self.undo_failed_write()
        with contextlib.suppress(OSError):
            os.close(self.fd)


def padding(size: int) -> bytes:
    """The empty lines that pad a file of this size."""
    return b"\n" * (-size % BLOCK_BYTES)


def is_cut_short(fd: int) -> bool:
    """Whether a journal was cut short, so that its padding is incomplete. Raises OSError."""
    return os.fstat(fd).st_size % BLOCK_BYTES != 0


# -- reading ------------------------------------------------------------------------------------------------------


def read_chunks(fd: int, start: int = 0, end: int | None = None) -> Iterator[bytes]:
    """Read a file between two offsets, with zeros in place of sectors that cannot be read. Raises OSError."""
    while end is None or start < end:
        many = CHUNK_BYTES if end is None else min(CHUNK_BYTES, end - start)
        try:
            data = os.pread(fd, many, start)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            data = b"".join(_read_sector(fd, start + offset) for offset in range(0, CHUNK_BYTES, SECTOR_BYTES))
            data = data[: min(many, max(0, os.fstat(fd).st_size - start))]
        if not data:
            return
        yield data
        start += len(data)


def _read_sector(fd: int, offset: int) -> bytes:
    try:
        return os.pread(fd, SECTOR_BYTES, offset).ljust(SECTOR_BYTES, b"\0")
    except OSError:
        return bytes(SECTOR_BYTES)


def content_end(fd: int) -> int:
    """The offset at which a journal's entries end and its padding begins. Raises OSError."""
    end = size = os.fstat(fd).st_size
    while end:
        start = max(0, end - BLOCK_BYTES)
        if content := b"".join(read_chunks(fd, start, end)).rstrip(b"\n"):
            return min(start + len(content) + 1, size)
        end = start
    return 0


def raw_lines(fd: int, start: int = 0) -> Iterator[tuple[int, bytes, bool]]:
    """Each line that is not empty: its offset, its bytes, and whether it is complete. Raises OSError."""
    incomplete = b""
    for chunk in read_chunks(fd, start):
        parts = (incomplete + chunk).split(b"\n")
        incomplete = parts.pop()
        for each in parts:
            if each:
                yield start, each, True
            start += len(each) + 1
        if len(incomplete) > MAX_LINE_BYTES:
            yield start, b"", False
            start, incomplete = start + len(incomplete), b""
    if incomplete:
        yield start, incomplete, False


def read_lines(fd: int, start: int) -> Iterator[CheckedLine | None]:
    """Read the lines from an offset on; None for a line whose check is wrong. Raises OSError."""
    return (parse_journal_line(data) if complete else None for _, data, complete in raw_lines(fd, start))


def fingerprint_if_intact(fd: int, saved: Fingerprint) -> Fingerprint | None:
    """The fingerprint of a journal that begins with the saved one and continues with valid entries, else None.

    Raises OSError.
    """
    end, top, more = content_end(fd), saved.last_number, 0
    if not saved.size or saved.size > end or fingerprint_until(fd, saved.size, saved.last_number) != saved:
        return None
    for line in read_lines(fd, saved.size):
        if line is None or line.number != top + 1:
            return None
        top, more = line.last, line.following_lines
    return None if more else fingerprint_until(fd, end, top, saved)


def fingerprint_until(fd: int, end: int, top: int, earlier: Fingerprint = UNKNOWN_FINGERPRINT) -> Fingerprint:
    """The fingerprint of a file's bytes up to `end`, computed from that of the bytes before. Raises OSError."""
    crc = earlier.crc
    for data in read_chunks(fd, earlier.size, end):
        crc = zlib.crc32(data, crc)
    return Fingerprint(end, crc, top)


def file_fingerprint(fd: int) -> Fingerprint:
    """The fingerprint of a whole file. Raises OSError."""
    size = crc = 0
    for data in read_chunks(fd):
        size, crc = size + len(data), zlib.crc32(data, crc)
    return Fingerprint(size, crc)


def lines_after(path: Path, number: int) -> Iterator[CheckedLine]:
    """Read the valid lines of a journal after an entry's number, searching from the end. Raises StoreError, OSError."""
    with open(open_for_reading(path), "rb", 0) as file:
        start, step = content_end(file.fileno()), FIRST_SEARCH_BYTES
        while start:
            start = max(0, start - step)
            step *= 4
            first = next(filter(None, read_lines(file.fileno(), start)), None)
            if first is not None and first.number <= number:
                break
        for line in read_lines(file.fileno(), start):
            if line is not None and line.last > number:
                yield line


def entries_after(path: Path, number: int) -> Iterator[StoredEntry]:
    """Read the entries of a journal after an entry's number. Raises StoreError, OSError."""
    return parse_entries(lines_after(path, number))


def end_offset_if_prefix(short: int, long: int) -> int | None:
    """The offset at which a journal's lines end if a longer journal begins with them; None if the entries differ.

    Raises OSError.
    """
    start, end = 0, content_end(short)
    for one, other in zip_longest(read_chunks(short, 0, end), read_chunks(long, 0, end), fillvalue=b""):
        if one != other:
            pairs = enumerate(zip(one, other, strict=False))
            start += next((at for at, (own_byte, its_byte) in pairs if own_byte != its_byte), min(len(one), len(other)))
            break
        start += len(one)
    near = max(0, start - MAX_LINE_BYTES)
    start = near + os.pread(short, start - near, near).rfind(b"\n") + 1
    return None if start < end and any(read_lines(short, start)) else start


_OWN_ENTRY = re.compile(rb"^[0-9a-f]{12} \d+(?:\+\d+)? 0 [0-9a-f]{8} .*(?=\n)", re.MULTILINE)


def recent_entries(path: Path) -> Iterator[StoredEntry]:
    """Read the entries in the last `RECENT_BYTES` of a journal, and the store's own last entry before them.

    Raises StoreError, OSError.
    """
    with open(open_for_reading(path), "rb", 0) as file:
        start = max(0, content_end(file.fileno()) - RECENT_BYTES)
        last_own, incomplete = b"", b""
        for data in read_chunks(file.fileno(), 0, start):
            data = incomplete + data
            last_own = [last_own, *_OWN_ENTRY.findall(data)][-1]
            incomplete = data[data.rfind(b"\n") + 1 :]
        yield from parse_entries([parse_journal_line(last_own)])
        yield from parse_entries(read_lines(file.fileno(), start))


# -- writing as a whole -------------------------------------------------------------------------------------------


def replace_journal(path: Path, lines: Iterable[bytes]) -> None:
    """Write a new journal and put it in the place of the old one. Raises StoreError, OSError."""
    part = path.with_name(path.name + ".part")
    delete_or_set_aside(part)
    fd = open_for_writing(part)
    share_with_group(fd, part.parent)
    with os.fdopen(fd, "wb", 1 << 18) as file:
        for line in lines:
            file.write(line + b"\n")
        file.write(padding(file.tell()))
        file.flush()
        os.fsync(file.fileno())
    part.rename(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that the names of its files are on disk. Raises OSError."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)

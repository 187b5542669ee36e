"""One of the journal's files while it is open: what is appended is on disk when the call returns.

A file is filled up with empty lines to a multiple of `BLOCK`, so that most lines are written over bytes that are there:
a file that does not grow is synced in two thirds of the time. One of another size was cut short.
"""

from __future__ import annotations

import contextlib
import errno
import os
from typing import TYPE_CHECKING

from companion.store.data_folder import open_for_writing, share_with_group

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BLOCK = 16 * 1024
"""By how many bytes a file grows."""
CHUNK = 1 << 16
"""How many bytes are read at once."""
SECTOR = 4096
KNOWN = 64
"""How many bytes of the last line are looked at before another one is written."""


class Copy:
    """A file that is open for writing.

    Attributes:
        end: where the next line comes.
    """

    def __init__(self, path: Path) -> None:
        """Raises StoreError for a link or a pipe, and OSError."""
        self.path = path
        self.fd = open_for_writing(path)
        share_with_group(self.fd, path.parent)
        self._dirty = False  # a write that failed may have left something behind `end`
        self._is_at(content_end(self.fd))

    def _is_at(self, end: int) -> None:
        self.end, self._size = end, os.fstat(self.fd).st_size
        self._known = os.pread(self.fd, KNOWN, max(0, end - KNOWN))

    def is_changed(self) -> bool:
        """Whether the file is not the one that was opened, no shorter, with its last line. Raises OSError."""
        try:
            there, here = os.stat(self.path), os.fstat(self.fd)
            known = os.pread(self.fd, KNOWN, max(0, self.end - KNOWN))
        except OSError as error:
            if error.errno not in (errno.ENOENT, errno.EIO):
                raise
            return True
        return not os.path.samestat(there, here) or here.st_size < self._size or known != self._known

    def append(self, data: bytes) -> None:
        """Write lines behind the last; they are on disk when this returns. Raises OSError: `cut` is to follow."""
        if self._dirty:
            self.cut(self.end)
        self._dirty = True
        end = self.end + len(data)
        filled = data + filling(end) if end > self._size else data
        done = 0
        while done < len(filled):
            done += os.pwrite(self.fd, filled[done:], self.end + done)
        os.fdatasync(self.fd)
        self.end, self._size = end, max(self._size, self.end + len(filled))
        self._known = (self._known + data)[-KNOWN:]
        self._dirty = False

    def cut(self, end: int) -> None:
        """Remove what was written behind a place. Raises OSError; then the next `append` tries it first."""
        if self._dirty or end < self.end:
            self._dirty, self.end = True, end
            os.ftruncate(self.fd, end)
            with contextlib.suppress(OSError):  # There may be no room for it.
                os.pwrite(self.fd, filling(end), end)
            os.fdatasync(self.fd)
            self._is_at(end)
            self._dirty = False

    def close(self) -> None:
        """Close the file; all that was appended is on disk."""
        with contextlib.suppress(OSError):
            os.close(self.fd)


def filling(size: int) -> bytes:
    """The empty lines with which a file of that size is filled up."""
    return b"\n" * (-size % BLOCK)


def is_short(fd: int) -> bool:
    """Whether a file is not filled up: it was cut short. Raises OSError."""
    return os.fstat(fd).st_size % BLOCK != 0


def chunks(fd: int, start: int = 0, end: int | None = None) -> Iterator[bytes]:
    """A file's bytes between two places; zeros in place of sectors that cannot be read. Raises OSError."""
    while end is None or start < end:
        many = CHUNK if end is None else min(CHUNK, end - start)
        try:
            data = os.pread(fd, many, start)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            data = b"".join(_sector(fd, start + offset) for offset in range(0, CHUNK, SECTOR))
            data = data[: min(many, max(0, os.fstat(fd).st_size - start))]
        if not data:
            return
        yield data
        start += len(data)


def _sector(fd: int, offset: int) -> bytes:
    try:
        return os.pread(fd, SECTOR, offset).ljust(SECTOR, b"\0")
    except OSError:
        return bytes(SECTOR)


def content_end(fd: int) -> int:
    """Where a file's lines end and only empty ones follow. Raises OSError."""
    end = size = os.fstat(fd).st_size
    while end:
        start = max(0, end - BLOCK)
        if left := b"".join(chunks(fd, start, end)).rstrip(b"\n"):
            return min(start + len(left) + 1, size)
        end = start
    return 0

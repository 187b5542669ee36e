"""The index's file, and a note beside it of what it is worth.

The note has the checksum of the file as the last checkpoint left it, and that of the journal's first bytes. What was
written since lies in SQLite's log, whose checksums SQLite tests; or it is read from the journal.

``python -m companion.store.index_file FOLDER NAME`` makes an index of a journal, beside a running table.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import sys
import zlib
from pathlib import Path
from typing import NamedTuple

from companion.store import index
from companion.store.data_folder import (
    no_plain_file,
    open_for_reading,
    open_for_writing,
    overwrite,
    read_small_file,
    share_with_group,
)
from companion.store.errors import StoreError
from companion.store.journal_files import whole_files
from companion.store.journal_files.copies import chunks
from companion.store.journal_files.second import JOURNAL
from companion.store.journal_files.whole_files import NOTHING, Sum

PARTS = ("-note", "", "-wal", "-shm", "-journal")
"""The endings of the index's files."""
LONG_LOG = 256 * 1024
"""Bytes of SQLite's log after which it is brought into the file once a round has ended; a larger index waits longer."""


class Note(NamedTuple):
    """What was noted of index and journal."""

    file: Sum = NOTHING
    lines: Sum = NOTHING


def noted(path: Path) -> Note:
    """What was noted beside an index; nothing if that is damaged or not there. Raises OSError."""
    try:
        check, *numbers = map(int, read_small_file(_part(path, "-note")).split())
        note = Note(Sum(*numbers[:3]), Sum(*numbers[3:]))
        return note if check == _check(note) else Note()
    except (ValueError, TypeError, StoreError):
        return Note()


def _check(note: Note) -> int:
    return zlib.crc32(repr((*note.file, *note.lines)).encode())


def note_down(path: Path, note: Note) -> None:
    """Write a note: what it says may be out of date after a power cut, but never wrong. Raises StoreError, OSError."""
    overwrite(_part(path, "-note"), " ".join(map(str, (_check(note), *note.file, *note.lines))).encode())


def _part(path: Path, part: str) -> Path:
    return path.with_name(path.name + part)


def file_sum(path: Path) -> Sum:
    """The size and checksum of a file; nothing if it is not there. Raises StoreError, OSError."""
    try:
        with open(open_for_reading(path), "rb", 0) as file:
            return _sum(file.fileno())
    except FileNotFoundError:
        return NOTHING


def _sum(fd: int) -> Sum:
    size = crc = 0
    for data in chunks(fd):
        size, crc = size + len(data), zlib.crc32(data, crc)
    return Sum(size, crc)


def refuse_what_is_no_file(path: Path) -> None:
    """Raise StoreError for a link or a pipe in the place of a file: SQLite would follow it, or wait for it.

    No file is opened: closing it again would drop the locks that SQLite holds for another connection of this process.
    """
    for part in PARTS:
        with contextlib.suppress(FileNotFoundError):
            if not stat.S_ISREG(_part(path, part).lstat().st_mode):
                raise no_plain_file(_part(path, part))


def is_there(path: Path) -> bool:
    """Whether there is a file of an index."""
    return any(_part(path, part).exists() for part in PARTS)


def remove(path: Path) -> None:
    """Delete an index with all its files. Raises OSError."""
    for part in PARTS:
        _part(path, part).unlink(missing_ok=True)


def make(folder: Path, name: str) -> None:
    """Make a new index of a data folder's journal under a name of its own, with its note; on disk when it returns.

    Raises sqlite3.Error, StoreError, OSError.
    """
    path = folder / name
    remove(path)
    with open(open_for_writing(path), "rb") as file:
        db = index.of_lines(path, whole_files.after(folder / JOURNAL, -1))
        db.execute("PRAGMA journal_mode = WAL")  # Set now, since opening it would have to write the file again.
        db.close()
        share_with_group(file.fileno(), folder)
        os.fsync(file.fileno())
    note_down(path, Note(file_sum(path)))


def put_in_place(new: Path, path: Path) -> None:
    """Replace an index, which nobody has open, by a new one. Raises OSError."""
    remove(path)
    for part in ("", "-note"):
        _part(new, part).rename(_part(path, part))
    whole_files.sync_folder(path.parent)


class IndexFile:
    """An intact index that is open for writing; `db` is its connection.

    Raises ValueError where there is none, or one that is damaged or of another version, and sqlite3.Error, StoreError,
    OSError.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        refuse_what_is_no_file(path)
        self._sum = noted(path).file
        if not self._sum.size or file_sum(path) != self._sum:
            raise ValueError("no intact index")
        # Opened before SQLite's and closed after them: closing any descriptor of a file drops all the process's locks.
        self._fd = open_for_writing(path)
        self.db = sqlite3.connect(path)
        try:
            share_with_group(self._fd, path.parent)
            if not index.fits(self.db):
                raise ValueError("another version")
            # A commit may be lost, for the journal has its lines; NORMAL keeps the file whole all the same.
            for setting in ("journal_mode = WAL", "synchronous = NORMAL", "wal_autocheckpoint = 0"):
                self.db.execute(f"PRAGMA {setting}")
        except BaseException:
            self.leave()
            raise

    def bring_in(self, of_journal: Sum) -> None:
        """Bring SQLite's log into the file if it is long, and note what is there then. It never waits, nor raises."""
        with contextlib.suppress(sqlite3.Error, StoreError, OSError):
            log = _part(self.path, "-wal")
            if log.exists() and log.stat().st_size > max(LONG_LOG, self._sum.size // 16) and self._is_as_noted():
                # Emptied, for a log that is damaged later would put earlier pages over those of the file.
                self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                self._sum = _sum(self._fd)
            note_down(self.path, Note(self._sum, of_journal))

    def _is_as_noted(self) -> bool:
        """Whether the file is unchanged since the last note; else no note is made that would call it whole."""
        if _sum(self._fd) != self._sum:
            self._sum = NOTHING
        return bool(self._sum.size)

    def close(self, of_journal: Sum) -> None:
        """Close it, with a note that it is whole, unless somebody else has changed it."""
        with contextlib.suppress(sqlite3.Error, StoreError, OSError):
            well = self._is_as_noted()
            self.db.close()
            note = Note(_sum(self._fd), of_journal) if well else Note()
            if note != noted(self.path):
                note_down(self.path, note)
        self.leave()

    def leave(self) -> None:
        """Close it as it is."""
        with contextlib.suppress(sqlite3.Error):
            self.db.close()
        with contextlib.suppress(OSError):
            os.close(self._fd)


if __name__ == "__main__":
    os.nice(10)
    make(Path(sys.argv[1]), sys.argv[2])

"""The database file: opened so that a commit survives a power cut, and checked for damage while it is open.

In a folder shared by a group (the service's, mode 2770) the files are writable by the group too: also a reader of a
database in WAL mode has to write the WAL's index.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
from typing import TYPE_CHECKING

from companion.store import carve, log, notice, opening, rounds, sums
from companion.store.lock import Damaged, InUse, NoRoom, StoreError, is_damage, locked, open_regular, share
from companion.store.opening import PARTS
from companion.store.schema import VERSION, migrate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["PARTS", "Damaged", "File", "InUse", "NoRoom", "StoreError", "locked", "reason", "share"]

MAGIC = b"SQLite format 3\0"
LONG_LOG = 1000
"""Frames of the WAL after which a checkpoint is made before the round ends."""
FULL = "the disk is full."
NO_ROOM = "The disk is full: delete something, or nothing more can be kept."
LITTLE = 64 * 1024
"""A disk with fewer free bytes counts as full: the WAL's index alone takes half of this."""


class File:
    """A database that is open for writing; `db` is its connection.

    `warning` is a sentence about damage that was found and repaired at opening, "" if there was none.

    Raises:
        NoRoom: the database is intact, but the disk is too full for the WAL's index.
        Damaged: the file is not an intact database of ours; nothing has been changed.
        StoreError: it cannot be opened; the sentence says why.
        OSError: the folder cannot be used.
    """

    def __init__(self, path: Path, slow: Callable[[], object] = lambda: None) -> None:
        self.path = path
        if os.path.lexists(path):
            os.close(open_regular(path))  # Refuses links, pipes and files with a second name.
        opening.refuse_what_is_no_file(path)
        with as_store_errors(path):
            ready = opening.prepare(path, slow)
        self.warning = _to_tell(path, ready.warning)
        # Our own descriptors are opened before SQLite's and closed after them, because closing any descriptor of a file
        # drops all the process's POSIX locks on it.
        with contextlib.ExitStack() as undo, as_store_errors(path):
            self._fd = _open(path, undo)
            share(self._fd, path.parent)
            self.db = _connected(path)
            undo.callback(self.db.close)
            self._page = int(self.db.execute("PRAGMA page_size").fetchone()[0])
            self._sums = sums.Sums(path, self._fd, self._page)
            undo.callback(os.close, self._sums.fd)
            share(self._sums.fd, path.parent)
            if ready.rebuild:
                with self.db:
                    rounds.rebuild(self.db)
            self.db.execute("SELECT 1 FROM entries LIMIT 1").fetchone()  # Creates the WAL and its index.
            self._log = _open(path.with_name(path.name + "-wal"), undo)
            self._index = _open(path.with_name(path.name + "-shm"), undo)
            self._end = log.told_by_index(self._index)
            self._fits = ready.fits
            self.bring_in()
            self._size = os.fstat(self._fd).st_size
            undo.pop_all()

    def check(self) -> None:
        """Check that file and WAL are still those that were opened, and no shorter. Raises Damaged, OSError.

        SQLite caches most of a small file, so it would not notice for a long time that the file is gone.
        """
        here = _same(self.path, self._fd, "file")
        if here.st_size < self._size:
            raise Damaged("The file of rounds was cut short.")
        if os.pread(self._fd, len(MAGIC), 0) != MAGIC:
            raise Damaged("The file of rounds was overwritten.")
        self._size = here.st_size
        _same(self.path.with_name(self.path.name + "-wal"), self._log, "log")
        if not log.holds(self._log, self._end, self._page):
            raise Damaged("The log of the rounds was cut short or overwritten.")

    def committed(self) -> None:
        """Note the WAL's present end, to notice damage later. The commit itself does not depend on it."""
        with contextlib.suppress(OSError, sqlite3.Error):
            self._end = log.told_by_index(self._index)
            self._sums.note(self._end, self._top())
        if self._end.frames > LONG_LOG:
            self.bring_in()

    def bring_in(self) -> None:
        """Make a passive checkpoint: copy the WAL into the file as far as no reader prevents it, without waiting."""
        with contextlib.suppress(sqlite3.Error, OSError):  # What stays in the WAL is as safe there.
            _, frames, done = self.db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            end = log.End() if done == frames else self._end
            if self._fits:
                self._sums.renew(log.pages(self._log, max(frames, 0), self._page), end, self._top())
            else:
                self._sums.renew_all(end, self._top())
                self._fits = True
            self._size = os.fstat(self._fd).st_size

    def _top(self) -> int:
        return int(self.db.execute("SELECT coalesce(max(id), 0) FROM entries").fetchone()[0])

    def images(self) -> tuple[carve.PageFile, carve.PageFile]:
        """File and WAL for a rescue, also if they have been removed meanwhile. Raises OSError."""
        return carve.database(self._fd, opening.PAGE), carve.log(self._log, opening.PAGE)

    def close(self) -> None:
        """Close the database, with a checkpoint."""
        self.bring_in()
        with contextlib.suppress(sqlite3.Error):
            self.db.close()
        for fd in (self._fd, self._log, self._index, self._sums.fd):
            os.close(fd)

    def leave(self) -> None:
        """Close the database without a checkpoint, since it was set aside."""
        with contextlib.suppress(sqlite3.Error):
            self.db.close()
        for fd in (self._fd, self._log, self._index, self._sums.fd):
            os.close(fd)


def _code(error: Exception) -> str:
    """SQLite's name of an error; "" for an error of Python's binding, such as text that is not UTF-8."""
    return getattr(error, "sqlite_errorname", "")


def reason(error: BaseException, folder: Path | None = None) -> str:
    """Why an operation on the disk failed, as the end of a sentence; `folder` is checked for lack of space."""
    name = getattr(error, "sqlite_errorname", None) or ""
    number = getattr(error, "errno", None)
    if is_busy(error):
        return "another program holds the rounds; close it."
    full = "SHM" in name and folder is not None and _has_no_room(folder)
    if full or "FULL" in name or number in (errno.ENOSPC, errno.EDQUOT):
        return FULL
    if isinstance(error, MemoryError):
        return "there is not enough memory."
    if number == errno.EROFS or (folder is not None and _read_only(folder)):
        return "the disk can only be read; restart, and if that does not help, the card is worn out."
    if "IOERR" in name or number in (errno.EIO, errno.EFBIG):
        return "the disk does not answer."
    if "READONLY" in name or "CANTOPEN" in name or isinstance(error, PermissionError):
        return "no permission (members of the group companion have it, from their next login on)."
    return f"{getattr(error, 'strerror', None) or error}."


def is_busy(error: BaseException) -> bool:
    """Whether another connection holds a lock."""
    return (getattr(error, "sqlite_errorname", None) or "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def _read_only(folder: Path) -> bool:
    """Whether a folder's file system is read-only: the kernel remounts a worn SD card so."""
    try:
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def _has_no_room(folder: Path) -> bool:
    try:
        found = os.statvfs(folder)
    except OSError:
        return False
    return found.f_bavail * found.f_frsize < LITTLE


@contextlib.contextmanager
def as_store_errors(path: Path) -> Iterator[None]:
    """Within this context every error that the database's content may cause is raised as Damaged, also one that nobody
    has foreseen; those of the disk or of a lock are raised as StoreError or OSError."""
    try:
        yield
    except Exception as error:
        if isinstance(error, (StoreError, OSError, ImportError)):
            raise
        if is_damage(error) or _refused_for_its_content(path, error):
            raise Damaged(str(error) or type(error).__name__) from error
        raise StoreError(f"The rounds in {path.parent} cannot be opened", reason(error, path.parent)) from error


def _refused_for_its_content(path: Path, error: Exception) -> bool:
    """Whether SQLite refuses to write a file that can be written, because of a byte in it."""
    if _code(error) not in ("SQLITE_READONLY", "SQLITE_CANTOPEN"):
        return False
    return all(os.access(each, os.R_OK | os.W_OK) for each in (path, path.parent)) and not _read_only(path.parent)


def _connected(path: Path) -> sqlite3.Connection:
    """A connection that is safe against power cuts, with the tables of the present version."""
    db = sqlite3.connect(path)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        # With NORMAL, a power cut would lose the last commits in WAL mode.
        db.execute("PRAGMA synchronous = FULL")
        # Checkpoints are made when a round has ended, by `bring_in`.
        db.execute("PRAGMA wal_autocheckpoint = 0")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version > VERSION:
            raise StoreError(f"The rounds in {path.parent} were kept by a newer version of the program.")
        if version < VERSION:
            opening.keep_copy(db, path.with_name(f"{path.name}.before-{version + 1}"))
            migrate(db)
        for table in ("rounds", "entries", "seats", "store"):
            db.execute(f"SELECT * FROM {table} LIMIT 1").fetchone()
    except sqlite3.OperationalError as error:
        db.close()
        why = reason(error, path.parent)
        if why == FULL:
            raise NoRoom(f"The rounds in {path.parent} cannot be opened", why) from error
        raise
    except BaseException:
        db.close()
        raise
    return db


def _to_tell(path: Path, found: str) -> str:
    """What the players are to be told: what was found now, and what nobody has heard yet. It is kept for the next start
    if the disk has room for it."""
    with contextlib.suppress(OSError, StoreError):
        if found:
            notice.keep(path, found)
        return notice.kept(path)
    return found


def _open(path: Path, undo: contextlib.ExitStack) -> int:
    fd = open_regular(path)
    undo.callback(os.close, fd)
    return fd


def _same(path: Path, fd: int, what: str) -> os.stat_result:
    """The status of an open file. Raises Damaged if its name is no longer that file's, and OSError."""
    try:
        there, here = os.stat(path), os.fstat(fd)
    except FileNotFoundError as error:
        raise Damaged(f"The {what} of rounds is gone.") from error
    if (there.st_dev, there.st_ino) != (here.st_dev, here.st_ino):
        raise Damaged(f"The {what} of rounds was replaced.")
    return here

"""The lock that allows one table for each data folder, and the store's errors; usable without importing SQLite."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
from typing import TYPE_CHECKING

from companion import Unusable
from companion.languages import text

if TYPE_CHECKING:
    from pathlib import Path

LOCK = "table.lock"
MOST_BYTES = 4096
"""How many bytes of a small file are read."""
REFUSALS = ("SQLITE_BUSY", "SQLITE_CANTOPEN", "SQLITE_FULL", "SQLITE_INTERRUPT", "SQLITE_IOERR", "SQLITE_LOCKED",
            "SQLITE_NOLFS", "SQLITE_NOMEM", "SQLITE_PERM", "SQLITE_PROTOCOL", "SQLITE_READONLY")  # fmt: skip
"""How SQLite's names of errors begin that come from the disk or another program, not from what is in the file."""


class StoreError(Unusable):
    """The store cannot be used; `str` is one sentence for the players, `short` the reason alone for the panel."""

    def __init__(self, what: str, why: str = "") -> None:
        super().__init__(text("{what}: {why}", what=what, why=why) if why else what, why or what)


class Busy(StoreError):
    """Another program has locked the database for the moment; nothing was written, and it can be tried again."""


class InUse(StoreError):
    """Another table is running on the same folder."""


class Damaged(StoreError):
    """The file was cut short, overwritten or removed, before or after it was opened."""


def is_damage(error: Exception) -> bool:
    """Whether an error of reading a database is due to what lies in it, which is so for each that has no other reason.

    The others: the disk or a lock, a lack of memory, an installation that is not complete.
    """
    if isinstance(error, (StoreError, OSError, MemoryError, ImportError)):
        return isinstance(error, Damaged)
    code = getattr(error, "sqlite_errorname", None) or "SQLITE_ERROR"
    return not code.startswith(REFUSALS)


def locked(folder: Path) -> int:
    """Lock a folder for as long as the returned descriptor is open. Raises InUse, StoreError, OSError."""
    lock = open_regular(folder / LOCK)
    try:
        share(lock, folder)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(lock)
        message = "Another table is running on {folder}; stop it first, or use another --data folder."
        raise InUse(text(message, folder=folder)) from error
    except BaseException:
        os.close(lock)
        raise
    return lock


def open_regular(path: Path) -> int:
    """Open a file of the folder for writing, created if missing. Raises StoreError for links and pipes, and OSError.

    Through a link, a member of the folder's group could make root change any file of the system.
    """
    fd = _opened(path, os.O_RDWR | os.O_CREAT)
    if os.fstat(fd).st_nlink > 1:
        os.close(fd)
        message = "{file} is no plain file, or has a second name, so it is not used; remove it."
        raise StoreError(text(message, file=path))
    return fd


def plain(path: Path) -> int:
    """Open a file of the folder for reading. Raises StoreError for a link, pipe or folder in its place, and OSError."""
    return _opened(path, os.O_RDONLY)


def _opened(path: Path, how: int) -> int:
    try:
        fd = os.open(path, how | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o660)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO, errno.EISDIR):
            raise no_file(path) from error
        raise
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise no_file(path)
    return fd


def no_file(path: Path) -> StoreError:
    """The error for a link, pipe or folder in the place of a file."""
    return StoreError(text("{file} is no plain file, so it is not used; remove it.", file=path))


def plain_bytes(path: Path) -> bytes:
    """The first bytes of a file of the folder, none if it is missing. Raises StoreError and OSError as `plain` does."""
    try:
        with os.fdopen(plain(path), "rb") as file:
            return file.read(MOST_BYTES)
    except FileNotFoundError:
        return b""


def overwrite(path: Path, data: bytes, *, synced: bool = False) -> None:
    """Make these bytes all that a small file has; on disk when this returns if `synced`. Raises StoreError, OSError."""
    with open(open_regular(path), "r+b", 0) as file:
        share(file.fileno(), path.parent)
        file.write(data)
        file.truncate()
        if synced:
            os.fsync(file.fileno())


def share(fd: int, folder: Path) -> None:
    """Give a file its folder's permissions for the group, which SQLite would not set."""
    mode = folder.stat().st_mode & 0o666
    if os.fstat(fd).st_mode & 0o777 != mode:
        # It may belong to another member of the group, who has set them, or lie on a stick, where files have none.
        with contextlib.suppress(OSError):
            os.fchmod(fd, mode)


def refuse_a_second(folder: Path) -> None:
    """Raise InUse if a table is running on the folder; a folder without a lock file is left unchanged."""
    with contextlib.suppress(OSError):  # Opening the store reports what is wrong with the folder.
        if (folder / LOCK).exists():
            os.close(locked(folder))

"""The lock that allows one table for each data folder, and the store's errors; usable without importing SQLite."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

LOCK = "table.lock"


class StoreError(Exception):
    """The store cannot be used; `str` is one sentence for the players, `short` the reason alone for the panel."""

    def __init__(self, what: str, why: str = "") -> None:
        super().__init__(f"{what}: {why}" if why else what)
        self.short = why or what


class Busy(StoreError):
    """Another program has locked the database for the moment; nothing was written, and it can be tried again."""


class NoRoom(StoreError):
    """The database is intact and can be read, but the disk is full."""


class InUse(StoreError):
    """Another table is running on the same folder."""


class Damaged(StoreError):
    """The file was cut short, overwritten or removed, before or after it was opened."""


def locked(folder: Path) -> int:
    """Lock a folder for as long as the returned descriptor is open. Raises InUse, StoreError, OSError."""
    lock = opened(folder / LOCK)
    try:
        share(lock, folder)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(lock)
        raise InUse(f"Another table is running on {folder}; stop it first, or use another --data folder.") from error
    except BaseException:
        os.close(lock)
        raise
    return lock


def opened(path: Path) -> int:
    """Open a file of the folder for writing, created if missing. Raises StoreError for links and pipes, and OSError.

    Through a link, a member of the folder's group could make root change any file of the system.
    """
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o660)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO, errno.EISDIR):
            raise no_file(path) from error
        raise
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
        os.close(fd)
        raise StoreError(f"{path} is no plain file, or has a second name, so it is not used; remove it.")
    return fd


def plain(path: Path) -> int:
    """Open a file of the folder for reading. Raises StoreError for a link, pipe or folder in its place, and OSError."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO):
            raise no_file(path) from error
        raise
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise no_file(path)
    return fd


def no_file(path: Path) -> StoreError:
    """The error for a link, pipe or folder in the place of a file."""
    return StoreError(f"{path} is no plain file, so it is not used; remove it.")


def plain_bytes(path: Path) -> bytes:
    """The bytes of a file of the folder, none if it is missing. Raises StoreError as `plain` does, and OSError."""
    try:
        with os.fdopen(plain(path), "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""


def share(fd: int, folder: Path) -> None:
    """Give a file its folder's permissions for the group, which SQLite would not set."""
    mode = folder.stat().st_mode & 0o666
    if os.fstat(fd).st_mode & 0o777 != mode:
        with contextlib.suppress(PermissionError):  # The file belongs to another member of the group, who has set them.
            os.fchmod(fd, mode)


def refuse_a_second(folder: Path) -> None:
    """Raise InUse if a table is running on the folder; a folder without a lock file is left unchanged."""
    try:
        if (folder / LOCK).exists():
            os.close(locked(folder))
    except OSError:
        pass  # Opening the store reports what is wrong with the folder.

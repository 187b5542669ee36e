"""One table for each data folder: its lock, apart from the store, to be asked for before SQLite is loaded."""

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
    """The store cannot be used; `str` is one sentence for the players.

    `short` is what of it has room on the panel: the reason alone where the sentence gives one.
    """

    def __init__(self, what: str, why: str = "") -> None:
        super().__init__(f"{what}: {why}" if why else what)
        self.short = why or what


class Busy(StoreError):
    """Another program holds the file of rounds for the moment; nothing is kept, and the same can be tried again."""


class NoRoom(StoreError):
    """The file of rounds is whole, but the disk is full; it can be read."""


class InUse(StoreError):
    """Another table keeps its rounds in the same folder."""


class Damaged(StoreError):
    """The file was cut short, overwritten or removed, before it was opened or since."""


def locked(folder: Path) -> int:
    """A lock on the folder while the descriptor stays open. Raises InUse, StoreError, OSError."""
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
    """A file of the folder, made where it is missing. Raises StoreError for what is no file of its own, OSError.

    A link, put there by a member of the group, would have root change any other file in its place.
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
    """A file of the folder, to be read. Raises StoreError for a link, a pipe or a folder in its place, OSError."""
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
    """What is raised where a link, a pipe or a folder lies in the place of a file."""
    return StoreError(f"{path} is no plain file, so it is not used; remove it.")


def plain_bytes(path: Path) -> bytes:
    """What is in a file of the folder; nothing where it is missing. Raises StoreError as `plain` does, OSError."""
    try:
        with os.fdopen(plain(path), "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""


def share(fd: int, folder: Path) -> None:
    """Let a file be read and written by whom its folder can: SQLite alone would never let a group write."""
    mode = folder.stat().st_mode & 0o666
    if os.fstat(fd).st_mode & 0o777 != mode:
        with contextlib.suppress(PermissionError):  # It belongs to another member of the group, who has seen to it.
            os.fchmod(fd, mode)


def refuse_a_second(folder: Path) -> None:
    """Raise InUse where a table is running on the folder; one that nobody has used yet is left as it is."""
    try:
        if (folder / LOCK).exists():
            os.close(locked(folder))
    except OSError:
        pass  # Opening the store will say what is the matter with the folder.

"""Plain files of a data folder: never opened through a link, read and overwritten, shared with the folder's group."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path

from companion.languages import text
from companion.store.errors import StoreError

MOST_BYTES = 4096
"""How many bytes of a small file are read."""


def open_for_writing(path: Path) -> int:
    """Open a file of the folder for writing, created if missing. Raises StoreError for links and pipes, and OSError.

    Through a link, a member of the folder's group could make root change any file of the system.
    """
    fd = _opened(path, os.O_RDWR | os.O_CREAT)
    if os.fstat(fd).st_nlink > 1:
        os.close(fd)
        message = "{file} is no plain file, or has a second name, so it is not used; remove it."
        raise StoreError(text(message, file=path))
    return fd


def open_for_reading(path: Path) -> int:
    """Open a file of the folder for reading. Raises StoreError for a link, pipe or folder in its place, and OSError."""
    return _opened(path, os.O_RDONLY)


def _opened(path: Path, how: int) -> int:
    try:
        fd = os.open(path, how | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o660)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO, errno.EISDIR):
            raise no_plain_file(path) from error
        raise
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise no_plain_file(path)
    return fd


def no_plain_file(path: Path) -> StoreError:
    """The error for a link, pipe or folder in the place of a file."""
    return StoreError(text("{file} is no plain file, so it is not used; remove it.", file=path))


def read_small_file(path: Path) -> bytes:
    """The first bytes of a file of the folder, none if it is missing. Raises StoreError, OSError."""
    try:
        with os.fdopen(open_for_reading(path), "rb") as file:
            return file.read(MOST_BYTES)
    except FileNotFoundError:
        return b""


def overwrite(path: Path, data: bytes, *, synced: bool = False) -> None:
    """Make these bytes all that a small file has; on disk when this returns if `synced`. Raises StoreError, OSError."""
    with open(open_for_writing(path), "r+b", 0) as file:
        share_with_group(file.fileno(), path.parent)
        file.write(data)
        file.truncate()
        if synced:
            os.fsync(file.fileno())


def share_with_group(fd: int, folder: Path) -> None:
    """Give a file its folder's permissions for the group, which SQLite would not set."""
    mode = folder.stat().st_mode & 0o666
    if os.fstat(fd).st_mode & 0o777 != mode:
        # It may belong to another member of the group, who has set them, or lie on a stick, where files have none.
        with contextlib.suppress(OSError):
            os.fchmod(fd, mode)

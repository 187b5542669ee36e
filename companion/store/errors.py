"""The store's errors, and how errors of SQLite and of the disk become them. Usable without importing SQLite.

Three questions are asked of an error, since each has another remedy: is the content damaged (`is_damage`), is the file
unusable in its place (`is_io_or_permission_error`), or does another program hold it (`is_locked_error`)?
"""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion import UnusableError
from companion.languages import os_error_text, text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OUTSIDE_ERRORS = ("SQLITE_BUSY", "SQLITE_CANTOPEN", "SQLITE_FULL", "SQLITE_INTERRUPT", "SQLITE_IOERR", "SQLITE_LOCKED",
            "SQLITE_NOLFS", "SQLITE_NOMEM", "SQLITE_PERM", "SQLITE_PROTOCOL", "SQLITE_READONLY")  # fmt: skip
"""The beginnings of SQLite's error names that mean the disk or another program, not the content of the file."""
DISK_FULL_REASON = text("the disk is full.")
DISK_FULL_SENTENCE = text("The disk is full: delete something, or nothing more can be saved.")
MIN_FREE_BYTES = 64 * 1024
"""A disk with fewer free bytes counts as full. SQLite's index of its write-ahead log alone takes half of this."""


class StoreError(UnusableError):
    """The store cannot be used.

    `str` is one sentence for the players, `short_sentence` the reason alone, for the panel.
    """

    def __init__(self, summary: str, cause: str = "") -> None:
        super().__init__(text("{what}: {why}", what=summary, why=cause) if cause else summary, cause or summary)


class StoreBusyError(StoreError):
    """Another program has locked the database for the moment. Nothing was written; the caller can try again."""


class FolderInUseError(StoreError):
    """Another table is running on the same folder."""


class StoreDamagedError(StoreError):
    """A file was cut short, overwritten or removed, before or after it was opened."""


def is_damage(error: Exception) -> bool:
    """Whether an error from reading a database means that its content is damaged.

    Every error does, unless it has another known reason: the disk, a lock, too little memory, a missing library.
    """
    if isinstance(error, (StoreError, OSError, MemoryError, ImportError)):
        return isinstance(error, StoreDamagedError)
    code = getattr(error, "sqlite_errorname", None) or "SQLITE_ERROR"
    return not code.startswith((*OUTSIDE_ERRORS, "SQLITE_CONSTRAINT"))


def is_io_or_permission_error(error: Exception) -> bool:
    """Whether a file is unusable in its place, for its sectors or permissions, while a new file may be usable."""
    if isinstance(error, OSError):
        return isinstance(error, PermissionError) or error.errno in (errno.EIO, errno.EUCLEAN, errno.EBADMSG)
    code = getattr(error, "sqlite_errorname", None) or ""
    return code.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM"))


def failure_reason(error: BaseException, folder: Path | None = None) -> str:
    """Why an operation on the disk failed, as the end of a sentence.

    The free space of `folder` is checked if it is given.
    """
    name = getattr(error, "sqlite_errorname", None) or ""
    number = getattr(error, "errno", None)
    if is_locked_error(error):
        return text("another program is using the rounds: close it.")
    full = "SHM" in name and folder is not None and is_disk_full(folder)
    if full or "FULL" in name or number in (errno.ENOSPC, errno.EDQUOT):
        return DISK_FULL_REASON
    if isinstance(error, MemoryError):
        return text("there is not enough memory.")
    if number == errno.EROFS or (folder is not None and _is_read_only(folder)):
        return text("the disk is read-only: restart, and if that does not help, the card is worn out.")
    if "IOERR" in name or number in (errno.EIO, errno.EFBIG):
        return text("the disk does not answer.")
    if "READONLY" in name or "CANTOPEN" in name or isinstance(error, PermissionError):
        return text("no permission (only members of the group companion have it, after their next login).")
    return text("{why}.", why=os_error_text(error)) if isinstance(error, OSError) else f"{error}."


def unreadable_rounds_text(folder: Path) -> str:
    """The beginning of the sentence about rounds that cannot be read."""
    return text("The rounds in {folder} cannot be read", folder=folder)


def is_locked_error(error: BaseException) -> bool:
    """Whether another connection holds a lock on the database."""
    return (getattr(error, "sqlite_errorname", None) or "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def _is_read_only(folder: Path) -> bool:
    """Whether a folder's file system is read-only. The kernel remounts a worn-out SD card read-only."""
    try:
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def is_disk_full(folder: Path) -> bool:
    """Whether the disk of a folder counts as full."""
    try:
        status = os.statvfs(folder)
    except OSError:
        return False
    return status.f_bavail * status.f_frsize < MIN_FREE_BYTES


@contextmanager
def raising_store_errors(summary: str, folder: Path) -> Iterator[None]:
    """Within this context, raise errors of SQLite and of the disk as StoreError, with the text "`summary`: reason".

    Damage is raised as StoreDamagedError, another program's lock as StoreBusyError.
    """
    import sqlite3  # Imported late, but loaded already: the caller has a database open.

    try:
        yield
    except sqlite3.OperationalError as error:
        if "Could not decode" in str(error):
            raise StoreDamagedError(summary, f"{error}.") from error
        error_class = StoreBusyError if is_locked_error(error) else StoreError
        raise error_class(summary, failure_reason(error, folder)) from error
    except sqlite3.IntegrityError as error:  # An error of the program: a new file would not help.
        raise StoreError(summary, f"{error}.") from error
    except sqlite3.DatabaseError as error:
        raise StoreDamagedError(summary, f"{error}.") from error
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise StoreDamagedError(summary, text("they are damaged.")) from error  # A stored value was changed.
    except OSError as error:
        raise StoreError(summary, failure_reason(error, folder)) from error

"""The store's errors, and how errors of SQLite and of the disk become them. Usable without importing SQLite.

Three questions are asked of an error, since each has another remedy: is the content damaged (`is_damage`), is the file
unusable in its place (`is_unusable_in_place`), or does another program hold it (`is_locked_error`)?
"""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion import UnusableError
from companion.languages import text, os_error_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

REFUSALS = ("SQLITE_BUSY", "SQLITE_CANTOPEN", "SQLITE_FULL", "SQLITE_INTERRUPT", "SQLITE_IOERR", "SQLITE_LOCKED",
            "SQLITE_NOLFS", "SQLITE_NOMEM", "SQLITE_PERM", "SQLITE_PROTOCOL", "SQLITE_READONLY")  # fmt: skip
"""The beginnings of SQLite's error names that mean the disk or another program, not the content of the file."""
FULL = text("the disk is full.")
NO_ROOM = text("The disk is full: delete something, or nothing more can be saved.")
LITTLE = 64 * 1024
"""A disk with fewer free bytes counts as full. SQLite's index of its write-ahead log alone takes half of this."""


class StoreError(UnusableError):
    """The store cannot be used.

    `str` is one sentence for the players, `short_sentence` the reason alone, for the panel.
    """

    def __init__(self, what: str, why: str = "") -> None:
        super().__init__(text("{what}: {why}", what=what, why=why) if why else what, why or what)


class Busy(StoreError):
    """Another program has locked the database for the moment. Nothing was written; the caller can try again."""


class InUse(StoreError):
    """Another table is running on the same folder."""


class Damaged(StoreError):
    """A file was cut short, overwritten or removed, before or after it was opened."""


def is_damage(error: Exception) -> bool:
    """Whether an error from reading a database means that its content is damaged.

    Every error does, unless it has another known reason: the disk, a lock, too little memory, a missing library.
    """
    if isinstance(error, (StoreError, OSError, MemoryError, ImportError)):
        return isinstance(error, Damaged)
    code = getattr(error, "sqlite_errorname", None) or "SQLITE_ERROR"
    return not code.startswith((*REFUSALS, "SQLITE_CONSTRAINT"))


def is_spoiled(error: Exception) -> bool:
    """Whether a file is unusable in its place, for its sectors or permissions, while a new file may be usable."""
    if isinstance(error, OSError):
        return isinstance(error, PermissionError) or error.errno in (errno.EIO, errno.EUCLEAN, errno.EBADMSG)
    code = getattr(error, "sqlite_errorname", None) or ""
    return code.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM"))


def reason(error: BaseException, folder: Path | None = None) -> str:
    """Why an operation on the disk failed, as the end of a sentence.

    The free space of `folder` is checked if it is given.
    """
    name = getattr(error, "sqlite_errorname", None) or ""
    number = getattr(error, "errno", None)
    if is_busy(error):
        return text("another program is using the rounds: close it.")
    full = "SHM" in name and folder is not None and has_no_room(folder)
    if full or "FULL" in name or number in (errno.ENOSPC, errno.EDQUOT):
        return FULL
    if isinstance(error, MemoryError):
        return text("there is not enough memory.")
    if number == errno.EROFS or (folder is not None and _read_only(folder)):
        return text("the disk is read-only: restart, and if that does not help, the card is worn out.")
    if "IOERR" in name or number in (errno.EIO, errno.EFBIG):
        return text("the disk does not answer.")
    if "READONLY" in name or "CANTOPEN" in name or isinstance(error, PermissionError):
        return text("no permission (only members of the group companion have it, after their next login).")
    return text("{why}.", why=os_error_text(error)) if isinstance(error, OSError) else f"{error}."


def cannot_be_read(where: Path) -> str:
    """The beginning of the sentence about rounds that cannot be read."""
    return text("The rounds in {folder} cannot be read", folder=where)


def is_busy(error: BaseException) -> bool:
    """Whether another connection holds a lock on the database."""
    return (getattr(error, "sqlite_errorname", None) or "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def _read_only(folder: Path) -> bool:
    """Whether a folder's file system is read-only. The kernel remounts a worn-out SD card read-only."""
    try:
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def has_no_room(folder: Path) -> bool:
    """Whether the disk of a folder counts as full."""
    try:
        found = os.statvfs(folder)
    except OSError:
        return False
    return found.f_bavail * found.f_frsize < LITTLE


@contextmanager
def telling(what: str, folder: Path) -> Iterator[None]:
    """Within this context, raise errors of SQLite and of the disk as StoreError, with the text "`summary`: reason".

    Damage is raised as StoreDamagedError, another program's lock as StoreBusyError.
    """
    import sqlite3  # Imported late, but loaded already: the caller has a database open.

    try:
        yield
    except sqlite3.OperationalError as error:
        if "Could not decode" in str(error):
            raise Damaged(what, f"{error}.") from error
        kind = Busy if is_busy(error) else StoreError
        raise kind(what, reason(error, folder)) from error
    except sqlite3.IntegrityError as error:  # An error of the program: a new file would not help.
        raise StoreError(what, f"{error}.") from error
    except sqlite3.DatabaseError as error:
        raise Damaged(what, f"{error}.") from error
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise Damaged(what, text("they are damaged.")) from error  # A stored value was changed.
    except OSError as error:
        raise StoreError(what, reason(error, folder)) from error

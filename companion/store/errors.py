"""The store's errors; usable without importing SQLite."""

from __future__ import annotations

from companion import Unusable
from companion.languages import text

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
    """Whether an error of reading a database is due to what lies in it.

    It is, unless it has one of the other reasons: the disk, a lock, a lack of memory, a part that is not installed.
    """
    if isinstance(error, (StoreError, OSError, MemoryError, ImportError)):
        return isinstance(error, Damaged)
    code = getattr(error, "sqlite_errorname", None) or "SQLITE_ERROR"
    return not code.startswith(REFUSALS)

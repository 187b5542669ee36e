"""Reads a database without changing any file: through SQLite, or from a copy in memory.

Even for reading, SQLite has to create the WAL's index (-shm), which fails on a full or read-only disk.
"""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING
from urllib.parse import quote_from_bytes

from companion.store import log
from companion.store.lock import StoreError, plain, plain_bytes

if TYPE_CHECKING:
    from pathlib import Path

REFUSALS = ("SQLITE_IOERR_SHM", "SQLITE_FULL", "SQLITE_CANTOPEN", "SQLITE_READONLY")
"""How SQLite's names of such errors begin."""
TRIES = 10
"""How often a copy is tried again if the file changes meanwhile."""
WITH_LOG, WITHOUT_LOG = b"\2\2", b"\1\1"
"""The bytes at `FORM` of a database in WAL mode, and of any other."""
FORM = slice(18, 20)

_kept_open: dict[tuple[int, int], int] = {}
"""Descriptors of copied databases, by device and inode: closing one would drop all this process's locks on it."""


def read_only(path: Path) -> sqlite3.Connection:
    """A read-only connection. A fault of the file is raised at its first use, not here."""
    # `Path.as_uri` of Python 3.13 imports urllib when called; root may act as a user who cannot read the library then.
    db = sqlite3.connect(f"file://{quote_from_bytes(os.fsencode(path.resolve()))}?mode=ro", uri=True)
    try:
        db.execute("SELECT 1 FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorname", "").startswith(REFUSALS):
            copy = _copy(path)
            if copy is not None:
                db.close()
                return copy
    except (sqlite3.DatabaseError, ValueError):  # A message that quotes bytes that are no UTF-8.
        pass
    return db


def _copy(path: Path) -> sqlite3.Connection | None:
    """A copy in memory of the file and its WAL; None if they cannot be read."""
    try:
        data = _bytes(path)
    except (OSError, StoreError):
        return None
    if data is None or data[FORM] != WITH_LOG:
        return None
    db = sqlite3.connect(":memory:")
    db.deserialize(data[: FORM.start] + WITHOUT_LOG + data[FORM.stop :])
    db.execute("PRAGMA query_only = ON")
    return db


def _bytes(path: Path) -> bytes | None:
    """A database's bytes with its WAL applied; None if a table kept changing it. Raises StoreError, OSError.

    If the WAL is the same before and after reading, a checkpoint in between does no harm: its pages are in the WAL.
    """
    for _ in range(TRIES):
        before = plain_bytes(path.with_name(path.name + "-wal"))
        fd = _opened(path)
        data = os.pread(fd, os.fstat(fd).st_size, 0)
        if plain_bytes(path.with_name(path.name + "-wal")) == before:
            return log.brought_in(data, before)
    return None


def _opened(path: Path) -> int:
    here = os.stat(path)
    key = here.st_dev, here.st_ino
    if key not in _kept_open:
        _kept_open[key] = plain(path)
    return _kept_open[key]

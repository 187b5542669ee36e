"""A database that is read without changing anything: through SQLite, or from a copy in memory.

SQLite makes an index (-shm) of the log also to read it. A disk that is full, or that can only be read, has no room for
one.
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
"""What SQLite's names of such errors begin with."""
TRIES = 10
"""So often a file is copied that changes meanwhile."""
WITH_LOG, WITHOUT_LOG = b"\2\2", b"\1\1"
"""What a database has at `FORM` where its commits go through a log, and where not."""
FORM = slice(18, 20)

_kept_open: dict[tuple[int, int], int] = {}
"""Databases that were copied, by device and number. Closing one would drop all locks that this process has on it."""


def read_only(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing. A fault of the file is raised at its first use, not here."""
    # `Path.as_uri` of Python 3.13 loads its quoting late, when root may act as somebody who cannot read the library.
    db = sqlite3.connect(f"file://{quote_from_bytes(os.fsencode(path.resolve()))}?mode=ro", uri=True)
    try:
        db.execute("SELECT 1 FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorname", "").startswith(REFUSALS):
            copy = _copy(path)
            if copy is not None:
                db.close()
                return copy
    except sqlite3.DatabaseError:
        pass
    return db


def _copy(path: Path) -> sqlite3.Connection | None:
    """A database in memory with all that file and log hold; None where they cannot be read."""
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
    """A database with what waits in its log; None where a table changes it all the time. Raises StoreError, OSError.

    While the log is the same before and after, whatever is brought in meanwhile stands in it too.
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

"""Reads the rounds of a data folder and changes nothing: beside a running table, from damaged files, on a full disk."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from companion.languages import text
from companion.store import database
from companion.store.data_folder import LOCK, read_small_file
from companion.store.database import DATABASE
from companion.store.errors import Damaged, StoreError, cannot_be_read, is_busy, is_damage, reason
from companion.store.found_files import FoundFiles
from companion.store.journal import JOURNAL, WINDOW, entries_after
from companion.store.journal_lines import understood
from companion.store.notices import Told
from companion.store.open_store import NOT_YET
from companion.store.store_queries import StoreQueries

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class ReadOnlyStore(StoreQueries):
    """The rounds of a data folder, for reading. No file is changed, and none stays locked.

    If no table is running, damaged files are read as far as possible; to find that out, the table's lock is taken for a
    moment. With `is_beside_table` the lock is not touched, so that a table can start at any time, and no damage is
    searched for.

    `warning_text` has sentences about damage, "" for none. Raises StoreError.
    """

    def __init__(
        self, folder: Path, now: Callable[[], datetime] = lambda: datetime.now(UTC), *, beside: bool = False
    ) -> None:
        self.folder, self._now, self.warning = folder, now, ""
        try:
            if beside or table_runs(folder):
                self._db = _beside_table(folder)
            else:
                self._db, self.warning = _without_table(folder)
        except StoreError:
            raise
        except Exception as error:
            if is_damage(error):
                message = "The rounds in {folder} are damaged ({why}): start the table to repair them."
                raise Damaged(text(message, folder=folder, why=error)) from error
            raise StoreError(cannot_be_read(folder), reason(error, folder)) from error

    @property
    def db(self) -> sqlite3.Connection:
        return self._db

    def close(self) -> None:
        self._db.close()


def _beside_table(folder: Path) -> sqlite3.Connection:
    """Open the database of a running table. If it is not built yet, read a small journal into memory.

    Raises StoreError, sqlite3.Error, OSError.
    """
    path, journal = folder / DATABASE, folder / JOURNAL
    with contextlib.suppress(StoreError, sqlite3.DatabaseError):
        database.refuse_what_is_no_file(path)
        db = database.read_only(path)
        try:
            if database.fits(db) and database.is_complete(db):
                return db
        except sqlite3.Error as error:
            if is_busy(error):
                raise StoreError(cannot_be_read(folder), reason(error, folder)) from error
        db.close()
    if not journal.exists():
        raise StoreError(text("No rounds are saved in {folder}.", folder=folder))
    if journal.stat().st_size > WINDOW:
        raise StoreError(text("The rounds cannot be listed yet"), NOT_YET)
    return database.of_entries(":memory:", entries_after(journal, -1))


def _without_table(folder: Path) -> tuple[sqlite3.Connection, str]:
    """Open the database as it was left, or read what can be read into memory. Also returns sentences about damage.

    Raises StoreError, sqlite3.Error, OSError.
    """
    with contextlib.closing(FoundFiles(folder)) as found:
        lag, db = found.lag(), found.db
        if lag is not None and db is not None and not found.others_differ and database.is_complete(db):
            if not lag:
                found.db = None
                return db, ""
            made = sqlite3.connect(":memory:")
            db.backup(made)
            return database.take_in(made, entries_after(folder / JOURNAL, database.top(made))), ""
        if found.intact is not None and found.db is None and not found.others_differ:
            return database.of_entries(":memory:", entries_after(folder / JOURNAL, -1)), ""
        diagnosis = found.diagnose()
        if diagnosis.top < 0:
            if found.refused is not None:
                raise found.refused
            raise StoreError(text("No rounds are saved in {folder}.", folder=folder))
        said = Told(tuple(found.warnings(diagnosis, began=bool(read_small_file(folder / LOCK))))).words
        made = database.of_entries(":memory:", understood(diagnosis.lines()))
        return made, text("{damage} Start the table to repair this.", damage=said) if said else ""


def table_runs(folder: Path) -> bool:
    """Whether a table has locked the folder.

    True if that is unknown, for then only the table should check the files.
    """
    try:
        fd = os.open(folder / LOCK, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(fd)
    return False

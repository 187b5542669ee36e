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
from companion.store.data_folder import LOCK_NAME, read_small_file
from companion.store.database import DATABASE_NAME
from companion.store.errors import (
    StoreDamagedError,
    StoreError,
    failure_reason,
    is_damage,
    is_locked_error,
    unreadable_rounds_text,
)
from companion.store.found_files import FoundFiles
from companion.store.journal import JOURNAL_NAME, RECENT_BYTES, entries_after
from companion.store.journal_lines import parse_entries
from companion.store.open_store import NOT_LISTED_YET
from companion.store.store_queries import StoreQueries
from companion.store.store_warnings import StoreWarnings

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
        self, folder: Path, now: Callable[[], datetime] = lambda: datetime.now(UTC), *, is_beside_table: bool = False
    ) -> None:
        self.folder, self._now, self.warning_text = folder, now, ""
        try:
            if is_beside_table or is_table_running(folder):
                self._db = _open_beside_table(folder)
            else:
                self._db, self.warning_text = _open_without_table(folder)
        except StoreError:
            raise
        except Exception as error:
            if is_damage(error):
                message = "The rounds in {folder} are damaged ({why}): start the table to repair them."
                raise StoreDamagedError(text(message, folder=folder, why=error)) from error
            raise StoreError(unreadable_rounds_text(folder), failure_reason(error, folder)) from error

    @property
    def database(self) -> sqlite3.Connection:
        return self._db

    def close(self) -> None:
        self._db.close()


def _open_beside_table(folder: Path) -> sqlite3.Connection:
    """Open the database of a running table. If it is not built yet, read a small journal into memory.

    Raises StoreError, sqlite3.Error, OSError.
    """
    path, journal = folder / DATABASE_NAME, folder / JOURNAL_NAME
    with contextlib.suppress(StoreError, sqlite3.DatabaseError):
        database.refuse_irregular_files(path)
        db = database.open_read_only(path)
        try:
            if database.has_current_tables(db) and database.has_all_rounds(db):
                return db
        except sqlite3.Error as error:
            if is_locked_error(error):
                raise StoreError(unreadable_rounds_text(folder), failure_reason(error, folder)) from error
        db.close()
    if not journal.exists():
        raise StoreError(text("No rounds are saved in {folder}.", folder=folder))
    if journal.stat().st_size > RECENT_BYTES:
        raise StoreError(text("The rounds cannot be listed yet"), NOT_LISTED_YET)
    return database.create_from_entries(":memory:", entries_after(journal, -1))


def _open_without_table(folder: Path) -> tuple[sqlite3.Connection, str]:
    """Open the database as it was left, or read what can be read into memory. Also returns sentences about damage.

    Raises StoreError, sqlite3.Error, OSError.
    """
    with contextlib.closing(FoundFiles(folder)) as files:
        missing_writes, db = files.count_missing_writes(), files.database
        if missing_writes is not None and db is not None and not files.others_differ and database.has_all_rounds(db):
            if not missing_writes:
                files.database = None
                return db, ""
            copy = sqlite3.connect(":memory:")
            db.backup(copy)
            return database.add_entries(copy, entries_after(folder / JOURNAL_NAME, database.last_number(copy))), ""
        if files.intact_fingerprint is not None and files.database is None and not files.others_differ:
            return database.create_from_entries(":memory:", entries_after(folder / JOURNAL_NAME, -1)), ""
        diagnosis = files.diagnose()
        if diagnosis.last_number < 0:
            if files.read_error is not None:
                raise files.read_error
            raise StoreError(text("No rounds are saved in {folder}.", folder=folder))
        warnings = files.find_warnings(diagnosis, has_saved_rounds=bool(read_small_file(folder / LOCK_NAME)))
        sentences = StoreWarnings(tuple(warnings)).sentences
        copy = database.create_from_entries(":memory:", parse_entries(diagnosis.read_lines()))
        return copy, text("{damage} Start the table to repair this.", damage=sentences) if sentences else ""


def is_table_running(folder: Path) -> bool:
    """Whether a table has locked the folder.

    True if that is unknown, for then only the table should check the files.
    """
    try:
        fd = os.open(folder / LOCK_NAME, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
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

"""The rounds of a data folder, only to be read: beside a running table, damaged, or on a full or read-only disk."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from companion.languages import text
from companion.store import index, index_file
from companion.store.data_folder import LOCK, open_for_reading
from companion.store.errors import Damaged, StoreError, cannot_be_read, is_damage, reason
from companion.store.journal_files import diagnosis, second, whole_files
from companion.store.journal_files.diagnosis import Source
from companion.store.journal_files.journal_lines import understood
from companion.store.store_queries import StoreQueries

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

TRIES, MOMENT = 20, 0.01
"""How often, and after how many seconds, an index is looked at again that is behind its journal."""


class ReadOnlyStore(StoreQueries):
    """The rounds of a data folder, which are only read: no file is locked or changed.

    If no table is running, damaged files are read as far as possible. To find that out, the table's lock is taken for a
    moment; with `beside` it is not, so that a table can start at any time, and no damage is looked for.

    `warning` has the sentences about damage, "" for none. Raises StoreError.
    """

    def __init__(
        self, folder: Path, now: Callable[[], datetime] = lambda: datetime.now(UTC), *, beside: bool = False
    ) -> None:
        self.folder, self._now = folder, now
        self._connection, self.warning = _opened(folder, beside=beside)

    @property
    def db(self) -> sqlite3.Connection:
        """The index, open."""
        return self._connection

    def close(self) -> None:
        """Close the index."""
        self._connection.close()


def _opened(folder: Path, *, beside: bool) -> tuple[sqlite3.Connection, str]:
    """A read-only connection, and sentences about damage. Raises StoreError."""
    try:
        return _index_of(folder, beside=beside)
    except StoreError:
        raise
    except Exception as error:
        if is_damage(error):
            message = "The rounds in {folder} are damaged ({why}); start the table to mend them."
            raise Damaged(text(message, folder=folder, why=error)) from error
        raise StoreError(cannot_be_read(folder), reason(error, folder)) from error


def _index_of(folder: Path, *, beside: bool) -> tuple[sqlite3.Connection, str]:
    """As `_opened`. Raises what reading raises, too."""
    paths = second.paths(folder)
    there = next((path for path in paths if path.exists()), None)
    if there is None:
        raise StoreError(text("No rounds are kept in {folder}.", folder=folder))
    file = folder / index.INDEX
    index_file.refuse_what_is_no_file(file)
    runs = beside or table_runs(folder)
    note = index_file.noted(file)
    whole = file.exists() and (runs or index_file.file_sum(file) == note.file)
    db = index.read_only(file) if whole else None
    if db is not None and not index.fits(db):
        db.close()
        db = None
    if not runs or db is None:
        seen = whole_files.looked_at(paths, note.lines)
        if seen is None or (db is not None and index.top(db) > seen.top):
            away = second.place(folder) is not None and not paths[1].exists()
            made, said = _from_all(paths, db, away=away)
            return made, "" if runs else said  # What a running table has just written may be in one file only.
    if db is None:
        return index.of_lines(":memory:", whole_files.after(there, -1)), ""
    for _ in range(TRIES):  # A table writes the index after the journal: soon, or not at all on a full disk.
        if next(whole_files.after(there, index.top(db)), None) is None:
            return db, ""
        time.sleep(MOMENT)
    copy = sqlite3.connect(":memory:")
    with contextlib.closing(db):
        db.backup(copy)
    return index.take_in(copy, whole_files.after(there, index.top(copy))), ""


def _from_all(paths: Sequence[Path], db: sqlite3.Connection | None, *, away: bool) -> tuple[sqlite3.Connection, str]:
    """What both files have together, in memory, and the sentences about it."""
    with contextlib.ExitStack() as undo:
        if db is not None:
            undo.callback(db.close)
        sources = []
        for path in paths:
            fd = open_for_reading(path) if path.exists() else os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
            undo.callback(os.close, fd)
            sources.append(Source(fd))
        state = diagnosis.judged(paths, sources, index.Spare(db) if db is not None else None, away=away)
        said = diagnosis.to_tell(state).words
        made = index.of_lines(":memory:", understood(state.together.lines()))
        return made, text("{damage} Start the table to have that mended.", damage=said) if said else ""


def table_runs(folder: Path) -> bool:
    """Whether a table has locked the folder, or that is unknown: then only the table checks the files."""
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

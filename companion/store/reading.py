"""Opens a store for reading, even beside a running table, damaged, or on a full or read-only disk."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
from typing import TYPE_CHECKING

from companion.store import carve, opening, rescue
from companion.store.copied import read_only
from companion.store.file import reason
from companion.store.lock import LOCK, Damaged, StoreError, is_damage
from companion.store.schema import VERSION, migrate

if TYPE_CHECKING:
    from pathlib import Path


def opened_for_reading(path: Path, *, beside: bool = False) -> tuple[sqlite3.Connection, str]:
    """A read-only connection, and sentences for the user about damage ("" for none). Raises StoreError.

    If no table is running, a damaged file is read as far as possible, and nothing is set aside. To find that out, the
    table's lock is taken for a moment; with `beside` it is not, so that a table can start at any time.
    """
    try:
        return _opened(path, beside)
    except StoreError:
        raise
    except Exception as error:
        if is_damage(error):
            raise Damaged(
                f"The rounds in {path.parent} are damaged ({error}); start the table to set them aside."
            ) from error
        raise StoreError(f"The rounds in {path.parent} cannot be read", reason(error, path.parent)) from error


def _opened(path: Path, beside: bool) -> tuple[sqlite3.Connection, str]:
    """As `opened_for_reading`. Raises what reading raises, too."""
    log_alone = not path.exists() and path.with_name(path.name + "-wal").exists()
    if not path.exists() and not log_alone:
        raise StoreError(f"No rounds are kept in {path.parent}.")
    opening.refuse_what_is_no_file(path)
    warning = ""
    if not beside and not _table_runs(path.parent):
        seen = opening.inspect_files(path)
        warning = opening.LAST_ENTRY if seen.torn else ""
        if not seen.well and not _is_whole(path, seen):
            return _rescued(path, seen.top)
    elif log_alone:
        raise Damaged(f"The file of the rounds in {path.parent} is gone.")
    db = read_only(path)
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version != VERSION:
        db.close()
        raise StoreError(f"The rounds in {path.parent} were kept by {_other(version)}.")
    return db, warning


def _is_whole(path: Path, seen: opening.Look) -> bool:
    """Whether a database that looks damaged is intact, or of another version."""
    if not path.exists():
        return False
    with contextlib.closing(read_only(path)) as db:
        if opening.version_of(path, db) not in (0, VERSION):
            return True
        found = None if seen.broken else rescue.checked(db)
        return found is not None and found.whole and found.top >= seen.top


def _rescued(path: Path, top: int) -> tuple[sqlite3.Connection, str]:
    """What can be read of a damaged database, in memory, and the sentences about it; nothing is changed."""
    expected: rescue.Counts = {}
    if path.exists():
        with contextlib.closing(read_only(path)) as db:
            expected = rescue.counts(db)
    with carve.images(path, opening.PAGE) as both:
        found = rescue.carved(both, expected)
        made = rescue.built(":memory:", found)
    migrate(made)
    return made, f"The kept rounds are damaged. {found.said(top)} Start the table to set the damage aside."


def _table_runs(folder: Path) -> bool:
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


def _other(version: int) -> str:
    return "a newer version of the program" if version > VERSION else "an older version; start the table once"

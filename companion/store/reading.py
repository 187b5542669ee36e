"""Opens a store for reading, even beside a running table, damaged, or on a full or read-only disk."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
from typing import TYPE_CHECKING

from companion.store import opening, rescue
from companion.store.copied import read_only
from companion.store.file import reason
from companion.store.lock import LOCK, StoreError, plain_bytes
from companion.store.schema import VERSION

if TYPE_CHECKING:
    from pathlib import Path


def opened_for_reading(path: Path, *, beside: bool = False) -> tuple[sqlite3.Connection, str]:
    """A read-only connection, and sentences for the user about damage ("" for none). Raises StoreError.

    If no table is running, a damaged file is read as far as possible, and nothing is set aside. To find that out, the
    table's lock is taken for a moment; with `beside` it is not, so that a table can start at any time.
    """
    try:
        if not path.exists():
            raise StoreError(f"No rounds are kept in {path.parent}.")
        opening.refuse_what_is_no_file(path)
        warning = ""
        if not beside and not _table_runs(path.parent):
            seen = opening.look(path)
            warning = opening.LAST_ENTRY if seen.torn else ""
            if not seen.well:
                found = _examined(path, seen)
                if found is not None:
                    return rescue.built(":memory:", found), (
                        f"The kept rounds are damaged. {found.said(seen.top)} Start the table to set the damage aside."
                    )
        db = read_only(path)
        version = db.execute("PRAGMA user_version").fetchone()[0]
    except (OSError, sqlite3.OperationalError) as error:
        raise StoreError(f"The rounds in {path.parent} cannot be read", reason(error, path.parent)) from error
    except sqlite3.DatabaseError as error:
        raise StoreError(
            f"The rounds in {path.parent} are damaged ({error}); start the table to set them aside."
        ) from error
    if version != VERSION:
        db.close()
        raise StoreError(f"The rounds in {path.parent} were kept by {_other(version)}.")
    return db, warning


def _examined(path: Path, seen: opening.Look) -> rescue.Recovered | None:
    """What can be read of a database that looks damaged; None if it is intact, or of another version."""
    with contextlib.closing(read_only(path)) as db:
        try:
            if db.execute("PRAGMA user_version").fetchone()[0] != VERSION:
                return None
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
        found = None if seen.broken else rescue.checked(db)
        expected = rescue.counts(db)
    if found is not None and found.whole and found.top >= seen.top:
        return None
    return rescue.carved(plain_bytes(path), opening.log_bytes(path), opening.PAGE, expected)


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

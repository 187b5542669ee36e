"""The file that rounds are kept in: opened so that a commit survives the plug being pulled, watched while it is open,
and moved aside, never deleted, where it turns out to be damaged.

A folder that a group shares (the service's, mode 2770) has files that the group shares too: a reader of a WAL
database needs to write its index, and whoever installed the service is such a reader.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from companion.store.lock import InUse, StoreError, locked, opened, share

__all__ = ["Damaged", "File", "InUse", "StoreError", "locked", "reason", "share"]

MAGIC = b"SQLite format 3\0"
PARTS = ("", "-wal", "-shm", "-journal")
"""The endings of the files that together are one database."""

MIGRATIONS = (
    """
    CREATE TABLE rounds (
        id INTEGER PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL, names TEXT NOT NULL, goal INTEGER NOT NULL,
        number INTEGER NOT NULL, wins TEXT NOT NULL, opened TEXT NOT NULL, begun TEXT NOT NULL,
        evening INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'running', result TEXT NOT NULL DEFAULT '');
    CREATE TABLE entries (
        id INTEGER PRIMARY KEY AUTOINCREMENT, round INTEGER NOT NULL REFERENCES rounds (id), kind TEXT NOT NULL,
        seat INTEGER NOT NULL, text TEXT NOT NULL, at TEXT NOT NULL, standing INTEGER NOT NULL DEFAULT 1);
    CREATE INDEX entries_by_round ON entries (round, id);
    CREATE TABLE seats (
        round INTEGER NOT NULL REFERENCES rounds (id), seat INTEGER NOT NULL, name TEXT NOT NULL,
        score INTEGER, won INTEGER, shared INTEGER, PRIMARY KEY (round, seat)) WITHOUT ROWID;
    CREATE INDEX seats_by_name ON seats (name);
    CREATE INDEX rounds_by_state ON rounds (state, id);
    CREATE INDEX rounds_by_evening ON rounds (evening, id);
    """,
    # Header lines of an imported record that the companion has no use for; they go out again with an export.
    "ALTER TABLE rounds ADD COLUMN other TEXT NOT NULL DEFAULT '[]';",
    # When and why a round ended; each player's rating after it, in its game and ("") in all games.
    """
    ALTER TABLE rounds ADD COLUMN ended TEXT NOT NULL DEFAULT '';
    ALTER TABLE rounds ADD COLUMN reason TEXT NOT NULL DEFAULT '';
    UPDATE rounds SET ended = coalesce((
        SELECT at FROM entries WHERE round = rounds.id AND kind = 'result' ORDER BY id DESC LIMIT 1), '')
        WHERE result != '';
    CREATE TABLE ratings (
        name TEXT NOT NULL, game TEXT NOT NULL, round INTEGER NOT NULL, mu REAL NOT NULL, sigma REAL NOT NULL,
        PRIMARY KEY (name, game, round)) WITHOUT ROWID;
    CREATE INDEX ratings_by_round ON ratings (round);
    """,
    # How long the player of an event has thought before it, 0 where the clock was off.
    "ALTER TABLE entries ADD COLUMN seconds REAL NOT NULL DEFAULT 0;",
)
"""What leads from one `user_version` to the next; a release only ever appends."""


class Damaged(StoreError):
    """The file was cut short, overwritten or removed, before it was opened or since."""


class File:
    """A database that is open for writing; `db` is its connection.

    Raises:
        Damaged: what is there is no whole database with our tables; nothing has been changed.
        StoreError: it cannot be opened, for the reason in the sentence.
        OSError: the folder cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        # Before SQLite, and closed after it: closing any descriptor of a file drops all of a process's locks on it.
        self._fd = opened(path)
        try:
            share(self._fd, path.parent)
            self._size = _check_before(self._fd, path)
            self.db = _connected(path)
            self._size = os.fstat(self._fd).st_size
        except BaseException:
            os.close(self._fd)
            raise

    def check(self) -> None:
        """Whether the file is still the one that was opened, and no shorter. Raises Damaged.

        SQLite holds most of a small file in memory: it would go on writing beside a ruin for a long time.
        """
        try:
            there, here = os.stat(self.path), os.fstat(self._fd)
        except OSError as error:
            raise Damaged("The file of rounds is gone.") from error
        if (there.st_dev, there.st_ino) != (here.st_dev, here.st_ino):
            raise Damaged("The file of rounds was replaced.")
        if here.st_size < self._size:
            raise Damaged("The file of rounds was cut short.")
        if os.pread(self._fd, len(MAGIC), 0) != MAGIC:
            raise Damaged("The file of rounds was overwritten.")
        self._size = here.st_size

    def close(self) -> None:
        """Close it; what waits in the log goes into the file."""
        with contextlib.suppress(sqlite3.Error):
            self.db.close()
        os.close(self._fd)


def opened_for_reading(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing, beside a running table. Raises StoreError."""
    try:
        if not path.exists():
            raise StoreError(f"No rounds are kept in {path.parent}.")
        db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        version = db.execute("PRAGMA user_version").fetchone()[0]
    except (PermissionError, sqlite3.OperationalError) as error:
        raise StoreError(f"The rounds in {path.parent} cannot be read: {reason(error)}") from error
    except sqlite3.DatabaseError as error:
        raise StoreError(
            f"The rounds in {path.parent} are damaged ({error}); start the table to set them aside."
        ) from error
    if version != len(MIGRATIONS):
        db.close()
        than = (
            "a newer version of the program" if version > len(MIGRATIONS) else "an older version; start the table once"
        )
        raise StoreError(f"The rounds in {path.parent} were kept by {than}.")
    return db


def set_aside(path: Path) -> Path:
    """Move a database out of the way with all its parts; nothing is deleted. Raises OSError."""
    aside = _free_name(f"{path}.damaged")
    for part in PARTS:
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + part).rename(aside.with_name(aside.name + part))
    return aside


def _free_name(start: str) -> Path:
    """`start` with the first number behind it by which no database lies there."""
    number = 1
    while any(os.path.lexists(f"{start}-{number}{part}") for part in PARTS):
        number += 1
    return Path(f"{start}-{number}")


def reason(error: BaseException) -> str:
    """Why the disk did not do what it should, with a full stop."""
    name = getattr(error, "sqlite_errorname", None) or ""
    if "FULL" in name:
        return "the disk is full."
    if "IOERR" in name:
        return "the disk does not answer."
    if "READONLY" in name or "CANTOPEN" in name or isinstance(error, PermissionError):
        return "no permission (members of the group companion have it, from their next login on)."
    return f"{error}."


def _check_before(fd: int, path: Path) -> int:
    """The size of a file that SQLite may have. Raises Damaged: SQLite itself may notice only much later."""
    size = os.fstat(fd).st_size
    log = path.with_name(path.name + "-wal")
    logged = log.exists() and log.stat().st_size > 0
    if not size:
        if logged:  # SQLite would take the database for a new one, and delete the log.
            raise Damaged("cut short")
        return 0
    head = os.pread(fd, 100, 0)
    if len(head) < 100 or not head.startswith(MAGIC):
        raise Damaged("no database")
    page = int.from_bytes(head[16:18], "big")
    # With a log the file may rightly be shorter than it says: the plug was pulled while the log was brought in.
    if not logged and size < (65536 if page == 1 else page) * int.from_bytes(head[28:32], "big"):
        raise Damaged("cut short")
    return size


def _connected(path: Path) -> sqlite3.Connection:
    """A connection that is safe against a power cut, with the newest tables. Raises Damaged, StoreError."""
    db = sqlite3.connect(path)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        # NORMAL would lose the last commits of a WAL database at a power cut.
        db.execute("PRAGMA synchronous = FULL")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version > len(MIGRATIONS):
            raise StoreError(f"The rounds in {path.parent} were kept by a newer version of the program.")
        found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise Damaged(str(found))
        if 0 < version < len(MIGRATIONS):
            _keep_copy(db, path.with_name(f"{path.name}.before-{version + 1}"))
        for number, script in enumerate(MIGRATIONS[version:], version + 1):
            db.executescript(f"BEGIN; {script} PRAGMA user_version = {number}; COMMIT;")
        for table in ("rounds", "entries", "seats"):
            db.execute(f"SELECT * FROM {table} LIMIT 1").fetchone()
    except (StoreError, OSError):
        db.close()
        raise
    except sqlite3.OperationalError as error:
        db.close()
        if error.sqlite_errorname == "SQLITE_ERROR":  # A database, but with other tables than ours.
            raise Damaged(str(error)) from error
        raise StoreError(f"The rounds in {path.parent} cannot be opened: {reason(error)}") from error
    except sqlite3.DatabaseError as error:
        db.close()
        raise Damaged(str(error)) from error
    return db


def _keep_copy(db: sqlite3.Connection, copy: Path) -> None:
    """Copy a database to a file beside it, for going back to an older program; it is on disk when this returns.

    Raises sqlite3.Error, OSError. A copy of that name that is there already is kept under another.
    """
    unfinished = copy.with_name(copy.name + ".part")
    unfinished.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(unfinished)) as to:
        db.backup(to)
        to.execute("PRAGMA journal_mode = DELETE")  # One file, without a log beside it.
    fd = os.open(unfinished, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        share(fd, copy.parent)
        os.fsync(fd)
    finally:
        os.close(fd)
    if copy.exists():
        copy.rename(_free_name(f"{copy}-old"))
    unfinished.rename(copy)
    sync_folder(copy.parent)


def sync_folder(folder: Path) -> None:
    """Wait until the names of the files in a folder are on disk. Raises OSError."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)

"""The database: the entries of the journal once more, and the tables computed from them.

The tables are for history, standings and ratings. The database is on disk before a move is shown, as the journal is,
and each can be rebuilt from the other.

``python -m companion.store.database FOLDER NAME`` builds a database from a journal, beside a running table.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import stat
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote_from_bytes

from companion.store import history, round_tables
from companion.store.data_folder import (
    delete_or_set_aside,
    irregular_file_error,
    open_for_writing,
    overwrite_file,
    read_small_file,
    set_file_aside,
    share_with_group,
)
from companion.store.errors import StoreError, is_damage, is_locked_error
from companion.store.journal import (
    JOURNAL_NAME,
    UNKNOWN_FINGERPRINT,
    Fingerprint,
    entries_after,
    file_fingerprint,
    recent_entries,
    sync_folder,
)
from companion.store.stored_entries import ENTRY_KINDS, make_entry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.store.stored_entries import EntryFields, StoredEntry

DATABASE_NAME = "rounds.db"
NEW_DATABASE_NAME = "rounds.db.new"
"""The name of a database while it is being built."""
FINGERPRINTS_NAME = "rounds.sums"
"""The file with the fingerprints of journal and database, as the program last left them."""
FILE_ENDINGS = ("", "-wal", "-shm", "-journal")
"""The endings of the names of a database's files."""
LONG_LOG_BYTES = 1024 * 1024
"""If SQLite's log has more bytes, it is checkpointed once a round has ended. A large database allows a longer log."""
ROOM_FOR_LOG_BYTES = 64 * LONG_LOG_BYTES
"""With less free space on the disk, an empty log is not filled up."""

FORMAT_VERSION = 6
"""The file's `user_version`. It is the sixth format in which rounds are saved; versions before 0.6 had lower ones."""
TABLES_VERSION = 4
"""Raised whenever the tables change, or an entry has another effect on them. Then the database is rebuilt."""

SCHEMA = """
CREATE TABLE log_entries (
    id INTEGER PRIMARY KEY, round INTEGER NOT NULL, kind TEXT NOT NULL, seat INTEGER NOT NULL, text TEXT NOT NULL,
    at TEXT NOT NULL, seconds REAL NOT NULL, clock TEXT NOT NULL, sum INTEGER NOT NULL);
CREATE INDEX log_entries_by_round ON log_entries (round);
CREATE TABLE rounds (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL, names TEXT NOT NULL, goal INTEGER NOT NULL,
    number INTEGER NOT NULL, wins TEXT NOT NULL, opened TEXT NOT NULL, begun TEXT NOT NULL,
    evening INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'running', result TEXT NOT NULL DEFAULT '',
    other TEXT NOT NULL DEFAULT '[]', ended TEXT NOT NULL DEFAULT '', reason TEXT NOT NULL DEFAULT '',
    match INTEGER NOT NULL DEFAULT 0, match_result TEXT NOT NULL DEFAULT '', clock TEXT NOT NULL DEFAULT '',
    void INTEGER NOT NULL DEFAULT 0,
    lines INTEGER NOT NULL DEFAULT 0, last INTEGER NOT NULL DEFAULT 0, seconds REAL, boot TEXT NOT NULL DEFAULT '',
    uptime REAL NOT NULL DEFAULT 0);
CREATE TABLE seats (
    round INTEGER NOT NULL REFERENCES rounds (id), seat INTEGER NOT NULL, name TEXT NOT NULL,
    score INTEGER, won INTEGER, shared INTEGER, PRIMARY KEY (round, seat)) WITHOUT ROWID;
CREATE TABLE ratings (
    name TEXT NOT NULL, game TEXT NOT NULL, round INTEGER NOT NULL, mu REAL NOT NULL, sigma REAL NOT NULL,
    PRIMARY KEY (name, game, round)) WITHOUT ROWID;
CREATE TABLE store (
    identity TEXT NOT NULL, lines INTEGER NOT NULL, last INTEGER NOT NULL, tables INTEGER NOT NULL,
    complete INTEGER NOT NULL);
CREATE INDEX seats_by_name ON seats (name);
CREATE INDEX rounds_by_state ON rounds (state, id);
CREATE INDEX rounds_by_evening ON rounds (evening, id);
CREATE INDEX rounds_by_boot ON rounds (boot, id);
CREATE INDEX rounds_by_match ON rounds (match, id);
CREATE INDEX ratings_by_round ON ratings (round);
"""
"""`log_entries.id` is the number of an entry. Entries of round 0 are about the store itself.

| column | meaning |
| --- | --- |
| `rounds.lines`, `rounds.last` | the number of a round's entries, -1 if some are lost; the checksum of the last one |
| `rounds.match` | the number of the match's first round, 0 for a single round |
| `rounds.clock` | the settings of the game clock |
| `rounds.evening` | the number of a day, 0 without a date |
| `rounds.seconds` | how long a finished round took, NULL if unknown |
| `rounds.boot`, `rounds.uptime` | as in the round's `StoredHeader` |
| `rounds.void` | 1 if the round's result no longer counts |
| `store.lines`, `store.last` | the same as for a round, of round 0 |
| `store.tables`, `store.complete` | `TABLES_VERSION`, and whether all rounds are in the database |

Up to version 0.7.10 the program imports the rounds of a `rounds.db` with a table `entries`, which versions before 0.6
had.
"""


def open_read_only(path: Path, *, is_immutable: bool = False) -> sqlite3.Connection:
    """Open a database read-only; `is_immutable` without any locks, if nobody changes it.

    Faults are raised at its first use.
    """
    # Not `Path.as_uri`, which imports urllib when called: root may act as a user who cannot read the library then.
    return sqlite3.connect(
        f"file://{quote_from_bytes(os.fsencode(path.resolve()))}?mode=ro{is_immutable * '&immutable=1'}", uri=True
    )


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Open a database read-only, even on a disk without room for SQLite's index of an empty log."""
    db = open_read_only(path)
    try:
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except (sqlite3.Error, ValueError) as error:
        log = database_part(path, "-wal")
        if not is_damage(error) and not is_locked_error(error) and not (log.exists() and log.stat().st_size):
            db.close()
            return open_read_only(path, is_immutable=True)
    return db


def has_current_tables(db: sqlite3.Connection) -> bool:
    """Whether a database has the tables of this version. Raises sqlite3.Error if it cannot be read."""
    if db.execute("PRAGMA user_version").fetchone()[0] != FORMAT_VERSION:
        return False
    return bool(db.execute("SELECT tables FROM store").fetchone() == (TABLES_VERSION,))


def has_all_rounds(db: sqlite3.Connection) -> bool:
    """Whether a database has all rounds, not only the last ones. Raises sqlite3.Error."""
    return bool(db.execute("SELECT complete FROM store").fetchone()[0])


def create_database(path: str | Path, *, is_complete: bool = True) -> sqlite3.Connection:
    """Create a database without entries at a path, or in memory (``:memory:``). Raises sqlite3.Error."""
    db = sqlite3.connect(path)
    # A file needs no log while it is built, since nobody reads it before it is complete.
    mode = "MEMORY" if str(path) == ":memory:" else "OFF"
    db.executescript(
        f"PRAGMA journal_mode = {mode}; PRAGMA synchronous = OFF; {SCHEMA} PRAGMA user_version = {FORMAT_VERSION};"
    )
    db.execute("INSERT INTO store VALUES ('', 0, 0, ?, ?)", (TABLES_VERSION, is_complete))
    return db


def create_from_entries(
    path: str | Path, entries: Iterable[StoredEntry], *, is_complete: bool = True
) -> sqlite3.Connection:
    """Create a database from the entries of a journal. Raises sqlite3.Error, StoreError, OSError."""
    return add_entries(create_database(path, is_complete=is_complete), entries)


def add_entries(db: sqlite3.Connection, entries: Iterable[StoredEntry]) -> sqlite3.Connection:
    """Add the entries of a journal that follow those of a database. Raises sqlite3.Error, StoreError, OSError."""
    with db:
        writer = EntryWriter(db)
        for entry in entries:
            writer.add_saved_entry(entry)
        writer.finish()
    return db


def last_number(db: sqlite3.Connection) -> int:
    """The number of the last entry of a database, 0 for none. Raises sqlite3.Error."""
    return int(db.execute("SELECT coalesce(max(id), 0) FROM log_entries").fetchone()[0])


class EntryWriter:
    """Adds entries to a database and its tables: saved ones from a journal, or new ones, which `new_entries` then has.

    Everything happens within the caller's transaction. Call `finish` at its end.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self.new_entries: list[StoredEntry] = []
        self.must_rate_all = False
        self._last_number = last_number(db)
        self._ends: dict[int, tuple[int, int]] = {}  # round → number of its entries, checksum of the last
        self._begun_rounds: set[int] = set()
        self._rows: list[StoredEntry] = []
        self._changed_results: set[int] = set()  # rounds with another result

    def append_entries(self, round_number: int, fields_of_entries: Iterable[EntryFields]) -> None:
        """Add new entries to a round. Raises sqlite3.Error, ValueError."""
        for kind, seat, text, date, seconds, clock in fields_of_entries:
            fields = (self._last_number + 1, round_number, kind, seat, text, date, float(seconds), clock)
            line = make_entry(fields, self._round_end(round_number)[1])
            self._take(line)
            self._apply_entry(line)
            self.new_entries.append(line)
        self._store_rows()

    def add_saved_entry(self, line: StoredEntry) -> None:
        """Add the next entry of a journal. An entry that belongs to a lost one has no effect on the tables."""
        self._take(line)
        try:
            if line.kind == "begin" and line.round in self._begun_rounds:
                round_tables.drop_round(self.db, line.round)  # No effect, unless the entry that dropped it is lost.
            self._apply_entry(line)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            return  # The entry may be a newer program's, or depend on one that is lost.

    def _take(self, line: StoredEntry) -> None:
        self._rows.append(line)
        self._last_number = line.id
        if len(self._rows) > 1000:
            self._store_rows()
        if line.kind != "lost":
            count, checksum_before = self._round_end(line.round)
            is_whole = count >= 0 and line.follows_checksum(checksum_before)
            self._ends[line.round] = (count + 1 if is_whole else -1, line.checksum)

    def _round_end(self, number: int) -> tuple[int, int]:
        if number not in self._ends:
            table, where = _table_and_condition(number)
            row = self.db.execute(f"SELECT lines, last FROM {table} WHERE {where}", (number,)).fetchone()
            self._ends[number] = row or (0, 0)
            if row and number:
                self._begun_rounds.add(number)
        return self._ends[number]

    def _apply_entry(self, line: StoredEntry) -> None:
        if line.kind not in ENTRY_KINDS or not (line.kind in ("store", "begin") or line.round in self._begun_rounds):
            return
        round_tables.apply_entry(self.db, line)
        if line.kind == "begin":
            self._begun_rounds.add(line.round)
        elif line.kind in ("result", "back", "drop", "void"):
            self._changed_results.add(line.round)
        elif line.kind == "rename":
            self.must_rate_all = True

    def finish(self) -> None:
        """Write what is still in memory, then matches and ratings. Raises sqlite3.Error."""
        self._store_rows()
        for number, (count, last) in self._ends.items():
            table, where = _table_and_condition(number)
            self.db.execute(f"UPDATE {table} SET lines = ?, last = ? WHERE {where}", (count, last, number))
        changed = sorted(self._changed_results)
        for number in changed:
            round_tables.recompute_match_wins(self.db, number)
        if self.must_rate_all or len(changed) > 100 or history.is_rated_after(self.db, changed):
            history.rate_all_rounds(self.db)
            return
        for number in changed:
            history.rate_round(self.db, number)

    def _store_rows(self) -> None:
        self.db.executemany("INSERT INTO log_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", self._rows)
        self._rows.clear()


def _table_and_condition(number: int) -> tuple[str, str]:
    """The table with the number and last checksum of a round's entries, and the condition for its row."""
    return ("rounds", "id = ?") if number else ("store", "? = 0")


# -- the file -----------------------------------------------------------------------------------------------------


class DatabaseFile:
    """A database that is open for writing. `fingerprint` is that of the file, without SQLite's log.

    Opening raises ValueError if it is not as it was left or has other tables, and sqlite3.Error, StoreError, OSError.
    """

    def __init__(self, path: Path, saved: Fingerprint) -> None:
        self.path, self.fingerprint = path, saved
        refuse_irregular_files(path)
        for part in FILE_ENDINGS[1:]:
            if os.path.lexists(file := database_part(path, part)) and not os.access(file, os.W_OK, effective_ids=True):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(file))
        # Opened before SQLite's and closed after them: closing any descriptor of a file drops all the process's locks.
        self._fd = open_for_writing(path, create=False)
        self.db = sqlite3.connect(":memory:")
        try:
            self.db = sqlite3.connect(path)
            if saved.size and file_fingerprint(self._fd) != saved:
                raise ValueError("not as it was left")
            share_with_group(self._fd, path.parent)
            if not has_current_tables(self.db):
                raise ValueError("other tables")
            for setting in ("journal_mode = WAL", "synchronous = FULL", "wal_autocheckpoint = 0"):
                self.db.execute(f"PRAGMA {setting}")
            self._fill_log()
            self._log_inode = self._read_log_inode()
        except BaseException:
            self.close_without_checkpoint()
            raise

    @property
    def _long_log_bytes(self) -> int:
        return max(LONG_LOG_BYTES, self.fingerprint.size // 16)

    def _fill_log(self) -> None:
        """Fill an empty log with zeros, which moves then overwrite: a file that does not grow syncs faster."""
        log = database_part(self.path, "-wal")
        with contextlib.suppress(OSError):
            disk = os.statvfs(self.path.parent)
            if log.stat().st_size == 0 and disk.f_bavail * disk.f_frsize > ROOM_FOR_LOG_BYTES:
                with open(log, "r+b", 0) as file:
                    file.write(bytes(self._long_log_bytes))
                    os.fsync(file.fileno())

    def _read_log_inode(self) -> int:
        """The inode of SQLite's log, 0 for none. Raises OSError."""
        with contextlib.suppress(FileNotFoundError):
            return database_part(self.path, "-wal").lstat().st_ino
        return 0

    def commit(self) -> None:
        """Commit; everything is on disk when this returns. Raises sqlite3.Error, and then nothing of it is there."""
        self.db.commit()
        with contextlib.suppress(OSError):
            self._log_inode = self._read_log_inode()

    def has_changed(self) -> bool:
        """Whether somebody has put other files in the place of the open ones. Raises OSError."""
        try:
            is_same = os.path.samestat(self.path.lstat(), os.fstat(self._fd))
            is_same = is_same and self._log_inode in (0, self._read_log_inode())
        except FileNotFoundError:
            return True
        return not is_same or os.fstat(self._fd).st_size < self.fingerprint.size

    def checkpoint_if_long(self, journal_fingerprint: Fingerprint) -> None:
        """Checkpoint SQLite's log into the file if it is long, and save the fingerprints.

        Never waits and never raises.
        """
        with contextlib.suppress(sqlite3.Error, StoreError, OSError):
            log = database_part(self.path, "-wal")
            if not self.fingerprint.size or (log.exists() and log.stat().st_size > self._long_log_bytes):
                checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)"
                self._change_file(journal_fingerprint, lambda: self.db.execute(checkpoint).fetchone())
            save_fingerprints(self.path.parent, journal_fingerprint, self.fingerprint)

    def _change_file(self, journal_fingerprint: Fingerprint, change: Callable[[], object]) -> None:
        """Let SQLite change the file, while its fingerprint is saved as unknown.

        A file that somebody else has changed is left alone, so that the next start notices it. Raises StoreError,
        sqlite3.Error, OSError.
        """
        if self.fingerprint.size and file_fingerprint(self._fd) != self.fingerprint:
            return
        save_fingerprints(self.path.parent, journal_fingerprint, UNKNOWN_FINGERPRINT, sync=True)
        # The log must be empty afterwards: damaged later, it would put earlier pages over those of the file.
        change()
        self.fingerprint = file_fingerprint(self._fd)
        self._fill_log()

    def close(self, journal_fingerprint: Fingerprint) -> None:
        """Checkpoint the log and close the database."""
        with contextlib.suppress(sqlite3.Error, StoreError, OSError):
            self._change_file(journal_fingerprint, self.db.close)
            save_fingerprints(self.path.parent, journal_fingerprint, self.fingerprint)
        self.close_without_checkpoint()

    def close_without_checkpoint(self) -> None:
        """Close the database as it is, without a checkpoint."""
        with contextlib.suppress(sqlite3.Error):
            self.db.close()
        with contextlib.suppress(OSError):
            os.close(self._fd)


def saved_fingerprints(folder: Path) -> tuple[Fingerprint, Fingerprint] | None:
    """The saved fingerprints of journal and database; `UNKNOWN_FINGERPRINT` for one that is being changed.

    None if none is saved.
    """
    try:
        check, *numbers = map(int, read_small_file(folder / FINGERPRINTS_NAME).split())
        fingerprints = Fingerprint(*numbers[:3]), Fingerprint(*numbers[3:])
    except (ValueError, TypeError):
        return None
    return fingerprints if check == _fingerprints_crc(*fingerprints) else None


def save_fingerprints(
    folder: Path, journal_fingerprint: Fingerprint, database_fingerprint: Fingerprint, *, sync: bool = False
) -> None:
    """Save the fingerprints.

    After a power cut they may be out of date, but they are never wrong. Raises StoreError, OSError.
    """
    check = _fingerprints_crc(journal_fingerprint, database_fingerprint)
    numbers = map(str, (check, *journal_fingerprint, *database_fingerprint))
    overwrite_file(folder / FINGERPRINTS_NAME, " ".join(numbers).encode(), sync=sync)


def _fingerprints_crc(*fingerprints: Fingerprint) -> int:
    return zlib.crc32(repr([[*each] for each in fingerprints]).encode())


def database_part(path: Path, ending: str) -> Path:
    """The path of one of a database's files."""
    return path.with_name(path.name + ending)


def refuse_irregular_files(path: Path) -> None:
    """Raise StoreError for a link or a pipe in the place of a file: SQLite would follow it, or wait for it.

    No file is opened here: closing it again would drop the locks that SQLite holds for this process.
    """
    for part in FILE_ENDINGS:
        with contextlib.suppress(FileNotFoundError):
            if not stat.S_ISREG(database_part(path, part).lstat().st_mode):
                raise irregular_file_error(database_part(path, part))


def set_database_aside(path: Path) -> str:
    """Give a database and its log another name, which is returned; "" if there is none. Raises OSError."""
    aside = ""
    for part in FILE_ENDINGS:
        if os.path.lexists(file := database_part(path, part)):
            if part == "" or not aside:
                aside = set_file_aside(file)
                for each in FILE_ENDINGS[1:]:  # Files of an earlier one, which SQLite would read together with this.
                    delete_or_set_aside(database_part(path.with_name(aside), each))
            else:
                file.rename(database_part(path.with_name(aside), part))
    return aside


def delete_database(path: Path) -> None:
    """Delete a database with all its files. Raises OSError."""
    for part in FILE_ENDINGS:
        delete_or_set_aside(database_part(path, part))


def build_database(folder: Path, name: str, *, is_complete: bool = True) -> None:
    """Build a database from a folder's journal, or from its last entries. On disk when this returns.

    Raises sqlite3.Error, StoreError, OSError.
    """
    path = folder / name
    delete_database(path)
    entries = entries_after(folder / JOURNAL_NAME, -1) if is_complete else recent_entries(folder / JOURNAL_NAME)
    with open(open_for_writing(path), "rb") as file:
        db = create_from_entries(path, entries, is_complete=is_complete)
        db.execute("PRAGMA journal_mode = WAL")  # Set now, so that opening it does not have to write to the file.
        db.close()
        share_with_group(file.fileno(), folder)
        os.fsync(file.fileno())


def install_new_database(folder: Path) -> Fingerprint:
    """Put a new database in the place of the old one, which nobody has open.

    Returns its fingerprint. Raises OSError.
    """
    delete_database(folder / DATABASE_NAME)
    with open(folder / NEW_DATABASE_NAME, "rb") as file:
        fingerprint = file_fingerprint(file.fileno())
    (folder / NEW_DATABASE_NAME).rename(folder / DATABASE_NAME)
    sync_folder(folder)
    return fingerprint


if __name__ == "__main__":
    os.nice(10)
    build_database(Path(sys.argv[1]), sys.argv[2])

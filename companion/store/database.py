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
    clear_place,
    no_plain_file,
    open_for_writing,
    overwrite,
    read_small_file,
    set_aside,
    share_with_group,
)
from companion.store.errors import StoreError, is_busy, is_damage
from companion.store.journal import (
    JOURNAL,
    UNKNOWN,
    Fingerprint,
    entries_after,
    file_fingerprint,
    recent_entries,
    sync_folder,
)
from companion.store.stored_lines import KINDS, sealed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.store.stored_lines import Fields, StoredLine

DATABASE = "rounds.db"
NEW = "rounds.db.new"
"""The name of a database while it is being built."""
SUMS = "rounds.sums"
"""The file with the fingerprints of journal and database, as the program last left them."""
PARTS = ("", "-wal", "-shm", "-journal")
"""The endings of the names of a database's files."""
LONG_LOG = 1024 * 1024
"""If SQLite's log has more bytes, it is checkpointed once a round has ended. A large database allows a longer log."""
MUCH_ROOM = 64 * LONG_LOG
"""With less free space on the disk, an empty log is not filled up."""

FORMAT = 6
"""The file's `user_version`. It is the sixth format in which rounds are saved; versions before 0.6 had lower ones."""
TABLES = 4
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


def read_only(path: Path, *, immutable: bool = False) -> sqlite3.Connection:
    """Open a database read-only; `is_immutable` without any locks, if nobody changes it.

    Faults are raised at its first use.
    """
    # Not `Path.as_uri`, which imports urllib when called: root may act as a user who cannot read the library then.
    return sqlite3.connect(
        f"file://{quote_from_bytes(os.fsencode(path.resolve()))}?mode=ro{immutable * '&immutable=1'}", uri=True
    )


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Open a database read-only, even on a disk without room for SQLite's index of an empty log."""
    db = read_only(path)
    try:
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except (sqlite3.Error, ValueError) as error:
        log = part_of(path, "-wal")
        if not is_damage(error) and not is_busy(error) and not (log.exists() and log.stat().st_size):
            db.close()
            return read_only(path, immutable=True)
    return db


def fits(db: sqlite3.Connection) -> bool:
    """Whether a database has the tables of this version. Raises sqlite3.Error if it cannot be read."""
    if db.execute("PRAGMA user_version").fetchone()[0] != FORMAT:
        return False
    return bool(db.execute("SELECT tables FROM store").fetchone() == (TABLES,))


def is_complete(db: sqlite3.Connection) -> bool:
    """Whether a database has all rounds, not only the last ones. Raises sqlite3.Error."""
    return bool(db.execute("SELECT complete FROM store").fetchone()[0])


def empty(where: str | Path, *, complete: bool = True) -> sqlite3.Connection:
    """Create a database without entries at a path, or in memory (``:memory:``). Raises sqlite3.Error."""
    db = sqlite3.connect(where)
    # A file needs no log while it is built, since nobody reads it before it is complete.
    mode = "MEMORY" if str(where) == ":memory:" else "OFF"
    db.executescript(
        f"PRAGMA journal_mode = {mode}; PRAGMA synchronous = OFF; {SCHEMA} PRAGMA user_version = {FORMAT};"
    )
    db.execute("INSERT INTO store VALUES ('', 0, 0, ?, ?)", (TABLES, complete))
    return db


def of_entries(where: str | Path, entries: Iterable[StoredLine], *, complete: bool = True) -> sqlite3.Connection:
    """Create a database from the entries of a journal. Raises sqlite3.Error, StoreError, OSError."""
    return take_in(empty(where, complete=complete), entries)


def take_in(db: sqlite3.Connection, entries: Iterable[StoredLine]) -> sqlite3.Connection:
    """Add the entries of a journal that follow those of a database. Raises sqlite3.Error, StoreError, OSError."""
    with db:
        writer = EntryWriter(db)
        for entry in entries:
            writer.follow(entry)
        writer.finish()
    return db


def top(db: sqlite3.Connection) -> int:
    """The number of the last entry of a database, 0 for none. Raises sqlite3.Error."""
    return int(db.execute("SELECT coalesce(max(id), 0) FROM log_entries").fetchone()[0])


class EntryWriter:
    """Adds entries to a database and its tables: saved ones from a journal, or new ones, which `new_entries` then has.

    Everything happens within the caller's transaction. Call `finish` at its end.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self.new: list[StoredLine] = []
        self.rate_all = False
        self._top = top(db)
        self._ends: dict[int, tuple[int, int]] = {}  # round → number of its entries, checksum of the last
        self._begun: set[int] = set()
        self._rows: list[StoredLine] = []
        self._changed: set[int] = set()  # rounds with another result

    def append(self, number: int, entries: Iterable[Fields]) -> None:
        """Add new entries to a round. Raises sqlite3.Error, ValueError."""
        for kind, seat, text, date, seconds, clock in entries:
            fields = (self._top + 1, number, kind, seat, text, date, float(seconds), clock)
            line = sealed(fields, self._end(number)[1])
            self._take(line)
            self._apply(line)
            self.new.append(line)
        self._store_rows()

    def follow(self, line: StoredLine) -> None:
        """Add the next entry of a journal. An entry that belongs to a lost one has no effect on the tables."""
        self._take(line)
        try:
            if line.kind == "begin" and line.round in self._begun:
                round_tables.drop(self.db, line.round)  # No effect, unless the entry that dropped it is lost.
            self._apply(line)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            return  # The entry may be a newer program's, or depend on one that is lost.

    def _take(self, line: StoredLine) -> None:
        self._rows.append(line)
        self._top = line.id
        if len(self._rows) > 1000:
            self._store_rows()
        if line.kind != "lost":
            count, before = self._end(line.round)
            whole = count >= 0 and line.stands_after(before)
            self._ends[line.round] = (count + 1 if whole else -1, line.sum)

    def _end(self, number: int) -> tuple[int, int]:
        if number not in self._ends:
            table, where = _place(number)
            row = self.db.execute(f"SELECT lines, last FROM {table} WHERE {where}", (number,)).fetchone()
            self._ends[number] = row or (0, 0)
            if row and number:
                self._begun.add(number)
        return self._ends[number]

    def _apply(self, line: StoredLine) -> None:
        if line.kind not in KINDS or not (line.kind in ("store", "begin") or line.round in self._begun):
            return
        round_tables.apply(self.db, line)
        if line.kind == "begin":
            self._begun.add(line.round)
        elif line.kind in ("result", "back", "drop", "void"):
            self._changed.add(line.round)
        elif line.kind == "rename":
            self.rate_all = True

    def finish(self) -> None:
        """Write what is still in memory, then matches and ratings. Raises sqlite3.Error."""
        self._store_rows()
        for number, (count, last) in self._ends.items():
            table, where = _place(number)
            self.db.execute(f"UPDATE {table} SET lines = ?, last = ? WHERE {where}", (count, last, number))
        changed = sorted(self._changed)
        for number in changed:
            round_tables.update_match(self.db, number)
        if self.rate_all or len(changed) > 100 or history.rated_after(self.db, changed):
            history.rate_all(self.db)
            return
        for number in changed:
            history.rate(self.db, number)

    def _store_rows(self) -> None:
        self.db.executemany("INSERT INTO log_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", self._rows)
        self._rows.clear()


def _place(number: int) -> tuple[str, str]:
    """The table with the number and last checksum of a round's entries, and the condition for its row."""
    return ("rounds", "id = ?") if number else ("store", "? = 0")


# -- the file -----------------------------------------------------------------------------------------------------


class DatabaseFile:
    """A database that is open for writing. `fingerprint` is that of the file, without SQLite's log.

    Raises ValueError if the file is not as it was left or has other tables, and sqlite3.Error, StoreError, OSError.
    """

    def __init__(self, path: Path, saved: Fingerprint) -> None:
        self.path, self.fingerprint = path, saved
        refuse_what_is_no_file(path)
        for part in PARTS[1:]:
            if os.path.lexists(there := part_of(path, part)) and not os.access(there, os.W_OK, effective_ids=True):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(there))
        # Opened before SQLite's and closed after them: closing any descriptor of a file drops all the process's locks.
        self._fd = open_for_writing(path, create=False)
        self.db = sqlite3.connect(":memory:")
        try:
            self.db = sqlite3.connect(path)
            if saved.size and file_fingerprint(self._fd) != saved:
                raise ValueError("not as it was left")
            share_with_group(self._fd, path.parent)
            if not fits(self.db):
                raise ValueError("other tables")
            for setting in ("journal_mode = WAL", "synchronous = FULL", "wal_autocheckpoint = 0"):
                self.db.execute(f"PRAGMA {setting}")
            self._fill_log()
            self._log = self._log_file()
        except BaseException:
            self.leave()
            raise

    @property
    def _long(self) -> int:
        return max(LONG_LOG, self.fingerprint.size // 16)

    def _fill_log(self) -> None:
        """Fill an empty log with zeros, which moves then overwrite: a file that does not grow syncs faster."""
        log = part_of(self.path, "-wal")
        with contextlib.suppress(OSError):
            disk = os.statvfs(self.path.parent)
            if log.stat().st_size == 0 and disk.f_bavail * disk.f_frsize > MUCH_ROOM:
                with open(log, "r+b", 0) as file:
                    file.write(bytes(self._long))
                    os.fsync(file.fileno())

    def _log_file(self) -> int:
        """The inode of SQLite's log, 0 for none. Raises OSError."""
        with contextlib.suppress(FileNotFoundError):
            return part_of(self.path, "-wal").lstat().st_ino
        return 0

    def commit(self) -> None:
        """Commit; everything is on disk when this returns. Raises sqlite3.Error, and then nothing of it is there."""
        self.db.commit()
        with contextlib.suppress(OSError):
            self._log = self._log_file()

    def is_changed(self) -> bool:
        """Whether somebody has put other files in the place of the open ones. Raises OSError."""
        try:
            same = os.path.samestat(self.path.lstat(), os.fstat(self._fd)) and self._log in (0, self._log_file())
        except FileNotFoundError:
            return True
        return not same or os.fstat(self._fd).st_size < self.fingerprint.size

    def bring_in(self, of_journal: Fingerprint) -> None:
        """Checkpoint SQLite's log into the file if it is long, and save the fingerprints.

        Never waits and never raises.
        """
        with contextlib.suppress(sqlite3.Error, StoreError, OSError):
            log = part_of(self.path, "-wal")
            if not self.fingerprint.size or (log.exists() and log.stat().st_size > self._long):
                self._change(of_journal, lambda: self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone())
            save_sums(self.path.parent, of_journal, self.fingerprint)

    def _change(self, of_journal: Fingerprint, bring_in: Callable[[], object]) -> None:
        """Let SQLite change the file, while its fingerprint is saved as unknown. Raises as the class does.

        A file that somebody else has changed is left alone, so that the next start notices it.
        """
        if self.fingerprint.size and file_fingerprint(self._fd) != self.fingerprint:
            return
        save_sums(self.path.parent, of_journal, UNKNOWN, synced=True)
        # The log must be empty afterwards: damaged later, it would put earlier pages over those of the file.
        bring_in()
        self.fingerprint = file_fingerprint(self._fd)
        self._fill_log()

    def close(self, of_journal: Fingerprint) -> None:
        """Checkpoint the log and close the database."""
        with contextlib.suppress(sqlite3.Error, StoreError, OSError):
            self._change(of_journal, self.db.close)
            save_sums(self.path.parent, of_journal, self.fingerprint)
        self.leave()

    def leave(self) -> None:
        """Close the database as it is, without a checkpoint."""
        with contextlib.suppress(sqlite3.Error):
            self.db.close()
        with contextlib.suppress(OSError):
            os.close(self._fd)


def saved_sums(folder: Path) -> tuple[Fingerprint, Fingerprint] | None:
    """The saved fingerprints of journal and database; `UNKNOWN_FINGERPRINT` for one that is being changed.

    None if none is saved.
    """
    try:
        check, *numbers = map(int, read_small_file(folder / SUMS).split())
        found = Fingerprint(*numbers[:3]), Fingerprint(*numbers[3:])
    except (ValueError, TypeError):
        return None
    return found if check == _check(*found) else None


def save_sums(folder: Path, of_journal: Fingerprint, of_file: Fingerprint, *, synced: bool = False) -> None:
    """Save the fingerprints.

    After a power cut they may be out of date, but they are never wrong. Raises StoreError, OSError.
    """
    words = map(str, (_check(of_journal, of_file), *of_journal, *of_file))
    overwrite(folder / SUMS, " ".join(words).encode(), synced=synced)


def _check(*found: Fingerprint) -> int:
    return zlib.crc32(repr([[*each] for each in found]).encode())


def part_of(path: Path, part: str) -> Path:
    """The path of one of a database's files."""
    return path.with_name(path.name + part)


def refuse_what_is_no_file(path: Path) -> None:
    """Raise StoreError for a link or a pipe in the place of a file: SQLite would follow it, or wait for it.

    No file is opened here: closing it again would drop the locks that SQLite holds for this process.
    """
    for part in PARTS:
        with contextlib.suppress(FileNotFoundError):
            if not stat.S_ISREG(part_of(path, part).lstat().st_mode):
                raise no_plain_file(part_of(path, part))


def set_database_aside(path: Path) -> str:
    """Give a database and its log another name, which is returned; "" if there is none. Raises OSError."""
    aside = ""
    for part in PARTS:
        if os.path.lexists(there := part_of(path, part)):
            if part == "" or not aside:
                aside = set_aside(there)
                for each in PARTS[1:]:  # Files of an earlier one, which SQLite would read together with this.
                    clear_place(part_of(path.with_name(aside), each))
            else:
                there.rename(part_of(path.with_name(aside), part))
    return aside


def remove(path: Path) -> None:
    """Delete a database with all its files. Raises OSError."""
    for part in PARTS:
        clear_place(part_of(path, part))


def make(folder: Path, name: str, *, complete: bool = True) -> None:
    """Build a database from a folder's journal, or from its last entries. On disk when this returns.

    Raises sqlite3.Error, StoreError, OSError.
    """
    path = folder / name
    remove(path)
    entries = entries_after(folder / JOURNAL, -1) if complete else recent_entries(folder / JOURNAL)
    with open(open_for_writing(path), "rb") as file:
        db = of_entries(path, entries, complete=complete)
        db.execute("PRAGMA journal_mode = WAL")  # Set now, so that opening it does not have to write to the file.
        db.close()
        share_with_group(file.fileno(), folder)
        os.fsync(file.fileno())


def put_in_place(folder: Path) -> Fingerprint:
    """Put a new database in the place of the old one, which nobody has open.

    Returns its fingerprint. Raises OSError.
    """
    remove(folder / DATABASE)
    with open(folder / NEW, "rb") as file:
        found = file_fingerprint(file.fileno())
    (folder / NEW).rename(folder / DATABASE)
    sync_folder(folder)
    return found


if __name__ == "__main__":
    os.nice(10)
    make(Path(sys.argv[1]), sys.argv[2])

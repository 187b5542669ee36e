"""The index: a SQLite database of the journal's lines and of what follows from them, for history, standings, ratings.

It may be thrown away at any time, and is made again from the journal. All its tables are made from the journal's lines,
which `entries` has once more.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from typing import TYPE_CHECKING
from urllib.parse import quote_from_bytes

from companion.store import history, round_tables
from companion.store.errors import is_busy
from companion.store.journal_files.journal_lines import opened as opened_line
from companion.store.journal_files.journal_lines import written
from companion.store.stored_lines import KINDS, StoredLine, sealed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from companion.store.journal_files.journal_lines import Sealed
    from companion.store.stored_lines import Fields

INDEX = "rounds.index"

VERSION = 3
"""The `user_version` of an index; one of another version is thrown away, and made anew.

It is raised whenever the tables are others, or a line has another effect on them.
"""

SCHEMA = """
CREATE TABLE entries (
    id INTEGER PRIMARY KEY, round INTEGER NOT NULL, kind TEXT NOT NULL, seat INTEGER NOT NULL, text TEXT NOT NULL,
    at TEXT NOT NULL, seconds REAL NOT NULL, clock TEXT NOT NULL, sum INTEGER NOT NULL);
CREATE INDEX entries_by_round ON entries (round);
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
CREATE TABLE store (identity TEXT NOT NULL, lines INTEGER NOT NULL, last INTEGER NOT NULL);
CREATE INDEX seats_by_name ON seats (name);
CREATE INDEX rounds_by_state ON rounds (state, id);
CREATE INDEX rounds_by_evening ON rounds (evening, id);
CREATE INDEX rounds_by_boot ON rounds (boot, id);
CREATE INDEX rounds_by_match ON rounds (match, id);
CREATE INDEX ratings_by_round ON ratings (round);
"""
"""`entries.id` is the number of a line; `round` 0 is the store itself.

`rounds.lines` and `rounds.last` are the number of a round's lines and the checksum of the last; `lines` is -1 where
lines of the round were lost. `store` has the same for round 0, and the store's identity. `match` is the number of a
match's first round, 0 for a single round; `clock` has the settings of the game clock. `evening` is the number of a day,
0 without a date. `seconds` is how long a finished round took, NULL if unknown; `boot` and `uptime` are as in its head.
A round with `void` has no result any more.
"""


def read_only(path: Path) -> sqlite3.Connection:
    """A read-only connection. A fault of the file is raised at its first use, not here."""
    # `Path.as_uri` of Python 3.13 imports urllib when called; root may act as a user who cannot read the library then.
    return sqlite3.connect(f"file://{quote_from_bytes(os.fsencode(path.resolve()))}?mode=ro", uri=True)


def fits(db: sqlite3.Connection) -> bool:
    """Whether an index can be read, and has the tables of this version. Raises sqlite3.Error if it is locked."""
    try:
        if db.execute("PRAGMA user_version").fetchone()[0] == VERSION:
            db.execute("SELECT 1 FROM store").fetchone()
            return True
    except sqlite3.Error as error:  # Its log may not be readable, as on a full disk.
        if is_busy(error):
            raise
    return False


def empty(where: str | Path) -> sqlite3.Connection:
    """A new index without lines; `where` is a path or ``:memory:``. Raises sqlite3.Error."""
    db = sqlite3.connect(where)
    # A file without a log of its own: nobody reads it before it is complete.
    mode = "MEMORY" if str(where) == ":memory:" else "OFF"
    db.executescript(
        f"PRAGMA journal_mode = {mode}; PRAGMA synchronous = OFF; {SCHEMA} PRAGMA user_version = {VERSION};"
    )
    db.execute("INSERT INTO store VALUES ('', 0, 0)")
    return db


def of_lines(where: str | Path, lines: Iterable[StoredLine]) -> sqlite3.Connection:
    """A new index of the lines of a journal. Raises sqlite3.Error, StoreError, OSError."""
    return take_in(empty(where), lines)


def take_in(db: sqlite3.Connection, lines: Iterable[StoredLine]) -> sqlite3.Connection:
    """Take in the lines of a journal that follow those of an index. Raises sqlite3.Error, StoreError, OSError."""
    with db:
        follower = Follower(db)
        for line in lines:
            follower.follow(line)
        follower.finish()
    return db


def top(db: sqlite3.Connection) -> int:
    """The number of the last line that is in an index. Raises sqlite3.Error."""
    return int(db.execute("SELECT coalesce(max(id), 0) FROM entries").fetchone()[0])


class Follower:
    """Takes lines into the tables of an index: those of a journal, and new ones, which `new` then has.

    All within the caller's transaction, with `finish` at its end.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self.new: list[StoredLine] = []
        self.rate_all = False
        self._top = top(db)
        self._ends: dict[int, tuple[int, int]] = {}  # round → how many lines, checksum of the last
        self._begun: set[int] = set()
        self._rows: list[StoredLine] = []
        self._changed: set[int] = set()  # rounds with another result

    def append(self, number: int, entries: Iterable[Fields]) -> None:
        """Add new lines to a round. Raises sqlite3.Error, ValueError."""
        for kind, seat, text, date, seconds, clock in entries:
            fields = (self._top + 1, number, kind, seat, text, date, float(seconds), clock)
            line = sealed(fields, self._end(number)[1])
            self._take(line)
            self._apply(line)
            self.new.append(line)
        self._store_rows()

    def follow(self, line: StoredLine) -> None:
        """Take in the next line of a journal; what belongs to a line that is lost has no effect."""
        self._take(line)
        try:
            if line.kind == "begin" and line.round in self._begun:
                round_tables.drop(self.db, line.round)  # Unless the line that said so is lost, it is already.
            self._apply(line)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            return  # It may be a newer program's line, or one whose meaning was in a line that is lost.

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
        """Write what is left. Raises sqlite3.Error."""
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
        self.db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", self._rows)
        self._rows.clear()


def _place(number: int) -> tuple[str, str]:
    """The table with the end of a round, and the condition for it."""
    return ("rounds", "id = ?") if number else ("store", "? = 0")


class Spare:
    """The lines as an index has them, where their checksum continues that of the line before in their round."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    @property
    def top(self) -> int:
        """The number of the last line."""
        return top(self._db)

    def line(self, number: int) -> Sealed | None:
        """The line of that number, None if it is not there, or damaged."""
        with contextlib.suppress(sqlite3.Error, ValueError, TypeError):
            before = "SELECT sum FROM entries WHERE round = ? AND id < ? ORDER BY id DESC LIMIT 1"
            row = self._db.execute("SELECT * FROM entries WHERE id = ?", (number,)).fetchone()
            line = StoredLine(*row)
            last = self._db.execute(before, (line.round, number)).fetchone()
            if line.kind in KINDS and line.stands_after(last[0] if last else 0):
                return opened_line(written([line])[:-1])
        return None

"""The club's SQLite file: its tables, how it is opened and locked, and how sentences are stored in it.

A sentence is stored twice: in English, and by its parts, so that each reader can have it in any language.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from companion import UnusableError
from companion.languages import Text, in_language, text, text_from_json, texts_to_json, translate
from companion.languages.catalogues import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DATABASE_FILE = "hall.db"
LOCK_FILE = "hall.lock"
SCHEMA_VERSION = 1
SCHEMA = """
CREATE TABLE IF NOT EXISTS stores (
    store TEXT PRIMARY KEY, name TEXT NOT NULL, count INTEGER NOT NULL, last INTEGER NOT NULL, sum INTEGER NOT NULL,
    seen TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS positions (
    store TEXT NOT NULL, n INTEGER NOT NULL, entry INTEGER NOT NULL, sum INTEGER NOT NULL,
    PRIMARY KEY (store, n)) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS positions_by_entry ON positions (store, entry, sum);
CREATE TABLE IF NOT EXISTS rounds (
    n INTEGER PRIMARY KEY, store TEXT NOT NULL, round INTEGER NOT NULL, first INTEGER NOT NULL, name TEXT NOT NULL,
    record TEXT NOT NULL, digest BLOB NOT NULL, game TEXT NOT NULL, players TEXT NOT NULL, result TEXT NOT NULL,
    fault TEXT NOT NULL, arrived TEXT NOT NULL, UNIQUE (store, round, first));
CREATE TABLE IF NOT EXISTS told (n INTEGER PRIMARY KEY, at TEXT NOT NULL, name TEXT NOT NULL, sentence TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS gone (id INTEGER PRIMARY KEY CHECK (id = 1), n INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS tournaments (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, game TEXT NOT NULL, options TEXT NOT NULL, swiss INTEGER NOT NULL,
    rounds INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS entrants (
    tournament INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, here INTEGER NOT NULL,
    PRIMARY KEY (tournament, number), UNIQUE (tournament, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pairings (
    id INTEGER PRIMARY KEY, tournament INTEGER NOT NULL, round INTEGER NOT NULL, board INTEGER NOT NULL,
    first INTEGER NOT NULL, second INTEGER NOT NULL, place TEXT NOT NULL, offer INTEGER NOT NULL,
    since INTEGER NOT NULL, outcome TEXT NOT NULL, source INTEGER, UNIQUE (tournament, round, board));
CREATE TABLE IF NOT EXISTS trail (
    n INTEGER PRIMARY KEY, tournament INTEGER NOT NULL, at TEXT NOT NULL, sentence TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS barred (
    tournament INTEGER NOT NULL, one INTEGER NOT NULL, other INTEGER NOT NULL,
    PRIMARY KEY (tournament, one, other)) WITHOUT ROWID;
"""
"""One row of `stores` for each table's store: `count` of its positions, and the entry last received (`last`, `sum`).

`positions.n` counts from 0 in each store. `rounds.n` is the order of arrival; a round keeps its number when it comes
again changed. `rounds.fault` is the code of why a record does not count (up to 0.7 a sentence), "" if it counts. With a
fault, players and result are empty. `gone.n` is the highest number of a deleted round, so that no number is given
twice."""
ADDED_COLUMNS = {
    "told": {"words": "TEXT"},
    "tournaments": {"ties": "TEXT", "archived": "INTEGER", "minutes": "INTEGER", "clock": "REAL"},
    "entrants": {"half_bye": "INTEGER", "earlier": "TEXT"},
    "pairings": {"word": "TEXT"},
    "trail": {"words": "TEXT"},
}
"""Columns that came later. All of them may be NULL, so that an older version can still write its rows."""


class ClubDatabaseError(UnusableError):
    """The club's file cannot be used; the one argument is a sentence, which is a text."""


class ClubDatabase:
    """A connection to the club's file in a folder; any thread may use it.

    Args:
        folder: where the file is; created if it is missing and `as_server` is true.
        as_server: lock the file as the one process that receives messages. Otherwise the file must exist, and that
            process may be using it.

    Raises ClubDatabaseError.
    """

    def __init__(self, folder: Path, *, as_server: bool = False) -> None:
        self._thread_lock = threading.RLock()
        self._file_lock: int | None = None
        try:
            if as_server:
                folder.mkdir(parents=True, exist_ok=True, mode=0o750)
                flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
                self._file_lock = os.open(folder / LOCK_FILE, flags, 0o640)
                fcntl.flock(self._file_lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            elif not (folder / DATABASE_FILE).exists():
                raise ClubDatabaseError(text("there is no club database in {folder}", folder=str(folder)))
            self._db = sqlite3.connect(
                folder / DATABASE_FILE, timeout=10, isolation_level=None, check_same_thread=False
            )
            for pragma in ("journal_mode = WAL", "synchronous = FULL"):
                self._db.execute(f"PRAGMA {pragma}").fetchone()
            self._db.execute("BEGIN IMMEDIATE")
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version <= SCHEMA_VERSION:
                self._make_tables()
            self._db.execute("COMMIT")
        except BlockingIOError:
            raise ClubDatabaseError(text("another club server is running on {folder}", folder=str(folder))) from None
        except (sqlite3.Error, OSError) as error:
            message = "the club database in {folder} cannot be used: {why}"
            raise ClubDatabaseError(text(message, folder=str(folder), why=str(error))) from None
        if version > SCHEMA_VERSION:
            message = "the club database in {folder} was made by a newer version of the program"
            raise ClubDatabaseError(text(message, folder=str(folder)))

    def _make_tables(self) -> None:
        for statement in SCHEMA.split(";\n"):
            self._db.execute(statement)
        for table, columns in ADDED_COLUMNS.items():
            existing_columns = {row[1] for row in self._db.execute(f"PRAGMA table_info({table})")}
            for name in columns.keys() - existing_columns:
                self._db.execute(f"ALTER TABLE {table} ADD COLUMN {name} {columns[name]}")
        self._db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def close(self) -> None:
        """Close the connection and release the lock."""
        self._db.close()
        if self._file_lock is not None:
            os.close(self._file_lock)

    @property
    def change_version(self) -> tuple[int, int]:
        """A value that differs whenever the file does: its ``data_version``, and how many rows were changed here."""
        return int(self.select("PRAGMA data_version")[0][0]), self._db.total_changes

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """A transaction, on disk when the block ends.

        After any error nothing has changed. Raises ClubDatabaseError.
        """
        with self._thread_lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                try:
                    yield
                    self._db.execute("COMMIT")
                except BaseException:
                    if self._db.in_transaction:  # On a full disk SQLite may have ended it already.
                        self._db.execute("ROLLBACK")
                    raise
            except sqlite3.Error as error:
                raise ClubDatabaseError(_error_sentence(error)) from error

    def execute(self, statement: str, *values: object) -> sqlite3.Cursor:
        """Execute a statement that changes something, within the caller's transaction."""
        with self._thread_lock:
            return self._db.execute(statement, values)

    def select(self, query: str, *values: object) -> list[Any]:
        """Run a query and return all of its rows."""
        with self._thread_lock:
            return self._db.execute(query, values).fetchall()


def _error_sentence(error: sqlite3.Error) -> str:
    if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_FULL:
        return text(
            "the club server's disk is full: delete something, because nothing can be saved until there is room"
        )
    return text("the club database cannot be written: {why}", why=str(error))


def timestamp_now() -> str:
    """Now, in ISO 8601 by this computer's clock; nothing is ordered by such times."""
    return time.strftime("%Y-%m-%dT%H:%M:%S%z")


def sentence_columns(sentence: str) -> tuple[str, str | None]:
    """A sentence as two columns: in English, and its parts as JSON, None where it is no text."""
    with in_language(ENGLISH):
        english = str(translate(sentence))
    return english, json.dumps(texts_to_json(sentence), ensure_ascii=False) if isinstance(sentence, Text) else None


def stored_sentence(sentence: str, parts_json: str | None) -> str:
    """The sentence in two columns; older versions wrote only the first, in English."""
    return str(json.loads(parts_json, object_hook=text_from_json)) if parts_json else sentence

"""The hall's SQLite file: its tables, how it is opened and locked, and how sentences are stored in it.

A sentence is stored in English and as a text, so that each reader has it in any language.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion import Unusable
from companion.languages import Text, packed, said, speaking, text, unpacked
from companion.languages.catalogues import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HALL_FILE = "hall.db"
LOCK = "hall.lock"
VERSION = 1
SCHEMA = """
CREATE TABLE stores (
    store TEXT PRIMARY KEY, name TEXT NOT NULL, count INTEGER NOT NULL, last INTEGER NOT NULL, sum INTEGER NOT NULL,
    seen TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE positions (
    store TEXT NOT NULL, n INTEGER NOT NULL, entry INTEGER NOT NULL, sum INTEGER NOT NULL,
    PRIMARY KEY (store, n)) WITHOUT ROWID;
CREATE UNIQUE INDEX positions_by_entry ON positions (store, entry, sum);
CREATE TABLE rounds (
    n INTEGER PRIMARY KEY, store TEXT NOT NULL, round INTEGER NOT NULL, first INTEGER NOT NULL, name TEXT NOT NULL,
    record TEXT NOT NULL, digest BLOB NOT NULL, game TEXT NOT NULL, players TEXT NOT NULL, result TEXT NOT NULL,
    fault TEXT NOT NULL, arrived TEXT NOT NULL, UNIQUE (store, round, first));
CREATE TABLE told (n INTEGER PRIMARY KEY, at TEXT NOT NULL, name TEXT NOT NULL, sentence TEXT NOT NULL);
"""
"""One row of `stores` for each table's store: `count` of its positions, and the entry last received (`last`, `sum`).

`positions.n` counts from 0 in each store. `rounds.n` is the order of arrival, which a round keeps when it comes again
changed. `rounds.fault` says why a record does not count, "" if it counts; with a fault, players and result are empty.
"""
LATER = "CREATE TABLE IF NOT EXISTS gone (id INTEGER PRIMARY KEY CHECK (id = 1), n INTEGER NOT NULL)"
"""`gone.n` is the highest number of a round that is there no more, so that no number is given twice. A store of before
has no such table yet, nor what is told as a text in `told.words`; a program of before does not miss them.
"""


class HallError(Unusable):
    """The hall's store cannot be used, in one sentence, which is a text."""


def open_database(folder: Path, *, serving: bool) -> tuple[sqlite3.Connection, int | None]:
    """Open the store in a folder, made first where it is missing, and lock it with `serving`.

    Returns the connection, in autocommit mode, and the lock's file descriptor (None without `serving`). Raises
    HallError.
    """
    lock = None
    try:
        if serving:
            folder.mkdir(parents=True, exist_ok=True, mode=0o750)
            lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o640)
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif not (folder / HALL_FILE).exists():
            raise HallError(text("there is no hall's store in {folder}", folder=str(folder)))
        db = sqlite3.connect(folder / HALL_FILE, timeout=10, isolation_level=None, check_same_thread=False)
        for pragma in ("journal_mode = WAL", "synchronous = FULL"):
            db.execute(f"PRAGMA {pragma}").fetchone()
        db.execute("BEGIN IMMEDIATE")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            for statement in SCHEMA.split(";\n"):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {VERSION}")
        if version <= VERSION:
            db.execute(LATER)
            if "words" not in {row[1] for row in db.execute("PRAGMA table_info(told)")}:
                db.execute("ALTER TABLE told ADD COLUMN words TEXT")
        db.execute("COMMIT")
    except BlockingIOError:
        raise HallError(text("another hall is running on {folder}", folder=str(folder))) from None
    except (sqlite3.Error, OSError) as error:
        raise HallError(unusable(folder, error)) from None
    if version > VERSION:
        said = "the hall's store in {folder} was made by a newer version of the program"
        raise HallError(text(said, folder=str(folder)))
    return db, lock


def unusable(folder: Path, error: Exception) -> str:
    """The sentence that says why the store in a folder cannot be used."""
    return text("the hall's store in {folder} cannot be used: {why}", folder=str(folder), why=str(error))


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """A transaction, on disk when the block ends. Raises HallError, and then nothing has changed."""
    try:
        db.execute("BEGIN IMMEDIATE")
        try:
            yield
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:  # SQLite has ended it by itself, for example on a full disk, or left it open.
                db.execute("ROLLBACK")
            raise
    except sqlite3.Error as error:
        raise HallError(_sentence(error)) from error


def _sentence(error: sqlite3.Error) -> str:
    if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_FULL:
        return text("the hall's disk is full: delete something, for nothing is kept until there is room")
    return text("the hall's store cannot be written: {why}", why=str(error))


def time_of_day() -> str:
    """When a sentence or a round came, in ISO 8601; it is only shown."""
    return time.strftime("%Y-%m-%dT%H:%M:%S%z")


def written(sentence: str) -> tuple[str, str | None]:
    """A sentence as two columns: in English, and its parts as JSON, None where it is no text."""
    with speaking(ENGLISH):
        english = str(said(sentence))
    return english, json.dumps(packed(sentence), ensure_ascii=False) if isinstance(sentence, Text) else None


def read(sentence: str, words: str | None) -> str:
    """The sentence of two columns; a version before has written only the first."""
    return str(json.loads(words, object_hook=unpacked)) if words else sentence

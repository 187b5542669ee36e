"""Imports the rounds of another journal or database: of another box, or one that was set aside.

A round is recognized by how it began:

| the other file has | here |
| --- | --- |
| a round that is not here | it is imported under a new number |
| the same round with the same entries, or fewer | nothing changes |
| the same round with further entries | these are appended |
| the same round, played on differently | it is imported under a new number |

No entry that is here is ever changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.languages import text
from companion.store import database, stored_lines
from companion.store.data_folder import open_for_reading
from companion.store.diagnosis import DatabaseSource, Diagnosis, JournalSource
from companion.store.journal_lines import understood
from companion.store.notices import lost_words
from companion.store.round_tables import next_number
from companion.store.stored_lines import Head, StoredLine

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from pathlib import Path

    from companion.store.database import EntryWriter

MAGIC = b"SQLite format 3\0"
"""The first bytes of an SQLite database."""
HELD = ("aside", "resume", "pause")
"""Kinds of entries that say whether a round is on the table, not what was played."""


class Merged(NamedTuple):
    """How many rounds were imported, were continued by further entries, and were here already."""

    taken: int
    continued: int
    there: int


def found_in(path: Path) -> tuple[sqlite3.Connection, str]:
    """Read all entries of a journal or database into a temporary database, and say what is lost ("" for nothing).

    Raises sqlite3.Error, StoreError, OSError.
    """
    database.refuse_what_is_no_file(path)
    to = database.empty("")  # A temporary file, since many rounds do not fit into memory.
    with open(open_for_reading(path), "rb", 0) as file, to:
        if file.read(len(MAGIC)) == MAGIC:
            found = Diagnosis(None, DatabaseSource(database.connect_read_only(path)))
        else:
            found = Diagnosis(JournalSource(file.fileno(), path), None)
        known = (line for line in understood(found.lines()) if line.kind in stored_lines.KINDS)
        rows = (line for line in known if line.kind != "lost")
        to.executemany("INSERT INTO log_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        return to, text("{lost:capital}.", lost=lost_words(*found.named())) if found.lost else ""


def merge(new: EntryWriter, found: sqlite3.Connection, date: str) -> Merged:
    """Import the rounds of another file at `date` (ISO 8601), within the caller's transaction.

    The newest unfinished round is offered at the next start, if no other one is; other unfinished ones are set aside.
    """
    into = _Into(new)
    for (number,) in found.execute(
        "SELECT DISTINCT round FROM log_entries WHERE kind = 'begin' AND round > 0 ORDER BY 1"
    ):
        those = stored_lines.of_round(found, number)
        while those[0].kind != "begin":  # The entry before these is lost.
            del those[0]
        into.take(number, those)
    touched = {*into.taken, *into.continued}
    running = [number for (number,) in new.db.execute("SELECT id FROM rounds WHERE state = 'running' ORDER BY id")]
    offered = next((number for number in running if number not in touched), max(running, default=0))
    for number in touched.intersection(running) - {offered}:
        new.append(number, [("aside", 0, "", date, 0.0, "")])
    new.rate_all = new.rate_all or bool(touched)
    return Merged(len(into.taken), len(into.continued), into.there)


class _Into:
    """Imports rounds into one store, and remembers their new numbers."""

    def __init__(self, new: EntryWriter) -> None:
        self._new, self._db = new, new.db
        self.taken: list[int] = []
        self.continued: list[int] = []
        self.there = 0
        self._numbers: dict[int, int] = {}  # the round's number in the other file → its number here
        self._begun: dict[int, list[int]] = {}
        rows = self._db.execute("SELECT round, text, at FROM log_entries WHERE kind = 'begin' ORDER BY id")
        for number, head, date in rows:
            self._begun.setdefault(_key(head, date), []).append(number)

    def take(self, number: int, those: Sequence[StoredLine]) -> None:
        """Import a round with its number there, unless all of it is here already."""
        said = [_without_number(line) for line in those[1:]]
        key = _key(those[0].text, those[0].date)
        for here in self._begun.get(key, []):
            mine = [_without_number(line) for line in stored_lines.of_round(self._db, here)[1:]]
            if mine[: len(said)] == said:
                self._numbers[number] = here
                self.there += 1
                return
            while mine and mine[-1][0] in HELD:
                del mine[-1]
            if said[: len(mine)] == mine:
                self._numbers[number] = here
                self._append(here, those[1 + len(mine) :])
                self.continued.append(here)
                return
        here = self._numbers[number] = next_number(self._db)
        self._begun.setdefault(key, []).append(here)
        self._append(here, those)
        self.taken.append(here)

    def _append(self, number: int, those: Sequence[StoredLine]) -> None:
        for line in those:
            text = self._head(line.text, number).text() if line.kind == "begin" else line.text
            self._new.append(number, [(line.kind, line.seat, text, line.date, line.seconds, line.clock)])

    def _head(self, text: str, new: int) -> Head:
        """A round's header with the number of its match in this store."""
        head = Head.read(text)
        return head._replace(match=self._numbers.get(head.match, new) if head.match else 0)


def _key(text: str, date: str) -> int:
    """What tells one round from another: when it began, and its header."""
    return hash((date, Head.read(text).header))


def _without_number(line: StoredLine) -> tuple[str, int, str, str]:
    return line.kind, line.seat, line.text, line.date

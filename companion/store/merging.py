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
from companion.store import database, stored_entries
from companion.store.data_folder import open_for_reading
from companion.store.diagnosis import DatabaseSource, Diagnosis, JournalSource
from companion.store.journal_lines import parse_entries
from companion.store.round_tables import next_round_number
from companion.store.store_warnings import lost_text
from companion.store.stored_entries import StoredEntry, StoredHeader

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from pathlib import Path

    from companion.store.database import EntryWriter

SQLITE_MAGIC = b"SQLite format 3\0"
"""The first bytes of an SQLite database."""
TABLE_KINDS = ("aside", "resume", "pause")
"""Kinds of entries that say whether a round is on the table, not what was played."""


class MergeResult(NamedTuple):
    """How many rounds were imported, were continued by further entries, and were here already."""

    imported: int
    continued: int
    already_here: int


def read_rounds_file(path: Path) -> tuple[sqlite3.Connection, str]:
    """Read all entries of a journal or database into a temporary database, and say what is lost ("" for nothing).

    Raises sqlite3.Error, StoreError, OSError.
    """
    database.refuse_irregular_files(path)
    target = database.create_database("")  # A temporary file, since many rounds do not fit into memory.
    with open(open_for_reading(path), "rb", 0) as file, target:
        if file.read(len(SQLITE_MAGIC)) == SQLITE_MAGIC:
            diagnosis = Diagnosis(None, DatabaseSource(database.connect_read_only(path)))
        else:
            diagnosis = Diagnosis(JournalSource(file.fileno(), path), None)
        known_entries = (
            line for line in parse_entries(diagnosis.read_lines()) if line.kind in stored_entries.ENTRY_KINDS
        )
        rows = (line for line in known_entries if line.kind != "lost")
        target.executemany("INSERT INTO log_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        lost = lost_text(*diagnosis.first_lost_spans()) if diagnosis.lost_spans else ""
        return target, text("{lost:capital}.", lost=lost) if lost else ""


def merge_rounds(writer: EntryWriter, source: sqlite3.Connection, date: str) -> MergeResult:
    """Import the rounds of another file at `date` (ISO 8601), within the caller's transaction.

    The newest unfinished round is offered at the next start, if no other one is; other unfinished ones are set aside.
    """
    importer = _RoundImporter(writer)
    for (number,) in source.execute(
        "SELECT DISTINCT round FROM log_entries WHERE kind = 'begin' AND round > 0 ORDER BY 1"
    ):
        entries = stored_entries.round_entries(source, number)
        while entries[0].kind != "begin":  # The entry before these is lost.
            del entries[0]
        importer.import_round(number, entries)
    changed = {*importer.imported, *importer.continued}
    running = [number for (number,) in writer.db.execute("SELECT id FROM rounds WHERE state = 'running' ORDER BY id")]
    offered = next((number for number in running if number not in changed), max(running, default=0))
    for number in changed.intersection(running) - {offered}:
        writer.append_entries(number, [("aside", 0, "", date, 0.0, "")])
    writer.must_rate_all = writer.must_rate_all or bool(changed)
    return MergeResult(len(importer.imported), len(importer.continued), importer.already_here)


class _RoundImporter:
    """Imports rounds into one store, and remembers their new numbers."""

    def __init__(self, writer: EntryWriter) -> None:
        self._writer, self._db = writer, writer.db
        self.imported: list[int] = []
        self.continued: list[int] = []
        self.already_here = 0
        self._numbers: dict[int, int] = {}  # the round's number in the other file → its number here
        self._begun: dict[int, list[int]] = {}
        rows = self._db.execute("SELECT round, text, at FROM log_entries WHERE kind = 'begin' ORDER BY id")
        for number, head, date in rows:
            self._begun.setdefault(_round_key(head, date), []).append(number)

    def import_round(self, number: int, entries: Sequence[StoredEntry]) -> None:
        """Import a round with its number there, unless all of it is here already."""
        its_fields = [_without_number(line) for line in entries[1:]]
        key = _round_key(entries[0].text, entries[0].date)
        for own_number in self._begun.get(key, []):
            own_fields = [_without_number(line) for line in stored_entries.round_entries(self._db, own_number)[1:]]
            if own_fields[: len(its_fields)] == its_fields:
                self._numbers[number] = own_number
                self.already_here += 1
                return
            while own_fields and own_fields[-1][0] in TABLE_KINDS:
                del own_fields[-1]
            if its_fields[: len(own_fields)] == own_fields:
                self._numbers[number] = own_number
                self._append(own_number, entries[1 + len(own_fields) :])
                self.continued.append(own_number)
                return
        own_number = self._numbers[number] = next_round_number(self._db)
        self._begun.setdefault(key, []).append(own_number)
        self._append(own_number, entries)
        self.imported.append(own_number)

    def _append(self, number: int, entries: Sequence[StoredEntry]) -> None:
        for line in entries:
            written = self._head(line.text, number).to_text() if line.kind == "begin" else line.text
            self._writer.append_entries(number, [(line.kind, line.seat, written, line.date, line.seconds, line.clock)])

    def _head(self, header_text: str, new: int) -> StoredHeader:
        """A round's header with the number of its match in this store."""
        head = StoredHeader.from_text(header_text)
        return head._replace(match=self._numbers.get(head.match, new) if head.match else 0)


def _round_key(header_text: str, date: str) -> int:
    """What tells one round from another: when it began, and its header."""
    return hash((date, StoredHeader.from_text(header_text).header))


def _without_number(line: StoredEntry) -> tuple[str, int, str, str]:
    return line.kind, line.seat, line.text, line.date

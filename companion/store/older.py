"""Reads the rounds of other files than the journal in use: databases of versions before the journal, and journals.

Such a file is only read, and left as it is: an older version of the program finds its database again. What of it cannot
be read is told by round.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from typing import TYPE_CHECKING, Any

from companion.game.result import Result
from companion.languages import counted, text
from companion.rounds.stored import RoundHeader
from companion.store import index, stored_lines
from companion.store.errors import StoreError, is_damage
from companion.store.index_file import refuse_what_is_no_file
from companion.store.journal_files import second, settling, whole_files
from companion.store.journal_files.journal_lines import HEADER, placeholder, understood, written
from companion.store.journal_files.mending import Source
from companion.store.plain_files import open_for_reading
from companion.store.round_tables import result_line
from companion.store.stored_lines import Head, StoredLine, chained, pairs
from companion.store.told import joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

DATABASE = "rounds.db"
"""The file of rounds of versions before the journal."""
SUMMED = 5
"""The first version of its tables whose lines have checksums."""
MAGIC = b"SQLite format 3\0"
MOST = 1 << 20
"""The highest number of a line that is believed, of some ten thousand rounds; a damaged one may be any."""
NEAR = 4096
"""How many numbers after a place that cannot be read are tried one by one."""
TORN = -1
"""Stands among the damaged rounds for a place that cannot be read."""
DAMAGED = (ValueError, TypeError, KeyError, IndexError)
"""The errors of a row that was changed."""
UNREADABLE = (sqlite3.Error, RecursionError, *DAMAGED)
"""The errors of a database of which nothing can be read."""


def found_in(path: Path) -> tuple[sqlite3.Connection, str]:
    """All lines of a database or journal in a temporary database, and what could not be read, "" for nothing.

    Raises sqlite3.Error, StoreError, OSError.
    """
    refuse_what_is_no_file(path)
    db = index.empty("")  # In a temporary file, for those of many rounds do not fit into the memory.
    with open(open_for_reading(path), "rb", 0) as file, db:
        if file.read(len(MAGIC)) == MAGIC or path.name.startswith(DATABASE):
            return db, _of_database(path, db)
        state = settling.judged([path], [Source(file.fileno())])
        _keep(db, understood(state.together.lines()))
        said = settling.lost(state)
        return db, text("{lost:capital}.", lost=said) if said else ""


def _keep(db: sqlite3.Connection, lines: Iterable[StoredLine]) -> None:
    known = (line for line in lines if line.kind in stored_lines.KINDS and line.kind != "lost")
    db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", known)


# -- at the first start -------------------------------------------------------------------------------------------


def last_of(path: Path) -> str:
    """The number and checksum of the last line of a database; "" if there is none, or it cannot be read."""
    with contextlib.suppress(StoreError, OSError, *UNREADABLE):
        refuse_what_is_no_file(path)
        with contextlib.closing(index.read_only(path)) as db:
            sums = db.execute("PRAGMA user_version").fetchone()[0] >= SUMMED
            row = db.execute(f"SELECT id, {'sum' if sums else '0'} FROM entries ORDER BY id DESC LIMIT 1").fetchone()
            return f"{row[0]} {row[1]}" if row else ""
    return ""


def read_once(folder: Path, slow: Callable[[int], object]) -> str:
    """Begin a journal with all that a database of an older version has, if there is one; it stays as it is.

    Nothing is done where there is a journal. Returns what could not be read, in sentences; "" for nothing. Raises
    StoreError, OSError, and sqlite3.Error if the database is locked or the disk does not answer.
    """
    path = folder / DATABASE
    there = [each for each in second.paths(folder) if each.exists() and each.stat().st_size]
    if there or not path.exists():
        return ""
    slow(path.stat().st_size)
    last = last_of(path)
    try:
        db, said = found_in(path)
    except UNREADABLE as error:
        if not is_damage(error):
            raise
        return text("The rounds in {file} cannot be read; it stays as it is.", file=DATABASE)
    whole_files.replaced((folder / second.JOURNAL, folder / second.SECOND), _as_journal(db, last))
    db.close()
    return text("The rounds in {file} are damaged. {said} It stays as it is.", file=DATABASE, said=said) if said else ""


def _as_journal(db: sqlite3.Connection, last: str) -> Iterator[bytes]:
    """The lines of a journal that begins with those of an older file, under their numbers."""
    yield HEADER
    top, own = 0, 0
    for row in db.execute("SELECT * FROM entries ORDER BY id"):
        line = StoredLine(*row)
        if line.id > top + 1:
            yield placeholder(top + 1, line.id - 1).data
        yield written([line])[:-1]
        top, own = line.id, own if line.round else line.sum
    yield written(chained(0, [("read", 0, last, "", 0.0, "")], top, own))[:-1]


# -- databases ----------------------------------------------------------------------------------------------------


def _of_database(path: Path, to: sqlite3.Connection) -> str:
    with contextlib.closing(index.read_only(path)) as db:
        db.row_factory = sqlite3.Row
        # What is no UTF-8 costs its round, not all that come after.
        db.text_factory = lambda data: data.decode(errors="surrogateescape")
        columns = [row["name"] for row in db.execute("PRAGMA table_info(entries)")]
        damaged = (_summed if "sum" in columns else _unsummed)(db, to)
    said = text("Not all of it can be read.") if damaged == {TORN} else ""
    if numbers := sorted(damaged - {0, TORN}):
        some: str = ", ".join(map(str, numbers[:12]))
        if len(numbers) > 12:
            some = text("{some} and {number} more", some=some, number=len(numbers) - 12)
        one, more = "Not all of round {rounds} can be read.", "Not all of rounds {rounds} can be read."
        said = counted(len(numbers), one, more, rounds=some)
    settings = text("Favourite names, or what was switched, cannot be read.") if 0 in damaged else ""
    return joined(said, settings)


def _rows(db: sqlite3.Connection, table: str, damaged: set[int]) -> Iterator[sqlite3.Row]:
    """All rows that SQLite can read, in order, past what it cannot. Raises sqlite3.Error for what is no damage."""
    number = failed = 0
    query = f"SELECT * FROM {table} WHERE id > ? AND id <= ? ORDER BY id"
    while number < MOST:
        try:
            for row in db.execute(query, (number, MOST)):
                number, failed = row["id"], 0
                if table == "entries" and not isinstance(row["round"], int):
                    damaged.add(TORN)
                else:
                    yield row
            return
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
        damaged.add(TORN)
        failed += 1
        number += 1 if failed < NEAR else NEAR // 64


def _summed(db: sqlite3.Connection, to: sqlite3.Connection) -> set[int]:
    """Take the lines whose checksum continues that of the line before in their round; which rounds are damaged."""
    ends: dict[int, tuple[int, int]] = {}
    damaged: set[int] = set()

    def right() -> Iterator[StoredLine]:
        for row in _rows(db, "entries", damaged):
            line = StoredLine(*row)
            with contextlib.suppress(*DAMAGED):
                count, before = ends.get(line.round, (0, 0))
                ends[line.round] = (count + 1, int(line.sum))
                if line.stands_after(before):
                    yield line
                else:
                    damaged.add(line.round)

    _keep(to, right())
    heads = [*_rows(db, "rounds", damaged)]
    with contextlib.suppress(sqlite3.DatabaseError):
        heads += db.execute("SELECT 0 AS id, lines, last FROM store")
    wanted = {row["id"]: (row["lines"], row["last"]) for row in heads}
    return damaged | {
        number for number in wanted.keys() | ends.keys() if ends.get(number, (0, 0)) != wanted.get(number)
    }


def _unsummed(db: sqlite3.Connection, to: sqlite3.Connection) -> set[int]:
    """Take the lines of rounds that can be read, as they are written today; which rounds cannot."""
    of_rounds: dict[int, list[sqlite3.Row]] = {}
    damaged: set[int] = set()
    for row in _rows(db, "entries", damaged):
        of_rounds.setdefault(row["round"], []).append(row)
    heads: dict[int, Head] = {}
    made: list[tuple[float, int, stored_lines.Fields]] = []
    for row in _rows(db, "rounds", damaged):
        number = int(row["id"])
        try:
            head = _head(dict(row), heads)
            made += [(place, number, fields) for place, fields in _entries(dict(row), of_rounds.pop(number, []), head)]
            heads[number] = head
        except DAMAGED:
            damaged.add(number)
    ends: dict[int, int] = {}
    lines = []
    for top, (_, number, fields) in enumerate(sorted(made, key=lambda each: each[:2])):
        lines += chained(number, [fields], top, ends.get(number, 0))
        ends[number] = lines[-1].sum
    _keep(to, lines)
    return damaged | of_rounds.keys()


def _head(row: dict[str, Any], heads: dict[int, Head]) -> Head:
    names = tuple(str(name) for name in json.loads(row["names"]))
    if not names or not isinstance(row["evening"], int) or not isinstance(row["begun"], str):
        raise ValueError("no round")
    header = RoundHeader(
        str(row["game"]), _words(row["options"]), names, goal=int(row["goal"]), number=int(row["number"]),
        wins=pairs(json.loads(row["wins"])), opened=pairs(json.loads(row["opened"])),
    )  # fmt: skip
    imported = row["state"] == "imported"
    match = 0 if imported or not header.goal else row["id"]
    if match and header.number > 1:  # The newest round that it can follow says of which match it is.
        before = [
            each for each in heads.values() if each.header[3:5] == (header.goal, header.number - 1) and each.match
        ]
        match = before[-1].match if before else match
    head = Head(header, row["evening"], match, imported, _words(row.get("other", "[]")))
    head.text().encode()
    return head


def _words(written: str) -> tuple[tuple[str, str], ...]:
    return tuple((str(a), str(b)) for a, b in json.loads(written))


def _entries(
    row: dict[str, Any], rows: Sequence[sqlite3.Row], head: Head
) -> Iterator[tuple[float, stored_lines.Fields]]:
    """The lines of a round with their places; the result, which only its head had, is added to its last line."""
    result, begun = row["result"], row["begun"]
    if result:
        scores, winners = Result.parse(result)
        if len(scores) != len(head.header.names) or not set(winners) <= set(range(1, len(scores) + 1)):
            raise ValueError("no result")
    said = result_line(result, row.get("reason", ""))
    yield min((each["id"] for each in rows), default=0) - 0.5, ("begin", 0, head.text(), begun, 0.0, "")
    those = [dict(each) for each in rows if each["kind"] != "begin"]
    end = max((each["id"] for each in those if each["kind"] == "result"), default=0)
    for each in those:
        written, date, kind = each["text"], each["at"], each["kind"]
        (written + date).encode()  # Raises an error for what was no text.
        if kind not in stored_lines.KINDS:
            raise ValueError("no line")
        written = said if result and each["id"] == end else written
        yield each["id"], (kind, int(each["seat"]), written, date, float(each.get("seconds", 0.0)), "")
    if result and not end:  # An imported round had no line for its end.
        yield (those[-1]["id"] if those else 0) + 0.1, ("result", 0, said, begun, 0.0, "")

"""Rescues a damaged database: rounds are rebuilt in a new file from lines whose checksums are right.

A damaged round is left out and reported by number; it costs no other round, and the old file is kept aside.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import sqlite3
import zlib
from array import array
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from companion.store import carve, lines, rounds, schema
from companion.store.lines import Head, Line
from companion.store.schema import FIRST, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from pathlib import Path

Counts = dict[int, tuple[int, int]]
"""Round number → how many lines it should have, and the checksum of the last. Round 0 is the store itself."""


class Lines(Mapping[int, list[Line]]):
    """The lines of rounds by number, ascending; each time they are asked for they are read anew, for those of thousands
    of rounds do not fit into the memory of a small computer."""

    def __init__(self, numbers: Iterable[int], read: Callable[[int], list[Line]]) -> None:
        self._numbers = dict.fromkeys(sorted(numbers))
        self._read = read

    def __getitem__(self, number: int) -> list[Line]:
        if number not in self._numbers:
            raise KeyError(number)
        return self._read(number)

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


class Recovered(NamedTuple):
    """What was found: the lines of each intact round, the numbers of damaged rounds, and of rounds whose last lines may
    be missing; `own` are the lines of round 0, the store itself, `top` is the highest number of a line."""

    rounds: Mapping[int, list[Line]]
    own: list[Line]
    damaged: tuple[int, ...] = ()
    short: tuple[int, ...] = ()
    top: int = 0

    def without(self, numbers: Collection[int]) -> Recovered:
        """The same without some rounds, which are not called damaged either."""
        return self._replace(
            rounds=Lines(self.rounds.keys() - set(numbers), self.rounds.__getitem__),
            damaged=tuple(each for each in self.damaged if each not in numbers),
            short=tuple(each for each in self.short if each not in numbers),
        )

    @property
    def whole(self) -> bool:
        """Whether every round was found complete."""
        return bool(self.own) and not self.damaged and not self.short

    def said(self, last: int = 0) -> str:
        """Sentences about the rounds; `last` is the number of the last line that there was, 0 if unknown."""
        count = len(self.rounds)
        rescued = f"{count} {'round was' if count == 1 else 'rounds were'} rescued" if count else "No round was rescued"
        said = f"{rescued}, but not {_numbers(self.damaged)}." if self.damaged else f"{rescued}."
        if self.short:
            return f"{said} The last entries of {_numbers(self.short)} may be missing."
        return f"{said} The last entries may be missing." if self.top < last else said


def _numbers(numbers: Collection[int]) -> str:
    shown = sorted(numbers)
    words = ", ".join(map(str, shown[:12])) + (f" and {len(shown) - 12} more" if len(shown) > 12 else "")
    return f"round {words}" if len(shown) == 1 else f"rounds {words}"


# -- finding ----------------------------------------------------------------------------------------------------


def checked(db: sqlite3.Connection) -> Recovered | None:
    """All rounds of a database if SQLite finds no fault in it, else None; they are read from `db` when asked for."""
    try:
        if not has_tables_of(db, db.execute("PRAGMA user_version").fetchone()[0]):
            return None
        if db.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            return None
        numbers = [number for (number,) in db.execute("SELECT DISTINCT round FROM entries")]
        return assembled(Lines(numbers, partial(lines.of_round, db)), counts(db))
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorname", "") not in ("SQLITE_ERROR", ""):
            raise  # A failing or locked disk is no sign of damage.
        return None
    except (sqlite3.DatabaseError, ValueError, TypeError):
        return None


def has_tables_of(db: sqlite3.Connection, version: int) -> bool:
    """Whether a database has the tables of a version from FIRST on."""
    if not FIRST <= version <= schema.VERSION:
        return False
    with contextlib.closing(sqlite3.connect(":memory:")) as new:
        new.executescript(f"{schema.SCHEMA} PRAGMA user_version = {FIRST};")
        schema.migrate(new, version)
        one, other = (
            sorted(each.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")) for each in (db, new)
        )
    return one == other


def counts(db: sqlite3.Connection) -> Counts:
    """How many lines each round should have, as far as it can be read."""
    found: Counts = {}
    for rows in ("SELECT 0, lines, last FROM store", "SELECT id, lines, last FROM rounds"):
        with contextlib.suppress(sqlite3.Error, ValueError):
            for number, count, last in db.execute(rows):
                if all(isinstance(each, int) for each in (number, count, last)):
                    found[number] = (count, last)
    return found


def carved(images: Sequence[carve.PageFile], expected: Counts) -> Recovered:
    """All rounds that can be found in a database and its WAL, which are to stay open until the rounds were read.

    Of each line only the place is kept in memory, and then each round's lines, compressed.
    """
    places: dict[int, array[int]] = {}
    for which, image in enumerate(images):
        for offset, number in carve.candidates(image):
            places.setdefault(number, array("Q")).append(offset * len(images) + which)
    packed: dict[int, bytes] = {}

    def read(number: int) -> list[Line]:
        if number not in packed:
            those = (divmod(place, len(images)) for place in places[number])
            found = {carve.line_at(images[which], offset) for offset, which in those}
            packed[number] = zlib.compress(marshal.dumps([tuple(line) for line in found if line is not None]), 1)
        return [Line(*line) for line in marshal.loads(zlib.decompress(packed[number]))]

    return assembled(Lines(places, read), expected)


def assembled(candidates: Mapping[int, list[Line]], expected: Counts) -> Recovered:
    """Assemble rounds from their candidate lines, which may include copies and damaged lines."""
    before: dict[int, int] = {}
    damaged, short, top = [], [], 0
    newest = max(expected or candidates, default=0)
    for number in sorted({*expected, *candidates}):
        kept, behind = _chained(candidates.get(number, []))
        top = max(top, kept[-1].id if kept else 0)
        agreed = number in expected and expected[number] == (len(kept), kept[-1].sum if kept else 0)
        follows = _follows(kept[0]) if kept and number else None
        if (follows is not None or (kept and not number)) and (agreed or not behind or number == newest):
            before[number] = follows or 0
            if not agreed and (behind or (number in expected and len(kept) <= expected[number][0])):
                short.append(number)
        elif number and (number in expected or kept or behind > 1):
            damaged.append(number)
    own = _chained(candidates[0])[0] if before.pop(0, None) is not None else []
    damaged += _missing(before, {*damaged, *_left_out(own)})
    found = Lines(before, lambda number: _chained(candidates[number])[0])
    return Recovered(found, own, tuple(sorted(damaged)), tuple(each for each in short if each), top)


def _missing(before: Mapping[int, int], known: set[int]) -> list[int]:
    """The rounds of which nothing was found, known from the head of the round after them."""
    missing: list[int] = []
    there = 0
    for number, last in before.items():
        missing += [each for each in range(there + 1, last + 1) if each not in known]
        there = number
    return missing


def _left_out(own: list[Line]) -> set[int]:
    """The numbers of rounds that an earlier rescue left out."""
    return {int(number) for line in own if line.kind == "rescue" for number in line.text.split()}


def _chained(those: list[Line]) -> tuple[list[Line], int]:
    """The lines that form an unbroken chain, and how many lines follow it."""
    kept: list[Line] = []
    before = 0
    strays: list[int] = []
    for line in sorted(set(those)):
        if line.stands_after(before):
            kept.append(line)
            before = line.sum
        else:
            strays.append(line.id)
    return kept, sum(number > (kept[-1].id if kept else 0) for number in strays)


def _follows(line: Line) -> int | None:
    """The number of the round before the one that begins with a line; None if it is no beginning."""
    try:
        before = Head.read(line.text).before
    except (ValueError, TypeError, KeyError):
        return None
    if line.kind != "begin":
        return None
    return before if before >= 0 else line.round - 1


# -- building ---------------------------------------------------------------------------------------------------


def built(where: str | Path, found: Recovered, date: str = "") -> sqlite3.Connection:
    """Write a new database with what was found; `where` is a path or ``:memory:``. Raises sqlite3.Error."""
    db = sqlite3.connect(where)
    # No journal: nobody reads the file before it is complete and synced.
    db.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {SCHEMA} PRAGMA user_version = {FIRST};")
    own = found.own or lines.chained(0, [("store", 0, os.urandom(16).hex(), date, 0.0, "")], found.top)
    if found.damaged:
        said: lines.Fields = (
            "rescue",
            0,
            " ".join(map(str, found.damaged)),
            date or datetime.now().astimezone().isoformat(timespec="seconds"),
            0.0,
            "",
        )
        own = [*own, *lines.chained(0, [said], max(found.top, own[-1].id), own[-1].sum)]
    with db:
        for each in chain((own,), found.rounds.values()):
            db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", each)
        db.execute("INSERT INTO store VALUES (?, ?, ?)", (own[0].text, len(own), own[-1].sum))
        rounds.rebuild(db)
        for number in found.short:
            _lay_aside(db, number)
    db.execute("PRAGMA journal_mode = WAL")  # Set now, since opening it would have to write the file again.
    return db


def _lay_aside(db: sqlite3.Connection, number: int) -> None:
    """Mark a round whose end may be missing as unfinished and set aside, unless it is the newest."""
    where = "id = ? AND state = 'running' AND id < (SELECT max(id) FROM rounds)"
    if db.execute(f"SELECT 1 FROM rounds WHERE {where}", (number,)).fetchone():
        moment = datetime.now().astimezone().isoformat(timespec="seconds")
        for line in lines.append(db, number, [("aside", 0, "", moment, 0.0, "")]):
            rounds.apply(db, line)

"""Rescues a damaged database: rounds are rebuilt in a new file from lines whose checksums are right.

A damaged round is left out and reported by number; it costs no other round, and the old file is kept aside.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from companion.store import carve, lines, rounds
from companion.store.lines import Head, Line
from companion.store.schema import FIRST, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

Counts = dict[int, tuple[int, int]]
"""Round number → how many lines it should have, and the checksum of the last. Round 0 is the store itself."""


class Recovered(NamedTuple):
    """What was found: the lines of each intact round, the numbers of damaged rounds, and of rounds whose last lines may
    be missing; `own` are the lines of round 0, the store itself, `top` is the highest number of a line."""

    rounds: dict[int, list[Line]]
    own: list[Line]
    damaged: tuple[int, ...] = ()
    short: tuple[int, ...] = ()
    top: int = 0

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
    """All rounds of a database if SQLite finds no fault in it, else None."""
    try:
        with contextlib.closing(sqlite3.connect(":memory:")) as new:
            new.executescript(SCHEMA)
            if _tables(db) != _tables(new):
                return None
        if db.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            return None
        return assembled((Line(*row) for row in db.execute("SELECT * FROM entries")), counts(db))
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorname", "") not in ("SQLITE_ERROR", ""):
            raise  # A failing or locked disk is no sign of damage.
        return None
    except (sqlite3.DatabaseError, ValueError, TypeError):
        return None


def _tables(db: sqlite3.Connection) -> list[tuple[str, str]]:
    return sorted(db.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"))


def counts(db: sqlite3.Connection) -> Counts:
    """How many lines each round should have, as far as it can be read."""
    found: Counts = {}
    with contextlib.suppress(sqlite3.Error, ValueError, TypeError):
        found[0] = db.execute("SELECT lines, last FROM store").fetchone()
    with contextlib.suppress(sqlite3.Error, ValueError, TypeError):
        for number, count, last in db.execute("SELECT id, lines, last FROM rounds"):
            found[number] = (count, last)
    return {number: pair for number, pair in found.items() if pair is not None}


def carved(database: bytes, log: bytes, page: int, expected: Counts) -> Recovered:
    """All rounds that can be found in the bytes of a database and its WAL; `page` is the page size."""
    images = (carve.database(database, page), carve.log(log, page))
    return assembled((line for image in images for line in carve.candidates(image)), expected)


def assembled(candidates: Iterable[Line], expected: Mapping[int, tuple[int, int]]) -> Recovered:
    """Assemble rounds from candidate lines, which may include copies and damaged lines."""
    by_round: dict[int, list[Line]] = {number: [] for number in expected}
    for line in set(candidates):
        by_round.setdefault(line.round, []).append(line)
    found: dict[int, list[Line]] = {}
    damaged, short, top = [], [], 0
    newest = max(expected or by_round, default=0)
    for number, those in sorted(by_round.items()):
        kept, behind = _chained(those)
        top = max(top, kept[-1].id if kept else 0)
        agreed = number in expected and expected[number] == (len(kept), kept[-1].sum if kept else 0)
        begins = bool(kept) and (number == 0 or _begins(kept[0]))
        if begins and (agreed or not behind or number == newest):
            found[number] = kept
            if not agreed and (behind or (number in expected and len(kept) <= expected[number][0])):
                short.append(number)
        elif number and (number in expected or kept or behind > 1):
            damaged.append(number)
    own = found.pop(0, [])
    damaged += _missing(found, {*damaged, *_left_out(own)})
    return Recovered(found, own, tuple(sorted(damaged)), tuple(each for each in short if each), top)


def _missing(found: dict[int, list[Line]], known: set[int]) -> list[int]:
    """The rounds of which nothing was found, known from the head of the round after them."""
    missing: list[int] = []
    there = 0
    for number, those in sorted(found.items()):
        before = Head.read(those[0].text).before
        last = before if before >= 0 else number - 1
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
    for line in sorted(those):
        if line.stands_after(before):
            kept.append(line)
            before = line.sum
        else:
            strays.append(line.id)
    return kept, sum(number > (kept[-1].id if kept else 0) for number in strays)


def _begins(line: Line) -> bool:
    try:
        return line.kind == "begin" and bool(Head.read(line.text))
    except (ValueError, TypeError, KeyError):
        return False


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
        for each in (own, *found.rounds.values()):
            db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", each)
        db.execute("INSERT INTO store VALUES (?, ?, ?)", (own[0].text, len(own), own[-1].sum))
        rounds.rebuild(db, sorted(found.rounds.items()))
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

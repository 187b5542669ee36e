"""Converts databases of versions 1 to 4, which had no checksums, round by round.

The old file is only read. Rounds that cannot be read are left out and reported by number; the others are believed.
"""

from __future__ import annotations

import json
import sqlite3
from typing import Any, NamedTuple

from companion.rounds.stored import RoundHeader
from companion.store import lines
from companion.store.lines import Head, Line, pairs
from companion.store.rescue import Recovered
from companion.store.rounds import result_line

UNREADABLE = (sqlite3.DatabaseError, ValueError, TypeError, KeyError, IndexError)
"""The errors of a damaged row; `_unless_the_disk` tells them apart from a failing disk."""
PROBES = 10_000
"""How many round numbers are tried one by one if their list cannot be read."""


class _Entry(NamedTuple):
    """A line of an old round; `id` is its number among all lines."""

    id: float
    kind: lines.LineKind
    seat: int
    text: str
    date: str
    seconds: float


def old_rounds(db: sqlite3.Connection) -> Recovered:
    """The rounds of an old database, with lines numbered from 1. Raises sqlite3.OperationalError."""
    db.row_factory = sqlite3.Row
    heads: dict[int, Head] = {}
    entries: dict[int, list[_Entry]] = {}
    damaged = []
    for number in _numbers(db):
        try:
            row = _row(db, number)
            if row is None:
                continue
            last = max(heads, default=0)
            head = _head(row, _match(heads, row))
            entries[number] = _entries(db, row)
            heads[number] = head._replace(before=last) if last != number - 1 else head
        except UNREADABLE as error:
            _unless_the_disk(error)
            damaged.append(number)
    numbered = sorted((each.id, number, place) for number, those in entries.items() for place, each in enumerate(those))
    new = {(number, place): top for top, (_, number, place) in enumerate(numbered, 1)}
    rounds = {number: _lines(number, those, heads[number], new) for number, those in entries.items()}
    return Recovered(rounds, [], tuple(damaged), top=len(numbered))


def _lines(number: int, those: list[_Entry], head: Head, new: dict[tuple[int, int], int]) -> list[Line]:
    made: list[Line] = []
    for place, entry in enumerate(those):
        text = head.text() if place == 0 else entry.text
        fields = (new[number, place], number, entry.kind, entry.seat, text, entry.date, entry.seconds, "")
        made.append(lines.sealed(fields, made[-1].sum if made else 0))
    return made


def _numbers(db: sqlite3.Connection) -> list[int]:
    found: list[int] = []
    try:
        for row in db.execute("SELECT id FROM rounds ORDER BY id"):
            found.append(row[0])
    except UNREADABLE as error:
        _unless_the_disk(error)
        found += range(found[-1] + 1 if found else 1, PROBES)
    return found


def _row(db: sqlite3.Connection, number: int) -> dict[str, Any] | None:
    row = db.execute("SELECT * FROM rounds WHERE id = ?", (number,)).fetchone()
    return None if row is None else dict(row)


def _head(row: dict[str, Any], match: int) -> Head:
    names = tuple(str(name) for name in json.loads(row["names"]))
    if not names or not isinstance(row["evening"], int) or not isinstance(row["begun"], str):
        raise ValueError("no round")
    header = RoundHeader(
        str(row["game"]), _words(row["options"]), names, goal=int(row["goal"]), number=int(row["number"]),
        wins=pairs(json.loads(row["wins"])), opened=pairs(json.loads(row["opened"])),
    )  # fmt: skip
    other = _words(row.get("other", "[]"))
    return Head(header, row["evening"], match, row["state"] == "imported", other)


def _words(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((str(a), str(b)) for a, b in json.loads(text))


def _match(heads: dict[int, Head], row: dict[str, Any]) -> int:
    """The number of the first round of a round's match, taken from the newest round that it can follow."""
    goal, of_match = row["goal"], row["number"]
    if not goal or row["state"] == "imported":
        return 0
    before = (
        head.match
        for head in reversed(heads.values())
        if (head.header.goal, head.header.number) == (goal, of_match - 1)
    )
    return next((match for match in before if match), row["id"]) if of_match > 1 else int(row["id"])


def _entries(db: sqlite3.Connection, row: dict[str, Any]) -> list[_Entry]:
    """The lines of an old round; the result, which only its head had, is added to the line that ended it."""
    old = [dict(each) for each in db.execute("SELECT * FROM entries WHERE round = ? ORDER BY id", (row["id"],))]
    found = [_entry(each) for each in old if each["kind"] != "begin"]
    first = min((each["id"] for each in old), default=0)
    found.insert(0, _Entry(first - 0.5, "begin", 0, "", row["begun"], 0.0))
    said = result_line(row["result"], row.get("reason", ""))
    ends = [place for place, each in enumerate(found) if each.kind == "result"]
    if row["result"] and ends:
        found[ends[-1]] = found[ends[-1]]._replace(text=said)
    elif row["result"]:  # An imported round had no line for its end.
        found.append(_Entry(found[-1].id + 0.1, "result", 0, said, row["begun"], 0.0))
    result = row["result"].partition(" winners ")
    if row["result"] and (len(result[0].split()) != len(json.loads(row["names"])) or not result[2]):
        raise ValueError("no result")
    for word in (*result[0].split(), *result[2].split()):
        int(word)
    return found


def _entry(each: dict[str, Any]) -> _Entry:
    text, date, kind = each["text"], each["at"], each["kind"]
    if not isinstance(text, str) or not isinstance(date, str) or kind not in lines.KINDS:
        raise ValueError("no line")
    return _Entry(each["id"], kind, int(each["seat"]), text, date, float(each.get("seconds", 0.0)))


def _unless_the_disk(error: BaseException) -> None:
    """Return if a row is damaged; raise the error again if the disk fails, for then nothing may be left out."""
    code = getattr(error, "sqlite_errorname", "")
    if (
        isinstance(error, sqlite3.OperationalError)
        and not code.startswith(("SQLITE_CORRUPT", "SQLITE_OK", "SQLITE_ERROR"))
        and code
    ):
        raise error

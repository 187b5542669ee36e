"""Takes the rounds of another file into the store, such as one that an upgrade or a rescue has set aside.

A round is known by how it began. One that is here gets the lines that it has more there; any other is taken in under a
new number, also one that was here and there played on differently. No line that is here is changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.store import lines as store_lines
from companion.store import queries
from companion.store import rounds as store_rounds
from companion.store.lines import Head, Line

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence

HELD = ("aside", "resume", "pause")
"""Lines that say whether a round is on the table, not what was played."""


class Merged(NamedTuple):
    """How many rounds were taken in, went on with lines that were missing, and were here already."""

    taken: int
    continued: int
    there: int


def merge(db: sqlite3.Connection, found: Mapping[int, list[Line]], date: str) -> Merged:
    """Take in rounds at `date` (ISO 8601), within the caller's transaction.

    The newest unfinished one is offered at the next start if no other is; the others are set aside.
    """
    into = _Into(db)
    for number, those in found.items():
        into.take(number, those)
    touched = {*into.taken, *into.continued}
    running = [number for (number,) in db.execute("SELECT id FROM rounds WHERE state = 'running' ORDER BY id")]
    offered = next((number for number in running if number not in touched), max(running, default=0))
    for number in touched.intersection(running) - {offered}:
        for line in store_lines.append(db, number, [("aside", 0, "", date, 0.0, "")]):
            store_rounds.apply(db, line)
    if touched:
        queries.rate_all(db)
    return Merged(len(into.taken), len(into.continued), into.there)


class _Into:
    """The store that rounds are taken into."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self.taken: list[int] = []
        self.continued: list[int] = []
        self.there = 0
        self._evenings: dict[int, int] = {}  # evenings there → here
        self._numbers: dict[int, int] = {}  # rounds there → here
        self._begun: dict[int, list[int]] = {}
        rows = db.execute("SELECT round, text, at FROM entries WHERE kind = 'begin' ORDER BY id")
        for number, text, date in rows:
            self._begun.setdefault(_key(text, date), []).append(number)

    def take(self, number: int, those: Sequence[Line]) -> None:
        """Take in a round of that number there, unless all of it is here."""
        said = [_said(line) for line in those[1:]]
        for here in self._begun.get(_key(those[0].text, those[0].date), []):
            mine = [_said(line) for line in store_lines.of_round(self._db, here)[1:]]
            if mine[: len(said)] == said:
                self._is(number, those, here)
                self.there += 1
                return
            while mine and mine[-1][0] in HELD:
                del mine[-1]
            if said[: len(mine)] == mine:
                self._is(number, those, here)
                self._append(here, [_fields(line) for line in those[1 + len(mine) :]])
                self.continued.append(here)
                return
        self._begin(number, those)

    def _is(self, number: int, those: Sequence[Line], here: int) -> None:
        evening = self._db.execute("SELECT evening FROM rounds WHERE id = ?", (here,)).fetchone()
        self._numbers[number] = here
        self._evenings.setdefault(Head.read(those[0].text).evening, evening[0])

    def _begin(self, number: int, those: Sequence[Line]) -> None:
        new = int(self._db.execute("SELECT coalesce(max(id), 0) + 1 FROM rounds").fetchone()[0])
        self._numbers[number] = new
        head = self._head(those[0].text, new)
        store_rounds.begin(self._db, new, head, those[0].date)
        self._begun.setdefault(_key(those[0].text, those[0].date), []).append(new)
        self._append(new, [("begin", 0, head.text(), those[0].date, 0.0, ""), *map(_fields, those[1:])])
        self.taken.append(new)

    def _head(self, text: str, new: int) -> Head:
        """A head with the numbers of evening and match as they are here."""
        head = Head.read(text)
        last = self._db.execute("SELECT coalesce(max(evening), 0) + 1 FROM rounds").fetchone()[0]
        evening = self._evenings.setdefault(head.evening, last)
        return head._replace(evening=evening, match=self._numbers.get(head.match, new) if head.match else 0, before=-1)

    def _append(self, number: int, fields: Sequence[store_lines.Fields]) -> None:
        """Append lines to a round that is here, and follow them in the tables."""
        sealed = [
            (kind, seat, self._head(text, number).text() if kind == "begin" else text, *rest)
            for kind, seat, text, *rest in fields
        ]
        for place, line in enumerate(store_lines.append(self._db, number, sealed)):  # type: ignore[arg-type]
            if line.kind == "begin" and place:  # It was dropped, and began again.
                store_rounds.begin(self._db, number, Head.read(line.text), line.date)
            store_rounds.apply(self._db, line, rated=False)


def _key(text: str, date: str) -> int:
    """What tells one round from another: when it began, and its head."""
    return hash((date, Head.read(text).header))


def _said(line: Line) -> tuple[str, int, str, str]:
    return line.kind, line.seat, line.text, line.date


def _fields(line: Line) -> store_lines.Fields:
    return line.kind, line.seat, line.text, line.date, line.seconds, line.clock

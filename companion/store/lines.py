"""The lines that a store is made of: one for each thing that happened, in order, never changed afterwards.

Each line has a CRC-32 that is continued from the line before it in its round, as in etcd's log: a line that was
changed, lost or put elsewhere breaks the chain of its round, and of no other.
"""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.session.model import RoundHeader

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

KINDS = frozenset((
    "begin", "deal", "rack", "event", "back", "mend", "result", "aside", "resume", "match", "rename", "drop",
    "store", "game", "rescue", "hints",
))  # fmt: skip
"""What a line can be.

``mend``: `text` is the place of a standing line, counted from 1, and what that line says from now on.
``result``: `text` is the result as in a record, and after a line break why the round ended.
``rename``: `text` is the old and the new name; a merge is a rename to a name that is there already.
``drop``: the round is no longer listed or counted; it may begin again. ``match``: the result of the round's match.
``store``, ``game``, ``rescue`` and ``hints`` (``on`` or ``off``) belong to round 0: the store's identity, a game when
it was first seen, the numbers of the rounds that were damaged and left out.
"""
PLACED = ("deal", "rack", "event")
"""The kinds of lines that stand until they are taken back."""


class Line(NamedTuple):
    """A line as it is kept; `date` and time in ISO 8601, `clock` what is left on each seat's clock."""

    id: int
    round: int
    kind: str
    seat: int
    text: str
    date: str
    seconds: float
    clock: str
    sum: int

    def stands_after(self, before: int) -> bool:
        """Whether the line is as it was written, after a line with this checksum (0: the first)."""
        return self.sum == checksum(self[:-1], before)


def checksum(fields: Iterable[object], before: int) -> int:
    """The checksum of a line's fields after a line with the checksum `before`; signed, for SQLite keeps it shorter."""
    data = "\x1f".join(map(str, fields)).encode("utf-8", "surrogatepass")
    found = zlib.crc32(data, before & 0xFFFFFFFF)
    return found - 0x1_0000_0000 if found & 0x8000_0000 else found


Fields = tuple[str, int, str, str, float, str]
"""Of a line that is still to be appended: kind, seat, text, at, seconds, clock."""


def append(db: sqlite3.Connection, round_: int, entries: Iterable[Fields]) -> list[Line]:
    """Append lines to a round that has begun, or to the store itself (round 0)."""
    table, where = ("rounds", "id = ?") if round_ else ("store", "? = 0")
    row = db.execute(f"SELECT last FROM {table} WHERE {where}", (round_,)).fetchone()
    top = db.execute("SELECT coalesce(max(id), 0) FROM entries").fetchone()[0]
    made = chained(round_, entries, top, row[0] if row else 0)
    db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", made)
    db.execute(
        f"UPDATE {table} SET lines = lines + ?, last = ? WHERE {where}",
        (len(made), made[-1].sum if made else 0, round_),
    )
    return made


def chained(round_: int, entries: Iterable[Fields], top: int = 0, before: int = 0) -> list[Line]:
    """Lines with numbers from `top` on, each continuing the checksum of the one before it."""
    made: list[Line] = []
    for number, (kind, seat, text, date, seconds, clock) in enumerate(entries, top + 1):
        made.append(sealed((number, round_, kind, seat, text, date, float(seconds), clock), before))
        before = made[-1].sum
    return made


def sealed(fields: tuple[int, int, str, int, str, str, float, str], before: int) -> Line:
    """A line with its checksum, after a line with the checksum `before`."""
    return Line(*fields, checksum(fields, before))


def of_round(db: sqlite3.Connection, number: int) -> list[Line]:
    """The lines of a round in order, unchecked."""
    return [Line(*row) for row in db.execute("SELECT * FROM entries WHERE round = ? ORDER BY id", (number,))]


def unbroken(lines: Iterable[Line]) -> bool:
    """Whether each line is as it was written after the one before; the last ones may be missing."""
    before = 0
    for line in lines:
        if not line.stands_after(before):
            return False
        before = line.sum
    return True


class Placed(NamedTuple):
    """A deal or an event that stands, as it was written or mended since."""

    kind: str
    seat: int
    text: str
    seconds: float


def standing(lines: Iterable[Line]) -> list[Placed]:
    """The deals and events of a round that stand, in order: without what was taken back, with what was mended."""
    placed: list[Placed] = []
    for line in lines:
        if line.kind in PLACED:
            placed.append(Placed(line.kind, line.seat, line.text, line.seconds))
        elif line.kind in ("begin", "drop"):
            placed.clear()
        elif line.kind == "back" and placed:
            placed.pop()
        elif line.kind == "mend":
            place, _, text = line.text.partition(" ")
            placed[int(place) - 1] = placed[int(place) - 1]._replace(text=text)
    return placed


# -- the first line of a round ------------------------------------------------------------------------------------


class Head(NamedTuple):
    """What the first line of a round says. `other` are further header lines of an imported record.

    `before` is the number of the round before it, where it is not the next lower one: so a missing round is noticed.
    """

    header: RoundHeader
    evening: int
    match: int = 0
    imported: bool = False
    other: tuple[tuple[str, str], ...] = ()
    before: int = -1

    def text(self) -> str:
        """The head as the text of a line; what has its default is left out."""
        header = self.header._asdict()
        said = {key: value for key, value in header.items() if value != RoundHeader._field_defaults.get(key)}
        more = {key: value for key, value in self._asdict().items() if key not in ("header", "before") and value}
        if self.before >= 0:
            more["before"] = self.before
        return json.dumps({**said, **more}, separators=(",", ":"))

    @classmethod
    def read(cls, text: str) -> Head:
        """The head that a line says. Raises ValueError, TypeError, KeyError where it says none."""
        said = json.loads(text)
        rest = {key: said.pop(key) for key in ("evening", "match", "imported", "before") if key in said}
        other = pairs(said.pop("other", ()))
        said["names"] = tuple(said["names"])
        for key in ("options", "wins", "opened"):
            said[key] = pairs(said.get(key, ()))
        return cls(RoundHeader(**said), other=other, **rest)


def pairs(said: Iterable[tuple[Any, Any]]) -> tuple[tuple[Any, Any], ...]:
    """Pairs as JSON has them, immutable."""
    return tuple((a, b) for a, b in said)

"""The store's append-only lines: one for each thing that happened, in order, never changed afterwards.

Each line has a CRC-32 that continues the one of the line before it in its round, as in etcd's log: a changed, lost or
moved line breaks the chain of its own round and of no other.
"""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from companion.game.manifest import HoldingKind
from companion.rounds.stored import LogKind, RoundHeader

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

LineKind = LogKind | Literal["match", "rename", "store", "game", "rescue"]
"""The kinds of lines: those of the session's log entries, and those that only the store writes.

``mend``: `text` is the place of a line that was not taken back, from 1, and that line's new text.
``result``: `text` is the result as a record writes it, and after a line break why the round ended.
``rename``: `text` is the old and the new name; to merge two players is to rename one to the other's name.
``drop``: the round is no longer listed or counted; it may begin again. ``match``: the result of the round's match.
``pause``: the game clock was stopped; `clock` is what was left on it.
``store``, ``game``, ``rescue``, ``hints`` and ``dealer`` (``on`` or ``off``), ``favour`` and ``unfavour`` (a name)
belong to round 0: the store's identity, a game seen for the first time, the numbers of rounds that a rescue left out,
what was switched, and whose names are offered first.
"""
KINDS: frozenset[str] = frozenset(kind for those in get_args(LineKind) for kind in get_args(those))
PlacedKind = HoldingKind | Literal["event"]
"""The kinds of lines that ``back`` takes back."""


class Line(NamedTuple):
    """A stored line: its time is in ISO 8601; `clock` is what is left on each seat's clock."""

    id: int
    round: int
    kind: LineKind
    seat: int
    text: str
    date: str
    seconds: float
    clock: str
    sum: int

    def stands_after(self, before: int) -> bool:
        """Whether the line is unchanged and follows a line with this checksum (0 for the first line)."""
        return self.sum == checksum(self[:-1], before)


def checksum(fields: Iterable[object], before: int) -> int:
    """The CRC-32 of a line's fields, continued from `before`, as a signed integer, which SQLite stores shorter."""
    data = "\x1f".join(map(str, fields)).encode("utf-8", "surrogatepass")
    found = zlib.crc32(data, before & 0xFFFFFFFF)
    return found - 0x1_0000_0000 if found & 0x8000_0000 else found


Fields = tuple[LineKind, int, str, str, float, str]
"""The fields of a line to append: kind, seat, text, at (ISO 8601), seconds, clock."""


def append(db: sqlite3.Connection, round_: int, entries: Iterable[Fields]) -> list[Line]:
    """Append lines to a round that has begun, or to round 0, the store itself."""
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
    """Lines numbered after `top`, each continuing the checksum of the one before it."""
    made: list[Line] = []
    for number, (kind, seat, text, date, seconds, clock) in enumerate(entries, top + 1):
        made.append(sealed((number, round_, kind, seat, text, date, float(seconds), clock), before))
        before = made[-1].sum
    return made


def sealed(fields: tuple[int, int, LineKind, int, str, str, float, str], before: int) -> Line:
    """A line with its checksum, continued from `before`."""
    return Line(*fields, checksum(fields, before))


def of_round(db: sqlite3.Connection, number: int) -> list[Line]:
    """The lines of a round in order; their checksums are not checked."""
    return [Line(*row) for row in db.execute("SELECT * FROM entries WHERE round = ? ORDER BY id", (number,))]


def unbroken(lines: Iterable[Line]) -> bool:
    """Whether no line is changed or missing between others; missing lines at the end are not noticed."""
    before = 0
    for line in lines:
        if not line.stands_after(before):
            return False
        before = line.sum
    return True


class Placed(NamedTuple):
    """A deal or an event that was not taken back, as written or as mended since."""

    kind: PlacedKind
    seat: int
    text: str
    seconds: float


def standing(lines: Iterable[Line]) -> list[Placed]:
    """The deals and events of a round in order: without those taken back, and as mended."""
    placed: list[Placed] = []
    for line in lines:
        match line.kind:
            case "deal" | "rack" | "event" as kind:
                placed.append(Placed(kind, line.seat, line.text, line.seconds))
            case "begin" | "drop":
                placed.clear()
            case "back":
                del placed[-1:]
            case "mend":
                place, _, text = line.text.partition(" ")
                placed[int(place) - 1] = placed[int(place) - 1]._replace(text=text)
    return placed


# -- the first line of a round ------------------------------------------------------------------------------------


class Head(NamedTuple):
    """The data in the first line of a round.

    `other` are header lines without a field here: those of an imported record, and ``pairing``. `before` is the number
    of the round before, if it is not the next lower one, so that a missing round is noticed.
    """

    header: RoundHeader
    evening: int
    match: int = 0
    imported: bool = False
    other: tuple[tuple[str, str], ...] = ()
    before: int = -1

    def text(self) -> str:
        """The head as a line's text; fields with their default are left out."""
        header = self.header._asdict()
        said = {key: value for key, value in header.items() if value != RoundHeader._field_defaults.get(key)}
        more = {key: value for key, value in self._asdict().items() if key not in ("header", "before") and value}
        if self.before >= 0:
            more["before"] = self.before
        return json.dumps({**said, **more}, separators=(",", ":"))

    @classmethod
    def read(cls, text: str) -> Head:
        """Parse a line's text. Raises ValueError, TypeError or KeyError if it is not a head."""
        said = json.loads(text)
        rest = {key: said.pop(key) for key in ("evening", "match", "imported", "before") if key in said}
        other = pairs(said.pop("other", ()))
        said["names"] = tuple(said["names"])
        for key in ("options", "wins", "opened"):
            said[key] = pairs(said.get(key, ()))
        return cls(RoundHeader(**said), other=other, **rest)


def origin(lines: Sequence[Line]) -> str:
    """Where the game of a round came from, by the last of its heads: see `RoundHeader`. No table has it."""
    heads = [line.text for line in lines if line.kind == "begin"]
    return Head.read(heads[-1]).header.origin if heads else ""


def pairs(said: Iterable[tuple[Any, Any]]) -> tuple[tuple[Any, Any], ...]:
    """Pairs from JSON as immutable tuples."""
    return tuple((a, b) for a, b in said)

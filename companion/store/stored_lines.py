"""The store's append-only lines: one for each thing that happened, in order, never changed afterwards.

Each line has a CRC-32 that continues the one of the line before it in its round, as in etcd's log: a changed, lost or
moved line breaks the chain of its own round and of no other.
"""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from companion.rounds.stored import LogKind, RoundHeader

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

LineKind = LogKind | Literal["match", "rename", "void", "store", "game", "rescue", "read", "lost"]
"""The kinds of lines: those of the session's log entries, and those that only the store writes.

``mend``: `text` is the place of a line that was not taken back, from 1, and that line's new text.
``result``: `text` is the result as a record writes it, and after a line break why the round ended; `seconds` is how
long the round took, by monotonic time: -1 if the box was started anew meanwhile, 0 from versions that did not say.
``rename``: `text` is the old and the new name; to merge two players is to rename one to the other's name.
``drop``: the round is no longer listed or counted; it may begin again. ``match``: the result of the round's match.
``pause``: the game clock was stopped; `clock` is what was left on it. ``void``: the round's result no longer counts; a
``result`` that follows restores it.
``store``, ``game``, ``rescue``, ``read``, ``lost``, ``hints``, ``dealer``, ``rests`` and ``timing`` (``on`` or
``off``), ``language`` (its code), ``favour`` and ``unfavour`` (a name) belong to round 0: the store's identity, a game
seen for the first time, the numbers of rounds that a rescue left out, something of version 0.6 (``read``), the first of
the lines that are lost up to this one, what was switched or chosen, and whose names are offered first.
"""
KINDS: frozenset[str] = frozenset(kind for those in get_args(LineKind) for kind in get_args(those))


class StoredLine(NamedTuple):
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


def sealed(fields: tuple[int, int, LineKind, int, str, str, float, str], before: int) -> StoredLine:
    """A line with its checksum, continued from `before`."""
    return StoredLine(*fields, checksum(fields, before))


def of_round(db: sqlite3.Connection, number: int) -> list[StoredLine]:
    """The lines of a round in order; their checksums are not checked."""
    return [StoredLine(*row) for row in db.execute("SELECT * FROM log_entries WHERE round = ? ORDER BY id", (number,))]


def unbroken(lines: Iterable[StoredLine]) -> bool:
    """Whether no line is changed or missing between others; missing lines at the end are not noticed."""
    before = 0
    for line in lines:
        if not line.stands_after(before):
            return False
        before = line.sum
    return True


def standing(lines: Iterable[StoredLine]) -> list[StoredLine]:
    """The deals and events of a round in order: without those taken back, and with the texts as mended.

    What is lost before a line counts as one event for a ``back`` or ``mend``, so that these meet no other.
    """
    placed: list[StoredLine | None] = []
    before = 0
    for line in lines:
        if not line.stands_after(before):
            placed.append(None)
        before = line.sum
        match line.kind:
            case "deal" | "rack" | "event":
                placed.append(line)
            case "begin" | "drop":
                placed.clear()
            case "back":
                del placed[-1:]
            case "mend":
                number, _, text = line.text.partition(" ")
                place = int(number) - 1 if number.isdecimal() else -1
                if 0 <= place < len(placed) and (there := placed[place]) is not None:
                    placed[place] = there._replace(text=text)
    return [each for each in placed if each is not None]


# -- the first line of a round ------------------------------------------------------------------------------------


class Head(NamedTuple):
    """The data in the first line of a round.

    `other` are header lines without a field here: those of an imported record, and ``pairing``. `evening` is read only
    by versions before this one. `boot` is the kernel's id of the box's start, and `uptime` the monotonic seconds when
    the round began.
    """

    header: RoundHeader
    evening: int
    match: int = 0
    imported: bool = False
    other: tuple[tuple[str, str], ...] = ()
    boot: str = ""
    uptime: float = 0.0

    def text(self) -> str:
        """The head as a line's text; fields with their default are left out. Older versions need the evening."""
        header = self.header._asdict()
        said = {key: value for key, value in header.items() if value != RoundHeader._field_defaults.get(key)}
        more = {key: value for key, value in self._asdict().items() if key != "header" and (value or key == "evening")}
        return json.dumps({**said, **more}, separators=(",", ":"))

    @classmethod
    def read(cls, text: str) -> Head:
        """Parse a line's text; what other versions add is left out. Raises ValueError, TypeError, KeyError."""
        said = json.loads(text)
        said["names"] = tuple(said["names"])
        for key in ("options", "wins", "opened", "other"):
            said[key] = pairs(said.get(key, ()))
        header = RoundHeader(**{key: said[key] for key in RoundHeader._fields if key in said})
        return cls(header, **{key: said[key] for key in cls._fields if key in said})


def origin(lines: Sequence[StoredLine]) -> str:
    """Where the game of a round came from, by the last of its heads: see `RoundHeader`. No table has it."""
    heads = [line.text for line in lines if line.kind == "begin"]
    return Head.read(heads[-1]).header.origin if heads else ""


def pairs(said: Iterable[tuple[Any, Any]]) -> tuple[tuple[Any, Any], ...]:
    """Pairs from JSON as immutable tuples."""
    return tuple((a, b) for a, b in said)

"""The store's entries: one for each thing that has happened, in order, never changed afterwards.

Each entry has a CRC-32 that continues that of the entry before it in its round, as in etcd's log. A changed, lost or
moved entry breaks the chain of its own round, and of no other.
"""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from companion.rounds.stored import LogKind, RoundHeader

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

EntryKind = LogKind | Literal["match", "rename", "void", "store", "game", "rescue", "read", "lost"]
"""The kinds of entries: those of the session's log entries, and those that only the store writes.

| kind | text and other fields |
| --- | --- |
| ``mend`` | the number of a remaining deal or event (from 1), and its new text |
| ``result`` | the result as in a record, and after a line break why the round ended |
| ``rename`` | the old and the new name; merging two players means renaming one to the other's name |
| ``drop`` | the round is no longer listed or counted; it may begin again |
| ``match`` | the result of the round's match |
| ``pause`` | the game clock was stopped; `clock` is what was left on it |
| ``void`` | the round's result no longer counts; a later ``result`` restores it |

`seconds` of a ``result`` is how long the round took by monotonic time: -1 if the box was restarted meanwhile, 0 from
versions that did not measure it.

These belong to round 0:

| kind | text |
| --- | --- |
| ``store`` | the store's identity |
| ``game`` | a game seen for the first time |
| ``rescue`` | the numbers of rounds that a rescue left out |
| ``read`` | something of version 0.6 |
| ``lost`` | the first of the lost entries; this entry's number is the last of them |
| ``hints``, ``dealer``, ``rests``, ``timing`` | ``on`` or ``off`` |
| ``language`` | the language's code |
| ``favour``, ``unfavour`` | a name that is offered first, or no longer |
"""
ENTRY_KINDS: frozenset[str] = frozenset(kind for those in get_args(EntryKind) for kind in get_args(those))


class StoredEntry(NamedTuple):
    """An entry as it is stored. `date` is its time in ISO 8601; `clock` is what is left on each seat's clock."""

    id: int
    round: int
    kind: EntryKind
    seat: int
    text: str
    date: str
    seconds: float
    clock: str
    checksum: int

    def follows_checksum(self, checksum_before: int) -> bool:
        """Whether the entry is unchanged and follows an entry with this checksum (0 for the first entry of a round)."""
        return self.checksum == compute_checksum(self[:-1], checksum_before)


def compute_checksum(fields: Iterable[object], checksum_before: int) -> int:
    """The CRC-32 of an entry's fields, continued from the checksum before.

    It is a signed integer, which SQLite stores in fewer bytes.
    """
    data = "\x1f".join(map(str, fields)).encode("utf-8", "surrogatepass")
    crc = zlib.crc32(data, checksum_before & 0xFFFFFFFF)
    return crc - 0x1_0000_0000 if crc & 0x8000_0000 else crc


EntryFields = tuple[EntryKind, int, str, str, float, str]
"""The fields of an entry to append: kind, seat, text, time (ISO 8601), seconds, clock."""


def make_entry(fields: tuple[int, int, EntryKind, int, str, str, float, str], checksum_before: int) -> StoredEntry:
    """Make an entry with its checksum, continued from the checksum before."""
    return StoredEntry(*fields, compute_checksum(fields, checksum_before))


def round_entries(db: sqlite3.Connection, number: int) -> list[StoredEntry]:
    """Read the entries of a round in order, without checking their checksums."""
    return [StoredEntry(*row) for row in db.execute("SELECT * FROM log_entries WHERE round = ? ORDER BY id", (number,))]


def is_unbroken(entries: Iterable[StoredEntry]) -> bool:
    """Whether no entry is changed, and none is missing between others. Entries missing at the end go unnoticed."""
    checksum_before = 0
    for line in entries:
        if not line.follows_checksum(checksum_before):
            return False
        checksum_before = line.checksum
    return True


def entries_not_taken_back(entries: Iterable[StoredEntry]) -> list[StoredEntry]:
    """The deals and events of a round that were not taken back, in order, with their corrected texts.

    A gap of lost entries counts as one event for ``back`` and ``mend``, so that these never affect the wrong event.
    """
    remaining: list[StoredEntry | None] = []
    checksum_before = 0
    for line in entries:
        if not line.follows_checksum(checksum_before):
            remaining.append(None)
        checksum_before = line.checksum
        match line.kind:
            case "deal" | "rack" | "event":
                remaining.append(line)
            case "begin" | "drop":
                remaining.clear()
            case "back":
                del remaining[-1:]
            case "mend":
                number, _, text = line.text.partition(" ")
                place = int(number) - 1 if number.isdecimal() else -1
                if 0 <= place < len(remaining) and (replaced := remaining[place]) is not None:
                    remaining[place] = replaced._replace(text=text)
    return [each for each in remaining if each is not None]


# -- the first entry of a round -----------------------------------------------------------------------------------


class StoredHeader(NamedTuple):
    """The data in the first entry of a round.

    Attributes:
        header: the round's header.
        evening: read only by versions before this one.
        match: the number of the match's first round.
        imported: whether the round was imported.
        other: header lines without a field here: those of an imported record, and ``pairing``.
        boot: the kernel's id of the start of the box.
        uptime: monotonic seconds since that start when the round began.
    """

    header: RoundHeader
    evening: int
    match: int = 0
    imported: bool = False
    other: tuple[tuple[str, str], ...] = ()
    boot: str = ""
    uptime: float = 0.0

    def to_text(self) -> str:
        """Format the data as an entry's text; fields with their default are left out.

        Older versions need the evening.
        """
        header = self.header._asdict()
        fields = {key: value for key, value in header.items() if value != RoundHeader._field_defaults.get(key)}
        more = {key: value for key, value in self._asdict().items() if key != "header" and (value or key == "evening")}
        return json.dumps({**fields, **more}, separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> StoredHeader:
        """Parse an entry's text; fields of other versions are ignored. Raises ValueError, TypeError, KeyError."""
        fields = json.loads(text)
        fields["names"] = tuple(fields["names"])
        for key in ("options", "wins", "opened", "other"):
            fields[key] = as_tuples(fields.get(key, ()))
        header = RoundHeader(**{key: fields[key] for key in RoundHeader._fields if key in fields})
        return cls(header, **{key: fields[key] for key in cls._fields if key in fields})


def game_package_and_version(entries: Sequence[StoredEntry]) -> str:
    """The package and version of a round's game, from the last of its headers. No table of the database has it."""
    heads = [line.text for line in entries if line.kind == "begin"]
    return StoredHeader.from_text(heads[-1]).header.origin if heads else ""


def as_tuples(json_pairs: Iterable[tuple[Any, Any]]) -> tuple[tuple[Any, Any], ...]:
    """Convert pairs from JSON to immutable tuples."""
    return tuple((a, b) for a, b in json_pairs)

"""What happened to finished rounds since an entry: read for those who follow a store from outside, never written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.games.score_pad import rules as pad

if TYPE_CHECKING:
    import sqlite3

CHANGING = "'result', 'back', 'drop', 'rename', 'mend'"
"""The kinds of lines after which the record of a finished round is another one, or is none."""


class Position(NamedTuple):
    """An entry of a store by its number and its checksum.

    Stores are only appended to, so whoever has the same entry has the same entries before it. A store that was put back
    from a backup and played on has other checksums from there.
    """

    entry: int
    sum: int


START = Position(0, 0)
"""Before the first entry."""


class Change(NamedTuple):
    """The last thing that happened to a round; `first` is the checksum of its first line, which tells it from another
    round of the same number in a copy of the store that was played on. `over`: its record counts; else it does not."""

    entry: Position
    round: int
    first: int
    over: bool


def holds(db: sqlite3.Connection, position: Position) -> bool:
    """Whether a store has this very entry."""
    if position == START:
        return True
    row = db.execute("SELECT sum FROM entries WHERE id = ?", (position.entry,)).fetchone()
    return row is not None and row[0] == position.sum


def changes(db: sqlite3.Connection, after: int, limit: int = -1) -> list[Change]:
    """The rounds that were finished or taken back after an entry, each once, in the order of their last changes.

    Rounds that were imported, that were never finished, and score pads are not among them.
    """
    rows = db.execute(
        "SELECT r.id, r.state IN ('over', 'closed') AND r.result != '', max(e.id) "
        f"FROM entries e JOIN rounds r ON r.id = e.round WHERE e.id > ? AND e.kind IN ({CHANGING}) "
        "AND r.state != 'imported' AND r.game != ? "
        "AND EXISTS (SELECT 1 FROM entries p WHERE p.round = r.id AND p.kind = 'result') "
        "GROUP BY r.id ORDER BY 3 LIMIT ?",
        (after, pad.ID, limit),
    ).fetchall()
    return [Change(_position(db, last), number, _first(db, number), bool(over)) for number, over, last in rows]


def _position(db: sqlite3.Connection, entry: int) -> Position:
    return Position(entry, int(db.execute("SELECT sum FROM entries WHERE id = ?", (entry,)).fetchone()[0]))


def _first(db: sqlite3.Connection, number: int) -> int:
    row = db.execute("SELECT sum FROM entries WHERE round = ? ORDER BY id LIMIT 1", (number,)).fetchone()
    return int(row[0])

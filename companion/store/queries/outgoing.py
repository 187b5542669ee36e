"""Changes of finished rounds since a line, for programs that follow a store, such as the uplink. Only read."""

import sqlite3
from typing import NamedTuple

from companion.games.score_pad import rules as pad

CHANGING = "'result', 'back', 'drop', 'void', 'rename', 'mend'"
"""The kinds of lines that change or remove the record of a finished round."""


class Position(NamedTuple):
    """A line of a store, by number and checksum.

    Stores are append-only, so two stores with the same line have the same lines before it. A store that was restored
    from a backup and used since has other checksums from there on.
    """

    entry: int
    sum: int


START = Position(0, 0)
"""The position before the first line."""


class Change(NamedTuple):
    """The last change of a round; `over` is whether it is finished, so that its record counts.

    `first` is the checksum of the round's first line. It differs for another round of the same number, played on a
    restored copy of the store.
    """

    entry: Position
    round: int
    first: int
    over: bool


def holds(db: sqlite3.Connection, position: Position) -> bool:
    """Whether a store has the line with this number and checksum."""
    if position == START:
        return True
    row = db.execute("SELECT sum FROM entries WHERE id = ?", (position.entry,)).fetchone()
    return row is not None and row[0] == position.sum


def changes(db: sqlite3.Connection, after: int, limit: int = -1) -> list[Change]:
    """The rounds finished or reopened after the line numbered `after`, each once, in the order of their last changes.

    At most `limit`, -1 for all. Imported rounds, rounds never finished and score pads are left out.
    """
    rows = db.execute(  # With `max`, SQLite takes the other columns of `e` from the row that has it.
        "SELECT max(e.id), e.sum, r.id, (SELECT sum FROM entries WHERE round = r.id ORDER BY id LIMIT 1), "
        "r.state IN ('over', 'closed') AND r.result != '' "
        f"FROM entries e JOIN rounds r ON r.id = e.round WHERE e.id > ? AND e.kind IN ({CHANGING}) "
        "AND r.state != 'imported' AND r.game != ? "
        "AND EXISTS (SELECT 1 FROM entries p WHERE p.round = r.id AND p.kind = 'result') "
        "GROUP BY r.id ORDER BY 1 LIMIT ?",
        (after, pad.ID, limit),
    )
    return [Change(Position(last, sum_), number, first, bool(over)) for last, sum_, number, first, over in rows]

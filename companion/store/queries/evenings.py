"""Numbers the evenings at the table: a long pause begins another one.

Order is that of row numbers, never of time, since a Pi has no battery-backed clock.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from companion.store import round_tables
from companion.store.queries import dates

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from companion.rounds.stored import FinishedRound

EVENING = timedelta(hours=8)
"""A difference of this length, forwards or backwards, begins another evening."""


class Evenings:
    """The number of the present evening, from 1.

    Args:
        db: the store's database.
        now: the wall clock.
        clock: monotonic seconds.
    """

    def __init__(self, db: sqlite3.Connection, now: Callable[[], datetime], clock: Callable[[], float]) -> None:
        self._now = now
        self._clock = clock
        self._number = self._this(db)
        self._written: float | None = None  # when a line was last written, in monotonic seconds

    def written(self) -> None:
        """Note that a line has just been written."""
        self._written = self._clock()

    def _this(self, db: sqlite3.Connection) -> int:
        """The present evening's number: that of the last line, or the next after a long pause."""
        row = db.execute("SELECT r.evening, e.at FROM entries e JOIN rounds r ON r.id = e.round "
                         "WHERE r.state != 'imported' ORDER BY e.id DESC LIMIT 1").fetchone()  # fmt: skip
        if row is not None and _within(self._now(), moment(row[1])):
            return int(row[0])
        return _next(db)

    def of_new_round(self, db: sqlite3.Connection) -> int:
        """The evening of a round that begins now.

        At the first line since the start the wall clock is read again, for it may have been set since. After that only
        monotonic time counts.
        """
        if self._written is None:
            self._number = self._this(db)
        elif self._clock() - self._written > EVENING.total_seconds():
            self._number = _next(db)
        return self._number

    def results(self, db: sqlite3.Connection) -> tuple[FinishedRound, ...]:
        """The results of this evening, including imported rounds with its date."""
        day = dates.evening(self._now().astimezone().isoformat())
        days = (str(day), str(day + timedelta(days=1))) if day else ("", "")  # An evening may end after midnight.
        query = "SELECT id, begun FROM rounds WHERE state = 'imported' AND substr(begun, 1, 10) IN (?, ?)"
        dated = db.execute(query, days)
        imported = ",".join(str(number) for number, begun in dated if dates.evening(begun) == day)
        return round_tables.results(db, f"(r.evening = ? OR r.id IN ({imported}))", self._number)

    def of_imported(self, db: sqlite3.Connection, begun: str) -> int:
        """The evening of an imported round: that of the round imported before it if their dates are close."""
        query = "SELECT evening, begun FROM rounds WHERE state = 'imported' ORDER BY id DESC LIMIT 1"
        row = db.execute(query).fetchone()
        if row is not None and (begun == row[1] or _within(moment(begun), moment(row[1]))):
            return int(row[0])
        return max(_next(db), self._number + 1)


def _next(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT coalesce(max(evening), 0) + 1 FROM rounds").fetchone()[0])


def moment(text: str) -> datetime | None:
    """Parse ISO 8601, without an offset as local time; None for any other text."""
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def _within(one: datetime | None, other: datetime | None) -> bool:
    """Whether two times, in either order, can be of one evening; false for None."""
    return one is not None and other is not None and abs(one - other) <= EVENING

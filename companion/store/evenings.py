"""Which evening a round is counted to: a long pause begins another one.

Order is that of row numbers, never of time: a Pi has no battery clock.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from companion.store import dates
from companion.store import rounds as store_rounds

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from companion.session.model import FinishedRound

EVENING = timedelta(hours=8)
"""A pause of this length, either way, begins another evening."""


class Evenings:
    """The number of the evening, from 1.

    Args:
        db: the rounds.
        now: the wall clock.
        clock: monotonic seconds.
    """

    def __init__(self, db: sqlite3.Connection, now: Callable[[], datetime], clock: Callable[[], float]) -> None:
        self._now = now
        self._clock = clock
        self._number = self._this(db)
        self._written: float | None = None  # when a line was last kept, in monotonic seconds

    def written(self) -> None:
        """A line has been kept just now."""
        self._written = self._clock()

    def _this(self, db: sqlite3.Connection) -> int:
        """The evening's number: that of the last entry, or the next one after a long pause."""
        row = db.execute("SELECT r.evening, e.at FROM entries e JOIN rounds r ON r.id = e.round "
                         "WHERE r.state != 'imported' ORDER BY e.id DESC LIMIT 1").fetchone()  # fmt: skip
        if row is not None and _within(self._now(), moment(row[1])):
            return int(row[0])
        return _next(db)

    def of_new_round(self, db: sqlite3.Connection) -> int:
        """The evening of a round that begins now.

        The wall clock is asked once more at the first one, for it may have been set since the box was switched on;
        after that only the time that has passed counts, whatever the wall clock does.
        """
        if self._written is None:
            self._number = self._this(db)
        elif self._clock() - self._written > EVENING.total_seconds():
            self._number = _next(db)
        return self._number

    def results(self, db: sqlite3.Connection) -> tuple[FinishedRound, ...]:
        """The results of this evening, those of imported rounds with its date among them."""
        day = dates.evening(self._now().astimezone().isoformat())
        days = (str(day), str(day + timedelta(days=1))) if day else ("", "")  # An evening runs past midnight.
        dated = db.execute(
            "SELECT id, begun FROM rounds WHERE state = 'imported' AND substr(begun, 1, 10) IN (?, ?)", days
        )
        imported = ",".join(str(number) for number, begun in dated if dates.evening(begun) == day)
        return store_rounds.results(db, f"(r.evening = ? OR r.id IN ({imported}))", self._number)

    def of_imported(self, db: sqlite3.Connection, begun: str) -> int:
        """The evening of an imported round: that of the one imported before it if their dates are near."""
        row = db.execute(
            "SELECT evening, begun FROM rounds WHERE state = 'imported' ORDER BY id DESC LIMIT 1"
        ).fetchone()
        if row is not None and (begun == row[1] or _within(moment(begun), moment(row[1]))):
            return int(row[0])
        return max(_next(db), self._number + 1)


def _next(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT coalesce(max(evening), 0) + 1 FROM rounds").fetchone()[0])


def moment(text: str) -> datetime | None:
    """A date with its time, None where the text is none; one without an offset is local."""
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def _within(one: datetime | None, other: datetime | None) -> bool:
    """Whether two moments can be of one evening, whichever comes first."""
    return one is not None and other is not None and abs(one - other) <= EVENING

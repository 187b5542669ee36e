"""When rounds were played, and on which evening. An evening ends at five in the morning.

A Pi has no battery for its clock: until a network sets it, the clock shows the time of the last shutdown, or 1970. So
durations are monotonic, and a round is dated by its result (`date_round`), when the clock is more likely to be set: the
beginning is corrected by it. A round's evening follows from its beginning as it is written, without conversion to the
reader's time zone, so that evenings are the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from companion.languages import text

if TYPE_CHECKING:
    import sqlite3

    from companion.store.stored_entries import StoredEntry

EVENING_END = timedelta(hours=5)
"""A round begun before this time of day belongs to the evening before."""
FIRST_YEAR = 2025
"""A clock that shows an earlier year has not been set."""
LONGEST_ROUND_SECONDS = 86400.0
"""If the first and last entry of a round are dated further apart, the clock was set, or there was a break."""
CLOCK_JUMP_SECONDS = 60.0
"""If the wall clock and monotonic time differ by more seconds, the clock was set meanwhile."""


class Dated(Protocol):
    """Anything with the time at which it began."""

    @property
    def begun(self) -> str:
        """The time it began in ISO 8601, "" if unknown."""


D = TypeVar("D", bound=Dated)


def evening_date(begun: str) -> date | None:
    """The date of the evening on which a round began; None without a date.

    A date without a time of day is the evening's own.
    """
    try:
        if len(begun) == len("2026-11-21"):
            return date.fromisoformat(begun)
        return (datetime.fromisoformat(begun) - EVENING_END).date()
    except (ValueError, OverflowError):
        return None


def evening_number(begun: str) -> int:
    """The number of the evening on which a round began: its day's ordinal in the calendar, 0 without a date."""
    return day.toordinal() if (day := evening_date(begun)) else 0


def parse_time(written: str) -> datetime | None:
    """Parse a time in ISO 8601, as local time if it has no offset; None for any other text."""
    try:
        return datetime.fromisoformat(written).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def parse_date(written: str) -> date:
    """Parse a date such as 2026-11-21. Raises ValueError with one sentence for any other text."""
    try:
        if len(written) == len("2026-11-21"):
            return date.fromisoformat(written)
    except ValueError:
        pass
    raise ValueError(text("write a date like 2026-11-21, not {given}", given=repr(written[:30])))


def rounds_of_evening(rounds: Iterable[D], evening: date | None = None) -> list[D]:
    """The rounds of one evening, in their order; those of the latest evening for None. Empty if no round has a date."""
    dated = [(evening_date(each.begun), each) for each in rounds]
    evening_wanted = evening or max((date_ for date_, _ in dated if date_ is not None), default=None)
    return [each for date_, each in dated if date_ is not None and date_ == evening_wanted]


def was_clock_set(date: str) -> bool:
    """Whether a clock that gave this date (ISO 8601) can have been set."""
    return date[:4] >= str(FIRST_YEAR)


# -- the date of a round by its result -----------------------------------------------------------------------------


class Uptime(NamedTuple):
    """A time in monotonic seconds since a start of the box. `boot` is the kernel's id of that start."""

    boot: str
    seconds: float


def date_round(db: sqlite3.Connection, number: int, line: StoredEntry) -> None:
    """Date a round by its ``result`` entry, since the clock may not have been set when the round began.

    | known of the round | how it is dated |
    | --- | --- |
    | it was imported | not at all: its date came with it, and its end is unknown |
    | its monotonic seconds | with all rounds since the start of the box, by what the clock says now |
    | nothing, as after a restart of the box | by the day of its result |
    """
    state, begun, boot = db.execute("SELECT state, begun, boot FROM rounds WHERE id = ?", (number,)).fetchone()
    if state == "imported":
        return
    if boot and line.seconds > 0:
        db.execute("UPDATE rounds SET seconds = ? WHERE id = ?", (line.seconds, number))
        if was_clock_set(line.date):
            _date_by_uptimes(db, number, boot, line)
        return
    first, last = parse_time(begun), parse_time(line.date if was_clock_set(line.date) else "")
    span = (last - first).total_seconds() if first and last else -1.0
    seconds = span if line.seconds == 0 and 0 <= span <= LONGEST_ROUND_SECONDS else None
    ended = line.date if last and (first is None or last >= first) else ""
    if ended and seconds is None and evening_date(begun) != evening_date(ended):
        begun = ended
    db.execute(
        "UPDATE rounds SET begun = ?, ended = ?, evening = ?, seconds = ?, boot = '' WHERE id = ?",
        (begun, ended, evening_number(begun), seconds, number),
    )


def _date_by_uptimes(db: sqlite3.Connection, number: int, boot: str, line: StoredEntry) -> None:
    """Date a round by its result, and the rounds before it too if the clock was set since the box was started."""
    columns = "SELECT id, begun, uptime, seconds FROM rounds WHERE boot = ?"
    own_row = db.execute(
        "SELECT id, begun, uptime, seconds FROM rounds WHERE boot = ? AND id = ?", (boot, number)
    ).fetchone()
    earlier_query = f"{columns} AND seconds IS NOT NULL AND id < ? ORDER BY id DESC LIMIT 1"
    booted = datetime.fromisoformat(line.date) - timedelta(seconds=own_row[2] + line.seconds)
    rows = [own_row, *db.execute(earlier_query, (boot, number))]
    if any(_was_clock_set_since(begun, booted, uptime) for _, begun, uptime, _ in rows):
        rows = db.execute(columns, (boot,)).fetchall()
    for id_, begun, uptime, seconds in rows:
        if _was_clock_set_since(begun, booted, uptime):
            begun = (booted + timedelta(seconds=uptime)).isoformat(timespec="seconds")
        elif id_ != number:
            continue
        ended = ""
        if seconds is not None:
            end = datetime.fromisoformat(begun) + timedelta(seconds=seconds)
            ended = line.date if id_ == number else end.isoformat(timespec="seconds")
        values = (begun, ended, evening_number(begun), id_)
        db.execute("UPDATE rounds SET begun = ?, ended = ?, evening = ? WHERE id = ?", values)


def _was_clock_set_since(begun: str, booted: datetime, uptime: float) -> bool:
    """Whether the clock was set after a round began. `booted` is when the box was started by today's clock."""
    first = parse_time(begun)
    return first is None or abs((first - booted).total_seconds() - uptime) > CLOCK_JUMP_SECONDS

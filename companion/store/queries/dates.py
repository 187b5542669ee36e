"""When rounds were played, and on which evening: an evening ends at five in the morning.

A Pi has no battery for its clock: until a network sets it, it shows the time of the last shutdown, or 1970. So
durations are monotonic, and a round's date is that of its result (`round_tables.set_dates`). Its evening follows from
that date as written, without conversion to the reader's time zone, so evenings are the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Protocol, TypeVar

from companion.languages import text

TURNS = timedelta(hours=5)
"""A round begun before this time of day belongs to the evening before."""
FIRST_YEAR = 2025
"""The clock has not been set if it shows an earlier year than this."""


class Dated(Protocol):
    """Anything with the time it began: ISO 8601, "" if unknown."""

    @property
    def begun(self) -> str:
        """When it began."""


D = TypeVar("D", bound=Dated)


def evening(begun: str) -> date | None:
    """The date of the evening on which a round began; None without a date.

    A date without a time of day is taken as the evening.
    """
    try:
        if len(begun) == len("2026-11-21"):
            return date.fromisoformat(begun)
        return (datetime.fromisoformat(begun) - TURNS).date()
    except (ValueError, OverflowError):
        return None


def evening_number(begun: str) -> int:
    """The number of the evening on which a round began: that of its day in the calendar; 0 without a date."""
    return day.toordinal() if (day := evening(begun)) else 0


def moment(text: str) -> datetime | None:
    """Parse ISO 8601, without an offset as local time; None for any other text."""
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def read_date(given: str) -> date:
    """Parse a date such as 2026-11-21. Raises ValueError with one sentence for anything else."""
    try:
        if len(given) == len("2026-11-21"):
            return date.fromisoformat(given)
    except ValueError:
        pass
    raise ValueError(text("a date is given like 2026-11-21, not {given}", given=repr(given[:30])))


def rounds_of(rounds: Iterable[D], day: date | None = None) -> list[D]:
    """The rounds of one evening in their order; of the latest evening for None. Empty if no round has a date."""
    dated = [(evening(each.begun), each) for each in rounds]
    wanted = day or max((on for on, _ in dated if on is not None), default=None)
    return [each for on, each in dated if on is not None and on == wanted]

"""Which evening a round belongs to, by its date: an evening ends at five in the morning.

Times are taken as written, without conversion to the reader's time zone, so evenings are the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Protocol, TypeVar

from companion.languages import text

TURNS = timedelta(hours=5)
"""A round begun before this time of day belongs to the evening before."""


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

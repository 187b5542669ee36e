"""Which evening a round belongs to: an evening runs past midnight, to five in the morning.

The time is read as it was written, with the clock of the place: a reader elsewhere cuts the same evenings.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

TURNS = timedelta(hours=5)
"""A round begun before this time of day belongs to the evening before."""


class Dated(Protocol):
    """A round with the moment it began: ISO 8601, "" where unknown."""

    @property
    def begun(self) -> str:
        """When it began."""


D = TypeVar("D", bound=Dated)


def evening(begun: str) -> date | None:
    """The evening of a round by when it began, as the date on which that evening started; None for no date.

    A date without a time of day is the evening itself.
    """
    try:
        if len(begun) == len("2026-11-21"):
            return date.fromisoformat(begun)
        return (datetime.fromisoformat(begun) - TURNS).date()
    except (ValueError, OverflowError):
        return None


def read_date(text: str) -> date:
    """A date such as 2026-11-21. Raises ValueError with a sentence for anything else."""
    try:
        if len(text) == len("2026-11-21"):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise ValueError(f"a date is given like 2026-11-21, not {text[:30]!r}")


def rounds_of(rounds: Iterable[D], day: date | None = None) -> list[D]:
    """The rounds of one evening in their order, those of the latest for None; none where no round has a date."""
    dated = [(evening(each.begun), each) for each in rounds]
    wanted = day or max((on for on, _ in dated if on is not None), default=None)
    return [each for on, each in dated if on is not None and on == wanted]

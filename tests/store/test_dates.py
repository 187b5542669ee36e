"""To which evening a date belongs, and how dates are parsed."""

from datetime import date
from typing import NamedTuple

import pytest

from companion.store.dates import evening_date, parse_date, rounds_of_evening


class Round(NamedTuple):
    begun: str


@pytest.mark.parametrize(
    ("begun", "on"),
    [
        ("2026-11-21T20:15:00+01:00", date(2026, 11, 21)),
        ("2026-11-22T04:59:59+01:00", date(2026, 11, 21)),
        ("2026-11-22T05:00:00+01:00", date(2026, 11, 22)),
        ("2027-01-01T00:10:00Z", date(2026, 12, 31)),
        ("2026-11-21", date(2026, 11, 21)),
        ("0001-01-01T01:00", None),
        ("last summer", None),
        ("", None),
    ],
)
def test_an_evening_runs_to_five_in_the_morning(begun, on):
    """A round begun before five, local time, belongs to the evening before."""
    assert evening_date(begun) == on


def test_the_latest_evening_is_cut_where_none_is_named():
    """The rounds of one evening keep their order; those without a date belong to none."""
    rounds = [Round("2026-11-22T01:00"), Round("2026-11-20T22:00"), Round(""), Round("2026-11-21T21:00")]
    assert rounds_of_evening(rounds) == [rounds[0], rounds[3]]
    assert rounds_of_evening(rounds, date(2026, 11, 20)) == [rounds[1]]
    assert rounds_of_evening([Round("")]) == []


@pytest.mark.parametrize("text", ["21.11.2026", "2026-11", "20261121", "2026-13-01", ""])
def test_a_date_is_a_whole_day(text):
    """Anything else is refused in a sentence."""
    with pytest.raises(ValueError, match="write a date like"):
        parse_date(text)

"""What the tests of all games need to know about the score pad: a second count of the result."""

from __future__ import annotations

from collections.abc import Iterator

HAS_SHEET = False
"""Whether a report shows a score sheet whose last line ends in the scores."""


def count_by_events(events: list[tuple[int, str]], seats: int, options: dict[str, str]) -> Iterator[tuple[int, ...]]:
    """The points so far."""
    totals = [0] * seats
    yield tuple(totals)
    for seat, text in events:
        totals[seat - 1] += int(text)
        yield tuple(totals)


def gain_of_event(own: int, before: tuple[int, ...], after: tuple[int, ...]) -> int:
    """What a move gained for a seat (from 0) in the unit that is counted."""
    return after[own] - before[own]

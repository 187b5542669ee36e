"""A kept round or record move by move, in words and figures.

Position 0 is the start, n is after event n; a finished round has one more, its result.
"""

from __future__ import annotations

from companion.game.result import named_verdict
from companion.record import Report
from companion.rounds.on_table import AnyRound, Round, round_of
from companion.rounds.stored import RoundHeader, StoredRound

NAMES = ("Player 1", "Player 2")
"""The names in a record without names."""


def of_record(report: Report) -> Round:
    """The round of a record, up to its first fault. Raises ValueError if header or deals are wrong."""
    return round_of(as_stored(report))


def as_stored(report: Report) -> StoredRound:
    """A record, up to its first fault, as the store would have it. Raises ValueError if header or deals are wrong."""
    if report.header is None or report.state is None:
        raise ValueError("the record has no position")
    header, deals = report.header, report.dealt
    opened = tuple((kind, seat) for kind, seat, _ in deals)
    round_header = RoundHeader(header.game, tuple(header.options.items()), header.players or NAMES, opened=opened)
    return StoredRound(0, round_header, deals, tuple((seat, str(move)) for seat, move in report.events))


def last(round_: AnyRound) -> int:
    """The number of the last picture."""
    return len(round_.events) + int(round_.over)


def describe(round_: AnyRound, number: int) -> str:
    """Picture `number` in words, with the pieces of open holdings: ``Ann  x3  33:11``."""
    if number > len(round_.events):
        how = named_verdict([round_.name(seat) for seat in round_.winners])
        return f"{how}: {round_.reason}" if round_.reason and round_.winners else how
    figures = ":".join(map(str, round_.counts(number)))
    if number == 0:
        return f"start  {figures}"
    return f"{round_.name(round_.events[number - 1][0])}  {round_.event_words(number, hidden=False)}  {figures}"

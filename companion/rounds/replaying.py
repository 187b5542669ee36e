"""A kept round or record move by move, in words and figures.

Position 0 is the start, n is after event n; a finished round has one more, its result.
"""

from __future__ import annotations

from companion.game.result import named_verdict
from companion.record import Report
from companion.rounds.on_table import PadRound, Round, round_of
from companion.rounds.stored import RoundHeader, StoredRound
from companion.rounds.told_events import event, events

NAMES = ("Player 1", "Player 2")
"""The names in a record without names."""


def of_record(report: Report) -> Round:
    """The round of a record, up to its first fault. Raises ValueError if header or deals are wrong."""
    if report.header is None or report.state is None:
        raise ValueError("the record has no position")
    header, deals = report.header, report.dealt
    opened = tuple((kind, seat) for kind, seat, _ in deals)
    round_header = RoundHeader(header.game, tuple(header.options.items()), header.players or NAMES, opened=opened)
    return round_of(StoredRound(0, round_header, deals, tuple((seat, str(move)) for seat, move in report.events)))


def last(round_: Round | PadRound) -> int:
    """The number of the last picture."""
    return len(events(round_)) + int(round_.over)


def describe(round_: Round | PadRound, number: int) -> str:
    """Picture `number` in words, with the pieces of open holdings: ``Ann  x3  33:11``."""
    if number > len(events(round_)):
        return _result(round_)
    figures = ":".join(map(str, standing(round_, number)))
    if number == 0:
        return f"start  {figures}"
    return f"{round_.name(events(round_)[number - 1][0])}  {event(round_, number, hidden=False)}  {figures}"


def _result(round_: Round | PadRound) -> str:
    """Who has won, and why it was over where the rules say so."""
    seats = round_.pad.leaders if isinstance(round_, PadRound) else round_.outcome.winners
    winners = [round_.name(seat) for seat in seats]
    how = named_verdict(winners)
    return how if isinstance(round_, PadRound) or not winners else f"{how}: {round_.outcome.reason}"


def curve(round_: Round | PadRound) -> list[tuple[int, ...]]:
    """What is counted at the start and after each event, see `standing`; in one go, for a pad may have many entries."""
    if not isinstance(round_, PadRound):
        return [standing(round_, number) for number in range(len(round_.states))]
    totals = [0] * round_.pad.players
    counted = [tuple(totals)]
    for seat, points in round_.pad.entries:
        totals[seat - 1] += points
        counted.append(tuple(totals))
    return counted


def standing(round_: Round | PadRound, number: int) -> tuple[int, ...]:
    """What is counted after event `number`, by seat."""
    if isinstance(round_, PadRound):
        return round_.pad._replace(entries=round_.pad.entries[:number]).totals
    state = round_.states[number]
    return round_.entry.result_counts(state, round_.game.outcome(state).scores)

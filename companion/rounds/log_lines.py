"""The log entries that write a whole round or score pad into a new store."""

from __future__ import annotations

from companion.games.score_pad import rules as pad
from companion.rounds.on_table import PadRound, Round
from companion.rounds.stored import LogEntry


def log_entries(round_: Round) -> tuple[LogEntry, ...]:
    """The log entries that write this round into a new store; none for an empty round."""
    if round_.empty:
        return ()
    lines = [LogEntry(round_.id, "begin", header=round_.header)]
    lines += [LogEntry(round_.id, *deal) for deal in round_.deals]
    lines += [
        LogEntry(round_.id, "event", *event, seconds=seconds)
        for event, seconds in zip(round_.events, round_.times, strict=True)
    ]
    if round_.over:
        lines.append(LogEntry(round_.id, "result", text=str(round_.outcome.result), reason=round_.outcome.reason))
    return (*lines[:-1], lines[-1]._replace(clock=round_.left))


def pad_log_entries(sheet: PadRound) -> tuple[LogEntry, ...]:
    """The log entries that write this pad into a new store; none for an empty pad."""
    if sheet.empty:
        return ()
    events = (LogEntry(sheet.id, "event", seat, pad.write(points)) for seat, points in sheet.pad.entries)
    over = (LogEntry(sheet.id, "result", text=str(pad.result(sheet.pad))),) if sheet.over else ()
    return LogEntry(sheet.id, "begin", header=sheet.header), *events, *over

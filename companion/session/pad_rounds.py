"""The life of a score pad: begin, enter points, take them back, end."""

from __future__ import annotations

from companion.games.score_pad import rules as pad
from companion.session import rounds
from companion.session.actions import Action
from companion.session.model import Ask, FinishedRound, LogEntry, PadOver, PadRound, RoundHeader, Scoring, Session


def begin(session: Session, header: RoundHeader) -> Session:
    """Put a new pad on the table; it is stored from its first entry on."""
    past = rounds.remembered(session.past, header)
    past = past._replace(pads=((header.options, header.names), *past.pads))
    sheet = PadRound(past.next_round, header, pad.opened(len(header.names), header.options), began=session.clock)
    return session._replace(pad=sheet, past=past, mode=Scoring())


def table(session: Session) -> Session:
    """Show the pad, with the cursor where it was, or first on the seat that has had the fewest turns."""
    sheet = on_table(session)
    taken = sheet.pad.taken
    return session._replace(mode=Scoring(sheet.seat or taken.index(min(taken)) + 1))


def entered(session: Session, mode: Scoring, after: int) -> Session:
    """Enter the points and move the cursor to seat `after`, or end the pad if that is due."""
    sheet, points = on_table(session), mode.points or 0
    reaches = sheet.pad.reaches(mode.seat, points)
    session = rounds.with_log_entry(session, sheet, LogEntry(sheet.id, "event", mode.seat, pad.write(points)))
    sheet = sheet._replace(pad=sheet.pad.add(mode.seat, points))
    session = session._replace(pad=sheet, mode=Scoring(after), sounds=(*session.sounds, "accepted"))
    if sheet.pad.full:
        return ended(session)
    if reaches:
        said = (f"{sheet.name(mode.seat)} has {sheet.pad.totals[mode.seat - 1]} points.", "Is the game over?")
        return session._replace(mode=Ask(Action.END, f"{sheet.pad.target} reached", said, back=Scoring(after)))
    return session


def ended(session: Session) -> Session:
    """End the pad and show its result."""
    sheet = on_table(session)
    result = FinishedRound(pad.ID, sheet.header.names, sheet.pad.totals, sheet.pad.leaders)
    return session._replace(
        mode=PadOver(),
        pad=sheet._replace(over=True),
        past=session.past._replace(fresh=(*session.past.fresh, result)),
        unsaved=(*session.unsaved, LogEntry(sheet.id, "result", text=str(pad.result(sheet.pad)))),
        sounds=(*session.sounds, "round over"),
    )


def take_back(session: Session) -> Session:
    """Take the last entry back; an empty pad is not stored."""
    sheet = on_table(session)
    past = session.past
    if sheet.over:
        past = past._replace(fresh=past.fresh[:-1])
    seat = sheet.pad.entries[-1][0]
    left = sheet._replace(pad=sheet.pad._replace(entries=sheet.pad.entries[:-1]), over=False)
    return session._replace(
        pad=left._replace(began=session.clock) if left.empty else left,
        past=past,
        mode=Scoring(seat),
        unsaved=(*session.unsaved, LogEntry(sheet.id, "drop" if left.empty else "back")),
    )


def log_entries(sheet: PadRound) -> tuple[LogEntry, ...]:
    """The log entries that write this pad into a new store; none for an empty pad."""
    if sheet.empty:
        return ()
    events = (LogEntry(sheet.id, "event", seat, pad.write(points)) for seat, points in sheet.pad.entries)
    over = (LogEntry(sheet.id, "result", text=str(pad.result(sheet.pad))),) if sheet.over else ()
    return LogEntry(sheet.id, "begin", header=sheet.header), *events, *over


def on_table(session: Session) -> PadRound:
    """The score pad on the table. Raises LookupError if there is none."""
    if session.pad is None:
        raise LookupError("no score pad is on the table")
    return session.pad

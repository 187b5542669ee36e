"""A finished round as a text that somebody changes, and the changed text as a round that is refereed again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games, record
from companion.game import Refused
from companion.games.score_pad import rules as pad
from companion.languages import speaking, text
from companion.languages.catalogues import ENGLISH
from companion.rounds import replaying
from companion.rounds.on_table import pad_of
from companion.store.queries.as_record import record_text, thinking_seconds

if TYPE_CHECKING:
    from companion.record import Report
    from companion.rounds.stored import StoredRound
    from companion.store.queries.store_queries import StoreQueries


def editable(store: StoreQueries, saved: StoredRound) -> str:
    """The record of a round without its result, which follows from its moves; a score pad's entries, one a line.

    An entry is written as an event of a record: ``1: +12``. Raises StoreError, or ValueError with the reason.
    """
    if saved.header.game == pad.ID:
        return "".join(f"{seat}: {points}\n" for seat, points in saved.events)
    try:
        with speaking(ENGLISH):
            return without_result(record_text(store, saved))
    except (Refused, ValueError, LookupError) as error:
        raise ValueError(error.why if isinstance(error, Refused) else str(error)) from None


def without_result(whole: str) -> str:
    """A record without its result and its check, which follow from its moves; each line keeps its number."""
    lines = whole.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    return "\n".join("" if line.startswith(("# sum ", "result:")) else line for line in lines).rstrip("\n") + "\n"


def corrected(before: StoredRound, whole: str) -> StoredRound:
    """A round as a changed text has it, with its new result. Raises ValueError with a sentence."""
    after = replaced(before, _pad(before, whole) if before.header.game == pad.ID else _round(before, whole))
    if is_same(before, after):
        raise ValueError(text("Nothing was changed."))
    return after


def _round(before: StoredRound, whole: str) -> StoredRound:
    report, plain = refereed(whole)
    if report.fault:
        line, _, why = report.fault
        shown = plain.split("\n")[line - 1].strip()[:100]
        raise ValueError(text("Line {line}, {shown}: {why}.", line=line, shown=shown, why=why))
    try:
        return played(report, plain)
    except Exception as error:
        raise ValueError(games.failure(before.header.game, error)) from None


def refereed(whole: str) -> tuple[Report, str]:
    """The report on a changed record, and the record without its old result, whose lines the report numbers."""
    plain = without_result(whole)
    with speaking(ENGLISH):  # As it is saved.
        return record.check(plain), plain


def played(report: Report, plain: str) -> StoredRound:
    """The round of a record without a fault."""
    with speaking(ENGLISH):
        outcome = report.rules.outcome(report.state)
    return replaying.as_stored(report)._replace(
        result=str(outcome.result) if report.over else "",
        reason=outcome.reason,
        times=thinking_seconds(plain, len(report.events)),
    )


def replaced(before: StoredRound, after: StoredRound) -> StoredRound:
    """A finished round with what was played in another one. Raises ValueError with a sentence."""
    old, new = before.header, after.header
    options_before = games.described(old.game).defaults | dict(old.options)
    options_after = games.described(new.game).defaults | dict(new.options)
    if (old.game, options_before, old.names) != (new.game, options_after, new.names):
        message = "Game, options and players of round {number} stay as they are; only what was played can change."
        raise ValueError(text(message, number=before.id))
    if not after.result:
        raise ValueError(text("The round is not over after its last move."))
    if sorted(after.deals) == sorted(before.deals):
        after = after._replace(deals=before.deals)
    return before._replace(
        deals=after.deals, events=after.events, times=after.times, result=after.result, reason=after.reason
    )


def is_same(before: StoredRound, after: StoredRound) -> bool:
    """Whether nothing that was played is another in two rounds."""
    return (before.deals, before.events, before.result) == (after.deals, after.events, after.result)


def _pad(before: StoredRound, whole: str) -> StoredRound:
    """A score pad with other entries. Raises ValueError with a sentence."""
    sheet = pad_of(before._replace(events=())).pad
    for number, line in enumerate(whole.splitlines(), 1):
        seat, _, points = (part.strip().replace("−", "-") for part in line.partition(":"))
        if not seat and not points:
            continue
        try:
            sheet = sheet.add(int(seat), pad.read(points if points[:1] in ("+", "-") else f"+{points}"))
        except ValueError:
            message = "Line {line}, {shown}: an entry is a seat and its points, such as 1: +12."
            raise ValueError(text(message, line=number, shown=line[:100])) from None
        if sheet.turns and sheet.taken[int(seat) - 1] > sheet.turns:
            who = before.header.names[int(seat) - 1]
            raise ValueError(text("Line {line}: {who} has had all turns before.", line=number, who=who))
    if not sheet.entries:
        raise ValueError(text("A score pad has at least one entry."))
    events = tuple((seat, pad.write(points)) for seat, points in sheet.entries)
    return before._replace(events=events, times=(), result=str(pad.result(sheet)))

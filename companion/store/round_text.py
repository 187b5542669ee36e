"""A stored round as text: its record for an export, and text that somebody edits, which is refereed again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from companion import games
from companion.games.api import RefusedError
from companion.games.score_pad import rules as pad
from companion.languages import in_language, text
from companion.languages.catalogues import ENGLISH
from companion.rounds import record, replaying
from companion.rounds.on_table import replay_pad

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.rounds.record import Report
    from companion.rounds.stored import StoredRound
    from companion.store.store_queries import StoreQueries

_EVENT = re.compile(r"[ \t]*[1-9][0-9]*[ \t]*:")
_THOUGHT = re.compile(r"# thought ([0-9]{1,6}(?:\.[0-9]{1,3})?) s")


def record_text(store: StoreQueries, saved: StoredRound) -> str:
    """The record of a stored round with everything that is known, also hidden pieces. Score pads have no record.

    Raises Refused, StoreError, ValueError or LookupError for a round that can no longer be read.
    """
    begun = store.begun(saved.id)
    other = [("date", begun)] if begun else []
    said = saved.header
    if said.goal:
        other += [("match", f"first to {said.goal}"), ("round", str(said.number))]
    other += store.other(saved.id)
    header = record.Header(said.game, dict(said.options), said.names, tuple(other))
    try:
        rules = games.load_rules(said.game)
    except games.UnknownGameError:  # The game's package was removed. Its rules checked the round when it was played.
        written = _as_kept(header, saved)
    else:
        deals: dict[tuple[str, int], tuple[Any, ...]] = {
            (kind, seat): rules.parse_deal(text, kind, header.options) for kind, seat, text in saved.deals
        }
        written = record.format_record(header, deals, [(seat, rules.parse_move(event)) for seat, event in saved.events])
    written = timed(written, saved.event_seconds) + (f"# {saved.lost_entries}\n" if saved.lost_entries else "")
    return f"{written}result: {saved.result}\n" if saved.result else written


def timed(written: str, times: Sequence[float]) -> str:
    """Add a comment with the thinking time after each event of a record without a result, where it was measured."""
    if not times:
        return written
    lines = written.splitlines()
    head = len(lines) - len(times)
    thought = [f"{line}\n# thought {seconds:g} s" if seconds else line
               for line, seconds in zip(lines[head:], times, strict=True)]  # fmt: skip
    return "\n".join([*lines[:head], *thought]) + "\n"


def thinking_seconds(whole: str, count: int) -> tuple[float, ...]:
    """The thinking time before each of `count` events, from these comments; () for none."""
    times: list[float] = []
    for line in whole.splitlines():
        if _EVENT.match(line):
            times.append(0.0)
        elif times and (said := _THOUGHT.fullmatch(line.rstrip())):
            times[-1] = float(said[1])
    return tuple(times) if len(times) == count and any(times) else ()


def _as_kept(header: record.Header, saved: StoredRound) -> str:
    """Format the record of a game that is not installed: deals and events exactly as they are stored."""
    options = " ".join(f"{name}={value}" for name, value in header.options.items())
    lines = [f"companion-record: {record.VERSION}", f"game: {header.game}", f"options: {options}".rstrip()]
    lines += [f"players: {', '.join(header.players)}", *(f"{key}: {value}" for key, value in header.other_lines)]
    lines += [f"{kind} {seat}: {pieces}" for kind, seat, pieces in saved.deals]
    return "\n".join([*lines, *(f"{seat}: {event}" for seat, event in saved.events)]) + "\n"


# -- a finished round that somebody changes ------------------------------------------------------------------------


def editable(store: StoreQueries, saved: StoredRound) -> str:
    """The text of a round for editing: its record without the result, which follows from the moves.

    For a score pad, its entries, one a line, written as events of a record: ``1: +12``. Raises StoreError, or
    ValueError with the reason.
    """
    if saved.header.game == pad.PAD_ID:
        return "".join(f"{seat}: {points}\n" for seat, points in saved.events)
    try:
        with in_language(ENGLISH):
            return without_result(record_text(store, saved))
    except (RefusedError, ValueError, LookupError) as error:
        raise ValueError(error.reason if isinstance(error, RefusedError) else str(error)) from None


def without_result(whole: str) -> str:
    """Remove a record's result and check, which follow from its moves. Each line keeps its number."""
    lines = whole.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    return "\n".join("" if line.startswith(("# sum ", "result:")) else line for line in lines).rstrip("\n") + "\n"


def corrected(before: StoredRound, whole: str) -> StoredRound:
    """Parse an edited text: the round with what it says, and its new result. Raises ValueError with a sentence."""
    after = replaced(before, _pad(before, whole) if before.header.game == pad.PAD_ID else _round(before, whole))
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
        raise ValueError(games.failure_text(before.header.game, error)) from None


def refereed(whole: str) -> tuple[Report, str]:
    """Referee an edited record.

    Returns the report, and the record without its old result, whose lines the report numbers.
    """
    plain = without_result(whole)
    with in_language(ENGLISH):  # Rounds are saved in English.
        return record.check_record(plain), plain


def played(report: Report, plain: str) -> StoredRound:
    """The round of a record without a fault."""
    with in_language(ENGLISH):
        outcome = report.rules.outcome(report.state)
    saved = replaying.make_stored_round(report)
    return saved._replace(
        result=str(outcome.result) if report.is_over else "",
        reason=games.manifest_or_placeholder(saved.header.game).format_ending(outcome.reason),
        event_seconds=thinking_seconds(plain, len(report.events)),
    )


def replaced(before: StoredRound, after: StoredRound) -> StoredRound:
    """A finished round with the deals, events and result of another one. Raises ValueError with a sentence."""
    old, new = before.header, after.header
    options_before = games.manifest_or_placeholder(old.game).option_defaults | dict(old.options)
    options_after = games.manifest_or_placeholder(new.game).option_defaults | dict(new.options)
    if (old.game, options_before, old.names) != (new.game, options_after, new.names):
        message = "The game, options and players of round {number} cannot change, only what was played."
        raise ValueError(text(message, number=before.id))
    if not after.result:
        raise ValueError(text("The round is not over after its last move."))
    if sorted(after.deals) == sorted(before.deals):
        after = after._replace(deals=before.deals)
    return before._replace(
        deals=after.deals, events=after.events, event_seconds=after.event_seconds, result=after.result, reason=after.reason
    )


def is_same(before: StoredRound, after: StoredRound) -> bool:
    """Whether everything that was played is the same in two rounds."""
    return (before.deals, before.events, before.result) == (after.deals, after.events, after.result)


def _pad(before: StoredRound, whole: str) -> StoredRound:
    """Parse the entries of a score pad. Raises ValueError with a sentence."""
    sheet = replay_pad(before._replace(events=())).pad
    for number, line in enumerate(whole.splitlines(), 1):
        seat, _, points = (part.strip().replace("−", "-") for part in line.partition(":"))
        if not seat and not points:
            continue
        try:
            sheet = sheet.with_entry(int(seat), pad.parse_points(points if points[:1] in ("+", "-") else f"+{points}"))
        except ValueError:
            message = "Line {line}, {shown}: an entry is a seat and its points, such as 1: +12."
            raise ValueError(text(message, line=number, shown=line[:100])) from None
        if sheet.turn_limit and sheet.turns_taken[int(seat) - 1] > sheet.turn_limit:
            who = before.header.names[int(seat) - 1]
            raise ValueError(text("Line {line}: {who} has no turns left.", line=number, who=who))
    if not sheet.entries:
        raise ValueError(text("A score pad needs at least one entry."))
    events = tuple((seat, pad.format_points(points)) for seat, points in sheet.entries)
    return before._replace(events=events, event_seconds=(), result=str(pad.pad_result(sheet)))

"""A stored round as text: its record for an export, and text that somebody edits, which is refereed again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from companion import games
from companion.games.api import RefusedError
from companion.games.score_pad import pad
from companion.languages import in_language, text
from companion.languages.catalogues import ENGLISH
from companion.rounds import record, replaying
from companion.rounds.on_table import replay_pad

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.rounds.record import Report
    from companion.rounds.stored import StoredRound
    from companion.store.store_queries import StoreQueries

_EVENT_LINE = re.compile(r"[ \t]*[1-9][0-9]*[ \t]*:")
_THINKING_COMMENT = re.compile(r"# thought ([0-9]{1,6}(?:\.[0-9]{1,3})?) s")


def record_text(store: StoreQueries, round_: StoredRound) -> str:
    """The record of a stored round with everything that is known, also hidden pieces. Score pads have no record.

    Raises RefusedError, StoreError, ValueError or LookupError for a round that can no longer be read.
    """
    begun = store.round_start_time(round_.id)
    other_lines = [("date", begun)] if begun else []
    round_header = round_.header
    if round_header.goal:
        other_lines += [("match", f"first to {round_header.goal}"), ("round", str(round_header.number))]
    other_lines += store.header_lines_without_column(round_.id)
    header = record.Header(round_header.game, dict(round_header.options), round_header.names, tuple(other_lines))
    try:
        rules = games.load_rules(round_header.game)
    except games.UnknownGameError:  # The game's package was removed. Its rules checked the round when it was played.
        written = _format_unchecked(header, round_)
    else:
        deals: dict[tuple[str, int], tuple[Any, ...]] = {
            (kind, seat): rules.parse_deal(dealt, kind, header.options) for kind, seat, dealt in round_.deals
        }
        written = record.format_record(
            header, deals, [(seat, rules.parse_move(event)) for seat, event in round_.events]
        )
    written = add_thinking_times(written, round_.event_seconds) + (
        f"# {round_.lost_entries}\n" if round_.lost_entries else ""
    )
    return f"{written}result: {round_.result}\n" if round_.result else written


def add_thinking_times(record_: str, event_seconds: Sequence[float]) -> str:
    """Add a comment with the thinking time after each event of a record without a result, where it was measured."""
    if not event_seconds:
        return record_
    lines = record_.splitlines()
    head = len(lines) - len(event_seconds)
    thought = [f"{line}\n# thought {seconds:g} s" if seconds else line
               for line, seconds in zip(lines[head:], event_seconds, strict=True)]  # fmt: skip
    return "\n".join([*lines[:head], *thought]) + "\n"


def parse_thinking_times(record_: str, count: int) -> tuple[float, ...]:
    """The thinking time before each of `count` events, from these comments; () for none."""
    times: list[float] = []
    for line in record_.splitlines():
        if _EVENT_LINE.match(line):
            times.append(0.0)
        elif times and (comment := _THINKING_COMMENT.fullmatch(line.rstrip())):
            times[-1] = float(comment[1])
    return tuple(times) if len(times) == count and any(times) else ()


def _format_unchecked(header: record.Header, saved: StoredRound) -> str:
    """Format the record of a game that is not installed: deals and events exactly as they are stored."""
    options = " ".join(f"{name}={value}" for name, value in header.options.items())
    lines = [f"companion-record: {record.VERSION}", f"game: {header.game}", f"options: {options}".rstrip()]
    lines += [f"players: {', '.join(header.players)}", *(f"{key}: {value}" for key, value in header.other_lines)]
    lines += [f"{kind} {seat}: {pieces}" for kind, seat, pieces in saved.deals]
    return "\n".join([*lines, *(f"{seat}: {event}" for seat, event in saved.events)]) + "\n"


# -- a finished round that somebody changes ------------------------------------------------------------------------


def editable_text(store: StoreQueries, saved: StoredRound) -> str:
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


def event_lines(text_: str) -> list[tuple[int, int, str]]:
    """The lines of a record or of a score pad's entries that are events: the line from 0, the seat, and the event."""
    parts = [(number, *line.partition(":")) for number, line in enumerate(text_.split("\n")) if _EVENT_LINE.match(line)]
    return [(number, int(seat), event.strip()) for number, seat, _, event in parts if len(seat.strip()) == 1]


def without_result(record_: str) -> str:
    """Remove a record's result and check, which follow from its moves. Each line keeps its number."""
    lines = record_.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    return "\n".join("" if line.startswith(("# sum ", "result:")) else line for line in lines).rstrip("\n") + "\n"


def parse_correction(before: StoredRound, new_text: str) -> StoredRound:
    """Parse an edited text: the round with what it says, and its new result. Raises ValueError with a sentence."""
    after = with_new_events(
        before, _parse_pad(before, new_text) if before.header.game == pad.PAD_ID else _parse_record(before, new_text)
    )
    if is_unchanged(before, after):
        raise ValueError(text("Nothing was changed."))
    return after


def _parse_record(before: StoredRound, new_text: str) -> StoredRound:
    report, plain = check_changed_record(new_text)
    if report.fault:
        line, _, why = report.fault
        line_text = plain.split("\n")[line - 1].strip()[:100]
        raise ValueError(text("Line {line}, {shown}: {why}.", line=line, shown=line_text, why=why))
    try:
        return round_from_checked_record(report, plain)
    except Exception as error:
        raise ValueError(games.failure_text(before.header.game, error)) from None


def check_changed_record(new_text: str) -> tuple[Report, str]:
    """Referee an edited record.

    Returns the report, and the record without its old result, whose lines the report numbers.
    """
    plain = without_result(new_text)
    with in_language(ENGLISH):  # Rounds are saved in English.
        return record.check_record(plain), plain


def round_from_checked_record(report: Report, plain: str) -> StoredRound:
    """The round of a record without a fault."""
    with in_language(ENGLISH):
        outcome = report.rules.outcome(report.state)
    saved = replaying.make_stored_round(report)
    return saved._replace(
        result=str(outcome.result) if report.is_over else "",
        reason=games.manifest_or_placeholder(saved.header.game).format_ending(outcome.reason),
        event_seconds=parse_thinking_times(plain, len(report.events)),
    )


def with_new_events(before: StoredRound, after: StoredRound) -> StoredRound:
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
        deals=after.deals,
        events=after.events,
        event_seconds=after.event_seconds,
        result=after.result,
        reason=after.reason,
    )


def is_unchanged(before: StoredRound, after: StoredRound) -> bool:
    """Whether everything that was played is the same in two rounds."""
    return (before.deals, before.events, before.result) == (after.deals, after.events, after.result)


def _parse_pad(before: StoredRound, new_text: str) -> StoredRound:
    """Parse the entries of a score pad. Raises ValueError with a sentence."""
    pad_ = replay_pad(before._replace(events=())).pad
    for number, line in enumerate(new_text.splitlines(), 1):
        seat, _, points = (part.strip().replace("−", "-") for part in line.partition(":"))
        if not seat and not points:
            continue
        try:
            pad_ = pad_.with_entry(int(seat), pad.parse_points(points if points[:1] in ("+", "-") else f"+{points}"))
        except ValueError:
            message = "Line {line}, {shown}: an entry is a seat and its points, such as 1: +12."
            raise ValueError(text(message, line=number, shown=line[:100])) from None
        if pad_.turn_limit and pad_.turns_taken[int(seat) - 1] > pad_.turn_limit:
            player = before.header.names[int(seat) - 1]
            raise ValueError(text("Line {line}: {who} has no turns left.", line=number, who=player))
    if not pad_.entries:
        raise ValueError(text("A score pad needs at least one entry."))
    events = tuple((seat, pad.format_points(points)) for seat, points in pad_.entries)
    return before._replace(events=events, event_seconds=(), result=str(pad.pad_result(pad_)))

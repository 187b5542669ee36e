"""Results that come by themselves: a finished round at the paired table, of the paired players, is the result."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from companion import record
from companion.game.result import Result
from companion.hall.tournament.model import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.hall.intake import RoundRow
    from companion.hall.tournament.store import Event, Row, Tournaments


def collect(tournaments: Tournaments, events: Sequence[Event], at: str) -> bool:
    """Give open pairings the results that have come, and take back those whose round no longer counts.

    In the caller's transaction, with the tournaments as they are in it. Whether anything has changed. Raises HallError.
    """
    changed = False
    for event in events:
        used = {each.source for each in event.rows if each.source is not None}
        since = [each.since for each in event.rows if each.game.open]
        if not used and not since:
            continue
        rounds = tournaments.rounds(min(since, default=sys.maxsize), used)
        for row in event.rows:
            changed |= _looked(tournaments, event, row, rounds=rounds, used=used, at=at)
    return changed


def _looked(
    tournaments: Tournaments, event: Event, row: Row, *, rounds: dict[int, RoundRow], used: set[int], at: str
) -> bool:
    if row.source is None and not row.game.open:
        return False
    candidates = [rounds[row.source]] if row.source in rounds else []
    if row.game.open:
        candidates = [each for n, each in sorted(rounds.items()) if n > row.since and n not in used]
    found = next((each for each in candidates if is_of(each, event, row)), None)
    if found is None:
        if row.source is not None:  # It was taken back at the table, or is another round now.
            tournaments.change(event, row, None, source=None, at=at, how="taken back at the table")
        return row.source is not None
    used.add(found.n)
    outcome = outcome_of(found.result)
    if outcome is row.game.outcome and found.n == row.source:
        return False
    tournaments.change(event, row, outcome, source=found.n, at=at, how=f"from {found.name}")
    return True


def is_of(round_: RoundRow, event: Event, row: Row) -> bool:
    """Whether a round is that of a pairing: its table, game, options, and players in their seats."""
    names = (event.name_of(row.game.first), event.name_of(row.game.second))
    if (round_.name, round_.game, round_.players) != (row.place, event.game, names):
        return False
    header = record.check(round_.record).header
    return header is not None and dict(header.options) == dict(event.options)


def outcome_of(result: str) -> Outcome:
    """What a round's result is for a pairing; all who share a win share the point."""
    winners: Sequence[int] = Result.parse(result).winners
    if len(winners) != 1:
        return Outcome.DRAW
    return Outcome.FIRST if winners[0] == 1 else Outcome.SECOND


def free_places(events: Sequence[Event], places: Sequence[str]) -> list[str]:
    """The tables at which no pairing is open."""
    taken = {each.place for event in events for each in event.rows if each.game.open}
    return [place for place in places if place not in taken]


def fill(tournaments: Tournaments, events: Sequence[Event], places: Sequence[str]) -> bool:
    """Give pairings that wait for a table one that has become free; whether there was one.

    In the caller's transaction, with the tournaments as they are in it. Raises HallError.
    """
    waiting = [row for event in reversed(events) for row in event.rows if row.game.open and not row.place]
    pairs = list(zip(waiting, free_places(events, places), strict=False))
    for row, place in pairs:
        tournaments.put(row.id, place)
    return bool(pairs)

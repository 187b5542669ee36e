"""Reads an evening from the store: its rounds with their facts, and the standings."""

from __future__ import annotations

import math
from datetime import date, datetime
from typing import TYPE_CHECKING, NamedTuple

from companion.game.box_seats import BOXES, played_in
from companion.report import facts
from companion.rounds import replaying
from companion.store import dates as evening
from companion.store.history import RoundFilter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.report.facts import Facts
    from companion.rounds.on_table import AnyRound
    from companion.rounds.stored import Match, RoundSummary, StoredRound
    from companion.store.store_queries import StoreQueries


class ReportedRound(NamedTuple):
    """A round of the evening.

    Args:
        summary: the round as it is stored.
        round: the replayed round, None if it no longer gives its result.
        facts: its facts, None if it no longer gives its result.
        began: when it began, None if unknown.
        ended: the time of its result, in the time zone of the start; None if unknown.
        decided: which move decided it, "" if that was not asked for or not found.
        doubt: why it no longer gives its result, a sentence without its end; "" if it does.
    """

    summary: RoundSummary
    round: AnyRound | None
    facts: Facts | None
    began: datetime | None
    ended: datetime | None
    decided: str = ""
    doubt: str = ""


class Place(NamedTuple):
    """A player's evening: how many rounds were finished, won alone, drawn or shared; and those won by game id."""

    name: str
    played: int
    won: int
    drawn: int
    by_game: dict[str, int]


class Evening(NamedTuple):
    """An evening: its date, its rounds in order, and its players in the order of the standings."""

    day: date
    rounds: tuple[ReportedRound, ...]
    places: tuple[Place, ...]
    matches: tuple[Match, ...] = ()  # Their rounds are numbered by their place in the evening, from 1.

    @property
    def finished(self) -> int:
        """How many rounds are finished."""
        return sum(bool(each.summary.result) for each in self.rounds)

    @property
    def counting(self) -> int:
        """How many finished rounds count in the standings: those in which the box plays no seat."""
        return sum(bool(each.summary.result) and not played_in(each.summary.names) for each in self.rounds)

    @property
    def players(self) -> tuple[str, ...]:
        """Everybody's name, once: those in the standings in their order, then the box's, which has no place there."""
        names = [name for each in self.rounds for name in each.summary.names]
        return tuple(dict.fromkeys([place.name for place in self.places] + names))

    @property
    def texts(self) -> set[str]:
        """The names of players, and of games that players have named."""
        return {*self.players} | {reported.summary.title for reported in self.rounds}

    @property
    def games(self) -> tuple[str, ...]:
        """The ids of the games played, in the order of their first round."""
        return tuple(dict.fromkeys(each.summary.game for each in self.rounds))


def gather(store: StoreQueries, day: date | None = None, *, finished: bool = False) -> Evening | None:
    """Gather the evening of `day`, the latest for None; None if it has no round.

    `finished` leaves out unfinished rounds; void ones are always left out. Raises StoreError if the store cannot be
    read.
    """
    kept = [each for each in store.summaries() if each.result or not (finished or each.state == "void")]
    stored = evening.rounds_of(kept, day)
    if not stored:
        return None
    on = evening.evening(stored[0].begun)
    assert on is not None, "rounds of an evening have a date"
    return Evening(on, tuple(reported(store, each) for each in stored), places(store, stored), _matches(stored))


def _matches(rounds: Sequence[RoundSummary]) -> tuple[Match, ...]:
    """The matches that these rounds belong to, with the rounds numbered by their place in the evening."""
    place = {kept.id: number for number, kept in enumerate(rounds, 1)}
    found = dict.fromkeys(kept.match for kept in rounds if kept.match is not None)
    return tuple(
        each._replace(rounds=tuple(place[number] for number in each.rounds if number in place)) for each in found
    )


def places(store: StoreQueries, rounds: Sequence[RoundSummary]) -> tuple[Place, ...]:
    """The standings of these rounds; players without a finished round come last."""
    numbers = [kept.id for kept in rounds]
    won = {game: {each.name: each.won for each in store.standings(RoundFilter(game), numbers)}
           for game in dict.fromkeys(kept.game for kept in rounds)}  # fmt: skip
    found = {
        each.name: Place(each.name, each.played, each.won, each.drawn,
                         {game: by[each.name] for game, by in won.items() if each.name in by})
        for each in store.standings(rounds=numbers)
    }  # fmt: skip
    rest = sorted({name for kept in rounds for name in kept.names} - {*found, *BOXES})
    return (*found.values(), *(Place(name, 0, 0, 0, {}) for name in rest))


def reported(store: StoreQueries, kept: RoundSummary) -> ReportedRound:
    """A stored round with its facts."""
    saved, waits = store.round(kept.id), store.waits(kept.id)
    began = _moment(kept.begun)
    # Earlier versions imported titles with lone surrogates, which UTF-8 cannot encode.
    kept = kept._replace(title=kept.title.encode(errors="replace").decode())
    round_, doubt = replaying.replayed(saved) if saved is not None else (None, None)
    if doubt is not None:  # The rules were changed since: its stored result still counts, and nothing else is known.
        round_ = None
    found = None if round_ is None or saved is None else facts.of(round_, _seconds(kept, saved, waits))
    ended = _moment(kept.ended) if kept.seconds is not None else None
    if ended is not None and began is not None and began.tzinfo is not None:
        ended = ended.astimezone(began.tzinfo)
    return ReportedRound(kept, round_, found, began, ended, doubt=doubt.words if doubt is not None else "")


def _seconds(
    kept: RoundSummary, saved: StoredRound, waits: Sequence[tuple[datetime | None, datetime | None]]
) -> list[float | None]:
    """The seconds that each event took: by the round's clock if it ran, else since the event before; None: unknown.

    Dates of events count only if they say no more than the round took: else the clock was set in the middle of it.
    """
    spans = [(after - before).total_seconds() if before and after else 0.0 for before, after in waits]
    longest = (kept.seconds + evening.JUMP if kept.seconds is not None else 0.0) if kept.result else math.inf
    was_set = min(spans, default=0.0) < 0 or sum(spans) > longest
    clocked = saved.times or (0.0,) * len(saved.events)
    return [seconds or (None if was_set else span) for seconds, span in zip(clocked, spans, strict=False)]


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if len(text) > len("2026-11-21") else None
    except (ValueError, OverflowError, OSError):
        return None

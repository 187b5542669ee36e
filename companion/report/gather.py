"""Gathers an evening from the store: its rounds with their facts, the standings, and what decided each round."""

from __future__ import annotations

import math
from datetime import date, datetime
from typing import TYPE_CHECKING, NamedTuple

from companion.games.api.box_seats import COMPUTER_NAMES, has_computer_player
from companion.report import facts
from companion.rounds import replaying
from companion.rounds.on_table import Round
from companion.rounds.stored import Standing
from companion.store import dates as evening

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.report.facts import Facts
    from companion.rounds.on_table import AnyRound
    from companion.rounds.stored import Match, RoundSummary, StoredRound
    from companion.store.store_queries import StoreQueries


class ReportedRound(NamedTuple):
    """A round of the evening.

    Attributes:
        summary: the round as it is stored.
        round: the replayed round, None if it no longer gives its result.
        facts: the round's facts, None if it no longer gives its result.
        began: when the round began, None if unknown.
        ended: the time of the result, in the time zone of the start; None if unknown.
        deciding_text: which move decided the round, "" if that was not asked for or not found.
        problem: why the round no longer gives its result, a sentence without its full stop; "" if it does.
    """

    summary: RoundSummary
    round: AnyRound | None
    facts: Facts | None
    began: datetime | None
    ended: datetime | None
    decided: str = ""
    doubt: str = ""


class Evening(NamedTuple):
    """An evening: its date, its rounds in order, the standings, and the matches."""

    day: date
    rounds: tuple[ReportedRound, ...]
    places: tuple[Standing, ...]
    matches: tuple[Match, ...] = ()  # Rounds in them are numbered by their position in the evening, from 1.

    @property
    def finished(self) -> int:
        return sum(bool(each.summary.result) for each in self.rounds)

    @property
    def counting(self) -> int:
        """How many finished rounds count in the standings: those without a computer player."""
        return sum(bool(each.summary.result) and not has_computer_player(each.summary.names) for each in self.rounds)

    @property
    def players(self) -> tuple[str, ...]:
        """Every player once: those in the standings, in their order, then the computer players, who have no rank."""
        names = [name for each in self.rounds for name in each.summary.names]
        return tuple(dict.fromkeys([place.name for place in self.places] + names))

    @property
    def texts(self) -> set[str]:
        """Names that people have typed: those of players, and of games for which they used the score pad."""
        return {*self.players} | {reported.summary.title for reported in self.rounds}

    @property
    def games(self) -> tuple[str, ...]:
        """The ids of the games played, in the order of their first round."""
        return tuple(dict.fromkeys(each.summary.game for each in self.rounds))


def gather(store: StoreQueries, day: date | None = None, *, finished: bool = False) -> Evening | None:
    """Gather the evening of `day`, or the latest one for None. None if the evening has no round.

    `finished_only` leaves out unfinished rounds. Void ones are always left out. Raises StoreError if the store cannot
    be read.
    """
    kept = [each for each in store.summaries() if each.result or not (finished or each.state == "void")]
    stored = evening.rounds_of_evening(kept, day)
    if not stored:
        return None
    on = evening.evening_date(stored[0].begun)
    assert on is not None, "rounds of an evening have a date"
    return Evening(on, tuple(reported(store, each) for each in stored), places(store, stored), _matches(stored))


def _matches(rounds: Sequence[RoundSummary]) -> tuple[Match, ...]:
    """The matches that these rounds belong to, with the rounds numbered by their position in the evening."""
    place = {kept.id: number for number, kept in enumerate(rounds, 1)}
    found = dict.fromkeys(kept.match for kept in rounds if kept.match is not None)
    return tuple(
        each._replace(rounds=tuple(place[number] for number in each.rounds if number in place)) for each in found
    )


def places(store: StoreQueries, rounds: Sequence[RoundSummary]) -> tuple[Standing, ...]:
    """The standings of these rounds. Players without a finished round come last."""
    found = store.standings(rounds=[kept.id for kept in rounds])
    rest = {name for kept in rounds for name in kept.names} - {*(each.name for each in found), *COMPUTER_NAMES}
    return (*found, *(Standing(name, 0, 0, 0) for name in sorted(rest)))


def reported(store: StoreQueries, kept: RoundSummary) -> ReportedRound:
    """Gather one stored round with its facts."""
    saved, waits = store.load_round(kept.id), store.event_times(kept.id)
    began = _moment(kept.begun)
    # Earlier versions imported titles with lone surrogates, which UTF-8 cannot encode.
    kept = kept._replace(title=kept.title.encode(errors="replace").decode())
    round_, doubt = replaying.replay_stored(saved) if saved is not None else (None, None)
    if doubt is not None:  # The rules have changed since. The stored result still counts; nothing else is known.
        round_ = None
    found = None if round_ is None or saved is None else facts.facts_of(round_, _seconds(kept, saved, waits))
    ended = _moment(kept.ended) if kept.seconds is not None else None
    if ended is not None and began is not None and began.tzinfo is not None:
        ended = ended.astimezone(began.tzinfo)
    return ReportedRound(kept, round_, found, began, ended, doubt=doubt.reason if doubt is not None else "")


def _seconds(
    kept: RoundSummary, saved: StoredRound, waits: Sequence[tuple[datetime | None, datetime | None]]
) -> list[float | None]:
    """The seconds that each event took: by the round's clock, else since the event before it; None if unknown.

    The dates of events count only if together they say no more than the round took. Otherwise the clock was set during
    it.
    """
    spans = [(after - before).total_seconds() if before and after else 0.0 for before, after in waits]
    longest = (kept.seconds + evening.CLOCK_JUMP_SECONDS if kept.seconds is not None else 0.0) if kept.result else math.inf
    was_set = min(spans, default=0.0) < 0 or sum(spans) > longest
    clocked = saved.event_seconds or (0.0,) * len(saved.events)
    return [seconds or (None if was_set else span) for seconds, span in zip(clocked, spans, strict=False)]


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if len(text) > len("2026-11-21") else None
    except (ValueError, OverflowError, OSError):
        return None


def with_decisions(evening: Evening) -> Evening:
    """Let the coach say which move decided each finished round. This is slow."""
    return evening._replace(rounds=tuple(map(_decided, evening.rounds)))


def _decided(reported: ReportedRound) -> ReportedRound:
    from companion.coach.lookback import PlayedRound
    from companion.coach.review import deciding_move_text, review_round

    round_ = reported.round
    if not isinstance(round_, Round) or not round_.is_over:
        return reported
    looked = review_round(round_.header.game, PlayedRound(round_.game, round_.move_input, round_.states, round_.events))
    if looked.deciding_verdict is None:
        return reported
    return reported._replace(decided=deciding_move_text(looked, round_.player_name(looked.deciding_verdict.seat)))

"""Gathers an evening from the store: its rounds with their facts, the standings, and what decided each round."""

from __future__ import annotations

import math
from datetime import date, datetime
from typing import TYPE_CHECKING, NamedTuple

from companion.games.api.computer_players import COMPUTER_NAMES, has_computer_player
from companion.report import facts
from companion.rounds import replaying
from companion.rounds.on_table import Round
from companion.rounds.stored import Standing
from companion.store import dates

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
    deciding_text: str = ""
    problem: str = ""


class Evening(NamedTuple):
    """An evening: its date, its rounds in order, the standings, and the matches."""

    day: date
    rounds: tuple[ReportedRound, ...]
    standings: tuple[Standing, ...]
    matches: tuple[Match, ...] = ()  # Rounds in them are numbered by their position in the evening, from 1.

    @property
    def finished_count(self) -> int:
        return sum(bool(each.summary.result) for each in self.rounds)

    @property
    def counting_count(self) -> int:
        """How many finished rounds count in the standings: those without a computer player."""
        return sum(bool(each.summary.result) and not has_computer_player(each.summary.names) for each in self.rounds)

    @property
    def players(self) -> tuple[str, ...]:
        """Every player once: those in the standings, in their order, then the computer players, who have no rank."""
        names = [name for each in self.rounds for name in each.summary.names]
        return tuple(dict.fromkeys([place.name for place in self.standings] + names))

    @property
    def user_names(self) -> set[str]:
        """Names that people have typed: those of players, and of games for which they used the score pad."""
        return {*self.players} | {reported.summary.title for reported in self.rounds}

    @property
    def games(self) -> tuple[str, ...]:
        """The ids of the games played, in the order of their first round."""
        return tuple(dict.fromkeys(each.summary.game for each in self.rounds))


def gather_evening(store: StoreQueries, day: date | None = None, *, finished_only: bool = False) -> Evening | None:
    """Gather the evening of `day`, or the latest one for None. None if the evening has no round.

    `finished_only` leaves out unfinished rounds. Void ones are always left out. Raises StoreError if the store cannot
    be read.
    """
    summaries = [each for each in store.summaries() if each.result or not (finished_only or each.state == "void")]
    stored = dates.rounds_of_evening(summaries, day)
    if not stored:
        return None
    evening_day = dates.evening_date(stored[0].begun)
    assert evening_day is not None, "rounds of an evening have a date"
    return Evening(
        evening_day,
        tuple(gather_round_facts(store, each) for each in stored),
        evening_standings(store, stored),
        _numbered_matches(stored),
    )


def _numbered_matches(rounds: Sequence[RoundSummary]) -> tuple[Match, ...]:
    """The matches that these rounds belong to, with the rounds numbered by their position in the evening."""
    place = {summary.id: number for number, summary in enumerate(rounds, 1)}
    matches = dict.fromkeys(summary.match for summary in rounds if summary.match is not None)
    return tuple(
        each._replace(rounds=tuple(place[number] for number in each.rounds if number in place)) for each in matches
    )


def evening_standings(store: StoreQueries, rounds: Sequence[RoundSummary]) -> tuple[Standing, ...]:
    """The standings of these rounds. Players without a finished round come last."""
    standings = store.standings(rounds=[summary.id for summary in rounds])
    listed = {*(each.name for each in standings), *COMPUTER_NAMES}
    rest = {name for summary in rounds for name in summary.names} - listed
    return (*standings, *(Standing(name, 0, 0, 0) for name in sorted(rest)))


def gather_round_facts(store: StoreQueries, summary: RoundSummary) -> ReportedRound:
    """Gather one stored round with its facts."""
    saved, waits = store.load_round(summary.id), store.event_times(summary.id)
    began = _parse_time(summary.begun)
    # Earlier versions imported titles with lone surrogates, which UTF-8 cannot encode.
    summary = summary._replace(title=summary.title.encode(errors="replace").decode())
    round_, problem = replaying.replay_stored(saved) if saved is not None else (None, None)
    if problem is not None:  # The rules have changed since. The stored result still counts; nothing else is known.
        round_ = None
    facts_ = None
    if round_ is not None and saved is not None:
        facts_ = facts.round_facts(round_, _event_seconds(summary, saved, waits))
    ended = _parse_time(summary.ended) if summary.seconds is not None else None
    if ended is not None and began is not None and began.tzinfo is not None:
        ended = ended.astimezone(began.tzinfo)
    return ReportedRound(summary, round_, facts_, began, ended, problem=problem.reason if problem is not None else "")


def _event_seconds(
    summary: RoundSummary, saved: StoredRound, waits: Sequence[tuple[datetime | None, datetime | None]]
) -> list[float | None]:
    """The seconds that each event took: by the round's clock, else since the event before it; None if unknown.

    The dates of events count only if together they say no more than the round took. Otherwise the clock was set during
    it.
    """
    spans = [(after - before).total_seconds() if before and after else 0.0 for before, after in waits]
    round_seconds = 0.0 if summary.seconds is None else summary.seconds + dates.CLOCK_JUMP_SECONDS
    longest = round_seconds if summary.result else math.inf
    was_set = min(spans, default=0.0) < 0 or sum(spans) > longest
    clocked = saved.event_seconds or (0.0,) * len(saved.events)
    return [seconds or (None if was_set else span) for seconds, span in zip(clocked, spans, strict=False)]


def _parse_time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if len(text) > len("2026-11-21") else None
    except (ValueError, OverflowError, OSError):
        return None


def with_deciding_moves(evening: Evening) -> Evening:
    """Let the coach say which move decided each finished round. This is slow."""
    return evening._replace(rounds=tuple(map(_with_decision, evening.rounds)))


def _with_decision(reported: ReportedRound) -> ReportedRound:
    from companion.coach.review import deciding_move_text, review_round
    from companion.coach.verdicts import PlayedRound

    round_ = reported.round
    if not isinstance(round_, Round) or not round_.is_over:
        return reported
    review = review_round(round_.header.game, PlayedRound(round_.game, round_.move_input, round_.states, round_.events))
    if review.deciding_verdict is None:
        return reported
    return reported._replace(deciding_text=deciding_move_text(review, round_.player_name(review.deciding_verdict.seat)))

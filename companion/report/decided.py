"""Finds the deciding move of each round with the coach. This is slow, so it is only done on request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.coach.lookback import Played
from companion.coach.review import deciding_words, review_round
from companion.rounds.on_table import Round

if TYPE_CHECKING:
    from companion.report.gather import Evening, ReportedRound


def with_decisions(evening: Evening) -> Evening:
    """The evening with `ReportedRound.decided` set for each finished round in which a deciding move was found."""
    return evening._replace(rounds=tuple(map(_decided, evening.rounds)))


def _decided(reported: ReportedRound) -> ReportedRound:
    round_ = reported.round
    if not isinstance(round_, Round) or not round_.over:
        return reported
    looked = review_round(round_.header.game, Played(round_.game, round_.entry, round_.states, round_.events))
    if looked.decided is None:
        return reported
    return reported._replace(decided=deciding_words(looked, round_.name(looked.decided.seat)))

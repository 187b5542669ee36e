"""Replays rounds from a record or from the store, and checks whether a stored result is still right.

A stored round was checked by the rules of its day. A newer version of a game may refuse one of its moves or give
another result; then a `ReplayProblem` says so, and names the two versions.

Pictures are numbered: 0 is the start, n is after event n, and a finished round has one more, its result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion import games
from companion.games.api import RefusedError
from companion.games.api.result import Result, named_verdict
from companion.games.score_pad import rules as pads
from companion.languages import Text, join_texts, text
from companion.rounds.on_table import AnyRound, Round, pad_of, round_of, with_event
from companion.rounds.stored import RoundHeader, StoredRound

if TYPE_CHECKING:
    from companion.rounds.record import Report

NAMES = ("Player 1", "Player 2")
"""The players' names for a record without names."""


def of_record(report: Report) -> Round:
    """Replay a record, up to its first fault. Raises ValueError if its header or deals are wrong."""
    return round_of(as_stored(report))


def as_stored(report: Report) -> StoredRound:
    """A record as the store would have it, up to its first fault.

    Raises ValueError if its header or deals are wrong.
    """
    if report.header is None or report.state is None:
        raise ValueError("the record has no position")
    header, deals = report.header, report.dealt
    opened = tuple((kind, seat) for kind, seat, _ in deals)
    round_header = RoundHeader(header.game, tuple(header.options.items()), header.players or NAMES, opened=opened)
    return StoredRound(0, round_header, deals, tuple((seat, str(move)) for seat, move in report.events))


def last(round_: AnyRound) -> int:
    """The number of a round's last picture."""
    return len(round_.events) + int(round_.over)


def describe(round_: AnyRound, number: int) -> str:
    """Picture `number` in words, with the pieces of open holdings: ``Ann  x3  33:11``."""
    if number > len(round_.events):
        how = named_verdict([round_.name(seat) for seat in round_.winners])
        return f"{how}: {round_.reason}" if round_.reason and round_.winners else how
    figures = ":".join(map(str, round_.counts(number)))
    if number == 0:
        return f"start  {figures}"
    return f"{round_.name(round_.events[number - 1][0])}  {round_.event_words(number, hidden=False)}  {figures}"


# -- stored rounds and the versions of their games ----------------------------------------------------------------


class Doubt(NamedTuple):
    """Why a stored round does not give its stored result any more.

    Attributes:
        fault: what is wrong: ``its move 7 is not valid by the rules that are installed``.
        versions: the two versions: ``played with kalah 1.0, and 1.1 is installed``; "" for a score pad.
        is_unplayable: whether its game cannot be played here at all.
    """

    what: str
    versions: str = ""
    gone: bool = False

    @property
    def told(self) -> Text:
        """The problem in a sentence about the round that is being shown."""
        said = "It cannot be shown: {doubt}." if self.gone else "It no longer leads to its saved result: {doubt}."
        return text(said, doubt=self.words)

    def told_of(self, number: int) -> Text:
        """The problem in a sentence about the round with this number."""
        cannot, no_longer = (
            "Round {number} cannot be shown: {doubt}.",
            "Round {number} no longer leads to its saved result: {doubt}.",
        )
        return text(cannot if self.gone else no_longer, number=number, doubt=self.words)

    @property
    def words(self) -> Text:
        """What is wrong, and the versions, as the end of a sentence."""
        return join_texts(filter(None, (self.what, self.versions)), ": ")


class Replayed(NamedTuple):
    """A stored round, replayed as far as the installed rules allow (None for not at all), and what is wrong with it."""

    round: AnyRound | None
    doubt: Doubt | None = None


def replayed(saved: StoredRound) -> Replayed:
    """Replay a stored round or score pad, and compare its result with the stored one."""
    found = _replayed(saved)
    return found._replace(doubt=Doubt(saved.lost)) if saved.lost and saved.result else found


def _replayed(saved: StoredRound) -> Replayed:
    if saved.header.game == pads.PAD_ID:
        return _pad(saved)
    try:
        here = games.distribution_of(saved.header.game)
    except games.UnknownGameError:
        return Replayed(None, _gone(saved.header))
    versions = _versions(saved.header.origin, here)
    times, round_ = saved.times or (0.0,) * len(saved.events), None
    try:
        round_ = round_of(saved._replace(events=(), times=()))
        for (seat, event), seconds in zip(saved.events, times, strict=True):
            round_ = with_event(round_, seat, event, seconds)
        now = round_.outcome.result if round_.over else None
    except RefusedError:
        what = text("the deal is not valid under the rules installed here")
        if round_ is not None:
            number = len(round_.events) + 1
            what = text("its move {number} is not valid under the rules installed here", number=number)
        return Replayed(round_, Doubt(what, versions))
    except Exception as error:
        return Replayed(None, Doubt(games.failure_text(saved.header.game, error), versions))
    if not saved.result or _agree(Result.parse(saved.result), now):
        return Replayed(round_)
    return Replayed(
        round_, Doubt(text("under the rules installed here {ending}", ending=_ending(now, saved)), versions)
    )


def doubt(saved: StoredRound) -> Doubt | None:
    """Find out what is wrong with a stored round, None for nothing.

    A round of this very version is not replayed: its rules gave the result. The author of another package may change
    rules without a new version, so such games are always replayed.
    """
    game = saved.header.game
    if saved.header.origin == games.BUILT_IN_ORIGIN and not games.is_added_game(game) and not saved.lost:
        return None
    return replayed(saved).doubt


def _pad(saved: StoredRound) -> Replayed:
    try:
        return Replayed(pad_of(saved)._replace(over=bool(saved.result)))
    except ValueError as error:
        return Replayed(None, Doubt(text("its points cannot be read ({error})", error=error)))


def _gone(header: RoundHeader) -> Doubt:
    if fault := games.unplayable_games().get(header.game):
        return Doubt(fault, gone=True)
    known = "played with {version}" if header.origin else "the package that it was played with is unknown"
    return Doubt(
        text("the game {game} is not installed", game=header.game), text(known, version=header.origin), gone=True
    )


def _versions(before: str, here: str) -> str:
    """Which version a round was played with, and which one is installed."""
    if not before:
        return text("played with an unknown version, but {here} is installed", here=here)
    if before == here:
        return text("played with {before}, whose rules were changed without a new version", before=before)
    package, _, version = here.rpartition(" ")
    here = version if before.startswith(f"{package} ") else here
    return text("played with {before}, but {here} is installed", before=before, here=here)


def _agree(kept: Result, now: Result | None) -> bool:
    """Whether two results are the same; those who share a win may be named in any order."""
    return now is not None and kept.scores == now.scores and sorted(kept.winners) == sorted(now.winners)


def _ending(now: Result | None, saved: StoredRound) -> str:
    """How a finished round ends by the installed rules: ``it is not over``, ``Ann wins, 27 to 25``."""
    if now is None:
        return text("it is not over")
    won = named_verdict(now.winner_names(saved.header.names))
    if len(now.scores) == 2:
        return text("{won}, {one} to {other}", won=won, one=now.scores[0], other=now.scores[1])
    return text("{won}, {scores}", won=won, scores=join_texts(now.scores, ", "))

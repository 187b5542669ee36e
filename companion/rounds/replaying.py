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
from companion.games.score_pad import pad as pads
from companion.languages import Text, join_texts, text
from companion.rounds.on_table import AnyRound, Round, replay_pad, replay_round, with_event
from companion.rounds.stored import RoundHeader, StoredRound

if TYPE_CHECKING:
    from companion.rounds.record import Report

DEFAULT_NAMES = ("Player 1", "Player 2")
"""The players' names for a record without names."""


def replay_record(report: Report) -> Round:
    """Replay a record, up to its first fault. Raises ValueError if its header or deals are wrong."""
    return replay_round(make_stored_round(report))


def make_stored_round(report: Report) -> StoredRound:
    """A record as the store would have it, up to its first fault.

    Raises ValueError if its header or deals are wrong.
    """
    if report.header is None or report.state is None:
        raise ValueError("the record has no position")
    header, deals = report.header, report.stored_deals
    opened = tuple((kind, seat) for kind, seat, _ in deals)
    round_header = RoundHeader(
        header.game, tuple(header.options.items()), header.players or DEFAULT_NAMES, opened=opened
    )
    return StoredRound(0, round_header, deals, tuple((seat, str(move)) for seat, move in report.events))


def last_picture_number(round_: AnyRound) -> int:
    """The number of a round's last picture."""
    return len(round_.events) + int(round_.is_over)


def picture_text(round_: AnyRound, number: int) -> str:
    """Picture `number` in words, with the pieces of open holdings: ``Ann  x3  33:11``."""
    if number > len(round_.events):
        verdict = named_verdict([round_.player_name(seat) for seat in round_.winners])
        if not (round_.reason and round_.winners):
            return verdict
        return text("{one}: {other}", one=verdict, other=round_.reason)
    figures = ":".join(map(str, round_.counts_after(number)))
    if number == 0:
        return f"start  {figures}"
    return f"{round_.player_name(round_.events[number - 1][0])}  {round_.event_text(number, hidden=False)}  {figures}"


# -- stored rounds and the versions of their games ----------------------------------------------------------------


class ReplayProblem(NamedTuple):
    """Why a stored round does not give its stored result any more.

    Attributes:
        fault: what is wrong: ``its move 7 is not valid under the rules installed here``.
        versions: the two versions: ``played with kalah 1.0, but 1.1 is installed``; "" for a score pad.
        is_unplayable: whether its game cannot be played here at all.
    """

    fault: str
    versions: str = ""
    is_unplayable: bool = False

    @property
    def message(self) -> Text:
        """The problem in a sentence about the round that is being shown."""
        sentence = (
            "It cannot be shown: {doubt}." if self.is_unplayable else "It no longer gives the same result: {doubt}."
        )
        return text(sentence, doubt=self.reason)

    def message_about_round(self, number: int) -> Text:
        """The problem in a sentence about the round with this number."""
        cannot, no_longer = (
            "Round {number} cannot be shown: {doubt}.",
            "Round {number} no longer gives the same result: {doubt}.",
        )
        return text(cannot if self.is_unplayable else no_longer, number=number, doubt=self.reason)

    @property
    def reason(self) -> Text:
        """What is wrong, and the versions, as the end of a sentence."""
        return join_texts(filter(None, (self.fault, self.versions)), ": ")


class Replay(NamedTuple):
    """A stored round, replayed as far as the installed rules allow (None for not at all), and what is wrong with it."""

    round: AnyRound | None
    problem: ReplayProblem | None = None


def replay_stored(stored: StoredRound) -> Replay:
    """Replay a stored round or score pad, and compare its result with the stored one."""
    replay = _replay(stored)
    if stored.lost_entries and stored.result:
        return replay._replace(problem=ReplayProblem(stored.lost_entries))
    return replay


def _replay(saved: StoredRound) -> Replay:
    if saved.header.game == pads.PAD_ID:
        return _replay_pad(saved)
    try:
        installed = games.distribution_and_version(saved.header.game)
    except games.UnknownGameError:
        return Replay(None, _missing_game_problem(saved.header))
    versions = _version_text(saved.header.origin, installed)
    times, round_ = saved.event_seconds or (0.0,) * len(saved.events), None
    try:
        round_ = replay_round(saved._replace(events=(), event_seconds=()))
        for (seat, event), seconds in zip(saved.events, times, strict=True):
            round_ = with_event(round_, seat, event, seconds)
        result = round_.outcome.result if round_.is_over else None
    except RefusedError:
        fault = text("the deal is not valid under the rules installed here")
        if round_ is not None:
            number = len(round_.events) + 1
            fault = text("its move {number} is not valid under the rules installed here", number=number)
        return Replay(round_, ReplayProblem(fault, versions))
    except Exception as error:
        return Replay(None, ReplayProblem(games.failure_text(saved.header.game, error), versions))
    if not saved.result or _is_same_result(Result.parse(saved.result), result):
        return Replay(round_)
    return Replay(
        round_,
        ReplayProblem(text("under the rules installed here {ending}", ending=_ending_text(result, saved)), versions),
    )


def find_problem(saved: StoredRound) -> ReplayProblem | None:
    """Find out what is wrong with a stored round, None for nothing.

    A round of this very version is not replayed: its rules gave the result. The author of another package may change
    rules without a new version, so such games are always replayed.
    """
    game = saved.header.game
    if saved.header.origin == games.BUILT_IN_ORIGIN and not games.is_added_game(game) and not saved.lost_entries:
        return None
    return replay_stored(saved).problem


def _replay_pad(saved: StoredRound) -> Replay:
    try:
        return Replay(replay_pad(saved)._replace(is_over=bool(saved.result)))
    except ValueError as error:
        return Replay(None, ReplayProblem(text("its points cannot be read ({error})", error=error)))


def _missing_game_problem(header: RoundHeader) -> ReplayProblem:
    if fault := games.unplayable_games().get(header.game):
        return ReplayProblem(fault, is_unplayable=True)
    sentence = "played with {version}" if header.origin else "the package that it was played with is unknown"
    return ReplayProblem(
        text("the game {game} is not installed", game=header.game),
        text(sentence, version=header.origin),
        is_unplayable=True,
    )


def _version_text(played_with: str, installed: str) -> str:
    """Which version a round was played with, and which one is installed."""
    if not played_with:
        return text("played with an unknown version, but {here} is installed", here=installed)
    if played_with == installed:
        return text("played with {before}, whose rules were changed without a new version", before=played_with)
    package, _, version = installed.rpartition(" ")
    installed = version if played_with.startswith(f"{package} ") else installed
    return text("played with {before}, but {here} is installed", before=played_with, here=installed)


def _is_same_result(stored: Result, replayed: Result | None) -> bool:
    """Whether two results are the same; those who share a win may be named in any order."""
    return (
        replayed is not None and stored.scores == replayed.scores and sorted(stored.winners) == sorted(replayed.winners)
    )


def _ending_text(result: Result | None, saved: StoredRound) -> str:
    """How a finished round ends by the installed rules: ``it is not over``, ``Ann wins, 27 to 25``."""
    if result is None:
        return text("it is not over")
    verdict = named_verdict(result.winner_names(saved.header.names))
    if len(result.scores) == 2:
        return text("{won}, {one} to {other}", won=verdict, one=result.scores[0], other=result.scores[1])
    return text("{won}, {scores}", won=verdict, scores=join_texts(result.scores, ", "))

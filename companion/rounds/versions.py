"""Whether a kept round still gives its result, and if not why: in words about the versions of its game."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from companion import games
from companion.game import Refused
from companion.game.result import Result, named_verdict
from companion.game.text import Text, text
from companion.games.score_pad import rules as pads
from companion.rounds.on_table import PadRound, Round, pad_of, round_of

if TYPE_CHECKING:
    from companion.rounds.stored import RoundHeader, StoredRound


class Doubt(NamedTuple):
    """Why a kept round does not give its kept result.

    Attributes:
        what: what is wrong: ``its move 7 does not stand by the rules that are here``.
        versions: which versions there are: ``played with kalah 1.0, and 1.1 is here``; "" for a score pad.
        gone: whether its game cannot be played here at all.
    """

    what: str
    versions: str = ""
    gone: bool = False

    @property
    def consequence(self) -> str:
        """What a player sees of it, after the round: ``cannot be shown``."""
        return "cannot be shown" if self.gone else "no longer gives its result"

    @property
    def told(self) -> Text:
        """The whole in a sentence about the round that is shown."""
        said = "It cannot be shown: {doubt}." if self.gone else "It no longer gives its result: {doubt}."
        return text(said, doubt=str(self))

    def __str__(self) -> str:
        return ": ".join(filter(None, (self.what, self.versions)))


class Replayed(NamedTuple):
    """A kept round as far as the rules that are here replay it, None for not at all; and what is wrong with it."""

    round: Round | PadRound | None
    doubt: Doubt | None = None


def replayed(saved: StoredRound) -> Replayed:
    """Replay a kept round or score pad, and compare its result with the one that is kept."""
    if saved.header.game == pads.ID:
        return _pad(saved)
    try:
        here = games.origin(saved.header.game)
    except games.UnknownGame:
        return Replayed(None, _gone(saved.header))
    versions = _versions(saved.header.origin, here)
    try:
        round_ = round_of(saved)
        now = round_.outcome.result if round_.over else None
    except Refused:
        return _up_to_fault(saved, versions)
    except Exception as error:
        if not games.is_added(saved.header.game):
            raise
        return Replayed(None, Doubt(games.failure(saved.header.game, error), versions))
    if not saved.result or _agree(Result.parse(saved.result), now):
        return Replayed(round_)
    return Replayed(round_, Doubt(f"by the rules that are here {_ending(now, saved)}", versions))


def doubt(saved: StoredRound) -> Doubt | None:
    """What is wrong with a kept round; not replayed where the very version is here whose rules gave its result.

    A package that its author works on may change under one version; the program does not.
    """
    game = saved.header.game
    if saved.header.origin == games.ORIGIN and not games.is_added(game):
        return None
    return replayed(saved).doubt


def _pad(saved: StoredRound) -> Replayed:
    try:
        return Replayed(pad_of(saved)._replace(over=bool(saved.result)))
    except ValueError as error:
        return Replayed(None, Doubt(f"its points cannot be read ({error})"))


def _gone(header: RoundHeader) -> Doubt:
    if fault := games.faults().get(header.game):
        return Doubt(fault, gone=True)
    where = f"played with {header.origin}" if header.origin else "its package is not known"
    return Doubt(f"the game {header.game} is not installed", where, gone=True)


def _versions(before: str, here: str) -> str:
    """Which version a round was played with, and which one is here."""
    if not before:
        return f"played with an unknown version, and {here} is here"
    if before == here:
        return f"played with {before}, whose rules were changed without a new version"
    package, _, version = here.rpartition(" ")
    return f"played with {before}, and {version if before.startswith(f'{package} ') else here} is here"


def _up_to_fault(saved: StoredRound, versions: str) -> Replayed:
    """The round up to the first event that is refused; None if it is what was dealt."""

    def first(count: int) -> StoredRound:
        return saved._replace(events=saved.events[:count], times=saved.times[:count])

    def refused(count: int) -> bool:
        try:
            round_of(first(count))
        except Refused:
            return True
        return False

    number = bisect_left(range(len(saved.events)), True, key=refused)
    if not number:
        return Replayed(None, Doubt("what was dealt does not stand by the rules that are here", versions))
    stands = round_of(first(number - 1))
    return Replayed(stands, Doubt(f"its move {number} does not stand by the rules that are here", versions))


def _agree(kept: Result, now: Result | None) -> bool:
    """Whether two results are the same; those who share a win may stand in any order."""
    return now is not None and kept.scores == now.scores and sorted(kept.winners) == sorted(now.winners)


def _ending(now: Result | None, saved: StoredRound) -> str:
    """What the rules that are here make of a finished round: ``it is not over``, ``Ann wins, 27 to 25``."""
    if now is None:
        return "it is not over"
    return f"{named_verdict(now.names_of_winners(saved.header.names))}, {' to '.join(map(str, now.scores))}"

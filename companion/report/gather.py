"""An evening put together from the store: its rounds with their facts, and who won how often."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from companion.game import Refused
from companion.report import facts
from companion.screens import replay
from companion.store import dates as evening
from companion.store.store import RoundFilter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PIL import Image

    from companion.report.facts import Facts
    from companion.session.matches import Match
    from companion.session.model import PadRound, Round, StoredRound
    from companion.store.store import RoundSummary, Store


class ReportedRound(NamedTuple):
    """A round of the evening; `round` and `facts` are None where it no longer replays. `ended` is its last entry.

    `decided` says which move decided it, "" where that was not asked for or not found.
    """

    summary: RoundSummary
    round: Round | PadRound | None
    facts: Facts | None
    began: datetime | None
    ended: datetime | None
    decided: str = ""

    @property
    def picture(self) -> Image.Image | None:
        """The table as it was last seen on the panel."""
        return None if self.round is None else replay.picture(self.round, len(replay.events(self.round)))


class Place(NamedTuple):
    """A player's evening: rounds played to their end, won alone, drawn or shared; wins by game."""

    name: str
    played: int
    won: int
    drawn: int
    by_game: dict[str, int]


class Evening(NamedTuple):
    """An evening: when it was, its rounds in their order, the players in the order of the standings."""

    day: date
    rounds: tuple[ReportedRound, ...]
    places: tuple[Place, ...]
    matches: tuple[Match, ...] = ()  # their rounds by their place in the evening

    @property
    def finished(self) -> int:
        """How many rounds came to an end."""
        return sum(bool(each.summary.result) for each in self.rounds)

    @property
    def texts(self) -> set[str]:
        """What people have called players and games."""
        return {place.name for place in self.places} | {reported.summary.title for reported in self.rounds}

    @property
    def games(self) -> tuple[str, ...]:
        """The games that were played, in the order of their first round."""
        return tuple(dict.fromkeys(each.summary.game for each in self.rounds))


def gather(store: Store, day: date | None = None, *, finished: bool = False) -> Evening | None:
    """An evening of the store, the latest for None; None where there is no round of it; or only `finished` ones."""
    kept = evening.rounds_of([each for each in store.kept() if each.result or not finished], day)
    if not kept:
        return None
    on = evening.evening(kept[0].begun)
    assert on is not None, "rounds of an evening have a date"
    return Evening(on, tuple(reported(store, each) for each in kept), places(store, kept), _matches(kept))


def _matches(rounds: Sequence[RoundSummary]) -> tuple[Match, ...]:
    """The matches that rounds of the evening belong to."""
    place = {kept.id: number for number, kept in enumerate(rounds, 1)}
    found = dict.fromkeys(kept.match for kept in rounds if kept.match is not None)
    return tuple(
        each._replace(rounds=tuple(place[number] for number in each.rounds if number in place)) for each in found
    )


def places(store: Store, rounds: Sequence[RoundSummary]) -> tuple[Place, ...]:
    """The standings as `companion standings` has them; who finished no round stands last."""
    numbers = [kept.id for kept in rounds]
    won = {game: {each.name: each.won for each in store.standings(RoundFilter(game), numbers)}
           for game in dict.fromkeys(kept.game for kept in rounds)}  # fmt: skip
    found = {
        each.name: Place(each.name, each.played, each.won, each.drawn,
                         {game: by[each.name] for game, by in won.items() if each.name in by})
        for each in store.standings(rounds=numbers)
    }  # fmt: skip
    rest = sorted({name for kept in rounds for name in kept.names} - set(found))
    return (*found.values(), *(Place(name, 0, 0, 0, {}) for name in rest))


def reported(store: Store, kept: RoundSummary) -> ReportedRound:
    """A kept round with its facts."""
    saved, waits = store.round(kept.id), store.waits(kept.id)
    began = _moment(kept.begun)
    # Earlier versions took in titles with half a character, which no file of text can hold.
    kept = kept._replace(title=kept.title.encode(errors="replace").decode())
    try:
        round_ = replay.of_kept(saved) if saved is not None else None
    except (Refused, ValueError):  # The rules were corrected since; what is kept of its result still counts.
        round_ = None
    found = None if round_ is None or saved is None else facts.of(round_, _seconds(saved, waits))
    return ReportedRound(kept, round_, found, began, _ended(began, waits[-1][1] if waits else None))


def _seconds(saved: StoredRound, waits: Sequence[tuple[datetime | None, datetime | None]]) -> list[float | None]:
    """How long each event took: what the round's clock says where it ran, else the time since the entry before."""
    clocked = saved.times or (0.0,) * len(saved.events)
    return [
        seconds or ((after - before).total_seconds() if before and after else None)
        for seconds, (before, after) in zip(clocked, waits, strict=False)
    ]


def _ended(began: datetime | None, last: datetime | None) -> datetime | None:
    """The last entry by the clock of the first one, None where the two do not make a round that was played here."""
    if began is None or began.tzinfo is None or last is None or not timedelta() < last - began < timedelta(days=1):
        return None
    return last.astimezone(began.tzinfo)


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if len(text) > len("2026-11-21") else None
    except (ValueError, OverflowError, OSError):
        return None

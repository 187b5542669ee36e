"""The standings of a day, for all screens that show them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from companion import games
from companion.game.opponent import played_in

if TYPE_CHECKING:
    from companion.session.model import FinishedRound, StoredHistory


class DayStanding(NamedTuple):
    """A player's day: rounds played, rounds won alone, and wins by game."""

    name: str
    played: int
    won: int
    won_by_game: dict[str, int]


def results(past: StoredHistory) -> tuple[FinishedRound, ...]:
    """The finished rounds of the day."""
    return (*past.tonight, *past.fresh)


def counting(day: tuple[FinishedRound, ...]) -> tuple[FinishedRound, ...]:
    """The rounds that count in standings: those in which the box plays no seat."""
    return tuple(result for result in day if not played_in(result.names))


def games_of(day: tuple[FinishedRound, ...]) -> list[str]:
    """The ids of the games of these rounds, in the order of the main menu."""
    order = [game.id for game in games.known()]
    played = dict.fromkeys(result.game for result in day)
    return sorted(played, key=lambda game: order.index(game) if game in order else len(order))


def standings(day: tuple[FinishedRound, ...]) -> list[DayStanding]:
    """The players of the rounds that count, in the order of `companion standings`: most wins, then fewest rounds."""
    day = counting(day)
    played = Counter(name for result in day for name in result.names)
    found = []
    for name in played:
        by_game: Counter[str] = Counter()
        for result in day:
            if name in result.names:
                by_game[result.game] += _won(result, name)
        found.append(DayStanding(name, played[name], by_game.total(), dict(by_game)))
    return sorted(found, key=lambda each: (-each.won, each.played, each.name))


def _won(result: FinishedRound, name: str) -> bool:
    return len(result.winners) == 1 and result.names[result.winners[0] - 1] == name

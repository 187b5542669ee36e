"""Standings: the one calculation for the panel, the commands, the report, the big screen and the hall.

Ratings follow the Plackett-Luce model of the openskill library, for any number of players. A round has two places,
winners and others, since the order of the others is unknown. Ratings are shown on a scale like that of chess: a new
player has 1500 ± 500, where the second number is the standard deviation.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from companion import games
from companion.game.box_seats import played_in
from companion.rounds.stored import Rating, Standing

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from companion.rounds.stored import FinishedRound, StoredHistory


class Tally:
    """Counts a player's finished rounds, which are added the oldest first."""

    __slots__ = ("best", "drawn", "longest", "played", "streak", "won", "won_by_game")

    def __init__(self) -> None:
        self.played = self.won = self.drawn = self.streak = self.longest = 0
        self.best: dict[str, int] = {}
        self.won_by_game: dict[str, int] = {}

    def add(self, game: str, won: int, shared: int) -> None:
        """Count a round: whether the player has won it alone, or shared it (1 or 0)."""
        self.played += 1
        self.won += won
        self.drawn += shared
        self.streak = self.streak + 1 if won else 0
        self.longest = max(self.longest, self.streak)
        self.won_by_game[game] = self.won_by_game.get(game, 0) + won

    def scored(self, what: str, score: int) -> None:
        """Keep the score if it is the best of `what`: a game, or one of its options."""
        self.best[what] = max(self.best.get(what, score), score)


def placed(
    tallies: Mapping[str, Tally],
    rating: Callable[[str], Rating | None] = lambda name: None,
    *,
    shared_count: bool = False,
) -> list[Standing]:
    """The players by name as lines of standings: most won, then fewest played, then the name.

    With `shared_count`, as in the hall, most rounds shared go before fewest played.
    """
    found = [
        Standing(
            name, each.played, each.won, each.drawn, each.streak, each.longest,
            tuple(sorted(each.best.items())), rating(name), tuple(each.won_by_game.items()),
        )
        for name, each in tallies.items()
    ]  # fmt: skip
    return sorted(found, key=lambda each: (-each.won, -each.drawn * shared_count, each.played, each.name))


def of_rounds(rounds: Iterable[FinishedRound], *, shared_count: bool = False) -> list[Standing]:
    """The standings of rounds, the oldest first; those in which the box plays a seat do not count. See `placed`."""
    tallies: dict[str, Tally] = {}
    for result in rounds:
        if played_in(result.names):
            continue
        winners = {result.names[seat - 1] for seat in result.winners}
        for name in dict.fromkeys(result.names):
            won, shared = winners == {name} and len(result.winners) == 1, len(result.winners) > 1 and name in winners
            tallies.setdefault(name, Tally()).add(result.game, won, shared)
    return placed(tallies, shared_count=shared_count)


def counting(rounds: Iterable[FinishedRound]) -> tuple[FinishedRound, ...]:
    """The rounds that count in standings: those in which the box plays no seat."""
    return tuple(result for result in rounds if not played_in(result.names))


def of_day(past: StoredHistory) -> tuple[FinishedRound, ...]:
    """The finished rounds of the day."""
    return (*past.tonight, *past.fresh)


def games_of(day: tuple[FinishedRound, ...]) -> list[str]:
    """The ids of the games of these rounds, in the order of the main menu."""
    order = [game.id for game in games.known()]
    played = dict.fromkeys(result.game for result in day)
    return sorted(played, key=lambda game: order.index(game) if game in order else len(order))


def rated(before: Mapping[str, Rating], winners: Collection[str]) -> dict[str, Rating]:
    """The players' ratings after a round, by name; a round that all share moves them towards each other.

    Raises ImportError if the library is not installed.
    """
    model = _model()
    names = list(before)
    teams = [[model.rating(mu=before[name].mu, sigma=before[name].sigma)] for name in names]
    after = model.rate(teams, ranks=[1 if name in winners else 2 for name in names])
    return {name: Rating(team[0].mu, team[0].sigma) for name, team in zip(names, after, strict=True)}


@cache
def _model() -> Any:
    from openskill.models import PlackettLuce

    return PlackettLuce()

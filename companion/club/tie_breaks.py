"""The standings of a tournament with the tie-breaks of chess clubs.

The points of a game count as soon as it is over. Tie-breaks count only rounds that are over, or they would favour those
who play fast. A bye counts when its round is over, too, because FIDE has standings only then. If its point came at once
and its tie-break later, a player with a bye would pass the one who has won their last game and is still playing.

Rounds without a game follow FIDE's rule of the virtual opponent (Congress of 2009, Handbook C.02, 13.15, in use until
2023). A player's own such round counts like a game against an opponent who had the same points before it, got what the
player did not get, and gets half a point in each round after it. For those who have met the player, the round counts as
a draw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.club.tournament import WIN
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.club.tournament import Game, Tournament

    Games = dict[int, Game]  # of one player, by their rounds


class Tie(NamedTuple):
    """A tie-break: its name, its short name, and how many of its units make a point."""

    name: str
    short: str
    parts: int


DIRECT = "direct"
TIES = {
    "buchholz": Tie("Buchholz", "Bh", 4),
    "cut": Tie(text("Buchholz without the lowest"), "Bh-1", 4),
    "sonneborn_berger": Tie("Sonneborn-Berger", "SB", 4),
    DIRECT: Tie(text("games against each other"), text("Dir"), 2),
    "progress": Tie(text("points after each round, added up"), text("Prog"), 2),
    "wins": Tie(text("games won"), text("Won"), 1),
}
"""By their keys, which are stored, and which are the names of fields of `StandingsRow`."""
SWISS, ROUND_ROBIN = ("buchholz", "sonneborn_berger", "wins"), ("sonneborn_berger", "wins")
"""The tie-breaks that are used unless the organiser chooses others."""


class StandingsLine(NamedTuple):
    """A player's row of the standings; players who are level in everything share a rank.

    Sums are counted in whole quarters of a point, so that they are exact: half of half a point is one.

    Attributes:
        rank: from 1.
        number: the player's start number.
        points: in halves.
        buchholz: the sum of the opponents' points, in quarters.
        cut: the same without the opponent who has the fewest.
        sonneborn_berger: the points of those beaten and half of those drawn with, in quarters.
        progress: the sum of the points after each round, in halves.
        wins: games won.
        direct: points against those who are level so far, in halves, if all of these have met; else 0.
    """

    place: int
    number: int
    points: int
    buchholz: int
    cut: int
    sonneborn_berger: int
    progress: int
    wins: int
    direct: int = 0


def ties_of(tournament: Tournament) -> tuple[str, ...]:
    """The tie-breaks that a tournament uses, in order, by the keys of `TIE_BREAKS`."""
    return tournament.ties or (SWISS if tournament.swiss else ROUND_ROBIN)


def standings(tournament: Tournament) -> list[StandingsLine]:
    """A row for each player, the best first."""
    over = tournament.over
    games = {player.number: tournament.games_of(player.number) for player in tournament.players}
    seen = {number: _seen(own, number, over, swiss=tournament.swiss) for number, own in games.items()}
    lines = [_line(tournament, number, own, over, seen) for number, own in games.items()]
    found: list[StandingsLine] = []
    for level in _ranked(tournament, lines, ("points", *ties_of(tournament))):
        found += [line._replace(place=len(found) + 1) for line in level]
    return found


def _line(tournament: Tournament, number: int, games: Games, over: int, seen: dict[int, int]) -> StandingsLine:
    """A player's row, not ranked yet; `points_for_opponents` are everybody's points as they count for opponents."""
    played = [game for of, game in games.items() if of <= over and game.played]
    met = [2 * seen[game.opponent(number)] for game in played]
    if tournament.swiss:
        unplayed = [of for of in range(1, over + 1) if of not in games or not games[of].played]
        met += [2 * _virtual(games, number, of, over) for of in unplayed]
    running = {game.round for game in tournament.games if game.open}
    return StandingsLine(
        0,
        number,
        points=sum(game.points(number) for of, game in games.items() if game.second or of not in running),
        buchholz=sum(met),
        cut=sum(met) - min(met, default=0),
        sonneborn_berger=sum(game.points(number) * seen[game.opponent(number)] for game in played),
        progress=sum(_points(games, number, of) for of in range(1, over + 1)),
        wins=sum(game.points(number) == WIN for game in played),
    )


def _ranked(
    tournament: Tournament, lines: Sequence[StandingsLine], keys: tuple[str, ...]
) -> Iterator[list[StandingsLine]]:
    """Yield groups of players who are level in all of `keys`, the best first."""
    if not keys or len(lines) < 2:
        yield list(lines)
        return
    key, *rest = keys
    if key == DIRECT:
        lines = _with_direct(tournament, lines)
    for value in sorted({getattr(line, key) for line in lines}, reverse=True):
        yield from _ranked(tournament, [line for line in lines if getattr(line, key) == value], tuple(rest))


def _with_direct(tournament: Tournament, lines: Sequence[StandingsLine]) -> list[StandingsLine]:
    """The rows of players who are level, with their points against each other if all of them have met."""
    level = {line.number for line in lines}
    between = [game for game in tournament.games if game.played and {game.first, game.second} <= level]
    pairs = {frozenset((game.first, game.second)) for game in between}
    if len(pairs) < len(level) * (len(level) - 1) // 2:
        return list(lines)

    def direct(number: int) -> int:
        return sum(game.points(number) for game in between if number in (game.first, game.second))

    return [line._replace(direct=direct(line.number)) for line in lines]


def _points(games: Games, number: int, until: int) -> int:
    return sum(game.points(number) for of, game in games.items() if of <= until)


def _seen(games: Games, number: int, over: int, *, swiss: bool) -> int:
    """A player's points as they count for the opponents' tie-breaks, in halves.

    In a Swiss each round without a game counts as a draw.
    """
    if not swiss:
        return _points(games, number, over)
    played = [game.points(number) for of, game in games.items() if of <= over and game.played]
    return sum(played) + over - len(played)


def _virtual(games: Games, number: int, of: int, over: int) -> int:
    """The points of the virtual opponent in a round without a game, in halves; see the module."""
    game = games.get(of)
    got = game.points(number) if game is not None else 0
    return _points(games, number, of - 1) + (WIN - got) + (over - of)

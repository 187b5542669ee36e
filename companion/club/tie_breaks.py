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

from companion.club.tournament import WIN_HALF_POINTS
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.club.tournament import Pairing, Tournament

    Games = dict[int, Pairing]  # of one player, by their rounds


class TieBreak(NamedTuple):
    """A tie-break: its name, its short name, how many of its units make a point, and what a name does not say."""

    name: str
    short_name: str
    units_per_point: int
    meaning: str = ""


DIRECT_KEY = "direct"
TIE_BREAKS = {
    "buchholz": TieBreak("Buchholz", "Bh", 4, text("the points of those whom you have met")),
    "cut": TieBreak(
        text("Buchholz without the lowest"),
        "Bh-1",
        4,
        text("the points of those whom you have met, without whoever has the fewest"),
    ),
    "sonneborn_berger": TieBreak(
        "Sonneborn-Berger",
        "SB",
        4,
        text("the points of those whom you have beaten, and half the points of those you drew with"),
    ),
    DIRECT_KEY: TieBreak(text("games against each other"), text("Dir"), 2, text("if all who are level have met")),
    "progress": TieBreak(text("points after each round, added up"), text("Prog"), 2),
    "wins": TieBreak(text("games won"), text("Won"), 1),
}
"""By their keys, which are stored, and which are the names of fields of `StandingsRow`."""
SWISS_TIE_BREAKS, ROUND_ROBIN_TIE_BREAKS = ("buchholz", "sonneborn_berger", "wins"), ("sonneborn_berger", "wins")
"""The tie-breaks that are used unless the organiser chooses others."""


class StandingsRow(NamedTuple):
    """A player's row of the standings; players who are level in everything share a rank.

    All sums are whole numbers of halves or quarters of a point, so that they are exact.

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

    rank: int
    number: int
    points: int
    buchholz: int
    cut: int
    sonneborn_berger: int
    progress: int
    wins: int
    direct: int = 0


def tie_break_keys(tournament: Tournament) -> tuple[str, ...]:
    """The tie-breaks that a tournament uses, in order, by the keys of `TIE_BREAKS`."""
    return tournament.tie_breaks or (SWISS_TIE_BREAKS if tournament.is_swiss else ROUND_ROBIN_TIE_BREAKS)


def tournament_standings(tournament: Tournament) -> list[StandingsRow]:
    """A row for each player, the best first."""
    finished_round = tournament.finished_round
    games = {player.number: tournament.games_of(player.number) for player in tournament.players}
    points_for_opponents = {
        number: _points_for_opponents(own, number, finished_round, is_swiss=tournament.is_swiss)
        for number, own in games.items()
    }
    unranked = [
        _standings_row(tournament, number, own, finished_round, points_for_opponents) for number, own in games.items()
    ]
    ranked: list[StandingsRow] = []
    for level in _ranked_groups(tournament, unranked, ("points", *tie_break_keys(tournament))):
        ranked += [line._replace(rank=len(ranked) + 1) for line in level]
    return ranked


def _standings_row(
    tournament: Tournament, number: int, games: Games, finished_round: int, points_for_opponents: dict[int, int]
) -> StandingsRow:
    """A player's row, not ranked yet; `points_for_opponents` are everybody's points as they count for opponents."""
    played = [game for round_, game in games.items() if round_ <= finished_round and game.is_played]
    opponent_points = [2 * points_for_opponents[game.opponent_of(number)] for game in played]
    if tournament.is_swiss:
        unplayed = [
            round_ for round_ in range(1, finished_round + 1) if round_ not in games or not games[round_].is_played
        ]
        opponent_points += [2 * virtual_opponent_points(games, number, round_, finished_round) for round_ in unplayed]
    running = {game.round for game in tournament.games if game.is_open}
    return StandingsRow(
        0,
        number,
        points=sum(game.points_of(number) for round_, game in games.items() if game.second or round_ not in running),
        buchholz=sum(opponent_points),
        cut=sum(opponent_points) - min(opponent_points, default=0),
        sonneborn_berger=sum(
            game.points_of(number) * points_for_opponents[game.opponent_of(number)] for game in played
        ),
        progress=sum(_points_until(games, number, round_) for round_ in range(1, finished_round + 1)),
        wins=sum(game.points_of(number) == WIN_HALF_POINTS for game in played),
    )


def _ranked_groups(
    tournament: Tournament, lines: Sequence[StandingsRow], keys: tuple[str, ...]
) -> Iterator[list[StandingsRow]]:
    """Yield groups of players who are level in all of `keys`, the best first."""
    if not keys or len(lines) < 2:
        yield list(lines)
        return
    key, *rest = keys
    if key == DIRECT_KEY:
        lines = _with_direct_points(tournament, lines)
    for value in sorted({getattr(line, key) for line in lines}, reverse=True):
        yield from _ranked_groups(tournament, [line for line in lines if getattr(line, key) == value], tuple(rest))


def _with_direct_points(tournament: Tournament, lines: Sequence[StandingsRow]) -> list[StandingsRow]:
    """The rows of players who are level, with their points against each other if all of them have met."""
    level = {line.number for line in lines}
    between = [game for game in tournament.games if game.is_played and {game.first, game.second} <= level]
    pairs = {frozenset((game.first, game.second)) for game in between}
    if len(pairs) < len(level) * (len(level) - 1) // 2:
        return list(lines)

    def direct(number: int) -> int:
        return sum(game.points_of(number) for game in between if number in (game.first, game.second))

    return [line._replace(direct=direct(line.number)) for line in lines]


def _points_until(games: Games, number: int, until: int) -> int:
    return sum(game.points_of(number) for round_, game in games.items() if round_ <= until)


def _points_for_opponents(games: Games, number: int, finished_round: int, *, is_swiss: bool) -> int:
    """A player's points as they count for the opponents' tie-breaks, in halves.

    In a Swiss each round without a game counts as a draw.
    """
    if not is_swiss:
        return _points_until(games, number, finished_round)
    played = [game.points_of(number) for round_, game in games.items() if round_ <= finished_round and game.is_played]
    return sum(played) + finished_round - len(played)


def virtual_opponent_points(games: Games, number: int, round_: int, finished_round: int) -> int:
    """The points of the virtual opponent in a round without a game, in halves; see the module."""
    game = games.get(round_)
    points_got = game.points_of(number) if game is not None else 0
    return _points_until(games, number, round_ - 1) + (WIN_HALF_POINTS - points_got) + (finished_round - round_)

"""The standings of a tournament with the tie-breaks of chess clubs: Buchholz and Sonneborn-Berger.

Rounds without a game are counted by FIDE's rule of the virtual opponent (Congress of 2009, Handbook C.02, 13.15, in use
until 2023): a player's own such round counts as one against an opponent who had the same points before it, got what the
player did not, and half a point for each round after it; for those who played against the player it counts as a draw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from companion.hall.tournament.model import Game, Tournament


class Line(NamedTuple):
    """A player's line; players who are level in everything share a place.

    Sums are kept in whole quarters of a point, so that they are exact: half of half a point is one.

    Attributes:
        place: from 1.
        number: the player's start number.
        points: in halves.
        buchholz: the sum of the opponents' points, in quarters.
        sonneborn_berger: the points of those beaten and half of those drawn with, in quarters.
        wins: games won.
    """

    place: int
    number: int
    points: int
    buchholz: int
    sonneborn_berger: int
    wins: int


def standings(tournament: Tournament) -> list[Line]:
    """All players, the best first. Open games of the newest round count as if it had not been paired."""
    done = _finished(tournament)
    points = {each.number: _points(tournament, each.number, done) for each in tournament.players}
    others = {each.number: points[each.number] for each in tournament.players}
    if tournament.swiss:
        others = {each.number: _for_others(tournament, each.number, done) for each in tournament.players}
    lines = []
    for player in tournament.players:
        games = {number: game for number, game in tournament.games_of(player.number).items() if number <= done}
        played = [game for game in games.values() if game.played]
        buchholz = sum(2 * others[game.opponent(player.number)] for game in played)
        if tournament.swiss:
            buchholz += sum(
                2 * _virtual(tournament, player.number, number, done)
                for number in range(1, done + 1)
                if number not in games or not games[number].played
            )
        berger = sum(game.points(player.number) * others[game.opponent(player.number)] for game in played)
        wins = sum(game.points(player.number) == 2 for game in played)
        lines.append(Line(0, player.number, points[player.number], buchholz, berger, wins))
    return _placed(lines, swiss=tournament.swiss)


def _placed(lines: list[Line], *, swiss: bool) -> list[Line]:
    """Swiss: points, Buchholz, Sonneborn-Berger; round-robin: points, Sonneborn-Berger; then games won."""

    def key(line: Line) -> tuple[int, ...]:
        ties = (line.buchholz, line.sonneborn_berger) if swiss else (line.sonneborn_berger,)
        return tuple(-each for each in (line.points, *ties, line.wins))

    lines = sorted(lines, key=lambda line: (key(line), line.number))
    placed: list[Line] = []
    for n, line in enumerate(lines, 1):
        level = placed and key(lines[n - 2]) == key(line)
        placed.append(line._replace(place=placed[-1].place if level else n))
    return placed


def _finished(tournament: Tournament) -> int:
    """The newest round of which no game is open."""
    open_rounds = {game.round for game in tournament.games if game.open}
    return min(open_rounds) - 1 if open_rounds else tournament.round


def _points(tournament: Tournament, number: int, until: int) -> int:
    return sum(game.points(number) for of, game in tournament.games_of(number).items() if of <= until)


def _for_others(tournament: Tournament, number: int, done: int) -> int:
    """A player's points as they count for the opponents: each round without a game is a draw, in halves."""
    games = tournament.games_of(number)
    return sum(_counted(games.get(of), number) for of in range(1, done + 1))


def _counted(game: Game | None, number: int) -> int:
    return game.points(number) if game is not None and game.played else 1


def _virtual(tournament: Tournament, number: int, of: int, done: int) -> int:
    """The points of the opponent who is thought of in a round without a game, in halves."""
    game = tournament.games_of(number).get(of)
    got = game.points(number) if game is not None else 0
    return _points(tournament, number, of - 1) + (2 - got) + (done - of)

"""The next round of a tournament: its players as the pairing rules see them, and the pairs as pairings."""

from __future__ import annotations

from typing import NamedTuple

from companion.hall.tournament import dutch, roundrobin
from companion.hall.tournament.entrants import Entrant, Float, NoPairing
from companion.hall.tournament.model import WIN, Game, Outcome, Tournament


class NextRound(NamedTuple):
    """The pairings of a round; `starts_kept` tells that nobody starts more often than the rules for that allow."""

    games: tuple[Game, ...]
    starts_kept: bool = True


def next_round(tournament: Tournament) -> NextRound:
    """Pair the next round. Raises NoPairing."""
    number = tournament.round + 1
    if any(game.open for game in tournament.games):
        raise NoPairing(f"round {number - 1} is not over")
    if number > tournament.rounds:
        raise NoPairing("all rounds are played")
    return _swiss(tournament, number) if tournament.swiss else NextRound(_round_robin(tournament, number))


def _round_robin(tournament: Tournament, number: int) -> tuple[Game, ...]:
    """A round of the Berger table; a player who is not here loses without a game."""
    here = {player.number for player in tournament.players if player.here}
    count = len(tournament.players)
    pairs = roundrobin.berger(count, number)
    pairs.sort(key=lambda pair: max(pair) > count)  # A free player's place is the last.
    made = []
    for board, (first, second) in enumerate(pairs, 1):
        if max(first, second) > count:
            made.append(Game(number, board, min(first, second), 0))
            continue
        missing = {
            (False, False): Outcome.NOBODY,
            (True, False): Outcome.FIRST_UNPLAYED,
            (False, True): Outcome.SECOND_UNPLAYED,
        }
        made.append(Game(number, board, first, second, missing.get((first in here, second in here))))
    return tuple(made)


def _swiss(tournament: Tournament, number: int) -> NextRound:
    """Pair a round by the Dutch system, without its rule about who starts if no pairing follows that rule any more."""
    everybody = entrants(tournament)
    if len(everybody) < 2:
        raise NoPairing("fewer than two players are here")
    by_rank = dict(enumerate(_come(tournament), 1))
    kept = True
    try:
        pairs = dutch.paired(everybody, number - 1, tournament.rounds)
    except NoPairing:
        kept = False
        pairs = dutch.paired(everybody, number - 1, tournament.rounds, any_start=True)
    games = (
        Game(number, board, by_rank[pair.first], by_rank[pair.second] if pair.second else 0)
        for board, pair in enumerate(pairs, 1)
    )
    return NextRound(tuple(games), kept)


def _come(tournament: Tournament) -> list[int]:
    """The start numbers of all who have come so far; who comes late moves in at the own place."""
    seen = {number for game in tournament.games for number in (game.first, game.second)}
    return [player.number for player in tournament.players if player.here or player.number in seen]


def entrants(tournament: Tournament) -> list[Entrant]:
    """Those who are here, as the pairing of the next round sees them."""
    ranks = {number: rank for rank, number in enumerate(_come(tournament), 1)}
    return [_entrant(tournament, player.number, ranks) for player in tournament.players if player.here]


def _entrant(tournament: Tournament, number: int, ranks: dict[int, int]) -> Entrant:
    games = tournament.games_of(number)
    played = [game for _, game in sorted(games.items()) if game.played]
    floats = [_float(tournament, number, games.get(tournament.round - ago)) for ago in (0, 1)]
    return Entrant(
        ranks[number],
        points=sum(game.points(number) for game in games.values()),
        starts=tuple(game.first == number for game in played),
        met=frozenset(ranks[game.opponent(number)] for game in played),
        floats=(floats[0], floats[1]),
        had_bye=any(not game.played and game.points(number) == WIN for game in games.values()),
        unplayed=tournament.round - len(played),
    )


def _float(tournament: Tournament, number: int, game: Game | None) -> Float:
    """Where the opponent of a round stood before it; a win without a game is a downfloat (C.04.3, 1.4)."""
    if game is None or not game.played:
        return Float.DOWN if game is not None and game.points(number) == WIN else Float.NONE
    own, other = (
        sum(each.points(one) for each in tournament.games_of(one).values() if each.round < game.round)
        for one in (number, game.opponent(number))
    )
    return Float.DOWN if own > other else Float.UP if own < other else Float.NONE

"""The next round of a tournament: its players as the pairing rules see them, and the pairs as pairings."""

from __future__ import annotations

from typing import NamedTuple

from companion.hall.tournament.model import WIN, Game, PairingOutcome, Tournament
from companion.hall.tournament.pairs import dutch, roundrobin
from companion.hall.tournament.pairs.entrants import Entrant, Float, NoPairing
from companion.languages import text


class NextRound(NamedTuple):
    """The pairings of a round; `starts_kept` tells that nobody starts more often than the rules for that allow."""

    games: tuple[Game, ...]
    starts_kept: bool = True


def safe_rounds(players: int) -> int:
    """How many rounds of a Swiss can be paired for sure, whatever the results, so that nobody meets twice.

    Everybody then has at least half of the others left to meet, and by Dirac's theorem there is a pairing.
    """
    return (players + 1) // 2


def next_round(tournament: Tournament, *, again: bool = False) -> NextRound:
    """Pair the next round; with `again` as few as possible of a Swiss meet once more. Raises NoPairing.

    It is called in a process of its own: 128 players take more than a second.
    """
    number = tournament.round + 1
    if any(game.open for game in tournament.games):
        raise NoPairing(text("round {round} is not over", round=tournament.over + 1))
    if number > tournament.rounds:
        raise NoPairing(text("all rounds are played"))
    return _swiss(tournament, number, again=again) if tournament.swiss else NextRound(_round_robin(tournament, number))


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
            (False, False): PairingOutcome.NOBODY,
            (True, False): PairingOutcome.FIRST_UNPLAYED,
            (False, True): PairingOutcome.SECOND_UNPLAYED,
        }
        made.append(Game(number, board, first, second, missing.get((first in here, second in here))))
    return tuple(made)


def _swiss(tournament: Tournament, number: int, *, again: bool) -> NextRound:
    """Pair a round by the Dutch system, without its rule about who starts if no pairing follows that rule any more."""
    everybody = entrants(tournament)
    if len(everybody) < 2:
        raise NoPairing(text("fewer than two players are here"))
    by_rank = dict(enumerate(_come(tournament), 1))
    kept = True
    try:
        pairs = dutch.paired(everybody, number - 1, tournament.rounds, again=again)
    except NoPairing:
        kept = False
        pairs = dutch.paired(everybody, number - 1, tournament.rounds, any_start=True, again=again)
    games = [
        Game(number, board, by_rank[pair.first], by_rank[pair.second] if pair.second else 0)
        for board, pair in enumerate(pairs, 1)
    ]
    return NextRound((*games, *half_byes(tournament, number, len(games))), kept)


def half_byes(tournament: Tournament, number: int, boards: int) -> list[Game]:
    """The half-point byes of a round, behind so many boards."""
    asked = [player.number for player in tournament.players if player.here and player.half_bye]
    return [Game(number, boards + n, each, 0, PairingOutcome.DRAW) for n, each in enumerate(asked, 1)]


def _come(tournament: Tournament) -> list[int]:
    """The start numbers of all who were paired so far or are to be; who comes late moves in at the own place."""
    paired = (game for game in tournament.games if game.second or not game.outcome)
    seen = {number for game in paired for number in (game.first, game.second)}
    return [each.number for each in tournament.players if (each.here and not each.half_bye) or each.number in seen]


def entrants(tournament: Tournament) -> list[Entrant]:
    """Those who are here, as the pairing of the next round sees them."""
    ranks = {number: rank for rank, number in enumerate(_come(tournament), 1)}
    playing = [player.number for player in tournament.players if player.here and not player.half_bye]
    return [_entrant(tournament, number, ranks) for number in playing]


def _entrant(tournament: Tournament, number: int, ranks: dict[int, int]) -> Entrant:
    games = tournament.games_of(number)
    played = [game for _, game in sorted(games.items()) if game.played]
    floats = [_float(tournament, number, games.get(tournament.round - ago)) for ago in (0, 1)]
    return Entrant(
        ranks[number],
        points=sum(game.points(number) for game in games.values()),
        starts=tuple(game.first == number for game in played),
        met=tuple(ranks[game.opponent(number)] for game in played),
        barred=frozenset(ranks[each] for pair in tournament.barred if number in pair for each in pair if each in ranks),
        floats=(floats[0], floats[1]),
        had_bye=any(not game.played and game.points(number) == WIN for game in games.values()),
        unplayed=tournament.round - len(played),
    )


def _float(tournament: Tournament, number: int, game: Game | None) -> Float:
    """Where the opponent of a round stood before it; points without a game are a downfloat (C.04.3, 1.4)."""
    if game is None or not game.played:
        return Float.DOWN if game is not None and game.points(number) else Float.NONE
    own, other = (
        sum(each.points(one) for each in tournament.games_of(one).values() if each.round < game.round)
        for one in (number, game.opponent(number))
    )
    return Float.DOWN if own > other else Float.UP if own < other else Float.NONE

"""The next round of a tournament: by the FIDE (Dutch) System, or by the Berger tables of a round-robin.

The pairing itself is done by caissify-pairings. Where a Swiss round has no pairing by the rules, that library gives
several players a bye, after a search that may take for ever. So networkx first looks for any pairing, which shows
whether there is one, and which exceptions from the rules it needs. Both libraries are imported only when a round is
paired.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from companion.club.tournament import WIN_HALF_POINTS, Pairing, PairingOutcome, Tournament, TournamentError
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Sequence

BYE = 0
"""The number that stands for the opponent of a player who has a bye."""


class NoPairingError(TournamentError):
    """No round can be paired by the rules any more; the one argument is a sentence, which is a text."""


class NextRound(NamedTuple):
    """The pairings of a round; `follows_start_rule` is false if somebody starts more often than rule C3 allows."""

    games: tuple[Pairing, ...]
    follows_start_rule: bool = True


class Entrant(NamedTuple):
    """A player who is to be paired.

    Attributes:
        number: the start number.
        points: in halves, so that 2 is a win.
        starts: for each game that was played, in order, whether the player started it.
        floats: for each of the last two rounds, "down" if the opponent had fewer points, "up" if more, else "none".
        had_bye: whether the player had a win without a game, and so gets no bye any more.
    """

    number: int
    points: int = 0
    starts: tuple[bool, ...] = ()
    floats: tuple[str, ...] = ()
    had_bye: bool = False

    def may_start(self, start: bool) -> bool:
        """Whether the player may start, or not start, the next game: as caissify-pairings applies rule C3."""
        balance = 2 * sum((*self.starts, start)) - len(self.starts) - 1
        return self.starts[-2:] != (start, start) and abs(balance) <= 2


def surely_pairable_rounds(players: int) -> int:
    """How many rounds of a Swiss can surely be paired, whatever the results, so that nobody meets twice.

    Everybody then still has at least half of the others to meet, and by Dirac's theorem there is a pairing.
    """
    return (players + 1) // 2


def make_next_round(tournament: Tournament, *, allows_rematches: bool = False) -> NextRound:
    """Pair the next round. Raises NoPairingError.

    With `allows_rematches` players of a Swiss may meet again, but as few as possible do. Call this in a process of its
    own: 128 players take more than ten seconds.
    """
    round_number = tournament.round + 1
    if any(game.is_open for game in tournament.games):
        raise NoPairingError(text("round {round} is not over", round=tournament.finished_round + 1))
    if round_number > tournament.rounds:
        raise NoPairingError(text("all rounds have been played"))
    if not tournament.is_swiss:
        return NextRound(_round_robin_games(tournament, round_number))
    return _pair_swiss_round(tournament, round_number, allows_rematches=allows_rematches)


def _round_robin_games(tournament: Tournament, round_number: int) -> tuple[Pairing, ...]:
    """The pairings of a round of the Berger table; an absent player loses without a game."""
    from caissify_pairings.engines.round_robin import berger_round

    present = {player.number for player in tournament.players if player.is_present}
    count = len(tournament.players)
    pairs = berger_round(count + count % 2, round_number)
    pairs.sort(key=lambda pair: max(pair) > count)  # The game of the player without an opponent comes last.
    games = []
    for board, (first, second) in enumerate(pairs, 1):
        if max(first, second) > count:
            games.append(Pairing(round_number, board, min(first, second), BYE))
            continue
        missing = {
            (False, False): PairingOutcome.NOBODY,
            (True, False): PairingOutcome.FIRST_UNPLAYED,
            (False, True): PairingOutcome.SECOND_UNPLAYED,
        }
        games.append(Pairing(round_number, board, first, second, missing.get((first in present, second in present))))
    return tuple(games)


def _pair_swiss_round(tournament: Tournament, round_number: int, *, allows_rematches: bool) -> NextRound:
    """Pair a round by the Dutch system, without its rule about who starts if no pairing can follow that rule."""
    from caissify_pairings.engines.dutch import dutch_pairings

    present = sorted(present_entrants(tournament), key=lambda each: (-each.points, each.number))
    if len(present) < 2:
        raise NoPairingError(text("fewer than two players are here"))
    possible, clashing = _possible_pairing(tournament, present, round_number, allows_rematches=allows_rematches)
    forbidden_pairs = {
        frozenset(game[2:4]) for game in tournament.games if game.is_played
    } - possible | tournament.barred_pairs
    players = [
        {
            "id": each.number,
            "pairing_number": rank,  # If both players want the same start, the better one gets it.
            "score": each.points / 2,
            # With one past start alone the rule forbids nothing, so players who have to clash can.
            "color_hist": ["white" if start else "black" for start in each.starts[-1 if each in clashing else 0 :]],
            "float_history": each.floats,
            "bye_count": int(each.had_bye),
        }
        for rank, each in enumerate(present, 1)
    ]
    # In round 1 the library ignores forbidden pairs; without any games it pairs round 2 like round 1.
    pairs = dutch_pairings(
        players, {(min(pair), max(pair)) for pair in forbidden_pairs}, max(round_number, 2), tournament.rounds
    )
    games = [Pairing(round_number, pair["table"], pair["white_id"], pair["black_id"] or BYE) for pair in pairs]
    return NextRound((*games, *half_bye_games(tournament, round_number, len(games))), follows_start_rule=not clashing)


def _possible_pairing(
    tournament: Tournament, present: Sequence[Entrant], round_number: int, *, allows_rematches: bool
) -> tuple[set[frozenset[int]], set[Entrant]]:
    """A pairing with as few rematches and clashes as possible, and the players who clash in it. Raises NoPairingError.

    Two players clash if neither of them may start against the other. In the last round they may meet all the same if
    one has more than half of the points. With `allows_rematches` a rematch is allowed, and a second bye, which counts
    as one.
    """
    import networkx

    times_met = Counter(frozenset(game[2:4]) for game in tournament.games if game.is_played)
    times_met.update(frozenset((each.number, BYE)) for each in present if each.had_bye)
    # Before the last round: more than anybody has.
    points_limit = round_number if round_number >= tournament.rounds else 2 * round_number
    clashes = {
        frozenset((one.number, other.number))
        for one, other in combinations(present, 2)
        if max(one.points, other.points) < points_limit
        and not any(one.may_start(start) and other.may_start(not start) for start in (True, False))
    }
    numbers = [each.number for each in present] + [BYE] * (len(present) % 2)
    graph = networkx.Graph()
    graph.add_nodes_from(numbers)
    for pair in map(frozenset, combinations(numbers, 2)):
        if pair not in tournament.barred_pairs and (allows_rematches or pair not in times_met):
            graph.add_edge(*pair, weight=-times_met[pair] * len(present) - (pair in clashes))
    possible = {frozenset(pair) for pair in networkx.max_weight_matching(graph, maxcardinality=True)}
    if 2 * len(possible) < len(numbers):
        strict_message = "no pairing is possible without a rematch or a second bye"
        raise NoPairingError(text("no pairing is possible" if allows_rematches else strict_message))
    clashing = frozenset().union(*(possible & clashes))
    return possible, {each for each in present if each.number in clashing}


def half_bye_games(tournament: Tournament, round_number: int, boards: int) -> list[Pairing]:
    """The half-point byes of a round, as pairings on the boards after the given number."""
    takers = [player.number for player in tournament.players if player.is_present and player.takes_half_bye]
    return [Pairing(round_number, boards + n, each, BYE, PairingOutcome.DRAW) for n, each in enumerate(takers, 1)]


def present_entrants(tournament: Tournament) -> list[Entrant]:
    """The players who are present, as the pairing of the next round needs them."""
    return [
        _entrant(tournament, player.number)
        for player in tournament.players
        if player.is_present and not player.takes_half_bye
    ]


def _entrant(tournament: Tournament, number: int) -> Entrant:
    games = tournament.games_of(number)
    last_two = range(max(1, tournament.round - 1), tournament.round + 1)
    return Entrant(
        number,
        points=sum(game.points_of(number) for game in games.values()),
        starts=tuple(game.first == number for _, game in sorted(games.items()) if game.is_played),
        floats=tuple(_float_direction(tournament, number, games.get(round_)) for round_ in last_two),
        had_bye=any(not game.is_played and game.points_of(number) == WIN_HALF_POINTS for game in games.values()),
    )


def _float_direction(tournament: Tournament, number: int, game: Pairing | None) -> str:
    """How the opponent of a round stood before it; points without a game are a downfloat (C.04.3, 1.4)."""
    if game is None or not game.is_played:
        return "down" if game is not None and game.points_of(number) else "none"
    own, other = (
        sum(each.points_of(one) for each in tournament.games_of(one).values() if each.round < game.round)
        for one in (number, game.opponent_of(number))
    )
    return "down" if own > other else "up" if own < other else "none"

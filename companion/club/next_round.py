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

from companion.club.tournament import WIN, Game, PairingOutcome, Tournament, TournamentError
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Sequence

BYE = 0
"""The number that stands for the opponent of a player who has a bye."""


class NoPairingError(TournamentError):
    """No round can be paired by the rules any more; the one argument is a sentence, which is a text."""


class NextRound(NamedTuple):
    """The pairings of a round; `follows_start_rule` is false if somebody starts more often than rule C3 allows."""

    games: tuple[Game, ...]
    starts_kept: bool = True


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


def safe_rounds(players: int) -> int:
    """How many rounds of a Swiss can surely be paired, whatever the results, so that nobody meets twice.

    Everybody then still has at least half of the others to meet, and by Dirac's theorem there is a pairing.
    """
    return (players + 1) // 2


def next_round(tournament: Tournament, *, again: bool = False) -> NextRound:
    """Pair the next round. Raises NoPairingError.

    With `allows_rematches` players of a Swiss may meet again, but as few as possible do. Call this in a process of its
    own: 128 players take more than ten seconds.
    """
    number = tournament.round + 1
    if any(game.open for game in tournament.games):
        raise NoPairingError(text("round {round} is not over", round=tournament.over + 1))
    if number > tournament.rounds:
        raise NoPairingError(text("all rounds have been played"))
    return _swiss(tournament, number, again=again) if tournament.swiss else NextRound(_round_robin(tournament, number))


def _round_robin(tournament: Tournament, number: int) -> tuple[Game, ...]:
    """The games of a round of the Berger table; an absent player loses without a game."""
    from caissify_pairings.engines.round_robin import berger_round

    here = {player.number for player in tournament.players if player.here}
    count = len(tournament.players)
    pairs = berger_round(count + count % 2, number)
    pairs.sort(key=lambda pair: max(pair) > count)  # The game of the player without an opponent comes last.
    made = []
    for board, (first, second) in enumerate(pairs, 1):
        if max(first, second) > count:
            made.append(Game(number, board, min(first, second), BYE))
            continue
        missing = {
            (False, False): PairingOutcome.NOBODY,
            (True, False): PairingOutcome.FIRST_UNPLAYED,
            (False, True): PairingOutcome.SECOND_UNPLAYED,
        }
        made.append(Game(number, board, first, second, missing.get((first in here, second in here))))
    return tuple(made)


def _swiss(tournament: Tournament, number: int, *, again: bool) -> NextRound:
    """Pair a round by the Dutch system, without its rule about who starts if no pairing can follow that rule."""
    from caissify_pairings.engines.dutch import dutch_pairings

    here = sorted(entrants(tournament), key=lambda each: (-each.points, each.number))
    if len(here) < 2:
        raise NoPairingError(text("fewer than two players are here"))
    possible, clashing = _possible_pairing(tournament, here, number, again=again)
    never = {frozenset(game[2:4]) for game in tournament.games if game.played} - possible | tournament.barred
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
        for rank, each in enumerate(here, 1)
    ]
    # In round 1 the library ignores forbidden pairs; without any games it pairs round 2 like round 1.
    pairs = dutch_pairings(players, {(min(pair), max(pair)) for pair in never}, max(number, 2), tournament.rounds)
    games = [Game(number, pair["table"], pair["white_id"], pair["black_id"] or BYE) for pair in pairs]
    return NextRound((*games, *half_byes(tournament, number, len(games))), starts_kept=not clashing)


def _possible_pairing(
    tournament: Tournament, here: Sequence[Entrant], number: int, *, again: bool
) -> tuple[set[frozenset[int]], set[Entrant]]:
    """A pairing with as few rematches and clashes as possible, and the players who clash in it. Raises NoPairingError.

    Two players clash if neither of them may start against the other. In the last round they may meet all the same if
    one has more than half of the points. With `allows_rematches` a rematch is allowed, and a second bye, which counts
    as one.
    """
    import networkx

    met = Counter(frozenset(game[2:4]) for game in tournament.games if game.played)
    met.update(frozenset((each.number, BYE)) for each in here if each.had_bye)
    top = number if number >= tournament.rounds else 2 * number  # Before the last round: more than anybody has.
    clashes = {
        frozenset((one.number, other.number))
        for one, other in combinations(here, 2)
        if max(one.points, other.points) < top
        and not any(one.may_start(start) and other.may_start(not start) for start in (True, False))
    }
    numbers = [each.number for each in here] + [BYE] * (len(here) % 2)
    graph = networkx.Graph()
    graph.add_nodes_from(numbers)
    for pair in map(frozenset, combinations(numbers, 2)):
        if pair not in tournament.barred and (again or pair not in met):
            graph.add_edge(*pair, weight=-met[pair] * len(here) - (pair in clashes))
    possible = {frozenset(pair) for pair in networkx.max_weight_matching(graph, maxcardinality=True)}
    if 2 * len(possible) < len(numbers):
        strictly = "no pairing is possible without a rematch or a second bye"
        raise NoPairingError(text("no pairing is possible" if again else strictly))
    clashing = frozenset().union(*(possible & clashes))
    return possible, {each for each in here if each.number in clashing}


def half_byes(tournament: Tournament, number: int, boards: int) -> list[Game]:
    """The half-point byes of a round, as games on the boards after the given number."""
    asked = [player.number for player in tournament.players if player.here and player.half_bye]
    return [Game(number, boards + n, each, BYE, PairingOutcome.DRAW) for n, each in enumerate(asked, 1)]


def entrants(tournament: Tournament) -> list[Entrant]:
    """The players who are present, as the pairing of the next round needs them."""
    return [_entrant(tournament, player.number) for player in tournament.players if player.here and not player.half_bye]


def _entrant(tournament: Tournament, number: int) -> Entrant:
    games = tournament.games_of(number)
    last_two = range(max(1, tournament.round - 1), tournament.round + 1)
    return Entrant(
        number,
        points=sum(game.points(number) for game in games.values()),
        starts=tuple(game.first == number for _, game in sorted(games.items()) if game.played),
        floats=tuple(_float(tournament, number, games.get(round_)) for round_ in last_two),
        had_bye=any(not game.played and game.points(number) == WIN for game in games.values()),
    )


def _float(tournament: Tournament, number: int, game: Game | None) -> str:
    """How the opponent of a round stood before it; points without a game are a downfloat (C.04.3, 1.4)."""
    if game is None or not game.played:
        return "down" if game is not None and game.points(number) else "none"
    own, other = (
        sum(each.points(one) for each in tournament.games_of(one).values() if each.round < game.round)
        for one in (number, game.opponent(number))
    )
    return "down" if own > other else "up" if own < other else "none"

"""Tie-breaks are compared with published examples."""

from __future__ import annotations

from itertools import product

import pytest

from companion.club.tie_breaks import tournament_standings
from companion.club.tournament import Pairing, PairingOutcome, Player, Tournament


def test_sonneborn_berger_of_a_published_example():
    """Sensei's Library, "Sonneborn-Berger": four players meet twice; it gives 11, 9, 6 and 4."""
    crosstable = {"A": ("-111", "-010"), "B": ("0-11", "1-01"), "C": ("00-1", "01-1"), "D": ("000-", "100-")}
    games = []
    for of, cycle in enumerate((0, 1)):
        for n, row in enumerate(crosstable.values()):
            for m in range(n + 1, 4):
                outcome = PairingOutcome.FIRST if row[cycle][m] == "1" else PairingOutcome.SECOND
                games.append(Pairing(10 * of + 2 * n + m, 1, n + 1, m + 1, outcome))
    numbered = tuple(game._replace(round=number) for number, game in enumerate(games, 1))
    players = tuple(Player(n, name) for n, name in enumerate(crosstable, 1))
    lines = tournament_standings(Tournament(players, numbered, len(games), is_swiss=False))
    assert [(line.rank, players[line.number - 1].name) for line in lines] == [(1, "A"), (2, "B"), (3, "C"), (4, "D")]
    assert [line.points / 2 for line in lines] == [4, 4, 3, 1]
    assert [line.sonneborn_berger / 4 for line in lines] == [11, 9, 6, 4]


def lone_player(results: str, without_game: dict[int, PairingOutcome | None]) -> Tournament:
    """Nine rounds of player 1, each against somebody who plays nobody else; some rounds may be without a game."""
    games = []
    for number, outcome_ in enumerate(results, 1):
        if number in without_game:
            outcome = without_game[number]
            if outcome is not None:
                games.append(Pairing(number, 1, 1, number + 1, outcome))
        else:
            games.append(
                Pairing(number, 1, 1, number + 1, {"1": PairingOutcome.FIRST, "0": PairingOutcome.SECOND}[outcome_])
            )
    games += [Pairing(9, 2, 11, 12, PairingOutcome.DRAW)]
    return Tournament(tuple(Player(n, str(n)) for n in range(1, 13)), tuple(games), 9, is_swiss=True)


def buchholz_difference(tournament: Tournament, number: int, without: Tournament) -> float:
    """By how much a player's Buchholz differs between two tournaments."""
    buchholz = [
        next(line.buchholz for line in tournament_standings(each) if line.number == number)
        for each in (tournament, without)
    ]
    return (buchholz[0] - buchholz[1]) / 4


def test_rounds_without_a_game_as_in_the_published_examples():
    """FIDE's examples of 2009: nine rounds, six points.

    A had two points, then a win by default in round 3: it adds 2 + 0 + 6 × 0.5 = 5 to A's Buchholz, and A counts 5.5
    for others. B had four points and was absent in round 7: it adds 4 + 1 + 2 × 0.5 = 6, and B counts 6.5 for others.
    """
    for results, number, outcome, adds, counts in (
        ("111111000", 3, PairingOutcome.FIRST_UNPLAYED, 5, 5.5),
        ("111100011", 7, None, 6, 6.5),
    ):
        tournament = lone_player(results, {number: outcome})
        line = next(line for line in tournament_standings(tournament) if line.number == 1)
        assert line.points / 2 == 6
        # Besides this game each opponent has eight rounds without one, each of which counts as a draw for others.
        others = sum((1 - int(result)) + 4 for n, result in enumerate(results, 1) if n != number)
        assert line.buchholz / 4 - others == adds
        beaten = next(line for line in tournament_standings(tournament) if line.number == 2)
        own = sum(0 + 1 + (9 - of) / 2 for of in range(2, 10))  # what the other eight rounds add for the opponent
        assert beaten.buchholz / 4 - own == counts


def test_a_bye_is_a_win_and_adds_nothing_to_sonneborn_berger():
    games = (Pairing(1, 1, 1, 2, PairingOutcome.DRAW), Pairing(1, 2, 3, 0))
    lines = {line.number: line for line in tournament_standings(Tournament(three_players(), games, 3, is_swiss=True))}
    assert lines[3].rank == 1
    assert lines[3].points == 2
    assert lines[3].sonneborn_berger == 0
    assert lines[3].wins == 0
    assert lines[1].sonneborn_berger == 1, "half of the half point of player 2"
    assert lines[1].rank == lines[2].rank == 2


def test_tie_breaks_count_when_the_round_is_over():
    games = (
        Pairing(1, 1, 1, 2, PairingOutcome.FIRST),
        Pairing(1, 2, 3, 0),
        Pairing(2, 1, 1, 3, PairingOutcome.FIRST),
        Pairing(2, 2, 2, 0),
    )
    over = {
        line.number: line for line in tournament_standings(Tournament(three_players(), games[:2], 3, is_swiss=True))
    }
    still = (*games[:2], games[2]._replace(outcome=None), games[3])
    running = {line.number: line for line in tournament_standings(Tournament(three_players(), still, 3, is_swiss=True))}
    assert {number: line.points for number, line in running.items()} == {1: 2, 2: 0, 3: 2}, "a bye is no game"
    for number, line in running.items():
        assert line._replace(rank=0, points=0) == over[number]._replace(rank=0, points=0)
    assert tournament_standings(Tournament(three_players(), games, 3, is_swiss=True))[0].buchholz != over[1].buchholz


@pytest.mark.parametrize("outcomes", [*product((None, PairingOutcome.FIRST, PairingOutcome.SECOND), repeat=2)])
def test_a_bye_does_not_pass_the_player_who_beat_it(outcomes):
    """Of five players, 2 has lost to 4 and gets the bye of round 2, which counts only when that round is over."""
    games = (
        Pairing(1, 1, 1, 3, PairingOutcome.FIRST), Pairing(1, 2, 4, 2, PairingOutcome.FIRST), Pairing(1, 3, 5, 0),
        Pairing(2, 1, 5, 1, outcomes[0]), Pairing(2, 2, 3, 4, outcomes[1]), Pairing(2, 3, 2, 0),
    )  # fmt: skip
    five = tuple(Player(n, name) for n, name in enumerate("ABCDE", 1))
    rows_by_number = {line.number: line for line in tournament_standings(Tournament(five, games, 3, is_swiss=True))}
    assert rows_by_number[4].rank < rows_by_number[2].rank
    assert rows_by_number[2].points == (0 if None in outcomes else 2)


def test_the_chosen_tie_breaks_decide_in_their_order():
    """Three of four have two points: A has beaten B, B has beaten C, and C A; D has lost to all."""
    results = [(1, 2), (3, 4), (2, 3), (1, 4), (3, 1), (2, 4)]  # Each first one wins; two games a round.
    games = tuple(Pairing(n // 2 + 1, n % 2 + 1, *pair, PairingOutcome.FIRST) for n, pair in enumerate(results))
    four = tuple(Player(n, name) for n, name in enumerate("ABCD", 1))

    def order(games, *ties: str) -> list[tuple[int, int]]:
        return [
            (line.rank, line.number)
            for line in tournament_standings(Tournament(four, games, 3, is_swiss=True, tie_breaks=ties))
        ]

    assert order(games, "direct") == [(1, 1), (1, 2), (1, 3), (4, 4)]
    assert order(games, "progress") == [(1, 1), (2, 3), (3, 2), (4, 4)]
    assert order(games, "direct", "progress") == order(games, "progress")
    # If B and C have not met, direct games do not count, because not all three have met.
    fewer = (*games[:2], games[2]._replace(outcome=PairingOutcome.FIRST_UNPLAYED), *games[3:])
    assert order(fewer, "direct") == [(1, 1), (1, 2), (1, 3), (4, 4)]
    assert order(fewer, "direct", "wins")[0] == (1, 1)


def test_equal_points_are_decided_by_the_direct_game():
    """B and C have 1½ points each and B has beaten C; by Buchholz without the lowest C would be first."""
    games = (
        Pairing(1, 1, 1, 2, PairingOutcome.FIRST), Pairing(1, 2, 3, 4, PairingOutcome.FIRST),
        Pairing(2, 1, 2, 3, PairingOutcome.FIRST), Pairing(2, 2, 1, 4, PairingOutcome.FIRST),
    )  # fmt: skip
    four = tuple(Player(n, name) for n, name in enumerate("ABCD", 1))
    lines = tournament_standings(Tournament(four, games, 3, is_swiss=True, tie_breaks=("direct",)))
    assert [(line.rank, line.number, line.points, line.direct) for line in lines] == [
        (1, 1, 4, 0), (2, 2, 2, 2), (3, 3, 2, 0), (4, 4, 0, 0),
    ]  # fmt: skip
    assert {line.number: line.cut for line in lines} == {1: 4, 2: 8, 3: 4, 4: 8}


def test_a_half_point_bye_is_half_a_point_and_no_game():
    games = (Pairing(1, 1, 1, 2, PairingOutcome.FIRST), Pairing(1, 2, 3, 0, PairingOutcome.DRAW))
    assert (games[1].points_of(3), games[1].is_played, games[1].is_open) == (1, False, False)
    lines = tournament_standings(Tournament(three_players(), games, 3, is_swiss=True))
    assert [(line.number, line.points, line.wins) for line in lines] == [(1, 2, 1), (3, 1, 0), (2, 0, 0)]


def three_players() -> tuple[Player, ...]:
    return tuple(Player(n, name) for n, name in enumerate("ABC", 1))

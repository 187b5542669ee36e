"""Pairings are compared with published tables and another program, and checked against the rules."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from examples import example_count, first_cases_fast

from companion.club.next_round import NoPairingError, make_next_round, present_entrants, surely_pairable_rounds
from companion.club.tournament import Pairing, PairingOutcome, Player, Tournament

BBP_TOURNAMENTS = [
    json.loads(line) for line in (Path(__file__).parent / "paired_elsewhere.jsonl").read_text().splitlines()
]
"""Random tournaments, each round paired by bbpPairings 6.0.0, which FIDE has endorsed.

Some players miss rounds, and some games are lost without being played. The last ten have 16 to 28 players; in eight
some have half-point byes."""

# FIDE Handbook C.05, Annex 1: the tables for up to 4, 6, 8, 10, 12 and 14 players, a line each round.
BERGER_TABLES = {
    4: "1-4 2-3/4-3 1-2/2-4 3-1",
    6: "1-6 2-5 3-4/6-4 5-3 1-2/2-6 3-1 4-5/6-5 1-4 2-3/3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5/8-5 6-4 7-3 1-2/2-8 3-1 4-7 5-6/8-6 7-5 1-4 2-3/3-8 4-2 5-1 6-7/"
    "8-7 1-6 2-5 3-4/4-8 5-3 6-2 7-1",
    10: "1-10 2-9 3-8 4-7 5-6/10-6 7-5 8-4 9-3 1-2/2-10 3-1 4-9 5-8 6-7/10-7 8-6 9-5 1-4 2-3/3-10 4-2 5-1 6-9 7-8/"
    "10-8 9-7 1-6 2-5 3-4/4-10 5-3 6-2 7-1 8-9/10-9 1-8 2-7 3-6 4-5/5-10 6-4 7-3 8-2 9-1",
    12: "1-12 2-11 3-10 4-9 5-8 6-7/12-7 8-6 9-5 10-4 11-3 1-2/2-12 3-1 4-11 5-10 6-9 7-8/12-8 9-7 10-6 11-5 1-4 2-3/"
    "3-12 4-2 5-1 6-11 7-10 8-9/12-9 10-8 11-7 1-6 2-5 3-4/4-12 5-3 6-2 7-1 8-11 9-10/12-10 11-9 1-8 2-7 3-6 4-5/"
    "5-12 6-4 7-3 8-2 9-1 10-11/12-11 1-10 2-9 3-8 4-7 5-6/6-12 7-5 8-4 9-3 10-2 11-1",
    14: "1-14 2-13 3-12 4-11 5-10 6-9 7-8/14-8 9-7 10-6 11-5 12-4 13-3 1-2/2-14 3-1 4-13 5-12 6-11 7-10 8-9/"
    "14-9 10-8 11-7 12-6 13-5 1-4 2-3/3-14 4-2 5-1 6-13 7-12 8-11 9-10/14-10 11-9 12-8 13-7 1-6 2-5 3-4",
}  # fmt: skip


def make_players(count: int) -> tuple[Player, ...]:
    return tuple(Player(number, f"P{number}") for number in range(1, count + 1))


def game_pairs(games) -> list[tuple[int, int]]:
    return [(game.first, game.second) for game in games]


@pytest.mark.parametrize("count", BERGER_TABLES)
def test_round_robin_is_the_published_berger_table(count):
    for number, line in enumerate(BERGER_TABLES[count].split("/"), 1):
        published = [tuple(int(each) for each in pair.split("-")) for pair in line.split()]
        begun = (Pairing(number - 1, 1, 1, 2, PairingOutcome.DRAW),)
        tournament = Tournament(make_players(count), begun, count - 1, is_swiss=False)
        assert game_pairs(make_next_round(tournament).games) == published
        one_fewer = game_pairs(make_next_round(tournament._replace(players=make_players(count - 1))).games)
        assert one_fewer[:-1] == [pair for pair in published if count not in pair]
        assert {*one_fewer[-1], count} == {0, *next(pair for pair in published if count in pair)}


@pytest.mark.parametrize("count", [2, 3, 5, 7, 12, 15, 16])
def test_in_a_round_robin_all_meet_once_and_start_as_often_as_not(count):
    tournament = Tournament(make_players(count), (), count - 1 + count % 2, is_swiss=False)
    for _ in range(tournament.rounds):
        games = make_next_round(tournament).games
        tournament = tournament._replace(games=tournament.games + with_random_results(games, random.Random(1)))
    assert tournament.round == tournament.rounds
    met = {frozenset(pair) for pair in game_pairs(tournament.games) if 0 not in pair}
    assert len(met) == count * (count - 1) // 2 == sum(game.second != 0 for game in tournament.games)
    for player in tournament.players:
        starts = [game.first == player.number for game in tournament.games_of(player.number).values() if game.second]
        assert abs(2 * sum(starts) - len(starts)) <= 1
    with pytest.raises(NoPairingError, match="all rounds have been played"):
        make_next_round(tournament)


def test_an_absent_player_of_a_round_robin_loses():
    tournament = Tournament((*make_players(3), Player(4, "Late", is_present=False)), (), 3, is_swiss=False)
    assert make_next_round(tournament).games == (
        Pairing(1, 1, 1, 4, PairingOutcome.FIRST_UNPLAYED),
        Pairing(1, 2, 2, 3),
    )
    with_absent_players = tournament._replace(
        players=(*make_players(2), Player(3, "C", is_present=False), Player(4, "Late", is_present=False))
    )
    second = with_absent_players._replace(
        games=with_random_results(make_next_round(with_absent_players).games, random.Random(1))
    )
    assert make_next_round(second).games[0] == Pairing(2, 1, 4, 3, PairingOutcome.NOBODY)


# -- the FIDE (Dutch) System ----------------------------------------------------------------------------------------


FIRST, SECOND = PairingOutcome.FIRST, PairingOutcome.SECOND


def test_a_published_example_of_who_has_the_bye_by_points():
    """Test dutch_2025_C5 of bbpPairings: player 4 is absent; by [C5] the bye goes to the fewest points."""
    games = (
        Pairing(1, 1, 1, 4, FIRST), Pairing(1, 2, 5, 2, SECOND), Pairing(1, 3, 3, 6, FIRST),
        Pairing(2, 1, 2, 1, SECOND), Pairing(2, 2, 4, 3, SECOND), Pairing(2, 3, 6, 5, SECOND),
    )  # fmt: skip
    all_players = tuple(player._replace(is_present=player.number != 4) for player in make_players(6))
    assert game_pairs(make_next_round(Tournament(all_players, games, 3, is_swiss=True)).games) == [
        (1, 5),
        (3, 2),
        (6, 0),
    ]


def test_a_published_example_of_who_has_the_bye_by_games():
    """Test dutch_2025_C9 of bbpPairings: player 5 missed a round; by [C9] the bye goes to somebody who did not."""
    games = (Pairing(1, 1, 1, 3, FIRST), Pairing(1, 2, 4, 2, SECOND))
    assert game_pairs(make_next_round(Tournament(make_players(5), games, 3, is_swiss=True)).games) == [
        (2, 1),
        (3, 5),
        (4, 0),
    ]


@pytest.mark.parametrize("n", first_cases_fast(6, range(28)))
def test_another_program_pairs_the_same(n):
    has_same_pairings(BBP_TOURNAMENTS[n])


@pytest.mark.drill
@pytest.mark.parametrize("n", range(28, len(BBP_TOURNAMENTS)))
def test_another_program_pairs_many_more_the_same(n):
    has_same_pairings(BBP_TOURNAMENTS[n])


def has_same_pairings(tournament_data) -> None:
    """Pair the tournament again, round by round, and compare pairs and bye; who starts may differ."""
    tournament = Tournament(make_players(tournament_data["players"]), (), tournament_data["rounds"], is_swiss=True)
    for number, games in enumerate(tournament_data["paired"], 1):
        paired_numbers = {one for first, second, _ in games for one in (first, second)}
        halves = {first for first, second, outcome in games if not second and outcome}
        tournament = tournament._replace(
            players=tuple(
                player._replace(is_present=player.number in paired_numbers, takes_half_bye=player.number in halves)
                for player in tournament.players
            )
        )
        paired_round = make_next_round(tournament)
        assert set(map(frozenset, game_pairs(paired_round.games))) == {frozenset(game[:2]) for game in games}, number
        assert paired_round.follows_start_rule
        done = (
            Pairing(number, board, first, second, PairingOutcome(outcome) if outcome else None)
            for board, (first, second, outcome) in enumerate(games, 1)
        )
        tournament = tournament._replace(games=(*tournament.games, *done))


# -- its promises ---------------------------------------------------------------------------------------------------


def with_random_results(games, rng, unplayed: float = 0.0) -> tuple[Pairing, ...]:
    """Give each open game a random result."""
    results = list(PairingOutcome)
    return tuple(
        game._replace(outcome=rng.choice(results[3:] if rng.random() < unplayed else results[:3]))
        if game.is_open
        else game
        for game in games
    )


def play_random_tournament(seed: int, bars: int = 0) -> bool:
    """Play a random tournament, and check every round. Returns whether all of its rounds could be paired."""
    rng = random.Random(seed)
    count = rng.randint(4, 14)
    rounds = rng.randint(2, max(2, min(7, count - 2)))
    absent = rng.choice([0.0, 0.0, 0.1, 0.2])
    barred = frozenset(frozenset(rng.sample(range(1, count + 1), 2)) for _ in range(bars))
    tournament = Tournament(make_players(count), (), rounds, is_swiss=True, barred_pairs=barred)
    is_complete = True
    for _ in range(rounds):
        tournament = tournament._replace(
            players=tuple(player._replace(is_present=rng.random() >= absent) for player in tournament.players)
        )
        try:
            paired_round = make_next_round(tournament)
        except NoPairingError:
            break
        is_complete = is_complete and paired_round.follows_start_rule
        check_round(tournament, paired_round.games)
        tournament = tournament._replace(
            games=(*tournament.games, *with_random_results(paired_round.games, rng, absent / 4))
        )
    if is_complete:
        check_starts(tournament)
    return tournament.round == rounds


def check_round(tournament: Tournament, games) -> None:
    seated = [number for pair in game_pairs(games) for number in pair if number]
    present = [player.number for player in tournament.players if player.is_present]
    assert sorted(seated) == present, "everybody who is here is paired once"
    assert sum(game.second == 0 for game in games) == len(present) % 2
    met = {
        frozenset(pair)
        for pair, game in zip(game_pairs(tournament.games), tournament.games, strict=True)
        if game.is_played
    }
    had_bye = {game.first for game in tournament.games if not game.second}
    for first, second in game_pairs(games):
        assert frozenset((first, second)) not in met, "nobody meets twice"
        assert frozenset((first, second)) not in tournament.barred_pairs
        assert second or first not in had_bye, "a bye each at most"


def check_starts(tournament: Tournament) -> None:
    """Before the last round nobody starts two more or fewer than half, nor three times alike in a row [C3]."""
    for player in tournament.players:
        games = tournament.games_of(player.number).items()
        starts = [
            game.first == player.number for of, game in sorted(games) if game.is_played and of < tournament.rounds
        ]
        for n in range(1, len(starts) + 1):
            assert abs(2 * sum(starts[:n]) - n) <= 2
            assert n < 3 or len(set(starts[n - 3 : n])) == 2


def test_random_tournaments_keep_the_rules():
    assert sum(play_random_tournament(seed) for seed in range(example_count(40))) > example_count(30)


def test_random_tournaments_keep_barred_pairs_apart():
    for seed in range(example_count(40)):
        play_random_tournament(seed, bars=3)


@pytest.mark.drill
def test_a_thousand_random_tournaments_keep_the_rules():
    assert sum(play_random_tournament(seed) for seed in range(1000)) > 900
    assert sum(play_random_tournament(seed, bars=3) for seed in range(1000)) > 500


def test_half_as_many_rounds_as_players_can_always_be_paired():
    """With one round more some tournaments get stuck."""
    stuck = 0
    for seed in range(example_count(240)):
        rng = random.Random(seed)
        count = rng.randint(4, 9)
        safe = surely_pairable_rounds(count)
        tournament = Tournament(make_players(count), (), safe + 1, is_swiss=True)
        for _ in range(safe):
            paired_round = make_next_round(tournament)
            check_round(tournament, paired_round.games)
            tournament = tournament._replace(games=(*tournament.games, *with_random_results(paired_round.games, rng)))
        try:
            make_next_round(tournament)
        except NoPairingError:
            stuck += 1
            again = make_next_round(tournament, allows_rematches=True)
            assert len({number for pair in game_pairs(again.games) for number in pair} - {0}) == count
    assert stuck > 0


def test_the_start_rule_gives_way_to_new_opponents():
    """The last two have both started twice: one may not start, or starts a third time, and that is noted."""
    games = [Pairing(1, 1, 1, 3), Pairing(1, 2, 2, 4), Pairing(2, 1, 1, 4), Pairing(2, 2, 2, 3)]
    played = tuple(game._replace(outcome=PairingOutcome.DRAW) for game in games)
    remaining = tuple(player._replace(is_present=player.number < 3) for player in make_players(4))
    paired_round = make_next_round(Tournament(remaining, played, 5, is_swiss=True))
    assert game_pairs(paired_round.games) == [(2, 1)]
    assert not paired_round.follows_start_rule


def test_a_player_with_four_starts_is_paired():
    """The library alone finds no opponent for such a player."""
    games = tuple(Pairing(number, 1, 1, number + 1, PairingOutcome.DRAW) for number in range(1, 5))
    tournament = Tournament(make_players(6), games, 7, is_swiss=True)
    check_round(tournament, make_next_round(tournament).games)


@pytest.mark.parametrize("again", [False, True])
def test_a_missing_pairing_is_found_at_once(again):
    """The library alone would search all pairings of the others, which takes years."""
    alone = frozenset(frozenset((number, 40)) for number in range(1, 40))
    with pytest.raises(NoPairingError, match="no pairing is possible"):
        make_next_round(Tournament(make_players(40), (), 3, is_swiss=True, barred_pairs=alone), allows_rematches=again)


def test_an_impossible_pairing_is_refused():
    two = Tournament(make_players(2), (), 3, is_swiss=True)
    with pytest.raises(NoPairingError, match="round 1 is not over"):
        make_next_round(two._replace(games=make_next_round(two).games))
    again = two._replace(games=with_random_results(make_next_round(two).games, random.Random(1)))
    with pytest.raises(NoPairingError, match="without a rematch"):
        make_next_round(again)
    with pytest.raises(NoPairingError, match="fewer than two"):
        make_next_round(two._replace(players=(Player(1, "A"), Player(2, "B", is_present=False))))


def test_a_game_that_was_not_played_may_be_paired_again_and_counts_as_no_start():
    games = (Pairing(1, 1, 1, 2, PairingOutcome.FIRST_UNPLAYED),)
    paired_round = make_next_round(Tournament(make_players(2), games, 2, is_swiss=True))
    assert game_pairs(paired_round.games) == [(1, 2)]


def test_floats_of_the_last_two_rounds():
    games = (Pairing(1, 1, 1, 3, PairingOutcome.FIRST), Pairing(1, 2, 4, 2, PairingOutcome.FIRST), Pairing(1, 3, 5, 0))
    entrants_by_number = {
        each.number: each for each in present_entrants(Tournament(make_players(5), games, 3, is_swiss=True))
    }
    assert entrants_by_number[5].floats == ("down",)
    assert entrants_by_number[5].had_bye
    games = (
        *games,
        Pairing(2, 1, 5, 1, PairingOutcome.DRAW),
        Pairing(2, 2, 3, 4, PairingOutcome.DRAW),
        Pairing(2, 3, 2, 0),
    )
    entrants_by_number = {
        each.number: each.floats for each in present_entrants(Tournament(make_players(5), games, 3, is_swiss=True))
    }
    assert entrants_by_number == {
        1: ("none", "none"), 2: ("none", "down"), 3: ("none", "up"), 4: ("none", "down"), 5: ("down", "none"),
    }  # fmt: skip

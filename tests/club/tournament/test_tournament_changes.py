"""What the organiser can change in players, rounds and whole tournaments."""

from __future__ import annotations

import sqlite3

import pytest
from caissify_pairings.trf import parse_trf
from tournament_night import enter_results, new_tournament, pair_next_round

from companion.club import tournament_changes as changes
from companion.club.club_database import ADDED_COLUMNS, DATABASE_FILE
from companion.club.next_round import NoPairingError, make_next_round, surely_pairable_rounds
from companion.club.tournament import PairingOutcome, TournamentError
from companion.club.tournament_exports import tournament_trf
from companion.club.tournament_store import TournamentStore


def player_names(tournament_night, id_: int) -> list[str]:
    return [player.name for player in tournament_night.tournaments.read_event(id_).tournament.players]


def round_pairs(tournament_night, id_: int, number: int) -> list[str]:
    event = tournament_night.tournaments.read_event(id_)
    return [event.names_of_pairing(row.game) for row in event.rows if row.game.round == number]


def test_players_are_put_in_order_renamed_and_taken_out(tournament_night):
    id_ = new_tournament(tournament_night, "Ann Ben Cleo Dan Eve")
    tournament_night.tournaments.change_event(id_, changes.bar_pair, (5, 2), True)
    tournament_night.tournaments.change_event(id_, changes.move_player, 5, 1)
    assert player_names(tournament_night, id_) == ["Eve", "Ann", "Ben", "Cleo", "Dan"]
    tournament_night.tournaments.change_event(id_, changes.remove_player, 2)
    tournament_night.tournaments.change_event(id_, changes.rename_player, 3, "Clio")
    assert player_names(tournament_night, id_) == ["Eve", "Ben", "Clio", "Dan"]
    assert tournament_night.tournaments.read_event(id_).tournament.barred_pairs == {frozenset((1, 2))}, (
        "it is still Eve and Ben"
    )
    tournament_night.tournaments.change_event(id_, changes.move_player, 1, 99)
    assert player_names(tournament_night, id_) == ["Ben", "Clio", "Dan", "Eve"]
    tournament_night.tournaments.change_event(id_, changes.remove_player, 1)
    assert tournament_night.tournaments.read_event(id_).tournament.barred_pairs == frozenset()


def test_lots_put_the_same_players_in_another_order(tournament_night):
    id_ = new_tournament(tournament_night, " ".join(f"P{n}" for n in range(40)))
    before = player_names(tournament_night, id_)
    tournament_night.tournaments.change_event(id_, changes.draw_lots)
    assert sorted(player_names(tournament_night, id_)) == sorted(before)
    assert player_names(tournament_night, id_) != before, "one of 40! orders"


def test_removing_a_late_player_keeps_the_others_games(tournament_night):
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    enter_results(tournament_night, id_)
    tournament_night.tournaments.change_event(id_, changes.add_players, ["Eve", "Fay", "Gus"])
    tournament_night.tournaments.change_event(id_, changes.set_present, 5, False)
    pair_next_round(tournament_night, id_)
    before = round_pairs(tournament_night, id_, 2)
    tournament_night.tournaments.change_event(id_, changes.remove_player, 5)
    assert round_pairs(tournament_night, id_, 2) == before
    assert player_names(tournament_night, id_)[4:] == ["Fay", "Gus"]


@pytest.mark.parametrize(
    ("what", "why"),
    [
        (lambda event: changes.remove_player(event, 1), "Ann has already been paired: mark the player as away"),
        (lambda event: changes.move_player(event, 1, 2), "the order cannot change"),
        (lambda event: changes.draw_lots(event), "the order cannot change"),
        (lambda event: changes.rename_player(event, 1, "Ben"), "there is already a player named Ben"),
        (lambda event: changes.rename_player(event, 1, "x" * 17), "1 to 16 letters"),
        (lambda event: changes.rename_player(event, 9, "Zoe"), "no such player"),
        (lambda event: changes.bar_pair(event, (1, 1), True), "choose two different players"),
        (lambda event: changes.change_settings(event, "x", 0, 0, ()), "1 to 30 rounds"),
        (lambda event: changes.change_settings(event, "x", 3, 0, ("x",)), "tie-breaks"),
        (lambda event: changes.change_settings(event, "x", 3, 601, ()), "600 minutes"),
        (lambda event: changes.set_clock_running(event, True), "how many minutes"),
        (lambda event: changes.pair_by_hand(event, [(1, 2)], ()), "Cleo is not in a pair"),
        (lambda event: changes.pair_by_hand(event, [(1, 2), (3, 1), (4, 0)], ()), "Ann is in two pairs"),
        (lambda event: changes.pair_by_hand(event, [(1, 2), (3, 9)], ()), "no such player"),
        (
            lambda event: changes.pair_by_hand(event, [(1, 2), (0, 3), (4, 0)], ()),
            "put the player with the bye on the left",
        ),
    ],
)
def test_a_refused_change_changes_nothing(tournament_night, what, why):
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    before = tournament_night.tournaments.read_event(id_), tournament_night.tournaments.changes_newest_first(id_)
    with pytest.raises(TournamentError, match=why):
        tournament_night.tournaments.change_event(id_, what)
    assert (
        tournament_night.tournaments.read_event(id_),
        tournament_night.tournaments.changes_newest_first(id_),
    ) == before


def test_a_barred_pair_never_meets(tournament_night):
    id_ = new_tournament(tournament_night, rounds=3)
    tournament_night.tournaments.change_event(id_, changes.bar_pair, (3, 1), True)
    for _ in range(2):
        pair_next_round(tournament_night, id_)
        enter_results(tournament_night, id_)
    with pytest.raises(NoPairingError):
        pair_next_round(tournament_night, id_)
    pair_next_round(tournament_night, id_, again=True)
    met = [each for number in (1, 2, 3) for each in round_pairs(tournament_night, id_, number)]
    assert not {"Ann – Cleo", "Cleo – Ann"} & set(met)
    enter_results(tournament_night, id_)
    tournament_night.tournaments.change_event(id_, changes.bar_pair, (1, 3), False)
    assert tournament_night.tournaments.read_event(id_).tournament.barred_pairs == frozenset()


def test_a_rematch_is_made_only_where_needed_and_noted(tournament_night):
    """After three rounds four players have all met: two pairs meet again in the fourth, two others in the fifth."""
    id_ = new_tournament(tournament_night, rounds=6)
    for _ in range(3):
        pair_next_round(tournament_night, id_)
        enter_results(tournament_night, id_)
    with pytest.raises(NoPairingError, match="without a rematch"):
        pair_next_round(tournament_night, id_)
    for _ in range(3):
        pair_next_round(tournament_night, id_, again=True)
        enter_results(tournament_night, id_)
    met = [
        frozenset(each.split(" – ")) for number in range(1, 7) for each in round_pairs(tournament_night, id_, number)
    ]
    assert all(met.count(each) == 2 for each in met), "each pair met twice before one meets a third time"
    assert any(
        "no other pairing was possible: " in each for _, each in tournament_night.tournaments.changes_newest_first(id_)
    )


def test_a_second_bye_is_noted(tournament_night):
    id_ = new_tournament(tournament_night, "Ann Ben Cleo")
    tournament_night.tournaments.change_event(id_, changes.grant_half_bye, 1)
    pair_next_round(tournament_night, id_)
    enter_results(tournament_night, id_)
    tournament_night.tournaments.change_event(id_, changes.pair_by_hand, [(2, 3), (1, 0)], ())
    assert (
        tournament_night.tournaments.changes_newest_first(id_)[0][1]
        == "round 2 is paired by hand: Ben – Cleo meet again"
    )
    enter_results(tournament_night, id_)
    tournament_night.tournaments.change_event(id_, changes.pair_by_hand, [(2, 3), (1, 0)], ())
    note = "round 3 is paired by hand: Ben – Cleo meet again, Ann has a second bye"
    assert tournament_night.tournaments.changes_newest_first(id_)[0][1] == note


def test_rematches_are_as_few_as_possible(tournament_night):
    id_ = new_tournament(tournament_night, " ".join(f"P{n}" for n in range(9)), rounds=4)
    for _ in range(4):
        event = tournament_night.tournaments.read_event(id_)
        assert make_next_round(event.tournament, allows_rematches=True) == make_next_round(event.tournament)
        pair_next_round(tournament_night, id_)
        enter_results(tournament_night, id_)


def test_surely_pairable_rounds(tournament_night):
    """Six players and four rounds may end without a pairing; three rounds never do."""
    assert [surely_pairable_rounds(count) for count in (2, 5, 6, 12)] == [1, 3, 3, 6]


def test_a_round_can_be_paired_by_hand_until_it_has_a_result(tournament_night):
    id_ = new_tournament(tournament_night, "Ann Ben Cleo Dan Eve")
    tournament_night.tournaments.change_event(
        id_, changes.pair_by_hand, [(2, 1), (4, 3), (5, 0)], tournament_night.table_names
    )
    tournament_night.desk.take_results_and_offer_pairings()
    assert round_pairs(tournament_night, id_, 1) == ["Ben – Ann", "Dan – Cleo", "Eve – bye"]
    assert tournament_night.offered["table-2"].players == ("Dan", "Cleo")
    offered = tournament_night.offered["table-1"].id
    tournament_night.tournaments.change_event(
        id_, changes.pair_by_hand, [(1, 3), (2, 4), (5, 0)], tournament_night.table_names
    )
    tournament_night.desk.take_results_and_offer_pairings()
    tournament_night.take_round("table-1", "Ann", "Ben", pairing=offered)
    assert len(tournament_night.open_rows(id_)) == 2, "a round for a pairing that was taken back counts for no other"
    enter_results(tournament_night, id_)
    with pytest.raises(TournamentError, match="Eve is not in a pair"):
        tournament_night.tournaments.change_event(id_, changes.pair_by_hand, [(1, 2), (3, 4)], ())
    tournament_night.tournaments.change_event(id_, changes.pair_by_hand, [(1, 3), (2, 5), (4, 0)], ())
    assert (
        tournament_night.tournaments.changes_newest_first(id_)[0][1]
        == "round 2 is paired by hand: Ann – Cleo meet again"
    )


def test_a_pairing_for_a_changed_tournament_is_refused(tournament_night):
    """The pairing is computed while somebody marks a player as absent."""
    id_ = new_tournament(tournament_night)
    event = tournament_night.tournaments.read_event(id_)
    paired_round = make_next_round(event.tournament)
    tournament_night.tournaments.change_event(id_, changes.set_present, 4, False)
    with pytest.raises(TournamentError, match="has just changed the tournament"):
        tournament_night.tournaments.change_event(
            id_, changes.add_round, event.tournament, paired_round, tournament_night.table_names
        )
    assert tournament_night.tournaments.read_event(id_).rows == ()


def test_a_half_point_bye_is_for_one_round(tournament_night):
    id_ = new_tournament(tournament_night, "Ann Ben Cleo Dan Eve")
    tournament_night.tournaments.change_event(id_, changes.grant_half_bye, 5)
    pair_next_round(tournament_night, id_)
    assert round_pairs(tournament_night, id_, 1)[-1] == "Eve – bye"
    assert len(tournament_night.open_rows(id_)) == 2
    tournament_night.tournaments.change_event(id_, changes.unpair_round)
    assert tournament_night.tournaments.read_event(id_).tournament.players[4].takes_half_bye, (
        "a pairing that is taken back keeps the wish"
    )
    pair_next_round(tournament_night, id_)
    enter_results(tournament_night, id_)
    event = tournament_night.tournaments.read_event(id_)
    assert sum(game.points_of(5) for game in event.tournament.games_of(5).values()) == 1
    pair_next_round(tournament_night, id_)
    assert any(row.game.second and 5 in row.game[2:4] for row in tournament_night.open_rows(id_))


def test_an_archived_tournament_offers_nothing_and_can_be_deleted(tournament_night):
    other, id_ = new_tournament(tournament_night), new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    with pytest.raises(TournamentError, match="only an archived tournament"):
        tournament_night.tournaments.delete_tournament(id_)
    tournament_night.tournaments.change_event(id_, changes.set_archived, True)
    tournament_night.desk.take_results_and_offer_pairings()
    assert tournament_night.offered == {}
    pair_next_round(tournament_night, other)
    assert sorted(tournament_night.offered) == ["table-1", "table-2"], "its tables are free"
    tournament_night.tournaments.delete_tournament(id_)
    assert [event.id for event in tournament_night.tournaments.all_events()] == [other]
    assert tournament_night.tournaments.changes_newest_first(id_) == []
    assert len(tournament_night.open_rows(other)) == 2


def test_changed_settings_are_noted(tournament_night):
    id_ = new_tournament(tournament_night)
    tournament_night.tournaments.change_event(
        id_, changes.change_settings, name="Cup", rounds=4, ties=("wins", "direct"), minutes=40
    )
    event = tournament_night.tournaments.read_event(id_)
    assert (event.name, event.tournament.rounds, event.tournament.tie_breaks, event.round_minutes) == (
        "Cup", 4, ("wins", "direct"), 40,
    )  # fmt: skip
    assert (
        tournament_night.tournaments.changes_newest_first(id_)[0][1]
        == "the tie-breaks are now: games won, games against each other; they were: the usual ones"
    )
    pair_next_round(tournament_night, id_)
    tournament_night.tournaments.change_event(id_, changes.set_clock_running, True)
    assert tournament_night.tournaments.read_event(id_).clock_started_at > 0
    enter_results(tournament_night, id_)
    pair_next_round(tournament_night, id_)
    assert tournament_night.tournaments.read_event(id_).clock_started_at == 0, "the next round has its own"


def test_a_report_file_has_its_columns(tournament_night):
    """TRF16: the columns are those of FIDE's description; from 92 on each round has ten."""
    id_ = new_tournament(tournament_night, "Ann Ben Cleo Dan Eve")
    tournament_night.tournaments.change_event(id_, changes.grant_half_bye, 5)
    tournament_night.tournaments.change_event(id_, changes.bar_pair, (5, 1), True)
    pair_next_round(tournament_night, id_)
    first, second = tournament_night.open_rows(id_)
    tournament_night.tournaments.change_event(id_, changes.enter_outcome, first.id, PairingOutcome.DRAW)
    tournament_night.tournaments.change_event(id_, changes.enter_outcome, second.id, PairingOutcome.SECOND_UNPLAYED)
    tournament_night.tournaments.change_event(id_, changes.set_present, 4, False)
    pair_next_round(tournament_night, id_)
    lines = tournament_trf(tournament_night.tournaments.read_event(id_)).splitlines()
    assert lines[0] == "012 Club evening"
    assert "XXR 3" in lines
    assert "XXP 1 5" in lines
    lines_by_name = {line[14:47].strip(): line for line in lines if line.startswith("001")}
    assert [int(lines_by_name[name][4:8]) for name in lines_by_name] == [1, 2, 3, 4, 5]
    assert {name: float(line[80:84]) for name, line in lines_by_name.items()} == {
        "Ann": 0.5, "Ben": 1.0, "Cleo": 0.5, "Dan": 0.0, "Eve": 0.5,
    }  # fmt: skip
    rounds_ = {name: (line[91:95], line[96], line[98]) for name, line in lines_by_name.items()}
    assert rounds_ == {
        "Ann": ("   3", "w", "="), "Ben": ("   4", "b", "+"), "Cleo": ("   1", "b", "="), "Dan": ("   2", "w", "-"),
        "Eve": ("0000", "-", "H"),
    }  # fmt: skip
    assert lines_by_name["Dan"][101:109] == "0000 - Z"


def test_the_report_files_points_include_the_running_round(tournament_night):
    """Programs that read the file add the rounds up, so a bye of a running round is in both."""
    id_ = new_tournament(tournament_night, "Ann Ben Cleo")
    pair_next_round(tournament_night, id_)
    lines = [
        line
        for line in tournament_trf(tournament_night.tournaments.read_event(id_)).splitlines()
        if line.startswith("001")
    ]
    assert sorted((line[80:84], line[98]) for line in lines) == [(" 0.0", " "), (" 0.0", " "), (" 1.0", "U")]


def test_another_program_reads_the_report_file(tournament_night):
    id_ = new_tournament(tournament_night, "Ann Ben Cleo Dan Eve")
    tournament_night.tournaments.change_event(id_, changes.grant_half_bye, 5)
    pair_next_round(tournament_night, id_)
    enter_results(tournament_night, id_)
    tournament_night.tournaments.change_event(id_, changes.set_present, 4, False)
    pair_next_round(tournament_night, id_)
    event = tournament_night.tournaments.read_event(id_)
    parsed = parse_trf(tournament_trf(event))
    assert parsed["tournament"]["name"] == event.name
    assert [each["name"] for each in parsed["players"]] == ["Ann", "Ben", "Cleo", "Dan", "Eve"]
    byes = [
        {n: each["result"] for n, each in player["results"].items() if not each["opponent"]}
        for player in parsed["players"]
    ]
    assert byes[3:] == [{2: "Z"}, {1: "H"}]
    for game in event.tournament.games:
        if game.second:
            first, second = (parsed["players"][number - 1]["results"][game.round] for number in game[2:4])
            assert (first["opponent"], second["opponent"]) == (game.second, game.first)
            assert (first["color"], second["color"]) == ("w", "b")


def test_a_store_of_an_older_version_is_read(tournament_night, tmp_path):
    """Newer columns are added; rows without them make a plain tournament."""
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    with sqlite3.connect(tmp_path / DATABASE_FILE) as db:
        for table, columns in ADDED_COLUMNS.items():
            for column in columns:
                db.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    db.close()
    again = TournamentStore(tmp_path)
    event = again.read_event(id_)
    assert [player.name for player in event.tournament.players] == ["Ann", "Ben", "Cleo", "Dan"]
    assert len({row.token for row in event.rows}) == 2
    again.change_event(id_, changes.enter_outcome, event.rows[0].id, PairingOutcome.DRAW)
    assert again.read_event(id_).rows[0].game.outcome is PairingOutcome.DRAW
    again.close()

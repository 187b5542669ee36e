"""A tournament in the club's store: pairings, results from tables, corrections, and lists of players."""

from __future__ import annotations

import codecs
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tournament_night import DATE, new_tournament, pair_next_round

from companion.club import tournament_changes as changes
from companion.club.tournament import PairingOutcome, TournamentError
from companion.club.tournament_director import offers_by_table, result_candidates, set_chosen_round
from companion.club.tournament_exports import format_points
from companion.club.web import player_lists
from companion.club.web.player_lists import (
    FIRST_CELL_ONLY,
    SWAP_AT_COMMA,
    ListNotConfirmedError,
    parse_lines,
    parse_players,
)
from companion.rounds.player_names import is_valid_name


def test_a_round_of_the_pairing_is_its_result(tournament_night):
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    first, second = tournament_night.open_rows(id_)
    assert (first.table, second.table) == ("table-1", "table-2")
    assert tournament_night.offered["table-1"].players == ("Ann", "Cleo")
    assert tournament_night.offered["table-2"].players == ("Dan", "Ben")
    tournament_night.take_round("table-1", "Ann", "Cleo", pairing="")  # Set up by hand, so for fun.
    tournament_night.take_round("table-1", "Ann", "Cleo", pairing="0123456789n1")  # For a pairing of another evening.
    tournament_night.take_round("table-1", "Ann", "Cleo", value=tournament_night.shortest.other)  # Other options.
    tournament_night.take_round("table-1", "Eve", "Fay")  # Two other players use the table.
    assert len(tournament_night.open_rows(id_)) == 2
    tournament_night.take_round("table-1", "Ann", "Cleo")
    assert tournament_night.tournaments.read_event(id_).rows[0].game.outcome is PairingOutcome.FIRST
    assert list(tournament_night.offered) == ["table-2"]
    tournament_night.take_round("table-1", "Ann", "Cleo")  # A round for fun, which they continue.
    assert (
        len([sentence for _, sentence in tournament_night.tournaments.changes_newest_first(id_) if "1-0" in sentence])
        == 1
    )


def test_a_late_round_counts_only_for_its_own_pairing(tournament_night):
    """Two play for fun, and once more for an earlier pairing of their box: only that round counts, and only there."""
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    offered = tournament_night.offered["table-1"].id
    # Moved by the organiser.
    tournament_night.tournaments.change_event(
        id_, changes.move_pairing, tournament_night.open_rows(id_)[0].id, "table-2"
    )
    tournament_night.desk.take_results_and_offer_pairings()
    tournament_night.take_round("table-1", "Cleo", "Ann", pairing="")
    assert len(tournament_night.open_rows(id_)) == 2
    tournament_night.take_round("table-1", "Ann", "Cleo", pairing=offered)
    assert tournament_night.tournaments.read_event(id_).rows[0].game.outcome is PairingOutcome.FIRST


def test_swapped_seats_are_noted_and_count(tournament_night):
    """Cleo sat down first and won; the list of changes says who has started."""
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    tournament_night.take_round("table-1", "Cleo", "Ann")
    event = tournament_night.tournaments.read_event(id_)
    game = event.rows[0].game
    assert (event.names_of_pairing(game), game.outcome) == ("Cleo – Ann", PairingOutcome.FIRST)
    assert (
        tournament_night.tournaments.changes_newest_first(id_)[0][1]
        == "round 1, Cleo – Ann: 1-0 (from table-1, Cleo started)"
    )
    before = tournament_night.tournaments.changes_newest_first(id_)
    tournament_night.desk.take_results_and_offer_pairings()
    assert tournament_night.tournaments.changes_newest_first(id_) == before


@pytest.mark.parametrize(("first", "second"), [("ann", "CLEO"), ("Ann", "Klea"), ("Anna", "cleo")])
def test_names_match_in_any_case(tournament_night, first, second):
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    tournament_night.take_round("table-1", first, second)
    assert tournament_night.tournaments.read_event(id_).rows[0].game.outcome is PairingOutcome.FIRST


def test_a_renamed_player_keeps_results(tournament_night):
    """Both are renamed during their round; then the result is taken back and comes again."""
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    before = dict(tournament_night.offered)
    tournament_night.tournaments.change_event(id_, changes.rename_player, 1, "Anna")
    tournament_night.tournaments.change_event(id_, changes.rename_player, 3, "Clea")
    tournament_night.desk.take_results_and_offer_pairings()
    assert tournament_night.offered["table-1"].players == ("Anna", "Clea")
    assert tournament_night.offered["table-1"].id != before["table-1"].id, (
        "or the box would go on asking with the names before"
    )
    assert tournament_night.offered["table-2"] == before["table-2"]
    key = tournament_night.take_round("table-1", "Cleo", "Ann")
    assert tournament_night.tournaments.read_event(id_).rows[0].game.outcome is PairingOutcome.FIRST
    # Renamed at the table too, and the seats put right.
    tournament_night.take_round("table-1", "Anna", "Clea", round_=key)
    event = tournament_night.tournaments.read_event(id_)
    assert (event.names_of_pairing(event.rows[0].game), event.rows[0].game.outcome) == (
        "Anna – Clea",
        PairingOutcome.FIRST,
    )


def test_a_round_without_a_pairing_is_offered_to_the_organiser(tournament_night):
    """Set up by hand, or by the pairing with other options: the organiser says whether it is the result."""
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    tournament_night.take_round("table-2", "cleo", "Ann", pairing="")
    tournament_night.take_round("table-1", "Ann", "Cleo", value=tournament_night.shortest.other)
    tournament_night.take_round("table-1", "Ann", "Dan", pairing="")
    event = tournament_night.tournaments.read_event(id_)
    candidates_by_row = result_candidates(tournament_night.tournaments, event)
    row = event.rows[0]
    assert [(each.round.players, each.reason.partition(". It was ")[2][:14]) for each in candidates_by_row[row.id]] == [
        (("cleo", "Ann"), "set up by hand"),
        (("Ann", "Cleo"), "set up for thi"),
    ]
    assert list(candidates_by_row) == [row.id]
    with pytest.raises(TournamentError, match="these two have not played such a round"):
        tournament_night.tournaments.change_event(
            id_, set_chosen_round, event.rows[1].id, candidates_by_row[row.id][0].round
        )
    tournament_night.tournaments.change_event(id_, set_chosen_round, row.id, candidates_by_row[row.id][0].round)
    tournament_night.desk.take_results_and_offer_pairings()
    event = tournament_night.tournaments.read_event(id_)
    assert (event.names_of_pairing(event.rows[0].game), event.rows[0].game.outcome) == (
        "Cleo – Ann",
        PairingOutcome.FIRST,
    )
    assert result_candidates(tournament_night.tournaments, event) == {}


def test_a_takeback_opens_the_pairing_again(tournament_night):
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    key = tournament_night.take_round("table-1", "Ann", "Cleo")
    tournament_night.take_round("table-1", "", "", round_=key, text="")
    assert tournament_night.open_rows(id_)[0].game.outcome is None
    assert tournament_night.offered["table-1"].players == ("Ann", "Cleo")
    tournament_night.take_round("table-1", "Ann", "Cleo", round_=key)
    assert tournament_night.tournaments.read_event(id_).rows[0].game.outcome is PairingOutcome.FIRST
    assert "taken back at the table" in tournament_night.tournaments.changes_newest_first(id_)[1][1]


def test_a_takeback_before_the_pairing_does_not_hide_its_result(tournament_night):
    """The newest round is taken back just after a pairing; the next one gets a higher number all the same."""
    id_ = new_tournament(tournament_night)
    key = tournament_night.take_round("table-1", "Eve", "Fay")
    pair_next_round(tournament_night, id_)
    tournament_night.take_round("table-1", "", "", round_=key, text="")
    tournament_night.take_round("table-1", "Ann", "Cleo")
    assert tournament_night.tournaments.read_event(id_).rows[0].game.outcome is PairingOutcome.FIRST


def test_a_reopened_result_can_be_corrected_at_the_table(tournament_night):
    """The organiser reopens the newest result; at the table it is taken back and played to its end again."""
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    key = tournament_night.take_round("table-1", "Ann", "Cleo")
    tournament_night.tournaments.change_event(
        id_, changes.enter_outcome, tournament_night.tournaments.read_event(id_).rows[0].id, None
    )
    tournament_night.take_round("table-1", "", "", round_=key, text="")
    assert len(tournament_night.open_rows(id_)) == 2
    tournament_night.take_round("table-1", "Ann", "Cleo", round_=key)
    assert tournament_night.tournaments.read_event(id_).rows[0].game.outcome is PairingOutcome.FIRST


def test_the_first_of_two_rounds_is_the_result(tournament_night):
    """Both boxes were offered the pairing; the later round is for fun."""
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    offered = tournament_night.offered["table-1"].id
    tournament_night.take_round("table-1", "Ann", "Cleo")
    before = tournament_night.tournaments.read_event(id_).rows, tournament_night.tournaments.changes_newest_first(id_)
    tournament_night.take_round("table-1", "Ann", "Cleo", store="b" * 32, pairing=offered)
    assert (
        tournament_night.tournaments.read_event(id_).rows,
        tournament_night.tournaments.changes_newest_first(id_),
    ) == before
    assert "different rounds" in tournament_night.intake.newest_organiser_notes()[0][2]


def test_an_old_round_that_is_sent_again_is_no_result(tournament_night):
    """A restored table sends an old round of the same two players again, then plays the new one."""
    key = tournament_night.take_round("table-1", "Ann", "Cleo")
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    tournament_night.take_round("table-1", "Ann", "Cleo", round_=key)
    assert len(tournament_night.open_rows(id_)) == 2
    tournament_night.take_round("table-1", "Ann", "Cleo")
    assert tournament_night.tournaments.read_event(id_).rows[0].game.outcome is PairingOutcome.FIRST


def test_tournaments_are_read_only_after_a_change(tournament_night, monkeypatch):
    """Any key press at any table causes a check; only a result, a table or a page causes a read."""
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    tournament_night.desk.take_results_and_offer_pairings()
    reads, all_ = [], tournament_night.tournaments.all_events
    monkeypatch.setattr(tournament_night.tournaments, "all_events", lambda: reads.append(1) or all_())

    def read() -> int:
        reads.clear()
        tournament_night.offered = {}
        tournament_night.desk.take_results_and_offer_pairings()
        assert "table-2" in tournament_night.offered, (
            "what is offered is published each time: the broker may have lost it"
        )
        return len(reads)

    assert read() == 0
    tournament_night.take_round("table-2", "Eve", "Fay")  # Any round that comes in, here one for fun.
    assert read() == 0
    with tournament_night.intake.transaction():
        tournament_night.intake.add_note("table-1", "anything", DATE)
    assert read() == 1
    tournament_night.table_names = ["table-1", "table-2", "table-3"]
    assert read() == 1
    tournament_night.tournaments.change_event(id_, changes.set_present, 1, False)
    assert read() == 1
    assert read() == 0


def test_an_entered_result_stays_and_corrections_are_noted(tournament_night):
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    row = tournament_night.open_rows(id_)[0]
    tournament_night.take_round("table-1", "Ann", "Cleo")
    tournament_night.tournaments.change_event(id_, changes.enter_outcome, row.id, PairingOutcome.DRAW)
    tournament_night.desk.take_results_and_offer_pairings()
    assert tournament_night.tournaments.read_event(id_).rows[0].game.outcome is PairingOutcome.DRAW
    assert (
        tournament_night.tournaments.changes_newest_first(id_)[0][1]
        == "round 1, Ann – Cleo: ½-½ (entered by hand; it was 1-0)"
    )
    tournament_night.tournaments.change_event(id_, changes.enter_outcome, row.id, None)
    tournament_night.desk.take_results_and_offer_pairings()
    assert tournament_night.open_rows(id_)[0].id == row.id, "the old round is not taken once more"


def test_a_contradicting_round_is_shown_to_the_organiser(tournament_night, organiser):
    """A box's later result overwrites nothing; the organiser sees it and may take it."""
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    offered = {table: offer.id for table, offer in tournament_night.offered.items()}
    for row, outcome in zip(
        tournament_night.open_rows(id_), (PairingOutcome.SECOND, PairingOutcome.SECOND), strict=True
    ):
        tournament_night.tournaments.change_event(id_, changes.enter_outcome, row.id, outcome)
    tournament_night.desk.take_results_and_offer_pairings()
    assert tournament_night.offered == {}, "which the boxes are told"
    tournament_night.take_round("table-1", "Ann", "Cleo", pairing=offered["table-1"])
    tournament_night.take_round("table-1", "Ann", "Cleo", pairing="")  # For fun.
    # The same result, but with the seats swapped.
    tournament_night.take_round("table-2", "Ben", "Dan", pairing=offered["table-2"])
    event = tournament_night.tournaments.read_event(id_)
    assert [row.game.outcome for row in event.rows] == [PairingOutcome.SECOND] * 2
    ((row, (candidate,)),) = result_candidates(tournament_night.tournaments, event).items()
    assert candidate.reason.startswith("table-1 has sent Ann – Cleo, ")
    page = f"/tournaments/{id_}"
    said = "after a result was entered by hand. The entered result counts."
    assert organiser.get(page).text.count(said) == 1
    pair_next_round(tournament_night, id_)
    assert organiser.get(page).text.count(said) == 1, "it may come a round later"
    organiser.post(page, data={"what": "take", "row": row, "round": candidate.round.arrival})
    event = tournament_night.tournaments.read_event(id_)
    assert (event.pairing(row).game.outcome, result_candidates(tournament_night.tournaments, event)) == (
        PairingOutcome.FIRST,
        {},
    )


def test_a_result_corrected_by_hand_is_no_contradiction(tournament_night):
    """Rounds from before the correction were seen; one that comes again afterwards is shown."""
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    offered = tournament_night.offered["table-1"].id
    key = tournament_night.take_round("table-1", "Ann", "Cleo")
    row = tournament_night.tournaments.read_event(id_).rows[0]
    tournament_night.tournaments.change_event(id_, changes.enter_outcome, row.id, PairingOutcome.DRAW)
    assert result_candidates(tournament_night.tournaments, tournament_night.tournaments.read_event(id_)) == {}
    tournament_night.take_round("table-1", "", "", round_=key, text="")
    tournament_night.take_round("table-1", "Ann", "Cleo", round_=key, pairing=offered)
    assert [*result_candidates(tournament_night.tournaments, tournament_night.tournaments.read_event(id_))] == [row.id]


def test_waiting_pairings_get_the_next_free_table(tournament_night):
    tournament_night.table_names = ["table-1"]
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    assert [row.table for row in tournament_night.open_rows(id_)] == ["table-1", ""]
    tournament_night.take_round("table-1", "Ann", "Cleo")
    assert [row.table for row in tournament_night.open_rows(id_)] == ["table-1"]
    assert tournament_night.offered["table-1"].players == ("Dan", "Ben")


def test_late_missing_and_withdrawn_players(tournament_night):
    id_ = new_tournament(tournament_night, "Ann Ben Cleo Dan Eve")
    tournament_night.tournaments.change_event(id_, changes.set_present, 5, False)
    pair_next_round(tournament_night, id_)
    assert {row.game.second for row in tournament_night.tournaments.read_event(id_).rows}.isdisjoint({0, 5})
    for row in tournament_night.open_rows(id_):
        tournament_night.tournaments.change_event(id_, changes.enter_outcome, row.id, PairingOutcome.FIRST)
    tournament_night.tournaments.change_event(id_, changes.add_players, ["Fay", "Ann"])
    tournament_night.tournaments.change_event(id_, changes.set_present, 5, True)
    tournament_night.tournaments.change_event(id_, changes.set_present, 1, False)
    pair_next_round(tournament_night, id_)
    rows = [row.game for row in tournament_night.tournaments.read_event(id_).rows if row.game.round == 2]
    assert sorted(one for game in rows for one in (game.first, game.second)) == [0, 2, 3, 4, 5, 6]
    assert "Fay joins after round 1" in [
        sentence for _, sentence in tournament_night.tournaments.changes_newest_first(id_)
    ]


def test_the_unfinished_round_is_named(tournament_night):
    """If a result of an earlier round was taken back, that round is named, and not the newest."""
    id_ = new_tournament(tournament_night)
    first_round = []
    for _ in range(2):
        pair_next_round(tournament_night, id_)
        first_round = first_round or tournament_night.open_rows(id_)
        for row in tournament_night.open_rows(id_):
            tournament_night.tournaments.change_event(id_, changes.enter_outcome, row.id, PairingOutcome.FIRST)
    tournament_night.tournaments.change_event(id_, changes.enter_outcome, first_round[0].id, None)
    with pytest.raises(TournamentError, match="round 1 is not over"):
        changes.check_next_round(tournament_night.tournaments.read_event(id_).tournament)


@pytest.mark.parametrize(
    ("what", "why"),
    [
        (lambda tournament_night, id_: pair_next_round(tournament_night, id_), "round 1 is not over"),
        (lambda tournament_night, id_: tournament_night.tournaments.read_event(id_).pairing(99), "no such pairing"),
        (
            lambda tournament_night, id_: tournament_night.tournaments.change_event(id_, changes.set_present, 99, True),
            "no such player",
        ),
        (
            lambda tournament_night, id_: tournament_night.tournaments.change_event(
                id_, changes.move_pairing, 99, "table-1"
            ),
            "no such pairing",
        ),
        (lambda tournament_night, id_: tournament_night.tournaments.read_event(99), "no such tournament"),
        (lambda tournament_night, id_: changes.check_settings("", 3), "1 to 40 letters"),
        (lambda tournament_night, id_: changes.check_settings("x", 31), "1 to 30 rounds"),
        (
            lambda tournament_night, id_: tournament_night.tournaments.change_event(
                id_, changes.add_players, [f"P{n}" for n in range(200)]
            ),
            "128 players",
        ),
    ],
)
def test_a_refused_change_changes_nothing(tournament_night, what, why):
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    before = (
        tournament_night.tournaments.read_event(id_),
        tournament_night.tournaments.changes_newest_first(id_),
        len(tournament_night.tournaments.all_events()),
    )
    with pytest.raises(TournamentError, match=why):
        what(tournament_night, id_)
    assert (
        tournament_night.tournaments.read_event(id_),
        tournament_night.tournaments.changes_newest_first(id_),
        len(tournament_night.tournaments.all_events()),
    ) == before


def test_a_pairing_can_be_taken_back_until_it_has_a_result(tournament_night):
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    tournament_night.tournaments.change_event(id_, changes.unpair_round)
    assert tournament_night.tournaments.read_event(id_).rows == ()
    with pytest.raises(TournamentError, match="no round is paired"):
        tournament_night.tournaments.change_event(id_, changes.unpair_round)
    pair_next_round(tournament_night, id_)
    tournament_night.take_round("table-1", "Ann", "Cleo")
    with pytest.raises(TournamentError, match="already has a result"):
        tournament_night.tournaments.change_event(id_, changes.unpair_round)


def test_a_round_robin_has_as_many_rounds_as_it_takes(tournament_night):
    id_ = new_tournament(tournament_night, "Ann Ben Cleo", swiss=False, rounds=1)
    for _ in range(3):
        pair_next_round(tournament_night, id_)
        for row in tournament_night.open_rows(id_):
            tournament_night.tournaments.change_event(id_, changes.enter_outcome, row.id, PairingOutcome.FIRST)
    with pytest.raises(TournamentError, match="all rounds have been played"):
        pair_next_round(tournament_night, id_)
    with pytest.raises(TournamentError, match="nobody can join"):
        tournament_night.tournaments.change_event(id_, changes.add_players, ["Dan"])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ann\nBen\r\n\n  Cleo  \n", ["Ann", "Ben", "Cleo"]),
        ('Name;Club\nAnn;A\n"Ben";B\n', ["Ann", "Ben"]),
        ("Ann,2000\nBen,1900", ["Ann", "Ben"]),
        ("Ann\t1\nBen\t2", ["Ann", "Ben"]),
        ("Zoe\N{COMBINING DIAERESIS}\nBen", ["Zoë", "Ben"]),
        ("", []),
    ],
)
def test_players_are_read_from_a_list_or_csv(text, names):
    assert parse_unambiguous(text) == names


def parse_unambiguous(pasted, commas=""):
    """The players of a list that leaves nothing to ask."""
    lines, question = parse_lines(pasted, commas)
    assert not question
    return [line.name for line in lines if line.name]


@pytest.mark.parametrize(
    ("pasted", "names", "refused"),
    [
        ('"Ann\nBen\nCem\nDora', ["Ann", "Ben", "Cem", "Dora"], 0),
        ('"Ann;1800\nBen;1700', ["Ann", "Ben"], 0),
        (";Ann;1800\nGM;Ben;2500\n;Cem;1700\nIM;Dora;2400", ["Ann", "Ben", "Cem", "Dora"], 0),
        ("1;Müller\n2;Weiß", ["Müller", "Weiß"], 0),
        ("1. Ann\n2) Ben", ["Ann", "Ben"], 0),
        ("Spieler;DWZ\nMüller;1820\nGroß;1740", ["Müller", "Groß"], 1),
        ("Joueur\nZoé", ["Zoé"], 1),
        ("Jugador,Club\nAna,X", ["Ana"], 1),
        ("Nachname;Vorname;Verein\nMüller;Jürgen;SK Köln", ["Jürgen Müller"], 1),
        ("Nom;Prénom\nHugo;Léa", ["Léa Hugo"], 1),
        ("Nr;Nombre;Apellido\n1;Ana;Gil", ["Ana Gil"], 1),
        ("Name;Club\n;A\nBen;B", ["Ben"], 2),
        ("Ann\u00a0Lee\n\u200bBen\n\u202eCleo", ["Ann Lee", "Ben", "Cleo"], 0),
        ("M\ufffdller\nBen\n;;\n42", ["Ben"], 3),
        ("Ann\nAnn\nann\nbox-2\nBen", ["Ann", "Ben"], 3),
    ],
)
def test_no_line_of_a_list_is_lost_or_merged(pasted, names, refused):
    """Quotes, numbers, titles, blank cells and headings make no other players than those in the list."""
    lines, question = parse_lines(pasted)
    assert ([line.name for line in lines if line.name], question) == (names, "")
    assert sum(not line.name for line in lines) == refused


@given(
    st.text(alphabet='Annße1 .,;\t"\n\r\u00a0\u200b\u2028\ufffd\x07-', max_size=60),
    st.sampled_from(["", SWAP_AT_COMMA, FIRST_CELL_ONLY]),
)
def test_every_line_is_a_player_a_heading_or_refused(pasted, commas):
    lines, _ = parse_lines(pasted, commas)
    assert [line.text for line in lines] == [line for line in re.split("\r\n|\r|\n", pasted) if line.strip()]
    assert all(bool(line.name) + bool(line.reason) + line.is_heading == 1 for line in lines)
    assert not any(line.is_heading for line in lines[1:])
    assert all(is_valid_name(line.name) for line in lines if line.name)


def test_a_list_is_shown_before_it_is_saved():
    """A list is shown again when it was changed."""
    with pytest.raises(ListNotConfirmedError) as raised:
        parse_players("Ann\r\nBen")
    assert parse_players("Ann\r\nBen", confirmed_digest=raised.value.digest) == ["Ann", "Ben"]
    with pytest.raises(ListNotConfirmedError) as raised:
        parse_players("Ann;1800\n7")
    assert [(line.name, line.left_out) for line in raised.value.lines] == [("Ann", ("1800",)), ("", ())]
    assert parse_players("Ann;1800\r\n7", confirmed_digest=raised.value.digest) == ["Ann"]
    with pytest.raises(ListNotConfirmedError):
        parse_players("Anna;1800\n7", confirmed_digest=raised.value.digest)


def test_changes_in_a_name_are_shown():
    """Hidden characters cannot be seen: without a note two names of a spreadsheet would be one player."""
    lines, _ = parse_lines("Name;Club\nAnn\u200b;A\u200b\nJo\u00a0Lee;B\nZoe\u0308 \nBen", existing_names=["Ben"])
    assert [line.notes for line in lines] == [
        ["a heading, not a player"],
        ["left out: A", "a hidden character was removed"],
        ["left out: B", "its spaces were tidied up"],
        ["its accents were joined to their letters"],
        ["not a player: Ben is already in the tournament"],
    ]


GERMAN_LIST = "Name;Verein\r\nMüller;Köln\r\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_a_file_is_read_in_every_usual_encoding(encoding):
    assert player_lists.decode_text(GERMAN_LIST.encode(encoding)) == GERMAN_LIST


def test_a_file_of_the_other_byte_order_is_read():
    assert player_lists.decode_text(codecs.BOM_UTF16_BE + GERMAN_LIST.encode("utf-16-be")) == GERMAN_LIST


@pytest.mark.parametrize(
    "data", [b"PK\x03\x04\x14\x00\x06", b"\x89PNG\r\n\x1a\n\0", b"%PDF-1.7\n\x81\x8d", b"\xff\xfe\0\0A"]
)
def test_a_file_that_is_no_text_is_refused(data):
    with pytest.raises(TournamentError, match="this is not a text file: save the list as CSV, and choose that file"):
        player_lists.decode_text(data)


def test_a_second_cell_that_may_be_a_first_name_is_asked_about():
    """A federation's list has the family name first; a club after the name looks the same."""
    assert parse_lines("Smith, John\nLee, Ann")[1] == "Smith, John"
    assert parse_lines("Müller;Jürgen")[1] == "Müller, Jürgen"
    assert parse_lines('"Müller, Jürgen";1820')[1] == "Müller, Jürgen"
    assert parse_unambiguous("Smith, John\nLee, Ann\nCher", SWAP_AT_COMMA) == ["John Smith", "Ann Lee", "Cher"]
    assert parse_unambiguous("Smith, Chess Club\nLee, Town", FIRST_CELL_ONLY) == ["Smith", "Lee"]
    assert parse_unambiguous("Smith, 1990\nLee, 2001") == ["Smith", "Lee"]
    assert parse_unambiguous("Smith, John, 1990\nLee, Ann, 2001", SWAP_AT_COMMA) == ["John Smith", "Ann Lee"]


def test_points_are_written_as_players_do():
    assert [format_points(each, 2) for each in (0, 1, 2, 7)] == ["0", "½", "1", "3½"]
    assert [format_points(each, 4) for each in (1, 3, 4, 13)] == ["¼", "¾", "1", "3¼"]


def test_offers_of_two_tournaments_go_to_different_tables(tournament_night):
    """The older tournament comes first at a table that both could use."""
    tournament_night.table_names = ["table-1"]
    ids = [new_tournament(tournament_night), new_tournament(tournament_night)]
    for id_ in ids:
        pair_next_round(tournament_night, id_, ["table-1"])
    offers_found = offers_by_table(tournament_night.tournaments.all_events())
    assert list(offers_found) == ["table-1"]
    assert offers_found["table-1"].id == f"{tournament_night.open_rows(ids[0])[0].token}n1"

"""A tournament in the hall's store: pairings, what comes back by itself, corrections, and lists of players."""

from __future__ import annotations

import pytest
from evening_hall import AT, opened, pair

from companion.hall.tournament.desk import offers
from companion.hall.tournament.exports import BadNames, number, read_players
from companion.hall.tournament.model import Outcome
from companion.hall.tournament.store import Wrong


def test_a_round_of_the_paired_players_at_their_table_is_the_result(hall):
    id_ = opened(hall)
    pair(hall, id_)
    first, second = hall.open_rows(id_)
    assert (first.place, second.place) == ("table-1", "table-2")
    assert hall.offered["table-1"].players == ("Ann", "Cleo")
    assert hall.offered["table-2"].players == ("Dan", "Ben")
    hall.comes("table-2", "Ann", "Cleo")  # Another table.
    hall.comes("table-1", "Cleo", "Ann")  # Other seats.
    hall.comes("table-1", "Ann", "Dan")  # Other players.
    hall.comes("table-1", "Ann", "Cleo", value=hall.shortest.other)  # Other options.
    assert len(hall.open_rows(id_)) == 2
    hall.comes("table-1", "Ann", "Cleo")
    assert hall.tournaments.event(id_).rows[0].game.outcome is Outcome.FIRST
    assert list(hall.offered) == ["table-2"]
    hall.comes("table-1", "Ann", "Cleo")  # A game for fun, which they play on.
    assert len([sentence for _, sentence in hall.tournaments.trail(id_) if "1-0" in sentence]) == 1


def test_a_round_that_is_taken_back_opens_its_pairing_again(hall):
    id_ = opened(hall)
    pair(hall, id_)
    key = hall.comes("table-1", "Ann", "Cleo")
    hall.comes("table-1", "", "", round_=key, text="")
    assert hall.open_rows(id_)[0].game.outcome is None
    assert hall.offered["table-1"].players == ("Ann", "Cleo")
    hall.comes("table-1", "Ann", "Cleo", round_=key)
    assert hall.tournaments.event(id_).rows[0].game.outcome is Outcome.FIRST
    assert "taken back at the table" in hall.tournaments.trail(id_)[1][1]


def test_a_result_comes_by_itself_although_a_round_before_the_pairing_is_taken_back(hall):
    """The newest round is taken back just after a pairing: the next one gets no number that was there before it."""
    id_ = opened(hall)
    key = hall.comes("table-1", "Eve", "Fay")
    pair(hall, id_)
    hall.comes("table-1", "", "", round_=key, text="")
    hall.comes("table-1", "Ann", "Cleo")
    assert hall.tournaments.event(id_).rows[0].game.outcome is Outcome.FIRST


def test_a_result_that_is_opened_again_is_corrected_at_the_table(hall):
    """The organiser opens the newest result again; at the table it is taken back and ended once more."""
    id_ = opened(hall)
    pair(hall, id_)
    key = hall.comes("table-1", "Ann", "Cleo")
    hall.tournaments.set_outcome(id_, hall.tournaments.event(id_).rows[0].id, None, AT)
    hall.comes("table-1", "", "", round_=key, text="")
    assert len(hall.open_rows(id_)) == 2
    hall.comes("table-1", "Ann", "Cleo", round_=key)
    assert hall.tournaments.event(id_).rows[0].game.outcome is Outcome.FIRST


def test_two_boxes_with_one_name_decide_a_pairing_once(hall):
    """Both boxes were offered the pairing: the round that comes first is the result, the other one is for fun."""
    id_ = opened(hall)
    pair(hall, id_)
    hall.comes("table-1", "Ann", "Cleo")
    before = hall.tournaments.event(id_), hall.tournaments.trail(id_)
    hall.comes("table-1", "Ann", "Cleo", store="b" * 32)
    assert (hall.tournaments.event(id_), hall.tournaments.trail(id_)) == before
    assert "another store" in hall.intake.notes()[0][2]


def test_a_round_of_before_decides_no_pairing_when_it_comes_again(hall):
    """A table restored from last week's backup sends an old round of the same two once more, then plays the new one."""
    key = hall.comes("table-1", "Ann", "Cleo")
    id_ = opened(hall)
    pair(hall, id_)
    hall.comes("table-1", "Ann", "Cleo", round_=key)
    assert len(hall.open_rows(id_)) == 2
    hall.comes("table-1", "Ann", "Cleo")
    assert hall.tournaments.event(id_).rows[0].game.outcome is Outcome.FIRST


def test_the_tournaments_are_read_once_and_only_where_something_has_changed(hall, monkeypatch):
    """The desk looks at every press of any table: nothing new costs no reading; a result, a table or a page does."""
    id_ = opened(hall)
    pair(hall, id_)
    hall.desk.look()
    reads, all_ = [], hall.tournaments.all
    monkeypatch.setattr(hall.tournaments, "all", lambda: reads.append(1) or all_())

    def read() -> int:
        reads.clear()
        hall.offered = {}
        hall.desk.look()
        assert "table-2" in hall.offered, "what is offered is published each time: the broker may have lost it"
        return len(reads)

    assert read() == 0
    hall.comes("table-2", "Eve", "Fay")  # Any round that comes in, here one for fun.
    assert read() == 0
    with hall.intake.together():
        hall.intake.tell("table-1", "anything", AT)
    assert read() == 1
    hall.places = ["table-1", "table-2", "table-3"]
    assert read() == 1
    hall.tournaments.set_here(id_, 1, False, AT)
    assert read() == 1
    assert read() == 0


def test_a_result_that_was_entered_stays_and_the_trail_tells_of_a_correction(hall):
    id_ = opened(hall)
    pair(hall, id_)
    row = hall.open_rows(id_)[0]
    hall.comes("table-1", "Ann", "Cleo")
    hall.tournaments.set_outcome(id_, row.id, Outcome.DRAW, AT)
    hall.desk.look()
    assert hall.tournaments.event(id_).rows[0].game.outcome is Outcome.DRAW
    assert hall.tournaments.trail(id_)[0][1] == "round 1, Ann – Cleo: ½-½ (entered, it was 1-0)"
    hall.tournaments.set_outcome(id_, row.id, None, AT)
    hall.desk.look()
    assert hall.open_rows(id_)[0].id == row.id, "the old round is not taken once more"


def test_pairings_that_wait_get_the_next_free_table(hall):
    hall.places = ["table-1"]
    id_ = opened(hall)
    pair(hall, id_)
    assert [row.place for row in hall.open_rows(id_)] == ["table-1", ""]
    hall.comes("table-1", "Ann", "Cleo")
    assert [row.place for row in hall.open_rows(id_)] == ["table-1"]
    assert hall.offered["table-1"].players == ("Dan", "Ben")


def test_late_missing_and_withdrawn_players(hall):
    id_ = opened(hall, "Ann Ben Cleo Dan Eve")
    hall.tournaments.set_here(id_, 5, False, AT)
    pair(hall, id_)
    assert {row.game.second for row in hall.tournaments.event(id_).rows}.isdisjoint({0, 5})
    for row in hall.open_rows(id_):
        hall.tournaments.set_outcome(id_, row.id, Outcome.FIRST, AT)
    hall.tournaments.add_players(id_, ["Fay", "Ann"], AT)
    hall.tournaments.set_here(id_, 5, True, AT)
    hall.tournaments.set_here(id_, 1, False, AT)
    pair(hall, id_)
    rows = [row.game for row in hall.tournaments.event(id_).rows if row.game.round == 2]
    assert sorted(one for game in rows for one in (game.first, game.second)) == [0, 2, 3, 4, 5, 6]
    assert "Fay comes in after round 1" in [sentence for _, sentence in hall.tournaments.trail(id_)]


@pytest.mark.parametrize(
    ("what", "why"),
    [
        (lambda hall, id_: pair(hall, id_), "round 1 is not over"),
        (lambda hall, id_: hall.tournaments.set_outcome(id_, 99, Outcome.DRAW, AT), "no such pairing"),
        (lambda hall, id_: hall.tournaments.set_here(id_, 99, True, AT), "no such player"),
        (lambda hall, id_: hall.tournaments.move(id_, 99, "table-1", AT), "no such open pairing"),
        (lambda hall, id_: hall.tournaments.event(99), "no such tournament"),
        (lambda hall, id_: hall.tournaments.create("", "x", {}, swiss=True, rounds=3), "1 to 40 letters"),
        (lambda hall, id_: hall.tournaments.create("x", "x", {}, swiss=True, rounds=31), "1 to 30 rounds"),
        (lambda hall, id_: hall.tournaments.add_players(id_, [f"P{n}" for n in range(200)], AT), "128 players"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(hall, what, why):
    id_ = opened(hall)
    pair(hall, id_)
    before = hall.tournaments.event(id_), hall.tournaments.trail(id_), len(hall.tournaments.all())
    with pytest.raises(Wrong, match=why):
        what(hall, id_)
    assert (hall.tournaments.event(id_), hall.tournaments.trail(id_), len(hall.tournaments.all())) == before


def test_a_pairing_can_be_taken_back_until_it_has_a_result(hall):
    id_ = opened(hall)
    pair(hall, id_)
    hall.tournaments.unpair(id_, AT)
    assert hall.tournaments.event(id_).rows == ()
    with pytest.raises(Wrong, match="no round is paired"):
        hall.tournaments.unpair(id_, AT)
    pair(hall, id_)
    hall.comes("table-1", "Ann", "Cleo")
    with pytest.raises(Wrong, match="has a result already"):
        hall.tournaments.unpair(id_, AT)


def test_a_round_robin_has_as_many_rounds_as_it_takes(hall):
    id_ = opened(hall, "Ann Ben Cleo", swiss=False, rounds=1)
    for _ in range(3):
        pair(hall, id_)
        for row in hall.open_rows(id_):
            hall.tournaments.set_outcome(id_, row.id, Outcome.FIRST, AT)
    with pytest.raises(Wrong, match="all rounds are played"):
        pair(hall, id_)
    with pytest.raises(Wrong, match="nobody can come in"):
        hall.tournaments.add_players(id_, ["Dan"], AT)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ann\nBen\r\n\n  Cleo  \n", ["Ann", "Ben", "Cleo"]),
        ('Name;Club\nAnn;A\n"Ben";B\n', ["Ann", "Ben"]),
        ("Ann,2000\nBen,1900", ["Ann", "Ben"]),
        ("Ann\t1\nBen\t2", ["Ann", "Ben"]),
        ("", []),
    ],
)
def test_players_are_read_from_a_list_or_csv(text, names):
    assert read_players(text) == names


@pytest.mark.parametrize("text", ["Ann\nAnn", "x" * 17, "a\x07b", "Ann\nbox-2"])
def test_a_list_that_does_not_fit_the_box_is_refused(text):
    with pytest.raises(BadNames):
        read_players(text)


def test_points_are_written_as_players_do():
    assert [number(each, 2) for each in (0, 1, 2, 7)] == ["0", "½", "1", "3½"]
    assert [number(each, 4) for each in (1, 3, 4, 13)] == ["¼", "¾", "1", "3¼"]


def test_offers_of_two_tournaments_go_to_different_tables(hall):
    """The older tournament comes first at a table that both want."""
    ids = [opened(hall), opened(hall)]
    for id_ in ids:
        hall.tournaments.pair(id_, ["table-1"], AT)
    found = offers(hall.tournaments.all())
    assert list(found) == ["table-1"]
    assert found["table-1"].id.startswith(f"{hall.open_rows(ids[0])[0].id}n")

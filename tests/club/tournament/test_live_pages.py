"""Tournaments on the pages: what the organiser presses, what everybody sees at once, and what nobody waits for."""

from __future__ import annotations

import os
import re
import threading
import time

import pytest
from tournament_night import (
    DATE,
    WAIT_FOR_VARIABLE,
    enter_results,
    new_tournament,
    pair_next_round,
    pair_when_allowed,
    post_player_list,
)

from companion.club import tournament_changes as changes
from companion.club.tournament import PairingOutcome
from companion.club.web import television, tournament_pages

PATIENCE_SECONDS = 60


def post_form(client, id_: int, what: str, status: int = 200, **more) -> str:
    answer = client.post(f"/tournaments/{id_}", data={"what": what} | more)
    assert answer.status_code == status, answer.text
    return answer.text


def player_names(tournament_night, id_: int) -> list[str]:
    return [player.name for player in tournament_night.tournaments.read_event(id_).tournament.players]


def test_other_pages_are_served_while_a_round_is_paired(
    tournament_night, organiser, tmp_path, monkeypatch
):  # fmt: skip
    id_ = new_tournament(tournament_night)
    other = new_tournament(tournament_night)
    workers = []

    run = tournament_pages.to_process.run_sync

    async def elsewhere(work, *said):
        worker, made = await run(pair_when_allowed, *said)
        workers.append(worker)
        return made

    monkeypatch.setattr(tournament_pages.to_process, "run_sync", elsewhere)
    monkeypatch.setenv(WAIT_FOR_VARIABLE, str(tmp_path / "go"))
    pairing = threading.Thread(target=lambda: post_form(organiser, id_, "pair"))
    pairing.start()
    for path in ("/", "/tournaments", f"/tournaments/{id_}", f"/tournaments/{other}/table"):
        assert organiser.get(path).status_code == 200
    post_form(organiser, other, "rename", player=1, name="Anna")
    assert pairing.is_alive()
    assert not tournament_night.open_rows(id_)
    (tmp_path / "go").touch()
    pairing.join(PATIENCE_SECONDS)
    assert len(tournament_night.open_rows(id_)) == 2
    assert workers
    assert os.getpid() not in workers


def test_the_page_offers_rematches_if_no_pairing_is_left(tournament_night, organiser):
    id_ = new_tournament(tournament_night, "Ann Ben", rounds=2)
    pair_next_round(tournament_night, id_)
    enter_results(tournament_night, id_)
    page = post_form(organiser, id_, "pair", 400)
    assert "No pairing is possible" in page
    assert "Pair round 2 with rematches</button>" in page
    assert '<input type="hidden" name="again" value="yes">' in page
    assert 'href="/tournaments/1/hand"' in page
    post_form(organiser, id_, "pair", again="yes")
    assert len(tournament_night.open_rows(id_)) == 1


def test_too_many_rounds_are_warned_about(tournament_night, organiser, client):
    id_ = new_tournament(tournament_night, "Ann Ben Cleo Dan Eve Fay", rounds=4)
    warning = "With 6 players, 3 rounds without rematches are always possible, but 4 are planned"
    assert warning in organiser.get(f"/tournaments/{id_}").text
    post_form(organiser, id_, "settings", name="x", rounds=3, minutes=0)
    assert "can surely be paired" not in organiser.get(f"/tournaments/{id_}").text


def test_a_list_with_commas_is_asked_about_on_both_forms(tournament_night, organiser):
    id_ = new_tournament(tournament_night, "")
    listed = "Smith, John\nLee, Ann"
    page = post_form(organiser, id_, "players", 400, names=listed)
    assert "The player is John Smith" in page
    assert f"{listed}</textarea>" in page
    post_player_list(organiser, f"/tournaments/{id_}", {"what": "players", "names": listed, "commas": "turned"})
    assert player_names(tournament_night, id_) == ["John Smith", "Ann Lee"]
    value = " ".join(
        (
            tournament_night.shortest.game,
            *(f"{name}={value}" for name, value in tournament_night.shortest.options.items()),
        )
    )
    form = {"name": "Cup", "game": value, "system": "swiss", "rounds": "1", "names": listed}
    assert "The player is John Smith" in organiser.post("/tournaments", data=form).text
    assert len(tournament_night.tournaments.all_events()) == 1
    assert post_player_list(organiser, "/tournaments", form | {"commas": "first"}).status_code == 200
    assert player_names(tournament_night, id_ + 1) == ["Smith", "Lee"]


def test_a_corrected_list_asks_no_question(tournament_night, organiser):
    """A browser would not send the form while a required answer is missing."""
    id_ = new_tournament(tournament_night, "")
    page = post_form(organiser, id_, "players", 400, names="Smith, John")
    question = page.partition("<fieldset")[2].partition("</fieldset>")[0]
    assert "The player is John Smith" in question
    assert "required" not in question
    post_player_list(organiser, f"/tournaments/{id_}", {"what": "players", "names": "John Smith"})
    assert player_names(tournament_night, id_) == ["John Smith"]


def test_every_change_has_a_button(tournament_night, organiser):
    """Each button is on the page and does what it says."""
    id_ = new_tournament(tournament_night, "Ann Ben Cleo Dan Eve")
    page = organiser.get(f"/tournaments/{id_}").text
    for what in ("away", "half-bye", "remove", "rename", "place", "lots", "bar", "settings", "put-away", "players"):
        assert f'value="{what}"' in page, what
    post_form(organiser, id_, "place", player=5, to=1)
    post_form(organiser, id_, "rename", player=1, name="Eva")
    assert player_names(tournament_night, id_) == ["Eva", "Ann", "Ben", "Cleo", "Dan"]
    post_form(organiser, id_, "bar", one=2, other=3)
    assert "Ann – Ben</p>" in organiser.get(f"/tournaments/{id_}").text
    post_form(organiser, id_, "unbar", one=2, other=3)
    post_form(organiser, id_, "half-bye", player=1)
    assert "½ bye in round 1" in organiser.get(f"/tournaments/{id_}").text
    post_form(organiser, id_, "settings", name="Cup", rounds=3, minutes=30, tie=["direct", "wins"])
    post_form(organiser, id_, "pair")
    page = organiser.get(f"/tournaments/{id_}").text
    assert "games against each other" in page
    post_form(organiser, id_, "start-clock")
    assert 'data-left="1800"' in organiser.get(f"/tournaments/{id_}").text.replace("1799", "1800")
    post_form(organiser, id_, "stop-clock")
    assert "data-left" not in organiser.get(f"/tournaments/{id_}").text
    hand = organiser.get(f"/tournaments/{id_}/hand").text
    assert hand.count('<select name="first"') == 2
    data = {"what": "hand", "first": ["2", "4"], "second": ["3", "5"]}
    assert organiser.post(f"/tournaments/{id_}", data=data).status_code == 200
    event = tournament_night.tournaments.read_event(id_)
    assert [event.names_of_pairing(row.game) for row in event.rows] == ["Ann – Ben", "Cleo – Dan", "Eva – bye"]
    refused = organiser.post(f"/tournaments/{id_}", data=data | {"first": ["2", "2"]})
    assert refused.status_code == 400
    assert "Ann is in two pairs" in refused.text
    assert refused.text.count('<option value="2" selected>') == 2, "what was chosen is in the form again"
    post_form(organiser, id_, "put-away")
    assert "Archived: 1" in organiser.get("/tournaments").text
    post_form(organiser, id_, "bring-back")
    post_form(organiser, id_, "put-away")
    post_form(organiser, id_, "delete")
    assert tournament_night.tournaments.all_events() == []


def test_candidates_are_shown_only_to_the_organiser(tournament_night, organiser):
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    tournament_night.take_round("table-2", "cleo", "Ann", pairing="")
    page = organiser.get(f"/tournaments/{id_}").text
    assert "table-2 has sent cleo – Ann, " in page
    row = tournament_night.open_rows(id_)[0]
    number = page.partition('name="round" value="')[2].partition('"')[0]
    cookies = dict(organiser.cookies)
    organiser.cookies.clear()
    assert "has sent" not in organiser.get(f"/tournaments/{id_}").text
    organiser.cookies.update(cookies)
    post_form(organiser, id_, "take", row=row.id, round=number)
    assert tournament_night.tournaments.read_event(id_).rows[0].game.outcome is PairingOutcome.FIRST


def test_only_the_changed_pairing_is_sent_again(tournament_night, client):
    """The standings come at once, while the other game goes on."""
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    view = client.night.tournaments.page_view(id_, for_organiser=False)
    before = view()
    assert before == view()
    tournament_night.take_round("table-1", "Ann", "Cleo")
    after = view()
    changed = {name for name in after if after[name] != before[name]}
    first = f"row-{tournament_night.tournaments.read_event(id_).rows[0].id}"
    assert changed == {first, "progress", "standings"}
    assert "Ann won" in after[first]
    assert "1 of 2 results are in" in after["progress"]
    assert "tie-breaks are those after" not in after["standings"], "no round is over"
    enter_results(tournament_night, id_)
    pair_next_round(tournament_night, id_)
    assert "Round 2 of 3" in view()["progress"]
    assert view()["boards"] != after["boards"]
    assert "The points are up to date; the tie-breaks are those after round 1." in view()["standings"]


def test_the_button_for_the_next_round_comes_with_the_last_result(tournament_night, organiser):
    """The organiser need not reload the page."""
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    view = organiser.night.tournaments.page_view(id_, for_organiser=True)
    assert "Take back the pairing of round 1" in view()["actions"]
    enter_results(tournament_night, id_)
    assert "Pair round 2" in view()["actions"]
    assert "actions" not in organiser.night.tournaments.page_view(id_, for_organiser=False)()


def test_an_organiser_s_form_stays_while_tables_come_and_go(tournament_night, organiser):
    """Its list of tables changes only with the pairing, because the form may be open."""
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    view = organiser.night.tournaments.page_view(id_, for_organiser=True)
    before = view()
    tournament_night.table_names.append("table-9")
    with tournament_night.intake.transaction():
        tournament_night.intake.add_note("table-9", "anything", DATE)
    assert view() == before


def test_the_television_shows_running_tournaments(tournament_night, client, monkeypatch):
    """The newest two that are not put away; meanwhile no other standings are shown."""
    monkeypatch.setattr(television, "LIST_SECONDS", 0)
    ids = [
        new_tournament(tournament_night, "Ann Ben Cleo Dan"),
        new_tournament(tournament_night, "Eve Fay"),
        new_tournament(tournament_night, "Gus Hal"),
    ]
    tournament_night.take_round("table-1", "Vic", "Walt", pairing="", at=time.strftime("%Y-%m-%dT%H:%M:%S%z"))
    page = client.get("/").text
    assert 'class="slide wide-slide"' not in page.replace("follow", "")
    assert "tonight" in page
    for id_ in ids:
        pair_next_round(tournament_night, id_)
    page = client.get("/").text
    assert "Ann" not in page
    assert "Eve – Fay" in page
    assert "http://192.168.1.20:8028/tournaments" in page
    assert page.count("Club evening, standings, round 1 is running") == 2
    enter_results(tournament_night, ids[1])
    ranks = client.get("/").text.partition("Club evening, standings after round 1")[2]
    first = client.get(f"/tournaments/{ids[1]}/tournament.json").json()["standings"][0]
    assert first["points"] == 1
    assert ranks.partition("<li>")[2].startswith(f'<b class="place">1</b> <span>{first["name"]}</span> <b>1</b>')
    tournament_night.tournaments.change_event(ids[2], changes.set_archived, True)
    page = client.get("/").text
    assert "Ann – Cleo" in page
    assert "Gus" not in page
    assert "tonight" not in page


def test_a_stream_of_a_deleted_tournament_is_silent(tournament_night, organiser):
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    view = organiser.night.tournaments.page_view(id_, for_organiser=True)
    assert view()
    tournament_night.tournaments.change_event(id_, changes.set_archived, True)
    tournament_night.tournaments.delete_tournament(id_)
    assert view() == {}
    assert organiser.get(f"/tournaments/{id_}/events").status_code == 404


def test_many_watchers_cost_one_read(tournament_night, client, monkeypatch):
    """A hundred phones and key presses at the tables cause one read after each change."""
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    views = client.night.tournaments
    streams = [views.page_view(id_, for_organiser=False) for _ in range(100)]
    television = client.night.television_view()
    reads, all_ = [], views.tournaments.all_events
    monkeypatch.setattr(views.tournaments, "all_events", lambda: reads.append(1) or all_())
    for _ in range(3):
        tournament_night.take_round("table-1", "Ann", "Cleo")
        reads.clear()
        for view in (*streams, television, television, *streams):
            view()
        assert len(reads) == 1
        tournament_night.tournaments.change_event(
            id_, changes.enter_outcome, tournament_night.tournaments.read_event(id_).rows[0].id, None
        )
        tournament_night.desk.take_results_and_offer_pairings()


def test_the_list_on_the_wall_has_tables_and_names(tournament_night, client):
    id_ = new_tournament(tournament_night, "Ann Ben Cleo Dan Eve")
    tournament_night.tournaments.change_event(id_, changes.set_present, 5, True)
    pair_next_round(tournament_night, id_)
    page = client.get(f"/tournaments/{id_}/round").text
    assert page.index("table-1") < page.index("table-2")
    assert (
        page.index("Ann</b> <b>") < page.index("Ben</b> <b>") < page.index("Cleo</b> <b>") < page.index("Dan</b> <b>")
    )
    assert "Ann</b> <b>table-1</b>\n<small>against Cleo, Ann starts</small>" in page
    assert "Cleo</b> <b>table-1</b>\n<small>against Ann, who starts</small>" in page
    assert "<b>bye</b>" in page
    assert client.get(f"/tournaments/{id_}/tournament.trf").text.startswith("012 Club evening")


def test_the_wall_and_the_television_are_in_the_order_of_the_tables(tournament_night, client):
    """A player looks for a table, wherever its pairing has been moved from."""
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    first = tournament_night.open_rows(id_)[0]
    tournament_night.tournaments.change_event(id_, changes.move_pairing, first.id, "table-10")
    pictures = client.get("/").text.partition('class="slide wide-slide"')[2]
    for page in (client.get(f"/tournaments/{id_}/round").text.partition("by table")[2], pictures):
        assert page.index("table-2") < page.index("table-10")


def test_doubtful_pairings_come_first_and_cards_keep_their_places(tournament_night, organiser):
    """Then come open ones, then the others. A card that changes while the page is open stays where it is."""
    id_ = new_tournament(tournament_night, "Ann Ben Cleo Dan Eve Fay Gus")
    pair_next_round(tournament_night, id_)
    rows = tournament_night.open_rows(id_)
    live = organiser.night.tournaments.page_view(id_, for_organiser=True)
    before = live()["boards"]
    tournament_night.tournaments.change_event(id_, changes.enter_outcome, rows[0].id, PairingOutcome.FIRST)
    last = tournament_night.tournaments.read_event(id_)
    names = [last.player_name(number) for number in rows[2].game[2:4]]
    tournament_night.take_round("table-2", *names, pairing="")
    assert live()["boards"] == before
    page = organiser.get(f"/tournaments/{id_}").text
    shown = [int(number) for number in re.findall('sse-swap="row-([0-9]+)"', page)]
    assert shown[:3] == [rows[2].id, rows[1].id, rows[0].id]
    assert "Gus has the bye: a point when the round is over" in page


def test_a_result_is_one_button_and_says_whose_it_is(tournament_night, organiser):
    """The button of the result that counts cannot be pressed again."""
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    row = tournament_night.open_rows(id_)[0]
    for outcome, said in (
        (PairingOutcome.FIRST, "Ann won"),
        (PairingOutcome.DRAW, "Draw"),
        (PairingOutcome.SECOND, "Cleo won"),
    ):
        button = f'<button name="outcome" value="{outcome.value}" aria-pressed="false">'
        assert button in organiser.get(f"/tournaments/{id_}").text
        page = post_form(organiser, id_, "result", row=row.id, outcome=outcome.value)
        card = page.partition(f'sse-swap="row-{row.id}"')[2].partition("</li>")[0]
        assert f"{said}</span>" in card
        assert f'value="{outcome.value}" aria-pressed="true" disabled>' in card


def test_the_standings_say_what_decides_and_what_a_bye_counted_for(tournament_night, client):
    """A bye counts for nothing before its round is over."""
    id_ = new_tournament(tournament_night, "Ann Ben Cleo Dan Eve")
    pair_next_round(tournament_night, id_)
    page = client.get(f"/tournaments/{id_}/standings").text
    assert "Buchholz: the points of those whom you have met" in page
    assert "Eve has the bye: a point when the round is over" in page
    enter_results(tournament_night, id_)
    page = client.get(f"/tournaments/{id_}/standings").text
    assert "Eve had the bye in round 1: a point; in Buchholz it counts 0<" in page
    assert client.get("/tournaments/7/standings").status_code == 404


def test_a_bye_counts_in_no_buchholz_of_a_round_robin(tournament_night, client):
    """There it is no game against a virtual opponent."""
    id_ = new_tournament(tournament_night, "Ann Ben Cleo", swiss=False)
    tournament_night.tournaments.change_event(id_, changes.change_settings, "Club evening", 3, 0, ["buchholz"])
    pair_next_round(tournament_night, id_)
    enter_results(tournament_night, id_)
    page = client.get(f"/tournaments/{id_}/standings").text
    assert "had the bye in round 1: a point<" in page


@pytest.mark.parametrize("path", ["/tournaments/7/round", "/tournaments/7/table", "/tournaments/7/tournament.trf"])
def test_a_missing_tournament_has_no_page(client, path):
    assert client.get(path).status_code == 404

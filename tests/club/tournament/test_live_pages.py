"""Tournaments on the pages: what the organiser presses, what everybody sees at once, and what nobody waits for."""

from __future__ import annotations

import os
import threading
import time

import pytest
from evening_hall import AT, WAIT_FOR, enter, opened, pair, paired_slowly, post_list

from companion.club import tournament_changes as changes
from companion.club.tournament import PairingOutcome
from companion.club.web import television, tournament_pages

PATIENCE = 60


def post(client, id_: int, what: str, status: int = 200, **more) -> str:
    answer = client.post(f"/tournaments/{id_}", data={"what": what} | more)
    assert answer.status_code == status, answer.text
    return answer.text


def names(hall, id_: int) -> list[str]:
    return [player.name for player in hall.tournaments.read_event(id_).tournament.players]


def test_a_round_is_paired_in_another_process_while_all_other_pages_are_served(
    hall, organiser, tmp_path, monkeypatch
):  # fmt: skip
    id_ = opened(hall)
    other = opened(hall)
    workers = []

    run = tournament_pages.to_process.run_sync

    async def elsewhere(work, *said):
        worker, made = await run(paired_slowly, *said)
        workers.append(worker)
        return made

    monkeypatch.setattr(tournament_pages.to_process, "run_sync", elsewhere)
    monkeypatch.setenv(WAIT_FOR, str(tmp_path / "go"))
    pairing = threading.Thread(target=lambda: post(organiser, id_, "pair"))
    pairing.start()
    for path in ("/", "/tournaments", f"/tournaments/{id_}", f"/tournaments/{other}/table"):
        assert organiser.get(path).status_code == 200
    post(organiser, other, "rename", player=1, name="Anna")
    assert pairing.is_alive()
    assert not hall.open_rows(id_)
    (tmp_path / "go").touch()
    pairing.join(PATIENCE)
    assert len(hall.open_rows(id_)) == 2
    assert workers
    assert os.getpid() not in workers


def test_where_no_pairing_is_left_the_page_offers_a_rematch(hall, organiser):
    id_ = opened(hall, "Ann Ben", rounds=2)
    pair(hall, id_)
    enter(hall, id_)
    page = post(organiser, id_, "pair", 400)
    assert "No pairing is possible" in page
    assert "Pair round 2 with rematches</button>" in page
    assert '<input type="hidden" name="again" value="yes">' in page
    assert 'href="/tournaments/1/hand"' in page
    post(organiser, id_, "pair", again="yes")
    assert len(hall.open_rows(id_)) == 1


def test_the_number_of_rounds_is_warned_of_as_soon_as_there_are_players(hall, organiser, client):
    id_ = opened(hall, "Ann Ben Cleo Dan Eve Fay", rounds=4)
    warning = "With 6 players, 3 rounds without rematches are always possible, but 4 are planned"
    assert warning in organiser.get(f"/tournaments/{id_}").text
    post(organiser, id_, "settings", name="x", rounds=3, minutes=0)
    assert "can surely be paired" not in organiser.get(f"/tournaments/{id_}").text


def test_a_list_with_commas_is_asked_about_on_both_forms(hall, organiser):
    id_ = opened(hall, "")
    listed = "Smith, John\nLee, Ann"
    page = post(organiser, id_, "players", 400, names=listed)
    assert "The player is John Smith" in page
    assert f"{listed}</textarea>" in page
    post_list(organiser, f"/tournaments/{id_}", {"what": "players", "names": listed, "commas": "turned"})
    assert names(hall, id_) == ["John Smith", "Ann Lee"]
    value = " ".join((hall.shortest.game, *(f"{name}={value}" for name, value in hall.shortest.options.items())))
    form = {"name": "Cup", "game": value, "system": "swiss", "rounds": "1", "names": listed}
    assert "The player is John Smith" in organiser.post("/tournaments", data=form).text
    assert len(hall.tournaments.all_events()) == 1
    assert post_list(organiser, "/tournaments", form | {"commas": "first"}).status_code == 200
    assert names(hall, id_ + 1) == ["Smith", "Lee"]


def test_whoever_corrects_the_list_has_nothing_to_answer_any_more(hall, organiser):
    """A browser would not send the form while a required answer is missing."""
    id_ = opened(hall, "")
    page = post(organiser, id_, "players", 400, names="Smith, John")
    question = page.partition("<fieldset")[2].partition("</fieldset>")[0]
    assert "The player is John Smith" in question
    assert "required" not in question
    post_list(organiser, f"/tournaments/{id_}", {"what": "players", "names": "John Smith"})
    assert names(hall, id_) == ["John Smith"]


def test_everything_that_the_desk_does_has_its_button(hall, organiser):
    """Each button is on the page and does what it says."""
    id_ = opened(hall, "Ann Ben Cleo Dan Eve")
    page = organiser.get(f"/tournaments/{id_}").text
    for what in ("away", "half-bye", "remove", "rename", "place", "lots", "bar", "settings", "put-away", "players"):
        assert f'value="{what}"' in page, what
    post(organiser, id_, "place", player=5, to=1)
    post(organiser, id_, "rename", player=1, name="Eva")
    assert names(hall, id_) == ["Eva", "Ann", "Ben", "Cleo", "Dan"]
    post(organiser, id_, "bar", one=2, other=3)
    assert "Ann – Ben</p>" in organiser.get(f"/tournaments/{id_}").text
    post(organiser, id_, "unbar", one=2, other=3)
    post(organiser, id_, "half-bye", player=1)
    assert "½ bye in round 1" in organiser.get(f"/tournaments/{id_}").text
    post(organiser, id_, "settings", name="Cup", rounds=3, minutes=30, tie=["direct", "wins"])
    post(organiser, id_, "pair")
    page = organiser.get(f"/tournaments/{id_}").text
    assert "games against each other" in page
    post(organiser, id_, "start-clock")
    assert 'data-left="1800"' in organiser.get(f"/tournaments/{id_}").text.replace("1799", "1800")
    post(organiser, id_, "stop-clock")
    assert "data-left" not in organiser.get(f"/tournaments/{id_}").text
    hand = organiser.get(f"/tournaments/{id_}/hand").text
    assert hand.count('<select name="first"') == 2
    data = {"what": "hand", "first": ["2", "4"], "second": ["3", "5"]}
    assert organiser.post(f"/tournaments/{id_}", data=data).status_code == 200
    event = hall.tournaments.read_event(id_)
    assert [event.names_of_pairing(row.game) for row in event.rows] == ["Ann – Ben", "Cleo – Dan", "Eva – bye"]
    refused = organiser.post(f"/tournaments/{id_}", data=data | {"first": ["2", "2"]})
    assert refused.status_code == 400
    assert "Ann is in two pairs" in refused.text
    assert refused.text.count('<option value="2" selected>') == 2, "what was chosen is in the form again"
    post(organiser, id_, "put-away")
    assert "Archived: 1" in organiser.get("/tournaments").text
    post(organiser, id_, "bring-back")
    post(organiser, id_, "put-away")
    post(organiser, id_, "delete")
    assert hall.tournaments.all_events() == []


def test_a_round_that_only_looks_like_a_pairing_is_shown_to_the_organiser_alone(hall, organiser):
    id_ = opened(hall)
    pair(hall, id_)
    hall.comes("table-2", "cleo", "Ann", pairing="")
    page = organiser.get(f"/tournaments/{id_}").text
    assert "table-2 has sent cleo – Ann, " in page
    row = hall.open_rows(id_)[0]
    number = page.partition('name="round" value="')[2].partition('"')[0]
    cookies = dict(organiser.cookies)
    organiser.cookies.clear()
    assert "has sent" not in organiser.get(f"/tournaments/{id_}").text
    organiser.cookies.update(cookies)
    post(organiser, id_, "take", row=row.id, round=number)
    assert hall.tournaments.read_event(id_).rows[0].game.outcome is PairingOutcome.FIRST


def test_only_the_pairing_that_has_changed_is_sent_again(hall, client):
    """The standings come at once, while the other game goes on."""
    id_ = opened(hall)
    pair(hall, id_)
    view = client.night.tournaments.page_view(id_, for_organiser=False)
    before = view()
    assert before == view()
    hall.comes("table-1", "Ann", "Cleo")
    after = view()
    changed = {name for name in after if after[name] != before[name]}
    first = f"row-{hall.tournaments.read_event(id_).rows[0].id}"
    assert changed == {first, "standings"}
    assert "1-0" in after[first]
    assert "The points are up to date" in after["standings"]
    enter(hall, id_)
    pair(hall, id_)
    assert "Round 2" in view()["boards"]


def test_the_button_for_the_next_round_comes_with_the_last_result(hall, organiser):
    """The organiser need not reload the page."""
    id_ = opened(hall)
    pair(hall, id_)
    view = organiser.night.tournaments.page_view(id_, for_organiser=True)
    assert "Take back the pairing of round 1" in view()["actions"]
    enter(hall, id_)
    assert "Pair round 2" in view()["actions"]
    assert "actions" not in organiser.night.tournaments.page_view(id_, for_organiser=False)()


def test_an_organiser_s_form_stays_while_tables_come_and_go(hall, organiser):
    """Its list of tables changes only with the pairing, because the form may be open."""
    id_ = opened(hall)
    pair(hall, id_)
    view = organiser.night.tournaments.page_view(id_, for_organiser=True)
    before = view()
    hall.places.append("table-9")
    with hall.intake.transaction():
        hall.intake.add_note("table-9", "anything", AT)
    assert view() == before


def test_the_television_shows_pairings_and_standings_of_what_goes_on(hall, client, monkeypatch):
    """The newest two that are not put away; meanwhile no other standings are shown."""
    monkeypatch.setattr(television, "LIST_SECONDS", 0)
    ids = [opened(hall, "Ann Ben Cleo Dan"), opened(hall, "Eve Fay"), opened(hall, "Gus Hal")]
    hall.comes("table-1", "Vic", "Walt", pairing="", at=time.strftime("%Y-%m-%dT%H:%M:%S%z"))
    page = client.get("/").text
    assert 'class="slide wide-slide"' not in page.replace("follow", "")
    assert "tonight" in page
    for id_ in ids:
        pair(hall, id_)
    page = client.get("/").text
    assert "Ann" not in page
    assert "Eve – Fay" in page
    assert "http://192.168.1.20:8028/tournaments" in page
    assert page.count("Club evening, standings, round 1 is running") == 2
    enter(hall, ids[1])
    ranks = client.get("/").text.partition("Club evening, standings after round 1")[2]
    first = client.get(f"/tournaments/{ids[1]}/tournament.json").json()["standings"][0]
    assert first["points"] == 1
    assert ranks.partition("<li>")[2].startswith(f'<b class="place">1</b> <span>{first["name"]}</span> <b>1</b>')
    hall.tournaments.change_event(ids[2], changes.set_archived, True)
    page = client.get("/").text
    assert "Ann – Cleo" in page
    assert "Gus" not in page
    assert "tonight" not in page


def test_a_stream_of_a_deleted_tournament_says_nothing_more(hall, organiser):
    id_ = opened(hall)
    pair(hall, id_)
    view = organiser.night.tournaments.page_view(id_, for_organiser=True)
    assert view()
    hall.tournaments.change_event(id_, changes.set_archived, True)
    hall.tournaments.delete_tournament(id_)
    assert view() == {}
    assert organiser.get(f"/tournaments/{id_}/events").status_code == 404


def test_many_who_look_cost_one_reading(hall, client, monkeypatch):
    """A hundred phones and key presses at the tables cause one read after each change."""
    id_ = opened(hall)
    pair(hall, id_)
    views = client.night.tournaments
    streams = [views.page_view(id_, for_organiser=False) for _ in range(100)]
    television = client.night.television_view()
    reads, all_ = [], views.tournaments.all_events
    monkeypatch.setattr(views.tournaments, "all_events", lambda: reads.append(1) or all_())
    for _ in range(3):
        hall.comes("table-1", "Ann", "Cleo")
        reads.clear()
        for view in (*streams, television, television, *streams):
            view()
        assert len(reads) == 1
        hall.tournaments.change_event(id_, changes.enter_outcome, hall.tournaments.read_event(id_).rows[0].id, None)
        hall.desk.update_tables()


def test_the_list_on_the_wall_has_tables_and_names(hall, client):
    id_ = opened(hall, "Ann Ben Cleo Dan Eve")
    hall.tournaments.change_event(id_, changes.set_present, 5, True)
    pair(hall, id_)
    page = client.get(f"/tournaments/{id_}/round").text
    assert page.index("table-1") < page.index("table-2")
    assert (
        page.index("Ann</span> <b>")
        < page.index("Ben</span> <b>")
        < page.index("Cleo</span> <b>")
        < page.index("Dan</span> <b>")
    )
    assert "Ann</span> <b>table-1</b>" in page
    assert "<b>bye</b>" in page
    assert client.get(f"/tournaments/{id_}/tournament.trf").text.startswith("012 Club evening")


def test_the_wall_and_the_television_are_in_the_order_of_the_tables(hall, client):
    """A player looks for a table, wherever its pairing has been moved from."""
    id_ = opened(hall)
    pair(hall, id_)
    first = hall.open_rows(id_)[0]
    hall.tournaments.change_event(id_, changes.move_pairing, first.id, "table-10")
    pictures = client.get("/").text.partition('class="slide wide-slide"')[2]
    for page in (client.get(f"/tournaments/{id_}/round").text, pictures):
        assert page.index("table-2") < page.index("table-10")


@pytest.mark.parametrize("path", ["/tournaments/7/round", "/tournaments/7/table", "/tournaments/7/tournament.trf"])
def test_what_is_not_there_is_no_page(client, path):
    assert client.get(path).status_code == 404

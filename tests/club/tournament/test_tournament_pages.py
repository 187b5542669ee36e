"""The tournaments' pages: everybody can see them, and only the organiser's browser can change anything."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from starlette.testclient import TestClient
from tournament_night import new_tournament, pair_next_round, post_player_list

from companion import games
from companion.club.broker_access import organiser_password
from companion.club.tournament_changes import MAX_PLAYERS
from companion.club.web.forms import MAX_UPLOAD_BYTES, MAX_WRONG_PASSWORDS, tournament_game_choices
from companion.club.web.player_lists import MAX_FILE_BYTES, MAX_LINES
from companion.games.api.manifest import InstalledGame, Manifest, Option

EVIL_NAME = '<script>alert("x")</script>'


def open_tournament(client, tournament_night, **more) -> str:
    """Create a tournament on the pages. Returns its address."""
    value = " ".join(
        (
            tournament_night.shortest.game,
            *(f"{name}={value}" for name, value in tournament_night.shortest.options.items()),
        )
    )
    form = {"name": "Club evening", "game": value, "system": "swiss", "rounds": "3"} | more
    answer = client.post("/tournaments", data=form, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def test_only_the_organiser_changes_anything(tournament_night, client):
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    page = client.get(f"/tournaments/{id_}")
    assert "Cleo" in page.text
    assert 'value="pair"' not in page.text
    assert ">Change<" not in page.text
    for path in ("/tournaments", f"/tournaments/{id_}"):
        assert client.post(path, data={"what": "unpair", "name": "x"}).status_code == 403
    assert len(tournament_night.open_rows(id_)) == 2
    client.cookies.set("companion-organiser", "guessed")
    assert client.post(f"/tournaments/{id_}", data={"what": "unpair"}).status_code == 403


def test_wrong_passwords_do_not_lock_the_organiser_out(client):
    """Many wrong passwords of an address are refused; the right one always works, from any address."""
    for _ in range(MAX_WRONG_PASSWORDS):
        assert client.post("/tournaments/door", data={"password": "wrong"}).status_code == 403
    for _ in range(2):
        answer = client.post("/tournaments/door", data={"password": "wrong"})
        assert (answer.status_code, "Too many" in answer.text) == (429, True)
        elsewhere = TestClient(client.app, base_url=client.base_url, client=("192.168.1.8", 50_000))
        origin = {"origin": client.headers["origin"]}
        assert elsewhere.post("/tournaments/door", data={"password": "wrong"}, headers=origin).status_code == 403
        for each in (elsewhere, client):
            assert 'value="swiss"' not in each.get("/tournaments").text
            sent = {"password": client.password}
            answer = each.post("/tournaments/door", data=sent, headers=origin)
            assert (answer.status_code, 'value="swiss"' in answer.text) == (200, True)
            each.cookies.clear()
        for _ in range(MAX_WRONG_PASSWORDS):
            client.post("/tournaments/door", data={"password": "wrong"})


def test_a_change_from_another_page_is_refused(tournament_night, organiser):
    """Another web site cannot use the organiser's cookie."""
    id_ = new_tournament(tournament_night)
    answer = organiser.post(f"/tournaments/{id_}", data={"what": "pair"}, headers={"origin": "http://evil.example"})
    assert answer.status_code == 403
    assert not tournament_night.open_rows(id_)


def test_a_tournament_can_be_run_on_the_pages(tournament_night, organiser):
    """Players from CSV, three rounds with results from tables and by hand, and the files at the end."""
    path = open_tournament(organiser, tournament_night)
    id_ = int(path.rsplit("/", 1)[1])
    post_player_list(organiser, path, {"what": "players", "names": "name,club\nAnn,A\nBen,B\nCleo,C\nDan,D\nEve,E"})
    for round_ in (1, 2, 3):
        assert f"Pair round {round_}" in organiser.get(path).text
        assert organiser.post(path, data={"what": "pair"}).status_code == 200
        rows = tournament_night.open_rows(id_)
        assert [row.table for row in rows] == ["table-1", "table-2"]
        event = tournament_night.tournaments.read_event(id_)
        tournament_night.take_round("table-1", *(event.player_name(each) for each in rows[0].game[2:4]))
        organiser.post(path, data={"what": "result", "row": rows[1].id, "outcome": "½-½"})
    page = organiser.get(path).text
    assert "Pair round" not in page
    assert "bye" in page
    lines = list(csv.reader(io.StringIO(organiser.get(f"{path}/table.csv").text)))
    assert lines[0] == ["place", "player", "1", "2", "3", "points", "buchholz", "sonneborn-berger", "wins"]
    assert sorted(line[1] for line in lines[1:]) == ["Ann", "Ben", "Cleo", "Dan", "Eve"]
    assert sum(float(line[5]) for line in lines[1:]) == 9
    exported = organiser.get(f"{path}/tournament.json").json()
    assert [each["name"] for each in exported["standings"]] == [line[1] for line in lines[1:]]
    assert len(exported["pairings"]) == 9
    assert json.dumps(exported["options"]) == json.dumps(dict(tournament_night.shortest.options))
    cross = organiser.get(f"{path}/table").text
    assert all(f"<td>{cell}</td>" in cross for line in lines[1:] for cell in line[2:5])


def test_a_refused_form_is_filled_in_again(tournament_night, organiser):
    """Forty names with one slip need not be typed again, nor the settings of a new tournament."""
    path = open_tournament(organiser, tournament_night)
    names = "\n".join(f"Player {number % 40}" for number in range(41))
    answer = organiser.post(path, data={"what": "players", "names": names})
    assert answer.status_code == 400
    assert "two players are named Player 0" in answer.text
    assert f"{names}</textarea>" in answer.text
    assert "Player 3" not in organiser.get(path).text
    form = {"name": "x" * 41, "game": tournament_game_choices()[-1].form_value, "system": "round-robin", "rounds": "7"}
    page = organiser.post("/tournaments", data=form).text
    assert f'value="{"x" * 41}"' in page
    for chosen in (form["game"], form["system"]):
        assert f'<option value="{chosen}" selected>' in page
    assert 'value="7"' in page


def test_refused_changes_of_a_tournament_are_filled_in_again(tournament_night, organiser):
    """What was typed comes back in its own form, which is open."""
    path = open_tournament(organiser, tournament_night)
    post_player_list(organiser, path, {"what": "players", "names": "Ann\nBen\nCleo"})
    page = organiser.post(path, data={"what": "rename", "player": "2", "name": "Ann"}).text
    assert re.search(r'<details open><summary aria-label="Change Ben">.*?name="name" [^>]*value="Ann"', page, re.DOTALL)
    assert page.count("<details open>") == 1
    assert 'value="Cleo"' in page
    page = organiser.post(path, data={"what": "bar", "one": "2", "other": "2"}).text
    assert page.count('<option value="2" selected>Ben') == 2
    form = {"what": "settings", "name": "New", "rounds": "99", "minutes": "45", "tie": ["wins", "", ""]}
    page = organiser.post(path, data=form).text
    assert all(f'value="{value}"' in page for value in ("New", "99", "45"))
    assert page.count('<option value="wins" selected>') == 1


def test_a_long_list_is_taken_whole_or_refused(tournament_night, organiser):
    """The most players of a tournament, each with a club, fit in; a list beyond the limit is not cut."""
    path = open_tournament(organiser, tournament_night)
    id_ = int(path.rsplit("/", 1)[1])
    lines = [f"Spieler Nr. {number};{'Ä' * 50}" for number in range(MAX_PLAYERS)]
    answer = organiser.post(path, data={"what": "players", "names": "x\n" * (MAX_LINES + 1)})
    assert answer.status_code == 400
    assert "at most" in answer.text
    assert not tournament_night.tournaments.read_event(id_).tournament.players
    assert (
        post_player_list(organiser, path, {"what": "players", "names": "\n".join(lines), "commas": "first"}).status_code
        == 200
    )
    assert len(tournament_night.tournaments.read_event(id_).tournament.players) == MAX_PLAYERS


def test_a_list_is_uploaded_as_a_file(tournament_night, organiser):
    """The file's text replaces what was in the form, and is saved once it was confirmed."""
    path = open_tournament(organiser, tournament_night)
    form, data = {"what": "players"}, "Name;Club\nAnn;A\nZoë;B\n"
    response = organiser.post(path, data=form | {"names": "Old"}, files={"file": ("a.csv", data.encode("utf-16"))})
    assert response.status_code == 400
    assert f"{data}</textarea>" in response.text
    assert "Old" not in response.text
    digest = re.search(r'name="seen" value="(\w+)"', response.text)[1]
    form |= {"names": data.replace("\n", "\r\n"), "seen": digest}
    assert organiser.post(path, data=form, files={"file": ("", b"")}).status_code == 200
    assert player_names(tournament_night, path) == ["Ann", "Zoë"]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\0", "This is not a text file: save the list as CSV, and choose that file."),
        (b" \r\n", "This file is empty."),
        (b"a" * (MAX_FILE_BYTES + 1), "This file is larger than 1 MB"),
    ],
)
def test_a_refused_file_leaves_what_was_typed(tournament_night, organiser, data, why):
    path = open_tournament(organiser, tournament_night)
    for form in ({"what": "players"}, {"game": tournament_game_choices()[0].form_value}):
        at = path if "what" in form else "/tournaments"
        answer = organiser.post(at, data=form | {"names": "Ann"}, files={"file": ("list.csv", data)})
        assert answer.status_code == 400
        assert why in answer.text
        assert "Ann</textarea>" in answer.text
    assert not player_names(tournament_night, path)


def test_only_the_organiser_can_upload_files(client):
    """Nobody else's files are read, and none that is much too large."""
    assert client.post("/tournaments", files={"file": ("a.csv", b"Ann")}).status_code == 403
    assert client.post("/tournaments", files={"file": ("a.csv", b"a" * MAX_UPLOAD_BYTES)}).status_code == 413


def player_names(tournament_night, path):
    return [
        player.name
        for player in tournament_night.tournaments.read_event(int(path.rsplit("/", 1)[1])).tournament.players
    ]


def test_a_cross_table_of_a_round_robin_is_symmetric(tournament_night, organiser):
    path = open_tournament(organiser, tournament_night, system="round-robin", rounds="")
    id_ = int(path.rsplit("/", 1)[1])
    post_player_list(organiser, path, {"what": "players", "names": "Ann\nBen\nCleo"})
    for _ in range(3):
        organiser.post(path, data={"what": "pair"})
        for row in tournament_night.open_rows(id_):
            organiser.post(path, data={"what": "result", "row": row.id, "outcome": "1-0"})
    lines = list(csv.reader(io.StringIO(organiser.get(f"{path}/table.csv").text)))[1:]
    cells = [line[2:5] for line in lines]
    for n in range(3):
        assert cells[n][n] == "×"
        assert all({cells[n][m], cells[m][n]} == {"1", "0"} for m in range(3) if m != n)


@pytest.mark.parametrize(
    "form",
    [
        {"what": "players", "names": EVIL_NAME},
        {"what": "players", "names": "Ann\nAnn"},
        {"what": "result", "row": "1", "outcome": EVIL_NAME},
        {"what": "result", "row": EVIL_NAME, "outcome": "1-0"},
        {"what": "move", "row": "1", "place": EVIL_NAME},
        {"what": "here", "player": "9" * 30},
        {"what": EVIL_NAME},
        {},
    ],
)
def test_nonsense_is_refused_in_a_sentence(tournament_night, organiser, form):
    path = open_tournament(organiser, tournament_night)
    answer = organiser.post(path, data=form)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert "<script>alert" not in answer.text


@pytest.mark.parametrize(
    "form", [{"game": EVIL_NAME}, {"game": "27 x=y"}, {"name": ""}, {"rounds": "many"}, {"rounds": "0"}]
)
def test_an_invalid_tournament_is_not_created(tournament_night, organiser, form):
    value = tournament_game_choices()[0].form_value
    answer = organiser.post("/tournaments", data={"name": "x", "game": value, "system": "swiss", "rounds": "3"} | form)
    assert answer.status_code == 400
    assert tournament_night.tournaments.all_events() == []


def test_names_are_text_on_the_pages(tournament_night, organiser):
    path = open_tournament(organiser, tournament_night, name="<b>x</b>")
    post_player_list(organiser, path, {"what": "players", "names": "<i>A</i>\n=1+1"})
    page = organiser.get(path).text
    assert "<i>A" not in page
    assert "&lt;i&gt;A" in page
    assert "<b>x" not in page
    assert "'=1+1" in organiser.get(f"{path}/table.csv").text, "no spreadsheet takes it for a formula"


def test_a_name_that_no_box_can_draw_is_marked(tournament_night, organiser):
    """The organiser sees which letters panels cannot draw; the pages show the name as it is."""
    path = open_tournament(organiser, tournament_night)
    post_player_list(organiser, path, {"what": "players", "names": "王小明\nJürgen"})
    page = organiser.get(path).text
    assert page.count("the boxes cannot draw") == 1
    assert "the boxes cannot draw 王小明: they show □ instead" in page


def test_names_that_differ_in_case_alone_are_told_apart(tournament_night, organiser):
    """Ann and ann would be two players at the boxes, so neither a list nor a new name may bring both."""
    path = open_tournament(organiser, tournament_night)
    for names in ("Ben\nben", "Ann"):
        post_player_list(organiser, path, {"what": "players", "names": "ann"})
        answer = organiser.post(path, data={"what": "players", "names": names})
        assert answer.status_code == 400
        assert "differ only in capital letters" in answer.text
    assert "<span>Ben" not in organiser.get(path).text


def test_there_is_a_choice_for_every_option_of_every_game():
    titles = {each.form_value: each.title for each in tournament_game_choices()}
    for game in games.all_manifests():
        if game.has_records and 2 in game.players:
            count = 1
            for values in game.option_values.values():
                count *= len(values)
            assert sum(value.split(" ")[0] == game.id for value in titles) == count
    assert len(set(titles.values())) == len(titles)


def test_a_game_with_many_long_options_can_be_chosen(tournament_night, organiser, monkeypatch):
    """The form's value is read whole, however long a game's options are."""
    options = {
        f"an-option-with-a-long-name-{n}": Option("X", {"this-value": "this", "that-value": "that"}) for n in "123"
    }
    added = InstalledGame(Manifest("many-options", "Many options", options=options), "none")
    monkeypatch.setattr(games, "find_added_games", lambda: ({"many-options": added}, {}))
    chosen = next(
        each
        for each in tournament_game_choices()
        if each.form_value.endswith("that-value") and len(each.form_value) > 110
    )
    assert f'<option value="{chosen.form_value}">' in organiser.get("/tournaments").text
    open_tournament(organiser, tournament_night, game=chosen.form_value)
    (event,) = tournament_night.tournaments.all_events()
    assert (event.game, event.options) == ("many-options", chosen.options)


def test_a_missing_tournament_is_reported(client):
    for path in ("/tournaments/5", "/tournaments/5/table", "/tournaments/5/table.csv", f"/tournaments/{10**30}"):
        assert client.get(path).status_code == 404


def test_the_password_is_made_once_and_for_its_owner_alone(tmp_path):
    made = organiser_password(tmp_path)
    assert organiser_password(tmp_path) == made
    assert len(made) == 10
    assert (tmp_path / "organiser").stat().st_mode & 0o007 == 0

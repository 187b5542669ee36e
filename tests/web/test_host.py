"""The host's pages as a browser gets them: whom they refuse, and what they ask of the table."""

from __future__ import annotations

import asyncio
import json
import re
from html import unescape
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from companion import games
from companion.evening.model import Session
from companion.evening.screens.base_screen import open_due_screens
from companion.evening.screens.messages import Goodbye
from companion.evening.screens.play.round_actions import play_event
from companion.evening.screens.setup.setup_form import setup_forms
from companion.evening.session_values import PhoneAccess
from companion.rounds.stored import StoredHistory
from companion.table.phone_view import client_snapshot
from companion.table.public_state import public_state
from companion.web.app import BigScreen, render_template, web_application
from companion.web.clients import PHONE_COOKIE, hash_secret
from companion.web.host_pages import HostPages
from companion.web.player_pages import PlayerPages
from companion.web.table_client import TableClient

HOME = "http://192.168.1.20:8027"
GET_PATHS = ["/host", "/host/history", "/host/round/1", "/host/round/1/change", "/host/round/1/picture", "/host/names",
        "/host/pad", "/host/report?day=2026-11-21", "/host/box", "/host/settings", "/host/play/27"]  # fmt: skip
POST_PATHS = ["/host/settings", "/host/names", "/host/pad", "/host/round/1/change", "/host/play/27"]


class RecordingTable(TableClient):
    """A table without a socket that collects its requests and answers with `answers`."""

    def __init__(self, **answers) -> None:
        super().__init__(Path("/nowhere"))
        self.public = public_state(Session((Goodbye(),), StoredHistory()))
        self.host = hash_secret("the host's secret")
        self.phones = {hash_secret("Ann's secret"): "Ann"}
        self.requests: list[tuple[str, str, str]] = []
        self.wait_for_answers = answers

    async def send_request(self, phone: str, kind: str, text: str = "") -> dict:
        self.requests.append((phone, kind, text))
        return self.wait_for_answers.get(kind, {"refusal": ""})


def browser(table, secret="the host's secret") -> TestClient:
    client = TestClient(web_application(table), base_url=HOME, client=("192.168.1.7", 5000), follow_redirects=False)
    client.cookies = {PHONE_COOKIE: secret} if secret else {}
    client.headers["origin"] = HOME
    return client


@pytest.mark.parametrize("secret", ["", "Ann's secret", "another"])
def test_only_the_host_gets_these_pages(secret):
    """Any other phone is shown how to become the host's, and the table is asked nothing for it."""
    table = RecordingTable()
    phone = browser(table, secret)
    for path in GET_PATHS:
        assert phone.get(path).status_code == 403
        assert "These pages are for the host" in phone.get(path).text
    for path in POST_PATHS:
        assert phone.post(path, data={"what": "rename", "name": "Ann", "new": "Zoe"}).status_code == 403
    assert table.requests == []


def test_a_phone_without_a_secret_is_never_the_host():
    """An empty secret never matches, even when the table has no host."""
    table = RecordingTable()
    table.host = table.asking_phone = ""
    assert browser(table, "").get("/host").status_code == 403


def test_a_waiting_phone_is_redirected_when_the_box_has_answered():
    """When the box has been answered, the page leads to the host's pages, or to the refusal."""
    table = RecordingTable()
    table.host, table.asking_phone = "", hash_secret("the host's secret")
    phone = browser(table)
    assert "Look at the box" in phone.get("/host").text
    assert "hx-redirect" not in phone.get("/host/waits").headers
    table.asking_phone = ""
    assert phone.get("/host/waits").headers["hx-redirect"] == "/host"


@pytest.mark.parametrize("secret", ["", "the host's secret"])
def test_without_a_table_the_hosts_pages_wait_for_it(secret):
    """Without the table nobody knows whose phone this is, so nobody is asked to become the host."""
    table = RecordingTable()
    table.public, table.host = None, ""
    phone = browser(table, secret)
    for path in GET_PATHS:
        page = phone.get(path)
        assert (page.status_code, "The table cannot be reached." in page.text) == (200, True)
        assert "These pages are for the host" not in page.text
        assert 'hx-get="/host/waits"' in page.text
    assert "hx-redirect" not in phone.get("/host/waits").headers
    table.public = RecordingTable().public
    assert phone.get("/host/waits").headers["hx-redirect"] == "/host"


def test_an_open_page_shows_that_the_table_is_not_connected():
    """The message replaces the box's keys and the score pad's sheet."""

    def first_events(table) -> list[str]:
        async def sent() -> list[str]:
            request = Request({"type": "http", "headers": [], "client": ("192.168.1.7", 5000)})
            players = PlayerPages(table, render_template)
            screen = BigScreen(table, players, HostPages(table, render_template, players.box_keys))
            stream = (await screen.host_events(request)).body_iterator
            found = [await anext(stream) for _ in range(3)]
            await stream.aclose()
            return found

        return asyncio.run(sent())

    table = RecordingTable()
    assert not any("The table cannot be reached." in each for each in first_events(table))
    table.public = None
    events = first_events(table)
    assert [each.split("\n")[0] for each in events] == ["event: sheet", "event: box", "event: table"]
    assert all("The table cannot be reached." in each and "This page comes back" in each for each in events)


def test_each_page_of_the_host_links_to_the_own_seat():
    for path in ("/host", "/host/pad"):
        assert 'href="/seat">My seat</a>' in browser(RecordingTable()).get(path).text


def test_the_filters_are_passed_on():
    """Values are cut to the length of a name."""
    table = RecordingTable(history={"found": {"rounds": [], "more": False, "games": [], "players": [], "evenings": []}})
    assert "No round matches" in browser(table).get("/host/history?game=27&player=Ann&since=2026-01-01&x=1").text
    ((_, what, text),) = table.requests
    wanted = {"game": "27", "player": "Ann", "since": "2026-01-01", "until": "", "page": ""}
    assert (what, json.loads(text)) == ("history", wanted)
    browser(table).get("/host/history?player=" + "A" * 500)
    assert len(json.loads(table.requests[1][2])["player"]) == 60


def test_a_report_is_a_download():
    """A report is never shown as one of our pages, whatever the table answers."""
    report_data = {"name": "evening-2026-11-21.html", "type": "text/html", "body": "<p>Evening</p>"}
    answer = browser(RecordingTable(report={"found": report_data})).get("/host/report?day=2026-11-21")
    assert answer.headers["content-disposition"] == 'attachment; filename="evening-2026-11-21.html"'
    assert answer.text == "<p>Evening</p>"
    for wrong in ({"name": 'a"\r\nx: y'}, {"type": "text/javascript"}):
        assert (
            browser(RecordingTable(report={"found": report_data | wrong}))
            .get("/host/report?day=2026-11-21")
            .status_code
            == 400
        )
    assert browser(RecordingTable()).get("/host/report?day=yesterday").status_code == 400


@pytest.mark.parametrize(
    ("data", "asked"),
    [
        ({"what": "rename", "name": "Ann", "new": " Anna "}, ("rename", "Ann,Anna")),
        ({"what": "merge", "name": "Anna", "new": "Ann", "sure": "yes"}, ("merge", "Anna,Ann")),
        ({"what": "favour", "name": "Zoe"}, ("favour", "Zoe")),
        ({"what": "unfavour", "name": "Zoe"}, ("unfavour", "Zoe")),
    ],
)
def test_each_button_about_names_is_one_request(data, asked):
    table = RecordingTable()
    answer = browser(table).post("/host/names", data=data)
    assert (answer.status_code, answer.headers["location"]) == (303, "/host/names")
    assert table.requests == [(table.host, *asked)]


def test_players_are_merged_only_after_a_question():
    """The question has both names and says that a merge cannot be undone."""
    table = RecordingTable()
    page = browser(table).post("/host/names", data={"what": "merge", "name": "<b>Anna", "new": "Ann"})
    assert table.requests == []
    assert "Are &lt;b&gt;Anna and Ann the same player?" in page.text
    assert "cannot be undone" in page.text
    sent = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.text))
    assert sent == {"name": "&lt;b&gt;Anna", "new": "Ann", "sure": "yes"}
    assert browser(table).post("/host/names", data=sent | {"what": "merge"}).status_code == 303
    assert len(table.requests) == 1


def test_a_changed_name_is_reported_on_the_hosts_pages():
    table = RecordingTable(names={"found": {"names": [("Ann", 3, "")]}})
    table.news = {table.host: "The name is now Ann: a hidden character was removed."}
    for path in ("/host/names", "/host"):
        assert browser(table).get(path).text.count("a hidden character was removed") == 1


def test_a_player_cannot_be_merged_with_itself():
    table = RecordingTable(names={"found": {"names": [("Ann", 3, ""), ("Anna", 1, "")]}})
    page = browser(table).post("/host/names", data={"what": "merge", "name": "Ann", "new": "Ann"}).text
    assert "Choose two different names." in page
    assert [what for _, what, _ in table.requests] == ["names"]
    assert page.count("<option selected>Ann</option>") == 2


@pytest.mark.parametrize(
    ("points", "text"), [("12", "2 +12"), ("-5", "2 -5"), ("−5", "2 -5"), ("+7", "2 +7"), ("007", "2 +7")]
)
def test_points_are_passed_on_with_their_sign(points, text):
    """Also with the minus sign of a phone's keyboard."""
    table = RecordingTable()
    assert browser(table).post("/host/pad", data={"seat": "2", "points": points}).status_code == 303
    assert table.requests == [(table.host, "points", text)]


def test_points_of_a_page_with_other_players_are_refused():
    """The page was opened for another pad, so its second seat may now be another player's."""
    table = RecordingTable()
    table.public["sheet"] = {"title": "Game", "over": False, "names": ["Cleo", "Dan"], "rows": [], "totals": [0, 0]}
    data = {"seat": "2", "points": "5", "names": "Ann, Ben"}
    answer = browser(table).post("/host/pad", data=data)
    assert "Other players are on the score pad now" in answer.text
    assert table.requests == []
    assert 'value="Cleo, Dan"' in answer.text
    assert '<input name="points" value="5"' in answer.text
    assert browser(table).post("/host/pad", data=data | {"names": "Cleo, Dan"}).status_code == 303
    assert table.requests == [(table.host, "points", "2 +5")]


@pytest.mark.parametrize("data", [{}, {"seat": "2"}, {"seat": "22", "points": "1"}, {"seat": "1", "points": "1e3"}])
def test_invalid_points_are_refused(data):
    """The table is not asked."""
    table = RecordingTable()
    assert "whole number" in browser(table).post("/host/pad", data=data).text
    assert table.requests == []


def test_names_are_text_on_every_page():
    """A name that looks like markup is shown as it is."""
    evil = "<script>alert(1)</script>"
    table = RecordingTable(names={"found": {"names": [[evil, 1, ""]]}})
    table.favourites = [evil + "2"]
    page_html = browser(table).get("/host/names").text
    assert evil not in page_html
    assert "&lt;script&gt;" in page_html


def test_a_refusal_of_the_box_is_shown():
    table = RecordingTable(names={"found": {"names": []}}, rename={"refusal": "Another player is named Ben."})
    data = {"what": "rename", "name": "Ann", "new": "Ben"}
    assert "Another player is named Ben." in browser(table).post("/host/names", data=data).text


def replay_answer(move: int, last: int = 3) -> dict:
    """What the box answers about a round after so many moves."""
    answer_data = {"number": 5, "game": "27", "date": "", "move": move, "last": last, "players": [["Ann", ""]]}
    return answer_data | {
        "standing": [1],
        "told": "",
        "fault": "",
        "sheet": None,
        "board": "",
        "panel": "",
        "moves": [],
    }


@pytest.mark.parametrize("move", [0, 1, 3])
def test_the_buttons_of_a_replay_stay_where_they_are(move):
    """At the first and last move the buttons are disabled; the slider moves with them."""
    asking = browser(RecordingTable(round={"found": replay_answer(move)}))
    page = asking.get("/host/round/5/picture", params={"move": str(move), "step": "1"}).text
    for says, can in (("Back", move > 0), ("Next", move < 3)):
        button = re.search(rf"<button[^>]*>{says}</button>", page)[0]
        assert ("disabled" not in button) == can
    assert re.search(rf'<input id="move" hx-swap-oob="true"[^>]* value="{move}"', page)
    assert "hx-swap-oob" not in asking.get("/host/round/5/picture", params={"move": str(move)}).text


def test_the_report_is_near_the_top():
    """The link comes before the rounds, however many there are."""
    history_data = {"rounds": [], "more": False, "games": [], "players": [], "evenings": ["2026-11-21"]}
    page = browser(RecordingTable(history={"found": history_data})).get("/host/history").text
    assert page.index("Download the report") < page.index('class="rounds"')


def editable_answer(**more) -> dict:
    """What the box answers about a finished round that can be changed."""
    answer_data = {
        "number": 5,
        "game": "27",
        "date": "2026-11-21",
        "players": [["Ann", 12], ["Ben", 6]],
        "told": "Ann wins",
        "moves": [],
    }
    return {"record": {"found": answer_data | {"void": False, "pad": False, "text": "1: 1x1\n", "fault": ""} | more}}


CHANGE = "/host/round/5/change"


def test_a_changed_record_goes_to_the_table_whole():
    """Its lines are sent as they were written; then the round is shown again."""
    table = RecordingTable(**editable_answer())
    page = browser(table).get(CHANGE).text
    assert re.search(r"<textarea[^>]*>\n1: 1x1\n</textarea>", page)
    answer = browser(table).post(CHANGE, data={"what": "correct", "text": "1: 2x2\r\n2: 1x3"})
    assert (answer.status_code, answer.headers["location"]) == (303, CHANGE + "?saved=1")
    assert table.requests[-1] == (table.host, "correct", "5 1: 2x2\n2: 1x3")


def test_a_change_that_is_refused_is_not_lost():
    """The refusal is shown above the text, which is no markup."""
    table = RecordingTable(**editable_answer(), correct={"refusal": "Line 1, 1: x: no."})
    page = browser(table).post(CHANGE, data={"what": "correct", "text": "1: </textarea><b>"}).text
    assert "Line 1, 1: x: no." in page
    assert "1: &lt;/textarea&gt;&lt;b&gt;</textarea>" in page
    assert "too long" in browser(table).post(CHANGE, data={"what": "correct", "text": "\x01" * 10_000}).text


def test_a_wrong_move_is_tapped_and_replaced():
    """A tap shows what could be played instead, and the next one corrects it; a later move that fails is asked for."""
    moves = [
        {
            "line": at,
            "name": name,
            "seat": at + 1,
            "text": move,
            "told": f"moved {move}",
            "why": "",
            "choices": choices,
            "asked": name,
            "inserts": 0,
        }
        for at, (name, move, choices) in enumerate([("Ann", "1x1", [("moved 2 <b>", "1x2")]), ("Ben", "9x1", [])])
    ]
    table = RecordingTable(**editable_answer(text="1: 1x1\n2: 9x1\n", moves=moves))
    assert 'name="line" value="0"' in browser(table).get(CHANGE).text
    page = browser(table).post(CHANGE, data={"text": "1: 1x1\n2: 9x1\n", "line": "0"}).text
    assert table.requests[-1][1:] == ("record", "5 0\n1: 1x1\n2: 9x1\n")
    assert ": what did Ann play?" in page
    assert 'value="1x2"><span>Moved 2 &lt;b&gt;<' in page
    sent = {"what": "correct", "text": "1: 1x1\n2: 9x1\n", "line": "0", "move": "1x2"}
    answer = browser(table).post(CHANGE, data=sent)
    assert (answer.status_code, answer.headers["location"]) == (303, CHANGE + "?saved=1")
    assert "Saved:" in browser(table).get(answer.headers["location"]).text
    assert table.requests[-2][1:] == ("correct", "5 1: 1x2\n2: 9x1\n")
    browser(table).post(CHANGE, data=sent | {"inserts": "2"})
    assert table.requests[-1][1:] == ("correct", "5 2: 1x2\n1: 1x1\n2: 9x1\n")
    browser(table).post(CHANGE, data=sent | {"move": ""})
    assert table.requests[-1][1:] == ("correct", "5 2: 9x1\n")
    moves[1]["why"] = "no disc is there"
    table = RecordingTable(**editable_answer(moves=moves), correct={"refusal": "Line 2, 2: 9x1: no disc is there."})
    page = unescape(browser(table).post(CHANGE, data=sent).text)
    assert "Nothing is saved yet, because Ben's move after this one doesn't fit now: no disc is there." in page.replace(
        "’", "'"
    )
    assert ": what did Ben play?" in page
    assert 'name="text" value="1: 1x2\n2: 9x1\n"' in page
    assert "not possible here" in browser(table).post(CHANGE, data=sent | {"line": "1" * 9}).text


def test_a_saved_correction_shows_the_result_before_and_after_it():
    table = RecordingTable(**editable_answer())
    phone = browser(table)
    answer = phone.post(CHANGE, data={"what": "correct", "text": "1: 2x2\n"})
    assert "Its result is the same:" in phone.get(answer.headers["location"]).text
    table.wait_for_answers = editable_answer(told="Ben wins")
    page = phone.get(answer.headers["location"]).text
    assert page.index("<s>Ann wins</s>") < page.index("<b>Ben wins</b>")


def test_the_replay_leads_to_the_choices_for_the_move_that_it_shows():
    """A move is counted from 1, and has the line of the record that it was read from."""
    moves = [{"line": line, "name": "Ann", "text": "1x1", "told": "moved", "asked": "Ann"} for line in (7, 9)]
    table = RecordingTable(**editable_answer(moves=moves))
    page = browser(table).get(f"{CHANGE}?move=2").text
    assert table.requests[-1][1:] == ("record", "5 9\n1: 1x1\n")
    assert "Move 2: what did Ann play?" in page
    for other in ("0", "3", "x", ""):
        assert "Tap the move that is wrong." in browser(table).get(f"{CHANGE}?move={other}").text


@pytest.mark.parametrize(("what", "void"), [("void", False), ("restore", True)])
def test_a_round_is_void_only_after_a_question(what, void):
    table = RecordingTable(**editable_answer(void=void))
    assert f'name="what" value="{what}"' in browser(table).get(CHANGE).text
    table.requests.clear()
    page = browser(table).post(CHANGE, data={"what": what}).text
    assert "ound 5" in page
    assert table.requests == []
    sent = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
    assert browser(table).post(CHANGE, data=sent | {"what": what}).headers["location"] == CHANGE
    assert table.requests == [(table.host, what, "5")]


def test_a_void_round_has_nothing_to_correct():
    """A round without a text can still be made void."""
    assert "<textarea" not in browser(RecordingTable(**editable_answer(void=True))).get(CHANGE).text
    page = browser(RecordingTable(**editable_answer(fault="Round 5 cannot be shown: it is gone."))).get(CHANGE).text
    assert "it is gone" in page
    assert "<textarea" not in page
    assert 'value="void"' in page


def test_a_score_pad_says_who_has_which_number():
    """The lines of its text have numbers instead of names."""
    assert "1: Ann, 2: Ben" in browser(RecordingTable(**editable_answer(pad=True))).get(CHANGE).text


def test_a_change_from_another_site_is_refused():
    table = RecordingTable(**editable_answer())
    phone = browser(table)
    phone.headers["origin"] = "http://evil.example"
    assert phone.post(CHANGE, data={"what": "void", "sure": "yes"}).status_code == 403
    assert browser(table).post(CHANGE, data={"what": "drop"}).status_code == 200
    assert [what for _, what, _ in table.requests] == ["record"]


# -- the table, and a new round ---------------------------------------------------------------------------------


@pytest.fixture
def hosted(table_class):
    """A table at its main menu, and the pages about it for the host's phone."""

    def made(table=None):
        table, served = table or table_class(), RecordingTable()
        table.session = table.session._replace(phones=PhoneAccess(is_on=True, host=served.host))
        snapshot = client_snapshot(table.session)
        served.public, served.remote = snapshot["public"], snapshot["remote"]
        served.wait_for_answers = {"games": {"found": setup_forms(table.session)}}
        return table, served

    return made


def test_each_game_can_be_chosen_by_its_picture(hosted, table_class):
    """Beside the picture are its name, a line about it, and how many play; a click leads to its form."""
    table = table_class()
    table.wait(3)
    _, served = hosted(table)
    page = browser(served).get("/host").text
    assert "What do we play?" in page
    for game in games.all_manifests():
        card = re.search(rf'<a class="game" href="/host/play/{game.id}">.*?</a>', page, re.DOTALL)[0]
        assert '<svg viewBox="0 0 96 76" class="board picture" aria-hidden="true">' in card
        assert f"<b>{game.name}</b><small>{game.description}</small>" in unescape(card)
        assert " players" in card
    assert "/host/box" in page


@pytest.mark.parametrize("game", [each.id for each in games.all_manifests()])
def test_one_form_has_everything_about_a_round(hosted, game):
    """Each option with its values, a choice for each seat, hints, and the one strong button."""
    _, served = hosted()
    page = unescape(browser(served).get(f"/host/play/{game}").text)
    manifest = games.manifest_of(game)
    for name, option in manifest.options.items():
        for value in option.values:
            assert f'name="option-{name}" value="{value}"' in page
    assert page.count('<select name="seat') == max(manifest.players)
    assert page.count('<option value="">nobody</option>') == max(manifest.players) - min(manifest.players)
    assert page.count('name="opened"') == len(manifest.holdings) * max(manifest.players)
    assert ('name="clock"' in page) == ('name="goal"' in page) == manifest.has_records
    assert re.findall(r'<button class="go[^>]*>([^<]*)<', page) == [f"Start {manifest.name}"]


SETUP = {"option-variant": "expert", "seat1": "Ann", "seat2": "+", "new2": " Zoe ", "hints": "on", "clock": "600+5",
         "goal": "2", "do": "start"}  # fmt: skip


def test_a_form_is_one_request(hosted):
    """A new name is typed; the answer leads to the table, or a player in the round to the own seat."""
    _, served = hosted()
    answer = browser(served).post("/host/play/27", data=SETUP)
    assert (answer.status_code, answer.headers["location"]) == (303, "/host")
    phone, kind, text = served.requests[-1]
    assert (phone, kind) == (served.host, "start")
    assert json.loads(text) == {
        "game": "27", "options": {"variant": "expert"}, "names": ["Ann", "Zoe"], "goal": 2, "clock": "600+5",
        "opened": [], "hints": True,
    }  # fmt: skip
    served.phones[served.host] = "Ann"
    assert browser(served).post("/host/play/27", data=SETUP).headers["location"] == "/seat"


def test_swapped_seats_are_shown_and_nothing_begins(hosted):
    """The names that were chosen change places, a new one too; everything else stays as it was."""
    _, served = hosted()
    page = browser(served).post("/host/play/27", data=SETUP | {"do": "swap"}).text
    assert [what for _, what, _ in served.requests] == ["games"]
    assert re.findall(r"<option selected>(\w+)</option>", page) == ["Ann"]
    assert re.findall(r'<option value="\+" selected>.*?name="new1" value="(\w+)"', page, re.DOTALL) == ["Zoe"]
    assert re.search(r'value="expert" checked', page)
    assert re.search(r'name="hints" checked', page)
    assert re.search(r'<option value="600\+5" selected>', page)


def test_own_times_move_along_with_their_players(hosted):
    _, served = hosted()
    page = browser(served).post("/host/play/27", data=SETUP | {"clock": "300 600+3", "do": "swap"}).text
    assert '<option value="600+3 300" selected>' in page


def test_a_form_that_is_refused_is_shown_again(hosted):
    """With the sentence of the table above it, and with what was chosen."""
    _, served = hosted()
    served.wait_for_answers["start"] = {"refusal": "Each seat needs another player."}
    page = browser(served).post("/host/play/27", data=SETUP | {"seat2": "Ann"}).text
    assert '<p class="says refusal" role="alert">Each seat needs another player.</p>' in page
    assert re.search(r'value="expert" checked', page)
    page = browser(served).post("/host/play/27", data=SETUP | {"new2": "Zoe,"}).text
    assert re.findall(r'<option value="\+" selected>.*?name="new2" value="(.*?)"', page, re.DOTALL) == ["Zoe,"]


def test_a_game_that_the_box_does_not_have_has_no_form(hosted):
    _, served = hosted()
    answer = browser(served).get("/host/play/chess")
    assert answer.status_code == 400
    assert "The box does not have this game." in answer.text


def test_a_game_on_the_table_is_above_what_can_be_done_about_it(hosted, new_table):
    """Whose turn it is, the board, the entries of the menu, a way back; nothing to choose another game."""
    _, served = hosted(new_table("27"))
    served.phones[served.host] = "Ann"
    page = browser(served).get("/host").text
    assert "27, Ann to move" in page
    assert page.index('class="mat mini"') < page.index("This round") < page.index("Help<") < page.index("Evening")
    assert '<a class="go" href="/seat">Back to play</a>' in page
    assert "menu back" not in page  # Nothing has been played.
    for word in ("clock", "leave", "help", "hints", "could"):
        assert re.search(rf'<button name="press" value="menu {word}"', page)
    for path in ("standings", "phones"):
        assert f'<a href="/host/{path}">' in page
    assert "Show the code at the box" in browser(served).get("/host/phones").text
    assert "No round has ended yet." in browser(served).get("/host/standings").text
    assert 'class="game"' not in page
    data = {"seen": served.remote["seen"], "press": "menu hints"}
    assert browser(served).post("/box", data=data).headers["location"] == "/host"
    assert served.requests[-1] == (served.host, "press", f"{served.remote['seen']} menu hints")


def test_only_a_round_with_a_move_is_said_to_be_saved(hosted, new_table):
    """The box does not save the others."""
    table = new_table("27")
    _, served = hosted(table)
    assert "It is saved, and nobody has won." not in browser(served).get("/host").text
    table.session = open_due_screens(play_event(table.session, "1x1"))
    _, served = hosted(table)
    assert "It is saved, and nobody has won." in browser(served).get("/host").text


def test_a_page_over_the_naming_leads_back_to_play(hosted, new_table):
    """Nobody is to move then, but there is no result; and a question says who is asked."""
    table = new_table("coral-reef", opened=[("deal", 1)])
    table.wait(3)
    _, served = hosted(table)
    served.remote |= {"close": True}
    served.public |= {"content": {"kind": "reading", "title": "T", "paragraphs": [], "at": 0, "answers": []}}
    assert re.search(r'name="press" value="close">Back to play<', browser(served).get("/host").text)
    seats = [{"name": "Ann", "state": "asked"}]
    served.public |= {
        "content": {"kind": "question", "title": "Take back?", "lines": [], "seats": seats, "answers": []}
    }
    served.public |= {"box": "The box asks Ann: Take back?"}
    assert '<p class="says" role="status">The box asks Ann: Take back?</p>' in browser(served).get("/host").text


def test_what_lies_over_the_game_can_be_closed(hosted, new_table):
    """The host reads it, and goes back to play."""
    table = new_table("27")
    table.press("*", "4")
    _, served = hosted(table)
    page = browser(served).get("/host").text
    assert re.search(r'<button class="go" name="press" value="close">Back to play<', page)
    assert "menu leave" not in page


def test_the_settings_of_the_box():
    """Each has a button, name and time a field; what the box refuses is shown, and a lock's code goes along."""
    table = RecordingTable(setting={"refusal": ""})
    table.settings = {"name": "<b>Kitchen", "locked": False, "rows": [["idle", "When idle: off"], ["shift", "Shift"]]}
    host = browser(table)
    page = host.get("/host/settings").text
    assert re.findall(r'name="setting" value="([a-z-]+)"', page) == ["idle", "shift", "name", "clock"]
    assert 'value="&lt;b&gt;Kitchen"' in page
    assert 'name="code"' not in page
    answer = host.post("/host/settings", data={"setting": "idle"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/host/settings")
    host.post("/host/settings", data={"setting": "clock", "text": "2026-11-30T10:05"})
    table.settings["locked"] = True
    assert host.get("/host/settings").text.count('name="code"') == 3
    host.post("/host/settings", data={"setting": "name", "text": "Zoe's box", "code": "2718"})
    assert [each[1:] for each in table.requests] == [
        ("setting", "idle - "), ("setting", "clock - 2026-11-30T10:05"), ("setting", "name 2718 Zoe's box"),
    ]  # fmt: skip
    table.wait_for_answers["setting"] = {"refusal": "Wrong code: wait 5 seconds."}
    assert "Wrong code: wait 5 seconds." in host.post("/host/settings", data={"setting": "idle", "code": "1"}).text
    for data in ({"setting": ""}, {"setting": "A"}, {"setting": "idle", "code": "1 2"}, {}):
        assert "This is not possible here." in host.post("/host/settings", data=data).text
    assert len(table.requests) == 4


def test_a_network_is_joined():
    """Only where the box offers networks. The password goes to the table, and is on no page."""
    table = RecordingTable(setting={"refusal": ""})
    table.settings = {"name": "", "locked": False, "rows": [], "networks": None}
    host = browser(table)
    assert "networks" not in host.get("/host/settings").text
    table.settings["networks"] = []
    page = host.get("/host/settings").text
    assert re.findall(r'name="setting" value="([a-z-]+)"', page) == ["name", "clock", "networks"]
    table.settings["networks"] = [["<Café>", True, True], ["Home: net 1", False, False]]
    page = host.get("/host/settings").text
    assert '<option value="&lt;Café&gt;">&lt;Café&gt; (in use)</option>' in page
    table.wait_for_answers["setting"] = {"refusal": "The network didn't let the box in."}
    sent = {"setting": "join", "text": "Home: net 1", "password": " pass word1"}
    answer = host.post("/host/settings", data=sent)
    assert table.requests[-1][1:] == ("setting", "join - Home: net 1\t pass word1")
    assert "let the box in." in answer.text
    assert "pass word1" not in answer.text
    assert answer.headers["cache-control"] == "no-store"

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

from companion.evening.model import Session
from companion.evening.screens.messages import Goodbye
from companion.evening.session_values import PhoneAccess
from companion.rounds.stored import StoredHistory
from companion.table.phone_view import client_snapshot
from companion.table.public_state import public_state
from companion.web.app import BigScreen, render_template, web_application
from companion.web.clients import PHONE_COOKIE, hash_secret
from companion.web.player_pages import PlayerPages
from companion.web.table_client import TableClient

HOME = "http://192.168.1.20:8027"
GET_PATHS = ["/host", "/host/history", "/host/round/1", "/host/round/1/change", "/host/round/1/picture", "/host/names",
        "/host/pad", "/host/report?day=2026-11-21"]  # fmt: skip
POST_PATHS = ["/host/names", "/host/pad", "/host/round/1/change"]


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
            stream = (await BigScreen(table, PlayerPages(table, render_template)).host_events(request)).body_iterator
            found = [await anext(stream) for _ in range(2)]
            await stream.aclose()
            return found

        return asyncio.run(sent())

    table = RecordingTable()
    assert not any("The table cannot be reached." in each for each in first_events(table))
    table.public = None
    events = first_events(table)
    assert [each.split("\n")[0] for each in events] == ["event: sheet", "event: box"]
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
    assert "<option selected>Anna</option>" in page


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
    assert page.index("Download the report") < page.index("Rounds</h2>")


def test_an_entry_that_cannot_be_chosen_says_why(new_table):
    """Whether or not the cursor is on the entry, a tap shows the reason, as at the box."""
    table, served = new_table("ziggurat"), RecordingTable()
    table.press("*", "C", "C")
    assert served.host
    table.session = table.session._replace(phones=PhoneAccess(is_on=True, host=served.host))

    def page() -> str:
        snapshot = client_snapshot(table.session)
        served.public, served.remote = snapshot["public"], snapshot["remote"]
        return browser(served).get("/host").text

    lines = public_state(table.session)["content"]["lines"]
    for at, line in enumerate(lines, 1):
        button = re.search(rf'<button[^>]* value="pick {at}"[^>]*>', page())[0]
        assert ('aria-disabled="true"' in button) == bool(line["why"])
    greyed = next(at for at, line in enumerate(lines, 1) if line["why"])
    assert table.session.screen.cursor == greyed - 1
    assert table.request(served.host, "press", f"{served.remote['seen']} pick {greyed}") == ""
    assert lines[greyed - 1]["why"] in unescape(page())


def editable_answer(**more) -> dict:
    """What the box answers about a finished round that can be changed."""
    answer_data = {
        "number": 5,
        "game": "27",
        "date": "2026-11-21",
        "players": [["Ann", 12], ["Ben", 6]],
        "told": "Ann wins",
    }
    return {"record": {"found": answer_data | {"void": False, "pad": False, "text": "1: 1x1\n", "fault": ""} | more}}


CHANGE = "/host/round/5/change"


def test_a_changed_record_goes_to_the_table_whole():
    """Its lines are sent as they were written; then the round is shown again."""
    table = RecordingTable(**editable_answer())
    page = browser(table).get(CHANGE).text
    assert re.search(r"<textarea[^>]*>\n1: 1x1\n</textarea>", page)
    answer = browser(table).post(CHANGE, data={"what": "correct", "text": "1: 2x2\r\n2: 1x3"})
    assert (answer.status_code, answer.headers["location"]) == (303, CHANGE)
    assert table.requests[-1] == (table.host, "correct", "5 1: 2x2\n2: 1x3")


def test_a_change_that_is_refused_is_not_lost():
    """The refusal is shown above the text, which is no markup."""
    table = RecordingTable(**editable_answer(), correct={"refusal": "Line 1, 1: x: no."})
    page = browser(table).post(CHANGE, data={"what": "correct", "text": "1: </textarea><b>"}).text
    assert "Line 1, 1: x: no." in page
    assert "1: &lt;/textarea&gt;&lt;b&gt;</textarea>" in page
    assert "too long" in browser(table).post(CHANGE, data={"what": "correct", "text": "\x01" * 10_000}).text


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

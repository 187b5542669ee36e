"""The television's and organiser's pages: whatever a table sends is text or a picture, never part of the page."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
import time
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest
from club_night import CLUB_NAME, PATIENCE_SECONDS, RunningThread, wait_until
from ports import free_port
from starlette.testclient import TestClient

from companion import games
from companion.club import broker_client
from companion.club import club_server as hall_module
from companion.club.club_server import ClubServer
from companion.club.club_store import ClubStore, RoundRow
from companion.club.mqtt_messages import EntryPosition, Link, LogMessage, StateMessage
from companion.club.uplink import board_texts
from companion.club.web import television
from companion.club.web.rendering import CLUB_WEB_FOLDER, TABLE_WEB_FOLDER, natural_key
from companion.club.web.television import ClubNightView, board_picture, club_application, result_text, table_view
from companion.languages import in_language, plural_text, text, text_from_json, texts_to_json
from companion.store.history import START_POSITION

EVIL_NAME = '<script>alert("x")</script>'
PUBLIC_SNAPSHOT = {
    "moment": "playing",
    "game": "27",
    "players": [{"name": "Ann", "score": 12, "turn": True}, {"name": "Ben", "score": None, "turn": False}],
    "board": '<svg class="board"><rect class="seat1"/></svg>',
    "result": None,
}


@pytest.fixture
def pages(tmp_path, finished_rounds):
    """The pages of a club server with a round of table-2, and a dictionary of last states to be filled."""
    writer = ClubStore(tmp_path)
    with writer.transaction():
        message = LogMessage("a" * 32, START_POSITION, EntryPosition(1, 1), 1, 1, finished_rounds[0].record_text)
        writer.store_message("table-2", message, time.strftime("%Y-%m-%dT%H:%M:%S%z"))
        text = re.sub("^players: .*$", "players: Vic, Walt", finished_rounds[0].record_text, flags=re.M)
        message = LogMessage("a" * 32, EntryPosition(1, 1), EntryPosition(2, 2), 2, 2, text)
        writer.store_message("table-2", message, "2020-11-21T20:15:00+0100")
        writer.add_note("table-2", EVIL_NAME, "2026-11-21T20:15:00+0100")
    reader = ClubStore(tmp_path, as_server=False)
    last_states: dict[str, StateMessage] = {}
    view = ClubNightView(lambda: last_states, reader)
    with TestClient(
        club_application(view), base_url="http://192.168.1.20:8028", client=("192.168.1.7", 50_000)
    ) as client:
        client.last_states, client.night, client.club_store = last_states, view, writer
        yield client
    reader.close()
    writer.close()


def board_svg(**more) -> StateMessage:
    return StateMessage("a" * 32, True, public=PUBLIC_SNAPSHOT | more)


def test_tables_results_and_standings_are_shown(pages):
    """One page has who plays what where, whose turn it is, who is not connected, and the standings."""
    pages.last_states.update({"table-10": board_svg(), "table-9": StateMessage("b" * 32, False)})
    page = pages.get("/").text
    assert page.index("table-9") < page.index("table-10")
    for words in ("not connected", "Ann", "to move", "Latest results", "tonight", "27"):
        assert words in page
    standings = page[page.index("tonight") :]
    assert "Vic" in page
    assert "Vic" not in standings, "years ago"
    pages.last_states["table-10"] = board_svg(result={"winners": ["Ben"], "reason": "x"})
    assert "Ben wins" in pages.get("/").text


@pytest.mark.parametrize(
    ("public", "state"),
    [
        (None, "not switched on"),
        ({"game": "", "players": []}, "free"),
        ({"game": "27"}, "playing"),
        ({"game": "27", "sheet": {"over": True}}, "just finished"),
    ],
)
def test_the_state_of_each_table_is_said_in_words(pages, public, state):
    pages.last_states["table-1"] = StateMessage("a" * 32, True, public=public)
    assert f'<span class="state">{state}</span>' in pages.get("/").text


def test_a_table_that_is_gone_was_last_seen_at_a_time(pages):
    """The time alone, if that was today."""
    pages.last_states["table-2"] = StateMessage("a" * 32, False)
    today = time.strftime("%Y-%m-%d")
    for seen, said in (("2020-11-21T20:15:00+0100", "2020-11-21 20:15"), (f"{today}T19:12:00+0100", "19:12")):
        with pages.club_store.transaction():
            pages.club_store.save_seen_time("a" * 32, seen)
        assert f"not connected, last seen {said}<" in pages.get("/").text
    pages.last_states["table-3"] = StateMessage("b" * 32, False)
    assert '<span class="state">not connected</span>' in pages.get("/").text


@pytest.mark.parametrize(("now", "counts"), [("04:30", True), ("05:30", False)])
def test_a_club_night_ends_at_five(pages, monkeypatch, now, counts):
    """At five in the morning, as on the panel and in reports."""
    monkeypatch.setattr(television, "timestamp_now", lambda: f"2020-11-22T{now}:00+0100")
    page = pages.get("/").text
    assert ("Vic" in page[page.index("tonight") :]) == counts


FREE_TABLE = {"moment": "menu", "game": "", "players": [], "board": ""}


def test_waiting_tables_are_shown(pages):
    """These are connected tables without a round, or with one that is over."""
    pages.last_states.update(
        {"table-1": board_svg(), "table-2": board_svg(**FREE_TABLE), "table-3": StateMessage("c" * 32, False)}
    )
    pages.last_states["table-4"] = board_svg(result={"winners": ["Ben"], "reason": "x"})
    pages.last_states["table-5"] = board_svg(sheet={"over": True})
    waits = pages.night.television_view()()["waits"]
    assert re.findall(r"<b>(.*?)</b>( .*just)?", waits) == [
        ("table-2", ""), *((name, ' <small>just') for name in ("table-4", "table-5")),
    ]  # fmt: skip
    assert waits in pages.get("/").text
    pages.last_states.clear()
    pages.last_states["table-1"] = board_svg()
    assert pages.night.television_view()()["waits"] == ""
    assert "Waiting" not in pages.get("/").text


def test_the_longest_waiting_table_comes_first(pages):
    """A table keeps its place while it waits, and goes to the end after a round."""
    names = ["table-1", "table-2", "table-3"]
    for name in reversed(names):
        pages.last_states.update(
            {each: pages.last_states.get(each, board_svg()) for each in names} | {name: board_svg(**FREE_TABLE)}
        )
        pages.night.television_view()()
    pages.last_states["table-2"] = board_svg(**FREE_TABLE | {"moment": "setup"})
    assert re.findall("<b>(.*?)</b>", pages.night.television_view()()["waits"]) == ["table-3", "table-2", "table-1"]
    pages.last_states["table-3"] = board_svg()
    pages.night.television_view()()
    pages.last_states["table-3"] = board_svg(**FREE_TABLE)
    assert re.findall("<b>(.*?)</b>", pages.night.television_view()()["waits"]) == ["table-2", "table-1", "table-3"]


def test_free_tables_come_first(pages):
    """Then come tables with a round; tables that are not connected get no pairing."""
    pages.last_states.update(
        {"table-1": board_svg(), "table-10": board_svg(**FREE_TABLE), "table-3": board_svg(**FREE_TABLE)}
    )
    pages.last_states["table-2"] = StateMessage("c" * 32, False)
    assert pages.night.connected_tables() == ["table-3", "table-10", "table-1"]


@pytest.mark.parametrize(
    "public",
    [
        {"players": [{"name": EVIL_NAME, "score": EVIL_NAME, "turn": True}]},
        {"game": EVIL_NAME, "result": {"winners": [EVIL_NAME]}},
        {"board": f"<svg>{EVIL_NAME}</svg>"},
        {"board": f'" onerror="{EVIL_NAME}'},
        {"players": EVIL_NAME, "board": [EVIL_NAME], "result": EVIL_NAME, "game": [EVIL_NAME]},
        {"players": [None, EVIL_NAME, {"name": [EVIL_NAME], "score": 10**5000, "turn": EVIL_NAME}] * 50},
        {"result": {"winners": [EVIL_NAME] * 1000}},
        {"board": "<svg>" + "x" * 1_000_000},
        {"game": "", "sheet": [EVIL_NAME], "result": EVIL_NAME},
    ],
)
def test_data_of_a_table_never_becomes_markup(pages, public):
    """Names, scores and pictures of a hostile table are text, an image, or left out."""
    pages.last_states["table-1"] = board_svg(**public)
    page = pages.get("/").text
    assert EVIL_NAME not in page
    assert "onerror" not in page
    assert len(page) < 600_000
    assert "default-src 'none'" in pages.get("/").headers["content-security-policy"]


def test_a_board_is_a_picture_with_the_colours_of_the_pages():
    """Nothing in a picture can run; the pages' stylesheet of boards is in it."""
    view = table_view("table-1", board_svg())
    kind, _, data = view.picture.partition(",")
    assert kind == "data:image/svg+xml;base64"
    svg = base64.b64decode(data).decode()
    assert svg.startswith('<svg xmlns="http://www.w3.org/2000/svg" class="board"><style>')
    style = (TABLE_WEB_FOLDER / "static" / "board.css").read_text()
    assert style in svg  # The whole stylesheet is there.
    assert "[class*=seat1] { --me: " in style
    assert ".board [class^=seat] { fill: var(--me); }" in style
    assert "prefers-color-scheme: dark" in style
    defined = set(re.findall(r"(--[\w-]+):", style + (TABLE_WEB_FOLDER / "static" / "page.css").read_text()))
    for file in (*(TABLE_WEB_FOLDER / "static").glob("*.css"), *(CLUB_WEB_FOLDER / "static").glob("*.css")):
        used = file.read_text()
        assert set(re.findall(r"var\((--[\w-]+)", used)) <= defined | set(re.findall(r"(--[\w-]+):", used)), file


def test_every_page_has_the_colours(pages):
    """The colours are loaded before the stylesheets that use them."""
    page = pages.get("/").text
    assert 0 < page.index("/static/board.css") < page.index("/static/page.css") < page.index("/club.css")
    assert pages.get("/static/board.css").status_code == 200


def test_the_organiser_sees_tables_and_sentences(pages):
    """How many rounds each has sent, what is on its way, and what was refused; all as text."""
    pages.last_states["table-2"] = StateMessage("a" * 32, True, waiting=7)
    page = pages.get("/organiser").text
    assert "<td>7</td>" in page
    assert EVIL_NAME not in page
    assert "&lt;script&gt;" in page


def test_an_unreachable_broker_is_reported_at_once(tmp_path, monkeypatch):
    """The page has the address, the time and what to do."""
    monkeypatch.setattr(hall_module, "POLL_SECONDS", 0.02)
    monkeypatch.setattr(broker_client, "RETRY_PAUSE_SECONDS", (0.05, 1))
    link = Link("hall", "secret", "127.0.0.1", free_port(), CLUB_NAME)
    with closing(ClubStore(tmp_path)) as intake:
        night = ClubServer(link, intake)
        messages = []
        night.set_on_change(lambda: messages.append(view.render_notes()["notes"]))
        view = ClubNightView(lambda: night.last_states, intake, disconnection=lambda: night.disconnection_sentence)
        assert "No table has connected yet." in view.render_notes()["notes"], "it has not been tried yet"
        running = RunningThread(night)
        wait_until(lambda: messages)
        running.stop()
        (notes,) = messages
        assert "No table has connected yet." not in notes
        today = time.strftime("%Y-%m-%d")
        assert f"no connection to the broker at 127.0.0.1:{link.port} since {today}" in notes
        assert "`sudo systemctl restart companion-broker`" in notes


def test_without_the_broker_no_table_is_called_connected(pages):
    pages.last_states["table-2"] = StateMessage("a" * 32, True)
    assert "<td>connected</td>" in pages.get("/organiser").text
    assert "not switched on" in pages.get("/").text
    pages.night.disconnection = lambda: "gone."
    television_page = pages.get("/").text
    assert '<span class="state">unknown</span>' in television_page
    assert "No connection to the tables" in television_page
    assert "not switched on" not in television_page
    page = pages.get("/organiser").text
    assert "<td>unknown</td>" in page
    assert "<td>connected</td>" not in page


@pytest.mark.drill
def test_the_organiser_sees_when_the_broker_went(tmp_path, broker):
    """A killed Mosquitto is reported until it is back, always with the time at which it went."""
    (tmp_path / "hall.link").write_text(str(broker.link("hall")))
    port = free_port()
    serve = ["serve", "--link", tmp_path / "hall.link", "--page", str(port)]

    def lost() -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/organiser") as answer:
            found = re.search("no connection to the broker at 127.0.0.1:[^,]*", answer.read().decode())
        return found[0] if found else ""

    with open(tmp_path / "log", "wb") as log:
        command = [Path(sys.executable).with_name("companion"), "hall", "--data", tmp_path / "hall", *serve]
        hall = subprocess.Popen(command, stderr=log)
    try:
        wait_until(lambda: "connected to the broker" in (tmp_path / "log").read_text())
        assert lost() == ""
        broker.kill()
        first = wait_until(lost)
        wait_until(lambda: "cannot be reached" in (tmp_path / "log").read_text())
        assert lost() == first
        broker.start()
        wait_until(lambda: not lost())
    finally:
        hall.kill()
        hall.wait(PATIENCE_SECONDS)


def test_only_changed_parts_are_sent_again(pages):
    """Only the parts of a table that has moved are sent."""
    pages.last_states.update({"table-1": board_svg(), "table-2": board_svg()})
    view = pages.night.television_view()
    before = view()
    pages.last_states["table-1"] = board_svg(game="other")
    after = view()
    assert [name for name in after if after[name] != before[name]] == ["table-table-1"]


def test_the_tables_part_has_the_newest_cards(pages):
    """A change before a page's first event, or together with a new table, is in the part with all tables."""
    pages.last_states["table-1"] = StateMessage("a" * 32, False)
    assert "not connected" in pages.get("/").text
    pages.last_states["table-1"] = board_svg()
    view = pages.night.television_view()
    first = view()
    assert first["table-table-1"] in first["places"]
    pages.last_states.update({"table-1": board_svg(game="other"), "table-2": board_svg()})
    second = view()
    assert second["table-table-1"] in second["places"]
    assert first["table-table-1"] != second["table-table-1"]


def test_other_networks_are_not_served(pages):
    """The guard of the table's pages protects these too."""
    assert pages.get("/", headers={"host": "evil.example"}).status_code == 421
    assert pages.post("/", headers={"origin": "http://evil.example"}).status_code == 403


def test_names_are_in_the_order_of_their_numbers():
    """Table 10 comes after table 9."""
    assert sorted(["t-10", "a", "t-9", "7"], key=natural_key) == ["7", "a", "t-9", "t-10"]
    assert json.dumps(natural_key("t-9"))


HOSTILE_SVG = {
    "nested uses": "<svg><g id='a'/>" + "".join(f'<use href="#{c}"/>' for c in "abcdefgh") + "</svg>",
    "double quoted use": '<svg><use href="#a"/></svg>',
    "definitions": "<svg><defs></defs></svg>",
    "entities": '<svg><!ENTITY a "aaaa"></svg>',
    "a comment": "<svg><!-- <rect/> --></svg>",
    "a filter": '<svg><rect filter="url(#f)"/></svg>',
    "a style": '<svg><rect style="filter: blur(9999px)"/></svg>',
    "dashes": '<svg><line stroke-dasharray="0.0001"/></svg>',
    "an animation": '<svg><animate attributeName="x"/></svg>',
    "another picture": '<svg><image href="data:,"/></svg>',
    "a page": "<svg><foreignObject/></svg>",
    "a name space": "<svg><x:use/></svg>",
    "too many parts": "<svg>" + "<rect/>" * 11_000 + "</svg>",
    "a broken tag": "<svg><rect <rect/></svg>",
}


@pytest.mark.parametrize("what", HOSTILE_SVG)
def test_a_drawing_that_could_hang_a_browser_is_left_out(what):
    assert table_view("table-1", board_svg(board=HOSTILE_SVG[what])).picture == ""


def test_boards_of_every_game_are_shown(finished_rounds):
    """At each position of a round."""
    for played in finished_rounds:
        drawn = games.load_board(played.header.game)
        for state in played.states[::5]:
            drawing = str(drawn.draw(played.rules.seat_view(state, None), ("Ann & <Ben>", 'C"d'), None))
            assert board_picture(drawing, {}), drawing


def test_a_board_is_in_the_language_of_the_page(finished_rounds):
    """A table sends its words in English and by their parts. A player's name may be any word."""
    texts = [text("level {level}", level=3), text("{number} left", number=12), text("{pile} in the deck", pile=60)]
    texts.append(plural_text(2, "{number} tile on display", "{number} tiles on display"))
    plain = ["Undo", "&lt;A &amp; B&gt;", "level 4"]
    svg = "".join(f'<text x="1">{words}</text>' for words in (*texts, *plain))
    sent = json.loads(json.dumps({str(each): texts_to_json(each) for each in texts}))
    with in_language("de"):
        said = [f"{each}" for each in texts]
        assert not set(said) & set(texts)
        assert svg_words(board_picture(f"<svg>{svg}</svg>", sent)) == [*said, *plain]
        for played in finished_rounds:
            for state in played.states[::5]:
                view = played.rules.seat_view(state, None)
                words_in_german = words_in_language(played, view, "de")
                with in_language("en"):
                    public = json.loads(
                        json.dumps(texts_to_json({"board": words_in_language(played, view, "en")})),
                        object_hook=text_from_json,
                    )
                    board, words = str(public["board"]), board_texts(public)
                assert svg_words(board_picture(board, words)) == svg_words(board_picture(words_in_german, {}))
    assert svg_words(board_picture(f"<svg>{svg}</svg>", sent)) == [*texts, *plain]


@pytest.mark.parametrize(
    "parts",
    [
        "level {level}",
        {"text": "level {level}"},
        {"text": "{x.__class__}", "values": {"x": 1}, "number": None},
        {"text": "{level:>999999999}", "values": {"level": 1}, "number": None},
        {"text": "level {level}", "values": {"level": ["3"]}, "number": None},
        {"text": "level {level}", "values": {"level": "3" * 5000}, "number": None},
        {"text": "level {level}", "values": {"height": 3}, "number": None},
        {"text": "level {level}", "values": {"level": 3}, "number": "3"},
        {"text": 3, "values": {}, "number": None},
    ],
)
def test_unknown_texts_of_a_board_stay_in_english(parts):
    """A table may send anything as the parts of its words."""
    with in_language("de"):
        assert svg_words(board_picture('<svg><text x="1">level 3</text></svg>', {"level 3": parts})) == ["level 3"]


def svg_words(picture):
    """The words in a picture's data URL."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", base64.b64decode(picture.partition(",")[2]).decode())


def words_in_language(played, view, language):
    """The words of a board as a page shows them in a language."""
    with in_language(language):
        return str(games.load_board(played.header.game).draw(view, ("Ann & <Ben>", 'C"d'), None))


@pytest.mark.parametrize(
    ("game", "players", "result", "words"),
    [
        ("27", ("Ann", "Ben"), "6 12 winners 2", "Ben 12 : 6 Ann"),
        ("27", ("Ann", "Ben"), "12 6 winners 1", "Ann 12 : 6 Ben"),
        ("27", ("Ann", "Ben"), "8 8 winners 1 2", "Ann 8 : 8 Ben"),
        ("27", ("Ann", "Ben", "Cleo", "Dan"), "1 2 9 4 winners 3", "Cleo wins, 9 : 1 : 2 : 4"),
        ("coral-reef", ("Ann", "Ben"), "1 0 winners 1", "Ann beat Ben"),
    ],
)
def test_the_winner_s_points_come_first(game, players, result, words):
    assert result_text(RoundRow(1, "table-1", 1, game, players, result, "", "")).replace("\u00a0", " ") == words


def test_a_pairing_that_a_box_offers_calls_its_players():
    """They are named on the table's card, and the table does not count as waiting."""
    content = {"kind": "pairing", "title": "table-4", "names": ["Ann", "Ben"], "game": "27 basic"}
    state = board_svg(game="", players=[], board="", content=content)
    view = table_view("table-4", state)
    assert (view.state, [seat.name for seat in view.seats], view.game) == ("please come", ["Ann", "Ben"], "27 basic")


def test_more_than_sixteen_tables_are_shown_in_turn(pages):
    pages.last_states.update({f"table-{n}": board_svg() for n in range(1, 36)})
    page = pages.get("/").text
    assert page.count('class="tables slide"') == 3
    assert page.count('sse-swap="table-') == 35


def test_an_unknown_address_has_a_page_with_links(pages):
    answer = pages.get("/tournament")
    assert answer.status_code == 404
    assert "This page does not exist" in answer.text
    assert 'href="/tournaments"' in answer.text

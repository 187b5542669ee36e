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
from club_night import CLUB, PATIENCE, Running, until
from ports import free_port
from starlette.testclient import TestClient

from companion import games
from companion.club import hall as hall_module
from companion.club import mqtt
from companion.club.hall import ClubServer
from companion.club.intake import ClubStore
from companion.club.messages import Link, LogMessage, EntryPosition, StateMessage
from companion.club.uplink import board_texts
from companion.club.web import television
from companion.club.web.rendering import CLUB_WEB_FOLDER, TABLE_WEB_FOLDER, natural_key
from companion.club.web.television import ClubNightView, club_application, result_text, board_picture, table_view
from companion.languages import plural_text, pack_texts, in_language, text, unpack_text
from companion.store.history import START_POSITION

EVIL = '<script>alert("x")</script>'
PUBLIC = {
    "moment": "playing",
    "game": "27",
    "players": [{"name": "Ann", "score": 12, "turn": True}, {"name": "Ben", "score": None, "turn": False}],
    "board": '<svg class="board"><rect class="seat1"/></svg>',
    "panel": "iVBOR",
    "result": None,
}


@pytest.fixture
def hall(tmp_path, finished_rounds):
    """The pages of a club server with a round of table-2, and a dictionary of last states to be filled."""
    writer = ClubStore(tmp_path)
    with writer.transaction():
        message = LogMessage("a" * 32, START_POSITION, EntryPosition(1, 1), 1, 1, finished_rounds[0].record_text)
        writer.store_message("table-2", message, time.strftime("%Y-%m-%dT%H:%M:%S%z"))
        text = re.sub("^players: .*$", "players: Vic, Walt", finished_rounds[0].record_text, flags=re.M)
        message = LogMessage("a" * 32, EntryPosition(1, 1), EntryPosition(2, 2), 2, 2, text)
        writer.store_message("table-2", message, "2020-11-21T20:15:00+0100")
        writer.add_note("table-2", EVIL, "2026-11-21T20:15:00+0100")
    reader = ClubStore(tmp_path, as_server=False)
    last_states: dict[str, StateMessage] = {}
    night = ClubNightView(lambda: last_states, reader)
    with TestClient(club_application(night), base_url="http://192.168.1.20:8028", client=("192.168.1.7", 50_000)) as client:
        client.last_states, client.night = last_states, night
        yield client
    reader.close()
    writer.close()


def board(**more) -> StateMessage:
    return StateMessage("a" * 32, True, public=PUBLIC | more)


def test_every_table_the_results_and_the_standings_are_shown(hall):
    """One page has who plays what where, whose turn it is, who is not connected, and the standings."""
    hall.last_states.update({"table-10": board(), "table-9": StateMessage("b" * 32, False)})
    page = hall.get("/").text
    assert page.index("table-9") < page.index("table-10")
    for words in ("not connected", "Ann", "to move", "Latest results", "tonight", "27"):
        assert words in page
    standings = page[page.index("tonight") :]
    assert "Vic" in page
    assert "Vic" not in standings, "years ago"
    hall.last_states["table-10"] = board(result={"winners": ["Ben"], "reason": "x"})
    assert "Ben wins" in hall.get("/").text


@pytest.mark.parametrize(("now", "counts"), [("04:30", True), ("05:30", False)])
def test_the_clubs_evening_ends_when_that_of_a_table_does(hall, monkeypatch, now, counts):
    """At five in the morning, as on the panel and in reports."""
    monkeypatch.setattr(television, "timestamp_now", lambda: f"2020-11-22T{now}:00+0100")
    page = hall.get("/").text
    assert ("Vic" in page[page.index("tonight") :]) == counts


FREE = {"moment": "menu", "game": "", "players": [], "board": ""}


def test_who_waits_for_a_round_is_shown(hall):
    """These are connected tables without a round, or with one that is over."""
    hall.last_states.update({"table-1": board(), "table-2": board(**FREE), "table-3": StateMessage("c" * 32, False)})
    hall.last_states["table-4"] = board(result={"winners": ["Ben"], "reason": "x"})
    hall.last_states["table-5"] = board(sheet={"over": True})
    waits = hall.night.television_view()()["waits"]
    assert re.findall(r"<b>(.*?)</b>( .*just)?", waits) == [
        ("table-2", ""), *((name, ' <span class="game">just') for name in ("table-4", "table-5")),
    ]  # fmt: skip
    assert waits in hall.get("/").text
    hall.last_states.clear()
    hall.last_states["table-1"] = board()
    assert hall.night.television_view()()["waits"] == ""
    assert "Waiting" not in hall.get("/").text


def test_who_has_waited_longest_comes_first(hall):
    """A table keeps its place while it waits, and goes to the end after a round."""
    names = ["table-1", "table-2", "table-3"]
    for name in reversed(names):
        hall.last_states.update({each: hall.last_states.get(each, board()) for each in names} | {name: board(**FREE)})
        hall.night.television_view()()
    hall.last_states["table-2"] = board(**FREE | {"moment": "setup"})
    assert re.findall("<b>(.*?)</b>", hall.night.television_view()()["waits"]) == ["table-3", "table-2", "table-1"]
    hall.last_states["table-3"] = board()
    hall.night.television_view()()
    hall.last_states["table-3"] = board(**FREE)
    assert re.findall("<b>(.*?)</b>", hall.night.television_view()()["waits"]) == ["table-2", "table-1", "table-3"]


def test_pairings_go_to_free_tables_first(hall):
    """Then come tables with a round; tables that are not connected get no pairing."""
    hall.last_states.update({"table-1": board(), "table-10": board(**FREE), "table-3": board(**FREE)})
    hall.last_states["table-2"] = StateMessage("c" * 32, False)
    assert hall.night.connected_tables() == ["table-3", "table-10", "table-1"]


@pytest.mark.parametrize(
    "public",
    [
        {"players": [{"name": EVIL, "score": EVIL, "turn": True}]},
        {"game": EVIL, "result": {"winners": [EVIL]}},
        {"board": f"<svg>{EVIL}</svg>"},
        {"board": "", "panel": f'" onerror="{EVIL}'},
        {"players": EVIL, "board": [EVIL], "panel": {}, "result": EVIL, "game": [EVIL]},
        {"players": [None, EVIL, {"name": [EVIL], "score": 10**5000, "turn": EVIL}] * 50},
        {"result": {"winners": [EVIL] * 1000}},
        {"board": "<svg>" + "x" * 1_000_000},
        {"game": "", "sheet": [EVIL], "result": EVIL},
    ],
)
def test_what_a_table_sends_never_becomes_markup(hall, public):
    """Names, scores and pictures of a hostile table are text, an image, or left out."""
    hall.last_states["table-1"] = board(**public)
    page = hall.get("/").text
    assert EVIL not in page
    assert "onerror" not in page
    assert len(page) < 600_000
    assert "default-src 'none'" in hall.get("/").headers["content-security-policy"]


def test_a_board_is_a_picture_with_the_colours_of_the_pages():
    """Nothing in a picture can run; the pages' stylesheet of boards is in it."""
    view = table_view("table-1", board())
    kind, _, data = view.picture.partition(",")
    assert (kind, view.is_board) == ("data:image/svg+xml;base64", True)
    svg = base64.b64decode(data).decode()
    assert svg.startswith('<svg xmlns="http://www.w3.org/2000/svg" class="board"><style>')
    style = (TABLE_WEB_FOLDER / "static" / "board.css").read_text()
    assert style in svg  # The whole stylesheet is there.
    assert ".board .seat1" in style
    assert "prefers-color-scheme: dark" in style
    defined = set(re.findall(r"(--\w+):", style + (TABLE_WEB_FOLDER / "static" / "page.css").read_text()))
    for file in (*(TABLE_WEB_FOLDER / "static").glob("*.css"), *(CLUB_WEB_FOLDER / "static").glob("*.css")):
        used = file.read_text()
        assert set(re.findall(r"var\((--\w+)", used)) <= defined | set(re.findall(r"(--\w+):", used)), file


def test_every_page_has_the_colours(hall):
    """The colours are loaded before the stylesheets that use them."""
    page = hall.get("/").text
    assert 0 < page.index("/static/board.css") < page.index("/static/page.css") < page.index("/hall.css")
    assert hall.get("/static/board.css").status_code == 200


def test_the_organiser_sees_tables_and_sentences(hall):
    """How many rounds each has sent, what is on its way, and what was refused; all as text."""
    hall.last_states["table-2"] = StateMessage("a" * 32, True, waiting=7)
    page = hall.get("/organiser").text
    assert "<td>7</td>" in page
    assert EVIL not in page
    assert "&lt;script&gt;" in page


def test_an_unreachable_broker_is_not_reported_as_tables_that_never_came(tmp_path, monkeypatch):
    """The page has the address, the time and what to do."""
    monkeypatch.setattr(hall_module, "POLL_SECONDS", 0.02)
    monkeypatch.setattr(mqtt, "RETRY_PAUSE_SECONDS", (0.05, 1))
    link = Link("hall", "secret", "127.0.0.1", free_port(), CLUB)
    with closing(ClubStore(tmp_path)) as intake:
        night = ClubServer(link, intake)
        shown = []
        night.set_on_change(lambda: shown.append(view.render_notes()["notes"]))
        view = ClubNightView(lambda: night.last_states, intake, disconnection=lambda: night.disconnection)
        assert "No table has connected yet." in view.render_notes()["notes"], "it has not been tried yet"
        running = Running(night)
        until(lambda: shown)
        running.stop()
        (notes,) = shown
        assert "No table has connected yet." not in notes
        today = time.strftime("%Y-%m-%d")
        assert f"no connection to the broker at 127.0.0.1:{link.port} since {today}" in notes
        assert "`sudo systemctl restart companion-broker`" in notes


def test_no_table_is_called_here_or_away_without_the_broker(hall):
    hall.last_states["table-2"] = StateMessage("a" * 32, True)
    assert "<td>connected</td>" in hall.get("/organiser").text
    hall.night.disconnection = lambda: "gone."
    page = hall.get("/organiser").text
    assert "<td>unknown</td>" in page
    assert "<td>connected</td>" not in page


@pytest.mark.drill
def test_the_organiser_reads_when_the_broker_goes_and_comes(tmp_path, broker):
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
        until(lambda: "connected to the broker" in (tmp_path / "log").read_text())
        assert lost() == ""
        broker.kill()
        first = until(lost)
        until(lambda: "cannot be reached" in (tmp_path / "log").read_text())
        assert lost() == first
        broker.start()
        until(lambda: not lost())
    finally:
        hall.kill()
        hall.wait(PATIENCE)


def test_only_what_has_changed_is_sent_again(hall):
    """Only the parts of a table that has moved are sent."""
    hall.last_states.update({"table-1": board(), "table-2": board()})
    view = hall.night.television_view()
    before = view()
    hall.last_states["table-1"] = board(game="other")
    after = view()
    assert [name for name in after if after[name] != before[name]] == ["table-table-1"]


def test_places_are_made_with_the_newest_cards(hall):
    """A change before a page's first event, or together with a new table, is in the part with all tables."""
    hall.last_states["table-1"] = StateMessage("a" * 32, False)
    assert "not connected" in hall.get("/").text
    hall.last_states["table-1"] = board()
    view = hall.night.television_view()
    first = view()
    assert first["table-table-1"] in first["places"]
    hall.last_states.update({"table-1": board(game="other"), "table-2": board()})
    second = view()
    assert second["table-table-1"] in second["places"]
    assert first["table-table-1"] != second["table-table-1"]


def test_others_are_not_served(hall):
    """The guard of the table's pages protects these too."""
    assert hall.get("/", headers={"host": "evil.example"}).status_code == 421
    assert hall.post("/", headers={"origin": "http://evil.example"}).status_code == 403


def test_names_are_in_the_order_of_their_numbers():
    """Table 10 comes after table 9."""
    assert sorted(["t-10", "a", "t-9", "7"], key=natural_key) == ["7", "a", "t-9", "t-10"]
    assert json.dumps(natural_key("t-9"))


HOSTILE = {
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


@pytest.mark.parametrize("what", HOSTILE)
def test_a_drawing_that_could_hang_a_browser_is_left_out(what):
    """The panel's picture is shown instead."""
    view = table_view("table-1", board(board=HOSTILE[what]))
    assert (view.is_board, view.picture) == (False, "data:image/png;base64,iVBOR")


def test_every_game_s_boards_are_shown(finished_rounds):
    """At each position of a round."""
    for played in finished_rounds:
        drawn = games.load_board(played.header.game)
        for state in played.states[::5]:
            drawing = str(drawn.draw(played.rules.seat_view(state, None), ("Ann & <Ben>", 'C"d'), None))
            assert board_picture(drawing, {}), drawing


def test_a_board_is_in_the_language_of_the_page(finished_rounds):
    """A table sends its words in English and by their parts. A player's name may be any word."""
    made = [text("level {level}", level=3), text("{number} left", number=12), text("{pile} to draw", pile=60)]
    made.append(plural_text(2, "{number} tile on display", "{number} tiles on display"))
    plain = ["Undo", "&lt;A &amp; B&gt;", "level 4"]
    svg = "".join(f'<text x="1">{words}</text>' for words in (*made, *plain))
    sent = json.loads(json.dumps({str(each): pack_texts(each) for each in made}))
    with in_language("de"):
        said = [f"{each}" for each in made]
        assert not set(said) & set(made)
        assert words_of(board_picture(f"<svg>{svg}</svg>", sent)) == [*said, *plain]
        for played in finished_rounds:
            for state in played.states[::5]:
                view = played.rules.seat_view(state, None)
                here = drawn_for(played, view, "de")
                with in_language("en"):
                    public = json.loads(
                        json.dumps(pack_texts({"board": drawn_for(played, view, "en")})), object_hook=unpack_text
                    )
                    board, words = str(public["board"]), board_texts(public)
                assert words_of(board_picture(board, words)) == words_of(board_picture(here, {}))
    assert words_of(board_picture(f"<svg>{svg}</svg>", sent)) == [*made, *plain]


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
def test_no_words_of_a_board_are_made_of_what_is_no_text_of_ours(parts):
    """A table may send anything as the parts of its words."""
    with in_language("de"):
        assert words_of(board_picture('<svg><text x="1">level 3</text></svg>', {"level 3": parts})) == ["level 3"]


def words_of(picture):
    """The words in a picture's data URL."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", base64.b64decode(picture.partition(",")[2]).decode())


def drawn_for(played, view, language):
    """The words of a board as a page shows them in a language."""
    with in_language(language):
        return str(games.load_board(played.header.game).draw(view, ("Ann & <Ben>", 'C"d'), None))


@pytest.mark.parametrize(
    ("players", "result", "words"),
    [
        (("Ann", "Ben"), "6 12 winners 2", "Ben 12 : 6 Ann"),
        (("Ann", "Ben"), "12 6 winners 1", "Ann 12 : 6 Ben"),
        (("Ann", "Ben"), "8 8 winners 1 2", "Ann 8 : 8 Ben"),
        (("Ann", "Ben", "Cleo", "Dan"), "1 2 9 4 winners 3", "Cleo wins, 9 : 1 : 2 : 4"),
    ],
)
def test_the_winner_s_points_come_first(players, result, words):
    assert result_text(players, result).replace("\u00a0", " ") == words


def test_more_than_sixteen_tables_are_shown_in_turn(hall):
    hall.last_states.update({f"table-{n}": board() for n in range(1, 36)})
    page = hall.get("/").text
    assert page.count('class="tables slide"') == 3
    assert page.count('sse-swap="table-') == 35


def test_what_is_no_page_is_said_with_the_way_on(hall):
    answer = hall.get("/tournament")
    assert answer.status_code == 404
    assert "This page does not exist" in answer.text
    assert 'href="/tournaments"' in answer.text

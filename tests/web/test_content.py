"""The pages show the box's content as text: every kind of content has a template block, and no page shows the panel."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import pytest
import sheet_of_menus
import sheet_of_rounds
from screen_sheet import KEY_SETS, ScreenSheet

from companion.evening.contents import kinds
from companion.evening.contents.plain_data import content_data
from companion.evening.screens.base_screen import open_due_screens
from companion.evening.screens.phones.remote_keys import public_session
from companion.games.api.screen import PeekScene
from companion.rounds.stored import FinishedRound, StoredHistory
from companion.table.public_state import public_state
from companion.web import app
from companion.web.app import render_table, render_template

DOCS = Path(__file__).parents[2] / "docs"
KINDS = {kind.__name__.lower(): kind for kind in get_args(kinds.Content)}


@pytest.fixture(scope="module")
def all_moments(typed_keys, picked_keys):
    """All moments of the sheets, with both sets of keys."""
    found = []
    for keys in KEY_SETS:
        sheet = ScreenSheet(keys)
        sheet_of_menus.add_all_pictures(sheet)
        sheet_of_rounds.add_all_pictures(sheet, picked_keys if keys == "buttons" else typed_keys)
        found += sheet.pictures.values()
    return found


NOTED_KINDS = ("choice", "amount", "form", "letters", "question", "phonequestion")
"""Kinds of content of which the big screen shows only a note."""


def texts_in(value) -> list[str]:
    """All texts in content data, but for keys and the names of icons and games, which no page shows."""
    if isinstance(value, dict):
        visible = (each for key, each in value.items() if key not in ("kind", "answers", "icon", "game", "key"))
        return [word for each in visible for word in texts_in(each)]
    if isinstance(value, list):
        return [word for each in value for word in texts_in(each)]
    return [value] if isinstance(value, str) and value else []


def test_every_moment_is_shown_as_text(all_moments):
    """The content is plain data, and the big screen has its title or first words, never the panel's picture.

    Menus and inputs of the box are a note in its foot: before a round their title, else what kind of thing is open.
    """
    met = set()
    for moment in all_moments:
        snapshot = json.loads(json.dumps(public_state(moment.session)))
        page = render_table(snapshot, page_url="http://192.168.1.20:8027/")
        assert "<img" not in page, moment.name
        content = snapshot["content"]
        assert content is not None, moment.name
        met.add(content["kind"])
        spoken = re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", page))
        if snapshot["board"] or snapshot["sheet"]:
            assert content["kind"] == "matchresult" or _rendered_text(snapshot["box"]) in spoken, moment.name
            assert snapshot["board"] or snapshot["sheet"]["names"][0] in spoken, moment.name
            continue
        first = next(iter(texts_in(content)), "")
        if content["kind"] in NOTED_KINDS:
            first = snapshot["box"] if content["kind"] == "question" else content.get("title") or snapshot["box"]
        if content["kind"] == "code":
            first = "Join with your phone"
        assert not first or re.sub(r"\s+", " ", _rendered_text(first)) in spoken, (moment.name, first)
    # The first two are private; during the rest view a page has the board.
    assert met >= KINDS.keys() - {"ownpieces", "mend", "rest"}


def _rendered_text(said: str) -> str:
    from markupsafe import escape

    return str(escape(said))


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - {"ownpieces", "mend"}))
def test_every_kind_of_content_has_a_template_block(kind):
    """A new kind of content fails here until it has a block."""
    source = (Path(__import__("companion.web").web.__file__).parent / "templates" / "content.html").read_text("utf-8")
    assert re.search(rf'content\.kind (== |in \([^)]*)"{kind}"', source)


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["Organiser", "has closed this pairing.", ""], "Organiser has closed this pairing."),
        (["Nothing changed", "The round is over.", "Press OK"], "Nothing changed. The round is over."),
    ],
)
def test_a_message_of_two_lines_is_one_sentence_unless_the_second_begins_one(lines, sentence):
    """A stop stands between two sentences, and not between a name and what that player did."""
    source = "{% from 'content.html' import notice %}{{ notice(lines) }}"
    page = app.TEMPLATES.from_string(source).render(lines=lines)
    assert re.search(r"<h2>(.*?)</h2>", page)[1] == sentence


def test_every_kind_is_in_the_docs():
    """The page about the socket lists each kind with the first line of its class's docstring, and no other kind."""
    text = (DOCS / "socket.md").read_text("utf-8").partition("## Content")[2]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", text, re.M))
    assert rows == {name: kind.__doc__.splitlines()[0] for name, kind in KINDS.items()}


def test_private_pieces_are_no_content_for_others(all_moments):
    """While a player corrects or looks at pieces, everybody else gets the privacy screen's content."""
    private = [each for each in all_moments if not each.session.screen.is_public]
    assert len(private) > 10
    for moment in private:
        by_all = public_session(moment.session)
        plain_data = content_data(by_all.screen.content(by_all))
        assert plain_data["kind"] not in ("ownpieces", "mend")
        assert plain_data == public_state(moment.session)["content"]


def test_content_data_has_no_private_pieces(all_moments):
    """Even without the privacy screen, the data of private content is its kind and no more."""
    met = set()
    for moment in all_moments:
        plain_data = content_data(moment.session.screen.content(moment.session))
        if plain_data["kind"] in ("ownpieces", "mend"):
            met.add(plain_data["kind"])
            assert plain_data == {"kind": plain_data["kind"]}
        elif isinstance(getattr(moment.session.screen.content(moment.session), "scene", None), PeekScene):
            met.add("peek")
            assert plain_data["scene"] is None
    assert met == {"ownpieces", "mend", "peek"}


def test_a_walked_round_shows_its_board(all_moments):
    """The big screen has the position that the panel shows, and writes no missing points."""
    walked = [public_state(each.session) for each in all_moments if each.name.endswith("moves of a round")]
    assert walked
    assert all("<svg" in told["board"] for told in walked)
    for moment in all_moments:
        assert ">None<" not in render_table(public_state(moment.session)), moment.name


def test_a_menu_does_not_take_the_board_away(new_table):
    """It is a note beside the board, and so is a result that has been seen."""
    table = new_table("27")
    board, played = public_state(table.session)["board"], table.session.round
    table.press("*")
    snapshot = public_state(table.session)
    assert (snapshot["content"]["kind"], snapshot["board"]) == ("choice", board)
    page = render_table(snapshot)
    assert "A menu is open at the box." in page
    assert all(line["words"] not in page for line in snapshot["content"]["lines"])
    assert played.manifest.aim not in page
    table.press("*")
    assert played.manifest.aim in render_table(public_state(table.session))


def test_the_result_stays_under_what_is_opened_over_it(all_moments):
    over = [each.session for each in all_moments if each.session.round is not None and each.session.round.is_over]
    assert len({type(session.screen) for session in over}) > 3
    for session in over:
        snapshot = public_state(session)
        assert snapshot["result"]["winners"] == [
            snapshot["players"][seat - 1]["name"] for seat in session.round.outcome.winners
        ]
        assert 'class="result winner' in render_table(snapshot)


def test_everybody_sees_who_is_ready_for_the_next_round(all_moments):
    """Each player is ready, or not yet."""
    over = next(each.session for each in all_moments if each.session.round is not None and each.session.round.is_over)
    ann, ben = over.round.header.names
    rematch = {"ready": [ann], "awaited": [ben], "starts": ben, "match": False}
    page = render_table(public_state(over) | {"rematch": rematch})
    assert re.findall(r'class="name">(\w+)<small>([^<]*)</small>', page) == [(ann, "✓ is ready"), (ben, "not yet")]
    filled = re.findall(r'<li class="seat\d turn">.*?class="name">(\w+)', page, re.DOTALL)
    assert filled == [ann], "the colour fills who is ready, whoever has won"


def test_everybody_sees_whose_hands_are_named(new_table):
    """Of each player who names one, with how many pieces of it the box knows; of hidden ones all others look away."""
    table = new_table("coral-reef", opened=[("deal", 1), ("deal", 2)])
    snapshot = public_state(table.session)
    assert [player["naming"] for player in snapshot["players"]] == ["hidden", "hidden"]
    page = render_table(snapshot)
    assert re.findall(r"</svg>(\w+)</h3>", page) == ["Ann", "Ben"]
    assert "Everybody else, look away" in page
    assert "of 8" not in page, "what a phone names is not counted"
    snapshot["content"]["scene"]["pieces"] = ["•"] * 3
    assert "Ann: 3 of 8 named</h3>" in render_table(snapshot)
    assert "•" not in render_table(snapshot)
    snapshot["players"][0]["naming"] = "open"
    snapshot["players"][1]["naming"] = ""
    assert "look away" not in render_table(snapshot)


def test_the_last_rounds_of_the_evening_are_listed(new_table):
    """The newest first, with scores and winners by seat."""
    rounds = tuple(FinishedRound("27", ("Ann", "Ben"), (number, 40), (1 + number % 2,)) for number in range(9))
    session = new_table("27").session.clear_table()._replace(history=StoredHistory(evening_rounds=rounds))
    session = open_due_screens(session)
    listed = public_state(session)["rounds"]
    assert [each["players"][0]["score"] for each in listed] == [8, 7, 6, 5, 4, 3]
    assert [each["won"] for each in listed[0]["players"]] == [True, False]
    assert re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", render_table(public_state(session)))).count("Ben 40") == 6


def test_the_last_rounds_have_no_scores_that_only_say_who_has_won(new_table):
    """In Coral Reef the saved scores are 1 for the winner, which would contradict the corals left."""
    history = StoredHistory(evening_rounds=(FinishedRound("coral-reef", ("Ann", "Ben"), (0, 1), (2,)),))
    session = open_due_screens(new_table("27").session.clear_table()._replace(history=history))
    (listed,) = public_state(session)["rounds"]
    assert [(each["score"], each["won"]) for each in listed["players"]] == [(None, False), (None, True)]


def test_an_unknown_kind_of_content_is_no_error(all_moments):
    """An older page still works with a table that sends a kind it does not know."""
    snapshot = public_state(all_moments[0].session) | {"content": {"kind": "hologram", "title": "?"}, "board": ""}
    assert '<section class="content">' in render_table(snapshot)
    assert render_template(
        "seat_view.html", table=snapshot, seat={"name": "Ann", "turn": False, "plays": True}, board=""
    )


def test_pages_name_a_move_as_the_game_does(all_moments):
    """Pages use the game's words for a move, never its text in a record."""
    snapshot = next(
        snapshot for each in all_moments if (snapshot := public_state(each.session))["moves"] and snapshot["board"]
    )
    move = snapshot["moves"][-1]
    assert move["told"] != move["text"]
    seat = {"name": "Ann", "turn": False, "plays": True}
    for page in (render_table(snapshot), render_template("seat_view.html", table=snapshot, seat=seat, board="")):
        assert f"<b>{move['name']}</b> {move['told']}<" in page


def test_a_refusal_is_whole_sentences_and_no_move_is_told_twice(new_table):
    table = new_table("27")
    table.wait(3)
    table.type("11#")
    snapshot = public_state(table.session)
    refused = {"code": "empty", "figure": "field 5", "against": "the field is empty", "rule": "Take 2.", "needed": ""}
    seat = {"name": "Ben", "turn": True, "seat": 2, "plays": True}
    page = render_template("seat_view.html", table=snapshot | {"refusal": refused}, seat=seat, board="")
    assert "Field 5: The field is empty. Take 2." in " ".join(re.sub("<[^>]+>", "", page).split())
    for notice, is_told in ((["Ann", "moved 1 from 1 to 2", ""], False), (["Ann", "took back"], True)):
        page = render_template("seat_view.html", table=snapshot | {"notice": notice}, seat=seat, board="")
        assert ('class="says"' in page) == is_told


def render_watching_phone(snapshot) -> str:
    """The page of a phone whose player has no seat."""
    seat = {"name": "Ann", "turn": False, "plays": True}
    return render_template("seat_view.html", table=snapshot, seat=seat, board="")


@pytest.mark.parametrize(
    ("begun", "keys"),
    [
        ("*", [*"2456780"]),
        ("*C", [*"2456780"]),
    ],
)
def test_a_list_shows_the_keys_that_pick_its_entries(new_table, begun, keys):
    """The same ones from any entry under the cursor. A phone has them, no big screen."""
    table = new_table("ziggurat")
    table.press(*begun)
    snapshot = public_state(table.session)
    assert "<kbd>" not in render_table(snapshot)
    entries = re.findall(r"<kbd>([0-9 ]+)</kbd> ([^<]+)</li>", render_watching_phone(snapshot))
    assert entries == list(zip(keys, (line["words"] for line in snapshot["content"]["lines"]), strict=True))
    opened, now = table.session, table.now
    for at, pick in enumerate(keys):
        table.session, table.now = opened, now
        table.press(*pick.split())
        picked = open_due_screens(opened.screen.pick_item(opened, at + 1))
        assert table.session.screen.content(table.session) == picked.screen.content(picked), pick


def test_a_list_shows_no_keys_where_buttons_are_pressed(new_table):
    table = new_table("ziggurat")
    table.press("back")
    snapshot = public_state(table.session)
    assert snapshot["content"]["kind"] == "choice"
    assert "<kbd>" not in render_watching_phone(snapshot)

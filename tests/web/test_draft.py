"""The draft on a phone's page, and the main button below it."""

from __future__ import annotations

import json
import random
import re
from html import unescape
from pathlib import Path

import chance_games
import pytest
from game_support import support_of_game
from starlette.testclient import TestClient

from companion import games
from companion.evening.model import BaseDue, Session
from companion.evening.session_values import PhoneAccess
from companion.games.api import Holding
from companion.games.api.board import BoardScene, Svg, panel_sentences
from companion.games.api.move_input import Draft
from companion.inputs import PhoneRequest, parse_request
from companion.rounds.on_table import new_round, with_deal
from companion.rounds.stored import RoundHeader
from companion.table.phone_view import client_snapshot, judge_draft
from companion.web.app import result_sentence, web_application
from companion.web.clients import PHONE_COOKIE, hash_secret
from companion.web.player_pages import PlayerPages
from companion.web.table_client import TableClient

HOME = "http://192.168.1.20:8027"
SECRET = "the secret of a phone"


class FakeTable(TableClient):
    """A table without a socket, with the phone of one player."""

    def __init__(self, session: Session, name: str) -> None:
        super().__init__(Path("/nowhere"))
        self.session = session._replace(phones=PhoneAccess(is_on=True, player_phones=((hash_secret(SECRET), name),)))
        snapshot = client_snapshot(self.session)
        self.public, self.phones, self.seats = snapshot["public"], snapshot["phones"], snapshot["seats"]
        self.seat = {each: seat for seat, each in enumerate(session.round.header.names, 1)}.get(name, 0)

    async def send_request(self, phone: str, kind: str, text: str = "") -> dict:
        assert kind in ("judge", "decline")
        return {"draft": judge_draft(self.session, self.seat, text)} if kind == "judge" else {}


def phone_browser(at_table: FakeTable) -> TestClient:
    """The browser of the phone that the table knows."""
    browser = TestClient(web_application(at_table), base_url=HOME, client=("192.168.1.7", 5000), follow_redirects=False)
    browser.cookies, browser.headers["origin"] = {PHONE_COOKIE: SECRET}, HOME
    return browser


def draft_page(session: Session, name: str = "Ann", keys: str = "") -> str:
    """The part of a phone's page that each tap renders again."""
    return phone_browser(FakeTable(session, name)).post("/seat/judge", data={"keys": keys}).text


@pytest.mark.parametrize(
    ("game", "keys", "button", "event"),
    [
        ("coral-reef", "43", "", ""),
        ("coral-reef", "454", "Lay 5, 4", "4:54"),
        ("27", "13", "Move 3 from 1 to 2", "1x3"),
        ("prime-attactics", "C7", "Play ×7", "x7"),
        ("prime-attactics", "B4", "Play −4", "-4"),
        ("prime-attactics", "C70", "Play ×7 doubled", "x7D"),
        ("prime-attactics", "0A2", "Play +2 on Ben", "@+2"),
        ("ziggurat", "6344B", "Lay 6-3 on d4 and e4", "6-3 d4e4"),
        ("coral-reef", "0", "I can’t move", "draw"),
        ("prime-attactics", "0", "I can’t move", "pass"),
        ("prime-attactics", "0A", "", ""),
        ("ziggurat", "0177B", "", ""),
    ],
)
def test_the_main_button_plays_only_a_complete_move(new_table, game, keys, button, event):
    """An incomplete move has no button, unless "I can't move" may be said."""
    table = new_table(game)
    table.wait(3)
    page_html = draft_page(table.session, keys=keys)
    assert ('name="event"' in page_html) == bool(button)
    assert f'name="event" value="{event}"' in page_html or not event
    # A lone 0 may still become an aim, and tiles fit: then "I can't move" is in the sheet.
    label = f">{button}</button>" if event != "pass" else f"<span>{button}</span></button>"
    assert label in unescape(page_html) or not button
    assert ('id="play"' in page_html) == bool(button and event != "pass")
    assert ">I can’t move</button>" not in page_html or button == "I can’t move"


class RecordingTable(FakeTable):
    """A fake table that collects the moves that are played."""

    def __init__(self, session: Session, name: str) -> None:
        super().__init__(session, name)
        self.moves_played: list[str] = []

    async def send_request(self, phone: str, kind: str, text: str = "") -> dict:
        if kind == "play":
            self.moves_played.append(text)
            return {"refusal": ""}
        if kind in ("help", "could", "hint"):
            return {"words": ["How to play"]}
        return await super().send_request(phone, kind, text)


@pytest.fixture
def phone(new_table):
    """Ann's phone at a round of 27: `phone(path, **form)` posts a form; returns the page and its hidden fields."""
    table = new_table("27")
    table.wait(3)
    at_table = RecordingTable(table.session, "Ann")
    browser = phone_browser(at_table)

    def post_form(path: str, **form: str) -> tuple[str, dict[str, str]]:
        page = unescape(browser.post(path, data=form).text)
        return page, dict(re.findall(r'<input type="hidden"(?: id="\w+")? name="(\w+)" value="([^"]*)">', page))

    post_form.played = at_table.moves_played
    return post_form


def test_a_phone_asks_about_taps_that_did_not_fit(phone):
    """In place of the green tick stands what was left out; a button pressed before that plays nothing."""
    page, fields = phone("/seat/judge", keys="13AB", misfits="B")
    assert (fields["keys"], fields["misfits"]) == ("13", "B, A")
    assert "Left out: B, A" in page
    assert "verdict ok" not in page
    page, fields = phone("/seat/play", **fields | {"sure": ""})
    assert phone.played == []
    assert "Left out: B, A" in page
    assert ">Move 3 from 1 to 2</button>" in page
    assert 'name="keys" value="13" aria-label="Back"' in page
    phone("/seat/play", **fields)
    assert phone.played == ["1x3"]


def test_a_half_made_move_belongs_to_its_turn(phone):
    """What was entered in another turn, or in a round that was left, begins no move."""
    _, fields = phone("/seat/judge", keys="13")
    assert (fields["keys"], phone("/seat/judge", **fields)[1]["keys"]) == ("13", "13")
    page, fields = phone("/seat/judge", **fields | {"turn": "another.0"})
    assert fields["keys"] == ""
    assert "Move 3" not in page


def test_the_next_tap_closes_the_question_about_misfits(phone):
    """The next complete move asks again; an empty draft has nothing left out."""
    _, fields = phone("/seat/play", event="1x3", keys="13", misfits="5")
    assert fields.pop("sure") == "1"
    page, fields = phone("/seat/judge", **fields | {"keys": "1"})
    assert "Left out" not in page
    assert fields["misfits"] == "5"
    assert "Left out: 5" in phone("/seat/judge", **fields | {"keys": "13"})[0]
    assert phone("/seat/judge", **fields | {"keys": ""})[1]["misfits"] == ""


def test_a_disc_that_would_go_too_far_is_not_left_out_of_the_next_move(new_table):
    """A tap on a single disc would be the whole move; refused, it is only a tap on its stack."""
    table = new_table("27")
    table.wait(3)
    for keys in ("11#", "91#", "21#", "91#", "41#", "81#", "61#", "91#"):
        table.type(keys)
        table.wait(3)
    taps = {tap["keys"]: tap["fits"] for tap in judge_draft(table.session, 1, "")["board"]["taps"]}
    assert {"1": True, "8": False}.items() <= taps.items()


@pytest.mark.parametrize("game", games.built_in_game_ids())
@pytest.mark.parametrize("seed", range(4))
def test_a_green_tick_plays_whatever_was_tapped_before(new_table, settings_of_all_games, play_round, game, seed):
    """Places are tapped at random, refused or not: none is remembered as left out once the tick is green."""
    chance = random.Random(seed)
    _, options, players = chance.choice([each for each in settings_of_all_games if each[0] == game])
    played = play_round(game, options, players, chance)
    header = RoundHeader(game, tuple(options.items()), ("Ann", "Ben", "Cleo", "Dan")[:players])
    round_ = new_round(1, header)._replace(missing_holdings=())
    position = chance.randrange(len(played.events)) if played.events else 0
    while position and played.move_input.due_refill(played.states[position]) is not None:
        position -= 1
    round_ = round_._replace(states=played.states[: position + 1])
    at_table = RecordingTable(new_table("27").session._replace(round=round_), header.names[round_.turn - 1])
    browser, fields = phone_browser(at_table), {"keys": "", "misfits": ""}
    for _ in range(30):
        page = unescape(browser.post("/seat/judge", data=fields).text)
        fields = dict(re.findall(r'<input type="hidden"(?: id="\w+")? name="(\w+)" value="([^"]*)">', page))
        if "verdict ok" in page:
            browser.post("/seat/play", data=fields)
            assert at_table.moves_played.pop() == fields["event"]
        fields |= json.loads(chance.choice(re.findall(r"hx-vals='(.*?)'", page)))


def test_a_move_that_the_rules_forbid_cannot_be_played(phone):
    """The reason stands beside the board, and the button is off."""
    page, fields = phone("/seat/judge", keys="3", misfits="5")
    assert "event" not in fields
    assert "The field is empty" in page
    assert '<button class="go" disabled>Move</button>' in page


def test_the_button_names_the_move_in_the_phones_language(new_table):
    """The button has words, not the text of a record."""
    table = new_table("27")
    table.wait(3)
    browser = phone_browser(FakeTable(table.session, "Ann"))
    page_html = browser.post("/seat/judge", data={"keys": "13"}, headers={"accept-language": "de"}).text
    assert ">3 von 1 nach 2 ziehen</button>" in page_html.replace("\N{NO-BREAK SPACE}", " ")
    assert "1×3" not in page_html


def test_a_refusal_does_not_redraw_the_draft(new_table):
    """A refusal covers the table on the box, but changes nothing on the phone that shows it beside its board."""
    table = new_table("27")
    table.wait(3)
    table.type("11#")
    before = FakeTable(table.session, "Ben")
    table.session = before.session
    table.take_input(PhoneRequest(2, hash_secret(SECRET), parse_request("play", "5x1"), table.now))
    after = FakeTable(table.session, "Ben")
    assert (before.session.screen.public_name, after.session.screen.public_name) == ("Playing", "Refusing")
    moments = [
        PlayerPages(each, lambda *_, **__: "").draft_inputs_hash(hash_secret(SECRET)) for each in (before, after)
    ]
    assert moments[0] == moments[1]


def test_a_phone_that_watches_gets_the_board_once_all_pieces_are_named(new_table):
    """The board comes without a move and without a change of what this player may see."""
    table = new_table("prime-attactics", opened=(("rack", 1),))
    hashes = []
    for has_board in (False, True):
        watching = FakeTable(table.session, "Zoe")
        assert ('aria-label="The board"' in draft_page(table.session, "Zoe")) == has_board
        assert watching.public["moves"] == []
        hashes.append(PlayerPages(watching, lambda *_, **__: "").draft_inputs_hash(hash_secret(SECRET)))
        table.type(support_of_game("prime-attactics").keys_of_deal("/2 /3 /4 /5") + "#")
    assert hashes[0] != hashes[1]


def test_pieces_that_cannot_be_drawn_are_not_offered(new_table):
    """Pieces that are played, on display or in the own rack cannot be drawn; each named piece is one fewer."""
    table = new_table("prime-attactics", opened=(("deal", 1), ("rack", 1)))
    table.type(support_of_game("prime-attactics").keys_of_deal("+1 +2 +3 -1 -2 -3 x2 x3") + "#")
    table.type(support_of_game("prime-attactics").keys_of_deal("/2 /3 /4 /5") + "#")
    table.wait(3)
    table.type("A3#")
    page_html = draft_page(table.session)
    offered = re.findall(r'name="add" value="([^"]+)"(.*?)>', page_html)
    assert ">−4</button>" in page_html
    assert ">D−</button>" in page_html
    assert 'class="piece blue" name="add" value="-4"' in page_html
    enabled = {piece for piece, more in offered if "disabled" not in more}
    assert enabled == {"+4", "+5", "+6", "+7", "D+", "-4", "-5", "-6", "-7", "D-", "x4", "x5", "x6", "x7", "Dx"}


def test_a_phone_says_whose_stack_it_is(new_table):
    """A tap on the other player's stack is answered with a name, as on the panel, not with a seat's number."""
    table = new_table("27")
    table.wait(3)
    draft = judge_draft(table.session, 1, "9")
    assert (draft["says"], draft["working"]) == ("Ben's disc is on top.", "You can move from 1.")
    assert "<b>Ben’s disc is on top.</b> <small>You can move from 1.</small>" in unescape(
        draft_page(table.session, keys="9")
    )


def test_a_waiting_phone_says_for_whom(new_table):
    """The page names who is to move, or who is asked what; the asked player's page has only the question."""
    table = new_table("27")
    table.wait(3)
    assert "Ann is thinking." in draft_page(table.session, "Ben")
    assert "is thinking" not in draft_page(table.session, "Ann")
    table.type("11#")
    table.session = table.session._replace(phones=PhoneAccess(is_on=True, player_phones=(("a" * 64, "Ann"),)))
    table.take_input(PhoneRequest(1, "a" * 64, parse_request("back", ""), table.now))
    assert "The box asks Ben: Take back?" in draft_page(table.session, "Ann")
    asked = draft_page(table.session, "Ben", "9")
    assert 'id="yes"' in asked
    assert "Ann asks: Take back?" in asked
    assert 'class="taps"' not in asked
    data = dict(re.findall(r'name="(keys)" value="(9)"', asked.partition('hx-post="/seat/agree"')[2]))
    after = phone_browser(FakeTable(table.session, "Ben")).post("/seat/agree", data=data | {"no": "1"}).text
    assert 'id="keys" name="keys" value="9"' in after, "the move that was begun is lost"
    assert "Tap one of your stacks." not in asked


def test_what_is_open_at_the_box_stands_where_the_verdict_is(new_table):
    """The player to move can close it there, and nothing else; the others go on waiting."""
    table = new_table("27")
    table.wait(3)
    table.press("*")
    page = draft_page(table.session)
    assert re.search(r'class="verdict more">.*</span>A menu is open at the box.</b>', page)
    assert re.search(r'hx-post="/box".*name="press" value="close">Close it<', page)
    assert not re.search(r'class="taps"|class="go"', page)
    assert "Close it" not in draft_page(table.session, "Ben")


def test_the_new_score_is_shown_once(new_table):
    """The working and the words of a draft can be the same."""
    table = new_table("prime-attactics")
    table.wait(3)
    entry = draft_page(table.session, keys="A3").partition('class="entry')[2].partition("</p>")[0]
    assert entry.count("11\N{NO-BREAK SPACE}+\N{NO-BREAK SPACE}3") == 1


def test_arithmetic_is_not_broken_over_lines(new_table):
    """A sum is written out, in a draft and in a last move."""
    table = new_table("prime-attactics")
    table.wait(3)
    assert "11\N{NO-BREAK SPACE}−\N{NO-BREAK SPACE}3\N{NO-BREAK SPACE}= 8" in draft_page(table.session, keys="0B3")
    table.type("0B3#")
    seat = client_snapshot(table.session)["public"]["moves"][-1]["told"]
    assert str(seat) == "played −3 on Ben's score: 11 −\N{NO-BREAK SPACE}3 = 8"


def test_a_phone_does_not_name_the_keypads_letters(new_table):
    """The signs of the tiles are on the phone's own buttons, and on the tiles that are tapped."""
    table = new_table("prime-attactics")
    table.wait(3)
    for keys in ("0", "A", "0C"):
        assert "A+ B" not in unescape(draft_page(table.session, keys=keys)), keys


def test_a_phone_says_when_no_tile_can_be_played(new_table):
    """With only a double and a division that leaves a remainder, the page asks for nothing that cannot be done."""
    table = new_table("prime-attactics")
    table.wait(3)
    assert "Tap a tile, or first Ben’s score." in draft_page(table.session)
    assert "Tap a tile for Ben’s score." in draft_page(table.session, keys="0")
    rules, board = games.load_rules("prime-attactics"), games.load_board("prime-attactics")
    view = rules.seat_view(table.session.round.state, 1)
    double, seventh = (
        rules.parse_deal("D+", "deal", {"level": "full"}),
        rules.parse_deal("/7", "rack", {"level": "full"}),
    )
    own = view.sides[0]._replace(display=Holding(1, double), rack=Holding(1, seventh))
    stuck = BoardScene(view._replace(sides=(own, view.sides[1])), ("Ann", "Ben"), seat=1, is_to_move=True)
    assert board.draw_scene(stuck).prompt == "None of your tiles can be played."
    assert board.draw_scene(stuck._replace(keys="0")).prompt == "None of your tiles can go on Ben's score."
    assert {board.draw_scene(stuck._replace(keys=keys)).verb for keys in ("", "0", "0D7")} == {"Play"}


def test_a_phone_says_what_may_follow_in_coral_reef(new_table):
    """A player who can't move is asked to draw; after drawing into a sealed hand, to play or to pass."""
    table = new_table("coral-reef")
    table.wait(3)
    assert "Tap a stack, then corals for it." in draft_page(table.session)
    table.type("0#")
    drawn = draft_page(table.session)
    assert "You have drawn: tap a stack, or tap the deck to pass." in drawn
    assert ">pass</text>" in drawn
    rules = games.load_rules("coral-reef")
    stuck = rules.initial_state(2, {"form": "cards"}, {("deal", 1): tuple("JJJQQQKK")})
    seen, board = (
        BoardScene(rules.seat_view(stuck, 1), ("Ann", "Ben"), seat=1, is_to_move=True),
        games.load_board("coral-reef"),
    )
    assert board.draw_scene(seen).prompt == "None of your corals fits: tap the deck to draw."
    assert (board.draw_scene(seen).verb, board.draw_scene(seen._replace(keys="1")).verb) == ("Draw", "Lay")
    assert board.draw_scene(seen._replace(keys="0")).prompt == "Draw a coral, then tap the one you drew."
    assert "Which one did you draw?" in str(board.draw_scene(seen._replace(keys="0")).tray)
    assert "Which one" not in str(board.draw_scene(seen).tray)
    drew = board.draw_scene(
        seen._replace(view=rules.seat_view(rules.play_move(stuck, 1, rules.parse_move("draw 9")), 1))
    )
    assert drew.prompt == "Tap a stack, then corals for it."  # The player has to play: an open hand never passes.
    assert ">pass</text>" not in str(drew)


def test_the_button_draws_where_nothing_else_is_possible(new_table):
    """It is the tap on the deck, the only place that can be tapped."""
    table = new_table("coral-reef", opened=(("deal", 1),))
    table.type(support_of_game("coral-reef").keys_of_deal("J J J Q Q Q K K") + "#")
    table.wait(3)
    assert re.search(r'<button id="only"[^>]* value="0">Draw</button>', draft_page(table.session))
    assert "Draw a coral, then tap the one you drew." in draft_page(table.session, keys="0")
    assert 'id="only"' not in draft_page(new_table("coral-reef").session)


def test_a_players_own_pieces_lie_in_a_tray(new_table, monkeypatch):
    """It is tapped like the board; while others move it can be covered, once it holds what they must not see."""
    board = games.load_board("coral-reef")
    draw_scene = board.draw_scene

    def draw_with_tray(self, scene):
        drawing = draw_scene(scene)
        drawing.tray = Svg(200, 50, "Your cards")
        if scene.is_to_move:
            drawing.tray.add_tap("45", "5", (0, 0, 40, 50))
        return drawing

    monkeypatch.setattr(type(board), "draw_scene", draw_with_tray)
    table = new_table("coral-reef", opened=(("deal", 1), ("deal", 2)))
    for hand in ("A2345678", "A2345678"):
        table.type(support_of_game("coral-reef").keys_of_deal(" ".join(hand)) + "#")
    table.wait(3)
    own, others = draft_page(table.session), draft_page(table.session, "Ben")
    for page_html in (own, others):
        assert (
            page_html.index('class="mat touch seat')
            < page_html.index('class="tray seat')
            < page_html.index('class="act')
        )
    assert 'id="tray0-0" class="tap fits" role="button"' in own
    assert 'class="tap' not in others
    assert "Cover my pieces" not in own
    assert "Cover my pieces" in others
    assert draft_page(new_table("coral-reef").session, "Ben").count('class="tray seat') == 1


def test_the_keys_are_folded_only_where_the_board_is_tapped(new_table, monkeypatch):
    """A game whose board has no places to tap has its keys on the page, where others have their tray."""
    table = new_table("27")
    table.wait(3)
    assert 'class="row keys folded"' in draft_page(table.session)
    assert 'id="use-keys"' in draft_page(table.session)
    board = games.load_board("27")
    draw_scene = board.draw_scene

    def draw_without_taps(self, scene):
        return draw_scene(scene._replace(is_to_move=False))

    monkeypatch.setattr(type(board), "draw_scene", draw_without_taps)
    page_html = draft_page(table.session)
    assert 'class="row keys"' in page_html
    assert 'id="use-keys"' not in page_html
    assert "Make your move." in page_html


def test_the_winner_is_marked(new_table):
    """On the big screen like the player to move; on phones the page has the winner's colour and says it."""
    table = new_table("27")
    table.wait(3)
    at_table = FakeTable(table.session, "Ann")
    at_table.public |= {"result": {"winners": ["Ben"], "reason": "neither can move"}}
    for player in at_table.public["players"]:
        player["turn"] = False
    browser = phone_browser(at_table)
    page_html = browser.get("/", headers={"referer": "http://localhost/seat"}).text
    assert '<li class="seat2 turn">' in page_html
    assert '<li class="seat1">' in page_html
    for winners, seat, sentence in (
        (["Ben"], "seat2", "Ben wins, {} to {}"),
        (["Ann"], "seat1", "You win, {} to {}"),
        (["Ann", "Ben"], "seat0", "A draw, {} to {}"),
        ([], "seat0", "Nobody wins"),
    ):
        at_table.public["result"]["winners"] = winners
        page_html = browser.get("/seat").text
        assert f'<header class="won result {seat}">' in page_html
        score = [player["score"] for player in at_table.public["players"]]
        score = score[::-1] if winners == ["Ben"] else score
        assert f"<h1>{sentence.format(*score)}</h1><p>Neither can move</p>" in page_html


def test_a_void_round_has_no_winner(new_table):
    """The headline says what it was, in nobody's colour, on phones and on the big screen."""
    at_table = FakeTable(new_table("27").session, "Ann")
    at_table.public |= {"result": {"winners": ["Ann"], "reason": "neither can move", "void": True}}
    for player, score in zip(at_table.public["players"], (15, 0), strict=True):
        player |= {"turn": False, "score": score}
    for path, header in (("/seat", "won result seat0 void"), ("/", "result winner void")):
        page_html = phone_browser(at_table).get(path, headers={"referer": "http://localhost/seat"}).text
        assert f'<header class="{header}">' in page_html
        assert "Void: it was 15 to 0<" in page_html
        assert "seat1 turn" not in page_html


def test_a_result_has_proven_claims_and_no_pieces(new_table):
    """Everybody sees a false "I can't move" at once; own pieces and their cover are no longer needed."""
    table = new_table("27")
    table.wait(3)
    at_table = FakeTable(table.session, "Ann")
    claims = [["Ben", "move 2:", "could have laid 5 (proven later)"]]
    at_table.public |= {"result": {"winners": ["Ben"], "reason": "neither can move", "claims": claims}}
    at_table.seats["Ann"] |= {"pieces": "In the rack: ÷3 ÷5", "turn": False}
    browser = phone_browser(at_table)
    for path in ("/seat", "/"):
        page_html = browser.get(path, headers={"referer": "http://localhost/seat"}).text
        assert "Ben, move 2: could have laid 5 (proven later). The result stands." in page_html
    page_html = browser.get("/seat").text
    assert 'class="layers hand"' not in page_html
    assert "Cover my pieces" not in page_html


@pytest.mark.parametrize(("own_name", "sentence"), [("Ben", "You win"), ("Ann", "Ben wins"), ("", "Ben wins")])
def test_where_the_lower_number_wins_no_numbers_are_said(own_name, sentence):
    """Nobody understands that somebody wins with 0 to 1."""
    players = [{"name": "Ann", "score": 1}, {"name": "Ben", "score": 0}]
    assert result_sentence({"result": {"winners": ["Ben"]}, "players": players}, own_name) == sentence


def test_a_phone_says_who_is_ready_for_the_next_round(new_table):
    """Its button names who starts, and waits once it was pressed; a form without script leads back to the page."""
    table = new_table("27")
    table.wait(3)
    at_table = FakeTable(table.session, "Ann")
    rematch = {"starts": "Ben", "ready": ["Ben"], "awaited": ["Ann"], "match": False}
    at_table.public |= {"result": {"winners": ["Ben"], "reason": "neither can move"}, "rematch": rematch}
    asked = []

    async def send_request(phone: str, kind: str, text: str = "") -> dict:
        asked.append(kind)
        return {"refusal": ""}

    at_table.send_request = send_request
    browser = phone_browser(at_table)
    page_html = browser.get("/seat").text
    assert re.findall(r'<li class="(seat\d(?: in)?)">.*?<small>(.*?)</small>', page_html) == [
        ("seat1", "not yet"),
        ("seat2 in", "✓ is ready"),
    ]
    assert '<button id="rematch" class="go wide">Rematch: Ben starts</button>' in page_html
    for path in ("rematch", "review"):
        answer = browser.post(f"/seat/{path}")
        assert (answer.status_code, answer.headers["location"], asked.pop()) == (303, "/seat", path)
    at_table.public["rematch"] = rematch | {"match": True}
    assert ">Next round: Ben starts</button>" in browser.get("/seat").text
    at_table.public["rematch"] = rematch | {"ready": ["Ann"], "awaited": ["Ben"]}
    assert '<button id="rematch" class="go wide" disabled>Waiting for Ben</button>' in browser.get("/seat").text
    assert asked == [], "no board is asked for beside the result"


def test_a_phone_without_the_boxs_keys_says_who_has_them(new_table):
    """After a restart the box asks whether to continue; a player's page has no button for that."""
    table = new_table("27")
    table.wait(3)
    at_table = FakeTable(table.session, "Ann")
    content = {"kind": "resumption", "title": "Continue?", "name": "27", "players": "Ann - Ben", "left_at": "move 2"}
    at_table.public |= {"content": content, "board": "", "players": []}
    at_table.seats["Ann"] |= {"seat": 0, "turn": False}
    browser = phone_browser(at_table)
    page_html = browser.get("/seat").text
    assert "Continue?" in page_html
    assert "This is answered with the keys of the box, or on the host’s phone." in page_html
    assert "Make this phone the host’s" in page_html


def test_a_phone_without_a_board_shows_hand_scores_and_buttons(new_table, monkeypatch):
    """The keys of the box mean nothing on a phone, and each button says what it enters."""
    chance_games.install_games(monkeypatch)
    table = new_table("27")
    round_ = new_round(1, RoundHeader("draw-or-play", (), ("Ann", "Ben"), (("deal", 1),)))
    round_ = with_deal(round_._replace(missing_holdings=(("deal", 1),)), "deal", 1, "259")
    table.session = table.session._replace(round=round_, screens=(BaseDue(),))
    browser = phone_browser(FakeTable(table.session, "Ann"))
    page, draft = browser.get("/seat").text, browser.post("/seat/judge", data={"keys": ""}).text
    assert "2 5 9" in draft
    assert 'class="scores"' in page
    assert "#" not in re.sub("<[^>]*>", "", page)
    keys = re.findall(r'id="key(\w)" class="piece fits"[^>]*>([^<]*)<', draft)
    assert keys == [("2", "2"), ("5", "5"), ("9", "9"), ("0", "draw")]


def test_a_refusal_without_a_board_is_one_sentence():
    """The panel has its figure and what it conflicts with on two lines, in another order."""
    assert panel_sentences(Draft("bid 4", "bid 4", "no", "coin 4", "not in hand")) == ("", "coin 4, not in hand")
    assert panel_sentences(Draft("bid 4", "bid 4", "ok", "4 > 3", "")) == ("4 > 3", "")


def test_a_coral_that_was_drawn_and_fits_nowhere_is_passed(new_table):
    """The button says what the rules call it, in the sheet and after a tap on the deck."""
    table = new_table("coral-reef")
    table.wait(3)
    table.type("0#")
    page_html = draft_page(table.session, keys="0")
    assert 'name="event" value="pass"' in page_html
    assert ">Pass</button>" in page_html
    assert "move</button>" not in page_html
    assert "<span>Pass</span></button>" in draft_page(table.session)


@pytest.mark.parametrize("what", ["help", "could", "hint"])
def test_a_sheet_leaves_the_half_made_move(phone, what):
    """So does the sheet of the pieces that may be wrong: its way back has the keys."""
    assert phone("/seat/words", what=what, keys="13")[1]["keys"] == "13"
    assert phone("/seat/mend", keys="13")[1]["keys"] == "13"

"""How a phone is paired: by a secret that nobody else can know, and a question that shows which phone asks."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image
from starlette.responses import Response
from starlette.testclient import TestClient

from companion import web
from companion.evening.model import Session
from companion.evening.screens.phones import pairing
from companion.evening.screens.phones.phones_page import PhoneAdmission, Phones
from companion.evening.session_values import PairingCode, PhoneAccess
from companion.evening.state_machine import start_session, update_session
from companion.inputs import Tick
from companion.rounds.stored import SessionSettings, StoredHistory
from companion.table.phone_view import client_snapshot
from companion.table.public_state import public_state
from companion.web.app import web_application
from companion.web.clients import PHONE_COOKIE, hash_secret, set_phone_cookie
from companion.web.player_pages import MAX_TRIES, TRIES_SECONDS
from companion.web.table_client import TableClient

HOME = "http://192.168.1.20:8027"
CODE = "K7Q2MB"
ON = Session(
    (Phones(),), StoredHistory(), phones=PhoneAccess(is_on=True, addresses=(f"{HOME}/",), code=PairingCode(CODE, 100.0))
)


class FakeTable(TableClient):
    """A table without a socket, in the state of a session; it collects its requests and grants them."""

    def __init__(self, session: Session = ON) -> None:
        super().__init__(Path("/nowhere"), lambda: [f"{HOME}/"])
        snapshot = client_snapshot(session)
        self.public, self.phones, self.host = snapshot["public"], snapshot["phones"], snapshot["host"]
        self.asking_phone, self.question_digits, self.names = (
            snapshot["asks"],
            snapshot.get("shows", ""),
            ["Ann", "Ben"],
        )
        self.screen, self._code = snapshot["screen"], snapshot["code"]
        self.requests: list[tuple] = []

    async def send_request(self, *request) -> dict:
        self.requests.append(request)
        if request[1] in ("pair", "host", "screen"):
            self.asking_phone = request[0]
        return {"refusal": ""}


def make_browser(table: TableClient, secret: str = "") -> TestClient:
    browser = TestClient(web_application(table), base_url=HOME, client=("192.168.1.7", 5000), follow_redirects=False)
    browser.cookies = {PHONE_COOKIE: secret} if secret else {}
    browser.headers["origin"] = HOME
    return browser


def test_only_a_big_screen_that_was_let_in_shows_the_code():
    """Every other one shows the address to watch, but not the letters to come in with: not a byte depends on them."""
    screen = hash_secret("the screen")
    pages = {}
    for code in (CODE, "ZZZZZZ", ""):
        access = ON.phones._replace(screen=screen, code=PairingCode(code, 100.0) if code else None)
        table = FakeTable(ON._replace(phones=access))
        table.phones = {hash_secret("Ann's"): "Ann"}
        table.host = hash_secret("the host's")
        for secret in ("", "Ann's", "the host's", "another", "the screen"):
            for path in ("/", "/p", "/seat", "/host"):
                page = make_browser(table, secret).get(path)
                pages.setdefault((secret, path), []).append((page.content, sorted(page.headers.items())))
                is_shown = code and (secret, path) == ("the screen", "/")
                shown = re.findall(r'(/p/\w{6})</title>|class="code">([^<]+)<', page.text)
                assert shown == ([(f"/p/{code}", ""), ("", f"{code[:3]} {code[3:]}")] if is_shown else [])
    assert [key for key, (one, two, none) in pages.items() if not one == two == none] == [("the screen", "/")]
    assert pages["the screen", "/"][2] == pages["another", "/"][2]
    page = make_browser(FakeTable()).get("/").text
    assert '<dd class="address">192.168.1.20<wbr>:8027</dd>' in page, "no line ends inside a number"
    assert CODE not in page
    with Image.open(io.BytesIO(base64.b64decode(public_state(ON)["panel"]))) as panel:
        barcodes = [each.text for each in zxingcpp.read_barcodes(panel.convert("L").resize((1024, 512)))]
    assert barcodes == [f"{HOME}/".upper()]
    assert public_state(ON) == public_state(ON._replace(phones=ON.phones._replace(code=PairingCode("ZZZZZZ", 5.0))))
    assert public_state(ON) == public_state(ON._replace(phones=ON.phones._replace(code=None)))


@pytest.mark.parametrize("form", [{"code": CODE} | {role: "1"} for role in ("player", "host", "screen")])
@pytest.mark.parametrize("brought", ["", "0", "a secret that another made up"])
def test_a_phone_gets_a_new_secret_each_time(form, brought):
    """A secret that a browser brings is never accepted: somebody else may have set it."""
    table = FakeTable()
    browser = make_browser(table, brought)
    secrets = []
    for _ in range(2):
        answer = browser.post("/pair", data=form)
        secrets.append(re.search(rf"{PHONE_COOKIE}=([\w-]{{30,}});", answer.headers["set-cookie"])[1])
        assert table.requests[-1][0] == hash_secret(secrets[-1])
    assert len({*secrets, brought}) == 3


def test_a_new_secret_names_the_previous_phone():
    """The request names the paired phone as which the asking one was known."""
    known = hash_secret("Ann's secret")
    table = FakeTable(ON._replace(phones=ON.phones._replace(player_phones=((known, "Ann"),))))
    make_browser(table, "Ann's secret").post("/pair", data={"code": CODE, "host": "1"})
    make_browser(table, "another").post("/pair", data={"code": CODE, "host": "1"})
    assert [words[3] for words in table.requests] == [known, ""]


@pytest.mark.parametrize("player", ["Ann", ""])
def test_the_phone_that_asks_shows_the_digits_of_the_box(player):
    """Only the page of the phone that the box asks about has the two digits."""
    asking = ON.open_screens(PhoneAdmission(hash_secret("secret"), player))
    table = FakeTable(asking)
    digits = client_snapshot(asking)["shows"]
    assert re.fullmatch(r"\d\d", digits)
    path = "/seat" if player else "/host"
    assert f'class="digits">{digits}<' in make_browser(table, "secret").get(path).text
    assert f'class="digits">{digits}<' not in make_browser(table, "another").get(path).text
    other = asking.replace_screen(PhoneAdmission(hash_secret("another"), player))
    assert client_snapshot(other)["shows"] != digits
    assert public_state(other)["panel"] == public_state(asking)["panel"], "the page for everybody does not tell them"


def test_a_big_screen_asks_at_the_box_like_a_phone():
    """It stays the page for everybody, and shows the two digits until the box has answered."""
    table = FakeTable()
    browser = make_browser(table)
    assert 'name="screen" value="1"' in browser.get(f"/p/{CODE}").text
    answer = browser.post("/pair", data={"code": CODE, "screen": "1"})
    assert (answer.headers["location"], table.requests[-1][1:3]) == ("/", ("screen", CODE))
    in_round = {"players": [{"name": "Ann", "score": 3, "turn": True, "unit": ""}], "board": "<svg></svg>"}
    for more in ({}, in_round):
        table = FakeTable(ON.open_screens(PhoneAdmission(hash_secret("secret"), "", is_screen=True)))
        table.public |= more
        pages = [make_browser(table, secret).get("/").text for secret in ("secret", "another")]
        assert [re.findall(r"Look at the box(?:: (\d\d))?<", page) for page in pages] == [[table.question_digits], [""]]


def test_a_phone_that_asks_to_change_player_shows_the_digits():
    """Also when a paired phone asks to become another player's."""
    known = hash_secret("secret")
    asking = ON.open_screens(PhoneAdmission(known, "Ben"))._replace(
        phones=ON.phones._replace(player_phones=((known, "Ann"),))
    )
    table = FakeTable(asking)
    table.seats = client_snapshot(asking)["seats"]
    assert f"if it shows {table.question_digits}." in make_browser(table, "secret").get("/seat").text


def test_the_first_page_has_a_field_for_the_code():
    """The field is there for an unpaired phone, beside that for the name; other pages lead there."""
    for path in ("/", "/seat"):
        assert 'href="/p"' in make_browser(FakeTable()).get(path).text, path
    page = make_browser(FakeTable()).get("/p").text
    assert 'name="code"' in page
    assert 'name="player"' in page
    assert 'value="Ann"' not in page  # Names are for those who have the code.
    for typed in (CODE, CODE.lower(), f" {CODE[:3]} {CODE[3:]}"):
        page = make_browser(FakeTable()).get("/p", params={"code": typed}).text
        assert f'name="code" value="{CODE}"' in page
        assert 'value="Ann"' in page


def test_the_bare_address_leads_a_paired_phone_to_its_seat():
    """A link, which a browser names in its request, shows the table for everybody."""
    phones = ON.phones._replace(player_phones=((hash_secret("secret"), "Ann"),))
    browser = make_browser(FakeTable(ON._replace(phones=phones)), "secret")
    answer = browser.get("/")
    assert (answer.status_code, answer.headers["location"]) == (303, "/seat")
    page = browser.get("/", headers={"referer": "http://localhost/seat"}).text
    assert 'href="/seat"' in page
    assert 'name="code"' not in page


def test_a_name_that_has_a_phone_is_taken_only_once_that_was_said():
    table = FakeTable(ON._replace(phones=ON.phones._replace(player_phones=((hash_secret("secret"), "Ann"),))))
    browser = make_browser(table)
    page = browser.post("/pair", data={"code": CODE, "player": "ann"}).text
    assert "ann already has a phone." in page
    assert table.requests == []
    assert '<input type="hidden" name="sure" value="ann">' in page
    browser.post("/pair", data={"code": CODE, "player": "ann", "sure": "ann"})
    assert table.requests[-1][1:3] == ("pair", f"{CODE} ann")


WRONG_CODE = "This is not the code that the box shows."


class RefusingTable(FakeTable):
    """A fake table that refuses every code."""

    async def send_request(self, *request) -> dict:
        self.requests.append(request)
        return {"refusal": WRONG_CODE}


def test_a_wrong_code_is_refused_before_names_are_shown():
    """The page shows the reason and what was typed, but no names; a right code leads to the names."""
    for path in ("/p/ABCDEF", "/P/ABCDEF", "/p?code=abc%20def", "/p?code=ABC"):
        page = make_browser(RefusingTable()).get(path)
        assert (page.status_code, 'value="Ann"' in page.text) == (403, False)
        assert ("A code has six letters" if path.endswith("=ABC") else WRONG_CODE) in page.text
        assert f'value="{"ABC" if path.endswith("=ABC") else "ABCDEF"}"' in page.text
    table = FakeTable()
    assert 'value="Ann"' in make_browser(table).get(f"/P/{CODE}").text
    assert [words[1:3] for words in table.requests] == [("code", CODE)]


def test_a_link_from_another_site_tries_no_code():
    """Pictures and links of another site cannot use up a device's tries; the code is filled in for a tap."""
    table = RefusingTable()
    page = make_browser(table).get("/p/ABCDEF", headers={"sec-fetch-site": "cross-site"}).text
    assert table.requests == []
    assert 'name="code" value="ABCDEF"' in page


def test_without_a_table_no_code_is_asked_for():
    """The page says how phones are switched on."""
    page = make_browser(TableClient(Path("/nowhere"))).get("/p").text
    assert 'name="code"' not in page
    assert "Phones are switched on at the box" in page


def test_a_new_name_can_be_typed_only_between_rounds():
    """During a round the players are known."""
    table = FakeTable()
    browser = make_browser(table)
    assert 'id="player" name="player"' in browser.get(f"/p/{CODE}").text
    browser.post("/pair", data={"code": CODE, "player": "  Zoë  B "})
    assert table.requests[-1][1:3] == ("pair", f"{CODE} Zoë  B"), "the table says what it changes"
    table.public |= {"players": [{"name": "Ann", "score": 3, "turn": True}]}
    assert 'id="player"' not in browser.get(f"/p/{CODE}").text


def test_what_was_typed_is_kept_when_it_is_refused():
    """A wrong code or a missing one costs nobody the name; the code may be typed with spaces."""
    for code, reason in (("ABCDEF", WRONG_CODE), ("ABC", "A code has six letters")):
        page = make_browser(RefusingTable()).post("/pair", data={"code": code, "player": "zoë"})
        assert (page.status_code, reason in page.text) == (403, True)
        assert f'name="code" value="{code}"' in page.text
        assert 'name="player" value="zoë"' in page.text
    table = FakeTable()
    assert "Enter your name." in make_browser(table).post("/pair", data={"code": CODE, "player": " "}).text
    assert table.requests == []
    make_browser(table).post("/pair", data={"code": " k7q 2mb", "player": "Ann"})
    assert table.requests[-1][1:3] == ("pair", f"{CODE} Ann")


def test_in_a_round_a_seat_is_chosen_by_its_colour():
    """A seat with a phone says so and can be taken over; the box's own seat can't be taken."""
    table = FakeTable(ON._replace(phones=ON.phones._replace(player_phones=((hash_secret("secret"), "Ben"),))))
    table.public |= {"players": [{"name": name, "score": 3, "turn": False} for name in ("Ann", "Ben", "box-1")]}
    table.public |= {"colours": {"Ann": 2, "Ben": 1, "box-1": 3}}
    page = make_browser(table).get(f"/p/{CODE}").text
    cards = re.findall(r'<button class="seatcard (seat\d)" name="player" value="([^"]+)"( disabled)?>', page)
    assert cards == [("seat2", "Ann", ""), ("seat1", "Ben", ""), ("seat3", "box-1", " disabled")]
    assert re.findall(r'class="do">([^<]+)<', page) == ["Sit here", "taken", "taken"]
    assert (page.count("Yours would replace it"), page.count("The box plays this seat")) == (1, 1)
    assert f'<input type="hidden" name="code" value="{CODE}">' in page


def test_a_phone_that_waits_may_choose_another_name():
    """Its button and the back button lead to the names; no code is needed, and the box then asks about that name."""
    asking = ON.open_screens(PhoneAdmission(hash_secret("secret"), "Ann"))
    for path in ("/p", f"/p/{CODE}"):
        table = FakeTable(asking)
        browser = make_browser(table, "secret")
        assert 'href="/p"' in browser.get("/seat").text
        page = browser.get(path).text
        assert (table.requests, 'name="code"' in page) == ([], False)
        assert 'action="/seat/sit"' in page
        answer = browser.post("/seat/sit", data={"player": "Ben"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/seat")
        assert table.requests[-1][1:3] == ("sit", "Ben")
    table = RefusingTable(asking)
    page = make_browser(table, "secret").post("/seat/sit", data={"player": "zoë"})
    assert (page.status_code, 'value="zoë"' in page.text, 'action="/seat/sit"' in page.text) == (403, True, True)


def test_a_phone_without_the_boxs_keys_says_who_chooses():
    """While there is no host, a button asks the box to make this the host's phone."""
    session = update_session(start_session(SessionSettings(("Ann", "Ben")), StoredHistory()), Tick(5.0))
    session = session._replace(
        phones=PhoneAccess(is_on=True, player_phones=((hash_secret("secret"), "Ann"),)), light="on"
    )
    table = FakeTable(session)
    table.seats = client_snapshot(session)["seats"]
    page = make_browser(table, "secret").get("/seat").text
    assert "You are in, Ann." in page
    assert "Choose a game with the keys of the box" in page
    assert 'action="/host/ask"' in page
    table.host = hash_secret("another")
    page = make_browser(table, "secret").get("/seat").text
    assert "The host chooses the next game." in page
    assert 'action="/host/ask"' not in page
    assert "Ziggurat" not in page, "the menu of the box, which this phone cannot press"


def test_a_strangers_tries_are_limited_by_the_pages():
    """One device is refused before it can make the table stop all pairing."""
    table = RefusingTable()
    application_ = web_application(table)
    for number, address in enumerate(["192.168.1.66"] * 20 + ["192.168.1.7"]):
        browser = TestClient(application_, base_url=HOME, client=(address, 5000), headers={"origin": HOME})
        answer = browser.post("/pair", data={"code": "AAAAAA", "player": "Ann"})
        assert answer.status_code == (403 if number < MAX_TRIES or number == 20 else 429)
    assert len(table.requests) == MAX_TRIES + 1
    assert MAX_TRIES < pairing.MAX_WRONG_TRIES
    assert TRIES_SECONDS >= pairing.CODE_SECONDS


@pytest.mark.parametrize("paired", [False, True])
def test_a_page_shows_news_about_its_phone(paired):
    """The page shows a refusal at the box, and why a phone is out."""
    known = hash_secret("secret")
    session = ON._replace(
        phones=ON.phones._replace(
            phone_messages=((known, "The box said no."),), player_phones=((known, "Ann"),) if paired else ()
        )
    )
    table = FakeTable(session)
    table.seats, table.news = client_snapshot(session)["seats"], client_snapshot(session)["news"]
    assert "The box said no." in make_browser(table, "secret").get("/seat").text
    assert "The box said no." in make_browser(table, "secret").get("/host").text
    assert "The box said no." not in make_browser(table, "another").get("/seat").text


@pytest.mark.parametrize("who", ["host", "player", "nobody"])
def test_the_boxs_keys_are_shown_to_phones_that_may_press_them(who):
    """On a page of the host, and on a player's if the settings allow that; each entry of a list is a button."""
    session = start_session(SessionSettings(("Ann", "Ben"), players_may_press=who == "player"), StoredHistory())
    session = update_session(session, Tick(5.0))._replace(
        phones=PhoneAccess(is_on=True, host=hash_secret("host"), player_phones=((hash_secret("player"), "Ann"),)),
        light="on",
    )
    table = FakeTable(session)
    snapshot = client_snapshot(session)
    table.phones, table.seats, table.remote = snapshot["phones"], snapshot["seats"], snapshot["remote"]
    browser = make_browser(table, who)
    page = browser.get("/host/box" if who == "host" else "/seat").text
    assert ('value="pick 2"' in page) == (who != "nobody")
    assert ("Ziggurat" in page) == (who != "nobody")
    data = {"seen": table.remote["seen"], "press": "pick 2", "said": "x" * 99}
    browser.post("/box", data=data)
    assert table.requests[-1][1:] == ("press", f"{table.remote['seen']} pick 2")
    browser.post("/box", data=data | {"press": "type"})
    assert len(table.requests[-1][2]) <= 60
    for wrong in ({"press": "off"}, {"press": "ok", "seen": "x"}, {"press": "pick 1234"}):
        before = len(table.requests)
        assert "not possible here" in browser.post("/box", data=data | wrong).text
        assert len(table.requests) == before


def test_the_cookie_is_hidden_from_scripts_and_other_sites():
    answer = Response()
    set_phone_cookie(answer, "a secret")
    attributes = answer.headers["set-cookie"].lower().split("; ")
    assert {"httponly", "samesite=strict"} <= set(attributes)


@pytest.mark.parametrize("player", ["Ann", ""])
def test_the_back_button_leads_a_paired_phone_to_its_page(player):
    """The browser goes back to the address of a used code, which must not be a dead end."""
    table = FakeTable(
        ON._replace(phones=ON.phones._replace(player_phones=((hash_secret("secret"), "Ann"),) if player else ()))
    )
    table.host = "" if player else hash_secret("secret")

    async def ask(*words) -> dict:
        return {"refusal": "This code is used up."}

    table.send_request = ask
    answer = make_browser(table, "secret").get(f"/p/{CODE}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/seat" if player else "/host")
    assert make_browser(table, "another").get(f"/p/{CODE}").status_code == 403
    if player:  # It chose another name while the box asked.
        assert make_browser(table, "secret").get("/p").headers["location"] == "/seat"


def test_only_a_code_is_shown_in_capitals():
    """A name is shown as its player types it."""
    css = (Path(web.__file__).parent / "static" / "page.css").read_text()
    rules = [rule.partition("{")[0] for rule in css.split("}") if "text-transform: uppercase" in rule]
    assert [rule.strip() for rule in rules] == [".join input[name=code]"]

"""How a phone is let in: by a secret that nobody else can know, and by a question that tells which phone asks."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image
from starlette.testclient import TestClient

from companion.moments.goodbye import Goodbye
from companion.moments.phones.phones_page import Letting, Phones
from companion.rounds.stored import StoredHistory
from companion.screens.public import public
from companion.screens.seats import for_guests
from companion.session.model import PairingCode, Session
from companion.web.app import application
from companion.web.secret import COOKIE, hashed
from companion.web.table import TableClient

HOME = "http://192.168.1.20:8027"
CODE = "K7Q2MB"
ON = Session(Phones(Goodbye()), StoredHistory(), phones=True, pages=(f"{HOME}/",), code=PairingCode(CODE, 100.0))


class Asked(TableClient):
    """A table without a socket in the state of a session, which notes what it is asked and grants it."""

    def __init__(self, session: Session = ON) -> None:
        super().__init__(Path("/nowhere"))
        told = for_guests(session)
        self.public, self.phones, self.host = told["public"], told["phones"], told["host"]
        self.asks, self.shows, self.names = told["asks"], told.get("shows", ""), ["Ann", "Ben"]
        self.asked: list[tuple] = []

    async def ask(self, *words) -> dict:
        self.asked.append(words)
        return {"refusal": ""}


def phone(table: TableClient, secret: str = "") -> TestClient:
    made = TestClient(application(table), base_url=HOME, client=("192.168.1.7", 5000), follow_redirects=False)
    made.cookies = {COOKIE: secret} if secret else {}
    made.headers["origin"] = HOME
    return made


def test_the_page_for_everybody_does_not_tell_the_code():
    """Whoever opens the big screen gets the address to watch, and no letters to come in with."""
    page = phone(Asked()).get("/").text
    assert f'<p class="large">{HOME.partition("://")[2]}</p>' in page
    assert CODE not in page
    with Image.open(io.BytesIO(base64.b64decode(public(ON)["panel"]))) as panel:
        found = [each.text for each in zxingcpp.read_barcodes(panel.convert("L").resize((1024, 512)))]
    assert found == [f"{HOME}/".upper()]
    assert public(ON) == public(ON._replace(code=PairingCode("ZZZZZZ", 5.0)))
    assert public(ON) == public(ON._replace(code=None))


@pytest.mark.parametrize("form", [{"code": CODE, "player": "Ann"}, {"code": CODE, "host": "1"}])
@pytest.mark.parametrize("brought", ["", "0", "a secret that another made up"])
def test_a_phone_gets_a_new_secret_each_time(form, brought):
    """No secret that a browser brings is ever let in: somebody else may have put it there."""
    table = Asked()
    browser = phone(table, brought)
    secrets = []
    for _ in range(2):
        answer = browser.post("/pair", data=form)
        secrets.append(re.search(rf"{COOKIE}=([\w-]{{30,}});", answer.headers["set-cookie"])[1])
        assert table.asked[-1][0] == hashed(secrets[-1])
    assert len({*secrets, brought}) == 3


def test_what_a_phone_was_let_in_as_goes_over_to_its_new_secret():
    """The table is told as which paired phone the asking one was known, and of no other."""
    known = hashed("Ann's secret")
    table = Asked(ON._replace(paired=((known, "Ann"),)))
    phone(table, "Ann's secret").post("/pair", data={"code": CODE, "host": "1"})
    phone(table, "another").post("/pair", data={"code": CODE, "host": "1"})
    assert [words[3] for words in table.asked] == [known, ""]


@pytest.mark.parametrize("player", ["Ann", ""])
def test_the_phone_that_asks_shows_the_digits_of_the_box(player):
    """The page of the phone about which the box asks has its two digits; no other page has any."""
    asking = ON._replace(mode=Letting(hashed("secret"), player, ON.mode))
    table = Asked(asking)
    digits = for_guests(asking)["shows"]
    assert re.fullmatch(r"\d\d", digits)
    path = "/seat" if player else "/host"
    assert f"<b>{digits}</b>" in phone(table, "secret").get(path).text
    assert f"<b>{digits}</b>" not in phone(table, "another").get(path).text
    other = asking._replace(mode=Letting(hashed("another"), player, ON.mode))
    assert for_guests(other)["shows"] != digits
    assert public(other)["panel"] == public(asking)["panel"], "the page for everybody does not tell them"


def test_a_phone_that_asks_to_change_shows_the_digits():
    """Also where a phone that was let in asks to be another player's, its page says what the box has to show."""
    known = hashed("secret")
    asking = ON._replace(mode=Letting(known, "Ben", ON.mode), paired=((known, "Ann"),))
    table = Asked(asking)
    table.seats = for_guests(asking)["seats"]
    assert f"if it shows {table.shows}." in phone(table, "secret").get("/seat").text

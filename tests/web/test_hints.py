"""A hint on a seat's page: the page asks again while the box thinks, and shows further parts at a tap."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from companion.web.app import web_application
from companion.web.clients import PHONE_COOKIE, hash_secret
from companion.web.table_client import TableClient

HOME = "http://192.168.1.20:8027"
SECRET = "the secret of a phone"


@pytest.fixture
def phone(monkeypatch):
    """Returns `ask(answer, **form)`: the page after a question, and what the table was asked."""
    seat = {"name": "Ann", "plays": True, "pieces": "", "turn": False, "deal": None, "asked": "", "named": [],
            "hints": True, "back": False, "seat": 0}  # fmt: skip

    def ask_page(
        answer: dict, public: dict | None = None, path: str = "/seat/words", **form: str
    ) -> tuple[str, list[tuple[str, str]]]:
        table, asked = TableClient(Path("/nowhere")), []
        table.public = public
        table.phones, table.seats = {hash_secret(SECRET): "Ann"}, {"Ann": seat}

        async def ask(phone: str, what: str, text: str = "") -> dict:
            asked.append((what, text))
            return answer

        monkeypatch.setattr(table, "send_request", ask)
        browser = TestClient(web_application(table), base_url=HOME, client=("192.168.1.7", 5000))
        browser.cookies = {PHONE_COOKIE: SECRET}
        return browser.post(path, data=form, headers={"origin": HOME}).text, asked

    return ask_page


def test_an_unfinished_hint_is_asked_for_again(phone):
    """The page shows the progress, and asks for the same part by itself."""
    page, asked = phone({"words": ["Hint", "I am thinking: 40%."], "wait": True}, what="hint", part="2")
    assert asked == [("hint", "2")]
    assert "I am thinking: 40%." in page
    assert 'hx-trigger="load' in page
    assert 'name="part" value="2"' in page
    assert "Tell me more" not in page


def test_a_tap_shows_the_next_part(phone):
    page, asked = phone({"words": ["Look here", "There."], "part": 0, "parts": 2}, what="hint")
    assert asked == [("hint", "")]
    assert 'name="part" value="1">Tell me more' in page
    page, _ = phone({"words": ["A good move", "This."], "part": 1, "parts": 2}, what="hint", part="1")
    assert "Tell me more" not in page
    assert 'hx-trigger="load' not in page


def test_a_hint_stays_until_the_table_changes(phone):
    """Taps and new pages keep the hint until the table changes."""
    answer = {"words": ["A good move", "This."], "part": 1, "parts": 2}
    page, _ = phone(answer, what="hint", part="1")
    (hint_field,) = re.findall(r'name="hint" value="([^"]+)"', page)
    again, asked = phone(answer, path="/seat/judge", keys="1", hint=hint_field)
    assert "This." in again
    assert asked == [("hint", "1")]
    for changed in (hint_field[:-1], "1 ", "1", " ", ""):
        again, asked = phone(answer, path="/seat/judge", keys="1", hint=changed)
        assert "This." not in again
        assert asked == []


def test_only_a_digit_is_passed_on_as_a_part(phone):
    """Anything but one digit counts as no part."""
    for part in ("x", "12", "-1", '"'):
        _, asked = phone({"words": []}, what="hint", part=part)
        assert asked == [("hint", "")]
    assert phone({"words": ["Could I have moved?", "Yes."]}, what="could")[1] == [("could", "")]


def test_hints_are_offered_while_the_box_shows_a_menu(phone):
    """Also in a game without a board; but not without a round, or on a score pad."""
    state = {"game": "Nim", "sheet": None, "board": "", "moves": [], "players": [], "colours": {}}
    assert "Give me a hint" in phone({"words": []}, state)[0]
    for other in (state | {"game": ""}, state | {"sheet": {"title": "Nim"}}):
        assert "Give me a hint" not in phone({"words": []}, other)[0]

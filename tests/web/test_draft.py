"""The main button below a half-entered move on a phone's page."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from companion.screens.seats import for_guests, judged
from companion.session.model import Session
from companion.web.app import application
from companion.web.secret import COOKIE, hashed
from companion.web.table import TableClient

HOME = "http://192.168.1.20:8027"
SECRET = "the secret of a phone"


class AtTable(TableClient):
    """A table without a socket, where Ann is to move."""

    def __init__(self, session: Session) -> None:
        super().__init__(Path("/nowhere"))
        self.session = session._replace(phones=True, paired=((hashed(SECRET), "Ann"),))
        words = for_guests(self.session)
        self.public, self.phones, self.seats = words["public"], words["phones"], words["seats"]

    async def ask(self, phone: str, what: str, text: str = "") -> dict:
        assert what == "judge"
        return {"draft": judged(self.session, 1, text)}


@pytest.mark.parametrize(
    ("game", "keys", "button", "event"),
    [
        ("coral-reef", "43", "", ""),
        ("coral-reef", "454", "Play 4:54", "4:54"),
        ("coral-reef", "0", "Play draw", "draw"),
        ("prime-attactics", "0", "I cannot move", "pass"),
        ("prime-attactics", "0A", "", ""),
        ("ziggurat", "0177B", "", ""),
    ],
)
def test_the_main_button_plays_a_whole_move_alone(desk, game, keys, button, event):
    """An unfinished move has none; "I cannot move" stands where that is what it says."""
    table = desk(game)
    table.wait(3)
    browser = TestClient(application(AtTable(table.session)), base_url=HOME, client=("192.168.1.7", 5000))
    browser.cookies = {COOKIE: SECRET}
    page = browser.post("/seat/judge", data={"keys": keys}, headers={"origin": HOME}).text
    assert ('name="event"' in page) == bool(button)
    assert f'name="event" value="{event}"' in page or not event
    assert f'<button class="choice yes">{button}</button>' in page or not button
    assert "I cannot move" not in page or button == "I cannot move"

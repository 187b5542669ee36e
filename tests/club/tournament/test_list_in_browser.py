"""A list of players in Chromium, from a file to the tournament, and the list on the wall."""

from __future__ import annotations

import threading
import time

import pytest
import uvicorn
from browser import box_of, browser, playwright
from ports import free_port
from tournament_night import new_tournament, pair_next_round

from companion.club import tournament_changes as changes

__all__ = ["browser", "playwright"]

SCREEN_WIDTHS = (360, 1280)
PLAYER_LIST = (
    "Nachname;Vorname;Verein\r\nGroß;Ann\u00a0Eva;Schachfreunde von 1882 Bad Schwartau an der Trave e. V.\r\n"
    "WWWWWWWW;WWWWWWW;\r\n;Vera;x\r\n"
)
LONG_NAMES = ["W" * 16, "m" * 16, "Maximiliana Rosa", "Jo", "Bartholomäus Xi", "Ann", "Wilhelmina-Sofie"]
WIDER_THAN_THE_SCREEN = "() => document.documentElement.scrollWidth > innerWidth"
OVERLAPPING = """() => [...document.querySelectorAll(".wall li")].filter(li => {
  const [name, place] = [...li.querySelectorAll("b")].map(each => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getBoundingClientRect();
  });
  return name.right > place.left;
}).map(li => li.innerText)"""


@pytest.fixture
def address(client):
    """The address at which the pages are served for a browser."""
    port = free_port()
    config = uvicorn.Config(client.app, host="127.0.0.1", port=port, ws="none", log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = server.force_exit = True
    thread.join(60)


@pytest.mark.drill
def test_a_file_is_shown_and_saved_in_a_browser(tournament_night, client, address, browser, tmp_path):
    """A file as Excel saves it on Windows; the list is in sight at once, on a phone too."""
    file = tmp_path / "list.csv"
    file.write_bytes(PLAYER_LIST.encode("utf-16"))
    for width in SCREEN_WIDTHS:
        id_ = new_tournament(tournament_night, "")
        page = browser.new_page(viewport={"width": width, "height": 800})
        page.goto(f"{address}/tournaments")
        page.fill("[name=password]", client.password)
        page.click("text=Log in")
        page.wait_for_selector("text=A new tournament")
        page.goto(f"{address}/tournaments/{id_}")
        page.set_input_files("[name=file]", file)
        page.click("text=Add these players")
        page.wait_for_selector("#list")
        assert 0 <= box_of(page, "#list")["y"] < 400
        assert not page.evaluate(WIDER_THAN_THE_SCREEN), width
        assert "its spaces were tidied up" in page.inner_text("#list")
        page.click("text=Add these players")
        page.wait_for_selector("text=WWWWWWW WWWWWWWW")
        names = [player.name for player in tournament_night.tournaments.read_event(id_).tournament.players]
        assert names == ["Ann Eva Groß", "WWWWWWW WWWWWWWW"]


@pytest.mark.drill
def test_by_name_each_player_is_beside_the_own_table(tournament_night, address, browser):
    tournament_night.table_names[:] = ["table-1", "table-2-by-the-window-upstairs", "table-3"]
    id_ = new_tournament(tournament_night, "")
    tournament_night.tournaments.change_event(id_, changes.add_players, LONG_NAMES)
    pair_next_round(tournament_night, id_)
    for width in SCREEN_WIDTHS:
        page = browser.new_page(viewport={"width": width, "height": 800})
        page.goto(f"{address}/tournaments/{id_}/round")
        assert page.locator(".wall li").count() == len(LONG_NAMES)
        assert page.evaluate(OVERLAPPING) == []
        assert not page.evaluate(WIDER_THAN_THE_SCREEN), width

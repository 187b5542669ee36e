"""A club evening from the list of players to the cross-table: real pages, broker, hall and uplinks, and two tables."""

from __future__ import annotations

import queue
import re
import socket
import subprocess
import threading
import time
from pathlib import Path

import pytest
from browser import axe, browser, faults, playwright
from club_night import PATIENCE, Broker, Running, until

from companion import games
from companion import session as sessions
from companion.hall.uplink import Uplink
from companion.inputs import Pressed, Stop
from companion.screens.public import public
from companion.session.model import Settings
from companion.store.store import Store
from companion.table import offers
from companion.table.guests import Guests, public_path
from companion.table.loop import Table

__all__ = ["axe", "browser", "playwright"]
PLAYERS = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lou"]
ROUNDS = 5
WIDTHS = ((1920, 1080), (768, 1024), (360, 740))


class ClubTable:
    """A table in a thread: the real loop, store, socket and uplink; keys instead of a keypad."""

    def __init__(self, folder, link) -> None:
        folder.mkdir()
        self.inputs: queue.Queue = queue.Queue()
        self.guests = Guests(public_path(folder), lambda session: {"public": public(session)}, self._heard)
        self.guests.open()
        self.at = time.monotonic()
        self._folder, self._made = folder, queue.Queue()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self.table = self._made.get(timeout=PATIENCE)
        self.uplink = Running(Uplink(link, folder, public_path(folder)))
        until(lambda: self.mode in ("Menu", "Offered"))  # The title goes by itself.

    def _run(self) -> None:
        """The store belongs to the loop's thread."""
        store = Store(self._folder)
        first = sessions.start(Settings(("Ann", "Ben")), store.past(), time.monotonic())
        table = Table(first, store, [], self.inputs, on_shown=self.guests.show)
        self._made.put(table)
        table.open()
        table.run()
        store.close()

    def _heard(self, words) -> None:
        if (made := offers.read(words)) is not None:
            self.inputs.put(made)

    @property
    def session(self):
        return self.table.session

    @property
    def mode(self) -> str:
        return type(self.session.mode).__name__

    def press(self, *keys: str) -> None:
        """Press keys, each long enough after what it answers, and wait until they are taken."""
        for key in keys:
            self.at = max(self.at, time.monotonic(), self.session.clock) + 1.1
            self.inputs.put(Pressed(key, self.at))
            until(lambda: self.session.pressed >= self.at)

    def play(self, wins: int) -> tuple[str, ...]:
        """Take the pairing that is offered with one OK, and play its round by keys; the names of the players."""
        until(lambda: self.mode == "Offered")
        self.press("#")
        until(lambda: self.session.round is not None)
        round_ = self.session.round
        while self.session.round.turn is not None:
            state = self.session.round.state
            moves = sorted(round_.game.moves(state), key=str)
            self.press(*re.findall(r"\d", str(moves[wins % len(moves)])), "#")
            while self.mode == "Notice":
                self.press("#")
        names = round_.header.names
        until(lambda: self.mode == "RoundOver")
        self.press("*")
        until(lambda: self.mode != "RoundOver")
        self.leave()
        return names

    def leave(self) -> None:
        """To the main menu, where the next pairing is asked for."""
        while self.mode not in ("Offered",) and getattr(self.session.mode, "kind", "") != "main":
            if self.mode == "Menu" and self.session.mode.kind == "table":
                words = [item.label for item in self.session.mode.items]
                place = next(n for n, label in enumerate(words) if "menu" in label.lower())
                for _ in range((place - self.session.mode.cursor) % len(words)):
                    self.press("down")
                self.press("#")
            else:
                self.press("*")

    def stop(self) -> None:
        self.uplink.stop()
        self.inputs.put(Stop(at=self.at + 1))
        self._thread.join(PATIENCE)
        self.guests.close()


@pytest.fixture
def evening(tmp_path, companion_command):
    """The hall's own command on a real broker, and two tables."""
    broker = Broker(tmp_path / "broker")
    broker.start()
    (tmp_path / "hall.link").write_text(f"{broker.link('hall')}\n")
    data = tmp_path / "hall"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        companion_command,
        "hall",
        "--data",
        data,
        "serve",
        "--link",
        tmp_path / "hall.link",
        "--page",
        str(port),
    ]
    hall = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    until(lambda: (data / "organiser").exists())
    command = [companion_command, "hall", "--data", data, "password"]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    tables = [ClubTable(tmp_path / name, broker.link(name)) for name in ("table-1", "table-2")]
    yield f"http://127.0.0.1:{port}", shown.stdout.strip(), tables
    for table in tables:
        table.stop()
    hall.terminate()
    hall.wait(PATIENCE)
    broker.kill()


@pytest.mark.drill
def test_twelve_players_and_five_rounds(evening, browser, axe, tmp_path):
    """Every pairing is played at a table by keys or entered on the page; all files agree at the end."""
    address, password, tables = evening
    page = browser.page(viewport={"width": 1920, "height": 1080}, bypass_csp=True)
    until(lambda: _answers(address))
    page.goto(f"{address}/tournaments")
    page.fill("[name=password]", password)
    _submit(page, "text=Let me in")
    page.fill("[name=name]", "Club evening")
    page.select_option("[name=game]", "27 variant=expert")
    page.fill("[name=rounds]", str(ROUNDS))
    _submit(page, "text=Open it")
    page.fill("[name=names]", "name,club\n" + "\n".join(f"{name},Ours" for name in PLAYERS))
    _submit(page, "text=Add these players")
    assert page.locator(".entrants li").count() == len(PLAYERS)
    until(lambda: "table-2" in page.request.get(f"{address}/").text())
    for round_ in range(1, ROUNDS + 1):
        page.reload()
        _submit(page, f"text=Pair round {round_}")
        page.wait_for_selector(f"h2:text-is('Round {round_}')")
        if round_ == 3:
            wrong = looked_at(page.context.new_page(), page.url, axe, tmp_path / "in-a-round")
            wrong += looked_at(page.context.new_page(), f"{address}/", axe, tmp_path / "television-in-a-round")
        for n, table in enumerate(tables):
            names = table.play(round_ + n)
            _wait(page, lambda names=names, round_=round_: _decided(page, round_, names))
        while (row := page.locator(".boards li.open").first).count():
            # Those that now wait at a table are entered here, as if they were played without a box.
            row.locator("summary").click()
            row.locator("[name=outcome]").select_option("1-0" if round_ % 2 else "½-½")
            with page.expect_navigation():
                row.locator("text=Set the result").click()
    said = page.request.get(f"{page.url}/tournament.json").json()
    assert len(said["pairings"]) == ROUNDS * len(PLAYERS) // 2
    assert sum(each["points"] for each in said["standings"]) == len(said["pairings"])
    met = [frozenset((each["first"], each["second"])) for each in said["pairings"]]
    assert len(set(met)) == len(met)
    assert said["options"] == {"variant": "expert"}
    trail = page.locator(".told").inner_text()
    assert trail.count("from table-") >= 2 * ROUNDS
    url = page.url
    anybody = browser.page(bypass_csp=True)
    paths = (f"{address}/", f"{address}/organiser", f"{address}/tournaments", url, f"{url}/table")
    for who, path in [(page, path) for path in paths] + [(anybody, f"{address}/tournaments")]:
        wrong += looked_at(who, path, axe, tmp_path / f"{len([*tmp_path.glob('*.png')]):02}-{path.rsplit('/', 1)[1]}")
    assert wrong == []
    page.goto(f"{url}/table")
    printed = page.pdf(landscape=True)
    assert printed.count(b"/Type /Page\n") == 1 or printed.count(b"/Type /Page ") == 1 or b"/Count 1" in printed


def looked_at(page, path: str, axe: str, picture: Path) -> list[str]:
    """What keeps anybody from using a page, on a phone, a tablet and a television, light and dark."""
    wrong = []
    for width, height in WIDTHS:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": height})
            page.goto(path)
            page.wait_for_selector("main")
            page.screenshot(path=f"{picture}-{width}-{scheme}.png", full_page=True)
            wrong += [f"{path} {width} {scheme} {fault}" for fault in faults(page, axe)]
    return wrong


def _answers(address: str) -> bool:
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", int(address.rsplit(":", 1)[1]))) == 0


def _submit(page, button: str) -> None:
    """Press a button of a form, and wait for the page that answers."""
    with page.expect_navigation():
        page.click(button)


def _wait(page, true) -> None:
    """Load the page again until something is on it."""

    def looked() -> bool:
        page.reload()
        return true()

    until(looked, pause=0.3)


def _decided(page, round_: int, names: tuple[str, ...]) -> bool:
    """Whether the pairing of these players has its result on the page."""
    rows = page.locator("h2", has_text=f"Round {round_}").first.locator("xpath=following-sibling::ol[1]/li")
    row = rows.filter(has_text=f"{names[0]} – {names[1]}")
    return row.count() == 1 and "open" not in (row.get_attribute("class") or "")


def test_the_game_of_the_drill_is_installed():
    assert "expert" in games.manifest("27").values["variant"]

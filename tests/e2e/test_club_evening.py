"""A club night from the list of players to the cross-table: real pages, broker, server and uplinks, and six tables."""

from __future__ import annotations

import queue
import re
import socket
import subprocess
import threading
import time
from pathlib import Path

import pytest
from browser import axe, browser, page_faults, playwright
from club_night import PATIENCE_SECONDS, Broker, RunningThread, wait_until
from ports import free_port

from companion import games
from companion.club.uplink import Uplink
from companion.evening import state_machine as sessions
from companion.evening.screens.play.table_menu import TableMenu
from companion.inputs import KeyPressed, StopRequested
from companion.rounds.stored import SessionSettings
from companion.store.store import Store
from companion.table.loop import TableLoop
from companion.table.public_state import public_state
from companion.table.state_server import StateServer, public_socket_path
from companion.table.workers import parse_offer

__all__ = ["axe", "browser", "playwright"]
PLAYERS = ["Ann", "Ben", "Cloe", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lou"]
ROUNDS = 5
TABLES = [f"table-{number}" for number in range(1, 7)]
WIDTHS = ((1920, 1080), (768, 1024), (360, 740))


class ClubTable:
    """A table in a thread: the real loop, store, socket and uplink; keys instead of a keypad."""

    def __init__(self, folder, link) -> None:
        folder.mkdir()
        self.inputs: queue.Queue = queue.Queue()
        self.server = StateServer(
            "hall link", public_socket_path(folder), lambda session: {"public": public_state(session)}, self._heard
        )
        self.server.open()
        self.at = time.monotonic()
        self._folder, self._link, self._made = folder, link, queue.Queue()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self.table = self._made.get(timeout=PATIENCE_SECONDS)
        self.uplink = RunningThread(Uplink(link, folder, public_socket_path(folder)))
        wait_until(lambda: self.family in ("MainMenu", "Offered"))  # The title goes by itself.

    def _run(self) -> None:
        """Runs in the thread that owns the store."""
        store = Store(self._folder)
        first = sessions.start_session(SessionSettings(("Ann", "Ben")), store.load_history(), time.monotonic())
        table = TableLoop(first, store, [], self.inputs, on_shown=self.server.publish)
        self._made.put(table)
        table.show_first_session()
        table.run()
        store.close()

    def _heard(self, words) -> None:
        if (made := parse_offer(words)) is not None:
            self.inputs.put(made)

    @property
    def session(self):
        return self.table.session

    @property
    def family(self) -> str:
        return type(self.session.screen).__name__

    def press(self, *keys: str) -> None:
        """Press keys, each late enough not to be ignored, and wait until they are processed."""
        for key in keys:
            self.at = max(self.at, time.monotonic(), self.session.now) + 1.1
            self.inputs.put(KeyPressed(key, self.at))
            wait_until(lambda: self.session.taps.pressed_at >= self.at)

    def play(self, round_: int, *, change_seats: bool = False, once_more: bool = False) -> tuple[str, ...]:
        """Take the pairing that is offered, play it by keys, and stay at its result. Returns the players' names.

        With `change_seats` the players first swap seats; with `once_more` they play another round for fun.
        """
        wait_until(lambda: self.session.club_offer.offer is not None and self.session.club_offer.offer.round == round_)
        if self.family == "RoundOver":
            self.press("#")  # "next: Ida-Fritz"
        wait_until(lambda: self.family == "Offered")
        self.press("#")
        wait_until(lambda: self.session.round is not None)
        if change_seats:
            self.press("#")  # The page at the start of the round.
            self.choose_menu_line("Back to set-up")
            wait_until(lambda: self.family == "Seats")
            self.press("left", "#")
        names = self.play_to_the_end(round_ + len(self.session.round.player_name(1)))
        if once_more:
            self.press("#")
            assert self.session.round.header.names == names[::-1]
            self.play_to_the_end(round_)
        return names

    def play_to_the_end(self, wins: int) -> tuple[str, ...]:
        """Play the round on the table to its end. Returns the names of its players."""
        round_ = self.session.round
        while self.session.round.turn is not None:
            state = self.session.round.state
            moves = sorted(round_.game.legal_moves(state), key=str)
            self.press(*re.findall(r"\d", str(moves[wins % len(moves)])), "#")
            while self.family == "Notice":
                self.press("#")
        wait_until(lambda: self.family == "RoundOver")
        return round_.header.names

    def choose_menu_line(self, words: str) -> None:
        """Choose a line of the table menu by its words."""
        self.press("*")
        wait_until(lambda: isinstance(self.session.screen, TableMenu))
        labels = [item.label for item in self.session.screen.listed_items(self.session)]
        for _ in range((labels.index(words) - self.session.screen.cursor) % len(labels)):
            self.press("down")
        self.press("#")

    def go_offline(self) -> None:
        """Disconnect the network; what was offered stays."""
        self.uplink.stop()

    def go_online(self) -> None:
        """Connect the network again."""
        self.uplink = RunningThread(Uplink(self._link, self._folder, public_socket_path(self._folder)))

    def stop(self) -> None:
        self.uplink.stop()
        self.inputs.put(StopRequested(at=self.at + 1))
        self._thread.join(PATIENCE_SECONDS)
        self.server.close()


@pytest.fixture
def evening(tmp_path, companion_command):
    """The club server's own command on a real broker, and six tables."""
    broker = Broker(tmp_path / "broker")
    broker.start()
    (tmp_path / "hall.link").write_text(f"{broker.link('hall')}\n")
    data = tmp_path / "hall"
    port = free_port()
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
    wait_until(lambda: (data / "organiser").exists())
    command = [companion_command, "hall", "--data", data, "password"]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True)
    tables = [ClubTable(tmp_path / name, broker.link(name)) for name in TABLES]
    yield f"http://127.0.0.1:{port}", shown.stdout.strip(), tables
    for table in tables:
        table.stop()
    hall.terminate()
    hall.wait(PATIENCE_SECONDS)
    broker.kill()


class Organiser:
    """The organiser's browser: only what docs/hall.md says is pressed."""

    def __init__(self, page, address: str, password: str) -> None:
        self.page = page
        page.goto(f"{address}/tournaments")
        page.fill("[name=password]", password)
        _submit(page, "text=Log in")

    def open(self, players: list[str]) -> None:
        self.page.fill("[name=name]", "Club evening")
        self.page.select_option("[name=game]", "27 variant=expert")
        self.page.fill("[name=rounds]", str(ROUNDS))
        self.page.fill("[name=names]", "name,club\n" + "\n".join(f"{name},Ours" for name in players))
        self._add_list("text=Create the tournament")

    def _add_list(self, button: str) -> None:
        """Submit a form with a list of players, and then confirm the list as it was understood."""
        _submit(self.page, button)
        self.page.wait_for_selector("#list")
        _submit(self.page, button)

    def pair(self, number: int) -> None:
        _submit(self.page, f"text=Pair round {number} >> nth=0")
        self.page.wait_for_selector(f"h2:text-is('Round {number} of {ROUNDS}')")

    def press_for_player(self, player: str, button: str, **fields: str) -> None:
        """Press a button in a player's *Change*."""
        self.page.click(".tabs >> text=Players")
        row = self.page.locator(".entrants > li", has=self.page.locator(f"span:text-is('{player}')")).first
        row.locator("summary").click()
        for field, value in fields.items():
            row.locator(f"[name={field}]").fill(value)
        with self.page.expect_navigation():
            row.locator(f"button:text-is('{button}')").click()
        assert self.page.url.endswith("#players")
        self.page.click(".tabs >> text=Round")

    def add(self, name: str) -> None:
        self.page.click(".tabs >> text=Players")
        self.page.fill("textarea[name=names]", name)
        self._add_list("text=Add these players")

    def wait_for_results(self, round_: int) -> None:
        """Wait, without reloading the page, until every pairing of a round has its result."""
        self.page.wait_for_selector(f"h2:text-is('Round {round_} of {ROUNDS}')")
        self.page.wait_for_selector(".cards .open", state="detached")

    def trail(self) -> str:
        self.page.reload()
        return self.page.locator(".told").text_content()


def play_all(tables, round_: int, **unlike) -> dict[str, tuple[str, ...]]:
    """Let every table play its pairing, all at once.

    Returns who has played where; `unlike` has other arguments by table.
    """
    played = {}

    def one(n: int) -> None:
        played[TABLES[n]] = tables[n].play(round_, **unlike.get(f"table{n + 1}", {}))

    threads = [threading.Thread(target=one, args=(n,)) for n in range(len(tables))]
    for each in threads:
        each.start()
    for each in threads:
        each.join(PATIENCE_SECONDS)
    assert len(played) == len(tables)
    return played


@pytest.mark.drill
def test_a_club_night_of_twelve_players_six_tables_and_five_rounds(evening, browser, axe, tmp_path):
    """As docs/hall.md tells a new organiser, with everything that goes wrong on such a night.

    A wrong name, changed seats, a late entrant, a table offline that plays on for fun, a leaver, a rematch by hand.
    Results come by themselves. The television is German, the organiser English.
    """
    address, password, tables = evening
    page = browser.new_page(viewport={"width": 1920, "height": 1080}, bypass_csp=True)
    wait_until(lambda: _answers(address))
    organiser = Organiser(page, address, password)
    organiser.open(PLAYERS)
    assert page.locator(".entrants > li").count() == len(PLAYERS)
    wait_until(lambda: all(name in page.request.get(f"{address}/").text() for name in TABLES))
    television = browser.new_page(viewport={"width": 1920, "height": 1080}, bypass_csp=True, locale="de-DE")
    television.goto(f"{address}/")
    assert "without rematches" not in page.inner_text("main"), "twelve players can be paired for five rounds"

    organiser.pair(1)
    television.wait_for_function("document.querySelector('.slides').textContent.includes('Cloe')")
    assert "Club evening, Runde 1 von 5" in television.locator(".slides").text_content(), "it has its own language"
    # It was read wrong from the list; the box is told at once.
    organiser.press_for_player("Cloe", "Rename", name="Cleo")
    played = play_all(tables, 1, table1={"change_seats": True})
    organiser.wait_for_results(1)
    said = organiser.trail()
    assert "Cloe is now Cleo" in said
    assert f"{played['table-1'][0]} started" in said, "the seats were changed, and it counts as they sat"

    organiser.add("Max")  # Late.
    organiser.pair(2)
    wrong = accessibility_faults(page.context.new_page(), page.url, axe, tmp_path / "in-a-round")
    wrong += accessibility_faults(page.context.new_page(), f"{address}/", axe, tmp_path / "television-in-a-round")
    tables[1].go_offline()
    play_all(tables, 2, table2={"once_more": True})  # Offline, and once more for fun with the seats changed.
    page.wait_for_function("document.querySelectorAll('.cards .open').length == 1")
    tables[1].go_online()
    organiser.wait_for_results(2)
    assert organiser.trail().count("round 2, ") == 6, "the round for fun is no result"

    organiser.press_for_player("Max", "Away from now on")
    organiser.pair(3)
    play_all(tables, 3)
    organiser.wait_for_results(3)
    organiser.pair(4)
    play_all(tables, 4)
    organiser.wait_for_results(4)

    page.reload()
    before = page.request.get(f"{page.url.partition('#')[0]}/tournament.json").json()
    again = next(each for each in before["pairings"] if "Max" not in (each["first"], each["second"]) and each["second"])
    others = [name.replace("Cloe", "Cleo") for name in PLAYERS if name.replace("Cloe", "Cleo") not in again.values()]
    page.click("text=Other pairings")
    _submit(page, "text=Pair round 5 by hand")
    pairs = [(again["first"], again["second"]), *zip(others[::2], others[1::2], strict=True)]
    for side, names in zip(("first", "second"), zip(*pairs, strict=True), strict=True):
        for n, name in enumerate(names):
            page.locator(f"[name={side}]").nth(n).select_option(label=name)
    _submit(page, "text=Pair round 5 like this")
    play_all(tables, 5)
    organiser.wait_for_results(5)
    assert "meet again" in organiser.trail()

    said = page.request.get(f"{page.url.partition('#')[0]}/tournament.json").json()
    assert len(said["pairings"]) == 5 * 6 + 1
    assert sum(each["points"] for each in said["standings"]) == len(said["pairings"])
    assert [each["result"] for each in said["pairings"]].count("bye") == 1
    assert organiser.trail().count("from table-") == 30, "every result came by itself"
    shown = television.inner_text("main")
    assert "Cleo" in television.locator(".slides").text_content(), shown
    url = page.url.partition("#")[0]
    anybody = browser.new_page(bypass_csp=True)
    paths = (f"{address}/", f"{address}/organiser", f"{address}/tournaments", url, f"{url}/standings", f"{url}/table",
             f"{url}/round", f"{url}/hand", f"{url}#players", f"{url}#settings")  # fmt: skip
    for who, path in [(page, path) for path in paths] + [(anybody, f"{address}/tournaments")]:
        wrong += accessibility_faults(
            who, path, axe, tmp_path / f"{len([*tmp_path.glob('*.png')]):02}-{path.rsplit('/', 1)[1]}"
        )
    anybody.set_viewport_size({"width": 1920, "height": 1080})
    assert anybody.locator(".tabs").first.evaluate("tabs => getComputedStyle(tabs).opacity") == "1", "without a mouse"
    assert wrong == []
    page.goto(f"{url}/table")
    printed = page.pdf(landscape=True)
    assert printed.count(b"/Type /Page\n") == 1 or printed.count(b"/Type /Page ") == 1 or b"/Count 1" in printed
    page.goto(f"{url}#settings")
    _submit(page, "text=Archive it: it is over")
    television.wait_for_function("document.querySelector('.slides').children.length == 0")


def accessibility_faults(page, path: str, axe: str, picture: Path) -> list[str]:
    """The accessibility faults of a page on a phone, a tablet and a television, light and dark."""
    wrong = []
    for width, height in WIDTHS:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": height})
            page.goto(path)
            page.wait_for_selector("main")
            page.screenshot(path=f"{picture}-{width}-{scheme}.png", full_page=True)
            wrong += [f"{path} {width} {scheme} {fault}" for fault in page_faults(page, axe)]
    return wrong


def _answers(address: str) -> bool:
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", int(address.rsplit(":", 1)[1]))) == 0


def _submit(page, button: str) -> None:
    """Press a button of a form, and wait for the page that answers."""
    with page.expect_navigation():
        page.click(button)


def test_the_game_of_the_drill_is_installed():
    assert "expert" in games.manifest_of("27").option_values["variant"]

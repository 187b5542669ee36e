"""What a club night costs: from a key press to the television page in Chromium, and the memory of uplink and server.

Run it as `python tests/benchmarks/hall.py`, with Mosquitto, Chromium and playwright installed. Broker, club server,
pages, box and uplink are the real programs; rounds of 27 are typed on the box's keypad.

- *Latency*: from the byte of the last key of a move to the new board of that table in the page, by the machine's one
  clock; with this table alone, and with 99 others, each of which shows another board every three seconds. Also from
  the same byte to the new board at the table's own socket: by then the move is on the table's disk, and no server has
  anything to do with it.
- *Memory*: resident memory of the server with its pages, once 1, 10 and 100 tables have sent an evening of 40 rounds
  each, and again after a second evening; of one uplink as a process of its own, and of the 100 in one process.
- *Growth*: resident memory of the server with its pages and of one uplink, as one table plays evening after evening
  until its store has 8,000 rounds; each evening an uplink that keeps running sends what is new.

Run it as `hall.py growth` or `hall.py latency [ROUNDS]` or `hall.py memory` for one of the three.
"""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

import web  # Python imports from this file's folder first.

from companion.club.club_store import ClubStore
from companion.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

club_night = web.load_module("club_night", web.BENCHMARKS / "support" / "club_night.py")

ROUNDS = 6
OTHER_TABLES = 99
ROUNDS_PER_EVENING = 40
GROWTH_ROUNDS = (0, 1_000, 4_000, 8_000)
COMPANION = Path(sys.executable).with_name("companion")
OBSERVER_SCRIPT = """() => {
  const table = document.querySelector("section[aria-label='table-1']");
  const board = () => table.querySelector("img.drawing")?.src ?? "";
  let last = board();
  window.seen = [];
  new MutationObserver(() => {
    if (board() === last) return;
    last = board();
    window.seen.push(performance.timeOrigin + performance.now());
  }).observe(table, {childList: true, subtree: true});
}"""
UPLINKS_PROGRAM = """
import random, sys, threading, time
from pathlib import Path
from companion.club.mqtt_messages import Link
from companion.club.uplink import Uplink
from companion.table.state_server import StateServer
folder, port, busy = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "busy"
seats = [{"name": "Ann", "score": 1, "turn": True}, {"name": "Ben", "score": 2, "turn": False}]
def run(name):
    link = Link(name, "secret", "127.0.0.1", port, "club")
    Uplink(link, folder / name, folder / name / "public.sock").run_until(lambda: False)
def show(name):
    number = 0
    def public(session):
        return {"public": {"game": "27", "players": seats, "board": f"<svg><!--{session}{'x' * 4000}--></svg>"}}
    guests = StateServer("hall link", folder / name / "public.sock", public)
    guests.open()
    while True:
        time.sleep(random.uniform(2, 4))
        guests.publish(number := number + 1)
for name in sys.argv[4:]:
    for what in (run, show) if busy else (run,):
        threading.Thread(target=what, args=(name,), daemon=True).start()
print("running", flush=True)
threading.Event().wait()
"""


class TimedSocket:
    """A client of a box's public socket, which records when another board comes."""

    def __init__(self, path: Path) -> None:
        self.seen: list[float] = []
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(path))
        self._socket.sendall(b'{"companion": 2}\n')
        threading.Thread(target=self._listen, daemon=True).start()
        club_night.wait_until(lambda: self.seen)

    def _listen(self) -> None:
        last = None
        for line in self._socket.makefile("rb"):
            board = json.loads(line).get("public", {}).get("board", "")
            if board != last:
                last = board
                self.seen.append(time.time() * 1000)


class RunningClub:
    """A broker and a club server with pages in a folder; all that was started ends with them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.broker = club_night.Broker(folder / "broker")
        self.broker.start()
        self.port = club_night.free_port()
        self._running: list[subprocess.Popen[bytes]] = []
        (folder / "hall" / "club").mkdir(parents=True)
        (folder / "hall" / "club" / "hall.link").write_text(str(self.broker.link("hall")))
        self.hall = self.start_program(COMPANION, "hall", "--data", folder / "hall", "serve", "--page", self.port)
        club_night.wait_until((folder / "hall" / "hall.db").exists)
        self.intake = ClubStore(folder / "hall", as_server=False)

    def start_program(self, *command: object, **more: Any) -> subprocess.Popen[bytes]:
        """Start a program that is ended with the club."""
        process = subprocess.Popen(list(map(str, command)), stderr=subprocess.DEVNULL, **more)
        self._running.append(process)
        return process

    def start_uplink(self, name: str, data: Path) -> subprocess.Popen[bytes]:
        """Start the real uplink of one table."""
        link = self.folder / f"{name}.link"
        link.write_text(str(self.broker.link(name)))
        return self.start_program(COMPANION, "uplink", "--data", data, "--link", link)

    def start_uplinks(self, names: list[str], *, busy: bool) -> subprocess.Popen[bytes]:
        """Start the uplinks of many tables in one process; `busy` tables show another board again and again."""
        command = [
            sys.executable,
            "-c",
            UPLINKS_PROGRAM,
            self.folder,
            self.broker.port,
            "busy" if busy else "quiet",
            *names,
        ]
        process = self.start_program(*command, stdout=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stdout.readline() == b"running\n"
        return process

    def close(self) -> None:
        self.intake.close()
        for each in self._running:
            each.kill()
            each.wait()
        self.broker.kill()


def table_names(count: int, first: int = 1) -> list[str]:
    """The names of so many tables."""
    return [f"table-{number}" for number in range(first, first + count)]


def resident_megabytes(process: subprocess.Popen[bytes]) -> float:
    """The resident memory of a process, in MB."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) * 1024 / 1e6


def measure_latency(folder: Path, browser: Any, rounds: int, others: int) -> tuple[list[tuple[float, float]], float]:
    """Milliseconds from the last key of each move to the new board in the page and at the table's socket.

    The third value is the server's memory in MB.
    """
    club = RunningClub(folder)
    box = None
    latencies: list[tuple[float, float]] = []
    try:
        for name in table_names(others, 2):
            Store(folder / name).close()
        if others:
            club.start_uplinks(table_names(others, 2), busy=True)
        for number in range(rounds):
            link = folder / "box.link"
            link.write_text(str(club.broker.link("table-1")))
            config = f'[hall]\nlink = "{link}"\n'
            box = web.BOXES.Box(folder / f"box{number}", "--game", "27", "--players", "Ann,Ben", config=config)
            box.start()
            uplink = club.start_uplink("table-1", box.data)
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{club.port}/")
            page.wait_for_selector("section[aria-label='table-1'] img.drawing", timeout=60_000)
            if others:
                page.wait_for_selector(f"section[aria-label='table-{others + 1}'] img.drawing", timeout=60_000)
            page.evaluate(OBSERVER_SCRIPT)
            latencies += time_moves(box, page, web.random_round_keys(number))
            page.close()
            box.close()
            uplink.send_signal(signal.SIGTERM)
            uplink.wait(30)
            print(f"{others + 1} tables: {len(latencies)} moves", file=sys.stderr)
        return latencies, resident_megabytes(club.hall)
    finally:
        if box is not None:
            box.close()
        club.close()


def time_moves(box: Any, page: Any, keys: list[list[str]]) -> list[tuple[float, float]]:
    """Type the moves. Returns the milliseconds of each to the page and to the table's socket."""
    latencies = []
    table = TimedSocket(box.data / "public.sock")
    for count, (*before, last) in enumerate(keys, 1):
        for key in before:
            box.settled_picture()
            os.write(box.master, key.encode())
        box.settled_picture()
        before_it, start = len(table.seen), time.time() * 1000
        os.write(box.master, last.encode())
        page.wait_for_function("count => window.seen.length >= count", arg=count, timeout=60_000)
        club_night.wait_until(lambda before_it=before_it: len(table.seen) > before_it)
        latencies.append((page.evaluate("window.seen.at(-1)") - start, table.seen[before_it] - start))
    return latencies


def measure_memory(folder: Path, count: int) -> list[float]:
    """The server's memory in MB with `count` tables: before them, after one evening, after two; then the uplinks'."""
    chance = random.Random(count)
    played = [web.TESTS.play_through("27", {"variant": "basic"}, 2, chance) for _ in range(20)]
    club = RunningClub(folder)
    try:
        club_night.wait_until(lambda: resident_megabytes(club.hall) > 20)
        time.sleep(3)
        megabytes = [resident_megabytes(club.hall)]
        uplinks = None
        for evening in (1, 2):
            for name in table_names(count):
                save_evening(folder / name, evening, played, chance)
            if uplinks is None:
                uplinks = (
                    club.start_uplink("table-1", folder / "table-1")
                    if count == 1
                    else club.start_uplinks(table_names(count), busy=False)
                )
            club_night.wait_until(
                lambda wanted=evening * ROUNDS_PER_EVENING * count: count_arrived(club) == wanted, 600, 0.5
            )
            time.sleep(3)
            megabytes.append(resident_megabytes(club.hall))
        assert uplinks is not None
        return [*megabytes, resident_megabytes(uplinks)]
    finally:
        club.close()


def save_evening(folder: Path, evening: int, played: list[Any], chance: random.Random) -> None:
    """Save an evening's rounds in a table's store."""
    first = (evening - 1) * ROUNDS_PER_EVENING + 1
    store = Store(folder)
    for number in range(first, first + ROUNDS_PER_EVENING):
        store.write_entries(club_night.log_entries_of_round(number, chance.choice(played), ("Ann", "Ben")))
    store.close()


def count_arrived(club: RunningClub) -> int:
    """How many rounds the server has."""
    return sum(each.rounds for each in club.intake.table_summaries())


def measure_growth(folder: Path) -> Iterator[tuple[int, float, float]]:
    """The memory of server and uplink in MB as one store grows: rounds, server, uplink."""
    chance = random.Random(1)
    played = [web.TESTS.play_through("27", {"variant": "basic"}, 2, chance) for _ in range(20)]
    club = RunningClub(folder)
    try:
        Store(folder / "table-1").close()
        uplink = club.start_uplink("table-1", folder / "table-1")
        evenings = 0
        for rounds in GROWTH_ROUNDS:
            while evenings * ROUNDS_PER_EVENING < rounds:
                evenings += 1
                save_evening(folder / "table-1", evenings, played, chance)
                club_night.wait_until(
                    lambda wanted=evenings * ROUNDS_PER_EVENING: count_arrived(club) == wanted, 600, 0.1
                )
            for path in ("/", "/organiser"):
                club_night.wait_until(lambda path=path: get_page(club, path))
            time.sleep(3)
            yield rounds, resident_megabytes(club.hall), resident_megabytes(uplink)
    finally:
        club.close()


def get_page(club: RunningClub, path: str) -> bytes:
    """Get a page of the club server, "" while there is no response."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{club.port}{path}", timeout=60) as answer:
            return bytes(answer.read())
    except OSError:
        return b""


def print_latency(place: Path, rounds: int) -> None:
    """Print the latency with this table alone and with the others."""
    import playwright.sync_api

    with playwright.sync_api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=web.FLAGS)
        for others in (0, OTHER_TABLES):
            times, held = measure_latency(place / f"latency{others}", browser, rounds, others)
            print(f"{others + 1:3} tables, {len(times)} moves, hall with live boards {held:.1f} MB")
            for name, one in zip(("the hall's page", "the table's socket"), zip(*times, strict=True), strict=True):
                median, last = statistics.median(one), web.percentile(list(one), 99)
                print(f"    key to {name:18}  median {median:.0f} ms   p99 {last:.0f} ms   worst {max(one):.0f} ms")
            sys.stdout.flush()
        browser.close()


def print_memory(place: Path) -> None:
    """Print the memory of server and uplinks by the number of tables."""
    for count in (1, 10, 100):
        before, one, two, uplinks = measure_memory(place / f"memory{count}", count)
        print(
            f"{count:3} tables: hall {before:.1f} MB empty, {one:.1f} after {ROUNDS_PER_EVENING} rounds each,", end=" "
        )
        print(f"{two:.1f} after {2 * ROUNDS_PER_EVENING}; the uplinks {uplinks:.1f} MB in one process", flush=True)


def main() -> None:
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    with tempfile.TemporaryDirectory() as place:
        if what in ("", "latency"):
            print_latency(Path(place), int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS)
        if what in ("", "memory"):
            print_memory(Path(place))
        if what in ("", "growth"):
            for rounds, hall, uplink in measure_growth(Path(place) / "growth"):
                print(f"{rounds:5} rounds in one store: hall {hall:.1f} MB, uplink {uplink:.1f} MB", flush=True)
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()

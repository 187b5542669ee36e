"""What a club night costs: a key press to the hall's page in Chromium, and the memory of uplink and hall.

Run it as `python tests/benchmarks/hall.py [ROUNDS]` (6), with Mosquitto, Chromium and playwright installed. Broker,
hall, its pages, box and its uplink are the real programs; rounds of 27 are typed on the box's keypad.

- *Latency*: from the byte of the last key of a move to the new board of that table in the page, by the machine's one
  clock; with this table alone, and with 99 others, each of which shows another board every three seconds.
- *Memory*: resident memory of the hall with its pages, once 1, 10 and 100 tables have brought an evening of 40 rounds
  each, and once more after a second evening; of one uplink as a process of its own, and of the 100 in one process.
"""

from __future__ import annotations

import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import web  # The folder of this file is where Python looks first.

from companion.hall.intake import Intake
from companion.store.store import Store

club_night = web.loaded("club_night", web.HERE / "support" / "club_night.py")

ROUNDS = 6
OTHERS = 99
EVENING = 40
COMPANION = Path(sys.executable).with_name("companion")
OBSERVE = """() => {
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
UPLINKS = """
import random, sys, threading, time
from pathlib import Path
from companion.hall.link import Link
from companion.hall.uplink import Uplink
from companion.table.guests import Guests
folder, port, busy = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "busy"
seats = [{"name": "Ann", "score": 1, "turn": True}, {"name": "Ben", "score": 2, "turn": False}]
def run(name):
    link = Link(name, "secret", "127.0.0.1", port, "club")
    Uplink(link, folder / name, folder / name / "public.sock").run(lambda: False)
def show(name):
    number = 0
    def public(session):
        return {"public": {"game": "27", "players": seats, "board": f"<svg><!--{session}{'x' * 4000}--></svg>"}}
    guests = Guests(folder / name / "public.sock", public)
    guests.open()
    while True:
        time.sleep(random.uniform(2, 4))
        guests.show(number := number + 1)
for name in sys.argv[4:]:
    for what in (run, show) if busy else (run,):
        threading.Thread(target=what, args=(name,), daemon=True).start()
print("running", flush=True)
threading.Event().wait()
"""


class Club:
    """A broker and a hall with pages in a folder; all that was started ends with it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.broker = club_night.Broker(folder / "broker")
        self.broker.start()
        self.port = club_night.free_port()
        self._running: list[subprocess.Popen[bytes]] = []
        (folder / "hall" / "club").mkdir(parents=True)
        (folder / "hall" / "club" / "hall.link").write_text(str(self.broker.link("hall")))
        self.hall = self.start(COMPANION, "hall", "--data", folder / "hall", "serve", "--page", self.port)
        club_night.until((folder / "hall" / "hall.db").exists)
        self.intake = Intake(folder / "hall", serving=False)

    def start(self, *command: object, **more: Any) -> subprocess.Popen[bytes]:
        """Start a program that is ended with the club."""
        made = subprocess.Popen(list(map(str, command)), stderr=subprocess.DEVNULL, **more)
        self._running.append(made)
        return made

    def uplink(self, name: str, data: Path) -> subprocess.Popen[bytes]:
        """The real uplink of one table."""
        link = self.folder / f"{name}.link"
        link.write_text(str(self.broker.link(name)))
        return self.start(COMPANION, "uplink", "--data", data, "--link", link)

    def uplinks(self, names: list[str], *, busy: bool) -> subprocess.Popen[bytes]:
        """Uplinks of many tables in one process; `busy` tables show another board again and again."""
        command = [sys.executable, "-c", UPLINKS, self.folder, self.broker.port, "busy" if busy else "quiet", *names]
        made = self.start(*command, stdout=subprocess.PIPE)
        assert made.stdout is not None
        assert made.stdout.readline() == b"running\n"
        return made

    def close(self) -> None:
        self.intake.close()
        for each in self._running:
            each.kill()
            each.wait()
        self.broker.kill()


def names(count: int, first: int = 1) -> list[str]:
    """The names of so many tables."""
    return [f"table-{number}" for number in range(first, first + count)]


def resident(process: subprocess.Popen[bytes]) -> float:
    """What a process has in memory, in MB."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) * 1024 / 1e6


def latency(folder: Path, browser: Any, rounds: int, others: int) -> tuple[list[float], float]:
    """Milliseconds from the last key of each move to the new board in the hall's page, and the hall's memory in MB."""
    club = Club(folder)
    box = None
    found: list[float] = []
    try:
        for name in names(others, 2):
            Store(folder / name).close()
        if others:
            club.uplinks(names(others, 2), busy=True)
        for number in range(rounds):
            link = folder / "box.link"
            link.write_text(str(club.broker.link("table-1")))
            config = f'[hall]\nlink = "{link}"\n'
            box = web.BOXES.Box(folder / f"box{number}", "--game", "27", "--players", "Ann,Ben", config=config)
            box.start()
            uplink = club.uplink("table-1", box.data)
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{club.port}/")
            page.wait_for_selector("section[aria-label='table-1'] img.drawing", timeout=60_000)
            if others:
                page.wait_for_selector(f"section[aria-label='table-{others + 1}'] img.drawing", timeout=60_000)
            page.evaluate(OBSERVE)
            found += moves(box, page, web.typed(number))
            page.close()
            box.close()
            uplink.send_signal(signal.SIGTERM)
            uplink.wait(30)
            print(f"{others + 1} tables: {len(found)} moves", file=sys.stderr)
        return found, resident(club.hall)
    finally:
        if box is not None:
            box.close()
        club.close()


def moves(box: Any, page: Any, keys: list[list[str]]) -> list[float]:
    """Type the moves; milliseconds of each."""
    found = []
    for count, (*before, last) in enumerate(keys, 1):
        for key in before:
            box.settled()
            os.write(box._master, key.encode())
        box.settled()
        start = time.time() * 1000
        os.write(box._master, last.encode())
        page.wait_for_function("count => window.seen.length >= count", arg=count, timeout=60_000)
        found.append(page.evaluate("window.seen.at(-1)") - start)
    return found


def memory(folder: Path, count: int) -> list[float]:
    """The hall's memory in MB with `count` tables: before them, after one evening, after two; then the uplinks'."""
    chance = random.Random(count)
    played = [web.TESTS._play_round("27", {"variant": "basic"}, 2, chance) for _ in range(20)]
    club = Club(folder)
    try:
        club_night.until(lambda: resident(club.hall) > 20)
        time.sleep(3)
        found = [resident(club.hall)]
        uplinks = None
        for evening in (1, 2):
            for name in names(count):
                keep(folder / name, evening, played, chance)
            if uplinks is None:
                uplinks = (
                    club.uplink("table-1", folder / "table-1") if count == 1 else club.uplinks(names(count), busy=False)
                )
            club_night.until(lambda wanted=evening * EVENING * count: arrived(club) == wanted, 600, 0.5)
            time.sleep(3)
            found.append(resident(club.hall))
        assert uplinks is not None
        return [*found, resident(uplinks)]
    finally:
        club.close()


def keep(folder: Path, evening: int, played: list[Any], chance: random.Random) -> None:
    """Keep an evening's rounds in a table's store."""
    first = (evening - 1) * EVENING + 1
    store = Store(folder)
    for number in range(first, first + EVENING):
        store.write(club_night.lines_of(number, chance.choice(played), ("Ann", "Ben")))
    store.close()


def arrived(club: Club) -> int:
    """How many rounds are in the hall."""
    return sum(each.rounds for each in club.intake.tables())


def main() -> None:
    """Print the figures."""
    import playwright.sync_api

    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with playwright.sync_api.sync_playwright() as driver, tempfile.TemporaryDirectory() as place:
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=web.FLAGS)
        for others in (0, OTHERS):
            times, held = latency(Path(place) / f"latency{others}", browser, rounds, others)
            median, last = statistics.median(times), web.percentile(times, 99)
            print(f"key to the hall's page, {others + 1:3} tables: {len(times)} moves ", end="")
            print(f"  median {median:.0f} ms   p99 {last:.0f} ms   hall with live boards {held:.1f} MB", flush=True)
        browser.close()
        for count in (1, 10, 100):
            before, one, two, uplinks = memory(Path(place) / f"memory{count}", count)
            print(f"{count:3} tables: hall {before:.1f} MB empty, {one:.1f} after {EVENING} rounds each,", end=" ")
            print(f"{two:.1f} after {2 * EVENING}; the uplinks {uplinks:.1f} MB in one process", flush=True)
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()

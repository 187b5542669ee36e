"""What the pages cost: from a key press to the board in Chromium, with 50 watchers, and the weight of every page.

Run it as `python tests/benchmarks/web.py [ROUNDS]` (3), with Chromium and playwright installed. The table is the real
`companion run` with a keypad and a modelled panel, the pages are the real `companion web`; rounds of 27 are typed.

- *Screen*: from the byte of the last key of a move to the new board in the page (a MutationObserver), and to the frame
  that paints it, by the machine's one clock.
- *Watchers*: 50 open event streams, each from an address of its own, because one address has at most 32. The resident
  memory of `companion web` with and without them; and from each key's byte to the panel's new picture, in turn without
  and with them, because only their ratio in one run means something on a shared machine.
- *Weight*: all bytes that a browser with an empty cache receives for a page, as Chromium counts them.
"""

from __future__ import annotations

import importlib.util
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

BENCHMARKS = Path(__file__).parents[1]
ROUNDS = 3
WATCHERS = 50
BLOCKS = 8
"""Rounds are cut into so many parts, in turn without and with watchers."""
PATIENCE_SECONDS = 30.0
GOALS = {"screen": 100.0, "memory": 20.0, "panel": 5.0, "weight": 60.0}
"""Milliseconds, MB, per cent, kB."""
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
OBSERVER_SCRIPT = """() => {
  const main = document.querySelector("main");
  const board = () => document.querySelector(".board")?.outerHTML ?? "";
  let last = board();
  window.seen = [];
  new MutationObserver(() => {
    if (board() === last) return;
    last = board();
    const changed = performance.timeOrigin + performance.now();
    requestAnimationFrame(() => window.seen.push([changed, performance.timeOrigin + performance.now()]));
  }).observe(main, {childList: true, subtree: true});
}"""
WATCHERS_PROGRAM = """
import selectors, socket, sys
port, count = int(sys.argv[1]), int(sys.argv[2])
ready = selectors.DefaultSelector()
for number in range(count):
    each = socket.create_connection(("127.0.0.1", port), source_address=(f"127.0.0.{10 + number}", 0))
    each.sendall(f"GET /events HTTP/1.1\\r\\nhost: 127.0.0.1:{port}\\r\\n\\r\\n".encode())
    assert each.recv(65536).startswith(b"HTTP/1.1 200"), "a watcher was refused"
    ready.register(each, selectors.EVENT_READ)
print("watching", flush=True)
while True:
    for key, _ in ready.select():
        if not key.fileobj.recv(1 << 20):
            sys.exit("a watcher was sent away")
"""


def load_module(name: str, file: Path) -> Any:
    """A module of the tests' own helpers."""
    sys.path.insert(0, str(BENCHMARKS / "support"))
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


BOXES = load_module("boxes", BENCHMARKS / "e2e" / "conftest.py")
to_phones = load_module("browser", BENCHMARKS / "support" / "browser.py").keys_to_phones_page
free_port = load_module("ports", BENCHMARKS / "support" / "ports.py").free_port
TESTS = load_module("helpers", BENCHMARKS / "conftest.py")


class RunningBox:
    """A box with a round of 27 on the table, its phones on, and the pages beside it."""

    def __init__(self, folder: Path) -> None:
        self.box = BOXES.Box(folder, "--game", "27", "--players", "Ann,Ben")
        self.box.start()
        self.box.type_keys(to_phones("27"))
        self.port = free_port()
        command = [BOXES.COMPANION, "web", "--data", self.box.data, "--host", "127.0.0.1", "--port", str(self.port)]
        self.web = subprocess.Popen(list(map(str, command)), stderr=subprocess.DEVNULL)
        self.watchers: subprocess.Popen[bytes] | None = None
        try:
            wait_until(lambda: self.code_path() != "", "no code on the panel")
        except BaseException:
            self.close()
            raise
        self.path = self.code_path()
        self.box.type_keys("~*~*~")

    def code_path(self) -> str:
        """The path that the code on the panel leads to, "" while there is none."""
        import zxingcpp

        for barcode in zxingcpp.read_barcodes(self.box.panel_picture().convert("L").resize((1024, 512))):
            if match := re.search(r"/P/[0-9A-Z]{6}$", barcode.text):
                return match[0]
        return ""

    def set_watchers(self, count: int) -> None:
        """Have so many watchers, or none."""
        if self.watchers is not None:
            self.watchers.kill()
            self.watchers.wait()
            self.watchers = None
        if count:
            command = [sys.executable, "-c", WATCHERS_PROGRAM, str(self.port), str(count)]
            self.watchers = subprocess.Popen(command, stdout=subprocess.PIPE)
            assert self.watchers.stdout is not None
            assert self.watchers.stdout.readline() == b"watching\n"

    def pages_megabytes(self) -> float:
        """The resident memory of `companion web`, in MB."""
        status = Path(f"/proc/{self.web.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) * 1024 / 1e6

    def time_key(self, key: str) -> float | None:
        """Milliseconds from a key's byte to another picture on the panel; None if the key does not change it."""
        self.box.settled_picture()
        before, start = self.box.panel_memory(), time.perf_counter()
        os.write(self.box.master, key.encode())
        while time.perf_counter() - start < 3:
            if self.box.panel_memory() != before:
                return (time.perf_counter() - start) * 1000
            time.sleep(0.0005)
        return None

    def close(self) -> None:
        self.set_watchers(0)
        self.web.kill()
        self.web.wait()
        self.box.close()


def wait_until(holds: Any, why: str) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < end, why
        time.sleep(0.05)


def random_round_keys(seed: int) -> list[list[str]]:
    """The keys of each move of a round of 27 but the last, which ends it."""
    played = TESTS.play_through("27", {"variant": "basic"}, 2, random.Random(seed))
    moves = zip(played.states, played.events, strict=False)
    return [TESTS.keys_typed("27", state, str(move)) for state, (_, move) in moves][:-1]


def time_screen(stage: RunningBox, browser: Any, moves: list[list[str]]) -> list[tuple[float, float]]:
    """For each move: milliseconds to the changed board, and to the frame that paints it."""
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{stage.port}/")
    page.wait_for_selector(".board")
    page.evaluate(OBSERVER_SCRIPT)
    times = []
    for count, (*keys, last) in enumerate(moves, 1):
        for key in keys:
            stage.time_key(key)
        stage.box.settled_picture()
        start = time.time() * 1000
        os.write(stage.box.master, last.encode())
        page.wait_for_function("count => window.seen.length >= count", arg=count, timeout=PATIENCE_SECONDS * 1000)
        changed, painted = page.evaluate("window.seen.at(-1)")
        times.append((changed - start, painted - start))
        print(f"move {count}: {changed - start:.1f} ms", file=sys.stderr)
    page.close()
    return times


def time_panel(stage: RunningBox, moves: list[list[str]]) -> tuple[list[float], list[float], float, float]:
    """Milliseconds of each key to the panel, without and with watchers; and the memory of the pages in both cases."""
    times: tuple[list[float], list[float]] = ([], [])
    held: tuple[list[float], list[float]] = ([], [])
    size = max(1, -(-len(moves) // BLOCKS))
    for block in range(0, len(moves), size):
        watched = block // size % 2
        stage.set_watchers(WATCHERS * watched)
        for keys in moves[block : block + size]:
            times[watched].extend(took for key in keys if (took := stage.time_key(key)) is not None)
        held[watched].append(stage.pages_megabytes())
        print(f"{len(times[0])} keys without, {len(times[1])} with watchers", file=sys.stderr)
    stage.set_watchers(0)
    return *times, held[0][0], max(held[1])


def page_weight(browser: Any, url: str, visit: Any = None) -> float:
    """What a browser with an empty cache receives for a page, in kB."""
    context = browser.new_context()
    page = context.new_page()
    if visit is not None:
        visit(page)
    received = [0.0]
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.on("Network.dataReceived", lambda event: received.append(event["encodedDataLength"]))
    session.on("Network.responseReceived", lambda event: received.append(event["response"]["encodedDataLength"]))
    page.goto(url)
    page.wait_for_timeout(1500)
    print(f"{url}: {page.locator('h1').first.inner_text()}", file=sys.stderr)
    context.close()
    return sum(received) / 1000


def log_in_as_host(stage: RunningBox, page: Any) -> None:
    """Let a page's browser in as the host's and as Ann's."""
    home = f"http://127.0.0.1:{stage.port}"
    for button in ("[name=host]", "[value=Ann]"):
        stage.box.type_keys(to_phones("27", are_on=True))
        stage.box.type_keys("~")
        wait_until(lambda: stage.code_path() != "", "no code on the panel")
        page.goto(home + stage.code_path())
        page.click(f"button{button}")
        page.wait_for_selector("text=Look at the box")
        stage.box.type_keys("~#~")
        page.wait_for_selector("h1:not(:has-text('Look'))")
        stage.box.type_keys("~*~*~")


def page_weights(stage: RunningBox, browser: Any) -> dict[str, float]:
    """The weight of every page in kB."""
    home = f"http://127.0.0.1:{stage.port}"
    paths = ["/", stage.path, "/seat", "/host", "/host/history", "/host/round/1", "/host/names", "/host/pad"]
    kept: list[Any] = []

    def with_cookie(page: Any) -> None:
        if not kept:
            log_in_as_host(stage, page)
            kept.extend(page.context.cookies())
        page.context.add_cookies(kept)

    return {path: page_weight(browser, home + path, with_cookie) for path in paths}


def percentile(numbers: list[float], share: int) -> float:
    """The percentile of at least two numbers."""
    return statistics.quantiles(numbers, n=100)[share - 1]


def main() -> None:
    """Print every figure beside its goal."""
    import playwright.sync_api

    count = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    shown: list[tuple[float, float]] = []
    without: list[float] = []
    watched: list[float] = []
    memory = []
    with playwright.sync_api.sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        for number in range(count):
            stage = RunningBox(Path(folder) / f"screen{number}")
            try:
                shown += time_screen(stage, browser, random_round_keys(number))
            finally:
                stage.close()
            stage = RunningBox(Path(folder) / f"panel{number}")
            try:
                one, two, before, after = time_panel(stage, random_round_keys(100 + number))
            finally:
                stage.close()
            without, watched = without + one, watched + two
            memory.append(after - before)
        folder_ = Path(folder) / "weight"
        records = sorted(map(str, (BENCHMARKS / "records").glob("*.tcr")))
        subprocess.run([BOXES.COMPANION, "import", "--data", folder_ / "data", *records], capture_output=True)
        stage = RunningBox(folder_)
        try:
            heavy = page_weights(stage, browser)
        finally:
            stage.close()
        browser.close()
    for name, column in (("changed", 0), ("painted", 1)):
        numbers = [each[column] for each in shown]
        print(f"key to board {name:8} {len(numbers):4} moves   median {statistics.median(numbers):6.1f} ms", end="")
        print(f"   p95 {percentile(numbers, 95):6.1f} ms   goal {GOALS['screen']:g}")
    print(f"memory of the pages with {WATCHERS} watchers   +{max(memory):.1f} MB   goal {GOALS['memory']:g}")
    slower = (statistics.median(watched) / statistics.median(without) - 1) * 100
    for name, numbers in (("none", without), (str(WATCHERS), watched)):
        print(f"key to panel, watchers {name:4} {len(numbers):4} keys   median {statistics.median(numbers):6.1f} ms")
    print(f"key to panel with watchers {slower:+.1f} %   goal {GOALS['panel']:g}")
    for path, kilobytes in heavy.items():
        print(f"weight {re.sub('/P/.*', '/P/CODE', path):16} {kilobytes:6.1f} kB   goal {GOALS['weight']:g}")
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()

"""A store whose process is killed at any moment, or whose every call to the disk fails once."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.rounds.stored import LogEntry, RoundHeader
from companion.store.store import Store

HEADER = RoundHeader("27", (("variant", "advanced"),), ("Ann", "Ben"))
NOTHING_LOST = "nothing is lost"
KILLS = int(os.environ.get("PYTEST_KILLS", "200"))
"""In all parts together; a thousand with PYTEST_KILLS=1000."""
PARTS = 4


def write_until_killed(folder: Path, out: int) -> None:
    """Save more rounds than fit before a kill, and report each entry once it is saved."""
    store = Store(folder)
    os.write(out, f"open {store.warning_text}\n".encode())
    first = store.load_history().next_round
    for number in range(first, first + 100_000):
        for event in range(7):
            begin = [] if event else [LogEntry(number, "begin", header=HEADER)]
            store.write_entries([*begin, LogEntry(number, "event", event % 2 + 1, f"{number}x{event}")])
            os.write(out, f"{number} {event + 1}\n".encode())
        store.write_entries([LogEntry(number, "result", text="12 6 winners 1")])
        os.write(out, f"{number} over\n".encode())
        store.tidy_up()


def kill_writer(folder: Path, chance: random.Random) -> list[str]:
    """Start a writer, and kill it at a random moment after its store was opened. Returns what it has reported."""
    ours, its = os.pipe()
    writer = os.fork()
    if not writer:
        try:
            write_until_killed(folder, its)
        finally:
            os._exit(1)
    os.close(its)
    with open(ours) as told:
        assert told.readline() == "open \n"
        lines = [told.readline() for _ in range(chance.randrange(20))]
        time.sleep(chance.uniform(0.0, 0.01))
        os.kill(writer, signal.SIGKILL)
        os.waitpid(writer, 0)
        return [line.strip() for line in (*lines, *told)]


def check_rounds(folder: Path, told: list[str], before: int, *, failed: bool = False) -> int:
    """Check that everything reported is saved, nothing is invented, and nothing looks damaged.

    Returns the number of rounds.

    If a call of the disk has `failed`, one file may have looked damaged, and was repaired from the other.
    """
    store = Store(folder)
    assert store.warning_text == "" or (failed and NOTHING_LOST in store.warning_text), store.warning_text
    counts = {number: len(store.load_round(number).events) for number in store.round_numbers()}
    over = {number for number in counts if store.load_round(number).result}
    for number in range(max(1, before), max(counts, default=0) + 1):
        events = store.load_round(number).events
        assert [text for _, text in events] == [f"{number}x{index}" for index in range(len(events))]
    for line in told:
        number, what = line.split()
        assert int(number) in over if what == "over" else counts[int(number)] >= int(what), line
    last = max(counts, default=0)
    assert set(range(1, last + 1)) == counts.keys()
    store.close()
    return last


@pytest.mark.drill
@pytest.mark.parametrize("part", range(PARTS))
def test_killed_at_random_moments(tmp_path, part):
    """What was reported as saved is there after each kill; the store starts and reports nothing wrong."""
    chance = random.Random(part)
    last = told = 0
    for _ in range(KILLS // PARTS):
        lines = kill_writer(tmp_path, chance)
        told += len(lines)
        last = check_rounds(tmp_path, lines, last)
    assert told > KILLS // PARTS, "hardly anything was kept: this proves nothing"
    print(f"{KILLS // PARTS} kills, {told} entries told as kept, {last} rounds")


# -- every call fails once ----------------------------------------------------------------------------------------

SHORT = """
import os, pathlib, sys
sys.path.insert(0, sys.argv[2])
from test_killed import HEADER
from companion.rounds.stored import LogEntry
from companion.store.errors import StoreError
from companion.store.store import Store

print("ready", flush=True)
try:
    store = Store(pathlib.Path(sys.argv[1]))
    number = store.load_history().next_round
    lines = [[LogEntry(number, "begin", header=HEADER), LogEntry(number, "event", 1, f"{number}x0")]]
    lines += [[LogEntry(number, "event", event % 2 + 1, f"{number}x{event}")] for event in range(1, 4)]
    lines += [[LogEntry(number, "result", text="12 6 winners 1")]]
    for at, line in enumerate(lines):
        for attempt in range(5):  # A call of each kind fails: several of one entry may.
            try:
                store.write_entries(line)
            except StoreError as error:
                print("refused", error, flush=True)
                continue
            print(number, "over" if line[0].kind == "result" else at + 1, flush=True)
            break
        store.tidy_up()
    store.close()
except StoreError as error:
    print("refused", error, flush=True)
"""


def fail_each_call(folder: Path, call: int) -> subprocess.CompletedProcess[str]:
    """Save a short round while call number `call` of each kind, to a file of the folder or to the folder, fails with
    EIO.

    Locks never fail: they are the kernel's and do not reach the disk.
    """
    endings = ("journal", "journal.part", "journal.notice", "db", "db-wal", "db-shm", "db.new", "sums")
    names = [folder, folder / "table.lock", *(folder / f"rounds.{ending}" for ending in endings)]
    paths = [word for name in names for word in ("-P", str(name))]
    words = [
        "strace",
        "-f",
        "-qq",
        "-o",
        str(folder.with_name("trace")),
        *paths,
        "-e",
        f"inject=!fcntl:error=EIO:when={call}",
    ]
    program = [sys.executable, "-c", SHORT, str(folder), str(Path(__file__).parent)]
    return subprocess.run([*words, *program], capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.drill
@pytest.mark.parametrize("part", range(PARTS))
def test_every_call_of_a_short_round_fails_once(tmp_path, part):
    """First the first call of each kind fails, then the second, and so on to the last.

    The round is saved, or refused in a sentence; nothing that was reported as saved is lost.
    """
    assert shutil.which("strace"), "strace is not installed"
    store = Store(tmp_path / "old")
    store.write_entries(
        [
            LogEntry(1, "begin", header=HEADER),
            LogEntry(1, "event", 1, "1x0"),
            LogEntry(1, "result", text="9 3 winners 1"),
        ]
    )
    store.write_entries([LogEntry(2, "begin", header=HEADER), LogEntry(2, "event", 1, "2x0")])
    shutil.copytree(tmp_path / "old", tmp_path / "left")
    store.close()
    failed = refused = 0
    for call in range(part + 1, 2000, PARTS):
        folder = tmp_path / "data"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(tmp_path / "left", folder)
        done = fail_each_call(folder, call)
        if "(INJECTED)" not in folder.with_name("trace").read_text():
            break
        failed += 1
        assert (done.returncode, done.stderr) == (0, ""), (call, done)
        lines = done.stdout.splitlines()
        refused += any(line.startswith("refused") for line in lines)
        assert check_rounds(folder, [line for line in lines if line[0].isdigit()], 1, failed=True) >= 2
    assert failed > 20, "hardly a call failed: this proves nothing"
    assert refused, "no failure was told: this proves nothing"
    print(f"{failed} calls failed once, {refused} of them were told, the others did no harm")

"""A night on which a hundred tables come back at once, and one on which everything is killed again and again."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from club_night import Broker, exported_records, log_entries_of_round, process_environment, wait_until

from companion.club.club_store import ClubStore
from companion.rounds.stored import LogEntry
from companion.store.store import Store

COMPANION = Path(sys.executable).with_name("companion")
TABLES = int(os.environ.get("PYTEST_HALL_TABLES", "100"))
ROUNDS = int(os.environ.get("PYTEST_HALL_ROUNDS", "40"))
KILL_COUNT = int(os.environ.get("PYTEST_HALL_KILLS", "60"))
"""In the default run; three hundred with PYTEST_HALL_KILLS=300."""
MAX_INTAKE_SECONDS = float(os.environ.get("PYTEST_HALL_SECONDS", "60"))
"""The server's own processor time, however busy the machine is with other things."""


@pytest.fixture
def start_process():
    """Returns a function that starts a process; all of them are ended."""
    made: list[subprocess.Popen] = []

    def start(*command, log) -> subprocess.Popen:
        with open(log, "ab") as out:
            made.append(subprocess.Popen(command, stdout=out, stderr=out, env=process_environment()))
        return made[-1]

    yield start
    for each in made:
        if each.poll() is None:
            each.kill()
            each.wait(60)


def play_evening(folder, played, count: int, names: tuple[str, str], chance: random.Random) -> None:
    """Save a table's evening in a real store."""
    store = Store(folder)
    store.write_entries(
        [line for number in range(1, count + 1) for line in log_entries_of_round(number, chance.choice(played), names)]
    )
    store.close()


def records_by_table(hall) -> dict[str, list[str]]:
    intake = ClubStore(hall, as_server=False)
    try:
        records: dict[str, list[str]] = {}
        for each in intake.counted_rounds():
            records.setdefault(each.table, []).append(each.record)
        return records
    finally:
        intake.close()


UPLINKS_PROGRAM = """
import sys, threading
from pathlib import Path
from companion.club.mqtt_messages import Link
from companion.club.uplink import Uplink
folder, port = Path(sys.argv[1]), int(sys.argv[2])
def run(name):
    link = Link(name, "secret", "127.0.0.1", port, "club")
    Uplink(link, folder / name, folder / name / "public.sock").run_until(lambda: False)
for name in sys.argv[3:]:
    threading.Thread(target=run, args=(name,), daemon=True).start()
threading.Event().wait()
"""


@pytest.mark.drill
def test_a_hundred_tables_come_back_at_once(tmp_path, finished_rounds, start_process):
    """Forty rounds of each cost the server a minute at most; all are received once, in order, as exported."""
    chance = random.Random(18)
    names = [f"table-{number}" for number in range(1, TABLES + 1)]
    for name in names:
        play_evening(tmp_path / name, finished_rounds, ROUNDS, (f"Ann {name}", f"Ben {name}"), chance)
    wanted = {name: exported_records(tmp_path / name) for name in names}
    broker = Broker(tmp_path / "broker")
    (tmp_path / "hall" / "club").mkdir(parents=True)
    (tmp_path / "hall" / "club" / "hall.link").write_text(str(broker.link("hall")))
    hall = start_process(
        COMPANION,
        "hall",
        "--data",
        tmp_path / "hall",
        "--club",
        tmp_path / "hall" / "club",
        "serve",
        "--page",
        "0",
        log=tmp_path / "hall.log",
    )
    python = sys.executable
    uplinks = start_process(
        python, "-c", UPLINKS_PROGRAM, tmp_path, str(broker.port), *names, log=tmp_path / "uplinks.log"
    )
    wait_until(lambda: (tmp_path / "hall" / "hall.db").exists())
    begun = time.monotonic()
    try:
        broker.start()
        wait_until(lambda: sum(map(len, records_by_table(tmp_path / "hall").values())) >= TABLES * ROUNDS, 600, 0.25)
        took = time.monotonic() - begun
        assert records_by_table(tmp_path / "hall") == wanted
        worked = processor_seconds(hall)
        print(f"{TABLES} tables, {TABLES * ROUNDS} rounds in {took:.1f} s, of which the hall worked {worked:.1f} s;"
              f" hall {memory_mebibytes(hall)} MiB, all uplinks together {memory_mebibytes(uplinks)} MiB")  # fmt: skip
        assert worked <= MAX_INTAKE_SECONDS
    finally:
        broker.kill()


def processor_seconds(process: subprocess.Popen) -> float:
    """The processor time that a process has used, its own and the kernel's."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mebibytes(process: subprocess.Popen) -> int:
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) >> 10


@pytest.mark.drill
def test_nothing_is_lost_when_everything_is_killed(tmp_path, finished_rounds, start_process):
    """Ten tables play on while one process after the other is killed; all rounds arrive once, in order."""
    chance = random.Random(1800)
    names = [f"table-{number}" for number in range(1, 11)]
    for name in names:
        play_evening(tmp_path / name, finished_rounds, 2, ("Ann", "Ben"), chance)
    broker = Broker(tmp_path / "broker", f"allow_anonymous true\npersistence true\npersistence_location {tmp_path}/\n")
    (tmp_path / "hall" / "club").mkdir(parents=True)
    (tmp_path / "hall" / "club" / "hall.link").write_text(str(broker.link("hall")))

    def start(what: str) -> subprocess.Popen:
        if what == "hall":
            return start_process(
                COMPANION,
                "hall",
                "--data",
                tmp_path / "hall",
                "--club",
                tmp_path / "hall" / "club",
                "serve",
                "--page",
                "0",
                log=tmp_path / "hall.log",
            )
        (tmp_path / f"{what}.link").write_text(str(broker.link(what)))
        command = [COMPANION, "uplink", "--data", tmp_path / what, "--link", tmp_path / f"{what}.link"]
        return start_process(*command, log=tmp_path / f"{what}.log")

    broker.start()
    running = {what: start(what) for what in ("hall", *names)}
    stop = threading.Event()
    tables = [PlayingTable(tmp_path / name, finished_rounds, random.Random(name), stop) for name in names]
    try:
        for _ in range(KILL_COUNT):
            time.sleep(chance.uniform(0.0, 0.5))
            what = chance.choice(["broker", "broker", "hall", "hall", chance.choice(names)])
            if what == "broker":
                broker.kill()
                broker.start()
            else:
                assert running[what].poll() is None, (tmp_path / f"{what}.log").read_text()
                running[what].send_signal(signal.SIGKILL)
                running[what].wait(60)
                running[what] = start(what)
        stop.set()
        for table in tables:
            table.join(120)
            assert not table.failed
        wanted = {name: exported_records(tmp_path / name) for name in names}
        # Only the last round's result is taken back, so the rounds stay in order.
        wait_until(lambda: records_by_table(tmp_path / "hall") == wanted, 300, 0.5)
        assert sum(map(len, wanted.values())) > 2 * len(names)
    finally:
        stop.set()
        broker.kill()


class PlayingTable(threading.Thread):
    """A table that saves rounds, and now and then takes the last result back and finishes the round again."""

    def __init__(self, folder, played, chance: random.Random, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self._folder, self._played, self._chance, self._end = folder, played, chance, stop
        self.failed: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            store = Store(self._folder)
            number = store.load_history().next_round
            while not self._end.wait(self._chance.uniform(0.2, 1.5)):
                lines = log_entries_of_round(number, self._chance.choice(self._played), ("Ann", "Ben"))
                store.write_entries(lines)
                if self._chance.random() < 0.2:
                    self._end.wait(self._chance.uniform(0, 1.0))
                    store.write_entries([LogEntry(number, "back")])
                    self._end.wait(self._chance.uniform(0, 1.0))
                    store.write_entries(lines[-2:])
                number += 1
            store.close()
        except BaseException as error:
            self.failed = error

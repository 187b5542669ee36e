"""A club night for tests: a real Mosquitto, tables with real stores, and rounds that fill them."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

import pytest
from ports import free_port

from companion.club.mqtt_messages import Link
from companion.gamekit.contract import RandomRound
from companion.rounds.stored import LogEntry, RoundHeader
from companion.store.read_only_store import ReadOnlyStore
from companion.store.store import Store

MOSQUITTO = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
PATIENCE_SECONDS = 120.0
CLUB_NAME = "club"


def wait_until(condition, seconds: float = PATIENCE_SECONDS, pause: float = 0.02):
    """Wait until something is true, however slow the machine is. Returns its value then."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            pytest.fail(f"it did not come true in {seconds:g} s: {condition}")
        time.sleep(pause)
    return found


class Broker:
    """Mosquitto on a port of its own, without passwords unless a configuration is given."""

    def __init__(self, folder: Path, settings: str = "allow_anonymous true\n") -> None:
        self.folder, self.port = folder, free_port()
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "mosquitto.conf"
        self.file.write_text(f"listener {self.port} 127.0.0.1\nmax_queued_messages 20000\n{settings}")
        self.process: subprocess.Popen | None = None

    def start(self) -> None:
        if not Path(MOSQUITTO).exists():
            pytest.skip("Mosquitto is not installed")
        command = [MOSQUITTO, "-c", self.file]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(self._answers, pause=0.01)

    def _answers(self) -> bool:
        assert self.process.poll() is None, "Mosquitto has ended"
        with socket.socket() as asked:
            return asked.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self, how: int = signal.SIGKILL) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(PATIENCE_SECONDS)
        self.process = None

    def link(self, name: str, password: str = "secret", fingerprint: str = "") -> Link:
        return Link(name, password, "127.0.0.1", self.port, CLUB_NAME, fingerprint)


@pytest.fixture
def broker(tmp_path):
    made = Broker(tmp_path / "broker")
    made.start()
    yield made
    made.kill()


class RunningThread:
    """Runs an object's `run(stop)` in a thread; `stop` raises the error that ended it."""

    def __init__(self, runs) -> None:
        self._end = threading.Event()
        self._raised: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(runs,), daemon=True)
        self._thread.start()

    def _run(self, runs) -> None:
        self.runs = runs
        try:
            runs.run_until(self._end.is_set)
        except BaseException as error:
            self._raised = error

    def stop(self) -> None:
        self._end.set()
        self._thread.join(PATIENCE_SECONDS)
        assert not self._thread.is_alive()
        if self._raised is not None:
            raise self._raised


def save_played_round(store: Store, number: int, played: RandomRound, names: tuple[str, ...]) -> None:
    """Save a round as the table does, with its result if it is over."""
    store.write_entries(log_entries_of_round(number, played, names))


def log_entries_of_round(number: int, played: RandomRound, names: tuple[str, ...]) -> list[LogEntry]:
    """The log entries that the table saves for a round."""
    rules, header = played.rules, played.header
    about = RoundHeader(header.game, tuple(header.options.items()), names, opened=tuple(played.deals))
    lines = [LogEntry(number, "begin", header=about)]
    lines += [LogEntry(number, kind, seat, rules.format_deal(held)) for (kind, seat), held in played.deals.items()]
    lines += [LogEntry(number, "event", seat, str(move)) for seat, move in played.events]
    outcome = rules.outcome(played.states[-1])
    if rules.seat_to_move(played.states[-1]) is None:
        lines.append(LogEntry(number, "result", text=str(outcome.result), reason=outcome.reason))
    return lines


@pytest.fixture(scope="session")
def finished_rounds(play_round, settings_of_all_games) -> list[RandomRound]:
    """Short finished rounds of every game for two players."""
    chance, found = random.Random(18), []
    for game, options, players in settings_of_all_games:
        for _ in range(40 if players == 2 else 0):
            played = play_round(game, options, players, chance)
            if played.rules.seat_to_move(played.states[-1]) is None:
                found.append(played)
                break
    assert len({each.header.game for each in found}) >= 4
    return found


def exported_records(folder: Path) -> list[str]:
    """The records of the finished rounds of a data folder, without the check that `companion export` adds."""
    from companion.store.round_text import record_text

    store = ReadOnlyStore(folder)
    try:
        rounds = [store.load_round(number) for number in store.round_numbers()]
        return [record_text(store, each) for each in rounds if each.result]
    finally:
        store.close()


def process_environment() -> dict[str, str]:
    return {**os.environ, "PYTHONUNBUFFERED": "1"}

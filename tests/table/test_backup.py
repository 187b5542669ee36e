"""The copy on another disk is made after each result, delays nobody, and reports when it fails."""

from __future__ import annotations

import queue
import sys
from pathlib import Path

import pytest

from companion.evening import state_machine
from companion.inputs import DeviceMissing, Tick
from companion.rounds.stored import LogEntry, RoundHeader, SessionSettings
from companion.store.store import Store
from companion.table import backup as module
from companion.table.backup import FAILURE_BANNER, Backup
from companion.table.devices import InputQueue
from companion.table.loop import TableLoop

HEADER = RoundHeader("27", (("variant", "basic"),), ("Ann", "Ben"))
PATIENCE = 60


@pytest.fixture
def stick(monkeypatch, tmp_path) -> Path:
    """A folder that counts as another disk than that of the rounds."""
    monkeypatch.setattr(module, "device_number", lambda folder: 2 if "stick" in folder.parts else 1)
    (tmp_path / "stick").mkdir()
    return tmp_path / "stick"


@pytest.fixture
def data(tmp_path) -> Path:
    """The folder of a store with one round."""
    store = Store(tmp_path / "data")
    store.write_entries([LogEntry(1, "begin", header=HEADER), LogEntry(1, "event", 1, "1x1")])
    store.close()
    return tmp_path / "data"


@pytest.fixture
def journal() -> list[str]:
    return []


@pytest.fixture
def inputs(journal) -> InputQueue:
    return InputQueue(journal.append)


def test_everything_is_copied_beside_an_open_store(stick, data, inputs, journal):
    """Each request makes a copy, even while the table has locked the store; a missing folder is created."""
    store = Store(data)
    copies = Backup(stick / "rounds", data, inputs)
    for number in (2, 3):
        store.write_entries([LogEntry(number, "begin", header=HEADER)])
        copies.start_copy().join(PATIENCE)
        assert len(list((stick / "rounds").iterdir())) == number
    store.close()
    assert (inputs.queue.empty(), journal) == (True, [])


def test_a_copy_that_fails_is_told_and_so_is_the_next_that_does_not(stick, data, inputs, journal):
    """The panel says what to do, the log says why, and the doctor's pages know it too."""
    (stick / "rounds").write_text("in the way")
    copies = Backup(stick / "rounds", data, inputs)
    copies.start_copy().join(PATIENCE)
    assert inputs.queue.get_nowait()[:2] == DeviceMissing("backup", FAILURE_BANNER)[:2]
    assert journal == [f"no backup in {stick}/rounds: cannot write to {stick}/rounds: File exists"]
    assert inputs.missing_devices == {"backup": journal[0]}
    (stick / "rounds").unlink()
    copies.start_copy().join(PATIENCE)
    assert journal[1:] == ["the backup works again"]
    assert inputs.missing_devices == {}
    assert inputs.queue.empty()


def test_a_stick_that_is_not_in_is_told(data, inputs, journal, tmp_path):
    """Without a stick the mount point is a folder on the disk of the rounds, and nothing is copied there."""
    copies = Backup(tmp_path / "rounds", data, inputs)
    copies.start_copy().join(PATIENCE)
    assert journal == [f"no backup in {tmp_path}/rounds: it is on the same disk as the rounds"]
    assert not (tmp_path / "rounds").exists()


def test_a_stick_that_does_not_answer_holds_nobody_up(stick, data, inputs, journal):
    """The request returns while the copy hangs; after its time the copy is reported and given up."""
    hangs = (sys.executable, "-c", "import time; time.sleep(3600)")
    copies = Backup(stick, data, inputs, hangs, timeout_seconds=0.3)
    copy = copies.start_copy()
    assert copy.is_alive()
    copy.join(PATIENCE)
    assert journal == [f"no backup in {stick}: it took longer than 0.3 seconds"]


def test_a_table_asks_for_a_copy_after_each_result(tmp_path):
    """No other log entry starts a copy."""
    store = Store(tmp_path)
    asked: list[int] = []
    table = TableLoop(
        state_machine.start_session(SessionSettings(), store.load_history()), store, [], queue.Queue(), on_round_end=lambda: asked.append(1)
    )
    lines = (
        LogEntry(1, "begin", header=HEADER),
        LogEntry(1, "event", 1, "1x1"),
        LogEntry(1, "result", text="1 0 winners 1"),
    )
    for index, line in enumerate(lines):
        assert len(asked) == 0, index
        table.session = table.session.save_entries(line)
        table.take_input(Tick())
    assert len(asked) == 1
    store.close()

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
from companion.table.loop import TableLoop
from companion.table.table_devices import InputQueue

HEADER = RoundHeader("27", (("variant", "basic"),), ("Ann", "Ben"))
PATIENCE_SECONDS = 60


@pytest.fixture
def usb_stick(monkeypatch, tmp_path) -> Path:
    """A folder that counts as another disk than that of the rounds."""
    monkeypatch.setattr(module, "disk_number", lambda folder: 2 if "stick" in folder.parts else 1)
    (tmp_path / "stick").mkdir()
    return tmp_path / "stick"


@pytest.fixture
def data_folder(tmp_path) -> Path:
    """The folder of a store with one round."""
    store = Store(tmp_path / "data")
    store.write_entries([LogEntry(1, "begin", header=HEADER), LogEntry(1, "event", 1, "1x1")])
    store.close()
    return tmp_path / "data"


@pytest.fixture
def log() -> list[str]:
    return []


@pytest.fixture
def inputs(log) -> InputQueue:
    return InputQueue(log.append)


def test_all_rounds_are_copied_while_the_store_is_open(usb_stick, data_folder, inputs, log):
    """Each request makes a copy, even while the table has locked the store; a missing folder is created."""
    store = Store(data_folder)
    copies = Backup(usb_stick / "rounds", data_folder, inputs)
    for number in (2, 3):
        store.write_entries([LogEntry(number, "begin", header=HEADER)])
        copies.start_copy().join(PATIENCE_SECONDS)
        assert len(list((usb_stick / "rounds").iterdir())) == number
    store.close()
    assert (inputs.queue.empty(), log) == (True, [])


def test_a_failed_copy_is_reported_and_so_is_the_next_good_one(usb_stick, data_folder, inputs, log):
    """The panel says what to do, the log says why, and the doctor's pages know it too."""
    (usb_stick / "rounds").write_text("in the way")
    copies = Backup(usb_stick / "rounds", data_folder, inputs)
    copies.start_copy().join(PATIENCE_SECONDS)
    assert inputs.queue.get_nowait()[:2] == DeviceMissing("backup", FAILURE_BANNER)[:2]
    assert log == [f"no backup in {usb_stick}/rounds: cannot write to {usb_stick}/rounds: File exists"]
    assert inputs.missing_devices == {"backup": log[0]}
    (usb_stick / "rounds").unlink()
    copies.start_copy().join(PATIENCE_SECONDS)
    assert log[1:] == ["the backup works again"]
    assert inputs.missing_devices == {}
    assert inputs.queue.empty()


def test_a_missing_stick_is_reported(data_folder, inputs, log, tmp_path):
    """Without a stick the mount point is a folder on the disk of the rounds, and nothing is copied there."""
    copies = Backup(tmp_path / "rounds", data_folder, inputs)
    copies.start_copy().join(PATIENCE_SECONDS)
    assert log == [f"no backup in {tmp_path}/rounds: it is on the same disk as the rounds"]
    assert not (tmp_path / "rounds").exists()


def test_a_dead_stick_does_not_delay_the_table(usb_stick, data_folder, inputs, log):
    """The request returns while the copy hangs; after its time the copy is reported and given up."""
    hangs = (sys.executable, "-c", "import time; time.sleep(3600)")
    copies = Backup(usb_stick, data_folder, inputs, hangs, timeout_seconds=0.3)
    copy = copies.start_copy()
    assert copy.is_alive()
    copy.join(PATIENCE_SECONDS)
    assert log == [f"no backup in {usb_stick}: it took longer than 0.3 seconds"]


def test_each_saved_result_starts_a_copy(tmp_path):
    """No other log entry starts a copy."""
    store = Store(tmp_path)
    copies: list[int] = []
    table = TableLoop(
        state_machine.start_session(SessionSettings(), store.load_history()),
        store,
        [],
        queue.Queue(),
        on_round_end=lambda: copies.append(1),
    )
    lines = (
        LogEntry(1, "begin", header=HEADER),
        LogEntry(1, "event", 1, "1x1"),
        LogEntry(1, "result", text="1 0 winners 1"),
    )
    for index, line in enumerate(lines):
        assert len(copies) == 0, index
        table.session = table.session.save_entries(line)
        table.take_input(Tick())
    assert len(copies) == 1
    store.close()

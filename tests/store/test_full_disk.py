"""A disk without room: rounds can be read, and a table starts, reports it, and plays on once there is room."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

from companion.rounds.stored import LogEntry, RoundHeader
from companion.store.errors import DISK_FULL_SENTENCE, StoreError
from companion.store.read_only_store import ReadOnlyStore
from companion.store.store import Store
from companion.store.store_warnings import WarningKind

HEADER = RoundHeader("27", (("variant", "advanced"),), ("Ann", "Ben"))
COMPANION = Path(sysconfig.get_path("scripts")) / "companion"
PATIENCE = 60
WRITER = """
import sys
from pathlib import Path
from companion.rounds.stored import LogEntry, RoundHeader
from companion.store.store import Store

store = Store(Path(sys.argv[1]))
print(store.warning_text, flush=True)
input()
number = store.load_history().next_round
store.write_entries([LogEntry(number, "begin", header=RoundHeader("27", (), ("Ann", "Ben")))])
for at in range(100_000):
    store.write_entries([LogEntry(number, "event", at % 2 + 1, f"{at}x1")])
    if at % 7 == 0:
        store.tidy_up()
    if at == 10:
        print("writes", flush=True)
"""


def fill_store(folder: Path) -> dict[int, tuple]:
    """Save two rounds in a folder. Returns its content."""
    store = Store(folder)
    for number in (1, 2):
        store.write_entries([LogEntry(number, "begin", header=HEADER)])
        store.write_entries([LogEntry(number, "event", index % 2 + 1, f"{index % 9 + 1}x1") for index in range(40)])
    kept = events(store)
    store.close()
    return kept


def events(store: Store) -> dict[int, tuple]:
    return {number: store.load_round(number).events for number in store.round_numbers()}


def unplug(folder: Path, to: Path) -> dict[int, tuple]:
    """A folder as a power cut leaves it after one more round, all of which is in SQLite's log; and its content."""
    store = Store(folder)
    store.write_entries([LogEntry(3, "begin", header=HEADER), LogEntry(3, "event", 1, "1x1")])
    kept = events(store)
    shutil.copytree(folder, to, dirs_exist_ok=True)
    store.close()
    return kept


def list_history(folder: Path) -> list[dict]:
    """What `companion history` lists, run as a process."""
    command = [COMPANION, "history", "--json", "--data", folder]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.fixture(params=["closed", "log", "log and index"])
def full(request, small_disk, fill_up, tmp_path):
    """A folder on a full disk, its content, and the file that fills the disk; its table was stopped, or unplugged."""
    folder = small_disk(4096) / "data"
    kept = fill_store(tmp_path / "before")
    if request.param == "closed":
        shutil.copytree(tmp_path / "before", folder)
    else:
        kept = unplug(tmp_path / "before", folder)
    if request.param != "log and index":
        (folder / "rounds.db-shm").unlink(missing_ok=True)
    return folder, kept, fill_up(folder.parent)


def test_rounds_are_read_on_a_full_disk(full):
    """Both what is in the database and what is in its log, and nothing is reported as wrong."""
    folder, kept, _ = full
    store = ReadOnlyStore(folder)
    assert (store.warning_text, events(store)) == ("", kept)
    store.close()
    assert [each["round"] for each in list_history(folder)] == list(kept)


def test_a_table_starts_on_a_full_disk_and_plays_on_with_room(full):
    """It saves what fits, loses nothing, and lets others read. With room it saves everything without a restart."""
    folder, kept, ballast = full
    store = Store(folder)
    assert store.warning_text in ("", DISK_FULL_SENTENCE)
    number = store.load_history().next_round
    store_until_full(store, number)
    kept = events(store)
    assert [each["round"] for each in list_history(folder)] == list(kept)
    ballast.unlink()
    store.write_entries([LogEntry(number, "begin", header=HEADER)] if number not in kept else [])
    store.write_entries([LogEntry(number, "event", 1, "9x9")])
    kept = {**kept, number: (*kept.get(number, ()), (1, "9x9"))}
    assert [each["round"] for each in list_history(folder)] == list(kept)
    store.close()
    store = Store(folder)
    assert (store.warning_text, events(store)) == ("", kept)
    store.close()


def store_until_full(store: Store, number: int) -> None:
    """Save events while there is room, which the journal has up to its next block. What was saved is there, no more."""
    before, told = events(store), []

    def keep_on() -> None:
        store.write_entries([LogEntry(number, "begin", header=HEADER), LogEntry(number, "event", 1, "1x1")])
        told.append((1, "1x1"))
        for index in range(2, 1000):
            store.write_entries([LogEntry(number, "event", 1, f"{index}x1")])
            told.append((1, f"{index}x1"))

    with pytest.raises(StoreError, match=r"^Not saved: the disk is full\.$"):
        keep_on()
    assert events(store) == ({**before, number: tuple(told)} if told else before)


def test_a_new_folder_on_a_full_disk_is_refused_with_the_reason(small_disk, fill_up):
    folder = small_disk(1024) / "data"
    folder.mkdir()
    fill_up(folder.parent)
    with pytest.raises(StoreError, match=r": the disk is full\.$"):
        Store(folder)


@pytest.mark.drill
@pytest.mark.parametrize("full", [False, True], ids=["room", "full at the start"])
def test_a_copy_beside_a_table_that_writes_is_a_moment_of_it(small_disk, fill_up, tmp_path, full):
    """While a table writes and checkpoints, each copy has everything of the copy before; only its end may be torn."""
    folder = small_disk(16 * 1024) / "data"
    fill_store(folder)
    ballast = fill_up(folder.parent) if full else folder / "none"
    command = [sys.executable, "-c", WRITER, folder]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
        try:
            assert writer.stdout.readline().strip() in (["", DISK_FULL_SENTENCE] if full else [""])
            ballast.unlink(missing_ok=True)
            writer.stdin.write("\n")
            writer.stdin.flush()
            assert writer.stdout.readline() == "writes\n"
            counts = [lines_in_copy(folder, tmp_path / "copy") for _ in range(10)]
            until = time.monotonic() + PATIENCE
            while counts[-1] == counts[0] and time.monotonic() < until:  # On a busy machine the writer had no turn.
                counts.append(lines_in_copy(folder, tmp_path / "copy"))
        finally:
            writer.kill()
    assert counts == sorted(counts)
    assert counts[-1] > counts[0] > 80, "it hardly wrote: this proves nothing"


def lines_in_copy(folder: Path, to: Path) -> int:
    """How many lines a copy of the journal has. Only what was being written may be damaged."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        shutil.rmtree(to, ignore_errors=True)
        to.mkdir()
        shutil.copy(folder / "rounds.journal", to)
        with contextlib.closing(Store(to)) as store:
            if WarningKind.DAMAGED not in store.pending_warnings.kinds:
                return store.database.execute("SELECT count(*) FROM log_entries").fetchone()[0]
        # Between the reads of two pages the writer has written to both: the copy says so, and the next one is made.
    pytest.fail("no copy had all lines")

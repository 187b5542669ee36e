"""Power cuts: during writing, on a copy of the file system; and on a disk whose cache forgets any sectors."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from small_disks import skip_without

from companion.rounds.stored import LogEntry, RoundHeader
from companion.store.store import Store

HEADER = RoundHeader("27", (("variant", "advanced"),), ("Ann", "Ben"))
JOURNAL, LOG = "rounds.journal", "rounds.db-wal"
NOTHING_LOST = "nothing is lost"
SECTOR, PAGE = 512, 4096
PATIENCE = 60
WRITER = """
import sys
from pathlib import Path
from companion.rounds.stored import LogEntry, RoundHeader
from companion.store.store import Store

second = Path(sys.argv[2]) if sys.argv[2] else None
store = Store(Path(sys.argv[1]), second_folder=second)
number = store.load_history().next_round
while True:
    store.write_entries([LogEntry(number, "begin", header=RoundHeader("27", (), ("Ann", "Ben")))])
    for at in range(20):
        store.write_entries([LogEntry(number, "event", at % 2 + 1, f"{number}x{at}")])
        print(number, at + 1, flush=True)
    store.write_entries([LogEntry(number, "result", text="9 3 winners 1")])
    store.tidy_up()
    number += 1
"""


def mount_image(image: Path, where: Path) -> Path:
    """Mount a file system in a file, ext4 with its own journal. Skips the test if that is not allowed."""
    where.mkdir(exist_ok=True)
    if subprocess.run(["mount", "-o", "loop", image, where], check=False, timeout=60).returncode:
        pytest.skip("this machine does not let root mount a disk")
    return where


@pytest.fixture
def images(tmp_path):
    """Two empty file systems, and the folders where they are mounted; a copy is mounted beside."""
    skip_without("mkfs.ext4")
    where = []
    for name in ("card", "stick"):
        with (tmp_path / name).open("wb") as file:
            file.truncate(8 << 20)
        subprocess.run(["mkfs.ext4", "-q", tmp_path / name], check=True, timeout=60)
        where.append(mount_image(tmp_path / name, tmp_path / f"{name}-mounted"))
    yield tmp_path
    for each in where:
        subprocess.run(["umount", "--lazy", each], check=True, timeout=60)


def copy_at_rest(pid: int, images: Path, copies: Path) -> None:
    """Copy both disks while a process is stopped, again if the kernel has written to one of them meanwhile."""
    until = time.monotonic() + PATIENCE
    while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "T":
        assert time.monotonic() < until, "it does not stop"
    found: list[bytes] = []
    while found != (found := [(images / name).read_bytes() for name in ("card", "stick")]):
        assert time.monotonic() < until, "the disks are never at rest"
    for name, data in zip(("card", "stick"), found, strict=True):
        (copies / name).write_bytes(data)


def cut_power(images: Path, chance: random.Random, number: int, *, stick: bool) -> int:
    """Copy a writer's disks at some moment, and start a table on the copy.

    Returns how many moves were reported by then.
    """
    folder = images / "card-mounted" / str(number)
    second = str(images / "stick-mounted" / str(number)) if stick else ""
    command = [sys.executable, "-c", WRITER, folder, second]
    copies = images / "copies"
    copies.mkdir(exist_ok=True)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        try:
            told = [writer.stdout.readline().split() for _ in range(chance.randint(1, 60))]
            # As one moment: the writer does not run meanwhile. What it has not synced may be on the disk or not.
            os.kill(writer.pid, signal.SIGSTOP)
            copy_at_rest(writer.pid, images, copies)
        finally:
            writer.kill()
    for each in filter(None, (folder, second)):
        shutil.rmtree(each)
    where = [mount_image(copies / name, copies / f"{name}-mounted") for name in ("card", "stick")]
    try:
        with closing(Store(where[0] / str(number), second_folder=where[1] / str(number) if stick else None)) as store:
            assert store.warning_text == "", number
            kept = {each: [text for _, text in store.load_round(each).events] for each in store.round_numbers()}
    finally:
        for each in where:
            subprocess.run(["umount", each], check=True, timeout=60)
    round_, moves = map(int, told[-1])
    assert len(kept[round_]) >= moves, (number, told[-1])
    for each, those in kept.items():
        assert those == [f"{each}x{at}" for at in range(len(those))]
    return len(told)


@pytest.mark.parametrize("stick", [False, True], ids=["one disk", "two disks"])
@pytest.mark.parametrize("count", [1, pytest.param(100, marks=[pytest.mark.drill, pytest.mark.timeout(3600)])])
def test_a_power_cut_beneath_a_writer(images, count, stick):
    """The copy has what was reported as saved, nothing else, and nothing is reported as wrong."""
    chance = random.Random(count)
    told = sum(cut_power(images, chance, number, stick=stick) for number in range(count))
    assert told > 5 * count
    print(f"{count} power cuts, {told} moves told as kept")


class SavedMove(NamedTuple):
    """A move: the data folder before and after it, and all moves up to it."""

    before: Path
    after: Path
    moves: list[str]

    def cut(self, to: Path, name: str) -> tuple[Path, bytes, bytes]:
        """The folder while a file is being written; that file, and its content before and after."""
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(self.before, to)
        if name == LOG:
            shutil.copy(self.after / JOURNAL, to)
        return to / name, (self.before / name).read_bytes(), (self.after / name).read_bytes()


@pytest.fixture
def moments(tmp_path):
    """Moves of a round of three hundred, of many lengths."""
    chance, data, made = random.Random(3), tmp_path / "data", []
    with closing(Store(data)) as store:
        store.write_entries([LogEntry(1, "begin", header=HEADER)])
        for at in range(300):
            if at in (1, 150, 299):
                store.tidy_up()
                shutil.copytree(data, tmp_path / f"before-{at}")
            longer = "9" * chance.choice([1, 1, 600, 20_000])
            store.write_entries([LogEntry(1, "event", at % 2 + 1, f"{at}x{longer}")])
            if at in (1, 150, 299):
                moves = [text for _, text in store.load_round(1).events]
                made.append(SavedMove(tmp_path / f"before-{at}", tmp_path / f"after-{at}", moves))
                shutil.copytree(data, made[-1].after)
    return made


@pytest.mark.parametrize("tries", [20, pytest.param(2000, marks=[pytest.mark.drill, pytest.mark.timeout(3600)])])
def test_a_cache_that_forgets_any_sectors_of_the_last_write(moments, tmp_path, tries):
    """Any sectors of the file being written are old, or zeros at its end: the move is saved or not."""
    chance, there = random.Random(tries), 0
    for number in range(tries):
        moment, name = chance.choice(moments), chance.choice([JOURNAL, LOG])
        file, old, new = moment.cut(tmp_path / "cut", name)
        size, share = chance.choice([len(old), len(new)]), chance.random()
        old = old.ljust(size, b"\0")[:size]
        sectors = [
            (new if chance.random() < share else old)[place : place + SECTOR] for place in range(0, size, SECTOR)
        ]
        file.write_bytes(b"".join(sectors))
        with closing(Store(file.parent)) as store:
            assert store.warning_text == "", (number, name)
            moves = [text for _, text in store.load_round(1).events]
            assert moves in (moment.moves, moment.moves[:-1]), (number, name)
            assert name == JOURNAL or moves == moment.moves, number
            there += moves == moment.moves
    assert tries // 4 < there < tries
    print(f"{tries} times, {there} with the move")


@pytest.mark.drill
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("tries", [1000])
def test_pages_that_are_junk_after_a_power_cut(moments, tmp_path, tries):
    """Pages being written also have saved entries. The other file, which is not written meanwhile, has them too."""
    chance = random.Random(tries)
    for number in range(tries):
        moment, name = chance.choice(moments), chance.choice([JOURNAL, LOG])
        file, old, new = moment.cut(tmp_path / "cut", name)
        old = old.ljust(len(new), b"\0")
        pages = [new[place : place + PAGE] for place in range(0, len(new), PAGE)]
        for place, page in enumerate(pages):
            if page != old[place * PAGE : (place + 1) * PAGE]:
                pages[place] = chance.choice([page, bytes(len(page)), chance.randbytes(len(page))])
        file.write_bytes(b"".join(pages))
        with closing(Store(file.parent)) as store:
            assert "lost" not in store.warning_text.replace(NOTHING_LOST, ""), (number, name)
            moves = [text for _, text in store.load_round(1).events]
        assert moves in (moment.moves, moment.moves[:-1]), (number, name)
        assert name == JOURNAL or moves == moment.moves, number

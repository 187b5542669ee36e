"""Thousands of rounds are checked and rescued piece by piece, within the little memory that the service may use."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.rounds.stored import RoundHeader
from companion.store import lines, rescue
from companion.store.lines import Head

HEADER = RoundHeader("27", (("variant", "advanced"),), ("Ann", "Ben"))
DATE = "2026-11-21T20:00:00+01:00"
OPEN = """
import pathlib, sys
from companion.store.store import Store
store = Store(pathlib.Path(sys.argv[1]))
status = pathlib.Path("/proc/self/status").read_text().split()
print(len(store.numbers()), int(status[status.index("VmHWM:") + 1]) // 1024)
store.close()
"""


def made(folder: Path, rounds: int, results: bool) -> Path:
    """A closed store with many rounds of thirty lines, made in one piece."""
    folder.mkdir()
    chance, top, found = random.Random(1), 1, {}
    for number in range(1, rounds + 1):
        moves = [("event", index % 2 + 1, f"{chance.randint(1, 9)}x{index % 9}", DATE, 1.5, "") for index in range(28)]
        ends = [("result", 0, "12 6 winners 1", DATE, 0.0, "")] if results else [("aside", 0, "", DATE, 0.0, "")]
        text = Head(HEADER, number // 5 + 1).text()
        found[number] = lines.chained(number, [("begin", 0, text, DATE, 0.0, ""), *moves, *ends], top)
        top += len(found[number])
    own = lines.chained(0, [("store", 0, "ab" * 16, "", 0.0, "")])
    rescue.built(folder / "rounds.db", rescue.Recovered(found, own, top=top)).close()
    return folder


def opened(folder: Path) -> tuple[int, int]:
    """How many rounds a process of its own finds there, and its peak memory in MiB."""
    done = subprocess.run(
        [sys.executable, "-c", OPEN, folder], capture_output=True, text=True, timeout=3000, check=True, cwd=folder
    )
    rounds, peak = done.stdout.split()
    return int(rounds), int(peak)


def flipped(folder: Path) -> None:
    data = bytearray((folder / "rounds.db").read_bytes())
    at = data.index(b"event", len(data) // 2)
    data[at + 8] ^= 1
    (folder / "rounds.db").write_bytes(data)


def looked_at(tmp_path: Path, rounds: int, results: bool) -> list[tuple[int, int]]:
    """Rounds and peak memory: of a whole file without its checksums, and of one with a damaged byte."""
    folder = made(tmp_path / "data", rounds, results)
    shutil.copytree(folder, tmp_path / "damaged")
    flipped(tmp_path / "damaged")
    return [opened(folder), opened(tmp_path / "damaged")]


def test_a_thousand_rounds_take_little_memory(tmp_path):
    """The lines of all rounds together are never in memory, neither to check nor to rescue them."""
    (rounds, checking), (left, rescuing) = looked_at(tmp_path, 1000, results=False)
    assert (rounds, left) == (1000, 999)
    assert max(checking, rescuing) < 40


@pytest.mark.drill
@pytest.mark.timeout(3600)
def test_twenty_thousand_rounds_take_less_than_the_service_has(tmp_path):
    """Under 100 MiB, where the service's unit allows 192."""
    (rounds, checking), (left, rescuing) = looked_at(tmp_path, 20_000, results=True)
    print(f"checking {checking} MiB, rescuing {rescuing} MiB")
    assert (rounds, left) == (20_000, 19_999)
    assert max(checking, rescuing) < 100

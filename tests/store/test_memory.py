"""Thousands of rounds are listed and repaired piece by piece, within the little memory that the service may use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from long_journals import write_journal

OPEN = """
import pathlib, sys
from companion.store.store import Store
store = Store(pathlib.Path(sys.argv[1]))
status = pathlib.Path("/proc/self/status").read_text().split()
print(len(store.round_numbers()), int(status[status.index("VmHWM:") + 1]) // 1024)
store.close()
"""


def open_in_process(folder: Path) -> tuple[int, int]:
    """Open a folder in a process of its own. Returns its number of rounds, and the peak memory in MiB."""
    done = subprocess.run(
        [sys.executable, "-c", OPEN, folder], capture_output=True, text=True, timeout=3000, check=True, cwd=folder
    )
    rounds, peak = done.stdout.split()
    return int(rounds), int(peak)


def flip_byte(folder: Path) -> None:
    """Flip a bit in the middle of the journal."""
    data = bytearray((folder / "rounds.journal").read_bytes())
    data[len(data) // 2] ^= 1
    (folder / "rounds.journal").write_bytes(data)


def measure_folder(tmp_path: Path, rounds: int, results: bool) -> list[tuple[int, int]]:
    """Rounds and peak memory for a journal without its database, and for one with a damaged byte."""
    folder = write_journal(tmp_path / "data", rounds, results)
    found = [open_in_process(folder)]
    flip_byte(folder)
    return [*found, open_in_process(folder)]


@pytest.mark.drill
def test_a_thousand_rounds_take_little_memory(tmp_path):
    """Neither listing nor repairing ever has the entries of all rounds in memory."""
    _, few = open_in_process(write_journal(tmp_path / "few", 10, results=False))
    (rounds, listing), (left, mending) = measure_folder(tmp_path, 1000, results=False)
    assert (rounds, left) == (1000, 1000)
    assert max(listing, mending) - few < 8


@pytest.mark.drill
@pytest.mark.timeout(3600)
def test_twenty_thousand_rounds_take_less_than_the_service_has(tmp_path):
    """Under 100 MiB, where the service's unit allows 192."""
    (rounds, listing), (left, mending) = measure_folder(tmp_path, 20_000, results=True)
    print(f"listing {listing} MiB, mending {mending} MiB")
    assert (rounds, left) == (20_000, 20_000)
    assert max(listing, mending) < 100

"""Stores with rounds of a few moves, for tests of what happens to a store as a whole."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from companion.rounds.stored import LogEntry, RoundHeader
from companion.store.store import Store


def play_round(store: Store, number: int) -> None:
    store.write_entries([LogEntry(number, "begin", header=RoundHeader("27", (), ("Ann", "Ben")))])
    store.write_entries([LogEntry(number, "event", index % 2 + 1, f"{number}x{index + 1}") for index in range(3)])
    store.write_entries([LogEntry(number, "result", text="12 6 winners 1", reason="all discs are stacked")])


def make_rounds(folder: Path, count: int) -> Path:
    with closing(Store(folder)) as store:
        for number in range(1, count + 1):
            play_round(store, number)
    return folder


def count_rounds(folder: Path) -> tuple[int, str]:
    with closing(Store(folder)) as store:
        return len(store.round_numbers()), store.warning_text

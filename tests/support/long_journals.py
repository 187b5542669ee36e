"""Journals of many rounds, written line by line without a store."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

from companion.rounds.stored import RoundHeader
from companion.store.journal import padding
from companion.store.journal_lines import HEADER_LINE as HEAD
from companion.store.journal_lines import format_entries
from companion.store.stored_entries import EntryFields, StoredEntry, StoredHeader, make_entry

HEADER = RoundHeader("27", (("variant", "advanced"),), ("Ann", "Ben"))
DATE = "2026-11-21T20:00:00+01:00"


def chained_lines(round_: int, entries: Iterable[EntryFields], top: int = 0, before: int = 0) -> list[StoredEntry]:
    """Lines numbered after `top`, each continuing the checksum of the one before it."""
    lines: list[StoredEntry] = []
    for number, (kind, seat, text, date, seconds, clock) in enumerate(entries, top + 1):
        lines.append(make_entry((number, round_, kind, seat, text, date, float(seconds), clock), before))
        before = lines[-1].checksum
    return lines


def write_journal(folder: Path, rounds: int, results: bool) -> Path:
    """Write a journal with many rounds of thirty lines, without its index."""
    folder.mkdir()
    chance, top = random.Random(1), 1
    with (folder / "rounds.journal").open("wb") as file:
        file.write(HEAD + b"\n" + format_entries(chained_lines(0, [("store", 0, "ab" * 16, "", 0.0, "")])))
        for number in range(1, rounds + 1):
            moves = [("event", at % 2 + 1, f"{chance.randint(1, 9)}x{at % 9}", DATE, 1.5, "") for at in range(28)]
            ends = [("result", 0, "12 6 winners 1", DATE, 0.0, "")] if results else [("aside", 0, "", DATE, 0.0, "")]
            text = StoredHeader(HEADER, number // 5 + 1).to_text()
            found = chained_lines(number, [("begin", 0, text, DATE, 0.0, ""), *moves, *ends], top)
            file.write(format_entries(found))
            top += len(found)
        file.write(padding(file.tell()))
    return folder

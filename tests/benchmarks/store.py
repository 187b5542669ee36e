"""What ten thousand stored rounds cost: the menu, the standings and the history, against the same with ten rounds.

Run it as `python tests/benchmarks/store.py`. Each answer must take at most twice what it takes with ten rounds, or at
most 100 ms; the exit status is 1 if one does not. Whole commands are measured as processes, the table's own questions
within one.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from companion.rounds.stored import RoundHeader, StoredRound
from companion.store.store import Store

FEW_ROUNDS, MANY_ROUNDS = 10, 10_000
REPEATS = 7
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")
GAMES = ("27", "coral-reef", "prime-attactics", "ziggurat", "pad")


def fill_store(folder: Path, count: int) -> Path:
    """A store with so many finished rounds of two to four players, five an evening."""
    chance = random.Random(count)
    store = Store(folder)
    begun = datetime(2020, 1, 1, 19, tzinfo=UTC)
    store.database.execute("PRAGMA synchronous = OFF")
    for number in range(count):
        names = tuple(chance.sample(NAMES, chance.choice((2, 2, 2, 3, 4))))
        scores = [chance.randint(0, 90) for _ in names]
        won = " ".join(str(seat) for seat, score in enumerate(scores, 1) if score == max(scores))
        result = f"{' '.join(map(str, scores))} winners {won}"
        moment = begun + timedelta(days=number // 5, minutes=20 * (number % 5))
        header = RoundHeader(chance.choice(GAMES), (("title", "Skat"),), names)
        store.import_round(StoredRound(0, header, (), ((1, "+1"),), result, "it was late"), moment.isoformat())
    store.close()
    return folder


def table_questions(folder: Path) -> dict[str, Callable[[], object]]:
    """What a running table asks its store, by name."""
    store = Store(folder)
    return {
        "menu (what a table starts from)": store.load_history,
        "standings of all time": store.standings,
        "history, the newest 99": lambda: store.summaries(limit=99),
        "a round of the history": store.load_round,
    }


def command_questions(folder: Path) -> dict[str, Callable[[], object]]:
    """The measured commands, each run as a whole process, by name."""

    def run(*words: str) -> Callable[[], object]:
        line = [sys.executable, "-m", "companion", *words, "--data", str(folder)]
        return lambda: subprocess.run(line, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    return {
        "companion standings": run("standings"),
        "companion standings --evening": run("standings", "--evening"),
        "companion history --limit 20": run("history", "--limit", "20"),
        "companion players": run("players"),
    }


def median_milliseconds(ask: Callable[[], object]) -> float:
    """The median of some repeats, in milliseconds."""
    times = []
    for _ in range(REPEATS):
        begun = time.perf_counter()
        ask()
        times.append(time.perf_counter() - begun)
    return 1000 * statistics.median(times)


def main() -> int:
    """Fill two stores and compare; 1 if an answer takes too long."""
    good = True
    with tempfile.TemporaryDirectory() as folder:
        small, large = fill_store(Path(folder) / "few", FEW_ROUNDS), fill_store(Path(folder) / "many", MANY_ROUNDS)
        for kind in (command_questions, table_questions):
            few, many = kind(small), kind(large)
            for name, ask in many.items():
                less, more = median_milliseconds(few[name]), median_milliseconds(ask)
                fits = more <= 2 * less or more <= 100
                good = good and fits
                print(
                    f"{name:34} {less:8.1f} ms with {FEW_ROUNDS}  {more:8.1f} ms with {MANY_ROUNDS:,}"
                    f"  {more / less:6.1f} ×   {'ok' if fits else 'TOO LONG'}"
                )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

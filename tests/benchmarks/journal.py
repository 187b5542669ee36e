"""What many rounds cost: sizes, making the database, starts, memory, standings, a reader, and a move's two syncs.

Run it as `python tests/benchmarks/journal.py [ROUNDS]` in a clone. Making the database of 20,000 rounds may take ten
processor seconds, and no step more than 100 MiB; the exit status is 1 if a limit is passed.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from long_journals import write_journal

STEP_PROGRAM = """
import resource, sys, time
from pathlib import Path
from companion.store import database
from companion.store.read_only_store import ReadOnlyStore
from companion.store.store import Store

folder, step, store = Path(sys.argv[1]), sys.argv[2], None
begun = time.perf_counter()
if step == "database":
    database.build_database(folder, "rounds.other")
else:
    reader = "reader" in step
    if "without" in step:
        for part in folder.glob("rounds.db*"):
            part.unlink()
    store = ReadOnlyStore(folder) if reader else Store(folder, in_background="without" in step)
    if step == "standings":
        begun = time.perf_counter()
        store.standings()
took, used = time.perf_counter() - begun, time.process_time()
print(took, used, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
if store is not None:
    store.close()
"""
MOVES = """
import sys, time, statistics, os
from pathlib import Path
from companion.rounds.stored import LogEntry, RoundHeader
from companion.store.database import DatabaseFile
from companion.store.journal import JournalFile
from companion.store.store import Store

store = Store(Path(sys.argv[1]))
number = store.load_history().next_round
store.write_entries([LogEntry(number, "begin", header=RoundHeader("27", (), ("Ann", "Ben")))])
syncs, whole = [], []

def timed(kind, name):
    real = getattr(kind, name)

    def call(*words):
        begun = time.perf_counter()
        real(*words)
        syncs.append(time.perf_counter() - begun)

    setattr(kind, name, call)

timed(JournalFile, "append")
timed(DatabaseFile, "commit")
for at in range(300):
    begun = time.perf_counter()
    store.write_entries([LogEntry(number, "event", at % 2 + 1, "1x1")])
    whole.append(time.perf_counter() - begun)
print(statistics.median(whole), statistics.median(syncs[::2]), statistics.median(syncs[1::2]))
"""


def measure_step(folder: Path, name: str) -> tuple[float, float, float]:
    """Seconds, processor seconds, and peak memory in MiB of a step in a process of its own."""
    command = [sys.executable, "-c", STEP_PROGRAM, folder, name]
    seconds, used, memory = subprocess.check_output(command, text=True).split()
    return float(seconds), float(used), float(memory)


def main(rounds: int) -> int:
    """Measure and print; 1 if a limit is passed."""
    good = True
    with tempfile.TemporaryDirectory() as where:
        folder = write_journal(Path(where) / "data", rounds, results=True)
        for name in ("first start", "start", "start without database", "database", "standings", "reader"):
            seconds, used, memory = measure_step(folder, name)
            good = good and memory < 100 and not (name == "database" and used > rounds / 2000)
            print(f"{name:20} {seconds:7.2f} s  {used:7.2f} s of the processor  {memory:5.0f} MiB")
        for file in sorted(folder.glob("rounds.*")):
            print(f"{file.name:20} {file.stat().st_size / 1e6:7.1f} MB")
        move, first, second = map(
            float, subprocess.check_output([sys.executable, "-c", MOVES, folder], text=True).split()
        )
        print(f"a move {move * 1000:.2f} ms, of it the first sync {first * 1000:.2f}, the second {second * 1000:.2f}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000))

"""Databases of older versions: read round by round, and written anew in today's form."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from old_store import MIGRATIONS

from companion.rounds.stored import RoundHeader, StoredRound
from companion.store.store import Store

ROUND = ('[["variant", "basic"]]', '["Ann", "Ben"]', "[]", "[]")


def old_database(folder: Path, rounds: int = 3) -> None:
    """A database of version 4 with finished rounds, one taken back in between, one imported and one unfinished."""
    folder.mkdir(exist_ok=True)
    db = sqlite3.connect(folder / "rounds.db")
    db.executescript(f"{' '.join(MIGRATIONS)} PRAGMA user_version = {len(MIGRATIONS)};")
    for number in range(1, rounds + 3):
        state = {rounds + 1: "imported", rounds + 2: "running"}.get(number, "over")
        result = "" if state == "running" else "12 6 winners 1"
        date = f"2026-01-{number:02}T20:00:00+01:00"
        db.execute(
            "INSERT INTO rounds (id, game, options, names, goal, number, wins, opened, begun, evening, state, result, "
            "ended, reason) VALUES (?, '27', ?, ?, 0, 1, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                number,
                *ROUND,
                date,
                number,
                state,
                result,
                date if state == "over" else "",
                "all stacked" if result else "",
            ),
        )
        won = (None, None, None) if not result else (12, 1, 0)
        lost = (None, None, None) if not result else (6, 0, 0)
        db.execute("INSERT INTO seats VALUES (?, 1, 'Ann', ?, ?, ?)", (number, *won))
        db.execute("INSERT INTO seats VALUES (?, 2, 'Ben', ?, ?, ?)", (number, *lost))
        entries = [("begin", 0, "", 1), ("event", 1, "1x1", 1), ("event", 2, "9x1", 0), ("back", 0, "", 0),
                   ("event", 2, "9x2", 1)]  # fmt: skip
        entries += [("result", 0, result, 0)] if state == "over" else []
        db.executemany(
            "INSERT INTO entries (round, kind, seat, text, at, standing, seconds) "
            f"VALUES ({number}, ?, ?, ?, '{date}', ?, 1.5)",
            entries,
        )
    db.commit()
    db.close()


def contents(store: Store) -> dict[int, StoredRound]:
    return {number: store.round(number) for number in store.numbers()}


def test_everything_of_an_old_database_is_there_in_the_new_form(tmp_path):
    """Rounds, results, dates, take-backs and unfinished rounds are as they were; the old file is kept."""
    old_database(tmp_path)
    store = Store(tmp_path)
    assert store.warning == ""
    header = RoundHeader("27", (("variant", "basic"),), ("Ann", "Ben"))
    events, times = ((1, "1x1"), (2, "9x2")), (1.5, 1.5)
    ended = [StoredRound(n, header, (), events, "12 6 winners 1", "all stacked", times) for n in (1, 2, 3, 4)]
    assert list(contents(store).values()) == [*ended, StoredRound(5, header, (), events, "", "", times)]
    kept = store.summaries()
    assert [each.state for each in kept] == ["over", "over", "over", "imported", "running"]
    assert [bool(each.ended) for each in kept] == [True, True, True, False, False]
    assert store.past().unfinished.id == 5
    assert store.standings()[0][:3] == ("Ann", 4, 4)
    assert len(store.waits(1)) == 2
    store.close()
    assert (tmp_path / "rounds.db.before-5").exists()
    again = Store(tmp_path)
    assert (again.warning, len(contents(again))) == ("", 5)
    again.close()


DAMAGES = {
    "names that are no JSON": 'UPDATE rounds SET names = \'["Ann", "B\' WHERE id = 2',
    "names that are no UTF-8": "UPDATE rounds SET names = CAST(x'5b22ff225d' AS TEXT) WHERE id = 2",
    "a move that is no UTF-8": "UPDATE entries SET text = CAST(x'ff31' AS TEXT) WHERE round = 2 AND text = '1x1'",
    "a kind that is none": "UPDATE entries SET kind = 'evenu' WHERE round = 2 AND text = '1x1'",
    "a result that is none": "UPDATE rounds SET result = '12 6 wjnners 1' WHERE id = 2",
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_round_that_cannot_be_read_is_named_and_costs_no_other(tmp_path, damage):
    """The old file lies aside whole, the round is left out by its number, and all others play on."""
    old_database(tmp_path)
    db = sqlite3.connect(tmp_path / "rounds.db")
    with db:
        db.execute(damage)
    db.close()
    store = Store(tmp_path)
    assert store.warning == (
        "The kept rounds were damaged; they lie aside as rounds.db.damaged-1. 4 rounds were rescued, but not round 2."
    )
    assert sorted(contents(store)) == [1, 3, 4, 5]
    store.heard()
    store.close()
    aside = sqlite3.connect(tmp_path / "rounds.db.damaged-1")
    assert aside.execute("SELECT count(*) FROM rounds").fetchone() == (5,)
    aside.close()
    store = Store(tmp_path)
    assert store.warning == ""
    store.close()


# -- a power cut --------------------------------------------------------------------------------------------------

OPEN = "import pathlib, sys; from companion.store.store import Store; Store(pathlib.Path(sys.argv[1])).close()"
WRITES = "write,pwrite64,fsync,fdatasync,rename,unlink,ftruncate,openat"


def traced(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Open a store under strace, which sees only what is done to the files of its folder."""
    names = ("", "-wal", "-shm", "-sums", ".part", ".migrated", ".before-5", ".before-5.part", ".part-journal")
    files = [word for name in names for word in ("-P", f"{folder}/rounds.db{name}")]
    command = ["strace", "-f", "-qq", "-y", *files, "-P", str(folder), *words, sys.executable, "-c", OPEN, str(folder)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_the_new_file_is_on_disk_before_it_takes_the_place_of_the_old(tmp_path):
    """Synced, then renamed, with the folder synced before and after; the old log is gone first."""
    old_database(tmp_path / "data")
    trace = tmp_path / "trace"
    traced(tmp_path / "data", "-o", str(trace), "-e", f"trace={WRITES}")
    calls = trace.read_text().splitlines()

    def last(*words: str) -> int:
        return max(index for index, call in enumerate(calls) if all(word in call for word in words))

    written = last("write", "data/rounds.db.part>")
    synced = last("fsync(", "data/rounds.db.part>")
    named = last("rename(", 'rounds.db.part", ')
    renamed = last("rename(", 'rounds.db.migrated", ')
    folders = [index for index, call in enumerate(calls) if "fsync(" in call and "/data>" in call]
    gone = next(
        index for index, call in enumerate(calls) if index > named and "unlink(" in call and 'rounds.db-wal"' in call
    )
    assert last("fsync(", "before-5.part>") < written < synced < named < gone < renamed
    assert any(named < index < gone for index in folders)
    assert any(gone < index < renamed for index in folders)
    assert any(renamed < index for index in folders)


@pytest.mark.drill
@pytest.mark.parametrize("part", range(4))
def test_the_plug_pulled_at_each_write_of_a_migration(tmp_path, part):
    """Killed at each call that writes, the next start has every round, in the new form or after migrating again."""
    assert shutil.which("strace"), "strace is not installed"
    old_database(tmp_path / "old")
    with sqlite3.connect(tmp_path / "old" / "rounds.db") as db:
        db.execute("PRAGMA journal_mode = WAL")
    db.close()
    wanted = None
    calls = 0
    for number in range(1, 1000):
        folder = tmp_path / "data"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(tmp_path / "old", folder)
        if number % 4 != part and wanted is not None:
            continue
        done = traced(folder, "-o", os.devnull, "-e", f"inject={WRITES}:signal=SIGKILL:when={number}")
        store = Store(folder)
        assert store.warning == ""
        wanted = wanted or contents(store)
        assert contents(store) == wanted
        store.close()
        if done.returncode == 0:
            break
        calls += 1
    assert len(wanted) == 5
    assert calls > 10, "nothing was killed: this proves nothing"
    print(f"killed at {calls} calls")

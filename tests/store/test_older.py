"""Databases of older versions: read once, completely, and left as they are beside the journal."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from old_store import MIGRATIONS

from companion.rounds.stored import LogEntry, RoundHeader, StoredRound
from companion.store import stored_lines
from companion.store.errors import StoreError
from companion.store.open_to_read import ReadOnlyStore
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
    before = (tmp_path / "rounds.db").read_bytes()
    with pytest.raises(StoreError, match="an older version; start the table once"):
        ReadOnlyStore(tmp_path)
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
    assert (tmp_path / "rounds.db").read_bytes() == before
    assert not list(tmp_path.glob("rounds.db?*"))
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
    """The old file stays whole, the round is left out by its number, and all others play on."""
    old_database(tmp_path)
    db = sqlite3.connect(tmp_path / "rounds.db")
    with db:
        db.execute(damage)
    db.close()
    store = Store(tmp_path)
    assert store.warning == "The rounds in rounds.db are damaged. Not all of round 2 can be read. It stays as it is."
    assert sorted(contents(store)) == [1, 3, 4, 5]
    store.heard()
    store.close()
    aside = sqlite3.connect(tmp_path / "rounds.db")
    assert aside.execute("SELECT count(*) FROM rounds").fetchone() == (5,)
    aside.close()
    store = Store(tmp_path)
    assert store.warning == ""
    store.close()


# -- a database of 0.5.0, as a plug left it -----------------------------------------------------------------------

DATE = "2026-11-21T20:00:00+01:00"
LEFT = Path(__file__).with_name("left_by_0_5")
TOLD = json.loads((LEFT / "told.json").read_text())
TOLD["history"] = [[*each[:5], 0, *each[6:]] for each in TOLD["history"]]  # Evenings have other numbers now.


@pytest.fixture
def left(tmp_path):
    """A folder with a database of 0.5.0, half of which is in its log."""
    folder = tmp_path / "data"
    folder.mkdir()
    for name in ("rounds.db", "rounds.db-wal", "rounds.db-sums"):
        shutil.copy(LEFT / name, folder)
    return folder


def plain(value: object) -> object:
    """A value as JSON has it."""
    return json.loads(json.dumps(value))


def said_of(store: Store) -> dict[str, object]:
    return {
        "identity": store.identity,
        "rounds": plain([[store.round(number), store.begun(number)] for number in store.numbers()]),
        "standings": plain(store.standings()),
        "history": plain([each._replace(evening=0)[:9] for each in store.summaries()]),
        "past": plain(store.past().favourites),
        "changes": plain(store.changes(0)),
    }


def test_a_database_of_0_5_is_read_completely_and_left_as_it_was(left):
    """Every line with its number and checksum, so that the hall knows it again; what was told of the rounds."""
    store = Store(left)
    assert store.warning == ""
    assert said_of(store) == {key: TOLD[key] for key in TOLD if key != "lines"}
    kept = plain(store.db.execute("SELECT * FROM entries WHERE kind != 'read' ORDER BY id").fetchall())
    assert kept == TOLD["lines"]
    store.write([LogEntry(6, "event", 2, "9x9")])
    store.close()
    for name in ("rounds.db", "rounds.db-wal", "rounds.db-sums"):
        assert (left / name).read_bytes() == (LEFT / name).read_bytes(), name


def test_what_an_older_version_has_played_since_comes_back(left):
    """After going back the old database goes on; the next upgrade has its rounds, and those of the journal."""
    store = Store(left)
    store.write([LogEntry(6, "result", text="9 3 winners 1")])
    store.write([LogEntry(7, "begin", header=RoundHeader("27", (("variant", "basic"),), ("Eva", "Fay")))])
    store.write([LogEntry(7, "event", 1, "4x4"), LogEntry(7, "result", text="9 3 winners 1")])
    here = contents(store)
    store.close()
    by_the_older_version(left)
    for _ in range(2):  # A second start takes nothing in again.
        store = Store(left)
        assert {number: contents(store)[number] for number in here} == here
        new = {number: each for number, each in contents(store).items() if number not in here}
        assert [(each.header.names, each.events) for each in new.values()] == [(("Gus", "Hal"), ((1, "5x5"),))]
        assert store.standings()[0].name in ("Ann", "Dora")
        store.close()


def by_the_older_version(folder: Path) -> None:
    """A round in the old database, as the program of before appends it."""
    text = '{"game":"27","options":[["variant","basic"]],"names":["Gus","Hal"],"evening":1}'
    with closing(sqlite3.connect(folder / "rounds.db")) as db, db:
        top = db.execute("SELECT max(id) FROM entries").fetchone()[0]
        db.execute(
            "INSERT INTO rounds (id, game, options, names, goal, number, wins, opened, begun, evening) "
            "VALUES (7, '27', '[]', '[]', 0, 1, '[]', '[]', '', 1)"
        )
        made = stored_lines.chained(7, [("begin", 0, text, "2026-11-24T22:00:00+01:00", 0.0, ""),
                                 ("event", 1, "5x5", "2026-11-24T22:01:00+01:00", 0.0, "")], top)  # fmt: skip
        db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", made)
        db.execute("UPDATE rounds SET lines = 2, last = ? WHERE id = 7", (made[-1].sum,))


def test_a_line_of_0_5_that_is_damaged_is_told_by_its_round(left):
    """Its round is named, all others are as they were, and the database stays as it is."""
    with closing(sqlite3.connect(left / "rounds.db")) as db, db:
        db.execute("UPDATE entries SET text = '9x9' WHERE round = 1 AND text = '2x3'")
    store = Store(left)
    assert store.warning == "The rounds in rounds.db are damaged. Not all of round 1 can be read. It stays as it is."
    got = said_of(store)["rounds"]
    assert [each for each in got if each[0][0] != 1] == [each for each in TOLD["rounds"] if each[0][0] != 1]
    wanted = TOLD["rounds"][0][0][3]
    assert got[0][0][3] == [event for event in wanted if event[1] != "2x3"]
    store.close()


@pytest.mark.parametrize("count", [pytest.param(25), pytest.param(1000, marks=pytest.mark.drill)])
def test_whatever_lies_there_as_an_old_database_the_table_starts(left, tmp_path, count):
    """Junk in any place of it: what cannot be read is told, what is read was there, and the next start is silent."""
    chance = random.Random(5)
    with closing(sqlite3.connect(left / "rounds.db")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    wanted = {line[0]: line for line in TOLD["lines"]}
    lost = 0
    for number in range(count):
        folder = tmp_path / "damaged"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(left, folder)
        data = bytearray((folder / "rounds.db").read_bytes())
        size = chance.choice([1, 16, 512, 4096])
        at = chance.randrange(0, len(data) - size)
        data[at : at + size] = chance.choice([chance.randbytes(size), bytes(size)])
        (folder / "rounds.db").write_bytes(data[: chance.choice([len(data)] * 3 + [chance.randrange(len(data))])])
        with closing(Store(folder)) as store:
            kept = plain(store.db.execute("SELECT * FROM entries WHERE kind NOT IN ('read', 'lost')").fetchall())
            said, names = store.warning, [line for line in kept if line[2] == "store"]
            store.past()
            assert all(wanted.get(line[0]) == line for line in kept if line not in names), number
            assert said or len(kept) == len(wanted), number
            lost += len(kept) < len(wanted)
            store.heard()
        with closing(Store(folder)) as store:
            assert store.warning == "", number
    assert lost, "nothing was damaged: this proves nothing"


def test_a_page_that_cannot_be_read_costs_the_rounds_in_it_alone(left):
    """Around it line by line is read: two hundred rounds, of which a page has but a few."""
    numbers = range(101, 301)
    with closing(sqlite3.connect(left / "rounds.db")) as db:
        top = db.execute("SELECT max(id) FROM entries").fetchone()[0]
        for number in numbers:
            head = stored_lines.Head(RoundHeader("27", (("variant", "basic"),), ("Ann", f"P{number}")), 9).text()
            moves = [("event", at % 2 + 1, f"{at % 9 + 1}x{at % 8 + 1}", DATE, 1.5, "") for at in range(28)]
            made = stored_lines.chained(number, [("begin", 0, head, DATE, 0.0, ""), *moves], top)
            db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", made)
            top += len(made)
        db.commit()
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray((left / "rounds.db").read_bytes())
    page = data.index(b'"P200"') // 4096 * 4096
    data[page : page + 4096] = bytes(4096)
    (left / "rounds.db").write_bytes(data)
    store = Store(left)
    assert "can be read" in store.warning
    found = {number: store.round(number) for number in store.numbers()}
    whole = [number for number in numbers if number in found and len(found[number].events) == 28]
    assert 0 < len(numbers) - len(whole) < 8
    assert {each[0][0] for each in TOLD["rounds"]} <= set(found)
    store.close()


# -- a power cut --------------------------------------------------------------------------------------------------

OPEN = "import pathlib, sys; from companion.store.store import Store; Store(pathlib.Path(sys.argv[1])).close()"
WRITES = "write,pwrite64,fsync,fdatasync,rename,unlink,ftruncate,openat"


def traced(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Open a store under strace, which sees only what is done to the files of its folder."""
    names = ("journal", "journal.part", "journal-2", "journal-2.part", "index", "index.new", "index-wal", "index-note")
    files = [word for name in names for word in ("-P", f"{folder}/rounds.{name}")]
    command = ["strace", "-f", "-qq", "-y", *files, "-P", str(folder), *words, sys.executable, "-c", OPEN, str(folder)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_both_files_are_on_disk_before_either_has_its_name(left, tmp_path):
    """Written and synced under other names, then named one after the other, each with the folder synced."""
    trace = tmp_path / "trace"
    traced(left, "-o", str(trace), "-e", f"trace={WRITES}")
    calls = trace.read_text().splitlines()

    def at(*words: str) -> int:
        return next(index for index, call in enumerate(calls) if all(word in call for word in words))

    synced = [at("fsync(", f"data/rounds.{name}.part>") for name in ("journal", "journal-2")]
    named = [at("rename(", f'rounds.{name}.part", ') for name in ("journal", "journal-2")]
    folders = [index for index, call in enumerate(calls) if "fsync(" in call and "/data>" in call]
    assert max(synced) < named[0] < named[1]
    assert any(named[0] < index < named[1] for index in folders)
    assert any(named[1] < index for index in folders)


@pytest.mark.drill
@pytest.mark.parametrize("part", range(4))
def test_the_plug_pulled_at_each_write_of_the_first_start(left, tmp_path, part):
    """Killed at each call that writes, the next start has every line, and says that nothing is wrong."""
    assert shutil.which("strace"), "strace is not installed"
    calls = 0
    for number in range(1 + part, 1000, 4):
        folder = tmp_path / "killed"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(left, folder)
        done = traced(folder, "-o", os.devnull, "-e", f"inject={WRITES}:signal=SIGKILL:when={number}")
        with closing(Store(folder)) as store:
            assert store.warning == "", number
            assert said_of(store) == {key: TOLD[key] for key in TOLD if key != "lines"}
        if done.returncode == 0:
            break
        calls += 1
    assert calls > 3, "nothing was killed: this proves nothing"
    print(f"killed at {calls} calls")

"""Bits that flip, logs that end early or vanish: noticed, told, and every round that is whole goes on."""

from __future__ import annotations

import random
import shutil
import sqlite3
import threading
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from companion import evening
from companion.rounds.stored import LogEntry, RoundHeader, Settings
from companion.store import opening
from companion.store.store import Store

HEADER = RoundHeader("27", (("variant", "advanced"),), ("Ann", "Ben"))
PLAYERS = ("Ann", "Ben", "Cleo", "Dän")


class ReportedRound(NamedTuple):
    """Everything that a store tells: its rounds with their dates, its history, standings, players."""

    rounds: dict[int, object]
    history: list[object]
    standings: list[object]
    players: list[object]


def told(store: Store) -> ReportedRound:
    rounds = {number: (store.round(number), store.begun(number)) for number in store.numbers()}
    return ReportedRound(rounds, store.summaries(), store.standings(), store.players())


def play(store: Store, number: int, events: int, chance: random.Random, *, over: bool = True) -> None:
    names = tuple(chance.sample(PLAYERS, 2))
    store.write([LogEntry(number, "begin", header=HEADER._replace(names=names))])
    for index in range(events):
        store.write([LogEntry(number, "event", index % 2 + 1, f"{chance.randint(1, 9)}x{chance.randint(1, 9)}")])
    if number % 4 == 0:
        store.write([LogEntry(number, "back")])
    if over:
        store.write([LogEntry(number, "result", text="12 6 winners 1", reason="all discs are stacked")])
    store.tidy()


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder as a plug left it, its last round unfinished and still in the log; and what its store told."""
    folder = tmp_path_factory.mktemp("kept")
    store, chance = Store(folder / "data"), random.Random(3)
    for number in range(1, 21):
        play(store, number, 20, chance)
        if number == 19:
            store.rename("Cleo", "Cloe")
    play(store, 21, 25, chance, over=False)
    shutil.copytree(folder / "data", folder / "left")
    yield folder / "left", told(store)
    store.close()


def flipped(folder: Path, name: str, bit: int) -> None:
    data = bytearray((folder / name).read_bytes())
    data[bit // 8] ^= 1 << bit % 8
    (folder / name).write_bytes(data)


def flip_and_look(kept, folder: Path, chance: random.Random, *, reading: bool) -> str:
    """Flip a bit of a copy and open it; what became of it. Fails where anything is silent or costs another round."""
    left, wanted = kept
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(left, folder)
    name = chance.choice(["rounds.db"] * 5 + ["rounds.db-wal"] * 4 + ["rounds.db-sums"])
    bit = chance.randrange((folder / name).stat().st_size * 8)
    flipped(folder, name, bit)
    store = Store(folder, reading=reading)
    where = f"bit {bit} of {name}: {store.warning}"
    try:
        got = told(store)
        evening.start(Settings(), store.past())
    finally:
        store.close()
    changed = [number for number, round_ in wanted.rounds.items() if got.rounds.get(number) != round_]
    assert got.rounds.keys() <= wanted.rounds.keys(), where
    assert len(changed) <= 1, where
    if changed and store.warning == opening.LAST_ENTRY:
        assert changed == [21]
        assert got.rounds[21][0].events == wanted.rounds[21][0].events[:-1]
        return "last entry in doubt"
    if changed:
        assert f"round {changed[0]}" in store.warning, where
        return "one round named"
    assert got == wanted, where
    return "told, all rescued" if store.warning else "nothing lost"


def drilled(kept, folder: Path, flips: int, seed: int) -> dict[str, int]:
    chance, found = random.Random(seed), {}
    for number in range(flips):
        what = flip_and_look(kept, folder, chance, reading=number % 4 == 3)
        found[what] = found.get(what, 0) + 1
    return found


def test_a_flipped_bit_costs_at_most_its_round_and_is_told(kept, tmp_path):
    """Wherever a bit flips, in the database or in its log: the same rounds, or the one that is damaged is named."""
    found = drilled(kept, tmp_path / "data", 25, seed=1)
    assert found.keys() >= {"nothing lost", "told, all rescued", "one round named"}


@pytest.mark.drill
@pytest.mark.parametrize("part", range(5))
def test_five_hundred_flipped_bits(kept, tmp_path, part):
    """The same a hundred times in each part."""
    print(drilled(kept, tmp_path / "data", 100, seed=100 + part))


@pytest.mark.parametrize("word", [b"reason TEXT", b"CREATE INDEX seats_by_name", b"sum INTEGER"])
def test_a_bit_flipped_in_the_names_of_tables_and_columns_costs_nothing(kept, tmp_path, word):
    """Also what SQLite only notices when a column is asked for; all rounds are rescued."""
    for bit in (0, 7):
        folder = tmp_path / str(bit)
        shutil.copytree(kept[0], folder)
        Store(folder).close()
        flipped(folder, "rounds.db", (folder / "rounds.db").read_bytes().index(word) * 8 + bit)
        store = Store(folder)
        assert "21 rounds were rescued." in store.warning
        assert told(store) == kept[1]
        store.close()


# -- the log ------------------------------------------------------------------------------------------------------


def test_the_log_is_brought_in_when_a_round_has_ended(tmp_path):
    """After each result a plug finds everything in the file; nothing is lost with the log."""
    store, chance = Store(tmp_path / "data"), random.Random(4)
    play(store, 1, 10, chance)
    wanted = told(store)
    shutil.copytree(tmp_path / "data", tmp_path / "left")
    store.close()
    (tmp_path / "left" / "rounds.db-wal").unlink()
    store = Store(tmp_path / "left")
    assert (store.warning, told(store)) == ("", wanted)
    store.close()


def test_bringing_the_log_in_waits_for_no_reader(tmp_path):
    """Beside a reader in the middle of its question a result is brought in as far as that goes, at once."""
    store, chance = Store(tmp_path), random.Random(5)
    play(store, 1, 5, chance)
    reader = sqlite3.connect(tmp_path / "rounds.db")
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM entries").fetchone()
    used = time.thread_time(), threading.active_count()
    for number in (2, 3):
        play(store, number, 5, chance)
    assert store._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[2] >= 0
    assert used[1] == threading.active_count()
    wanted = told(store)
    shutil.copytree(tmp_path, tmp_path.with_name("left"))
    reader.close()
    store.close()
    again = Store(tmp_path.with_name("left"))
    assert (again.warning, told(again)) == ("", wanted)
    again.close()


def test_no_command_keeps_a_transaction_open(kept, tmp_path):
    """A reader that lists and exports leaves the log free to be brought in whole between its questions."""
    shutil.copytree(kept[0], tmp_path / "data")
    store = Store(tmp_path / "data")
    reader = Store(tmp_path / "data", reading=True)
    for number in reader.numbers():
        reader.round(number)
        reader.waits(number)
        store.write([LogEntry(21, "event", 1, "1x1")])
        busy, frames, done = store._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        assert (busy, done) == (0, frames)
    reader.summaries()
    reader.standings()
    store.write([LogEntry(21, "event", 2, "9x1")])
    busy, frames, done = store._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    assert (busy, done) == (0, frames)
    reader.close()
    store.close()


@pytest.mark.parametrize("reading", [False, True])
def test_a_log_that_vanished_is_told(kept, tmp_path, reading):
    """With the log of a stopped table its unfinished round is gone: the players are told, the others are there."""
    shutil.copytree(kept[0], tmp_path / "data")
    (tmp_path / "data" / "rounds.db-wal").unlink()
    store = Store(tmp_path / "data", reading=reading)
    assert "may be missing" in store.warning
    assert told(store).rounds == {number: each for number, each in kept[1].rounds.items() if number != 21}
    store.close()


def test_a_log_that_ends_early_is_told(kept, tmp_path):
    """Cut at any frame, what is left is kept, and that something is missing is told."""
    whole = (kept[0] / "rounds.db-wal").read_bytes()
    frames = (len(whole) - 32) // 4120
    lost = 0
    for frame in range(1, frames, frames // 8):
        folder = tmp_path / str(frame)
        shutil.copytree(kept[0], folder)
        (folder / "rounds.db-wal").write_bytes(whole[: 32 + frame * 4120])
        store = Store(folder)
        got = told(store)
        lost += got.rounds != kept[1].rounds
        assert "may be missing" in store.warning or got.rounds == kept[1].rounds, frame
        assert {n: each for n, each in got.rounds.items() if n < 21}.items() <= kept[1].rounds.items()
        store.close()
    assert lost, "nothing was missing: this proves nothing"


def test_a_damaged_last_frame_may_have_been_an_entry(kept, tmp_path):
    """Only the last entry is in doubt: that is told, and nothing is set aside."""
    shutil.copytree(kept[0], tmp_path / "data")
    note = opening.sums.noted(tmp_path / "data" / "rounds.db")
    flipped(tmp_path / "data", "rounds.db-wal", (32 + (note.end.frames - 1) * 4120 + 24 + 2000) * 8)
    store = Store(tmp_path / "data")
    assert store.warning == opening.LAST_ENTRY
    got, wanted = store.round(21), kept[1].rounds[21][0]
    assert got.events == wanted.events[: len(got.events)]
    assert not list((tmp_path / "data").glob("*damaged*"))
    store.close()


def test_a_log_brought_in_by_another_program_is_no_damage(kept, tmp_path):
    """Whoever looks into the file with SQLite's own tool after a power cut brings the log in: nothing is missing."""
    shutil.copytree(kept[0], tmp_path / "data")
    db = sqlite3.connect(tmp_path / "data" / "rounds.db")
    db.execute("SELECT count(*) FROM rounds").fetchone()
    db.close()
    assert not (tmp_path / "data" / "rounds.db-wal").exists()
    store = Store(tmp_path / "data")
    assert (store.warning, told(store)) == ("", kept[1])
    store.close()


def test_a_file_that_is_gone_is_told(kept, tmp_path):
    """A new one is begun, and nobody takes it for the old one."""
    shutil.copytree(kept[0], tmp_path / "data")
    for part in ("", "-wal", "-shm"):
        (tmp_path / "data" / f"rounds.db{part}").unlink()
    store = Store(tmp_path / "data")
    assert store.warning == "The file of the kept rounds is gone; a new one was begun."
    assert store.numbers() == []
    store.close()


def test_checksums_that_are_missing_or_damaged_are_counted_anew(kept, tmp_path):
    """The file beside the database only makes the start quick: without it every line is checked, and it comes back."""
    for name, data in (("none", None), ("empty", b""), ("junk", random.Random(9).randbytes(500))):
        folder = tmp_path / name
        shutil.copytree(kept[0], folder)
        (folder / "rounds.db-sums").unlink()
        if data is not None:
            (folder / "rounds.db-sums").write_bytes(data)
        store = Store(folder)
        assert (store.warning, told(store)) == ("", kept[1])
        store.close()
        assert opening.inspect_files(folder / "rounds.db").well


def test_a_rescued_store_keeps_its_identity_and_counts_on(kept, tmp_path):
    """Entries of a rescued store get numbers that none had before, so nobody who follows it takes one for another."""
    shutil.copytree(kept[0], tmp_path / "data")
    store = Store(tmp_path / "data")
    identity, top = store.identity, store._file._top()
    store.close()
    data = bytearray((tmp_path / "data" / "rounds.db").read_bytes())
    offset = data.rindex(b"event9x1") if b"event9x1" in data else data.rindex(b"event")
    flipped(tmp_path / "data", "rounds.db", offset * 8)
    store = Store(tmp_path / "data")
    assert "lie aside" in store.warning
    assert store.identity == identity
    assert store._file._top() > top
    store.close()


# -- while the table runs -----------------------------------------------------------------------------------------


def test_a_log_removed_while_the_table_runs_costs_nothing(tmp_path):
    """The next entry finds the log gone: everything is taken out of the files that are still open, and is told."""
    from companion.store.store import Damaged

    store, chance = Store(tmp_path), random.Random(6)
    play(store, 1, 10, chance)
    play(store, 2, 10, chance, over=False)
    wanted, identity = told(store), store.identity
    (tmp_path / "rounds.db-wal").unlink()
    with pytest.raises(Damaged):
        store.write([LogEntry(2, "event", 1, "1x1")])
    store.start_over()
    assert "2 rounds were rescued." in store.warning
    assert (told(store), store.identity) == (wanted, identity)
    store.heard()
    store.write([LogEntry(2, "event", 1, "1x1")])
    store.close()
    store = Store(tmp_path)
    assert store.warning == ""
    assert store.round(2).events == (*wanted.rounds[2][0].events, (1, "1x1"))
    store.close()


def test_the_service_manager_is_told_before_rounds_are_rescued(kept, tmp_path):
    """A whole store is opened at once; where every line has to be looked at, whoever waits for the start is told."""
    asked = []
    shutil.copytree(kept[0], tmp_path / "data")
    Store(tmp_path / "data", slow=lambda: asked.append("well")).close()
    assert asked == []
    flipped(tmp_path / "data", "rounds.db", 8 * 5000)
    Store(tmp_path / "data", slow=lambda: asked.append("damaged")).close()
    assert asked == ["damaged"]

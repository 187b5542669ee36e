"""A net around opening: whatever lies in the data folder, the table starts, tells it and plays on."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import signal
import sqlite3
import struct
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING

import pytest

from companion import evening
from companion.__main__ import main
from companion.rounds.stored import LogEntry, RoundHeader, Settings
from companion.store import opening, rescue, sums
from companion.store.store import Damaged, Store, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

HEADER = RoundHeader("27", (("variant", "advanced"),), ("Ann", "Ben"))
PARTS = ("rounds.db", "rounds.db-wal", "rounds.db-shm", "rounds.db-sums")
LINES = 20


def play(store: Store, number: int, *, over: bool = True) -> None:
    store.write([LogEntry(number, "begin", header=HEADER)])
    for index in range(LINES):
        store.write([LogEntry(number, "event", index % 2 + 1, f"{number % 9 + 1}x{index % 9 + 1}")])
    if over:
        store.write([LogEntry(number, "result", text="12 6 winners 1")])
    store.tidy()


def contents(store: Store) -> dict[int, object]:
    return {number: store.round(number) for number in store.numbers()}


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder as a plug left it, the last round in the log; one that was closed; and what both hold."""
    folder = tmp_path_factory.mktemp("kept")
    store = Store(folder / "data")
    for number in range(1, 13):
        play(store, number)
    play(store, 13, over=False)
    shutil.copytree(folder / "data", folder / "left")
    wanted = contents(store)
    store.close()
    return folder / "left", folder / "data", wanted


def started(folder: Path) -> tuple[Store, dict[int, object]]:
    """The store as the table opens it, and what it holds; it can be played on."""
    store = Store(folder)
    past = store.past_or_rescued()
    evening.start(Settings(), past)
    found = contents(store)
    store.write([LogEntry(past.next_round, "begin", header=HEADER)])
    assert store.round(past.next_round).header == HEADER
    return store, found


def check(folder: Path, wanted: dict[int, object], where: str) -> None:
    """The table starts; nothing is invented, what is missing is told, and the next start has nothing new to say."""
    store, found = started(folder)
    said = store.warning
    missing = {number for number, round_ in wanted.items() if found.get(number) != round_}
    assert found.keys() <= wanted.keys(), where
    assert not missing or said, where
    for number in missing & found.keys():
        events = found[number].events
        assert events == wanted[number].events[: len(events)], (where, said)
    store.heard()
    store.close()
    store, _ = started(folder)
    assert store.warning == "", where
    store.close()


# -- what a disk may do -------------------------------------------------------------------------------------------


def cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def changed(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + chance.randbytes(1) + data[at + 1 :]


def sector(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(0, len(data), 512)
    return data[:at] + chance.choice([bytes(512), chance.randbytes(512)]) + data[at + 512 :]


def zeroed(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(0, len(data), 4096)
    return data[:at] + bytes(4096) + data[at + 4096 :]


def swapped(data: bytes, chance: random.Random) -> bytes:
    pages = [data[at : at + 4096] for at in range(0, len(data), 4096)]
    one, other = chance.randrange(len(pages)), chance.randrange(len(pages))
    pages[one], pages[other] = pages[other], pages[one]
    return b"".join(pages)


def header(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(min(100, len(data)))
    return data[:at] + chance.randbytes(1) + data[at + 1 :]


def longer(data: bytes, chance: random.Random) -> bytes:
    return data + chance.randbytes(chance.choice([1, 511, 4096, 5000]))


def junk(data: bytes, chance: random.Random) -> bytes:
    return chance.randbytes(chance.choice([1, 31, 33, 100, 4096, 70_000]))


def gone(data: bytes, chance: random.Random) -> None:
    return None


DAMAGES = (cut, cut, changed, changed, sector, zeroed, swapped, header, longer, junk, gone)


def damage(folder: Path, chance: random.Random, parts: tuple[str, ...] = PARTS) -> str:
    """Damage one file of a folder in one way; what was done."""
    name = chance.choice([each for each in parts if (folder / each).exists() and (folder / each).stat().st_size])
    do = chance.choice(DAMAGES)
    data = do((folder / name).read_bytes(), chance)
    if data is None:
        (folder / name).unlink()
    else:
        with (folder / name).open("r+b") as file:  # The same file, as it is where a disk changes it.
            file.truncate(0)
            file.write(data)
    return f"{do.__name__} of {name}"


def drilled(kept, folder: Path, times: int, seed: int) -> None:
    """Damage a folder again and again; where the table runs it plays a move before it ends, or is killed."""
    left, closed, wanted = kept
    for number in range(times):
        chance = random.Random(f"{seed} {number}")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(chance.choice([left, left, closed]), folder)
        if number % 3 == 2:
            while_running(folder, wanted, chance, f"{seed} {number}")
        else:
            where = f"seed {seed} {number}: {damage(folder, chance)}"
            try:
                check(folder, wanted, where)
            except StoreError as error:
                raise AssertionError(where) from error


def while_running(folder: Path, wanted: dict[int, object], chance: random.Random, seed: str) -> None:
    """Damage the files of a running table, which plays on; then it ends or is killed, and starts again."""
    store = Store(folder)
    # Not the index: it is mapped into the memory, so who cuts it short kills the program with a signal.
    where = f"seed {seed}: while it runs, {damage(folder, chance, (*PARTS[:2], PARTS[3]))}"
    said = ""
    for event in range(3):
        line = LogEntry(13, "event", 1, f"{event + 1}x1")
        try:
            store.write([line])
        except Damaged:
            store.start_over(without=[13])
            said = store.warning
            store.write([LogEntry(13, "begin", header=HEADER), line])
        store.tidy()
    if chance.random() < 0.5:
        shutil.copytree(folder, folder.with_name("killed"))
        store.close()
        shutil.rmtree(folder)
        folder.with_name("killed").rename(folder)
    else:
        store.close()
    again, found = started(folder)
    missing = {number for number, round_ in wanted.items() if number < 13 and found.get(number) != round_}
    assert found.keys() <= wanted.keys(), where
    assert not missing or said or again.warning, (where, missing)
    if not (said or again.warning):
        assert [text for _, text in found[13].events][-3:] == ["1x1", "2x1", "3x1"], where
    again.close()


def test_whatever_is_done_to_the_files_the_table_starts(kept, tmp_path):
    """Bytes, sectors, pages, lengths and missing files, closed and while it runs: it starts, and nothing is silent."""
    drilled(kept, tmp_path / "data", 60, seed=1)


@pytest.mark.drill
@pytest.mark.parametrize("part", range(4))
def test_whatever_is_done_to_the_files_five_hundred_times(kept, tmp_path, part):
    """The same many times, with other damage each time."""
    drilled(kept, tmp_path / "data", 500, seed=random.SystemRandom().randrange(10**9))


# -- by name ------------------------------------------------------------------------------------------------------


def test_a_log_cut_short_at_any_byte_is_no_reason_not_to_start(kept, tmp_path):
    """Also in the middle of a word of a page: what is before the cut is there, and a loss is told."""
    left, _, wanted = kept
    whole = (left / "rounds.db-wal").read_bytes()
    end = 32 + sums.noted(left / "rounds.db").end.frames * (24 + 4096)
    tails = (1, 3, 4, 6, 2000, 2004, 4084, 4088, 4092, 4095, 4096, 4100, 4119)
    lengths = [0, 1, 31, 32, 33, 55, 56, 57, 60, 1003, *(end - tail for tail in tails)]
    for length in lengths:
        folder = shutil.copytree(left, tmp_path / f"{length}")
        (folder / "rounds.db-wal").write_bytes(whole[:length])
        check(folder, wanted, f"{length} bytes")


def test_a_byte_of_the_tables_words_that_is_no_letter(kept, tmp_path):
    """SQLite quotes it in its message, which is no text then: all rounds are rescued."""
    _, closed, wanted = kept
    words = (b"CREATE TABLE entries", b"CREATE INDEX seats_by_name", b"tableratings", b"kind TEXT")
    for number, word in enumerate(words):
        for byte in (0x80, 0xC3, 0xFF):
            folder = shutil.copytree(closed, tmp_path / f"{number}-{byte}")
            data = bytearray((folder / "rounds.db").read_bytes())
            data[data.index(word) + 2] = byte
            (folder / "rounds.db").write_bytes(data)
            reader = Store(folder, reading=True)
            assert (contents(reader), "13 rounds were rescued" in reader.warning) == (wanted, True)
            reader.close()
            store, found = started(folder)
            assert (found, "13 rounds were rescued" in store.warning) == (wanted, True)
            store.close()


def test_a_count_that_is_none(kept, tmp_path):
    """A column that reads as nothing or as a word costs no round."""
    _, closed, wanted = kept
    for number, value in enumerate(("NULL", "'word'", "x'ff'")):
        for table, column in (("rounds", "lines"), ("rounds", "last"), ("store", "lines")):
            folder = shutil.copytree(closed, tmp_path / f"{number}-{table}-{column}")
            db = sqlite3.connect(folder / "rounds.db")
            with db:
                db.execute("PRAGMA writable_schema = ON")
                db.execute(f"UPDATE sqlite_schema SET sql = replace(sql, '{column} INTEGER NOT NULL', '{column} ')")
            db.close()
            db = sqlite3.connect(folder / "rounds.db")
            with db:
                db.execute(f"UPDATE {table} SET {column} = {value}")
            db.close()
            for reading in (True, False):
                store = Store(folder, reading=reading)
                assert (contents(store), bool(store.warning)) == (wanted, True)
                store.close()


def test_a_database_that_is_gone_beside_its_log(kept, tmp_path):
    """Nobody is told of a permission: what the log has is rescued, and the others are named."""
    left, _, wanted = kept
    folder = shutil.copytree(left, tmp_path / "data")
    (folder / "rounds.db").unlink()
    for reading in (True, False):
        store = Store(folder, reading=reading)
        assert "but not rounds" in store.warning
        found = contents(store)
        assert 13 in found
        assert found.items() <= wanted.items()
        store.close()
    assert (folder / "rounds.db.damaged-1-wal").exists()


@pytest.mark.parametrize("at", [18, 19, 60, 61, 62, 63])
@pytest.mark.parametrize("byte", [0, 1, 3, 4, 7, 0x80, 0xFF])
def test_a_byte_of_the_head_that_is_another(kept, tmp_path, at, byte):
    """Neither "no permission" nor "a newer version" is said where one byte is damaged: every round is there."""
    _, closed, wanted = kept
    folder = shutil.copytree(closed, tmp_path / "data")
    data = bytearray((folder / "rounds.db").read_bytes())
    data[at] = byte
    (folder / "rounds.db").write_bytes(data)
    for reading in (True, False):
        store = Store(folder, reading=reading)
        assert contents(store) == wanted
        store.close()


class Unforeseen(Exception):
    """An exception that nobody has thought of."""


READS = ("log.read", "opening.rescue.checked", "opening.sums.noted", "store.Evenings", "file.rounds.rebuild",
         "answers.store_rounds.newest")  # fmt: skip


@pytest.mark.parametrize("fault", [Unforeseen, struct.error, RecursionError, OverflowError])
@pytest.mark.parametrize("where", READS)
def test_an_exception_that_nobody_foresaw(kept, tmp_path, monkeypatch, where, fault):
    """Whatever reading raises, the files lie aside, all that can be found is rescued, and it is told."""
    _, closed, wanted = kept
    folder = shutil.copytree(closed, tmp_path / "data")
    (folder / "rounds.db-sums").unlink()
    real = resolve_name(f"companion.store.{where}")
    calls = []

    def fails(*args: object, **named: object) -> object:
        calls.append(args)
        if len(calls) == 1:
            raise fault
        return real(*args, **named)

    monkeypatch.setattr(f"companion.store.{where}", fails)
    store, found = started(folder)
    assert found == wanted
    assert "lie aside as rounds.db.damaged-1. 13 rounds were rescued." in store.warning
    assert (folder / "rounds.db.damaged-1").exists()
    store.close()


def test_a_rescue_that_fails_is_no_end_either(kept, tmp_path, monkeypatch):
    """If not even the rescue can read it, a new file is begun and the old one lies aside, whole."""
    _, closed, _ = kept
    folder = shutil.copytree(closed, tmp_path / "data")
    (folder / "rounds.db").write_bytes(b"junk" + (folder / "rounds.db").read_bytes()[4:])
    before = (folder / "rounds.db").read_bytes()

    def fails(*_: object) -> None:
        raise Unforeseen

    monkeypatch.setattr(rescue, "carved", fails)
    with pytest.raises(StoreError, match="damaged"):
        Store(folder, reading=True)
    store, found = started(folder)
    assert (found, (folder / "rounds.db.damaged-1").read_bytes()) == ({}, before)
    assert "lie aside as rounds.db.damaged-1. No round was rescued." in store.warning
    store.close()


@pytest.mark.parametrize("fault", [OSError(5, "EIO"), OSError(28, "ENOSPC"), OSError(30, "EROFS"), PermissionError(13),
                                   MemoryError()])  # fmt: skip
def test_a_fault_of_the_disk_sets_nothing_aside(kept, tmp_path, monkeypatch, fault):
    """The disk's own errors keep their sentences, and a healthy file stays where it is."""
    _, closed, wanted = kept
    folder = shutil.copytree(closed, tmp_path / "data")

    def fails(*_: object) -> None:
        raise fault

    for where in ("companion.store.opening.inspect_files", "companion.store.file._connected"):
        with monkeypatch.context() as patch:
            patch.setattr(where, fails)
            with pytest.raises(StoreError) as caught:
                Store(folder)
        assert not isinstance(caught.value, Damaged)
    assert list(folder.glob("*damaged*")) == []
    store = Store(folder)
    assert (store.warning, contents(store)) == ("", wanted)
    store.close()


def test_a_lock_of_another_program_sets_nothing_aside(kept, tmp_path, monkeypatch):
    """A healthy file that another program holds is refused for now, also where its pages have to be looked at."""
    _, closed, wanted = kept
    folder = shutil.copytree(closed, tmp_path / "data")
    (folder / "rounds.db-sums").unlink()
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **named: connect(*args, **{**named, "timeout": 0.05}))
    other = connect(folder / "rounds.db", isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    other.execute("UPDATE store SET identity = identity")
    with pytest.raises(StoreError, match="another program holds the rounds"):
        Store(folder)
    other.execute("ROLLBACK")
    other.close()
    assert list(folder.glob("*damaged*")) == []
    store = Store(folder)
    assert (store.warning, contents(store)) == ("", wanted)
    store.close()


# -- who only reads -----------------------------------------------------------------------------------------------

READERS = (["history"], ["standings"], ["players"], ["report", "-o", "DATA/out.md"], ["export"], ["replay", "3"],
           ["export", "--all", "DATA/out"], ["doctor", "--seconds", "0", "--json"])  # fmt: skip


def read_all(folder: Path, capsys: pytest.CaptureFixture[str], where: str) -> None:
    for words in READERS:
        given = [word.replace("DATA", str(folder)) for word in words]
        status = main([*given, "--data", str(folder)])
        out = capsys.readouterr()
        assert status in (0, 1, 2), (where, words, out)
        assert "Traceback" not in out.err + out.out
        assert "an error in the program" not in out.err, (where, words, out.err)


@pytest.mark.parametrize("running", [False, True], ids=["closed", "beside a table"])
def test_readers_say_one_sentence(kept, tmp_path, capsys, running):
    """History, standings, reports, exports and the doctor end well or with a sentence, never with a fault."""
    readers(kept, tmp_path, capsys, running, 8, 5)


def readers(kept, tmp_path: Path, capsys, running: bool, times: int, seed: int) -> None:
    for number in range(times):
        chance = random.Random(f"{seed} {number}")
        folder = shutil.copytree(chance.choice(kept[:2]), tmp_path / f"data-{number}")
        store = Store(folder) if running else None
        parts = PARTS[:2] if running else PARTS
        where = f"{seed} {number}: {damage(folder, chance, parts)}"
        read_all(folder, capsys, where)
        if store is not None:
            store._file.leave()
            store._file = None
            store.close()
        shutil.rmtree(folder)


@pytest.mark.drill
@pytest.mark.parametrize("running", [False, True], ids=["closed", "beside a table"])
def test_readers_say_one_sentence_a_hundred_times(kept, tmp_path, capsys, running):
    """The same many times, with other damage each time."""
    readers(kept, tmp_path, capsys, running, 100, random.SystemRandom().randrange(10**9))


# -- told until it was heard --------------------------------------------------------------------------------------


def test_damage_is_told_at_each_start_until_somebody_has_heard_it(kept, tmp_path):
    """A kill right after a rescue does not lose its sentence."""
    _, closed, _ = kept
    folder = shutil.copytree(closed, tmp_path / "data")
    (folder / "rounds.db").write_bytes((folder / "rounds.db").read_bytes()[:5000])
    said = []
    for _ in range(3):
        store = Store(folder)
        said.append(store.warning)
        store.close()
    assert said[0].startswith("The kept rounds were damaged; they lie aside as rounds.db.damaged-1. ")
    assert said == said[:1] * 3
    store = Store(folder)
    store.heard()
    store.close()
    store = Store(folder)
    assert store.warning == ""
    store.close()


def killed_at(folder: Path, call: int) -> bool:
    """Open a store in a process that is killed at the so many-th change of a name or sync; whether it was."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    calls = itertools.count(1)

    def dying(real: Callable[..., object]) -> Callable[..., object]:
        def dies(*args: object, **named: object) -> object:
            if next(calls) == call:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **named)

        return dies

    try:
        for holder, name in ((Path, "rename"), (os, "fsync"), (os, "fdatasync"), (os, "ftruncate"), (Store, "past")):
            setattr(holder, name, dying(getattr(holder, name)))
        Store(folder).past()
    finally:
        os._exit(0)


@pytest.mark.parametrize("what", ["damaged", "gone", "last entry"])
def test_a_kill_at_any_moment_of_a_rescue_does_not_lose_its_sentence(kept, tmp_path, what):
    """Whenever the table is killed in its start after damage, the next start tells it."""
    left, closed, _ = kept
    kills = 0
    for call in range(1, 40):
        folder = shutil.copytree(left if what == "last entry" else closed, tmp_path / str(call))
        file = folder / "rounds.db"
        if what == "damaged":
            file.write_bytes(file.read_bytes()[:5000])
        elif what == "gone":
            file.unlink()
        else:
            log = bytearray((folder / "rounds.db-wal").read_bytes())
            log[sums.noted(file).end.frames * 4120 - 2000] ^= 1
            (folder / "rounds.db-wal").write_bytes(log)
        was = killed_at(folder, call)
        kills += was
        store = Store(folder)
        wanted = {"damaged": "lie aside as rounds.db.damaged-1", "gone": "is gone", "last entry": opening.LAST_ENTRY}
        assert wanted[what] in store.warning, call
        store.close()
        shutil.rmtree(folder)
        if not was:
            break
    assert kills > 3


# -- a power cut that lost nothing --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cut_off(tmp_path_factory):
    """A folder with a move in the log that was on its way when the plug was pulled: its note is of two moves before."""
    folder = tmp_path_factory.mktemp("cut")
    store = Store(folder / "data")
    play(store, 1, over=False)
    shutil.copytree(folder / "data", folder / "early")
    store.write([LogEntry(1, "event", 2, "8x8")])
    shutil.copytree(folder / "data", folder / "before")
    wanted = contents(store)
    store.write([LogEntry(1, "event", 1, "9x9")])
    shutil.copytree(folder / "data", folder / "noted")
    shutil.copytree(folder / "data", folder / "cut")
    shutil.copy(folder / "early" / "rounds.db-sums", folder / "cut" / "rounds.db-sums")
    store.close()
    return folder, (folder / "before" / "rounds.db-wal").stat().st_size, wanted


def test_a_move_that_was_never_kept_is_not_missed(cut_off, tmp_path):
    """A log that ends with what was never written whole has lost nothing, so nothing is said."""
    source, size, wanted = cut_off
    whole = (source / "cut" / "rounds.db-wal").read_bytes()
    frames = range(size, len(whole), 4120)
    assert len(frames) > 1, "a move of one frame proves little"
    tails = [whole[: frames[-1] + more] for more in (24, 25, 31, 600, 2000, 4119)]
    blocks = range(-(-size // 4096) * 4096, len(whole) - 4096, 4096)
    tails += [whole[:at] + bytes(4096) + whole[at + 4096 :] for at in blocks]
    for number, tail in enumerate(tails):
        folder = shutil.copytree(source / "cut", tmp_path / f"{number}")
        (folder / "rounds.db-wal").write_bytes(tail)
        for reading in (True, False):
            store = Store(folder, reading=reading)
            assert (store.warning, contents(store)) == ("", wanted), number
            store.close()


def test_a_move_that_was_kept_and_is_torn_is_missed(cut_off, tmp_path):
    """Where the note says that it was kept, or a single bit is wrong, the last entry may be missing."""
    source, _, wanted = cut_off
    for name, at in (("noted", None), ("noted", -4000), ("cut", -2000)):
        folder = shutil.copytree(source / name, tmp_path / f"{name}{at}")
        log = bytearray((folder / "rounds.db-wal").read_bytes())
        if at is None:
            del log[-600:]
        else:
            log[at] ^= 1
        (folder / "rounds.db-wal").write_bytes(log)
        for reading in (True, False):
            store = Store(folder, reading=reading)
            assert (store.warning, contents(store)) == (opening.LAST_ENTRY, wanted), (name, at, reading)
            store.close()

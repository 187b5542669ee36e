"""Damage to one file costs nothing. Damage to both is reported by the entries' numbers, and nothing is invented."""

from __future__ import annotations

import os
import random
import re
import shutil
import socket
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from examples import example_count

from companion.evening import state_machine
from companion.rounds.stored import LogEntry, RoundHeader, SessionSettings
from companion.store.journal import padding
from companion.store.read_only_store import ReadOnlyStore
from companion.store.store import Store
from companion.store.store_warnings import StoreWarning, WarningKind

if TYPE_CHECKING:
    from collections.abc import Callable

HEADER = RoundHeader("27", (("variant", "advanced"),), ("Ann", "Ben"))
PLAYERS = ("Ann", "Ben", "Cleo", "Dän")
JOURNAL, DATABASE = "rounds.journal", "rounds.db"
OTHERS = ("rounds.db-wal", "rounds.db-shm", "rounds.sums")
NOTHING_LOST = "nothing is lost"


class StoreReport(NamedTuple):
    """Everything that a store shows: its rounds with their dates, its history, standings, players."""

    rounds: dict[int, object]
    history: list[object]
    standings: list[object]
    players: list[object]


def report_of(store: Store) -> StoreReport:
    rounds = {number: (store.load_round(number), store.round_start_time(number)) for number in store.round_numbers()}
    return StoreReport(rounds, store.summaries(), store.standings(), store.players())


def play(store: Store, number: int, events: int, chance: random.Random, *, over: bool = True) -> None:
    names = tuple(chance.sample(PLAYERS, 2))
    store.write_entries([LogEntry(number, "begin", header=HEADER._replace(names=names))])
    for index in range(events):
        store.write_entries(
            [LogEntry(number, "event", index % 2 + 1, f"{chance.randint(1, 9)}x{chance.randint(1, 9)}")]
        )
    if number % 4 == 0:
        store.write_entries([LogEntry(number, "back")])
    if over:
        store.write_entries([LogEntry(number, "result", text="12 6 winners 1", reason="all discs are stacked")])
    store.tidy_up()


class SavedFolders(NamedTuple):
    """Folders after a power cut in the last round, and after a table was closed, with everything that was saved in
    them.
    """

    folders: tuple[Path, Path]
    wanted: StoreReport
    lines: dict[int, tuple[object, ...]]


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kept")
    store, chance = Store(folder / "data"), random.Random(3)
    for number in range(1, 21):
        play(store, number, 20, chance)
        if number == 19:
            store.rename_player("Cleo", "Cloe")
    play(store, 21, 25, chance, over=False)
    shutil.copytree(folder / "data", folder / "left")
    wanted, lines = report_of(store), lines_by_number(store)
    store.close()
    return SavedFolders((folder / "left", folder / "data"), wanted, lines)


def lines_by_number(store: Store) -> dict[int, tuple[object, ...]]:
    """All lines that are there, by number."""
    return {row[0]: row for row in store.database.execute("SELECT * FROM log_entries WHERE kind != 'lost'")}


# -- what a disk may do -------------------------------------------------------------------------------------------


def flip_bit(data: bytes, chance: random.Random) -> bytes:
    bit = chance.randrange(len(data) * 8)
    return data[: bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1 :]


def change_bytes(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + chance.randbytes(1) + data[at + 1 :]


def cut_short(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def overwrite_sector(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(0, len(data), 512)
    return data[:at] + chance.choice([bytes(512), chance.randbytes(512), b"\xff" * 512]) + data[at + 512 :]


def zero_block(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(0, len(data), 4096)
    return data[:at] + bytes(min(4096, len(data) - at)) + data[at + 4096 :]


def swap_lines(data: bytes, chance: random.Random) -> bytes:
    size = chance.choice([512, 4096])
    pages = [data[at : at + size] for at in range(0, len(data), size)]
    one, other = chance.randrange(len(pages)), chance.randrange(len(pages))
    pages[one], pages[other] = pages[other], pages[one]
    return b"".join(pages)


def double_line(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(0, len(data), 512)
    return data[:at] + data[at : at + 512] + data[at:]


def delete_all(data: bytes, chance: random.Random) -> None:
    return None


def append_junk(data: bytes, chance: random.Random) -> bytes:
    return chance.randbytes(len(data))


DAMAGES: tuple[Callable[[bytes, random.Random], bytes | None], ...] = (
    flip_bit, flip_bit, change_bytes, change_bytes, cut_short, cut_short,
    overwrite_sector, zero_block, swap_lines, double_line, delete_all, append_junk,
)  # fmt: skip


def damage(path: Path, chance: random.Random, place: bool = False) -> tuple[str, bool]:
    """Damage a file.

    Returns how, and whether one of its lines is affected. With `place` the file stays the same one.
    """
    how = chance.choice(DAMAGES)
    before = path.read_bytes()
    after = how(before, chance)
    if after is None:
        path.unlink()
    elif place:
        path.write_bytes(after)
    else:
        path.with_name("new").write_bytes(after)
        path.with_name("new").rename(path)
    content = before.rstrip(b"\n") + b"\n" if path.name == JOURNAL else before
    return f"{how.__name__} {path.name}", after is None or after[: len(content)] != content


def start_store(folder: Path, kept: SavedFolders) -> tuple[Store, StoreReport]:
    """Open the store as a table does. Returns it with what it reports; it can be played on."""
    store = Store(folder)
    got = report_of(store)
    state_machine.start_session(SessionSettings(), store.load_history())
    number = store.load_history().next_round
    store.write_entries([LogEntry(number, "begin", header=HEADER), LogEntry(number, "event", 1, "1x1")])
    assert store.load_round(number).events == ((1, "1x1"),)
    return store, got


def check_silence(folder: Path, where: str) -> None:
    with closing(Store(folder)) as store:
        store.confirm_warnings()
        lines = lines_by_number(store)
    with closing(Store(folder)) as store:
        assert store.warning_text == "", where
        assert lines_by_number(store) == lines


def damage_one_file(kept: SavedFolders, folder: Path, chance: random.Random) -> str:
    """Damage one file of a table that is not running: nothing is lost, and it is reported."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(chance.choice(kept.folders), folder)
    names = [name for name in (*OTHERS, *[JOURNAL, DATABASE] * 5) if (folder / name).exists()]
    name = chance.choice([each for each in names if (folder / each).stat().st_size])
    where, touched = damage(folder / name, chance)
    if chance.random() < 0.2:
        with closing(ReadOnlyStore(folder)) as store:
            assert report_of(store) == kept.wanted, where
            assert store.warning_text or not touched or name != JOURNAL, where
    store, got = start_store(folder, kept)
    said = store.warning_text
    store.close()
    assert got == kept.wanted, (where, said)
    if name in (JOURNAL, DATABASE) and touched:
        assert NOTHING_LOST in said, (where, said)
        assert name in said, (where, said)
    check_silence(folder, where)
    return "told" if said else "not touched" if name in (JOURNAL, DATABASE) else "log or sums"


def damage_while_running(kept: SavedFolders, folder: Path, chance: random.Random) -> str:
    """Damage one file while a table plays on. Then the plug is pulled, or the table is closed."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.rmtree(folder.with_name("after"), ignore_errors=True)
    shutil.copytree(kept.folders[1], folder)
    store = Store(folder)
    store.stop_waiting_for_locks()
    name = chance.choice([JOURNAL, DATABASE])
    where, touched = damage(folder / name, chance, place=chance.random() < 0.5)
    moves = [f"{chance.randint(1, 9)}x{chance.randint(1, 9)}" for _ in range(3)]
    for move in moves:
        store.write_entries([LogEntry(21, "event", 1, move)])
    said = store.warning_text
    if chance.random() < 0.5:
        shutil.copytree(folder, folder.with_name("after"))
        store.close()
    else:
        store.close()
        shutil.copytree(folder, folder.with_name("after"))
    with closing(Store(folder.with_name("after"))) as store:
        got = report_of(store)
        said += store.warning_text
    before = kept.wanted.rounds.pop(21)
    after = got.rounds.pop(21)
    try:
        assert got.rounds == kept.wanted.rounds, where
        assert after[0].events == (*before[0].events, *((1, move) for move in moves)), where
        assert (said and "lost:" not in said) or not touched, where
    finally:
        kept.wanted.rounds[21] = before
    return "told" if said else "not touched"


def damage_both_files(kept: SavedFolders, folder: Path, chance: random.Random) -> str:
    """Damage both files, or one while the other is missing: what is lost is named, and nothing else appears."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(chance.choice(kept.folders), folder)
    where = damage(folder / JOURNAL, chance)[0]
    if alone := chance.random() < 0.4:
        for name in (DATABASE, *OTHERS):
            (folder / name).unlink(missing_ok=True)
    else:
        where += ", " + damage(folder / DATABASE, chance)[0]
    with closing(Store(folder)) as store:
        there, said = lines_by_number(store), store.warning_text
        state_machine.start_session(SessionSettings(), store.load_history())
    where = f"{where} {'alone' * alone}: {said}"
    there = {number: row for number, row in there.items() if row[2] != "store" or row == kept.lines.get(number)}
    assert all(kept.lines.get(number) == row for number, row in there.items()), where
    missing = kept.lines.keys() - there.keys()
    named = {
        n
        for one, other in re.findall(r"lines? (\d+)(?: to (\d+))?", said)
        for n in range(int(one), int(other or one) + 1)
    }
    more = "more places" in said
    cut_off = [number for number in missing if number > max(there, default=0)]
    unnamed = {number for number in missing - named if number not in cut_off}
    assert not unnamed or more, (where, unnamed)
    assert not missing or said, where
    check_silence(folder, where)
    return "lost, told" if missing else "nothing lost"


KINDS = (damage_one_file, damage_while_running, damage_both_files)


def run_drill(kept: SavedFolders, folder: Path, kind: Callable[..., str], tries: int, seed: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for number in range(tries):
        try:
            what = kind(kept, folder, random.Random(seed * 1_000_000 + number))
        except BaseException:
            print(f"try {number} of seed {seed}")
            raise
        found[what] = found.get(what, 0) + 1
    print(kind.__name__, found)
    return found


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_damage_costs_nothing_or_is_named(kept, tmp_path, kind):
    """Bytes, bits, sectors and blocks, a file cut short or missing: of one file, while a table runs, and of both."""
    found = run_drill(kept, tmp_path / "data", kind, 6, seed=1)
    assert sum(found.values()) == 6


@pytest.mark.drill
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_damage_three_thousand_times(kept, tmp_path, kind, part):
    """The same a thousand times for each kind."""
    run_drill(kept, tmp_path / "data", kind, 250, seed=100 + part)


def test_a_file_cut_short_at_any_byte(kept, tmp_path):
    """At each length of the last entries, of a table that was closed or whose plug was pulled."""
    content = (kept.folders[0] / JOURNAL).read_bytes().rstrip(b"\n")
    for length in [*range(len(content) - 150, len(content) + 1, max(1, 150 // example_count(70))), 0, 1, 30]:
        shutil.rmtree(tmp_path / "data", ignore_errors=True)
        shutil.copytree(kept.folders[length % 2], tmp_path / "data")
        (tmp_path / "data" / JOURNAL).write_bytes(content[:length])
        with closing(Store(tmp_path / "data")) as store:
            assert report_of(store) == kept.wanted, length
            assert NOTHING_LOST in store.warning_text, length


def test_last_entry_in_doubt(kept, tmp_path):
    """A journal alone, with a torn last entry, reports that an entry may be missing."""
    (tmp_path / "data").mkdir()
    data = (kept.folders[1] / JOURNAL).read_bytes().rstrip(b"\n")
    (tmp_path / "data" / JOURNAL).write_bytes(data[:-3] + padding(len(data) - 3))
    with closing(Store(tmp_path / "data")) as store:
        assert store.warning_text == StoreWarning(WarningKind.LAST_ENTRY).sentences
        assert store.load_round(21).events == kept.wanted.rounds[21][0].events[:-1]


def test_a_journal_that_is_cut_short_at_an_entry_is_reported(kept, tmp_path):
    """With its database nothing is lost. Without it, the incomplete padding shows that entries may be missing."""
    data = tmp_path / "data"
    shutil.copytree(kept.folders[1], data)
    lines = (data / JOURNAL).read_bytes().rstrip(b"\n").splitlines(keepends=True)
    (data / JOURNAL).write_bytes(b"".join(lines[:-5]))
    for opens in (ReadOnlyStore, Store):
        with closing(opens(data)) as store:
            assert report_of(store) == kept.wanted
            assert NOTHING_LOST in store.warning_text
    (data / JOURNAL).write_bytes(b"".join(lines[:-5]))
    (data / DATABASE).unlink()
    for opens in (ReadOnlyStore, Store, Store):
        with closing(opens(data)) as store:
            assert StoreWarning(WarningKind.CUT).sentences in store.warning_text
            assert store.load_round(21).events == kept.wanted.rounds[21][0].events[:-5]
    check_silence(data, "")


def test_missing_rounds_are_reported(kept, tmp_path):
    """The lock's file is left, and says that there were some. A folder that never had rounds reports nothing."""
    for name in ("data", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "table.lock").write_bytes(b"")
    shutil.copy(kept.folders[1] / "table.lock", tmp_path / "data")
    with closing(Store(tmp_path / "data")) as store:
        assert store.warning_text == StoreWarning(WarningKind.DAMAGED).sentences
    for _ in range(2):
        with closing(Store(tmp_path / "new")) as store:
            assert store.warning_text == ""


# -- what is believed, and what lies in a file's place --------------------------------------------------------------


def make_other_history(folder: Path, chance: random.Random, rounds: int) -> Path:
    """A folder in which the table has played other rounds, or that is another table's."""
    with closing(Store(folder.with_name("earlier"))) as store:
        for number in range(1, rounds):
            play(store, number, 20, chance)
    return folder.with_name("earlier")


def put_earlier_sector(kept: SavedFolders, folder: Path, chance: random.Random) -> None:
    """A sector or page of the journal has the content of another history of the same table."""
    size = chance.choice([512, 4096])
    old = (make_other_history(folder, chance, 22) / JOURNAL).read_bytes()
    data = (folder / JOURNAL).read_bytes()
    at = chance.randrange(0, len(data.rstrip(b"\n")), size)
    (folder / JOURNAL).write_bytes(data[:at] + old[at : at + size] + data[at + size :])


def put_foreign_lines(kept: SavedFolders, folder: Path, chance: random.Random) -> None:
    """Whole lines of another box, longer or shorter, in the middle of the journal, or in all of it."""
    old = (
        (make_other_history(folder, chance, chance.choice([5, 30])) / JOURNAL)
        .read_bytes()
        .rstrip(b"\n")
        .splitlines(keepends=True)
    )
    lines = (folder / JOURNAL).read_bytes().splitlines(keepends=True)
    at, many = (0, len(lines)) if chance.random() < 0.3 else (chance.randrange(2, 80), chance.choice([1, 5, 40]))
    lines[at : at + many] = old[at : at + many] if at else [*old, b"\n"]
    (folder / JOURNAL).write_bytes(b"".join(lines))


def put_foreign_database(kept: SavedFolders, folder: Path, chance: random.Random) -> None:
    shutil.copy(make_other_history(folder, chance, chance.choice([5, 30])) / DATABASE, folder / DATABASE)
    for part in folder.glob("rounds.db-*"):
        part.unlink()


def put_irregular_file(kept: SavedFolders, folder: Path, chance: random.Random) -> None:
    """Something that is no file, cannot be opened, or has a second name, in the place of any file but the lock's."""
    names = (
        JOURNAL,
        DATABASE,
        *OTHERS,
        "rounds.journal.notice",
        "rounds.journal.part",
        "rounds.db.new",
        "rounds.journal-2",
    )
    path = folder / chance.choice(names)
    data = path.read_bytes() if path.exists() else b"something else"
    path.unlink(missing_ok=True)
    kind = chance.choice(["folder", "full folder", "link", "pipe", "socket", "second name", "root's"])
    if kind.endswith("folder"):
        path.mkdir()
        (path / "file").write_bytes(b"") if kind == "full folder" else None
    elif kind == "link":
        path.symlink_to("/dev/null")
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        socket.socket(socket.AF_UNIX).bind(str(path))
    else:
        path.write_bytes(data)
        if kind == "second name":
            os.link(path, folder.with_name(f"second name {chance.random()}"))
        elif os.geteuid() == 0:
            os.chown(path, 0, 0)
            path.chmod(chance.choice([0o600, 0o644]))
        else:
            path.chmod(0)


FAULTS = (put_earlier_sector, put_foreign_lines, put_foreign_database, put_irregular_file)


def check_fault(kept: SavedFolders, folder: Path, chance: random.Random, fault: Callable[..., None]) -> None:
    """Check one fault: the table starts with all rounds, reports damage if there was any, and reports nothing the next
    time.
    """
    for each in ("data", "earlier"):
        shutil.rmtree(folder.with_name(each), ignore_errors=True)
    shutil.copytree(chance.choice(kept.folders), folder)
    fault(kept, folder, chance)
    store, got = start_store(folder, kept)
    store.close()
    assert got == kept.wanted, (fault.__name__, str(store.warning_text))
    assert not store.pending_warnings.kinds - {WarningKind.MENDED, WarningKind.DAMAGED}
    assert "lost:" not in store.warning_text
    assert fault is put_irregular_file or store.warning_text
    check_silence(folder, fault.__name__)


@pytest.mark.parametrize("tries", [3, pytest.param(100, marks=[pytest.mark.drill, pytest.mark.timeout(3600)])])
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_the_longer_copy_is_not_simply_believed(kept, tmp_path, fault, tries):
    """J1 and J2: the unbroken chain is believed, whatever is in a file's place is set aside, and the table starts."""
    for number in range(tries):
        chance = random.Random(f"{fault.__name__} {number}")
        try:
            check_fault(kept, tmp_path / "data", chance, fault)
        except BaseException:
            print(f"try {number}")
            raise

"""The store on a card that is wearing out: sectors that cannot be read or written, and writes that cannot be undone."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from long_journals import write_journal

from companion.rounds.stored import LogEntry, RoundHeader
from companion.store import journal, open_store
from companion.store.data_folder import acting_as_owner
from companion.store.database import UNKNOWN_FINGERPRINT, DatabaseFile, save_fingerprints, saved_fingerprints
from companion.store.errors import StoreError
from companion.store.store import Store
from companion.store.store_warnings import WarningKind

HEADER = RoundHeader("27", (("variant", "basic"),), ("Ann", "Ben"))
NOTHING_LOST = "nothing is lost"
NOBODY = 65534
ROUNDS = 100


def play_round(store: Store, number: int, moves: int = 5, *, ended: bool = True) -> None:
    """Save a round of some moves, one write each.

    Its number is in the names, since rounds are recognized by their headers.
    """
    store.write_entries([LogEntry(number, "begin", header=HEADER._replace(names=("Ann", f"Ben {number}")))])
    for at in range(moves):
        store.write_entries([move(number, at)])
    if ended:
        store.write_entries([LogEntry(number, "result", text="12 6 winners 1")])


def move(number: int, at: int) -> LogEntry:
    return LogEntry(number, "event", 1 + at % 2, f"{at + 1}x2")


def fill_store(folder: Path, rounds: int = 1, moves: int = 5) -> Path:
    """The folder of a closed store with rounds in it."""
    store = Store(folder)
    for number in range(1, rounds + 1):
        play_round(store, number, moves)
    store.close()
    return folder


def crash_store(folder: Path) -> Path:
    """A folder as a power cut leaves it: with a finished round, and the moves of another in SQLite's log."""
    store = Store(fill_store(folder.with_name("running")))
    play_round(store, 2, ended=False)
    shutil.copytree(store.folder, folder)
    store.close()
    return folder


def moves_of(store: Store, number: int) -> list[str]:
    return [text for _, text in store.load_round(number).events]


def check_after_start(folder: Path, *, told: bool = True, aside: str = "") -> None:
    """Check that a crashed folder has both rounds, reports repairs, takes a move, and then reports nothing more."""
    store = Store(folder)
    assert (NOTHING_LOST in store.warning_text) is told, store.warning_text
    assert aside in store.warning_text
    assert [moves_of(store, number) for number in (1, 2)] == [[f"{at + 1}x2" for at in range(5)]] * 2
    store.write_entries([move(2, 5)])
    store.confirm_warnings()
    store.close()
    store = Store(folder)
    assert (store.warning_text, len(moves_of(store, 2))) == ("", 6)
    store.close()


def damage_line(folder: Path, number: int) -> None:
    """Damage the line of an entry in the journal."""
    path = folder / "rounds.journal"
    line = next(line for line in path.read_bytes().split(b"\n") if line.split(b" ")[1:2] == [b"%d" % number])
    path.write_bytes(path.read_bytes().replace(line, b"#" * len(line)))


def fail_on(number: int) -> None:
    raise OSError(number, os.strerror(number))


@pytest.fixture
def crash(tmp_path) -> Path:
    return crash_store(tmp_path / "data")


@pytest.fixture
def bound(crash) -> Iterator[Path]:
    """A crashed folder of a user with limited permissions, as whom root acts, in a folder that every user can enter."""
    if os.geteuid() != 0:
        yield crash
        return
    with tempfile.TemporaryDirectory() as there:
        os.chmod(there, 0o755)
        folder = Path(shutil.copytree(crash, Path(there) / "data"))
        for path in (Path(there), folder, *folder.iterdir()):
            os.chown(path, NOBODY, NOBODY)
        with acting_as_owner(folder):
            yield folder


@pytest.fixture
def long(tmp_path, monkeypatch) -> Path:
    """A folder with more rounds than are read at once, without a database."""
    for module in (journal, open_store):
        monkeypatch.setattr(module, "RECENT_BYTES", 1 << 16)
    return write_journal(tmp_path / "long", ROUNDS, results=True)


# -- a write that fails --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["SQLITE_IOERR_FSYNC", "SQLITE_CORRUPT"])
@pytest.mark.parametrize("then", ["again", "closed"])
def test_a_refused_move_that_cannot_be_cut_off_does_not_come_back(tmp_path, monkeypatch, code, then):
    """A move that the database refuses and the journal cannot remove counts once if it is entered again, else never."""

    def refuse(_: DatabaseFile) -> None:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorname = code
        raise error

    store = Store(tmp_path)
    play_round(store, 1, 3, ended=False)
    with monkeypatch.context() as card:
        card.setattr(os, "ftruncate", lambda *_: fail_on(errno.EIO))
        card.setattr(DatabaseFile, "commit", refuse)
        with pytest.raises(StoreError, match=r"^Not saved: "):
            store.write_entries([move(1, 3)])
    if then == "again":
        store.write_entries([move(1, 3)])
    for _ in range(2):
        assert moves_of(store, 1) == ["1x2", "2x2", "3x2", "4x2"][: 4 if then == "again" else 3]
        assert store.warning_text == ""
        store.close()
        store = Store(tmp_path)
    store.close()


@pytest.mark.parametrize("damage", [True, False])
def test_damage_is_found_while_the_fingerprint_is_unknown(tmp_path, damage):
    """A power cut during a checkpoint hides no other damage, and is no damage itself."""
    fill_store(tmp_path)
    save_fingerprints(tmp_path, saved_fingerprints(tmp_path)[0], UNKNOWN_FINGERPRINT)
    if damage:
        with contextlib.closing(sqlite3.connect(tmp_path / "rounds.db")) as db, db:
            db.execute("UPDATE log_entries SET text = '?' WHERE id = 4")
            db.execute("UPDATE seats SET score = 99")
    store = Store(tmp_path)
    assert (NOTHING_LOST in store.warning_text) is damage
    assert moves_of(store, 1) == ["1x2", "2x2", "3x2", "4x2", "5x2"]
    assert store.load_history().evening_rounds[0].scores == (12, 6)
    store.close()


# -- a file that cannot be used where it is ------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["rounds.db-wal", "rounds.db-shm"])
def test_a_log_that_cannot_be_read_is_set_aside(bound, part):
    """Together with the database, which is rebuilt from the journal."""
    (bound / part).chmod(0)
    check_after_start(bound, aside="rounds.db.damaged-1")


@pytest.mark.parametrize("part", ["rounds.db-wal", "rounds.db-shm"])
def test_a_log_that_cannot_be_written_does_not_refuse_moves(bound, part):
    """The database is rebuilt without a warning, since nothing was wrong in it."""
    (bound / part).chmod(0o444)
    check_after_start(bound, told=False)


@pytest.mark.parametrize("name", ["rounds.journal", "rounds.db", "rounds.sums"])
@pytest.mark.parametrize("error", [errno.EUCLEAN, errno.EIO])
def test_a_file_that_the_card_does_not_open_is_made_from_the_other(crash, monkeypatch, name, error):
    """A file whose sectors fail when it is opened does not stop the start; a new one takes its place."""
    spoiled, really = (crash / name).stat().st_ino, os.open

    def opened(path, *how, **more) -> int:
        fd = really(path, *how, **more)
        if os.fstat(fd).st_ino == spoiled:
            os.close(fd)
            fail_on(error)
        return fd

    monkeypatch.setattr(os, "open", opened)
    derived = name == "rounds.sums"  # Nothing was in it that could be lost.
    check_after_start(crash, told=not derived, aside="" if derived else f"{name}.damaged-1")


def test_a_database_in_a_folder_that_can_only_be_read_is_rescued(bound):
    """The rounds of a closed database are imported even if SQLite cannot create its log beside it."""
    there = bound / "old"
    there.mkdir()
    shutil.copy(fill_store(bound / "closed", 3) / "rounds.db", there)
    there.chmod(0o555)
    store = Store(bound / "new")
    try:
        assert store.merge_file(there / "rounds.db")[0].imported == 3
    finally:
        there.chmod(0o755)
        store.close()


# -- while a large database is made --------------------------------------------------------------------------------


@pytest.fixture
def making(long, monkeypatch) -> Iterator[Store]:
    """A table that has only the last rounds; the process that builds the full database does not get on."""
    monkeypatch.setattr(open_store.subprocess, "Popen", lambda *_, **more: fail_on(errno.EAGAIN))
    store = Store(long, in_background=True)
    assert not store.files.is_complete
    yield store
    store.close()


def test_all_rounds_are_there_twice_while_a_large_database_is_made(making, tmp_path):
    """So one damaged sector loses nothing. The second copy is deleted once the database has all rounds."""
    left = Path(shutil.copytree(making.folder, tmp_path / "left"))
    with (left / "rounds.journal").open("r+b") as file:
        file.seek(20_000)
        file.write(b"#" * 512)
    store = Store(left)
    assert NOTHING_LOST in store.warning_text
    assert len(store.round_numbers()) == ROUNDS
    assert not (left / "rounds.journal-2").exists()
    store.close()


def test_no_large_database_is_begun_that_would_fill_the_disk(long, monkeypatch):
    """With too little room no process is started, no copy is made, and moves are saved."""
    room = (long / "rounds.journal").stat().st_size * 3 // 2
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_bavail=room, f_frsize=1))
    begun = []
    monkeypatch.setattr(
        open_store.subprocess, "Popen", lambda command, **more: begun.append(command) or fail_on(errno.EAGAIN)
    )
    store = Store(long, in_background=True)
    store.write_entries([LogEntry(store.load_history().next_round, "begin", header=HEADER)])
    store.tidy_up()
    assert not begun
    assert not (long / "rounds.journal-2").exists()
    store.close()


# -- what was lost or set aside before -----------------------------------------------------------------------------


def test_what_follows_a_known_gap_is_no_new_damage(tmp_path):
    """After entries that both files have lost, a lost fingerprint is not reported, and one file repairs the other."""
    fill_store(tmp_path, 2, 6)
    damage_line(tmp_path, 11)
    with contextlib.closing(sqlite3.connect(tmp_path / "rounds.db")) as db, db:
        db.execute("UPDATE log_entries SET text = '?' WHERE id = 11")
    store = Store(tmp_path)
    assert "line 11 (round 2) is lost" in store.warning_text
    store.confirm_warnings()
    store.close()
    (tmp_path / "rounds.sums").unlink()
    store = Store(tmp_path)
    assert store.warning_text == ""
    store.close()
    damage_line(tmp_path, 12)
    store = Store(tmp_path)
    assert NOTHING_LOST in store.warning_text
    store.close()


def test_a_restored_journal_that_cannot_be_read_is_reported(bound):
    """A copy in an empty folder that only another user may read is set aside, and reported."""
    for path in bound.iterdir():
        if path.name != "rounds.journal":
            path.unlink()
    (bound / "rounds.journal").chmod(0)
    store = Store(bound)
    assert WarningKind.DAMAGED in store.pending_warnings.kinds
    assert "rounds.journal.damaged-1" in store.warning_text
    store.close()


def test_a_second_journal_that_cannot_be_read_is_not_deleted(bound):
    """Its content is unknown, so it stays under another name."""
    shutil.copy(bound / "rounds.journal", bound / "rounds.journal-2")
    (bound / "rounds.journal-2").chmod(0)
    Store(bound).close()
    assert not (bound / "rounds.journal-2").exists()
    assert (bound / "rounds.journal-2.damaged-1").exists()


def test_older_copies_of_both_files_are_reported(tmp_path):
    """If a card has lost its last writes in both files, but not in the fingerprints, moves may be missing."""
    older = Path(shutil.copytree(fill_store(tmp_path / "data"), tmp_path / "older"))
    store = Store(tmp_path / "data")
    play_round(store, 2)
    store.close()
    for name in ("rounds.journal", "rounds.db"):
        shutil.copy(older / name, tmp_path / "data" / name)
    store = Store(tmp_path / "data")
    assert store.pending_warnings.kinds == {WarningKind.CUT}
    assert store.round_numbers() == [1]
    store.close()


# -- what must not be changed --------------------------------------------------------------------------------------


def test_the_trial_of_a_version_leaves_the_log_as_it_is(crash, tmp_path):
    """Copying the rounds of a crashed table changes none of its files: the log has the last moves."""
    names = ("rounds.db", "rounds.db-wal", "rounds.journal", "rounds.sums")
    before = [(crash / name).read_bytes() for name in names]
    (tmp_path / "copy").mkdir()
    # As debian/tabletop-companion.postinst does.
    subprocess.run(["cp", "-RP", *crash.glob("rounds.*"), tmp_path / "copy"], check=True, timeout=60)
    assert [(crash / name).read_bytes() for name in names] == before
    check_after_start(crash, told=False)
    store = Store(tmp_path / "copy")
    assert len(moves_of(store, 2)) == 5
    store.close()


def test_a_database_is_not_set_aside_beside_the_log_of_another(bound):
    """SQLite would read the old log together with it. All its rounds can still be imported."""
    data = fill_store(bound.with_name("mine"), 4, 9)
    shutil.copy(bound / "rounds.db-wal", data / "rounds.db.damaged-1-wal")
    (data / "rounds.db").chmod(0)
    store = Store(data)
    assert "rounds.db.damaged-1" in store.warning_text
    store.close()
    (data / "rounds.db.damaged-1").chmod(0o600)
    store = Store(bound.with_name("rescued"))
    assert store.merge_file(data / "rounds.db.damaged-1")[0].imported == 4
    store.close()

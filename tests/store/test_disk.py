"""The store on a bad disk: it is full, fails at any write, or has a file that was cut short or overwritten."""

from __future__ import annotations

import contextlib
import os
import queue
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from examples import first_cases_fast

from companion import games
from companion.evening import state_machine
from companion.evening.screens.base_screen import open_due_screens
from companion.evening.screens.pad import pad_actions
from companion.games.score_pad.pad import Pad
from companion.inputs import KeyPressed, StopRequested, Tick
from companion.rounds.stored import LogEntry, RoundHeader, SessionSettings, StoredRound
from companion.store.errors import DISK_FULL_SENTENCE, StoreDamagedError, StoreError
from companion.store.read_only_store import ReadOnlyStore
from companion.store.store import Store
from companion.store.store_warnings import WarningKind
from companion.table.loop import BUSY_BANNER, BUSY_WAIT_SECONDS, WARNING_BANNERS, TableLoop

if TYPE_CHECKING:
    from collections.abc import Callable

HEADER = RoundHeader("27", (("variant", "advanced"),), ("Ann", "Ben"))
PAGE = 4096
NOTHING_LOST = "nothing is lost"


def fill_store(folder: Path, rounds: int = 3, events: int = 40) -> dict[int, StoredRound]:
    """A closed store with rounds in it, and its content."""
    store = Store(folder)
    chance = random.Random(rounds)
    for number in range(1, rounds + 1):
        store.write_entries([LogEntry(number, "begin", header=HEADER)])
        for index in range(events):
            store.write_entries(
                [LogEntry(number, "event", index % 2 + 1, f"{chance.randint(1, 9)}x{chance.randint(1, 9)}")]
            )
    kept = store_contents(store)
    store.close()
    return kept


def store_contents(store: Store) -> dict[int, StoredRound]:
    return {number: store.load_round(number) for number in store.round_numbers()}


# -- a disk that fails --------------------------------------------------------------------------------------------


@contextlib.contextmanager
def limit_file_size(size: int):
    """Let every write beyond `size` bytes of a file fail, as a write to a bad block does."""
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)


def refusal_of(action: Callable[[], object]) -> str:
    """Why an action on a store was refused, "" if it was not. It is always one of two sentences, and never damage."""
    try:
        action()
    except StoreError as error:
        why = str(error)
        damaged = isinstance(error, StoreDamagedError)
    else:
        return ""
    assert not damaged
    assert re.fullmatch(r"[^:]+: the disk (is full|does not answer)\.", why), why
    return why


def play_until_refused(store: Store, number: int, more: int = 30) -> tuple[list[str], str]:
    """Play events until one is refused. Returns those that were acknowledged, and the refused one ("" for none)."""
    told = []
    for index in range(more):
        text = f"{index % 9 + 1}x{index % 7 + 1}"
        line = LogEntry(number, "event", index % 2 + 1, text)
        if refusal_of(lambda line=line: store.write_entries([line])):
            return told, text
        told.append(text)
    return told, ""


def check_saved(kept: list[str], told: list[str], refused: str) -> bool:
    """Check that everything acknowledged is saved, and at most the refused event besides."""
    return kept == told or kept == [*told, refused]


@pytest.mark.parametrize("kind", first_cases_fast(1, ["grown", "new"]))
def test_a_write_that_fails_anywhere_loses_nothing_and_is_reported(tmp_path, kind):
    """Writes fail from any offset on: what was acknowledged is saved, and play goes on once the disk works."""
    refusals = 0
    for step, beyond in enumerate([*range(0, 7 * 1024, 500), *range(7 * 1024, 64 * 1024, 8 * 1024)]):
        folder = tmp_path / str(step)
        before = fill_store(folder, 2, 20) if kind == "grown" else {}
        store = Store(folder)
        number = store.load_history().next_round
        store.write_entries([LogEntry(number, "begin", header=HEADER)])
        with limit_file_size(beyond):
            told, refused = play_until_refused(store, number)
        refusals += bool(refused)
        assert check_saved([text for _, text in store.load_round(number).events], told, refused)
        store.write_entries([LogEntry(number, "event", 1, "1x1")])
        kept = store_contents(store)
        store.close()
        store = Store(folder)
        assert not store.warning_text
        assert store_contents(store) == kept
        assert {n: saved for n, saved in kept.items() if n != number} == before
        assert [text for _, text in kept[number].events][-1] == "1x1"
        store.close()
    assert refusals > 3, "the disk hardly failed: this proves nothing"


def test_a_store_that_cannot_be_opened_says_why_and_is_not_taken_for_damaged(tmp_path):
    """J6: if writes fail from any offset on and one file is missing, the table starts and refuses moves."""
    kept = fill_store(tmp_path / "data")
    refusals = 0
    for beyond in range(0, 80 * 1024, 4 * 1024):
        for name in ("rounds.journal", "rounds.db"):
            crashed = Path(shutil.copytree(tmp_path / "data", tmp_path / f"{beyond} {name}"))
            (crashed / name).unlink()
            with limit_file_size(beyond):
                store = Store(crashed)
                assert store_contents(store) == kept
                move = LogEntry(store.load_history().unfinished_round.id, "event", 2, "2x2")
                refusals += bool(refusal_of(lambda store=store, move=move: store.write_entries([move])))
            store.write_entries([move])
            assert (2, "2x2") in store.load_round().events
            store.close()
            store = Store(crashed)
            assert NOTHING_LOST in store.warning_text
            assert store_contents(store).keys() == kept.keys()
            store.close()
            assert not list(crashed.glob("*damaged*"))
    assert refusals > 2


def test_a_disk_that_is_full_at_any_moment_loses_nothing(small_disk):
    """On disks of every size, what was acknowledged before the disk was full is saved, and play goes on with room."""
    refusals = 0
    for kib in range(280, 480, 25):
        folder = small_disk(kib)
        ballast = folder / "ballast"
        ballast.write_bytes(bytes(80 * 1024))
        stores: list[Store] = []
        if refusal_of(lambda stores=stores, folder=folder: stores.append(Store(folder))):
            continue
        store = stores[0]
        if refusal_of(lambda store=store: store.write_entries([LogEntry(1, "begin", header=HEADER)])):
            store.close()
            continue
        told, refused = play_until_refused(store, 1, 800)
        refusals += bool(refused)
        assert check_saved([text for _, text in store.load_round(1).events], told, refused)
        ballast.unlink()
        store.write_entries([LogEntry(1, "event", 1, "1x1")])
        kept = store_contents(store)
        store.close()
        store = Store(folder)
        assert store.warning_text in ("", DISK_FULL_SENTENCE)
        assert store_contents(store) == kept
        store.close()
    assert refusals, "no disk was full: this proves nothing"


# -- a file that is damaged while the table is open ---------------------------------------------------------------


def truncate(path: Path) -> None:
    os.truncate(path, PAGE + 100)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def overwrite_with_junk(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(random.Random(8).randbytes(path.stat().st_size))


def remove(path: Path) -> None:
    path.unlink()


def replace(path: Path) -> None:
    path.with_name("new").write_bytes(b"something else")
    os.replace(path.with_name("new"), path)


DAMAGES = (truncate, empty, overwrite_with_junk, remove, replace)


@pytest.fixture
def table(tmp_path):
    """A table with a round of 27, on a store with rounds in it; its panel and its log are lists."""
    fill_store(tmp_path / "data")
    store = Store(tmp_path / "data")
    journal: list[str] = []
    made = TableLoop(
        state_machine.start_session(SessionSettings((), HEADER), store.load_history()._replace(unfinished_round=None)),
        store,
        [],
        queue.Queue(),
        write_log=journal.append,
    )
    made.journal = journal
    made.show_first_session()
    type_keys(made, "13#")
    yield made
    store.close()


def type_keys(table: TableLoop, keys: str) -> None:
    for key in keys:
        table.take_input(KeyPressed(key, table.session.now + 0.1))


@pytest.mark.parametrize(
    ("damage", "name"),
    [*((damage, "rounds.journal") for damage in DAMAGES), (remove, "rounds.db"), (replace, "rounds.db")],
)
def test_the_evening_goes_on_with_the_round_on_the_table(table, tmp_path, damage, name):
    """A file damaged between two moves is repaired from the other, and reported; the round goes on."""
    before = table.session.round.events
    damage(tmp_path / "data" / name)
    type_keys(table, "92#")
    assert table.session.round.events == (*before, (2, "9x2"))
    assert table.session.banner == WARNING_BANNERS[WarningKind.MENDED]
    table.paint()
    assert table.journal[0].startswith(f"{name} was damaged and has been repaired from the other file: nothing is lost")
    type_keys(table, "12#")
    assert table.session.banner == ""
    assert "disk" not in table.session.missing_devices
    table.store.close()
    store = Store(tmp_path / "data")
    assert store.warning_text == ""
    assert store.load_history().unfinished_round.events == table.session.round.events
    assert store.load_history().unfinished_round.header == HEADER._replace(origin=games.BUILT_IN_ORIGIN)
    assert len(store.round_numbers()) == 4
    store.close()


def test_the_panel_reports_damage_at_each_start_until_a_key_is_pressed(tmp_path):
    """A key pressed before the sentence was on the panel does not count; a later one does."""
    fill_store(tmp_path)
    truncate(tmp_path / "rounds.journal")

    def started() -> TableLoop:
        store = Store(tmp_path)
        made = TableLoop(state_machine.start_session(SessionSettings(), store.load_history()), store, [], queue.Queue())
        made.show_first_session()
        return made

    for key in ("", "5"):
        made = started()
        assert made.session.banner == WARNING_BANNERS[WarningKind.MENDED]
        if key:
            made.take_input(KeyPressed(key, made.session.now - 1.0))
            assert Path(tmp_path / "rounds.journal.notice").exists()
            made.take_input(KeyPressed(key, made.session.now + 1.0))
        made.store.close()
    made = started()
    assert made.session.banner != WARNING_BANNERS[WarningKind.MENDED]
    made.store.close()


def test_a_table_on_a_failing_disk_keeps_the_draft_and_goes_on(table):
    """A move that cannot be saved is not played. Its draft stays, and counts once the disk works again."""
    before = table.session.round.events
    with limit_file_size(0):
        type_keys(table, "92#")
        assert table.session.banner == "Not saved: the disk does not answer."
        assert table.session.round.events == before
        type_keys(table, "#")
        assert table.session.round.events == before
    assert table.journal == ["Not saved: the disk does not answer."]
    type_keys(table, "#")
    assert table.session.round.events == (*before, (2, "9x2"))
    assert "disk" not in table.session.missing_devices


def test_a_table_on_a_disk_that_fails_can_be_stopped(tmp_path):
    """Even points that are entered while the table stops, and cannot be saved, do not delay it."""
    store = Store(tmp_path)
    first = pad_actions.begin_pad(
        state_machine.start_session(SessionSettings(), store.load_history()),
        RoundHeader("pad", Pad(2).stored_options, ("Ann", "Ben")),
    )
    made = TableLoop(open_due_screens(first), store, [], queue.Queue())
    made.show_first_session()
    type_keys(made, "5")
    with limit_file_size(0):
        made.take_input(StopRequested("terminate", 1.0))
        assert made.session.is_stopping
    store.close()


def test_a_damaged_file_that_cannot_be_repaired_is_reported(table, tmp_path, monkeypatch):
    """If no file can replace it, the move is not played, and the table can still be stopped."""
    (tmp_path / "data" / "rounds.journal").write_bytes(b"")

    def refuse(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "rename", refuse)
    before = table.session.round.events
    type_keys(table, "92#")
    assert table.session.round.events == before
    assert ": the disk is read-only: restart" in table.session.banner
    with pytest.raises(StoreError):
        table.store.write_entries([LogEntry(9, "begin", header=HEADER)])
    monkeypatch.undo()
    type_keys(table, "#")
    assert table.session.round.events == (*before, (2, "9x2"))


def test_a_disk_that_can_only_be_read_is_not_blamed_on_permissions(small_disk):
    """The kernel makes a worn card read-only. The sentence says what to do, and the rounds can be read."""
    folder = small_disk(2048)
    kept = fill_store(folder)
    subprocess.run(["mount", "-o", "remount,ro", folder], check=True, timeout=60)
    with pytest.raises(StoreError, match=r": the disk is read-only: restart, and if"):
        Store(folder)
    store = ReadOnlyStore(folder)
    assert (store.warning_text, store_contents(store)) == ("", kept)
    store.close()


# -- a file that another program holds ----------------------------------------------------------------------------


@pytest.fixture
def holder(table, tmp_path):
    """Another program in the middle of changing the file, while the table plays on."""
    table.store.stop_waiting_for_locks()
    other = sqlite3.connect(tmp_path / "data" / "rounds.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield other
    other.close()


def test_a_locked_file_does_not_stop_the_loop(table, holder):
    """What cannot be saved yet waits in order, is reported, and counts as soon as the other program lets go."""
    before = table.session.round.events
    table.clock = lambda: 100.0  # The other program holds it for less time than the loop waits.
    type_keys(table, "92#13#")
    assert table.session.round.events == before
    assert table.session.banner == BUSY_BANNER
    assert table.journal == ["Not saved: another program is using the rounds: close it."]
    assert table.store.database.execute("PRAGMA busy_timeout").fetchone() == (0,)
    assert isinstance(table.next_input(), Tick)  # It is tried again without a press.
    holder.execute("ROLLBACK")
    table.take_input(Tick(table.session.now))
    assert table.session.round.events == (*before, (2, "9x2"), (1, "1x3"))
    assert table.session.banner == ""
    assert "disk" not in table.session.missing_devices


def test_a_file_that_stays_locked_is_reported_and_the_move_does_not_happen(table, holder):
    """After some seconds the waiting move is given up, and can be entered again. The table can be stopped at once."""
    before = table.session.round.events
    now = 100.0
    table.clock = lambda: now
    type_keys(table, "92#")
    now += BUSY_WAIT_SECONDS
    type_keys(table, "5")
    assert table.session.banner == "Not saved: another program is using the rounds: close it."
    assert table.session.round.events == before
    holder.execute("ROLLBACK")
    type_keys(table, "#")  # The entry was left as it stood.
    assert table.session.round.events == (*before, (2, "9x2"))
    holder.execute("BEGIN IMMEDIATE")
    type_keys(table, "13#")
    table.take_input(StopRequested("terminate", table.session.now))
    assert table.session.is_stopping

"""The second copy on another disk: a real file system in a file, plugged in, pulled, full, or another table's."""

from __future__ import annotations

import errno
import os
import queue
import shutil
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from sticks import Stick, run

from companion.doctor import disk
from companion.evening import state_machine
from companion.rounds.stored import LogEntry, RoundHeader, SessionSettings
from companion.store.read_only_store import ReadOnlyStore
from companion.store.second_disk import PLACE_NAME
from companion.store.store import Store
from companion.store.store_warnings import StoreWarning, WarningKind
from companion.table.loop import WARNING_BANNERS, TableLoop

HEADER = RoundHeader("27", (("variant", "advanced"),), ("Ann", "Ben"))
FIRST, SECOND = "rounds.journal", "rounds.journal-2"
NOTHING_LOST = "nothing is lost"
AWAY, BACK, FOREIGN = map(StoreWarning, (WarningKind.AWAY, WarningKind.BACK, WarningKind.FOREIGN))


@pytest.fixture
def stick(sticks):
    """A stick that is plugged in."""
    made = sticks()
    made.put_in()
    return made


def play_rounds(store: Store, count: int = 1, header: RoundHeader = HEADER) -> None:
    """Play some finished rounds of three entries, each with the number of its round in its move."""
    for number in range(store.load_history().next_round, store.load_history().next_round + count):
        store.write_entries([LogEntry(number, "begin", header=header)])
        store.write_entries([LogEntry(number, "event", 1, f"{number}x1")])
        store.write_entries([LogEntry(number, "result", text="9 3 winners 1")])


def saved_moves(store: Store) -> list[str]:
    return [store.load_round(number).events[0][1] for number in store.round_numbers()]


def expected_moves(count: int) -> list[str]:
    return [f"{number}x1" for number in range(1, count + 1)]


def file_content(file: Path) -> bytes:
    return file.read_bytes().rstrip(b"\n")


def is_second_copy_alone(folder: Path, stick: Stick) -> bool:
    """Whether the second copy is on the stick, equals the journal, and is not in the data folder too."""
    here = (folder / SECOND).exists()
    return not here and file_content(folder / FIRST) == file_content(stick.folder / SECOND)


def test_each_move_is_synced_on_the_other_disk_too(stick, tmp_path, monkeypatch):
    """The first use of the stick is reported, and no later start reports anything."""
    folder = tmp_path / "data"
    with closing(Store(folder, second_folder=stick.folder)) as store:
        assert store.warning_text == BACK.sentences
        synced: list[Path] = []
        real = os.fdatasync
        monkeypatch.setattr(
            os, "fdatasync", lambda fd: (synced.append(Path(f"/proc/self/fd/{fd}").readlink()), real(fd))
        )
        play_rounds(store)
        assert synced == [folder / FIRST, stick.folder / SECOND] * 3  # SQLite's own syncs are not seen here.
        assert is_second_copy_alone(folder, stick)
    for opens in (partial(Store, second_folder=stick.folder), Store, ReadOnlyStore):
        with closing(opens(folder)) as store:
            assert (store.warning_text, saved_moves(store)) == ("", expected_moves(1))


def test_a_folder_that_has_rounds_gives_its_second_file_to_the_other_disk_and_gets_it_back(stick, tmp_path):
    """If the key is added or removed, nothing looks like damage."""
    folder = tmp_path / "data"
    with closing(Store(folder)) as store:
        play_rounds(store, 2)
    with closing(Store(folder, second_folder=stick.folder)) as store:
        assert store.warning_text == BACK.sentences
        assert is_second_copy_alone(folder, stick)
        play_rounds(store)
    with closing(Store(folder, second_folder=None)) as store:
        assert (store.warning_text, saved_moves(store)) == ("", expected_moves(3))
    assert not (folder / PLACE_NAME).exists()


@pytest.mark.parametrize("back", ["start", "round"])
def test_a_missing_disk_is_reported_and_brought_up_to_date_later(stick, tmp_path, back):
    """An empty mount point is not written to, and the stick has all rounds later."""
    folder = tmp_path / "data"
    with closing(Store(folder, second_folder=stick.folder)) as store:
        play_rounds(store)
    stick.take_out()
    with closing(ReadOnlyStore(folder)) as store:
        assert (store.warning_text, saved_moves(store)) == ("", expected_moves(1))
    assert disk.check_second_copy(folder).state == "do"
    store = Store(folder, second_folder=stick.folder)
    assert store.warning_text == AWAY.sentences
    play_rounds(store)
    assert not any(stick.where.iterdir())
    stick.put_in()
    store.take_warnings()
    if back == "start":
        store.close()
        assert disk.check_second_copy(folder).state == "note"
        store = Store(folder, second_folder=stick.folder)
    else:
        play_rounds(store)
        assert store.needs_tidying
        store.tidy_up()
    assert store.warning_text == BACK.sentences
    assert is_second_copy_alone(folder, stick)
    assert saved_moves(store) == expected_moves(2 if back == "start" else 3)
    assert disk.check_second_copy(folder).state == "ok"
    store.close()


@pytest.mark.parametrize("how", ["pulled", "unmounted", "full"])
def test_a_disk_that_fails_while_the_table_runs_costs_no_move(stick, tmp_path, fill_up, how):
    """The move at which it fails is saved; the failure is reported once, and play goes on."""
    folder = tmp_path / "data"
    store = Store(folder, second_folder=stick.folder)
    play_rounds(store)
    store.take_warnings()
    if how == "pulled":
        stick.break_down()
    elif how == "unmounted":
        run("umount", "--lazy", stick.where)
    else:
        fill_up(stick.where)
    number = 1
    while not store.warning_text:
        number += 1
        assert number < 400, "the stick never failed: this proves nothing"
        play_rounds(store)
    assert store.warning_text == AWAY.sentences
    store.take_warnings()
    play_rounds(store, 2)
    store.tidy_up()
    assert store.warning_text == ""
    shutil.copytree(folder, tmp_path / "as the plug leaves it")
    store.close()
    with closing(Store(folder, second_folder=stick.folder)) as store:
        assert store.warning_text == AWAY.sentences
        assert saved_moves(store) == expected_moves(number + 2)
    if how == "unmounted":
        run("losetup", "--detach", stick.device)
        stick.device = ""
    if how == "pulled":
        stick.take_out()


def test_a_read_only_disk_counts_as_missing(stick, tmp_path):
    """The kernel mounts a broken disk read-only. The table starts, and plays on."""
    folder = tmp_path / "data"
    with closing(Store(folder, second_folder=stick.folder)) as store:
        play_rounds(store)
    stick.take_out()
    stick.put_in("ro")
    with closing(Store(folder, second_folder=stick.folder)) as store:
        assert store.warning_text == AWAY.sentences
        play_rounds(store)


@pytest.mark.parametrize("damage", [None, 0, 200], ids=["whole", "its identity is damaged", "further on"])
def test_another_tables_disk_is_never_written(sticks, tmp_path, damage):
    """Neither at the start nor after a round. The panel and the doctor say why."""
    mine, its = sticks(), sticks()
    for each, folder in ((mine, "data"), (its, "other")):
        each.put_in()
        with closing(Store(tmp_path / folder, second_folder=each.folder)) as store:
            play_rounds(store, 3, HEADER._replace(names=("Ann", folder)))
    mine.take_out()
    if damage is not None:
        data = bytearray((its.folder / SECOND).read_bytes())
        data[damage : damage + 100] = bytes(100)
        (its.folder / SECOND).write_bytes(data)
    before = {file.name: file.read_bytes() for file in its.folder.iterdir()}
    with closing(Store(tmp_path / "data", second_folder=its.folder)) as store:
        assert store.warning_text == FOREIGN.sentences
        play_rounds(store)
        store.tidy_up()
        assert saved_moves(store) == expected_moves(4)
    assert {file.name: file.read_bytes() for file in its.folder.iterdir()} == before
    assert "another table's rounds" in disk.check_second_copy(tmp_path / "data").text


def test_a_new_card_takes_all_rounds_from_the_stick(stick, tmp_path):
    """After the card has died, an empty data folder with the same configuration gets everything back."""
    with closing(Store(tmp_path / "data", second_folder=stick.folder)) as store:
        play_rounds(store, 3)
        identity = store.identity
    with closing(Store(tmp_path / "new card", second_folder=stick.folder)) as store:
        assert NOTHING_LOST in store.warning_text
        assert (saved_moves(store), store.identity) == (expected_moves(3), identity)
        play_rounds(store)
    assert is_second_copy_alone(tmp_path / "new card", stick)


@pytest.mark.parametrize("links", [True, False], ids=["names and modes", "neither, as FAT"])
def test_an_older_copy_of_the_card_loses_nothing_that_the_stick_has(stick, tmp_path, monkeypatch, links):
    """What continues the card's rounds is imported. If both have played on, the card counts."""
    folder = tmp_path / "data"
    with closing(Store(folder, second_folder=stick.folder)) as store:
        play_rounds(store, 2)
    shutil.copytree(folder, tmp_path / "older")
    with closing(Store(folder, second_folder=stick.folder)) as store:
        play_rounds(store, 3)
    shutil.rmtree(folder)
    shutil.copytree(tmp_path / "older", folder)
    if not links:

        def refuse(*_: object, **__: object) -> None:
            raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

        monkeypatch.setattr(os, "link", refuse)
        monkeypatch.setattr(os, "fchmod", refuse)
    with closing(Store(folder, second_folder=stick.folder)) as store:
        assert saved_moves(store) == expected_moves(5)
    shutil.rmtree(folder)
    shutil.copytree(tmp_path / "older", folder)
    stick.take_out()
    with closing(Store(folder, second_folder=stick.folder)) as store:
        store.write_entries([LogEntry(3, "begin", header=HEADER._replace(names=("Cleo", "Dan")))])
    stick.put_in()
    with closing(Store(folder, second_folder=stick.folder)) as store:
        assert "differ from line" in store.warning_text
        assert [store.load_round(number).header.names for number in store.round_numbers()] == [("Ann", "Ben")] * 2 + [
            ("Cleo", "Dan")
        ]
        assert is_second_copy_alone(folder, stick)
        assert store.merge_file(stick.folder / f"{SECOND}.damaged-1")[0] == (3, 0, 2)


@pytest.mark.parametrize("name", [FIRST, SECOND])
def test_damage_of_one_disk_is_repaired_from_the_other(stick, tmp_path, name):
    """A flipped bit in either file at the start, with the database missing.

    A copy that was cut short is only behind.
    """
    folder = tmp_path / "data"
    file = (folder if name == FIRST else stick.folder) / name
    with closing(Store(folder, second_folder=stick.folder)) as store:
        play_rounds(store, 2)
        copy = stick.folder / SECOND
        copy.write_bytes(file_content(copy)[:-3])
        store.take_warnings()
        play_rounds(store)
        assert (store.warning_text, is_second_copy_alone(folder, stick)) == ("", True)
    data = bytearray(file.read_bytes())
    data[len(file_content(file)) // 2] ^= 1
    file.write_bytes(data)
    (folder / "rounds.db").unlink()
    for opens in (ReadOnlyStore, Store):
        with closing(opens(folder)) as store:
            assert f"{name} was damaged" in store.warning_text or "Both files" in store.warning_text
            assert saved_moves(store) == expected_moves(3)
    assert is_second_copy_alone(folder, stick)


def test_a_stick_with_fat_is_a_stick(sticks, tmp_path):
    """A new stick, without permissions and second names: used, missing, brought up to date, and repaired."""
    folder, stick = tmp_path / "data", sticks("vfat")
    stick.put_in()
    with closing(Store(folder, second_folder=stick.folder)) as store:
        assert store.warning_text == BACK.sentences
        play_rounds(store, 2)
        assert is_second_copy_alone(folder, stick)
    stick.take_out()
    with closing(Store(folder, second_folder=stick.folder)) as store:
        assert store.warning_text == AWAY.sentences
        play_rounds(store)
    stick.put_in()
    with closing(Store(folder, second_folder=stick.folder)) as store:
        assert store.warning_text == BACK.sentences
        play_rounds(store)
        assert (saved_moves(store), is_second_copy_alone(folder, stick)) == (expected_moves(4), True)
    shutil.rmtree(folder)
    with closing(Store(folder, second_folder=stick.folder)) as store:
        assert (saved_moves(store), is_second_copy_alone(folder, stick)) == (expected_moves(4), True)


def test_what_only_the_stick_has_comes_back_with_it(stick, tmp_path):
    """An entry damaged on the card while the stick was missing is reported as lost, and comes back with the stick."""
    folder = tmp_path / "data"
    with closing(Store(folder, second_folder=stick.folder)) as store:
        play_rounds(store, 3)
    stick.take_out()
    data = bytearray((folder / FIRST).read_bytes())
    data[data.index(b"2x1")] = ord("7")
    (folder / FIRST).write_bytes(data)
    (folder / "rounds.db").unlink()
    with closing(Store(folder, second_folder=stick.folder)) as store:
        assert "(round 2) is lost" in store.warning_text
        assert [len(store.load_round(number).events) for number in (1, 2, 3)] == [1, 0, 1]
        store.confirm_warnings()
    stick.put_in()
    with closing(Store(folder, second_folder=stick.folder)) as store:
        store.tidy_up()
    with closing(Store(folder, second_folder=stick.folder)) as store:
        assert saved_moves(store) == expected_moves(3)
    assert is_second_copy_alone(folder, stick)


def test_the_panel_says_that_the_disk_is_missing(stick, tmp_path):
    """With one short banner; damage, if there was any, is reported too."""
    folder = tmp_path / "data"
    with closing(Store(folder, second_folder=stick.folder)) as store:
        play_rounds(store)

    def banner() -> str:
        with closing(Store(folder, second_folder=stick.folder)) as store:
            table = TableLoop(
                state_machine.start_session(SessionSettings(), store.load_history()), store, [], queue.Queue()
            )
            table.show_first_session()
            return table.session.banner

    stick.take_out()
    assert banner() == WARNING_BANNERS[WarningKind.AWAY]
    (folder / FIRST).write_bytes(file_content(folder / FIRST)[:-3])
    assert banner() == WARNING_BANNERS[WarningKind.MENDED]

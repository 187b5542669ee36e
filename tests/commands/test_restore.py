"""`companion restore`: a copy of the journal takes the place of the rounds, whoever copied it, and nothing is lost."""

from __future__ import annotations

import os
import re
import shutil
from contextlib import closing, suppress
from pathlib import Path

import pytest
from short_rounds import count_rounds, make_rounds, play_round

from companion.__main__ import main
from companion.store import restoring
from companion.store.data_folder import lock_folder
from companion.store.journal_lines import seal_line
from companion.store.store import Store


@pytest.fixture
def backup(tmp_path) -> Path:
    """A copy of another table's journal, with five rounds."""
    return Path(shutil.copyfile(make_rounds(tmp_path / "other", 5) / "rounds.journal", tmp_path / "backup"))


def run_restore(folder: Path, file: Path, capsys) -> tuple[int, str, str]:
    status = main(["restore", "--data", str(folder), str(file)])
    return status, *capsys.readouterr()


def test_a_copy_takes_the_place_of_the_rounds_and_back(tmp_path, backup, capsys):
    """Also a second time; what was there is restored by its journal's name."""
    folder = make_rounds(tmp_path / "data", 2)
    for number in (1, 2):
        assert run_restore(folder, backup, capsys) == (
            0,
            f"5 rounds restored in {folder}\nwhat was saved there before is in {folder}/replaced-{number}\n",
            "",
        )
    assert count_rounds(folder) == (5, "")
    assert run_restore(folder, folder / "replaced-1" / "rounds.journal", capsys)[0] == 0
    assert count_rounds(folder) == (2, "")


def test_an_older_copy_of_the_same_table_stays_old(tmp_path, capsys):
    """Neither the database nor a copy on another disk brings the later rounds back."""
    folder, copy = make_rounds(tmp_path / "data", 2), tmp_path / "copy"
    shutil.copyfile(folder / "rounds.journal", copy)
    with closing(Store(folder)) as store:
        play_round(store, 3)
    assert run_restore(folder, copy, capsys)[0] == 0
    assert count_rounds(folder) == (2, "")


def test_a_copy_on_another_disk_is_set_aside(tmp_path, monkeypatch, capsys):
    stick, folder, copy = tmp_path / "stick", tmp_path / "data", tmp_path / "copy"
    stick.mkdir()
    disk_number = restoring.find_disk_fault.__globals__["disk_number"]
    monkeypatch.setitem(
        restoring.find_disk_fault.__globals__, "disk_number", lambda path: 1 if path == stick else disk_number(path)
    )
    for number in (1, 2):
        with closing(Store(folder, second_folder=stick)) as store:
            play_round(store, number)
        if number == 1:
            shutil.copyfile(folder / "rounds.journal", copy)
    assert run_restore(folder, copy, capsys)[0] == 0
    assert (stick / "rounds.journal-2.damaged-1").exists()
    assert count_rounds(folder)[0] == 1


def test_it_restores_into_an_empty_folder(tmp_path, backup, capsys):
    assert run_restore(tmp_path / "new", backup, capsys) == (0, f"5 rounds restored in {tmp_path / 'new'}\n", "")


def test_what_is_damaged_in_the_copy_is_said(tmp_path, backup, capsys):
    data = backup.read_bytes()
    at = data.index(b"event", len(data) // 8)
    backup.write_bytes(data[:at] + b"tnevE" + data[at + 5 :])
    status, said, complaint = run_restore(tmp_path / "new", backup, capsys)
    assert (status, said.startswith("5 rounds restored")) == (1, True)
    assert "lost" in complaint


def test_what_is_no_store_is_refused(tmp_path, backup, capsys):
    """Each in one sentence, and nothing is changed."""
    folder = make_rounds(tmp_path / "data", 2)
    (tmp_path / "text").write_text("companion-record: 1\n")
    (tmp_path / "empty").touch()
    (tmp_path / "newer").write_bytes(seal_line("0 companion-journal 2") + b"\n" + backup.read_bytes())
    (tmp_path / "link").symlink_to(backup)
    os.mkfifo(tmp_path / "pipe")
    with closing(Store(tmp_path / "fresh")):
        pass
    before = {path: path.stat() for path in folder.rglob("*")}
    for name, why in {
        "text": "text cannot be restored: there are no rounds in it",
        "empty": "empty cannot be restored: there are no rounds in it",
        "fresh/rounds.journal": "fresh/rounds.journal cannot be restored: there are no rounds in it",
        "other/rounds.db": "rounds.db cannot be restored: it is the database; name the file rounds.journal beside it, "
        "which has the same rounds",
        "newer": "newer cannot be restored: a newer version of this program has written it, so install that version "
        "first",
        "pipe": "pipe cannot be restored: it is no ordinary file",
        "link": "cannot read .*link: .*",
        "nothing": "cannot read .*nothing: .*",
        "other": "other cannot be restored: it is a folder without a backup; for a folder of records use "
        "`companion import`",
    }.items():
        status, said, complaint = run_restore(folder, tmp_path / name, capsys)
        assert (status, said) == (2, "")
        assert re.fullmatch(f"companion: .*{why}\n", complaint), complaint
    assert {path: path.stat() for path in folder.rglob("*")} == before


def test_a_running_table_is_left_alone(tmp_path, backup, capsys):
    folder = make_rounds(tmp_path / "data", 2)
    lock = lock_folder(folder)
    status, _, complaint = run_restore(folder, backup, capsys)
    os.close(lock)
    assert (status, "Another table is running" in complaint) == (2, True)
    assert count_rounds(folder) == (2, "")


class CutError(Exception):
    """The power fails."""


@pytest.mark.parametrize("cut", range(12))
def test_a_power_cut_leaves_the_rounds_of_before_or_those_of_the_copy(tmp_path, backup, monkeypatch, capsys, cut):
    """Whichever rename is the last one. A second try restores."""
    folder, renames, rename = make_rounds(tmp_path / "data", 2), iter(range(cut)), Path.rename

    def cut_rename(path, target):
        if next(renames, None) is None:
            raise CutError
        return rename(path, target)

    with monkeypatch.context() as patch, suppress(CutError), open(backup, "rb") as source:
        patch.setattr(Path, "rename", cut_rename)
        restoring.restore_journal(source.fileno(), folder)
    assert count_rounds(folder)[0] in (2, 5)
    assert run_restore(folder, backup, capsys)[0] == 0
    assert count_rounds(folder) == (5, "")

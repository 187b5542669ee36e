"""`companion backup`: everything that can be put back, nothing else; and no damaged or hostile file stops it."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from short_rounds import count_rounds, make_rounds, play_round

from companion.__main__ import main
from companion.config import load_config
from companion.settings_file import load_settings, save_settings, with_chosen_settings
from companion.store.backup_files import open_backup, write_backup
from companion.store.data_folder import lock_folder
from companion.store.store import Store

CHOSEN = {("display", "brightness"): 31, ("table", "lock"): "2718"}
PULLS = 50
PATIENCE_SECONDS = 120.0


@pytest.fixture
def stick(tmp_path) -> Path:
    (tmp_path / "stick").mkdir()
    return tmp_path / "stick"


@pytest.fixture
def folder(tmp_path) -> Path:
    """A data folder with two rounds, settings, and a phone that was let in."""
    save_settings(make_rounds(tmp_path / "data", 2), CHOSEN)
    (tmp_path / "data/phones.json").write_text('{"secret": "0123456789abcdef"}')
    return tmp_path / "data"


def run(capsys, *words: object) -> tuple[int, str, str]:
    status = main([str(word) for word in words])
    return status, *capsys.readouterr()


def test_rounds_and_settings_are_put_back_on_another_box(folder, stick, tmp_path, capsys):
    """The table may be running while it is written; a later backup is a file of its own, and the newest one counts."""
    lock = lock_folder(folder)
    status, said, _ = run(capsys, "backup", "--data", folder, stick)
    os.close(lock)
    assert (status, said.startswith("companion-backup-1.zip\n2 rounds, ")) == (0, True)
    with closing(Store(folder)) as store:
        play_round(store, 3)
    assert run(capsys, "backup", "--data", folder, stick)[1].startswith("companion-backup-2.zip\n3 rounds, ")
    assert run(capsys, "backup", "--newest", "--data", folder, stick)[1].startswith("companion-backup-2.zip\n")
    other = make_rounds(tmp_path / "other", 1)
    save_settings(other, {("display", "shift"): False})
    assert run(capsys, "restore", "--data", other, stick)[0] == 0
    assert (count_rounds(other), load_settings(other)) == ((3, ""), CHOSEN)
    assert load_settings(other / "replaced-1") == {("display", "shift"): False}
    new_box = tmp_path / "new"
    assert run(capsys, "restore", "--data", new_box, stick / "companion-backup-1.zip")[0] == 0
    assert (count_rounds(new_box), load_settings(new_box)) == ((2, ""), CHOSEN)
    assert with_chosen_settings(load_config(None), load_settings(new_box)).display.brightness == 31


def test_nothing_is_in_a_backup_that_is_not_in_the_two_files(folder, stick):
    """So no secret of a phone, a club or a network is."""
    with zipfile.ZipFile(stick / write_backup(folder, stick)) as archive:
        assert archive.namelist() == ["rounds.journal", "settings.toml"]
        for name in archive.namelist():
            assert {*archive.read(name).splitlines()} <= {*(folder / name).read_bytes().splitlines()}
    assert sorted(os.listdir(stick)) == ["companion-backup-1.zip"]


def spoil(file: Path, kind: str, tmp_path: Path) -> None:
    data = bytearray(file.read_bytes())
    if kind == "cut":
        data = data[: len(data) // 2]
    elif kind == "a wrong bit":
        data[len(data) // 3] ^= 4
    elif kind == "empty":
        data = bytearray()
    file.unlink()
    if kind in ("a link", "a folder"):
        file.mkdir() if kind == "a folder" else file.symlink_to(tmp_path / "data/rounds.journal")
        return
    if kind in ("no journal", "no rounds", "too large"):
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("settings.toml", "#" * 300_000 if kind == "too large" else "")
            if kind != "no journal":
                archive.writestr("rounds.journal", "" if kind == "no rounds" else "x")
        return
    file.write_bytes(data)


@pytest.mark.parametrize(
    "kind", ["cut", "a wrong bit", "empty", "a link", "a folder", "no journal", "no rounds", "too large"]
)
def test_a_file_that_is_no_valid_backup_is_passed_over(folder, stick, tmp_path, capsys, kind):
    """The one before is put back; alone, it is refused in one sentence, and nothing changes."""
    write_backup(folder, stick)
    newest = stick / write_backup(folder, stick)
    spoil(newest, kind, tmp_path)
    assert run(capsys, "backup", "--newest", "--data", folder, stick)[1].startswith("companion-backup-1.zip\n")
    before = (folder / "rounds.journal").read_bytes()
    status, said, why = run(capsys, "restore", "--data", folder, newest)
    assert (status, said, why.count("\n")) == (2, "", 1)
    assert (folder / "rounds.journal").read_bytes() == before
    (stick / "companion-backup-1.zip").unlink()
    for command in (["backup", "--newest"], ["restore"]):
        status, said, why = run(capsys, *command, "--data", folder, stick)
        assert (status, said, why.count("\n")) == (2, "", 1)
    assert (folder / "rounds.journal").read_bytes() == before


def test_settings_that_cannot_be_used_are_refused(folder, stick, capsys):
    with zipfile.ZipFile(stick / "companion-backup-1.zip", "w") as archive:
        archive.write(folder / "rounds.journal", "rounds.journal")
        archive.writestr("settings.toml", "[display]\nbrightness = 1000\n")
    status, _, why = run(capsys, "restore", "--data", folder, stick)
    assert status == 2
    assert "brightness" in why
    assert load_settings(folder) == CHOSEN


def test_a_box_without_rounds_has_no_backup(tmp_path, stick, capsys):
    (tmp_path / "data").mkdir()
    assert run(capsys, "backup", "--data", tmp_path / "data", stick)[:2] == (2, "")


def start(command: str, folder: Path, disk: Path) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "companion", command, "--data", folder, disk]
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def seconds_of(command: str, folder: Path, disk: Path) -> float:
    began = time.monotonic()
    assert start(command, folder, disk).wait(PATIENCE_SECONDS) == 0
    return time.monotonic() - began


def valid_backups(disk: Path, scratch: Path) -> dict[str, int]:
    """The number of rounds in each backup on a disk; all of them must be valid."""
    found = {}
    for file in disk.glob("*.zip"):
        backup = open_backup(file, scratch)
        os.close(backup.journal)
        found[file.name] = backup.round_count
    return found


@pytest.mark.drill
@pytest.mark.timeout(1200)
def test_a_stick_that_is_pulled_fifty_times_loses_nothing(folder, sticks, tmp_path):
    """At any moment of a backup, or of putting one back: the box has the rounds that it had, or those of the backup as
    a whole, and every backup that was complete is on the stick, once its file system is checked.
    """
    stick, chance = sticks(), random.Random(57)
    stick.put_in()
    seconds = {name: seconds_of(name, folder, stick.where) for name in ("backup", "restore")}
    backups, failures = valid_backups(stick.where, tmp_path), 0
    for _ in range(PULLS):
        with closing(Store(folder)) as store:
            played = len(store.round_numbers()) + 1
            play_round(store, played)
        name = chance.choice(["backup", "backup", "restore"])
        process = start(name, folder, stick.where)
        time.sleep(chance.uniform(0.3, 1.1) * seconds[name])
        stick.break_down()
        was_cut = process.wait(PATIENCE_SECONDS) != 0
        failures += was_cut
        seconds[name] *= 1.15 if was_cut else 0.85  # So that half of them are cut, however busy the machine gets.
        stick.put_back()
        found = valid_backups(stick.where, tmp_path)
        assert found.items() >= backups.items()
        assert name == "backup" or found == backups
        backups = found
        newest = max(backups, key=lambda each: int(each.split("-")[2].split(".")[0]))
        assert count_rounds(folder) in ((played, ""), (backups[newest], ""))
        assert load_settings(folder) == CHOSEN
    assert failures >= PULLS // 4, "the pulls came too late to mean anything"
    assert len(backups) >= PULLS // 10

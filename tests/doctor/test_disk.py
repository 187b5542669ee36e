"""The data folder: room, writing, rounds, the running table."""

import errno
import os
import shutil
import subprocess
from collections import namedtuple

import pytest

from companion.doctor import disk
from companion.rounds.stored import LogEntry, RoundHeader
from companion.store.store import Store

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")


def test_a_folder_without_faults(tmp_path, monkeypatch):
    """A block is written and deleted again."""
    monkeypatch.setattr(disk, "SLOW_WRITE_SECONDS", 60.0)  # Beside other programs that write it may take seconds.
    found = disk.check_free_space(tmp_path)
    assert (found.about, found.state) == ("disk", "ok")
    assert f"free in {tmp_path}; a write took" in found.text
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_does_not_exist_yet(tmp_path, monkeypatch):
    """The first start creates it, if it may; a file in its place is reported."""
    assert disk.check_free_space(tmp_path / "a" / "b").text == f"{tmp_path}/a/b will be created at the first start."
    (tmp_path / "file").touch()
    assert disk.check_free_space(tmp_path / "file").state == "do"
    monkeypatch.setattr(disk.os, "access", lambda *_: False)
    found = disk.check_free_space(tmp_path / "a")
    assert found.state == "do"
    assert f"may not write in {tmp_path}" in found.text
    assert not (tmp_path / "a").exists()


@pytest.fixture
def small_disk(tmp_path):
    """A real file system of one megabyte."""
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", tmp_path], timeout=60, check=False)
    if mounted.returncode:
        pytest.skip("nothing can be mounted here")
    yield tmp_path
    subprocess.run(["umount", tmp_path], timeout=60, check=True)


@needs_root
def test_a_small_and_a_full_disk(small_disk):
    """Little room is reported before there is none, and a full disk is reported as full."""
    assert disk.check_free_space(small_disk).text.startswith("Only 1 MB free in")
    with pytest.raises(OSError, match="No space"):
        (small_disk / "filler").write_bytes(bytes(2**21))
    found = disk.check_free_space(small_disk)
    assert found.state == "do"
    assert found.text == f"The disk is full: delete something to make room in {small_disk}."


@needs_root
def test_a_disk_that_can_only_be_read(small_disk):
    """A card that the kernel has made read-only is reported as such."""
    subprocess.run(["mount", "-o", "remount,ro", small_disk], timeout=60, check=True)
    assert "is read-only" in disk.check_free_space(small_disk).text


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.EACCES, "No permission to write in"), (errno.EIO, "check the card"), (errno.EDQUOT, "The disk is full")],
)
def test_why_it_cannot_be_written(tmp_path, monkeypatch, number, words):
    """Missing permission names the folder's group; another failure names the card."""

    def fail(*_, **__):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(disk.tempfile, "TemporaryFile", fail)
    found = disk.check_free_space(tmp_path)
    assert found.state == "do"
    assert words in found.text
    if number == errno.EACCES:
        assert f"usermod -aG {tmp_path.group()} " in found.text


def test_a_slow_card(tmp_path, monkeypatch):
    """A write of more than a second is reported, with how to save the rounds."""
    monkeypatch.setattr(disk, "time_write", lambda _: 2.34)
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(0, 0, 2**33))
    assert disk.check_free_space(tmp_path).text.startswith("Slow: a write took 2.3 s.")


def test_rounds(tmp_path):
    """The rounds are counted, and the newest one's start is returned, also beside a running table."""
    assert disk.check_rounds(tmp_path)[0].state == "note"
    store = Store(tmp_path)
    store.write_entries([LogEntry(1, "begin", header=RoundHeader("27", (("variant", "basic"),), ("Ann", "Ben")))])
    found, newest, _ = disk.check_rounds(tmp_path)
    assert found.text == "1 round is saved."
    assert newest == store.round_start_time(1) != ""
    store.close()
    (tmp_path / "rounds.journal").write_bytes(b"no journal at all" * 100)
    assert "damaged" in disk.check_rounds(tmp_path)[0].text


def test_rounds_that_may_not_be_read(tmp_path, monkeypatch):
    """A folder that this user may not read is reported with its group, and not taken for an empty one."""
    monkeypatch.setattr(disk.os, "access", lambda *_: False)
    found, newest, _ = disk.check_rounds(tmp_path)
    assert (found.state, newest) == ("do", "")
    assert f"The rounds cannot be read: run `sudo usermod -aG {tmp_path.group()} $USER`" in found.text


@needs_root
def test_a_folder_behind_one_that_may_not_be_entered(tmp_path):
    """A closed path to the folder gives a sentence and no error."""
    closed = tmp_path / "closed"
    (closed / "data").mkdir(parents=True)
    closed.chmod(0o700)
    tmp_path.chmod(0o755)
    os.seteuid(65534)
    try:
        found = disk.check_free_space(closed / "data"), disk.check_rounds(closed / "data")[0]
    finally:
        os.seteuid(0)
    assert {finding.about for finding in found} == {"disk", "rounds"}


def test_a_running_table_is_seen(tmp_path):
    """A folder with a running table is named.

    While the doctor has the lock, no table starts; nothing is left behind.
    """
    elsewhere = tmp_path / "elsewhere"
    with disk.keep_tables_from_starting((elsewhere, tmp_path)) as running:
        assert running is None
    assert list(tmp_path.iterdir()) == []
    store = Store(tmp_path)
    with disk.keep_tables_from_starting((elsewhere, tmp_path)) as running:
        assert running == tmp_path
    store.close()
    with disk.keep_tables_from_starting((tmp_path, tmp_path)) as running:
        assert running is None
        with pytest.raises(Exception, match="Another table is running"):
            Store(tmp_path)
    Store(tmp_path).close()


@pytest.mark.parametrize("active", [True, False])
def test_a_folder_that_may_not_be_looked_into(tmp_path, monkeypatch, active):
    """If the lock may not be read, the service manager knows whether the service is running."""

    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    asked = []
    monkeypatch.setattr(disk.os, "open", refuse)
    monkeypatch.setattr(disk.os.path, "isdir", lambda _: True)
    done = subprocess.CompletedProcess([], 0 if active else 3)
    monkeypatch.setattr(disk.subprocess, "run", lambda command, **_: asked.append(command) or done)
    with disk.keep_tables_from_starting((tmp_path,)) as running:
        assert running == (tmp_path if active else None)
    assert asked == [["systemctl", "is-active", "--quiet", "companion"]]


@pytest.mark.parametrize(
    ("line", "command", "lost"),
    [
        ("tmpfs {} tmpfs rw 0 0", "", True),
        ("/dev/root {} ext4 rw 0 0", "boot=overlay", False),
        ("overlay {} overlay rw,upperdir=/nowhere 0 0", "quiet boot=overlay", True),
        ("overlay {} overlay rw,upperdir=/nowhere 0 0", "overlayroot=tmpfs", True),
        ("overlay {} overlay rw,upperdir=/nowhere 0 0", "quiet", False),
    ],
)
def test_a_folder_in_memory_is_reported(tmp_path, monkeypatch, line, command, lost):
    """A root overlay as raspi-config sets it up, and a tmpfs, lose all rounds; a container's overlay does not."""
    mounts, started = tmp_path / "mounts", tmp_path / "cmdline"
    mounts.write_text(f"/dev/root / ext4 rw 0 0\n{line.format(tmp_path)}\n")
    started.write_text(command)
    monkeypatch.setattr(disk, "MOUNTS_FILE", mounts)
    monkeypatch.setattr(disk, "KERNEL_COMMAND_FILE", started)
    found = disk.check_permanence(tmp_path)
    assert (found is not None) == lost
    assert found is None or found.state == "do"
    mounts.unlink()
    assert disk.check_permanence(tmp_path) is None


def test_an_empty_store_is_reported_as_empty(tmp_path):
    """ "No round" is a sentence of its own, since the plural for 0 differs between languages, as in French."""
    Store(tmp_path).close()
    assert disk.check_rounds(tmp_path)[0].text == f"No rounds are saved in {tmp_path} yet."

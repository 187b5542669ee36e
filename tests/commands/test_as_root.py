"""Root is not tricked: whoever may write to the rounds' folder gains nothing by what they put there."""

from __future__ import annotations

import json
import os
import pwd
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import pytest
from examples import first_cases_fast

from companion.__main__ import main
from companion.store.data_folder import lock_folder
from companion.store.errors import StoreError
from companion.store.store import Store

OWNER, GROUP = 4711, 4712
ROUND = "companion-record: 1\ngame: 27\nplayers: Ann, Ben\n1: 1x1\n"
TRAPS = ("table.lock", "rounds.journal", "rounds.db", "rounds.journal-2", "rounds.db-wal", "rounds.db-shm",
         "rounds.sums")  # fmt: skip


@contextmanager
def shared_folder():
    """A folder that belongs to a user and group of its own, as the service's does; a record and a secret are beside it.

    The folder is not under tmp_path, which only root may enter.
    """
    with tempfile.TemporaryDirectory(prefix="companion-") as name:
        os.chmod(name, 0o755)
        shared = Path(name) / "data"
        shared.mkdir()
        os.chown(shared, OWNER, GROUP)
        shared.chmod(0o2770)
        (shared.parent / "one.tcr").write_text(ROUND)
        (shared.parent / "secret").write_text("root's own\n")
        (shared.parent / "secret").chmod(0o600)
        yield shared


@pytest.fixture
def rounds_folder():
    """An empty folder for rounds."""
    if os.geteuid() != 0:
        pytest.skip("only root can be led by the nose")
    with shared_folder() as shared:
        yield shared


@pytest.fixture(scope="module")
def imported_rounds():
    """A folder into which root has imported a round; tests copy it and never change it."""
    if os.geteuid() != 0:
        pytest.skip("only root can be led by the nose")
    with shared_folder() as shared:
        assert run_command("import", shared.parent / "one.tcr", "--data", shared).returncode == 0
        yield shared


def copy_rounds(rounds: Path, to: Path) -> None:
    """Copy a folder of rounds with the owner and mode of everything in it."""
    shutil.copytree(rounds, to, dirs_exist_ok=True)
    for path in [to, *to.iterdir()]:
        os.chown(path, OWNER, GROUP)


def run_command(*arguments: object) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-m", "companion", *map(str, arguments)]
    return subprocess.run(call, capture_output=True, text=True, timeout=60, check=False)


MANY_COMMANDS_PROGRAM = """
import sys, json
from companion.__main__ import main

for words in json.loads(sys.argv[1]):
    print("status", main(words), file=sys.stderr)
"""


def run_commands(folders: list[Path], *commands: list[object]) -> str:
    """Run several commands on each folder in one process, to start Python only once. Returns their standard error."""
    calls = [[*map(str, command), "--data", str(folder)] for folder in folders for command in commands]
    call = [sys.executable, "-c", MANY_COMMANDS_PROGRAM, json.dumps(calls)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_root_leaves_files_that_the_owner_can_use(rounds_folder):
    """The files of root's import belong to the folder's owner and are shared with its group."""
    done = run_command("import", rounds_folder.parent / "one.tcr", "--data", rounds_folder)
    assert (done.returncode, done.stderr) == (0, "")
    for file in rounds_folder.iterdir():
        status = file.stat()
        assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (OWNER, GROUP, 0o660), file


@pytest.mark.parametrize("trap", first_cases_fast(3, TRAPS))
@pytest.mark.parametrize("kept", first_cases_fast(1, [True, False]))
def test_a_link_in_place_of_a_file_reveals_nothing(rounds_folder, imported_rounds, trap, kept):
    """The link's target keeps its owner, mode and text, and is not created if it is missing."""
    other = rounds_folder.with_name("other")
    other.mkdir()
    os.chown(other, OWNER, GROUP)
    other.chmod(0o2770)
    for each, target in ((rounds_folder, "secret"), (other, "nowhere")):
        if kept:
            copy_rounds(imported_rounds, each)
        (each / trap).unlink(missing_ok=True)
        (each / trap).symlink_to(rounds_folder.parent / target)
    record = rounds_folder.parent / "one.tcr"
    errors = run_commands([rounds_folder, other], ["import", record], ["players", "rename", "Ann", "Eve"], ["history"])
    assert tuple(re.findall(r"^status (.*)$", errors, re.M)) in product("02", repeat=6)
    secret = rounds_folder.parent / "secret"
    status = secret.stat()
    assert (status.st_uid, stat.S_IMODE(status.st_mode)) == (0, 0o600)
    assert secret.read_text() == "root's own\n"
    assert not (rounds_folder.parent / "nowhere").exists()


@pytest.mark.parametrize("trap", first_cases_fast(3, TRAPS))
def test_a_pipe_in_place_of_a_file_is_not_waited_for(rounds_folder, imported_rounds, trap):
    """Each command ends with a sentence, or works without that file."""
    copy_rounds(imported_rounds, rounds_folder)
    (rounds_folder / trap).unlink(missing_ok=True)
    os.mkfifo(rounds_folder / trap)
    os.chown(rounds_folder / trap, OWNER, GROUP)
    errors = run_commands([rounds_folder], ["history"], ["import", rounds_folder.parent / "one.tcr"])
    for told, status in re.findall(r"((?:.*\n)*?)status (.*)\n", errors):
        assert status in ("0", "2")
        assert told.count("\n") == (status == "2") or "imported" in told or "nothing is lost" in told, told


@pytest.mark.parametrize("mode", [0o644, 0o600])
def test_a_journal_that_root_copied_is_usable(rounds_folder, imported_rounds, mode):
    """J3: a restored file may not belong to the table; what the table may not read is set aside."""
    shutil.copyfile(imported_rounds / "rounds.journal", rounds_folder / "rounds.journal")
    (rounds_folder / "rounds.journal").chmod(mode)
    errors = run_commands([rounds_folder], ["history", "--json"], ["import", rounds_folder.parent / "one.tcr"])
    assert errors.endswith("status 0\n")
    aside = rounds_folder / "rounds.journal.damaged-1"
    assert aside.exists() == (mode == 0o600)
    if aside.exists():
        os.chown(aside, OWNER, GROUP)
        assert run_command("rescue", aside, "--data", rounds_folder).returncode == 0
    assert len(json.loads(run_command("history", "--json", "--data", rounds_folder).stdout)) == 1
    assert (rounds_folder / "rounds.journal").stat().st_uid == OWNER


def test_what_root_restores_belongs_to_the_table(rounds_folder, imported_rounds):
    """J3: also what root copied there itself, which the table cannot read; links there are moved, never followed."""
    shutil.copyfile(imported_rounds / "rounds.journal", rounds_folder / "rounds.journal")
    (rounds_folder / "rounds.journal").chmod(0o600)
    (rounds_folder / "rounds.db").symlink_to(rounds_folder.parent / "secret")
    result = run_command("restore", "--data", rounds_folder, rounds_folder / "rounds.journal")
    assert (result.returncode, result.stderr) == (0, "")
    assert {path.stat().st_uid for path in rounds_folder.iterdir()} == {OWNER}
    assert (rounds_folder / "rounds.journal").stat().st_mode & 0o777 == 0o660
    assert (rounds_folder.parent / "secret").read_text() == "root's own\n"
    assert (rounds_folder / "replaced-1" / "rounds.db").is_symlink()
    assert len(json.loads(run_command("history", "--json", "--data", rounds_folder).stdout)) == 1


def test_root_restores_for_the_service_whose_folder_is_gone(imported_rounds, tmp_path, monkeypatch):
    """Not for itself."""
    if os.geteuid() != 0:
        pytest.skip("needs root")
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        monkeypatch.setattr("companion.config.SYSTEM_DATA", Path(name) / "companion")
        monkeypatch.setattr("companion.commands.restore.SYSTEMD_FOLDER", tmp_path / "none")
        monkeypatch.setattr("pwd.getpwnam", lambda user: pwd.struct_passwd((user, "", OWNER, GROUP, "", "", "")))
        assert main(["restore", str(imported_rounds / "rounds.journal")]) == 0
        status = (Path(name) / "companion").stat()
        assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (OWNER, GROUP, 0o2770)
        assert (Path(name) / "companion" / "rounds.journal").stat().st_uid == OWNER


def test_root_reads_records_and_writes_exports_with_its_own_rights(rounds_folder):
    """Only the store is used with its owner's rights."""
    closed = rounds_folder.parent / "closed"
    closed.mkdir(mode=0o700)
    shutil.move(rounds_folder.parent / "one.tcr", closed / "one.tcr")
    assert run_command("import", closed, "--data", rounds_folder).returncode == 0
    assert run_command("export", "--all", closed / "out", "--data", rounds_folder).returncode == 0
    assert (closed / "out" / "000001-27.tcr").stat().st_uid == 0


@pytest.mark.parametrize("made", [os.mkfifo, os.mkdir, lambda path: os.link(path.parent.parent / "one.tcr", path)])
def test_a_lock_that_is_no_plain_file_is_refused(rounds_folder, made):
    """A pipe, a folder or a hard link in the lock's place is refused in a sentence."""
    made(rounds_folder / "table.lock")
    os.chown(rounds_folder / "table.lock", OWNER, GROUP)
    done = run_command("import", rounds_folder.parent / "one.tcr", "--data", rounds_folder)
    assert done.returncode == 2
    assert done.stderr.startswith(f"companion: {rounds_folder}/table.lock is not an ordinary file")
    assert done.stderr.count("\n") == 1


def test_links_are_refused_as_lock_and_as_rounds(tmp_path):
    """For other users too: the link is named, and its target is unchanged."""
    (tmp_path / "other").write_text("something else")
    (tmp_path / "other").chmod(0o600)
    for name in ("table.lock", "rounds.journal", "rounds.journal-2", "rounds.db", "rounds.sums"):
        folder = tmp_path / f"with {name}"
        folder.mkdir()
        (folder / name).symlink_to(tmp_path / "other")
        if name == "table.lock":
            with pytest.raises(StoreError, match=f"{name} is not an ordinary file"):
                Store(folder)
        else:
            Store(folder).close()
            assert not (folder / name).is_symlink()
    with pytest.raises(StoreError, match="not an ordinary file"):
        lock_folder(tmp_path / "with table.lock")
    assert stat.S_IMODE((tmp_path / "other").stat().st_mode) == 0o600
    assert (tmp_path / "other").read_text() == "something else"


def test_an_export_does_not_follow_links_in_its_folder(rounds_folder, imported_rounds):
    """A link in place of a record or its unfinished part is not followed, and a pipe not waited for."""
    copy_rounds(imported_rounds, rounds_folder)
    out = rounds_folder / "out"
    out.mkdir()
    (rounds_folder.parent / "empty").touch()
    (out / "000001-27.tcr").symlink_to(rounds_folder.parent / "empty")
    os.mkfifo(out / "000001-27-2.tcr")
    (out / ".000001-27-3.tcr.part").symlink_to(rounds_folder.parent / "empty")
    assert run_command("export", "--all", out, "--data", rounds_folder).returncode == 0
    assert (rounds_folder.parent / "empty").read_text() == ""
    assert (out / "000001-27-3.tcr").read_text().startswith("companion-record: 1\n")

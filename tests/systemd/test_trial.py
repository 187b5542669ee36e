"""The file of rounds around an upgrade, and the trial of a version, without a service manager."""

from __future__ import annotations

import importlib.util
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from examples import fast_first

from companion.rounds.stored import LogEntry, RoundHeader
from companion.store.store import Store

SYSTEMD = Path(__file__).parent.parent.parent / "systemd"
TABLE = """#!/bin/sh
'''exec' "{python}" "$0"
'''
import os, socket, sys, time
def tell(text):
    channel.sendto(text, os.environ["NOTIFY_SOCKET"])
channel = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
{body}
"""
LIVES = 'tell(b"READY=1")\nwhile True: tell(b"WATCHDOG=1"); time.sleep(0.1)'


def script(name: str):
    spec = importlib.util.spec_from_file_location(name, SYSTEMD / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def rounds():
    return script("rounds")


@pytest.fixture
def trial(monkeypatch):
    """The trial with a short stay, and limits long enough for a busy machine."""
    module = script("trial")
    for name, seconds in (("STAY_SECONDS", 0.5), ("STOP_SECONDS", 60.0), ("WATCHDOG_SECONDS", 30)):
        monkeypatch.setattr(module, name, seconds)
    return module


def database(file: Path, version: int, text: str) -> None:
    db = sqlite3.connect(file)
    db.executescript(f"CREATE TABLE IF NOT EXISTS words (word); PRAGMA user_version = {version};")
    db.execute("INSERT INTO words VALUES (?)", (text,))
    db.commit()
    db.close()


def test_a_journal_is_version_6_and_is_what_is_copied(rounds, tmp_path, capsys):
    """With a journal the trial gets a copy of both files, of which one may be damaged, and not of the old database."""
    (tmp_path / "data").mkdir()
    (tmp_path / "copy").mkdir()
    database(tmp_path / "data" / "rounds.db", 5, "old")
    assert rounds.main(["version", str(tmp_path / "data")]) == 0
    (tmp_path / "data" / "rounds.db").unlink()
    store = Store(tmp_path / "data")
    store.write([LogEntry(1, "begin", header=RoundHeader("27", (), ("Ann", "Ben"))), LogEntry(1, "event", 1, "1x1")])
    assert rounds.main(["version", str(tmp_path / "data")]) == 0
    assert capsys.readouterr().out == "5\n6\n"
    lines = tmp_path / "data" / "rounds.journal"
    lines.write_bytes(lines.read_bytes().replace(b"1x1", b"2x2"))
    assert rounds.main(["copy", str(tmp_path / "data"), str(tmp_path / "copy")]) == 0
    copy = Store(tmp_path / "copy")
    assert copy.round(1) == store.round(1)
    copy.close()
    store.close()


def test_going_back_from_a_journal_leaves_everything_where_it_is(rounds, tmp_path):
    """The older version finds its database as it was left; what was played since is told, and stays."""
    database(tmp_path / "rounds.db", 5, "old")
    (tmp_path / "rounds.journal").write_text("lines")
    before = (tmp_path / "rounds.db").read_bytes()
    said = rounds.back(tmp_path / "rounds.db", 5)
    assert said == (
        f"the rounds are as before the upgrade; {tmp_path / 'rounds.journal'} keeps what was played since, "
        "and the next upgrade has it"
    )
    assert (tmp_path / "rounds.db").read_bytes() == before
    assert (tmp_path / "rounds.journal").read_text() == "lines"
    assert rounds.back(tmp_path / "rounds.db", 6) == ""


def words(file: Path) -> list[str]:
    db = sqlite3.connect(file)
    found = [word for (word,) in db.execute("SELECT word FROM words")]
    db.close()
    return found


def test_back_to_the_copy(rounds, tmp_path):
    """The copy takes the place of the migrated file, which is kept with what was only in its log."""
    database(tmp_path / "rounds.db.before-5", 4, "old")
    database(tmp_path / "rounds.db", 6, "new")
    open_still = sqlite3.connect(tmp_path / "rounds.db")
    open_still.execute("PRAGMA journal_mode = WAL")
    open_still.execute("INSERT INTO words VALUES ('in the log')")
    open_still.commit()
    (tmp_path / "rounds.db-sums").write_text("of the newer file")
    said = rounds.back(tmp_path / "rounds.db", 4)
    open_still.close()
    assert str(tmp_path / "rounds.db.newer-1") in said
    assert words(tmp_path / "rounds.db") == ["old"]
    assert words(tmp_path / "rounds.db.newer-1") == ["new", "in the log"]
    assert (tmp_path / "rounds.db.newer-1-sums").exists()
    assert sorted(path.name for path in tmp_path.glob("rounds.db-*")) == []
    assert sorted(path.name for path in tmp_path.iterdir() if "before" in path.name) == []


@pytest.mark.parametrize("version", [3, 4])
def test_nothing_to_go_back_from(rounds, tmp_path, version):
    """Rounds that no newer program has changed stay as they are, also beside an older copy."""
    database(tmp_path / "rounds.db.before-5", 4, "old")
    database(tmp_path / "rounds.db", version, "now")
    assert rounds.back(tmp_path / "rounds.db", 4) == ""
    assert words(tmp_path / "rounds.db") == ["now"]
    assert rounds.back(tmp_path / "none.db", 4) == ""


def test_without_a_copy_the_rounds_stay(rounds, tmp_path, capsys):
    """Migrated rounds are never taken away where nothing can take their place."""
    database(tmp_path / "rounds.db", 6, "new")
    assert rounds.main(["back", str(tmp_path), "4"]) == 1
    assert "rounds.db.before-5" in capsys.readouterr().err
    assert words(tmp_path / "rounds.db") == ["new"]


@pytest.mark.parametrize(
    "trick", [os.mkfifo, lambda path: path.symlink_to("/dev/null"), Path.mkdir], ids=["pipe", "link", "folder"]
)
@pytest.mark.parametrize("part", fast_first(1, ["", "-wal", "-shm", "-journal"]))
@pytest.mark.parametrize("words", [("version",), ("copy", "elsewhere"), ("back", "4")])
def test_what_is_no_file_is_refused_at_once(tmp_path, words, part, trick):
    """A pipe, link or folder in the place of the rounds, or of a file beside them, is named; nobody waits for it."""
    (tmp_path / "elsewhere").mkdir()
    database(tmp_path / "rounds.db", 6, "new")
    database(tmp_path / "rounds.db.before-5", 4, "old")
    path = tmp_path / f"rounds.db{part}"
    path.unlink(missing_ok=True)
    trick(path)
    command = [sys.executable, "-I", SYSTEMD / "rounds.py", words[0], tmp_path, *words[1:]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"companion: the rounds in {tmp_path}: {path} is not a regular file\n"
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("trick", [os.mkfifo, lambda path: path.symlink_to("/dev/null")], ids=["pipe", "link"])
@pytest.mark.parametrize("name", fast_first(1, ["rounds.journal", "rounds.journal-2"]))
@pytest.mark.parametrize("words", [("version",), ("copy", "elsewhere"), ("back", "4")])
def test_what_is_no_journal_is_refused_at_once(tmp_path, words, name, trick):
    """So is what lies in the place of a file of the journal."""
    (tmp_path / "elsewhere").mkdir()
    trick(tmp_path / name)
    command = [sys.executable, "-I", SYSTEMD / "rounds.py", words[0], tmp_path, *words[1:]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"companion: the rounds in {tmp_path}: {tmp_path / name} is not a regular file\n"
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_pipe_never_becomes_the_rounds(rounds, tmp_path, capsys):
    """Where the copy that was made before a migration is no file, the migrated rounds stay."""
    database(tmp_path / "rounds.db", 6, "new")
    os.mkfifo(tmp_path / "rounds.db.before-5")
    assert rounds.main(["back", str(tmp_path), "4"]) == 1
    assert "rounds.db.before-5 is not a regular file" in capsys.readouterr().err
    assert words(tmp_path / "rounds.db") == ["new"]


def test_a_copy_beside_a_running_table(rounds, tmp_path, capsys):
    """The copy of a store that is open opens as a store, in the same version of the tables."""
    (tmp_path / "copy").mkdir()
    store = Store(tmp_path / "data")
    assert rounds.main(["copy", str(tmp_path / "data"), str(tmp_path / "copy")]) == 0
    assert rounds.main(["version", str(tmp_path / "data")]) == 0
    assert rounds.main(["version", str(tmp_path / "copy")]) == 0
    store.close()
    versions = capsys.readouterr().out.split()
    assert versions[0] == versions[1] != "0"
    Store(tmp_path / "copy").close()


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (LIVES, "it ends by itself, with the exit status -15"),
        (f"import signal\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(0))\n{LIVES}", ""),
        ("raise ValueError", "it ends by itself, with the exit status 1"),
        ('tell(b"READY=1")\nsys.exit(0)', "it ends by itself, with the exit status 0"),
        pytest.param('tell(b"READY=1")\ntime.sleep(100)', "it hangs after its start", marks=pytest.mark.drill),
        pytest.param("time.sleep(100)", "it does not get ready in 3 seconds", marks=pytest.mark.drill),
    ],
)
def test_what_a_trial_finds(trial, tmp_path, monkeypatch, capsys, body, fault):
    """A program passes only if it gets ready, stays, feeds the watchdog, and stops when it is told to."""
    program = tmp_path / "table"
    program.write_text(TABLE.format(python=sys.executable, body=body))
    program.chmod(0o755)
    if "ready" in fault:
        monkeypatch.setattr(trial, "READY_SECONDS", 3.0)
    if "hangs" in fault:
        monkeypatch.setattr(trial, "WATCHDOG_SECONDS", 1)
    assert trial.main(str(program), str(tmp_path)) == bool(fault)
    assert capsys.readouterr().err.endswith(f"{fault}\n" if fault else "")


@pytest.mark.drill
def test_this_version_passes_its_trial(trial, tmp_path, monkeypatch):
    """The program itself, on a copy of a store that is in use, and without devices."""
    monkeypatch.setattr(trial, "WATCHDOG_SECONDS", 12)  # Twice in this time it says that it lives.
    (tmp_path / "copy").mkdir()
    store = Store(tmp_path / "data")
    program = Path(sys.executable).parent / "companion"
    assert script("rounds").main(["copy", str(tmp_path / "data"), str(tmp_path / "copy")]) == 0
    assert trial.main(os.fspath(program), str(tmp_path / "copy")) == 0
    store.close()

"""The trial of a version on a copy of the rounds, without a service manager."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from examples import first_cases_fast

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
def trial(monkeypatch):
    """The trial with a short stay, and limits long enough for a busy machine."""
    module = script("trial")
    for name, seconds in (("STAY_SECONDS", 0.5), ("STOP_SECONDS", 60.0), ("WATCHDOG_SECONDS", 30)):
        monkeypatch.setattr(module, name, seconds)
    return module


def test_both_files_of_the_journal_are_copied_beside_a_running_table(trial, tmp_path):
    """The copy opens as a store, also if one of the files is damaged."""
    (tmp_path / "copy").mkdir()
    store = Store(tmp_path / "data")
    store.write_entries(
        [LogEntry(1, "begin", header=RoundHeader("27", (), ("Ann", "Ben"))), LogEntry(1, "event", 1, "1x1")]
    )
    lines = tmp_path / "data" / "rounds.journal"
    lines.write_bytes(lines.read_bytes().replace(b"1x1", b"2x2"))
    assert trial.main("copy", str(tmp_path / "data"), str(tmp_path / "copy")) == 0
    copy = Store(tmp_path / "copy")
    assert copy.load_round(1) == store.load_round(1)
    copy.close()
    store.close()


@pytest.mark.parametrize("trick", [os.mkfifo, lambda path: path.symlink_to("/dev/null")], ids=["pipe", "link"])
@pytest.mark.parametrize("name", first_cases_fast(1, ["rounds.journal", "rounds.journal-2"]))
def test_what_is_no_journal_is_refused_at_once(tmp_path, name, trick):
    """A pipe or link in the place of the journal is named, and does not block."""
    (tmp_path / "elsewhere").mkdir()
    trick(tmp_path / name)
    command = [sys.executable, "-I", SYSTEMD / "trial.py", "copy", tmp_path, "elsewhere"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"companion: cannot copy the rounds in {tmp_path}: {tmp_path / name} is not a regular file\n"
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (LIVES, "it stops by itself, with exit status -15"),
        (f"import signal\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(0))\n{LIVES}", ""),
        ("raise ValueError", "it stops by itself, with exit status 1"),
        ('tell(b"READY=1")\nsys.exit(0)', "it stops by itself, with exit status 0"),
        pytest.param('tell(b"READY=1")\ntime.sleep(100)', "it hangs after starting", marks=pytest.mark.drill),
        pytest.param("time.sleep(100)", "it was not ready after 3 seconds", marks=pytest.mark.drill),
    ],
)
def test_what_a_trial_finds(trial, tmp_path, monkeypatch, capsys, body, fault):
    """A program passes only if it gets ready, keeps running, feeds the watchdog, and stops when told to."""
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
    """The program itself, on a copy of a store in use, and without devices."""
    monkeypatch.setattr(trial, "WATCHDOG_SECONDS", 12)  # Twice in this time it says that it lives.
    (tmp_path / "copy").mkdir()
    store = Store(tmp_path / "data")
    program = Path(sys.executable).parent / "companion"
    assert trial.main("copy", str(tmp_path / "data"), str(tmp_path / "copy")) == 0
    assert trial.main(os.fspath(program), str(tmp_path / "copy")) == 0
    store.close()

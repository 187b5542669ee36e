"""A disk that fills up while something is written: one sentence, nothing lost, and no half file."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from companion.__main__ import main

RECORDS = Path(__file__).parent.parent / "records"
PATIENCE_SECONDS = 60


@pytest.fixture
def run_command(tmp_path, capsys):
    """Returns a function that runs a command on a folder with the sample records: exit status, standard error."""
    main(["import", str(RECORDS), "--data", str(tmp_path / "data")])
    capsys.readouterr()

    def command(*arguments: object) -> tuple[int, str]:
        status = main([*map(str, arguments), "--data", str(tmp_path / "data")])
        return status, capsys.readouterr().err

    return command


def test_a_full_disk_during_an_export(run_command, small_disk, tmp_path):
    """On disks of every size each file is complete, and the first without room is named."""
    assert run_command("export", "--reveal", "--all", tmp_path / "whole")[0] == 0
    whole = {file.name: file.read_bytes() for file in (tmp_path / "whole").iterdir()}
    refusals = 0
    for kib in range(8, 128, 12):
        where = small_disk(kib)
        status, complaint = run_command("export", "--reveal", "--all", where)
        there = {file.name: file.read_bytes() for file in where.iterdir()}
        assert there.items() <= whole.items()
        if status:
            refusals += 1
            assert status == 2
            assert complaint.startswith(f"companion: cannot write {where}/0000")
            assert complaint.endswith(".tcr: No space left on device\n")
            subprocess.run(["mount", "-o", "remount,size=2m", where], timeout=PATIENCE_SECONDS, check=True)
            assert run_command("export", "--reveal", "--all", where)[0] == 0
        assert run_command("export", "--reveal", "--check", "--all", where)[0] == 0
    assert refusals > 2, "no disk was full: this proves nothing"


def test_a_full_disk_during_a_report(run_command, small_disk):
    """The old report stays, nothing is left beside it, and the file is named."""
    where = small_disk(64)
    file = where / "evening.md"
    file.write_text("yesterday's")
    (where / "ballast").write_bytes(bytes(60 * 1024))
    assert run_command("report", "-o", file) == (2, f"companion: cannot write {file}: No space left on device\n")
    assert file.read_text() == "yesterday's"
    assert sorted(os.listdir(where)) == ["ballast", file.name]
    (where / "ballast").unlink()
    subprocess.run(["mount", "-o", "remount,size=8m", where], timeout=PATIENCE_SECONDS, check=True)
    assert run_command("report", "-o", file)[0] == 0
    assert "yesterday's" not in file.read_text()


def test_a_full_disk_during_an_import(run_command, small_disk, tmp_path):
    """Stored rounds stay complete, and with room the rest is imported."""
    where = small_disk(256)
    done = main(["import", str(RECORDS), "--data", str(where)])
    assert done == 2
    subprocess.run(["mount", "-o", "remount,size=4m", where], timeout=PATIENCE_SECONDS, check=True)
    assert main(["import", str(RECORDS), "--data", str(where)]) == 1  # One of the sample records is invalid.
    assert main(["export", "--reveal", "--all", str(tmp_path / "out"), "--data", str(where)]) == 0
    assert len(os.listdir(tmp_path / "out")) == 25

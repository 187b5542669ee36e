"""The parts of the installer that need no service manager, with real files and without one."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

PARTS = Path(__file__).parents[2] / "systemd" / "parts"


@pytest.fixture
def shell(tmp_path: Path):
    """`shell(text, setpriv="…")`: what a script that includes all parts prints; a command is replaced by a script of
    ours.
    """

    def run(text: str, **commands: str) -> str:
        (tmp_path / "bin").mkdir()
        for name, script in commands.items():
            (tmp_path / "bin" / name).write_text(f"#!/bin/bash\n{script}\n")
            (tmp_path / "bin" / name).chmod(0o755)
        parts = f'for part in common versions; do . "{PARTS}"/$part.bash; done'
        script = f"set -euo pipefail; {parts}; warnings=0\n{text}"
        done = subprocess.run(
            ["bash", "-c", script],
            env={"PATH": f"{tmp_path}/bin:{os.environ['PATH']}"},
            cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout
        return done.stdout

    return run


AS_OURSELVES = 'while [[ $1 != -- ]]; do shift; done; exec "${@:2}"'
"""In place of `setpriv`: runs the command as whoever runs the test."""


def test_root_waits_for_nobody_without_limit(shell):
    """What is done as the service's user ends at its limit; before that, its own status counts."""
    said = shell("as_companion 1 sleep 3600 || echo ended $?; as_companion 3600 false || echo $?", setpriv=AS_OURSELVES)
    assert said == "ended 124\n1\n"


def test_cleaning_that_fails_stops_nothing(shell):
    """A unit that a version lacks is stopped even if its link cannot be removed, and the script goes on."""
    # Nobody, not even root, may remove a file of /proc.
    text = "booted() { true; }; UNITS=$PWD WANTED=/proc/self UNIT_FILES=(status stat); follow_units; echo goes on"
    said = shell(text, systemctl='echo "systemctl $*"; exit 5')
    assert said == "systemctl stop status\nsystemctl stop stat\ngoes on\n"


def test_leavings_that_stay_stop_nothing(shell, tmp_path):
    """Everything that a killed run has left is tried, and what cannot be removed ends no installation."""
    for name in ("env-1", "env-2", "env-3"):
        (tmp_path / name).mkdir()
    text = "HOME_OF_IT=$PWD UNITS=$PWD; ln -s env-2 current; remove_leavings; echo goes on"
    said = shell(text, rm='echo "rm ${*: -1}"; exit 1').splitlines()
    assert said[1:] == [f"rm {tmp_path}/env-1", f"rm {tmp_path}/env-3", "goes on"]


def test_the_way_back_begins_with_what_needs_room(shell):
    """On a full disk the table goes on, the rounds stay as they are, no link is changed, and that is reported."""
    text = """
        HOME_OF_IT=$PWD UNITS=$PWD/units; mkdir -p env-1/systemd; ln -s env-1 previous
        for each in "${UNIT_FILES[@]}"; do touch env-1/systemd/$each; done
        booted() { true; }
        switch_to() { echo switched; }
        as_companion() { echo the rounds were changed; }
        (go_back) || echo "ended with $?"
        ls -A units"""
    said = shell(text, install="echo no room; exit 1", systemctl='echo "systemctl $*"').splitlines()
    assert said[0] == "no room"
    assert said[1].startswith("companion: the previous version cannot be put back: see above.")
    assert said[2:] == ["ended with 1"]


def test_a_disk_that_keeps_nothing_does_not_stop_the_way_back(shell, tmp_path):
    """If files of the restored version cannot be synced, that is reported, and the script goes on to start it."""
    text = """
        HOME_OF_IT=$PWD; mkdir env-1; ln -s env-1 previous; ln -s env-1 .current; mkdir units; UNITS=$PWD/units
        booted() { false; }
        prepare_switch() { true; }
        as_companion() { true; }
        go_back
        readlink current"""
    said = shell(text, sync="exit 1").splitlines()
    assert said[-1] == "env-1"
    assert "companion: the disk reports that it could not save the changes" in said


HELD, AGAIN = "ActiveState=active\nMainPID=5", "ActiveState=active\nMainPID=6"
STARTING, FAILED = "ActiveState=activating\nMainPID=6", "ActiveState=failed\nMainPID=0"
STATES = {
    "holds": ([HELD], True),
    "is started anew, then holds": ([HELD, HELD, "ActiveState=activating\nMainPID=0", STARTING, AGAIN], True),
    "is another process, then holds": ([HELD, HELD, AGAIN], True),
    "ends for good": ([HELD, HELD, AGAIN, HELD, FAILED], False),
    "hangs at its next start": ([HELD, *[STARTING] * 15, FAILED], False),
    "has failed": ([FAILED], False),
    "was stopped": ([HELD, "ActiveState=inactive\nMainPID=0"], False),
}
"""What systemd says each second about a table, and whether that proves its version. The last state stays."""


@pytest.mark.parametrize("name", STATES)
def test_what_proves_a_version(shell, tmp_path, name):
    """Ten seconds of one process that is ready prove a version; nothing else does."""
    states, wanted = STATES[name]
    (tmp_path / "states").write_text("".join(f"{state}\n" for state in states))
    script = (PARTS.parent / "proven").read_text().partition('versions.bash"\n')[2]
    text = f"HOME_OF_IT=$PWD UNITS=$PWD; touch unproven\n({script})\n[[ ! -e unproven ]] || echo unproven"
    said = shell(
        text,
        systemctl="head -n 2 states; [[ $(wc -l <states) == 2 ]] || sed -i 1,2d states",
        sleep="true",
        flock="true",
    )
    assert said == ("companion: this version runs well, so it will be kept\n" if wanted else "unproven\n")


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (
            "--unproven",
            78,
            "companion: the table's settings cannot be used; another version would not help, so none is put back",
        ),
        ("--unproven", 1, "went back"),
        ("", 78, "went back"),
    ],
)
def test_no_version_is_put_back_by_itself_for_settings_that_cannot_be_used(shell, words, status, said):
    """A typo does not undo an interrupted upgrade, as another failure does; by hand any version may be put back."""
    script = (PARTS.parent / "back").read_text().partition("that this was called from.\n")[2]
    text = f"""
        HOME_OF_IT=$PWD; touch unproven; set -- {words}
        can_go_back() {{ true; }}
        go_back() {{ echo went back; exit 0; }}
        ({script})"""
    assert shell(text, systemctl=f"echo {status}", flock="true") == f"{said}\n"

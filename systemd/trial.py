"""Start a version of the table on a copy of the rounds, without devices: does it start, and does it keep running?

    trial.py copy ROUNDS FOLDER     copy the rounds, also beside a running table
    trial.py PROGRAM FOLDER         try the program on the copy; FOLDER gets its configuration

The program must say READY, then feed the watchdog for a few seconds, and end with status 0 when it is told to stop. The
exit status is 0 if it does all that; otherwise a sentence says what it did not do. Both commands run as the user
companion, by the system's Python, whatever state the program itself is in.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

JOURNAL_NAMES = ("rounds.journal", "rounds.journal-2")
DATABASE_NAME = "rounds.db"
READY_SECONDS = 60.0
"""Longer than the unit allows: a Pi Zero is slow, and reads a new program from its card for the first time."""
STAY_SECONDS = 3.0
STOP_SECONDS = 10.0
WATCHDOG_SECONDS = 2
NO_MESSAGE = "\0"
"""A message that no program sends."""
TRIAL_CONFIG = """
[display]
driver = "none"
[buttons]
board = "none"
"""


def copy_rounds(folder: Path, target: Path) -> None:
    """Copy the journal and the database. Raises OSError, also for links and pipes, which could block for ever.

    What one of them lacks is in the other. The database is copied first, since a running table writes the journal
    first.
    """
    journals = [folder / name for name in reversed(JOURNAL_NAMES) if os.path.lexists(folder / name)]
    database = folder / DATABASE_NAME
    if os.path.lexists(database) and stat.S_ISREG(os.lstat(database).st_mode):
        with (
            suppress(sqlite3.Error),
            closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as db,
            closing(sqlite3.connect(target / DATABASE_NAME)) as copy,
        ):
            db.backup(copy)
    files = [path for path in journals if stat.S_ISREG(os.lstat(path).st_mode)]
    if journals and not files:
        raise OSError(f"{journals[-1]} is not a regular file")
    for path in files:
        shutil.copyfile(path, target / path.name)


def find_fault(program: str, folder: Path) -> str:
    """What the program did not do; "" if it did everything."""
    (folder / "trial.toml").write_text(TRIAL_CONFIG)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel, (folder / "trial.log").open("wb") as log:
        channel.bind(str(folder / "notify"))
        table = subprocess.Popen(
            [program, "run", "--config", folder / "trial.toml", "--data", folder],
            cwd=folder,
            env={
                "PATH": os.environ["PATH"],
                "NOTIFY_SOCKET": str(folder / "notify"),
                "WATCHDOG_USEC": str(WATCHDOG_SECONDS * 1_000_000),
            },
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        try:
            return _find_fault_of_run(table, channel)
        finally:
            table.kill()
            table.wait()


def _find_fault_of_run(table: subprocess.Popen[bytes], channel: socket.socket) -> str:
    if not _wait_for_message(table, channel, "READY=1", READY_SECONDS):
        status = table.poll()
        return f"it was not ready after {READY_SECONDS:.0f} seconds" if status is None else _exit_text(status)
    end = time.monotonic() + STAY_SECONDS
    while time.monotonic() < end:
        if not _wait_for_message(table, channel, "WATCHDOG=1", 2.0 * WATCHDOG_SECONDS):
            status = table.poll()
            return "it hangs after starting" if status is None else _exit_text(status)
    table.send_signal(signal.SIGTERM)
    # Its further messages must be read, or they would block it.
    _wait_for_message(table, channel, NO_MESSAGE, STOP_SECONDS)
    status = table.poll()
    if status is None:
        return f"it does not stop within {STOP_SECONDS:.0f} seconds"
    return _exit_text(status) if status else ""


def _exit_text(status: int) -> str:
    return f"it stops by itself, with exit status {status}"


def _wait_for_message(table: subprocess.Popen[bytes], channel: socket.socket, message: str, seconds: float) -> bool:
    """Whether the program sends a message within some seconds, and is still running."""
    channel.settimeout(0.2)
    end = time.monotonic() + seconds
    while time.monotonic() < end and table.poll() is None:
        try:
            if message in channel.recv(4096).decode(errors="replace"):
                return True
        except TimeoutError:
            continue
    return False


def main(program: str, folder: str, target: str = "") -> int:
    """Copy the rounds in `folder`, or try the program there. Returns the exit status."""
    if program == "copy":
        try:
            copy_rounds(Path(folder), Path(target))
        except OSError as error:
            print(f"companion: cannot copy the rounds in {folder}: {error}", file=sys.stderr)
            return 1
        return 0
    fault = find_fault(program, Path(folder))
    if fault:
        print((Path(folder) / "trial.log").read_text(errors="replace")[-2000:], end="", file=sys.stderr)
        print(f"companion: the new version fails its test on a copy of the rounds: {fault}", file=sys.stderr)
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

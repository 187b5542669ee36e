"""What drills of several machines share: waiting for something, and a port that one of them has at a time."""

from __future__ import annotations

import fcntl
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 120.0
TURN = 900.0
"""Seconds until a port is free at the latest."""


def until(holds, seconds: float = PATIENCE):
    """What comes to hold, None where it does not in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := holds():
            return found
        time.sleep(0.1)
    return None


@contextmanager
def port_kept(number: int):
    """The machines share one network: this keeps a port for one of them."""
    with Path(tempfile.gettempdir(), f"companion-port-{number}").open("w") as file:

        def taken() -> bool:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

        assert until(taken, TURN)
        yield


def press(machine, keys: str) -> None:
    """Press keys, each where the box has been at rest for so long that no press is taken for a second tap."""
    panel = machine.root / "var/lib/companion/panel.png"
    for key in keys:
        seen: list[tuple[bytes, int]] = []
        end = time.monotonic() + PATIENCE
        while len(seen) < 3 or len({*seen[-3:]}) > 1:
            assert time.monotonic() < end, "the box is never at rest"
            seen.append((panel.read_bytes(), processor_time(machine)))
            time.sleep(0.5)
        machine.type(key)


def processor_time(machine) -> int:
    """Of the table's main process so far, in hundredths of a second."""
    fields = machine.run(f"cat /proc/{machine.show('MainPID')}/stat")[1].rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])

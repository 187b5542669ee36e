"""What drills with several machines share: waiting, and a port that only one machine has at a time."""

from __future__ import annotations

import fcntl
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from companion.evening.state_machine import SPLASH_SECONDS

PATIENCE_SECONDS = 120.0
PORT_WAIT_SECONDS = 900.0
"""Seconds after which a port must be free."""


def wait_until(condition, seconds: float = PATIENCE_SECONDS):
    """Wait until a function returns something true. Returns that, or None after `seconds`."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.1)
    return None


@contextmanager
def reserved_port(number: int):
    """Reserve a port for one of the machines, which share one network."""
    with Path(tempfile.gettempdir(), f"companion-port-{number}").open("w") as file:

        def try_lock() -> bool:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

        assert wait_until(try_lock, PORT_WAIT_SECONDS)
        yield


def wait_until_title_is_over(machine) -> None:
    """Wait until the panel has shown the same for longer than the title is on it: a press would only close that."""
    panel = machine.root / "var/lib/companion/panel.png"
    assert wait_until(lambda: panel.exists() and time.time() - panel.stat().st_mtime > SPLASH_SECONDS + 1)


def press_at_rest(machine, keys: str) -> None:
    """Press keys, each once the box has been at rest so long that no press is ignored as a double tap."""
    panel = machine.root / "var/lib/companion/panel.png"
    for key in keys:
        seen: list[tuple[bytes, int]] = []
        end = time.monotonic() + PATIENCE_SECONDS
        while len(seen) < 3 or len({*seen[-3:]}) > 1:
            assert time.monotonic() < end, "the box is never at rest"
            seen.append((panel.read_bytes(), processor_time(machine)))
            time.sleep(0.5)
        machine.type(key)


def processor_time(machine) -> int:
    """The processor time of the table's main process so far, in hundredths of a second."""
    fields = machine.run(f"cat /proc/{machine.show('MainPID')}/stat")[1].rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])

"""How often an idle table wakes up: context switches of `companion run` with panel, six buttons and keypad attached.

Run it as `python tests/benchmarks/idle.py [SECONDS]` (60). The program is the real one with the real libraries: the
panel is a model on the wire, the buttons are gpiozero's mock pins, the keypad is a pseudo-terminal. It is measured with
the unit's watchdog (30 s, so it is fed every 15) and without; within a minute the panel is dimmed once. The counts are
the kernel's own, of all threads, from /proc/PID/task/*/status; involuntary ones depend on what else runs.
"""

from __future__ import annotations

import importlib.util
import os
import socket
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

GOAL_SWITCHES = 30
SETTLE_SECONDS = 5.0


def load_helpers() -> Any:
    """The end-to-end tests' own module of helpers."""
    spec = importlib.util.spec_from_file_location("boxes", Path(__file__).parents[1] / "e2e" / "conftest.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["boxes"] = module
    spec.loader.exec_module(module)
    return module


def count_switches(helpers: Any, folder: Path, seconds: float, watchdog: bool) -> dict[str, tuple[int, int]]:
    """Voluntary and involuntary switches of each thread over so many seconds, by its name."""
    os.environ.pop("WATCHDOG_USEC", None)
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    channel.bind(str(folder / "notify"))
    if watchdog:
        os.environ["WATCHDOG_USEC"] = "30000000"
    os.environ["NOTIFY_SOCKET"] = str(folder / "notify")
    os.mkfifo(folder / "pins")
    box = helpers.Box(folder, "--game", "27", "--players", "Ann,Ben")
    try:
        box.start()
        box.press_buttons("right", "ok")
        box.type_keys("13")
        time.sleep(SETTLE_SECONDS)
        before = box.context_switches()
        time.sleep(seconds)
        after = box.context_switches()
    finally:
        box.close()
        channel.close()
    return {
        name: (counts[0] - before.get(name, (0, 0))[0], counts[1] - before.get(name, (0, 0))[1])
        for name, counts in after.items()
    }


def main() -> None:
    """Print a line for each thread, and the sum against the goal."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    helpers = load_helpers()
    for watchdog in (True, False):
        with tempfile.TemporaryDirectory() as folder:
            switches = count_switches(helpers, Path(folder), seconds, watchdog)
        total = sum(map(sum, switches.values()))
        print(
            f"{seconds:g} s, {'with' if watchdog else 'without'} the watchdog: {total} switches (goal {GOAL_SWITCHES})"
        )
        for name, (voluntary, forced) in sorted(switches.items()):
            print(f"  {name:12} {voluntary:4} voluntary {forced:4} not")


if __name__ == "__main__":
    main()

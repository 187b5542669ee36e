"""Sets the box's clock where no network does: hands the time to `companion-clock.service`, which alone may set it.

The table's own service may not: it has no rights of root. It writes the time to a file in its runtime folder, and the
unit `companion-clock.path` starts the service for it.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from companion.inputs import DeviceMissing
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.inputs import Input

WAIT_SECONDS = 5.0
"""How long the clock may take to be set."""


def start_setting_clock(local_time: str, put: Callable[[Input], object]) -> None:
    """Set the clock to a time such as ``2026-11-30 10:05`` in a thread. A banner reports what became of it."""
    threading.Thread(target=_set_clock, args=(local_time, put), name="clock", daemon=True).start()


def _set_clock(local_time: str, put: Callable[[Input], object]) -> None:
    folder = os.environ.get("RUNTIME_DIRECTORY", "")
    wanted = time.mktime(time.strptime(local_time, "%Y-%m-%d %H:%M"))
    with suppress(OSError):
        if folder:
            new = Path(folder, "clock.new")
            new.write_text(f"{local_time}\n")
            new.rename(new.with_suffix(""))
    end = time.monotonic() + WAIT_SECONDS
    while not wanted <= time.time() < wanted + 60 and folder and time.monotonic() < end:
        time.sleep(0.1)
    if wanted <= time.time() < wanted + 60 + WAIT_SECONDS:
        banner = text("The clock is set:\n{time}", time=local_time)
    else:
        banner = text("Clock not set:\nit needs the service")
    put(DeviceMissing("clock", banner, time.monotonic()))

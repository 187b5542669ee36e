"""Watches the devices' threads: restarts one that has ended, or reports that the program must be restarted."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from companion.inputs import DeviceLost, Tick

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.table.inputs import Inputs

NO_HELP = "only a restart of the program helps"
WORDS = {"panel": "Panel", "keypad": "Keypad", "buttons": "Buttons"}


class Threads(Protocol):
    """The owner of the threads: `hardware.devices.Devices`."""

    def revive(self) -> list[str]:
        """Restart the threads that have ended, if possible. Returns the names of their devices."""

    def dead(self) -> list[str]:
        """The names of devices whose threads have ended and cannot be restarted."""


class Health:
    """Restarts threads that have ended, and reports each on the panel and once in the journal.

    Args:
        threads: the devices, None for a table without any.
        inputs: gets banners for the panel and sentences for the journal.
        watched: whether a service manager restarts the program when it stops reporting that it is well.
    """

    def __init__(self, threads: Threads | None, inputs: Inputs, watched: bool) -> None:
        self._threads = threads
        self._inputs = inputs
        self._watched = watched
        self._reported: set[str] = set()
        self._reasons: dict[str, str] = {}

    def check(self) -> bool:
        """Restart what can be restarted. Returns whether all threads are running."""
        if self._threads is None:
            return True
        for name in self._threads.revive():
            self._tell(name, "program", "started anew", "it was started anew")
        dead = self._threads.dead()
        for name in sorted(set(dead) - self._reported):
            self._reported.add(name)
            self._inputs.missing[name] = f"{WORDS[name]} stopped: {NO_HELP}"
            self._tell(name, name, "the table restarts" if self._watched else "restart the table", NO_HELP)
        return not dead

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Within this context a thread that ends by an exception is reported in one sentence and wakes the loop."""
        before = threading.excepthook
        threading.excepthook = self._ended
        try:
            yield
        finally:
            threading.excepthook = before

    def _ended(self, error: threading.ExceptHookArgs) -> None:
        if "COMPANION_TRACEBACK" in os.environ:
            threading.__excepthook__(error)
        name = error.thread.name if error.thread is not None else ""
        reason = f"{error.exc_type.__name__}: {error.exc_value}"
        if name in WORDS:
            self._reasons[name] = reason
        elif self._inputs.journal is not None:
            self._inputs.journal(f"an error in the program itself, in a thread beside the table ({reason})")
        self._inputs.queue.put(Tick())

    def _tell(self, name: str, lost: str, banner: str, sentence: str) -> None:
        """Report the thread of device `name`: a sentence to the journal, a banner about `lost` to the panel."""
        reason = self._reasons.pop(name, "")
        if self._inputs.journal is not None:
            self._inputs.journal(f"the {name} stopped{f' ({reason})' if reason else ''}: {sentence}")
        self._inputs.queue.put(DeviceLost(lost, f"{WORDS[name]} stopped:\n{banner}"))

"""Watches the devices' threads while the table runs: restarts one that has ended, or asks for a new start."""

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
    """What has threads: `hardware.devices.Devices`."""

    def revive(self) -> list[str]:
        """Restart the threads that have ended, where possible; the names of their devices."""

    def dead(self) -> list[str]:
        """The names of devices whose threads have ended and cannot be restarted."""


class Health:
    """Tells of threads that have ended, on the panel and once each in the journal, and mends what can be mended.

    Args:
        threads: the devices, None for a table without any.
        inputs: takes what the panel is to say, and says the rest.
        watched: somebody starts the program anew when it no longer says that it is well.
    """

    def __init__(self, threads: Threads | None, inputs: Inputs, watched: bool) -> None:
        self._threads = threads
        self._inputs = inputs
        self._watched = watched
        self._told: set[str] = set()
        self._reasons: dict[str, str] = {}

    def check(self) -> bool:
        """Whether all threads live, after mending; asked whenever the loop wakes."""
        if self._threads is None:
            return True
        for name in self._threads.revive():
            self._tell(name, "program", "started anew", "it was started anew")
        dead = self._threads.dead()
        for name in sorted(set(dead) - self._told):
            self._told.add(name)
            self._inputs.missing[name] = f"{WORDS[name]} stopped: {NO_HELP}"
            self._tell(name, name, "the table restarts" if self._watched else "restart the table", NO_HELP)
        return not dead

    @contextmanager
    def listening(self) -> Iterator[None]:
        """While this lasts, a thread that ends by an error says so in a sentence and wakes the loop."""
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
        elif self._inputs.said is not None:
            self._inputs.said(f"an error in the program itself, in a thread beside the table ({reason})")
        self._inputs.queue.put(Tick())

    def _tell(self, name: str, lost: str, banner: str, sentence: str) -> None:
        """A sentence about the thread of `name` to the journal, a banner to the panel: `lost` is what is away."""
        reason = self._reasons.pop(name, "")
        if self._inputs.said is not None:
            self._inputs.said(f"the {name} stopped{f' ({reason})' if reason else ''}: {sentence}")
        self._inputs.queue.put(DeviceLost(lost, f"{WORDS[name]} stopped:\n{banner}"))

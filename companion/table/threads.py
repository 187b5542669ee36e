"""Watches the threads of devices and sockets: restarts one that has ended, or reports that the program must be."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from companion.inputs import DeviceLost, Tick
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.table.input_queue import Inputs

NO_HELP = text("only a restart of the program helps")
WORDS = {
    "panel": text("Panel"), "keypad": text("Keypad"), "buttons": text("Buttons"), "phones": text("Phones"),
    "hall link": text("Hall link"),
}  # fmt: skip


class Threads(Protocol):
    """An owner of threads: `hardware.devices.Devices`, `companion.table.desks.Desks`."""

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
        beside: what works beside the game, which goes on without it: no reason for the program to be restarted.
    """

    def __init__(self, threads: Threads | None, inputs: Inputs, watched: bool, beside: Threads | None = None) -> None:
        self._threads = threads
        self._inputs = inputs
        self._watched = watched
        self._beside = beside
        self._reported: set[str] = set()
        self._reasons: dict[str, str] = {}

    def check(self) -> bool:
        """Restart what can be restarted. Returns whether all threads of the devices are running."""
        if self._beside is not None:
            self._looked_after(self._beside, text("restart the table"))
        banner = text("the table restarts") if self._watched else text("restart the table")
        return not self._looked_after(self._threads, banner)

    def _looked_after(self, threads: Threads | None, banner: str) -> list[str]:
        """Restart and report; `banner` is what follows for what cannot be restarted. Returns what that is."""
        if threads is None:
            return []
        for name in threads.revive():
            self._tell(name, "program", text("started anew"), text("it was started anew"))
        dead = threads.dead()
        for name in sorted(set(dead) - self._reported):
            self._reported.add(name)
            self._inputs.missing[name] = text("{part} stopped: {why}", part=WORDS[name], why=NO_HELP)
            self._tell(name, name, banner, NO_HELP)
        return dead

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
        if error.thread is not None:
            threading.Thread(target=self._wake_after, args=(error.thread,), name="ended", daemon=True).start()

    def _wake_after(self, thread: threading.Thread) -> None:
        """Wake the loop once a thread is over: while it tells of its end it still counts as running."""
        thread.join()
        self._inputs.queue.put(Tick())

    def _tell(self, name: str, lost: str, banner: str, sentence: str) -> None:
        """Report the thread of device `name`: a sentence to the journal, a banner about `lost` to the panel."""
        reason = self._reasons.pop(name, "")
        if self._inputs.journal is not None:
            self._inputs.journal(f"the {name} stopped{f' ({reason})' if reason else ''}: {sentence}")
        self._inputs.queue.put(DeviceLost(lost, text("{part} stopped:\n{then}", part=WORDS[name], then=banner)))

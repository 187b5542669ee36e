"""What devices have in common: whether one is there, told once each time, and a thread that can be started anew."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from companion.inputs import DeviceBack, DeviceLost, Input


class Presence:
    """Whether a device is there: puts one DeviceLost when it is lost, and one DeviceBack when it is found again.

    Args:
        put: puts an input on the loop's queue.
        device: its name in these inputs.

    """

    def __init__(self, put: Callable[[Input], object], device: str) -> None:
        self._put, self._device = put, device
        self.lost = False

    def lose(self, short: str, detail: str = "") -> None:
        """It is gone: in words that fit on the panel, and further details."""
        if not self.lost:
            self.lost = True
            self._put(DeviceLost(self._device, short, time.monotonic(), detail))

    def find(self) -> None:
        """It is there."""
        if self.lost:
            self.lost = False
            self._put(DeviceBack(self._device, time.monotonic()))


class ThreadedDevice:
    """A device whose work is done in a thread of its own, `_run`, with the device's `name`."""

    def __init__(self, name: str) -> None:
        self._name, self._closing = name, False
        self.thread = self._new_thread()

    def start(self) -> None:
        """Start the thread."""
        self.thread.start()

    def revive(self) -> bool:
        """Restart the thread if it has ended by itself. Returns whether it had."""
        if self.thread.ident is None or self.thread.is_alive() or self._closing:
            return False
        self.thread = self._new_thread()
        self.thread.start()
        return True

    def alive(self) -> bool:
        """Whether the thread is running; for the watchdog."""
        return self.thread.is_alive()

    def _join(self, seconds: float = 2.0) -> None:
        """Wait until the thread has ended, if it is running."""
        if self.thread.is_alive():
            self.thread.join(seconds)

    def _new_thread(self) -> threading.Thread:
        return threading.Thread(target=self._run, name=self._name, daemon=True)

    def _run(self) -> None:
        raise NotImplementedError

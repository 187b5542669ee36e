"""The queue of inputs from all devices."""

from __future__ import annotations

import queue
from collections.abc import Callable

from companion.inputs import DeviceBack, DeviceLost, Input


class Inputs:
    """The loop's queue of inputs. `journal` is called with a sentence for each device that is lost or back."""

    def __init__(self, journal: Callable[[str], object] | None = None) -> None:
        self.queue: queue.Queue[Input] = queue.Queue()
        self.journal = journal
        self.missing: dict[str, str] = {}
        """The devices that are missing, each with a sentence why."""

    def put(self, event: Input) -> None:
        """Put an input on the queue; may be called from any thread."""
        if isinstance(event, DeviceLost):
            self.missing[event.device] = event.why
        elif isinstance(event, DeviceBack):
            self.missing.pop(event.device, None)
        if self.journal is not None:
            if isinstance(event, DeviceLost):
                self.journal(event.why)
            elif isinstance(event, DeviceBack):
                self.journal(f"{event.device} is back")
        self.queue.put(event)

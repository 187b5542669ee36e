"""The one queue that all devices put on."""

from __future__ import annotations

import queue
from typing import TYPE_CHECKING

from companion.inputs import DeviceBack, DeviceLost, Input

if TYPE_CHECKING:
    from collections.abc import Callable


class Inputs:
    """The one queue; what devices say of themselves is also said on standard error, for the journal."""

    def __init__(self, said: Callable[[str], object] | None = None) -> None:
        self.queue: queue.SimpleQueue[Input] = queue.SimpleQueue()
        self.said = said
        self.missing: dict[str, str] = {}
        """Which devices are away, and why."""

    def put(self, event: Input) -> None:
        """Put an input on the queue; called from any thread."""
        if isinstance(event, DeviceLost):
            self.missing[event.device] = event.why
        elif isinstance(event, DeviceBack):
            self.missing.pop(event.device, None)
        if self.said is not None:
            if isinstance(event, DeviceLost):
                self.said(event.why)
            elif isinstance(event, DeviceBack):
                self.said(f"{event.device} is back")
        self.queue.put(event)

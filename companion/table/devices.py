"""What the loop has to do with devices: the queue of their inputs, what it shows things on, and their threads' health.

A thread that has ended is started anew where possible; else players and journal learn that the program has to be.
"""

from __future__ import annotations

import os
import queue
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from companion import display
from companion.inputs import DeviceBack, DeviceLost, Input, Tick
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from PIL import Image

    from companion.evening.model import Session

DIMMED = 1
"""The contrast of a dimmed panel."""
IN_PLAY = 4
"""What part of its brightness a panel keeps while a round is in play."""
NO_HELP = text("only a restart of the program helps")
WORDS = {
    "panel": text("Panel"), "keypad": text("Keypad"), "buttons": text("Buttons"), "phones": text("Phones"),
    "hall link": text("Club link"),
}  # fmt: skip


class Inputs:
    """The loop's queue of inputs from all devices.

    Attributes:
        journal: called with a sentence for each device that is lost or back; None where there is no room for it.
        missing: the devices that are missing, each with a sentence why.
    """

    def __init__(self, journal: Callable[[str], object] | None = None) -> None:
        self.queue: queue.Queue[Input] = queue.Queue()
        self.journal = journal
        self.missing: dict[str, str] = {}

    def put(self, event: Input) -> None:
        """Put an input on the queue; may be called from any thread."""
        if isinstance(event, DeviceLost):
            self.missing[event.device] = event.why
            self.report(event.why)
        elif isinstance(event, DeviceBack):
            self.missing.pop(event.device, None)
            self.report(f"{event.device} is back")
        self.queue.put(event)

    def report(self, sentence: str) -> None:
        """Write a sentence to the journal, if there is one."""
        if self.journal is not None:
            self.journal(sentence)


class Display(Protocol):
    """A panel, or what stands for one."""

    def show(self, image: Image.Image, shift: int = 0) -> None:
        """Show a 128×64 one-bit picture, moved by `shift` columns."""

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255."""

    def sleep(self) -> None:
        """Switch the pixels off."""

    def wake(self) -> None:
        """Switch the pixels on again."""


class Lamps(Protocol):
    """The lamps of the seats and the buzzer."""

    def turn(self, seat: int | None) -> None:
        """Light the lamp of the seat to move, no other."""

    def say(self, word: str) -> None:
        """Sound ``accepted``, ``refused``, ``your turn``, ``round over``, ``warning`` or ``flag``."""


class Displays:
    """The panels of a table, which all show the same.

    Args:
        panels: the panels, lit and not dimmed.
        brightness: of a panel that is not dimmed, 0 to 255.
    """

    def __init__(self, panels: Sequence[Display], brightness: int) -> None:
        self._panels = panels
        self.brightness = brightness
        self._light = "on"
        self._level = brightness

    def show(self, session: Session) -> None:
        """Show a session's picture, and light, dim or darken the panels as the session says."""
        image, off = display.draw(session), session.light == "off"
        level = self._level if off else self._contrast(session)
        for panel in self._panels:
            panel.show(image, session.shift)
            if level != self._level:
                panel.contrast(level)
            if off and self._light != "off":
                panel.sleep()
            elif self._light == "off" and not off:
                panel.wake()
        self._light, self._level = session.light, level

    def _contrast(self, session: Session) -> int:
        """The contrast of a lit panel, or of a dimmed one: a round in play stays readable in a lit room."""
        if session.light == "on":
            return self.brightness
        return max(DIMMED, self.brightness // IN_PLAY) if session.round is not None and not session.over else DIMMED


class Threads(Protocol):
    """An owner of threads: `hardware.devices.Devices`, `companion.table.workers.Workers`."""

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
        self._revive(self._beside, text("restart the table"))
        banner = text("the table restarts") if self._watched else text("restart the table")
        return not self._revive(self._threads, banner)

    def _revive(self, threads: Threads | None, banner: str) -> list[str]:
        """Restart and report; `banner` is what follows for what cannot be restarted. Returns what that is."""
        if threads is None:
            return []
        for name in threads.revive():
            self._report(name, "program", text("restarted"), text("it was restarted"))
        dead = threads.dead()
        for name in sorted(set(dead) - self._reported):
            self._reported.add(name)
            self._inputs.missing[name] = text("{part} stopped: {why}", part=WORDS[name], why=NO_HELP)
            self._report(name, name, banner, NO_HELP)
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
        else:
            self._inputs.report(f"an error in the program itself, in a thread beside the table ({reason})")
        if error.thread is not None:
            threading.Thread(target=self._wake_after, args=(error.thread,), name="ended", daemon=True).start()

    def _wake_after(self, thread: threading.Thread) -> None:
        """Wake the loop once a thread is over: while it tells of its end it still counts as running."""
        thread.join()
        self._inputs.queue.put(Tick())

    def _report(self, name: str, lost: str, banner: str, sentence: str) -> None:
        """Report the thread of device `name`: a sentence to the journal, a banner about `lost` to the panel."""
        reason = self._reasons.pop(name, "")
        self._inputs.report(f"the {name} stopped{f' ({reason})' if reason else ''}: {sentence}")
        self._inputs.queue.put(DeviceLost(lost, text("{part} stopped:\n{then}", part=WORDS[name], then=banner)))

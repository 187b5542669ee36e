"""What the loop has to do with devices: the queue of their inputs, the panels, and the health of their threads.

Each device has a thread. When one ends because of an error, `ThreadMonitor` restarts it. If that is not possible, the
players see a banner, the log has the reason, and the service manager restarts the program.
"""

from __future__ import annotations

import os
import queue
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from companion import display
from companion.inputs import DeviceReturned, DeviceMissing, Input, Tick
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from PIL import Image

    from companion.evening.model import Session

DIMMED = 1
"""The contrast of a dimmed panel, of 255."""
IN_PLAY = 4
"""While a round is in play, a dimmed panel keeps this fraction (1/4) of its brightness."""
NO_HELP = text("only a restart of the program helps")
WORDS = {
    "panel": text("Panel"), "keypad": text("Keypad"), "buttons": text("Buttons"), "phones": text("Phones"),
    "hall link": text("Club link"),
}  # fmt: skip
"""The devices that have threads, as banners name them."""


class Inputs:
    """The loop's queue of inputs from all devices.

    Attributes:
        write_log: called with a sentence for each device that is disconnected or connected again; None where there is
            no room for it, as in a terminal that shows the panel.
        missing_devices: the devices that are missing, each with the sentence that says why.
    """

    def __init__(self, journal: Callable[[str], object] | None = None) -> None:
        self.queue: queue.Queue[Input] = queue.Queue()
        self.journal = journal
        self.missing: dict[str, str] = {}

    def put(self, event: Input) -> None:
        """Put an input on the queue. Any thread may call this."""
        if isinstance(event, DeviceMissing):
            self.missing[event.device] = event.reason
            self.report(event.reason)
        elif isinstance(event, DeviceReturned):
            self.missing.pop(event.device, None)
            self.report(f"{event.device} is back")
        self.queue.put(event)

    def report(self, sentence: str) -> None:
        """Write a sentence to the log, if there is one."""
        if self.journal is not None:
            self.journal(sentence)


class Display(Protocol):
    """What shows the picture: a panel, a terminal or a file."""

    def show(self, image: Image.Image, shift: int = 0) -> None:
        """Show a one-bit picture of 128×64 pixels, moved by `shift` columns against burn-in."""

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255."""

    def sleep(self) -> None:
        """Switch the pixels off; the picture stays in the panel's memory."""

    def wake(self) -> None:
        """Switch the pixels on again."""


class Lamps(Protocol):
    """The lamps of the seats, and the buzzer."""

    def turn(self, seat: int | None) -> None:
        """Light the lamp of the seat to move, and no other; None lights none."""

    def say(self, word: str) -> None:
        """Sound ``accepted``, ``refused``, ``your turn``, ``round over``, ``warning`` or ``flag``."""


class Displays:
    """All panels of a table, which show the same picture.

    Args:
        panels: the panels, switched on and not dimmed.
        brightness: of a panel that is not dimmed, 0 to 255.
    """

    def __init__(self, panels: Sequence[Display], brightness: int) -> None:
        self._panels = panels
        self.brightness = brightness
        self._light = "on"
        self._level = brightness

    def show(self, session: Session) -> None:
        """Draw a session on all panels, and light, dim or darken them as `session.light` says."""
        image, off = display.session_picture(session), session.light == "off"
        level = self._level if off else self._contrast(session)
        for panel in self._panels:
            panel.show(image, session.pixel_shift)
            if level != self._level:
                panel.contrast(level)
            if off and self._light != "off":
                panel.sleep()
            elif self._light == "off" and not off:
                panel.wake()
        self._light, self._level = session.light, level

    def _contrast(self, session: Session) -> int:
        """The contrast for a session that is not dark: while a round is in play, a dimmed panel stays readable."""
        if session.light == "on":
            return self.brightness
        return max(DIMMED, self.brightness // IN_PLAY) if session.round is not None and not session.has_result else DIMMED


class Threads(Protocol):
    """An owner of threads: `hardware.devices.Devices`, `companion.table.workers.Workers`."""

    def revive(self) -> list[str]:
        """Restart the threads that have ended, if possible. Returns the names of their devices."""

    def dead(self) -> list[str]:
        """The names of devices whose threads have ended and cannot be restarted."""


class Health:
    """Restarts threads that have ended, and reports each on the panel and once in the log.

    Args:
        devices: the devices, None for a table without any.
        inputs: gets banners for the panel and sentences for the log.
        has_watchdog: whether a service manager restarts the program when the watchdog is no longer fed.
        side_workers: the workers beside the game. The game goes on without them, so they are no reason to restart.
    """

    def __init__(self, threads: Threads | None, inputs: Inputs, watched: bool, beside: Threads | None = None) -> None:
        self._threads = threads
        self._inputs = inputs
        self._watched = watched
        self._beside = beside
        self._reported: set[str] = set()
        self._reasons: dict[str, str] = {}

    def check(self) -> bool:
        """Restart the threads that can be restarted. Returns whether all threads of the devices are running."""
        self._revive(self._beside, text("restart the table"))
        banner = text("the table restarts") if self._watched else text("restart the table")
        return not self._revive(self._threads, banner)

    def _revive(self, threads: Threads | None, banner: str) -> list[str]:
        """Restart what can be restarted, and report everything. Returns the devices that stay stopped.

        `consequence` is what the banner says will happen about those.
        """
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
        """Within this context a thread that ends by an exception is reported in one sentence instead of a traceback.

        The loop wakes up then, so that the thread is restarted at once. COMPANION_TRACEBACK=1 shows the traceback too.
        """
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
        """Wake the loop once a thread has really ended.

        While the thread's exception is handled, it still counts as running, so it could not be restarted yet.
        """
        thread.join()
        self._inputs.queue.put(Tick())

    def _report(self, name: str, lost: str, banner: str, sentence: str) -> None:
        """Report a stopped thread: a sentence to the log, and a banner about `banner_device` to the panel."""
        reason = self._reasons.pop(name, "")
        self._inputs.report(f"the {name} stopped{f' ({reason})' if reason else ''}: {sentence}")
        self._inputs.queue.put(DeviceMissing(lost, text("{part} stopped:\n{then}", part=WORDS[name], then=banner)))

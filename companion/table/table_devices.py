"""What the loop has to do with devices: the queue of their inputs, the panels, and the health of their threads.

Panels, keypads and buttons have a thread each. When one ends because of an error, `ThreadMonitor` restarts it. If that
is not possible, the players see a banner, the log has the reason, and the service manager restarts the program. Lamps
are left out: a round can be played without them.
"""

from __future__ import annotations

import os
import queue
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from companion import display
from companion.inputs import BOARD_KEY, REPEAT_KEY, DeviceMissing, DeviceReturned, Input, KeyPressed, Tick
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from PIL import Image

    from companion.evening.model import Session

DIMMED_CONTRAST = 1
"""The contrast of a dimmed panel, of 255."""
IN_PLAY_DIVISOR = 4
"""While a round is in play, a dimmed panel keeps this fraction (1/4) of its brightness."""
NEEDS_RESTART = text("only a restart of the program helps")
DEVICE_NAMES = {
    "panel": text("Panel"), "keypad": text("Keypad"), "buttons": text("Buttons"), "phones": text("Phones"),
    "number pad": text("Number pad"),
    "hall link": text("Club link"),
}  # fmt: skip
"""What banners call the devices whose threads are restarted."""


class InputQueue:
    """The loop's queue of inputs from all devices.

    Attributes:
        write_log: called with a sentence for each device that is disconnected or connected again; None where there is
            no room for it, as in a terminal that shows the panel.
        missing_devices: the devices that are missing, each with the sentence that says why.
        take_key: called with each press before it is put on the queue; returns whether the press ends there. The keys
            of the voice always do.
    """

    def __init__(self, write_log: Callable[[str], object] | None = None) -> None:
        self.queue: queue.Queue[Input] = queue.Queue()
        self.write_log = write_log
        self.missing_devices: dict[str, str] = {}
        self.take_key: Callable[[KeyPressed], bool] = lambda press: press.key in (REPEAT_KEY, BOARD_KEY)

    def put(self, input_: Input) -> None:
        """Put an input on the queue. Any thread may call this."""
        if isinstance(input_, KeyPressed) and self.take_key(input_):
            return
        self.note_device(input_)
        self.queue.put(input_)

    def note_device(self, input_: Input) -> None:
        """Note for the log and the doctor that a device is missing or works again, without a banner for the panel."""
        if isinstance(input_, DeviceMissing):
            self.missing_devices[input_.device] = input_.reason
            self.report(input_.reason)
        elif isinstance(input_, DeviceReturned):
            self.missing_devices.pop(input_.device, None)
            self.report(f"{input_.device} is back")

    def report(self, sentence: str) -> None:
        """Write a sentence to the log, if there is one."""
        if self.write_log is not None:
            self.write_log(sentence)


class PanelDevice(Protocol):
    """What shows the picture: a panel, a terminal or a file."""

    def show(self, image: Image.Image, shift: int = 0) -> None:
        """Show a one-bit picture of 128×64 pixels, moved by `shift` columns against burn-in."""

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255."""

    def sleep(self) -> None:
        """Switch the pixels off; the picture stays in the panel's memory."""

    def wake(self) -> None:
        """Switch the pixels on again."""

    def turn(self, upside_down: bool) -> None:
        """Show pictures the other way up from now on, or no longer."""


class Lamps(Protocol):
    """The lamps of the seats, and the buzzer."""

    def light_seat(self, seat: int | None) -> None:
        """Light the lamp of the seat to move, and no other; None lights none."""

    quiet: bool

    def play_sound(self, sound: str) -> None:
        """Sound ``accepted``, ``refused``, ``your turn``, ``round over``, ``warning`` or ``flag``."""


class PanelGroup:
    """All panels of a table, which show the same picture.

    Args:
        panels: the panels, switched on and not dimmed.
        brightness: of a panel that is not dimmed, 0 to 255.
    """

    def __init__(self, panels: Sequence[PanelDevice], brightness: int) -> None:
        self._panels = panels
        self.brightness = brightness
        self._light_shown = "on"
        self._level_shown = brightness

    def turn(self, upside_down: bool) -> None:
        """Show pictures the other way up from now on, or no longer."""
        for panel in self._panels:
            panel.turn(upside_down)

    def show_session(self, session: Session) -> None:
        """Draw a session on all panels, and light, dim or darken them as `session.light` says."""
        image, is_off = display.session_picture(session), session.light == "off"
        level = self._level_shown if is_off else self._contrast_for(session)
        for panel in self._panels:
            panel.show(image, session.pixel_shift)
            if level != self._level_shown:
                panel.contrast(level)
            if is_off and self._light_shown != "off":
                panel.sleep()
            elif self._light_shown == "off" and not is_off:
                panel.wake()
        self._light_shown, self._level_shown = session.light, level

    def _contrast_for(self, session: Session) -> int:
        """The contrast for a session that is not dark: while a round is in play, a dimmed panel stays readable."""
        if session.light == "on":
            return self.brightness
        if session.round is None or session.has_result:
            return DIMMED_CONTRAST
        return max(DIMMED_CONTRAST, self.brightness // IN_PLAY_DIVISOR)


class ThreadOwner(Protocol):
    """An owner of threads: `hardware.devices.Devices`, `companion.table.workers.Workers`."""

    def revive_threads(self) -> list[str]:
        """Restart the threads that have ended, if possible. Returns the names of their devices."""

    def dead_devices(self) -> list[str]:
        """The names of devices whose threads have ended and cannot be restarted."""


class ThreadMonitor:
    """Restarts threads that have ended, and reports each on the panel and once in the log.

    Args:
        devices: the devices, None for a table without any.
        inputs: gets banners for the panel and sentences for the log.
        has_watchdog: whether a service manager restarts the program when the watchdog is no longer fed.
        side_workers: the workers beside the game. The game goes on without them, so they are no reason to restart.
    """

    def __init__(
        self,
        devices: ThreadOwner | None,
        inputs: InputQueue,
        has_watchdog: bool,
        side_workers: ThreadOwner | None = None,
    ) -> None:
        self._devices = devices
        self._inputs = inputs
        self._has_watchdog = has_watchdog
        self._side_workers = side_workers
        self._reported_devices: set[str] = set()
        self._error_texts: dict[str, str] = {}

    def restart_ended_threads(self) -> bool:
        """Restart the threads that can be restarted. Returns whether all threads of the devices are running."""
        self._revive_threads_of(self._side_workers, text("restart the table"))
        banner = text("the table restarts") if self._has_watchdog else text("restart the table")
        return not self._revive_threads_of(self._devices, banner)

    def _revive_threads_of(self, owner: ThreadOwner | None, consequence: str) -> list[str]:
        """Restart what can be restarted, and report everything. Returns the devices that stay stopped.

        `consequence` is what the banner says will happen about those.
        """
        if owner is None:
            return []
        for name in owner.revive_threads():
            self._report(name, "program", text("restarted"), text("it was restarted"))
        stopped = owner.dead_devices()
        for name in sorted(set(stopped) - self._reported_devices):
            self._reported_devices.add(name)
            self._inputs.missing_devices[name] = text(
                "{part} stopped: {why}", part=DEVICE_NAMES[name], why=NEEDS_RESTART
            )
            self._report(name, name, consequence, NEEDS_RESTART)
        return stopped

    @contextmanager
    def catching_thread_errors(self) -> Iterator[None]:
        """Within this context a thread that ends by an exception is reported in one sentence instead of a traceback.

        The loop wakes up then, so that the thread is restarted at once. COMPANION_TRACEBACK=1 shows the traceback too.
        """
        hook_before = threading.excepthook
        threading.excepthook = self._on_thread_error
        try:
            yield
        finally:
            threading.excepthook = hook_before

    def _on_thread_error(self, arguments: threading.ExceptHookArgs) -> None:
        if "COMPANION_TRACEBACK" in os.environ:
            threading.__excepthook__(arguments)
        name = arguments.thread.name if arguments.thread is not None else ""
        reason = f"{arguments.exc_type.__name__}: {arguments.exc_value}"
        if name in DEVICE_NAMES:
            self._error_texts[name] = reason
        else:
            self._inputs.report(f"an error in the program itself, in a thread beside the table ({reason})")
        if arguments.thread is not None:
            threading.Thread(target=self._wake_loop_after, args=(arguments.thread,), name="ended", daemon=True).start()

    def _wake_loop_after(self, thread: threading.Thread) -> None:
        """Wake the loop once a thread has really ended.

        While the thread's exception is handled, it still counts as running, so it could not be restarted yet.
        """
        thread.join()
        self._inputs.queue.put(Tick())

    def _report(self, name: str, banner_device: str, consequence: str, sentence: str) -> None:
        """Report a stopped thread: a sentence to the log, and a banner about `banner_device` to the panel."""
        reason = self._error_texts.pop(name, "")
        self._inputs.report(f"the {name} stopped{f' ({reason})' if reason else ''}: {sentence}")
        self._inputs.queue.put(
            DeviceMissing(banner_device, text("{part} stopped:\n{then}", part=DEVICE_NAMES[name], then=consequence))
        )

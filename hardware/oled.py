"""The panel: a 128×64 one-bit OLED behind luma.oled, which may be absent, vanish at any write and come back.

What the panel ought to show is a small value, `Picture`; a thread makes the panel agree with it. It sleeps while they
agree, and while the panel is away it looks for it once a second. Now and then it repaints everything, in the quiet
after a picture, so that no key waits for that.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

from companion.inputs import DeviceBack, DeviceLost, Input
from hardware import frames
from hardware.link import FAILURES, Link, Picture, open_interface, reason

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL import Image

    from hardware.boards import Wiring


QUIET = 2.0
"""Seconds without a new picture, after which a panel that is due for it is repainted."""

CLOSE_SECONDS = 2.0
"""Seconds that closing waits for the last picture."""

FIRST_SECONDS = 10.0
"""Seconds that it waits where no picture was shown yet: a Pi Zero 2 loads the panel's library for some of them."""


class Panel:
    """The panel as the table uses it; all methods return at once, a thread does the sending.

    Puts one DeviceLost when the panel goes (or is not there at the start), and one DeviceBack when it shows the whole
    picture again.

    Args:
        put: takes the inputs.
        link: the panel.
        brightness: the contrast to begin with, 0 to 255.
        retry: seconds between two looks for a panel that is away.

    """

    def __init__(
        self,
        put: Callable[[Input], object],
        link: Link,
        upside_down: bool = False,
        brightness: int = 0xCF,
        retry: float = 1.0,
    ) -> None:
        self._put = put
        self._link = link
        self._upside_down = upside_down
        self._retry = retry
        self._wanted = Picture(frames.BLANK, brightness, True)
        self._changed = threading.Condition()
        self._closing = False
        self._lost = False
        self._thread = self._new_thread()

    def start(self) -> None:
        """Begin to look for the panel."""
        self._thread.start()

    def show(self, image: Image.Image, shift: int = 0) -> None:
        """Show a one-bit 128×64 image, moved sideways by `shift` (-1, 0, 1) pixels against burn-in."""
        self._want(frame=frames.pack(image, shift, self._upside_down))

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255."""
        self._want(level=level)

    def sleep(self) -> None:
        """Switch the pixels off; pictures are still taken."""
        self._want(on=False)

    def wake(self) -> None:
        """Switch the pixels on again."""
        self._want(on=True)

    def settle(self, timeout: float = 5.0) -> bool:
        """Wait until the panel shows what is wanted; False if it is away, or does not within `timeout` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._lost or self._link.shown == self._wanted, timeout)
            return self._link.shown == self._wanted

    def close(self, picture: Image.Image | None = None) -> None:
        """Leave `picture` on the panel, or a dark panel, and let go of it; waits for that, but not for ever."""
        if picture is not None:
            self._want(frame=frames.pack(picture, 0, self._upside_down), on=True)
        else:
            self._want(frame=frames.BLANK, on=False)
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(FIRST_SECONDS if self._link.shown is None and not self._lost else CLOSE_SECONDS)

    def revive(self) -> bool:
        """Restart the thread if it has ended; whether it had."""
        if self._thread.ident is None or self._thread.is_alive() or self._closing:
            return False
        self._thread = self._new_thread()
        self._thread.start()
        return True

    def _new_thread(self) -> threading.Thread:
        return threading.Thread(target=self._run, name="panel", daemon=True)

    def alive(self) -> bool:
        """Whether the thread that sends is running; for a watchdog."""
        return self._thread.is_alive()

    def _want(self, **change: Any) -> None:
        with self._changed:
            wanted = self._wanted._replace(**change)
            if wanted != self._wanted:
                self._wanted = wanted
                self._changed.notify_all()

    def _run(self) -> None:
        while (wanted := self._next()) is not None:
            try:
                self._bring(wanted)
            except FAILURES as error:
                self._link.drop()
                if not self._lost:
                    short, detail = reason(error)
                    with self._changed:
                        self._lost = True
                        self._changed.notify_all()
                    self._put(DeviceLost("panel", short, time.monotonic(), detail))
            else:
                if self._lost:
                    self._lost = False
                    self._put(DeviceBack("panel", time.monotonic()))
                with self._changed:
                    self._changed.notify_all()
        self._link.drop()

    def _next(self) -> Picture | None:
        """The picture to bring to the panel, once there is one; None at the end."""
        with self._changed:
            if self._lost:
                self._changed.wait_for(lambda: self._closing, self._retry)
            else:
                # Timed only after a picture: a panel whose picture never changes wakes nobody.
                quiet = QUIET if self._link.stale else None
                self._changed.wait_for(lambda: self._closing or self._wanted != self._link.shown, quiet)
            done = self._closing and (self._lost or self._wanted == self._link.shown)
            return None if done else self._wanted

    def _bring(self, wanted: Picture) -> None:
        was_up = self._link.shown is not None
        try:
            self._link.bring(wanted)
        except FAILURES:
            if not was_up:
                raise
            # A disturbance on the wire is no loss: once more, from the start.
            self._link.drop()
            self._link.bring(wanted)


def open_panel(wiring: Wiring, put: Callable[[Input], object]) -> Panel:
    """The panel of a wiring, not yet started. Raises Unusable for a driver that cannot be used."""
    link = Link(wiring.driver, lambda: open_interface(wiring))
    return Panel(put, link, wiring.upside_down, wiring.brightness)

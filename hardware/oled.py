"""The panel: a 128×64 one-bit OLED by luma.oled, which may be missing, fail at any write, and return.

A thread makes the panel show the wanted `Picture`. It waits while nothing changes, and tries once a second while the
panel is missing. A panel may also lose its memory and report no error (a loose plug, a brown-out): the whole picture is
sent again once a minute, and after the picture of the first key that follows a pause (`resend`).
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from hardware import frames
from hardware.base import PictureDevice, Presence, ThreadedDevice
from hardware.link import FAILURES, Link, Picture, open_interface, reason

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL import Image

    from companion.inputs import Input
    from hardware.boards import Wiring


CLOSE_SECONDS = 2.0
"""The seconds that closing waits for the last picture."""

FIRST_SECONDS = 10.0
"""The same before the first picture: a Pi Zero 2 needs seconds to load the panel's library."""


class Panel(ThreadedDevice, PictureDevice):
    """The panel for the table: a thread sends, and all methods but `settle` and `close` return at once.

    Puts one DeviceLost when the panel fails (or is missing at the start), and one DeviceBack when it shows the picture
    again.

    Args:
        put: puts an input on the loop's queue.
        link: the connection to the panel.
        brightness: the first contrast, 0 to 255.
        retry: seconds between two attempts while the panel is missing.

    """

    def __init__(
        self,
        put: Callable[[Input], object],
        link: Link,
        upside_down: bool = False,
        brightness: int = 0xCF,
        retry: float = 1.0,
    ) -> None:
        super().__init__("panel")
        self._presence = Presence(put, "panel")
        self.link = link
        self._upside_down = upside_down
        self._retry = retry
        self._wanted = Picture(frames.BLANK, brightness, True)
        self._changed = threading.Condition()

    def show(self, image: Image.Image, shift: int = 0) -> None:
        """Show a one-bit 128×64 image, moved right by `shift` (-1, 0, 1) pixels against burn-in."""
        self._want(frame=frames.pack(image, shift, self._upside_down))

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255."""
        self._want(level=level)

    def sleep(self) -> None:
        """Switch the pixels off; pictures are still accepted."""
        self._want(on=False)

    def wake(self) -> None:
        """Switch the pixels on again."""
        self._want(on=True)

    def resend(self) -> None:
        """Set the panel up and send the whole picture again, after what is being sent."""
        with self._changed:
            self.link.suspect = True
            self._changed.notify_all()

    def settle(self, timeout: float = 5.0) -> bool:
        """Wait until the panel shows the last picture.

        Returns False if it is missing or does not show it within `timeout` seconds.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._presence.lost or self.link.shown == self._wanted, timeout)
            return self.link.shown == self._wanted

    def close(self, picture: Image.Image | None = None) -> None:
        """Show `picture`, or a dark panel, and close it; waits for that `CLOSE_SECONDS` at most."""
        if picture is not None:
            self._want(frame=frames.pack(picture, 0, self._upside_down), on=True)
        else:
            self._want(frame=frames.BLANK, on=False)
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._join(FIRST_SECONDS if self.link.shown is None and not self._presence.lost else CLOSE_SECONDS)

    def _want(self, **change: Any) -> None:
        with self._changed:
            wanted = self._wanted._replace(**change)
            if wanted != self._wanted:
                self._wanted = wanted
                self._changed.notify_all()

    def _run(self) -> None:
        while (wanted := self._next()) is not None:
            try:
                self.bring(wanted)
            except FAILURES as error:
                self.link.drop()
                self._presence.lose(*reason(error))
            else:
                self._presence.find()
            with self._changed:
                self._changed.notify_all()
        self.link.drop()

    def _next(self) -> Picture | None:
        """Wait for the next picture to send; None at the end."""
        with self._changed:
            if self._presence.lost:
                self._changed.wait_for(lambda: self._closing, self._retry)
            else:
                due = self.link.due
                self._changed.wait_for(lambda: self._closing or self._to_send(), due)
            done = self._closing and (self._presence.lost or self._wanted == self.link.shown)
            return None if done else self._wanted

    def _to_send(self) -> bool:
        return self._wanted != self.link.shown or self.link.suspect

    def bring(self, wanted: Picture) -> None:
        """Bring a picture to the panel. Raises what the connection does where a second try fails too."""
        was_up = self.link.shown is not None
        try:
            self.link.bring(wanted)
        except FAILURES:
            if not was_up:
                raise
            # It may be a single disturbance: try once more with a new connection.
            self.link.drop()
            self.link.bring(wanted)


def open_panel(wiring: Wiring, put: Callable[[Input], object]) -> Panel:
    """The panel of a wiring, not started. Raises Unusable for a driver that cannot be used."""
    link = Link(wiring.driver, lambda: open_interface(wiring))
    return Panel(put, link, wiring.upside_down, wiring.brightness)

"""The panel: a 128×64 one-bit OLED by luma.oled, which may be missing, fail at any write, and come back.

The table's loop must never wait for a panel. So `show` only notes the wanted state, and a thread makes the panel show
it:

| the panel | the thread |
| --- | --- |
| shows the wanted state | waits, and sends everything again once a minute |
| shows another one | sends what differs |
| fails | tries once more at once, then reports DeviceMissing |
| is missing | tries once a second, then reports DeviceReturned |

A panel can lose its memory and report no error, by a loose plug or a brown-out. Therefore the whole picture is sent
again once a minute, and after the first key press that follows a pause (`resend`).
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

from companion.inputs import SettingFound
from hardware import frames
from hardware.device_classes import PictureDevice, Presence, ThreadedDevice
from hardware.panel_link import LINK_ERRORS, PanelLink, PanelState, find_panel, link_failure, open_interface

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL import Image

    from companion.inputs import Input
    from hardware.boards import Wiring


CLOSE_SECONDS = 2.0
"""How long closing waits for the last picture."""

FIRST_SECONDS = 10.0
"""How long closing waits before the first picture: a Pi Zero 2 needs seconds to load the panel's library."""


class Panel(ThreadedDevice, PictureDevice):
    """The table's panel. A thread sends, by `show_state`; only `wait_until_shown` and `close` wait for it.

    Puts one DeviceMissing when the panel fails or is missing at the start, and one DeviceReturned when it shows the
    picture.

    Args:
        put: puts an input on the loop's queue.
        link: the connection to the panel.
        upside_down: whether the panel is mounted the other way up.
        brightness: the first contrast, 0 to 255.
        retry_seconds: the pause between two attempts while the panel is missing.
    """

    def __init__(
        self,
        put: Callable[[Input], object],
        link: PanelLink,
        upside_down: bool = False,
        brightness: int = 0xCF,
        retry_seconds: float = 1.0,
    ) -> None:
        super().__init__("panel")
        self._presence = Presence(put, "panel")
        self.panel_link = link
        self._upside_down = upside_down
        self._retry = retry_seconds
        self._wanted = PanelState(frames.BLANK_FRAME, brightness, True)
        self._changed = threading.Condition()

    def show(self, image: Image.Image, shift: int = 0) -> None:
        self._change_wanted(frame=frames.pack_frame(image, shift, self._upside_down))

    def contrast(self, level: int) -> None:
        self._change_wanted(contrast=level)

    def sleep(self) -> None:
        self._change_wanted(is_on=False)

    def wake(self) -> None:
        self._change_wanted(is_on=True)

    def turn(self, upside_down: bool) -> None:
        self._upside_down = upside_down

    def resend(self) -> None:
        with self._changed:
            self.panel_link.is_suspect = True
            self._changed.notify_all()

    def wait_until_shown(self, timeout_seconds: float = 5.0) -> bool:
        with self._changed:
            self._changed.wait_for(
                lambda: self._presence.is_missing or self.panel_link.shown_state == self._wanted, timeout_seconds
            )
            return self.panel_link.shown_state == self._wanted

    def close(self, picture: Image.Image | None = None) -> None:
        """Show `picture`, or a dark panel for None, and close the panel.

        Waits at most `CLOSE_SECONDS` for that, or `FIRST_SECONDS` if no picture was shown yet.
        """
        if picture is not None:
            self._change_wanted(frame=frames.pack_frame(picture, 0, self._upside_down), is_on=True)
        else:
            self._change_wanted(frame=frames.BLANK_FRAME, is_on=False)
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        has_started = self.panel_link.shown_state is not None or self._presence.is_missing
        self._join(CLOSE_SECONDS if has_started else FIRST_SECONDS)

    def _change_wanted(self, **change: Any) -> None:
        with self._changed:
            wanted = self._wanted._replace(**change)
            if wanted != self._wanted:
                self._wanted = wanted
                self._changed.notify_all()

    def _run(self) -> None:
        while (wanted := self._wait_for_state()) is not None:
            try:
                self.show_state(wanted)
            except LINK_ERRORS as error:
                self.panel_link.disconnect()
                self._presence.report_missing(*link_failure(error))
            else:
                self._presence.report_returned()
            with self._changed:
                self._changed.notify_all()
        self.panel_link.disconnect()

    def _wait_for_state(self) -> PanelState | None:
        """Wait for the next state to send; None at the end."""
        with self._changed:
            if self._presence.is_missing:
                self._changed.wait_for(lambda: self._is_closing, self._retry)
            else:
                due = self.panel_link.seconds_until_due
                self._changed.wait_for(lambda: self._is_closing or self._has_to_send(), due)
            is_done = self._is_closing and (self._presence.is_missing or self._wanted == self.panel_link.shown_state)
            return None if is_done else self._wanted

    def _has_to_send(self) -> bool:
        return self._wanted != self.panel_link.shown_state or self.panel_link.is_suspect

    def show_state(self, state: PanelState) -> None:
        """Make the panel show `state`. Raises the connection's error.

        If a panel that was working fails, it is connected anew for a second attempt.
        """
        was_shown = self.panel_link.shown_state is not None
        try:
            self.panel_link.show_state(state)
        except LINK_ERRORS:
            if not was_shown:
                raise
            # A single disturbance is no reason to report the panel, so try once more with a new connection.
            self.panel_link.disconnect()
            self.panel_link.show_state(state)


def make_panel(wiring: Wiring, put: Callable[[Input], object]) -> Panel:
    """The panel of a wiring, not started. Raises UnusableError for a driver that cannot be used."""

    def connect() -> Any:
        nonlocal wiring
        # Once the panel has answered, what is at the other address is something else.
        if link.device is None and (found := find_panel(wiring)) != wiring:
            wiring = found
            put(SettingFound(address=wiring.address, at=time.monotonic()))
        return open_interface(wiring)

    link = PanelLink(wiring.driver, connect)
    return Panel(put, link, wiring.upside_down, wiring.brightness)

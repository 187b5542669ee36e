"""What all devices have in common: being connected or missing, a thread that can be restarted, and showing pictures.

`PngPanel` is a screen without a panel: it writes the current picture to a PNG file.
"""

from __future__ import annotations

import errno
import io
import os
import stat
import threading
import time
from typing import TYPE_CHECKING

from companion.inputs import DeviceMissing, DeviceReturned, Input
from companion.languages import os_error_text, text
from companion.replacing import replace_file
from hardware import frames

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PIL import Image

NOT_REPLACEABLE = "it is a folder or a device, which a picture must not replace"


class Presence:
    """Reports whether a device is connected: one DeviceMissing when it fails, one DeviceReturned when it works again.

    Args:
        put: puts an input on the loop's queue.
        device: the device's name in these inputs.
    """

    def __init__(self, put: Callable[[Input], object], device: str) -> None:
        self._put, self._device = put, device
        self.is_missing = False

    def report_missing(self, short_reason: str, detail: str = "") -> None:
        """Report that the device is missing. `short_reason` is for the panel, `detail` says more."""
        if not self.is_missing:
            self.is_missing = True
            self._put(DeviceMissing(self._device, short_reason, time.monotonic(), detail))

    def report_returned(self) -> None:
        """Report that the device works again."""
        if self.is_missing:
            self.is_missing = False
            self._put(DeviceReturned(self._device, time.monotonic()))


class ThreadedDevice:
    """A device that works in a thread of its own: subclasses override `_run`."""

    def __init__(self, name: str) -> None:
        self._name, self._is_closing = name, False
        self.thread = self._new_thread()

    def start(self) -> None:
        self.thread.start()

    def revive_thread(self) -> bool:
        """Restart the thread if it has ended by itself. Returns whether it had."""
        if self.thread.ident is None or self.thread.is_alive() or self._is_closing:
            return False
        self.thread = self._new_thread()
        self.thread.start()
        return True

    def is_alive(self) -> bool:
        """Whether the thread is running; for the watchdog."""
        return self.thread.is_alive()

    def _join(self, seconds: float = 2.0) -> None:
        """Wait for the end of the thread, if it is running."""
        if self.thread.is_alive():
            self.thread.join(seconds)

    def _new_thread(self) -> threading.Thread:
        return threading.Thread(target=self._run, name=self._name, daemon=True)

    def _run(self) -> None:
        raise NotImplementedError


class PictureDevice:
    """Whatever shows pictures: panel, file or terminal.

    No method but `wait_until_shown` and `close` waits for the panel.

    This base class accepts pictures and shows none. It is the driver ``none``.
    """

    def start(self) -> None:
        """Start; a missing panel is reported by DeviceMissing."""

    def show(self, image: Image.Image, shift: int = 0) -> None:
        """Show a one-bit 128×64 image, moved right by `shift` pixels (-1, 0 or 1).

        An unchanged image is not sent again.
        """

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255."""

    def sleep(self) -> None:
        """Switch the pixels off. Pictures are still accepted."""

    def wake(self) -> None:
        """Switch the pixels on again, with the newest picture."""

    def turn(self, upside_down: bool) -> None:
        """Show pictures the other way up from now on, or no longer."""

    def resend(self) -> None:
        """Send the whole picture again, to a panel that may have lost it."""

    def wait_until_shown(self, timeout_seconds: float = 5.0) -> bool:
        """Wait until the last picture is shown. Returns False if it is not shown within `timeout_seconds`."""
        return True

    def revive_thread(self) -> bool:
        """Restart the device's thread if it has ended. Returns whether it had."""
        return False

    def is_alive(self) -> bool:
        """Whether the device's thread, if it has one, is running."""
        return True

    def close(self, picture: Image.Image | None = None) -> None:
        """Show `picture` as the last one, if possible, and close the device."""


def is_regular_file_or_absent(path: Path) -> bool:
    """Whether there is a regular file or nothing at the path. Raises OSError if that is unknown."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except FileNotFoundError:
        return True


class PngPanel(PictureDevice):
    """Writes the current picture to a file: one bit, a lit pixel is white. The file is replaced atomically.

    Puts one DeviceMissing when the file cannot be written, and one DeviceReturned when it can be written again.
    """

    def __init__(self, put: Callable[[Input], object], path: Path) -> None:
        self._presence = Presence(put, "panel")
        self._path = path
        self._frame: bytes | None = None

    def show(self, image: Image.Image, shift: int = 0) -> None:
        frame = frames.pack_frame(image, shift)
        if frame == self._frame:
            return
        try:
            self._write(frames.unpack_frame(frame))
        except OSError as error:
            detail = text("{file} cannot be written ({why})", file=self._path, why=os_error_text(error))
            self._presence.report_missing(text("no picture"), detail)
            return
        self._frame = frame
        self._presence.report_returned()

    def wait_until_shown(self, timeout_seconds: float = 5.0) -> bool:
        return not self._presence.is_missing

    def close(self, picture: Image.Image | None = None) -> None:
        if picture is not None:
            self.show(picture)

    def _write(self, image: Image.Image) -> None:
        if not is_regular_file_or_absent(self._path):
            raise OSError(errno.EINVAL, NOT_REPLACEABLE)
        png = io.BytesIO()
        image.save(png, "PNG")
        replace_file(self._path, png.getvalue(), sync=False)

"""Replacements for a panel: the current picture in a PNG file, or nowhere."""

from __future__ import annotations

import errno
import os
import stat
import time
from typing import TYPE_CHECKING

from companion.inputs import DeviceBack, DeviceLost, Input
from hardware import frames

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PIL import Image


NO_FILE = "it is a folder or a device, which a picture must not replace"


def may_be_replaced(path: Path) -> bool:
    """Whether there is a regular file or nothing at the path. Raises OSError if that is unknown."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except FileNotFoundError:
        return True


class PngPanel:
    """Writes the current picture to a file: one bit, a lit pixel is white. The file is replaced atomically.

    Puts one DeviceLost when the file cannot be written, and one DeviceBack when it can be again.
    """

    def __init__(self, put: Callable[[Input], object], path: Path) -> None:
        self._put = put
        self._path = path
        self._frame: bytes | None = None
        self._lost = False

    def start(self) -> None:
        """Nothing to do before the first picture."""

    def show(self, image: Image.Image, shift: int = 0) -> None:
        """Replace the file if the picture differs from the one in it."""
        frame = frames.pack(image, shift)
        if frame == self._frame:
            return
        try:
            self._write(frames.unpack(frame))
        except OSError as error:
            if not self._lost:
                self._lost = True
                why = f"{self._path} cannot be written ({error.strerror or error})"
                self._put(DeviceLost("panel", "no picture", time.monotonic(), why))
            return
        self._frame = frame
        if self._lost:
            self._lost = False
            self._put(DeviceBack("panel", time.monotonic()))

    def contrast(self, level: int) -> None:
        """A file has no brightness."""

    def sleep(self) -> None:
        """The picture stays."""

    def wake(self) -> None:
        """Nothing to do: the picture was never removed."""

    def settle(self, timeout: float = 5.0) -> bool:
        """Whether the last picture is in the file; `show` writes it before it returns."""
        return not self._lost

    def revive(self) -> bool:
        """Always False: there is no thread to restart."""
        return False

    def alive(self) -> bool:
        """Always True: there is no thread that could end."""
        return True

    def close(self, picture: Image.Image | None = None) -> None:
        """Write `picture` as the last one, if it is given."""
        if picture is not None:
            self.show(picture)

    def _write(self, image: Image.Image) -> None:
        if not may_be_replaced(self._path):
            raise OSError(errno.EINVAL, NO_FILE)
        beside = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        beside.unlink(missing_ok=True)
        try:
            # In a folder that others may write to, somebody could have put a link there.
            fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
            with os.fdopen(fd, "wb") as file:
                image.save(file, "PNG")
            os.replace(beside, self._path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise


class NoPanel:
    """Accepts pictures and shows none: the driver ``none``."""

    def start(self) -> None:
        """Nothing to do."""

    def show(self, image: Image.Image, shift: int = 0) -> None:
        """Nothing to do."""

    def contrast(self, level: int) -> None:
        """Nothing to do."""

    def sleep(self) -> None:
        """Nothing to do."""

    def wake(self) -> None:
        """Nothing to do."""

    def settle(self, timeout: float = 5.0) -> bool:
        """Always True: nothing is to be shown."""
        return True

    def revive(self) -> bool:
        """Always False: there is no thread to restart."""
        return False

    def alive(self) -> bool:
        """Always True: there is no thread that could end."""
        return True

    def close(self, picture: Image.Image | None = None) -> None:
        """Nothing to do."""

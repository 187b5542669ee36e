"""USB number pads, keyboards and gamepads as keypads: reads the kernel's input devices, however many are plugged in.

A device with an Enter key or a gamepad's first button is grabbed as soon as it is there, so that none of its keys
reaches the console. Every `retry_seconds` the thread looks for new ones. `struct input_event` is in the kernel's
Documentation/input/input.rst, the numbers of the keys are in linux/input-event-codes.h.
"""

from __future__ import annotations

import errno
import fcntl
import os
import select
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from companion.inputs import BOARD_KEY, REPEAT_KEY, Input, KeyPressed, KeyReleased
from companion.languages import text
from hardware import access
from hardware.device_classes import Presence, ThreadedDevice

DEVICE = "number pad"
"""The name of all these devices together, as in DeviceMissing."""
EVENT = struct.Struct("LLHHi")
"""The time in two words of this system, which no longer matter here; then type, code and value."""
KEY_EVENT, AXIS_EVENT = 1, 3
PRESSED, REPEATED = 1, 2
GRAB_REQUEST = 0x40044590
"""EVIOCGRAB."""
AXIS_RANGE_REQUEST, AXIS_RANGE = 0x80184540, struct.Struct("6i")
"""EVIOCGABS, to which the axis is added, and struct input_absinfo: value, minimum, maximum and more."""
ENTER_KEYS, GAMEPAD_KEYS = (28, 96), (0x130, 0x121)
"""A keyboard or number pad has one of the first, a gamepad one of the others; a mouse or touchscreen has none."""

SIGNS = {78: "A", 74: "B", 55: "C", 98: "D"}
"""Plus, minus, times, divided by: the keypad's A to D are these four signs in a game that reckons."""
_ROWS = {2: "1234567890", 16: "QWERTYUIOP", 30: "ASDFGHJKL", 44: "ZXCVBNM", 71: "789", 75: "456", 79: "1230"}
LETTERS_AND_DIGITS = {first + index: key for first, row in _ROWS.items() for index, key in enumerate(row)}
VOICE_KEYS = {69: REPEAT_KEY, 59: REPEAT_KEY, 15: BOARD_KEY, 117: BOARD_KEY, 60: BOARD_KEY}
"""Num Lock and F1; Tab, the equals sign of a number pad, and F2. A pad without the latter reads by Num Lock twice."""
KEYS = SIGNS | LETTERS_AND_DIGITS | VOICE_KEYS | {28: "#", 96: "#", 14: "*", 83: "*", 1: "*", 111: "*"}
"""The keypad's key or the letter (of an English keyboard) for each code of the kernel."""
BUTTONS = {
    103: "up", 108: "down", 105: "left", 106: "right",
    0x220: "up", 0x221: "down", 0x222: "left", 0x223: "right",
    0x130: "ok", 0x13B: "ok", 0x131: "back", 0x13A: "back", 0x121: "ok", 0x129: "ok", 0x122: "back", 0x128: "back",
}  # fmt: skip
"""The button for each code: arrow keys, a gamepad's pad, then its buttons (0x130 …), or a simple one's (0x121 …)."""
AXES = {0: ("left", "right"), 1: ("up", "down"), 16: ("left", "right"), 17: ("up", "down")}
"""The buttons for both ends of an axis. A gamepad's pad is one of two pairs of axes."""


def grab_device(fd: int) -> None:
    """Let a device's events come to this program alone. Raises OSError."""
    fcntl.ioctl(fd, GRAB_REQUEST, 1)


class UsbDevice:
    """One grabbed device. Raises OSError if it cannot be opened, or another program has grabbed it."""

    def __init__(self, file: Path) -> None:
        self.fd = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        self._ends: dict[int, str] = {}
        self._ranges: dict[int, tuple[int, int]] = {}
        try:
            grab_device(self.fd)
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """Close the device, which also ends the grab."""
        os.close(self.fd)

    def read_inputs(self) -> Iterator[KeyPressed | KeyReleased]:
        """The presses that are waiting, and releases of buttons. Raises OSError if the device was unplugged."""
        data = os.read(self.fd, EVENT.size * 64)
        if not data:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        now = time.monotonic()
        for *_, kind, code, value in EVENT.iter_unpack(data[: len(data) // EVENT.size * EVENT.size]):
            if kind == KEY_EVENT and value in (PRESSED, REPEATED):
                key, is_repeat = KEYS.get(code) or BUTTONS.get(code), value == REPEATED
                if key is not None and (not is_repeat or key == "*" or code in BUTTONS):
                    is_on_pad = code in SIGNS or (code in KEYS and not key.isalpha())
                    yield KeyPressed(key, now, is_repeat, "number pad" if is_on_pad else "keyboard")
            elif kind == KEY_EVENT and code in BUTTONS:
                yield KeyReleased(BUTTONS[code], now)
            elif kind == AXIS_EVENT and code in AXES:
                end = self._axis_end(code, value)
                if end != self._ends.get(code, "") and end:
                    yield KeyPressed(end, now, device="keyboard")
                self._ends[code] = end

    def _axis_end(self, axis: int, value: int) -> str:
        """The button that an axis stands for at a value; "" near its middle."""
        if axis not in self._ranges:
            try:
                data = fcntl.ioctl(self.fd, AXIS_RANGE_REQUEST + axis, bytes(AXIS_RANGE.size))
                self._ranges[axis] = AXIS_RANGE.unpack(data)[1:3]
            except OSError:
                self._ranges[axis] = -1, 1
        low, high = self._ranges[axis]
        margin = (high - low) / 4
        return AXES[axis][0] if value < low + margin else AXES[axis][1] if value > high - margin else ""


class UsbKeys(ThreadedDevice):
    """All number pads, keyboards and gamepads.

    Puts KeyPressed for each key, DeviceMissing when the last device is gone or one cannot be used, DeviceReturned when
    one works again. That none has ever been plugged in is not reported.

    Args:
        put: puts an input on the loop's queue.
        folder: where the kernel's input devices are.
        sysfs: where the kernel says which keys each of them has.
        retry_seconds: the pause between two looks for new devices.
    """

    def __init__(
        self,
        put: Callable[[Input], object],
        folder: Path = Path("/dev/input"),
        sysfs: Path = Path("/sys/class/input"),
        retry_seconds: float = 5.0,
    ) -> None:
        super().__init__(DEVICE)
        self._put, self._presence = put, Presence(put, DEVICE)
        self._folder, self._sysfs, self._retry_seconds = folder, sysfs, retry_seconds
        self._devices: dict[str, UsbDevice] = {}
        self._wake = -1

    @property
    def is_used(self) -> bool:
        """Whether a device is plugged in, or was and is missing."""
        return bool(self._devices) or self._presence.is_missing

    def start(self) -> None:
        """Grab the devices that are there. No later press is missed."""
        self._wake = os.eventfd(0, os.EFD_CLOEXEC)
        self._find_devices()
        super().start()

    def close(self) -> None:
        self._is_closing = True
        if self._wake >= 0:
            os.eventfd_write(self._wake, 1)
            self._join()
            os.close(self._wake)
            self._wake = -1
        for name in tuple(self._devices):
            self._devices.pop(name).close()

    def _run(self) -> None:
        while not self._is_closing:
            fds = {device.fd: name for name, device in self._devices.items()}
            ready = select.select([self._wake, *fds], [], [], self._retry_seconds)[0]
            for fd in ready:
                if fd in fds:
                    self._read_device(fds[fd])
            if not ready:
                self._find_devices()

    def _read_device(self, name: str) -> None:
        try:
            for input_ in self._devices[name].read_inputs():
                self._put(input_)
        except BlockingIOError:
            pass
        except OSError:
            self._devices.pop(name).close()
            if not self._devices:
                self._presence.report_missing(text("no number pad"))

    def _find_devices(self) -> None:
        """Grab every device with known keys that is not grabbed yet."""
        for file in sorted(self._sysfs.glob("event*/device/capabilities/key")):
            name = file.parents[2].name
            if name in self._devices or not has_known_keys(file):
                continue
            try:
                self._devices[name] = UsbDevice(self._folder / name)
            except OSError as error:
                if not self._devices and error.errno not in (errno.ENOENT, errno.ENODEV):
                    failure = access.keypad_failure("input", str(self._folder / name), error, text("no number pad"))
                    self._presence.report_missing(*failure)
            else:
                self._presence.report_returned()


def has_known_keys(capabilities: Path) -> bool:
    """Whether a device is a number pad, a keyboard or a gamepad, by the kernel's list of its keys.

    The list is a number in words of this system, each in hexadecimal digits, the highest first.
    """
    bits = 0
    with suppress(OSError, ValueError):
        for word in capabilities.read_text().split():
            bits = bits << struct.calcsize("L") * 8 | int(word, 16)
    return any(bits >> code & 1 for code in (*ENTER_KEYS, *GAMEPAD_KEYS))

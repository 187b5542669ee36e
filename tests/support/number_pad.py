"""A number pad without a kernel: the bytes of its events on a FIFO, and what sysfs says about it."""

from __future__ import annotations

import os
import struct
from pathlib import Path

from hardware.usb_keys import EVENT, KEY_EVENT, KEYS, SIGNS

CODES = {key: code for codes in (KEYS, SIGNS) for code, key in codes.items()} | {"#": 96, "*": 83}
"""The code for each key: those of a number pad, whose Enter and point are OK and BACK."""
NUMBER_PAD_KEYS = (69, 96, *range(71, 84), 55, 98, 14)


def capabilities(*codes: int) -> str:
    """What sysfs says about a device that has these keys."""
    bits = sum(1 << code for code in codes)
    size = struct.calcsize("L") * 8
    words = [bits >> shift & (1 << size) - 1 for shift in range(0, 0x300, size)]
    return " ".join(f"{word:x}" for word in reversed(words)) + "\n"


def press_events(code: int, *values: int) -> bytes:
    """The events of a key as a number pad sends them: its scan code, the key, the end of the report."""
    return b"".join(
        EVENT.pack(1_700_000_000, 125_000, *event)
        for value in values or (1, 0)
        for event in ((4, 4, 0x70000 + code), (KEY_EVENT, code, value), (0, 0, 0))
    )


class NumberPad:
    """A device `name` below `folder`/input, which can be pulled and put back."""

    def __init__(self, folder: Path, name: str = "event0", codes: tuple[int, ...] = NUMBER_PAD_KEYS) -> None:
        self.node, self.listing = folder / "input" / name, folder / "sys" / name / "device" / "capabilities" / "key"
        self.codes = codes
        self.node.parent.mkdir(exist_ok=True)
        self.listing.parent.mkdir(parents=True, exist_ok=True)
        self.put_in()

    def put_in(self) -> None:
        os.mkfifo(self.node)
        self._fd = os.open(self.node, os.O_RDWR | os.O_NONBLOCK)
        self.listing.write_text(capabilities(*self.codes))

    def pull(self) -> None:
        self.listing.unlink()
        self.node.unlink()
        os.close(self._fd)

    def send(self, data: bytes) -> None:
        os.write(self._fd, data)

    def press(self, keys: str) -> None:
        for key in keys:
            self.send(press_events(CODES[key]))

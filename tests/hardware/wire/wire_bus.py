"""The wires to the chips: an I2C adapter under the real smbus2 (at its `ioctl`), a bus for luma's `bus=`, and SPI.

All of them count and log what goes over the wire, and can fail at a chosen message, also half-way through it.
"""

from __future__ import annotations

import errno
import os
import types
from typing import TYPE_CHECKING, Any

import wire_chips

if TYPE_CHECKING:
    from collections.abc import Callable

ADDRESS = 0x3C
I2C_SLAVE, I2C_FUNCS, I2C_RDWR, I2C_SMBUS = 0x0703, 0x0705, 0x0707, 0x0720
QUICK, BYTE = 0, 1


class Bus:
    """One chip behind a wire.

    `sent` counts bytes as on the wire (I2C: with the address byte of each message), `log` has the messages, `failed`
    counts those that failed. `unplug` and `plug` take the chip away and bring it back, with a loss of power;
    `fail(message, number)` lets message `message` from now (0: the next) fail with an errno after the chip has received
    half of it.
    """

    def __init__(self, chip: wire_chips.Chip, noted: Callable[[bytes], object] | None = None) -> None:
        self.chip = chip
        self.address = ADDRESS
        self.log: list[bytes] = []
        self.sent = 0
        self.failed = 0
        self.plugged = True
        self._noted = noted
        self._failures: dict[int, int] = {}

    def unplug(self) -> None:
        """From now on nothing answers."""
        self.plugged = False

    def plug(self) -> None:
        """The chip answers again, and has lost its memory."""
        self.plugged = True
        self.chip.power_cycle()

    def fail(self, message: int = 0, number: int = errno.EIO) -> None:
        """Let one coming message fail."""
        self._failures[len(self.log) + message] = number

    def reset_counts(self) -> None:
        """Start counting from zero."""
        self.sent = 0
        self._failures = {}
        self.log.clear()

    def present(self) -> bool:
        """Whether the chip would answer."""
        return self.plugged

    def message(self, message: bytes) -> None:
        """Write an I2C message, without its address."""
        number = self._account(message, 1 + len(message))
        if number:
            self.chip.take_message(message[: len(message) // 2])
            raise OSError(number, os.strerror(number))
        self.chip.take_message(message)

    def _account(self, message: bytes, size: int) -> int:
        """Note a message. Returns the errno with which it fails, or 0. Raises OSError if nothing answers."""
        if self._noted is not None:
            self._noted(message)
        number = self.failure()
        self.log.append(message)
        self.sent += size
        if not self.plugged:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        return number

    def failure(self) -> int:
        """The errno with which the next message fails, or 0."""
        number = self._failures.get(len(self.log), 0)
        self.failed += bool(number)
        return number

    # What luma's `bus=` calls.
    def write_i2c_block_data(self, address: int, control: int, data: list[int]) -> None:
        """A block of up to 32 bytes, as SMBus has it."""
        assert address == ADDRESS
        assert len(data) <= 32
        self.message(bytes([control, *data]))


class Adapter:
    """The kernel's side of /dev/i2c-1: decodes what the real smbus2 passes to `ioctl`."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.opened = 0
        self.missing: int | None = None
        self.scanned: dict[int, int] = {}
        self.answers: dict[int, int] = {}
        self._address = 0

    def install(self, smbus2: types.ModuleType) -> Callable[[], None]:
        """Put the adapter under the smbus2 module. Returns a function that removes it again."""
        module: Any = smbus2.smbus2
        before = module.ioctl, module.os
        module.ioctl = self.ioctl
        module.os = types.SimpleNamespace(open=self.open, close=self.close, O_RDWR=os.O_RDWR)

        def restore() -> None:
            module.ioctl, module.os = before

        return restore

    def open(self, path: str, _flags: int) -> int:
        """A file for the adapter. Fails with `missing` if that is an errno."""
        if self.missing is not None:
            raise OSError(self.missing, os.strerror(self.missing), path)
        assert path == "/dev/i2c-1"
        self.opened += 1
        return os.open(os.devnull, os.O_RDWR)

    def close(self, descriptor: int) -> None:
        """Close it."""
        self.opened -= 1
        os.close(descriptor)

    def ioctl(self, _descriptor: int, request: int, argument: Any) -> int:
        """The four requests that smbus2 makes when writing."""
        if request == I2C_FUNCS:
            argument.value = 0x0EFF0009
        elif request == I2C_SLAVE:
            self._address = argument
        elif request == I2C_SMBUS and argument.size in (QUICK, BYTE):
            self._ask(argument.size)
        elif request == I2C_SMBUS:
            if self._address != self.bus.address:
                raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
            block = argument.data.contents.block
            self.bus.message(bytes([argument.command, *block[1 : block[0] + 1]]))
        elif request == I2C_RDWR:
            for message in argument.msgs[: argument.nmsgs]:
                assert message.addr == self.bus.address
                self.bus.message(bytes(message))
        else:
            raise OSError(errno.ENOTTY, "no such request")
        return 0

    def _ask(self, kind: int) -> None:
        """A bare write or a one-byte read: does anything answer? `answers` has an errno (0: none) for an address."""
        self.scanned[self._address] = kind
        there = 0 if self._address == self.bus.address and self.bus.present() else errno.EREMOTEIO
        number = self.answers.get(self._address, there)
        if number:
            raise OSError(number, os.strerror(number))


class SpiDev:
    """A `spidev.SpiDev`: the data/command line says what the bytes are.

    No chip acknowledges anything, so a missing one goes unnoticed; but the controller itself can fail.
    """

    def __init__(self, bus: Bus, is_data: Callable[[], bool]) -> None:
        self._bus = bus
        self._is_data = is_data
        self.max_speed_hz = 0
        self.opened: tuple[int, int] | None = None

    def open(self, port: int, device: int) -> None:
        """Open /dev/spidev{port}.{device}."""
        self.opened = (port, device)

    def close(self) -> None:
        """Close it."""
        self.opened = None

    def writebytes(self, data: list[int]) -> None:
        """Clock bytes out."""
        assert self.opened is not None
        number = self._bus.failure()
        self._bus.log.append(bytes(data))
        self._bus.sent += len(data)
        if number:
            raise OSError(number, os.strerror(number))
        if self._bus.plugged:
            (self._bus.chip.take_data if self._is_data() else self._bus.chip.take_commands)(bytes(data))

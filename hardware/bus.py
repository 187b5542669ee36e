"""Scans an I2C bus for devices."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from companion.inputs import Finding
from companion.languages import text, why

if TYPE_CHECKING:
    from smbus2 import SMBus

    from hardware.boards import Wiring

FIRST, LAST = 0x03, 0x77
"""The first and last address of devices; the others are reserved by I2C."""
READ_ONLY = (*range(0x30, 0x38), *range(0x50, 0x60))
"""Addresses of memories, which an empty write could change: these are probed by reading, as i2cdetect does."""
STUCK_AFTER = 3
"""After so many time-outs, of a second each, a line of the bus counts as stuck."""


class Stuck(Exception):
    """A line of the bus is stuck, so that no address can be probed."""


def scan(number: int) -> list[int]:
    """The addresses that answer on the I2C bus `number`. Raises OSError, Stuck."""
    from smbus2 import SMBus

    found, late = [], 0
    with SMBus(number) as bus:
        for address in range(FIRST, LAST + 1):
            try:
                _ask(bus, address)
            except OSError as error:
                late += error.errno == errno.ETIMEDOUT
                if late >= STUCK_AFTER:
                    raise Stuck from error
                if error.errno != errno.EBUSY:  # Busy: a driver of the kernel uses the device.
                    continue
            found.append(address)
    return found


def check(wires: Wiring) -> Finding:
    """The finding whether the panel answers on the bus."""
    wanted = f"0x{wires.address:02X}"
    try:
        found = scan(wires.bus)
    except Stuck:
        message = "I2C bus {bus} hangs: SDA or SCL touches ground or another wire, or the panel has no power."
        return Finding("bus", "do", text(message, bus=wires.bus))
    except OSError as error:
        return Finding("bus", "do", text("I2C bus {bus} cannot be used ({why}).", bus=wires.bus, why=why(error)))
    others = ", ".join(f"0x{address:02X}" for address in found if address != wires.address)
    if wires.address in found:
        message = "{wanted} answers on I2C bus {bus}."
        if others:
            message = "{wanted} answers on I2C bus {bus}, and so does {others}."
        return Finding("bus", "ok", text(message, wanted=wanted, bus=wires.bus, others=others))
    if 0x3C in found or 0x3D in found:
        there = "0x3C" if 0x3C in found else "0x3D"
        message = "The panel answers at {there}, not at {wanted}: write address = {there} into [display]."
        return Finding("bus", "do", text(message, there=there, wanted=wanted))
    message = (
        "Only {others} answers on I2C bus {bus}, no panel at {wanted}: look at the panel's four wires (3V3 pin 1, "
        "SDA pin 3, SCL pin 5, ground pin 6)." if others else
        "Nobody answers on I2C bus {bus}, no panel at {wanted}: look at the panel's four wires (3V3 pin 1, "
        "SDA pin 3, SCL pin 5, ground pin 6)."
    )  # fmt: skip
    return Finding("bus", "do", text(message, others=others, bus=wires.bus, wanted=wanted))


def _ask(bus: SMBus, address: int) -> None:
    if address in READ_ONLY:
        bus.read_byte(address)
    else:
        bus.write_quick(address)

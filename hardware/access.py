"""Checks what the wiring needs of the system: device nodes that this user may open, and a panel on its bus."""

from __future__ import annotations

import errno
import glob
import grp
import os
import pwd
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.inputs import Finding
from companion.languages import text, os_error_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from smbus2 import SMBus

    from companion.config import Config
    from hardware.boards import Wiring

SWITCH_ON = {
    "i2c": "{node} is missing: switch I2C on with `sudo raspi-config nonint do_i2c 0` and restart the Pi.",
    "spi": "{node} is missing: switch SPI on with `sudo raspi-config nonint do_spi 0` and restart the Pi.",
    "gpio": '{node} is missing: only a Raspberry Pi has these pins. On another computer set board = "none" in '
            "[buttons].",
    "dialout": "{node} is missing: plug the keypad in. `ls /dev/serial/by-id/` lists its name: set it as port in "
               "[keypad].",
}  # fmt: skip
"""For each group of device nodes, the sentence for one that is missing."""


def needed_nodes(config: Config, wires: Wiring) -> Iterator[tuple[str, str]]:
    """The groups that the wiring needs, by their usual names, each with a pattern of its device nodes."""
    if wires.driver not in ("png", "none"):
        if wires.interface == "spi":
            yield "spi", f"/dev/spidev{wires.bus}.{wires.device}"
        else:
            yield "i2c", f"/dev/i2c-{wires.bus}"
    on_pins = wires.keys or wires.turn or wires.buzzer is not None
    if on_pins or (wires.interface == "spi" and wires.driver not in ("png", "none")):
        yield "gpio", "/dev/gpiochip*"
    if config.keypad.port is not None:
        yield "dialout", config.keypad.port


def check_nodes(config: Config, wires: Wiring) -> list[Finding]:
    """One finding for each needed group."""
    return [check_node(group, pattern) for group, pattern in needed_nodes(config, wires)]


def check_node(group: str, pattern: str) -> Finding:
    """The finding whether any device node of a pattern may be opened."""
    nodes = sorted(glob.glob(pattern))
    if not nodes:
        return Finding(group, "do", text(SWITCH_ON[group], node=pattern))
    usable = [node for node in nodes if os.access(node, os.R_OK | os.W_OK)]
    if usable:
        return Finding(group, "ok", text("{user} may use {node}.", node=usable[0], user=user_name()))
    return Finding(group, "do", permission(group, nodes[0]))


def permission(group: str, node: str) -> str:
    """The sentence that says how this user can get permission for a device node, which usually belongs to `group`."""
    owner = group_of(node)
    if owner in ("", "root"):
        message = "Only root may use {node}. To change that: `sudo chgrp {group} {node} && sudo chmod 660 {node}`."
        return text(message, node=node, group=group)
    if user_name() in members_of(owner):
        message = "{user} has been added to the group {group}: log out and in again for this to take effect."
    else:
        message = "No permission for {node}: `sudo usermod -aG {group} {user}`, then log in again."
    return text(message, node=node, group=owner, user=user_name())


def user_name() -> str:
    """Who runs this program; the number of a user without a name."""
    with suppress(KeyError):
        return pwd.getpwuid(os.geteuid()).pw_name
    return str(os.geteuid())


def group_of(node: str) -> str:
    """The name of a device node's group, "" if unknown."""
    with suppress(OSError, KeyError):
        return grp.getgrgid(os.stat(node).st_gid).gr_name
    return ""


def members_of(group: str) -> list[str]:
    """The members of a group, [] if it is unknown."""
    with suppress(KeyError):
        return grp.getgrnam(group).gr_mem
    return []


# -- the I2C bus ------------------------------------------------------------------------------------------------

FIRST, LAST = 0x03, 0x77
"""The first and last address of devices. The others are reserved by I2C."""
READ_ONLY = (*range(0x30, 0x38), *range(0x50, 0x60))
"""Addresses of memories, which an empty write could change. They are probed by reading, as i2cdetect does."""
STUCK_AFTER = 3
"""After this many time-outs, of a second each, a line of the bus counts as stuck."""


class BusStuckError(Exception):
    """A line of the bus is stuck, so that no address can be probed."""


def scan_bus(number: int) -> list[int]:
    """The addresses that answer on an I2C bus. Raises OSError, BusStuckError."""
    from smbus2 import SMBus

    found, late = [], 0
    with SMBus(number) as bus:
        for address in range(FIRST, LAST + 1):
            try:
                _probe(bus, address)
            except OSError as error:
                late += error.errno == errno.ETIMEDOUT
                if late >= STUCK_AFTER:
                    raise BusStuckError from error
                if error.errno != errno.EBUSY:  # EBUSY: a driver of the kernel uses the device, so it is there.
                    continue
            found.append(address)
    return found


def check_bus(wires: Wiring) -> Finding:
    """The finding whether the panel answers on the bus."""
    wanted = f"0x{wires.address:02X}"
    try:
        found = scan_bus(wires.bus)
    except BusStuckError:
        message = "I2C bus {bus} is stuck: SDA or SCL touches ground or another wire, or the panel has no power."
        return Finding("bus", "do", text(message, bus=wires.bus))
    except OSError as error:
        return Finding("bus", "do", text("I2C bus {bus} cannot be used ({why}).", bus=wires.bus, why=os_error_text(error)))
    others = ", ".join(f"0x{address:02X}" for address in found if address != wires.address)
    if wires.address in found:
        message = "{wanted} answers on I2C bus {bus}."
        if others:
            message = "{wanted} answers on I2C bus {bus}, and so does {others}."
        return Finding("bus", "ok", text(message, wanted=wanted, bus=wires.bus, others=others))
    if 0x3C in found or 0x3D in found:
        there = "0x3C" if 0x3C in found else "0x3D"
        message = "The panel answers at {there}, not at {wanted}: set address = {there} in [display]."
        return Finding("bus", "do", text(message, there=there, wanted=wanted))
    message = (
        "Only {others} answers on I2C bus {bus}, no panel at {wanted}: check the panel's four wires (3V3 pin 1, SDA "
        "pin 3, SCL pin 5, ground pin 6)." if others else
        "Nothing answers on I2C bus {bus}, no panel at {wanted}: check the panel's four wires (3V3 pin 1, SDA pin "
        "3, SCL pin 5, ground pin 6)."
    )  # fmt: skip
    return Finding("bus", "do", text(message, others=others, bus=wires.bus, wanted=wanted))


def _probe(bus: SMBus, address: int) -> None:
    if address in READ_ONLY:
        bus.read_byte(address)
    else:
        bus.write_quick(address)

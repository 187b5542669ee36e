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
from companion.languages import os_error_text, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from smbus2 import SMBus

    from companion.config import Config
    from hardware.boards import Wiring

MISSING_NODE_SENTENCES = {
    "i2c": "{node} is missing: switch I2C on with `sudo raspi-config nonint do_i2c 0` and restart the Pi.",
    "spi": "{node} is missing: switch SPI on with `sudo raspi-config nonint do_spi 0` and restart the Pi.",
    "gpio": '{node} is missing: only a Raspberry Pi has these pins. On another computer set board = "none" in '
            "[buttons].",
    "dialout": "{node} is missing: plug the keypad in. `ls /dev/serial/by-id/` lists its name: set it as port in "
               "[keypad].",
}  # fmt: skip
"""For each group of device nodes, the sentence for one that is missing."""


def needed_nodes(config: Config, wiring: Wiring) -> Iterator[tuple[str, str]]:
    """The groups that the wiring needs, by their usual names, each with a pattern of its device nodes."""
    if wiring.driver not in ("png", "none"):
        if wiring.interface == "spi":
            yield "spi", f"/dev/spidev{wiring.bus}.{wiring.device}"
        else:
            yield "i2c", f"/dev/i2c-{wiring.bus}"
    on_pins = wiring.keys or wiring.turn or wiring.buzzer is not None
    if on_pins or (wiring.interface == "spi" and wiring.driver not in ("png", "none")):
        yield "gpio", "/dev/gpiochip*"
    if config.keypad.port is not None:
        yield "dialout", config.keypad.port


def check_device_nodes(config: Config, wiring: Wiring) -> list[Finding]:
    """One finding for each needed group."""
    return [check_device_node(group, pattern) for group, pattern in needed_nodes(config, wiring)]


def check_device_node(group: str, pattern: str) -> Finding:
    """The finding whether any device node of a pattern may be opened."""
    nodes = sorted(glob.glob(pattern))
    if not nodes:
        return Finding(group, "do", text(MISSING_NODE_SENTENCES[group], node=pattern))
    usable = [node for node in nodes if os.access(node, os.R_OK | os.W_OK)]
    if usable:
        return Finding(group, "ok", text("{user} may use {node}.", node=usable[0], user=user_name()))
    return Finding(group, "do", permission_advice(group, nodes[0]))


def permission_advice(group: str, node: str) -> str:
    """The sentence that says how this user can get permission for a device node, which usually belongs to `group`."""
    owner = group_of_node(node)
    if owner in ("", "root"):
        message = "Only root may use {node}. To change that: `sudo chgrp {group} {node} && sudo chmod 660 {node}`."
        return text(message, node=node, group=group)
    if user_name() in group_members(owner):
        message = "{user} has been added to the group {group}: log out and in again for this to take effect."
    else:
        message = "No permission for {node}: `sudo usermod -aG {group} {user}`, then log in again."
    return text(message, node=node, group=owner, user=user_name())


def keypad_failure(group: str, node: str, error: BaseException, missing: str) -> tuple[str, str]:
    """Why a keypad at a device node can't be opened: in words that fit on a panel, and details.

    `missing` are the words for a reason that has none of its own.
    """
    number = getattr(error, "errno", None)
    if number in (errno.EACCES, errno.EPERM):
        return text("keypad not allowed"), permission_advice(group, node)
    if number in (errno.EAGAIN, errno.EBUSY):
        return text("keypad in use"), text("another program is using {port}", port=node)
    why = text(os.strerror(number)) if number else text("it is not a serial port")
    return missing, text("{port} cannot be opened ({why})", port=node, why=why)


def user_name() -> str:
    """Who runs this program; the number of a user without a name."""
    with suppress(KeyError):
        return pwd.getpwuid(os.geteuid()).pw_name
    return str(os.geteuid())


def group_of_node(node: str) -> str:
    """The name of a device node's group, "" if unknown."""
    with suppress(OSError, KeyError):
        return grp.getgrgid(os.stat(node).st_gid).gr_name
    return ""


def group_members(group: str) -> list[str]:
    """The members of a group, [] if it is unknown."""
    with suppress(KeyError):
        return grp.getgrnam(group).gr_mem
    return []


# -- the I2C bus ------------------------------------------------------------------------------------------------

FIRST_ADDRESS, LAST_ADDRESS = 0x03, 0x77
"""The first and last address of devices. The others are reserved by I2C."""
MEMORY_ADDRESSES = (*range(0x30, 0x38), *range(0x50, 0x60))
"""Addresses of memories, which an empty write could change. They are probed by reading, as i2cdetect does."""
STUCK_TIMEOUTS = 3
"""After this many time-outs, of a second each, a line of the bus counts as stuck."""


class BusStuckError(Exception):
    """A line of the bus is stuck, so that no address can be probed."""


def scan_bus(number: int) -> list[int]:
    """The addresses that answer on an I2C bus. Raises OSError, BusStuckError."""
    from smbus2 import SMBus

    addresses, timeouts = [], 0
    with SMBus(number) as bus:
        for address in range(FIRST_ADDRESS, LAST_ADDRESS + 1):
            try:
                _probe_address(bus, address)
            except OSError as error:
                timeouts += error.errno == errno.ETIMEDOUT
                if timeouts >= STUCK_TIMEOUTS:
                    raise BusStuckError from error
                if error.errno != errno.EBUSY:  # EBUSY: a driver of the kernel uses the device, so it is there.
                    continue
            addresses.append(address)
    return addresses


def panel_bus_finding(wiring: Wiring) -> Finding:
    """The finding whether the panel answers on the bus."""
    wanted_address = f"0x{wiring.address:02X}"
    try:
        addresses = scan_bus(wiring.bus)
    except BusStuckError:
        message = "I2C bus {bus} is stuck: SDA or SCL touches ground or another wire, or the panel has no power."
        return Finding("bus", "do", text(message, bus=wiring.bus))
    except OSError as error:
        return Finding(
            "bus", "do", text("I2C bus {bus} cannot be used ({why}).", bus=wiring.bus, why=os_error_text(error))
        )
    other_addresses = ", ".join(f"0x{address:02X}" for address in addresses if address != wiring.address)
    if wiring.address in addresses:
        message = "{wanted} answers on I2C bus {bus}."
        if other_addresses:
            message = "{wanted} answers on I2C bus {bus}, and so does {others}."
        return Finding("bus", "ok", text(message, wanted=wanted_address, bus=wiring.bus, others=other_addresses))
    if 0x3C in addresses or 0x3D in addresses:
        panel_address = "0x3C" if 0x3C in addresses else "0x3D"
        message = "The panel answers at {there}, not at {wanted}: set address = {there} in [display]."
        return Finding("bus", "do", text(message, there=panel_address, wanted=wanted_address))
    message = (
        "Only {others} answers on I2C bus {bus}, no panel at {wanted}: check the panel's four wires (3V3 pin 1, SDA "
        "pin 3, SCL pin 5, ground pin 6)." if other_addresses else
        "Nothing answers on I2C bus {bus}, no panel at {wanted}: check the panel's four wires (3V3 pin 1, SDA pin "
        "3, SCL pin 5, ground pin 6)."
    )  # fmt: skip
    return Finding("bus", "do", text(message, others=other_addresses, bus=wiring.bus, wanted=wanted_address))


def _probe_address(bus: SMBus, address: int) -> None:
    if address in MEMORY_ADDRESSES:
        bus.read_byte(address)
    else:
        bus.write_quick(address)

"""Checks whether this user may open the device nodes that the wiring needs, and which group is missing."""

from __future__ import annotations

import glob
import grp
import os
import pwd
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.inputs import Finding
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.config import Config
    from hardware.boards import Wiring

SWITCH_ON = {
    "i2c": "{node} is not there: switch I2C on with `sudo raspi-config nonint do_i2c 0` and restart the Pi.",
    "spi": "{node} is not there: switch SPI on with `sudo raspi-config nonint do_spi 0` and restart the Pi.",
    "gpio": '{node} is not there: only a Raspberry Pi has such pins; elsewhere write board = "none" into [buttons].',
    "dialout": "{node} is not there: plug the keypad in; `ls /dev/serial/by-id/` shows the names to put into port of "
               "[keypad].",
}  # fmt: skip
"""Group → what is said where its device node is missing."""


def needed(config: Config, wires: Wiring) -> Iterator[tuple[str, str]]:
    """The groups that the wiring needs, by their usual names, each with the device nodes (a glob) that it may open."""
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


def check(config: Config, wires: Wiring) -> list[Finding]:
    """A finding for each needed group."""
    return [look_at(group, pattern) for group, pattern in needed(config, wires)]


def look_at(group: str, pattern: str) -> Finding:
    """The finding whether any device node of a pattern may be opened."""
    nodes = sorted(glob.glob(pattern))
    if not nodes:
        return Finding(group, "do", text(SWITCH_ON[group], node=pattern))
    usable = [node for node in nodes if os.access(node, os.R_OK | os.W_OK)]
    if usable:
        return Finding(group, "ok", text("{node} may be used by {user}.", node=usable[0], user=user_name()))
    return Finding(group, "do", permission(group, nodes[0]))


def permission(group: str, node: str) -> str:
    """The sentence how this user can get permission for a device node, which is usually of the `group`."""
    owner = group_of(node)
    if owner in ("", "root"):
        message = "{node} belongs to root alone: `sudo chgrp {group} {node} && sudo chmod 660 {node}`."
        return text(message, node=node, group=group)
    if user_name() in members_of(owner):
        message = "{user} is in the group {group}, but only from the next login on: log out and in again."
    else:
        message = "No permission for {node}: `sudo usermod -aG {group} {user}`, then log in again."
    return text(message, node=node, group=owner, user=user_name())


def user_name() -> str:
    """Who runs this program, by number where that has no name."""
    with suppress(KeyError):
        return pwd.getpwuid(os.geteuid()).pw_name
    return str(os.geteuid())


def group_of(node: str) -> str:
    """The name of a node's group, "" if it is unknown."""
    with suppress(OSError, KeyError):
        return grp.getgrgid(os.stat(node).st_gid).gr_name
    return ""


def members_of(group: str) -> list[str]:
    """Who is in a group, [] for one that is unknown."""
    with suppress(KeyError):
        return grp.getgrnam(group).gr_mem
    return []

"""`companion doctor`: examines the box; each finding is a sentence that says what is wrong and what to do."""

from __future__ import annotations

import argparse
import json
import sys
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from companion import __version__
from companion import config as configuration
from companion.commands import options
from companion.doctor import disk
from companion.doctor.examination import hall, surroundings
from companion.inputs import Finding
from companion.languages import counted, said, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from companion.config import Config
    from hardware.boards import Wiring

DESCRIPTION = """\
Looks at configuration, groups, panel, buttons, keypad, lamps, disk, clock and voltage, and says in a sentence each
what is wrong and what to do. It shows a test picture, and for some seconds what is pressed. While a table is running
on the data folder, its devices are left alone.

The exit status is 0 where all is well, 1 where something is to be done, 2 where the configuration is unusable."""

WELL, TO_DO, UNUSABLE = 0, 1, 2
AN_HOUR = 3600
"""How long `--seconds` may listen at most."""
STATES = {"ok": text("ok"), "do": text("TO DO"), "note": text("note")}
LIBRARIES = ("luma.oled", "luma.core", "Pillow", "gpiozero", "lgpio", "pyserial")


def main(given: Sequence[str]) -> int:
    """Examine the box and print the findings. Returns the exit status."""
    parser = options.parser("doctor", DESCRIPTION)
    options.value(parser, "--seconds", "N", text("to listen for presses (10; 0: not)"), type=_seconds, default=10.0)
    options.switch(parser, "--json", text("one array of objects: about, state (ok, do, note), text"))
    arguments = parser.parse_args(given)
    found = []
    for each in examine(arguments, print if not arguments.json else lambda line: None):
        found.append(each)
        if not arguments.json:
            print(line(each))
    if arguments.json:
        print(json.dumps([each._asdict() for each in found], ensure_ascii=False))
    if any(each.about == "settings" and each.state == "do" for each in found):
        return UNUSABLE
    return TO_DO if any(each.state == "do" for each in found) else WELL


def line(finding: Finding) -> str:
    """A finding as one printed line: state, subject, text."""
    return f"{STATES[finding.state]:6} {finding.part:9} {finding.text}"


def examine(arguments: argparse.Namespace, tell: Callable[[str], object]) -> Iterator[Finding]:
    """Yield each finding as soon as it is known; meanwhile `tell` is called with a line for each press and the like."""
    yield versions()
    try:
        # Absolute, like the folder below: trying the devices changes the working directory.
        config = configuration.load(str(Path(arguments.config).absolute()) if arguments.config else None)
        wires = _wiring(config)
    except configuration.ConfigError as error:
        yield Finding("settings", "do", said(error.sentence))
        yield from surroundings(None)
        return
    yield settings(config, wires)
    folder = options.folder(arguments, config).absolute()
    from hardware import access

    yield from access.check_nodes(config, wires)
    with disk.held_back((folder, configuration.SYSTEM_DATA)) as running:
        if running is not None:
            message = (
                "One is running on {folder}, so its devices are left alone; to have them tried, "
                "`sudo systemctl stop companion` first."
            )
            yield Finding("table", "note", text(message, folder=running))
        else:
            from companion.commands import probe

            yield from probe.devices(config, wires, arguments.seconds, tell)
    yield from hall(folder, config)
    yield from surroundings(folder)


def versions() -> Finding:
    """The finding about the versions of the program, of Python and of the libraries."""
    found = [f"companion {__version__}", f"Python {sys.version.split()[0]}"]
    missing = []
    for name in LIBRARIES:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            missing.append(name)
    if "luma.oled" in missing or "pyserial" in missing or "gpiozero" in missing:
        message = "{names} missing: run systemd/install once more."
        return Finding("program", "do", text(message, names=", ".join(missing)))
    return Finding("program", "ok", f"{', '.join(found)}.")


def settings(config: Config, wires: Wiring) -> Finding:
    """The finding about the configuration: the file that was read, and the devices that it names."""
    where = text("{file} is used", file=config.file) if config.file else text("No file, so the usual wiring is taken")
    if not wires.keys and not config.keypad.port:
        message = "{where}, but it has neither buttons nor a keypad: set port in [keypad] or board in [buttons]."
        return Finding("settings", "note", text(message, where=where))
    if wires.driver in ("png", "none"):
        panel = text("panel {driver}", driver=wires.driver)
    elif wires.interface == "spi":
        panel = text("panel {driver} on SPI {bus}.{device}", driver=wires.driver, bus=wires.bus, device=wires.device)
    else:
        panel = text("panel {driver} at {address}", driver=wires.driver, address=f"0x{wires.address:02X}")
    count, port = len(wires.keys), config.keypad.port
    buttons = counted(count, "{number} button", "{number} buttons") if count else text("no buttons")
    keypad = text("keypad {port}", port=port) if port else text("no keypad")
    message = "{where}: {panel}, {buttons}, {keypad}."
    return Finding("settings", "ok", text(message, where=where, panel=panel, buttons=buttons, keypad=keypad))


def _wiring(config: Config) -> Wiring:
    """The wiring. Raises configuration.ConfigError for wrong wiring or a driver that cannot be used."""
    from hardware.boards import wiring
    from hardware.devices import open_devices

    wires = wiring(config)
    open_devices(config, lambda event: None)
    return wires


def _seconds(given: str) -> float:
    try:
        seconds = float(given)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= AN_HOUR:
        raise argparse.ArgumentTypeError(text("it takes 0 to {most} seconds, not {given}", most=AN_HOUR, given=given))
    return seconds

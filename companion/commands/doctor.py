"""`companion doctor`: examines the box; each finding is a sentence that says what is wrong and what to do.

The devices are tried with the code that the table uses. That code is imported late: if it cannot be imported, that is a
finding too.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import queue
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from companion import __version__
from companion import config as configuration
from companion.commands import options
from companion.doctor import disk
from companion.doctor.examination import check_hall, examine_surroundings
from companion.inputs import BUTTON_KEYS, TAKE_BACK_KEY, DeviceMissing, Finding, Input, KeyPressed, KeyReleased
from companion.languages import plural_text, format_list, translate, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from companion.config import Config
    from hardware.boards import Wiring
    from hardware.devices import Devices

DESCRIPTION = """\
Checks the configuration, groups, panel, buttons, keypad, lamps, disk, clock and voltage, and says in one sentence each
what is wrong and what to do. It shows a test picture, and then for some seconds what you press. While a table is
running on the data folder, its devices are not tested.

The exit status is 0 if all is well, 1 if there is something to do, 2 if the configuration is unusable."""

WELL, TO_DO, UNUSABLE = 0, 1, 2
AN_HOUR = 3600
"""How long `--seconds` may listen at most."""
STATES = {"ok": text("ok"), "do": text("TO DO"), "note": text("note")}
LIBRARIES = ("luma.oled", "luma.core", "Pillow", "gpiozero", "lgpio", "pyserial")


def main(given: Sequence[str]) -> int:
    """Examine the box and print the findings. Returns the exit status."""
    parser = options.parser("doctor", DESCRIPTION)
    options.add_value(
        parser,
        "--seconds",
        "N",
        text("how many seconds to wait for presses (10; 0 for none)"),
        type=_seconds,
        default=10.0,
    )
    options.add_switch(parser, "--json", text("one array of objects: about, state (ok, do, note), text"))
    arguments = parser.parse_args(given)
    found = []
    for each in _examine(arguments, print if not arguments.json else lambda line: None):
        found.append(each)
        if not arguments.json:
            print(_line(each))
    if arguments.json:
        print(json.dumps([each._asdict() for each in found], ensure_ascii=False))
    if any(each.about == "settings" and each.state == "do" for each in found):
        return UNUSABLE
    return TO_DO if any(each.state == "do" for each in found) else WELL


def _line(finding: Finding) -> str:
    """A finding as one printed line: state, subject, text."""
    return f"{STATES[finding.state]:6} {finding.part:9} {finding.text}"


def _examine(arguments: argparse.Namespace, tell: Callable[[str], object]) -> Iterator[Finding]:
    """Yield each finding as soon as it is known.

    Meanwhile `print_line` is called with lines that are no findings, such as one for each key press.
    """
    yield _versions()
    try:
        # The paths are made absolute, because trying the devices changes the working directory.
        config = configuration.load_config(str(Path(arguments.config).absolute()) if arguments.config else None)
        wires = _wiring(config)
    except configuration.ConfigError as error:
        yield Finding("settings", "do", translate(error.sentence))
        yield from examine_surroundings(None)
        return
    yield _settings(config, wires)
    folder = options.data_folder(arguments, config).absolute()
    from hardware import access

    yield from access.check_nodes(config, wires)
    with disk.hold_off_tables((folder, configuration.SYSTEM_DATA)) as running:
        if running is not None:
            message = (
                "A table is running on {folder}, so its devices were not tested; to test them, "
                "run `sudo systemctl stop companion` first."
            )
            yield Finding("table", "note", text(message, folder=running))
        else:
            yield from _try_devices(config, wires, arguments.seconds, tell)
    yield from check_hall(folder, config)
    yield from examine_surroundings(folder)


def _versions() -> Finding:
    """The finding about the versions of the program, of Python and of the libraries."""
    found = [f"companion {__version__}", f"Python {sys.version.split()[0]}"]
    missing = []
    for name in LIBRARIES:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            missing.append(name)
    if "luma.oled" in missing or "pyserial" in missing or "gpiozero" in missing:
        message = "Not installed: {names}. Run systemd/install again."
        return Finding("program", "do", text(message, names=", ".join(missing)))
    return Finding("program", "ok", f"{', '.join(found)}.")


def _settings(config: Config, wires: Wiring) -> Finding:
    """The finding about the configuration: the file that was read, and the devices that it names."""
    where = (
        text("Using {file}", file=config.file)
        if config.file
        else text("No configuration file, so the usual wiring applies")
    )
    if not wires.keys and not config.keypad.port:
        message = "{where}, but it sets up neither buttons nor a keypad: set port in [keypad] or board in [buttons]."
        return Finding("settings", "note", text(message, where=where))
    if wires.driver in ("png", "none"):
        panel = text("panel {driver}", driver=wires.driver)
    elif wires.interface == "spi":
        panel = text("panel {driver} on SPI {bus}.{device}", driver=wires.driver, bus=wires.bus, device=wires.device)
    else:
        panel = text("panel {driver} at {address}", driver=wires.driver, address=f"0x{wires.address:02X}")
    count, port = len(wires.keys), config.keypad.port
    buttons = plural_text(count, "{number} button", "{number} buttons") if count else text("no buttons")
    keypad = text("keypad {port}", port=port) if port else text("no keypad")
    message = "{where}: {panel}, {buttons}, {keypad}."
    return Finding("settings", "ok", text(message, where=where, panel=panel, buttons=buttons, keypad=keypad))


def _wiring(config: Config) -> Wiring:
    """Load the wiring. Raises ConfigError for a wrong one, or a driver that cannot be used."""
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
        raise argparse.ArgumentTypeError(text("use 0 to {most} seconds, not {given}", most=AN_HOUR, given=given))
    return seconds


# -- the devices, tried -----------------------------------------------------------------------------------------

SETTLE = 3.0
"""How long a panel may take to show the test picture."""
LIT = 0.4
"""How long each lamp is lit."""
STUCK = 2.0
"""A button that is down at the end for longer than this is reported as stuck."""
LONGEST_MS = 60_000
"""The longest press whose length is printed; a longer one began before listening."""


def _try_devices(config: Config, wires: Wiring, seconds: float, tell: Callable[[str], object]) -> Iterator[Finding]:
    """Show the test picture, light the lamps, and listen for `seconds` (0: not); yield a finding for each device.

    `print_line` is called with a line for each press.
    """
    from companion.display import messages
    from hardware import access
    from hardware.devices import open_devices

    if wires.driver not in ("png", "none") and wires.interface == "i2c":
        yield access.check_bus(wires)
    with tempfile.TemporaryDirectory() as scratch, contextlib.chdir(scratch):
        # The pin library leaves a FIFO in the working directory.
        arrived: queue.Queue[Input | bytes] = queue.Queue()
        opened = open_devices(config, arrived.put, tap=arrived.put)
        listener = Listener(arrived, tell)
        picture = messages.edge_picture()
        try:
            opened.screen.show(picture)
            opened.start()
            listener.note_held(opened)
            shown = _wait_for_panel(opened, listener)
            yield _panel(wires, shown, listener.lost)
            if seconds:
                _light_lamps(opened, wires, listener)
                listener.listen(seconds, sorted(opened.sources))
            yield from listener.findings(config, wires, seconds)
        finally:
            opened.close(picture)


class Listener:
    """Takes the devices' inputs from a queue, prints a line for each, and remembers what the findings need."""

    def __init__(self, arrived: queue.Queue[Input | bytes], tell: Callable[[str], object]) -> None:
        from hardware.keypad import KeypadReport

        self.lost: dict[str, str] = {}
        self._arrived = arrived
        self._tell = tell
        self._heard = KeypadReport()
        self._down: dict[str, float] = {}
        self._pressed: list[str] = []

    def note_held(self, opened: Devices) -> None:
        """Remember the buttons that are already down before anybody is asked to press."""
        buttons = opened.sources.get("buttons")
        for key in getattr(buttons, "held", list)():
            self._down[key] = float("-inf")

    def listen(self, seconds: float, sources: list[str]) -> None:
        """Report presses on the devices `sources` for some seconds; Ctrl-C ends this earlier."""
        present = [name for name in sources if name not in self.lost]
        if not present:
            return
        parts, time_ = format_list(map(text, present)), f"{seconds:g}"
        self._tell(text("       Press everything once, within {seconds} seconds: {parts}.", parts=parts, seconds=time_))
        try:
            self.until(time.monotonic() + seconds)
        except KeyboardInterrupt:
            self._tell("")

    def until(self, end: float) -> None:
        """Take all inputs that arrive until `end`, a time of `time.monotonic`."""
        while True:
            try:
                event = self._arrived.get(timeout=max(0.001, end - time.monotonic()))
            except queue.Empty:
                return
            self._take(event)

    def findings(self, config: Config, wires: Wiring, seconds: float) -> Iterator[Finding]:
        """Yield the findings about buttons, keypad and lamps."""
        if wires.keys:
            yield self._buttons(wires, seconds)
        if config.keypad.port:
            if "keypad" in self.lost:
                yield Finding("keypad", "do", _sentence(self.lost["keypad"]))
            else:
                yield self._heard.finding(config.keypad.port, config.keypad.baud)
        if "lamps" in self.lost:
            yield Finding("lamps", "do", _sentence(self.lost["lamps"]))
        elif wires.turn or wires.buzzer is not None:
            yield _lamps(config, wires, seconds)

    def _take(self, event: Input | bytes) -> None:
        if isinstance(event, bytes):
            for words in self._heard.take(event):
                self._line("keypad", words)
        elif isinstance(event, DeviceMissing):
            self.lost[event.device] = event.reason
        elif isinstance(event, KeyPressed) and event.key == TAKE_BACK_KEY:
            from hardware.buttons import LONG

            # BACK has its effect when it is let go; a held BACK reports only this.
            self._down["back"] = event.at - LONG
            self._pressed.append("back")
            self._line("buttons", text("back held down"))
        elif isinstance(event, KeyPressed) and event.key in BUTTON_KEYS and not event.held:
            self._down[event.key] = event.at
            self._pressed.append(event.key)
            self._line("buttons", text("{key} pressed", key=event.key))
        elif isinstance(event, KeyReleased):
            held = (event.at - self._down.pop(event.key, event.at)) * 1000
            message = "{key} released after {milliseconds} ms" if held < LONGEST_MS else "{key} released"
            self._line("buttons", text(message, key=event.key, milliseconds=f"{held:.0f}"))

    def _line(self, part: str, words: str) -> None:
        self._tell(f"       {text(part):9} {words}")

    def _buttons(self, wires: Wiring, seconds: float) -> Finding:
        if "buttons" in self.lost:
            return Finding("buttons", "do", _sentence(self.lost["buttons"]))
        now = time.monotonic()
        stuck = [key for key, at in self._down.items() if now - at > STUCK]
        if stuck:
            message = "Held down all the time: {keys}. The button is stuck, or its wire touches ground."
            return Finding("buttons", "do", text(message, keys=", ".join(stuck)))
        if not seconds:
            return Finding("buttons", "ok", text("The pins are free; presses were not tested, because of --seconds 0."))
        missing = ", ".join(key for key in wires.keys if key not in self._pressed)
        if not self._pressed:
            message = (
                "No button press arrived. Run this again and press every button; if none arrives, their common wire "
                "does not reach ground, or [buttons] names the wrong pins."
            )
            return Finding("buttons", "do", text(message))
        if missing:
            message = "{arrived} worked, {missing} did not: press them again, or check their wires and pins."
            arrived = ", ".join(dict.fromkeys(self._pressed))
            return Finding("buttons", "do", text(message, arrived=arrived, missing=missing))
        return Finding("buttons", "ok", text("All buttons work."))


def _wait_for_panel(opened: Devices, listener: Listener) -> bool:
    """Wait until the panel shows the test picture or is disconnected, at most `SETTLE_SECONDS`.

    Returns whether the picture is shown.
    """
    end = time.monotonic() + SETTLE
    shown = False
    while not shown and "panel" not in listener.lost and time.monotonic() < end:
        shown = opened.screen.settle(0.05)
        listener.until(time.monotonic())
    return shown


def _panel(wires: Wiring, shown: bool, lost: dict[str, str]) -> Finding:
    from companion.display import messages

    if wires.driver == "none":
        return Finding("panel", "note", text("None is configured."))
    if "panel" in lost or not shown:
        return Finding("panel", "do", _sentence(lost.get("panel", text("it did not accept a picture in time"))))
    if wires.driver == "png":
        return Finding("panel", "ok", text("The test picture is in {file}.", file=wires.path))
    other = "sh1106" if wires.driver != "sh1106" else "ssd1306"
    message = 'It should show {picture}; if an edge is missing, try driver = "{other}" in [display].'
    return Finding("panel", "ok", text(message, picture=messages.TEST_PICTURE_DESCRIPTION, other=other))


def _lamps(config: Config, wires: Wiring, seconds: float) -> Finding:
    if not seconds:
        return Finding("lamps", "ok", text("The pins are free; the lamps were not tested, because of --seconds 0."))
    parts: list[str] = [text("the lamp of seat {seat} was lit", seat=seat) for seat in range(1, len(wires.turn) + 1)]
    if wires.buzzer is not None:
        quiet = config.lamps.quiet
        parts.append(text("the buzzer stayed silent, as configured") if quiet else text("the buzzer sounded"))
    return Finding("lamps", "ok", text("One after the other: {parts}.", parts=format_list(parts)))


def _light_lamps(opened: Devices, wires: Wiring, listener: Listener) -> None:
    """Light each lamp in turn, then sound the buzzer."""
    for seat in range(1, len(wires.turn) + 1):
        opened.lamps.light_seat(seat)
        listener.until(time.monotonic() + LIT)
    opened.lamps.light_seat(None)
    opened.lamps.play_sound("your turn")


def _sentence(words: str) -> str:
    return text("{words:capital}.", words=text(words.rstrip(".") if words.endswith(".") else words))

"""`companion doctor`: examines the box; each finding is a sentence that says what is wrong and what to do.

The devices are tried with the code that the table uses. That code is imported late: if it cannot be imported, that is a
finding too.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import queue
import subprocess
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from companion import __version__, settings_file
from companion import config as configuration
from companion.commands import options
from companion.doctor import disk
from companion.doctor.examination import check_chosen_settings, check_club_server_link, check_disk_and_system
from companion.inputs import (
    BUTTON_KEYS,
    TAKE_BACK_KEY,
    DeviceMissing,
    Finding,
    Input,
    KeyPressed,
    KeyReleased,
    SettingFound,
)
from companion.languages import format_list, plural_text, text, translate
from companion.languages.catalogues import ENGLISH
from companion.store.data_folder import acting_as_owner

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

EXIT_WELL, EXIT_TO_DO, EXIT_UNUSABLE = 0, 1, 2
MAX_LISTEN_SECONDS = 3600
"""How long `--seconds` may listen at most."""
STATE_LABELS = {"ok": text("ok"), "do": text("TO DO"), "note": text("note")}
LIBRARIES = ("luma.oled", "luma.core", "Pillow", "gpiozero", "lgpio", "pyserial")


def main(argv: Sequence[str]) -> int:
    """Examine the box and print the findings. Returns the exit status."""
    parser = options.make_parser("doctor", DESCRIPTION)
    options.add_value(
        parser,
        "--seconds",
        "N",
        text("how many seconds to wait for presses (10; 0 for none)"),
        type=_parse_seconds,
        default=10.0,
    )
    options.add_switch(parser, "--json", text("one array of objects: about, state (ok, do, note), text"))
    arguments = parser.parse_args(argv)
    findings = []
    found: settings_file.ChosenSettings = {}
    for each in _examine_box(arguments, print if not arguments.json else lambda line: None, found):
        findings.append(each)
        if not arguments.json:
            print(_finding_line(each))
    if arguments.json:
        print(json.dumps([each._asdict() for each in findings], ensure_ascii=False))
    elif sys.stdin.isatty():
        _offer_repairs(findings, found, Path(arguments.data or ""))
    if any(each.about == "settings" and each.state == "do" for each in findings):
        return EXIT_UNUSABLE
    return EXIT_TO_DO if any(each.state == "do" for each in findings) else EXIT_WELL


def _offer_repairs(findings: Sequence[Finding], found: settings_file.ChosenSettings, folder: Path) -> None:
    """Ask whether to run each command that a finding names, and to save each setting that was found out."""
    for command in dict.fromkeys(each.command for each in findings if each.command):
        if _is_agreed(text("Run `{command}` now?", command=command)):
            status = subprocess.run(command, shell=True, check=False, timeout=COMMAND_SECONDS).returncode
            print(text("Done.") if status == 0 else text("This failed, so nothing is repaired."))
    for (section, key), value in found.items():
        setting = f"[{section}] {key} = {settings_file.toml_value(key, value)}"
        if _is_agreed(text("Save {setting} in the settings of the box?", setting=setting)):
            with acting_as_owner(folder):
                chosen = settings_file.load_settings(folder)
                settings_file.save_settings(folder, chosen | {(section, key): value})
            print(text("Done."))


def _is_agreed(question: str) -> bool:
    print(f"{question} y/N ", end="", flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _finding_line(finding: Finding) -> str:
    """A finding as one printed line: state, subject, text."""
    return f"{STATE_LABELS[finding.state]:6} {finding.part:9} {finding.text}"


def _examine_box(
    arguments: argparse.Namespace, print_line: Callable[[str], object], found: settings_file.ChosenSettings
) -> Iterator[Finding]:
    """Yield each finding as soon as it is known.

    Meanwhile `print_line` is called with lines that are no findings, such as one for each key press. What the devices
    need to be used where they are is put into `found`.
    """
    yield _version_finding()
    try:
        # The paths are made absolute, because trying the devices changes the working directory.
        config = configuration.load_config(str(Path(arguments.config).absolute()) if arguments.config else None)
        folder = options.data_folder(arguments, config).absolute()
        config, arguments.data = options.with_chosen_settings(config, folder), folder
        wires = _load_wiring(config)
    except configuration.ConfigError as error:
        yield Finding("settings", "do", translate(error.sentence))
        yield from check_disk_and_system(None)
        return
    yield _settings_finding(config, wires)
    yield from check_chosen_settings(folder)
    from hardware import access

    yield from access.check_device_nodes(config, wires)
    with disk.keep_tables_from_starting((folder, configuration.SYSTEM_DATA)) as running:
        if running is not None:
            message = (
                "A table is running on {folder}, so its devices were not tested; to test them, "
                "run `sudo systemctl stop companion` first."
            )
            yield Finding("table", "note", text(message, folder=running))
        else:
            yield from _try_devices(config, wires, arguments.seconds, print_line, found)
    yield from check_club_server_link(folder, config)
    yield from check_disk_and_system(folder)


def _version_finding() -> Finding:
    """The finding about the versions of the program, of Python and of the libraries."""
    versions = [f"companion {__version__}", f"Python {sys.version.split()[0]}"]
    missing = []
    for name in LIBRARIES:
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            missing.append(name)
    if "luma.oled" in missing or "pyserial" in missing or "gpiozero" in missing:
        message = "Not installed: {names}. Install the package tabletop-companion again."
        return Finding("program", "do", text(message, names=", ".join(missing)))
    return Finding("program", "ok", f"{', '.join(versions)}.")


def _settings_finding(config: Config, wires: Wiring) -> Finding:
    """The finding about the configuration: the file that was read, and the devices that it names."""
    source = (
        text("Using {file}", file=config.file)
        if config.file
        else text("No configuration file, so the usual wiring applies")
    )
    if not wires.keys and not config.keypad.port:
        message = "{where}, but it sets up neither buttons nor a keypad: set port in [keypad] or board in [buttons]."
        return Finding("settings", "note", text(message, where=source))
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
    return Finding("settings", "ok", text(message, where=source, panel=panel, buttons=buttons, keypad=keypad))


def _load_wiring(config: Config) -> Wiring:
    """Load the wiring. Raises ConfigError for a wrong one, or a driver that cannot be used."""
    from hardware.boards import resolve_wiring
    from hardware.devices import make_devices

    wires = resolve_wiring(config)
    make_devices(config, lambda event: None)
    return wires


def _parse_seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= MAX_LISTEN_SECONDS:
        raise argparse.ArgumentTypeError(
            text("use 0 to {most} seconds, not {given}", most=MAX_LISTEN_SECONDS, given=value)
        )
    return seconds


# -- the devices, tried -----------------------------------------------------------------------------------------

COMMAND_SECONDS = 300.0
"""How long a command that repairs something may take; it may ask for a password."""
SETTLE_SECONDS = 3.0
"""How long a panel may take to show the test picture."""
LAMP_SECONDS = 0.4
"""How long each lamp is lit."""
STUCK_SECONDS = 2.0
"""A button that is down at the end for longer than this is reported as stuck."""
MAX_PRESS_MILLISECONDS = 60_000
"""The longest press whose length is printed; a longer one began before listening."""


def _try_devices(
    config: Config,
    wires: Wiring,
    seconds: float,
    print_line: Callable[[str], object],
    found: settings_file.ChosenSettings,
) -> Iterator[Finding]:
    """Show the test picture, light the lamps, and listen for `seconds` (0: not); yield a finding for each device.

    `print_line` is called with a line for each press.
    """
    from companion.display import messages
    from hardware import access
    from hardware.devices import make_devices
    from hardware.keypad import KeypadSearch

    if wires.driver not in ("png", "none") and wires.interface == "i2c":
        yield access.panel_bus_finding(wires)
    with tempfile.TemporaryDirectory() as scratch, contextlib.chdir(scratch):
        # The pin library leaves a FIFO in the working directory.
        inputs: queue.Queue[Input | bytes] = queue.Queue()
        devices = make_devices(config, inputs.put, on_bytes=inputs.put)
        listener, search = InputListener(inputs, print_line), KeypadSearch(inputs.put)
        picture = messages.panel_test_picture()
        try:
            devices.screen.show(picture)
            devices.start()
            listener.remember_held_buttons(devices)
            is_shown = _wait_for_panel(devices, listener)
            yield _panel_finding(wires, is_shown, listener.lost_devices)
            if seconds:
                search.start()
                _light_lamps(devices, wires, listener)
                listener.report_presses(seconds, sorted(set(devices.names) & set(devices.sources)))
            yield from listener.findings(config, wires, seconds)
            found |= listener.found_settings
        finally:
            search.close()
            devices.close(picture)
    if config.sound.voice != "off":
        yield _sound_finding(config)


class InputListener:
    """Takes the devices' inputs from a queue, prints a line for each, and remembers what the findings need."""

    def __init__(self, inputs: queue.Queue[Input | bytes], print_line: Callable[[str], object]) -> None:
        from hardware.keypad import KeypadReport

        self.lost_devices: dict[str, str] = {}
        self._inputs = inputs
        self._print = print_line
        self._keypad_report = KeypadReport()
        self._down_since: dict[str, float] = {}
        self._pressed_keys: list[str] = []
        self._usb_keys: dict[str, None] = {}
        self.found_settings: settings_file.ChosenSettings = {}

    def remember_held_buttons(self, devices: Devices) -> None:
        """Remember the buttons that are already down before anybody is asked to press."""
        buttons = devices.sources.get("buttons")
        for key in getattr(buttons, "held_keys", list)():
            self._down_since[key] = float("-inf")

    def report_presses(self, seconds: float, sources: list[str]) -> None:
        """Report presses on the devices `sources` for some seconds; Ctrl-C ends this earlier."""
        present = [name for name in sources if name not in self.lost_devices]
        if not present:
            return
        parts, time_ = format_list(map(text, present)), f"{seconds:g}"
        self._print(
            text("       Press everything once, within {seconds} seconds: {parts}.", parts=parts, seconds=time_)
        )
        try:
            self.take_inputs_until(time.monotonic() + seconds)
        except KeyboardInterrupt:
            self._print("")

    def take_inputs_until(self, end: float) -> None:
        """Take all inputs that arrive until `end`, a time of `time.monotonic`."""
        while True:
            try:
                input_ = self._inputs.get(timeout=max(0.001, end - time.monotonic()))
            except queue.Empty:
                return
            self._take_input(input_)

    def findings(self, config: Config, wires: Wiring, seconds: float) -> Iterator[Finding]:
        """Yield the findings about buttons, keypad and lamps."""
        if wires.keys:
            yield self._buttons_finding(wires, seconds)
        if config.keypad.port:
            if "keypad" in self.lost_devices:
                yield Finding("keypad", "do", _as_sentence(self.lost_devices["keypad"]))
            else:
                yield self._keypad_report.make_finding(config.keypad.port, config.keypad.baud)
        if port := self.found_settings.get(("keypad", "port")):
            message = "A key came from {port}, which is not configured: set it as port in [keypad]."
            yield Finding("keypad", "do", text(message, port=port))
        if "number pad" in self.lost_devices:
            yield Finding("number pad", "do", _as_sentence(self.lost_devices["number pad"]))
        elif self._usb_keys:
            yield Finding("number pad", "ok", text("Keys {keys}.", keys=" ".join(self._usb_keys)))
        if "lamps" in self.lost_devices:
            yield Finding("lamps", "do", _as_sentence(self.lost_devices["lamps"]))
        elif wires.turn or wires.buzzer is not None:
            yield _lamps_finding(config, wires, seconds)

    def _take_input(self, input_: Input | bytes) -> None:
        if isinstance(input_, bytes):
            for line in self._keypad_report.count_and_describe_bytes(input_):
                self._print_line("keypad", line)
        elif isinstance(input_, SettingFound):
            self.found_settings |= {("keypad", "port"): input_.port} if input_.port else {}
            self.found_settings |= {("display", "address"): input_.address} if input_.address else {}
        elif isinstance(input_, DeviceMissing):
            self.lost_devices[input_.device] = input_.reason
        elif isinstance(input_, KeyPressed) and input_.device:
            self._usb_keys[input_.key] = None
            self._print_line("number pad", text("{key} pressed", key=input_.key))
        elif isinstance(input_, KeyPressed) and input_.key == TAKE_BACK_KEY:
            from hardware.buttons import LONG_PRESS_SECONDS

            # BACK has its effect when it is let go; a held BACK reports only this.
            self._down_since["back"] = input_.at - LONG_PRESS_SECONDS
            self._pressed_keys.append("back")
            self._print_line("buttons", text("back held down"))
        elif isinstance(input_, KeyPressed) and input_.key in BUTTON_KEYS and not input_.held:
            self._down_since[input_.key] = input_.at
            self._pressed_keys.append(input_.key)
            self._print_line("buttons", text("{key} pressed", key=input_.key))
        elif isinstance(input_, KeyReleased) and input_.key in self._down_since:
            held = (input_.at - self._down_since.pop(input_.key)) * 1000
            message = "{key} released after {milliseconds} ms" if held < MAX_PRESS_MILLISECONDS else "{key} released"
            self._print_line("buttons", text(message, key=input_.key, milliseconds=f"{held:.0f}"))

    def _print_line(self, part: str, line: str) -> None:
        self._print(f"       {text(part):9} {line}")

    def _buttons_finding(self, wires: Wiring, seconds: float) -> Finding:
        if "buttons" in self.lost_devices:
            return Finding("buttons", "do", _as_sentence(self.lost_devices["buttons"]))
        now = time.monotonic()
        stuck = [key for key, down_at in self._down_since.items() if now - down_at > STUCK_SECONDS]
        if stuck:
            message = "Held down all the time: {keys}. The button is stuck, or its wire touches ground."
            return Finding("buttons", "do", text(message, keys=", ".join(stuck)))
        if not seconds:
            return Finding("buttons", "ok", text("The pins are free; presses were not tested, because of --seconds 0."))
        missing = ", ".join(key for key in wires.keys if key not in self._pressed_keys)
        if not self._pressed_keys:
            message = (
                "No button press arrived. Run this again and press every button; if none arrives, their common wire "
                "does not reach ground, or [buttons] names the wrong pins."
            )
            return Finding("buttons", "do", text(message))
        if missing:
            message = "{arrived} worked, {missing} did not: press them again, or check their wires and pins."
            arrived = ", ".join(dict.fromkeys(self._pressed_keys))
            return Finding("buttons", "do", text(message, arrived=arrived, missing=missing))
        return Finding("buttons", "ok", text("All buttons work."))


def _wait_for_panel(devices: Devices, listener: InputListener) -> bool:
    """Wait until the panel shows the test picture or is disconnected, at most `SETTLE_SECONDS`.

    Returns whether the picture is shown.
    """
    end = time.monotonic() + SETTLE_SECONDS
    is_shown = False
    while not is_shown and "panel" not in listener.lost_devices and time.monotonic() < end:
        is_shown = devices.screen.wait_until_shown(0.05)
        listener.take_inputs_until(time.monotonic())
    return is_shown


def _panel_finding(wires: Wiring, is_shown: bool, lost_devices: dict[str, str]) -> Finding:
    from companion.display import messages

    if wires.driver == "none":
        return Finding("panel", "note", text("None is configured."))
    if "panel" in lost_devices or not is_shown:
        return Finding(
            "panel", "do", _as_sentence(lost_devices.get("panel", text("it did not accept a picture in time")))
        )
    if wires.driver == "png":
        return Finding("panel", "ok", text("The test picture is in {file}.", file=wires.path))
    other_driver = "sh1106" if wires.driver != "sh1106" else "ssd1306"
    message = 'It should show {picture}; if an edge is missing, try driver = "{other}" in [display].'
    return Finding("panel", "ok", text(message, picture=messages.TEST_PICTURE_DESCRIPTION, other=other_driver))


def _sound_finding(config: Config) -> Finding:
    """Say a sentence with the voice, and what became of it."""
    from hardware.speaker import DEVICE, Speaker, Utterance

    sound, said = config.sound, text("The voice can be heard.")
    language = config.table.language or ENGLISH
    speaker = Speaker(lambda input_: None, sound.output)
    fault = speaker.speak(Utterance(said, language, sound.speed, sound.loudness))
    return Finding(DEVICE, "do", _as_sentence(fault)) if fault else Finding(DEVICE, "ok", said)


def _lamps_finding(config: Config, wires: Wiring, seconds: float) -> Finding:
    if not seconds:
        return Finding("lamps", "ok", text("The pins are free; the lamps were not tested, because of --seconds 0."))
    parts: list[str] = [text("the lamp of seat {seat} was lit", seat=seat) for seat in range(1, len(wires.turn) + 1)]
    if wires.buzzer is not None:
        quiet = config.lamps.quiet
        parts.append(text("the buzzer stayed silent, as configured") if quiet else text("the buzzer sounded"))
    return Finding("lamps", "ok", text("One after the other: {parts}.", parts=format_list(parts)))


def _light_lamps(devices: Devices, wires: Wiring, listener: InputListener) -> None:
    """Light each lamp in turn, then sound the buzzer."""
    for seat in range(1, len(wires.turn) + 1):
        devices.lamps.light_seat(seat)
        listener.take_inputs_until(time.monotonic() + LAMP_SECONDS)
    devices.lamps.light_seat(None)
    devices.lamps.play_sound("your turn")


def _as_sentence(clause: str) -> str:
    return text("{words:capital}.", words=text(clause.rstrip(".") if clause.endswith(".") else clause))

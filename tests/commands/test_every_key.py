"""Every key of the configuration has its effect, from the start of `companion run`."""

from __future__ import annotations

import functools
import os
import pty
import re
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from companion import UnusableError, display
from companion import config as configuration
from companion.commands import run, services
from companion.commands import table_startup as table_part
from companion.commands.run import BadConfigurationError
from companion.evening.screens.setup import seats
from companion.inputs import BUTTON_KEYS, KeyReleased
from companion.store import second_disk
from companion.store.journal import JOURNAL_NAME
from companion.table.backup import Backup
from companion.table.loop import TableLoop
from hardware import devices, frames, panel_link
from hardware.usb_keys import DEVICE

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 60.0
DOWN_SECONDS = 0.05
"""How long a button is held down."""
SET_CONTRAST = 0x81

SAMPLE = """
[table]
data = "rounds"
players = ["Zoe", "Yann"]
clock = true
language = "de"
lock = "2718"
name = "Kitchen"
backup = "stick"
second = "other"
[keypad]
port = "{port}"
baud = 4800
usb = false
[hall]
link = "hall.link"
[sound]
voice = "table"
speed = 200
loudness = 50
output = "null"
earphone = "Zoe"
"""
ON_I2C = """
[display]
driver = "sh1106"
bus = 3
address = 0x3D
upside_down = true
brightness = 77
shift = false
idle = "dim"
[buttons]
board = "none"
up = 4
down = 17
left = [27, 22]
right = 5
ok = 6
back = 13
[lamps]
turn = [19, 26]
buzzer = 21
[phones]
remote = "players"
"""
ON_SPI = """
[display]
interface = "spi"
device = 1
dc = 23
rst = 12
[lamps]
buzzer = 16
quiet = true
"""
READY_BOARD = """
[buttons]
board = "adafruit-oled-bonnet"
"""
AS_FILE = """
[display]
driver = "png"
path = "panel.png"
"""


class FakeInterface:
    """What luma writes to instead of a bus; it records its arguments, the contrast and the picture."""

    def __init__(self, kind: str, opened: dict[str, Any]) -> None:
        self.opened = {"interface": kind, **opened}
        self.contrast = 0
        self.bytes = b""

    def command(self, *command: int) -> None:
        if command[0] == SET_CONTRAST:
            self.contrast = command[1]

    def data(self, data: list[int]) -> None:
        self.bytes += bytes(data)

    def cleanup(self) -> None:
        pass


class StartedTable:
    """What `companion run` has made of a configuration, at the moment when it would wait for its first input."""

    def __init__(self, folder: Path, text: str, patch: pytest.MonkeyPatch, *, taps_buttons: bool) -> None:
        self.folder = folder
        self.taps_buttons = taps_buttons
        self.pins = MockFactory()
        self.interface: FakeInterface | None = None
        self.backup: Path | None = None
        self.sound: list[str] = []
        master, slave = pty.openpty()
        patch.setattr(gpiozero.Device, "pin_factory", self.pins)
        patch.setattr(panel_link.serial, "i2c", lambda **opened: self._open("i2c", opened))
        patch.setattr(panel_link.serial, "spi", lambda gpio, **opened: self._open("spi", opened))
        patch.setattr(table_part, "Backup", self._backup)
        for name in ("Speaker", "VoiceWorker"):
            patch.setattr(table_part, name, self._with_last_argument(getattr(table_part, name)))
        patch.setattr(devices, "make_devices", self._devices(devices.make_devices))
        patch.setattr(TableLoop, "run", lambda table: self._inspect(table, slave))
        self.file = folder / "config.toml"
        self.file.write_text(text.format(port=os.ttyname(slave)))
        try:
            assert run.main(["--config", str(self.file)]) == 0
        finally:
            os.close(master)
            os.close(slave)

    def _open(self, kind: str, opened: dict[str, Any]) -> FakeInterface:
        self.interface = FakeInterface(kind, opened)
        return self.interface

    def _with_last_argument(self, make: Callable[..., Any]) -> Callable[..., Any]:
        def made(*arguments: Any) -> Any:
            self.sound.append(arguments[-1])
            return make(*arguments)

        return made

    def _backup(self, folder: Path, *more: Any) -> Backup:
        self.backup = folder
        return Backup(folder, *more)

    def _devices(self, make_devices: Callable[..., devices.Devices]) -> Callable[..., devices.Devices]:
        def opened(*arguments: Any) -> devices.Devices:
            self.devices = make_devices(*arguments)
            return self.devices

        return opened

    def _inspect(self, table: TableLoop, port: int) -> None:
        """Record everything while the table is open."""
        self.table = table
        assert self.devices.screen.wait_until_shown(PATIENCE_SECONDS)
        # Whether the panel was sent the title as it was drawn, and then only the banner.
        drawn = frames.pack_frame(display.session_picture(table.session._replace(banner="")), table.session.pixel_shift)
        self.upright = self.interface is not None and drawn in self.interface.bytes
        self.baud = termios.tcgetattr(port)[4]
        used = {int(pin.info.name.removeprefix("GPIO")): pin for pin in self.pins.pins.values()}
        self.outputs = {number for number, pin in used.items() if pin.function == "output"}
        self.keys: dict[str, set[int]] = {key: set() for key in BUTTON_KEYS}
        for number, pin in used.items():
            if pin.function == "input" and self.taps_buttons:
                pin.drive_low()
                time.sleep(DOWN_SECONDS)
                pin.drive_high()
                self.keys[self._release()].add(number)

    def _release(self) -> str:
        """The key that was down; on a busy machine it may have been repeated."""
        while not isinstance(event := self.table.inputs.get(timeout=PATIENCE_SECONDS), KeyReleased):
            pass
        return event.key


def baud_rate(started: StartedTable) -> int:
    """The speed of the serial port."""
    return {termios.B9600: 9600, termios.B4800: 4800}[started.baud]


def interface_argument(name: str) -> Callable[[StartedTable], Any]:
    """A function that returns an argument of luma's interface."""
    return lambda started: started.interface.opened.get(name) if started.interface is not None else None


def pins_of_button(key: str) -> Callable[[StartedTable], set[int]]:
    return lambda started: started.keys[key]


def first_players(started: StartedTable) -> tuple[str, ...]:
    """The first two names that the menus offer."""
    return seats.selectable_names(started.table.session)[:2]


def panel_brightness(started: StartedTable) -> tuple[int, int]:
    """The contrast of the panel at first, and again after it was dimmed."""
    assert started.interface is not None
    return started.interface.contrast, started.table.panels.brightness


def uplink_link_file(started: StartedTable) -> str:
    """The file from which `companion uplink` wants to read its link."""
    with pytest.raises(UnusableError) as why:
        services.uplink(["--config", str(started.file)])
    named = re.match("cannot read (.*): No such file", str(why.value))
    return Path(named[1]).name if named else ""


EFFECTS_BY_KEY: dict[str, tuple[str, Callable[[StartedTable], Any], Any]] = {
    "table.data": (ON_I2C, lambda started: (started.folder / "rounds" / JOURNAL_NAME).exists(), True),
    "table.players": (ON_I2C, first_players, ("Zoe", "Yann")),
    "table.clock": (ON_I2C, lambda started: started.table.session.switches.timing, True),
    "table.language": (ON_I2C, lambda started: started.table.session.language, "de"),
    "table.second": (
        ON_I2C,
        lambda started: second_disk.second_folder(started.folder / "rounds") == started.folder / "other",
        True,
    ),
    "table.name": (ON_I2C, lambda started: started.table.session.box.name, "Kitchen"),
    "table.lock": (ON_I2C, lambda started: started.table.session.box.lock, "2718"),
    "table.backup": (ON_I2C, lambda started: started.backup, "stick"),
    "display.driver": (ON_I2C, lambda started: type(started.devices.screen.panel_link.device).__name__, "sh1106"),
    "display.interface": (ON_SPI, interface_argument("interface"), "spi"),
    "display.path": (AS_FILE, lambda started: (started.folder / "panel.png").exists(), True),
    "display.bus": (ON_I2C, interface_argument("port"), 3),
    "display.address": (ON_I2C, interface_argument("address"), 0x3D),
    "display.device": (ON_SPI, interface_argument("device"), 1),
    "display.dc": (ON_SPI, interface_argument("gpio_DC"), 23),
    "display.rst": (ON_SPI, interface_argument("gpio_RST"), 12),
    "display.upside_down": (ON_I2C, lambda started: started.upright, False),
    "display.brightness": (ON_I2C, panel_brightness, (77, 77)),
    "display.shift": (ON_I2C, lambda started: started.table.session.box.shift, False),
    "display.idle": (ON_I2C, lambda started: started.table.session.box.idle, "dim"),
    "keypad.usb": (ON_I2C, lambda started: DEVICE in started.devices.sources, False),
    "keypad.port": (ON_I2C, lambda started: "keypad" in started.devices.sources, True),
    "keypad.baud": (ON_I2C, baud_rate, 4800),
    "buttons.board": (READY_BOARD, pins_of_button("ok"), {4, 5}),
    "buttons.up": (ON_I2C, pins_of_button("up"), {4}),
    "buttons.down": (ON_I2C, pins_of_button("down"), {17}),
    "buttons.left": (ON_I2C, pins_of_button("left"), {22, 27}),
    "buttons.right": (ON_I2C, pins_of_button("right"), {5}),
    "buttons.ok": (ON_I2C, pins_of_button("ok"), {6}),
    "buttons.back": (ON_I2C, pins_of_button("back"), {13}),
    "sound.voice": (ON_I2C, lambda started: started.table.session.box.voice, "table"),
    "sound.speed": (ON_I2C, lambda started: started.table.session.box.speed, 200),
    "sound.loudness": (ON_I2C, lambda started: started.table.session.box.loudness, 50),
    "sound.output": (ON_I2C, lambda started: started.sound[0], "null"),
    "sound.earphone": (ON_I2C, lambda started: started.sound[1], "Zoe"),
    "hall.link": (ON_I2C, uplink_link_file, "hall.link"),
    "phones.remote": (ON_I2C, lambda started: started.table.session.settings.players_may_press, True),
    "lamps.turn": (ON_I2C, lambda started: {19, 26} & started.outputs, {19, 26}),
    "lamps.buzzer": (ON_I2C, lambda started: {21} & started.outputs, {21}),
    "lamps.quiet": (ON_SPI, lambda started: started.devices.lamps.quiet, True),
}
"""Key → a configuration that has it, a function that reads its effect, and the effect of the configured value."""

ONE_VALUE_KEYS = {"display.size": "128x64"}
"""Keys that have only one possible value so far."""


def test_every_key_has_an_effect_here() -> None:
    """A new key fails here until somebody adds its effect."""
    keys = {f"{name}.{key}" for name, (_, readers) in configuration.SECTIONS.items() for key in readers}
    assert keys == EFFECTS_BY_KEY.keys() | ONE_VALUE_KEYS.keys()
    for key, value in ONE_VALUE_KEYS.items():
        section, name = key.split(".")
        read = configuration.SECTIONS[section][1][name]
        assert read(value) == value
        with pytest.raises(ValueError, match=value):
            read("128x32")


def start_table(folder: Path, text: str, *, taps_buttons: bool) -> StartedTable | str:
    """Start a table. Returns what is made of the configuration, or why that is refused; each tap takes 0.05 seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        patch.delenv("STATE_DIRECTORY", raising=False)
        patch.setattr(configuration, "SYSTEM_DATA", folder / "system")
        try:
            return StartedTable(folder, text, patch, taps_buttons=taps_buttons)
        except BadConfigurationError as refusal:
            return str(refusal)


@pytest.fixture(scope="module")
def start_part(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], StartedTable | str]:
    """Returns `start_part(part)`: the table of the sample and a part of a configuration, started once for its keys."""
    return functools.cache(lambda part: start_table(tmp_path_factory.mktemp("whole"), SAMPLE + part, taps_buttons=True))


def effect_of(read_effect: Callable[[StartedTable], Any], table: StartedTable | str) -> Any:
    """The effect of a key, or the words of a refusal."""
    if isinstance(table, str):
        return table
    found = read_effect(table)
    return found.relative_to(table.folder).as_posix() if isinstance(found, Path) else found


@pytest.mark.parametrize("key", EFFECTS_BY_KEY)
def test_a_key_has_its_effect(key: str, tmp_path: Path, start_part: Callable[[str], StartedTable | str]) -> None:
    """Without its line alone the effect is missing."""
    part, look, wanted = EFFECTS_BY_KEY[key]
    section, name = key.split(".")
    text = SAMPLE + part
    without = re.sub(rf"(?ms)^(\[{section}\]\n(?:[^\[\n][^\n]*\n)*?){name} = [^\n]*\n", r"\1", text)
    assert without != text
    assert effect_of(look, start_part(part)) == wanted
    assert effect_of(look, start_table(tmp_path, without, taps_buttons=section == "buttons")) != wanted

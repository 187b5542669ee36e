"""The configuration: TOML to a frozen `Config`. Every key is optional; what cannot be used is refused in one sentence.

```toml
[table]
data = "…"              # the folder where rounds are kept
players = ["Ann", "Ben"]
clock = false           # true: the clock of thinking times runs from the start
backup = "…"            # a folder on another disk, to which all rounds are copied after each result
[display]
driver = "ssd1306"      # a 128×64 one-bit driver of luma.oled, "png" or "none"
interface = "i2c"       # or "spi"
path = "…"              # where "png" keeps the current picture
bus = 1                 # the I2C bus or the SPI port
address = 0x3C          # I2C only
device = 0              # SPI only: the chip select
dc = 24                 # SPI only, BCM numbers
rst = 25
size = "128x64"         # the only one that the screens fit on
upside_down = false     # the panel is mounted the other way up
brightness = 207        # 1 to 255
[keypad]
port = "/dev/serial/by-id/…"
baud = 9600
[buttons]
board = "breadboard"    # a ready board's name, "none", or own pins (BCM): up, down, left, right, ok, back
up = 5                  # a list where several buttons do the same
[games]
packages = ["…"]        # games of other packages, which the installer installs with each version
[install]
extras = ["web"]        # of "web" and "report": what the installer installs besides
[lamps]
turn = [17, 27]         # an LED a seat
buzzer = 18
quiet = false           # true: the buzzer stays silent
```
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SYSTEM_FILE = Path("/etc/companion/config.toml")
SYSTEM_DATA = Path("/var/lib/companion")
LONGEST_NAME = 16
HIGHEST_PIN = 27
EXTRAS = ("web", "report")
"""What the program can do besides, with libraries that only some need."""
LONGEST_FILE = 2**18
LONGEST_SHOWN = 80


class Unusable(Exception):
    """Something that was configured cannot be used; `str` is one sentence naming the file and the key."""


class Table(NamedTuple):
    """Where rounds are kept (None: the usual place, see `data_folder`), who usually plays, whether the clock runs.

    `backup` is where rounds are copied to after each result, None for nowhere.
    """

    data: Path | None = None
    players: tuple[str, ...] = ()
    clock: bool = False
    backup: Path | None = None


class Display(NamedTuple):
    """The panel; None where the board's value or the default is to be taken. `brightness` is 1 to 255."""

    driver: str | None = None
    interface: str | None = None
    path: Path | None = None
    bus: int | None = None
    address: int | None = None
    device: int | None = None
    dc: int | None = None
    rst: int | None = None
    size: str = "128x64"
    upside_down: bool = False
    brightness: int = 0xCF


class Keypad(NamedTuple):
    """The serial port of the keypad (None: there is none) and its speed in bauds."""

    port: str | None = None
    baud: int = 9600


class Buttons(NamedTuple):
    """A ready board's name, and own pins (BCM numbers) for each of the six keys."""

    board: str | None = None
    up: tuple[int, ...] | None = None
    down: tuple[int, ...] | None = None
    left: tuple[int, ...] | None = None
    right: tuple[int, ...] | None = None
    ok: tuple[int, ...] | None = None
    back: tuple[int, ...] | None = None


class Lamps(NamedTuple):
    """An LED a seat and the buzzer (BCM numbers); where either is given, the board's own are not used."""

    turn: tuple[int, ...] | None = None
    buzzer: int | None = None
    quiet: bool = False


class Games(NamedTuple):
    """The packages with further games, as pip takes them: a name, with a version at need, or a folder."""

    packages: tuple[str, ...] = ()


class Install(NamedTuple):
    """What the installer installs besides the program: of `EXTRAS`."""

    extras: tuple[str, ...] = ()


class Config(NamedTuple):
    """The whole configuration; `file` is where it was read, None if there was none."""

    table: Table = Table()
    display: Display = Display()
    keypad: Keypad = Keypad()
    buttons: Buttons = Buttons()
    lamps: Lamps = Lamps()
    games: Games = Games()
    install: Install = Install()
    file: Path | None = None


def load(path: str | Path | None = None, environ: Mapping[str, str] = os.environ) -> Config:
    """The configuration in `path`, else in the user's, else in the system's usual place, else the defaults.

    Raises Unusable for a file that cannot be read, an unknown key or a value that cannot be used.
    """
    file = Path(path) if path is not None else _usual_place(environ)
    if file is None:
        return Config()
    try:
        with open(file, "rb", opener=_without_waiting) as opened:
            if stat.S_ISFIFO(os.fstat(opened.fileno()).st_mode):
                raise Unusable(f"{file} cannot be read: it is a pipe, no file.")
            data = opened.read(LONGEST_FILE + 1)
    except OSError as error:
        raise Unusable(f"{file} cannot be read: {error.strerror or error}.") from error
    if len(data) > LONGEST_FILE:
        raise Unusable(f"{file} cannot be read: it is longer than {LONGEST_FILE >> 10} KiB.")
    try:
        return parse(data.decode("utf-8-sig"), file)  # Some editors begin a file with a byte order mark.
    except UnicodeDecodeError as error:
        raise Unusable(f"{file} cannot be read: it is not UTF-8 text.") from error


def _without_waiting(file: str, flags: int) -> int:
    """Open a file; to open a pipe that nobody writes to would wait for ever."""
    fd = os.open(file, flags | os.O_NONBLOCK)
    os.set_blocking(fd, True)
    return fd


def parse(text: str, file: Path) -> Config:
    """The configuration written in `text`; `file` is named in refusals and is what paths are relative to."""
    try:
        sections = tomllib.loads(text)
    except RecursionError as error:
        raise Unusable(f"{file} is not TOML: its brackets are nested too deeply.") from error
    except ValueError as error:  # Not only TOML's own: a number may have too many digits for Python.
        raise Unusable(f"{file} is not TOML: {_shown(str(error))}.") from error
    parts = {name: _section(name, given, file) for name, given in sections.items()}
    return Config(**parts, file=file)


def data_folder(config: Config, environ: Mapping[str, str] = os.environ) -> Path:
    """Where rounds are kept: as configured, else the service's state directory, else the user's."""
    if config.table.data is not None:
        return config.table.data
    if service := environ.get("STATE_DIRECTORY"):
        return Path(service.split(":")[0])
    if os.access(SYSTEM_DATA, os.W_OK):
        return SYSTEM_DATA
    state = environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "companion"


def _usual_place(environ: Mapping[str, str]) -> Path | None:
    folder = environ.get("XDG_CONFIG_HOME") or (Path(environ["HOME"]) / ".config" if environ.get("HOME") else None)
    candidates = [Path(folder) / "companion" / "config.toml"] if folder else []
    # lexists: a dangling link or an unreadable file is told, not passed over.
    return next((file for file in [*candidates, SYSTEM_FILE] if os.path.lexists(file)), None)


def _section(name: str, given: Any, file: Path) -> Any:
    if name not in SECTIONS:
        raise Unusable(f"{file}: there is no section [{_shown(name)}]{_meant(name, SECTIONS)}.")
    if not isinstance(given, dict):
        raise Unusable(f"{file}: {name} must be a section, [{name}].")
    kind, readers = SECTIONS[name]
    values = {}
    for key, value in given.items():
        if key not in readers:
            raise Unusable(f"{file}: there is no key {name}.{_shown(key)}{_meant(key, readers)}.")
        try:
            values[key] = readers[key](value)
        except ValueError as error:
            raise Unusable(f"{file}: {name}.{key} must be {error}, not {_shown(repr(value))}.") from error
        if isinstance(values[key], Path):
            values[key] = _absolute(values[key], file, f"{name}.{key}")
    part = kind(**values)
    if isinstance(part, Display) and part.driver == "png" and part.path is None:
        raise Unusable(f'{file}: display.path is missing: the driver "png" keeps its picture there.')
    return part


def _absolute(path: Path, file: Path, key: str) -> Path:
    try:
        return file.parent / path.expanduser()
    except RuntimeError as error:
        raise Unusable(f"{file}: {key} begins with {_shown(path.parts[0])}, and there is no such user.") from error


def _shown(text: str) -> str:
    """What is quoted of the file, which may have values of any length."""
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"


def _meant(word: str, known: Mapping[str, object]) -> str:
    from difflib import get_close_matches  # Only for a mistake.

    close = get_close_matches(word, known, 1)
    return f" (did you mean {close[0]}?)" if close else f" (there are {', '.join(known)})"


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.isprintable() or not value:
        raise ValueError("a text in quotes, without control characters")
    return value


def _path(value: object) -> Path:
    return Path(_text(value))


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def _number(low: int, high: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        # A bool is an int to Python, but nobody's pin is "true".
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return value

    return read


def _choice(*words: str, why: str = "") -> Callable[[object], str]:
    def read(value: object) -> str:
        if not isinstance(value, str) or value not in words:
            raise ValueError(" or ".join(f'"{word}"' for word in words) + why)
        return value

    return read


def _pins(value: object, most: int) -> tuple[int, ...]:
    listed = value if isinstance(value, list) else [value]
    try:
        pins = tuple(_number(0, HIGHEST_PIN)(pin) for pin in listed)
    except ValueError as error:
        raise ValueError(f"a BCM number from 0 to {HIGHEST_PIN} or a list of such") from error
    if len(pins) > most or len(set(pins)) < len(pins):
        raise ValueError(f"at most {most} different pins")
    return pins


def _key_pins(value: object) -> tuple[int, ...]:
    return _pins(value, 4)


def _lamp_pins(value: object) -> tuple[int, ...]:
    return _pins(value, 4)


def _names(value: object) -> tuple[str, ...]:
    names = value if isinstance(value, list) else [None]
    for name in names:
        if (
            not isinstance(name, str)
            or not re.fullmatch(rf"(?! )[^,]{{1,{LONGEST_NAME}}}(?<! )", name)
            or not name.isprintable()
        ):
            raise ValueError(f"a list of names of 1 to {LONGEST_NAME} letters without commas")
    if len(set(names)) < len(names):
        raise ValueError("a list of different names")
    return tuple(names)


def _packages(value: object) -> tuple[str, ...]:
    packages = value if isinstance(value, list) else [None]
    for package in packages:
        if not isinstance(package, str) or not re.fullmatch(r"[^-\s].*(?<!\s)", package) or not package.isprintable():
            raise ValueError("a list of packages as pip takes them: a name, or a folder")
    return tuple(packages)


def _extras(value: object) -> tuple[str, ...]:
    extras = value if isinstance(value, list) else [None]
    if not all(isinstance(extra, str) and extra in EXTRAS for extra in extras) or len(set(extras)) < len(extras):
        raise ValueError(f"a list of {' and '.join(map(repr, EXTRAS))}".replace("'", '"'))
    return tuple(extras)


_pin = _number(0, HIGHEST_PIN)

SECTIONS: Mapping[str, tuple[type[Any], Mapping[str, Callable[[object], Any]]]] = {
    "table": (Table, {"data": _path, "players": _names, "clock": _flag, "backup": _path}),
    "display": (
        Display,
        {
            "driver": _text,
            "interface": _choice("i2c", "spi"),
            "path": _path,
            "bus": _number(0, 255),
            "address": _number(0x03, 0x77),
            "device": _number(0, 2),
            "dc": _pin,
            "rst": _pin,
            "size": _choice("128x64", why=" (the screens need 64 rows)"),
            "upside_down": _flag,
            "brightness": _number(1, 255),
        },
    ),
    "keypad": (Keypad, {"port": _text, "baud": _number(50, 4_000_000)}),
    "buttons": (
        Buttons,
        {"board": _text} | dict.fromkeys(("up", "down", "left", "right", "ok", "back"), _key_pins),
    ),
    "games": (Games, {"packages": _packages}),
    "install": (Install, {"extras": _extras}),
    "lamps": (Lamps, {"turn": _lamp_pins, "buzzer": _pin, "quiet": _flag}),
}

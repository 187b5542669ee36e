"""Reads the configuration: a TOML file, all of whose keys are optional, becomes an immutable `Config`.

Each section is a field of `Config`, and each key a field of the section's class. The field's annotation names the
function that reads and checks the value, so a new key needs one line. Every error is one sentence with the file and the
key.

```toml
[table]
data = "…"              # the folder where rounds are saved
players = ["Ann", "Ben"]
clock = false           # true: thinking times are measured until somebody switches that off at the box
lock = "2718"           # a code of four digits that the settings at the box ask for
name = "Kitchen"        # the name of the box, for phones
language = "de"         # the panel's language until another is chosen at the box: "en", "de", "fr", "es"
second = "…"            # a folder on another disk, to which each move is copied at once
backup = "…"            # a folder on another disk, to which all rounds are copied after each result
[display]
driver = "ssd1306"      # a 128×64 one-bit driver of luma.oled, "png" or "none"
interface = "i2c"       # or "spi"
path = "…"              # the file to which "png" writes the current picture
bus = 1                 # the I2C bus or the SPI port
address = 0x3C          # I2C only
device = 0              # SPI only: the chip select
dc = 24                 # SPI only, BCM numbers
rst = 25
size = "128x64"         # the only size that the screens are made for
upside_down = false     # the panel is mounted the other way up
brightness = 207        # 1 to 255
shift = true            # the picture is moved by a pixel now and then, against burn-in
idle = "off"            # what the panel does after some minutes without a key: "off", "dim", or it stays "on"
[keypad]
port = "/dev/serial/by-id/…"
baud = 9600
usb = true              # false: USB number pads, keyboards and gamepads are left alone
[buttons]
board = "breadboard"    # a ready board's name, "none", or own pins (BCM): up, down, left, right, ok, back
up = 5                  # or a list, if several buttons are this key
[hall]
link = "…"              # the file with the line that `companion hall add-table` printed
[phones]
remote = "host"         # whose phones may press the box's keys; or "players"
[lamps]
turn = [17, 27]         # one LED for each seat
buzzer = 18
quiet = false           # true: the buzzer stays silent
[sound]
voice = "off"           # what the box says aloud: "off", "table" (moves, refusals, results) or "everything"
speed = 170             # words a minute, 80 to 450
loudness = 100          # 1 to 200
output = "default"      # the ALSA device
earphone = "Ann"        # only this player hears the sound, so it may speak this player's hidden pieces
```
"""

import os
import stat
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from companion import UnusableError
from companion.languages.catalogues import available_languages

SYSTEM_FILE = Path("/etc/companion/config.toml")
SYSTEM_DATA = Path("/var/lib/companion")
MAX_FILE_BYTES = 2**18
MAX_QUOTED_LETTERS = 80


class ConfigError(UnusableError):
    """The configuration cannot be used. The message is one sentence that names the file and the key."""


# -- readers of single values: each raises ValueError with what the value must be, as the end of a sentence ----------

HIGHEST_PIN = 27
"""The highest BCM number on a Pi's header."""
MAX_PINS = 4
"""The most pins that one key can have."""
LOWEST_ADDRESS, HIGHEST_ADDRESS = 0x03, 0x77
"""The range of I2C addresses of devices (seven bits). The addresses outside are reserved."""


def read_text(value: object) -> str:
    """Read a string that is not empty and has only printable characters."""
    if not isinstance(value, str) or not value.isprintable() or not value:
        raise ValueError("text in quotes, without control characters")
    return value


def read_path(value: object) -> Path:
    """Read the path of a file or folder."""
    return Path(read_text(value))


def read_flag(value: object) -> bool:
    """Read a TOML boolean, ``true`` or ``false``."""
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def whole_number(low: int, high: int) -> Callable[[object], int]:
    """Return a reader of whole numbers from `low` to `high`, both included."""

    def read(value: object) -> int:
        # bool is a subclass of int, but "true" is no number here.
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return value

    return read


def read_i2c_address(value: object) -> int:
    """Read an I2C address of seven bits.

    Many modules are printed with the address of eight bits, which is twice as large; the error says so.
    """
    if isinstance(value, int) and HIGHEST_ADDRESS < value <= 2 * HIGHEST_ADDRESS + 1:
        module = f"0x{value:02X} on a module is address = 0x{value // 2:02X} here"
        raise ValueError(f"a whole number from {LOWEST_ADDRESS} to {HIGHEST_ADDRESS} ({module})")
    return whole_number(LOWEST_ADDRESS, HIGHEST_ADDRESS)(value)


def read_language(value: object) -> str:
    """Read the code of an available language, such as ``de``."""
    return one_of(*available_languages())(value)


def read_lock(value: object) -> str:
    """Read the code of the settings, "" for none."""
    if not isinstance(value, str) or (value and not (len(value) == 4 and value.isascii() and value.isdigit())):
        raise ValueError("four digits in quotes")
    return value


def read_box_name(value: object) -> str:
    """Read the name of the box, with the letters that a player's name may have; "" for none."""
    return read_names([value])[0] if value else ""


def one_of(*words: str, why: str = "") -> Callable[[object], str]:
    """Return a reader of one of some words. `why` is added to the error message."""

    def read(value: object) -> str:
        if not isinstance(value, str) or value not in words:
            raise ValueError(" or ".join(f'"{word}"' for word in words) + why)
        return value

    return read


def read_pins(value: object) -> tuple[int, ...]:
    """Read a BCM number from 0 to 27, or a list of at most four different ones.

    A list is used for a key with several buttons, and for the seats' lamps.
    """
    items = value if isinstance(value, list) else [value]
    try:
        pins = tuple(whole_number(0, HIGHEST_PIN)(each) for each in items)
    except ValueError as error:
        raise ValueError(f"a BCM number from 0 to {HIGHEST_PIN} or a list of them") from error
    if len(pins) > MAX_PINS or len(set(pins)) < len(pins):
        raise ValueError(f"at most {MAX_PINS} different pins")
    return pins


def read_names(value: object) -> tuple[str, ...]:
    """Read a list of different player names, each of which the box accepts."""
    from companion.rounds.player_names import (  # Imported late: few files name players.
        MAX_NAME_LETTERS,
        is_valid_name,
        normalize_name,
    )

    names = value if isinstance(value, list) else [None]
    if not all(isinstance(name, str) and is_valid_name(normalize_name(name)) for name in names):
        raise ValueError(f"a list of names of 1 to {MAX_NAME_LETTERS} letters without commas")
    if len(set(map(normalize_name, names))) < len(names):
        raise ValueError("a list of different names")
    return tuple(names)


read_pin = whole_number(0, HIGHEST_PIN)
"""Reads a single BCM number."""


# -- what they are read into ------------------------------------------------------------------------------------


class TableSettings(NamedTuple):
    """The section ``[table]``.

    Attributes:
        data: the folder where rounds are saved; None for the usual one, see `data_folder`.
        players: the names that are always offered.
        clock: whether thinking times are measured until somebody switches that off at the box.
        backup: a folder on another disk, to which all rounds are copied after each result; None for no backup.
        second: a folder on another disk, to which each move is copied at once; None for no second copy.
        language: the code of the panel's language until another is chosen at the box; "" for none.
        lock: the code of the settings at the box, "" for none.
        name: the name of the box, "" for none.
    """

    data: Annotated[Path | None, read_path] = None
    players: Annotated[tuple[str, ...], read_names] = ()
    clock: Annotated[bool, read_flag] = False
    backup: Annotated[Path | None, read_path] = None
    second: Annotated[Path | None, read_path] = None
    language: Annotated[str, read_language] = ""
    lock: Annotated[str, read_lock] = ""
    name: Annotated[str, read_box_name] = ""


class DisplaySettings(NamedTuple):
    """The section ``[display]``. None means the value of the board, or the default. `brightness` is 1 to 255."""

    driver: Annotated[str | None, read_text] = None
    interface: Annotated[str | None, one_of("i2c", "spi")] = None
    path: Annotated[Path | None, read_path] = None
    bus: Annotated[int | None, whole_number(0, 255)] = None
    address: Annotated[int | None, read_i2c_address] = None
    device: Annotated[int | None, whole_number(0, 2)] = None
    dc: Annotated[int | None, read_pin] = None
    rst: Annotated[int | None, read_pin] = None
    size: Annotated[str, one_of("128x64", why=" (the screens need 64 rows)")] = "128x64"
    upside_down: Annotated[bool, read_flag] = False
    brightness: Annotated[int, whole_number(1, 255)] = 0xCF
    shift: Annotated[bool, read_flag] = True
    idle: Annotated[str, one_of("off", "dim", "on")] = "off"


class KeypadSettings(NamedTuple):
    """The section ``[keypad]``: the serial port (None for no keypad), and its baud rate.

    `usb` is whether USB number pads, keyboards and gamepads are keypads too; None where it is not set.
    """

    port: Annotated[str | None, read_text] = None
    baud: Annotated[int, whole_number(50, 4_000_000)] = 9600
    usb: Annotated[bool | None, read_flag] = None


class ButtonSettings(NamedTuple):
    """The section ``[buttons]``: the name of a ready board, and the pins (BCM numbers) of each of the six keys."""

    board: Annotated[str | None, read_text] = None
    up: Annotated[tuple[int, ...] | None, read_pins] = None
    down: Annotated[tuple[int, ...] | None, read_pins] = None
    left: Annotated[tuple[int, ...] | None, read_pins] = None
    right: Annotated[tuple[int, ...] | None, read_pins] = None
    ok: Annotated[tuple[int, ...] | None, read_pins] = None
    back: Annotated[tuple[int, ...] | None, read_pins] = None


class LampSettings(NamedTuple):
    """The section ``[lamps]``: the pins (BCM numbers) of the seats' LEDs and of the buzzer.

    If either is set, the lamps and the buzzer of the board are not used.
    """

    turn: Annotated[tuple[int, ...] | None, read_pins] = None
    buzzer: Annotated[int | None, read_pin] = None
    quiet: Annotated[bool, read_flag] = False


class SoundSettings(NamedTuple):
    """The section ``[sound]``: what the voice says, how fast (words a minute) and how loud, and where to (ALSA's name).

    `earphone` is the name of the only player who hears it, "" if everybody does.
    """

    voice: Annotated[str, one_of("off", "table", "everything")] = "off"
    speed: Annotated[int, whole_number(80, 450)] = 170
    loudness: Annotated[int, whole_number(1, 200)] = 100
    output: Annotated[str, read_text] = "default"
    earphone: Annotated[str, read_text] = ""


class HallSettings(NamedTuple):
    """The section ``[hall]``: the file that tells a table how to reach its club server; None without a club."""

    link: Annotated[Path | None, read_path] = None


class PhoneSettings(NamedTuple):
    """The section ``[phones]``: whether only the ``host``'s phone or those of all ``players`` may press the box's
    keys.
    """

    remote: Annotated[str, one_of("host", "players")] = "host"


class Config(NamedTuple):
    """The whole configuration. `file` is the file that was read, None for the defaults."""

    table: TableSettings = TableSettings()
    display: DisplaySettings = DisplaySettings()
    keypad: KeypadSettings = KeypadSettings()
    buttons: ButtonSettings = ButtonSettings()
    hall: HallSettings = HallSettings()
    phones: PhoneSettings = PhoneSettings()
    lamps: LampSettings = LampSettings()
    sound: SoundSettings = SoundSettings()
    file: Path | None = None


SECTIONS: Mapping[str, tuple[type[Any], Mapping[str, Callable[[object], Any]]]] = {
    name: (kind, {key: field.__metadata__[0] for key, field in kind.__annotations__.items()})
    for name, kind in Config.__annotations__.items()
    if name != "file"
}
"""For each section its class, and the function that reads the value of each of its keys."""
FORMER_SECTIONS = ("games", "install")
FORMER_KEYS = {("hall", "club")}
"""What was for the installer of versions before 0.9: a file that still has it can be used."""


# -- the file ---------------------------------------------------------------------------------------------------


def load_config(path: str | Path | None = None, environ: Mapping[str, str] = os.environ) -> Config:
    """Load the configuration from `path`, else from the user's file, else from the system's, else use the defaults.

    Raises ConfigError if the file cannot be read, has an unknown key, or a value that cannot be used.
    """
    file = Path(path) if path is not None else _default_file(environ)
    if file is None:
        return Config()
    try:
        with open(file, "rb", opener=_open_nonblocking) as opened:
            if stat.S_ISFIFO(os.fstat(opened.fileno()).st_mode):
                raise ConfigError(f"{file} cannot be read: it is a pipe, not a file.")
            data = opened.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror or error}.") from error
    if len(data) > MAX_FILE_BYTES:
        raise ConfigError(f"{file} cannot be read: it is longer than {MAX_FILE_BYTES >> 10} KiB.")
    try:
        return parse_config(data.decode("utf-8-sig"), file)  # Some editors write a byte order mark.
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file} cannot be read: it is not UTF-8 text.") from error


def _open_nonblocking(file: str, flags: int) -> int:
    """Open a file without blocking: a named pipe that nobody writes to would block for ever."""
    fd = os.open(file, flags | os.O_NONBLOCK)
    os.set_blocking(fd, True)
    return fd


def parse_config(text: str, file: Path) -> Config:
    """Parse the text of a configuration file. Raises ConfigError.

    `file` is named in error messages, and relative paths in the text are relative to its folder.
    """
    try:
        sections = tomllib.loads(text)
    except RecursionError as error:
        raise ConfigError(f"{file} is not TOML: its brackets are nested too deeply.") from error
    except ValueError as error:  # Not only TOML's errors: a number may have too many digits for Python.
        raise ConfigError(f"{file} is not TOML: {_quoted(str(error))}.") from error
    parts = {name: read_section(name, values, file) for name, values in sections.items() if name not in FORMER_SECTIONS}
    return Config(**parts, file=file)


def data_folder(config: Config, environ: Mapping[str, str] = os.environ) -> Path:
    """The folder where rounds are saved: as configured, else the service's state folder, else the user's."""
    return config.table.data or state_folder("companion", SYSTEM_DATA, os.W_OK, environ)


def state_folder(name: str, system: Path, rights: int, environ: Mapping[str, str] = os.environ) -> Path:
    """A folder for data that outlives the program.

    The service's state folder if there is one, else `system` if the user has `rights` to it (such as ``os.W_OK``), else
    a folder of the user's.
    """
    if service := environ.get("STATE_DIRECTORY"):
        return Path(service.split(":")[0])
    if os.access(system, rights):
        return system
    state = environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / name


def _default_file(environ: Mapping[str, str]) -> Path | None:
    folder = environ.get("XDG_CONFIG_HOME") or (Path(environ["HOME"]) / ".config" if environ.get("HOME") else None)
    candidates = [Path(folder) / "companion" / "config.toml"] if folder else []
    # lexists, since a dangling link or an unreadable file is an error, not a missing file.
    return next((file for file in [*candidates, SYSTEM_FILE] if os.path.lexists(file)), None)


def read_section(name: str, values: Any, file: Path) -> Any:
    """Read one section of the file into its class; `values` is what TOML made of it. Raises ConfigError."""
    if name not in SECTIONS:
        raise ConfigError(f"{file}: there is no section [{_quoted(name)}]{_suggestion(name, SECTIONS)}.")
    if not isinstance(values, dict):
        raise ConfigError(f"{file}: {name} must be a section, [{name}].")
    kind, readers = SECTIONS[name]
    fields = {}
    for key, value in values.items():
        if (name, key) in FORMER_KEYS:
            continue
        if key not in readers:
            raise ConfigError(f"{file}: there is no key {name}.{_quoted(key)}{_suggestion(key, readers)}.")
        try:
            fields[key] = readers[key](value)
        except ValueError as error:
            raise ConfigError(f"{file}: {name}.{key} must be {error}, not {_quoted(repr(value))}.") from error
        if isinstance(fields[key], Path):
            fields[key] = _absolute(fields[key], file, f"{name}.{key}")
    settings = kind(**fields)
    if isinstance(settings, DisplaySettings) and settings.driver == "png" and settings.path is None:
        raise ConfigError(f'{file}: display.path is missing: the driver "png" saves its picture there.')
    return settings


def _absolute(path: Path, file: Path, key: str) -> Path:
    try:
        return file.parent / path.expanduser()
    except RuntimeError as error:
        raise ConfigError(f"{file}: {key} begins with {_quoted(path.parts[0])}, but there is no such user.") from error


def _quoted(text: str) -> str:
    """Shorten a value for quoting in an error message, since values may have any length."""
    return text if len(text) <= MAX_QUOTED_LETTERS else f"{text[: MAX_QUOTED_LETTERS - 1]}…"


def _suggestion(written: str, known: Mapping[str, object]) -> str:
    from difflib import get_close_matches  # Imported late, since only an error needs it.

    close = get_close_matches(written, known, 1)
    return f" (did you mean {close[0]}?)" if close else f" (use one of {', '.join(known)})"

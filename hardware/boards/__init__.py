"""Ready boards, each a TOML file with keys of the configuration, and the wiring that follows from a configuration."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from companion.config import HIGHEST_PIN, ButtonSettings, Config, ConfigError, DisplaySettings, parse_config
from companion.inputs import BUTTON_KEYS

BOARDS_FOLDER = Path(__file__).parent
DEFAULT_BOARD = "breadboard"
NO_BOARD = "none"


class Wiring(NamedTuple):
    """What is connected to which pin. Pins are BCM numbers.

    `keys` maps each wired key of `companion.inputs.BUTTON_KEYS` to its pins; `turn` are the LEDs of seats 1, 2, ….
    `bus` and `address` are those of I2C; `bus` (the port), `device`, `dc` and `rst` those of SPI.
    """

    driver: str
    interface: str
    path: Path | None
    bus: int
    address: int
    device: int
    dc: int
    rst: int
    upside_down: bool
    brightness: int
    keys: dict[str, tuple[int, ...]]
    turn: tuple[int, ...]
    buzzer: int | None


def board_names() -> list[str]:
    """The names of the ready boards, in alphabetical order."""
    return sorted(file.stem for file in BOARDS_FOLDER.glob("*.toml"))


def load_board(name: str) -> Config:
    """Load a ready board's wiring as a configuration; ``none`` has no keys and no lamps.

    Raises KeyError if it is unknown.
    """
    if name == NO_BOARD:
        return Config()
    if name not in board_names():
        raise KeyError(name)
    return parse_config((BOARDS_FOLDER / f"{name}.toml").read_text("utf-8"), Path(f"{name}.toml"))


def resolve_wiring(config: Config) -> Wiring:
    """The wiring of a configuration, completed by the board that it names, else by the breadboard.

    A configuration with pins of its own and no board uses only these. Raises ConfigError, which names file and key, for
    an unknown board, or for a pin that is used twice.
    """
    base = _base_config(config)
    own_lamps = config.lamps.turn is not None or config.lamps.buzzer is not None
    lamps = config.lamps if own_lamps else base.lamps
    pins = _set_keys(base.buttons) | _set_keys(config.buttons)
    result = Wiring(
        **_panel_fields(config.display, base.display),
        keys={key: pins[key] for key in BUTTON_KEYS if pins.get(key)},
        turn=lamps.turn or (),
        buzzer=lamps.buzzer,
    )
    if not own_lamps:
        result = _without_taken_lamps(result)
    _refuse_shared_pins(config, result)
    return result


def _base_config(config: Config) -> Config:
    name = config.buttons.board
    if name is None:
        # Without a board, own pins are the only ones: those of the breadboard would only be in the way.
        has_own_pins = any(getattr(config.buttons, key) is not None for key in BUTTON_KEYS)
        return Config() if has_own_pins else load_board(DEFAULT_BOARD)
    try:
        return load_board(name)
    except KeyError:
        names_known = ", ".join([*board_names(), NO_BOARD])
        raise ConfigError(f"{config.file}: buttons.board must be one of {names_known}, not {name!r:.60}.") from None


def _panel_fields(section: DisplaySettings, base: DisplaySettings) -> dict[str, Any]:
    """The fields of `Wiring` about the panel: as configured, else as on the board, else the defaults."""
    interface = section.interface or base.interface or "i2c"
    if section.interface not in (None, base.interface):
        # The board's address and pins belong to its own interface.
        base = DisplaySettings(driver=base.driver)
    bus = 0 if interface == "spi" else 1
    defaults = {
        "driver": "ssd1306",
        "interface": interface,
        "bus": bus,
        "address": 0x3C,
        "device": 0,
        "dc": 24,
        "rst": 25,
    }
    fields = defaults | _set_keys(base) | _set_keys(section)
    return {key: fields.get(key) for key in Wiring._fields if key in DisplaySettings._fields}


def _set_keys(section: DisplaySettings | ButtonSettings) -> dict[str, Any]:
    """The keys of a section that have a value."""
    return {key: value for key, value in section._asdict().items() if value is not None}


def _without_taken_lamps(wiring: Wiring) -> Wiring:
    """The wiring without those of the board's lamps whose pins the configuration uses for something else."""
    taken_pins = {pin for _, pin in _panel_pins(wiring)} | {pin for pins in wiring.keys.values() for pin in pins}
    turn = () if taken_pins & set(wiring.turn) else wiring.turn
    return wiring._replace(turn=turn, buzzer=None if wiring.buzzer in taken_pins else wiring.buzzer)


def _panel_pins(wiring: Wiring) -> Iterator[tuple[str, int]]:
    if wiring.driver in ("png", "none"):
        return
    if wiring.interface == "spi":
        chip_select = {0: 8, 1: 7}.get(wiring.device)
        yield from (("the panel (SPI)", pin) for pin in (10, 11, chip_select) if pin is not None)
        yield from (("display.dc", wiring.dc), ("display.rst", wiring.rst))
    elif wiring.bus == 1:
        yield from (("the panel (I2C)", pin) for pin in (2, 3))


BUTTON_PINS = (4, 5, 6, 12, 13, *range(16, HIGHEST_PIN + 1))
"""The pins that buttons may be on, without those of buses and serial ports, which claiming would switch off."""


def free_pins(config: Config, wiring: Wiring) -> tuple[int, ...]:
    """The pins on which an unknown button may be: those that neither the panel nor configured lamps use."""
    lamp_pins = (*(config.lamps.turn or ()), config.lamps.buzzer)
    return tuple(pin for pin in BUTTON_PINS if pin not in {pin for _, pin in _panel_pins(wiring)} | {*lamp_pins})


def _refuse_shared_pins(config: Config, wiring: Wiring) -> None:
    uses = list(_panel_pins(wiring))
    uses += [(f"buttons.{key}", pin) for key, pins in wiring.keys.items() for pin in pins]
    uses += [("lamps.turn", pin) for pin in wiring.turn]
    if wiring.buzzer is not None:
        uses.append(("lamps.buzzer", wiring.buzzer))
    uses_by_pin: dict[int, str] = {}
    for use, pin in uses:
        if pin in uses_by_pin:
            raise ConfigError(f"{config.file}: {use} and {uses_by_pin[pin]} both use pin {pin}.")
        uses_by_pin[pin] = use

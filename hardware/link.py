"""The connection to one panel, by luma.oled's driver and luma's I2C or SPI interface. Only changes are sent.

No threads and no waiting here: `hardware.oled` decides when to send.

    missing ──show_state()──> connected ──show_state()──> connected, and what has changed is sent
       ^                          │
       └─── disconnect() <── one of LINK_ERRORS
"""

from __future__ import annotations

import contextlib
import importlib
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import luma.core.error
from luma.core.interface import serial

from companion.config import ConfigError
from companion.languages import text
from hardware import frames
from hardware.gpio import PinError, open_pin

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.boards import Wiring

NOOP = 0xE3
DISPLAYOFF = 0xAE
COLUMNADDR, PAGEADDR = 0x21, 0x22
SETPAGE, SETLOWCOLUMN, SETHIGHCOLUMN = 0xB0, 0x00, 0x10

WINDOWED = ("ssd1306", "ssd1309", "ssd1305", "ssd1315")
PAGED = ("sh1106", "ch1115")
# The SH1107's memory is rotated by 90°: luma rotates pictures and sends them whole.
SIDEWAYS = ("sh1107",)
DRIVERS = WINDOWED + PAGED + SIDEWAYS

FAILURES = (luma.core.error.Error, OSError, ImportError, PinError, ConfigError)


class Picture(NamedTuple):
    """What a panel shows: a frame (`hardware.frames`), the contrast (0 to 255), and whether its pixels are on."""

    frame: bytes
    level: int
    on: bool


class Lines:
    """The panel's data/command and reset pins.

    The method names are those that luma's SPI interface expects of a pin library.
    """

    LOW, HIGH, OUT = 0, 1, "out"

    def __init__(self) -> None:
        self._pins: dict[int, Any] = {}

    def setup(self, pin: int, _direction: str) -> None:
        """Claim a pin as an output. Raises PinError."""
        self._pins[pin] = open_pin("OutputDevice", pin, initial_value=None)

    def output(self, pin: int, level: int) -> None:
        self._pins[pin].value = bool(level)

    def close(self) -> None:
        for pin in self._pins.values():
            pin.close()
        self._pins.clear()


def open_interface(wiring: Wiring) -> Any:
    """Open luma's interface for a wiring. Raises one of LINK_ERRORS."""
    if wiring.interface == "i2c":
        return serial.i2c(port=wiring.bus, address=wiring.address)
    lines = Lines()
    try:
        interface = serial.spi(
            gpio=lines, port=wiring.bus, device=wiring.device, gpio_DC=wiring.dc, gpio_RST=wiring.rst
        )
    except BaseException:
        lines.close()
        raise
    interface.lines = lines
    return interface


class Wire:
    """Stands between luma's driver and interface. It can replace the interface, and remembers the start commands."""

    def __init__(self) -> None:
        self.interface: Any = None
        self.start: list[tuple[int, ...]] = []
        self.starting = False

    def command(self, *command: int) -> None:
        """Send commands. Those before the first picture set the chip up, and are remembered."""
        if self.starting:
            self.start.append(command)
        self.interface.command(*command)

    def data(self, data: list[int]) -> None:
        self.interface.data(data)

    def cleanup(self) -> None:
        """Close the interface, if it is open."""
        interface, self.interface = self.interface, None
        if interface is not None:
            interface.cleanup()
            if hasattr(interface, "lines"):
                interface.lines.close()


class Link:
    """The connection to one panel. `show_state` makes the panel show something, or raises one of LINK_ERRORS.

    Args:
        driver: one of DRIVERS.
        open_interface: opens luma's interface; called for every attempt to connect.
        refresh_seconds: after this time an unchanged picture is sent again and the chip is set up again, which repairs
            a panel after a loss of power or a disturbance.
        monotonic: returns monotonic seconds.
    """

    def __init__(
        self,
        driver: str,
        connect: Callable[[], Any],
        refresh: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if driver not in DRIVERS:
            raise ConfigError(
                f'display.driver must be one of {", ".join(DRIVERS)}, "png" or "none", not {driver!r:.60}: '
                "the screens need 128×64 pixels of one bit, a 128×32 panel has too few."
            )
        with contextlib.suppress(ImportError):  # The first use will report the reason.
            # Imported now, since a later import in the panel's thread would compete for the processor.
            importlib.import_module("luma.oled.device")
        self.driver = driver
        self.shown: Picture | None = None
        self._connect = connect
        self._refresh = refresh
        self._clock = clock
        self._painted = 0.0
        self.suspect = False
        """Whether the panel may have lost its memory, so that the picture is due again."""
        self._wire = Wire()
        self.device: Any = None
        self._cursor = frames.UNKNOWN

    def bring(self, wanted: Picture) -> None:
        """Make the panel show a state. Only differences are sent, unless the same state is due again."""
        is_due = self.due == 0.0
        shown, self.shown = self.shown, None
        if shown is None:
            self._open(wanted)
        elif wanted == shown and is_due:
            self._set_up_again()
            self._send(wanted.frame)
            self._finish(wanted)
        else:
            self._update(shown, wanted)
        self.shown = wanted

    @property
    def due(self) -> float | None:
        """The seconds until the whole picture has to be sent again; None for a panel that is dark or missing."""
        if self.shown is None or not (self.shown.on or self.suspect):
            return None
        return 0.0 if self.suspect else max(0.0, self._painted + self._refresh - self._clock())

    def drop(self) -> None:
        """Close the interface. The next `show_state` opens it again."""
        self.shown = None
        try:
            self._wire.cleanup()
        except FAILURES:
            # The interface is closed because it does not work, so closing it may fail too.
            self._wire.interface = None

    def _open(self, wanted: Picture) -> None:
        """Connect and set the chip up, with the picture in its memory before its pixels are switched on."""
        self.drop()
        self._wire.interface = self._connect()
        # luma's drivers leak memory if their first write fails, so test first whether a chip answers.
        self._wire.command(NOOP)
        if self.device is None:
            kind = getattr(importlib.import_module("luma.oled.device"), self.driver, None)
            if kind is None:
                raise ConfigError(f"display.driver: this version of luma.oled has no {self.driver}: update it.")
            self.device = kind.__new__(kind)

        def paint() -> None:
            self._wire.starting = False
            self._send(wanted.frame)

        # luma sets the chip up, clears its memory, then switches it on: write the picture instead of clearing.
        self.device.clear = paint
        self._wire.start.clear()
        self._wire.starting = True
        # The same object is used again each time: a new one would stay in memory, held by its exit handler.
        size = {"width": 64, "height": 128, "rotate": 1} if self.driver in SIDEWAYS else {"width": 128, "height": 64}
        self.device.__init__(serial_interface=self._wire, **size)
        # luma must not clear the panel at exit: the last picture stays.
        self.device.persist = True
        self._finish(wanted)

    def _set_up_again(self) -> None:
        """Set up a chip whose pixels are on, without the command that switches them off: it would flicker."""
        for command in self._wire.start:
            self._wire.command(*(command[1:] if command[0] == DISPLAYOFF else command))

    def _send(self, frame: bytes, shown: bytes | None = None) -> None:
        """Send what differs from the frame shown, or for None the whole frame, wherever the chip writes next."""
        if shown is None:
            self._cursor = frames.UNKNOWN
        if self.driver in SIDEWAYS:
            self.device.display(frames.unpack(frame))
        elif self.driver in WINDOWED:
            self._send_windows([frames.WHOLE] if shown is None else frames.windows(shown, frame), frame)
        else:
            for strip in frames.PAGE_STRIPS if shown is None else frames.strips(shown, frame):
                self._send_strip(strip, frame)

    def _finish(self, wanted: Picture) -> None:
        """Set contrast and pixels after a whole frame."""
        self.device.contrast(wanted.level)
        self._switch(wanted.on)
        self._painted = self._clock()
        self.suspect = False

    def _update(self, shown: Picture, wanted: Picture) -> None:
        if wanted.frame != shown.frame:
            if self.driver in WINDOWED and wanted.level < shown.level:
                # Nobody waits while the panel dims and its picture moves: two messages instead of some thirty.
                self._send_windows([frames.WHOLE], wanted.frame)
            else:
                self._send(wanted.frame, shown.frame)
        if wanted.level != shown.level:
            self.device.contrast(wanted.level)
        if wanted.on != shown.on:
            self._switch(wanted.on)

    def _send_windows(self, found: list[frames.Window], frame: bytes) -> None:
        """Send windows, each with only those bounds that the chip does not have yet."""
        for window, columns, pages, cursor in frames.bounds(found, self._cursor):
            command = [] if columns is None else [COLUMNADDR, columns[0], columns[1] - 1]
            if pages is not None:
                command += [PAGEADDR, pages[0], pages[1] - 1]
            if command:
                self.device.command(*command)
            self.device.data(list(window.of(frame)))
            self._cursor = cursor

    def _send_strip(self, strip: frames.Window, frame: bytes) -> None:
        # These chips have memory for 132 columns; the panel's first column is their third.
        column = strip.left + getattr(self.device, "_page_address_offset", 2)
        self.device.command(SETPAGE | strip.top, SETLOWCOLUMN | column & 0x0F, SETHIGHCOLUMN | column >> 4)
        self.device.data(list(strip.of(frame)))

    def _switch(self, on: bool) -> None:
        if on:
            self.device.show()
        else:
            self.device.hide()


def reason(error: Exception) -> tuple[str, str]:
    """Why the panel cannot be used: in words that fit on a panel, and details."""
    if isinstance(error, luma.core.error.DevicePermissionError):
        return text("panel not allowed"), text("add this user to the group i2c")
    if isinstance(error, luma.core.error.DeviceNotFoundError):
        if "address" in str(error):
            return text("panel unplugged"), text("nothing answers at its address")
        return text("no panel bus"), text("switch I2C or SPI on with raspi-config")
    if isinstance(error, ImportError):
        library = "python3-spidev" if error.name == "spidev" else error.name
        return text("no panel library"), text("install {library}", library=library)
    return text("panel disconnected"), str(error).rstrip(".")

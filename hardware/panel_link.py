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

WINDOWED_DRIVERS = ("ssd1306", "ssd1309", "ssd1305", "ssd1315")
PAGED_DRIVERS = ("sh1106", "ch1115")
# The SH1107's memory is rotated by 90°: luma rotates pictures and sends them whole.
SIDEWAYS_DRIVERS = ("sh1107",)
DRIVERS = WINDOWED_DRIVERS + PAGED_DRIVERS + SIDEWAYS_DRIVERS

LINK_ERRORS = (luma.core.error.Error, OSError, ImportError, PinError, ConfigError)


class PanelState(NamedTuple):
    """What a panel shows: a frame (`hardware.frames`), the contrast (0 to 255), and whether its pixels are on."""

    frame: bytes
    contrast: int
    is_on: bool


class SpiPins:
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


def find_panel(wiring: Wiring) -> Wiring:
    """The wiring with the address at which a panel answers: its own, else the other one, 0x3C or 0x3D.

    A jumper on its back chooses between these two. Raises one of LINK_ERRORS.
    """
    other = wiring._replace(address=0x3D if wiring.address == 0x3C else 0x3C)
    for each in (wiring, other) if wiring.interface == "i2c" else ():
        interface = open_interface(each)
        with contextlib.suppress(*LINK_ERRORS):
            interface.command(NOOP)
            return each
        interface.cleanup()
    return wiring


def open_interface(wiring: Wiring) -> Any:
    """Open luma's interface for a wiring. Raises one of LINK_ERRORS."""
    if wiring.interface == "i2c":
        return serial.i2c(port=wiring.bus, address=wiring.address)
    lines = SpiPins()
    try:
        interface = serial.spi(
            gpio=lines, port=wiring.bus, device=wiring.device, gpio_DC=wiring.dc, gpio_RST=wiring.rst
        )
    except BaseException:
        lines.close()
        raise
    interface.lines = lines
    return interface


class SerialProxy:
    """Stands between luma's driver and interface. It can replace the interface, and remembers the start commands."""

    def __init__(self) -> None:
        self.interface: Any = None
        self.start_commands: list[tuple[int, ...]] = []
        self.is_starting = False

    def command(self, *command: int) -> None:
        """Send commands. Those before the first picture set the chip up, and are remembered."""
        if self.is_starting:
            self.start_commands.append(command)
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


class PanelLink:
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
        open_interface: Callable[[], Any],
        refresh_seconds: float = 60.0,
        monotonic: Callable[[], float] = time.monotonic,
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
        self.shown_state: PanelState | None = None
        self._connect = open_interface
        self._refresh = refresh_seconds
        self._clock = monotonic
        self._painted_at = 0.0
        self.is_suspect = False
        """Whether the panel may have lost its memory, so that the picture is due again."""
        self._wire = SerialProxy()
        self.device: Any = None
        self._cursor = frames.UNKNOWN_CURSOR

    def show_state(self, state: PanelState) -> None:
        """Make the panel show a state. Only differences are sent, unless the same state is due again."""
        is_due = self.seconds_until_due == 0.0
        shown_before, self.shown_state = self.shown_state, None
        if shown_before is None:
            self._set_up(state)
        elif state == shown_before and is_due:
            self._set_up_again()
            self._send_frame(state.frame)
            self._finish_frame(state)
        else:
            self._send_changes(shown_before, state)
        self.shown_state = state

    @property
    def seconds_until_due(self) -> float | None:
        """The seconds until the whole picture has to be sent again; None for a panel that is dark or missing."""
        if self.shown_state is None or not (self.shown_state.is_on or self.is_suspect):
            return None
        return 0.0 if self.is_suspect else max(0.0, self._painted_at + self._refresh - self._clock())

    def disconnect(self) -> None:
        """Close the interface. The next `show_state` opens it again."""
        self.shown_state = None
        try:
            self._wire.cleanup()
        except LINK_ERRORS:
            # The interface is closed because it does not work, so closing it may fail too.
            self._wire.interface = None

    def _set_up(self, state: PanelState) -> None:
        """Connect and set the chip up, with the picture in its memory before its pixels are switched on."""
        self.disconnect()
        self._wire.interface = self._connect()
        # luma's drivers leak memory if their first write fails, so test first whether a chip answers.
        self._wire.command(NOOP)
        if self.device is None:
            device_class = getattr(importlib.import_module("luma.oled.device"), self.driver, None)
            if device_class is None:
                raise ConfigError(f"display.driver: this version of luma.oled has no {self.driver}: update it.")
            self.device = device_class.__new__(device_class)

        def send_first_frame() -> None:
            self._wire.is_starting = False
            self._send_frame(state.frame)

        # luma sets the chip up, clears its memory, then switches it on: write the picture instead of clearing.
        self.device.clear = send_first_frame
        self._wire.start_commands.clear()
        self._wire.is_starting = True
        # The same object is used again each time: a new one would stay in memory, held by its exit handler.
        is_sideways = self.driver in SIDEWAYS_DRIVERS
        size = {"width": 64, "height": 128, "rotate": 1} if is_sideways else {"width": 128, "height": 64}
        self.device.__init__(serial_interface=self._wire, **size)
        # luma must not clear the panel at exit: the last picture stays.
        self.device.persist = True
        self._finish_frame(state)

    def _set_up_again(self) -> None:
        """Set up a chip whose pixels are on, without the command that switches them off: it would flicker."""
        for command in self._wire.start_commands:
            self._wire.command(*(command[1:] if command[0] == DISPLAYOFF else command))

    def _send_frame(self, frame: bytes, shown_frame: bytes | None = None) -> None:
        """Send what differs from the frame shown, or for None the whole frame, wherever the chip writes next."""
        if shown_frame is None:
            self._cursor = frames.UNKNOWN_CURSOR
        if self.driver in SIDEWAYS_DRIVERS:
            self.device.display(frames.unpack_frame(frame))
        elif self.driver in WINDOWED_DRIVERS:
            self._send_windows(
                [frames.WHOLE_WINDOW] if shown_frame is None else frames.changed_windows(shown_frame, frame), frame
            )
        else:
            for strip in frames.PAGE_STRIPS if shown_frame is None else frames.changed_strips(shown_frame, frame):
                self._send_strip(strip, frame)

    def _finish_frame(self, state: PanelState) -> None:
        """Set contrast and pixels after a whole frame."""
        self.device.contrast(state.contrast)
        self._switch_pixels(state.is_on)
        self._painted_at = self._clock()
        self.is_suspect = False

    def _send_changes(self, shown: PanelState, wanted: PanelState) -> None:
        if wanted.frame != shown.frame:
            if self.driver in WINDOWED_DRIVERS and wanted.contrast < shown.contrast:
                # Nobody waits while the panel dims and its picture moves: two messages instead of some thirty.
                self._send_windows([frames.WHOLE_WINDOW], wanted.frame)
            else:
                self._send_frame(wanted.frame, shown.frame)
        if wanted.contrast != shown.contrast:
            self.device.contrast(wanted.contrast)
        if wanted.is_on != shown.is_on:
            self._switch_pixels(wanted.is_on)

    def _send_windows(self, windows: list[frames.Window], frame: bytes) -> None:
        """Send windows, each with only those bounds that the chip does not have yet."""
        for window, columns, pages, cursor in frames.order_windows(windows, self._cursor):
            command = [] if columns is None else [COLUMNADDR, columns[0], columns[1] - 1]
            if pages is not None:
                command += [PAGEADDR, pages[0], pages[1] - 1]
            if command:
                self.device.command(*command)
            self.device.data(list(window.crop(frame)))
            self._cursor = cursor

    def _send_strip(self, strip: frames.Window, frame: bytes) -> None:
        # These chips have memory for 132 columns; the panel's first column is their third.
        column = strip.left + getattr(self.device, "_page_address_offset", 2)
        self.device.command(SETPAGE | strip.top, SETLOWCOLUMN | column & 0x0F, SETHIGHCOLUMN | column >> 4)
        self.device.data(list(strip.crop(frame)))

    def _switch_pixels(self, on: bool) -> None:
        if on:
            self.device.show()
        else:
            self.device.hide()


def link_failure(error: Exception) -> tuple[str, str]:
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

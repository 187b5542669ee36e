"""Gives a child process a panel on the I2C wire and buttons that can be pressed, without a Pi and with real libraries.

Python imports a module of this name at its start. A test copies this folder into a folder of its own and runs

    subprocess.Popen(["companion", "run", ...], env={**os.environ, "PYTHONPATH": str(folder)})

From then on, in that folder:

- ``frame`` holds the 1,024 bytes that a player sees (pages of 128 columns, lowest bit on top), replaced whole;
  `wire_chips.py` beside this file knows how they come about. All zero: the panel is dark.
- ``log`` has a line for each I2C message: its bytes in hexadecimal after the address (``00``: commands, ``40``: data).
- ``chip``, if there is such a file, names the chip: ``ssd1306`` (the default) or ``sh1106``.
- While there is a file ``unplugged``, nobody answers (errno 121); when it goes, the panel is back without its memory.
- A file ``disturbed`` lets one message fail half-way (errno 5), and goes by it.
- ``pins``, if it is a FIFO when the program starts, takes lines such as ``26 down`` and ``26 up``: a button on BCM pin
  26 is pressed or let go. The callbacks run in a thread of their own, as with lgpio. ``26 tap 7 5`` is a whole press:
  it bounces seven times before it stays down, and five before it stays up; see `_tap`. ``taps`` has a line for each.
- ``address``, if there is such a file, has the chip's address, such as ``0x3D``.
- ``held``, if there is such a file when the program starts, names a BCM pin whose button is down from the beginning.
- ``input`` and ``sys``, if there are such folders when the program starts, are those of the kernel's input devices:
  FIFOs for `number_pad.py` in tests/support, which cannot be grabbed.
- ``outputs`` has a line for each change of a lamp or the buzzer: ``17 1``; ``moments`` has when it was (monotonic).

The program under test runs the real smbus2, luma and gpiozero (with gpiozero's mock pins).
"""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

HERE = Path(__file__).parent
FINGER = 0.025
"""Seconds between two movements of fingers: what was written long ago to a busy program would come all at once."""
TAP, BOUNCE = 0.03, 0.0003
"""Seconds that a tapped button is down, and between two movements of a contact that bounces."""
sys.path.insert(0, str(HERE))


def _panel() -> None:
    import smbus2
    import wire_bus
    import wire_chips

    name = (HERE / "chip").read_text().strip() if (HERE / "chip").exists() else "ssd1306"
    log = (HERE / "log").open("a", buffering=1)
    frame = HERE / "frame"

    class Bus(wire_bus.Bus):
        def present(self) -> bool:
            return not (HERE / "unplugged").exists()

        def message(self, message: bytes) -> None:
            if (HERE / "unplugged").exists():
                self.unplug()
            elif not self.plugged:
                self.plug()
            log.write(message.hex() + "\n")
            if (HERE / "disturbed").exists():
                (HERE / "disturbed").unlink()
                self.fail()
            try:
                super().message(message)
            finally:
                self.log.clear()
                self._failures.clear()
            # Beside it and renamed, so that a reader never finds half of one.
            (HERE / ".frame").write_bytes(self.chip.visible_frame())
            os.replace(HERE / ".frame", frame)

    bus = Bus(wire_chips.CHIPS[name]())
    if (HERE / "address").exists():
        bus.address = int((HERE / "address").read_text(), 16)
    wire_bus.Adapter(bus).install(smbus2)


_down: set[str] = set()
"""The pins whose buttons are down just now."""


def _hold(kind: type) -> None:
    """Keep the mock pins of pressed buttons low when a pull-up is switched on: the contact is stronger."""
    pull = kind._set_pull

    def held(pin: object, value: str) -> None:
        pull(pin, value)
        if pin.info.name in _down and value == "up":
            pin.drive_low()

    kind._set_pull = held


class _TapClock:
    """The clock of the buttons' module: while a button is tapped it goes as the contact moves."""

    def __init__(self) -> None:
        self.at: float | None = None

    def monotonic(self) -> float:
        return time.monotonic() if self.at is None else self.at


_tapping = False


def _tap(pin: object, closing: int, opening: int) -> None:
    """Press a button for 30 ms; the contact moves every `BOUNCE` seconds by the clock that the callbacks read.

    A busy machine would stretch the bouncing beyond anything that contacts do. So it takes no time, and no other
    thread of Python runs meanwhile; the clock of the buttons, which stamps the edges, goes on as it would.
    """
    global _tapping
    from hardware import buttons

    if not isinstance(buttons.time, _TapClock):
        buttons.time = _TapClock()
    clock, switching = buttons.time, sys.getswitchinterval()
    begun = time.monotonic()
    sys.setswitchinterval(1000)
    _tapping = True
    for start, settled, other, bounces in (
        (begun, pin.drive_low, pin.drive_high, closing),
        (begun + TAP, pin.drive_high, pin.drive_low, opening),
    ):
        clock.at = start
        settled()
        for _ in range(bounces):
            for move in (other, settled):
                clock.at += BOUNCE
                move()
    _tapping, clock.at = False, None
    sys.setswitchinterval(switching)
    time.sleep(2 * TAP)
    with (HERE / "taps").open("a") as taps:
        taps.write("tap\n")


def _pins() -> None:
    os.environ["GPIOZERO_PIN_FACTORY"] = "mock"
    from gpiozero import Device
    from gpiozero.pins.mock import MockPin

    change = MockPin._set_state

    def noted(pin: MockPin, value: float) -> None:
        change(pin, value)
        if _tapping:
            return
        with (HERE / "outputs").open("a") as outputs:
            outputs.write(f"{pin.info.name.removeprefix('GPIO')} {int(value)}\n")
        with (HERE / "moments").open("a") as moments:
            moments.write(f"{time.monotonic()}\n")

    MockPin._set_state = noted
    _hold(MockPin)
    if (HERE / "held").exists():
        _down.add(f"GPIO{int((HERE / 'held').read_text())}")
    if not (HERE / "pins").is_fifo():
        return

    def press() -> None:
        # Open for writing too, it never comes to its end: a writer would find it closed while it is opened anew.
        for line in os.fdopen(os.open(HERE / "pins", os.O_RDWR), "r"):
            number, way, *bounces = line.split()
            Device.ensure_pin_factory()
            pin = Device.pin_factory.pin(int(number))
            if way == "tap":
                _tap(pin, *map(int, bounces))
                pin.clear_states()  # Each edge is kept by the mock pin, which real pins do not do.
                continue
            (_down.add if way == "down" else _down.discard)(f"GPIO{number}")
            (pin.drive_low if way == "down" else pin.drive_high)()
            time.sleep(FINGER)

    threading.Thread(target=press, name="fingers", daemon=True).start()


def _usb_keys() -> None:
    if (HERE / "input").is_dir():
        from hardware import usb_keys

        usb_keys.grab_device = lambda fd: None
        usb_keys.UsbKeys.__init__.__defaults__ = (HERE / "input", HERE / "sys", 0.1)


_panel()
_pins()
_usb_keys()

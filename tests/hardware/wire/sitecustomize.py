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
  26 is pressed or let go. The callbacks run in a thread of their own, as with lgpio. ``26 down 7`` bounces seven times
  before it stays down; ``bounced`` then has a line with the seconds that it took.
- ``held``, if there is such a file when the program starts, names a BCM pin whose button is down from the beginning.
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
            (HERE / ".frame").write_bytes(self.chip.seen())
            os.replace(HERE / ".frame", frame)

    wire_bus.Adapter(Bus(wire_chips.CHIPS[name]())).install(smbus2)


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


def _pins() -> None:
    os.environ["GPIOZERO_PIN_FACTORY"] = "mock"
    from gpiozero import Device
    from gpiozero.pins.mock import MockPin

    change = MockPin._set_state

    def noted(pin: MockPin, value: float) -> None:
        change(pin, value)
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
            number, way, *times = line.split()
            (_down.add if way == "down" else _down.discard)(f"GPIO{number}")
            Device.ensure_pin_factory()
            pin = Device.pin_factory.pin(int(number))
            settled, other = (pin.drive_low, pin.drive_high)[:: 1 if way == "down" else -1]
            begun = time.monotonic()
            settled()
            for _ in range(int(*times) if times else 0):
                other()
                settled()
            if not times:
                time.sleep(FINGER)
            else:
                with (HERE / "bounced").open("a") as bounced:
                    bounced.write(f"{time.monotonic() - begun}\n")

    threading.Thread(target=press, name="fingers", daemon=True).start()


_panel()
_pins()

"""Shared fixtures of the hardware tests: chips on wires, inputs that arrive, pictures."""

from __future__ import annotations

import functools
import queue
import random
import sys
import time
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory
from PIL import Image

from companion.config import Config, DisplaySettings
from hardware import gpio
from hardware.boards import Wiring, resolve_wiring

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "wire"), str(HERE.parent / "benchmarks")]

import night  # noqa: E402  (found only now)
import presses  # noqa: E402
import wire_bus  # noqa: E402
import wire_chips  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


PATIENCE = 60.0
"""Seconds that any event may take: on a busy machine a thread may wait long for its turn."""
QUIET = 0.2


class Inbox(queue.Queue):
    """The queue that devices put inputs on. `take` waits for one, `rest` returns what is there."""

    def take(self, timeout: float = PATIENCE) -> Any:
        return self.get(timeout=timeout)

    def rest(self) -> list[Any]:
        found = []
        while not self.empty():
            found.append(self.get())
        return found


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def wait_for() -> Callable[[Callable[[], bool]], None]:
    """Wait until a condition holds; fail after a minute."""

    def wait(so: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE
        while not so():
            assert time.monotonic() < end, "it did not come about within a minute"
            time.sleep(0.005)

    return wait


@pytest.fixture
def wait_while_changing() -> Callable[[Callable[[], object]], None]:
    """Wait until a value has stayed the same for a while; fail after a minute."""

    def wait(value: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE
        before = value()
        time.sleep(QUIET)
        while (now := value()) != before:
            assert time.monotonic() < end, "it goes on changing"
            before = now
            time.sleep(QUIET)

    return wait


@pytest.fixture
def make_bus() -> Callable[[str], wire_bus.Bus]:
    """A chip by name, on a wire of its own."""
    return lambda name: wire_bus.Bus(wire_chips.CHIPS[name]())


@pytest.fixture(scope="session")
def play_evening() -> Callable[..., list[night.Step]]:
    """`play_evening(rounds)`: the steps of the first rounds of an evening, of all by default."""
    return functools.cache(lambda rounds=None: night.ScriptedEvening(presses.load_helpers()).play(night.PLANS[:rounds]))


@pytest.fixture
def wired(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], tuple[wire_bus.Bus, Wiring]]]:
    """`wired(driver, interface)`: a chip at /dev/i2c-1 or /dev/spidev0.0 and the wiring that leads there."""
    restore = []

    def make(driver: str, interface: str) -> tuple[wire_bus.Bus, Wiring]:
        bus = wire_bus.Bus(wire_chips.CHIPS[driver]())
        if interface == "spi":
            before = gpiozero.Device.pin_factory
            pins = gpiozero.Device.pin_factory = MockFactory()
            restore.append(lambda: setattr(gpiozero.Device, "pin_factory", before))
            connect_spi(bus, pins, monkeypatch)
        else:
            import smbus2

            restore.append(wire_bus.Adapter(bus).install(smbus2))
        return bus, resolve_wiring(Config(display=DisplaySettings(driver=driver, interface=interface)))

    yield make
    for undo in restore:
        undo()


def connect_spi(bus: wire_bus.Bus, pins: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a chip at /dev/spidev0.0, data/command on pin 24."""
    spidev = types.ModuleType("spidev")
    spidev.SpiDev = lambda: wire_bus.SpiDev(bus, lambda: bool(pins.pin(24).state))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spidev", spidev)


@pytest.fixture
def adapter() -> Iterator[wire_bus.Adapter]:
    """An SSD1306 at /dev/i2c-1 under the real smbus2."""
    import smbus2

    found = wire_bus.Adapter(wire_bus.Bus(wire_chips.Ssd1306()))
    restore = found.install(smbus2)
    yield found
    restore()


@pytest.fixture
def spi_bus(monkeypatch: pytest.MonkeyPatch, pins: MockFactory) -> wire_bus.Bus:
    """An SH1106 at /dev/spidev0.0, data/command on pin 24."""
    bus = wire_bus.Bus(wire_chips.Sh1106())
    connect_spi(bus, pins, monkeypatch)
    return bus


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    """Gpiozero's mock pins; callbacks run in the thread that drives a pin."""
    before = gpiozero.Device.pin_factory
    factory = gpiozero.Device.pin_factory = MockFactory()
    yield factory
    factory.reset()
    gpiozero.Device.pin_factory = before


@pytest.fixture
def refuse_pins(pins: MockFactory, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[int]]:
    """`refuse_pins(17, 27)` refuses these pins while they are in the list that it returns; retries are fast then."""

    def refuse(*numbers: int) -> list[int]:
        real, left = type(pins).pin, list(numbers)

        def pin(factory: MockFactory, name: int) -> object:
            if name in left:
                raise RuntimeError("GPIO refused")
            return real(factory, name)

        monkeypatch.setattr(type(pins), "pin", pin)
        monkeypatch.setattr(gpio, "RETRY_SECONDS", 0.02)
        return left

    return refuse


@pytest.fixture
def wake_ups(
    wait_for: Callable[[Callable[[], bool]], None], wait_while_changing: Callable[[Callable[[], object]], None]
) -> Callable[[float], dict[str, int]]:
    """How often each of our threads woke in that many seconds, by its name, as the kernel counts it."""
    import threading

    def status(thread: threading.Thread) -> dict[str, str]:
        lines = Path(f"/proc/self/task/{thread.native_id}/status").read_text().splitlines()
        return dict(line.split(":", 1) for line in lines)

    def count() -> dict[str, int]:
        return {each.name: int(status(each)["voluntary_ctxt_switches"]) for each in threading.enumerate()}

    def at_rest() -> bool:
        """Whether no other thread runs, or waits for its turn on a busy machine."""
        return all("S" in status(each)["State"] for each in threading.enumerate() if each.name != "MainThread")

    def measure(seconds: float) -> dict[str, int]:
        # What the threads have begun they finish first, however long the machine takes for it.
        wait_for(at_rest)
        wait_while_changing(lambda: {name: times for name, times in count().items() if name != "MainThread"})
        wait_for(at_rest)
        before = count()
        time.sleep(seconds)
        return {name: times - before.get(name, 0) for name, times in count().items()}

    return measure


@pytest.fixture
def a_picture() -> Callable[[int], Image.Image]:
    """A picture for a seed: some filled boxes, with columns 0 and 127 dark."""

    def draw(seed: int) -> Image.Image:
        chance = random.Random(seed)
        image = Image.new("1", (128, 64))
        for _ in range(chance.randrange(1, 12)):
            left, top = chance.randrange(1, 120), chance.randrange(0, 60)
            right, bottom = min(127, left + chance.randrange(1, 40)), min(64, top + chance.randrange(1, 30))
            image.paste(chance.random() < 0.7, (left, top, right, bottom))
        return image

    return draw

"""Who answers on the I2C bus, through the real smbus2."""

import errno

import pytest
import wire_bus

from companion.config import Config
from hardware import bus
from hardware.boards import wiring

WIRES = wiring(Config())


def test_the_panel_answers(adapter):
    """All addresses of devices are asked once: those that may be memories are read from, the others written to."""
    adapter.answers = {0x20: 0, 0x50: errno.EBUSY}
    assert bus.scan(1) == [0x20, 0x3C, 0x50]
    assert list(adapter.scanned) == list(range(0x03, 0x78))
    read = [address for address, kind in adapter.scanned.items() if kind == wire_bus.BYTE]
    assert read == [*range(0x30, 0x38), *range(0x50, 0x60)]
    assert adapter.opened == 0
    assert bus.check(WIRES).text == "0x3C answers on I2C bus 1, and so does 0x20, 0x50."


def test_it_answers_elsewhere(adapter):
    """Many panels can be set to 0x3D: the configuration is told what to say."""
    adapter.bus.unplug()
    adapter.answers = {0x3D: 0}
    found = bus.check(WIRES)
    assert found.state == "do"
    assert found.text == "The panel answers at 0x3D, not at 0x3C: write address = 0x3D into [display]."


def test_nobody_answers(adapter):
    """With a wire off nobody is there, or only somebody else."""
    adapter.bus.unplug()
    assert bus.check(WIRES).text.startswith("Nobody answers on I2C bus 1, no panel at 0x3C: look at the panel's four")
    adapter.answers = {0x68: 0}
    assert bus.check(WIRES).text.startswith("Only 0x68 answers")


def test_a_bus_that_hangs(adapter):
    """Time-outs from everybody are a held line; the scan does not wait for more than three of them."""
    adapter.answers = dict.fromkeys(range(128), errno.ETIMEDOUT)
    found = bus.check(WIRES)
    assert found.state == "do"
    assert "hangs: SDA or SCL" in found.text
    assert len(adapter.scanned) == bus.STUCK_AFTER


@pytest.mark.parametrize("number", [errno.ENOENT, errno.EACCES])
def test_no_bus(adapter, number):
    """A bus that cannot be opened is a sentence."""
    adapter.missing = number
    found = bus.check(WIRES)
    assert found.state == "do"
    assert found.text.startswith("I2C bus 1 cannot be used (")

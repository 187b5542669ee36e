"""Which device nodes the wiring needs and why they may be closed to this user; who answers on the bus."""

import errno
import os
from pathlib import Path

import pytest
import wire_bus

from companion.config import Config, parse_config
from hardware import access
from hardware.boards import resolve_wiring
from hardware.keypad import Keypad


def needed_groups(text):
    config = parse_config(text, Path("config.toml"))
    return [group for group, _ in access.needed_nodes(config, resolve_wiring(config))]


def test_what_is_needed():
    """Only what the configuration uses; a panel on SPI needs two pins as well."""
    assert needed_groups("") == ["i2c", "gpio"]
    assert needed_groups('[buttons]\nboard = "waveshare-1.3-oled-hat"\n[keypad]\nport = "/dev/x"') == [
        "spi",
        "gpio",
        "dialout",
    ]
    assert needed_groups('[display]\ninterface = "spi"\n[buttons]\nboard = "none"') == ["spi", "gpio"]
    assert needed_groups('[display]\ndriver = "none"\n[buttons]\nboard = "none"') == []


def test_a_node_that_is_missing(tmp_path):
    """It has to be switched on, or plugged in."""
    found = access.check_device_node("i2c", str(tmp_path / "i2c-1"))
    assert (found.about, found.state) == ("i2c", "do")
    assert "raspi-config nonint do_i2c 0" in found.text


def test_a_node_that_may_be_used(tmp_path):
    """One usable node of several is enough, as with the Pi 5's GPIO chips."""
    (tmp_path / "gpiochip0").touch()
    (tmp_path / "gpiochip4").touch()
    found = access.check_device_node("gpio", str(tmp_path / "gpiochip*"))
    assert found.state == "ok"
    assert found.text.endswith(f" may use {tmp_path}/gpiochip0.")


@pytest.mark.parametrize(
    ("owner", "members", "words"),
    [
        ("dialout", [], "usermod -aG dialout ann`, then log in again."),
        ("dialout", ["ann"], "ann has been added to the group dialout: log out and in again"),
        ("root", [], "To change that: `sudo chgrp dialout"),
    ],
)
def test_a_node_without_permission(tmp_path, monkeypatch, owner, members, words):
    """A missing group, one that counts from the next login on, and a node without a group get different sentences."""
    node = tmp_path / "ttyACM0"
    node.touch()
    monkeypatch.setattr(access, "user_name", lambda: "ann")
    monkeypatch.setattr(access, "group_of_node", lambda _: owner)
    monkeypatch.setattr(access, "group_members", lambda _: members)
    monkeypatch.setattr(os, "access", lambda *_: False)
    found = access.check_device_node("dialout", str(node))
    assert found.state == "do"
    assert words in found.text


def test_names_come_from_the_system(tmp_path):
    """User, group and members are those of the system's own files."""
    assert access.user_name()
    assert access.group_of_node("/dev/null") == "root"
    assert access.group_of_node(str(tmp_path / "none")) == ""
    assert access.group_members("no such group") == []


def test_the_keypad_gives_the_same_advice(tmp_path, monkeypatch):
    """A port of root's gives the same sentence where its permission is checked and where it is opened."""
    monkeypatch.setattr(access, "group_of_node", lambda _: "root")
    keypad = Keypad(lambda event: None, str(tmp_path / "ttyACM0"))
    assert keypad._open_failure(PermissionError(13, "denied"))[1] == access.permission_advice(
        "dialout", str(tmp_path / "ttyACM0")
    )


PANEL_WIRING = resolve_wiring(Config())


def test_the_panel_answers(adapter):
    """All addresses of devices are probed once: those of memories by reading, the others by writing."""
    adapter.answers = {0x20: 0, 0x50: errno.EBUSY}
    assert access.scan_bus(1) == [0x20, 0x3C, 0x50]
    assert list(adapter.scanned) == list(range(0x03, 0x78))
    read = [address for address, kind in adapter.scanned.items() if kind == wire_bus.BYTE]
    assert read == [*range(0x30, 0x38), *range(0x50, 0x60)]
    assert adapter.opened == 0
    assert access.panel_bus_finding(PANEL_WIRING).text == "0x3C answers on I2C bus 1, and so does 0x20, 0x50."


def test_the_panel_answers_at_another_address(adapter):
    """Many panels can be set to 0x3D. The finding says what to write into the configuration."""
    adapter.bus.unplug()
    adapter.answers = {0x3D: 0}
    found = access.panel_bus_finding(PANEL_WIRING)
    assert found.state == "do"
    assert found.text == "The panel answers at 0x3D, not at 0x3C: set address = 0x3D in [display]."


def test_nobody_answers(adapter):
    """With a wire off, nothing answers, or only another device."""
    adapter.bus.unplug()
    assert access.panel_bus_finding(PANEL_WIRING).text.startswith(
        "Nothing answers on I2C bus 1, no panel at 0x3C: check the panel"
    )
    adapter.answers = {0x68: 0}
    assert access.panel_bus_finding(PANEL_WIRING).text.startswith("Only 0x68 answers")


def test_a_bus_that_hangs(adapter):
    """Time-outs at every address mean a stuck line. The scan waits for no more than three of them."""
    adapter.answers = dict.fromkeys(range(128), errno.ETIMEDOUT)
    found = access.panel_bus_finding(PANEL_WIRING)
    assert found.state == "do"
    assert "is stuck: SDA or SCL" in found.text
    assert len(adapter.scanned) == access.STUCK_TIMEOUTS


@pytest.mark.parametrize("number", [errno.ENOENT, errno.EACCES])
def test_no_bus(adapter, number):
    """A bus that cannot be opened gives a sentence."""
    adapter.missing = number
    found = access.panel_bus_finding(PANEL_WIRING)
    assert found.state == "do"
    assert found.text.startswith("I2C bus 1 cannot be used (")

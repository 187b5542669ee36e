"""Which device nodes the wiring needs, and what keeps this user from them."""

import os
from pathlib import Path

import pytest

from companion.config import parse
from hardware import access
from hardware.boards import wiring
from hardware.keypad import Keypad


def groups(text):
    config = parse(text, Path("config.toml"))
    return [group for group, _ in access.needed(config, wiring(config))]


def test_what_is_needed():
    """Only what the configuration uses is asked for; a panel on SPI needs two pins as well."""
    assert groups("") == ["i2c", "gpio"]
    assert groups('[buttons]\nboard = "waveshare-1.3-oled-hat"\n[keypad]\nport = "/dev/x"') == [
        "spi",
        "gpio",
        "dialout",
    ]
    assert groups('[display]\ninterface = "spi"\n[buttons]\nboard = "none"') == ["spi", "gpio"]
    assert groups('[display]\ndriver = "none"\n[buttons]\nboard = "none"') == []


def test_a_node_that_is_missing(tmp_path):
    """What is not there has to be switched on or plugged in."""
    found = access.look_at("i2c", str(tmp_path / "i2c-1"))
    assert (found.about, found.state) == ("i2c", "do")
    assert "raspi-config nonint do_i2c 0" in found.text


def test_a_node_that_may_be_used(tmp_path):
    """One usable node of several is enough, as with the Pi 5's GPIO chips."""
    (tmp_path / "gpiochip0").touch()
    (tmp_path / "gpiochip4").touch()
    found = access.look_at("gpio", str(tmp_path / "gpiochip*"))
    assert found.state == "ok"
    assert found.text.startswith(f"{tmp_path}/gpiochip0 may be used by ")


@pytest.mark.parametrize(
    ("owner", "members", "words"),
    [
        ("dialout", [], "usermod -aG dialout ann`, then log in again."),
        ("dialout", ["ann"], "ann is in the group dialout, but only from the next login on"),
        ("root", [], "belongs to root alone: `sudo chgrp dialout"),
    ],
)
def test_a_node_without_permission(tmp_path, monkeypatch, owner, members, words):
    """A group that is missing, one that waits for the next login, and a node that has no group are told apart."""
    node = tmp_path / "ttyACM0"
    node.touch()
    monkeypatch.setattr(access, "user_name", lambda: "ann")
    monkeypatch.setattr(access, "group_of", lambda _: owner)
    monkeypatch.setattr(access, "members_of", lambda _: members)
    monkeypatch.setattr(os, "access", lambda *_: False)
    found = access.look_at("dialout", str(node))
    assert found.state == "do"
    assert words in found.text


def test_names_come_from_the_system(tmp_path):
    """User, group and members are those of the system's own files."""
    assert access.user_name()
    assert access.group_of("/dev/null") == "root"
    assert access.group_of(str(tmp_path / "none")) == ""
    assert access.members_of("no such group") == []


def test_the_keypad_gives_the_same_advice(tmp_path, monkeypatch):
    """A port of root's is told with the same sentence where its permission is checked and where it is opened."""
    monkeypatch.setattr(access, "group_of", lambda _: "root")
    keypad = Keypad(lambda event: None, str(tmp_path / "ttyACM0"))
    assert keypad._reason(PermissionError(13, "denied"))[1] == access.permission("dialout", str(tmp_path / "ttyACM0"))

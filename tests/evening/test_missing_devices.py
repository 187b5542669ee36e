"""What the panel says of missing devices: a banner until the next press, and a small sign as long as one is missing."""

import pytest

from companion.evening.screens.box_checks import DISK_DEVICE
from companion.inputs import DeviceMissing, DeviceReturned
from companion.panel.fonts import TEXT

BANNER_COLUMNS = 106
"""Columns beside a banner's icon."""


@pytest.fixture
def table(new_table):
    return new_table("27")


@pytest.mark.parametrize(
    ("device", "short", "banner"),
    [
        ("keypad", "keypad unplugged", "Keypad unplugged\nbuttons still work"),
        ("keypad", "keypad not allowed", "Keypad not allowed\nbuttons still work"),
        ("keypad", "keypad in use", "Keypad in use\nbuttons still work"),
        ("keypad", "no keypad", "No keypad\nbuttons still work"),
        ("buttons", "no buttons", "No buttons\nkeypad still works"),
        ("buttons", "no button left", "No button left\nkeypad still works"),
        ("buttons", "", "Buttons missing\nkeypad still works"),
        ("panel", "panel unplugged", "Panel unplugged\nyou can play on"),
        ("panel", "panel not allowed", "Panel not allowed\nyou can play on"),
        ("lamps", "no lamp 2", "No lamp 2\nyou can play on"),
        ("buttons", "Buttons stopped:\nthe table restarts", "Buttons stopped:\nthe table restarts"),
    ],
)
def test_a_device_is_missing_until_it_is_back(table, device, short, banner):
    """The banner says what is wrong and how the table goes on."""
    table.take_input(DeviceMissing(device, short, 1.0, "something to do about it"))
    assert table.session.banner == banner
    assert all(TEXT.width(line) <= BANNER_COLUMNS for line in banner.split("\n"))
    assert table.session.missing_devices == (device,)
    table.press("1")
    assert table.session.banner == ""
    assert table.session.missing_devices == (device,)
    assert table.session.screen.typed_keys == "1", "the press that closes a banner counts"
    table.take_input(DeviceReturned(device, 3.0))
    assert table.session.missing_devices == ()


def test_other_names_are_only_reported(table):
    """A disk or a thread is reported, and no device counts as missing."""
    table.take_input(DeviceMissing("program", "Keypad stopped:\nrestarted", 1.0))
    assert table.session.banner == "Keypad stopped:\nrestarted"
    assert table.session.missing_devices == ()


@pytest.mark.parametrize(("device", "rest"), [("keypad", "plug it in again"), ("buttons", "companion doctor")])
def test_no_missing_input_device_is_recommended(table, device, rest):
    """Nothing is promised of a device that the box doesn't have."""
    alone = table.session.settings._replace(has_keypad=device == "keypad", has_buttons=device == "buttons")
    table.session = table.session._replace(settings=alone)
    table.take_input(DeviceMissing(device, f"no {device}", 1.0, "it is not there"))
    assert table.session.banner.split("\n")[1] == rest


def test_a_banner_goes_when_its_device_is_back(table):
    """The banner goes at once; a banner about another device stays."""
    table.take_input(DeviceMissing("keypad", "keypad unplugged", 1.0))
    table.take_input(DeviceMissing("panel", "panel unplugged", 1.1, "nothing answers"))
    table.take_input(DeviceReturned("panel", 1.2))
    assert table.session.banner == ""
    assert table.session.missing_devices == ("keypad",)


def test_a_move_that_was_not_saved_can_be_typed_again(new_table):
    """Its digits start a new draft. OK plays the old one, and BACK corrects it."""
    for keys, event in (("11#", "1: 1x1"), ("#", "1: 1x2"), ("*1#", "1: 1x1")):
        table = new_table("27")
        table.type("12")
        # The loop could not save the move that OK has played.
        table.take_input(DeviceMissing(DISK_DEVICE, "Not kept: the disk is full.", table.now))
        table.type(keys)
        assert table.events == [event]


def test_the_banner_names_no_missing_device_as_the_alternative(new_table):
    """If the buttons are missing too, the banner about the keypad doesn't suggest them, and the other way round."""
    for first, other in (("buttons", "keypad"), ("keypad", "buttons")):
        table = new_table("27")
        for device in (first, other):
            table.take_input(DeviceMissing(device, "", table.now))
        assert "still work" not in table.session.banner

"""What the panel says of missing devices: a banner until the next press, and a small sign as long as one is missing."""

import pytest

from companion.evening.screens.box_checks import DISK_DEVICE
from companion.inputs import DeviceReturned, DeviceMissing
from companion.panel.fonts import TEXT

ROOM = 106
"""Columns beside a banner's icon."""


@pytest.fixture
def table(desk):
    return desk("27")


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
def test_a_device_goes_and_comes(table, device, short, banner):
    """The banner says what is wrong and how the table goes on."""
    table.give(DeviceMissing(device, short, 1.0, "something to do about it"))
    assert table.session.banner == banner
    assert all(TEXT.width(line) <= ROOM for line in banner.split("\n"))
    assert table.session.missing_devices == (device,)
    table.press("1")
    assert table.session.banner == ""
    assert table.session.missing_devices == (device,)
    assert table.session.screen.typed_keys == "1", "the press that closes a banner counts"
    table.give(DeviceReturned(device, 3.0))
    assert table.session.missing_devices == ()


def test_what_is_no_device_is_only_told(table):
    """A disk or a thread is reported, and no device counts as missing."""
    table.give(DeviceMissing("program", "Keypad stopped:\nrestarted", 1.0))
    assert table.session.banner == "Keypad stopped:\nrestarted"
    assert table.session.missing_devices == ()


@pytest.mark.parametrize(("device", "rest"), [("keypad", "plug it in again"), ("buttons", "companion doctor")])
def test_the_only_input_is_away(table, device, rest):
    """Nothing is promised of a device that the box doesn't have."""
    alone = table.session.settings._replace(has_keypad=device == "keypad", has_buttons=device == "buttons")
    table.session = table.session._replace(settings=alone)
    table.give(DeviceMissing(device, f"no {device}", 1.0, "it is not there"))
    assert table.session.banner.split("\n")[1] == rest


def test_it_is_back_before_anybody_has_read_it(table):
    """The banner goes at once; a banner about another device stays."""
    table.give(DeviceMissing("keypad", "keypad unplugged", 1.0))
    table.give(DeviceMissing("panel", "panel unplugged", 1.1, "nothing answers"))
    table.give(DeviceReturned("panel", 1.2))
    assert table.session.banner == ""
    assert table.session.missing_devices == ("keypad",)


def test_a_move_that_was_not_kept_can_be_typed_again(desk):
    """Its digits start a new draft. OK plays the old one, and BACK corrects it."""
    for keys, event in (("11#", "1: 1x1"), ("#", "1: 1x2"), ("*1#", "1: 1x1")):
        table = desk("27")
        table.type("12")
        # The loop could not save the move that OK has played.
        table.give(DeviceMissing(DISK_DEVICE, "Not kept: the disk is full.", table.now))
        table.type(keys)
        assert table.events == [event]


def test_no_missing_device_is_named_as_the_way_on(desk):
    """If the buttons are missing too, the banner about the keypad doesn't suggest them, and the other way round."""
    for first, other in (("buttons", "keypad"), ("keypad", "buttons")):
        table = desk("27")
        for device in (first, other):
            table.give(DeviceMissing(device, "", table.now))
        assert "still work" not in table.session.banner

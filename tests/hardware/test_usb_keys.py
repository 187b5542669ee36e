"""USB number pads, keyboards and gamepads: the kernel's bytes through the real reader, and everything a plug can do."""

from __future__ import annotations

import errno
import os
import random

import pytest
from number_pad import CODES, NumberPad, capabilities, press_events

from companion.inputs import BUTTON_KEYS, KEYPAD_KEYS, DeviceMissing, DeviceReturned, KeyPressed, KeyReleased
from hardware import access, usb_keys
from hardware.usb_keys import EVENT, GRAB_REQUEST, KEYS, UsbKeys, has_known_keys

PULLS = 50
KEYBOARD = tuple(range(1, 128))
GAMEPAD = (0x130, 0x131)


@pytest.fixture
def grabbed(monkeypatch):
    found = []
    monkeypatch.setattr(usb_keys, "grab_device", found.append)
    return found


@pytest.fixture
def reader(tmp_path, inbox, grabbed):
    found = UsbKeys(inbox.put, tmp_path / "input", tmp_path / "sys", 0.02)
    yield found
    found.close()


def keys_of(inbox, count: int) -> list[str]:
    return [inbox.take().key for _ in range(count)]


def test_every_key_of_a_number_pad(tmp_path, inbox, reader, grabbed):
    """Digits, + - * / as A B C D, Enter as OK, the point as BACK. What was pressed before the first look counts."""
    pad = NumberPad(tmp_path)
    pad.press(KEYPAD_KEYS)
    reader.start()
    presses = [inbox.take() for _ in KEYPAD_KEYS]
    assert "".join(press.key for press in presses) == KEYPAD_KEYS
    assert {press.device for press in presses} == {"number pad"}
    assert len(grabbed) == 1
    assert "".join(KEYS[code] for code in (78, 74, 55, 98, 96, 83, 14)) == "ABCD#**"
    pad.pull()
    assert inbox.take().short_reason == "no number pad"


def test_letters_arrows_and_repeats(tmp_path, inbox, reader):
    """A keyboard's letters are letters; its arrows and Backspace repeat while they are held, digits do not."""
    keyboard = NumberPad(tmp_path, codes=KEYBOARD)
    reader.start()
    letters = "QWERTYUIOPASDFGHJKLZXCVBNM"
    keyboard.send(b"".join(press_events(code) for letter in letters for code, key in KEYS.items() if key == letter
                           and code < 55))  # fmt: skip
    assert "".join(keys_of(inbox, len(letters))) == letters
    keyboard.send(press_events(103, 1, 2, 2, 0) + press_events(14, 1, 2, 0) + press_events(3, 1, 2, 2, 0))
    found = [inbox.take() for _ in range(7)]
    assert [(each.key, each.held) for each in found if isinstance(each, KeyPressed)] == [
        ("up", False), ("up", True), ("up", True), ("*", False), ("*", True), ("2", False),
    ]  # fmt: skip
    assert [each.key for each in found if isinstance(each, KeyReleased)] == ["up"]


def test_a_gamepad(tmp_path, inbox, reader, monkeypatch):
    """Both kinds of a gamepad's pad are arrows, its buttons are OK and BACK; a stick near its middle is nothing."""
    ranges = {0: (0, 255), 1: (0, 255), 16: (-1, 1), 17: (-1, 1)}

    def ioctl(fd, request, data):
        return usb_keys.AXIS_RANGE.pack(0, *ranges[request - usb_keys.AXIS_RANGE_REQUEST], 0, 0, 0)

    monkeypatch.setattr(usb_keys.fcntl, "ioctl", ioctl)
    gamepad = NumberPad(tmp_path, codes=GAMEPAD)
    reader.start()
    moves = [(0, 0), (0, 3), (0, 128), (0, 255), (0, 127), (1, 100), (1, 2), (1, 128), (1, 250), (16, -1), (17, 1)]
    gamepad.send(b"".join(EVENT.pack(1, 2, 3, axis, value) for axis, value in moves))
    assert keys_of(inbox, 6) == ["left", "right", "up", "down", "left", "down"]
    for code, key in ((0x130, "ok"), (0x131, "back"), (0x220, "up"), (0x121, "ok")):
        gamepad.send(press_events(code))
        assert (inbox.take().key, inbox.take()[0]) == (key, key)
    assert set(usb_keys.BUTTONS.values()) == set(BUTTON_KEYS)


def test_several_at_once_and_what_is_no_keypad(tmp_path, inbox, reader, grabbed):
    """All keypads count together; a mouse and a power button are left alone. Only the last one that goes is missed."""
    pads = [NumberPad(tmp_path, f"event{number}") for number in range(3)]
    NumberPad(tmp_path, "event7", codes=(0x110, 0x111)).press("1")
    NumberPad(tmp_path, "event8", codes=(116,)).press("1")
    reader.start()
    assert reader.is_used
    for number, pad in enumerate(pads):
        pad.press(str(number))
    assert sorted(keys_of(inbox, 3)) == ["0", "1", "2"]
    assert len(grabbed) == 3
    pads[0].pull()
    pads[1].press("5")
    assert inbox.take().key == "5"
    pads[1].pull()
    pads[2].pull()
    assert isinstance(inbox.take(), DeviceMissing)
    pads[0].put_in()
    assert isinstance(inbox.take(), DeviceReturned)
    pads[0].press("7")
    assert inbox.take().key == "7"
    assert inbox.rest() == []


def test_pulled_at_any_moment(tmp_path, inbox, reader):
    """However often it is pulled, at any byte of an event: whatever was sent whole arrives, once and in order."""
    chance = random.Random("pulls")
    pad, sent = NumberPad(tmp_path), ""
    reader.start()
    for _ in range(PULLS):
        keys = "".join(chance.choices("0123456789ABCD#*", k=chance.randrange(8)))
        pad.press(keys)
        pad.send(press_events(CODES["1"])[: chance.randrange(2 * EVENT.size)])  # Its key event is not whole.
        pad.pull()
        pad.put_in()
        sent += keys
        while not isinstance(inbox.queue[-1] if inbox.queue else None, DeviceReturned):
            pass
        found = inbox.rest()
        assert "".join(each.key for each in found if isinstance(each, KeyPressed)) == keys
        assert [type(each) for each in found[-2:]] == [DeviceMissing, DeviceReturned]


@pytest.mark.parametrize(
    ("number", "words", "detail"),
    [
        (errno.EACCES, "keypad not allowed", "input"),
        (errno.EBUSY, "keypad in use", "another program"),
        (errno.EIO, "no number pad", os.strerror(errno.EIO)),
    ],
)
def test_why_one_cannot_be_used(tmp_path, inbox, reader, monkeypatch, number, words, detail):
    """What is in the way is said once, in words for the panel and for the log; then it works without a restart."""
    monkeypatch.setattr(access, "group_of_node", lambda node: "input")

    def refuse(fd):
        raise OSError(number, "it is broken")

    monkeypatch.setattr(usb_keys, "grab_device", refuse)
    pad = NumberPad(tmp_path)
    reader.start()
    missing = inbox.take()
    assert missing.short_reason == words
    assert detail in missing.detail
    monkeypatch.setattr(usb_keys, "grab_device", lambda fd: None)
    assert isinstance(inbox.take(), DeviceReturned)
    pad.press("4")
    assert inbox.take().key == "4"
    assert inbox.rest() == []


def test_the_grab_is_the_kernels(monkeypatch):
    """The request is EVIOCGRAB, _IOW('E', 0x90, int): without it what is typed would reach the console too."""
    asked = []
    monkeypatch.setattr(usb_keys.fcntl, "ioctl", lambda *request: asked.append(request))
    usb_keys.grab_device(5)
    assert asked == [(5, GRAB_REQUEST, 1)]
    assert 1 << 30 | 4 << 16 | ord("E") << 8 | 0x90 == GRAB_REQUEST


def test_the_kernels_list_of_keys(tmp_path):
    """Recorded: a number pad and a keyboard are keypads, a mouse is none, nor what cannot be read."""
    file = tmp_path / "key"
    recorded = {
        "1000000000007 ff9f207ac14057ff febeffdfffefffff fffffffffffffffe": True,  # a keyboard
        "1f0000 0 0 0 0": False,  # a mouse
        "10000000000000 0": False,  # a power button
        "7cdb000000000000 0 0 0 0": True,  # a gamepad
        "": False,
        "what": False,
    }
    for words, is_known in recorded.items():
        file.write_text(words)
        assert has_known_keys(file) == is_known
    assert not has_known_keys(tmp_path / "none")
    file.write_text(capabilities(96))
    assert has_known_keys(file)

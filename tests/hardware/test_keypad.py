"""The keypad: its bytes, and the reader through everything that a USB plug can do."""

import errno
import itertools
import os
import pty
import random
import time
import tty

import pytest
import serial
from hypothesis import given
from hypothesis import strategies as st

from companion.inputs import KEYPAD_KEYS, DeviceMissing, DeviceReturned, KeyPressed, SettingFound
from hardware import access
from hardware.keypad import MAX_BURST_KEYS, Burst, KeyBytesDecoder, Keypad, KeypadReport, KeypadSearch


def keys(*chunks):
    decoder = KeyBytesDecoder()
    return "".join(key for chunk in chunks for key in decoder.feed(chunk))


class Plug:
    """A serial port with a fixed name that can be pulled and put back: a link to a pseudo-terminal."""

    def __init__(self, folder):
        self.name = folder / "keypad"
        self.master = -1

    def put_in(self):
        self.master, slave = pty.openpty()
        tty.setraw(slave)
        self.name.symlink_to(os.ttyname(slave))
        os.close(slave)

    def pull(self):
        self.name.unlink()
        os.close(self.master)
        self.master = -1

    def press(self, text):
        os.write(self.master, text)


@pytest.fixture
def plug(tmp_path):
    found = Plug(tmp_path)
    found.put_in()
    yield found
    if found.master >= 0:
        os.close(found.master)


@pytest.fixture
def keypad(plug, inbox):
    found = Keypad(inbox.put, str(plug.name), retry_seconds=0.05)
    yield found
    found.close()


def test_what_the_bytes_mean():
    """Sixteen keys, small letters for four of them, Enter in its three forms, Backspace in its two, nothing else."""
    assert keys(KEYPAD_KEYS.encode()) == KEYPAD_KEYS
    assert keys(b"abcd") == "ABCD"
    assert keys(b"\r") == keys(b"\n") == keys(b"\r\n") == "#"
    assert keys(b"\r\r\n\n\r\n") == "####"
    assert keys(b"\x08\x7f") == "**"
    assert keys(b"eEzZ \t\x00\xff\xc3\xa4+-") == ""


@given(st.lists(st.sampled_from(["\r\n", "\r", "\n", "1", "a", "#", "*", "x"])), st.integers(1, 4))
def test_cuts_do_not_matter(parts, size):
    """However the bytes are divided into chunks, the keys are the same."""
    whole = "".join(parts).encode()
    chunks = [whole[index : index + size] for index in range(0, len(whole), size)]
    assert keys(*chunks) == keys(whole)


def test_junk_only_makes_keys():
    """A hundred thousand random bytes give nothing but keys of the keypad."""
    chance = random.Random(1)
    junk = chance.randbytes(100_000)
    cut = sorted(chance.sample(range(len(junk)), 5000))
    chunks = [junk[start:end] for start, end in zip([0, *cut], [*cut, len(junk)], strict=True)]
    found = keys(*chunks)
    assert set(found) <= set(KEYPAD_KEYS)
    assert found == keys(junk)


def test_bursts_arrive_in_order(keypad, plug, inbox):
    """Presses arrive from the moment of opening, also many at once, in order and with their times."""
    begun = time.monotonic()
    keypad.start()
    chance = random.Random(2)
    for _ in range(5):
        pressed = "".join(chance.choices(KEYPAD_KEYS, k=MAX_BURST_KEYS))
        plug.press(pressed.encode())
        found = [inbox.take() for _ in pressed]
        assert all(type(press) is KeyPressed and not press.held for press in found)
        assert "".join(press.key for press in found) == pressed
        assert begun < found[0].at <= found[-1].at <= time.monotonic()
    assert inbox.empty()


NO_KEYPADS = {
    "log line": b"line 81\r\n",
    "login": b"\r\nRaspbian GNU/Linux 12 box ttyS0\r\n\r\nbox login: ",
    "prompt": b"MicroPython v1.22.1 on 2024-01-05; Raspberry Pi Pico with RP2040\r\n"
    b'Type "help()" for more information.\r\n>>> ',
    "traceback": b'Traceback (most recent call last):\r\n  File "main.py", line 81, in <module>\r\n'
    b"OSError: [Errno 5] EIO\r\nMPY: soft reboot\r\n",
    "boot log": b"[    0.000000] Booting Linux on physical CPU 0x0\r\n[    0.010000] BogoMIPS: 108.00\r\n",
    "receiver": b"$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n",
    "numbers": b"2040" * 9,
    "noise": b"5\xfe\x91\x8a",
}
"""What ports send that are no keypads."""


def keys_after_text(plug, inbox):
    """The keys that arrive from the first one that counts after text."""
    while inbox.empty():
        plug.press(b"7")
        time.sleep(0.1)
    return [inbox.take(), inbox.take(), *inbox.rest()]


def key_bytes(burst, *chunks):
    for chunk in chunks:
        burst.add_bytes(chunk, 1.0)
    return "".join(press.key for press in burst.take_presses())


@given(st.sampled_from(sorted(NO_KEYPADS)), st.integers(1, 20), st.integers(1, 15))
def test_no_text_is_played(name, size, most):
    """Text enters no key, however it is divided into chunks, and the first key after it counts."""
    burst, text = Burst(9600), NO_KEYPADS[name]
    chunks = [text[start : start + size] for start in range(0, len(text), size)]
    assert key_bytes(burst, *chunks) == ""
    assert key_bytes(burst, *(b"7" for _ in range(most))) == "7" * most


def test_what_a_keypad_sends_is_no_text():
    """Buffered presses, line ends after keys, the break of a plug, and a single other byte come from keypads."""
    burst = Burst(9600)
    assert key_bytes(burst, KEYPAD_KEYS.encode()) == KEYPAD_KEYS
    assert key_bytes(burst, b"8", b"1\r", b"\n") == "81#"
    assert key_bytes(burst, b"\x00ABC#") == "ABC#"
    assert key_bytes(burst, b"E") == ""
    assert burst.silence_seconds is None
    burst.add_bytes(b"5", 1.0)
    assert 0.016 < burst.silence_seconds < 0.035, "longer than a USB adapter waits, shorter than anybody notices"


@pytest.mark.parametrize("name", sorted(set(NO_KEYPADS) - {"noise"}))
def test_a_port_that_talks_is_reported_once(keypad, plug, inbox, name, monkeypatch):
    """The text enters nothing and is shown once, with advice; the keypad is back with its first key."""
    monkeypatch.setattr("hardware.keypad.TEXT_SECONDS", 0.05)
    keypad.start()
    plug.press(NO_KEYPADS[name])
    lost = inbox.take()
    assert (lost.device, lost.short_reason[:12]) == ("keypad", "Keypad sent ")
    assert lost.reason.startswith(f"{plug.name} sends text (")
    assert "set port in [keypad]" in lost.reason
    found = keys_after_text(plug, inbox)
    assert isinstance(found[0], DeviceReturned)
    assert {press.key for press in found[1:]} == {"7"}


def test_noise_is_no_text(keypad, plug, inbox):
    """A wrong speed is reported as such."""
    keypad.start()
    plug.press(NO_KEYPADS["noise"])
    assert inbox.take().reason == f"{plug.name} sends noise: its speed is not 9600, check baud in [keypad]"


def test_text_that_never_ends_is_reported(keypad, plug, inbox):
    """Even if the port is never silent."""
    keypad.start()
    plug.press(NO_KEYPADS["prompt"] * 10)
    assert 'sends text ("MicroPython v1.22.1' in inbox.take().reason


def test_pulled_and_put_back(keypad, plug, inbox):
    """A keypad pulled and put back under the same name is reported once each time, and works again."""
    keypad.start()
    for key in b"123":
        plug.press(bytes([key]))
        assert inbox.take().key == chr(key)
        plug.pull()
        assert inbox.take()[:2] == ("keypad", "keypad unplugged")
        time.sleep(0.12)
        assert inbox.empty()
        plug.put_in()
        plug.press(b"A")
        assert isinstance(inbox.take(), DeviceReturned)
        assert keypad.is_alive()
        # Opening flushes what came before; a press after it counts.
        time.sleep(0.02)
        plug.press(b"#")
        while inbox.take().key != "#":
            pass
        assert inbox.empty()


def test_absent_at_the_start(keypad, plug, inbox):
    """A missing keypad is reported before the first picture, and found when it comes."""
    plug.pull()
    keypad.start()
    assert inbox.rest()[0].reason == f"no keypad: {plug.name} is missing"
    plug.put_in()
    assert isinstance(inbox.take(), DeviceReturned)


def test_the_default_retry_is_within_a_second(plug, inbox):
    """By default the keypad is looked for more than once a second, so that it is back at once."""
    found = Keypad(inbox.put, str(plug.name))
    assert found.retry_seconds <= 0.5
    plug.pull()
    found.start()
    assert isinstance(inbox.take(), DeviceMissing)
    time.sleep(0.05)
    plug.put_in()
    assert isinstance(inbox.take(), DeviceReturned)
    found.close()


def test_another_program_has_it(keypad, plug, inbox):
    """A port that another program has opened exclusively is reported, and opened when it is free."""
    with serial.Serial(str(plug.name), exclusive=True):
        keypad.start()
        assert inbox.take().reason == f"keypad in use: another program is using {plug.name}"
    assert isinstance(inbox.take(), DeviceReturned)
    with pytest.raises(serial.SerialException, match="lock"):
        serial.Serial(str(plug.name), exclusive=True)


def test_permission_comes_late(keypad, inbox, monkeypatch):
    """After plugging in, the name is there a moment before the permission, which is waited for."""
    opens = []
    real = os.open

    def refuse_twice(path, *arguments, **options):
        if str(path).endswith("keypad"):
            opens.append(path)
            if len(opens) <= 2:
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return real(path, *arguments, **options)

    monkeypatch.setattr(os, "open", refuse_twice)
    monkeypatch.setattr(access, "group_of_node", lambda node: "dialout")
    keypad.start()
    assert "dialout" in inbox.take().reason
    assert isinstance(inbox.take(), DeviceReturned)
    assert len(opens) == 3


@pytest.mark.parametrize("name", [os.devnull, "/dev/zero", "/", "no such name"])
def test_what_is_no_serial_port(inbox, name):
    """It is reported once, and tried only now and then."""
    found = Keypad(inbox.put, name, retry_seconds=0.05)
    found.start()
    time.sleep(0.12)
    (lost,) = inbox.rest()
    assert lost.reason.startswith("no keypad: ")
    found.close()


def test_a_speed_that_cannot_be_set(inbox, plug, monkeypatch):
    """It is reported, and does not end the thread."""

    def refuse(*_):
        raise ValueError("Failed to set custom baud rate (12345): [Errno 22]")

    monkeypatch.setattr(serial.Serial, "_set_special_baudrate", refuse)
    found = Keypad(inbox.put, str(plug.name), baud=12345, retry_seconds=0.05)
    found.start()
    assert isinstance(inbox.take(), DeviceMissing)
    assert found.is_alive()
    found.close()


def test_junk_does_not_stop_the_keypad(keypad, plug, inbox, monkeypatch):
    """The noise of a wrong speed enters nothing, and the keypad works after it."""
    monkeypatch.setattr("hardware.keypad.TEXT_SECONDS", 0.05)
    keypad.start()
    junk = random.Random(3).randbytes(20_000)
    for index in range(0, len(junk), 1000):
        plug.press(junk[index : index + 1000])
    assert isinstance(inbox.take(), DeviceMissing)
    found = keys_after_text(plug, inbox)
    assert isinstance(found[0], DeviceReturned)
    assert {press.key for press in found[1:]} == {"7"}
    assert keypad.is_alive()


def test_a_port_that_fails_at_every_read(keypad, plug, inbox, wait_for, monkeypatch):
    """A port that opens and then fails at once is tried as rarely as a missing one."""
    reads = []

    def fail(*_):
        reads.append(time.monotonic())
        raise serial.SerialException("read failed")

    monkeypatch.setattr(serial.Serial, "read", fail)
    keypad.start()
    wait_for(lambda: len(reads) >= 5)
    assert min(later - earlier for earlier, later in itertools.pairwise(reads)) > 0.04


def test_closing_wakes_the_reader(keypad, plug, inbox):
    """Closing ends the waiting read, which nothing else would, and frees the port."""
    keypad.start()
    time.sleep(0.05)
    keypad.close()
    assert not keypad.is_alive()
    serial.Serial(str(plug.name), exclusive=True).close()
    assert inbox.empty()


def test_closing_at_any_moment(plug, inbox):
    """Closing is clean, whatever the reader is doing."""
    for pause in (0, 0.0001, 0.001, 0.003):
        found = Keypad(inbox.put, str(plug.name), retry_seconds=0.001)
        found.start()
        plug.press(b"1" * 20)
        time.sleep(pause)
        found.close()
        assert not found.is_alive()
    assert not [lost for lost in inbox.rest() if isinstance(lost, DeviceMissing)]


def test_idle_means_idle(keypad, wake_ups):
    """A keypad that nobody uses causes no wake-up."""
    keypad.start()
    time.sleep(0.05)
    assert wake_ups(0.5)["keypad"] == 0


def report_lines(data, port="/dev/x", baud=9600):
    heard = KeypadReport()
    lines = heard.count_and_describe_bytes(data)
    return lines, heard.make_finding(port, baud)


def test_every_byte_has_a_line():
    """With its number, its character, and what it means to the table."""
    lines, found = report_lines(b"5a#\r\n\n\x08zX \x00\xfe")
    assert lines == [
        "0x35 '5': key 5",
        "0x61 'a': key A",
        "0x23 '#': key #",
        "0x0D CR: key #",
        "0x0A LF: belongs to the CR before it",
        "0x0A LF: key #",
        "0x08 Backspace: key *",
        "0x7A 'z': not a key, ignored",
        "0x58 'X': not a key, ignored",
        "0x20 space: not a key, ignored",
        "0x00 break: not a key, ignored; if this happens often, the speed is wrong",
        "0xFE noise: not a key, ignored; if this happens often, the speed is wrong",
    ]
    assert found.state == "ok"
    assert found.text == "12 bytes, keys 5 A # *, 3 ignored."


def test_the_finding_about_the_keypad():
    """Silence, a wrong speed and a wrong firmware have different findings."""
    assert report_lines(b"")[1].state == "note"
    noise = report_lines(bytes(random.Random(5).choices(range(0x80, 0x100), k=40)) + b"12345")[1]
    assert noise.state == "do"
    assert noise.text == "40 of 45 bytes were noise: its speed is not 9600, check baud in [keypad]."
    letters = report_lines(b"xyz")[1]
    assert letters.state == "do"
    assert letters.text.startswith("3 bytes came, but no key")
    assert report_lines(b"7")[1].text == "1 byte, keys 7."


def test_chunks_do_not_matter():
    """CR and LF belong together however they arrive."""
    heard = KeypadReport()
    assert heard.count_and_describe_bytes(b"\r") + heard.count_and_describe_bytes(b"\n") == [
        "0x0D CR: key #",
        "0x0A LF: belongs to the CR before it",
    ]


@pytest.mark.parametrize("key", [b"5", b"\r\n", b"\x00a"])
def test_a_keypad_is_found_on_any_port(plug, inbox, tmp_path, wait_for, key):
    """A port that sends text or several keys at once is none; the port of the first single key is, by its own name."""
    talking = Plug(tmp_path / "talking")
    talking.name.parent.mkdir()
    talking.put_in()
    ports = {os.path.realpath(each.name): str(each.name) for each in (plug, talking)}
    search = KeypadSearch(inbox.put, lambda: ports)
    search.start()
    wait_for(lambda: len(search._ports) == len(ports))
    for text in (b"login: ", b"512\r\n", b"12"):
        talking.press(text)
        time.sleep(0.2)
    assert inbox.empty()
    plug.press(key)
    assert inbox.take()[:2] == SettingFound(str(plug.name))[:2]
    assert inbox.take().key == keys(key)
    search.thread.join(60)
    keypad = Keypad(inbox.put, str(plug.name))  # The port is free again.
    keypad.start()
    plug.press(b"7")
    assert inbox.take().key == "7"
    keypad.close()
    talking.pull()


def test_a_search_ends_and_outlives_unplugging(plug, inbox, wait_for):
    """A port that is pulled during the search is dropped, and closing ends the search without a key."""
    ports = {os.path.realpath(plug.name): str(plug.name)}
    search = KeypadSearch(inbox.put, lambda: ports)
    search.start()
    wait_for(lambda: len(search._ports) == 1)
    plug.pull()
    ports.clear()
    wait_for(lambda: not search._ports)
    search.close()
    search.thread.join(60)
    assert not search.is_alive()
    assert inbox.empty()

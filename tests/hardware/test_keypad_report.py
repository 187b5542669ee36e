"""The keypad's bytes in words."""

import random

from hardware.keypad_report import KeypadReport


def told(data, port="/dev/x", baud=9600):
    heard = KeypadReport()
    lines = heard.take(data)
    return lines, heard.finding(port, baud)


def test_every_byte_has_a_line():
    """Its number, its character, and what it means to the table."""
    lines, found = told(b"5a#\r\n\n\x08zX \x00\xfe")
    assert lines == [
        "0x35 '5': key 5",
        "0x61 'a': key A",
        "0x23 '#': key #",
        "0x0D CR: key #",
        "0x0A LF: belongs to the CR before it",
        "0x0A LF: key #",
        "0x08 Backspace: key *",
        "0x7A 'z': no key, ignored",
        "0x58 'X': no key, ignored",
        "0x20 space: no key, ignored",
        "0x00 break: no key, ignored; much of this means a wrong speed",
        "0xFE noise: no key, ignored; much of this means a wrong speed",
    ]
    assert found.state == "ok"
    assert found.text == "12 bytes, the keys 5 A # *, 3 ignored."


def test_what_it_amounts_to():
    """Silence, a wrong speed and a wrong firmware are told apart."""
    assert told(b"")[1].state == "note"
    noise = told(bytes(random.Random(5).choices(range(0x80, 0x100), k=40)) + b"12345")[1]
    assert noise.state == "do"
    assert noise.text == "40 of 45 bytes were noise: its speed is not 9600, see baud in [keypad]."
    letters = told(b"xyz")[1]
    assert letters.state == "do"
    assert letters.text.startswith("3 bytes came, but none is a key")
    assert told(b"7")[1].text == "1 byte, the keys 7."


def test_chunks_do_not_matter():
    """CR and LF belong together however they arrive."""
    heard = KeypadReport()
    assert heard.take(b"\r") + heard.take(b"\n") == ["0x0D CR: key #", "0x0A LF: belongs to the CR before it"]

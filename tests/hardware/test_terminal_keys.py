"""What a terminal's bytes mean."""

import random
from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.inputs import KEYPAD
from hardware.terminal_keys import INTERRUPT, KeyDecoder

MEANINGS = {
    b"0": ["0"],
    b"a": ["A"],
    b"D": ["D"],
    b"\r": ["#"],
    b"\n": ["#"],
    b"\x7f": ["*"],
    b"\x08": ["*"],
    b"\x03": [INTERRUPT],
    b"\x04": [INTERRUPT],
    b"\x1b[A": ["up"],
    b"\x1b[B": ["down"],
    b"\x1bOC": ["right"],
    b"\x1bOD": ["left"],
    b"\x1b[1;2A": ["up"],
    b"\x1b[5~": [],
    b"\x1b[200~": [],
    b"\x1bOP": [],
    b"\x1b[M": [],
    b"x": ["X"],
    "ä".encode(): ["ä"],
    "Ø".encode(): ["Ø"],
    "😀".encode(): ["😀"],
    b"!": ["!"],
    b"\x1b\xc3\xab": ["ë"],
    "\N{NEXT LINE}".encode(): [],
    b"\t": [],
}


def keys(*chunks):
    decoder = KeyDecoder()
    return [key for chunk in chunks for key in decoder.feed(chunk)]


@pytest.mark.parametrize(("sent", "meant"), MEANINGS.items())
def test_what_the_bytes_mean(sent, meant):
    """Characters and arrows are keys, Enter and Backspace are # and *, Ctrl-C interrupts, no mark is nothing."""
    assert keys(sent) == meant
    assert keys(KEYPAD.encode()) == list(KEYPAD)


@given(st.lists(st.sampled_from(list(MEANINGS))), st.integers(1, 3))
def test_cuts_do_not_matter(parts, size):
    """An escape sequence or a letter of several bytes that comes in pieces is the same key."""
    whole = b"".join(parts)
    chunks = [whole[index : index + size] for index in range(0, len(whole), size)]
    assert keys(*chunks) == keys(whole) == [key for part in parts for key in MEANINGS[part]]


def test_escape_alone():
    """A lone Escape swallows no key, not even an arrow, and no Ctrl-C."""
    assert keys(b"\x1b", b"5") == ["5"]
    assert keys(b"\x1b", b"\x1b[A") == ["up"]
    assert keys(b"\x1b", b"\x03") == [INTERRUPT]
    assert keys(b"\x1b[1;", b"\x03") == [INTERRUPT]
    assert keys(b"\x1b[1;", b"\r") == ["#"]


@pytest.mark.parametrize(
    ("encoding", "sent", "meant"),
    [
        ("utf-8", b"\xfc5", ["\ufffd", "5"]),
        ("utf-8", b"\xc3\r", ["\ufffd", "#"]),
        ("utf-8", b"\xe2\x82\x03", ["\ufffd", INTERRUPT]),
        ("utf-8", b"\xc3\x1b[A", ["\ufffd", "up"]),
        ("ascii", b"\xc3\xa4", ["\ufffd", "\ufffd"]),
        ("latin-1", b"\xfc5", ["ü", "5"]),
    ],
)
def test_bytes_that_are_no_letter(encoding, sent, meant):
    """They are a key that no panel can draw, so that it is told; what follows them is taken."""
    for size in (1, len(sent)):
        decoder = KeyDecoder(encoding=encoding)
        assert [key for at in range(0, len(sent), size) for key in decoder.feed(sent[at : at + size])] == meant


def test_junk_only_makes_keys():
    """A hundred thousand random bytes make nothing but keys and characters, and keys are taken after them."""
    decoder = KeyDecoder()
    found = set(decoder.feed(random.Random(1).randbytes(100_000)))
    assert {key for key in found if len(key) > 1} <= {"up", "down", "left", "right", INTERRUPT}
    assert all(key.isprintable() for key in found)
    assert not found & set(ascii_lowercase)
    assert list(decoder.feed(b"\x1b[" + b"1" * 1000 + b"\r5"))[-2:] == ["#", "5"]

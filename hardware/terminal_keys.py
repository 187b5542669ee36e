"""Decodes a terminal's bytes into keys of the table. Pure: bytes in, keys out."""

from __future__ import annotations

from string import ascii_letters
from typing import TYPE_CHECKING

from companion.inputs import KEYPAD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

INTERRUPT = "interrupt"

ESC = 0x1B
ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}
ENDS = {"H": "home", "F": "end", "1~": "home", "4~": "end", "7~": "home", "8~": "end"}
"""The end of an escape sequence → its key, for Home and End, which terminals send in different ways."""
PLAIN = {byte: chr(byte) for byte in KEYPAD.encode()}
PLAIN |= {ord(letter): letter.upper() for letter in ascii_letters}
PLAIN |= {byte: chr(byte) for byte in b"-'. "}  # The other characters of names.
PLAIN |= {0x0D: "#", 0x0A: "#", 0x08: "*", 0x7F: "*", 0x03: INTERRUPT, 0x04: INTERRUPT}
LONGEST = 32


class KeyDecoder:
    """Decodes bytes into keys, however they are divided into chunks.

    The keys are `KEYPAD`, capital letters, ``up``, ``down``, ``left``, ``right`` and INTERRUPT: Enter is ``#``,
    Backspace is ``*``, Ctrl-C and Ctrl-D are INTERRUPT. Other characters and sequences are ignored. Escape alone is no
    key, so no timer is needed: the next byte shows whether it begins a sequence.

    Args:
        ends: the ends of escape sequences that are keys: `ARROWS`, or more.

    """

    def __init__(self, ends: Mapping[str, str] = ARROWS) -> None:
        self._ends = ends
        self._sequence = ""

    def feed(self, chunk: bytes) -> Iterator[str]:
        """The keys in a chunk, in order."""
        for byte in chunk:
            key = self._step(byte)
            if key is not None:
                yield key

    def _step(self, byte: int) -> str | None:
        if byte == ESC:
            self._sequence = "\x1b"
            return None
        if not self._sequence:
            return PLAIN.get(byte)
        if byte < 0x20 or byte > 0x7E or len(self._sequence) > LONGEST:
            # Not part of a sequence: that was cut off, and this byte is a key.
            self._sequence = ""
            return PLAIN.get(byte)
        if self._sequence == "\x1b":
            if byte in b"[O":
                self._sequence += chr(byte)
                return None
            self._sequence = ""
            return PLAIN.get(byte)  # Escape or Alt before a plain key
        if self._sequence[1] == "[" and byte < 0x40:
            self._sequence += chr(byte)  # parameters, as in Shift and an arrow: ESC [ 1 ; 2 A
            return None
        parameters, self._sequence = self._sequence[2:], ""
        return self._ends.get(parameters + chr(byte)) or self._ends.get(chr(byte))

"""Decodes a terminal's bytes into keys of the table. Pure: bytes in, keys out."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Iterator, Mapping
from string import ascii_lowercase

INTERRUPT = "interrupt"

ESC = "\x1b"
ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}
ENDS = {"H": "home", "F": "end", "1~": "home", "4~": "end", "7~": "home", "8~": "end"}
"""The end of an escape sequence → its key, for Home and End, which terminals send in different ways."""
PLAIN = {letter: letter.upper() for letter in ascii_lowercase}
PLAIN |= {"\r": "#", "\n": "#", "\x08": "*", "\x7f": "*", "\x03": INTERRUPT, "\x04": INTERRUPT}
"""A character → its key; any other one that can be printed is a key itself."""
LONGEST_SEQUENCE = 32
"""The most characters of what a key of the terminal sends."""


class KeyDecoder:
    """Decodes bytes into keys, however they are divided into chunks.

    The keys are all characters that can be printed, those from a to z as capitals, ``up``, ``down``, ``left``,
    ``right`` and INTERRUPT: Enter is ``#``, Backspace is ``*``, Ctrl-C and Ctrl-D are INTERRUPT. Bytes that are no
    character are one that no panel can draw; other sequences are ignored. Escape alone is no key, so no timer is
    needed: the next character shows whether it begins a sequence.

    Args:
        ends: the ends of escape sequences that are keys: `ARROWS`, or more.
        encoding: of the terminal's characters.

    """

    def __init__(self, ends: Mapping[str, str] = ARROWS, encoding: str = "utf-8") -> None:
        self._ends = ends
        self._sequence = ""
        self._decoder = getincrementaldecoder(encoding)("replace")

    def feed(self, chunk: bytes) -> Iterator[str]:
        """The keys in a chunk, in order."""
        for mark in self._decoder.decode(chunk):
            key = self._step(mark)
            if key is not None:
                yield key

    def _step(self, mark: str) -> str | None:
        if mark == ESC:
            self._sequence = ESC
            return None
        if not self._sequence:
            return _plain(mark)
        if not " " <= mark <= "~" or len(self._sequence) > LONGEST_SEQUENCE:
            # Not part of a sequence: that was cut off, and this character is a key.
            self._sequence = ""
            return _plain(mark)
        if self._sequence == ESC:
            if mark in "[O":
                self._sequence += mark
                return None
            self._sequence = ""
            return _plain(mark)  # Escape or Alt before a plain key
        if self._sequence[1] == "[" and mark < "@":
            self._sequence += mark  # parameters, as in Shift and an arrow: ESC [ 1 ; 2 A
            return None
        parameters, self._sequence = self._sequence[2:], ""
        return self._ends.get(parameters + mark) or self._ends.get(mark)


def _plain(mark: str) -> str | None:
    """The key of a character outside a sequence."""
    return PLAIN.get(mark) or (mark if mark.isprintable() else None)

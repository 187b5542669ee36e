"""Reports the bytes that a keypad has sent. Pure."""

from __future__ import annotations

from companion.inputs import Finding
from companion.languages import counted, text
from hardware.keypad import Decoder

NAMES = {0x0D: "CR", 0x0A: "LF", 0x08: "Backspace", 0x7F: "Delete", 0x20: "space", 0x00: "break"}
NOISE_SHARE = 4
"""If at least one byte in so many is noise, the baud rate is suspected to be wrong."""


class KeypadReport:
    """Collects a keypad's bytes: `take` reports each, `finding` sums them up."""

    def __init__(self) -> None:
        self._decoder = Decoder()
        self._keys: dict[str, int] = {}
        self._bytes = 0
        self._ignored = 0
        self._noise = 0

    def take(self, chunk: bytes) -> list[str]:
        """A line for each byte: its value, its character, and the key that it means."""
        return [self._read_byte(byte) for byte in chunk]

    def finding(self, port: str, baud: int) -> Finding:
        """The finding about the keypad on `port`."""
        if not self._bytes:
            return Finding("keypad", "note", text("{port} is open; no key was pressed.", port=port))
        if self._noise * NOISE_SHARE >= self._bytes:
            return Finding("keypad", "do", counted(
                self._bytes, "{noise} of {number} byte were noise: its speed is not {baud}, see baud in [keypad].",
                "{noise} of {number} bytes were noise: its speed is not {baud}, see baud in [keypad].",
                noise=self._noise, baud=baud,
            ))  # fmt: skip
        if not self._keys:
            return Finding("keypad", "do", counted(
                self._bytes,
                "{number} byte came, but none is a key: it must send 0-9, A-D, * and # as plain characters.",
                "{number} bytes came, but none is a key: it must send 0-9, A-D, * and # as plain characters.",
            ))  # fmt: skip
        keys = " ".join(self._keys)
        if self._ignored:
            one = "{number} byte, the keys {keys}, {ignored} ignored."
            more = "{number} bytes, the keys {keys}, {ignored} ignored."
            return Finding("keypad", "ok", counted(self._bytes, one, more, keys=keys, ignored=self._ignored))
        count = counted(self._bytes, "{number} byte, the keys {keys}.", "{number} bytes, the keys {keys}.", keys=keys)
        return Finding("keypad", "ok", count)

    def _read_byte(self, byte: int) -> str:
        self._bytes += 1
        shown = NAMES.get(byte) or (f"'{chr(byte)}'" if 0x20 < byte < 0x7F else text("noise"))
        keys = list(self._decoder.feed(bytes([byte])))
        if keys:
            self._keys[keys[0]] = self._keys.get(keys[0], 0) + 1
            means = text("key {key}", key=keys[0])
        elif byte == 0x0A:
            means = text("belongs to the CR before it")
        elif 0x20 <= byte < 0x7F or byte == 0x09:
            self._ignored += 1
            means = text("no key, ignored")
        else:
            self._noise += 1
            means = text("no key, ignored; much of this means a wrong speed")
        return text("{byte} {shown}: {means}", byte=f"0x{byte:02X}", shown=shown, means=means)

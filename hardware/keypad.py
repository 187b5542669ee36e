"""The serial keypad: decodes bytes into keys, in a thread that keeps looking for a keypad that is unplugged.

A port that sends text (a boot log, a prompt, a GPS receiver) must not play. Bytes are therefore collected into bursts,
and the keys of a burst count once the line has been silent for `HOLD_SECONDS` and the time that two bytes take:

    bytes of keys only                   the keys count
    a single other byte                  ignored
    text, or more than MAX_BURST_KEYS   nothing counts, until the line has been silent for `TEXT_SECONDS`
"""

from __future__ import annotations

import contextlib
import errno
import glob
import os
import select
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import serial

from companion.inputs import KEYPAD_KEYS, Finding, Input, KeyPressed, SettingFound
from companion.languages import plural_text, text
from hardware import access
from hardware.device_classes import Presence, ThreadedDevice

# The errors of pyserial; its flush may raise termios.error, which is no OSError.
PORT_ERRORS = (OSError, termios.error)
KEYS_BY_BYTE = {byte: chr(byte) for byte in KEYPAD_KEYS.encode()} | {0x0D: "#", 0x0A: "#", 0x08: "*", 0x7F: "*"}
KEYS_BY_BYTE |= {byte: chr(byte).upper() for byte in b"abcd"}
CR, LF = 0x0D, 0x0A
BREAK_BYTE = 0x00
"""The byte that a port reads when its plug is put in. It is ignored."""
HOLD_SECONDS = 0.025
"""The next byte of a burst comes within this time plus that of two bytes: USB adapters pass bytes on every 16 ms."""
TEXT_SECONDS = 0.5
"""Text that comes in pieces pauses for less than this time."""
MAX_BURST_KEYS = 30
"""The most keys that fingers can press in one burst, which is over within a second."""
SAMPLE_BYTES = 40


class KeyBytesDecoder:
    """Decodes bytes into `KEYPAD_KEYS`, however they are divided into chunks.

    CR, LF and CR LF are one ``#``; Backspace and Delete are ``*``; ``a``-``d`` are ``A``-``D``; other bytes are
    ignored.
    """

    def __init__(self) -> None:
        self._after_cr = False

    def feed(self, chunk: bytes) -> Iterator[str]:
        """The keys in a chunk, in order."""
        for byte in chunk:
            second_half = byte == LF and self._after_cr
            self._after_cr = byte == CR
            if byte in KEYS_BY_BYTE and not second_half:
                yield KEYS_BY_BYTE[byte]


class Burst:
    """Bytes that have followed one another without a silence of `silence_seconds`."""

    def __init__(self, baud: int) -> None:
        self._hold = HOLD_SECONDS + 2 * 10 / baud
        self._decoder = KeyBytesDecoder()
        self._presses: list[KeyPressed] = []
        self._bytes = self._other_bytes = 0
        self.sample = b""
        """The first bytes of the burst, to show what the port sends."""

    @property
    def silence_seconds(self) -> float | None:
        """The seconds of silence that end the burst; None before its first byte."""
        return None if not self._bytes else TEXT_SECONDS if self.is_text else self._hold

    @property
    def is_text(self) -> bool:
        """Whether no fingers can have typed the burst on a keypad."""
        return (self._other_bytes > 0 and self._bytes > 1) or len(self._presses) > MAX_BURST_KEYS

    def add_bytes(self, chunk: bytes, at: float) -> None:
        """Add bytes that were read at the time `at`."""
        self.sample += chunk[: SAMPLE_BYTES - len(self.sample)]
        chunk = chunk.replace(bytes([BREAK_BYTE]), b"")
        self._bytes += len(chunk)
        self._other_bytes += sum(byte not in KEYS_BY_BYTE for byte in chunk)
        if not self.is_text:
            self._presses += [KeyPressed(key, at) for key in self._decoder.feed(chunk)]

    def take_presses(self) -> list[KeyPressed]:
        """Return the key presses of the burst, none if it is text. The next byte begins another burst."""
        presses = [] if self.is_text else self._presses
        self._presses, self._bytes, self._other_bytes, self.sample = [], 0, 0, b""
        return presses


class Keypad(ThreadedDevice):
    """A keypad on a serial port.

    Puts KeyPressed for each key, DeviceMissing when it is gone, DeviceReturned when it is back.

    The port is opened exclusively. With a keypad, the thread waits in a read. Without one, it tries to open the port
    every `retry_seconds`.

    Args:
        put: puts an input on the loop's queue.
        port: the device's path. One in /dev/serial/by-id stays the same after re-plugging.
        baud: the baud rate.
        retry_seconds: the pause between two attempts to open the port.
        on_bytes: called with the bytes as they arrive.
    """

    def __init__(
        self,
        put: Callable[[Input], object],
        port: str,
        baud: int = 9600,
        retry_seconds: float = 0.4,
        on_bytes: Callable[[bytes], object] | None = None,
    ) -> None:
        super().__init__("keypad")
        self._put, self._presence = put, Presence(put, "keypad")
        self._on_bytes = on_bytes
        self.retry_seconds = retry_seconds
        self._stop = threading.Event()
        # Without a timeout, a read waits in select() for a byte, the end of the port, or cancel_read.
        self._serial = serial.Serial(baudrate=baud, exclusive=True, timeout=None)
        self._serial.port = port

    @property
    def is_connected(self) -> bool:
        """Whether its port is open, and sends no text."""
        return not self._presence.is_missing

    def start(self) -> None:
        """Open the port, or report that it is missing. No later press is missed."""
        self._open_port()
        super().start()

    def close(self) -> None:
        self._is_closing = True
        self._stop.set()
        # The thread closes the port: closing it here during a read would raise TypeError there.
        if self.thread.is_alive():
            try:
                self._serial.cancel_read()
            except (*PORT_ERRORS, TypeError):
                pass  # The thread was closing the port, so no read is waiting.
            self.thread.join(2.0)

    def _run(self) -> None:
        while not self._stop.is_set():
            if self._serial.is_open or self._open_port():
                self._read_port()
            # Wait also if the port opened but failed at once, or this would be a busy loop.
            self._stop.wait(self.retry_seconds)
        self._close_port()

    def _open_port(self) -> bool:
        try:
            self._serial.open()
            _ = self._serial.in_waiting  # A port that is being unplugged may open but fails here.
        except (*PORT_ERRORS, ValueError) as error:  # ValueError: a baud rate that the port does not support
            self._close_port()
            self._presence.report_missing(*self._open_failure(error))
            return False
        self._presence.report_returned()
        return True

    def _read_port(self) -> None:
        """Put key presses until the keypad is gone or `close` is called."""
        burst = Burst(self._serial.baudrate)
        try:
            while not self._stop.is_set():
                # Bytes that came while this thread was delayed are waiting, so they do not end a burst.
                silence = burst.silence_seconds
                if silence is not None and not select.select([self._serial.fileno()], [], [], silence)[0]:
                    self._end_burst(burst)
                    continue
                chunk = self._serial.read(1)
                chunk += self._serial.read(min(self._serial.in_waiting, 4096))
                if self._on_bytes is not None:
                    self._on_bytes(chunk)
                burst.add_bytes(chunk, time.monotonic())
                if burst.is_text and len(burst.sample) == SAMPLE_BYTES:  # The port may never be silent.
                    self._report_text(burst.sample)
        except PORT_ERRORS:
            self._close_port()
            self._presence.report_missing(text("keypad unplugged"))

    def _end_burst(self, burst: Burst) -> None:
        """Put the key presses of a burst that has ended, or report that it was text."""
        if burst.is_text:
            self._report_text(burst.sample)
        for press in burst.take_presses():
            self._presence.report_returned()
            self._put(press)

    def _report_text(self, sample: bytes) -> None:
        """Report that the port sends no keys. The keypad counts as missing until a key comes."""
        port, baud = self._serial.port, self._serial.baudrate
        if sum(0x20 <= byte < 0x7F or byte in b"\t\r\n" for byte in sample) * 2 < len(sample):
            detail = text("{port} sends noise: its speed is not {baud}, check baud in [keypad]", port=port, baud=baud)
            self._presence.report_missing(text("Keypad sends noise\ncheck its speed"), detail)
            return
        readable = " ".join("".join(chr(byte) if 0x20 <= byte < 0x7F else " " for byte in sample).split())
        detail = text(
            '{port} sends text ("{sample}") instead of keys, so it is ignored: set port in [keypad] to the keypad\'s '
            "port, or restart the keypad's own program",
            port=port,
            sample=readable,
        )
        self._presence.report_missing(
            text('Keypad sent "{sample}"\ncheck its port', sample=readable[:6].strip()), detail
        )

    def _close_port(self) -> None:
        with contextlib.suppress(*PORT_ERRORS):  # The port is gone in any case.
            self._serial.close()

    def _open_failure(self, error: BaseException) -> tuple[str, str]:
        """Why the port cannot be opened: in words that fit on a panel, and details."""
        port = str(self._serial.port)
        if getattr(error, "errno", None) in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
            return text("no keypad"), text("{port} is missing", port=port)
        return access.keypad_failure("dialout", port, error, text("no keypad"))


# -- finding out on which port a keypad is ----------------------------------------------------------------------

PORT_PATTERNS = ("/dev/serial/by-id/*", "/dev/ttyACM*", "/dev/ttyUSB*", "/dev/serial0")
"""The serial ports, those with stable names first."""
WHOLE_KEY_SECONDS = 0.06
"""After this time the byte that belongs to a key's first one, LF to CR, is there too; so is more of a text."""


def serial_ports() -> dict[str, str]:
    """The serial ports, each by its device node and with its most stable name, without that of the Pi's console."""
    console = ""
    with contextlib.suppress(OSError):
        console = Path("/proc/cmdline").read_text()
    names = [name for pattern in PORT_PATTERNS for name in sorted(glob.glob(pattern))]
    ports = {os.path.realpath(name): name for name in reversed(names)}
    return {node: name for node, name in ports.items() if f"console={os.path.basename(node)}," not in console}


class KeypadSearch(ThreadedDevice):
    """Listens on every serial port until a single key comes on one: that one has the keypad.

    Puts SettingFound with the port, then KeyPressed. A port that sends anything but one key at a time is ignored. Ports
    may come and go; those that another program uses are left alone.
    """

    def __init__(self, put: Callable[[Input], object], find_ports: Callable[[], dict[str, str]] = serial_ports) -> None:
        super().__init__("keypad search")
        self._put, self._find_ports = put, find_ports
        self._ports: dict[str, serial.Serial] = {}

    def close(self) -> None:
        """End the search soon, without waiting for it."""
        self._is_closing = True

    def _run(self) -> None:
        while not self._is_closing:
            names = self._find_ports()
            for node in names.keys() - self._ports.keys():
                with contextlib.suppress(*PORT_ERRORS, ValueError):
                    self._ports[node] = serial.Serial(node, 9600, exclusive=True, timeout=0)
            for node in [*self._ports]:
                if node not in names:
                    self._ports.pop(node).close()
            ready = select.select([*self._ports.values()], [], [], 0.2)[0]
            for node, port in self._ports.items():
                if port in ready and (key := self._read_key(port)):
                    self._close_ports()
                    self._put(SettingFound(names[node], at=time.monotonic()))
                    self._put(KeyPressed(key, time.monotonic()))
                    return
        self._close_ports()

    def _read_key(self, port: serial.Serial) -> str:
        """Read what is there; the key if it is a single one, else ""."""
        time.sleep(WHOLE_KEY_SECONDS)
        try:
            chunk = port.read(4096).replace(bytes([BREAK_BYTE]), b"")
        except PORT_ERRORS:
            return ""
        keys = [*KeyBytesDecoder().feed(chunk)]
        return keys[0] if len(keys) == 1 and all(byte in KEYS_BY_BYTE for byte in chunk) else ""

    def _close_ports(self) -> None:
        for port in self._ports.values():
            with contextlib.suppress(*PORT_ERRORS):
                port.close()


# -- describing a keypad's bytes for `companion doctor` ---------------------------------------------------------

BYTE_NAMES = {0x0D: "CR", 0x0A: "LF", 0x08: "Backspace", 0x7F: "Delete", 0x20: "space", 0x00: "break"}
NOISE_SHARE = 4
"""If one in so many bytes is noise, the baud rate is probably wrong."""


class KeypadReport:
    """Collects a keypad's bytes for `companion doctor`.

    `count_and_describe_bytes` counts and describes each byte, `make_finding` sums them up.
    """

    def __init__(self) -> None:
        self._decoder = KeyBytesDecoder()
        self._keys: dict[str, int] = {}
        self._bytes = 0
        self._ignored = 0
        self._noise = 0

    def count_and_describe_bytes(self, chunk: bytes) -> list[str]:
        """Count bytes, and describe each in a line: its value, its character, and the key that it stands for."""
        return [self._describe_byte(byte) for byte in chunk]

    def make_finding(self, port: str, baud: int) -> Finding:
        """The finding about the keypad on a port."""
        if not self._bytes:
            return Finding("keypad", "note", text("{port} is open; no key was pressed.", port=port))
        if self._noise * NOISE_SHARE >= self._bytes:
            return Finding("keypad", "do", plural_text(
                self._bytes, "{noise} of {number} byte was noise: its speed is not {baud}, check baud in [keypad].",
                "{noise} of {number} bytes were noise: its speed is not {baud}, check baud in [keypad].",
                noise=self._noise, baud=baud,
            ))  # fmt: skip
        if not self._keys:
            return Finding("keypad", "do", plural_text(
                self._bytes,
                "{number} byte came, but no key: the keypad must send 0-9, A-D, * and # as plain characters.",
                "{number} bytes came, but no key: the keypad must send 0-9, A-D, * and # as plain characters.",
            ))  # fmt: skip
        keys = " ".join(self._keys)
        if self._ignored:
            one = "{number} byte, keys {keys}, {ignored} ignored."
            more = "{number} bytes, keys {keys}, {ignored} ignored."
            return Finding("keypad", "ok", plural_text(self._bytes, one, more, keys=keys, ignored=self._ignored))
        count = plural_text(self._bytes, "{number} byte, keys {keys}.", "{number} bytes, keys {keys}.", keys=keys)
        return Finding("keypad", "ok", count)

    def _describe_byte(self, byte: int) -> str:
        self._bytes += 1
        character = BYTE_NAMES.get(byte) or (f"'{chr(byte)}'" if 0x20 < byte < 0x7F else text("noise"))
        keys = list(self._decoder.feed(bytes([byte])))
        if keys:
            self._keys[keys[0]] = self._keys.get(keys[0], 0) + 1
            meaning = text("key {key}", key=keys[0])
        elif byte == 0x0A:
            meaning = text("belongs to the CR before it")
        elif 0x20 <= byte < 0x7F or byte == 0x09:
            self._ignored += 1
            meaning = text("not a key, ignored")
        else:
            self._noise += 1
            meaning = text("not a key, ignored; if this happens often, the speed is wrong")
        return text("{byte} {shown}: {means}", byte=f"0x{byte:02X}", shown=character, means=meaning)

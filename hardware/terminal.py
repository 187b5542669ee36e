"""A table without a Pi: a terminal shows the panel's pixels, and its keyboard is keypad and buttons in one.

`picture_lines` draws a picture with characters, in a `DrawingStyle` that the terminal can show. `KeyDecoder` decodes
bytes into keys. Both are pure; `Terminal` is the device.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import select
import signal
import sys
import termios
import time
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from string import ascii_lowercase
from threading import RLock, current_thread
from typing import Any, NamedTuple, TextIO

from PIL import Image

from companion.config import ConfigError
from companion.inputs import BOARD_KEY, REPEAT_KEY, Input, KeyPressed, StopRequested
from companion.languages import text, translate
from hardware.device_classes import PictureDevice, ThreadedDevice
from hardware.frames import HEIGHT, WIDTH

# -- the picture in characters ----------------------------------------------------------------------------------


class DrawingStyle(NamedTuple):
    """A way of drawing: each character shows `across` × `down` pixels.

    `glyphs` has a character for each combination of pixels. Its index has a bit for each pixel: left to right, then top
    to bottom, the lowest bit first.
    """

    name: str
    across: int
    down: int
    glyphs: str

    @property
    def columns(self) -> int:
        return WIDTH // self.across

    @property
    def rows(self) -> int:
        return HEIGHT // self.down


def _braille_glyphs() -> str:
    # The bits of a braille character: down the left column, down the right one, then the bottom row.
    bits = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
    return "".join(
        chr(0x2800 + sum(bit for place, bit in enumerate(bits) if value >> place & 1)) for value in range(256)
    )


HALF_BLOCK_STYLE = DrawingStyle("half blocks", 1, 2, " ▀▄█")
QUADRANT_STYLE = DrawingStyle("quadrants", 2, 2, " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█")
BRAILLE_STYLE = DrawingStyle("braille", 2, 4, _braille_glyphs())
ASCII_STYLE = DrawingStyle("ASCII", 1, 2, " '.#")


def available_styles(encoding: str, is_linux_console: bool = False) -> tuple[DrawingStyle, ...]:
    """The styles that a terminal with this encoding can show, the finest first."""
    if not _can_show(HALF_BLOCK_STYLE, encoding):
        return (ASCII_STYLE,)
    # The Linux console's font has half blocks, but neither quadrants nor braille.
    if is_linux_console or not (_can_show(QUADRANT_STYLE, encoding) and _can_show(BRAILLE_STYLE, encoding)):
        return (HALF_BLOCK_STYLE,)
    return (HALF_BLOCK_STYLE, QUADRANT_STYLE, BRAILLE_STYLE)


def finest_style(columns: int, rows: int, encoding: str, is_linux_console: bool = False) -> DrawingStyle | None:
    """The finest style that fits into `columns` × `rows` characters; None if none fits."""
    possible = available_styles(encoding, is_linux_console)
    return next((style for style in possible if style.columns <= columns and style.rows <= rows), None)


def picture_lines(image: Image.Image, style: DrawingStyle) -> list[str]:
    """Draw a picture in a style: `style.rows` lines of `style.columns` characters."""
    pixels = image.convert("L").tobytes()
    return [
        "".join(style.glyphs[_glyph_index(pixels, column, row, style)] for column in range(0, WIDTH, style.across))
        for row in range(0, HEIGHT, style.down)
    ]


def _glyph_index(pixels: bytes, column: int, row: int, style: DrawingStyle) -> int:
    rows, columns = range(row, row + style.down), range(column, column + style.across)
    return sum(1 << bit for bit, (y, x) in enumerate(product(rows, columns)) if pixels[y * WIDTH + x])


def _can_show(style: DrawingStyle, encoding: str) -> bool:
    try:
        return bool(style.glyphs.encode(encoding))
    except (UnicodeEncodeError, LookupError):
        return False


# -- the keys ---------------------------------------------------------------------------------------------------

INTERRUPT = "interrupt"
ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left", "P": REPEAT_KEY, "Q": BOARD_KEY}
"""The ends of escape sequences for the arrow keys, F1 and F2."""
HOME_AND_END = {"H": "home", "F": "end", "1~": "home", "4~": "end", "7~": "home", "8~": "end"}
"""The ends of escape sequences for Home and End, which terminals send in different ways."""
PLAIN_KEYS = {letter: letter.upper() for letter in ascii_lowercase}
PLAIN_KEYS |= {"\r": "#", "\n": "#", "\x08": "*", "\x7f": "*", "\x03": INTERRUPT, "\x04": INTERRUPT, "\t": BOARD_KEY}
"""Characters that are another key. Any other printable character is a key itself."""
KEY_PATTERN = re.compile(r"(\x1b(?:\[[ -?]{0,30}|O)?)?([^\x1b])?", re.DOTALL)
"""The beginning of an escape sequence, with its parameters as in ESC [ 1 ; 2 A, and the character that ends it.

Either may be missing. No key of a terminal sends more parameters.
"""


class KeyDecoder:
    """Decodes bytes into keys, however they are divided into chunks.

    | from the keyboard | key |
    | --- | --- |
    | a printable character | itself; a to z as capitals |
    | arrows | ``up``, ``down``, ``left``, ``right`` |
    | Enter | ``#`` |
    | Backspace | ``*`` |
    | Ctrl-C, Ctrl-D | INTERRUPT |
    | bytes that are no character | a character that no panel can draw |
    | other escape sequences | ignored |

    Escape alone is no key, so no timer is needed: the next character shows whether it begins a sequence.

    Args:
        ends: the ends of escape sequences that are keys: `ARROWS`, or more.
        encoding: the encoding of the terminal's characters.
    """

    def __init__(self, ends: Mapping[str, str] = ARROWS, encoding: str = "utf-8") -> None:
        self._ends = ends
        self._incomplete = ""
        self._decoder = getincrementaldecoder(encoding)("replace")

    def feed(self, chunk: bytes) -> Iterator[str]:
        """The keys in a chunk, in order."""
        characters, self._incomplete = self._incomplete + self._decoder.decode(chunk), ""
        for match in KEY_PATTERN.finditer(characters):
            begun, mark = match[1] or "", match[2] or ""
            if not mark:
                if match.end() == len(characters):
                    self._incomplete += begun
            elif begun[1:] and ("@" if begun[1] == "[" else " ") <= mark <= "~":
                if key := self._ends.get(begun[2:] + mark) or self._ends.get(mark):
                    yield key
            # Escape or Alt before a plain key, or a sequence that was cut off: the character is a key of its own.
            elif key := PLAIN_KEYS.get(mark, mark if mark.isprintable() else ""):
                yield key


# -- the device -------------------------------------------------------------------------------------------------

KEY_HINT = text("0-9 A-D   # Enter: OK   * Backspace: BACK   arrows   Ctrl-C: leave")
ENTER_SCREEN, LEAVE_SCREEN = "\x1b[?1049h\x1b[?25l", "\x1b[0m\x1b[?25h\x1b[?1049l"
BRIGHT, DIM, PLAIN = "\x1b[0;97;40m", "\x1b[0;37;40m", "\x1b[0m"
DIM_BELOW_CONTRAST = 0x60


class Terminal(ThreadedDevice, PictureDevice):
    """Panel and keys in one.

    Puts KeyPressed for keys, StopRequested("interrupt") for Ctrl-C, and StopRequested("terminate") when the terminal is
    closed. `key_hint` is the line below the picture, shown with the next picture.

    Args:
        put: puts an input on the loop's queue.
        source: the keyboard.
        target: the screen.
        environ: the environment variables, for TERM.
        keys: the ends of escape sequences that are keys, see `KeyDecoder`.
    """

    def __init__(
        self,
        put: Callable[[Input], object],
        source: TextIO | None = None,
        target: TextIO | None = None,
        environ: Mapping[str, str] = os.environ,
        keys: Mapping[str, str] = ARROWS,
    ) -> None:
        super().__init__("terminal")
        self._put = put
        self._keys = keys
        self.key_hint = translate(KEY_HINT)
        self._source = sys.stdin if source is None else source
        self._target = sys.stdout if target is None else target
        self._term = environ.get("TERM", "")
        self._image = Image.new("1", (WIDTH, HEIGHT))
        self._style: DrawingStyle | None = None
        self._drawn_lines: dict[int, str] = {}
        self._colour = BRIGHT
        self._is_on = True
        self._lock = RLock()
        self._settings_before: list[Any] | None = None
        self._on_resize: Any = None
        self._waker = (-1, -1)

    def start(self) -> None:
        """Switch the terminal to single keys. Raises ConfigError if it cannot show the panel."""
        self._refuse_unusable()
        self._waker = os.pipe()
        os.set_blocking(self._waker[1], False)
        self._settings_before = termios.tcgetattr(self._source)
        atexit.register(self.close)
        self._read_single_keys(self._settings_before)
        with contextlib.suppress(ValueError):  # Only the main thread has signals; else no resizing.
            self._on_resize = signal.signal(signal.SIGWINCH, self._resized)
        with self._lock:
            self._write(ENTER_SCREEN)
            self._redraw()
        super().start()

    def show(self, image: Image.Image, shift: int = 0) -> None:
        """Show a one-bit 128×64 image. `shift` is ignored, and only lines that have changed are written."""
        with self._lock:
            self._image = image.copy()
            self._draw()

    def contrast(self, level: int) -> None:
        """Write bright or grey characters for a brightness from 0 to 255."""
        self._set_light(DIM if level < DIM_BELOW_CONTRAST else BRIGHT, self._is_on)

    def sleep(self) -> None:
        self._set_light(self._colour, False)

    def wake(self) -> None:
        self._set_light(self._colour, True)

    def close(self, picture: Image.Image | None = None) -> None:
        """Restore the terminal. A second call does nothing."""
        settings, self._settings_before = self._settings_before, None
        if settings is None:
            return
        atexit.unregister(self.close)
        if self._on_resize is not None:
            with contextlib.suppress(ValueError):
                signal.signal(signal.SIGWINCH, self._on_resize)
        os.write(self._waker[1], b"q")
        if current_thread() is not self.thread:
            self._join()
        with self._lock:
            self._write(LEAVE_SCREEN)
            # A terminal that was closed has nothing to restore.
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self._source, termios.TCSADRAIN, settings)
        for end in self._waker:
            os.close(end)

    def _refuse_unusable(self) -> None:
        if not (self._source.isatty() and self._target.isatty()):
            raise ConfigError(text("This needs a terminal: neither keyboard nor screen may be redirected."))
        if self._term in ("", "dumb"):
            message = "The terminal (TERM={term}) can't move its cursor; use another one."
            raise ConfigError(text(message, term=self._term or text("not set")))
        if self._fitting_style() is None:
            raise ConfigError(self._too_small_text())

    def _fitting_style(self) -> DrawingStyle | None:
        return finest_style(*self._terminal_size(), self._target.encoding, self._term == "linux")

    def _terminal_size(self) -> tuple[int, int]:
        """The terminal's columns and rows; 0 and 0 if it is closed."""
        try:
            return os.get_terminal_size(self._target.fileno())
        except OSError:
            return 0, 0

    def _too_small_text(self) -> str:
        columns, rows = self._terminal_size()
        least = available_styles(self._target.encoding, self._term == "linux")[-1]
        message = "The terminal is {columns}×{rows} characters; the panel needs {wide}×{high}."
        return text(message, columns=columns, rows=rows, wide=least.columns, high=least.rows)

    def _read_single_keys(self, settings: list[Any]) -> None:
        """Read single keys without echo, and Ctrl-C as a byte. The processing of output is unchanged."""
        quiet = [*settings[:6], list(settings[6])]
        quiet[0] &= ~(termios.ICRNL | termios.IXON)
        quiet[3] &= ~(termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN)
        termios.tcsetattr(self._source, termios.TCSADRAIN, quiet)

    def _resized(self, _signal: int, _frame: object) -> None:
        # A signal handler may interrupt a drawing, so the reading thread draws instead.
        with contextlib.suppress(OSError):
            os.write(self._waker[1], b"r")

    def _run(self) -> None:
        """Read keys and notices of a new size, until `close` or the end of the terminal."""
        decoder = KeyDecoder(self._keys, self._source.encoding)
        keyboard = self._source.fileno()
        while True:
            ready, _, _ = select.select([keyboard, self._waker[0]], [], [])
            if self._waker[0] in ready:
                if b"q" in os.read(self._waker[0], 1024):
                    return
                with self._lock:
                    self._redraw()
            if keyboard in ready:
                try:
                    chunk = os.read(keyboard, 1024)
                except OSError:
                    chunk = b""
                if not chunk:
                    self._put(StopRequested("terminate", time.monotonic()))
                    return
                now = time.monotonic()
                for key in decoder.feed(chunk):
                    self._put(StopRequested("interrupt", now) if key == INTERRUPT else KeyPressed(key, now))

    def _set_light(self, colour: str, is_on: bool) -> None:
        with self._lock:
            if (colour, is_on) != (self._colour, self._is_on):
                self._colour, self._is_on = colour, is_on
                self._redraw()

    def _redraw(self) -> None:
        """Measure the terminal, clear it and draw everything."""
        self._style = self._fitting_style()
        self._drawn_lines.clear()
        self._write(f"{PLAIN}\x1b[2J")
        self._draw()

    def _draw(self) -> None:
        if self._settings_before is None or not self._is_on:
            return
        lines = picture_lines(self._image, self._style) if self._style else [self._too_small_text()]
        columns, rows = self._terminal_size()
        output = self._colour
        for row, line in enumerate(lines, 1):
            output += self._line_output(row, line)
        if self._style and rows > len(lines) and columns >= len(self.key_hint):
            output += PLAIN + self._line_output(len(lines) + 1, self.key_hint)
        self._write(output + PLAIN)

    def _line_output(self, row: int, line: str) -> str:
        if self._drawn_lines.get(row) == line:
            return ""
        self._drawn_lines[row] = line
        return f"\x1b[{row};1H{line}"

    def _write(self, output: str) -> None:
        # The end of the keyboard's input reports a closed terminal.
        with contextlib.suppress(OSError):
            data = memoryview(output.encode(self._target.encoding, "replace"))
            while data:
                data = data[os.write(self._target.fileno(), data) :]

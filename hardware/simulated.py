"""A table without a Pi: a terminal shows the panel's pixels, and its keyboard is keypad and buttons."""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import signal
import sys
import termios
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, TextIO

from PIL import Image

from companion.config import ConfigError
from companion.inputs import Input, Pressed, Stop
from companion.languages import said, text
from hardware import blocks
from hardware.picture import PictureDevice
from hardware.terminal_keys import ARROWS, INTERRUPT, KeyDecoder

LEGEND = text("0-9 A-D   # Enter: OK   * Backspace: BACK   arrows   Ctrl-C: leave")
ENTER, LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[0m\x1b[?25h\x1b[?1049l"
BRIGHT, DIM, PLAIN = "\x1b[0;97;40m", "\x1b[0;37;40m", "\x1b[0m"
DIM_BELOW = 0x60


class Terminal(PictureDevice):
    """Panel and keys in one.

    Puts Pressed for keys, Stop("interrupt") for Ctrl-C, and Stop("terminate") when the terminal is closed. `legend` is
    the line below the picture, shown with the next picture.

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
        self._put = put
        self._keys = keys
        self.legend = said(LEGEND)
        self._source = sys.stdin if source is None else source
        self._target = sys.stdout if target is None else target
        self._term = environ.get("TERM", "")
        self._image = Image.new("1", (blocks.WIDTH, blocks.HEIGHT))
        self._style: blocks.Style | None = None
        self._drawn: dict[int, str] = {}
        self._colour = BRIGHT
        self._on = True
        self._lock = threading.RLock()
        self._before: list[Any] | None = None
        self._on_resize: Any = None
        self._waker = (-1, -1)
        self._thread = threading.Thread(target=self._run, name="terminal", daemon=True)

    def start(self) -> None:
        """Switch the terminal to single keys. Raises ConfigError if it cannot show the panel."""
        self._refuse()
        self._waker = os.pipe()
        os.set_blocking(self._waker[1], False)
        self._before = termios.tcgetattr(self._source)
        atexit.register(self.close)
        self._listen(self._before)
        with contextlib.suppress(ValueError):  # Only the main thread has signals; else no resizing.
            self._on_resize = signal.signal(signal.SIGWINCH, self._resized)
        with self._lock:
            self._write(ENTER)
            self._redraw()
        self._thread.start()

    def show(self, image: Image.Image, shift: int = 0) -> None:
        """Show a one-bit 128×64 image, without shift; only lines that have changed are written."""
        with self._lock:
            self._image = image.copy()
            self._draw()

    def contrast(self, level: int) -> None:
        """Write bright or grey characters for a brightness from 0 to 255."""
        self._set(colour=DIM if level < DIM_BELOW else BRIGHT)

    def sleep(self) -> None:
        """Show nothing."""
        self._set(on=False)

    def wake(self) -> None:
        """Show the picture again."""
        self._set(on=True)

    def alive(self) -> bool:
        """Whether the keyboard is being read; for the watchdog."""
        return self._thread.is_alive()

    def close(self, picture: Image.Image | None = None) -> None:
        """Restore the terminal; a second call does nothing."""
        before, self._before = self._before, None
        if before is None:
            return
        atexit.unregister(self.close)
        if self._on_resize is not None:
            with contextlib.suppress(ValueError):
                signal.signal(signal.SIGWINCH, self._on_resize)
        os.write(self._waker[1], b"q")
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(2.0)
        with self._lock:
            self._write(LEAVE)
            # If it is closed, there is nothing to restore.
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self._source, termios.TCSADRAIN, before)
        for end in self._waker:
            os.close(end)

    def _refuse(self) -> None:
        if not (self._source.isatty() and self._target.isatty()):
            raise ConfigError(text("This needs a terminal: neither keyboard nor screen may be redirected."))
        if self._term in ("", "dumb"):
            message = "The terminal (TERM={term}) cannot place characters; use another one."
            raise ConfigError(text(message, term=self._term or text("unset")))
        if self._fit() is None:
            raise ConfigError(self._too_small())

    def _fit(self) -> blocks.Style | None:
        return blocks.choose(*self._size(), self._target.encoding, self._term == "linux")

    def _size(self) -> tuple[int, int]:
        """The terminal's columns and rows; 0 and 0 if it is closed."""
        try:
            return os.get_terminal_size(self._target.fileno())
        except OSError:
            return 0, 0

    def _too_small(self) -> str:
        columns, rows = self._size()
        least = blocks.styles(self._target.encoding, self._term == "linux")[-1]
        message = "The terminal has {columns}×{rows} characters; the panel needs {wide}×{high}."
        return text(message, columns=columns, rows=rows, wide=least.columns, high=least.rows)

    def _listen(self, before: list[Any]) -> None:
        """Read single keys without echo, Ctrl-C as a byte; output processing is unchanged."""
        quiet = [*before[:6], list(before[6])]
        quiet[0] &= ~(termios.ICRNL | termios.IXON)
        quiet[3] &= ~(termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN)
        termios.tcsetattr(self._source, termios.TCSADRAIN, quiet)

    def _resized(self, _signal: int, _frame: object) -> None:
        # A signal handler may interrupt a drawing, so the reading thread draws instead.
        with contextlib.suppress(OSError):
            os.write(self._waker[1], b"r")

    def _run(self) -> None:
        """Read keys and notices of a new size until `close` or the end of the terminal, without time-outs."""
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
                    self._put(Stop("terminate", time.monotonic()))
                    return
                now = time.monotonic()
                for key in decoder.feed(chunk):
                    self._put(Stop("interrupt", now) if key == INTERRUPT else Pressed(key, now))

    def _set(self, colour: str | None = None, on: bool | None = None) -> None:
        with self._lock:
            before = self._colour, self._on
            self._colour = self._colour if colour is None else colour
            self._on = self._on if on is None else on
            if before != (self._colour, self._on):
                self._redraw()

    def _redraw(self) -> None:
        """Measure the terminal, clear it and draw everything."""
        self._style = self._fit()
        self._drawn.clear()
        self._write(f"{PLAIN}\x1b[2J")
        self._draw()

    def _draw(self) -> None:
        if self._before is None or not self._on:
            return
        lines = blocks.lines(self._image, self._style) if self._style else [self._too_small()]
        columns, rows = self._size()
        output = self._colour
        for row, line in enumerate(lines, 1):
            output += self._place(row, line)
        if self._style and rows > len(lines) and columns >= len(self.legend):
            output += PLAIN + self._place(len(lines) + 1, self.legend)
        self._write(output + PLAIN)

    def _place(self, row: int, line: str) -> str:
        if self._drawn.get(row) == line:
            return ""
        self._drawn[row] = line
        return f"\x1b[{row};1H{line}"

    def _write(self, output: str) -> None:
        # The end of the keyboard's input reports a closed terminal.
        with contextlib.suppress(OSError):
            data = memoryview(output.encode(self._target.encoding, "replace"))
            while data:
                data = data[os.write(self._target.fileno(), data) :]

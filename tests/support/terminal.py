"""A small model of a terminal's screen, and commands that run on a pseudo-terminal."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence

from companion import display
from companion.evening import state_machine
from companion.evening.model import Session
from companion.evening.screens.setup.questions import SetupQuestion
from companion.inputs import KeyPressed, Tick
from companion.rounds.stored import SessionSettings, StoredHistory
from hardware.terminal import HALF_BLOCK_STYLE, DrawingStyle, picture_lines

PATIENCE_SECONDS = 60.0
"""Seconds in which something must be shown."""
WINDOW_SIZE = (140, 40)
"""The columns and rows of a window at first."""

TERMINAL_TOKEN = re.compile(r"\x1b\[(\??)([0-9;]*)([A-Za-z])|([^\x1b])")


class TerminalScreen:
    """A model of a terminal's screen: it places characters, erases, and knows cursor and alternate screen."""

    def __init__(self):
        self.characters = {}
        self.position = (1, 1)
        self.is_alternate = False
        self.has_cursor = True
        self.written = 0
        self.unfinished = ""

    def feed(self, text):
        self.written += len(text)
        text, self.unfinished = self.unfinished + text, ""
        cut = text.rfind("\x1b")
        if cut >= 0 and not TERMINAL_TOKEN.match(text, cut):
            text, self.unfinished = text[:cut], text[cut:]  # an escape sequence whose end is still to come
        for private, numbers, letter, glyph in TERMINAL_TOKEN.findall(text):
            if glyph:
                self.characters[self.position] = glyph
                self.position = (self.position[0], self.position[1] + 1)
            elif letter == "H":
                self.position = tuple(map(int, numbers.split(";")))
            elif letter == "J":
                self.characters.clear()
            elif private and numbers == "1049":
                self.is_alternate = letter == "h"
            elif private and numbers == "25":
                self.has_cursor = letter == "h"
            else:
                assert letter == "m", (private, numbers, letter)

    def line(self, row):
        cells = self.characters.copy()  # the other thread goes on writing
        columns = [column for each, column in cells if each == row]
        return "".join(cells.get((row, column), " ") for column in range(1, max(columns, default=0) + 1))


class Terminal:
    """A command whose controlling terminal is a pseudo-terminal; its output goes to a model of a screen.

    It must be the controlling terminal, since only then does the kernel tell the command about a new size.
    """

    def __init__(self, command: Sequence[object], environment: Mapping[str, str] | None = None) -> None:
        self.master, slave = pty.openpty()
        self.resize(*WINDOW_SIZE)
        self.process = subprocess.Popen(
            ["setsid", "--ctty", *map(str, command)], stdin=slave, stdout=slave, stderr=slave, env=environment
        )
        os.close(slave)
        self.screen = TerminalScreen()
        self.written = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def resize(self, columns: int, rows: int) -> None:
        """Give the window another size, as if somebody dragged its corner."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read_until(self, holds: Callable[[], object], seconds: float = PATIENCE_SECONDS) -> bool:
        """Read output until a condition holds, the command ends, or time is up. Returns whether the condition holds."""
        end = time.monotonic() + seconds
        while not holds():
            ready, _, _ = select.select([self.master], [], [], max(0.0, end - time.monotonic()))
            if not ready or not self._take():
                return bool(holds())
        return True

    def wait_for_picture(
        self, session: Session, seconds: float = PATIENCE_SECONDS, style: DrawingStyle = HALF_BLOCK_STYLE
    ) -> None:
        """Wait until the screen shows the picture of a session."""
        wanted = [line.rstrip() for line in picture_lines(display.session_picture(session), style)]
        rows = range(1, style.rows + 1)
        shown = self.read_until(lambda: [self.screen.line(row).rstrip() for row in rows] == wanted, seconds)
        assert shown, "\n".join([self.written[-3000:], *wanted])

    def type(self, keys: str | bytes) -> None:
        """Type keys, or send bytes that may be a part of a key."""
        os.write(self.master, keys.encode() if isinstance(keys, str) else keys)

    def wait_for_end(self) -> int:
        """Wait for the end of the command. Returns its exit status."""
        self.read_until(lambda: False)
        return self.process.wait(PATIENCE_SECONDS)

    def close(self) -> None:
        """Kill the command if it is still running."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE_SECONDS)
        os.close(self.master)

    def _take(self) -> bool:
        try:
            text = self._decoder.decode(os.read(self.master, 65536))
        except OSError:  # Nobody is at the other end any more.
            return False
        self.written += text
        begun = self.written.find("\x1b[?1049h")
        if self.screen.written:
            self.screen.feed(text)
        elif begun >= 0:  # What apt and pip write before is not the table's.
            self.screen.feed(self.written[begun:])
        return True


def main_menu_session() -> Session:
    """The session of a table in a terminal at its first menu, with nothing saved."""
    return state_machine.update_session(
        state_machine.start_session(SessionSettings(is_terminal=True), StoredHistory()), Tick(3.0)
    )


def keys_to_players(session: Session, digit: str) -> str:
    """The keys that open a game of the main menu and accept the proposals up to the question who plays."""
    keys = digit
    while isinstance(session_after_keys(session, keys).screen, SetupQuestion):
        keys += "#"
    return keys


def session_after_keys(session: Session, keys: Sequence[str]) -> Session:
    """The session after some keys."""
    for key in keys:
        session = state_machine.update_session(session, KeyPressed(key, session.now + 2.0))
    return session

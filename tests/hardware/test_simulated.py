"""The table in a terminal, on a pseudo-terminal with a small model of a screen."""

import codecs
import contextlib
import fcntl
import io
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import threading
import time

import pytest
from terminal import TerminalScreen

from companion.config import ConfigError
from companion.inputs import Pressed, Stop
from hardware import blocks
from hardware.simulated import LEGEND, Terminal


class Tty:
    """A pseudo-terminal, what it was sent put on a model screen by a thread."""

    def __init__(self, columns, rows, encoding="utf-8"):
        self.master, self.slave = pty.openpty()
        self.source = io.TextIOWrapper(io.FileIO(self.slave, closefd=False), encoding)
        self.target = io.TextIOWrapper(io.FileIO(self.slave, "w", closefd=False), encoding)
        self.screen = TerminalScreen()
        self.encoding = encoding
        self.resize(columns, rows)
        self.thread = threading.Thread(target=self.copy, daemon=True)
        self.thread.start()

    def copy(self):
        decoder = codecs.getincrementaldecoder(self.encoding)()
        with contextlib.suppress(OSError):
            while data := os.read(self.master, 65536):
                self.screen.feed(decoder.decode(data))

    def resize(self, columns, rows):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text):
        os.write(self.master, text)

    def shown(self, rows):
        return [self.screen.line(row) for row in range(1, rows + 1)]

    def close(self):
        os.close(self.slave)
        self.thread.join(60)  # with no one left at the other end, its read fails
        os.close(self.master)


@pytest.fixture
def make(inbox):
    """A started terminal of a size, and the pseudo-terminal under it."""
    made = []

    def start(columns=140, rows=40, encoding="utf-8"):
        tty = Tty(columns, rows, encoding)
        terminal = Terminal(inbox.put, tty.source, tty.target, {"TERM": "xterm"})
        made.append((terminal, tty))
        terminal.start()
        return terminal, tty

    yield start
    for terminal, tty in made:
        terminal.close()
        tty.close()


@pytest.mark.parametrize(
    ("size", "encoding", "style"),
    [
        ((140, 40), "utf-8", blocks.HALF),
        ((100, 40), "utf-8", blocks.QUADRANT),
        ((80, 24), "utf-8", blocks.BRAILLE),
        ((140, 40), "ascii", blocks.ASCII),
    ],
)
def test_the_picture_is_drawn(make, a_picture, wait_for, size, encoding, style):
    """Whatever the size and the encoding, the screen shows the picture, and below it what the keys are."""
    terminal, tty = make(*size, encoding)
    for seed in range(5):
        terminal.show(a_picture(seed))
        lines = [line.rstrip() for line in blocks.lines(a_picture(seed), style)]
        wait_for(lambda lines=lines: [line.rstrip() for line in tty.shown(style.rows)] == lines)
    assert tty.screen.line(style.rows + 1) == LEGEND
    assert tty.screen.alternate
    assert not tty.screen.cursor


def test_only_changed_lines_are_written(make, a_picture, wait_for, wait_while_changing):
    """The same picture writes next to nothing, one changed pixel one line."""
    terminal, tty = make()
    image = a_picture(1)
    terminal.show(image)
    wait_for(lambda: tty.screen.written > 4000)
    wait_while_changing(lambda: tty.screen.written)
    before = tty.screen.written
    terminal.show(image)
    time.sleep(0.05)
    assert tty.screen.written - before < 30
    image.putpixel((64, 33), not image.getpixel((64, 33)))
    terminal.show(image)
    wait_for(lambda: tty.shown(17)[16].rstrip() == blocks.lines(image, blocks.HALF)[16].rstrip())
    assert tty.screen.written - before < 220


def test_keys(make, inbox):
    """Characters, Enter, Backspace and arrows are presses in order, Ctrl-C asks to stop."""
    _, tty = make()
    tty.type(b"19a#*\r\x7f\x1b[A\x1b[B\x1b[C\x1b")
    tty.type(b"[Dz\xc3\xa4\x03")
    found = [inbox.take() for _ in range(14)]
    assert [press.key for press in found[:-1]] == [*"19A#*#*", "up", "down", "right", "left", *"Zä"]
    assert all(type(press) is Pressed for press in found[:-1])
    assert found[-1][:1] == Stop("interrupt")[:1]
    assert inbox.empty()


def test_the_terminal_is_given_back(wait_for):
    """Afterwards the terminal has its modes, cursor and screen again, also when closed twice."""
    tty = Tty(140, 40)
    before = termios.tcgetattr(tty.slave)
    terminal = Terminal(lambda _: None, tty.source, tty.target, {"TERM": "xterm"})
    handler = signal.getsignal(signal.SIGWINCH)
    terminal.start()
    assert not termios.tcgetattr(tty.slave)[3] & termios.ECHO
    terminal.close()
    terminal.close()
    assert termios.tcgetattr(tty.slave) == before
    assert signal.getsignal(signal.SIGWINCH) == handler
    wait_for(lambda: not tty.screen.alternate and tty.screen.cursor)
    tty.close()


def test_a_crash_gives_the_terminal_back():
    """A program that ends by an exception restores the terminal at exit."""
    tty = Tty(140, 40)
    before = termios.tcgetattr(tty.slave)
    program = "from hardware.simulated import Terminal; Terminal(print).start(); raise SystemExit(3)"
    environ = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([sys.executable, "-c", program], stdin=tty.slave, stdout=tty.slave, env=environ, timeout=60)
    assert done.returncode == 3
    assert termios.tcgetattr(tty.slave) == before
    tty.close()


def test_a_new_size_is_taken_up(make, a_picture, wait_for):
    """A resized window is drawn anew in the style that fits; too small a one says so, and recovers."""
    terminal, tty = make(140, 40)
    image = a_picture(4)
    terminal.show(image)
    for size, style in (((80, 24), blocks.BRAILLE), ((50, 10), None), ((130, 33), blocks.HALF)):
        tty.resize(*size)
        os.kill(os.getpid(), signal.SIGWINCH)
        if style is None:
            wait_for(lambda: tty.screen.line(1) == "The terminal has 50×10 characters; the panel needs 64×16.")
        else:
            lines = [line.rstrip() for line in blocks.lines(image, style)]
            wait_for(lambda style=style, lines=lines: [line.rstrip() for line in tty.shown(style.rows)] == lines)


def test_sleep_and_wake(make, a_picture, wait_for):
    """Asleep the screen is empty, whatever is shown; awake it has the newest picture, never moved: nothing burns in."""
    terminal, tty = make()
    terminal.show(a_picture(1))
    terminal.sleep()
    terminal.show(a_picture(2), shift=1)
    wait_for(lambda: not tty.screen.cells)
    terminal.wake()
    wait_for(lambda: tty.shown(32)[10].rstrip() == blocks.lines(a_picture(2), blocks.HALF)[10].rstrip())


def test_a_terminal_that_goes_away(inbox, a_picture):
    """A closed window ends the table like a request to terminate, without an error."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 140, 0, 0))
    with open(slave, "r+b", buffering=0) as file:
        terminal = Terminal(inbox.put, io.TextIOWrapper(file), io.TextIOWrapper(file), {"TERM": "xterm"})
        terminal.start()
        os.close(master)
        assert inbox.take()[0] == "terminate"
        terminal.show(a_picture(1))
        terminal.close()


@pytest.mark.parametrize(
    ("size", "encoding", "term", "words"),
    [
        ((140, 40), "utf-8", "dumb", "TERM=dumb"),
        ((140, 40), "utf-8", "", "TERM=unset"),
        ((60, 40), "utf-8", "xterm", "has 60×40 characters; the panel needs 64×16"),
        ((100, 40), "ascii", "xterm", "has 100×40 characters; the panel needs 128×32"),
        ((100, 40), "utf-8", "linux", "has 100×40 characters; the panel needs 128×32"),
    ],
)
def test_an_unfit_terminal_is_refused(size, encoding, term, words):
    """A terminal that is dumb or too small is refused in one sentence and left as it was."""
    tty = Tty(*size, encoding)
    before = termios.tcgetattr(tty.slave)
    with pytest.raises(ConfigError, match=words) as refused:
        Terminal(print, tty.source, tty.target, {"TERM": term}).start()
    assert str(refused.value).count("\n") == 0
    assert termios.tcgetattr(tty.slave) == before
    assert tty.screen.written == 0
    tty.close()


def test_no_terminal_is_refused(tmp_path):
    """A redirected keyboard or screen is refused in one sentence."""
    file = (tmp_path / "file").open("w+")
    with pytest.raises(ConfigError, match="needs a terminal"):
        Terminal(print, file, file, {"TERM": "xterm"}).start()
    with pytest.raises(ConfigError, match="needs a terminal"):
        Terminal(print, io.StringIO(), io.StringIO(), {"TERM": "xterm"}).start()


def test_idle_means_idle(make, wake_ups):
    """A terminal at which nobody types costs no wake-up."""
    make()
    time.sleep(0.05)
    assert wake_ups(0.4)["terminal"] == 0

"""The table in a terminal: pictures as characters, what bytes mean, and a pseudo-terminal with a model of a screen."""

import codecs
import contextlib
import fcntl
import io
import os
import pty
import random
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from terminal import TerminalScreen

from companion.config import ConfigError
from companion.inputs import KEYPAD_KEYS, KeyPressed, StopRequested
from hardware.terminal import (
    ASCII_STYLE,
    BRAILLE_STYLE,
    HALF_BLOCK_STYLE,
    INTERRUPT,
    KEY_HINT,
    QUADRANT_STYLE,
    KeyDecoder,
    Terminal,
    finest_style,
    picture_lines,
)  # fmt: skip

# The dots of a braille pattern as (column, row), in the order of its bits in Unicode.
DOTS = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]
QUADRANTS = {
    "▘": [(0, 0)],
    "▝": [(1, 0)],
    "▖": [(0, 1)],
    "▗": [(1, 1)],
    "▀": [(0, 0), (1, 0)],
    "▙": [(0, 0), (0, 1), (1, 1)],
}


def read_braille(lines):
    """The picture that lines of braille show, by Unicode's own numbering of the dots."""
    image = Image.new("1", (128, 64))
    for row, line in enumerate(lines):
        for column, glyph in enumerate(line):
            for bit, (x, y) in enumerate(DOTS):
                image.putpixel((column * 2 + x, row * 4 + y), (ord(glyph) - 0x2800) >> bit & 1)
    return image


@pytest.mark.parametrize("style", [HALF_BLOCK_STYLE, QUADRANT_STYLE, BRAILLE_STYLE, ASCII_STYLE])
def test_every_style_has_its_size(style, a_picture):
    """A style's lines have its size and only its glyphs, which all differ."""
    lines = picture_lines(a_picture(1), style)
    assert len(lines) == style.rows
    assert {len(line) for line in lines} == {style.columns}
    assert len(set(style.glyphs)) == len(style.glyphs) == 2 ** (style.across * style.down)


def test_braille_shows_the_pixels(a_picture):
    """Each dot of a character is one pixel."""
    for seed in range(10):
        image = a_picture(seed)
        assert read_braille(picture_lines(image, BRAILLE_STYLE)).tobytes() == image.tobytes()


@pytest.mark.parametrize(("style", "glyphs"), [(HALF_BLOCK_STYLE, "▀▄█ "), (ASCII_STYLE, "'.# ")])
def test_halves_show_the_pixels(style, glyphs):
    """The upper and the lower half of a character are two pixels."""
    image = Image.new("1", (128, 64))
    for column, (upper, lower) in enumerate([(1, 0), (0, 1), (1, 1), (0, 0)]):
        image.putpixel((column, 2), upper)
        image.putpixel((column, 3), lower)
    assert picture_lines(image, style)[1][:4] == glyphs


@pytest.mark.parametrize(("glyph", "pixels"), QUADRANTS.items())
def test_quadrants_show_the_pixels(glyph, pixels):
    """Each quarter of a character is a pixel."""
    image = Image.new("1", (128, 64))
    for x, y in pixels:
        image.putpixel((126 + x, 62 + y), 1)
    assert picture_lines(image, QUADRANT_STYLE)[31][63] == glyph


@pytest.mark.parametrize(
    ("size", "encoding", "console", "style"),
    [
        ((200, 50), "utf-8", False, HALF_BLOCK_STYLE),
        ((128, 32), "utf-8", False, HALF_BLOCK_STYLE),
        ((127, 32), "utf-8", False, QUADRANT_STYLE),
        ((80, 24), "utf-8", False, BRAILLE_STYLE),
        ((64, 16), "utf-8", False, BRAILLE_STYLE),
        ((63, 50), "utf-8", False, None),
        ((200, 15), "utf-8", False, None),
        ((128, 32), "ascii", False, ASCII_STYLE),
        ((127, 32), "ascii", False, None),
        ((128, 32), "cp437", False, HALF_BLOCK_STYLE),
        ((80, 24), "utf-8", True, None),
        ((128, 48), "utf-8", True, HALF_BLOCK_STYLE),
    ],
)
def test_the_best_that_fits(size, encoding, console, style):
    """The largest picture is used for which the terminal has room and characters."""
    assert finest_style(*size, encoding, console) is style


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
    b"\x1bOP": ["repeat"],
    b"\x1bOQ": ["board"],
    b"\x1b[M": [],
    b"x": ["X"],
    "ä".encode(): ["ä"],
    "Ø".encode(): ["Ø"],
    "😀".encode(): ["😀"],
    b"!": ["!"],
    b"\x1b\xc3\xab": ["ë"],
    "\N{NEXT LINE}".encode(): [],
    b"\t": ["board"],
}


def keys(*chunks):
    decoder = KeyDecoder()
    return [key for chunk in chunks for key in decoder.feed(chunk)]


@pytest.mark.parametrize(("sent", "meant"), MEANINGS.items())
def test_what_the_bytes_mean(sent, meant):
    """Characters and arrows are keys, Enter and Backspace are # and *, Ctrl-C interrupts, other sequences are
    nothing.
    """
    assert keys(sent) == meant
    assert keys(KEYPAD_KEYS.encode()) == list(KEYPAD_KEYS)


@given(st.lists(st.sampled_from(list(MEANINGS))), st.integers(1, 3))
def test_cuts_do_not_matter(parts, size):
    """An escape sequence, or a letter of several bytes, may come in pieces."""
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
    """They are a key that no panel can draw, so that the player is told; what follows them counts."""
    for size in (1, len(sent)):
        decoder = KeyDecoder(encoding=encoding)
        assert [key for at in range(0, len(sent), size) for key in decoder.feed(sent[at : at + size])] == meant


def test_junk_only_makes_keys():
    """A hundred thousand random bytes give nothing but keys and characters, and keys count after them."""
    decoder = KeyDecoder()
    found = set(decoder.feed(random.Random(1).randbytes(100_000)))
    assert {key for key in found if len(key) > 1} <= {"up", "down", "left", "right", "board", "repeat", INTERRUPT}
    assert all(key.isprintable() for key in found)
    assert not found & set(ascii_lowercase)
    assert list(decoder.feed(b"\x1b[" + b"1" * 1000 + b"\r5"))[-2:] == ["#", "5"]


class Tty:
    """A pseudo-terminal. A thread puts what it is sent on a model of a screen."""

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
    """A started terminal of some size, and the pseudo-terminal below it."""
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
        ((140, 40), "utf-8", HALF_BLOCK_STYLE),
        ((100, 40), "utf-8", QUADRANT_STYLE),
        ((80, 24), "utf-8", BRAILLE_STYLE),
        ((140, 40), "ascii", ASCII_STYLE),
    ],
)
def test_the_picture_is_drawn(make, a_picture, wait_for, size, encoding, style):
    """Whatever the size and the encoding, the screen shows the picture, and the key hint below it."""
    terminal, tty = make(*size, encoding)
    for seed in range(5):
        terminal.show(a_picture(seed))
        lines = [line.rstrip() for line in picture_lines(a_picture(seed), style)]
        wait_for(lambda lines=lines: [line.rstrip() for line in tty.shown(style.rows)] == lines)
    assert tty.screen.line(style.rows + 1) == KEY_HINT
    assert tty.screen.is_alternate
    assert not tty.screen.has_cursor


def test_only_changed_lines_are_written(make, a_picture, wait_for, wait_while_changing):
    """The same picture writes almost nothing, one changed pixel one line."""
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
    wait_for(lambda: tty.shown(17)[16].rstrip() == picture_lines(image, HALF_BLOCK_STYLE)[16].rstrip())
    assert tty.screen.written - before < 220


def test_keys(make, inbox):
    """Characters, Enter, Backspace and arrows are key presses in order; Ctrl-C asks to stop."""
    _, tty = make()
    tty.type(b"19a#*\r\x7f\x1b[A\x1b[B\x1b[C\x1b")
    tty.type(b"[Dz\xc3\xa4\x03")
    found = [inbox.take() for _ in range(14)]
    assert [press.key for press in found[:-1]] == [*"19A#*#*", "up", "down", "right", "left", *"Zä"]
    assert all(type(press) is KeyPressed for press in found[:-1])
    assert found[-1][:1] == StopRequested("interrupt")[:1]
    assert inbox.empty()


def test_the_terminal_is_given_back(wait_for):
    """Afterwards the terminal has its modes, cursor and screen again, also if it is closed twice."""
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
    wait_for(lambda: not tty.screen.is_alternate and tty.screen.has_cursor)
    tty.close()


def test_a_crash_gives_the_terminal_back():
    """A program that ends by an exception restores the terminal at exit."""
    tty = Tty(140, 40)
    before = termios.tcgetattr(tty.slave)
    program = "from hardware.terminal import Terminal; Terminal(print).start(); raise SystemExit(3)"
    environ = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([sys.executable, "-c", program], stdin=tty.slave, stdout=tty.slave, env=environ, timeout=60)
    assert done.returncode == 3
    assert termios.tcgetattr(tty.slave) == before
    tty.close()


def test_a_new_size_is_taken_up(make, a_picture, wait_for):
    """A resized window is redrawn in the style that fits. One that is too small says so, and recovers."""
    terminal, tty = make(140, 40)
    image = a_picture(4)
    terminal.show(image)
    for size, style in (((80, 24), BRAILLE_STYLE), ((50, 10), None), ((130, 33), HALF_BLOCK_STYLE)):
        tty.resize(*size)
        os.kill(os.getpid(), signal.SIGWINCH)
        if style is None:
            wait_for(lambda: tty.screen.line(1) == "The terminal is 50×10 characters; the panel needs 64×16.")
        else:
            lines = [line.rstrip() for line in picture_lines(image, style)]
            wait_for(lambda style=style, lines=lines: [line.rstrip() for line in tty.shown(style.rows)] == lines)


def test_sleep_and_wake(make, a_picture, wait_for):
    """While asleep the screen is empty, whatever is shown; awake it has the newest picture, never shifted."""
    terminal, tty = make()
    terminal.show(a_picture(1))
    terminal.sleep()
    terminal.show(a_picture(2), shift=1)
    wait_for(lambda: not tty.screen.characters)
    terminal.wake()
    wait_for(lambda: tty.shown(32)[10].rstrip() == picture_lines(a_picture(2), HALF_BLOCK_STYLE)[10].rstrip())


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
        ((140, 40), "utf-8", "", "TERM=not set"),
        ((60, 40), "utf-8", "xterm", "is 60×40 characters; the panel needs 64×16"),
        ((100, 40), "ascii", "xterm", "is 100×40 characters; the panel needs 128×32"),
        ((100, 40), "utf-8", "linux", "is 100×40 characters; the panel needs 128×32"),
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
    """A terminal at which nobody types causes no wake-up."""
    make()
    time.sleep(0.05)
    assert wake_ups(0.4)["terminal"] == 0

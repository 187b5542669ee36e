"""The firmware of the home-made keypad, with the matrix as a model."""

import itertools
import sys
import time
import types

import pytest

from hardware.keypad import KeyBytesDecoder
from hardware.pico_keypad import main as pico


class Matrix:
    """Sixteen keys between four rows and four columns. Current flows either way through keys that are down."""

    def __init__(self):
        self.down = set()
        self.low = set()

    def row(self, number):
        class Row:
            def value(_, level):
                (self.low.discard if level else self.low.add)(number)

        return Row()

    def column(self, number):
        class Column:
            def value(_):
                return int(("column", number) not in self.reached())

        return Column()

    def reached(self):
        """Everything that is pulled low, following pressed keys from the low rows."""
        found = {("row", number) for number in self.low}
        more = found
        while more:
            more = set()
            for row, column in self.down:
                both = {("row", row), ("column", column)}
                if both & found:
                    more |= both - found
            found |= more
        return found


@pytest.fixture
def matrix():
    found = Matrix()
    rows = [found.row(number) for number in range(4)]
    columns = [found.column(number) for number in range(4)]
    found.read = lambda: pico.read_matrix(rows, columns, lambda: None)
    return found


def key_position(key):
    return next((row, names.index(key)) for row, names in enumerate(pico.KEYS) if key in names)


def scan_each(scanner, downs):
    return "".join(scanner.take_scan(down) for down in downs)


def test_every_key_has_its_byte(matrix):
    """Each of the sixteen keys alone is read as itself, and its byte is a key of the table."""
    assert len(set("".join(pico.KEYS))) == 16
    for key in "".join(pico.KEYS):
        matrix.down = {key_position(key)}
        assert matrix.read() == key
        assert list(KeyBytesDecoder().feed(key.encode())) == [key]
    matrix.down = set()
    assert matrix.read() == ""


def test_a_press_is_one_byte(matrix):
    """A key that bounces and is held long counts once; pressed again, once more."""
    assert scan_each(pico.Scanner(), ["", "5", "", "5", *["5"] * 500, "", "5", *[""] * 10]) == "5"
    assert scan_each(pico.Scanner(), [*["5"] * 6, *[""] * 6, *["5"] * 6]) == "55"


def test_twelve_presses_a_second():
    """With a scan every 5 ms, 35 ms down and 45 ms up count, each with 10 ms of bounce."""
    press = ["7", "", *["7"] * 5, "", "7", *[""] * 7]
    assert scan_each(pico.Scanner(), press * 12) == "7" * 12


def test_the_next_key_before_the_last_is_up():
    """Fast fingers overlap. Both keys count, in order."""
    assert scan_each(pico.Scanner(), [*["1"] * 6, *["12"] * 6, *["2"] * 6, *[""] * 6]) == "12"


def test_ghosts_are_no_presses(matrix):
    """Three corners of a rectangle make the fourth look pressed. Nothing counts that was not pressed alone."""
    scanner = pico.Scanner()
    told = ""
    corners = [(0, 0), (0, 1), (1, 0)]
    for count in (1, 2, 3, 2, 1, 0):
        matrix.down = set(corners[:count])
        told += scan_each(scanner, [matrix.read() for _ in range(6)])
    assert told == "1"


def test_noise_never_repeats_a_key_that_stays():
    """Whatever single scans say, a key that stays down counts at most once."""
    for pattern in itertools.product(["", "3"], repeat=8):
        told = scan_each(pico.Scanner(), [*["3"] * 6, *pattern[:3], *["3"] * 6, *pattern[3:6], *["3"] * 6])
        assert told == "3"


def test_the_program(matrix, monkeypatch, capsys):
    """The whole program, on a model of the board, writes one byte a press and nothing else."""

    class Pin:
        OPEN_DRAIN, IN, PULL_UP = "open drain", "in", "pull up"

        def __init__(self, number, mode, pull=None, value=None):
            if number in pico.ROWS:
                assert (mode, value) == (Pin.OPEN_DRAIN, 1)
                self.value = matrix.row(pico.ROWS.index(number)).value
            else:
                assert (mode, pull) == (Pin.IN, Pin.PULL_UP)
                self.value = matrix.column(pico.COLUMNS.index(number)).value

    played = iter([*["5"] * 8, *[""] * 8, *["D"] * 8, *[""] * 8])

    def next_scan(milliseconds):
        assert milliseconds == pico.SCAN_PAUSE_MS
        matrix.down = {key_position(key) for key in next(played)}

    machine = types.ModuleType("machine")
    machine.Pin = Pin
    monkeypatch.setitem(sys.modules, "machine", machine)
    monkeypatch.setattr(time, "sleep_us", lambda _: None, raising=False)
    monkeypatch.setattr(time, "sleep_ms", next_scan, raising=False)
    with pytest.raises(StopIteration):
        pico.main()
    assert capsys.readouterr().out == "5D"

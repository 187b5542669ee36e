"""A Raspberry Pi Pico as the keypad: copy this file to it as `main.py` (MicroPython, for example with mpremote).

Wiring of a 4×4 matrix keypad: its rows, from the top, to GP2, GP3, GP4, GP5 (pins 4 to 7), its columns, from the
left, to GP6, GP7, GP8, GP9 (pins 9 to 12). Most keypads have the eight in this order on one connector. No resistors
are needed. The USB cable to the Raspberry Pi carries power and keys: one byte a press.
"""

# MicroPython has neither typing nor contextlib, and never looks at annotations.
try:  # noqa: SIM105
    from typing import Any
except ImportError:
    pass

KEYS = ("123A", "456B", "789C", "*0#D")
ROWS = (2, 3, 4, 5)
COLUMNS = (6, 7, 8, 9)
SCANS_OF_A_PRESS = 4
SCAN_PAUSE_MS = 5


class Scanner:
    """Turns scans into key presses.

    A key counts when it alone has been down for `scans` scans in a row, and only once until it is up.
    """

    def __init__(self, scans: int = SCANS_OF_A_PRESS) -> None:
        self._scans = scans
        self._last_down = ""
        self._equal_scans = 0
        self._reported = ""

    def take_scan(self, down: str) -> str:
        """The key pressed by this scan, else "". `down` has every key that is down now.

        Three keys of a matrix make a fourth appear to be down, so several keys at once count as nothing new.
        """
        if len(down) > 1:
            self._equal_scans = 0
            return ""
        if down != self._last_down:
            self._last_down = down
            self._equal_scans = 0
        self._equal_scans += 1
        if self._equal_scans < self._scans or down == self._reported:
            return ""
        self._reported = down
        return down


def read_matrix(rows: Any, columns: Any, settle: Any) -> str:
    """The keys that are down. Each row is driven low in turn, and a pressed key pulls its column low."""
    down = ""
    for row, names in zip(rows, KEYS):  # noqa: B905 (MicroPython's zip has no `strict`)
        row.value(0)
        settle()
        for column, name in zip(columns, names):  # noqa: B905
            if column.value() == 0:
                down += name
        row.value(1)
    return down


def main() -> None:
    """Scan for ever. Ctrl-C from a terminal brings the prompt back."""
    import sys
    import time as clock

    from machine import Pin

    time: Any = clock  # MicroPython's has sleep_us and sleep_ms
    rows = [Pin(number, Pin.OPEN_DRAIN, value=1) for number in ROWS]
    columns = [Pin(number, Pin.IN, Pin.PULL_UP) for number in COLUMNS]
    scanner = Scanner()
    while True:
        sys.stdout.write(scanner.take_scan(read_matrix(rows, columns, lambda: time.sleep_us(10))))
        time.sleep_ms(SCAN_PAUSE_MS)


if __name__ == "__main__":
    main()

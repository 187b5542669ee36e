"""A small model of a terminal's screen."""

from __future__ import annotations

import re

TOKEN = re.compile(r"\x1b\[(\??)([0-9;]*)([A-Za-z])|([^\x1b])")


class Screen:
    """A model of a terminal's screen: places characters, erases, and knows cursor and alternate screen."""

    def __init__(self):
        self.cells = {}
        self.place = (1, 1)
        self.alternate = False
        self.cursor = True
        self.written = 0
        self.rest = ""

    def feed(self, text):
        self.written += len(text)
        text, self.rest = self.rest + text, ""
        cut = text.rfind("\x1b")
        if cut >= 0 and not TOKEN.match(text, cut):
            text, self.rest = text[:cut], text[cut:]  # an escape sequence whose end is still to come
        for private, numbers, letter, glyph in TOKEN.findall(text):
            if glyph:
                self.cells[self.place] = glyph
                self.place = (self.place[0], self.place[1] + 1)
            elif letter == "H":
                self.place = tuple(map(int, numbers.split(";")))
            elif letter == "J":
                self.cells.clear()
            elif private and numbers == "1049":
                self.alternate = letter == "h"
            elif private and numbers == "25":
                self.cursor = letter == "h"
            else:
                assert letter == "m", (private, numbers, letter)

    def line(self, row):
        cells = self.cells.copy()  # the other thread goes on writing
        columns = [column for each, column in cells if each == row]
        return "".join(cells.get((row, column), " ") for column in range(1, max(columns, default=0) + 1))

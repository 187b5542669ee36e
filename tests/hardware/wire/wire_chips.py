"""Wire-level models of the panel's chips: they receive the bytes of the wire and have what a player would see.

Written from the command tables of the data sheets (SSD1306 rev 1.1, section 9; SH1106 v2.3, commands 1 to 22), as far
as a 64-row panel uses them. After power-up the memory is random and the panel is dark, as with the real chips.
"""

from __future__ import annotations

import random
from typing import ClassVar

WIDTH, PAGES = 128, 8
DARK = bytes(WIDTH * PAGES)
HORIZONTAL, VERTICAL, BY_PAGE = 0, 1, 2


class Chip:
    """What both chips have in common: bytes in, `visible_frame` out."""

    columns = WIDTH
    first_column = 0
    # Commands that are followed by arguments, and how many.
    arguments: ClassVar[dict[int, int]] = {0x81: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}

    def __init__(self) -> None:
        self.power_cycle()

    def power_cycle(self) -> None:
        """Forget everything, as after a loss of power."""
        self.memory = [bytearray(random.randbytes(self.columns)) for _ in range(PAGES)]
        self.on = False
        self.inverted = False
        self.all_lit = False
        self.contrast = 0x7F
        self.multiplex = 0x3F
        self.offset = 0
        self.start_line = 0
        self.mirrored = True  # until the segment remap, the picture of these modules is upside down
        self.bottom_up = True
        self.column = 0
        self.page = 0
        self.unknown: list[int] = []
        self._pending: list[int] = []

    @property
    def is_powered(self) -> bool:
        """Whether the pixels' high voltage is on."""
        return True

    def take_message(self, message: bytes) -> None:
        """Take an I2C message, without its address: control bytes, then commands or data."""
        start = 0
        while start < len(message):
            control = message[start]
            assert not control & 0x3F, f"{control:#x} is no control byte"
            end = start + 2 if control & 0x80 else len(message)
            (self.take_data if control & 0x40 else self.take_commands)(message[start + 1 : end])
            start = end

    def take_commands(self, commands: bytes) -> None:
        """Take command bytes. Arguments may follow in a later message."""
        for byte in commands:
            self._pending.append(byte)
            if len(self._pending) > self.arguments.get(self._pending[0], 0):
                code, *values = self._pending
                self._pending = []
                self._command(code, values)

    def take_data(self, data: bytes) -> None:
        """Take bytes for the memory."""
        for byte in data:
            if self.column < self.columns:
                self.memory[self.page][self.column] = byte
            self._advance()

    def visible_frame(self) -> bytes:
        """The 1,024 bytes that a player sees, page by page; all zero while the panel is off."""
        if not (self.on and self.is_powered):
            return DARK
        frame = b"".join(bytes(page[self.first_column : self.first_column + WIDTH]) for page in self.memory)
        if self.all_lit:
            frame = b"\xff" * len(frame)
        if self.inverted:
            frame = bytes(byte ^ 0xFF for byte in frame)
        upright = not self.mirrored and not self.bottom_up and self.offset == 0 and self.start_line == 0
        # Anything else would be a shifted or mirrored picture: it must never equal the wanted one.
        return frame if upright and self.multiplex == 0x3F else b"\xaa" * len(frame)

    def _advance(self) -> None:
        raise NotImplementedError

    def _command(self, code: int, values: list[int]) -> None:
        if code < 0x10:
            self.column = self.column & 0xF0 | code
        elif code < 0x20:
            self.column = self.column & 0x0F | (code & 0x0F) << 4
        elif 0x40 <= code < 0x80:
            self.start_line = code & 0x3F
        elif 0xB0 <= code < 0xB8:
            self.page = code & 0x07
        elif code in (0xA0, 0xA1):
            self.mirrored = code == 0xA0
        elif code in (0xC0, 0xC8):
            self.bottom_up = code == 0xC0
        elif code in (0xA4, 0xA5):
            self.all_lit = code == 0xA5
        elif code in (0xA6, 0xA7):
            self.inverted = code == 0xA7
        elif code in (0xAE, 0xAF):
            self.on = code == 0xAF
        elif code == 0x81:
            self.contrast = values[0]
        elif code == 0xA8:
            self.multiplex = values[0]
        elif code == 0xD3:
            self.offset = values[0]
        elif code not in (0xD5, 0xD9, 0xDA, 0xDB, 0xE3):
            self.unknown.append(code)


class Ssd1306(Chip):
    """Windows in horizontal and vertical addressing, page addressing, and a charge pump that has to be switched on."""

    arguments = Chip.arguments | {0x20: 1, 0x21: 2, 0x22: 2, 0x8D: 1}

    def power_cycle(self) -> None:
        super().power_cycle()
        self.mode = BY_PAGE
        self.pump = False
        self.left, self.right = 0, WIDTH - 1
        self.top, self.bottom = 0, PAGES - 1

    @property
    def is_powered(self) -> bool:
        return self.pump

    def _command(self, code: int, values: list[int]) -> None:
        if code == 0x20:
            self.mode = values[0] & 0x03
        elif code == 0x21:
            self.left, self.right = values
            self.column = self.left
        elif code == 0x22:
            self.top, self.bottom = values
            self.page = self.top
        elif code == 0x8D:
            self.pump = bool(values[0] & 0x04)
        else:
            super()._command(code, values)

    def _advance(self) -> None:
        if self.mode == BY_PAGE:
            self.column = (self.column + 1) % WIDTH
        elif self.mode == HORIZONTAL:
            self.column = self.left if self.column == self.right else self.column + 1
            if self.column == self.left:
                self.page = self.top if self.page == self.bottom else self.page + 1
        else:
            self.page = self.top if self.page == self.bottom else self.page + 1
            if self.page == self.top:
                self.column = self.left if self.column == self.right else self.column + 1


class Sh1106(Chip):
    """Page addressing only, with 132 columns, of which the panel shows the middle 128; no windows."""

    columns = 132
    first_column = 2
    arguments = Chip.arguments | {0xAD: 1}

    def _advance(self) -> None:
        # The column stays at the end instead of going on with the next page.
        self.column = min(self.column + 1, self.columns)


CHIPS = {"ssd1306": Ssd1306, "sh1106": Sh1106}

"""An LED for each seat, which is lit when the seat is to move, and a buzzer. Both are optional."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from functools import partial

from companion.inputs import Input
from companion.languages import text
from hardware.base import Presence, ThreadedDevice
from hardware.gpio import PinGroup, open_pin

# Seconds of sound and silence, alternating. One short beep: accepted. A long one: refused. Two: the next player.
# Three: the end of the round. Quick ones: time is running out. A very long one: it has run out.
WORDS: dict[str, tuple[float, ...]] = {
    "accepted": (0.04,),
    "refused": (0.35,),
    "your turn": (0.06, 0.08, 0.06),
    "warning": (0.06, 0.06, 0.06, 0.06, 0.06),
    "flag": (0.80,),
    "round over": (0.12, 0.10, 0.12, 0.10, 0.40),
}

END, RETRY = "", "retry"
BUZZER = 0
"""The buzzer's number among the seats' numbers."""


class Lamps(ThreadedDevice):
    """LEDs and an active buzzer. Pins that cannot be claimed are reported in one DeviceMissing and tried again.

    Args:
        put: puts an input on the loop's queue.
        turn: the pins (BCM numbers) of the LEDs of seats 1, 2, …; further seats have none.
        buzzer: the buzzer's pin, or None.
        quiet: whether the buzzer stays silent.
    """

    def __init__(
        self, put: Callable[[Input], object], turn: tuple[int, ...] = (), buzzer: int | None = None, quiet: bool = False
    ) -> None:
        super().__init__("buzzer")
        uses = {seat: partial(open_pin, "LED", pin) for seat, pin in enumerate(turn, 1)}
        if buzzer is not None and not quiet:
            uses[BUZZER] = partial(open_pin, "Buzzer", buzzer)
        self._pins = PinGroup(Presence(put, "lamps"), uses, _reason)
        self._needs_pins = bool(uses)
        self.wired = bool(turn) or buzzer is not None
        """Whether any pin is configured."""
        self._seat: int | None = None
        self._lock = threading.RLock()
        self.words: queue.Queue[str] = queue.Queue()

    def start(self) -> None:
        if self._needs_pins:
            self._open_missing()
            super().start()

    def light_seat(self, seat: int | None) -> None:
        """Light only the lamp of `seat`, counted from 1, or no lamp for None."""
        with self._lock:
            self._seat = seat
            for other in self._pins.opened:
                if other != BUZZER:
                    self._switch(other, other == seat)

    def play_sound(self, word: str) -> None:
        """Start one of SOUNDS and return at once. A sound that is still playing is cut off."""
        if BUZZER in self._pins.opened:
            self.words.put(word)

    def close(self) -> None:
        """Switch everything off and release the pins."""
        self.words.put(END)
        self._join()
        self.light_seat(None)
        self._pins.close()

    def _open_missing(self) -> None:
        with self._lock:
            if self._pins.open_missing():
                self.light_seat(self._seat)

    def _run(self) -> None:
        word = self._next_word()
        while word != END:
            word = self._sound(word)

    def _next_word(self) -> str:
        """Wait for the next sound, and meanwhile try to claim the pins that are missing."""
        while True:
            try:
                return self.words.get(timeout=self._pins.retry)
            except queue.Empty:
                self._open_missing()

    def _sound(self, word: str) -> str:
        """Play a sound and return the next one, which may come before this one has ended."""
        for step, seconds in enumerate(WORDS.get(word, ())):
            self._switch(BUZZER, step % 2 == 0)
            try:
                return self.words.get(timeout=seconds)
            except queue.Empty:
                continue
            finally:
                self._switch(BUZZER, False)
        return self._next_word()

    def _switch(self, name: int, on: bool) -> None:
        with self._lock:
            if (device := self._pins.opened.get(name)) is None:
                return
            try:
                if bool(device.value) != on:
                    device.value = on
            except Exception as error:
                # Any error of the pin library: a lamp must not stop a game.
                self._pins.drop(name, text("lamp disconnected"), error)
                self.words.put(RETRY)  # The thread may be waiting without a time-out.


def _reason(missing: list[int], _others: bool) -> str:
    return text("no buzzer") if missing[0] == BUZZER else text("no lamp {seat}", seat=missing[0])

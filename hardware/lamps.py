"""An LED for each seat, which is lit when the seat is to move, and a buzzer. Both are optional."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from companion.inputs import Input
from companion.languages import text
from hardware.device_classes import Presence, ThreadedDevice
from hardware.gpio import PinGroup, open_pin

# Seconds of sound and silence, alternating. One short beep: accepted. A long one: refused. Two: the next player.
# Three: the end of the round. Quick ones: time is running out. A very long one: it has run out.
SOUNDS: dict[str, tuple[float, ...]] = {
    "accepted": (0.04,),
    "refused": (0.35,),
    "your turn": (0.06, 0.08, 0.06),
    "warning": (0.06, 0.06, 0.06, 0.06, 0.06),
    "flag": (0.80,),
    "round over": (0.12, 0.10, 0.12, 0.10, 0.40),
}

END_SOUND, RETRY_SOUND = "", "retry"
BUZZER_NUMBER = 0
"""The buzzer's number among the seats' numbers."""


class Lamps(ThreadedDevice):
    """LEDs and an active buzzer. Pins that cannot be claimed are reported in one DeviceMissing and tried again.

    Args:
        put: puts an input on the loop's queue.
        turn: the pins (BCM numbers) of the LEDs of seats 1, 2, …; further seats have none.
        buzzer: the buzzer's pin, or None.
        quiet: whether the buzzer stays silent; may be changed at any time.
    """

    def __init__(
        self, put: Callable[[Input], object], turn: tuple[int, ...] = (), buzzer: int | None = None, quiet: bool = False
    ) -> None:
        super().__init__("lamps")
        uses = _pin_openers(turn, buzzer)
        self._pins = PinGroup(Presence(put, "lamps"), uses, _missing_reason)
        self.is_wired = bool(uses)
        """Whether any pin is configured."""
        self.has_buzzer = buzzer is not None
        self.quiet = quiet
        self._seat: int | None = None
        self._lock = threading.RLock()
        self.sounds: queue.Queue[str] = queue.Queue()

    def start(self) -> None:
        if self.is_wired:
            self._open_missing()
            super().start()

    def use_pins(self, turn: tuple[int, ...], buzzer: int | None) -> None:
        """Release all pins, then use these instead."""
        with self._lock:
            self._pins.replace_openers(_pin_openers(turn, buzzer))
            self._open_missing()

    def light_seat(self, seat: int | None) -> None:
        """Light only the lamp of `seat`, counted from 1, or no lamp for None."""
        with self._lock:
            self._seat = seat
            for other in self._pins.open_pins:
                if other != BUZZER_NUMBER:
                    self._switch(other, other == seat)

    def play_sound(self, name: str) -> None:
        """Start one of SOUNDS and return at once. A sound that is still playing is cut off."""
        if BUZZER_NUMBER in self._pins.open_pins and not self.quiet:
            self.sounds.put(name)

    def close(self) -> None:
        """Switch everything off and release the pins."""
        self.sounds.put(END_SOUND)
        self._join()
        self.light_seat(None)
        self._pins.close()

    def _open_missing(self) -> None:
        with self._lock:
            if self._pins.open_missing():
                self.light_seat(self._seat)

    def _run(self) -> None:
        word = self._next_sound()
        while word != END_SOUND:
            word = self._play_steps(word)

    def _next_sound(self) -> str:
        """Wait for the next sound, and meanwhile try to claim the pins that are missing."""
        while True:
            try:
                return self.sounds.get(timeout=self._pins.retry_seconds)
            except queue.Empty:
                self._open_missing()

    def _play_steps(self, name: str) -> str:
        """Play a sound and return the next one, which may come before this one has ended."""
        for step, seconds in enumerate(SOUNDS.get(name, ())):
            self._switch(BUZZER_NUMBER, step % 2 == 0)
            try:
                return self.sounds.get(timeout=seconds)
            except queue.Empty:
                continue
            finally:
                self._switch(BUZZER_NUMBER, False)
        return self._next_sound()

    def _switch(self, number: int, is_on: bool) -> None:
        with self._lock:
            if (device := self._pins.open_pins.get(number)) is None:
                return
            try:
                if bool(device.value) != is_on:
                    device.value = is_on
            except Exception as error:
                # Any error of the pin library: a lamp must not stop a game.
                self._pins.drop_pin(number, text("lamp disconnected"), error)
                self.sounds.put(RETRY_SOUND)  # The thread may be waiting without a time-out.


def _pin_openers(turn: tuple[int, ...], buzzer: int | None) -> dict[int, Callable[[], Any]]:
    """What opens the pin of each seat's lamp, and of the buzzer."""
    openers: dict[int, Callable[[], Any]] = {seat: partial(open_pin, "LED", pin) for seat, pin in enumerate(turn, 1)}
    return openers if buzzer is None else openers | {BUZZER_NUMBER: partial(open_pin, "Buzzer", buzzer)}


def _missing_reason(missing: list[int], _others: bool) -> str:
    return text("no buzzer") if missing[0] == BUZZER_NUMBER else text("no lamp {seat}", seat=missing[0])

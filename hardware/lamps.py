"""An LED for each seat, which is lit at its turn, and a buzzer. Both are optional."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any

from companion.inputs import Input
from companion.languages import text
from hardware.gpio import NoPin, open_pin
from hardware.presence import Presence

# Seconds of sound and silence, alternating. One short sound: accepted; a long one: refused; two: the next player;
# three: the end; quick ones: time is running out; a very long one: it has run out.
WORDS: dict[str, tuple[float, ...]] = {
    "accepted": (0.04,),
    "refused": (0.35,),
    "your turn": (0.06, 0.08, 0.06),
    "warning": (0.06, 0.06, 0.06, 0.06, 0.06),
    "flag": (0.80,),
    "round over": (0.12, 0.10, 0.12, 0.10, 0.40),
}

END = ""


class Lamps:
    """LEDs and an active buzzer; puts one DeviceLost if pins cannot be claimed, and the others work.

    Args:
        put: puts an input on the loop's queue.
        turn: the pins (BCM numbers) of the LEDs of seats 1, 2, …; further seats have none.
        buzzer: the buzzer's pin, or None.
        quiet: whether the buzzer stays silent.

    """

    def __init__(
        self, put: Callable[[Input], object], turn: tuple[int, ...] = (), buzzer: int | None = None, quiet: bool = False
    ) -> None:
        self._presence = Presence(put, "lamps")
        self._turn = turn
        self._buzzer = None if quiet else buzzer
        self._leds: dict[int, Any] = {}
        self._sounder: Any = None
        self.words: queue.Queue[str] = queue.Queue()
        self._thread = threading.Thread(target=self._run, name="buzzer", daemon=True)

    def start(self) -> None:
        """Claim the pins."""
        for seat, pin in enumerate(self._turn, 1):
            if (led := self._claimed("LED", pin, text("no lamp {seat}", seat=seat))) is not None:
                self._leds[seat] = led
        if self._buzzer is not None:
            self._sounder = self._claimed("Buzzer", self._buzzer, text("no buzzer"))
        if self._sounder is not None:
            self._thread.start()

    def _claimed(self, kind: str, pin: int, missing: str) -> Any:
        """The device on a pin; None, and the lamps are told as lost, if it cannot be claimed."""
        try:
            return open_pin(kind, pin)
        except NoPin as error:
            self._presence.lose(missing, error.sentence)
        return None

    @property
    def wired(self) -> bool:
        """Whether any pin is configured."""
        return bool(self._turn) or self._buzzer is not None

    def turn(self, seat: int | None) -> None:
        """Light only the lamp of `seat` (from 1), or no lamp for None."""
        for other, led in self._leds.items():
            self._switch(led, other == seat)

    def say(self, word: str) -> None:
        """Sound one of WORDS and return at once; a word that is still sounding is ended."""
        if self._sounder is not None:
            self.words.put(word)

    def close(self) -> None:
        """Switch everything off and release the pins."""
        if self._thread.is_alive():
            self.words.put(END)
            self._thread.join(2.0)
        self.turn(None)
        for device in [*self._leds.values(), self._sounder]:
            if device is not None:
                device.close()

    def _run(self) -> None:
        word = self.words.get()
        while word != END:
            word = self._sound(word)

    def _sound(self, word: str) -> str:
        """Sound `word` and return the next one, which may come before this one has ended."""
        for step, seconds in enumerate(WORDS[word]):
            self._switch(self._sounder, step % 2 == 0)
            try:
                return self.words.get(timeout=seconds)
            except queue.Empty:
                continue
            finally:
                self._switch(self._sounder, False)
        return self.words.get()

    def _switch(self, device: Any, on: bool) -> None:
        try:
            if bool(device.value) != on:
                device.value = on
        except Exception as error:
            # Any error of the pin library: a lamp must not stop a game.
            self._presence.lose(text("lamp lost"), str(error))

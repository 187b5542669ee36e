"""The part of `companion doctor` that tries the devices, with the same code that the table uses."""

from __future__ import annotations

import contextlib
import queue
import tempfile
import time
from typing import TYPE_CHECKING

from companion.inputs import BUTTONS, TAKE_BACK, DeviceLost, Finding, Input, Pressed, Released
from companion.languages import listed, text
from companion.panel import testcard
from hardware import access
from hardware.buttons import LONG
from hardware.devices import open_devices
from hardware.keypad import KeypadReport

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.config import Config
    from hardware.boards import Wiring
    from hardware.devices import Devices

SETTLE = 3.0
"""In seconds: how long a panel may take to show the test picture."""
LIT = 0.4
"""In seconds: how long each lamp is lit."""
STUCK = 2.0
"""In seconds: a button that is down at the end for longer than this is reported as stuck."""
LONGEST_MS = 60_000
"""In milliseconds: the longest press whose length is printed; a longer one began before listening."""


def devices(config: Config, wires: Wiring, seconds: float, tell: Callable[[str], object]) -> Iterator[Finding]:
    """Show the test picture, light the lamps, listen for `seconds` (0: not); yield a finding for each device.

    `tell` is called with a line for each press.
    """
    if wires.driver not in ("png", "none") and wires.interface == "i2c":
        yield access.check_bus(wires)
    with tempfile.TemporaryDirectory() as scratch, contextlib.chdir(scratch):
        # The pin library leaves a FIFO in the working directory.
        yield from _tried(config, wires, seconds, tell)


def _tried(config: Config, wires: Wiring, seconds: float, tell: Callable[[str], object]) -> Iterator[Finding]:
    arrived: queue.Queue[Input | bytes] = queue.Queue()
    opened = open_devices(config, arrived.put, tap=arrived.put)
    listener = Listener(arrived, tell)
    picture = testcard.draw()
    try:
        opened.screen.show(picture)
        opened.start()
        listener.down(opened)
        shown = _settled(opened, listener)
        yield _panel(wires, shown, listener.lost)
        if seconds:
            _light(opened, wires, listener)
            listener.listen(seconds, sorted(opened.sources))
        yield from listener.findings(config, wires, seconds)
    finally:
        opened.close(picture)


class Listener:
    """Takes the devices' events from a queue and reports each as a line."""

    def __init__(self, arrived: queue.Queue[Input | bytes], tell: Callable[[str], object]) -> None:
        self.lost: dict[str, str] = {}
        self._arrived = arrived
        self._tell = tell
        self._heard = KeypadReport()
        self._down: dict[str, float] = {}
        self._pressed: dict[str, int] = {}

    def down(self, opened: Devices) -> None:
        """Note the buttons that are already down before anybody is asked to press."""
        buttons = opened.sources.get("buttons")
        for key in getattr(buttons, "held", list)():
            self._down[key] = float("-inf")

    def listen(self, seconds: float, sources: list[str]) -> None:
        """Report presses on the devices `sources` for some seconds; Ctrl-C ends it earlier."""
        present = [name for name in sources if name not in self.lost]
        if not present:
            return
        parts, time_ = listed(map(text, present)), f"{seconds:g}"
        self._tell(text("       Press everything now, for {seconds} seconds: {parts}.", parts=parts, seconds=time_))
        try:
            self.until(time.monotonic() + seconds)
        except KeyboardInterrupt:
            self._tell("")

    def until(self, end: float) -> None:
        """Take all events that arrive until `end`, a time of `time.monotonic`."""
        while True:
            try:
                event = self._arrived.get(timeout=max(0.001, end - time.monotonic()))
            except queue.Empty:
                return
            self._take(event)

    def findings(self, config: Config, wires: Wiring, seconds: float) -> Iterator[Finding]:
        """The findings about buttons, keypad and lamps."""
        if wires.keys:
            yield self._buttons(wires, seconds)
        if config.keypad.port:
            if "keypad" in self.lost:
                yield Finding("keypad", "do", _sentence(self.lost["keypad"]))
            else:
                yield self._heard.finding(config.keypad.port, config.keypad.baud)
        if "lamps" in self.lost:
            yield Finding("lamps", "do", _sentence(self.lost["lamps"]))
        elif wires.turn or wires.buzzer is not None:
            yield _lamps(config, wires, seconds)

    def _take(self, event: Input | bytes) -> None:
        if isinstance(event, bytes):
            for words in self._heard.take(event):
                self._line("keypad", words)
        elif isinstance(event, DeviceLost):
            self.lost[event.device] = event.why
        elif isinstance(event, Pressed) and event.key == TAKE_BACK:
            # BACK counts when it is let go; while it is held there is only this.
            self._down["back"] = event.at - LONG
            self._pressed["back"] = self._pressed.get("back", 0) + 1
            self._line("buttons", text("back held"))
        elif isinstance(event, Pressed) and event.key in BUTTONS and not event.held:
            self._down[event.key] = event.at
            self._pressed[event.key] = self._pressed.get(event.key, 0) + 1
            self._line("buttons", text("{key} pressed", key=event.key))
        elif isinstance(event, Released):
            held = (event.at - self._down.pop(event.key, event.at)) * 1000
            message = "{key} let go after {milliseconds} ms" if held < LONGEST_MS else "{key} let go"
            self._line("buttons", text(message, key=event.key, milliseconds=f"{held:.0f}"))

    def _line(self, part: str, words: str) -> None:
        self._tell(f"       {text(part):9} {words}")

    def _buttons(self, wires: Wiring, seconds: float) -> Finding:
        if "buttons" in self.lost:
            return Finding("buttons", "do", _sentence(self.lost["buttons"]))
        now = time.monotonic()
        stuck = [key for key, at in self._down.items() if now - at > STUCK]
        if stuck:
            message = "{keys} is down all the time: its wire touches ground, or it is stuck."
            return Finding("buttons", "do", text(message, keys=", ".join(stuck)))
        if not seconds:
            return Finding("buttons", "ok", text("The pins are free; --seconds listens for presses."))
        missing = ", ".join(key for key in wires.keys if key not in self._pressed)
        if not self._pressed:
            message = (
                "No press arrived. Run this once more and press every button; if none arrives, their common wire does "
                "not reach ground, or [buttons] names other pins."
            )
            return Finding("buttons", "do", text(message))
        if missing:
            message = "{arrived} arrived, {missing} did not: press them once more, or check their wires and pins."
            return Finding("buttons", "do", text(message, arrived=", ".join(self._pressed), missing=missing))
        return Finding("buttons", "ok", text("All of them arrived."))


def _settled(opened: Devices, listener: Listener) -> bool:
    """Wait until the panel shows the test picture or is lost, at most `SETTLE` seconds. Returns whether it shows it."""
    end = time.monotonic() + SETTLE
    shown = False
    while not shown and "panel" not in listener.lost and time.monotonic() < end:
        shown = opened.screen.settle(0.05)
        listener.until(time.monotonic())
    return shown


def _panel(wires: Wiring, shown: bool, lost: dict[str, str]) -> Finding:
    if wires.driver == "none":
        return Finding("panel", "note", text("There is none, as configured."))
    if "panel" in lost or not shown:
        return Finding("panel", "do", _sentence(lost.get("panel", text("it did not take a picture in time"))))
    if wires.driver == "png":
        return Finding("panel", "ok", text("The test picture is in {file}.", file=wires.path))
    other = "sh1106" if wires.driver != "sh1106" else "ssd1306"
    message = 'It must show {picture}; if an edge is missing, try driver = "{other}" in [display].'
    return Finding("panel", "ok", text(message, picture=testcard.MUST_BE_SEEN, other=other))


def _lamps(config: Config, wires: Wiring, seconds: float) -> Finding:
    if not seconds:
        return Finding("lamps", "ok", text("The pins are free; --seconds lights them."))
    parts: list[str] = [text("seat {seat} was lit", seat=seat) for seat in range(1, len(wires.turn) + 1)]
    if wires.buzzer is not None:
        quiet = config.lamps.quiet
        parts.append(text("the buzzer stayed quiet, as configured") if quiet else text("the buzzer sounded"))
    return Finding("lamps", "ok", text("One after the other: {parts}.", parts=listed(parts)))


def _light(opened: Devices, wires: Wiring, listener: Listener) -> None:
    """Light each lamp in turn, then sound the buzzer."""
    for seat in range(1, len(wires.turn) + 1):
        opened.lamps.turn(seat)
        listener.until(time.monotonic() + LIT)
    opened.lamps.turn(None)
    opened.lamps.say("your turn")


def _sentence(words: str) -> str:
    return text("{words:capital}.", words=text(words.rstrip(".") if words.endswith(".") else words))

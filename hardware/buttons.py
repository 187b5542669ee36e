"""Six buttons: turns edges on GPIO pins into key presses, repeats and releases.

gpiozero's callbacks only put an edge with its time on a queue. Debouncing is pure code on these edges (`Debouncer`).
The thread waits for the queue; it needs a time-out only while a button is down or has just changed, or a pin is
missing.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import NamedTuple

from companion.inputs import DOCTOR_KEY, TAKE_BACK_KEY, VOICE_CHORDS, Input, KeyPressed, KeyReleased
from companion.languages import text
from hardware.device_classes import Presence, ThreadedDevice
from hardware.gpio import PinGroup, is_callback_thread_alive, open_pin

SETTLE_SECONDS = 0.020
REPEAT_AFTER_SECONDS = 0.400
REPEAT_EVERY_SECONDS = 0.125
LONG_PRESS_SECONDS = 0.800
"""How long BACK is held to become `TAKE_BACK_KEY`."""
REPEATING_KEYS = ("up", "down", "left", "right")


class Edge(NamedTuple):
    """A change of a pin. `is_down` is whether the button has closed; `at` is in monotonic seconds."""

    pin: int
    is_down: bool
    at: float


class Debouncer:
    """Debounces one button. A press counts at its first edge; edges in the next `SETTLE_SECONDS` are bouncing.

        level     ▁▁▁▁█▁█▁██████████▁█▁▁▁▁▁
        counts        ^ pressed     ^ released
                      └ settling ┘  └ settling ┘

    The level at the end of that time counts, so that a short tap is not taken for a held button. Contacts bounce for up
    to 10 ms, and the shortest presses last about 30 ms.

    BACK counts when it is released, since it may be held: after `LONG_PRESS_SECONDS` it is `TAKE_BACK_KEY` once
    instead, and then repeats as a held key. It never counts if another button made a chord with it meanwhile.
    """

    def __init__(self, key: str) -> None:
        self.key = key
        self._is_down = False
        self.is_held = False  # whether the button counts as down
        self._settled_at = float("-inf")
        self._next_repeat_at: float | None = None
        self._is_short_so_far = False  # whether BACK is down, so far for less than `LONG_PRESS_SECONDS`
        self._is_in_chord = False

    def start_held(self) -> None:
        """Note that the button is down at the start. That is no press, but its release is reported."""
        self._is_down = self.is_held = True

    def take_edge(self, is_down: bool, at: float) -> list[Input]:
        """The inputs that follow from an edge at the time `at`. Edges must come in order."""
        inputs = self.take_due(at)
        self._is_down = is_down
        if at >= self._settled_at:
            inputs += self._take_level(at)
        return inputs

    def take_due(self, now: float) -> list[Input]:
        """The inputs due at the time `now`: from the end of bouncing, repeats, or BACK held long."""
        inputs: list[Input] = []
        if self._settled_at <= now:
            inputs += self._take_level(self._settled_at)
        while self._next_repeat_at is not None and self._next_repeat_at <= now:
            inputs.append(KeyPressed(TAKE_BACK_KEY if self._is_short_so_far else self.key, self._next_repeat_at, True))
            self._is_short_so_far = False
            self._next_repeat_at += REPEAT_EVERY_SECONDS
        return inputs

    def take_missed_release(self, now: float) -> list[Input]:
        """The inputs that follow if the button is up although no edge was reported."""
        self._next_repeat_at = None
        return self.take_edge(False, now)

    @property
    def can_make_chord(self) -> bool:
        """Whether this is BACK, is down, and has not counted yet."""
        return self._is_short_so_far or self._is_in_chord

    def join_chord(self) -> None:
        """Count no more, and don't repeat, until the button is released."""
        self._is_short_so_far, self._is_in_chord, self._next_repeat_at = False, self.key == "back", None

    def deadline(self) -> float | None:
        """The time when `take_due` must be called next; None if only an edge can change anything."""
        times = [] if self._next_repeat_at is None else [self._next_repeat_at]
        if self._is_down != self.is_held:
            times.append(self._settled_at)
        return min(times, default=None)

    def _take_level(self, at: float) -> list[Input]:
        if self._is_down == self.is_held:
            return []
        self.is_held = self._is_down
        self._settled_at = at + SETTLE_SECONDS
        if not self.is_held:
            self._next_repeat_at = None
            tap: list[Input] = [KeyPressed(self.key, at)] if self._is_short_so_far else []
            self._is_short_so_far = self._is_in_chord = False
            return [*tap, KeyReleased(self.key, at)]
        self._is_short_so_far = self.key == "back"
        self._next_repeat_at = None
        if self._is_short_so_far:
            self._next_repeat_at = at + LONG_PRESS_SECONDS
        elif self.key in REPEATING_KEYS:
            self._next_repeat_at = at + REPEAT_AFTER_SECONDS
        return [] if self._is_short_so_far else [KeyPressed(self.key, at)]


class Buttons(ThreadedDevice):
    """All buttons of a wiring.

    Puts KeyPressed (with ``held`` for repeats), KeyReleased, DeviceMissing and DeviceReturned.

    The arrows repeat after 0.4 s, eight times a second. BACK counts when it is released; held for 0.8 s it is
    `TAKE_BACK_KEY` once, then repeats. If OK is held down at the start, `DOCTOR_KEY` is pressed.

    Args:
        put: puts an input on the loop's queue.
        keys: each key of `inputs.BUTTON_KEYS`, and the pins (BCM numbers) of its buttons, which close to ground.

    Attributes:
        has_voice_keys: whether up and down are the keys of the voice while BACK is down, see `inputs.VOICE_CHORDS`.
    """

    def __init__(self, put: Callable[[Input], object], keys: Mapping[str, tuple[int, ...]]) -> None:
        super().__init__("buttons")
        self._put, self._presence = put, Presence(put, "buttons")
        self.has_voice_keys = False
        self.edges: queue.Queue[Edge | Callable[[], object] | None] = queue.Queue()
        self._is_learning = False
        self._take_keys(keys)

    def use_keys(
        self, keys: Mapping[str, tuple[int, ...]], others: Iterable[int] = (), before: Callable[[], object] = bool
    ) -> None:
        """Use other keys from now on, in this device's own thread; `before` is called once all pins are released.

        While there are `others`, further pins that a button may be on, each press says on which pin it was.
        """
        # They take the key "", and may be missing: nothing has to be connected there.
        self.edges.put(partial(self._change_keys, keys, tuple(others), before))

    def _take_keys(self, keys: Mapping[str, tuple[int, ...]], others: Iterable[int] = ()) -> None:
        self._keys = dict.fromkeys(others, "") | {pin: key for key, pins in keys.items() for pin in pins}
        uses = {pin: partial(open_pin, "DigitalInputDevice", pin, pull_up=True) for pin in self._keys}
        presence = Presence(lambda input_: None, "buttons") if self._is_learning else self._presence
        self._pins = PinGroup(presence, uses, self._missing_reason)
        self._buttons = {pin: Debouncer(key) for pin, key in self._keys.items()}

    def _change_keys(
        self, keys: Mapping[str, tuple[int, ...]], others: tuple[int, ...], before: Callable[[], object]
    ) -> None:
        self._is_learning = bool(others)
        self._pins.close()
        before()
        self._take_keys(keys, others)
        self._open_missing()

    def start(self) -> None:
        """Claim the pins. Those that are refused are reported in one DeviceMissing and tried again; the others work."""
        self._open_missing()
        if any(self._keys[pin] == "ok" and button.is_held for pin, button in self._buttons.items()):
            self._put(KeyPressed(DOCTOR_KEY, time.monotonic(), True))
        super().start()

    def close(self) -> None:
        self._is_closing = True
        self.edges.put(None)
        self._join()
        self._pins.close()

    def is_alive(self) -> bool:
        """Whether our thread and lgpio's, which cannot be restarted, are alive, so that a press is noticed."""
        return super().is_alive() and (not self._pins.open_pins or is_callback_thread_alive())

    def held_keys(self) -> list[str]:
        """The keys that are down now."""
        return [button.key for button in self._buttons.values() if button.is_held]

    def _open_missing(self) -> None:
        for pin in self._pins.open_missing():
            device = self._pins.open_pins[pin]
            if device.is_active:
                self._buttons[pin].start_held()
            device.when_activated = self._callback(pin, True)
            device.when_deactivated = self._callback(pin, False)

    def _missing_reason(self, missing: list[int], others: bool) -> str:
        keys = ", ".join(dict.fromkeys(self._keys[pin] for pin in missing))
        return text("no button {keys}" if others else "no buttons", keys=keys)

    def _callback(self, pin: int, down: bool) -> Callable[[], None]:
        # An exception here would end lgpio's only thread, so nothing is done but this put.
        return lambda: self.edges.put(Edge(pin, down, time.monotonic()))

    def _run(self) -> None:
        while True:
            try:
                edge = self.edges.get(timeout=self._seconds_until_due())
            except queue.Empty:
                self._take_due(time.monotonic())
                if self._pins.retry_seconds is not None:
                    self._open_missing()
                continue
            if edge is None:
                return
            if not isinstance(edge, Edge):
                edge()
            elif edge.pin in self._buttons:  # An edge may have waited while its pin was released.
                self._put_all(edge.pin, self._buttons[edge.pin].take_edge(edge.is_down, edge.at))

    def _seconds_until_due(self) -> float | None:
        """The seconds until something is due; None while no button is down and no pin is missing."""
        now = time.monotonic()
        waits = [max(0.0, at - now) for button in self._buttons.values() if (at := button.deadline()) is not None]
        return min([*waits, *([] if self._pins.retry_seconds is None else [self._pins.retry_seconds])], default=None)

    def _take_due(self, now: float) -> None:
        for pin, button in self._buttons.items():
            # A button whose release was not reported must not repeat for ever.
            up = button.is_held and not self._pins.open_pins[pin].is_active
            self._put_all(pin, button.take_missed_release(now) if up else button.take_due(now))

    def _put_all(self, pin: int, inputs: Iterable[Input]) -> None:
        for input_ in inputs:
            if not isinstance(input_, KeyPressed):
                self._put(input_)
            elif self._is_learning:
                self._put(input_._replace(pin=pin))
            else:
                self._put(self._with_voice_key(pin, input_))

    def _with_voice_key(self, pin: int, press: KeyPressed) -> KeyPressed:
        """The press; or a key of the voice, if it makes a chord with BACK. Then neither button counts any more."""
        if not self.has_voice_keys or press.key not in VOICE_CHORDS or press.held:
            return press
        for other, button in self._buttons.items():
            # A release that was not reported must not bind the arrows for ever.
            if button.can_make_chord and self._pins.open_pins[other].is_active:
                button.join_chord()
                self._buttons[pin].join_chord()
                return press._replace(key=VOICE_CHORDS[press.key])
        return press

"""Opens GPIO pins by gpiozero, and tries again if they are refused. The only module that imports gpiozero."""

from __future__ import annotations

import contextlib
import glob
import os
import sys
import warnings
from typing import TYPE_CHECKING, Any

from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hardware.device_classes import Presence

RETRY_SECONDS = 1.0
"""The pause between two attempts to open pins that were refused, as right after booting."""

NO_PINS_REASON = text("there are no GPIO pins on this computer")


class PinError(Exception):
    """A pin cannot be used. The argument is a text that says why, without a full stop."""


def open_pin(kind: str, pin: int, **options: Any) -> Any:
    """Open gpiozero's device of class `kind` on a pin (BCM number). Raises PinError."""
    if _has_no_pins():
        raise PinError(NO_PINS_REASON)
    try:
        with warnings.catch_warnings():
            # gpiozero warns about each pin library that it cannot use; PinError says what matters.
            warnings.simplefilter("ignore")
            import gpiozero

            device_class = getattr(gpiozero, kind)
            device = device_class.__new__(device_class)
            try:
                device.__init__(pin, **options)
            except Exception:
                # gpiozero reserves a pin before it opens it, and would refuse the next attempt.
                if gpiozero.Device.pin_factory is not None:
                    gpiozero.Device.pin_factory.release_pins(device, pin)
                raise
            return device
    except Exception as error:
        # The libraries' errors have no common class: lgpio.error, OSError, ImportError, RuntimeError, GPIOZeroError.
        raise PinError(pin_failure_reason(pin, error)) from error


class PinGroup:
    """The pins of one device. `open_missing` opens those that are not open, and can be repeated until all are.

    Args:
        presence: reports the device as missing while a pin is.
        openers: functions that open each pin, by a number such as a lamp's seat; they raise PinError.
        missing_reason: returns the reason for the panel. It is called with the numbers of the missing pins, and whether
            others are open.
    """

    def __init__(
        self,
        presence: Presence,
        openers: Mapping[int, Callable[[], Any]],
        missing_reason: Callable[[list[int], bool], str],
    ) -> None:
        self.open_pins: dict[int, Any] = {}
        self._presence, self._openers, self._missing_reason = presence, openers, missing_reason
        self._missing: list[int] = []

    @property
    def retry_seconds(self) -> float | None:
        """The seconds until pins should be opened again; None if all are open."""
        return RETRY_SECONDS if len(self.open_pins) < len(self._openers) else None

    def open_missing(self) -> list[int]:
        """Open the pins that are not open, and report a change. Returns the numbers of those opened now."""
        missing, before = {}, list(self.open_pins)
        for number, opener in self._openers.items():
            if number not in self.open_pins:
                try:
                    device = opener()
                except PinError as error:
                    missing[number] = error.args[0]
                else:
                    self.open_pins = {**self.open_pins, number: device}  # Another thread may be looping over it.
        if not missing or list(missing) != self._missing:
            self._presence.report_returned()
        self._missing = list(missing)
        if missing:
            self._presence.report_missing(
                self._missing_reason(self._missing, bool(self.open_pins)), next(iter(missing.values()))
            )
        return [number for number in self.open_pins if number not in before]

    def drop_pin(self, number: int, reason: str, error: Exception) -> None:
        """Close a pin that has failed in use, so that it is opened again, and report it."""
        self._close_pin(self.open_pins[number])
        self.open_pins = {other: device for other, device in self.open_pins.items() if other != number}
        self._missing.append(number)
        self._presence.report_missing(reason, str(error))

    def close(self) -> None:
        for device in self.open_pins.values():
            self._close_pin(device)
        self.open_pins = {}

    def replace_openers(self, openers: Mapping[int, Callable[[], Any]]) -> None:
        """Release all pins. `open_missing` then opens other ones."""
        self.close()
        self._openers, self._missing = openers, []

    @staticmethod
    def _close_pin(device: Any) -> None:
        with contextlib.suppress(Exception):  # Any error of the pin library: it may be the reason for closing.
            device.close()


def _has_no_pins() -> bool:
    """Whether there are no pins to open. Checked first, since loading a pin library is slow and creates a FIFO."""
    chosen = "GPIOZERO_PIN_FACTORY" in os.environ or "gpiozero" in sys.modules
    return not chosen and not glob.glob("/dev/gpiochip*")


def is_callback_thread_alive() -> bool:
    """Whether lgpio's thread, which runs the callbacks of all pins, is alive; True if lgpio is not used.

    An exception in any callback ends that thread, and then no button works any more.
    """
    thread = getattr(sys.modules.get("lgpio"), "_notify_thread", None)
    return thread is None or bool(thread.is_alive())


def pin_failure_reason(pin: int, error: Exception) -> str:
    """Why a pin cannot be opened, and what to do about it."""
    error_class = type(error).__name__
    if error_class == "GPIOPinInUse":
        return text("pin {pin} is used twice", pin=pin)
    if "busy" in str(error).lower():
        return text("pin {pin} is used by another program", pin=pin)
    if error_class not in ("BadPinFactory", "PinUnknownPi", "ImportError", "ModuleNotFoundError"):
        return text("pin {pin} cannot be used ({why})", pin=pin, why=error)
    chips = glob.glob("/dev/gpiochip*")
    if not chips:
        return NO_PINS_REASON
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        return text("no permission for the GPIO pins: add this user to the group gpio")
    if not os.access(".", os.W_OK):
        # lgpio creates a FIFO in the working directory when it is imported.
        message = "the pin library lgpio needs a working directory that it may write to, not {folder}"
        return text(message, folder=os.getcwd())
    return text("no library for the GPIO pins works: install python3-lgpio")

"""Opens GPIO pins by gpiozero; the only module that imports gpiozero."""

from __future__ import annotations

import glob
import os
import sys
import warnings
from typing import Any

from companion.languages import text

NONE_HERE = text("there are no GPIO pins on this computer")


class NoPin(Exception):
    """A pin cannot be used; `sentence` is why, without a full stop."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def open_pin(kind: str, pin: int, **options: Any) -> Any:
    """Open gpiozero's device of class `kind` on `pin` (a BCM number). Raises NoPin."""
    if _hopeless():
        raise NoPin(NONE_HERE)
    try:
        with warnings.catch_warnings():
            # gpiozero warns about each pin library that it cannot use; NoPin says what matters.
            warnings.simplefilter("ignore")
            import gpiozero

            return getattr(gpiozero, kind)(pin, **options)
    except Exception as error:
        # The libraries' errors have no common class: lgpio.error, OSError, ImportError, RuntimeError, GPIOZeroError.
        raise NoPin(why_no_pin(pin, error)) from error


def _hopeless() -> bool:
    """Whether no pin library can work; checked first, since loading one is slow and creates a FIFO."""
    chosen = "GPIOZERO_PIN_FACTORY" in os.environ or "gpiozero" in sys.modules
    return not chosen and not glob.glob("/dev/gpiochip*")


def callbacks_alive() -> bool:
    """Whether lgpio's thread, which makes the callbacks of all pins, is running; True if lgpio is not used.

    An exception in any callback ends that thread, and then no button works any more.
    """
    thread = getattr(sys.modules.get("lgpio"), "_notify_thread", None)
    return thread is None or bool(thread.is_alive())


def why_no_pin(pin: int, error: Exception) -> str:
    """Why a pin cannot be opened, and what to do about it."""
    kind = type(error).__name__
    if kind == "GPIOPinInUse":
        return text("pin {pin} is used twice", pin=pin)
    if "busy" in str(error).lower():
        return text("pin {pin} is used by another program", pin=pin)
    if kind not in ("BadPinFactory", "PinUnknownPi", "ImportError", "ModuleNotFoundError"):
        return text("pin {pin} cannot be used ({why})", pin=pin, why=error)
    chips = glob.glob("/dev/gpiochip*")
    if not chips:
        return NONE_HERE
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        return text("no permission for the GPIO pins: add this user to the group gpio")
    if not os.access(".", os.W_OK):
        # lgpio creates a FIFO in the working directory when it is imported.
        message = "the pin library lgpio needs a working directory that it can write to, not {folder}"
        return text(message, folder=os.getcwd())
    return text("no pin library works: install python3-lgpio")

"""Opening GPIO pins through gpiozero, with a sentence where it cannot be done; the only importer of gpiozero."""

from __future__ import annotations

import glob
import os
import sys
import warnings
from typing import Any

NONE_HERE = "there are no GPIO pins on this computer"


class NoPin(Exception):
    """A pin cannot be used; `str` is the reason in one sentence, without a full stop."""


def open_pin(kind: str, pin: int, **options: Any) -> Any:
    """Gpiozero's device `kind` on `pin` (a BCM number). Raises NoPin."""
    if _hopeless():
        raise NoPin(NONE_HERE)
    try:
        with warnings.catch_warnings():
            # gpiozero warns for each pin library that it passes over; NoPin tells what matters.
            warnings.simplefilter("ignore")
            import gpiozero

            return getattr(gpiozero, kind)(pin, **options)
    except Exception as error:
        # The pin libraries have no common ancestor: lgpio.error, OSError, ImportError, RuntimeError, GPIOZeroError.
        raise NoPin(_reason(pin, error)) from error


def _hopeless() -> bool:
    """Whether no pin library can work; checked first, because loading one is slow and leaves a FIFO behind."""
    chosen = "GPIOZERO_PIN_FACTORY" in os.environ or "gpiozero" in sys.modules
    return not chosen and not glob.glob("/dev/gpiochip*")


def callbacks_alive() -> bool:
    """Whether the one thread that calls back for all pins lives; True where lgpio is not in use.

    An exception in any callback ends lgpio's thread, and every button is dead while the process goes on.
    """
    thread = getattr(sys.modules.get("lgpio"), "_notify_thread", None)
    return thread is None or bool(thread.is_alive())


def _reason(pin: int, error: Exception) -> str:
    kind = type(error).__name__
    if kind == "GPIOPinInUse":
        return f"pin {pin} is used twice"
    if "busy" in str(error).lower():
        return f"pin {pin} is used by another program"
    if kind not in ("BadPinFactory", "PinUnknownPi", "ImportError", "ModuleNotFoundError"):
        return f"pin {pin} cannot be used ({error})"
    chips = glob.glob("/dev/gpiochip*")
    if not chips:
        return NONE_HERE
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        return "no permission for the GPIO pins: add this user to the group gpio"
    if not os.access(".", os.W_OK):
        # lgpio makes a FIFO in the working directory when it is imported.
        return f"the pin library lgpio needs a working directory that it can write to, not {os.getcwd()}"
    return "no pin library works: install python3-lgpio"

"""Checks the wall clock: a Pi has no battery for it, so it may be wrong after a start without a network."""

from __future__ import annotations

import ctypes
from datetime import datetime, timedelta

from companion.inputs import Finding
from companion.languages import text
from companion.store.dates import FIRST_YEAR, moment

SET_IT = text("connect the Pi to a network once, or `sudo timedatectl set-time 'YYYY-MM-DD hh:mm'`")
UNSYNCHRONISED = 5
"""TIME_ERROR: what adjtimex(2) returns for a clock that is not synchronised."""


def check(newest: str, now: datetime, by_network: bool | None) -> Finding:
    """Compare the time `now` (with its offset) with the start of the newest round (ISO 8601, or "").

    `by_network` is whether a time server sets the clock, None if unknown.
    """
    shown = f"{now:%Y-%m-%d %H:%M}"
    begun = moment(newest)
    if now.year < FIRST_YEAR:
        return Finding("clock", "do", text("It says {shown}, which is past: {do}.", shown=shown, do=SET_IT))
    if begun is not None and begun - now > timedelta(minutes=1):
        message = "It says {shown}, but the newest round began on {begun}: {do}."
        return Finding("clock", "do", text(message, shown=shown, begun=f"{begun:%Y-%m-%d %H:%M}", do=SET_IT))
    if by_network:
        return Finding("clock", "ok", text("{shown}, set by the network.", shown=shown))
    message = "{shown}, not set by the network; only the dates of rounds depend on it."
    if by_network is None:
        message = "{shown}, by whom it was set cannot be told; only the dates of rounds depend on it."
    return Finding("clock", "note", text(message, shown=shown))


def set_by_network() -> bool | None:
    """Whether the kernel's clock is synchronised by a time server, by adjtimex(2); None if unknown."""
    try:
        library = ctypes.CDLL(None, use_errno=True)
        # A zeroed struct timex changes nothing; 512 bytes are more than it has on any machine.
        state = int(library.adjtimex(ctypes.create_string_buffer(512)))
    except (OSError, AttributeError):
        return None
    return None if state < 0 else state != UNSYNCHRONISED

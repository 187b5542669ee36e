"""The wall clock: a Pi has no battery for it, so after a start without a network it may say anything."""

from __future__ import annotations

import ctypes
from datetime import datetime, timedelta

from companion.inputs import Finding

FIRST_YEAR = 2025
"""No clock that is right says less."""
SET_IT = "connect the Pi to a network once, or `sudo timedatectl set-time 'YYYY-MM-DD hh:mm'`"
UNSYNCHRONISED = 5
"""What adjtimex(2) returns for a clock that no time server sets (TIME_ERROR)."""


def check(newest: str, now: datetime, by_network: bool | None) -> Finding:
    """Compare the clock `now` (with its offset) with the beginning of the newest round (ISO 8601, or "").

    `by_network` tells whether a time server sets the clock; None: it cannot be told.
    """
    shown = f"{now:%Y-%m-%d %H:%M}"
    begun = _moment(newest)
    if now.year < FIRST_YEAR:
        return Finding("clock", "do", f"It says {shown}, which is past: {SET_IT}.")
    if begun is not None and begun - now > timedelta(minutes=1):
        text = f"It says {shown}, but the newest round began on {begun:%Y-%m-%d %H:%M}: {SET_IT}."
        return Finding("clock", "do", text)
    if by_network:
        return Finding("clock", "ok", f"{shown}, set by the network.")
    known = "not set by the network" if by_network is False else "by whom it was set cannot be told"
    return Finding("clock", "note", f"{shown}, {known}; only the dates of rounds depend on it.")


def set_by_network() -> bool | None:
    """Whether the kernel holds its clock to be set by a time server; None where it does not tell."""
    try:
        library = ctypes.CDLL(None, use_errno=True)
        # A zeroed struct timex asks without changing anything; 512 bytes are more than any machine's.
        state = int(library.adjtimex(ctypes.create_string_buffer(512)))
    except (OSError, AttributeError):
        return None
    return None if state < 0 else state != UNSYNCHRONISED


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError, OSError):
        return None

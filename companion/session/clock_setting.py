"""Setting the game clock: minutes and seconds of each seat, by digits or by up and down."""

from __future__ import annotations

from companion.session.game_clock import MOST_EXTRA, MOST_MINUTES, Control, controls
from companion.session.model import ClockSetting, Setup

USUAL = Control(600, 5)
KINDS = ("each move adds", "each move is free")
"""The two meanings that the seconds of a seat can have."""


def opened(setup: Setup) -> ClockSetting:
    """The mode that sets the game clock, with the times chosen so far, else the usual ones."""
    chosen = controls(setup.clock, setup.seats) or (USUAL,) * setup.seats
    values = [value for each in chosen for value in (max(1, each.base // 60), each.extra)]
    return ClockSetting(setup, tuple(values), any(each.delay for each in chosen))


def control(mode: ClockSetting) -> str:
    """The setting in the written form of a round's header (see `game_clock`)."""
    pairs = zip(mode.values[::2], mode.values[1::2], strict=True)
    each = [str(Control(minutes * 60, extra, mode.delay)) for minutes, extra in pairs]
    return each[0] if len(set(each)) == 1 else " ".join(each)


def changed(mode: ClockSetting, key: str) -> ClockSetting:
    """The setting after a key: left and right walk over the values, up, down and digits change one."""
    count = len(mode.values) + 1
    if key in ("left", "right"):
        return mode._replace(on=(mode.on + (1 if key == "right" else -1)) % count, keys="")
    if mode.on == count - 1:
        return mode._replace(delay=not mode.delay) if key in ("up", "down") else mode
    if key in ("up", "down"):
        return _with(mode, mode.values[mode.on] + (1 if key == "up" else -1))
    keys = mode.keys[:-1] if key == "*" else mode.keys + key if key.isdigit() else mode.keys
    return _with(mode, int(keys or 0), keys) if len(keys) <= len(str(_most(mode.on))) else mode


def _most(on: int) -> int:
    return MOST_EXTRA if on % 2 else MOST_MINUTES


def _with(mode: ClockSetting, value: int, keys: str = "") -> ClockSetting:
    """The setting with another value, limited to the possible range: minutes from 1, seconds from 0."""
    value = min(max(value, 1 - mode.on % 2), _most(mode.on))
    return mode._replace(values=(*mode.values[: mode.on], value, *mode.values[mode.on + 1 :]), keys=keys)

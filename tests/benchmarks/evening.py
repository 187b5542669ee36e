"""What a key press of a whole evening costs: bytes on the wire, and processor time from key to last byte.

Run it as `python tests/benchmarks/evening.py [-v]`. The evening of `night.py`, typed and picked, with menus, deals,
slips and takebacks, goes through the production path to a wire-level SSD1306, which repaints everything now and then
in the quiet between two presses. Bytes are counted as on an I2C wire, with the address and control bytes of each
message. For comparison every picture is also sent by luma's own `display()`. `-v` shows where the bytes go.
`start.py` measures the start.
"""

from __future__ import annotations

import statistics
import sys
import time
import warnings
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

import night
import presses
import wire
from luma.core.interface.serial import i2c

from companion import display
from companion.evening import rest_view, state_machine
from companion.inputs import KeyPressed
from hardware import frames
from hardware.panel_link import PanelLink, PanelState

LUMA_FRAME_BYTES = 1034
"""Bytes of a whole frame as luma sends it."""
LIGHT_LEVELS = {"on": 0xCF, "dim": 1, "off": 1}


class StepCost(NamedTuple):
    """The cost of a step: bytes, and seconds of the processor's time, both our way and luma's.

    `woke`: the step brought the table back in place of the rest view, so the whole panel changed.
    """

    step: night.Step
    size: int
    ours: float
    lumas: float
    woke: bool


def measure() -> list[StepCost]:
    """The cost of each step of the evening, in order."""
    bus = wire.wire_bus.Bus(wire.wire_chips.Ssd1306())
    restore = wire.wire_bus.Adapter(bus).install(wire.smbus2)
    now = 0.0
    link, theirs = PanelLink("ssd1306", lambda: i2c(port=1), monotonic=lambda: now), wire.show_whole_frames("ssd1306")
    costs, before = [], None
    for step in night.ScriptedEvening(presses.load_helpers()).play():
        now = step.session.now
        if link.shown_state is not None and link.seconds_until_due == 0.0:
            link.show_state(link.shown_state)
        woke = (
            before is not None
            and rest_view.is_rest_view_shown(before)
            and not rest_view.is_rest_view_shown(step.session)
        )
        updating = _update_seconds(before, step.event)
        before = step.session
        messages: list[bytes] = []
        take, bus.message = bus.message, messages.append
        begun = time.process_time()
        image = display.session_picture(step.session)
        drawn = time.process_time()
        light = step.session.light
        link.show_state(PanelState(frames.pack_frame(image, step.session.shift), LIGHT_LEVELS[light], light != "off"))
        sent = time.process_time()
        size = sum(1 + len(message) for message in messages)
        theirs(image)
        costs.append(
            StepCost(step, size, updating + sent - begun, updating + drawn - begun + time.process_time() - sent, woke)
        )
        bus.message = take
    restore()
    return costs


def _update_seconds(session: Any, event: Any) -> float:
    """Seconds that the session takes for an input."""
    begun = time.process_time()
    if session is not None:
        state_machine.update_session(session, event)
    return time.process_time() - begun


def print_costs(what: str, sizes: list[int]) -> None:
    """Print a line of figures about some presses."""
    ordered = sorted(sizes)
    p95, median = ordered[int(0.95 * (len(ordered) - 1))], statistics.median(ordered)
    print(
        f"{what:36} {len(sizes):5} presses   median {median:6g}   p95 {p95:5}   most {ordered[-1]:5}   "
        f"1/{LUMA_FRAME_BYTES / max(median, 1):.1f} of luma's frame"
    )


def main() -> None:
    warnings.simplefilter("ignore", DeprecationWarning)
    # The very first picture includes setting up the chip.
    costs = [cost for cost in measure()[1:] if isinstance(cost.step.event, KeyPressed)]
    print_costs("all", [cost.size for cost in costs])
    print_costs("all but those that end a rest", [cost.size for cost in costs if not cost.woke])
    kinds: dict[str, list[int]] = defaultdict(list)
    for step, size, *_ in costs:
        way = "picked" if step.session.buttons else "typed"
        kinds[way].append(size)
        kinds[f"{way}, {step.game or 'menus'}"].append(size)
        kinds[f"{way}, {step.game or 'menus'}, {type(step.session.screen).__name__}"].append(size)
    for kind, sizes in sorted(kinds.items()):
        if "-v" in sys.argv or "," not in kind:
            print_costs(kind, sizes)
    mine, other = (statistics.median(getattr(cost, who) for cost in costs) * 1000 for who in ("ours", "lumas"))
    print(
        f"CPU from key to last byte: median {mine:.2f} ms; with luma's own sending {other:.2f} ms; {mine / other:.2f}"
    )


if __name__ == "__main__":
    main()

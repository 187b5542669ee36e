"""What a change of picture costs on the wire and in the processor, against luma's own whole frames.

Run it as `python tests/benchmarks/wire.py [PICTURE.png ...]`. The pictures (one bit, 128×64; by default all golden ones
of the tests) are shown one after the other, in the order given: only runs over the same pictures can be compared. Bytes
are counted under smbus2, with the address byte of each message, as on an I2C wire; milliseconds on the wire are nine
bits a byte. Processor time is that of this machine.
"""

from __future__ import annotations

import statistics
import sys
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

TESTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "hardware" / "wire"))

import smbus2  # noqa: E402
import wire_bus  # noqa: E402  (found only now)
import wire_chips  # noqa: E402
from luma.core.interface.serial import i2c  # noqa: E402
from luma.oled import device  # noqa: E402

from hardware import frames  # noqa: E402
from hardware.panel_link import PanelLink, PanelState  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable


def main(names: list[str]) -> None:
    """Print a table for both kinds of chip."""
    # Pillow warns about a function that luma uses.
    warnings.simplefilter("ignore", DeprecationWarning)
    files = [Path(name) for name in names] or sorted(TESTS.rglob("golden/**/*.png"))
    pictures = [image for file in files if (image := Image.open(file).convert("1")).size == (128, 64)]
    if len(pictures) < 2:
        raise SystemExit("There are no pictures to show; name some.")
    print(f"{len(pictures)} pictures, {len(pictures) - 1} changes")
    print(
        f"{'chip':8} {'way':6} {'median':>7} {'p95':>6} {'most':>6} bytes {'median at 100 kHz':>18} {'CPU median':>12}"
    )
    for chip in ("ssd1306", "sh1106"):
        for way, show_by in (("ours", show_changes), ("luma", show_whole_frames)):
            measure_chip(chip, way, pictures, show_by)


def measure_chip(
    chip: str, way: str, pictures: list[Image.Image], show_by: Callable[[str], Callable[[Image.Image], None]]
) -> None:
    """Show the pictures on a chip in one way, and print a line."""
    bus = wire_bus.Bus(wire_chips.CHIPS[chip]())
    restore = wire_bus.Adapter(bus).install(smbus2)
    show = show_by(chip)
    show(pictures[0])
    sizes, seconds = [], []
    for picture in pictures[1:]:
        bus.reset_counts()
        # Not measured, because the model of the chip is slower than the program.
        messages: list[bytes] = []
        take, bus.message = bus.message, messages.append  # type: ignore[method-assign]
        begin = time.process_time()
        show(picture)
        seconds.append(time.process_time() - begin)
        bus.message = take  # type: ignore[method-assign]
        for message in messages:
            bus.message(message)
        sizes.append(bus.sent)
        assert bus.chip.seen() == frames.pack_frame(picture)
    restore()
    median = statistics.median(sizes)
    p95 = sorted(sizes)[int(0.95 * (len(sizes) - 1))]
    print(
        f"{chip:8} {way:6} {median:7.0f} {p95:6} {max(sizes):6} bytes {median * 9 / 100:15.1f} ms "
        f"{statistics.median(seconds) * 1000:9.2f} ms"
    )


def show_changes(chip: str) -> Callable[[Image.Image], None]:
    """Show pictures through `hardware.panel_link`, only what changed."""
    link = PanelLink(chip, lambda: i2c(port=1), refresh_seconds=float("inf"))
    return lambda image: link.show_state(PanelState(frames.pack_frame(image), 0xCF, True))


def show_whole_frames(chip: str) -> Callable[[Image.Image], None]:
    """Show pictures through luma's own `display()`, always everything."""
    return getattr(device, chip)(i2c(port=1)).display  # type: ignore[no-any-return]


if __name__ == "__main__":
    main(sys.argv[1:])

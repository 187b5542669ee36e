"""Checks voltage and temperature of a Raspberry Pi, as its firmware reports them."""

from __future__ import annotations

import glob
import shutil
import subprocess
from pathlib import Path

from companion.inputs import Finding
from companion.languages import text

FILES = ("/sys/devices/platform/*firmware*/get_throttled", "/sys/devices/platform/*/*firmware*/get_throttled")
SUPPLY = text("use a good supply with a short, thick cable")
AIR = text("give the box air, or the processor a heat sink")

# The bits of the firmware's word; see "get_throttled" in Raspberry Pi's documentation of vcgencmd.
LOW_NOW, CAPPED_NOW, SLOWED_NOW, HOT_NOW = 1 << 0, 1 << 1, 1 << 2, 1 << 3
SINCE = 16
"""The same four bits, shifted left by this number, report what has happened since the start."""


def check() -> Finding | None:
    """The finding about voltage and temperature; None on other computers."""
    word = read()
    return None if word is None else judge(word)


def judge(word: int) -> Finding:
    """The finding for the firmware's word."""
    since = word >> SINCE
    if word & LOW_NOW:
        return Finding("voltage", "do", text("It is too low just now: {do}.", do=SUPPLY))
    if word & (SLOWED_NOW | HOT_NOW | CAPPED_NOW):
        return Finding("voltage", "do", text("Enough, but the processor is slowed down by heat: {do}.", do=AIR))
    if since & LOW_NOW:
        return Finding("voltage", "do", text("It has been too low since the start: {do}.", do=SUPPLY))
    if since & (SLOWED_NOW | HOT_NOW | CAPPED_NOW):
        message = "Enough, but the processor has been too hot since the start: {do}."
        return Finding("voltage", "note", text(message, do=AIR))
    return Finding("voltage", "ok", text("Enough since the start, and never too hot."))


def read() -> int | None:
    """Read the firmware's word from sysfs, which the service may read, else by vcgencmd; None without either."""
    for pattern in FILES:
        for name in glob.glob(pattern):
            try:
                return int(Path(name).read_text(), 16)
            except (OSError, ValueError):
                continue
    if shutil.which("vcgencmd") is None:
        return None
    try:
        said = subprocess.run(["vcgencmd", "get_throttled"], capture_output=True, text=True, timeout=5, check=False)
        return int(said.stdout.partition("=")[2], 16)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None

"""Examines a box without touching its devices: clock, voltage, the way to the club server, then disk and rounds.

A running table shows `examine_at_table` on the doctor's pages. The command `companion doctor` tries the devices too.
"""

from __future__ import annotations

import glob
import json
import os
import shutil
import subprocess
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import games
from companion.inputs import Finding
from companion.languages import plural_text, translate, text
from companion.store.data_folder import acting_as_owner
from companion.store.dates import FIRST_YEAR, parse_time

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from companion.config import Config

WELL = {
    "": text("It answers."),
    "buttons": text("They are ready."),
    "lamps": text("They are ready."),
    "backup": text("No backup has failed."),
}
"""What is said about a device that is not missing; "" is for any device without a sentence of its own."""


def examine_at_table(
    folder: Path, config: Config | None, connected: Sequence[str], away: Mapping[str, str]
) -> list[Finding]:
    """The findings of a running table about its devices and surroundings.

    `connected` are the names of the configured devices. `missing_reasons` says for each missing one why it is missing.
    """
    if config is not None and config.table.backup is not None:
        connected = (*connected, "backup")
    devices = [
        Finding(name, "do", text("{why:capital}.", why=text(away[name])))
        if name in away
        else Finding(name, "ok", translate(WELL.get(name, WELL[""])))
        for name in connected
    ]
    where = (
        text("Read from {file}.", file=config.file) if config and config.file else text("No file: the defaults apply.")
    )
    return [*devices, Finding("settings", "ok", where), *check_hall(folder, config), *examine_surroundings(folder)]


def check_hall(folder: Path, config: Config | None) -> Iterator[Finding]:
    """The finding whether the club server is connected, if the table is configured for one."""
    if config is not None and config.hall.link is not None:
        yield check_uplink(folder)


def examine_surroundings(folder: Path | None) -> Iterator[Finding]:
    """The findings about disk, rounds, clock, voltage and added games; for None as the folder not about disk and
    rounds.
    """
    from companion.doctor import disk  # Imported late: the uplink needs only this module's file name.

    newest = ""
    if folder is not None:
        with acting_as_owner(folder):
            room, (rounds, newest, rules) = disk.check_room(folder), disk.check_rounds(folder)
            aside = disk.check_set_aside(folder)
            copies, lasting = disk.check_second(folder), disk.check_lasting(folder)
        yield from filter(None, (room, lasting, rounds, copies, *rules, aside))
    yield check_clock(newest, datetime.now().astimezone(), set_by_network())
    if voltage := check_voltage():
        yield voltage
    yield from (
        Finding("games", "do", text("{fault:capital}.", fault=text(fault))) for fault in games.unplayable_games().values()
    )


# -- the clock: a Pi has no battery for it, so it may be wrong after a start without a network ------------------

SET_IT = text("connect the Pi to a network once, or run `sudo timedatectl set-time 'YYYY-MM-DD hh:mm'`")
UNSYNCHRONISED = 5
"""TIME_ERROR, which adjtimex(2) returns for a clock that is not synchronized."""


def check_clock(newest: str, now: datetime, by_network: bool | None) -> Finding:
    """Compare the time `now` (with its offset) with the start of the newest round (ISO 8601, or "").

    `is_synchronised` is whether a time server sets the clock, None if unknown.
    """
    shown = f"{now:%Y-%m-%d %H:%M}"
    begun = parse_time(newest)
    if now.year < FIRST_YEAR:
        return Finding("clock", "do", text("It says {shown}, which is in the past: {do}.", shown=shown, do=SET_IT))
    if begun is not None and begun - now > timedelta(minutes=1):
        message = "It says {shown}, but the newest round began on {begun}: {do}."
        return Finding("clock", "do", text(message, shown=shown, begun=f"{begun:%Y-%m-%d %H:%M}", do=SET_IT))
    if by_network:
        return Finding("clock", "ok", text("{shown}, set by the network.", shown=shown))
    message = "{shown}, not set by the network; only the dates of rounds depend on it."
    if by_network is None:
        message = "{shown}, perhaps not set by the network; only the dates of rounds depend on it."
    return Finding("clock", "note", text(message, shown=shown))


def set_by_network() -> bool | None:
    """Whether a time server synchronizes the kernel's clock, by adjtimex(2); None if unknown."""
    import ctypes  # Imported late: a table whose doctor nobody opens does without it.

    try:
        library = ctypes.CDLL(None, use_errno=True)
        # A zeroed struct timex changes nothing; 512 bytes are more than it has on any machine.
        state = int(library.adjtimex(ctypes.create_string_buffer(512)))
    except (OSError, AttributeError):
        return None
    return None if state < 0 else state != UNSYNCHRONISED


# -- voltage and temperature of a Raspberry Pi, as its firmware reports them ------------------------------------

FILES = ("/sys/devices/platform/*firmware*/get_throttled", "/sys/devices/platform/*/*firmware*/get_throttled")
SUPPLY = text("use a good power supply with a short, thick cable")
AIR = text("give the box more air, or the processor a heat sink")

# The bits of the firmware's word; see "get_throttled" in Raspberry Pi's documentation of vcgencmd.
LOW_NOW, CAPPED_NOW, SLOWED_NOW, HOT_NOW = 1 << 0, 1 << 1, 1 << 2, 1 << 3
SINCE = 16
"""The same four bits, shifted left by this number, say what has happened since the start."""


def check_voltage() -> Finding | None:
    """The finding about voltage and temperature; None on other computers."""
    word = read_firmware_word()
    return None if word is None else judge_voltage(word)


def judge_voltage(word: int) -> Finding:
    """The finding for a word of the firmware."""
    since = word >> SINCE
    if word & LOW_NOW:
        return Finding("voltage", "do", text("It is too low right now: {do}.", do=SUPPLY))
    if word & (SLOWED_NOW | HOT_NOW | CAPPED_NOW):
        return Finding("voltage", "do", text("High enough, but the processor is slowed down by heat: {do}.", do=AIR))
    if since & LOW_NOW:
        return Finding("voltage", "do", text("It has been too low at times since the start: {do}.", do=SUPPLY))
    if since & (SLOWED_NOW | HOT_NOW | CAPPED_NOW):
        message = "High enough, but the processor has been too hot at times since the start: {do}."
        return Finding("voltage", "note", text(message, do=AIR))
    return Finding("voltage", "ok", text("High enough since the start, and the processor was never too hot."))


def read_firmware_word() -> int | None:
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


# -- whether this table's rounds reach the club server, by the uplink's status file -----------------------------

STATUS = "uplink.json"
OF_SERVICE = Path("/run/companion-uplink")
"""The folder of the service's status file. Without the service it is in the data folder."""
UNIT = Path("/usr/local/lib/systemd/system/companion-uplink.service")
"""The unit file, which exists if the installer has set up the uplink as a service."""
MOST_BYTES = 10_000
"""The most bytes of a status file that are read."""


def check_uplink(data: Path, of_service: Path = OF_SERVICE, unit: Path = UNIT) -> Finding:
    """The finding whether the uplink runs and is connected, and how many rounds are waiting since when.

    `data` is the data folder, `service_folder` the folder of the service's status file, `unit_file` the service's unit
    file.
    """
    status = next(filter(None, map(_read_status, (of_service / STATUS, data / STATUS))), None)
    if status is None or status["pid"] < 1 or not _runs(status["pid"]):
        how = f"sudo systemctl start {unit.stem}" if unit.exists() else "companion uplink"
        return Finding("hall", "do", text("The uplink is not running. Start it: {how}.", how=how))
    waiting = status["waiting"]
    if status["connected"]:
        if not waiting:
            return Finding("hall", "ok", text("Connected. Everything has been sent."))
        said = plural_text(waiting, "Connected. {number} round on the way.", "Connected. {number} rounds on the way.")
        return Finding("hall", "ok", said)
    since, waits = status["since"][11:16], status["waiting_since"][11:16]  # The time of day.
    if not waiting:
        return Finding("hall", "note", text("Not connected since {since}. Nothing is lost.", since=since))
    said = plural_text(
        waiting, "Not connected since {since}. {number} round has been waiting since {waits}. Nothing is lost.",
        "Not connected since {since}. {number} rounds have been waiting since {waits}. Nothing is lost.",
        since=since, waits=waits,
    )  # fmt: skip
    return Finding("hall", "note", said)


def _read_status(file: Path) -> dict[str, Any] | None:
    """Read the status file; None if it is missing or incomplete."""
    try:
        with open(file, encoding="utf-8") as opened:
            status = json.loads(opened.read(MOST_BYTES))
        types = {"pid": int, "waiting": int, "connected": bool, "since": str, "waiting_since": str}
        return status if all(isinstance(status[key], kind) for key, kind in types.items()) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _runs(pid: int) -> bool:
    """Whether there is a process with this id, of any user."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True

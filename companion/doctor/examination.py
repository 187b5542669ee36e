"""Examines a box without touching its devices: clock, voltage, the way to the club server, then disk and rounds.

A running table shows `examine_at_table` on the doctor's pages. The command `companion doctor` tries the devices too.
"""

from __future__ import annotations

import glob
import json
import os
import shutil
import subprocess
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import games, settings_file
from companion.config import ConfigError
from companion.inputs import Finding
from companion.languages import plural_text, text, translate
from companion.store.data_folder import SCREEN_FAULTS_NAME, acting_as_owner
from companion.store.dates import FIRST_YEAR, parse_time

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from companion.config import Config

READY_SENTENCES = {
    "": text("It answers."),
    "buttons": text("They are ready."),
    "lamps": text("They are ready."),
    "number pad": text("It is connected."),
    "backup": text("No backup has failed."),
    "sound": text("The voice can be heard."),
}
"""What is said about a device that is not missing; "" is for any device without a sentence of its own."""


def examine_at_table(
    folder: Path, config: Config | None, connected: Sequence[str], missing_reasons: Mapping[str, str]
) -> list[Finding]:
    """The findings of a running table about its devices and surroundings.

    `connected` are the names of the configured devices. `missing_reasons` says for each missing one why it is missing.
    """
    if config is not None and config.table.backup is not None:
        connected = (*connected, "backup")
    devices = [
        Finding(name, "do", text("{why:capital}.", why=text(missing_reasons[name])))
        if name in missing_reasons
        else Finding(name, "ok", translate(READY_SENTENCES.get(name, READY_SENTENCES[""])))
        for name in connected
    ]
    settings_text = (
        text("Read from {file}.", file=config.file) if config and config.file else text("No file: the defaults apply.")
    )
    return [
        *devices,
        Finding("settings", "ok", settings_text),
        *check_chosen_settings(folder),
        *check_club_server_link(folder, config),
        *check_disk_and_system(folder),
    ]


def check_chosen_settings(folder: Path) -> Iterator[Finding]:
    """The finding which settings were chosen at the box; all others come from the configuration."""
    file = folder / settings_file.SETTINGS_NAME
    try:
        chosen = settings_file.load_settings(folder)
    except ConfigError as error:
        message = "{why} The settings chosen at the box do not count: delete {file}, and choose them again."
        yield Finding("settings", "note", text(message, why=error.sentence, file=file))
        return
    if chosen:
        # The lock's code is for those who know it.
        parts = [
            key if key == "lock" else f"{key} = {settings_file.toml_value(key, value)}"
            for (_, key), value in chosen.items()
        ]
        message = "Chosen at the box, so the file does not count for them: {settings} (in {file})."
        yield Finding("settings", "ok", text(message, settings=", ".join(parts), file=file))


def check_club_server_link(folder: Path, config: Config | None) -> Iterator[Finding]:
    """The finding whether the club server is connected, if the table is configured for one."""
    if config is not None and config.hall.link is not None:
        yield check_uplink(folder)


def check_disk_and_system(folder: Path | None) -> Iterator[Finding]:
    """The findings about disk, rounds, clock, voltage and added games.

    Without a folder, disk and rounds are left out.
    """
    from companion.doctor import disk  # Imported late: the uplink imports this module only for `STATUS_NAME`.

    newest, screen_faults = "", ""
    if folder is not None:
        with acting_as_owner(folder):
            room, (rounds, newest, rules) = disk.check_free_space(folder), disk.check_rounds(folder)
            aside = disk.check_files_set_aside(folder)
            with suppress(OSError):
                screen_faults = (folder / SCREEN_FAULTS_NAME).read_text("utf-8", "replace")
            copies, lasting = disk.check_second_copy(folder), disk.check_permanence(folder)
        yield from filter(None, (room, lasting, rounds, copies, *rules, aside))
    yield check_clock(newest, datetime.now().astimezone(), is_clock_synchronised())
    if voltage := check_voltage():
        yield voltage
    yield from (Finding("games", "do", f"{fault}.") for fault in screen_faults.splitlines())
    yield from (
        Finding("games", "do", text("{fault:capital}.", fault=text(fault)))
        for fault in games.unplayable_games().values()
    )


# -- the clock: a Pi has no battery for it, so it may be wrong after a start without a network ------------------

SET_CLOCK_ADVICE = text("connect the Pi to a network once, or run `sudo timedatectl set-time 'YYYY-MM-DD hh:mm'`")
UNSYNCHRONISED_STATE = 5
"""TIME_ERROR, which adjtimex(2) returns for a clock that is not synchronized."""


def check_clock(newest_begun: str, now: datetime, is_synchronised: bool | None) -> Finding:
    """Compare the time `now` (with its offset) with the start of the newest round (ISO 8601, or "").

    `is_synchronised` is whether a time server sets the clock, None if unknown.
    """
    now_text = f"{now:%Y-%m-%d %H:%M}"
    newest_time = parse_time(newest_begun)
    if now.year < FIRST_YEAR:
        return Finding(
            "clock", "do", text("It says {shown}, which is in the past: {do}.", shown=now_text, do=SET_CLOCK_ADVICE)
        )
    if newest_time is not None and newest_time - now > timedelta(minutes=1):
        message = "It says {shown}, but the newest round began on {begun}: {do}."
        return Finding(
            "clock", "do", text(message, shown=now_text, begun=f"{newest_time:%Y-%m-%d %H:%M}", do=SET_CLOCK_ADVICE)
        )
    if is_synchronised:
        return Finding("clock", "ok", text("{shown}, set by the network.", shown=now_text))
    message = "{shown}, not set by the network; only the dates of rounds depend on it."
    if is_synchronised is None:
        message = "{shown}, perhaps not set by the network; only the dates of rounds depend on it."
    return Finding("clock", "note", text(message, shown=now_text))


def is_clock_synchronised() -> bool | None:
    """Whether a time server synchronizes the kernel's clock, by adjtimex(2); None if unknown."""
    import ctypes  # Imported late: a table whose doctor nobody opens does without it.

    try:
        library = ctypes.CDLL(None, use_errno=True)
        # A zeroed struct timex changes nothing; 512 bytes are more than it has on any machine.
        state = int(library.adjtimex(ctypes.create_string_buffer(512)))
    except (OSError, AttributeError):
        return None
    return None if state < 0 else state != UNSYNCHRONISED_STATE


# -- voltage and temperature of a Raspberry Pi, as its firmware reports them ------------------------------------

THROTTLED_PATTERNS = (
    "/sys/devices/platform/*firmware*/get_throttled",
    "/sys/devices/platform/*/*firmware*/get_throttled",
)
SUPPLY_ADVICE = text("use a good power supply with a short, thick cable")
COOLING_ADVICE = text("give the box more air, or the processor a heat sink")

# The bits of the firmware's word; see "get_throttled" in Raspberry Pi's documentation of vcgencmd.
LOW_NOW, CAPPED_NOW, SLOWED_NOW, HOT_NOW = 1 << 0, 1 << 1, 1 << 2, 1 << 3
SINCE_START_SHIFT = 16
"""The same four bits, shifted left by this number, say what has happened since the start."""


def check_voltage() -> Finding | None:
    """The finding about voltage and temperature; None on other computers."""
    word = read_firmware_word()
    return None if word is None else voltage_finding(word)


def voltage_finding(word: int) -> Finding:
    """The finding for a word of the firmware."""
    since = word >> SINCE_START_SHIFT
    if word & LOW_NOW:
        return Finding("voltage", "do", text("It is too low right now: {do}.", do=SUPPLY_ADVICE))
    if word & (SLOWED_NOW | HOT_NOW | CAPPED_NOW):
        return Finding(
            "voltage", "do", text("High enough, but the processor is slowed down by heat: {do}.", do=COOLING_ADVICE)
        )
    if since & LOW_NOW:
        return Finding("voltage", "do", text("It has been too low at times since the start: {do}.", do=SUPPLY_ADVICE))
    if since & (SLOWED_NOW | HOT_NOW | CAPPED_NOW):
        message = "High enough, but the processor has been too hot at times since the start: {do}."
        return Finding("voltage", "note", text(message, do=COOLING_ADVICE))
    return Finding("voltage", "ok", text("High enough since the start, and the processor was never too hot."))


def read_firmware_word() -> int | None:
    """Read the firmware's word from sysfs, which the service may read, else by vcgencmd; None without either."""
    for pattern in THROTTLED_PATTERNS:
        for name in glob.glob(pattern):
            try:
                return int(Path(name).read_text(), 16)
            except (OSError, ValueError):
                continue
    if shutil.which("vcgencmd") is None:
        return None
    try:
        output = subprocess.run(["vcgencmd", "get_throttled"], capture_output=True, text=True, timeout=5, check=False)
        return int(output.stdout.partition("=")[2], 16)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


# -- whether this table's rounds reach the club server, by the uplink's status file -----------------------------

STATUS_NAME = "uplink.json"
SERVICE_FOLDER = Path("/run/companion-uplink")
"""The folder of the service's status file. Without the service it is in the data folder."""
UNIT_FILE = Path("/usr/local/lib/systemd/system/companion-uplink.service")
"""The unit file, which exists if the installer has set up the uplink as a service."""
MAX_STATUS_BYTES = 10_000
"""The most bytes of a status file that are read."""


def check_uplink(data: Path, service_folder: Path = SERVICE_FOLDER, unit_file: Path = UNIT_FILE) -> Finding:
    """The finding whether the uplink runs and is connected, and how many rounds are waiting since when.

    `data` is the data folder, `service_folder` the folder of the service's status file, `unit_file` the service's unit
    file.
    """
    status = next(filter(None, map(_read_status, (service_folder / STATUS_NAME, data / STATUS_NAME))), None)
    if status is None or status["pid"] < 1 or not _is_process_running(status["pid"]):
        command = f"sudo systemctl start {unit_file.stem}" if unit_file.exists() else "companion uplink"
        return Finding("hall", "do", text("The uplink is not running. Start it: {how}.", how=command))
    waiting = status["waiting"]
    if status["connected"]:
        if not waiting:
            return Finding("hall", "ok", text("Connected. Everything has been sent."))
        sentence = plural_text(
            waiting, "Connected. {number} round on the way.", "Connected. {number} rounds on the way."
        )
        return Finding("hall", "ok", sentence)
    since, waits = status["since"][11:16], status["waiting_since"][11:16]  # The time of day.
    if not waiting:
        return Finding("hall", "note", text("Not connected since {since}. Nothing is lost.", since=since))
    sentence = plural_text(
        waiting, "Not connected since {since}. {number} round has been waiting since {waits}. Nothing is lost.",
        "Not connected since {since}. {number} rounds have been waiting since {waits}. Nothing is lost.",
        since=since, waits=waits,
    )  # fmt: skip
    return Finding("hall", "note", sentence)


def _read_status(file: Path) -> dict[str, Any] | None:
    """Read the status file; None if it is missing or incomplete."""
    try:
        with open(file, encoding="utf-8") as opened:
            status = json.loads(opened.read(MAX_STATUS_BYTES))
        types = {"pid": int, "waiting": int, "connected": bool, "since": str, "waiting_since": str}
        return status if all(isinstance(status[key], kind) for key, kind in types.items()) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _is_process_running(pid: int) -> bool:
    """Whether there is a process with this id, of any user."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):  # The second is for a number that no process can have.
        return False
    except PermissionError:
        return True
    return True

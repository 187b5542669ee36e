"""Checks whether this table's rounds reach the club's hall, by the uplink's status file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from companion.inputs import Finding
from companion.languages import counted, text

STATUS = "uplink.json"
OF_SERVICE = Path("/run/companion-uplink")
"""The folder of the service's status file; otherwise it is in the data folder."""
UNIT = Path("/usr/local/lib/systemd/system/companion-uplink.service")
"""This file exists if the installer has set up the uplink as a service."""
MOST_BYTES = 10_000
"""The longest status file that is read."""


def check(data: Path, of_service: Path = OF_SERVICE, unit: Path = UNIT) -> Finding:
    """The finding whether the uplink runs and is connected, and how many rounds have been waiting since when.

    `data` is the data folder, `of_service` the folder of the service's status file, `unit` the service's unit file.
    """
    status = next(filter(None, map(_read, (of_service / STATUS, data / STATUS))), None)
    if status is None or status["pid"] < 1 or not _runs(status["pid"]):
        how = f"sudo systemctl start {unit.stem}" if unit.exists() else "companion uplink"
        return Finding("hall", "do", text("No uplink is running. Start it: {how}.", how=how))
    waiting = status["waiting"]
    if status["connected"]:
        if not waiting:
            return Finding("hall", "ok", text("Connected. All is sent."))
        said = counted(waiting, "Connected. {number} round on the way.", "Connected. {number} rounds on the way.")
        return Finding("hall", "ok", said)
    since, waits = status["since"][11:16], status["waiting_since"][11:16]  # The time of day.
    if not waiting:
        return Finding("hall", "note", text("Not connected since {since}. Nothing is lost.", since=since))
    said = counted(
        waiting, "Not connected since {since}. {number} round waits since {waits}. Nothing is lost.",
        "Not connected since {since}. {number} rounds wait since {waits}. Nothing is lost.", since=since, waits=waits,
    )  # fmt: skip
    return Finding("hall", "note", said)


def _read(file: Path) -> dict[str, Any] | None:
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

"""The uplink's status file, which `companion.doctor.examination` reads."""

from __future__ import annotations

import contextlib
import json
import os
import time
from typing import TYPE_CHECKING

from companion.replacing import replace_file

if TYPE_CHECKING:
    from pathlib import Path


class StatusFile:
    """A JSON file with ``connected``, ``since``, ``waiting``, ``waiting_since``, ``pid``; replaced at each change."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._said: tuple[bool, int] | None = None
        self._since = self._waiting_since = ""

    def write(self, connected: bool, waiting: int) -> None:
        """Write whether the hall is connected and how many rounds wait; the times of both changes are added here."""
        if self._path is None or (connected, waiting) == self._said:
            return
        now = time.strftime("%Y-%m-%dT%H:%M:%S%z")
        if self._said is None or self._said[0] != connected:
            self._since = now
        if self._said is None or not self._said[1]:
            self._waiting_since = now
        self._said = connected, waiting
        said = {
            "connected": connected,
            "since": self._since,
            "waiting": waiting,
            "waiting_since": self._waiting_since,
            "pid": os.getpid(),
        }
        with contextlib.suppress(OSError):
            # The doctor is another user, and there is no secret in it.
            replace_file(self._path, json.dumps(said).encode(), mode=0o644, exact=True, synced=False)

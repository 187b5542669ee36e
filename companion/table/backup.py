"""Copies all rounds to another disk, such as a USB stick, after each result.

A disk can be slow, full or pulled out. The copy is therefore written by a separate process, and the table only hears
whether that succeeded.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

from companion.inputs import DeviceMissing
from companion.languages import os_error_text, text
from companion.store.second_disk import disk_number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from companion.table.table_devices import InputQueue

BACKUP_DEVICE = "backup"
"""The name of the backup among the devices, in banners and in the log."""
COPY_SECONDS = 600.0
"""Seconds after which a copy is given up and counts as failed."""
FAILURE_BANNER = text("No backup made:\nis the stick in?")
PARTIAL_EXPORT_STATUS = 1
"""The exit status of `companion export` when it left out nothing but unfinished rounds with hidden pieces."""


class Backup:
    """Copies all rounds to a folder, and reports failures on the panel and in the log.

    Args:
        backup_folder: where the copy goes, on another disk than the data folder.
        data_folder: the table's data folder.
        inputs: gets banners for the panel and sentences for the log.
        command: the command line that writes the copy; by default `companion export --all`.
        timeout_seconds: when a copy is given up.
    """

    def __init__(
        self,
        backup_folder: Path,
        data_folder: Path,
        inputs: InputQueue,
        command: Sequence[str] = (),
        timeout_seconds: float = COPY_SECONDS,
    ) -> None:
        self._backup_folder = backup_folder
        self._data_folder = data_folder
        self._inputs = inputs
        export_command = (sys.executable, "-P", "-m", "companion", "export", "--config", os.devnull)
        self._command = command or (*export_command, "--data", str(data_folder), "--all", str(backup_folder))
        self._timeout_seconds = timeout_seconds
        self._newest_request = 0
        self._copy_lock = threading.Lock()

    def start_copy(self) -> threading.Thread:
        """Start a copy and return its thread at once.

        If a copy is running, only the newest of the requests made meanwhile follows it.
        """
        self._newest_request += 1
        thread = threading.Thread(
            target=self._copy_if_newest, args=(self._newest_request,), name=BACKUP_DEVICE, daemon=True
        )
        thread.start()
        return thread

    def _copy_if_newest(self, request: int) -> None:
        with self._copy_lock:
            if request == self._newest_request:
                self._report_outcome(self._copy())

    def _copy(self) -> str:
        """Make one copy. Returns why it failed, "" if it succeeded."""
        try:
            if disk_number(self._backup_folder) == disk_number(self._data_folder):
                return text("it is on the same disk as the rounds")
            process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                text=True, errors="replace", start_new_session=True,
            )  # fmt: skip
            _, error_output = process.communicate(timeout=self._timeout_seconds)
        except subprocess.TimeoutExpired:
            process.kill()  # It is not waited for: a process blocked by a dead disk does not end.
            return text("it took longer than {seconds} seconds", seconds=f"{self._timeout_seconds:g}")
        except OSError as error:
            return os_error_text(error)
        if process.returncode in (0, PARTIAL_EXPORT_STATUS):
            return ""
        last_line = error_output.strip().rpartition("\n")[2].removeprefix("companion: ")
        return last_line or text("exit status {number}", number=process.returncode)

    def _report_outcome(self, failure: str) -> None:
        was_missing = self._inputs.missing_devices.pop(BACKUP_DEVICE, "")
        if failure:
            sentence = text("no backup in {folder}: {why}", folder=self._backup_folder, why=failure)
            self._inputs.report(sentence)
            self._inputs.missing_devices[BACKUP_DEVICE] = sentence
            self._inputs.queue.put(DeviceMissing(BACKUP_DEVICE, FAILURE_BANNER, time.monotonic()))
        elif was_missing:
            self._inputs.report("the backup works again")

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
from companion.languages import text, os_error_text
from companion.store.second_disk import device_number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from companion.table.devices import Inputs

DEVICE = "backup"
"""The name of the backup among the devices, in banners and in the log."""
SECONDS = 600.0
"""Seconds after which a copy is given up and counts as failed."""
BANNER = text("No backup made:\nis the stick in?")
LEFT_OUT = 1
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
        self, folder: Path, data: Path, inputs: Inputs, command: Sequence[str] = (), seconds: float = SECONDS
    ) -> None:
        self._folder = folder
        self._data = data
        self._inputs = inputs
        export = (sys.executable, "-P", "-m", "companion", "export", "--config", os.devnull)
        self._command = command or (*export, "--data", str(data), "--all", str(folder))
        self._seconds = seconds
        self._newest = 0
        self._copying = threading.Lock()

    def ask(self) -> threading.Thread:
        """Start a copy and return its thread at once.

        If a copy is running, only the newest of the requests made meanwhile follows it.
        """
        self._newest += 1
        thread = threading.Thread(target=self._copy_if_newest, args=(self._newest,), name=DEVICE, daemon=True)
        thread.start()
        return thread

    def _copy_if_newest(self, number: int) -> None:
        with self._copying:
            if number == self._newest:
                self._report(self._copy())

    def _copy(self) -> str:
        """Make one copy. Returns why it failed, "" if it succeeded."""
        try:
            if device_number(self._folder) == device_number(self._data):
                return text("it is on the same disk as the rounds")
            process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                text=True, errors="replace", start_new_session=True,
            )  # fmt: skip
            _, said = process.communicate(timeout=self._seconds)
        except subprocess.TimeoutExpired:
            process.kill()  # It is not waited for: a process blocked by a dead disk does not end.
            return text("it took longer than {seconds} seconds", seconds=f"{self._seconds:g}")
        except OSError as error:
            return os_error_text(error)
        if process.returncode in (0, LEFT_OUT):
            return ""
        last = said.strip().rpartition("\n")[2].removeprefix("companion: ")
        return last or text("exit status {number}", number=process.returncode)

    def _report(self, fault: str) -> None:
        was_missing = self._inputs.missing.pop(DEVICE, "")
        if fault:
            sentence = text("no backup in {folder}: {why}", folder=self._folder, why=fault)
            self._inputs.report(sentence)
            self._inputs.missing[DEVICE] = sentence
            self._inputs.queue.put(DeviceMissing(DEVICE, BANNER, time.monotonic()))
        elif was_missing:
            self._inputs.report("the backup works again")

"""The lock that allows one table for each data folder; usable without importing SQLite."""

from __future__ import annotations

import contextlib
import fcntl
import os
from typing import TYPE_CHECKING

from companion.languages import text
from companion.store.errors import InUse
from companion.store.plain_files import open_for_writing, share_with_group

if TYPE_CHECKING:
    from pathlib import Path

LOCK = "table.lock"


def lock_folder(folder: Path) -> int:
    """Lock a folder for as long as the returned descriptor is open. Raises InUse, StoreError, OSError."""
    lock = open_for_writing(folder / LOCK)
    try:
        share_with_group(lock, folder)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(lock)
        message = "Another table is running on {folder}; stop it first, or use another --data folder."
        raise InUse(text(message, folder=folder)) from error
    except BaseException:
        os.close(lock)
        raise
    return lock


def refuse_a_second(folder: Path) -> None:
    """Raise InUse if a table is running on the folder; a folder without a lock file is left unchanged."""
    with contextlib.suppress(OSError):  # Opening the store reports what is wrong with the folder.
        if (folder / LOCK).exists():
            os.close(lock_folder(folder))

"""One table for each data folder: its lock, apart from the store, to be asked for before SQLite is loaded."""

from __future__ import annotations

import contextlib
import fcntl
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

LOCK = "table.lock"


class StoreError(Exception):
    """The store cannot be used; the text is one sentence for the players."""


class InUse(StoreError):
    """Another table keeps its rounds in the same folder."""


def locked(folder: Path) -> int:
    """A lock on the folder while the descriptor stays open. Raises InUse, OSError."""
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o660)
    try:
        share(lock, folder)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(lock)
        raise InUse(f"Another table is running on {folder}; stop it first, or use another --data folder.") from error
    except BaseException:
        os.close(lock)
        raise
    return lock


def share(fd: int, folder: Path) -> None:
    """Let a file be read and written by whom its folder can: SQLite alone would never let a group write."""
    mode = folder.stat().st_mode & 0o666
    if os.fstat(fd).st_mode & 0o777 != mode:
        with contextlib.suppress(PermissionError):  # It belongs to another member of the group, who has seen to it.
            os.fchmod(fd, mode)


def refuse_a_second(folder: Path) -> None:
    """Raise InUse where a table is running on the folder; one that nobody has used yet is left as it is."""
    try:
        if (folder / LOCK).exists():
            os.close(locked(folder))
    except OSError:
        pass  # Opening the store will say what is the matter with the folder.

"""Replaces a file whole, so that neither a power cut nor a full disk leaves half of it."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

PART = ".part"
"""The ending of an incomplete file, whose name begins with a dot."""


def replace_file(
    path: Path,
    data: bytes,
    *,
    mode: int = 0o666,
    exact: bool = False,
    keeps_owner: bool = False,
    synced: bool = True,
) -> None:
    """Write a file beside `path`, then put it there: what lies there is the old content or the new. Raises OSError.

    Args:
        path: where it goes; a link there is replaced, not followed.
        data: the new content.
        mode: its permissions at most: the umask takes away from them, as from those of all files.
        exact: whether they are these whatever the umask.
        keeps_owner: as root, keep the owner of the file before it.
        synced: whether it is on disk when this returns; else a power cut may leave the old content.
    """
    beside = path.with_name(f".{path.name}{PART}")
    try:
        beside.unlink(missing_ok=True)
        # In a folder that others may write to, somebody could put a link there.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(beside, flags, mode), "wb") as out:
            if exact:
                os.fchmod(out.fileno(), mode)
            if keeps_owner and os.geteuid() == 0 and path.exists():
                os.fchown(out.fileno(), path.stat().st_uid, path.stat().st_gid)
            out.write(data)
            if synced:
                out.flush()
                os.fsync(out.fileno())
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise

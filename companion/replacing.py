"""Replaces a file atomically: a reader, or the next start after a power cut, finds the old content or the new one.

The new content is written to a file of its own beside the old one, and then renamed. Neither a power cut nor a full
disk can leave half of it.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

PART_ENDING = ".part"
"""The ending of the temporary file, whose name also begins with a dot."""


def replace_file(
    path: Path,
    data: bytes,
    *,
    mode: int = 0o666,
    ignores_umask: bool = False,
    keep_owner: bool = False,
    sync: bool = True,
) -> None:
    """Write `data` to a temporary file beside `path`, then rename it to `path`.

    Raises OSError, and leaves the old file then.

    Args:
        path: the file to replace. If it is a symbolic link, the link is replaced, not the file that it points to.
        data: the new content.
        mode: the file's permissions, reduced by the umask as for any other file.
        ignores_umask: set exactly the permissions of `mode`, whatever the umask is.
        keep_owner: when running as root, give the new file the owner of the old one.
        sync: return only when the content is on disk; without it, a power cut may bring the old content back.
    """
    part_file = path.with_name(f".{path.name}{PART_ENDING}")
    try:
        part_file.unlink(missing_ok=True)
        # In a folder that others may write to, somebody could have put a link in this place: O_EXCL refuses it.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(part_file, flags, mode), "wb") as out:
            if ignores_umask:
                os.fchmod(out.fileno(), mode)
            if keep_owner and os.geteuid() == 0 and path.exists():
                os.fchown(out.fileno(), path.stat().st_uid, path.stat().st_gid)
            out.write(data)
            if sync:
                out.flush()
                os.fsync(out.fileno())
        part_file.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part_file.unlink(missing_ok=True)
        raise

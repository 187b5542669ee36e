"""The data folder: its plain files, the lock that allows one table for it, and root with the rights of its owner.

The service's folder is writable by a group. A member could replace a file there, also SQLite's WAL or index, by a link
to any file of the system. So no file is opened through a link, and root uses the folder with the rights of its owner.
Usable without importing SQLite.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
from typing import TYPE_CHECKING

from companion.languages import text
from companion.store.errors import InUse, StoreError, is_spoiled

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_BYTES = 4096
"""How many bytes of a small file are read."""
LOCK = "table.lock"
DEVICES = ("gpio", "i2c", "spi", "dialout")
"""The groups that may use the devices; the service has them too."""


# -- its files -----------------------------------------------------------------------------------------------------


def open_for_writing(path: Path, *, create: bool = True) -> int:
    """Open a file of the folder for writing. Raises StoreError for links, pipes and folders in its place, and OSError.

    Through a link, a member of the folder's group could make root change any file of the system.
    """
    fd = _opened(path, os.O_RDWR | (os.O_CREAT if create else 0))
    if os.fstat(fd).st_nlink > 1:
        os.close(fd)
        message = "{file} is not an ordinary file, or has a second name (a hard link), so it is not used: remove it."
        raise StoreError(text(message, file=path))
    return fd


def open_for_reading(path: Path) -> int:
    """Open a file of the folder for reading. Raises StoreError for a link, pipe or folder in its place, and OSError."""
    return _opened(path, os.O_RDONLY)


def _opened(path: Path, how: int) -> int:
    try:
        fd = os.open(path, how | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o660)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO, errno.EISDIR):
            raise no_plain_file(path) from error
        raise
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise no_plain_file(path)
    return fd


def no_plain_file(path: Path) -> StoreError:
    """The error for a link, pipe or folder in the place of a file."""
    return StoreError(text("{file} is not an ordinary file, so it is not used: remove it.", file=path))


def read_small_file(path: Path) -> bytes:
    """The first bytes of a file of the folder, none if it is missing or something else lies there."""
    with contextlib.suppress(StoreError, OSError), os.fdopen(open_for_reading(path), "rb") as file:
        return file.read(MOST_BYTES)
    return b""


def overwrite(path: Path, data: bytes, *, synced: bool = False) -> None:
    """Make these bytes all that a small file has; on disk when this returns if `synced`. Raises StoreError, OSError."""
    try:
        fd = open_for_writing(path)
    except (StoreError, OSError) as error:
        if isinstance(error, OSError) and not is_spoiled(error):
            raise
        set_aside(path)
        fd = open_for_writing(path)
    with open(fd, "r+b", 0) as file:
        share_with_group(file.fileno(), path.parent)
        file.write(data)
        file.truncate()
        if synced:
            os.fsync(file.fileno())


def set_aside(path: Path) -> str:
    """Give whatever lies at a path another name, which is returned. Raises OSError."""
    aside = free_name(path)
    path.rename(aside)
    return aside.name


def free_name(path: Path) -> Path:
    """The path with ``damaged`` and the first number under which nothing lies there."""
    number = 1
    while os.path.lexists(f"{path}.damaged-{number}"):
        number += 1
    return path.with_name(f"{path.name}.damaged-{number}")


def clear_place(path: Path) -> None:
    """Delete a file that can be made again, if it is there; a folder in its place is set aside. Raises OSError."""
    try:
        path.unlink(missing_ok=True)
    except (IsADirectoryError, PermissionError):
        set_aside(path)


def share_with_group(fd: int, folder: Path) -> None:
    """Give a file its folder's permissions for the group, which SQLite would not set."""
    mode = folder.stat().st_mode & 0o666
    if os.fstat(fd).st_mode & 0o777 != mode:
        # It may belong to another member of the group, who has set them, or lie on a stick, where files have none.
        with contextlib.suppress(OSError):
            os.fchmod(fd, mode)


# -- its lock ------------------------------------------------------------------------------------------------------


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


# -- its owner -----------------------------------------------------------------------------------------------------


def acts_as_another(folder: Path) -> bool:
    """Whether `acting_as_owner` changes anything: the process is root, and the folder is somebody else's."""
    return _owner(folder) is not None


@contextlib.contextmanager
def acting_as_owner(folder: Path) -> Iterator[None]:
    """Within this context root has only the rights of the folder's owner; other users keep theirs."""
    owner = _owner(folder)
    if owner is None:
        yield
        return
    group, groups = os.getegid(), os.getgroups()
    os.setgroups(_groups(owner))
    os.setegid(owner.st_gid)
    os.seteuid(owner.st_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)


def become_owner(folder: Path) -> None:
    """Change from root to the folder's owner for good, with the groups of the devices, as the service runs."""
    owner = _owner(folder)
    if owner is not None:
        os.setgroups(_groups(owner))
        os.setresgid(owner.st_gid, owner.st_gid, owner.st_gid)
        os.setresuid(owner.st_uid, owner.st_uid, owner.st_uid)


def _owner(folder: Path) -> os.stat_result | None:
    """The status of a folder whose owner's rights are to be taken; None if the process keeps its own."""
    if os.geteuid() != 0:
        return None
    try:
        owner = os.stat(folder)
    except OSError:
        return None  # It is created, or the fault reported, when it is used.
    return None if owner.st_uid == 0 else owner


def _groups(owner: os.stat_result) -> list[int]:
    import grp  # Only needed for root.
    import pwd

    try:
        found = set(os.getgrouplist(pwd.getpwuid(owner.st_uid).pw_name, owner.st_gid))
    except KeyError:
        found = {owner.st_gid}
    for name in DEVICES:
        with contextlib.suppress(KeyError):  # Not every system has all of them.
            found.add(grp.getgrnam(name).gr_gid)
    return sorted(found)

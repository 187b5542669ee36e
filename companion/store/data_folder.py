"""The data folder: its plain files, the lock that allows one table at a time, and root acting with the owner's rights.

A group of users may write to the service's folder. A member could replace a file there, even SQLite's log or index, by
a link to any file of the system, and wait for root to write through it. So no file is opened through a link, and root
uses the folder only with its owner's rights. Usable without importing SQLite.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
from typing import TYPE_CHECKING

from companion.languages import text
from companion.store.errors import FolderInUseError, StoreError, is_io_or_permission_error

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_SMALL_FILE_BYTES = 4096
"""How many bytes of a small file are read."""
LOCK_NAME = "table.lock"
SCREEN_FAULTS_NAME = "screens.faulty"
"""The file with a line for each failure of a game's screen since the table was started."""
DEVICE_GROUPS = ("gpio", "i2c", "spi", "dialout", "input")
"""The groups that may use the devices. The service is in them too."""


# -- its files -----------------------------------------------------------------------------------------------------


def open_for_writing(path: Path, *, create: bool = True) -> int:
    """Open a file of the folder for writing. Raises StoreError for a link, pipe or folder in its place, and OSError.

    A second name of the file is refused too: by any link a member of the group could make root change a file of the
    system.
    """
    fd = _open_regular_file(path, os.O_RDWR | (os.O_CREAT if create else 0))
    if os.fstat(fd).st_nlink > 1:
        os.close(fd)
        message = "{file} is not an ordinary file, or has a second name (a hard link), so it is not used: remove it."
        raise StoreError(text(message, file=path))
    return fd


def open_for_reading(path: Path) -> int:
    """Open a file of the folder for reading. Raises StoreError for a link, pipe or folder in its place, and OSError."""
    return _open_regular_file(path, os.O_RDONLY)


def _open_regular_file(path: Path, flags: int) -> int:
    try:
        fd = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o660)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO, errno.EISDIR):
            raise irregular_file_error(path) from error
        raise
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise irregular_file_error(path)
    return fd


def irregular_file_error(path: Path) -> StoreError:
    """The error for a link, pipe or folder in the place of a file."""
    return StoreError(text("{file} is not an ordinary file, so it is not used: remove it.", file=path))


def read_small_file(path: Path) -> bytes:
    """Read the first `MAX_SMALL_FILE_BYTES` of a file of the folder; b"" if it is missing or is no regular file."""
    with contextlib.suppress(StoreError, OSError), os.fdopen(open_for_reading(path), "rb") as file:
        return file.read(MAX_SMALL_FILE_BYTES)
    return b""


def overwrite_file(path: Path, data: bytes, *, sync: bool = False) -> None:
    """Replace the content of a small file; with `sync` it is on disk when this returns. Raises StoreError, OSError.

    The file is written in place, so a power cut may leave it half-written.
    """
    try:
        fd = open_for_writing(path)
    except (StoreError, OSError) as error:
        if isinstance(error, OSError) and not is_io_or_permission_error(error):
            raise
        set_file_aside(path)
        fd = open_for_writing(path)
    with open(fd, "r+b", 0) as file:
        share_with_group(file.fileno(), path.parent)
        file.write(data)
        file.truncate()
        if sync:
            os.fsync(file.fileno())


def set_file_aside(path: Path) -> str:
    """Rename whatever is at a path to a free name, which is returned. Raises OSError."""
    aside = free_aside_path(path)
    path.rename(aside)
    return aside.name


def free_aside_path(path: Path) -> Path:
    """The path with ``.damaged-`` and the first number that no file has."""
    number = 1
    while os.path.lexists(f"{path}.damaged-{number}"):
        number += 1
    return path.with_name(f"{path.name}.damaged-{number}")


def delete_or_set_aside(path: Path) -> None:
    """Delete a file that can be made again, if it is there; set aside a folder in its place. Raises OSError."""
    try:
        path.unlink(missing_ok=True)
    except (IsADirectoryError, PermissionError):
        set_file_aside(path)


def share_with_group(fd: int, folder: Path) -> None:
    """Give a file its folder's permissions for the group; SQLite would not."""
    mode = folder.stat().st_mode & 0o666
    if os.fstat(fd).st_mode & 0o777 != mode:
        # The file may belong to another member of the group, who has set them, or a stick may have no permissions.
        with contextlib.suppress(OSError):
            os.fchmod(fd, mode)


# -- its lock ------------------------------------------------------------------------------------------------------


def lock_folder(folder: Path) -> int:
    """Lock a folder for as long as the returned descriptor is open. Raises FolderInUseError, StoreError, OSError."""
    lock = open_for_writing(folder / LOCK_NAME)
    try:
        share_with_group(lock, folder)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(lock)
        message = "Another table is running on {folder}; stop it first, or use another --data folder."
        raise FolderInUseError(text(message, folder=folder)) from error
    except BaseException:
        os.close(lock)
        raise
    return lock


def refuse_second_table(folder: Path) -> None:
    """Raise FolderInUseError if a table is running on the folder. A folder without a lock file is left unchanged."""
    with contextlib.suppress(OSError):  # Opening the store will report what is wrong with the folder.
        if (folder / LOCK_NAME).exists():
            os.close(lock_folder(folder))


# -- its owner -----------------------------------------------------------------------------------------------------


def must_act_as_owner(folder: Path) -> bool:
    """Whether `acting_as_owner` changes anything: the process is root, and the folder belongs to somebody else."""
    return _foreign_owner(folder) is not None


@contextlib.contextmanager
def acting_as_owner(folder: Path) -> Iterator[None]:
    """Within this context root has only the rights of the folder's owner. Other users keep theirs."""
    owner = _foreign_owner(folder)
    if owner is None:
        yield
        return
    group, groups = os.getegid(), os.getgroups()
    os.setgroups(_owner_groups(owner))
    os.setegid(owner.st_gid)
    os.seteuid(owner.st_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)


def switch_user_to_owner(folder: Path) -> None:
    """Change from root to the folder's owner for good, in the groups of the devices, as the service runs."""
    owner = _foreign_owner(folder)
    if owner is not None:
        os.setgroups(_owner_groups(owner))
        os.setresgid(owner.st_gid, owner.st_gid, owner.st_gid)
        os.setresuid(owner.st_uid, owner.st_uid, owner.st_uid)


def _foreign_owner(folder: Path) -> os.stat_result | None:
    """The status of a folder whose owner root must act as; None if the process keeps its own rights."""
    if os.geteuid() != 0:
        return None
    try:
        owner = os.stat(folder)
    except OSError:
        return None  # The folder is created, or the error reported, when it is used.
    return None if owner.st_uid == 0 else owner


def _owner_groups(owner: os.stat_result) -> list[int]:
    import grp  # Only needed for root.
    import pwd

    try:
        groups = set(os.getgrouplist(pwd.getpwuid(owner.st_uid).pw_name, owner.st_gid))
    except KeyError:
        groups = {owner.st_gid}
    for name in DEVICE_GROUPS:
        with contextlib.suppress(KeyError):  # Not every system has all of them.
            groups.add(grp.getgrnam(name).gr_gid)
    return sorted(groups)

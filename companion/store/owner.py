"""Root uses a data folder with the rights of its owner, so that the owner gains no rights of root.

The service's folder is writable by a group. A member could replace a file there, also SQLite's WAL or index, by a link
to any file of the system.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DEVICES = ("gpio", "i2c", "spi", "dialout")
"""The groups that may use the devices; the service has them too."""


def acts_as_another(folder: Path) -> bool:
    """Whether `acting_as_owner` changes anything: the process is root, and the folder is somebody else's."""
    return _owner(folder) is not None


@contextmanager
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
        with suppress(KeyError):  # Not every system has all of them.
            found.add(grp.getgrnam(name).gr_gid)
    return sorted(found)

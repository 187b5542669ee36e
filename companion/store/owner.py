"""As root, a data folder is used with the rights of its owner: whoever may write there must gain nothing by it.

The service's folder belongs to a whole group. A member could put a link to any file of the system in the place of one
of the folder's own, of SQLite's log or of its index too.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DEVICES = ("gpio", "i2c", "spi", "dialout")
"""The groups of the devices, which the service has too."""


def acts_as_another(folder: Path) -> bool:
    """Whether `acting_as_owner` changes anything: it is root who uses somebody else's folder."""
    return _owner(folder) is not None


@contextmanager
def acting_as_owner(folder: Path) -> Iterator[None]:
    """While this lasts, root has no more rights than the folder's owner; for anybody else nothing changes."""
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
    """For good: a table that root starts runs as the service does, with the rights to the devices."""
    owner = _owner(folder)
    if owner is not None:
        os.setgroups(_groups(owner))
        os.setresgid(owner.st_gid, owner.st_gid, owner.st_gid)
        os.setresuid(owner.st_uid, owner.st_uid, owner.st_uid)


def _owner(folder: Path) -> os.stat_result | None:
    """Whose rights are to be taken, None where those of the process are right."""
    if os.geteuid() != 0:
        return None
    try:
        owner = os.stat(folder)
    except OSError:
        return None  # It is made, or the matter told, when it is used.
    return None if owner.st_uid == 0 else owner


def _groups(owner: os.stat_result) -> list[int]:
    import grp  # Both only for root.
    import pwd

    try:
        found = set(os.getgrouplist(pwd.getpwuid(owner.st_uid).pw_name, owner.st_gid))
    except KeyError:
        found = {owner.st_gid}
    for name in DEVICES:
        try:
            found.add(grp.getgrnam(name).gr_gid)
        except KeyError:
            continue  # Not every system has them all.
    return sorted(found)

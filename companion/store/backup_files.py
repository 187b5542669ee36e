"""Backups of everything on another disk, such as a USB stick: each is a ZIP file of its own, with rounds and settings.

A file gets its name once all of it is on the disk, and no older one is changed. So whenever a stick is pulled, the
backups that were on it are still there; one that fails its checksums is passed over for the one before.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import struct
import tempfile
import time
import zipfile
import zlib
from typing import TYPE_CHECKING, NamedTuple

from companion.languages import text
from companion.store.data_folder import acting_as_owner, open_for_reading
from companion.store.journal import JOURNAL_NAME, raw_lines, sync_folder
from companion.store.restoring import count_rounds, find_fault

if TYPE_CHECKING:
    from pathlib import Path

BACKUP_NAME = re.compile(r"companion-backup-([1-9]\d{0,5})\.zip")
PART_NAME = ".companion-backup.part"
SETTINGS_NAME = "settings.toml"
"""The settings chosen at the box, which are in a backup beside the journal."""
MAX_BYTES = {JOURNAL_NAME: 1 << 28, SETTINGS_NAME: 1 << 18}
"""The largest files that are taken from a backup; ten thousand rounds have 20 MB."""

CHUNK_BYTES = 1 << 18
DAMAGE_ERRORS = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, KeyError, RuntimeError, OverflowError)
"""What zipfile and zlib raise for a file that is damaged or no backup."""


class Backup(NamedTuple):
    """A backup whose checksums are right.

    Attributes:
        name: the name of its file.
        made_at: when it was made, local time: year, month, day, hour, minute, second.
        journal: the descriptor of a nameless copy of its journal, for the reader to close.
        round_count: the number of rounds in it.
        settings: the settings chosen at the box, as a file of theirs; None for none.
    """

    name: str
    made_at: tuple[int, ...]
    journal: int
    round_count: int
    settings: bytes | None


def write_backup(folder: Path, disk: Path) -> str:
    """Write the journal of a folder, and the settings that it has, into a new backup on a disk.

    Returns its name; when this returns, it is on the disk. Raises StoreError, OSError.
    """
    name, part = f"companion-backup-{max(_backup_numbers(disk), default=0) + 1}.zip", disk / PART_NAME
    part.unlink(missing_ok=True)
    with part.open("x+b") as file:
        with zipfile.ZipFile(file, "w") as archive:
            _add_lines(archive, folder / JOURNAL_NAME)
            if os.path.lexists(folder / SETTINGS_NAME):
                _add_lines(archive, folder / SETTINGS_NAME)
        file.flush()
        os.fsync(file.fileno())
        # Read from the disk itself, a stick that loses what it has taken shows it now.
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        with zipfile.ZipFile(file) as archive:
            if archive.testzip() is not None:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
    part.rename(disk / name)
    sync_folder(disk)
    return name


def _add_lines(archive: zipfile.ZipFile, source: Path) -> None:
    """Add a file's complete lines: the table may be writing another one."""
    info = zipfile.ZipInfo(source.name, time.localtime()[:6])
    info.compress_type = zipfile.ZIP_DEFLATED
    with os.fdopen(open_for_reading(source), "rb") as file, archive.open(info, "w") as out:
        for _, line, is_complete in raw_lines(file.fileno()):
            if is_complete:
                out.write(line + b"\n")


def open_newest_backup(disk: Path, scratch_folder: Path) -> Backup | None:
    """The newest valid backup on a disk, None for none. Its journal is copied to `scratch_folder`. Raises OSError."""
    for number in sorted(_backup_numbers(disk), reverse=True):
        try:
            return open_backup(disk / f"companion-backup-{number}.zip", scratch_folder)
        except ValueError:
            continue
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EROFS, errno.EACCES):  # It is the fault of the scratch folder.
                raise
    return None


def open_backup(file: Path, scratch_folder: Path) -> Backup:
    """Check a backup, with the rights of the owner of `scratch_folder`.

    Raises ValueError with the reason if it is not valid, and OSError.
    """
    fd = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        with acting_as_owner(scratch_folder), os.fdopen(fd, "rb") as opened, zipfile.ZipFile(opened) as archive:
            if any(
                each.file_size > MAX_BYTES.get(each.filename, MAX_BYTES[SETTINGS_NAME]) for each in archive.infolist()
            ):
                raise ValueError(text("it is too large"))
            journal = archive.getinfo(JOURNAL_NAME)
            settings = archive.read(SETTINGS_NAME) if SETTINGS_NAME in archive.namelist() else None
            with tempfile.TemporaryFile(dir=scratch_folder) as copy, archive.open(journal) as source:
                shutil.copyfileobj(source, copy, CHUNK_BYTES)
                copy.flush()
                if fault := find_fault(copy.fileno()):
                    raise ValueError(fault)
                count = count_rounds(copy.fileno())
                return Backup(file.name, journal.date_time, os.dup(copy.fileno()), count, settings)
    except DAMAGE_ERRORS as error:
        raise ValueError(text("it is damaged")) from error


def _backup_numbers(disk: Path) -> list[int]:
    return [int(found[1]) for each in os.listdir(disk) if (found := BACKUP_NAME.fullmatch(each))]

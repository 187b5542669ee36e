"""A copy of the journal on another disk, such as a USB stick, if one is configured.

The copy never delays or refuses a move: if the disk is missing or fails, the players are warned, and the copy is
brought up to date later. The configured place is saved in the data folder, since commands have to know it too.
"""

from __future__ import annotations

import contextlib
import os
from itertools import islice
from typing import TYPE_CHECKING

from companion.store.data_folder import (
    delete_or_set_aside,
    open_for_reading,
    overwrite_file,
    read_small_file,
    set_file_aside,
)
from companion.store.errors import StoreError
from companion.store.journal import JOURNAL_NAME, JournalFile, end_offset_if_prefix, read_lines, replace_journal
from companion.store.store_warnings import StoreWarning, WarningKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SECOND_NAME = "rounds.journal-2"
"""The copy on the other disk. Up to version 0.7, also a second journal in the data folder if no disk was configured."""
PLACE_NAME = "rounds.journal-2.place"
COMPARED_ENTRIES = 200
"""How many entries at the beginning of two journals are compared to decide whether they are of one table."""


def second_folder(folder: Path) -> Path | None:
    """The folder on another disk that is configured for the copy; None for none."""
    saved = read_small_file(folder / PLACE_NAME).decode(errors="surrogateescape")
    return folder / saved if saved else None


def configure_second(folder: Path, second: Path | None) -> None:
    """Save where the copy is to be, None for no copy. Raises StoreError, OSError."""
    if second is None:
        delete_or_set_aside(folder / PLACE_NAME)
    elif second_folder(folder) != second:
        overwrite_file(folder / PLACE_NAME, os.fsencode(second))


def find_disk_fault(folder: Path, second: Path) -> WarningKind | None:
    """Why the copy cannot be in a folder on another disk, as the kind of warning; None if it can."""
    try:
        # While the disk is missing, its mount point is an ordinary folder on the disk of the rounds.
        if disk_number(second) == disk_number(folder):
            return WarningKind.AWAY
        return WarningKind.FOREIGN if _is_of_another_table(second / SECOND_NAME, folder / JOURNAL_NAME) else None
    except OSError:
        return WarningKind.AWAY


def disk_number(folder: Path) -> int:
    """The device number of the disk of a folder, or of its nearest existing parent. Raises OSError."""
    existing = next(each for each in (folder, *folder.absolute().parents) if os.path.isdir(each))
    return os.stat(existing).st_dev


def is_up_to_date(folder: Path, second: Path) -> bool:
    """Whether the copy has everything that the journal has. Raises StoreError, OSError."""
    with open(open_for_reading(folder / JOURNAL_NAME), "rb", 0) as journal:
        try:
            with open(open_for_reading(second / SECOND_NAME), "rb", 0) as copy:
                return end_offset_if_prefix(journal.fileno(), copy.fileno()) is not None
        except FileNotFoundError:
            return False


def _is_of_another_table(path: Path, ours: Path) -> bool:
    """Whether a journal is another table's: its first entry differs, or if that is damaged, later ones do."""
    its_lines, own_lines = _first_lines(path), {}
    with contextlib.suppress(OSError):
        own_lines = _first_lines(ours)
    shared_numbers = its_lines.keys() & own_lines.keys()
    return bool(its_lines and own_lines) and (
        not shared_numbers
        or any(its_lines[number] != own_lines[number] for number in {1} & shared_numbers or shared_numbers)
    )


def _first_lines(path: Path) -> dict[int, bytes]:
    """The first lines of a journal by number, without the header. Raises OSError if it cannot be read."""
    try:
        fd = open_for_reading(path)
    except (FileNotFoundError, StoreError):
        return {}
    with open(fd, "rb", 0) as file:
        lines = islice(read_lines(file.fileno(), 0), COMPARED_ENTRIES)
        return {
            line.number: line.data for line in lines if line is not None and line.number and not line.is_placeholder
        }


class SecondCopy:
    """The copy on another disk, if one is configured. Each entry is appended once it is saved in the journal.

    `on_warning` is called with warnings for the players. No method raises an error.
    """

    def __init__(self, folder: Path, on_warning: Callable[[StoreWarning], None]) -> None:
        self._folder, self._on_warning = folder, on_warning
        self._file: JournalFile | None = None
        self._reported: WarningKind | None = None

    def append(self, data: bytes, journal: Path) -> None:
        """Append entries that the journal has. If that fails, `bring_up_to_date` does it after a round."""
        if self._file is None:
            return
        if not self._is_open():
            self.bring_up_to_date(journal, replace=False)
            return
        try:
            self._file.append(data)
        except OSError:
            self.close()
            self._report(WarningKind.AWAY)

    def bring_up_to_date(self, journal: Path, *, replace: bool) -> bool:
        """Copy what the other disk lacks. Returns True if the disk has entries that are not here.

        With `replace` such a file is set aside instead.
        """
        second = second_folder(self._folder)
        if second is None or self._is_open():
            return False
        self.close()
        kind, missing_writes, is_new = find_disk_fault(self._folder, second), 0, False
        if kind is None:
            try:
                second.mkdir(parents=True, exist_ok=True)
                is_new = not os.path.lexists(second / SECOND_NAME)
                missing_writes = _copy_missing(journal, second / SECOND_NAME, replace=replace)
                if missing_writes < 0:
                    return True
                self._file, kind = JournalFile(second / SECOND_NAME), WarningKind.BACK
            except (StoreError, OSError):
                kind = WarningKind.AWAY
        if kind is not WarningKind.BACK or is_new or missing_writes > 1 or self._reported is not None:
            self._report(kind)
        self._reported = kind
        return False

    def _is_open(self) -> bool:
        try:
            return self._file is not None and not self._file.has_changed()
        except OSError:
            return False

    def _report(self, kind: WarningKind) -> None:
        if kind is not self._reported:
            self._on_warning(StoreWarning(kind))
        self._reported = kind

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        self._file = None


def _copy_missing(journal: Path, copy: Path, *, replace: bool) -> int:
    """Copy what the copy lacks.

    Returns how many writes the copy lacked, -1 if it has other entries. Raises StoreError, OSError.
    """
    with open(open_for_reading(journal), "rb", 0) as file:
        start: int | None = 0
        if os.path.lexists(copy):
            with open(open_for_reading(copy), "rb", 0) as copy_file:
                start = end_offset_if_prefix(copy_file.fileno(), file.fileno())
            if start is None and not replace:
                return -1
        write_count = 0

        def missing() -> Iterator[bytes]:
            nonlocal write_count
            for line in filter(None, read_lines(file.fileno(), start or 0)):
                write_count += not line.following_lines
                yield line.data

        if start:
            with contextlib.closing(JournalFile(copy)) as copy_journal:
                copy_journal.cut_off(start)
                copy_journal.append(b"".join(line + b"\n" for line in missing()))
            return write_count
        if start is None:
            set_file_aside(copy)
        replace_journal(copy, missing())
        return write_count

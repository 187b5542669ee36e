"""A copy of the journal on another disk, such as a USB stick, if one is configured.

The copy never delays or refuses a move: if the disk is missing or fails, the players are warned, and the copy is
brought up to date later. The configured place is saved in the data folder, since commands have to know it too.
"""

from __future__ import annotations

import contextlib
import os
from itertools import islice
from typing import TYPE_CHECKING

from companion.store.data_folder import clear_place, open_for_reading, overwrite, read_small_file, set_aside
from companion.store.errors import StoreError
from companion.store.journal import JOURNAL, JournalFile, lines_from, replace_journal, shared_end
from companion.store.notices import Happened, Warned

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SECOND = "rounds.journal-2"
"""The copy on the other disk. Up to version 0.7, also a second journal in the data folder if no disk was configured."""
PLACE = "rounds.journal-2.place"
COMPARED = 200
"""How many entries at the beginning of two journals are compared to decide whether they are of one table."""


def second_folder(folder: Path) -> Path | None:
    """The folder on another disk that is configured for the copy; None for none."""
    saved = read_small_file(folder / PLACE).decode(errors="surrogateescape")
    return folder / saved if saved else None


def configure(folder: Path, second: Path | None) -> None:
    """Save where the copy is to be, None for no copy. Raises StoreError, OSError."""
    if second is None:
        clear_place(folder / PLACE)
    elif second_folder(folder) != second:
        overwrite(folder / PLACE, os.fsencode(second))


def why_not(folder: Path, there: Path) -> Happened | None:
    """Why the copy cannot be in a folder on another disk, as the kind of warning; None if it can."""
    try:
        # While the disk is missing, its mount point is an ordinary folder on the disk of the rounds.
        if device_of(there) == device_of(folder):
            return Happened.AWAY
        return Happened.FOREIGN if _is_of_another(there / SECOND, folder / JOURNAL) else None
    except OSError:
        return Happened.AWAY


def device_of(folder: Path) -> int:
    """The device number of the disk of a folder, or of its nearest existing parent. Raises OSError."""
    there = next(each for each in (folder, *folder.absolute().parents) if os.path.isdir(each))
    return os.stat(there).st_dev


def is_up_to_date(folder: Path, there: Path) -> bool:
    """Whether the copy has everything that the journal has. Raises StoreError, OSError."""
    with open(open_for_reading(folder / JOURNAL), "rb", 0) as one:
        try:
            with open(open_for_reading(there / SECOND), "rb", 0) as other:
                return shared_end(one.fileno(), other.fileno()) is not None
        except FileNotFoundError:
            return False


def _is_of_another(path: Path, ours: Path) -> bool:
    """Whether a journal is another table's: its first entry differs, or if that is damaged, later ones do."""
    its, mine = _beginning(path), {}
    with contextlib.suppress(OSError):
        mine = _beginning(ours)
    both = its.keys() & mine.keys()
    return bool(its and mine) and (not both or any(its[number] != mine[number] for number in {1} & both or both))


def _beginning(path: Path) -> dict[int, bytes]:
    """The first lines of a journal by number, without the header. Raises OSError if it cannot be read."""
    try:
        fd = open_for_reading(path)
    except (FileNotFoundError, StoreError):
        return {}
    with open(fd, "rb", 0) as file:
        lines = islice(lines_from(file.fileno(), 0), COMPARED)
        return {line.number: line.data for line in lines if line is not None and line.number and not line.lost}


class SecondCopy:
    """The copy on another disk, if one is configured. Each entry is appended once it is saved in the journal.

    `on_warning` is called with warnings for the players. No method raises an error.
    """

    def __init__(self, folder: Path, tell: Callable[[Warned], None]) -> None:
        self._folder, self._tell = folder, tell
        self._file: JournalFile | None = None
        self._told: Happened | None = None

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
            self._report(Happened.AWAY)

    def bring_up_to_date(self, journal: Path, *, replace: bool) -> bool:
        """Copy what the other disk lacks. Returns True if the disk has entries that are not here.

        With `replace` such a file is set aside instead.
        """
        there = second_folder(self._folder)
        if there is None or self._is_open():
            return False
        self.close()
        happened, lag, is_new = why_not(self._folder, there), 0, False
        if happened is None:
            try:
                there.mkdir(parents=True, exist_ok=True)
                is_new = not os.path.lexists(there / SECOND)
                lag = _copy(journal, there / SECOND, replace=replace)
                if lag < 0:
                    return True
                self._file, happened = JournalFile(there / SECOND), Happened.BACK
            except (StoreError, OSError):
                happened = Happened.AWAY
        if happened is not Happened.BACK or is_new or lag > 1 or self._told is not None:
            self._report(happened)
        self._told = happened
        return False

    def _is_open(self) -> bool:
        try:
            return self._file is not None and not self._file.is_changed()
        except OSError:
            return False

    def _report(self, happened: Happened) -> None:
        if happened is not self._told:
            self._tell(Warned(happened))
        self._told = happened

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        self._file = None


def _copy(journal: Path, copy: Path, *, replace: bool) -> int:
    """Copy what the copy lacks.

    Returns how many writes that was, -1 if it has other entries. Raises StoreError, OSError.
    """
    with open(open_for_reading(journal), "rb", 0) as file:
        start: int | None = 0
        if os.path.lexists(copy):
            with open(open_for_reading(copy), "rb", 0) as other:
                start = shared_end(other.fileno(), file.fileno())
            if start is None and not replace:
                return -1
        lag = 0

        def missing() -> Iterator[bytes]:
            nonlocal lag
            for line in filter(None, lines_from(file.fileno(), start or 0)):
                lag += not line.more
                yield line.data

        if start:
            with contextlib.closing(JournalFile(copy)) as there:
                there.cut(start)
                there.append(b"".join(line + b"\n" for line in missing()))
            return lag
        if start is None:
            set_aside(copy)
        replace_journal(copy, missing())
        return lag

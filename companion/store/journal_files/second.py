"""Where the journal's second file lies: in the data folder, or on another disk, such as a stick, if one is configured.

While that disk is away the second file is in the data folder. Where it is configured is noted there, since commands and
readers have to know it as well.
"""

from __future__ import annotations

import contextlib
import os
from itertools import islice
from typing import TYPE_CHECKING

from companion.languages import text
from companion.store.data_folder import open_for_reading, overwrite, read_small_file
from companion.store.errors import StoreError
from companion.store.journal_files.diagnosis import lines_from
from companion.store.notices import Happened, Told, told

if TYPE_CHECKING:
    from pathlib import Path

JOURNAL = "rounds.journal"
SECOND = "rounds.journal-2"
PLACE = "rounds.journal-2.place"
COMPARED = 200
"""How many lines at the beginning of two files are compared, to find out whether they are of one table."""

AWAY = told(
    Happened.AWAY,
    text("The disk for the second copy of the rounds is away or cannot be written: both copies are on the box."),
)
FOREIGN = told(
    Happened.FOREIGN,
    text("The disk for the second copy has another table's rounds and is left as it is: both copies are on the box."),
)
BACK = told(Happened.BACK, text("The second copy of the rounds is on its own disk."))


def place(folder: Path) -> Path | None:
    """The folder on another disk that is configured for the second file; None for none. Raises StoreError, OSError."""
    noted = read_small_file(folder / PLACE).decode(errors="surrogateescape")
    return folder / noted if noted else None


def configure(folder: Path, second: Path | None) -> bool:
    """Note where the second file is to be, None: the data folder. Whether that is new. Raises StoreError, OSError."""
    if place(folder) == second:
        return False
    if second is None:
        (folder / PLACE).unlink()
        return True
    overwrite(folder / PLACE, os.fsencode(second))
    return True


def paths(folder: Path) -> tuple[Path, Path]:
    """The two files of a data folder. What the other disk has lacked since is in the data folder. Raises StoreError."""
    first, home = folder / JOURNAL, folder / SECOND
    there = place(folder)
    if there is None or os.path.lexists(home) or why_not(folder, there):
        return first, home
    return first, there / SECOND


def why_not(folder: Path, there: Path) -> Told | None:
    """Why the second file cannot be in a folder on another disk; None if it can. Raises StoreError."""
    try:
        # What is no mount point while the disk is away lies on the disk of the rounds.
        if device_of(there) == device_of(folder):
            return AWAY
        return FOREIGN if _of_another(there / SECOND, (folder / JOURNAL, folder / SECOND)) else None
    except OSError:
        return AWAY


def device_of(folder: Path) -> int:
    """The device number of a folder's disk, of its nearest parent if it does not exist. Raises OSError."""
    there = next(each for each in (folder, *folder.absolute().parents) if os.path.isdir(each))
    return os.stat(there).st_dev


def _of_another(path: Path, ours: tuple[Path, ...]) -> bool:
    """Whether a file has the lines of another table: it has another first line, or where that is damaged, others."""
    its = _beginning(path)
    for mine in filter(None, map(_beginning, ours)):
        both = its.keys() & mine.keys()
        return bool(its) and (not both or any(its[number] != mine[number] for number in {1} & both or both))
    return False


def _beginning(path: Path) -> dict[int, bytes]:
    """The first lines of a file by number, without the one that all have."""
    with contextlib.suppress(FileNotFoundError, StoreError), open(open_for_reading(path), "rb", 0) as file:
        lines = islice(lines_from(file.fileno(), 0), COMPARED)
        return {line.number: line.data for line in lines if line is not None and line.number and not line.lost}
    return {}

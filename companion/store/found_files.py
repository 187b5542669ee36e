"""The files of a data folder as a start finds them: whether journal and database are intact, and whether they agree.

Most starts find both as they were left. `fingerprints` proves that without reading every entry, and `missing_writes`
says how little the database lacks; only otherwise `diagnose` looks through everything. Nothing is written here.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from typing import TYPE_CHECKING

from companion.store import database, second_disk
from companion.store.data_folder import open_for_reading
from companion.store.database import DATABASE, saved_sums
from companion.store.diagnosis import DatabaseSource, Diagnosis, JournalSource
from companion.store.errors import StoreError, is_busy, is_damage, is_spoiled
from companion.store.journal import (
    JOURNAL,
    NEAR,
    UNKNOWN,
    Fingerprint,
    content_end,
    file_fingerprint,
    fingerprint,
    fingerprint_until,
    is_short,
    lines_after,
    lines_from,
    shared_end,
)
from companion.store.journal_lines import understood
from companion.store.notices import Happened, Warned
from companion.store.second_disk import SECOND
from companion.store.stored_lines import StoredLine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OLDER = ("rounds.index", "rounds.index-wal", "rounds.index-shm", "rounds.index-note", SECOND)
"""Files that versions 0.6 and 0.7 have in the data folder beside the journal."""


class FoundFiles:
    """The files in a data folder, opened for reading.

    Attributes:
        journal_fd: the journal, None if there is none that can be read.
        is_journal_writable: whether the journal can be written as it is.
        intact_fingerprint: the journal's fingerprint if it is as it was left, or has further valid entries; else None.
        database: the database, None if there is none that can be read.
        has_database_changed: whether somebody has changed the database since it was left.
        is_database_as_left: whether the database is just as it was left, and has the tables of this version.
        read_error: why the disk does not let the database be read. The database need not be damaged then.
        unusable_paths: the paths of journal and database at which there is a link, a pipe or a folder.
        is_from_older_version: whether a version before 0.8 was the last to write here.

    Raises StoreError, OSError, and sqlite3.Error if the database is locked.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._undo = contextlib.ExitStack()
        self.unusable: list[Path] = []
        self.refused: Exception | None = None
        self.db: sqlite3.Connection | None = None
        self.as_left = self.is_changed = False
        self.older = any(os.path.lexists(folder / name) for name in OLDER)
        sums = saved_sums(folder)
        self.sums = sums or (UNKNOWN, UNKNOWN)
        try:
            path = folder / JOURNAL
            self.journal = self._opened(path)
            self.writable = os.access(path, os.W_OK, effective_ids=True) and path.stat().st_nlink == 1
            self._others = [(fd, path) for path in self._other_paths() if (fd := self._opened(path)) is not None]
            self.intact = fingerprint(self.journal, self.sums[0]) if self.journal is not None else None
            if sums is None and self.journal is not None:
                self.intact = next((found for fd, _ in self._others if (found := twins(self.journal, fd))), None)
            self._open_database(folder / DATABASE)
        except BaseException:
            self.close()
            raise

    def _opened(self, path: Path) -> int | None:
        try:
            fd = open_for_reading(path)
        except FileNotFoundError:
            return None
        except (StoreError, OSError) as error:
            if isinstance(error, OSError) and not is_spoiled(error):
                raise
            self.unusable.append(path)
            return None
        self._undo.callback(os.close, fd)
        return fd

    def _other_paths(self) -> list[Path]:
        """Further journals: the second one of an older version, and the copy on another disk."""
        there = second_disk.second_folder(self.folder)
        paths = [self.folder / SECOND]
        if there is not None and second_disk.why_not(self.folder, there) is None:
            paths.append(there / SECOND)
        return paths

    def _open_database(self, path: Path) -> None:
        try:
            database.refuse_what_is_no_file(path)
            with open(open_for_reading(path), "rb", 0) as file:
                found = file_fingerprint(file.fileno())
            self.db = database.connect_read_only(path)
            self.is_changed = self.sums[1] not in (UNKNOWN, found)
            self.as_left = self.sums[1] == found and database.fits(self.db)
        except FileNotFoundError:
            return
        except (StoreError, PermissionError):
            self.unusable.append(path)
        except (sqlite3.Error, ValueError, OSError) as error:  # ValueError: a message about damage may not be UTF-8.
            if is_busy(error):
                raise
            if not is_damage(error):
                self.db, self.refused = None, error

    def lag(self) -> int | None:
        """How many writes at the end of an intact journal the database lacks; None if the two do not agree."""
        if self.intact is None or self.db is None or not self.as_left:
            return None
        try:
            row = self.db.execute("SELECT * FROM log_entries ORDER BY id DESC LIMIT 1").fetchone()
            top = row[0] if row else 0
            behind = lines_after(self.folder / JOURNAL, max(0, top - 1))
            first = next(behind, None) if row else None
            if row and (first is None or next(understood([first]), None) != StoredLine(*row)):
                return None
            return sum(1 for line in behind if not line.more)
        except (sqlite3.Error, ValueError, TypeError):
            return None

    @property
    def top(self) -> int:
        """The number of the last entry of an intact journal; -1 for none."""
        return self.intact.top if self.intact is not None else -1

    @property
    def others_differ(self) -> bool:
        """Whether a further journal is something other than the beginning of the journal."""
        return self.journal is None or any(shared_end(fd, self.journal) is None for fd, _ in self._others)

    def diagnose(self, identity: str = "") -> Diagnosis:
        """Look through all entries of all files. Raises OSError."""
        journal = JournalSource(self.journal, self.folder / JOURNAL) if self.journal is not None else None
        found = None
        try:
            found = DatabaseSource(self.db) if self.db is not None else None
        except sqlite3.Error as error:
            self.refused = error
        return Diagnosis(journal, found, [JournalSource(*each) for each in self._others], identity)

    def warnings(self, diagnosis: Diagnosis, aside: tuple[str, ...] = (), *, began: bool) -> Iterator[Warned]:
        """The warnings about damage.

        `aside_names` are the names under which files are set aside. `has_saved_rounds` is whether rounds were ever
        saved in this folder.
        """
        if diagnosis.top < 1:
            if began or aside:
                yield Warned(Happened.DAMAGED, aside=aside)
            return
        journal, db = diagnosis.journal, diagnosis.database
        damaged = [JOURNAL] if journal is None or diagnosis.is_damaged(journal) else []
        if not self.older and (self.is_changed or (diagnosis.is_damaged(db) if db else began and not self.refused)):
            damaged.append(DATABASE)
        if any(map(diagnosis.is_spoiled, diagnosis.others)):
            damaged.append(SECOND)
        short = diagnosis.short or self.sums[0].top > diagnosis.top
        in_doubt = Happened.CUT if short else Happened.LAST_ENTRY if diagnosis.in_doubt else None
        if diagnosis.lost:
            lost, more = diagnosis.named()
            yield Warned(Happened.DAMAGED, lost=lost, more=more, aside=aside)
        elif diagnosis.differ:
            yield Warned(Happened.DAMAGED, differ=diagnosis.differ, aside=aside)
        elif damaged and in_doubt is None:
            yield Warned(Happened.MENDED, tuple(damaged), aside=aside)
        if in_doubt is not None:
            yield Warned(in_doubt)

    def close(self) -> None:
        """Close all files, and the database unless the caller has set `database` to None to keep it."""
        self._undo.close()
        if self.db is not None:
            self.db.close()


def twins(one: int, other: int) -> Fingerprint | None:
    """The fingerprint of two journals with the same bytes and a valid entry at the end; else None. Raises OSError."""
    end = content_end(one)
    if not shared_end(one, other) == shared_end(other, one) == end or is_short(one):
        return None
    last = [None, *lines_from(one, max(0, end - NEAR))][-1]
    return fingerprint_until(one, end, last.last) if last is not None and not last.more else None

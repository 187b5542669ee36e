"""The files of a data folder as a start finds them: whether journal and database are intact, and whether they agree.

Most starts find both as they were left. `fingerprints` proves that without reading every entry, and
`count_missing_writes` says how little the database lacks; only otherwise `diagnose` looks through everything.
Nothing is written here.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from typing import TYPE_CHECKING

from companion.store import database, second_disk
from companion.store.data_folder import open_for_reading
from companion.store.database import DATABASE_NAME, saved_fingerprints
from companion.store.diagnosis import DatabaseSource, Diagnosis, JournalSource
from companion.store.errors import StoreError, is_damage, is_io_or_permission_error, is_locked_error
from companion.store.journal import (
    FIRST_SEARCH_BYTES,
    JOURNAL_NAME,
    UNKNOWN_FINGERPRINT,
    Fingerprint,
    content_end,
    end_offset_if_prefix,
    file_fingerprint,
    fingerprint_if_intact,
    fingerprint_until,
    is_cut_short,
    lines_after,
    read_lines,
)
from companion.store.journal_lines import parse_entries
from companion.store.second_disk import SECOND_NAME
from companion.store.store_warnings import StoreWarning, WarningKind
from companion.store.stored_entries import StoredEntry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OLDER_NAMES = ("rounds.index", "rounds.index-wal", "rounds.index-shm", "rounds.index-note", SECOND_NAME)
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
        self.unusable_paths: list[Path] = []
        self.read_error: Exception | None = None
        self.database: sqlite3.Connection | None = None
        self.is_database_as_left = self.has_database_changed = False
        self.is_from_older_version = any(os.path.lexists(folder / name) for name in OLDER_NAMES)
        sums = saved_fingerprints(folder)
        self.fingerprints = sums or (UNKNOWN_FINGERPRINT, UNKNOWN_FINGERPRINT)
        try:
            path = folder / JOURNAL_NAME
            self.journal_fd = self._open_journal(path)
            self.is_journal_writable = os.access(path, os.W_OK, effective_ids=True) and path.stat().st_nlink == 1
            self._other_journals = [
                (fd, path) for path in self._other_paths() if (fd := self._open_journal(path)) is not None
            ]
            self.intact_fingerprint = (
                fingerprint_if_intact(self.journal_fd, self.fingerprints[0]) if self.journal_fd is not None else None
            )
            if sums is None and self.journal_fd is not None:
                self.intact_fingerprint = next(
                    (found for fd, _ in self._other_journals if (found := identical_fingerprint(self.journal_fd, fd))),
                    None,
                )
            self._open_database(folder / DATABASE_NAME)
        except BaseException:
            self.close()
            raise

    def _open_journal(self, path: Path) -> int | None:
        try:
            fd = open_for_reading(path)
        except FileNotFoundError:
            return None
        except (StoreError, OSError) as error:
            if isinstance(error, OSError) and not is_io_or_permission_error(error):
                raise
            self.unusable_paths.append(path)
            return None
        self._undo.callback(os.close, fd)
        return fd

    def _other_paths(self) -> list[Path]:
        """Further journals: the second one of an older version, and the copy on another disk."""
        second = second_disk.second_folder(self.folder)
        paths = [self.folder / SECOND_NAME]
        if second is not None and second_disk.find_disk_fault(self.folder, second) is None:
            paths.append(second / SECOND_NAME)
        return paths

    def _open_database(self, path: Path) -> None:
        try:
            database.refuse_irregular_files(path)
            with open(open_for_reading(path), "rb", 0) as file:
                fingerprint = file_fingerprint(file.fileno())
            self.database = database.connect_read_only(path)
            self.has_database_changed = self.fingerprints[1] not in (UNKNOWN_FINGERPRINT, fingerprint)
            is_same = self.fingerprints[1] == fingerprint
            self.is_database_as_left = is_same and database.has_current_tables(self.database)
        except FileNotFoundError:
            return
        except (StoreError, PermissionError):
            self.unusable_paths.append(path)
        except (sqlite3.Error, ValueError, OSError) as error:  # ValueError: a message about damage may not be UTF-8.
            if is_locked_error(error):
                raise
            if not is_damage(error):
                self.database, self.read_error = None, error

    def count_missing_writes(self) -> int | None:
        """How many writes at the end of an intact journal the database lacks; None if the two do not agree."""
        if self.intact_fingerprint is None or self.database is None or not self.is_database_as_left:
            return None
        try:
            row = self.database.execute("SELECT * FROM log_entries ORDER BY id DESC LIMIT 1").fetchone()
            last_number = row[0] if row else 0
            later_lines = lines_after(self.folder / JOURNAL_NAME, max(0, last_number - 1))
            first = next(later_lines, None) if row else None
            if row and (first is None or next(parse_entries([first]), None) != StoredEntry(*row)):
                return None
            return sum(1 for line in later_lines if not line.following_lines)
        except (sqlite3.Error, ValueError, TypeError):
            return None

    @property
    def last_number(self) -> int:
        """The number of the last entry of an intact journal; -1 for none."""
        return self.intact_fingerprint.last_number if self.intact_fingerprint is not None else -1

    @property
    def others_differ(self) -> bool:
        """Whether a further journal has anything but the beginning of the journal."""
        return self.journal_fd is None or any(
            end_offset_if_prefix(fd, self.journal_fd) is None for fd, _ in self._other_journals
        )

    def diagnose(self, identity: str = "") -> Diagnosis:
        """Look through all entries of all files. Raises OSError."""
        journal = JournalSource(self.journal_fd, self.folder / JOURNAL_NAME) if self.journal_fd is not None else None
        database_source = None
        try:
            database_source = DatabaseSource(self.database) if self.database is not None else None
        except sqlite3.Error as error:
            self.read_error = error
        return Diagnosis(journal, database_source, [JournalSource(*each) for each in self._other_journals], identity)

    def find_warnings(
        self, diagnosis: Diagnosis, aside_names: tuple[str, ...] = (), *, has_saved_rounds: bool
    ) -> Iterator[StoreWarning]:
        """The warnings about damage.

        `aside_names` are the names under which files are set aside. `has_saved_rounds` is whether rounds were ever
        saved in this folder.
        """
        if diagnosis.last_number < 1:
            if has_saved_rounds or aside_names:
                yield StoreWarning(WarningKind.DAMAGED, aside_names=aside_names)
            return
        journal, db = diagnosis.journal, diagnosis.database
        damaged = [JOURNAL_NAME] if journal is None or diagnosis.is_damaged(journal) else []
        if not self.is_from_older_version and (
            self.has_database_changed or (diagnosis.is_damaged(db) if db else has_saved_rounds and not self.read_error)
        ):
            damaged.append(DATABASE_NAME)
        if any(map(diagnosis.is_spoiled_copy, diagnosis.others)):
            damaged.append(SECOND_NAME)
        short = diagnosis.is_cut_short or self.fingerprints[0].last_number > diagnosis.last_number
        in_doubt = WarningKind.CUT if short else WarningKind.LAST_ENTRY if diagnosis.is_last_in_doubt else None
        if diagnosis.lost_spans:
            lost, more = diagnosis.first_lost_spans()
            yield StoreWarning(WarningKind.DAMAGED, lost_spans=lost, unnamed_spans=more, aside_names=aside_names)
        elif diagnosis.differs_from:
            yield StoreWarning(WarningKind.DAMAGED, differs_from=diagnosis.differs_from, aside_names=aside_names)
        elif damaged and in_doubt is None:
            yield StoreWarning(WarningKind.MENDED, tuple(damaged), aside_names=aside_names)
        if in_doubt is not None:
            yield StoreWarning(in_doubt)

    def close(self) -> None:
        """Close all files, and the database unless the caller has set `database` to None to keep it."""
        self._undo.close()
        if self.database is not None:
            self.database.close()


def identical_fingerprint(journal: int, copy: int) -> Fingerprint | None:
    """The fingerprint of two journals with the same bytes and a valid entry at the end; else None. Raises OSError."""
    end = content_end(journal)
    if not end_offset_if_prefix(journal, copy) == end_offset_if_prefix(copy, journal) == end or is_cut_short(journal):
        return None
    last = [None, *read_lines(journal, max(0, end - FIRST_SEARCH_BYTES))][-1]
    return fingerprint_until(journal, end, last.last) if last is not None and not last.following_lines else None

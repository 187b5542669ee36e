"""Journal and database of a data folder as they lie there, opened to be read: whether they are intact and agree."""

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
"""What versions 0.6 and 0.7 have in the data folder beside the journal."""


class FoundFiles:
    """What lies in a data folder.

    Attributes:
        journal: the journal, None if there is none that can be read; `writable` if it can be written as it is.
        intact: the journal's fingerprint, None unless it is as it was left, or has valid entries more.
        db: the database, None if there is none that can be read; `as_left` if it is not `is_changed`, with our tables.
        refused: why the disk does not let the database be read, which does not mean that it is damaged.
        unusable: the paths of these two where something lies that is no file of ours.
        older: whether a version before this one was the last to write here.

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
        """Further journals: a second one of an older version, and the copy on another disk."""
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
        except (sqlite3.Error, ValueError, OSError) as error:  # A message about damage may be no UTF-8.
            if is_busy(error):
                raise
            if not is_damage(error):
                self.db, self.refused = None, error

    def lag(self) -> int | None:
        """How many writes the database lacks at the end of an intact journal; None if the two do not agree."""
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
        """The number of the last entry of an intact journal."""
        return self.intact.top if self.intact is not None else -1

    @property
    def others_differ(self) -> bool:
        """Whether a further journal has something else than the beginning of the journal."""
        return self.journal is None or any(shared_end(fd, self.journal) is None for fd, _ in self._others)

    def diagnose(self, identity: str = "") -> Diagnosis:
        """Look through all entries. Raises OSError."""
        journal = JournalSource(self.journal, self.folder / JOURNAL) if self.journal is not None else None
        found = None
        try:
            found = DatabaseSource(self.db) if self.db is not None else None
        except sqlite3.Error as error:
            self.refused = error
        return Diagnosis(journal, found, [JournalSource(*each) for each in self._others], identity)

    def warnings(self, diagnosis: Diagnosis, aside: tuple[str, ...] = (), *, began: bool) -> Iterator[Warned]:
        """What is reported about damage; `aside` are names of what is set aside, `began`: rounds were saved here."""
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
        """Close all files, and the database unless somebody has taken it."""
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

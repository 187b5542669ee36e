"""Journal and database of a data folder while they are open for writing.

If one is damaged, it is rebuilt from the other.

An entry is saved when it is on disk in both:

    1. append to the journal, sync     a power cut here spoils the journal's end only
    2. commit the database, synced     a power cut here spoils the database only
    if either fails: undo both         the move did not happen

A large database takes minutes to rebuild. The table then starts with a database of the last rounds, while another
process builds the complete one.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
import subprocess
import sys
import zlib
from typing import TYPE_CHECKING, Literal

from companion.languages import text
from companion.store import database, history, second_disk
from companion.store.data_folder import delete_or_set_aside, free_aside_path, set_file_aside
from companion.store.database import DATABASE_NAME, NEW_DATABASE_NAME, DatabaseFile
from companion.store.errors import StoreError, is_damage, is_disk_full, is_io_or_permission_error, is_locked_error
from companion.store.found_files import OLDER_NAMES, FoundFiles
from companion.store.journal import (
    JOURNAL_NAME,
    RECENT_BYTES,
    UNKNOWN_FINGERPRINT,
    Fingerprint,
    JournalFile,
    entries_after,
    fingerprint_until,
    lines_after,
    raw_lines,
    replace_journal,
    sync_folder,
)
from companion.store.journal_lines import HEADER_LINE, format_entries, parse_entries
from companion.store.second_disk import SECOND_NAME, SecondCopy
from companion.store.store_warnings import StoreWarning, WarningKind, save_warning, saved_warnings
from companion.store.stored_entries import StoredEntry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from companion.store.diagnosis import Diagnosis

NOT_LISTED_YET = text("The lists of rounds are being built: try again soon.")
MAX_ENTRIES_AT_START = 20_000
"""How many entries a start adds to the database before the table is up: half a second on a desktop."""


class OpenStore:
    """Journal and database of a folder that the caller has locked.

    Args:
        folder: the data folder.
        second_folder: the folder on another disk for a copy of the journal; None for no copy, "" for the last one.
        in_background: build a large database beside the table, which has only the last rounds until then.
        has_saved_rounds: whether rounds were ever saved in the folder.
        identity: the store's identity, "" if unknown.
        on_slow_search: called with the number of bytes before a search that may take minutes on a slow computer.
        on_warning: called with each warning for the players.

    `database` has all rounds if `is_complete`, otherwise the last ones.

    Raises StoreError, sqlite3.Error and OSError, and so do all methods that open or repair files.
    """

    def __init__(
        self,
        folder: Path,
        *,
        second_folder: Path | Literal[""] | None,
        in_background: bool,
        has_saved_rounds: bool,
        identity: str,
        on_slow_search: Callable[[int], object],
        on_warning: Callable[[StoreWarning], None],
    ) -> None:
        self._folder, self._builds_in_background = folder, in_background
        self._on_slow_search, self._on_warning = on_slow_search, on_warning
        self._path, self._database_path = folder / JOURNAL_NAME, folder / DATABASE_NAME
        self._identity = identity
        self._waits_for_locks = True
        self.journal: JournalFile | None = None
        self._database_file: DatabaseFile | None = None
        self._fingerprint = UNKNOWN_FINGERPRINT  # the fingerprint of the journal
        self._write_error: Exception | None = None  # why there is no journal or database to write to
        self.maker_process: subprocess.Popen[bytes] | None = None
        self.database = sqlite3.connect(":memory:")
        self.is_complete = False
        if second_folder != "":
            second_disk.configure_second(folder, second_folder)
        self.second_copy = SecondCopy(folder, on_warning)
        for warning in saved_warnings(folder):
            on_warning(warning)
        try:
            self._open(has_saved_rounds=has_saved_rounds)
        except BaseException:
            self.close()
            raise
        if is_disk_full(folder):
            on_warning(StoreWarning(WarningKind.NO_ROOM))

    # -- opening --------------------------------------------------------------------------------------------------

    def _open(self, *, has_saved_rounds: bool = True) -> None:
        """Open journal and database, and rebuild what is damaged."""
        with contextlib.closing(FoundFiles(self._folder)) as files:
            missing_writes, diagnosis = files.count_missing_writes(), None
            if (
                files.intact_fingerprint is None
                or files.others_differ
                or (files.database is not None and missing_writes is None)
            ):
                # A small journal takes no time, and then a start that hangs should be noticed soon.
                if files.journal_fd is not None and (size := os.fstat(files.journal_fd).st_size) > RECENT_BYTES:
                    self._on_slow_search(size)
                diagnosis = files.diagnose(self._identity)
            try:
                self._write_error = None
                self._repair(files, diagnosis, missing_writes, has_saved_rounds=has_saved_rounds)
            except (StoreError, sqlite3.Error, OSError) as error:
                if is_locked_error(error) or (diagnosis is not None and diagnosis.last_number < 1):
                    raise
                self._use_memory(error, diagnosis)
        if self._database_file is not None:
            self.second_copy.bring_up_to_date(self._path, replace=True)
        if not self._waits_for_locks:
            self.stop_waiting_for_locks()

    def _repair(
        self, files: FoundFiles, diagnosis: Diagnosis | None, missing_writes: int | None, *, has_saved_rounds: bool
    ) -> None:
        """Make sure that there is an intact journal and an intact database."""
        if diagnosis is None:
            must_renew = missing_writes is None and files.read_error is None
            aside = []
            if self._database_path in files.unusable_paths:
                aside = [database.set_database_aside(self._database_path)]
            if not files.is_from_older_version and ((missing_writes or 0) > 1 or (must_renew and has_saved_rounds)):
                self._warn(StoreWarning(WarningKind.MENDED, (DATABASE_NAME,), aside_names=tuple(aside)))
            if not files.is_journal_writable:
                replace_journal(self._path, (line.data for line in lines_after(self._path, -1)))
        else:
            must_renew = self._repair_journal(files, diagnosis, has_saved_rounds=has_saved_rounds)
        self.journal = JournalFile(self._path)
        top = diagnosis.last_number if diagnosis is not None else files.last_number
        self._fingerprint = fingerprint_until(self.journal.fd, self.journal.end, max(0, top))
        if not must_renew:
            try:
                self._use_database(files.fingerprints[1])
            except (ValueError, StoreError, OSError, sqlite3.DatabaseError) as error:
                if not (
                    isinstance(error, ValueError | StoreError) or is_damage(error) or is_io_or_permission_error(error)
                ):
                    raise
                must_renew = True
        if must_renew and files.read_error is not None and not is_disk_full(self._folder):
            self._close_database()
            aside_name = database.set_database_aside(self._database_path)
            self._warn(StoreWarning(WarningKind.MENDED, (DATABASE_NAME,), aside_names=(aside_name,)))
        if must_renew or not (self.is_complete or self._builds_in_background):
            self.renew_database()
        self._finish_opening()

    def _repair_journal(self, files: FoundFiles, diagnosis: Diagnosis, *, has_saved_rounds: bool) -> bool:
        """Report damage, set damaged files aside, and rewrite the journal.

        Returns whether the database must be rebuilt too.
        """
        journal, db, is_new = diagnosis.journal, diagnosis.database, diagnosis.last_number < 1
        is_valid = journal is not None and diagnosis.is_complete_and_valid(journal) and not journal.is_cut_short
        if files.read_error is not None and not is_valid:
            raise files.read_error
        is_ours = db is None or (db.last_number and db not in diagnosis.rejected_sources and not diagnosis.lost_spans)
        moved_paths = [path for path in (self._path, self._database_path) if path in files.unusable_paths]
        moved_paths += [self._database_path] if not is_ours and self._database_path not in moved_paths else []
        copied_paths = [
            each.path for each in diagnosis.files if each in diagnosis.rejected_sources or diagnosis.lost_spans
        ]
        aside = tuple(free_aside_path(path).name for path in (*copied_paths, *moved_paths))
        for warning in files.find_warnings(diagnosis, aside, has_saved_rounds=has_saved_rounds):
            self._warn(warning)
        for path in copied_paths:
            if path.parent == self._folder:  # The copy on another disk is set aside when it is written.
                _copy_aside(path)
        if self._path in moved_paths:
            set_file_aside(self._path)
        if is_new:
            replace_journal(self._path, [HEADER_LINE])
        elif not is_valid or not files.is_journal_writable:
            replace_journal(self._path, (line.data for line in diagnosis.read_lines()))
        if self._database_path in moved_paths:
            database.set_database_aside(self._database_path)
        return is_new or db is None or not files.is_database_as_left or not diagnosis.is_complete_and_valid(db)

    def _warn(self, warning: StoreWarning) -> None:
        with contextlib.suppress(StoreError, OSError):  # The disk may be full.
            save_warning(self._folder, warning)
        self._on_warning(warning)

    def _use_memory(self, error: Exception, diagnosis: Diagnosis | None) -> None:
        """Read the rounds into memory if the disk has no room for journal and database. Then nothing can be written."""
        self._close_files()
        entries = entries_after(self._path, -1) if diagnosis is None else parse_entries(diagnosis.read_lines())
        self.database = database.create_from_entries(":memory:", entries)
        self.is_complete, self._write_error = True, error

    def _use_database(self, saved: Fingerprint) -> None:
        """Open the database, and add what it lacks at the end of the journal.

        Raises ValueError if the database is not as it was left.
        """
        file = DatabaseFile(self._database_path, saved)
        self._close_database()
        self._database_file, self.database, self.is_complete = file, file.db, database.has_all_rounds(file.db)
        if not self._waits_for_locks:
            self.stop_waiting_for_locks()
        top = database.last_number(self.database)
        is_far_behind = self._fingerprint.last_number - top > MAX_ENTRIES_AT_START
        if is_far_behind and self._builds_in_background and self.is_complete:
            raise ValueError("far behind")
        database.add_entries(self.database, entries_after(self._path, top))
        with self.database:
            history.rate_all_if_none(self.database)
        file.commit()

    def renew_database(self) -> None:
        """Rebuild the database: at once if it is small, else first with the last rounds."""
        self._stop_making()
        self._close_database()
        if is_disk_full(self._folder):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        size = os.fstat(self._journal.fd).st_size
        complete = size <= RECENT_BYTES or not self._builds_in_background
        if complete and size > RECENT_BYTES:
            self._on_slow_search(size)
        if not complete:
            self._copy_journal(size)
        database.build_database(self._folder, NEW_DATABASE_NAME, is_complete=complete)
        self._use_new_database()

    def _copy_journal(self, size: int) -> None:
        """Copy the journal until there is a database of all rounds, since it is the only file with them.

        `_finish_opening` deletes it.
        """
        copy, disk = self._folder / SECOND_NAME, os.statvfs(self._folder)
        if not os.path.lexists(copy) and disk.f_bavail * disk.f_frsize > 4 * size:
            with contextlib.suppress(StoreError, OSError):
                replace_journal(copy, (data for _, data, _ in raw_lines(self._journal.fd)))

    def replace_damaged_database(self) -> None:
        """Rebuild a database that turned out to be damaged while it is open."""
        if self._database_file is None:
            self.repair_if_changed()
            return
        self._journal.undo_failed_write()
        try:
            self.renew_database()
        except (StoreError, sqlite3.Error, OSError) as error:
            self._use_memory(error, None)
            raise
        self._warn(StoreWarning(WarningKind.MENDED, (DATABASE_NAME,)))
        self._finish_opening()

    def _use_new_database(self) -> None:
        """Put a new database in the place of the old one, and open it."""
        self._close_database()
        database.delete_database(self._database_path)
        sync_folder(self._folder)
        # Saved only now: while the old database was there, it would have made that one count as intact.
        database.save_fingerprints(self._folder, self._fingerprint, UNKNOWN_FINGERPRINT, sync=True)
        saved = database.install_new_database(self._folder)
        try:
            self._use_database(saved)
        except ValueError as error:
            raise StoreError(NOT_LISTED_YET) from error
        database.save_fingerprints(self._folder, self._fingerprint, saved)

    def _finish_opening(self) -> None:
        """Start building a database of all rounds, or delete the files of older versions if there is one."""
        if not self.is_complete:
            self._start_making()
            return
        for name in OLDER_NAMES:
            with contextlib.suppress(OSError):
                path = self._folder / name
                if name == SECOND_NAME and os.path.lexists(path) and not os.access(path, os.R_OK, effective_ids=True):
                    set_file_aside(path)  # It may have entries that nobody could read.
                else:
                    delete_or_set_aside(path)

    def _start_making(self) -> None:
        disk, size = os.statvfs(self._folder), os.stat(self._path).st_size
        if disk.f_bavail * disk.f_frsize < 2 * size:  # A full disk would refuse moves while it is built.
            return
        command = (sys.executable, "-P", "-m", "companion.store.database", str(self._folder), NEW_DATABASE_NAME)
        with contextlib.suppress(OSError):
            self.maker_process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def _stop_making(self) -> None:
        if self.maker_process is not None:
            self.maker_process.kill()
            self.maker_process.wait()
            self.maker_process = None

    # -- writing --------------------------------------------------------------------------------------------------

    @property
    def _journal(self) -> JournalFile:
        assert self.journal is not None, "there is a journal where there is a database"
        return self.journal

    def repair_if_changed(self, *, reopen: bool = False) -> None:
        """Repair journal or database if somebody has changed them meanwhile; with `reopen`, open them again anyway."""
        journal, file = self.journal, self._database_file
        if journal is not None:
            journal.undo_failed_write()
        if (
            not reopen
            and journal is not None
            and file is not None
            and not (journal.has_changed() or file.has_changed())
        ):
            return
        if self._write_error is not None and is_disk_full(self._folder):
            raise self._write_error
        self._close_files(checkpoint_first=True)
        self._open()
        if self._write_error is not None:
            raise self._write_error

    def save_entries(self, entries: Sequence[StoredEntry]) -> None:
        """Save entries in the journal, and commit what was written to the database: both or neither.

        Raises OSError, sqlite3.Error.
        """
        assert self._database_file is not None, "it is ready"
        data, end = format_entries(entries), self._journal.end
        try:
            if data:
                self._journal.append(data)
            self._database_file.commit()
        except BaseException:
            with contextlib.suppress(OSError):  # The journal tries again before it writes the next entry.
                self._journal.cut_off(end)
            raise
        if data:
            crc = zlib.crc32(data, self._fingerprint.crc)
            self._fingerprint = Fingerprint(self._fingerprint.size + len(data), crc, entries[-1].id)
            self.second_copy.append(data, self._path)

    @property
    def has_maker_ended(self) -> bool:
        """Whether the process that builds the database has ended."""
        return self.maker_process is not None and self.maker_process.poll() is not None

    def require_all_rounds(self) -> None:
        """Make sure that the database has all rounds. Raises StoreError while it is being built."""
        if not self.is_complete and self.has_maker_ended:
            self.tidy_up()
        if not self.is_complete:
            raise StoreError(text("The rounds cannot be listed yet"), NOT_LISTED_YET)

    def tidy_up(self) -> None:
        """Checkpoint the database's log, or take over a database that was built.

        Raises StoreError, sqlite3.Error, OSError.
        """
        if self._write_error is not None:
            return
        if self.maker_process is not None and self.has_maker_ended:
            is_done, self.maker_process = self.maker_process.returncode == 0, None
            if not is_done:  # The next try is after the next round. Until then the failed one takes no room.
                database.delete_database(self._folder / NEW_DATABASE_NAME)
            elif self._has_last_entry(NEW_DATABASE_NAME):
                self._use_new_database()
            if is_done:
                self._finish_opening()
        elif not self.is_complete and self.maker_process is None:
            self._start_making()
        if self._database_file is not None:
            self._database_file.checkpoint_if_long(self._fingerprint)
        if self.second_copy.bring_up_to_date(self._path, replace=False):
            self._close_files(checkpoint_first=True)
            self._open()

    def _has_last_entry(self, name: str) -> bool:
        """Whether the journal has a database's last entry, whose write may have been undone since."""
        with contextlib.closing(database.open_read_only(self._folder / name)) as db:
            row = db.execute("SELECT * FROM log_entries ORDER BY id DESC LIMIT 1").fetchone()
        return row is None or next(entries_after(self._path, row[0] - 1), None) == StoredEntry(*row)

    def stop_waiting_for_locks(self) -> None:
        """From now on, fail at once if another program has locked the database."""
        self._waits_for_locks = False
        self.database.execute("PRAGMA busy_timeout = 0")

    def _close_database(self) -> None:
        if self._database_file is not None:
            self._database_file.close_without_checkpoint()
        else:
            self.database.close()
        self._database_file, self.is_complete = None, False

    def _close_files(self, *, checkpoint_first: bool = False) -> None:
        """Close all files; with `checkpoint_first`, checkpoint the database's log before, unless something is wrong."""
        self._stop_making()
        if self._database_file is not None and checkpoint_first:
            self._database_file.close(self._fingerprint)
        self._close_database()
        if self.journal is not None:
            self.journal.close()
            self.journal = None

    def close(self) -> None:
        self._close_files(checkpoint_first=True)
        self.second_copy.close()


def _copy_aside(path: Path) -> None:
    """Give a file a second name under which it is set aside. Raises OSError."""
    name = free_aside_path(path)
    try:
        os.link(path, name, follow_symlinks=False)
    except OSError:  # FAT has no second names.
        shutil.copyfile(path, name, follow_symlinks=False)

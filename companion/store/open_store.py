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
from companion.store.data_folder import clear_place, free_name, set_aside
from companion.store.database import DATABASE, NEW, DatabaseFile
from companion.store.errors import StoreError, has_no_room, is_busy, is_damage, is_spoiled
from companion.store.found_files import OLDER, FoundFiles
from companion.store.journal import (
    JOURNAL,
    UNKNOWN,
    WINDOW,
    Fingerprint,
    JournalFile,
    entries_after,
    fingerprint_until,
    lines_after,
    pieces,
    replace_journal,
    sync_folder,
)
from companion.store.journal_lines import HEADER, understood, written
from companion.store.notices import Happened, Warned, save_warning, saved_warnings
from companion.store.second_disk import SECOND, SecondCopy
from companion.store.stored_lines import StoredLine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from companion.store.diagnosis import Diagnosis

NOT_YET = text("The lists of rounds are being built: try again soon.")
AT_ONCE = 20_000
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

    `database` has all rounds if `is_complete`, otherwise the last ones. Raises StoreError, sqlite3.Error, OSError.
    """

    def __init__(
        self,
        folder: Path,
        *,
        second: Path | Literal[""] | None,
        background: bool,
        began: bool,
        identity: str,
        slow: Callable[[int], object],
        tell: Callable[[Warned], None],
    ) -> None:
        self._folder, self._background, self._slow, self._tell = folder, background, slow, tell
        self._path, self._database_path = folder / JOURNAL, folder / DATABASE
        self._identity = identity
        self._patient = True
        self.journal: JournalFile | None = None
        self._file: DatabaseFile | None = None
        self._sum = UNKNOWN  # the fingerprint of the journal
        self._why: Exception | None = None  # why there is no journal or database to write to
        self.maker: subprocess.Popen[bytes] | None = None
        self.db = sqlite3.connect(":memory:")
        self.complete = False
        if second != "":
            second_disk.configure(folder, second)
        self.second = SecondCopy(folder, tell)
        for warning in saved_warnings(folder):
            tell(warning)
        try:
            self._open(began=began)
        except BaseException:
            self.close()
            raise
        if has_no_room(folder):
            tell(Warned(Happened.NO_ROOM))

    # -- opening --------------------------------------------------------------------------------------------------

    def _open(self, *, began: bool = True) -> None:
        """Open journal and database, and rebuild what is damaged. Raises as the class does."""
        with contextlib.closing(FoundFiles(self._folder)) as found:
            lag, diagnosis = found.lag(), None
            if found.intact is None or found.others_differ or (found.db is not None and lag is None):
                if found.journal is not None and (size := os.fstat(found.journal).st_size) > WINDOW:
                    self._slow(
                        size
                    )  # A small journal takes no time, and then a start that hangs should be noticed soon.
                diagnosis = found.diagnose(self._identity)
            try:
                self._why = None
                self._repair(found, diagnosis, lag, began=began)
            except (StoreError, sqlite3.Error, OSError) as error:
                if is_busy(error) or (diagnosis is not None and diagnosis.top < 1):
                    raise
                self._use_memory(error, diagnosis)
        if self._file is not None:
            self.second.bring_up_to_date(self._path, replace=True)
        if not self._patient:
            self.do_not_wait()

    def _repair(self, found: FoundFiles, diagnosis: Diagnosis | None, lag: int | None, *, began: bool) -> None:
        """Make sure that there is an intact journal and an intact database. Raises as the class does."""
        if diagnosis is None:
            renew = lag is None and found.refused is None
            aside = []
            if self._database_path in found.unusable:
                aside = [database.set_database_aside(self._database_path)]
            if not found.older and ((lag or 0) > 1 or (renew and began)):
                self._warn(Warned(Happened.MENDED, (DATABASE,), aside=tuple(aside)))
            if not found.writable:
                replace_journal(self._path, (line.data for line in lines_after(self._path, -1)))
        else:
            renew = self._repair_journal(found, diagnosis, began=began)
        self.journal = JournalFile(self._path)
        top = diagnosis.top if diagnosis is not None else found.top
        self._sum = fingerprint_until(self.journal.fd, self.journal.end, max(0, top))
        if not renew:
            try:
                self._use_database(found.sums[1])
            except (ValueError, StoreError, OSError, sqlite3.DatabaseError) as error:
                if not (isinstance(error, ValueError | StoreError) or is_damage(error) or is_spoiled(error)):
                    raise
                renew = True
        if renew and found.refused is not None and not has_no_room(self._folder):
            self._leave_database()
            self._warn(Warned(Happened.MENDED, (DATABASE,), aside=(database.set_database_aside(self._database_path),)))
        if renew or not (self.complete or self._background):
            self.renew_database()
        self._finish()

    def _repair_journal(self, found: FoundFiles, diagnosis: Diagnosis, *, began: bool) -> bool:
        """Report damage, set damaged files aside, and rewrite the journal.

        Returns whether the database must be rebuilt too.

        Raises StoreError, OSError, sqlite3.Error.
        """
        journal, db, fresh = diagnosis.journal, diagnosis.database, diagnosis.top < 1
        is_valid = journal is not None and diagnosis.is_valid(journal) and not journal.short
        if found.refused is not None and not is_valid:
            raise found.refused
        is_ours = db is None or (db.top and db not in diagnosis.losers and not diagnosis.lost)
        moved = [path for path in (self._path, self._database_path) if path in found.unusable]
        moved += [self._database_path] if not is_ours and self._database_path not in moved else []
        copied = [each.path for each in diagnosis.files if each in diagnosis.losers or diagnosis.lost]
        aside = tuple(free_name(path).name for path in (*copied, *moved))
        for warning in found.warnings(diagnosis, aside, began=began):
            self._warn(warning)
        for path in copied:
            if path.parent == self._folder:  # The copy on another disk is set aside when it is written.
                _copy_aside(path)
        if self._path in moved:
            set_aside(self._path)
        if fresh:
            replace_journal(self._path, [HEADER])
        elif not is_valid or not found.writable:
            replace_journal(self._path, (line.data for line in diagnosis.lines()))
        if self._database_path in moved:
            database.set_database_aside(self._database_path)
        return fresh or db is None or not found.as_left or not diagnosis.is_valid(db)

    def _warn(self, warning: Warned) -> None:
        with contextlib.suppress(StoreError, OSError):  # The disk may be full.
            save_warning(self._folder, warning)
        self._tell(warning)

    def _use_memory(self, why: Exception, diagnosis: Diagnosis | None) -> None:
        """Read the rounds into memory if the disk has no room for journal and database. Then nothing can be written."""
        self._leave()
        entries = entries_after(self._path, -1) if diagnosis is None else understood(diagnosis.lines())
        self.db, self.complete, self._why = database.of_entries(":memory:", entries), True, why

    def _use_database(self, saved: Fingerprint) -> None:
        """Open the database, and add what it lacks at the end of the journal.

        Raises ValueError if the database is not as it was left, and as the class does.
        """
        file = DatabaseFile(self._database_path, saved)
        self._leave_database()
        self._file, self.db, self.complete = file, file.db, database.is_complete(file.db)
        if not self._patient:
            self.do_not_wait()
        top = database.top(self.db)
        if self._sum.top - top > AT_ONCE and self._background and self.complete:
            raise ValueError("far behind")
        database.take_in(self.db, entries_after(self._path, top))
        with self.db:
            history.rate_if_none(self.db)
        file.commit()

    def renew_database(self) -> None:
        """Rebuild the database: at once if it is small, else first with the last rounds. Raises as the class does."""
        self._stop_making()
        self._leave_database()
        if has_no_room(self._folder):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        size = os.fstat(self._journal.fd).st_size
        complete = size <= WINDOW or not self._background
        if complete and size > WINDOW:
            self._slow(size)
        if not complete:
            self._keep_a_copy(size)
        database.make(self._folder, NEW, complete=complete)
        self._take_new()

    def _keep_a_copy(self, size: int) -> None:
        """Copy the journal until there is a database of all rounds, since it is the only file with them.

        `_finish_opening` deletes it.
        """
        copy, disk = self._folder / SECOND, os.statvfs(self._folder)
        if not os.path.lexists(copy) and disk.f_bavail * disk.f_frsize > 4 * size:
            with contextlib.suppress(StoreError, OSError):
                replace_journal(copy, (data for _, data, _ in pieces(self._journal.fd)))

    def replace_damaged(self) -> None:
        """Rebuild a database that turned out to be damaged while it is open. Raises as the class does."""
        if self._file is None:
            self.make_ready()
            return
        self._journal.undo_failed_write()
        try:
            self.renew_database()
        except (StoreError, sqlite3.Error, OSError) as error:
            self._use_memory(error, None)
            raise
        self._warn(Warned(Happened.MENDED, (DATABASE,)))
        self._finish()

    def _take_new(self) -> None:
        """Put a new database in the place of the old one, and open it. Raises as the class does."""
        self._leave_database()
        database.remove(self._database_path)
        sync_folder(self._folder)
        database.save_sums(self._folder, self._sum, UNKNOWN, synced=True)  # Not before: it would vouch for the old one.
        saved = database.put_in_place(self._folder)
        try:
            self._use_database(saved)
        except ValueError as error:
            raise StoreError(NOT_YET) from error
        database.save_sums(self._folder, self._sum, saved)

    def _finish(self) -> None:
        """Start building a database of all rounds, or delete the files of older versions if there is one."""
        if not self.complete:
            self._start_making()
            return
        for name in OLDER:
            with contextlib.suppress(OSError):
                there = self._folder / name
                if name == SECOND and os.path.lexists(there) and not os.access(there, os.R_OK, effective_ids=True):
                    set_aside(there)  # It may have entries that nobody could read.
                else:
                    clear_place(there)

    def _start_making(self) -> None:
        disk, size = os.statvfs(self._folder), os.stat(self._path).st_size
        if disk.f_bavail * disk.f_frsize < 2 * size:  # A full disk would refuse moves while it is built.
            return
        command = (sys.executable, "-P", "-m", "companion.store.database", str(self._folder), NEW)
        with contextlib.suppress(OSError):
            self.maker = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def _stop_making(self) -> None:
        if self.maker is not None:
            self.maker.kill()
            self.maker.wait()
            self.maker = None

    # -- writing --------------------------------------------------------------------------------------------------

    @property
    def _journal(self) -> JournalFile:
        assert self.journal is not None, "there is a journal where there is a database"
        return self.journal

    def make_ready(self, *, again: bool = False) -> None:
        """Repair journal or database if somebody has changed them while they were open; with `reopen`, open them again.

        Raises as the class does.
        """
        journal, file = self.journal, self._file
        if journal is not None:
            journal.undo_failed_write()
        if not again and journal is not None and file is not None and not (journal.is_changed() or file.is_changed()):
            return
        if self._why is not None and has_no_room(self._folder):
            raise self._why
        self._leave(well=True)
        self._open()
        if self._why is not None:
            raise self._why

    def save(self, entries: Sequence[StoredLine]) -> None:
        """Save entries in the journal, and commit what was written to the database: both or neither.

        Raises OSError, sqlite3.Error.
        """
        assert self._file is not None, "it is ready"
        data, end = written(entries), self._journal.end
        try:
            if data:
                self._journal.append(data)
            self._file.commit()
        except BaseException:
            with contextlib.suppress(OSError):  # The journal tries again before it writes the next entry.
                self._journal.cut(end)
            raise
        if data:
            crc = zlib.crc32(data, self._sum.crc)
            self._sum = Fingerprint(self._sum.size + len(data), crc, entries[-1].id)
            self.second.append(data, self._path)

    @property
    def maker_ended(self) -> bool:
        """Whether the process that builds the database has ended."""
        return self.maker is not None and self.maker.poll() is not None

    def need_all(self) -> None:
        """Make sure that the database has all rounds. Raises StoreError while it is being built."""
        if not self.complete and self.maker_ended:
            self.tidy()
        if not self.complete:
            raise StoreError(text("The rounds cannot be listed yet"), NOT_YET)

    def tidy(self) -> None:
        """Checkpoint the database's log, or take over a database that was built.

        Raises StoreError, sqlite3.Error, OSError.
        """
        if self._why is not None:
            return
        if self.maker is not None and self.maker_ended:
            done, self.maker = self.maker.returncode == 0, None
            if not done:  # The next try is after the next round. Until then the failed one takes no room.
                database.remove(self._folder / NEW)
            elif self._is_ours(NEW):
                self._take_new()
            if done:
                self._finish()
        elif not self.complete and self.maker is None:
            self._start_making()
        if self._file is not None:
            self._file.bring_in(self._sum)
        if self.second.bring_up_to_date(self._path, replace=False):
            self._leave(well=True)
            self._open()

    def _is_ours(self, name: str) -> bool:
        """Whether the journal has a database's last entry. It has not if that entry's write was undone since."""
        with contextlib.closing(database.read_only(self._folder / name)) as db:
            row = db.execute("SELECT * FROM log_entries ORDER BY id DESC LIMIT 1").fetchone()
        return row is None or next(entries_after(self._path, row[0] - 1), None) == StoredLine(*row)

    def do_not_wait(self) -> None:
        """From now on, fail at once if another program has locked the database."""
        self._patient = False
        self.db.execute("PRAGMA busy_timeout = 0")

    def _leave_database(self) -> None:
        if self._file is not None:
            self._file.leave()
        else:
            self.db.close()
        self._file, self.complete = None, False

    def _leave(self, *, well: bool = False) -> None:
        """Close all files. Unless something is wrong, `bring_log_in` checkpoints the database's log first."""
        self._stop_making()
        if self._file is not None and well:
            self._file.close(self._sum)
        self._leave_database()
        if self.journal is not None:
            self.journal.close()
            self.journal = None

    def close(self) -> None:
        self._leave(well=True)
        self.second.close()


def _copy_aside(path: Path) -> None:
    """Give a file a second name under which it is set aside. Raises OSError."""
    name = free_name(path)
    try:
        os.link(path, name, follow_symlinks=False)
    except OSError:  # FAT has no second names.
        shutil.copyfile(path, name, follow_symlinks=False)

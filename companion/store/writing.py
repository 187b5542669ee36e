"""Journal and index of a data folder while the table runs: what is damaged is mended, and an index is made anew."""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

from companion.languages import text
from companion.store import history, index, index_file, notices
from companion.store.errors import NO_ROOM, StoreError, has_no_room, is_busy
from companion.store.index_file import IndexFile
from companion.store.journal_files import diagnosis, whole_files
from companion.store.journal_files.journal import Journal
from companion.store.journal_files.second import JOURNAL
from companion.store.notices import Happened, told
from companion.store.stored_lines import StoredLine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from companion.store.notices import Told

NEW = index.INDEX + ".new"
"""The name of an index while another process makes it."""
GONE = text("The files of the kept rounds are gone; new ones were begun.")
NOT_YET = text("The lists of rounds are being made; look again soon.")
AT_ONCE = 20_000
"""How many lines an index may lack, to be taken in before the table is up: half a second of a desktop."""


class Writing:
    """Journal and index of a folder that the caller has locked.

    Attributes:
        journal: the journal.
        db: the index: of all rounds if `whole`, else of the last ones.

    `tell` is called with what the players are told. With `began` rounds were kept in the folder before. Raises
    StoreError, sqlite3.Error, OSError.
    """

    def __init__(
        self,
        folder: Path,
        *,
        moved: bool,
        background: bool,
        began: bool,
        slow: Callable[[int], object],
        tell: Callable[[Told], None],
    ) -> None:
        self._folder, self._background, self._slow = folder, background, slow
        self._path = folder / index.INDEX
        self._patient = True
        self._file: IndexFile | None = None
        self.maker: subprocess.Popen[bytes] | None = None
        self.db = sqlite3.connect(":memory:")
        self.whole = False
        index_file.refuse_what_is_no_file(self._path)
        were = began or index_file.is_there(self._path)
        try:
            self._use(self._path)
            noted = index_file.noted(self._path).lines
            spare = index.Spare(self.db) if self._file is not None and index.top(self.db) else None
            tell(diagnosis.kept_to_tell(notices.sentences(folder / JOURNAL)))
            self.journal = Journal(folder, noted, spare, slow, tell, moved=moved)
            self._follow()
            with self.db:
                history.rate_if_none(self.db)
        except BaseException:
            self._leave_index()
            raise
        if self.journal.fresh and were:
            notices.add(folder / JOURNAL, GONE)
            tell(told(Happened.DAMAGED, GONE))
        if has_no_room(folder):
            tell(told(Happened.NO_ROOM, NO_ROOM))

    def check(self) -> None:
        """Mend a file of the journal that was damaged while it is open. Raises StoreError, OSError."""
        self.journal.check(index.Spare(self.db))

    def _use(self, path: Path) -> None:
        """Use the index there if it is intact. Raises StoreError, OSError, and sqlite3.Error if it is locked."""
        try:
            self._file = IndexFile(path)
        except (ValueError, sqlite3.Error) as error:
            if is_busy(error):
                raise
            return
        self.db, self.whole = self._file.db, True
        if not self._patient:
            self.do_not_wait()

    def _follow(self) -> None:
        """Bring the index to the end of the journal, or make it anew. Raises StoreError, sqlite3.Error, OSError."""
        if self._file is not None and not self.journal.refilled:
            try:
                row = self.db.execute("SELECT * FROM entries ORDER BY id DESC LIMIT 1").fetchone()
                # It is of this journal if that has its last line.
                same = row is None or next(self._after(row[0] - 1), None) == StoredLine(*row)
                if same and (self.journal.sum.top - (row[0] if row else 0) < AT_ONCE or not self._background):
                    index.take_in(self.db, self._after(index.top(self.db)))
                    return
            except (sqlite3.DatabaseError, ValueError, TypeError) as error:
                if is_busy(error):
                    raise
        self.renew_index()

    def _after(self, number: int) -> Iterator[StoredLine]:
        return whole_files.after(self._folder / JOURNAL, number)

    def renew_index(self) -> None:
        """Make the index anew: a large one beside, with the last rounds until then. Raises StoreError, OSError."""
        self._leave_index()
        self.journal.refilled = False
        path = self._folder / JOURNAL
        self.db = index.of_lines(":memory:", whole_files.recent(path))
        self.whole = path.stat().st_size <= whole_files.WINDOW
        if not self.whole and self._background:
            self._start_making()
            return
        try:
            if has_no_room(self._folder):
                raise StoreError(NO_ROOM)
            if not self.whole:  # Few rounds take no time, and a start that hangs is to be noticed soon.
                self._slow(path.stat().st_size)
            index_file.make(self._folder, NEW)
            self._take_over()
        except (StoreError, sqlite3.Error, OSError):  # Without room the index is made in memory.
            if not self.whole:
                self.db, self.whole = index.of_lines(":memory:", self._after(-1)), True

    def _start_making(self) -> None:
        command = (sys.executable, "-P", "-m", "companion.store.index_file", str(self._folder), NEW)
        with contextlib.suppress(OSError):
            self.maker = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    @property
    def maker_ended(self) -> bool:
        """Whether the process that makes the index has ended."""
        return self.maker is not None and self.maker.poll() is not None

    def need_all(self) -> None:
        """Have the index of all rounds. Raises StoreError while it is being made."""
        if not self.whole and self.maker_ended:
            self.tidy()
        if not self.whole:
            raise StoreError(text("The rounds cannot be listed yet"), NOT_YET)

    def _take_over(self) -> None:
        """Use an index that was made beside, with the lines written since."""
        self._leave_index()
        index_file.put_in_place(self._folder / NEW, self._path)
        self._use(self._path)
        if self._file is None:
            raise StoreError(NOT_YET)
        index.take_in(self.db, self._after(index.top(self.db)))

    def commit(self) -> None:
        """Keep in the index what the journal has. An index that cannot be written is made anew."""
        try:
            self.db.commit()
        except sqlite3.Error:
            self.renew_index()

    def tidy(self) -> None:
        """Bring the index in, or take over one that was made. Raises StoreError, sqlite3.Error, OSError."""
        if self.maker is not None and self.maker_ended:
            done, self.maker = self.maker.returncode == 0, None
            if done:
                self._take_over()
        elif self._file is None and self.maker is None and self._background and not has_no_room(self._folder):
            self._start_making()
        if self._file is not None:
            self._file.bring_in(self.journal.sum)
        self.journal.bring_back()
        if self.journal.refilled:
            self.renew_index()

    def do_not_wait(self) -> None:
        """From now on fail at once where another program has locked the index."""
        self._patient = False
        self.db.execute("PRAGMA busy_timeout = 0")

    def _leave_index(self) -> None:
        if self._file is not None:
            self._file.leave()
        else:
            self.db.close()
        self._file, self.whole = None, False

    def close(self) -> None:
        """Close all files."""
        if self.maker is not None:
            self.maker.kill()
            self.maker.wait()
        if self._file is not None:
            self._file.close(self.journal.sum)
        self.db.close()
        self.journal.close()

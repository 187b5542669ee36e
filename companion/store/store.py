"""The store of rounds: SQLite in WAL mode with synchronous=FULL, so that a commit survives a power cut.

Order is that of row numbers, never of time, since a Pi has no battery-backed clock. Events that are taken back stay in
the store; a later line says so.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from companion.store import file as store_file
from companion.store import lines as store_lines
from companion.store import notice, opening, players, queries, rescue
from companion.store import rounds as store_rounds
from companion.store.answers import StoreQueries
from companion.store.copied import read_only
from companion.store.evenings import Evenings
from companion.store.file import NO_ROOM, Damaged, InUse, NoRoom, StoreError, reason
from companion.store.lock import Busy, is_damage
from companion.store.merging import Merged, merge
from companion.store.queries import RoundFilter, RoundSummary
from companion.store.reading import opened_for_reading
from companion.store.schema import VERSION
from companion.store.telling import telling

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from pathlib import Path

    from companion.rounds.stored import LogEntry, StoredHistory, StoredRound

__all__ = ["Busy", "Damaged", "InUse", "RoundFilter", "RoundSummary", "Store", "StoreError"]

FILE = "rounds.db"


class Store(StoreQueries):
    """The rounds of a data folder.

    Args:
        folder: the data folder, created if it is missing.
        now: the wall clock, for dates and evenings; never for order.
        reading: open an existing store read-only, also beside a running table; no file is locked or changed.
        beside: with `reading`, assume that a table runs or may start, and do not look for damage.
        clock: monotonic seconds.
        slow: called before rounds are checked, converted or rescued, which may take minutes on a slow computer.

    `warning` is sentences about a damaged file that was set aside and what was rescued, "" if there was none. They are
    told again at each start until `heard`.

    Raises:
        InUse: another table is running on the folder.
        StoreError: the folder or the file cannot be used.
    """

    def __init__(
        self,
        folder: Path,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        *,
        reading: bool = False,
        beside: bool = False,
        clock: Callable[[], float] = time.monotonic,
        slow: Callable[[], object] = lambda: None,
    ) -> None:
        self.folder = folder
        self._slow = slow
        self.warning = ""
        self._now = now
        self._lock: int | None = None
        self._file: store_file.File | None = None
        self._reader: sqlite3.Connection | None = None
        self._identity = ""
        self._patient = True
        self._ended = False  # a round has ended since the last checkpoint
        try:
            if reading:
                self._db, self.warning = opened_for_reading(folder / FILE, beside=beside)
                self._reader = self._db
            else:
                folder.mkdir(parents=True, exist_ok=True)
                self._lock = store_file.locked(folder)
                self._open()
            try:
                self._look_in(clock)
            except Damaged:
                if reading:
                    raise
                self.start_over()
                self._look_in(clock)
        except OSError as error:
            self.close()
            raise StoreError(f"The data folder {folder} cannot be used", reason(error)) from error
        except StoreError:
            self.close()
            raise

    def _look_in(self, clock: Callable[[], float]) -> None:
        """Read what has to be known from the start. Raises StoreError."""
        with store_file.as_store_errors(self.folder / FILE):
            self._identity = str(self._db.execute("SELECT identity FROM store").fetchone()[0])
            self._evenings = Evenings(self._db, self._now, clock)

    def write(self, writes: Sequence[LogEntry]) -> None:
        """Append lines in order, all or none; they are on disk when this returns.

        Raises:
            Damaged: the file has become unusable; `start_over` makes another.
            Busy: another program has locked the file; it can be tried again soon.
            StoreError: the lines were not written; the sentence says why.
        """
        if not writes:
            return
        with self._writing("Not kept"):
            if self._file is not None:
                self._file.check()
            with self._db:
                date = self._now().astimezone().isoformat(timespec="seconds")
                for line in writes:
                    store_rounds.put(self._db, line, date, self._evening)
            self._committed()
        self._ended = self._ended or any(line.kind == "result" for line in writes)
        self._evenings.written()

    @property
    def untidy(self) -> bool:
        """Whether `tidy` has something to do."""
        return self._ended

    def tidy(self) -> None:
        """Make a checkpoint if a round has ended, without waiting for readers. Call it while nothing happens."""
        if self._ended and self._file is not None:
            self._file.bring_in()
        self._ended = False

    def do_not_wait(self) -> None:
        """From now on raise Busy at once if another program has locked the file: the table's loop must go on."""
        self._patient = False
        self._db.execute("PRAGMA busy_timeout = 0")

    def start_over(self, without: Collection[int] = ()) -> None:
        """Set a file aside that was damaged while open, and continue in a new one with the intact rounds.

        The rounds `without` are left out; the caller writes them again. Raises StoreError.
        """
        try:
            if self._file is not None:
                # Renamed while open: closing it makes a checkpoint and would delete the WAL by its old name.
                with store_file.as_store_errors(self._file.path):
                    opening.replaced(self._file.path, self._rescued(self._file, without))
                self._file.leave()
                self._file = None
            self._open()
        except OSError as error:
            raise StoreError(f"The data folder {self.folder} cannot be used", reason(error)) from error

    def _rescued(self, file: store_file.File, without: Collection[int]) -> rescue.Recovered:
        """All rounds that can be found in a damaged file, except those `without`."""
        try:
            expected = {number: count for number, count in rescue.counts(file.db).items() if number not in without}
            found = rescue.carved(file.images(), expected).without(without)
        except Exception as error:
            if not is_damage(error):
                raise
            found = rescue.Recovered({}, [])
        if found.own or not self._identity:
            return found
        return found._replace(own=store_lines.chained(0, [("store", 0, self._identity, "", 0.0, "")], found.top))

    def past_or_rescued(self) -> StoredHistory:
        """As `past`; if that cannot be read, from what is rescued. Raises StoreError."""
        try:
            with store_file.as_store_errors(self.folder / FILE):
                return self.past()
        except Damaged:
            self.start_over()
            return self.past()

    def heard(self) -> None:
        """Forget what the players were to be told about damage: somebody has pressed a key. Never raises."""
        with contextlib.suppress(OSError):
            notice.heard(self.folder / FILE)

    def take_in(self, saved: StoredRound, begun: str, other: Sequence[tuple[str, str]] = ()) -> int:
        """Import a round that was played elsewhere, completely or not at all. Returns its new number.

        It counts in history and standings, and cannot be continued. `begun` is its date (ISO 8601, "" if unknown),
        `other` are header lines that are stored for its export. Raises StoreError.
        """
        with self._writing("Not kept"), self._db:
            number = int(self._db.execute("SELECT coalesce(max(id), 0) + 1 FROM rounds").fetchone()[0])
            evening = self._evenings.of_imported(self._db, begun)
            head = store_lines.Head(saved.header, evening, imported=True, other=tuple(other))
            store_rounds.begin(self._db, number, head, begun)
            times = saved.times or (0.0,) * len(saved.events)
            lines: list[store_lines.Fields] = [("begin", 0, head.text(), begun, 0.0, "")]
            lines += [(*deal, begun, 0.0, "") for deal in saved.deals]
            lines += [("event", *event, begun, seconds, "") for event, seconds in zip(saved.events, times, strict=True)]
            if saved.result:
                ending = store_rounds.result_line(saved.result, saved.reason)
                lines.append(("result", 0, ending, begun, 0.0, ""))
            kept = store_lines.append(self._db, number, lines)
            if saved.result:
                store_rounds.apply(self._db, kept[-1])
        self._committed()
        return number

    def change_name(self, old: str, new: str, *, merged: bool) -> str:
        """Rename a player, or merge two (`merged`). Returns why that is not possible, "" if done. Raises StoreError."""
        fault = self.name_fault(old, new, merged=merged)
        if not fault:
            self.rename(old, new)
        return fault

    def merge(self, file: Path) -> tuple[Merged, rescue.Recovered]:
        """Take in the rounds of another file: what was done, and what was found there. Raises StoreError."""
        with store_file.as_store_errors(file), opening.found_in(file) as found:
            with self._writing("Not kept"), self._db:
                done = merge(self._db, found.rounds, self._now().astimezone().isoformat(timespec="seconds"))
            self._committed()
            return done, found

    def rename(self, old: str, new: str) -> int:
        """Rename a player in all rounds, also to another player's name. Returns how many rounds. Raises StoreError."""
        with self._writing("Not renamed"), self._db:
            touched = players.rounds_with(self._db, old)
            date = self._now().astimezone().isoformat(timespec="seconds")
            for number in touched:
                text = json.dumps([old, new])
                for line in store_lines.append(self._db, number, [("rename", 0, text, date, 0.0, "")]):
                    store_rounds.apply(self._db, line)
            queries.rate_all(self._db)
        self._committed()
        return len(touched)

    @property
    def identity(self) -> str:
        """The identity of this store, 32 hexadecimal digits; copies and rescued files have the same."""
        return self._identity

    def in_order_seen(self, games: Sequence[str]) -> list[str]:
        """Sort ids of games by when this store first saw them, and store those that are new. Raises StoreError."""
        with self._writing("The games cannot be kept"), self._db:
            seen = [line.text for line in store_lines.of_round(self._db, 0) if line.kind == "game"]
            new = [game for game in games if game not in seen]
            date = self._now().astimezone().isoformat(timespec="seconds")
            if new:
                store_lines.append(self._db, 0, [("game", 0, game, date, 0.0, "") for game in new])
        self._committed()
        return [game for game in (*seen, *new) if game in games]

    def close(self) -> None:
        """Close the database and release the folder's lock."""
        if self._reader is not None:
            self._reader.close()
        if self._file is not None:
            self._file.close()
        if self._lock is not None:
            os.close(self._lock)
        self._reader = self._file = self._lock = None

    def _evening(self) -> int:
        return self._evenings.of_new_round(self._db)

    def _committed(self) -> None:
        if self._file is not None:
            self._file.committed()

    # -- opening ------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        """Open the file; on a full disk a copy in memory, until there is room: see `_writing`."""
        try:
            self._open_file()
        except NoRoom:
            copy = read_only(self.folder / FILE)
            if copy.execute("PRAGMA user_version").fetchone()[0] != VERSION:
                raise
            self._db = self._reader = copy
            self.warning = NO_ROOM

    def _open_file(self) -> None:
        path = self.folder / FILE
        try:
            self._file = store_file.File(path, self._slow)
        except Damaged:  # Damage that the first check did not find.
            self._slow()
            with store_file.as_store_errors(path):
                opening.rescued(path)
            self._file = store_file.File(path)
        self.warning = self._file.warning
        self._db = self._file.db
        with store_file.as_store_errors(path), self._db:
            queries.rate_if_none(self._db)
        if not self._patient:
            self.do_not_wait()

    @contextmanager
    def _writing(self, what: str) -> Iterator[None]:
        """As `telling`; if the disk was full at the start, open the file for writing first."""
        with telling(what, self.folder):
            if self._file is None and self._lock is not None:
                try:
                    self._open_file()
                except NoRoom as error:
                    raise StoreError(what, store_file.FULL) from error
                if self._reader is not None:
                    self._reader.close()
                    self._reader = None
            yield

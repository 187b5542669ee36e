"""The store of rounds: a journal of log entries and a database of them, both on disk before a move is shown.

Entries are ordered by their numbers, never by time, since a Pi has no battery-backed clock. A takeback deletes nothing:
a later entry says that the event was taken back.

docs/journal.md follows a move to disk and back.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sqlite3
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from companion.languages import text
from companion.store import dates, round_tables, stored_lines
from companion.store.data_folder import LOCK, MOST_BYTES, lock_folder
from companion.store.database import EntryWriter
from companion.store.errors import Damaged, StoreError, cannot_be_read, is_damage, reason, telling
from companion.store.merging import Merged, found_in, merge
from companion.store.notices import Told, forget_warnings
from companion.store.open_store import OpenStore
from companion.store.store_queries import StoreQueries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from companion.rounds.stored import LogEntry, StoredRound
    from companion.store.notices import Warned
    from companion.store.stored_lines import Fields

Change = Literal["void", "restore"]
"""What can be done to the result of a finished round. A corrected round is passed as a StoredRound instead."""
BEGUN = b"rounds are kept here\n"
"""The content of the lock's file once rounds were saved in the folder; the store's identity follows.

If all other files are gone, this file shows that rounds are lost.
"""


def boot_id() -> str:
    """The kernel's id of this start of the box, shortened.

    Without a kernel that has one, an id of this start of the program.
    """
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text()[:8]
    except OSError:
        return os.urandom(4).hex()


class Store(StoreQueries):
    """The rounds of a data folder, for the table that writes them.

    Args:
        folder: the data folder, created if it is missing.
        now: the wall clock, for dates; never for order or durations.
        in_background: build a large missing database beside the table; until then there are only the last rounds.
        monotonic: returns monotonic seconds.
        boot: the id of the start of the box from which these seconds count.
        second_folder: the folder on another disk for a copy of the journal; None for no copy, "" for the last one.
        on_slow_search: called with the number of bytes before a search that may take minutes on a slow computer.

    Raises:
        FolderInUseError: another table is running on the folder.
        StoreError: the folder or the files cannot be used.
    """

    def __init__(
        self,
        folder: Path,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        *,
        background: bool = False,
        second: Path | Literal[""] | None = "",
        clock: Callable[[], float] = time.monotonic,
        boot: str = "",
        slow: Callable[[int], object] = lambda size: None,
    ) -> None:
        self.folder = folder
        self.told = Told()
        self._now = now
        self._clock, self._boot = clock, boot or boot_id()
        self._lock: int | None = None
        self._open: OpenStore | None = None
        self._ended = False  # whether a round has ended since the last `tidy_up`
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = lock_folder(folder)
            saved = os.pread(self._lock, MOST_BYTES, 0)
            self._open = OpenStore(
                folder, second=second, background=background, began=bool(saved), identity=_identity_in(saved),
                slow=slow, tell=self._tell,
            )  # fmt: skip
            self._begin(saved)
        except (OSError, sqlite3.Error) as error:
            self.close()
            raise StoreError(
                text("The data folder {folder} cannot be used", folder=folder), reason(error, folder)
            ) from error
        except StoreError:
            self.close()
            raise

    def _begin(self, saved: bytes) -> None:
        """Give a new store its identity, and save it in the lock's file."""
        if self.files.complete and not self.identity:
            with self._transaction(text("Not saved")) as new:
                new.append(0, [("store", 0, os.urandom(16).hex(), "", 0.0, "")])
        if not saved or (self.files.complete and saved != self._mark):
            self._save_mark()

    @property
    def _mark(self) -> bytes:
        """The content for the lock's file."""
        return BEGUN + (f"{self.identity}\n".encode() if self.files.complete else b"")

    def _save_mark(self) -> None:
        """Save in the lock's file that rounds are saved here."""
        if self._lock is not None:
            with contextlib.suppress(OSError):  # The disk may be full.
                os.pwrite(self._lock, self._mark, 0)

    def _tell(self, warning: Warned) -> None:
        self.told = self.told.and_then(warning)

    @property
    def warning(self) -> str:
        """Sentences about damage, "" for none. They are repeated at each start until `confirm_warnings`."""
        return self.told.words

    def take_told(self) -> Told:
        """Return the warnings since the last call."""
        told, self.told = self.told, Told()
        return told

    @property
    def db(self) -> sqlite3.Connection:
        return self.files.db

    @property
    def files(self) -> OpenStore:
        """The open journal and database. A closed store has none."""
        assert self._open is not None, "the store is closed"
        return self._open

    # -- writing --------------------------------------------------------------------------------------------------

    def write(self, writes: Sequence[LogEntry]) -> None:
        """Append log entries in order, all or none. They are on disk, in journal and database, when this returns.

        Raises:
            StoreBusyError: another program has locked the database; try again soon.
            StoreError: nothing was written; the sentence says why.
        """
        if not writes:
            return
        try:
            self._put(writes)
        except Damaged:  # The database, which can be made again.
            with telling("Not saved", self.folder):
                self.files.replace_damaged()
            self._put(writes)
        self._ended = self._ended or any(line.kind == "result" for line in writes)

    def _put(self, writes: Sequence[LogEntry]) -> None:
        with self._transaction(text("Not saved")) as new:
            date, now = self._date(), dates.Uptime(self._boot, self._clock())
            for line in writes:
                new.append(line.round, [round_tables.fields(self.db, line, date, now)])

    @contextmanager
    def _transaction(self, what: str) -> Iterator[EntryWriter]:
        """Save the entries that are appended within this context in journal and database, all or none.

        Errors are raised as StoreError with the text "`summary`: reason"; nothing was saved then.
        """
        with telling(what, self.folder):
            self._hold_lock()
            self.files.make_ready()
            try:
                new = EntryWriter(self.db)
                yield new
                new.finish()
                self.files.save(new.new)
            except BaseException as error:
                with contextlib.suppress(sqlite3.Error):
                    self.db.rollback()
                if isinstance(error, sqlite3.DatabaseError) and is_damage(error):
                    raise Damaged(what, reason(error, self.folder)) from error
                raise

    def _hold_lock(self) -> None:
        """Take the folder's lock again if somebody has deleted its file.

        Raises FolderInUseError, StoreError, OSError.
        """
        with contextlib.suppress(FileNotFoundError):
            if self._lock is not None and os.path.samestat(os.fstat(self._lock), os.stat(self.folder / LOCK)):
                return
        old, self._lock = self._lock, lock_folder(self.folder)
        if old is not None:
            os.close(old)
        self._save_mark()
        self.files.make_ready(again=True)

    def _date(self) -> str:
        return self._now().astimezone().isoformat(timespec="seconds")

    @property
    def untidy(self) -> bool:
        """Whether `tidy_up` has something to do."""
        return self._ended or self.files.maker_ended

    def tidy(self) -> None:
        """Do what was put off during a round. Call this while nobody is playing."""
        self._ended = False
        with contextlib.suppress(StoreError, sqlite3.Error, OSError):
            self.files.tidy()

    def do_not_wait(self) -> None:
        """From now on, raise StoreBusyError at once if another program has locked the database.

        The table calls this when it is up, since its loop must go on.
        """
        self.files.do_not_wait()

    def _need_all(self) -> None:
        with telling(cannot_be_read(self.folder), self.folder):
            self.files.need_all()

    def heard(self) -> None:
        """Delete the warnings about damage, since somebody has pressed a key. Never raises."""
        with contextlib.suppress(OSError):
            forget_warnings(self.folder)

    def take_in(self, saved: StoredRound, begun: str, other: Sequence[tuple[str, str]] = ()) -> int:
        """Import a round that was played elsewhere, completely or not at all. Returns its new number.

        It counts in history and standings, and cannot be continued. `date` is ISO 8601, "" if unknown; `other_lines`
        are header lines that are stored for its export. Raises StoreError.
        """
        self._need_all()
        with self._transaction(text("Not saved")) as new:
            number = round_tables.next_number(self.db)
            evening = dates.evening_number(begun)
            head = stored_lines.Head(saved.header, evening, imported=True, other=tuple(other))
            times = saved.event_seconds or (0.0,) * len(saved.events)
            lines: list[Fields] = [("begin", 0, head.text(), begun, 0.0, "")]
            lines += [(*deal, begun, 0.0, "") for deal in saved.deals]
            lines += [("event", *event, begun, seconds, "") for event, seconds in zip(saved.events, times, strict=True)]
            if saved.result:
                lines.append(("result", 0, round_tables.result_line(saved.result, saved.reason), begun, 0.0, ""))
            new.append(number, lines)
        return number

    def change_name(self, old: str, new: str, *, merged: bool) -> str:
        """Rename a player, or merge two. Returns why that is not possible, "" if it is done. Raises StoreError."""
        fault = self.name_fault(old, new, merged=merged)
        if not fault:
            self.rename(old, new)
        return fault

    def rename(self, old: str, new_name: str) -> int:
        """Rename a player in all rounds, even to another player's name.

        Returns in how many rounds. Raises StoreError.
        """
        self._need_all()
        with self._transaction(text("Not renamed")) as new:
            touched = round_tables.rounds_with(self.db, old)
            for number in touched:
                new.append(number, [("rename", 0, json.dumps([old, new_name]), self._date(), 0.0, "")])
        return len(touched)

    def change_round(self, number: int, change: Change | StoredRound) -> str:
        """Void or restore a finished round, or replace what was played in it, with the new result.

        Returns why that is not possible, "" if it is done. Raises StoreError.
        """
        self._need_all()
        with telling(cannot_be_read(self.folder), self.folder):
            fault = _change_fault(self.db, number, change)
        if not fault:
            with self._transaction(text("Not saved")) as new:
                new.append(number, _change_lines(self.db, number, change, self._date()))
        return fault

    def merge(self, file: Path) -> tuple[Merged, str]:
        """Import the rounds of another file. Returns what was done, and what could not be read. Raises StoreError."""
        self._need_all()
        with telling(cannot_be_read(file), file.parent):
            found, said = found_in(file)
        with self._transaction(text("Not saved")) as new:
            return merge(new, found, self._date()), said

    # -- what the store knows of itself ---------------------------------------------------------------------------

    def in_order_seen(self, games: Sequence[str]) -> list[str]:
        """Sort ids of games by when this store first saw them, and save those that are new. Raises StoreError."""
        if not self.files.complete:
            return list(games)
        seen = [line.text for line in stored_lines.of_round(self.db, 0) if line.kind == "game"]
        if new := [game for game in games if game not in seen]:
            with self._transaction(text("The games cannot be saved")) as follower:
                follower.append(0, [("game", 0, game, self._date(), 0.0, "") for game in new])
        return [game for game in dict.fromkeys((*seen, *new)) if game in games]

    def close(self) -> None:
        """Close all files and release the folder's lock."""
        if self._open is not None:
            self._open.close()
        if self._lock is not None:
            with contextlib.suppress(OSError):
                os.close(self._lock)
        self._open = self._lock = None


def _identity_in(saved: bytes) -> str:
    """The store's identity in the content of the lock's file, "" for none."""
    found = re.fullmatch(re.escape(BEGUN) + rb"([0-9a-f]{32})\n", saved)
    return found[1].decode() if found else ""


# -- lines that change the result of a finished round --------------------------------------------------------------


def _change_fault(db: sqlite3.Connection, number: int, change: Change | StoredRound) -> str:
    """Why a round cannot be changed so, in one sentence; "" if it can."""
    row = db.execute("SELECT result, void, lines FROM rounds WHERE id = ? AND state != 'dropped'", (number,)).fetchone()
    if row is None:
        return text("There is no round {number}.", number=number)
    result, void, lines = row
    if change == "restore":
        return "" if void else text("Round {number} is not void.", number=number)
    if void:
        return text("Round {number} is void: let it count again first.", number=number)
    if not result:
        return text("Round {number} is not over: finish it first.", number=number)
    if change != "void" and lines < 0:
        return text("Some moves of round {number} are lost, so it can only be made void.", number=number)
    return ""


def _change_lines(db: sqlite3.Connection, number: int, change: Change | StoredRound, date: str) -> list[Fields]:
    """The entries for a change at `date` (ISO 8601). A corrected round brings its own result.

    The journal keeps what was played wrongly. As players at the table do, the entries take it back and then play what
    was really played. Events that stay the same keep their place and their times.
    """
    if change == "void":
        return [("void", 0, "", date, 0.0, "")]
    lines = stored_lines.of_round(db, number)
    last = next(line for line in reversed(lines) if line.kind == "result")
    # With the date that the round has now, since the clock may have been set after it was played.
    state, ended = db.execute("SELECT state, ended FROM rounds WHERE id = ?", (number,)).fetchone()
    last = last._replace(date=ended or last.date)
    if change == "restore":
        return [("result", 0, last.text, last.date, last.seconds, last.clock)]
    assert not isinstance(change, str)
    there = stored_lines.standing(lines)
    times = change.event_seconds or (0.0,) * len(change.events)
    played: list[Fields] = [(*each, last.date, 0.0, "") for each in change.deals]
    played += [("event", *each, last.date, spent, "") for each, spent in zip(change.events, times, strict=True)]
    pairs = zip(there, played, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0][2:5] == pair[1][:3], pairs))
    result = round_tables.result_line(change.result, change.reason)
    taken_back: list[Fields] = [("back", 0, "", date, 0.0, "")] * max(1, len(there) - same)
    closed: list[Fields] = [("aside", 0, "", last.date, 0.0, "")] * (state == "closed")
    ending: Fields = ("result", 0, result, last.date, last.seconds, last.clock)
    return [*taken_back, *played[min(same, len(there) - 1) :], ending, *closed]

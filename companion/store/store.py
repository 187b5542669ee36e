"""The store of rounds: a journal of lines in two files, each synced before a move is shown, and an index of it.

Order is that of line numbers, never of time, since a Pi has no battery-backed clock. Events that are taken back stay in
the journal; a later line says so.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from companion.languages import text
from companion.store import dates, notices, round_tables, stored_lines
from companion.store.data_folder import lock_folder
from companion.store.errors import Damaged, StoreError, cannot_be_read, is_busy, reason, telling
from companion.store.index import Follower
from companion.store.journal_files import second as places
from companion.store.journal_files.second import JOURNAL
from companion.store.merging import Merged, found_in, merge
from companion.store.notices import Told
from companion.store.store_queries import StoreQueries
from companion.store.writing import Writing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from companion.rounds.stored import LogEntry, StoredRound
    from companion.store.stored_lines import Fields

Change = Literal["void", "restore"]
"""What is done with the result of a finished round; a corrected round is a round itself."""
BEGUN = b"rounds are kept here\n"
"""What the lock's file says once that is so: where all others are gone, that is told."""


def boot_id() -> str:
    """The kernel's id of this start of the box, shortened; where there is none, one of this program's start."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text()[:8]
    except OSError:
        return os.urandom(4).hex()


class Store(StoreQueries):
    """The rounds of a data folder.

    Args:
        folder: the data folder, created if it is missing.
        now: the wall clock, for dates; never for order, nor for how long anything took.
        background: have a large index that is missing made beside; until then there are only the last rounds.
        clock: monotonic seconds.
        boot: the id of this start of the box, from which `clock` counts.
        second: the folder on another disk for the second file, None for the data folder; "": as it was.
        slow: called with how many bytes are going to be looked through, which may take minutes on a slow computer.

    Raises:
        InUse: another table is running on the folder.
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
        self._writing: Writing | None = None
        self._ended = False  # a round has ended since the index was last brought in
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = lock_folder(folder)
            moved = second != "" and places.configure(folder, second)
            began = os.fstat(self._lock).st_size > 0
            self._writing = Writing(folder, moved=moved, background=background, began=began, slow=slow, tell=self._tell)
            self._begin()
            if not began:
                with contextlib.suppress(OSError):  # As on a full disk.
                    os.pwrite(self._lock, BEGUN, 0)
        except (OSError, sqlite3.Error) as error:
            self.close()
            raise StoreError(
                text("The data folder {folder} cannot be used", folder=folder), reason(error, folder)
            ) from error
        except StoreError:
            self.close()
            raise

    def _begin(self) -> None:
        """Give a new store its identity."""
        if self.files.whole and not self.identity:
            with self._transaction(text("Not kept")) as new:
                new.append(0, [("store", 0, os.urandom(16).hex(), "", 0.0, "")])

    def _tell(self, told: Told) -> None:
        self.told = self.told.and_then(told)

    @property
    def warning(self) -> str:
        """Sentences about what was damaged, "" if nothing was. They are told again at each start until `heard`."""
        return self.told.words

    def take_told(self) -> Told:
        """What is to be told since this was last called, and what has happened."""
        told, self.told = self.told, Told()
        return told

    @property
    def db(self) -> sqlite3.Connection:
        """The index, open."""
        return self.files.db

    @property
    def files(self) -> Writing:
        """Journal and index, open. There are none once it is closed."""
        assert self._writing is not None, "the store is closed"
        return self._writing

    # -- writing --------------------------------------------------------------------------------------------------

    def write(self, writes: Sequence[LogEntry]) -> None:
        """Append lines in order, all or none; they are on disk, in both files, when this returns.

        Raises:
            Busy: another program has locked the index; it can be tried again soon.
            StoreError: the lines were not written; the sentence says why.
        """
        if not writes:
            return
        try:
            self._put(writes)
        except Damaged:  # The index, which can be made again.
            with telling("Not kept", self.folder):
                self.files.renew_index()
            self._put(writes)
        self._ended = self._ended or any(line.kind == "result" for line in writes)

    def _put(self, writes: Sequence[LogEntry]) -> None:
        with self._transaction(text("Not kept")) as new:
            date, now = self._date(), dates.Uptime(self._boot, self._clock())
            for line in writes:
                new.append(line.round, [round_tables.fields(self.db, line, date, now)])

    @contextmanager
    def _transaction(self, what: str) -> Iterator[Follower]:
        """The lines that are appended within this context are kept in journal and index, all or none.

        Errors are raised as StoreError with the text "`what`: why"; then nothing was kept.
        """
        with telling(what, self.folder):
            self.files.check()
            try:
                new = Follower(self.db)
                yield new
                new.finish()
                if new.new:
                    self.files.journal.append(new.new)
            except BaseException as error:
                with contextlib.suppress(sqlite3.Error):
                    self.db.rollback()
                if isinstance(error, sqlite3.Error) and not is_busy(error):
                    raise Damaged(what, reason(error, self.folder)) from error
                raise
            self.files.commit()

    def _date(self) -> str:
        return self._now().astimezone().isoformat(timespec="seconds")

    @property
    def untidy(self) -> bool:
        """Whether `tidy` has something to do."""
        return self._ended or self.files.maker_ended

    def tidy(self) -> None:
        """Do what is put off while a round is played. Call it while nothing happens."""
        self._ended = False
        with contextlib.suppress(StoreError, sqlite3.Error, OSError):
            self.files.tidy()

    def do_not_wait(self) -> None:
        """From now on raise Busy at once if another program has locked the index: the table's loop must go on."""
        self.files.do_not_wait()

    def _need_all(self) -> None:
        with telling(cannot_be_read(self.folder), self.folder):
            self.files.need_all()

    def heard(self) -> None:
        """Forget what the players were to be told about damage: somebody has pressed a key. Never raises."""
        with contextlib.suppress(OSError):
            notices.forget(self.folder / JOURNAL)

    def take_in(self, saved: StoredRound, begun: str, other: Sequence[tuple[str, str]] = ()) -> int:
        """Import a round that was played elsewhere, completely or not at all. Returns its new number.

        It counts in history and standings, and cannot be continued. `begun` is its date (ISO 8601, "" if unknown),
        `other` are header lines that are stored for its export. Raises StoreError.
        """
        self._need_all()
        with self._transaction(text("Not kept")) as new:
            number = round_tables.next_number(self.db)
            evening = dates.evening_number(begun)
            head = stored_lines.Head(saved.header, evening, imported=True, other=tuple(other))
            times = saved.times or (0.0,) * len(saved.events)
            lines: list[Fields] = [("begin", 0, head.text(), begun, 0.0, "")]
            lines += [(*deal, begun, 0.0, "") for deal in saved.deals]
            lines += [("event", *event, begun, seconds, "") for event, seconds in zip(saved.events, times, strict=True)]
            if saved.result:
                lines.append(("result", 0, round_tables.result_line(saved.result, saved.reason), begun, 0.0, ""))
            new.append(number, lines)
        return number

    def change_name(self, old: str, new: str, *, merged: bool) -> str:
        """Rename a player, or merge two (`merged`). Returns why that is not possible, "" if done. Raises StoreError."""
        fault = self.name_fault(old, new, merged=merged)
        if not fault:
            self.rename(old, new)
        return fault

    def rename(self, old: str, new_name: str) -> int:
        """Rename a player in all rounds, also to another player's name. Returns how many rounds. Raises StoreError."""
        self._need_all()
        with self._transaction(text("Not renamed")) as new:
            touched = round_tables.rounds_with(self.db, old)
            for number in touched:
                new.append(number, [("rename", 0, json.dumps([old, new_name]), self._date(), 0.0, "")])
        return len(touched)

    def change_round(self, number: int, change: Change | StoredRound) -> str:
        """Void or restore a finished round, or replace what was played in it and its result.

        Returns why that is not possible, "" if done. Raises StoreError.
        """
        self._need_all()
        with telling(cannot_be_read(self.folder), self.folder):
            fault = _change_fault(self.db, number, change)
        if not fault:
            with self._transaction(text("Not kept")) as new:
                new.append(number, _change_lines(self.db, number, change, self._date()))
        return fault

    def merge(self, file: Path) -> tuple[Merged, str]:
        """Take in the rounds of another file: what was done, and what could not be read. Raises StoreError."""
        self._need_all()
        with telling(cannot_be_read(file), file.parent):
            found, said = found_in(file)
        with self._transaction(text("Not kept")) as new:
            return merge(new, found, self._date()), said

    # -- what the store knows of itself ---------------------------------------------------------------------------

    def in_order_seen(self, games: Sequence[str]) -> list[str]:
        """Sort ids of games by when this store first saw them, and store those that are new. Raises StoreError."""
        if not self.files.whole:
            return list(games)
        seen = [line.text for line in stored_lines.of_round(self.db, 0) if line.kind == "game"]
        if new := [game for game in games if game not in seen]:
            with self._transaction(text("The games cannot be kept")) as follower:
                follower.append(0, [("game", 0, game, self._date(), 0.0, "") for game in new])
        return [game for game in dict.fromkeys((*seen, *new)) if game in games]

    def close(self) -> None:
        """Close all files and release the folder's lock."""
        if self._writing is not None:
            self._writing.close()
        if self._lock is not None:
            with contextlib.suppress(OSError):
                os.close(self._lock)
        self._writing = self._lock = None


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
        return text("Round {number} is not over: go on with it.", number=number)
    if change != "void" and lines < 0:
        return text("Some moves of round {number} are lost, so it can only be made void.", number=number)
    return ""


def _change_lines(db: sqlite3.Connection, number: int, change: Change | StoredRound, date: str) -> list[Fields]:
    """The lines for a change without a fault, at `date` (ISO 8601); a corrected round has its own result.

    Nothing of the journal is changed: what was played wrongly is taken back by lines, as players do at the table, and
    what was really played follows. So the journal keeps both, and each line that is the same keeps its place and its
    times.
    """
    if change == "void":
        return [("void", 0, "", date, 0.0, "")]
    lines = stored_lines.of_round(db, number)
    last = next(line for line in reversed(lines) if line.kind == "result")
    # Dated as the round is now, for the clock may have been set since.
    state, ended = db.execute("SELECT state, ended FROM rounds WHERE id = ?", (number,)).fetchone()
    last = last._replace(date=ended or last.date)
    if change == "restore":
        return [("result", 0, last.text, last.date, last.seconds, last.clock)]
    assert not isinstance(change, str)
    there = stored_lines.standing(lines)
    times = change.times or (0.0,) * len(change.events)
    played: list[Fields] = [(*each, last.date, 0.0, "") for each in change.deals]
    played += [("event", *each, last.date, spent, "") for each, spent in zip(change.events, times, strict=True)]
    pairs = zip(there, played, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0][2:5] == pair[1][:3], pairs))
    result = round_tables.result_line(change.result, change.reason)
    taken_back: list[Fields] = [("back", 0, "", date, 0.0, "")] * max(1, len(there) - same)
    closed: list[Fields] = [("aside", 0, "", last.date, 0.0, "")] * (state == "closed")
    ending: Fields = ("result", 0, result, last.date, last.seconds, last.clock)
    return [*taken_back, *played[min(same, len(there) - 1) :], ending, *closed]

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
from companion.store import dates, round_tables, stored_entries
from companion.store.data_folder import LOCK_NAME, MAX_SMALL_FILE_BYTES, lock_folder
from companion.store.database import EntryWriter
from companion.store.errors import (
    StoreDamagedError,
    StoreError,
    failure_reason,
    is_damage,
    raising_store_errors,
    unreadable_rounds_text,
)
from companion.store.merging import MergeResult, merge_rounds, read_rounds_file
from companion.store.open_store import OpenStore
from companion.store.store_queries import StoreQueries
from companion.store.store_warnings import StoreWarnings, delete_warnings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from companion.rounds.stored import LogEntry, StoredRound
    from companion.store.store_warnings import StoreWarning
    from companion.store.stored_entries import EntryFields

ResultChange = Literal["void", "restore"]
"""What can be done to the result of a finished round. A corrected round is passed as a StoredRound instead."""
LOCK_TEXT = b"rounds are kept here\n"
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
        in_background: bool = False,
        second_folder: Path | Literal[""] | None = "",
        monotonic: Callable[[], float] = time.monotonic,
        boot: str = "",
        on_slow_search: Callable[[int], object] = lambda size: None,
    ) -> None:
        self.folder = folder
        self.pending_warnings = StoreWarnings()
        self._now = now
        self._clock, self._boot = monotonic, boot or boot_id()
        self._lock: int | None = None
        self._files: OpenStore | None = None
        self._has_ended_round = False  # whether a round has ended since the last `tidy_up`
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = lock_folder(folder)
            saved = os.pread(self._lock, MAX_SMALL_FILE_BYTES, 0)
            self._files = OpenStore(
                folder, second_folder=second_folder, in_background=in_background,
                has_saved_rounds=bool(saved), identity=_identity_in(saved),
                on_slow_search=on_slow_search, on_warning=self._add_warning,
            )  # fmt: skip
            self._begin(saved)
        except (OSError, sqlite3.Error) as error:
            self.close()
            raise StoreError(
                text("The data folder {folder} cannot be used", folder=folder), failure_reason(error, folder)
            ) from error
        except StoreError:
            self.close()
            raise

    def _begin(self, saved: bytes) -> None:
        """Give a new store its identity, and save it in the lock's file."""
        if self.files.is_complete and not self.identity:
            with self._transaction(text("Not saved")) as writer:
                writer.append_entries(0, [("store", 0, os.urandom(16).hex(), "", 0.0, "")])
        if not saved or (self.files.is_complete and saved != self._mark):
            self._save_mark()

    @property
    def _mark(self) -> bytes:
        """The content for the lock's file."""
        return LOCK_TEXT + (f"{self.identity}\n".encode() if self.files.is_complete else b"")

    def _save_mark(self) -> None:
        """Save in the lock's file that rounds are saved here."""
        if self._lock is not None:
            with contextlib.suppress(OSError):  # The disk may be full.
                os.pwrite(self._lock, self._mark, 0)

    def _add_warning(self, warning: StoreWarning) -> None:
        self.pending_warnings = self.pending_warnings.with_warnings(warning)

    @property
    def warning_text(self) -> str:
        """Sentences about damage, "" for none. They are repeated at each start until `confirm_warnings`."""
        return self.pending_warnings.sentences

    def take_warnings(self) -> StoreWarnings:
        """Return the warnings since the last call."""
        warnings, self.pending_warnings = self.pending_warnings, StoreWarnings()
        return warnings

    @property
    def database(self) -> sqlite3.Connection:
        return self.files.database

    @property
    def files(self) -> OpenStore:
        """The open journal and database. A closed store has none."""
        assert self._files is not None, "the store is closed"
        return self._files

    # -- writing --------------------------------------------------------------------------------------------------

    def write_entries(self, entries: Sequence[LogEntry]) -> None:
        """Append log entries in order, all or none. They are on disk, in journal and database, when this returns.

        Raises:
            StoreBusyError: another program has locked the database; try again soon.
            StoreError: nothing was written; the sentence says why.
        """
        if not entries:
            return
        try:
            self._write_entries(entries)
        except StoreDamagedError:  # The database, which can be made again.
            with raising_store_errors("Not saved", self.folder):
                self.files.replace_damaged_database()
            self._write_entries(entries)
        self._has_ended_round = self._has_ended_round or any(line.kind == "result" for line in entries)

    def _write_entries(self, entries: Sequence[LogEntry]) -> None:
        with self._transaction(text("Not saved")) as writer:
            date, uptime = self._date(), dates.Uptime(self._boot, self._clock())
            for line in entries:
                writer.append_entries(line.round, [round_tables.entry_fields(self.database, line, date, uptime)])

    @contextmanager
    def _transaction(self, summary: str) -> Iterator[EntryWriter]:
        """Save the entries that are appended within this context in journal and database, all or none.

        Errors are raised as StoreError with the text "`summary`: reason"; nothing was saved then.
        """
        with raising_store_errors(summary, self.folder):
            self._hold_lock()
            self.files.repair_if_changed()
            try:
                writer = EntryWriter(self.database)
                yield writer
                writer.finish()
                self.files.save_entries(writer.new_entries)
            except BaseException as error:
                with contextlib.suppress(sqlite3.Error):
                    self.database.rollback()
                if isinstance(error, sqlite3.DatabaseError) and is_damage(error):
                    raise StoreDamagedError(summary, failure_reason(error, self.folder)) from error
                raise

    def _hold_lock(self) -> None:
        """Take the folder's lock again if somebody has deleted its file.

        Raises FolderInUseError, StoreError, OSError.
        """
        with contextlib.suppress(FileNotFoundError):
            if self._lock is not None and os.path.samestat(os.fstat(self._lock), os.stat(self.folder / LOCK_NAME)):
                return
        old, self._lock = self._lock, lock_folder(self.folder)
        if old is not None:
            os.close(old)
        self._save_mark()
        self.files.repair_if_changed(reopen=True)

    def _date(self) -> str:
        return self._now().astimezone().isoformat(timespec="seconds")

    @property
    def needs_tidying(self) -> bool:
        """Whether `tidy_up` has something to do."""
        return self._has_ended_round or self.files.has_maker_ended

    def tidy_up(self) -> None:
        """Do what was put off during a round. Call this while nobody is playing."""
        self._has_ended_round = False
        with contextlib.suppress(StoreError, sqlite3.Error, OSError):
            self.files.tidy_up()

    def stop_waiting_for_locks(self) -> None:
        """From now on, raise StoreBusyError at once if another program has locked the database.

        The table calls this when it is up, since its loop must go on.
        """
        self.files.stop_waiting_for_locks()

    def _require_all_rounds(self) -> None:
        with raising_store_errors(unreadable_rounds_text(self.folder), self.folder):
            self.files.require_all_rounds()

    def confirm_warnings(self) -> None:
        """Delete the warnings about damage, since somebody has pressed a key. Never raises."""
        with contextlib.suppress(OSError):
            delete_warnings(self.folder)

    def import_round(self, round_: StoredRound, date: str, other_lines: Sequence[tuple[str, str]] = ()) -> int:
        """Import a round that was played elsewhere, completely or not at all. Returns its new number.

        It counts in history and standings, and cannot be continued. `date` is ISO 8601, "" if unknown; `other_lines`
        are header lines that are stored for its export. Raises StoreError.
        """
        self._require_all_rounds()
        with self._transaction(text("Not saved")) as writer:
            number = round_tables.next_round_number(self.database)
            evening = dates.evening_number(date)
            head = stored_entries.StoredHeader(round_.header, evening, imported=True, other=tuple(other_lines))
            times = round_.event_seconds or (0.0,) * len(round_.events)
            lines: list[EntryFields] = [("begin", 0, head.to_text(), date, 0.0, "")]
            lines += [(*deal, date, 0.0, "") for deal in round_.deals]
            lines += [("event", *event, date, seconds, "") for event, seconds in zip(round_.events, times, strict=True)]
            if round_.result:
                lines.append(("result", 0, round_tables.result_text(round_.result, round_.reason), date, 0.0, ""))
            writer.append_entries(number, lines)
        return number

    def change_name(self, old: str, new: str, *, is_merge: bool) -> str:
        """Rename a player, or merge two. Returns why that is not possible, "" if it is done. Raises StoreError."""
        fault = self.rename_fault(old, new, is_merge=is_merge)
        if not fault:
            self.rename_player(old, new)
        return fault

    def rename_player(self, old: str, new_name: str) -> int:
        """Rename a player in all rounds, even to another player's name.

        Returns in how many rounds. Raises StoreError.
        """
        self._require_all_rounds()
        with self._transaction(text("Not renamed")) as writer:
            touched = round_tables.rounds_of_player(self.database, old)
            for number in touched:
                writer.append_entries(number, [("rename", 0, json.dumps([old, new_name]), self._date(), 0.0, "")])
        return len(touched)

    def change_round(self, number: int, change: ResultChange | StoredRound) -> str:
        """Void or restore a finished round, or replace what was played in it, with the new result.

        Returns why that is not possible, "" if it is done. Raises StoreError.
        """
        self._require_all_rounds()
        with raising_store_errors(unreadable_rounds_text(self.folder), self.folder):
            fault = _change_fault(self.database, number, change)
        if not fault:
            with self._transaction(text("Not saved")) as writer:
                writer.append_entries(number, _change_entries(self.database, number, change, self._date()))
        return fault

    def merge_file(self, file: Path) -> tuple[MergeResult, str]:
        """Import the rounds of another file. Returns what was done, and what could not be read. Raises StoreError."""
        self._require_all_rounds()
        with raising_store_errors(unreadable_rounds_text(file), file.parent):
            source, lost_sentence = read_rounds_file(file)
        with self._transaction(text("Not saved")) as writer:
            return merge_rounds(writer, source, self._date()), lost_sentence

    # -- what the store knows of itself ---------------------------------------------------------------------------

    def note_games_seen(self, games: Sequence[str]) -> list[str]:
        """Save which games are seen for the first time.

        Returns the ids in the order in which they were first seen. Raises StoreError.
        """
        if not self.files.is_complete:
            return list(games)
        seen_before = [line.text for line in stored_entries.round_entries(self.database, 0) if line.kind == "game"]
        if new := [game for game in games if game not in seen_before]:
            with self._transaction(text("The games cannot be saved")) as writer:
                writer.append_entries(0, [("game", 0, game, self._date(), 0.0, "") for game in new])
        return [game for game in dict.fromkeys((*seen_before, *new)) if game in games]

    def close(self) -> None:
        """Close all files and release the folder's lock."""
        if self._files is not None:
            self._files.close()
        if self._lock is not None:
            with contextlib.suppress(OSError):
                os.close(self._lock)
        self._files = self._lock = None


def _identity_in(saved: bytes) -> str:
    """The store's identity in the content of the lock's file, "" for none."""
    match = re.fullmatch(re.escape(LOCK_TEXT) + rb"([0-9a-f]{32})\n", saved)
    return match[1].decode() if match else ""


# -- entries that change the result of a finished round -----------------------------------------------------------


def _change_fault(db: sqlite3.Connection, number: int, change: ResultChange | StoredRound) -> str:
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


def _change_entries(
    db: sqlite3.Connection, number: int, change: ResultChange | StoredRound, date: str
) -> list[EntryFields]:
    """The entries for a change at `date` (ISO 8601). A corrected round brings its own result.

    The journal keeps what was played wrongly. As players at the table do, the entries take it back and then play what
    was really played. Events that stay the same keep their place and their times.
    """
    if change == "void":
        return [("void", 0, "", date, 0.0, "")]
    lines = stored_entries.round_entries(db, number)
    last = next(line for line in reversed(lines) if line.kind == "result")
    # With the date that the round has now, since the clock may have been set after it was played.
    state, ended = db.execute("SELECT state, ended FROM rounds WHERE id = ?", (number,)).fetchone()
    last = last._replace(date=ended or last.date)
    if change == "restore":
        return [("result", 0, last.text, last.date, last.seconds, last.clock)]
    assert not isinstance(change, str)
    entries_before = stored_entries.entries_not_taken_back(lines)
    times = change.event_seconds or (0.0,) * len(change.events)
    played: list[EntryFields] = [(*each, last.date, 0.0, "") for each in change.deals]
    played += [("event", *each, last.date, seconds, "") for each, seconds in zip(change.events, times, strict=True)]
    pairs = zip(entries_before, played, strict=False)
    same_count = sum(1 for _ in takewhile(lambda pair: pair[0][2:5] == pair[1][:3], pairs))
    result = round_tables.result_text(change.result, change.reason)
    taken_back: list[EntryFields] = [("back", 0, "", date, 0.0, "")] * max(1, len(entries_before) - same_count)
    closed: list[EntryFields] = [("aside", 0, "", last.date, 0.0, "")] * (state == "closed")
    ending: EntryFields = ("result", 0, result, last.date, last.seconds, last.clock)
    return [*taken_back, *played[min(same_count, len(entries_before) - 1) :], ending, *closed]

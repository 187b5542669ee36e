"""The queries of a store, shared by the table's own store and by readers. None of them changes a round."""

from __future__ import annotations

import json
from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING

from companion.rounds.stored import FinishedRound, RoundSummary, Standing, StoredHistory, StoredRound
from companion.store import dates, history, round_tables, stored_entries
from companion.store.dates import parse_time
from companion.store.errors import raising_store_errors, unreadable_rounds_text
from companion.store.history import ALL_ROUNDS, FilterChoices, RoundFilter

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from pathlib import Path

    from companion.store.history import PlayerSummary


class StoreQueries:
    """Queries about the rounds of a data folder. All raise StoreError if the store cannot be read."""

    folder: Path

    @property
    def database(self) -> sqlite3.Connection:
        raise NotImplementedError

    _now: Callable[[], datetime]

    @property
    def identity(self) -> str:
        """The store's identity, 32 hexadecimal digits. A copy of the store has the same one."""
        with raising_store_errors(unreadable_rounds_text(self.folder), self.folder):
            return str(self.database.execute("SELECT identity FROM store").fetchone()[0])

    def load_history(self) -> StoredHistory:
        """The history that a session starts with. While the database is being built, only that of the last rounds."""
        with raising_store_errors(unreadable_rounds_text(self.folder), self.folder):
            return StoredHistory(
                next_round=round_tables.next_round_number(self.database),
                player_names=tuple(round_tables.recent_names(self.database)),
                last_games=tuple(round_tables.recent_games(self.database)),
                evening_rounds=self._evening_rounds(),
                unfinished_round=round_tables.newest_round(self.database, "state = 'running'"),
                open_match_round=round_tables.last_round_of_open_match(self.database),
                recent_pads=tuple(round_tables.recent_pads(self.database)),
                recent_headers=tuple(round_tables.last_header_per_game(self.database)),
                unfinished_games=tuple(round_tables.unfinished_games(self.database)),
                favourites=self._favourites(),
                hints=self._last_switch("hints") == "on",
                dealer=self._last_switch("dealer") == "on",
                rests=self._last_switch("rests") == "on",
                timing={"on": True, "off": False}.get(self._last_switch("timing")),
                language=self._last_switch("language"),
            )

    def evening_rounds(self) -> tuple[FinishedRound, ...]:
        """The results of the current evening, with imported ones."""
        with raising_store_errors(unreadable_rounds_text(self.folder), self.folder):
            return self._evening_rounds()

    def _evening_rounds(self) -> tuple[FinishedRound, ...]:
        """The results of the current evening.

        If the clock shows a time before the newest round, it has not been set. Then that round's evening goes on.
        """
        now = self._now().astimezone()
        query = f"SELECT evening, begun, boot FROM rounds WHERE {round_tables.PLAYED_HERE_SQL} ORDER BY id DESC LIMIT 1"
        number, begun, boot = self.database.execute(query).fetchone() or (0, "", "")
        newest = parse_time(begun)
        if now.year >= dates.FIRST_YEAR and (newest is None or newest <= now):
            number = dates.evening_number(now.isoformat())
        return round_tables.finished_rounds(
            self.database, "r.evening = ? AND (r.evening > 0 OR r.boot = ?)", number, boot
        )

    def _all_rounds(self) -> AbstractContextManager[None]:
        self._require_all_rounds()
        return raising_store_errors(unreadable_rounds_text(self.folder), self.folder)

    def _require_all_rounds(self) -> None:
        """Make sure that the database has all rounds. Raises StoreError while it is being built."""

    def _favourites(self) -> tuple[str, ...]:
        """The favourite names, in the order in which they were chosen."""
        rows = self.database.execute(  # With `max`, SQLite takes the kind from the name's newest row.
            "SELECT text, kind, max(id) FROM log_entries WHERE round = 0 AND kind IN ('favour', 'unfavour') "
            "GROUP BY text ORDER BY max(id)"
        )
        return tuple(name for name, kind, _ in rows if kind == "favour")

    def _last_switch(self, kind: str) -> str:
        """The text of the newest entry of a kind in round 0, "" for none."""
        sentence = "SELECT text FROM log_entries WHERE round = 0 AND kind = ? ORDER BY id DESC LIMIT 1"
        row = self.database.execute(sentence, (kind,)).fetchone()
        return str(row[0]) if row is not None else ""

    def load_round(self, number: int | None = None) -> StoredRound | None:
        """A round with the deals and events that were not taken back; the newest round for None.

        None if there is none.
        """
        with self._all_rounds():
            if number is None:
                return round_tables.newest_round(self.database, "1")
            return round_tables.newest_round(self.database, "id = ?", number)

    def is_match_open(self, number: int) -> bool:
        """Whether a round is the latest one of a match that nobody has won."""
        with self._all_rounds():
            saved = round_tables.newest_round(self.database, "id = ? AND state != 'imported'", number)
            return saved is not None and round_tables.is_match_open(self.database, saved)

    def round_numbers(self) -> list[int]:
        """The numbers of all rounds, oldest first."""
        with self._all_rounds():
            rows = self.database.execute("SELECT id FROM rounds WHERE state != 'dropped' ORDER BY id")
            return [number for (number,) in rows]

    def summaries(self, selection: RoundFilter = ALL_ROUNDS, limit: int | None = None) -> list[RoundSummary]:
        """The rounds that a filter selects, oldest first; with `limit` only that many of the newest."""
        with self._all_rounds():
            return history.round_summaries(self.database, selection, limit)

    def filter_choices(self) -> FilterChoices:
        """The games and dates by which the history can be filtered."""
        with self._all_rounds():
            return history.filter_choices(self.database)

    def standings(self, selection: RoundFilter = ALL_ROUNDS, rounds: Sequence[int] | None = None) -> list[Standing]:
        """The standings of the finished rounds that a filter selects, or of the rounds with these numbers."""
        with self._all_rounds():
            return history.player_standings(self.database, selection, rounds)

    def players(self) -> list[PlayerSummary]:
        """All players, by their most recent round first."""
        with self._all_rounds():
            return history.all_players(self.database)

    def rename_fault(self, old: str, new: str, *, is_merge: bool) -> str:
        """Why a player cannot be renamed, or merged with another; "" if possible."""
        with self._all_rounds():
            return history.rename_fault(self.database, old, new, is_merge=is_merge)

    def round_start_time(self, number: int) -> str:
        """When a round began, in ISO 8601 with offset; "" if unknown."""
        with self._all_rounds():
            row = self.database.execute("SELECT begun FROM rounds WHERE id = ?", (number,)).fetchone()
            return str(row[0]) if row else ""

    @contextmanager
    def read_transaction(self) -> Iterator[None]:
        """A read transaction: all queries within it see the same state, even while a table writes.

        For read-only stores.
        """
        with self._all_rounds():
            self.database.execute("BEGIN")
            try:
                yield
            finally:
                self.database.execute("ROLLBACK")

    def round_changes(self, after_entry: int, limit: int = -1) -> list[history.RoundChange]:
        """The changes of finished rounds after a log entry, in order; at most `limit`, -1 for all."""
        with self._all_rounds():
            return history.round_changes(self.database, after_entry, limit)

    def has_entry(self, position: history.EntryPosition) -> bool:
        """Whether the store has a log entry with this number and checksum."""
        with self._all_rounds():
            return history.has_entry(self.database, position)

    def event_times(self, number: int) -> list[tuple[datetime | None, datetime | None]]:
        """For each event that was not taken back: the times of the entry before it, and of its own.

        The entry before may have been taken back since. A time that cannot be read is None. Times are of the wall
        clock, which may have been set in between.
        """
        with self._all_rounds():
            lines = stored_entries.round_entries(self.database, number)
        before = {line.id: parse_time(earlier.date) for earlier, line in pairwise(lines)}
        events = [line for line in stored_entries.entries_not_taken_back(lines) if line.kind == "event"]
        return [(before.get(line.id), parse_time(line.date)) for line in events]

    def header_lines_without_column(self, number: int) -> list[tuple[str, str]]:
        """Header lines without a column here: those of an imported record, and ``pairing``. Pairs of key and value."""
        with self._all_rounds():
            row = self.database.execute("SELECT other FROM rounds WHERE id = ?", (number,)).fetchone()
            return [(str(key), str(value)) for key, value in json.loads(row[0])] if row else []

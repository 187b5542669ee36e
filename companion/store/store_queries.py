"""The queries of a store, shared by the table's own store and by readers. None of them changes a round."""

from __future__ import annotations

import json
from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING

from companion.rounds.stored import FinishedRound, RoundSummary, Standing, StoredHistory, StoredRound
from companion.store import dates, history, round_tables, stored_lines
from companion.store.dates import moment
from companion.store.errors import cannot_be_read, telling
from companion.store.history import ALL, Choices, RoundFilter

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from pathlib import Path

    from companion.store.history import Player


class StoreQueries:
    """Queries about the rounds of a data folder. All raise StoreError if the store cannot be read."""

    folder: Path

    @property
    def db(self) -> sqlite3.Connection:
        raise NotImplementedError

    _now: Callable[[], datetime]

    @property
    def identity(self) -> str:
        """The store's identity, 32 hexadecimal digits. A copy of the store has the same one."""
        with telling(cannot_be_read(self.folder), self.folder):
            return str(self.db.execute("SELECT identity FROM store").fetchone()[0])

    def past(self) -> StoredHistory:
        """The history that a session starts with. While the database is being built, only that of the last rounds."""
        with telling(cannot_be_read(self.folder), self.folder):
            return StoredHistory(
                next_round=round_tables.next_number(self.db),
                player_names=tuple(round_tables.recent_names(self.db)),
                last_games=tuple(round_tables.recent_games(self.db)),
                evening_rounds=self._tonight(),
                unfinished_round=round_tables.newest(self.db, "state = 'running'"),
                open_match_round=round_tables.between(self.db),
                recent_pads=tuple(round_tables.recent_pads(self.db)),
                recent_headers=tuple(round_tables.recent_heads(self.db)),
                abandoned_games=tuple(round_tables.left_games(self.db)),
                favourites=self._favourites(),
                hints=self._last("hints") == "on",
                dealer=self._last("dealer") == "on",
                rests=self._last("rests") == "on",
                timing={"on": True, "off": False}.get(self._last("timing")),
                language=self._last("language"),
            )

    def tonight(self) -> tuple[FinishedRound, ...]:
        """The results of the current evening, with imported ones."""
        with telling(cannot_be_read(self.folder), self.folder):
            return self._tonight()

    def _tonight(self) -> tuple[FinishedRound, ...]:
        """The results of the current evening.

        If the clock shows a time before the newest round, it has not been set. Then that round's evening goes on.
        """
        now = self._now().astimezone()
        query = f"SELECT evening, begun, boot FROM rounds WHERE {round_tables.PLAYED_HERE} ORDER BY id DESC LIMIT 1"
        number, begun, boot = self.db.execute(query).fetchone() or (0, "", "")
        newest = moment(begun)
        if now.year >= dates.FIRST_YEAR and (newest is None or newest <= now):
            number = dates.evening_number(now.isoformat())
        return round_tables.results(self.db, "r.evening = ? AND (r.evening > 0 OR r.boot = ?)", number, boot)

    def _all_rounds(self) -> AbstractContextManager[None]:
        self._need_all()
        return telling(cannot_be_read(self.folder), self.folder)

    def _need_all(self) -> None:
        """Make sure that the database has all rounds. Raises StoreError while it is being built."""

    def _favourites(self) -> tuple[str, ...]:
        """The favourite names, in the order in which they were chosen."""
        rows = self.db.execute(  # With `max`, SQLite takes the kind from the name's newest row.
            "SELECT text, kind, max(id) FROM log_entries WHERE round = 0 AND kind IN ('favour', 'unfavour') "
            "GROUP BY text ORDER BY max(id)"
        )
        return tuple(name for name, kind, _ in rows if kind == "favour")

    def _last(self, what: str) -> str:
        """The text of the newest entry of a kind in round 0, "" for none."""
        sentence = "SELECT text FROM log_entries WHERE round = 0 AND kind = ? ORDER BY id DESC LIMIT 1"
        row = self.db.execute(sentence, (what,)).fetchone()
        return str(row[0]) if row is not None else ""

    def round(self, number: int | None = None) -> StoredRound | None:
        """A round with the deals and events that were not taken back; the newest round for None.

        None if there is none.
        """
        with self._all_rounds():
            if number is None:
                return round_tables.newest(self.db, "1")
            return round_tables.newest(self.db, "id = ?", number)

    def goes_on(self, number: int) -> bool:
        """Whether a round is the latest one of a match that nobody has won."""
        with self._all_rounds():
            saved = round_tables.newest(self.db, "id = ? AND state != 'imported'", number)
            return saved is not None and round_tables.goes_on(self.db, saved)

    def numbers(self) -> list[int]:
        """The numbers of all rounds, oldest first."""
        with self._all_rounds():
            rows = self.db.execute("SELECT id FROM rounds WHERE state != 'dropped' ORDER BY id")
            return [number for (number,) in rows]

    def summaries(self, selection: RoundFilter = ALL, limit: int | None = None) -> list[RoundSummary]:
        """The rounds that a filter selects, oldest first; with `limit` only that many of the newest."""
        with self._all_rounds():
            return history.summaries(self.db, selection, limit)

    def choices(self) -> Choices:
        """The games and dates by which the history can be filtered."""
        with self._all_rounds():
            return history.choices(self.db)

    def standings(self, selection: RoundFilter = ALL, rounds: Sequence[int] | None = None) -> list[Standing]:
        """The standings of the finished rounds that a filter selects, or of the rounds with these numbers."""
        with self._all_rounds():
            return history.standings(self.db, selection, rounds)

    def players(self) -> list[Player]:
        """All players, by their most recent round first."""
        with self._all_rounds():
            return history.players(self.db)

    def name_fault(self, old: str, new: str, *, merged: bool) -> str:
        """Why a player cannot be renamed, or merged with another; "" if possible."""
        with self._all_rounds():
            return history.name_fault(self.db, old, new, merged=merged)

    def begun(self, number: int) -> str:
        """When a round began, in ISO 8601 with offset; "" if unknown."""
        with self._all_rounds():
            row = self.db.execute("SELECT begun FROM rounds WHERE id = ?", (number,)).fetchone()
            return str(row[0]) if row else ""

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """A read transaction: all queries within it see the same state, even while a table writes.

        For read-only stores.
        """
        with self._all_rounds():
            self.db.execute("BEGIN")
            try:
                yield
            finally:
                self.db.execute("ROLLBACK")

    def changes(self, after: int, limit: int = -1) -> list[history.Change]:
        """The changes of finished rounds after a log entry, in order; at most `limit`, -1 for all."""
        with self._all_rounds():
            return history.changes(self.db, after, limit)

    def holds(self, position: history.Position) -> bool:
        """Whether the store has a log entry with this number and checksum."""
        with self._all_rounds():
            return history.holds(self.db, position)

    def waits(self, number: int) -> list[tuple[datetime | None, datetime | None]]:
        """For each event that was not taken back: the times of the entry before it, and of its own.

        The entry before may have been taken back since. A time that cannot be read is None. Times are of the wall
        clock, which may have been set in between.
        """
        with self._all_rounds():
            lines = stored_lines.of_round(self.db, number)
        before = {line.id: moment(earlier.date) for earlier, line in pairwise(lines)}
        events = [line for line in stored_lines.standing(lines) if line.kind == "event"]
        return [(before.get(line.id), moment(line.date)) for line in events]

    def other(self, number: int) -> list[tuple[str, str]]:
        """Header lines without a column here: those of an imported record, and ``pairing``. Pairs of key and value."""
        with self._all_rounds():
            row = self.db.execute("SELECT other FROM rounds WHERE id = ?", (number,)).fetchone()
            return [(str(key), str(value)) for key, value in json.loads(row[0])] if row else []

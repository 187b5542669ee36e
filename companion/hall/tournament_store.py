"""Tournaments in the club's own SQLite file: players, pairings with their tables, results, and what was changed when.

It has a connection of its own, so the pages and the thread that receives rounds do not wait for one another for long.
A change is a function from one `Event` to another (`tournament_changes`); only the rows that differ are written.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

from companion.hall.database import HALL_FILE, HallError, read, time_of_day, transaction, unusable, written
from companion.hall.intake import COLUMNS, RoundRow
from companion.hall.tournament import Event, Game, PairingOutcome, Player, Row, Tournament, TournamentError
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

SCHEMA = """
CREATE TABLE IF NOT EXISTS tournaments (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, game TEXT NOT NULL, options TEXT NOT NULL, swiss INTEGER NOT NULL,
    rounds INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS entrants (
    tournament INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, here INTEGER NOT NULL,
    PRIMARY KEY (tournament, number), UNIQUE (tournament, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pairings (
    id INTEGER PRIMARY KEY, tournament INTEGER NOT NULL, round INTEGER NOT NULL, board INTEGER NOT NULL,
    first INTEGER NOT NULL, second INTEGER NOT NULL, place TEXT NOT NULL, offer INTEGER NOT NULL,
    since INTEGER NOT NULL, outcome TEXT NOT NULL, source INTEGER, UNIQUE (tournament, round, board));
CREATE TABLE IF NOT EXISTS trail (
    n INTEGER PRIMARY KEY, tournament INTEGER NOT NULL, at TEXT NOT NULL, sentence TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS barred (
    tournament INTEGER NOT NULL, one INTEGER NOT NULL, other INTEGER NOT NULL,
    PRIMARY KEY (tournament, one, other)) WITHOUT ROWID;
"""
ADDED = {
    "tournaments": {"ties": "TEXT", "archived": "INTEGER", "minutes": "INTEGER", "clock": "REAL"},
    "entrants": {"half_bye": "INTEGER", "earlier": "TEXT"},
    "pairings": {"word": "TEXT"},
    "trail": {"words": "TEXT"},
}
"""Columns that came later; all of them may be NULL, so that a version before may still write its rows."""
TABLES = {
    "tournaments": (1, "id, name, game, options, swiss, rounds, ties, archived, minutes, clock"),
    "entrants": (2, "tournament, number, name, here, half_bye, earlier"),
    "pairings": (1, "id, tournament, word, round, board, first, second, outcome, place, offer, since, source"),
    "barred": (3, "tournament, one, other"),
}
"""The tables that make up an `Event`: how many of their first columns identify a row, and all columns."""
_ORDERS = (("id", "id"), ("tournament", "number"), ("tournament", "round, board"), ("tournament", "one, other"))
"""In the order of `TABLES`: the column with the tournament's number, and the order of its rows."""
P = ParamSpec("P")


class TournamentStore:
    """The tournaments of a club's data folder. Raises HallError."""

    def __init__(self, folder: Path) -> None:
        self._lock = threading.RLock()
        try:
            self._db = sqlite3.connect(folder / HALL_FILE, timeout=10, isolation_level=None, check_same_thread=False)
            for statement in SCHEMA.split(";\n"):
                self._db.execute(statement)
            for table, columns in ADDED.items():
                known = {row[1] for row in self._db.execute(f"PRAGMA table_info({table})")}
                for name, kind in columns.items():
                    if name not in known:
                        self._db.execute(f"ALTER TABLE {table} ADD COLUMN {name} {kind}")
        except sqlite3.Error as error:
            raise HallError(unusable(folder, error)) from None

    def close(self) -> None:
        """Leave the file to others."""
        self._db.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """One transaction. Raises HallError; after any exception nothing of it has happened."""
        with self._lock, transaction(self._db):
            yield

    @property
    def version(self) -> tuple[int, int]:
        """What differs whenever the club's file does: its ``data_version``, and how many rows were changed here."""
        with self._lock:
            (others,) = self._db.execute("PRAGMA data_version").fetchone()
            return int(others), self._db.total_changes

    # -- queries ------------------------------------------------------------------------------------------------

    def all(self) -> list[Event]:
        """Every tournament, the newest first."""
        with self._lock:
            return [self.event(id_) for (id_,) in self._select("SELECT id FROM tournaments ORDER BY id DESC")]

    def in_use(self) -> list[Event]:
        """Every tournament that was not put away, the newest first."""
        return [event for event in self.all() if not event.archived]

    def event(self, id_: int) -> Event:
        """A tournament by its number. Raises TournamentError."""
        with self._lock:
            (newest,) = self._select("SELECT coalesce(max(n), 0) FROM rounds")[0]
            found, entrants, pairings, barred = (
                self._select(f"SELECT {columns} FROM {table} WHERE {which} = ? ORDER BY {order}", id_)
                for (table, (_, columns)), (which, order) in zip(TABLES.items(), _ORDERS, strict=True)
            )
        if not found:
            raise TournamentError(text("there is no such tournament"))
        _, name, game, options, swiss, rounds, ties, archived, minutes, clock = found[0]
        rows = tuple(
            # A version before gave no words: what it has offered is only found by hand.
            Row(row, word or f"old{row}", Game(of, board, first, second, _outcome(outcome)), *rest)
            for row, _, word, of, board, first, second, outcome, *rest in pairings
        )
        players = tuple(
            Player(number, name_, bool(here), bool(half_bye), tuple(json.loads(earlier or "[]")))
            for _, number, name_, here, half_bye, earlier in entrants
        )
        tournament = Tournament(
            players,
            tuple(row.game for row in rows),
            rounds if swiss else max(1, len(players) - 1 + len(players) % 2),
            bool(swiss),
            frozenset(frozenset(pair) for _, *pair in barred),
            tuple((ties or "").split()),
        )
        return Event(
            id_, name, game, json.loads(options), tournament, rows, bool(archived), minutes or 0, clock or 0.0, newest
        )  # fmt: skip

    def trail(self, id_: int) -> list[tuple[str, str]]:
        """What was changed, the newest first: when, what."""
        rows = self._select("SELECT at, sentence, words FROM trail WHERE tournament = ? ORDER BY n DESC", id_)
        return [(at, read(sentence, words)) for at, sentence, words in rows]

    def rounds(self, since: int, also: Iterable[int] = ()) -> dict[int, RoundRow]:
        """The club's rounds that count and came after number `since`, and those with the numbers `also`, by number."""
        query = f"SELECT {COLUMNS} FROM rounds WHERE fault = '' AND (n > ? OR n IN (SELECT value FROM json_each(?)))"
        return {row[0]: RoundRow.read(row) for row in self._select(query, since, json.dumps(list(also)))}

    def _select(self, query: str, *values: object) -> list[Any]:
        with self._lock:
            return self._db.execute(query, values).fetchall()

    # -- changes ------------------------------------------------------------------------------------------------

    def create(self, name: str, game: str, options: Mapping[str, str], *, swiss: bool, rounds: int) -> int:
        """Save a new tournament and return its number."""
        with self.together():
            cursor = self._db.execute(
                "INSERT INTO tournaments (name, game, options, swiss, rounds) VALUES (?, ?, ?, ?, ?)",
                (name, game, json.dumps(dict(options)), swiss, rounds),
            )
        assert cursor.lastrowid is not None, "a row was inserted"
        return cursor.lastrowid

    def change(
        self, id_: int, change: Callable[Concatenate[Event, P], Event], *words: P.args, **more: P.kwargs
    ) -> None:
        """Save what `change` makes of a tournament, in one transaction. Raises HallError, and what `change` raises."""
        with self.together():
            before = self.event(id_)
            self.save(before, change(before, *words, **more))

    def save(self, before: Event, after: Event) -> None:
        """Write what differs between two states of one tournament, within the caller's transaction."""
        for (table, (keys, columns)), old, new in zip(TABLES.items(), _rows(before), _rows(after), strict=True):
            names = columns.split(", ")
            where, marks = " AND ".join(f"{name} = ?" for name in names[:keys]), ", ".join("?" for _ in names)
            gone = [row[:keys] for row in old.keys() - new.keys()]
            self._db.executemany(f"DELETE FROM {table} WHERE {where}", gone)
            added = [row for row in new if row not in old]
            self._db.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", added)
        for sentence in after.notes:
            self._db.execute(
                "INSERT INTO trail (tournament, at, sentence, words) VALUES (?, ?, ?, ?)",
                (after.id, time_of_day(), *written(sentence)),
            )

    def delete(self, id_: int) -> None:
        """Delete a tournament that was put away; its rounds stay in the club's file. Raises TournamentError."""
        with self.together():
            if not self.event(id_).archived:
                raise TournamentError(text("only a tournament that was put away can be deleted"))
            for table in ("pairings", "entrants", "trail", "barred"):
                self._db.execute(f"DELETE FROM {table} WHERE tournament = ?", (id_,))
            self._db.execute("DELETE FROM tournaments WHERE id = ?", (id_,))


def _outcome(written: str) -> PairingOutcome | None:
    return PairingOutcome(written) if written else None


def _rows(event: Event) -> Iterator[dict[tuple[Any, ...], None]]:
    """A tournament as ordered sets of rows, one for each of `TABLES`."""
    tournament = event.tournament
    yield dict.fromkeys([(
        event.id, event.name, event.game, json.dumps(dict(event.options)), tournament.swiss, tournament.rounds,
        " ".join(tournament.ties), event.archived, event.minutes, event.clock,
    )])  # fmt: skip
    yield dict.fromkeys((event.id, *each[:4], json.dumps(each.earlier)) for each in tournament.players)
    yield dict.fromkeys(
        (
            row.id or None,
            event.id,
            row.word,
            *row.game[:4],
            row.game.outcome.value if row.game.outcome else "",
            *row[3:],
        )
        for row in event.rows
    )
    yield dict.fromkeys((event.id, *sorted(pair)) for pair in tournament.barred)

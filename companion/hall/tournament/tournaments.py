"""Tournaments in the hall's own SQLite file: players, pairings with their tables, results, and what was changed when.

It has a connection of its own, so the pages and the thread that takes rounds in do not wait for one another for long.
What the organiser changes is in `settings`, `player_changes` and `round_changes`.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from companion.hall.database import HALL_FILE, HallError, read, time_of_day, transaction, unusable, written
from companion.hall.intake import COLUMNS, RoundRow
from companion.hall.tournament.model import Event, Game, PairingOutcome, Player, Row, Tournament, Wrong
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
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
TABLES = ("pairings", "entrants", "trail", "barred")
"""The tables that have rows of a tournament, beside `tournaments`."""
SENTENCES = {
    ("entered", False): "round {round}, {pair}: {result} (entered)",
    ("entered", True): "round {round}, {pair}: {result} (entered, it was {before})",
    ("brought", False): "round {round}, {pair}: {result} (from {table})",
    ("brought", True): "round {round}, {pair}: {result} (from {table}, it was {before})",
    ("turned", False): "round {round}, {pair}: {result} (from {table}, {who} has started)",
    ("turned", True): "round {round}, {pair}: {result} (from {table}, {who} has started, it was {before})",
    ("opened", True): "round {round}, {pair}: open again (entered, it was {before})",
    ("taken back", True): "round {round}, {pair}: open again (taken back at the table, it was {before})",
}
"""What the list of changes says of a result: by how it came, and by whether there was one before."""
_COLUMNS = "id, word, round, board, first, second, outcome, place, offer, since, source"


class Tournaments:
    """The tournaments of a hall's data folder. Raises HallError."""

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
        """One transaction. Raises HallError; after that, and after Wrong, nothing of it has happened."""
        with self._lock, transaction(self._db):
            yield

    @contextmanager
    def changing(self, id_: int) -> Iterator[Event]:
        """One transaction in which a tournament is changed, as it is at its start. Raises Wrong, HallError."""
        with self.together():
            yield self.event(id_)

    @property
    def version(self) -> tuple[int, int]:
        """What differs whenever the hall's file does: its ``data_version``, and how many rows were changed here."""
        with self._lock:
            (others,) = self._db.execute("PRAGMA data_version").fetchone()
            return int(others), self._db.total_changes

    # -- what there is ------------------------------------------------------------------------------------------

    def all(self) -> list[Event]:
        """Every tournament, the newest first."""
        with self._lock:
            ids = self._db.execute("SELECT id FROM tournaments ORDER BY id DESC").fetchall()
            return [self.event(id_) for (id_,) in ids]

    def in_use(self) -> list[Event]:
        """Every tournament that was not put away, the newest first."""
        return [event for event in self.all() if not event.archived]

    def event(self, id_: int) -> Event:
        """A tournament by its number. Raises Wrong."""
        with self._lock:
            row = self._db.execute(
                "SELECT name, game, options, swiss, rounds, ties, archived, minutes, clock FROM tournaments "
                "WHERE id = ?",
                (id_,),
            ).fetchone()
            if row is None:
                raise Wrong(text("there is no such tournament"))
            players = self._db.execute(
                "SELECT number, name, here, half_bye, earlier FROM entrants WHERE tournament = ? ORDER BY number",
                (id_,),
            ).fetchall()
            rows = self._rows(id_)
            barred = self._db.execute("SELECT one, other FROM barred WHERE tournament = ?", (id_,)).fetchall()
        name, game, options, swiss, rounds, ties, archived, minutes, clock = row
        tournament = Tournament(
            tuple(
                Player(number, name, bool(here), bool(half_bye), tuple(json.loads(earlier or "[]")))
                for number, name, here, half_bye, earlier in players
            ),
            tuple(each.game for each in rows),
            rounds if swiss else max(1, len(players) - 1 + len(players) % 2),
            bool(swiss),
            frozenset(frozenset(pair) for pair in barred),
            tuple((ties or "").split()),
        )
        return Event(
            id_, name, game, json.loads(options), tournament, rows, bool(archived), minutes or 0, clock or 0.0
        )  # fmt: skip

    def _rows(self, id_: int) -> tuple[Row, ...]:
        query = f"SELECT {_COLUMNS} FROM pairings WHERE tournament = ? ORDER BY round, board"
        found = self._db.execute(query, (id_,)).fetchall()
        return tuple(
            # A version before gave no words: what it has offered is only found by hand.
            Row(
                row,
                word or f"old{row}",
                Game(of, board, first, second, PairingOutcome(outcome) if outcome else None),
                *rest,
            )
            for row, word, of, board, first, second, outcome, *rest in found
        )

    def trail(self, id_: int) -> list[tuple[str, str]]:
        """What was changed, the newest first: when, what."""
        query = "SELECT at, sentence, words FROM trail WHERE tournament = ? ORDER BY n DESC"
        with self._lock:
            return [(at, read(sentence, words)) for at, sentence, words in self._db.execute(query, (id_,))]

    def rounds(self, since: int, also: Iterable[int] = ()) -> dict[int, RoundRow]:
        """The hall's rounds that count and came after number `since`, and those with the numbers `also`, by number."""
        with self._lock:
            rows = self._db.execute(
                f"SELECT {COLUMNS} FROM rounds WHERE fault = '' AND (n > ? OR n IN (SELECT value FROM json_each(?)))",
                (since, json.dumps(list(also))),
            ).fetchall()
        return {row[0]: RoundRow.read(row) for row in rows}

    def newest_round(self) -> int:
        """The number of the newest round that came in, 0 for none."""
        (found,) = self.execute("SELECT coalesce(max(n), 0) FROM rounds").fetchone()
        return int(found)

    # -- changes, all in the caller's transaction -----------------------------------------------------------------

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        """Execute one SQL statement."""
        with self._lock:
            return self._db.execute(statement, values)

    def note(self, id_: int, sentence: str) -> None:
        """Put a sentence on a tournament's list of changes."""
        columns = "tournament, at, sentence, words"
        self.execute(f"INSERT INTO trail ({columns}) VALUES (?, ?, ?, ?)", id_, time_of_day(), *written(sentence))

    def add(self, id_: int, games: Iterable[Game], places: Iterable[str]) -> None:
        """Add pairings; those of two get these tables as far as they go."""
        since, free = self.newest_round(), iter(places)
        for game in games:
            place = next(free, "") if game.open else ""
            outcome = game.outcome.value if game.outcome else ""
            self.execute(
                "INSERT INTO pairings (tournament, word, round, board, first, second, place, offer, since, outcome) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?)",
                id_, secrets.token_hex(5), *game[:4], place, since, outcome,
            )  # fmt: skip

    def change(
        self, event: Event, row: Row, outcome: PairingOutcome | None, *, source: int | None, how: str, table: str = ""
    ) -> None:
        """A pairing has another result; the list of changes tells of it.

        `how` is "entered", "brought" by a round of a table, "turned" where its players had changed seats, or "taken
        back".
        """
        before = row.game.outcome
        # A result that was entered stays, whatever a table sends later, until it is opened again: see `candidates`.
        since = row.since if source is not None else self.newest_round()
        self.execute(
            "UPDATE pairings SET outcome = ?, source = ?, since = ?, offer = offer + ? WHERE id = ?",
            outcome.value if outcome else "", source, since, outcome is None, row.id,
        )  # fmt: skip
        if outcome is not before:
            said = SENTENCES["opened" if how == "entered" and outcome is None else how, before is not None]
            self.note(event.id, text(
                said, round=row.game.round, pair=event.pair(row.game), result=outcome.value if outcome else "",
                before=before.value if before else "", table=table, who=event.name_of(row.game.first),
            ))  # fmt: skip

    def put(self, row: int, place: str) -> None:
        """A pairing is to be played at a table, or ("") at none yet."""
        self.execute("UPDATE pairings SET place = ?, offer = offer + 1 WHERE id = ?", place, row)

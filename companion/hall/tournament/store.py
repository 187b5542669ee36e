"""Tournaments in the hall's own SQLite file: players, pairings with their tables, results, and what was changed when.

Each has a connection of its own, so the pages and the thread that takes rounds in do not wait for one another for long.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from companion.hall.database import FILE, HallError, transaction
from companion.hall.intake import COLUMNS, RoundRow
from companion.hall.tournament import roundrobin
from companion.hall.tournament.entrants import NoPairing
from companion.hall.tournament.model import Game, Outcome, Player, Tournament
from companion.hall.tournament.pairing import next_round

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
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
"""
"""`pairings.place` is the table's name, "" for none yet; `offer` counts how often it was offered; `since` is the newest
round of the hall when it was paired; `source` is the hall's round that is its result, NULL for one that was entered.
"""
MOST_PLAYERS, MOST_ROUNDS, LONGEST_TITLE = 128, 30, 40


class Wrong(Exception):
    """What cannot be done with a tournament, in one sentence."""


class Row(NamedTuple):
    """A pairing as it is stored."""

    id: int
    game: Game
    place: str
    offer: int
    since: int
    source: int | None


class Event(NamedTuple):
    """A tournament with its name, and the game and options that are played."""

    id: int
    name: str
    game: str
    options: Mapping[str, str]
    tournament: Tournament
    rows: tuple[Row, ...]

    def name_of(self, number: int) -> str:
        """A player's name, "" for 0."""
        return self.tournament.players[number - 1].name if number else ""


class Tournaments:
    """The tournaments of a hall's data folder. Raises HallError."""

    def __init__(self, folder: Path) -> None:
        self._lock = threading.RLock()
        try:
            self._db = sqlite3.connect(folder / FILE, timeout=10, isolation_level=None, check_same_thread=False)
            for statement in SCHEMA.split(";\n"):
                self._db.execute(statement)
        except sqlite3.Error as error:
            raise HallError(f"the hall's store in {folder} cannot be used: {error}") from None

    def close(self) -> None:
        """Leave the file to others."""
        self._db.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """One transaction. Raises HallError; after that, and after Wrong, nothing of it has happened."""
        with self._lock, transaction(self._db):
            yield

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

    def event(self, id_: int) -> Event:
        """A tournament by its number. Raises Wrong."""
        with self._lock:
            row = self._db.execute(
                "SELECT name, game, options, swiss, rounds FROM tournaments WHERE id = ?", (id_,)
            ).fetchone()
            if row is None:
                raise Wrong("there is no such tournament")
            players = self._db.execute(
                "SELECT number, name, here FROM entrants WHERE tournament = ? ORDER BY number", (id_,)
            )
            found = tuple(Player(number, name, bool(here)) for number, name, here in players)
            rows = self._rows("tournament = ?", id_)
        name, game, options, swiss, rounds = row
        tournament = Tournament(found, tuple(each.game for each in rows), rounds, bool(swiss))
        return Event(id_, name, game, json.loads(options), tournament, rows)

    def _rows(self, where: str, *values: object) -> tuple[Row, ...]:
        found = self._db.execute(
            "SELECT id, round, board, first, second, place, offer, since, outcome, source FROM pairings "
            f"WHERE {where} ORDER BY round, board",
            values,
        )
        return tuple(
            Row(id_, Game(of, board, first, second, Outcome(outcome) if outcome else None), place, offer, since, source)
            for id_, of, board, first, second, place, offer, since, outcome, source in found
        )

    def trail(self, id_: int) -> list[tuple[str, str]]:
        """What was changed, the newest first: when, what."""
        with self._lock:
            return list(self._db.execute("SELECT at, sentence FROM trail WHERE tournament = ? ORDER BY n DESC", (id_,)))

    def rounds(self, since: int, also: Iterable[int]) -> dict[int, RoundRow]:
        """The hall's rounds that count and came after number `since`, and those with the numbers `also`, by number."""
        with self._lock:
            rows = self._db.execute(
                f"SELECT {COLUMNS} FROM rounds WHERE fault = '' AND (n > ? OR n IN (SELECT value FROM json_each(?)))",
                (since, json.dumps(list(also))),
            ).fetchall()
        return {row[0]: RoundRow.read(row) for row in rows}

    # -- before the first round ---------------------------------------------------------------------------------

    def create(self, name: str, game: str, options: Mapping[str, str], *, swiss: bool, rounds: int) -> int:
        """A new tournament; its number. Raises Wrong."""
        if not name or len(name) > LONGEST_TITLE:
            raise Wrong(f"a tournament's name has 1 to {LONGEST_TITLE} letters")
        if not 1 <= rounds <= MOST_ROUNDS:
            raise Wrong(f"a tournament has 1 to {MOST_ROUNDS} rounds")
        with self.together():
            cursor = self._db.execute(
                "INSERT INTO tournaments (name, game, options, swiss, rounds) VALUES (?, ?, ?, ?, ?)",
                (name, game, json.dumps(dict(options)), swiss, rounds),
            )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def add_players(self, id_: int, names: Sequence[str], at: str) -> int:
        """Add players behind those who are in, in their order; how many were new. Raises Wrong."""
        with self.together():
            event = self.event(id_)
            known = {player.name for player in event.tournament.players}
            new = [name for name in dict.fromkeys(names) if name not in known]
            if event.tournament.round and not event.tournament.swiss:
                raise Wrong("in a round-robin nobody can come in after the first round was paired")
            if len(known) + len(new) > MOST_PLAYERS:
                raise Wrong(f"a tournament has {MOST_PLAYERS} players at most")
            for number, name in enumerate(new, len(known) + 1):
                self._db.execute("INSERT INTO entrants VALUES (?, ?, ?, 1)", (id_, number, name))
                if event.tournament.round:
                    self._note(id_, at, f"{name} comes in after round {event.tournament.round}")
        return len(new)

    def set_here(self, id_: int, number: int, here: bool, at: str) -> None:
        """Whether a player is paired from the next round on. Raises Wrong."""
        with self.together():
            event = self.event(id_)
            if not 1 <= number <= len(event.tournament.players):
                raise Wrong("there is no such player")
            self._db.execute("UPDATE entrants SET here = ? WHERE tournament = ? AND number = ?", (here, id_, number))
            self._note(id_, at, f"{event.name_of(number)} is {'here' if here else 'away'} from round "
                                f"{event.tournament.round + 1} on")  # fmt: skip

    # -- rounds -------------------------------------------------------------------------------------------------

    def pair(self, id_: int, places: Sequence[str], at: str) -> None:
        """Pair the next round; the first boards get these tables. Raises Wrong."""
        with self.together():
            event = self.event(id_)
            tournament = event.tournament
            if not tournament.swiss:
                tournament = tournament._replace(rounds=roundrobin.rounds_of(max(2, len(tournament.players))))
                self._db.execute("UPDATE tournaments SET rounds = ? WHERE id = ?", (tournament.rounds, id_))
            if len(tournament.players) < 2:
                raise Wrong("enter at least two players first")
            try:
                made = next_round(tournament)
            except NoPairing as error:
                raise Wrong(str(error)) from None
            (since,) = self._db.execute("SELECT coalesce(max(n), 0) FROM rounds").fetchone()
            free = iter(places)
            for game in made.games:
                place = next(free, "") if game.open else ""
                outcome = game.outcome.value if game.outcome else ""
                self._db.execute(
                    "INSERT INTO pairings (tournament, round, board, first, second, place, offer, since, outcome) "
                    "VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?)",
                    (id_, game.round, game.board, game.first, game.second, place, since, outcome),
                )
            self._note(id_, at, f"round {tournament.round + 1} is paired")
            if not made.starts_kept:
                self._note(id_, at, "some start once more or less often than usual: there was no other pairing")

    def unpair(self, id_: int, at: str) -> None:
        """Take the newest round back, as long as it has no result. Raises Wrong."""
        with self.together():
            tournament = self.event(id_).tournament
            games = [game for game in tournament.games if game.round == tournament.round]
            if not games:
                raise Wrong("no round is paired")
            if any(game.played for game in games):
                raise Wrong(f"round {tournament.round} has a result already: correct results instead")
            self._db.execute("DELETE FROM pairings WHERE tournament = ? AND round = ?", (id_, tournament.round))
            self._note(id_, at, f"the pairing of round {tournament.round} is taken back")

    def set_outcome(self, id_: int, row: int, outcome: Outcome | None, at: str) -> None:
        """Enter or correct a result; None opens the pairing again. Raises Wrong."""
        with self.together():
            event = self.event(id_)
            found = next((each for each in event.rows if each.id == row and each.game.second), None)
            if found is None:
                raise Wrong("there is no such pairing")
            self.change(event, found, outcome, source=None, at=at, how="entered")

    def change(self, event: Event, row: Row, outcome: Outcome | None, *, source: int | None, at: str, how: str) -> None:
        """A pairing has another result, in the caller's transaction; the trail tells of it."""
        before = row.game.outcome
        # A result that was entered stays, whatever a table sends later, until it is opened again.
        since = row.since
        if outcome is None:
            (since,) = self._db.execute("SELECT coalesce(max(n), 0) FROM rounds").fetchone()
        self._db.execute(
            "UPDATE pairings SET outcome = ?, source = ?, since = ?, offer = offer + ? WHERE id = ?",
            (outcome.value if outcome else "", source, since, outcome is None, row.id),
        )
        if outcome is not before:
            pair = f"round {row.game.round}, {event.name_of(row.game.first)} – {event.name_of(row.game.second)}"
            was = f", it was {before.value}" if before else ""
            self._note(event.id, at, f"{pair}: {outcome.value if outcome else 'open again'} ({how}{was})")

    def move(self, id_: int, row: int, place: str, at: str) -> None:
        """A pairing is to be played at another table, or is offered to its table once more. Raises Wrong."""
        with self.together():
            event = self.event(id_)
            found = next((each for each in event.rows if each.id == row and each.game.open), None)
            if found is None:
                raise Wrong("there is no such open pairing")
            self.put(row, place)

    def put(self, row: int, place: str) -> None:
        """A pairing is to be played at a table, in the caller's transaction."""
        self._db.execute("UPDATE pairings SET place = ?, offer = offer + 1 WHERE id = ?", (place, row))

    def _note(self, id_: int, at: str, sentence: str) -> None:
        self._db.execute("INSERT INTO trail (tournament, at, sentence) VALUES (?, ?, ?)", (id_, at, sentence))

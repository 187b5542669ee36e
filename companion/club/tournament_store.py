"""Tournaments in the club's own SQLite file: players, pairings with their tables, results, and what was changed when.

A change is a function from one `Event` to another (see `tournament_changes`). Both are turned into rows, and only the
rows that differ are written.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

from companion.club.database import ClubDatabase, read_sentence, sentence_columns, time_of_day
from companion.club.intake import COLUMNS, RoundRow
from companion.club.tournament import Event, Game, PairingOutcome, Player, Row, Tournament, TournamentError
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

TABLES = {
    "tournaments": (1, "id, name, game, options, swiss, rounds, ties, archived, minutes, clock"),
    "entrants": (2, "tournament, number, name, here, half_bye, earlier"),
    "pairings": (1, "id, tournament, word, round, board, first, second, outcome, place, offer, since, source"),
    "barred": (3, "tournament, one, other"),
}
"""The tables that make up an `Event`: how many of their first columns identify a row, and all columns."""
_ORDERS = (("id", "id"), ("tournament", "number"), ("tournament", "round, board"), ("tournament", "one, other"))
"""For each of `EVENT_TABLES`: the column with the tournament's number, and the order of its rows."""
P = ParamSpec("P")


class TournamentStore(ClubDatabase):
    """The tournaments in a club's data folder; every method may raise ClubDatabaseError."""

    # -- queries ------------------------------------------------------------------------------------------------

    def all(self) -> list[Event]:
        """Read every tournament, the newest first."""
        return [self.event(id_) for (id_,) in self.select("SELECT id FROM tournaments ORDER BY id DESC")]

    def in_use(self) -> list[Event]:
        """Read every tournament that was not put away, the newest first."""
        return [event for event in self.all() if not event.archived]

    def event(self, id_: int) -> Event:
        """Read a tournament by its number. Raises TournamentError."""
        with self._thread_lock:
            (newest,) = self.select("SELECT coalesce(max(n), 0) FROM rounds")[0]
            found, entrants, pairings, barred = (
                self.select(f"SELECT {columns} FROM {table} WHERE {which} = ? ORDER BY {order}", id_)
                for (table, (_, columns)), (which, order) in zip(TABLES.items(), _ORDERS, strict=True)
            )
        if not found:
            raise TournamentError(text("there is no such tournament"))
        _, name, game, options, swiss, rounds, ties, archived, minutes, clock = found[0]
        rows = tuple(
            # Older versions had no tokens: a round that they offered is found only by hand.
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
        """The list of changes of a tournament, the newest first: when, what."""
        rows = self.select("SELECT at, sentence, words FROM trail WHERE tournament = ? ORDER BY n DESC", id_)
        return [(at, read_sentence(sentence, words)) for at, sentence, words in rows]

    def rounds(self, since: int, also: Iterable[int] = ()) -> dict[int, RoundRow]:
        """The club's rounds that count and came after a number, and those with the numbers `also`, by number."""
        query = f"SELECT {COLUMNS} FROM rounds WHERE fault = '' AND (n > ? OR n IN (SELECT value FROM json_each(?)))"
        return {row[0]: RoundRow.read(row) for row in self.select(query, since, json.dumps(list(also)))}

    # -- changes ------------------------------------------------------------------------------------------------

    def create(self, name: str, game: str, options: Mapping[str, str], *, swiss: bool, rounds: int) -> int:
        """Save a new tournament and return its number."""
        with self.transaction():
            cursor = self.execute(
                "INSERT INTO tournaments (name, game, options, swiss, rounds) VALUES (?, ?, ?, ?, ?)",
                name, game, json.dumps(dict(options)), swiss, rounds,
            )  # fmt: skip
        assert cursor.lastrowid is not None, "a row was inserted"
        return cursor.lastrowid

    def change(
        self, id_: int, change: Callable[Concatenate[Event, P], Event], *words: P.args, **more: P.kwargs
    ) -> None:
        """Apply `change` to a tournament and save the result, in one transaction.

        Raises ClubDatabaseError, and whatever `change` raises; then nothing is saved.
        """
        with self.transaction():
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
            columns = "tournament, at, sentence, words"
            values = after.id, time_of_day(), *sentence_columns(sentence)
            self.execute(f"INSERT INTO trail ({columns}) VALUES (?, ?, ?, ?)", *values)

    def delete(self, id_: int) -> None:
        """Delete a tournament that was put away.

        Its rounds stay in the club's file. Raises TournamentError if the tournament is not put away.
        """
        with self.transaction():
            if not self.event(id_).archived:
                raise TournamentError(text("only an archived tournament can be deleted"))
            for table in ("pairings", "entrants", "trail", "barred"):
                self.execute(f"DELETE FROM {table} WHERE tournament = ?", id_)
            self.execute("DELETE FROM tournaments WHERE id = ?", id_)


def _outcome(written: str) -> PairingOutcome | None:
    return PairingOutcome(written) if written else None


def _rows(event: Event) -> Iterator[dict[tuple[Any, ...], None]]:
    """Yield a tournament as ordered sets of rows, one set for each of `EVENT_TABLES`."""
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

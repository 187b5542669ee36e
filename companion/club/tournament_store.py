"""Tournaments in the club's own SQLite file: players, pairings with their tables, results, and what was changed when.

A change is a function from one `StoredTournament` to another (see `tournament_changes`). Both are turned into rows, and
only the rows that differ are written.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

from companion.club.club_database import ClubDatabase, sentence_columns, stored_sentence, timestamp_now
from companion.club.club_store import ROUND_COLUMNS, RoundRow
from companion.club.tournament import (
    Pairing,
    PairingOutcome,
    PairingRow,
    Player,
    StoredTournament,
    Tournament,
    TournamentError,
)
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

EVENT_TABLES = {
    "tournaments": (1, "id, name, game, options, swiss, rounds, ties, archived, minutes, clock"),
    "entrants": (2, "tournament, number, name, here, half_bye, earlier"),
    "pairings": (1, "id, tournament, word, round, board, first, second, outcome, place, offer, since, source"),
    "barred": (3, "tournament, one, other"),
}
"""The tables that make up a `StoredTournament`: how many of their first columns identify a row, and all columns."""
_ORDERS = (("id", "id"), ("tournament", "number"), ("tournament", "round, board"), ("tournament", "one, other"))
"""For each of `EVENT_TABLES`: the column with the tournament's number, and the order of its rows."""
P = ParamSpec("P")


class TournamentStore(ClubDatabase):
    """The tournaments in a club's data folder; every method may raise ClubDatabaseError."""

    # -- queries ------------------------------------------------------------------------------------------------

    def all_events(self) -> list[StoredTournament]:
        """Read every tournament, the newest first."""
        return [self.read_event(id_) for (id_,) in self.select("SELECT id FROM tournaments ORDER BY id DESC")]

    def active_events(self) -> list[StoredTournament]:
        """Read every tournament that was not put away, the newest first."""
        return [event for event in self.all_events() if not event.is_archived]

    def read_event(self, id_: int) -> StoredTournament:
        """Read a tournament by its number. Raises TournamentError."""
        with self._thread_lock:
            (newest,) = self.select("SELECT coalesce(max(n), 0) FROM rounds")[0]
            tournament_rows, entrants, pairings, barred = (
                self.select(f"SELECT {columns} FROM {table} WHERE {id_column} = ? ORDER BY {order}", id_)
                for (table, (_, columns)), (id_column, order) in zip(EVENT_TABLES.items(), _ORDERS, strict=True)
            )
        if not tournament_rows:
            raise TournamentError(text("there is no such tournament"))
        _, name, game, options, swiss, rounds, ties, archived, minutes, clock = tournament_rows[0]
        rows = tuple(
            # Older versions had no tokens: a round that they offered is found only by hand.
            PairingRow(row, word or f"old{row}", Pairing(round_, board, first, second, _parse_outcome(outcome)), *rest)
            for row, _, word, round_, board, first, second, outcome, *rest in pairings
        )
        players = tuple(
            Player(number, name_, bool(is_present), bool(half_bye), tuple(json.loads(earlier or "[]")))
            for _, number, name_, is_present, half_bye, earlier in entrants
        )
        tournament = Tournament(
            players,
            tuple(row.game for row in rows),
            rounds if swiss else max(1, len(players) - 1 + len(players) % 2),
            bool(swiss),
            frozenset(frozenset(pair) for _, *pair in barred),
            tuple((ties or "").split()),
        )
        return StoredTournament(
            id_, name, game, json.loads(options), tournament, rows, bool(archived), minutes or 0, clock or 0.0, newest
        )  # fmt: skip

    def changes_newest_first(self, id_: int) -> list[tuple[str, str]]:
        """The list of changes of a tournament, the newest first: when, what."""
        rows = self.select("SELECT at, sentence, words FROM trail WHERE tournament = ? ORDER BY n DESC", id_)
        return [
            (time_of_change, stored_sentence(sentence, parts_json)) for time_of_change, sentence, parts_json in rows
        ]

    def counted_rounds(self, after: int, also: Iterable[int] = ()) -> dict[int, RoundRow]:
        """The club's rounds that count and came after a number, and those with the numbers `also`, by number."""
        query = (
            f"SELECT {ROUND_COLUMNS} FROM rounds WHERE fault = '' AND (n > ? OR n IN (SELECT value FROM json_each(?)))"
        )
        return {row[0]: RoundRow.from_row(row) for row in self.select(query, after, json.dumps(list(also)))}

    # -- changes ------------------------------------------------------------------------------------------------

    def create_tournament(self, name: str, game: str, options: Mapping[str, str], *, swiss: bool, rounds: int) -> int:
        """Save a new tournament and return its number."""
        with self.transaction():
            cursor = self.execute(
                "INSERT INTO tournaments (name, game, options, swiss, rounds) VALUES (?, ?, ?, ?, ?)",
                name, game, json.dumps(dict(options)), swiss, rounds,
            )  # fmt: skip
        assert cursor.lastrowid is not None, "a row was inserted"
        return cursor.lastrowid

    def change_event(
        self,
        id_: int,
        change: Callable[Concatenate[StoredTournament, P], StoredTournament],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> None:
        """Apply `change` to a tournament and save the result, in one transaction.

        Raises ClubDatabaseError, and whatever `change` raises; then nothing is saved.
        """
        with self.transaction():
            event = self.read_event(id_)
            self.save_event(event, change(event, *args, **kwargs))

    def save_event(self, event_before: StoredTournament, event_after: StoredTournament) -> None:
        """Write what differs between two states of one tournament, within the caller's transaction."""
        for (table, (keys, columns)), old, new in zip(
            EVENT_TABLES.items(), _event_rows(event_before), _event_rows(event_after), strict=True
        ):
            names = columns.split(", ")
            where, marks = " AND ".join(f"{name} = ?" for name in names[:keys]), ", ".join("?" for _ in names)
            deleted = [row[:keys] for row in old.keys() - new.keys()]
            self._db.executemany(f"DELETE FROM {table} WHERE {where}", deleted)
            added = [row for row in new if row not in old]
            self._db.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", added)
        for sentence in event_after.new_notes:
            columns = "tournament, at, sentence, words"
            values = event_after.id, timestamp_now(), *sentence_columns(sentence)
            self.execute(f"INSERT INTO trail ({columns}) VALUES (?, ?, ?, ?)", *values)

    def delete_tournament(self, id_: int) -> None:
        """Delete a tournament that was put away.

        Its rounds stay in the club's file. Raises TournamentError if the tournament is not put away.
        """
        with self.transaction():
            if not self.read_event(id_).is_archived:
                raise TournamentError(text("only an archived tournament can be deleted"))
            for table in ("pairings", "entrants", "trail", "barred"):
                self.execute(f"DELETE FROM {table} WHERE tournament = ?", id_)
            self.execute("DELETE FROM tournaments WHERE id = ?", id_)


def _parse_outcome(value: str) -> PairingOutcome | None:
    return PairingOutcome(value) if value else None


def _event_rows(event: StoredTournament) -> Iterator[dict[tuple[Any, ...], None]]:
    """Yield a tournament as ordered sets of rows, one set for each of `EVENT_TABLES`."""
    tournament = event.tournament
    yield dict.fromkeys([(
        event.id, event.name, event.game, json.dumps(dict(event.options)), tournament.is_swiss, tournament.rounds,
        " ".join(tournament.tie_breaks), event.is_archived, event.round_minutes, event.clock_started_at,
    )])  # fmt: skip
    yield dict.fromkeys((event.id, *each[:4], json.dumps(each.earlier_names)) for each in tournament.players)
    yield dict.fromkeys(
        (
            row.id or None,
            event.id,
            row.token,
            *row.game[:4],
            row.game.outcome.value if row.game.outcome else "",
            *row[3:],
        )
        for row in event.rows
    )
    yield dict.fromkeys((event.id, *sorted(pair)) for pair in tournament.barred_pairs)

"""What the club server has received from each table: every change exactly once and in order, however often it is sent.

Each message names its log entry and the one before:

    the entry is known                    a duplicate: ignored
    the entry before is known             saved, with its place in the order, in one transaction
    neither is known                      a message is missing: the table is asked to send from further back

No table's clock is used: the order is that of log entries and of arrival. A record counts in the standings if the rules
of its game say that it is valid.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.club.club_database import ClubDatabase, sentence_columns, stored_sentence
from companion.club.mqtt_messages import HaveMessage, LogMessage
from companion.games.api.result import Result
from companion.languages import text
from companion.rounds import record
from companion.rounds.standings import compute_standings
from companion.rounds.stored import FinishedRound
from companion.store.history import START_POSITION, EntryPosition

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from companion.rounds.stored import Standing

MAX_STORES_PER_TABLE = 20
"""The most stores under one table's name: enough for a new SD card now and then, and no flood fills the disk."""
MAX_SAVED_NOTES = 500
"""The most notes for the organiser that are saved; older ones are deleted."""
NEXT_ROUND_NUMBER_SQL = "1 + max((SELECT coalesce(max(n), 0) FROM rounds), (SELECT coalesce(max(n), 0) FROM gone))"
"""SQL for the number of the next round, which is higher than any before."""
MAX_NAME_LETTERS, MAX_FAULT_LETTERS = 64, 300
"""The most letters of a player's name, and of why a record does not count: the pages have to show them."""


class MessageRefusedError(Exception):
    """A valid message that the server does not accept; the one argument is a sentence, which is a text."""


class MissingMessageError(Exception):
    """A message before this one is missing; the table has to send from further back."""


class TableRow(NamedTuple):
    """A table: how many of its rounds count and do not count, and when it was last seen."""

    name: str
    rounds: int
    uncounted_rounds: int
    last_heard: str


class RoundRow(NamedTuple):
    """A round that counts.

    `arrival` is its place in the order of arrival, and `arrived_at` the time of that by the server's clock.
    """

    arrival: int
    table: str
    round: int
    game: str
    players: tuple[str, ...]
    result: str
    arrived_at: str
    record: str

    @classmethod
    def from_row(cls, row: Sequence[Any]) -> RoundRow:
        """The round in a row of the database that was selected with `ROUND_COLUMNS`."""
        return cls(*row)._replace(players=tuple(json.loads(row[cls._fields.index("players")])))


ROUND_COLUMNS = "n, name, round, game, players, result, arrived, record"
"""The columns that `RoundRow.from_row` takes, in the order of its fields."""


class ClubStore(ClubDatabase):
    """The part of the club's file that the tables fill; by default locked as the one server that receives messages."""

    def __init__(self, folder: Path, *, as_server: bool = True) -> None:
        super().__init__(folder, as_server=as_server)

    # -- receiving ----------------------------------------------------------------------------------------------

    def store_message(self, name: str, message: LogMessage, arrived: str) -> list[str]:
        """Save one message of a table, within the caller's transaction. Returns sentences for the organiser.

        `arrived` is the time by the server's clock. Raises MessageRefusedError, and MissingMessageError if a message
        before this one is missing.
        """
        self.register_or_refuse_store(name, message.store, arrived)
        if self._is_known(message.store, message.entry):
            self._save_newest_entry(message.store, message.entry, arrived)
            return []
        if not self._is_known(message.store, message.after):
            raise MissingMessageError
        restored_note = text("continues from an older copy of its rounds; everything played before and since counts")
        sentences: list[str] = [restored_note] if self._is_behind(message) else []
        where = "WHERE store = ?"
        self.execute(
            f"INSERT INTO positions SELECT store, count, ?, ? FROM stores {where}", *message.entry, message.store
        )
        self.execute(f"UPDATE stores SET count = count + 1 {where}", message.store)
        self._save_newest_entry(message.store, message.entry, arrived)
        sentences += self._save_round(name, message, arrived)
        for sentence in sentences:
            self.add_note(name, sentence, arrived)
        return sentences

    def add_note(self, name: str, sentence: str, arrived: str) -> None:
        """Save a note for the organiser, within the caller's transaction."""
        columns = "at, name, sentence, words"
        self.execute(f"INSERT INTO told ({columns}) VALUES (?, ?, ?, ?)", arrived, name, *sentence_columns(sentence))
        self.execute("DELETE FROM told WHERE n <= (SELECT max(n) FROM told) - ?", MAX_SAVED_NOTES)

    def move_rounds(self, old: str, new: str) -> int:
        """Give the rounds and stores of one table to another.

        Returns how many rounds that were. Raises ClubDatabaseError.
        """
        with self.transaction():
            self.execute("UPDATE stores SET name = ? WHERE name = ?", new, old)
            return self.execute("UPDATE rounds SET name = ? WHERE name = ?", new, old).rowcount

    def recheck_uncounted(self) -> int:
        """Check the records again that did not count, because a missing game may have been installed.

        Within the caller's transaction. Returns how many count now.
        """
        now_counted = 0
        for n, record_text in self.select("SELECT n, record FROM rounds WHERE fault != ''"):
            verdict = check_record(record_text)
            if not verdict.fault_code:
                statement = "UPDATE rounds SET game = ?, players = ?, result = ?, fault = '' WHERE n = ?"
                self.execute(statement, *verdict[:3], n)
                now_counted += 1
        return now_counted

    def register_or_refuse_store(self, name: str, store: str, arrived: str) -> None:
        """Accept a store only under the table's name that it first had. Raises MessageRefusedError."""
        known_names = self.select("SELECT name FROM stores WHERE store = ?", store)
        if not known_names:
            ((stores,),) = self.select("SELECT count(*) FROM stores WHERE name = ?", name)
            if stores >= MAX_STORES_PER_TABLE:
                message = "it has already sent {most} different sets of rounds; no more are accepted"
                raise MessageRefusedError(text(message, most=MAX_STORES_PER_TABLE))
            self.execute("INSERT INTO stores VALUES (?, ?, 0, 0, 0, ?)", store, name, arrived)
            if stores:
                sentence = text("has different rounds from before: a new card, or a second box with that name")
                self.add_note(name, sentence, arrived)
        elif known_names != [(name,)]:
            message = "its rounds came from {before} until now; if it was renamed: companion hall move {before} {now}"
            raise MessageRefusedError(text(message, before=known_names[0][0], now=name))

    def _is_known(self, store: str, position: EntryPosition) -> bool:
        query = "SELECT 1 FROM positions WHERE store = ? AND entry = ? AND sum = ?"
        return position == START_POSITION or bool(self.select(query, store, *position))

    def _is_behind(self, message: LogMessage) -> bool:
        """Whether a message goes on from before the newest entry: the table's store was restored from an older copy."""
        query = "SELECT entry FROM positions WHERE store = ? ORDER BY n DESC LIMIT 1"
        return any(entry > message.after.number for (entry,) in self.select(query, message.store))

    def _save_newest_entry(self, store: str, position: EntryPosition, arrived: str) -> None:
        self.execute("UPDATE stores SET last = ?, sum = ?, seen = ? WHERE store = ?", *position, arrived, store)

    def save_seen_time(self, store: str, seen: str) -> None:
        """Save when a store's table was last seen, within the caller's transaction."""
        self.execute("UPDATE stores SET seen = ? WHERE store = ?", seen, store)

    def _save_round(self, name: str, message: LogMessage, arrived: str) -> list[str]:
        """Insert, replace or delete the message's round. Returns sentences for the organiser."""
        key = (message.store, message.round, message.first)
        where = "store = ? AND round = ? AND first = ?"
        if not message.record:
            self._delete_rounds(where, *key)
            sentence = text("cannot send round {round}: {why}", round=message.round, why=message.why)
            return [sentence] if message.why else []
        verdict = check_record(message.record)
        digest = hashlib.sha256(message.record.encode()).digest()
        # A rescued store may have new entry numbers. The same record under the same number is the same round, and its
        # place in the order stays: otherwise it could become the result of a pairing that was made later.
        where_same_record = "store = ? AND round = ? AND digest = ? AND first != ?"
        same_record_values = (*key[:2], digest, message.first)
        self.execute(
            f"UPDATE OR IGNORE rounds SET first = ? WHERE {where_same_record}", message.first, *same_record_values
        )
        self._delete_rounds(where_same_record, *same_record_values)
        self.execute(
            "INSERT INTO rounds (n, store, round, first, name, record, digest, game, players, result, fault, arrived) "
            f"VALUES ({NEXT_ROUND_NUMBER_SQL}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (store, round, first) DO UPDATE SET "
            "name = excluded.name, record = excluded.record, digest = excluded.digest, game = excluded.game, "
            "players = excluded.players, result = excluded.result, fault = excluded.fault",
            *key, name, message.record, digest, *verdict[:4], arrived,
        )  # fmt: skip
        sentence = text("round {round} does not count: {why}", round=message.round, why=verdict.reason)
        return [sentence] if verdict.fault_code else []

    def _delete_rounds(self, where: str, *values: object) -> None:
        """Delete rounds, and remember the highest of their numbers.

        Numbers are never given again, because a pairing takes only rounds that come after a certain number.
        """
        newest = f"INSERT INTO gone SELECT 1, max(n) FROM rounds WHERE {where} HAVING count(*)"
        self.execute(f"{newest} ON CONFLICT DO UPDATE SET n = max(n, excluded.n)", *values)
        self.execute(f"DELETE FROM rounds WHERE {where}", *values)

    # -- queries ------------------------------------------------------------------------------------------------

    def received_entries_message(self, store: str, ask: str) -> HaveMessage:
        """What the server has of a store, as a message.

        Its entries are the one last received, the newest, then older ones at doubling distances.
        """
        store_row = self.select("SELECT count, last, sum FROM stores WHERE store = ?", store)
        count, *newest = store_row[0] if store_row else (0,)
        positions = {max(0, count - 1 - step) for step in (0, *(1 << k for k in range(count.bit_length())), count)}
        where = "store = ? AND n IN (SELECT value FROM json_each(?))"
        query = f"SELECT entry, sum FROM positions WHERE {where} ORDER BY n DESC"
        entries = [tuple(newest), *self.select(query, store, json.dumps([*positions]))] if count else []
        return HaveMessage(store, ask, tuple(EntryPosition(*each) for each in dict.fromkeys(entries)))

    def table_summaries(self) -> list[TableRow]:
        """A row for every table that has sent something, by name."""
        rows = self.select(
            "SELECT s.name, (SELECT count(*) FROM rounds r WHERE r.name = s.name AND r.fault = ''), "
            "(SELECT count(*) FROM rounds r WHERE r.name = s.name AND r.fault != ''), max(s.seen) "
            "FROM stores s GROUP BY s.name ORDER BY s.name"
        )
        return [TableRow(*row) for row in rows]

    def seen_times(self) -> dict[str, str]:
        """When each table was last seen, in ISO 8601."""
        return dict(self.select("SELECT name, max(seen) FROM stores GROUP BY name"))

    def counted_rounds(self, name: str = "", newest: int = -1) -> list[RoundRow]:
        """The rounds that count, of one table or ("") of all, in order of arrival.

        With `newest` from 0 on only so many, the last one first.
        """
        order = "DESC" if newest >= 0 else "ASC"
        query = (
            f"SELECT {ROUND_COLUMNS} FROM rounds WHERE fault = '' AND (? = '' OR name = ?) ORDER BY n {order} LIMIT ?"
        )
        return [RoundRow.from_row(row) for row in self.select(query, name, name, newest)]

    def newest_organiser_notes(self, newest: int = 50) -> list[tuple[str, str, str]]:
        """The newest notes for the organiser, the last one first: time, table, sentence."""
        rows = self.select("SELECT at, name, sentence, words FROM told ORDER BY n DESC LIMIT ?", newest)
        return [
            (time_of_note, name, stored_sentence(sentence, parts_json))
            for time_of_note, name, sentence, parts_json in rows
        ]

    def standings(self, since: str = "") -> list[Standing]:
        """The standings of the rounds that count, where a win that is shared counts as won by each.

        With `since`, a time in ISO 8601 by the server's clock, only of rounds that arrived then or later.
        """
        query = "SELECT game, players, result FROM rounds WHERE fault = '' AND arrived >= ? ORDER BY n"
        with closing(self._db.execute(query, (since,))) as rows:
            finished = (
                FinishedRound(game, tuple(json.loads(players)), (), Result.parse(result).winners)
                for game, players, result in rows
            )
            return compute_standings(finished, shared_wins_count=True)


class RecordVerdict(NamedTuple):
    """What a record gives: game id, players (JSON list) and result as records write it, if it counts.

    Otherwise `fault_code` is a code, and `reason` a sentence for the organiser.
    """

    game: str = ""
    players: str = "[]"
    result: str = ""
    fault_code: str = ""
    reason: str = ""


def check_record(record_text: str) -> RecordVerdict:
    """Check a record. It counts if it is valid by its game's rules, finished, and names its players."""
    report = record.check_record(record_text)
    if report.fault is not None:
        reason = text("line {line}: {why}", line=report.fault.line, why=report.fault.message)
        return RecordVerdict(
            fault_code=report.fault.code,
            reason=reason if len(reason) <= MAX_FAULT_LETTERS else reason[:MAX_FAULT_LETTERS],
        )
    header = report.header
    assert header is not None, "a record that stands has a header"
    if not report.is_over:
        return RecordVerdict(fault_code="unfinished", reason=text("it is not over"))
    if not header.players or any(len(name) > MAX_NAME_LETTERS for name in header.players):
        reason = text("it must name its players, with at most {most} letters each", most=MAX_NAME_LETTERS)
        return RecordVerdict(fault_code="names", reason=reason)
    result = str(report.rules.outcome(report.state).result)
    return RecordVerdict(header.game, json.dumps(header.players), result)

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

from companion.club.database import ClubDatabase, read_sentence, sentence_columns
from companion.club.messages import Have, LogMessage
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

STORES = 20
"""The most stores under one table's name: enough for a new SD card now and then, and no flood fills the disk."""
TOLD = 500
"""The most notes for the organiser that are saved; older ones are deleted."""
NEXT = "1 + max((SELECT coalesce(max(n), 0) FROM rounds), (SELECT coalesce(max(n), 0) FROM gone))"
"""SQL for the number of the next round, which is higher than any before."""
LONGEST_NAME, LONGEST_FAULT = 64, 300
"""The most letters of a player's name, and of why a record does not count: the pages have to show them."""


class MessageRefusedError(Exception):
    """A valid message that the server does not accept; the one argument is a sentence, which is a text."""


class GapError(Exception):
    """A message before this one is missing; the table has to send from further back."""


class TableRow(NamedTuple):
    """A table: how many of its rounds count and do not count, and when something last came from it."""

    name: str
    rounds: int
    faults: int
    seen: str


class RoundRow(NamedTuple):
    """A round that counts.

    `arrival` is its place in the order of arrival, and `arrived` the time of that by the server's clock.
    """

    n: int
    name: str
    round: int
    game: str
    players: tuple[str, ...]
    result: str
    arrived: str
    record: str

    @classmethod
    def read(cls, row: Sequence[Any]) -> RoundRow:
        """The round in a row of the database that was selected with `ROUND_COLUMNS`."""
        return cls(*row)._replace(players=tuple(json.loads(row[cls._fields.index("players")])))


COLUMNS = "n, name, round, game, players, result, arrived, record"
"""The columns that `RoundRow.from_row` takes, in the order of its fields."""


class Intake(ClubDatabase):
    """The part of the club's file that the tables fill; by default locked as the one server that receives messages."""

    def __init__(self, folder: Path, *, serving: bool = True) -> None:
        super().__init__(folder, serving=serving)

    # -- receiving ----------------------------------------------------------------------------------------------

    def take(self, name: str, message: LogMessage, at: str) -> list[str]:
        """Save one message of a table, within the caller's transaction. Returns sentences for the organiser.

        `arrived` is the server's time, which is only shown. Raises MessageRefusedError, and MissingMessageError if a
        message before this one is missing.
        """
        self.admit(name, message.store, at)
        if self._is_known(message.store, message.entry):
            self._note_newest(message.store, message.entry, at)
            return []
        if not self._is_known(message.store, message.after):
            raise GapError
        older = text("continues from an older copy of its rounds; everything played before and since counts")
        said: list[str] = [older] if self._is_behind(message) else []
        of = "WHERE store = ?"
        self.execute(f"INSERT INTO positions SELECT store, count, ?, ? FROM stores {of}", *message.entry, message.store)
        self.execute(f"UPDATE stores SET count = count + 1 {of}", message.store)
        self._note_newest(message.store, message.entry, at)
        said += self._keep(name, message, at)
        for sentence in said:
            self.tell(name, sentence, at)
        return said

    def tell(self, name: str, sentence: str, at: str) -> None:
        """Save a note for the organiser, within the caller's transaction."""
        columns = "at, name, sentence, words"
        self.execute(f"INSERT INTO told ({columns}) VALUES (?, ?, ?, ?)", at, name, *sentence_columns(sentence))
        self.execute("DELETE FROM told WHERE n <= (SELECT max(n) FROM told) - ?", TOLD)

    def move(self, old: str, new: str) -> int:
        """Give the rounds and stores of one table to another.

        Returns how many rounds that were. Raises ClubDatabaseError.
        """
        with self.transaction():
            self.execute("UPDATE stores SET name = ? WHERE name = ?", new, old)
            return self.execute("UPDATE rounds SET name = ? WHERE name = ?", new, old).rowcount

    def judge_again(self) -> int:
        """Check the records again that did not count, because a missing game may have been installed.

        Within the caller's transaction. Returns how many count now.
        """
        counted = 0
        for n, kept in self.select("SELECT n, record FROM rounds WHERE fault != ''"):
            judged = judge(kept)
            if not judged.fault:
                statement = "UPDATE rounds SET game = ?, players = ?, result = ?, fault = '' WHERE n = ?"
                self.execute(statement, *judged[:3], n)
                counted += 1
        return counted

    def admit(self, name: str, store: str, at: str) -> None:
        """Accept a store only under the table's name that it first had. Raises MessageRefusedError."""
        known = self.select("SELECT name FROM stores WHERE store = ?", store)
        if not known:
            ((stores,),) = self.select("SELECT count(*) FROM stores WHERE name = ?", name)
            if stores >= STORES:
                words = "it has already sent {most} different sets of rounds; no more are accepted"
                raise MessageRefusedError(text(words, most=STORES))
            self.execute("INSERT INTO stores VALUES (?, ?, 0, 0, 0, ?)", store, name, at)
            if stores:
                said = text("has different rounds from before: a new card, or a second box with that name")
                self.tell(name, said, at)
        elif known != [(name,)]:
            words = "its rounds came from {before} until now; if it was renamed: companion hall move {before} {now}"
            raise MessageRefusedError(text(words, before=known[0][0], now=name))

    def _is_known(self, store: str, position: EntryPosition) -> bool:
        query = "SELECT 1 FROM positions WHERE store = ? AND entry = ? AND sum = ?"
        return position == START_POSITION or bool(self.select(query, store, *position))

    def _is_behind(self, message: LogMessage) -> bool:
        """Whether a message goes on from before the newest entry: the table's store was restored from an older copy."""
        query = "SELECT entry FROM positions WHERE store = ? ORDER BY n DESC LIMIT 1"
        return any(entry > message.after.number for (entry,) in self.select(query, message.store))

    def _note_newest(self, store: str, position: EntryPosition, at: str) -> None:
        self.execute("UPDATE stores SET last = ?, sum = ?, seen = ? WHERE store = ?", *position, at, store)

    def _keep(self, name: str, message: LogMessage, at: str) -> list[str]:
        """Insert, replace or delete the message's round. Returns sentences for the organiser."""
        key = (message.store, message.round, message.first)
        which = "store = ? AND round = ? AND first = ?"
        if not message.record:
            self._delete(which, *key)
            said = text("cannot send round {round}: {why}", round=message.round, why=message.why)
            return [said] if message.why else []
        judged = judge(message.record)
        digest = hashlib.sha256(message.record.encode()).digest()
        # A rescued store may have new entry numbers. The same record under the same number is the same round, and its
        # place in the order stays: otherwise it could become the result of a pairing that was made later.
        same, those = "store = ? AND round = ? AND digest = ? AND first != ?", (*key[:2], digest, message.first)
        self.execute(f"UPDATE OR IGNORE rounds SET first = ? WHERE {same}", message.first, *those)
        self._delete(same, *those)
        self.execute(
            "INSERT INTO rounds (n, store, round, first, name, record, digest, game, players, result, fault, arrived) "
            f"VALUES ({NEXT}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (store, round, first) DO UPDATE SET "
            "name = excluded.name, record = excluded.record, digest = excluded.digest, game = excluded.game, "
            "players = excluded.players, result = excluded.result, fault = excluded.fault",
            *key, name, message.record, digest, *judged[:4], at,
        )  # fmt: skip
        said = text("round {round} does not count: {why}", round=message.round, why=judged.why)
        return [said] if judged.fault else []

    def _delete(self, where: str, *values: object) -> None:
        """Delete rounds, and remember the highest of their numbers.

        Numbers are never given again, because a pairing takes only rounds that come after a certain number.
        """
        newest = f"INSERT INTO gone SELECT 1, max(n) FROM rounds WHERE {where} HAVING count(*)"
        self.execute(f"{newest} ON CONFLICT DO UPDATE SET n = max(n, excluded.n)", *values)
        self.execute(f"DELETE FROM rounds WHERE {where}", *values)

    # -- queries ------------------------------------------------------------------------------------------------

    def have(self, store: str, ask: str) -> Have:
        """What the server has of a store, as a message.

        Its entries are the one last received, the newest, then older ones at doubling distances.
        """
        known = self.select("SELECT count, last, sum FROM stores WHERE store = ?", store)
        count, *newest = known[0] if known else (0,)
        wanted = {max(0, count - 1 - step) for step in (0, *(1 << k for k in range(count.bit_length())), count)}
        which = "store = ? AND n IN (SELECT value FROM json_each(?))"
        query = f"SELECT entry, sum FROM positions WHERE {which} ORDER BY n DESC"
        found = [tuple(newest), *self.select(query, store, json.dumps([*wanted]))] if count else []
        return Have(store, ask, tuple(EntryPosition(*each) for each in dict.fromkeys(found)))

    def tables(self) -> list[TableRow]:
        """A row for every table that has sent something, by name."""
        rows = self.select(
            "SELECT s.name, (SELECT count(*) FROM rounds r WHERE r.name = s.name AND r.fault = ''), "
            "(SELECT count(*) FROM rounds r WHERE r.name = s.name AND r.fault != ''), max(s.seen) "
            "FROM stores s GROUP BY s.name ORDER BY s.name"
        )
        return [TableRow(*row) for row in rows]

    def rounds(self, name: str = "", newest: int = -1) -> list[RoundRow]:
        """The rounds that count, of one table or ("") of all, in order of arrival.

        With `newest` from 0 on only so many, the last one first.
        """
        order = "DESC" if newest >= 0 else "ASC"
        query = f"SELECT {COLUMNS} FROM rounds WHERE fault = '' AND (? = '' OR name = ?) ORDER BY n {order} LIMIT ?"
        return [RoundRow.read(row) for row in self.select(query, name, name, newest)]

    def notes(self, newest: int = 50) -> list[tuple[str, str, str]]:
        """The newest notes for the organiser, the last one first: time, table, sentence."""
        rows = self.select("SELECT at, name, sentence, words FROM told ORDER BY n DESC LIMIT ?", newest)
        return [(at, name, read_sentence(sentence, words)) for at, name, sentence, words in rows]

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


class Judged(NamedTuple):
    """What a record gives: game id, players (JSON list) and result as records write it, if it counts.

    Otherwise `fault` is a code, and `why` a sentence for the organiser.
    """

    game: str = ""
    players: str = "[]"
    result: str = ""
    fault: str = ""
    why: str = ""


def judge(sent: str) -> Judged:
    """Check a record. It counts if it is valid by its game's rules, finished, and names its players."""
    report = record.check_record(sent)
    if report.fault is not None:
        why = text("line {line}: {why}", line=report.fault.line, why=report.fault.message)
        return Judged(fault=report.fault.code, why=why if len(why) <= LONGEST_FAULT else why[:LONGEST_FAULT])
    header = report.header
    assert header is not None, "a record that stands has a header"
    if not report.is_over:
        return Judged(fault="unfinished", why=text("it is not over"))
    if not header.players or any(len(name) > LONGEST_NAME for name in header.players):
        why = text("it must name its players, with at most {most} letters each", most=LONGEST_NAME)
        return Judged(fault="names", why=why)
    result = str(report.rules.outcome(report.state).result)
    return Judged(header.game, json.dumps(header.players), result)

"""The hall's own store: what has come from each table, exactly once and in order, whatever is sent how often.

A message counts if it follows one that has come before, in its table's own numbering; one that has come already is
passed over, and one behind a gap makes the hall ask again. Nothing here trusts a table's clock: order is that of its
entries and of arrival. All that follows from a message is one transaction, its place in the order included.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from companion.game.result import Result
from companion.hall.judging import judge
from companion.hall.messages import Have, LogMessage, Unreadable
from companion.store.outgoing import START, Position

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILE = "hall.db"
LOCK = "hall.lock"
VERSION = 1
STORES = 20
"""So many stores one table's name may bring: a new SD card each week of a season, but not a flood."""
TOLD = 500
"""So many sentences about refusals are kept, the newest."""

SCHEMA = """
CREATE TABLE stores (
    store TEXT PRIMARY KEY, name TEXT NOT NULL, count INTEGER NOT NULL, last INTEGER NOT NULL, sum INTEGER NOT NULL,
    seen TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE positions (
    store TEXT NOT NULL, n INTEGER NOT NULL, entry INTEGER NOT NULL, sum INTEGER NOT NULL,
    PRIMARY KEY (store, n)) WITHOUT ROWID;
CREATE UNIQUE INDEX positions_by_entry ON positions (store, entry, sum);
CREATE TABLE rounds (
    n INTEGER PRIMARY KEY, store TEXT NOT NULL, round INTEGER NOT NULL, first INTEGER NOT NULL, name TEXT NOT NULL,
    record TEXT NOT NULL, digest BLOB NOT NULL, game TEXT NOT NULL, players TEXT NOT NULL, result TEXT NOT NULL,
    fault TEXT NOT NULL, arrived TEXT NOT NULL, UNIQUE (store, round, first));
CREATE TABLE told (n INTEGER PRIMARY KEY, at TEXT NOT NULL, name TEXT NOT NULL, sentence TEXT NOT NULL);
"""
"""`stores.count` counts the positions that have come, `last` and `sum` are the entry that was spoken of last.

`rounds.n` is the order of arrival; a round that comes anew, changed, keeps its place. `fault` says why a record does
not count, "" where it does; such a round has neither players nor result.
"""


class Refused(Exception):
    """A message that is not taken in; the text is one sentence."""


class Gap(Exception):
    """A message that follows one which has not come: the table has to begin further back."""


class HallError(Exception):
    """The hall's store cannot be used, in one sentence."""


class TableRow(NamedTuple):
    """A table as the hall knows it: the rounds of its that count, those that do not, and when it last brought one."""

    name: str
    stores: int
    rounds: int
    faults: int
    seen: str


class RoundRow(NamedTuple):
    """A round that has come and counts."""

    n: int
    name: str
    round: int
    game: str
    players: tuple[str, ...]
    result: str
    arrived: str
    record: str


class Line(NamedTuple):
    """A player's line of the standings: rounds played, won alone, shared."""

    name: str
    played: int
    won: int
    shared: int


class Intake:
    """The hall's store in a folder.

    Args:
        folder: made where it is missing, with `serving`.
        serving: this is the one process that takes messages in; without, a store that is there is used beside it.

    Raises HallError.
    """

    def __init__(self, folder: Path, *, serving: bool = True) -> None:
        self._lock: int | None = None
        try:
            if serving:
                folder.mkdir(parents=True, exist_ok=True, mode=0o750)
                self._lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o640)
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            elif not (folder / FILE).exists():
                raise HallError(f"there is no hall's store in {folder}")
            self._db = sqlite3.connect(folder / FILE, timeout=10, isolation_level=None, check_same_thread=False)
            for pragma in ("journal_mode = WAL", "synchronous = FULL"):
                self._db.execute(f"PRAGMA {pragma}").fetchone()
            self._db.execute("BEGIN IMMEDIATE")
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                for statement in SCHEMA.split(";\n"):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version = {VERSION}")
            self._db.execute("COMMIT")
        except BlockingIOError:
            raise HallError(f"another hall is running on {folder}") from None
        except (sqlite3.Error, OSError) as error:
            raise HallError(f"the hall's store in {folder} cannot be used: {error}") from None
        if version > VERSION:
            raise HallError(f"the hall's store in {folder} was made by a newer version of the program")

    def close(self) -> None:
        """Leave the file to others."""
        self._db.close()
        if self._lock is not None:
            os.close(self._lock)

    @contextmanager
    def together(self) -> Iterator[None]:
        """One transaction, on disk at its end. Raises HallError; then nothing of it has happened."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise HallError(f"the hall's store cannot be written: {error}") from error

    # -- what comes ---------------------------------------------------------------------------------------------

    def take(self, name: str, message: LogMessage, at: str) -> list[str]:
        """Take one message of a table in, in the caller's transaction; sentences for the organiser.

        `at` is the hall's own time, only to be shown. Raises Refused, and Gap where something before it is missing.
        """
        self.admit(name, message.store, at)
        if self._known(message.store, message.entry):
            self._speak_of(message.store, message.entry, at)
            return []
        if not self._known(message.store, message.after):
            raise Gap
        said = []
        if self._is_behind(message):
            said.append("goes on from an older copy of its rounds; all that was played before and since counts")
        count = self._db.execute("SELECT count FROM stores WHERE store = ?", (message.store,)).fetchone()[0]
        self._db.execute("INSERT INTO positions VALUES (?, ?, ?, ?)", (message.store, count, *message.entry))
        self._db.execute("UPDATE stores SET count = ? WHERE store = ?", (count + 1, message.store))
        self._speak_of(message.store, message.entry, at)
        said += self._keep(name, message, at)
        for sentence in said:
            self.tell(name, sentence, at)
        return said

    def tell(self, name: str, sentence: str, at: str) -> None:
        """Keep a sentence for the organiser, in the caller's transaction."""
        self._db.execute("INSERT INTO told (at, name, sentence) VALUES (?, ?, ?)", (at, name, sentence))
        self._db.execute("DELETE FROM told WHERE n <= (SELECT max(n) FROM told) - ?", (TOLD,))

    def move(self, old: str, new: str) -> int:
        """From now on the stores that came as one table come as another; how many rounds that are. Raises HallError."""
        with self.together():
            self._db.execute("UPDATE stores SET name = ? WHERE name = ?", (new, old))
            return self._db.execute("UPDATE rounds SET name = ? WHERE name = ?", (new, old)).rowcount

    def judge_again(self) -> int:
        """Check records once more that did not count: a game may be installed by now. How many count. HallError."""
        counted = 0
        with self.together():
            for n, text in self._db.execute("SELECT n, record FROM rounds WHERE fault != ''").fetchall():
                judged = judge(text)
                if not judged.fault:
                    self._db.execute(
                        "UPDATE rounds SET game = ?, players = ?, result = ?, fault = '' WHERE n = ?",
                        (judged.game, judged.players, judged.result, n),
                    )
                    counted += 1
        return counted

    def admit(self, name: str, store: str, at: str) -> None:
        """Let a store in under the name that it first had. Raises Refused."""
        row = self._db.execute("SELECT name FROM stores WHERE store = ?", (store,)).fetchone()
        if row is None:
            (stores,) = self._db.execute("SELECT count(*) FROM stores WHERE name = ?", (name,)).fetchone()
            if stores >= STORES:
                raise Refused(f"it has brought {STORES} stores already, and no further one is taken")
            self._db.execute("INSERT INTO stores VALUES (?, ?, 0, 0, 0, ?)", (store, name, at))
            if stores:
                self.tell(name, "has another store of rounds than before: a new card, or a second box of that name", at)
        elif row[0] != name:
            raise Refused(f"its rounds came as {row[0]} before; if that is right: companion hall move {row[0]} {name}")

    def _known(self, store: str, position: Position) -> bool:
        if position == START:
            return True
        where = "store = ? AND entry = ? AND sum = ?"
        return self._db.execute(f"SELECT 1 FROM positions WHERE {where}", (store, *position)).fetchone() is not None

    def _is_behind(self, message: LogMessage) -> bool:
        """Whether a store that brings something new goes on from further back than it was the last time."""
        row = self._db.execute(
            "SELECT entry FROM positions WHERE store = ? ORDER BY n DESC LIMIT 1", (message.store,)
        ).fetchone()
        return row is not None and row[0] > message.after.entry

    def _speak_of(self, store: str, position: Position, at: str) -> None:
        self._db.execute("UPDATE stores SET last = ?, sum = ?, seen = ? WHERE store = ?", (*position, at, store))

    def _keep(self, name: str, message: LogMessage, at: str) -> list[str]:
        """What becomes of the round; sentences."""
        key = (message.store, message.round, message.first)
        which = "store = ? AND round = ? AND first = ?"
        if not message.record:
            self._db.execute(f"DELETE FROM rounds WHERE {which}", key)
            return [f"cannot send round {message.round}: {message.why}"] if message.why else []
        judged = judge(message.record)
        digest = hashlib.sha256(message.record.encode()).digest()
        # A store that was rebuilt may number its lines anew: the same record of the same round is that round.
        same = "store = ? AND round = ? AND digest = ? AND first != ?"
        self._db.execute(f"DELETE FROM rounds WHERE {same}", (message.store, message.round, digest, message.first))
        self._db.execute(
            "INSERT INTO rounds (store, round, first, name, record, digest, game, players, result, fault, arrived) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (store, round, first) DO UPDATE SET "
            "name = excluded.name, record = excluded.record, digest = excluded.digest, game = excluded.game, "
            "players = excluded.players, result = excluded.result, fault = excluded.fault",
            (*key, name, message.record, digest, judged.game, judged.players, judged.result, judged.fault, at),
        )
        return [f"round {message.round} does not count: {judged.fault}"] if judged.fault else []

    # -- what is told -------------------------------------------------------------------------------------------

    def have(self, store: str, ask: str) -> Have:
        """What the hall has of a store: the entry last spoken of, then the newest, then older ones further apart."""
        row = self._db.execute("SELECT count, last, sum FROM stores WHERE store = ?", (store,)).fetchone()
        if row is None or not row[0]:
            return Have(store, ask, ())
        count, last, sum_ = row
        wanted = sorted({max(0, count - 1 - step) for step in (0, *(1 << k for k in range(count.bit_length())), count)})
        marks = ",".join("?" * len(wanted))
        found = self._db.execute(
            f"SELECT entry, sum FROM positions WHERE store = ? AND n IN ({marks}) ORDER BY n DESC", (store, *wanted)
        )
        entries = dict.fromkeys([Position(last, sum_), *(Position(*each) for each in found)])
        return Have(store, ask, tuple(entries))

    @property
    def version(self) -> int:
        """Changes whenever another process or thread has changed the store by a connection of its own."""
        return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    def tables(self) -> list[TableRow]:
        """Every table that has brought something, by name."""
        rows = self._db.execute(
            "SELECT s.name, count(*), (SELECT count(*) FROM rounds r WHERE r.name = s.name AND r.fault = ''), "
            "(SELECT count(*) FROM rounds r WHERE r.name = s.name AND r.fault != ''), max(s.seen) "
            "FROM stores s GROUP BY s.name ORDER BY s.name"
        )
        return [TableRow(*row) for row in rows]

    def rounds(self, name: str = "", newest: int = -1) -> list[RoundRow]:
        """The rounds that count, in the order of their arrival, or the newest ones, the last first."""
        order = "DESC" if newest >= 0 else "ASC"
        rows = self._db.execute(
            "SELECT n, name, round, game, players, result, arrived, record FROM rounds "
            f"WHERE fault = '' AND (? = '' OR name = ?) ORDER BY n {order} LIMIT ?",
            (name, name, newest),
        )
        return [
            RoundRow(n, of, number, game, tuple(json.loads(players)), result, arrived, text)
            for n, of, number, game, players, result, arrived, text in rows
        ]

    def told(self, newest: int = 50) -> list[tuple[str, str, str]]:
        """The newest sentences, the last one first: when, which table, what."""
        return list(self._db.execute("SELECT at, name, sentence FROM told ORDER BY n DESC LIMIT ?", (newest,)))

    def standings(self) -> list[Line]:
        """Every player of the rounds that count: most won, then most shared, then fewest played, then by name."""
        lines: dict[str, list[int]] = {}
        with closing(self._db.execute("SELECT players, result FROM rounds WHERE fault = ''")) as rows:
            for players, result in rows:
                names = json.loads(players)
                winners = Result.parse(result).names_of_winners(names)
                for name in set(names):
                    line = lines.setdefault(name, [0, 0, 0])
                    line[0] += 1
                    line[1] += winners == (name,)
                    line[2] += len(winners) > 1 and name in winners
        found = [Line(name, *line) for name, line in lines.items()]
        return sorted(found, key=lambda each: (-each.won, -each.shared, each.played, each.name))


def refusal(error: Unreadable | Refused) -> str:
    """The sentence about a message that was not taken in."""
    return f"a message was refused: {error}"

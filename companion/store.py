"""Where rounds are kept: SQLite in WAL mode with synchronous=FULL, so that a commit survives the plug being pulled.

Order is that of row numbers, never of time: a Pi has no battery clock. What is taken back is marked, not deleted.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from companion.session.model import About, Past, Result, Saved, Standing, Write

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FILE = "rounds.db"
EVENING = timedelta(hours=8)
"""A pause of this length, either way, begins another evening."""

_MIGRATIONS = (
    """
    CREATE TABLE rounds (
        id INTEGER PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL, names TEXT NOT NULL, goal INTEGER NOT NULL,
        number INTEGER NOT NULL, wins TEXT NOT NULL, opened TEXT NOT NULL, begun TEXT NOT NULL,
        evening INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'running', result TEXT NOT NULL DEFAULT '');
    CREATE TABLE entries (
        id INTEGER PRIMARY KEY AUTOINCREMENT, round INTEGER NOT NULL REFERENCES rounds (id), kind TEXT NOT NULL,
        seat INTEGER NOT NULL, text TEXT NOT NULL, at TEXT NOT NULL, standing INTEGER NOT NULL DEFAULT 1);
    CREATE INDEX entries_by_round ON entries (round, id);
    CREATE TABLE seats (
        round INTEGER NOT NULL REFERENCES rounds (id), seat INTEGER NOT NULL, name TEXT NOT NULL,
        score INTEGER, won INTEGER, shared INTEGER, PRIMARY KEY (round, seat)) WITHOUT ROWID;
    CREATE INDEX seats_by_name ON seats (name);
    CREATE INDEX rounds_by_state ON rounds (state, id);
    CREATE INDEX rounds_by_evening ON rounds (evening, id);
    """,
)


class StoreError(Exception):
    """The store cannot be used; the text is one sentence for the players."""


class InUse(StoreError):
    """Another table keeps its rounds in the same folder."""


class Store:
    """The rounds of a data folder.

    Args:
        folder: the data folder, made if it is missing.
        now: the wall clock, for dates only.
        reading: opens an existing store to read beside a running table; nothing is locked, made or changed.

    Raises:
        InUse: another table is running on the folder.
        StoreError: the folder or the file cannot be used.
    """

    def __init__(
        self, folder: Path, now: Callable[[], datetime] = lambda: datetime.now(UTC), *, reading: bool = False
    ) -> None:
        self.folder = folder
        self.warning = ""
        self._now = now
        self._lock: IO[str] | None = None
        try:
            if not reading:
                folder.mkdir(parents=True, exist_ok=True)
                self._lock = _locked(folder)
            self._db = self._opened(reading)
            self._evening = self._this_evening()
        except OSError as error:
            raise StoreError(f"The data folder {folder} cannot be used: {error.strerror}.") from error
        except sqlite3.Error as error:
            raise StoreError(f"The rounds in {folder} cannot be read: {error}.") from error

    def write(self, writes: Sequence[Write]) -> None:
        """Keep lines in order, all or none; on disk when it returns. Raises StoreError."""
        if not writes:
            return
        try:
            with self._db:
                for line in writes:
                    self._put(line)
        except sqlite3.Error as error:
            raise StoreError(f"Not kept: {_reason(error)}") from error

    def past(self) -> Past:
        """What the session starts from. Raises StoreError."""
        try:
            top = self._db.execute("SELECT coalesce(max(id), 0) FROM rounds").fetchone()[0]
            return Past(
                next_round=top + 1,
                names=tuple(self._recent_names()),
                last_games=tuple(self._recent_games()),
                tonight=self._results("r.evening = ?", self._evening),
                ever=tuple(Standing(*row) for row in self._db.execute(_EVER)),
                history=tuple(self._history(99)),
                unfinished=self._newest("state = 'running'"),
                between=self._between(top),
            )
        except sqlite3.Error as error:
            raise StoreError(f"The rounds in {self.folder} cannot be read: {error}.") from error

    def round(self, number: int | None = None) -> Saved | None:
        """A round with its standing deals and events; the newest for None; None where there is none."""
        return self._newest("1") if number is None else self._newest("id = ?", number)

    def numbers(self) -> list[int]:
        """The numbers of all rounds, oldest first."""
        return [number for (number,) in self._db.execute("SELECT id FROM rounds ORDER BY id")]

    def begun(self, number: int) -> str:
        """When a round began, as ISO 8601 with its offset."""
        row = self._db.execute("SELECT begun FROM rounds WHERE id = ?", (number,)).fetchone()
        return str(row[0]) if row else ""

    def close(self) -> None:
        """Leave the folder to others."""
        self._db.close()
        if self._lock is not None:
            self._lock.close()

    # -- opening ------------------------------------------------------------------------------------------------

    def _opened(self, reading: bool) -> sqlite3.Connection:
        path = self.folder / FILE
        if reading:
            if not path.exists():
                raise StoreError(f"No rounds are kept in {self.folder}.")
            return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        try:
            return _connected(path)
        except sqlite3.OperationalError as error:
            raise StoreError(f"The rounds in {self.folder} cannot be opened: {_reason(error)}") from error
        except sqlite3.DatabaseError:
            aside = _set_aside(path)
            self.warning = f"The kept rounds were damaged; they lie aside as {aside.name}."
            return _connected(path)

    def _this_evening(self) -> int:
        """The evening's number: that of the last entry, or the next one after a long pause."""
        row = self._db.execute("SELECT r.evening, e.at FROM entries e JOIN rounds r ON r.id = e.round "
                               "ORDER BY e.id DESC LIMIT 1").fetchone()  # fmt: skip
        if row is None:
            return 1
        pause = abs(self._now() - datetime.fromisoformat(row[1]))
        return int(row[0]) + (pause > EVENING)

    # -- writing ------------------------------------------------------------------------------------------------

    def _put(self, line: Write) -> None:
        at = self._now().astimezone().isoformat(timespec="seconds")
        if line.kind == "begin" and line.about is not None:
            self._begin(line.round, line.about, at)
        self._db.execute(
            "INSERT INTO entries (round, kind, seat, text, at, standing) VALUES (?, ?, ?, ?, ?, ?)",
            (line.round, line.kind, line.seat, line.text, at, line.kind in _STANDING),
        )
        if line.kind == "result":
            self._finish(line.round, line.text)
        elif line.kind == "back":
            self._back(line.round)
        elif line.kind == "aside":
            self._db.execute("UPDATE rounds SET state = CASE state WHEN 'running' THEN 'aside' ELSE 'closed' END "
                             "WHERE id = ?", (line.round,))  # fmt: skip

    def _begin(self, number: int, about: About, at: str) -> None:
        self._db.execute(
            "INSERT INTO rounds (id, game, options, names, goal, number, wins, opened, begun, evening) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (number, about.game, json.dumps(about.options), json.dumps(about.names), about.goal, about.number,
             json.dumps(about.wins), json.dumps(about.opened), at, self._evening),
        )  # fmt: skip
        seats = [(number, seat, name) for seat, name in enumerate(about.names, 1)]
        self._db.executemany("INSERT INTO seats (round, seat, name) VALUES (?, ?, ?)", seats)

    def _finish(self, number: int, result: str) -> None:
        scores, _, winners = result.partition(" winners ")
        won = {int(seat) for seat in winners.split()}
        self._db.execute("UPDATE rounds SET state = 'over', result = ? WHERE id = ?", (result, number))
        for seat, score in enumerate(scores.split(), 1):
            # A score may outgrow SQLite's integers; as text it still reads as the number.
            self._db.execute(
                "UPDATE seats SET score = ?, won = ?, shared = ? WHERE round = ? AND seat = ?",
                (score if len(score) > 18 else int(score), won == {seat}, seat in won and len(won) > 1, number, seat),
            )

    def _back(self, number: int) -> None:
        """The newest standing event, or else deal, no longer stands; nor does a result."""
        self._db.execute(
            "UPDATE entries SET standing = 0 WHERE id = (SELECT id FROM entries WHERE round = ? AND standing = 1 "
            "ORDER BY id DESC LIMIT 1)",
            (number,),
        )
        self._db.execute("UPDATE rounds SET state = 'running', result = '' WHERE id = ?", (number,))
        self._db.execute("UPDATE seats SET score = NULL, won = NULL, shared = NULL WHERE round = ?", (number,))

    # -- reading ------------------------------------------------------------------------------------------------

    def _newest(self, where: str, *values: object) -> Saved | None:
        columns = "id, game, options, names, goal, number, wins, opened, result"
        row = self._db.execute(
            f"SELECT {columns} FROM rounds WHERE {where} ORDER BY id DESC LIMIT 1", values
        ).fetchone()
        if row is None:
            return None
        number, game, options, names, goal, of_match, wins, opened, result = row
        about = About(game, _pairs(options), tuple(json.loads(names)), goal, of_match, _pairs(wins), _pairs(opened))
        kept = self._db.execute("SELECT kind, seat, text FROM entries WHERE round = ? AND standing = 1 ORDER BY id",
                                (number,)).fetchall()  # fmt: skip
        deals = tuple((kind, seat, text) for kind, seat, text in kept if kind != "event")
        events = tuple((seat, text) for kind, seat, text in kept if kind == "event")
        return Saved(number, about, deals, events, result)

    def _between(self, top: int) -> Saved | None:
        """The newest round, where it is finished and its match is not."""
        saved = self._newest("id = ? AND state = 'over' AND goal > 0", top)
        if saved is None:
            return None
        wins = dict(saved.about.wins)
        winners = saved.result.partition(" winners ")[2].split()
        if len(winners) == 1:
            name = saved.about.names[int(winners[0]) - 1]
            wins[name] = wins.get(name, 0) + 1
        return None if max(wins.values(), default=0) >= saved.about.goal else saved

    def _results(self, where: str, *values: object) -> tuple[Result, ...]:
        rows = self._db.execute(f"SELECT r.game, r.names, r.result, r.begun FROM rounds r WHERE {where} "
                                "AND r.result != '' ORDER BY r.id", values)  # fmt: skip
        return tuple(_result(*row) for row in rows)

    def _recent_names(self) -> list[str]:
        rows = self._db.execute("SELECT names FROM rounds ORDER BY id DESC LIMIT 200")
        return list(dict.fromkeys(name for (names,) in rows for name in json.loads(names)))

    def _recent_games(self) -> list[str]:
        rows = self._db.execute("SELECT game FROM rounds GROUP BY game ORDER BY max(id) DESC")
        return [game for (game,) in rows]

    def _history(self, most: int) -> list[tuple[int, str, str]]:
        rows = self._db.execute("SELECT id, game, names, result, state FROM rounds ORDER BY id DESC LIMIT ?", (most,))
        return [(number, " - ".join(json.loads(names)), result.partition(" winners")[0] or "unfinished")
                for number, _, names, result, _ in rows]  # fmt: skip


_STANDING = ("deal", "rack", "event")
_EVER = """
    SELECT s.name, count(*), sum(s.won), sum(s.shared) FROM seats s WHERE s.won IS NOT NULL
    GROUP BY s.name ORDER BY sum(s.won) DESC, count(*), s.name
"""


def _pairs(text: str) -> tuple[tuple[str, Any], ...]:
    return tuple((a, b) for a, b in json.loads(text))


def _result(game: str, names: str, result: str, begun: str) -> Result:
    scores, _, winners = result.partition(" winners ")
    won = tuple(int(seat) for seat in winners.split())
    return Result(game, tuple(json.loads(names)), tuple(int(score) for score in scores.split()), won, begun)


def _connected(path: Path) -> sqlite3.Connection:
    """A connection that is safe against a power cut, with the newest tables. Raises sqlite3.Error."""
    if path.exists():
        _check_length(path)
    db = sqlite3.connect(path)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version > len(_MIGRATIONS):
            raise sqlite3.OperationalError("they were kept by a newer version of the program")
        for number, script in enumerate(_MIGRATIONS[version:], version + 1):
            db.executescript(f"BEGIN; {script} PRAGMA user_version = {number}; COMMIT;")
        for table in ("rounds", "entries", "seats"):
            db.execute(f"SELECT * FROM {table} ORDER BY rowid DESC LIMIT 1" if table != "seats"
                       else "SELECT * FROM seats LIMIT 1").fetchone()  # fmt: skip
    except sqlite3.Error:
        db.close()
        raise
    return db


def _check_length(path: Path) -> None:
    """Raise sqlite3.DatabaseError for a file that was cut short: SQLite itself may notice only much later."""
    with path.open("rb") as file:
        head = file.read(100)
        size = os.fstat(file.fileno()).st_size
    if not size:
        return
    if len(head) < 100 or not head.startswith(b"SQLite format 3\0"):
        raise sqlite3.DatabaseError("not a database")
    page = int.from_bytes(head[16:18], "big")
    if size < (65536 if page == 1 else page) * int.from_bytes(head[28:32], "big"):
        raise sqlite3.DatabaseError("cut short")


def _set_aside(path: Path) -> Path:
    """Move a damaged store out of the way, its log with it; nothing is deleted."""
    number = 1
    while path.with_name(f"{path.name}.damaged-{number}").exists():
        number += 1
    aside = path.with_name(f"{path.name}.damaged-{number}")
    for ending in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + ending).rename(aside.with_name(aside.name + ending))
    return aside


def _locked(folder: Path) -> IO[str]:
    """A lock on the folder while the file stays open. Raises InUse."""
    lock = (folder / "table.lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        lock.close()
        raise InUse(f"Another table is running on {folder}; stop it first, or use another --data folder.") from error
    return lock


def _reason(error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", "") or ""
    if "FULL" in name:
        return "the disk is full."
    if "IOERR" in name:
        return "the disk does not answer."
    if "READONLY" in name or "CANTOPEN" in name:
        return "the data folder cannot be written."
    return f"{error}."

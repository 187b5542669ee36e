"""Where rounds are kept: SQLite in WAL mode with synchronous=FULL, so that a commit survives the plug being pulled.

Order is that of row numbers, never of time: a Pi has no battery clock. What is taken back is marked, not deleted.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from companion import pad, store_file, store_lists
from companion.session.model import About, Past, Result, Saved, Standing, Write
from companion.store_file import Damaged, InUse, StoreError, reason
from companion.store_lists import ALL, Kept, Player, Wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

__all__ = ["Damaged", "InUse", "Kept", "Store", "StoreError", "Wanted"]

FILE = "rounds.db"
EVENING = timedelta(hours=8)
"""A pause of this length, either way, begins another evening."""


class Store:
    """The rounds of a data folder.

    Args:
        folder: the data folder, made if it is missing.
        now: the wall clock, for dates and for what is one evening; never for order.
        reading: opens an existing store to read beside a running table; nothing is locked, made or changed.
        clock: monotonic seconds.

    `warning` says in a sentence that a damaged file was set aside, "" if none was.

    Raises:
        InUse: another table is running on the folder.
        StoreError: the folder or the file cannot be used.
    """

    def __init__(
        self,
        folder: Path,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        *,
        reading: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.folder = folder
        self.warning = ""
        self._now = now
        self._clock = clock
        self._lock: int | None = None
        self._file: store_file.File | None = None
        self._reader: sqlite3.Connection | None = None
        self._written: float | None = None  # when a line was last kept, in monotonic seconds
        try:
            if reading:
                self._db = self._reader = store_file.opened_for_reading(folder / FILE)
            else:
                folder.mkdir(parents=True, exist_ok=True)
                self._lock = store_file.locked(folder)
                self._open()
            with self._telling("The rounds cannot be read"):
                self._evening = self._this_evening()
        except OSError as error:
            self.close()
            raise StoreError(f"The data folder {folder} cannot be used: {_strerror(error)}") from error
        except StoreError:
            self.close()
            raise

    def write(self, writes: Sequence[Write]) -> None:
        """Keep lines in order, all or none; on disk when it returns.

        Raises:
            Damaged: the file has become unusable; `start_over` makes another.
            StoreError: the lines are not kept, for the reason in the sentence.
        """
        if not writes:
            return
        with self._telling("Not kept"):
            if self._file is not None:
                self._file.check()
            with self._db:
                for line in writes:
                    self._put(line)
        self._written = self._clock()

    def start_over(self) -> None:
        """Set a file that was damaged while it was open aside, and begin a new one. Raises StoreError."""
        try:
            if self._file is not None:
                # Moved while it is still open: closing it brings its log in, and would delete the log by its old name.
                aside = store_file.set_aside(self._file.path)
                self._file.close()
                self._file = None
                self.warning = _lies_aside(aside)
            self._open()
        except OSError as error:
            raise StoreError(f"The data folder {self.folder} cannot be used: {_strerror(error)}") from error

    def take_in(self, saved: Saved, begun: str, other: Sequence[tuple[str, str]] = ()) -> int:
        """Keep a round that was played elsewhere or before, all of it or nothing; the number that it gets.

        It counts in history and standings, and is never offered to be gone on with. `begun` is its date (ISO 8601,
        "" where it is not known), `other` the header lines that are kept for its export. Raises StoreError.
        """
        with self._telling("Not kept"), self._db:
            number = int(self._db.execute("SELECT coalesce(max(id), 0) + 1 FROM rounds").fetchone()[0])
            self._begin(number, saved.about, begun, self._evening_of(begun))
            lines = [("begin", 0, ""), *saved.deals, *(("event", *event) for event in saved.events)]
            self._db.executemany(
                "INSERT INTO entries (round, kind, seat, text, at, standing) VALUES (?, ?, ?, ?, ?, ?)",
                [(number, *line, begun, line[0] in _STANDING) for line in lines],
            )
            if saved.result:
                self._finish(number, saved.result, saved.reason, "")
            self._db.execute(
                "UPDATE rounds SET state = 'imported', other = ? WHERE id = ?", (json.dumps(list(other)), number)
            )
        return number

    def past(self) -> Past:
        """What the session starts from. Raises StoreError."""
        with self._telling(f"The rounds in {self.folder} cannot be read"):
            top = self._db.execute("SELECT coalesce(max(id), 0) FROM rounds").fetchone()[0]
            return Past(
                next_round=top + 1,
                names=tuple(self._recent_names()),
                last_games=tuple(self._recent_games()),
                tonight=self._results("r.evening = ?", self._evening),
                unfinished=self._newest("state = 'running'"),
                between=self._between(),
                pads=tuple(self._recent_pads()),
            )

    def round(self, number: int | None = None) -> Saved | None:
        """A round with its standing deals and events; the newest for None; None where there is none."""
        with self._telling(f"The rounds in {self.folder} cannot be read"):
            return self._newest("1") if number is None else self._newest("id = ?", number)

    def numbers(self) -> list[int]:
        """The numbers of all rounds, oldest first."""
        with self._telling(f"The rounds in {self.folder} cannot be read"):
            return [number for (number,) in self._db.execute("SELECT id FROM rounds ORDER BY id")]

    def kept(self, wanted: Wanted = ALL, limit: int | None = None) -> list[Kept]:
        """The rounds that are wanted in a line each, oldest first; with `limit` so many of the newest."""
        with self._telling(f"The rounds in {self.folder} cannot be read"):
            return store_lists.kept(self._db, wanted, limit)

    def standings(self, wanted: Wanted = ALL, rounds: Sequence[int] | None = None) -> list[Standing]:
        """Every player of the finished rounds that are wanted, or of `rounds`; the most won first."""
        with self._telling(f"The rounds in {self.folder} cannot be read"):
            return store_lists.standings(self._db, wanted, rounds)

    def players(self) -> list[Player]:
        """Every name that has sat at the table, who sat here last first."""
        with self._telling(f"The rounds in {self.folder} cannot be read"):
            return store_lists.players(self._db)

    def rename(self, old: str, new: str) -> int:
        """Give a player another name, or that of another player; in how many rounds. Raises StoreError."""
        with self._telling("Not renamed"), self._db:
            return store_lists.rename(self._db, old, new)

    def begun(self, number: int) -> str:
        """When a round began, as ISO 8601 with its offset; "" where an imported record did not say."""
        row = self._db.execute("SELECT begun FROM rounds WHERE id = ?", (number,)).fetchone()
        return str(row[0]) if row else ""

    def waits(self, number: int) -> list[tuple[datetime | None, datetime | None]]:
        """For each standing event, when the entry before it was kept, also one taken back since, and when it was.

        None for a time that cannot be read. The wall clock may have been set in between.
        """
        rows = self._db.execute("SELECT kind, standing, at FROM entries WHERE round = ? ORDER BY id", (number,))
        found: list[tuple[datetime | None, datetime | None]] = []
        before = None
        for kind, standing, at in rows:
            now = _moment(at)
            if kind == "event" and standing:
                found.append((before, now))
            before = now
        return found

    def other(self, number: int) -> list[tuple[str, str]]:
        """The further header lines of an imported round."""
        row = self._db.execute("SELECT other FROM rounds WHERE id = ?", (number,)).fetchone()
        return [(str(key), str(value)) for key, value in json.loads(row[0])] if row else []

    def close(self) -> None:
        """Leave the folder to others."""
        if self._reader is not None:
            self._reader.close()
        if self._file is not None:
            self._file.close()
        if self._lock is not None:
            os.close(self._lock)
        self._reader = self._file = self._lock = None

    # -- opening ------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        path = self.folder / FILE
        try:
            self._file = store_file.File(path)
        except Damaged:
            self.warning = _lies_aside(store_file.set_aside(path))
            self._file = store_file.File(path)
        self._db = self._file.db
        with self._telling("The rounds cannot be rated"), self._db:
            store_lists.rate_if_none(self._db)

    @contextmanager
    def _telling(self, what: str) -> Iterator[None]:
        """Whatever SQLite raises as a StoreError whose sentence begins with `what`."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise StoreError(f"{what}: {reason(error)}") from error
        except sqlite3.IntegrityError as error:  # Ours, not the disk's: it would come again with every file.
            raise StoreError(f"{what}: {error}.") from error
        except sqlite3.DatabaseError as error:
            raise Damaged(f"{what}: {error}.") from error

    # -- evenings -----------------------------------------------------------------------------------------------

    def _this_evening(self) -> int:
        """The evening's number: that of the last entry, or the next one after a long pause."""
        row = self._db.execute("SELECT r.evening, e.at FROM entries e JOIN rounds r ON r.id = e.round "
                               "WHERE r.state != 'imported' ORDER BY e.id DESC LIMIT 1").fetchone()  # fmt: skip
        if row is not None and _within(self._now(), _moment(row[1])):
            return int(row[0])
        return self._next_evening()

    def _next_evening(self) -> int:
        return int(self._db.execute("SELECT coalesce(max(evening), 0) + 1 FROM rounds").fetchone()[0])

    def _evening_now(self) -> int:
        """The evening of a round that begins now.

        The wall clock is asked once more at the first one, for it may have been set since the box was switched on;
        after that only the time that has passed counts, whatever the wall clock does.
        """
        if self._written is None:
            self._evening = self._this_evening()
        elif self._clock() - self._written > EVENING.total_seconds():
            self._evening = self._next_evening()
        return self._evening

    def _evening_of(self, begun: str) -> int:
        """The evening of an imported round: that of the one imported before it if their dates are near."""
        row = self._db.execute(
            "SELECT evening, begun FROM rounds WHERE state = 'imported' ORDER BY id DESC LIMIT 1"
        ).fetchone()
        if row is not None and (begun == row[1] or _within(_moment(begun), _moment(row[1]))):
            return int(row[0])
        return max(self._next_evening(), self._evening + 1)

    # -- writing ------------------------------------------------------------------------------------------------

    def _put(self, line: Write) -> None:
        at = self._now().astimezone().isoformat(timespec="seconds")
        if line.kind == "begin" and line.about is not None:
            self._begin(line.round, line.about, at, self._evening_now())
        self._db.execute(
            "INSERT INTO entries (round, kind, seat, text, at, standing, seconds) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (line.round, line.kind, line.seat, line.text, at, line.kind in _STANDING, line.seconds),
        )
        if line.kind == "result":
            self._finish(line.round, line.text, line.reason, at)
        elif line.kind == "back":
            self._back(line.round)
        elif line.kind == "resume":
            self._db.execute("UPDATE rounds SET state = 'running' WHERE id = ? AND state = 'aside'", (line.round,))
        elif line.kind == "aside":
            self._db.execute("UPDATE rounds SET state = CASE state WHEN 'running' THEN 'aside' ELSE 'closed' END "
                             "WHERE id = ?", (line.round,))  # fmt: skip

    def _begin(self, number: int, about: About, begun: str, evening: int) -> None:
        self._db.execute(
            "INSERT INTO rounds (id, game, options, names, goal, number, wins, opened, begun, evening) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (number, about.game, json.dumps(about.options), json.dumps(about.names), about.goal, about.number,
             json.dumps(about.wins), json.dumps(about.opened), begun, evening),
        )  # fmt: skip
        seats = [(number, seat, name) for seat, name in enumerate(about.names, 1)]
        self._db.executemany("INSERT INTO seats (round, seat, name) VALUES (?, ?, ?)", seats)

    def _finish(self, number: int, result: str, reason: str, ended: str) -> None:
        scores, _, winners = result.partition(" winners ")
        won = {int(seat) for seat in winners.split()}
        self._db.execute(
            "UPDATE rounds SET state = 'over', result = ?, reason = ?, ended = ? WHERE id = ?",
            (result, reason, ended, number),
        )
        for seat, score in enumerate(scores.split(), 1):
            # A score may outgrow SQLite's integers; text would become a rounded number in this column, bytes do not.
            self._db.execute(
                "UPDATE seats SET score = ?, won = ?, shared = ? WHERE round = ? AND seat = ?",
                (
                    score.encode() if len(score) > 18 else int(score),
                    won == {seat},
                    seat in won and len(won) > 1,
                    number,
                    seat,
                ),
            )

        game, text = self._db.execute("SELECT game, names FROM rounds WHERE id = ?", (number,)).fetchone()
        names = json.loads(text)
        store_lists.rate(self._db, number, game, names, [names[seat - 1] for seat in won])

    def _back(self, number: int) -> None:
        """The newest standing event, or else deal, no longer stands; nor does a result."""
        self._db.execute(
            "UPDATE entries SET standing = 0 WHERE id = (SELECT id FROM entries WHERE round = ? AND standing = 1 "
            "ORDER BY id DESC LIMIT 1)",
            (number,),
        )
        self._db.execute(
            "UPDATE rounds SET state = 'running', result = '', reason = '', ended = '' WHERE id = ?", (number,)
        )
        self._db.execute("DELETE FROM ratings WHERE round = ?", (number,))
        self._db.execute("UPDATE seats SET score = NULL, won = NULL, shared = NULL WHERE round = ?", (number,))

    # -- reading ------------------------------------------------------------------------------------------------

    def _newest(self, where: str, *values: object) -> Saved | None:
        columns = "id, game, options, names, goal, number, wins, opened, result, reason"
        row = self._db.execute(
            f"SELECT {columns} FROM rounds WHERE {where} ORDER BY id DESC LIMIT 1", values
        ).fetchone()
        if row is None:
            return None
        number, game, options, names, goal, of_match, wins, opened, result, reason = row
        about = About(game, _pairs(options), tuple(json.loads(names)), goal, of_match, _pairs(wins), _pairs(opened))
        kept = self._db.execute("SELECT kind, seat, text, seconds FROM entries WHERE round = ? AND standing = 1 "
                                "ORDER BY id", (number,)).fetchall()  # fmt: skip
        deals = tuple((kind, seat, text) for kind, seat, text, _ in kept if kind != "event")
        events = tuple((seat, text) for kind, seat, text, _ in kept if kind == "event")
        times = tuple(seconds for kind, _, _, seconds in kept if kind == "event")
        return Saved(number, about, deals, events, result, reason, times if any(times) else ())

    def _between(self) -> Saved | None:
        """The newest round played here, where it is finished and its match is not."""
        newest = "(SELECT max(id) FROM rounds WHERE state != 'imported')"
        saved = self._newest(f"id = {newest} AND state = 'over' AND goal > 0")
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

    def _recent_pads(self) -> list[tuple[tuple[tuple[str, str], ...], tuple[str, ...]]]:
        rows = self._db.execute("SELECT options, names FROM rounds WHERE game = ? ORDER BY id DESC LIMIT 50", (pad.ID,))
        return [(_pairs(options), tuple(json.loads(names))) for options, names in rows]


_STANDING = ("deal", "rack", "event")


def _pairs(text: str) -> tuple[tuple[str, Any], ...]:
    return tuple((a, b) for a, b in json.loads(text))


def _result(game: str, names: str, result: str, begun: str) -> Result:
    scores, _, winners = result.partition(" winners ")
    won = tuple(int(seat) for seat in winners.split())
    return Result(game, tuple(json.loads(names)), tuple(int(score) for score in scores.split()), won, begun)


def _moment(text: str) -> datetime | None:
    """A date with its time, None where the text is none; one without an offset is local."""
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def _within(one: datetime | None, other: datetime | None) -> bool:
    """Whether two moments can be of one evening, whichever comes first."""
    return one is not None and other is not None and abs(one - other) <= EVENING


def _lies_aside(path: Path) -> str:
    return f"The kept rounds were damaged; they lie aside as {path.name}."


def _strerror(error: OSError) -> str:
    return reason(error) if isinstance(error, PermissionError) else f"{error.strerror or error}."

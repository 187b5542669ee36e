"""A round in the store, line by line: how each line of the session is kept, and how a round is read again.

Within a transaction of the caller's; what is taken back is marked, not deleted.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from companion.games.score_pad import rules as pad
from companion.session.model import About, Result, Saved, Write
from companion.store import queries as store_lists

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

STANDING = ("deal", "rack", "event")
"""The kinds of lines that stand until they are taken back."""


def put(db: sqlite3.Connection, line: Write, at: str, evening: Callable[[], int]) -> None:
    """Keep one line, `at` in ISO 8601; `evening` numbers the evening of a round that begins."""
    seconds = line.seconds
    if line.kind == "begin" and line.about is not None:
        # Its head comes with the first thing that happens in it, and tells how long ago it began.
        at = (datetime.fromisoformat(at) - timedelta(seconds=seconds)).isoformat(timespec="seconds")
        begin(db, line.round, line.about, at, evening())
        seconds = 0.0
    db.execute(
        "INSERT INTO entries (round, kind, seat, text, at, standing, seconds) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (line.round, line.kind, line.seat, line.text, at, line.kind in STANDING, seconds),
    )
    if line.kind == "result":
        finish(db, line.round, line.text, line.reason, at)
    elif line.kind == "back":
        take_back(db, line.round)
    elif line.kind == "drop":
        drop(db, line.round)
    elif line.kind == "resume":
        db.execute("UPDATE rounds SET state = 'running' WHERE id = ? AND state = 'aside'", (line.round,))
    elif line.kind == "aside":
        db.execute(
            "UPDATE rounds SET state = CASE state WHEN 'running' THEN 'aside' ELSE 'closed' END WHERE id = ?",
            (line.round,),
        )


def begin(db: sqlite3.Connection, number: int, about: About, begun: str, evening: int) -> None:
    """Keep the head of a round."""
    db.execute(
        "INSERT INTO rounds (id, game, options, names, goal, number, wins, opened, begun, evening) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (number, about.game, json.dumps(about.options), json.dumps(about.names), about.goal, about.number,
         json.dumps(about.wins), json.dumps(about.opened), begun, evening),
    )  # fmt: skip
    seats = [(number, seat, name) for seat, name in enumerate(about.names, 1)]
    db.executemany("INSERT INTO seats (round, seat, name) VALUES (?, ?, ?)", seats)


def finish(db: sqlite3.Connection, number: int, result: str, reason: str, ended: str) -> None:
    """Keep how a round has ended, and rate its players; `ended` is "" where it is not known."""
    scores, _, winners = result.partition(" winners ")
    won = {int(seat) for seat in winners.split()}
    db.execute(
        "UPDATE rounds SET state = 'over', result = ?, reason = ?, ended = ? WHERE id = ?",
        (result, reason, ended, number),
    )
    for seat, score in enumerate(scores.split(), 1):
        # A score may outgrow SQLite's integers; text would become a rounded number in this column, bytes do not.
        db.execute(
            "UPDATE seats SET score = ?, won = ?, shared = ? WHERE round = ? AND seat = ?",
            (
                score.encode() if len(score) > 18 else int(score),
                won == {seat},
                seat in won and len(won) > 1,
                number,
                seat,
            ),
        )

    game, text = db.execute("SELECT game, names FROM rounds WHERE id = ?", (number,)).fetchone()
    names = json.loads(text)
    store_lists.rate(db, number, game, names, [names[seat - 1] for seat in won])


def take_back(db: sqlite3.Connection, number: int) -> None:
    """The newest standing event, or else deal, no longer stands; nor does a result."""
    db.execute(
        "UPDATE entries SET standing = 0 WHERE id = (SELECT id FROM entries WHERE round = ? AND standing = 1 "
        "ORDER BY id DESC LIMIT 1)",
        (number,),
    )
    db.execute("UPDATE rounds SET state = 'running', result = '', reason = '', ended = '' WHERE id = ?", (number,))
    db.execute("DELETE FROM ratings WHERE round = ?", (number,))
    db.execute("UPDATE seats SET score = NULL, won = NULL, shared = NULL WHERE round = ?", (number,))


def drop(db: sqlite3.Connection, number: int) -> None:
    """A round of which nothing is left is not kept."""
    for table, column in (("entries", "round"), ("seats", "round"), ("ratings", "round"), ("rounds", "id")):
        db.execute(f"DELETE FROM {table} WHERE {column} = ?", (number,))


def newest(db: sqlite3.Connection, where: str, *values: object) -> Saved | None:
    """The newest round of a condition on ``rounds``, with its standing deals and events."""
    columns = "id, game, options, names, goal, number, wins, opened, result, reason"
    row = db.execute(f"SELECT {columns} FROM rounds WHERE {where} ORDER BY id DESC LIMIT 1", values).fetchone()
    if row is None:
        return None
    number, game, options, names, goal, of_match, wins, opened, result, reason = row
    about = About(game, _pairs(options), tuple(json.loads(names)), goal, of_match, _pairs(wins), _pairs(opened))
    kept = db.execute(
        "SELECT kind, seat, text, seconds FROM entries WHERE round = ? AND standing = 1 ORDER BY id", (number,)
    ).fetchall()
    deals = tuple((kind, seat, text) for kind, seat, text, _ in kept if kind != "event")
    events = tuple((seat, text) for kind, seat, text, _ in kept if kind == "event")
    times = tuple(seconds for kind, _, _, seconds in kept if kind == "event")
    return Saved(number, about, deals, events, result, reason, times if any(times) else ())


def between(db: sqlite3.Connection) -> Saved | None:
    """The newest round played here, where it is finished and its match is not."""
    last = "(SELECT max(id) FROM rounds WHERE state != 'imported')"
    saved = newest(db, f"id = {last} AND state = 'over' AND goal > 0")
    if saved is None:
        return None
    wins = dict(saved.about.wins)
    winners = saved.result.partition(" winners ")[2].split()
    if len(winners) == 1:
        name = saved.about.names[int(winners[0]) - 1]
        wins[name] = wins.get(name, 0) + 1
    return None if max(wins.values(), default=0) >= saved.about.goal else saved


def results(db: sqlite3.Connection, where: str, *values: object) -> tuple[Result, ...]:
    """The results of a condition on ``rounds r``, oldest first."""
    rows = db.execute(
        f"SELECT r.game, r.names, r.result, r.begun FROM rounds r WHERE r.result != '' AND {where} ORDER BY r.id",
        values,
    )
    return tuple(_result(*row) for row in rows)


def recent_names(db: sqlite3.Connection) -> list[str]:
    """The players of the last rounds, who sat here last first."""
    rows = db.execute("SELECT names FROM rounds ORDER BY id DESC LIMIT 200")
    return list(dict.fromkeys(name for (names,) in rows for name in json.loads(names)))


def recent_games(db: sqlite3.Connection) -> list[str]:
    """The games that have been played, the last one first."""
    rows = db.execute("SELECT game FROM rounds GROUP BY game ORDER BY max(id) DESC")
    return [game for (game,) in rows]


def recent_pads(db: sqlite3.Connection) -> list[tuple[tuple[tuple[str, str], ...], tuple[str, ...]]]:
    """Options and names of the last score pads, the newest first."""
    rows = db.execute("SELECT options, names FROM rounds WHERE game = ? ORDER BY id DESC LIMIT 50", (pad.ID,))
    return [(_pairs(options), tuple(json.loads(names))) for options, names in rows]


def _pairs(text: str) -> tuple[tuple[str, Any], ...]:
    return tuple((a, b) for a, b in json.loads(text))


def _result(game: str, names: str, result: str, begun: str) -> Result:
    scores, _, winners = result.partition(" winners ")
    won = tuple(int(seat) for seat in winners.split())
    return Result(game, tuple(json.loads(names)), tuple(int(score) for score in scores.split()), won, begun)

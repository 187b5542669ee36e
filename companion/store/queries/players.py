"""The names of players in stored rounds: listed, checked and changed."""

import json
import sqlite3
from typing import NamedTuple

from companion.languages import text


class Player(NamedTuple):
    """A player's name, number of rounds (unfinished ones too), and when the last began: ISO 8601, "" if unknown."""

    name: str
    rounds: int
    last: str


def players(db: sqlite3.Connection) -> list[Player]:
    """All players, by the most recent round first."""
    rows = db.execute(
        "SELECT s.name, count(*), r.begun, max(s.round) FROM seats s JOIN rounds r ON r.id = s.round "
        "GROUP BY s.name ORDER BY max(s.round) DESC, s.name"
    )
    return [Player(name, count, begun) for name, count, begun, _ in rows]


def name_fault(db: sqlite3.Connection, old: str, new: str, *, merged: bool) -> str:
    """Why a player cannot be renamed, or with `merged` be made one with another, in one sentence; "" if possible.

    A name under which nobody has played yet may become any other, and any other that name.
    """
    if old == new:
        return text("{who} has that name already.", who=old)
    if not merged and new in {each.name for each in players(db)}:
        return text("Another player is named {who}.", who=new)
    both = sorted(set(rounds_with(db, old)) & set(rounds_with(db, new)))
    if not both:
        return ""
    return text("{who} and {other} sat at the same table in round {number}.", who=old, other=new, number=both[0])


def rounds_with(db: sqlite3.Connection, name: str) -> list[int]:
    """The numbers of the rounds with a player of this name, ascending."""
    return sorted({number for (number,) in db.execute("SELECT round FROM seats WHERE name = ?", (name,))})


def rename_in_round(db: sqlite3.Connection, number: int, old: str, new: str) -> None:
    """Replace a player's name in one round; `new` may be another player's who did not play in it."""
    names, wins = db.execute("SELECT names, wins FROM rounds WHERE id = ?", (number,)).fetchone()
    renamed = [new if name == old else name for name in json.loads(names)]
    won = [[new if name == old else name, count] for name, count in json.loads(wins)]
    db.execute("UPDATE rounds SET names = ?, wins = ? WHERE id = ?", (json.dumps(renamed), json.dumps(won), number))
    db.execute("UPDATE seats SET name = ? WHERE name = ? AND round = ?", (new, old, number))

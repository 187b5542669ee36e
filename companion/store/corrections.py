"""The lines that change the result of a finished round: it is voided, restored, or corrected.

Nothing of the journal is changed: what was played wrongly is taken back by lines, as players do at the table, and what
was really played follows. So the journal keeps both, and each line that is the same keeps its place and its times.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Literal

from companion.languages import text
from companion.store import round_tables, stored_lines

if TYPE_CHECKING:
    import sqlite3

    from companion.rounds.stored import StoredRound
    from companion.store.stored_lines import Fields

Change = Literal["void", "restore"]


def fault(db: sqlite3.Connection, number: int, change: Change | StoredRound) -> str:
    """Why a round cannot be changed so, in one sentence; "" if it can."""
    row = db.execute("SELECT result, void, lines FROM rounds WHERE id = ? AND state != 'dropped'", (number,)).fetchone()
    if row is None:
        return text("There is no round {number}.", number=number)
    result, void, lines = row
    if change == "restore":
        return "" if void else text("Round {number} is not void.", number=number)
    if void:
        return text("Round {number} is void: restore it first.", number=number)
    if not result:
        return text("Round {number} is not over: go on with it.", number=number)
    if change != "void" and lines < 0:
        return text("Some moves of round {number} are lost, so it can only be made void.", number=number)
    return ""


def lines_of(db: sqlite3.Connection, number: int, change: Change | StoredRound, date: str) -> list[Fields]:
    """The lines for a change without a `fault`, at `date` (ISO 8601); a corrected round has its own result."""
    if change == "void":
        return [("void", 0, "", date, 0.0, "")]
    lines = stored_lines.of_round(db, number)
    last = next(line for line in reversed(lines) if line.kind == "result")
    # Dated as the round is now, for the clock may have been set since.
    state, ended = db.execute("SELECT state, ended FROM rounds WHERE id = ?", (number,)).fetchone()
    last = last._replace(date=ended or last.date)
    if change == "restore":
        return [("result", 0, last.text, last.date, last.seconds, last.clock)]
    assert not isinstance(change, str)
    there = stored_lines.standing(lines)
    times = change.times or (0.0,) * len(change.events)
    played: list[Fields] = [(*each, last.date, 0.0, "") for each in change.deals]
    played += [("event", *each, last.date, spent, "") for each, spent in zip(change.events, times, strict=True)]
    pairs = zip(there, played, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0][2:5] == pair[1][:3], pairs))
    result = round_tables.result_line(change.result, change.reason)
    taken_back: list[Fields] = [("back", 0, "", date, 0.0, "")] * max(1, len(there) - same)
    closed: list[Fields] = [("aside", 0, "", last.date, 0.0, "")] * (state == "closed")
    ending: Fields = ("result", 0, result, last.date, last.seconds, last.clock)
    return [*taken_back, *played[min(same, len(there) - 1) :], ending, *closed]

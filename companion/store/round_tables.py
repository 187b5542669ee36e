"""The tables `rounds` and `seats`: how each entry changes them, and how rounds are read from them.

Everything happens within the caller's transaction. The tables are computed from the entries alone (`apply_entry`), so
they can be rebuilt at any time.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any, assert_never

from companion.games.api.result import Result
from companion.games.score_pad import pad
from companion.languages import text
from companion.rounds.stored import FinishedRound, LogEntry, RoundHeader, StoredRound, make_match_part
from companion.store import dates, stored_entries
from companion.store.errors import StoreDamagedError
from companion.store.store_warnings import LostSpan, lost_text
from companion.store.stored_entries import StoredEntry, StoredHeader

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

PLAYED_HERE_SQL = "state NOT IN ('imported', 'dropped')"

HEADER_COLUMNS = "game, options, names, goal, number, wins, opened, clock"
"""The columns of a round's header, for `_parse_header`."""

DAMAGED_SENTENCE = "Round {number} is damaged in the database: restart the table to build it again."


def entry_fields(
    db: sqlite3.Connection, entry: LogEntry, date: str, uptime: dates.Uptime
) -> stored_entries.EntryFields:
    """The fields under which a log entry is saved at `date` (ISO 8601), which is the moment `uptime`."""
    entry_text, seconds = entry.text, entry.seconds
    if entry.kind == "begin" and entry.header is not None:
        # The header is written with the round's first entry, and `seconds` is how long ago the round began.
        date = (datetime.fromisoformat(date) - timedelta(seconds=seconds)).isoformat(timespec="seconds")
        seconds = 0.0
        # The pairing is saved beside the header, with the other lines, where earlier versions look for it too.
        header, other_lines = entry.header._replace(pairing=""), (("pairing", entry.header.pairing),)
        head = StoredHeader(
            header, dates.evening_number(date), match_number(db, entry.round, header),
            other=other_lines[: bool(entry.header.pairing)],
            boot=uptime.boot, uptime=round(uptime.seconds - entry.seconds, 1),
        )  # fmt: skip
        entry_text = head.to_text()
    elif entry.kind == "result":
        entry_text = result_text(entry_text, entry.reason)
        row = db.execute("SELECT boot, uptime FROM rounds WHERE id = ?", (entry.round,)).fetchone()
        seconds = round(max(0.1, uptime.seconds - row[1]), 1) if row and row[0] == uptime.boot else -1.0
    return entry.kind, entry.seat, entry_text, date, seconds, entry.clock


def result_text(result: str, reason: str) -> str:
    """The text of a ``result`` entry. The reason is as `Manifest.format_ending` returns it."""
    return f"{result}\n{reason}" if reason else result


def apply_entry(db: sqlite3.Connection, entry: StoredEntry) -> None:
    """Update the tables by an entry. Ratings follow later."""
    number = entry.round
    match entry.kind:
        case "begin":
            insert_round(db, number, StoredHeader.from_text(entry.text), entry.date)
        case "store":
            db.execute("UPDATE store SET identity = ?", (entry.text,))
        case "result":
            result, _, reason = entry.text.partition("\n")
            set_result(db, number, result, reason)
            dates.date_round(db, number, entry)
        case "back":
            reopen_round(db, number)
        case "resume":
            db.execute("UPDATE rounds SET state = 'running' WHERE id = ? AND state = 'aside'", (number,))
        case "aside":
            state = "CASE state WHEN 'running' THEN 'aside' ELSE 'closed' END"
            db.execute(f"UPDATE rounds SET state = {state} WHERE id = ?", (number,))
        case "match":
            db.execute("UPDATE rounds SET match_result = ? WHERE id = ?", (entry.text, number))
        case "rename":
            old, new = json.loads(entry.text)
            rename_in_round(db, number, old, new)
        case "drop":
            drop_round(db, number)
        case "void":
            remove_result(db, number)
            db.execute("UPDATE rounds SET void = 1 WHERE id = ?", (number,))
        case "deal" | "rack" | "event" | "mend" | "pause":
            pass  # What is dealt and played is only in the entries.
        case "game" | "rescue" | "read" | "lost" | "language" | "favour" | "unfavour":
            pass  # These belong to round 0, which has no row.
        case "hints" | "dealer" | "rests" | "timing":
            pass  # These belong to round 0 too.
        case _:
            assert_never(entry.kind)


def insert_round(db: sqlite3.Connection, number: int, head: StoredHeader, begun: str) -> None:
    """Insert a round by its header. A round that was dropped may begin again."""
    header = head.header
    begun = begun if head.imported or dates.was_clock_set(begun) else ""
    dropped = "id = ? AND state = 'dropped'"
    lines = db.execute(f"SELECT lines, last FROM rounds WHERE {dropped}", (number,)).fetchone() or (0, 0)
    db.execute(f"DELETE FROM rounds WHERE {dropped}", (number,))
    db.execute(
        "INSERT INTO rounds (id, game, options, names, goal, number, wins, opened, begun, evening, state, other, "
        "match, clock, lines, last, boot, uptime) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (number, header.game, json.dumps(header.options), json.dumps(header.names), header.goal, header.number,
         json.dumps(header.wins), json.dumps(header.opened), begun, dates.evening_number(begun),
         "imported" if head.imported else "running", json.dumps(head.other), head.match, header.clock, *lines,
         head.boot, head.uptime),
    )  # fmt: skip
    seats = [(number, seat, name) for seat, name in enumerate(header.names, 1)]
    db.executemany("INSERT INTO seats (round, seat, name) VALUES (?, ?, ?)", seats)


def drop_round(db: sqlite3.Connection, number: int) -> None:
    """Remove a round from all lists. It may begin again."""
    reopen_round(db, number)
    db.execute("UPDATE rounds SET state = 'dropped' WHERE id = ?", (number,))
    db.execute("DELETE FROM seats WHERE round = ?", (number,))


def rounds_of_player(db: sqlite3.Connection, name: str) -> list[int]:
    """The numbers of the rounds with a player of this name, in ascending order."""
    return sorted({number for (number,) in db.execute("SELECT round FROM seats WHERE name = ?", (name,))})


def rename_in_round(db: sqlite3.Connection, number: int, old: str, new: str) -> None:
    """Replace a player's name in one round. `new` may be the name of a player who did not play in it."""
    names, wins = db.execute("SELECT names, wins FROM rounds WHERE id = ?", (number,)).fetchone()
    renamed = [new if name == old else name for name in json.loads(names)]
    won = [[new if name == old else name, count] for name, count in json.loads(wins)]
    db.execute("UPDATE rounds SET names = ?, wins = ? WHERE id = ?", (json.dumps(renamed), json.dumps(won), number))
    db.execute("UPDATE seats SET name = ? WHERE name = ? AND round = ?", (new, old, number))


def next_round_number(db: sqlite3.Connection) -> int:
    """The number for the next round. No entry has it, not even one of a round whose beginning is lost."""
    return int(db.execute("SELECT coalesce(max(round), 0) + 1 FROM log_entries").fetchone()[0])


def match_number(db: sqlite3.Connection, number: int, header: RoundHeader) -> int:
    """The number of the first round of a round's match, 0 for a single round."""
    if not header.goal or header.number == 1:
        return number if header.goal else 0
    row = db.execute(
        f"SELECT match FROM rounds WHERE {PLAYED_HERE_SQL} AND goal = ? AND number = ? ORDER BY id DESC LIMIT 1",
        (header.goal, header.number - 1),
    ).fetchone()
    return int(row[0]) if row else number


def set_result(db: sqlite3.Connection, number: int, result: str, reason: str) -> None:
    """Save a round's result in the tables."""
    scores, winners = Result.parse(result)
    won = set(winners)
    db.execute(
        "UPDATE rounds SET result = ?, reason = ?, void = 0, "
        "state = CASE WHEN state IN ('imported', 'closed') THEN state ELSE 'over' END WHERE id = ?",
        (result, reason, number),
    )
    for seat, score in enumerate(map(str, scores), 1):
        # SQLite's integers have 64 bits. Longer scores are stored as bytes, since text would be rounded in this column.
        stored_score = score.encode() if len(score) > 18 else int(score)
        db.execute(
            "UPDATE seats SET score = ?, won = ?, shared = ? WHERE round = ? AND seat = ?",
            (stored_score, won == {seat}, seat in won and len(won) > 1, number, seat),
        )


def reopen_round(db: sqlite3.Connection, number: int) -> None:
    """Remove the result of a round that goes on after a takeback."""
    remove_result(db, number)
    db.execute("UPDATE rounds SET ended = '', seconds = NULL WHERE id = ?", (number,))
    db.execute("UPDATE rounds SET state = 'running', void = 0 WHERE id = ? AND state != 'imported'", (number,))


def remove_result(db: sqlite3.Connection, number: int) -> None:
    """Remove the result of a round, so that it counts nowhere."""
    db.execute("UPDATE rounds SET result = '', reason = '' WHERE id = ?", (number,))
    db.execute("DELETE FROM ratings WHERE round = ?", (number,))
    db.execute("UPDATE seats SET score = NULL, won = NULL, shared = NULL WHERE round = ?", (number,))


def newest_round(db: sqlite3.Connection, condition: str, *values: object) -> StoredRound | None:
    """The newest round that an SQL condition on the table ``rounds`` selects, with deals and events; None for none.

    Raises StoreDamagedError if one of its entries is damaged in the database.
    """
    row = db.execute(
        f"SELECT id, other, result, reason, lines, last, {HEADER_COLUMNS} FROM rounds "
        f"WHERE state != 'dropped' AND {condition} ORDER BY id DESC LIMIT 1",
        values,
    ).fetchone()
    if row is None:
        return None
    number, other_json, result, reason, count, last_checksum, *head = row
    lines = stored_entries.round_entries(db, number)
    has_all = (len(lines), lines[-1].checksum if lines else 0) == (count, last_checksum)
    is_whole = has_all and stored_entries.is_unbroken(lines)
    if not is_whole and count >= 0:  # If entries are lost, the start has reported that.
        raise StoreDamagedError(text(DAMAGED_SENTENCE, number=number))
    pairing = dict(_parse_pairs(other_json)).get("pairing", "")
    header = _parse_header(head)._replace(origin=stored_entries.game_package_and_version(lines), pairing=pairing)
    remaining = stored_entries.entries_not_taken_back(lines)
    deals = tuple((each.kind, each.seat, each.text) for each in remaining if each.kind == "deal" or each.kind == "rack")
    events = tuple((each.seat, each.text) for each in remaining if each.kind == "event")
    times = tuple(each.seconds for each in remaining if each.kind == "event")
    clock_left = next((line.clock for line in reversed(lines) if line.clock), "")
    lost = _lost_entries_text(db, lines) if count < 0 else ""
    return StoredRound(number, header, deals, events, result, reason, times if any(times) else (), clock_left, lost)


def _lost_entries_text(db: sqlite3.Connection, entries: Sequence[StoredEntry]) -> str:
    """Which entries between others of a round are lost, in words; "" for none."""
    spans: list[LostSpan] = []
    for before, after in pairwise(entries):
        if not after.follows_checksum(before.checksum):
            query = "SELECT CAST(text AS INTEGER), id FROM log_entries WHERE kind = 'lost' AND id > ? AND id < ?"
            spans += [LostSpan(first, last) for first, last in db.execute(query, (before.id, after.id))]
    return lost_text(spans) if spans else ""


def last_round_of_open_match(db: sqlite3.Connection) -> StoredRound | None:
    """The newest round played here, if it is finished and its match is not; else None."""
    last = f"(SELECT max(id) FROM rounds WHERE {PLAYED_HERE_SQL} AND NOT void)"
    saved = newest_round(db, f"id = {last} AND state = 'over' AND goal > 0")
    return saved if saved is not None and max(_match_wins(saved).values(), default=0) < saved.header.goal else None


def is_match_open(db: sqlite3.Connection, saved: StoredRound) -> bool:
    """Whether a round is the latest one of a match that nobody has won."""
    header, wins = saved.header, _match_wins(saved)
    if not (saved.result and header.goal) or max(wins.values(), default=0) >= header.goal:
        return False
    later = db.execute(
        "SELECT names, wins FROM rounds WHERE id > ? AND game = ? AND goal = ? AND number = ? AND state != 'imported' "
        "AND NOT void",
        (saved.id, header.game, header.goal, header.number + 1),
    )
    return not any(
        sorted(json.loads(names)) == sorted(header.names) and dict(_parse_pairs(won)) == wins for names, won in later
    )


def recompute_match_wins(db: sqlite3.Connection, number: int) -> None:
    """Recompute the wins with which each round of a round's match begins, from the results before it."""
    query = (
        "SELECT id, names, wins, result FROM rounds WHERE match = "
        "(SELECT match FROM rounds WHERE id = ? AND match > 0) AND state != 'dropped' ORDER BY id"
    )
    wins: dict[str, int] | None = None
    for each, names, wins_before, result in db.execute(query, (number,)).fetchall():
        wins = dict(_parse_pairs(wins_before)) if wins is None else wins
        if _parse_pairs(wins_before) != tuple(wins.items()):
            db.execute("UPDATE rounds SET wins = ? WHERE id = ?", (json.dumps(list(wins.items())), each))
        _add_win(wins, result, json.loads(names))


def _match_wins(saved: StoredRound) -> dict[str, int]:
    """The wins in the match by name, with this round."""
    wins = dict(saved.header.wins)
    _add_win(wins, saved.result, saved.header.names)
    return wins


def _add_win(wins: dict[str, int], result: str, names: Sequence[str]) -> None:
    if name := Result.parse(result).single_winner_name(names) if result else "":
        wins[name] = wins.get(name, 0) + 1


def finished_rounds(db: sqlite3.Connection, condition: str, *values: object) -> tuple[FinishedRound, ...]:
    """The results of the finished rounds that an SQL condition on ``rounds r`` selects, oldest first."""
    head = "game, '[]', names, goal, number, wins, '[]', ''"  # The part of the header that standings need.
    query = f"SELECT id, result, begun, match, {head} FROM rounds r WHERE result != '' AND {condition} ORDER BY id"
    return tuple(map(_parse_result, db.execute(query, values)))


def recent_names(db: sqlite3.Connection) -> list[str]:
    """The players of the last 200 rounds, the most recent first."""
    rows = db.execute("SELECT names FROM rounds WHERE state != 'dropped' ORDER BY id DESC LIMIT 200")
    return list(dict.fromkeys(name for (names,) in rows for name in json.loads(names)))


def recent_games(db: sqlite3.Connection) -> list[str]:
    """The ids of the games that were played, the most recent first."""
    rows = db.execute("SELECT game FROM rounds WHERE state != 'dropped' GROUP BY game ORDER BY max(id) DESC")
    return [game for (game,) in rows]


def last_header_per_game(db: sqlite3.Connection) -> list[RoundHeader]:
    """The header of the last round of each game played here."""
    last = f"SELECT max(id) FROM rounds WHERE {PLAYED_HERE_SQL} GROUP BY game"
    return list(map(_parse_header, db.execute(f"SELECT {HEADER_COLUMNS} FROM rounds WHERE id IN ({last})")))


def unfinished_games(db: sqlite3.Connection) -> list[str]:
    """The games whose last round here was never finished."""
    last = f"SELECT max(id) FROM rounds WHERE {PLAYED_HERE_SQL} GROUP BY game"
    return [
        game for (game,) in db.execute(f"SELECT game FROM rounds WHERE result = '' AND NOT void AND id IN ({last})")
    ]


def recent_pads(db: sqlite3.Connection) -> list[tuple[tuple[tuple[str, str], ...], tuple[str, ...]]]:
    """The options and names of the last 50 score pads, the newest first."""
    last = "game = ? AND state != 'dropped' ORDER BY id DESC LIMIT 50"
    rows = map(_parse_header, db.execute(f"SELECT {HEADER_COLUMNS} FROM rounds WHERE {last}", (pad.PAD_ID,)))
    return [(header.options, header.names) for header in rows]


def _parse_header(row: Sequence[Any]) -> RoundHeader:
    game, options, names, goal, number, wins, opened, clock = row
    options, wins, opened = map(_parse_pairs, (options, wins, opened))
    return RoundHeader(game, options, tuple(json.loads(names)), goal, number, wins, opened, clock)


def _parse_pairs(json_text: str) -> tuple[tuple[Any, Any], ...]:
    return stored_entries.as_tuples(json.loads(json_text)) if json_text != "[]" else ()  # Most are empty.


def _parse_result(row: Sequence[Any]) -> FinishedRound:
    number, result, begun, match, *head = row
    scores, winners = Result.parse(result)
    header = _parse_header(head)
    return FinishedRound(
        header.game, header.names, scores, winners, begun, make_match_part(number, header, winners, match)
    )

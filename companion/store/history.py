"""Queries over all stored rounds: history, standings, ratings, players, and what has changed since an entry.

Only ratings are written here.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from companion import games
from companion.games.api.computer_players import COMPUTER_NAMES, has_computer_player
from companion.games.api.result import Result
from companion.games.score_pad import pad
from companion.languages import text
from companion.rounds.standings import Tally, group_into_matches, make_standings, rate_players
from companion.rounds.stored import Match, Rating, RoundSummary, Standing
from companion.store.round_tables import finished_rounds, rounds_of_player


class RoundFilter(NamedTuple):
    """Selects rounds by number, game, player and date. Empty fields select all.

    `game` is an id, or the name of a game that a score pad was used for. `since` and `until` include their day, and are
    beginnings of ISO 8601 times, such as ``2026-11`` or ``2026-11-21``.
    """

    game: str = ""
    player: str = ""
    since: str = ""
    until: str = ""
    round: int = 0

    def sql_condition(self) -> tuple[str, list[str | int]]:
        """The SQL condition on ``rounds r``, and its values.

        A round without a date matches no span of time. A round that was set aside before anything was entered matches
        only by its number.
        """
        begun_here = "(r.state != 'aside' OR EXISTS (SELECT 1 FROM log_entries e WHERE e.round = r.id))"
        game = [self.game, pad.PAD_ID, json.dumps(["title", self.game])]
        conditions: list[tuple[object, str, list[str | int]]] = [
            (True, "r.state != 'dropped'", []),
            (not self.round, begun_here, []),
            (self.round, "r.id = ?", [self.round]),
            (self.game, "(r.game = ? OR r.game = ? AND instr(r.options, ?) > 0)", [*game]),
            (self.player, "EXISTS (SELECT 1 FROM seats p WHERE p.round = r.id AND p.name = ?)", [self.player]),
            (self.since, "r.begun >= ?", [self.since]),
            (self.until, "r.begun != '' AND substr(r.begun, 1, ?) <= ?", [len(self.until), self.until]),
        ]
        chosen = [(sentence, values) for is_wanted, sentence, values in conditions if is_wanted]
        return " AND ".join(sentence for sentence, _ in chosen), [each for _, values in chosen for each in values]


ALL_ROUNDS = RoundFilter()


def round_summaries(
    db: sqlite3.Connection, selection: RoundFilter = ALL_ROUNDS, limit: int | None = None
) -> list[RoundSummary]:
    """The rounds that a filter selects, oldest first; with `limit` only that many of the newest."""
    where, values = selection.sql_condition()
    rows = db.execute(
        "SELECT r.id, r.game, r.names, r.result, r.begun, r.evening, iif(r.void, 'void', r.state), "
        "r.ended, r.reason, r.options, r.seconds, "
        f"r.goal FROM rounds r WHERE {where} ORDER BY r.id DESC LIMIT ?",
        (*values, -1 if limit is None else limit),
    )
    found = list(rows)[::-1]
    of_matches = all_matches(db) if any(goal for *_, goal in found) else ()
    match = {number: each for each in of_matches for number in each.rounds}
    return [_summary(row)._replace(match=match.get(row[0])) for *row, _ in found]


class FilterChoices(NamedTuple):
    """The values by which the history can be filtered.

    `games` are ids, in the order in which they were first played. `finished_dates` are the starts of finished rounds
    (ISO 8601), newest first.
    """

    games: tuple[str, ...]
    finished_dates: tuple[str, ...]


def filter_choices(db: sqlite3.Connection) -> FilterChoices:
    """The games of all rounds, and when the finished ones began."""
    where, _ = ALL_ROUNDS.sql_condition()
    played = db.execute(f"SELECT r.game FROM rounds r WHERE {where} GROUP BY r.game ORDER BY min(r.id)")
    finished = db.execute(f"SELECT r.begun FROM rounds r WHERE {where} AND r.result != '' ORDER BY r.id DESC")
    return FilterChoices(tuple(game for (game,) in played), tuple(begun for (begun,) in finished))


def all_matches(db: sqlite3.Connection) -> tuple[Match, ...]:
    """All matches with a finished round, oldest first."""
    parts = (each.match_part for each in finished_rounds(db, "goal > 0"))
    return group_into_matches(part for part in parts if part is not None)


def _summary(row: Sequence[Any]) -> RoundSummary:
    number, game, names, result, begun, evening, state, ended, reason, options, seconds = row
    option_pairs = tuple((str(name), str(value)) for name, value in json.loads(options))
    title = dict(option_pairs).get("title", "") if game == pad.PAD_ID else ""
    return RoundSummary(
        number, game, tuple(json.loads(names)), result, begun, evening, state, ended, reason,
        title="" if title == pad.DEFAULT_TITLE else title, options=option_pairs, seconds=seconds,
    )  # fmt: skip


def player_standings(
    db: sqlite3.Connection, selection: RoundFilter = ALL_ROUNDS, rounds: Sequence[int] | None = None
) -> list[Standing]:
    """The standings of the finished rounds that a filter selects; with `rounds`, only of the rounds with these numbers.

    A shared win counts as drawn for those who share it. A round with a computer player does not count.
    """
    where, values = selection.sql_condition()
    picked = f"AND r.id IN ({','.join(map(str, map(int, rounds)))})" if rounds is not None else ""
    rows = db.execute(
        "SELECT s.name, s.won, s.shared, s.score, r.game, r.options FROM seats s JOIN rounds r ON r.id = s.round "
        f"WHERE s.won IS NOT NULL AND {where} {picked} AND s.round NOT IN "
        f"(SELECT round FROM seats WHERE name IN ({', '.join('?' * len(COMPUTER_NAMES))})) "
        "ORDER BY s.round",
        (*values, *COMPUTER_NAMES),
    )
    tallies: defaultdict[str, Tally] = defaultdict(Tally)
    for name, won, shared, score, game, options in rows:
        tallies[name].add_round(game, won, shared)
        if category := _score_category(game, options):
            tallies[name].keep_best_score(category, int(score))
    return make_standings(tallies, lambda name: latest_rating(db, name, selection.game))


def _score_category(game: str, options: str) -> str:
    """The rounds whose scores can be compared: a game's, or those with one value of an option; "" for none."""
    manifest = games.manifest_or_placeholder(game)
    if not isinstance(manifest.has_best_score, str):
        return game if manifest.has_best_score else ""
    value = dict(json.loads(options)).get(manifest.has_best_score, manifest.option_defaults[manifest.has_best_score])
    return f"{game} {manifest.option_label(manifest.has_best_score, value)}"


# -- ratings ----------------------------------------------------------------------------------------------------


def latest_rating(db: sqlite3.Connection, name: str, game: str = "") -> Rating | None:
    """A player's newest rating, in one game or ("") over all games; None for a player without one."""
    query = "SELECT mu, sigma FROM ratings WHERE name = ? AND game = ? ORDER BY round DESC LIMIT 1"
    row = db.execute(query, (name, game)).fetchone()
    return Rating(*row) if row else None


def is_rated_after(db: sqlite3.Connection, changed: Sequence[int]) -> bool:
    """Whether one of these rounds, or a later one, is already rated. Later ratings depend on earlier ones."""
    where = (min(changed, default=0), bool(changed))
    return db.execute("SELECT 1 FROM ratings WHERE round >= ? AND ? LIMIT 1", where).fetchone() is not None


def rate_round(db: sqlite3.Connection, number: int) -> None:
    """Rate a finished round, in its game and over all games.

    Rounds in which a name has two seats, or with a computer player, are not rated.
    """
    row = db.execute("SELECT game, names, result FROM rounds WHERE id = ? AND result != ''", (number,)).fetchone()
    names = json.loads(row[1]) if row else []
    if not names or len(set(names)) < len(names) or has_computer_player(names):
        return
    winners = list(Result.parse(row[2]).winner_names(names))
    try:
        for field in ("", row[0]):
            ratings = {name: latest_rating(db, name, field) or Rating() for name in names}
            ratings_after = rate_players(ratings, winners)
            db.executemany(
                "INSERT OR REPLACE INTO ratings (name, game, round, mu, sigma) VALUES (?, ?, ?, ?, ?)",
                [(name, field, number, *rating) for name, rating in ratings_after.items()],
            )
    except ImportError:  # Without the library (openskill) rounds are stored unrated.
        return


def rate_all_if_none(db: sqlite3.Connection) -> None:
    """Rate all rounds if none is rated, since an earlier version stored them, or the library was missing."""
    unrated = "SELECT 1 FROM rounds WHERE result != '' AND NOT EXISTS (SELECT 1 FROM ratings) LIMIT 1"
    if db.execute(unrated).fetchone():
        rate_all_rounds(db)


def rate_all_rounds(db: sqlite3.Connection) -> None:
    """Delete all ratings, and rate every finished round again in order."""
    db.execute("DELETE FROM ratings")
    for (number,) in db.execute("SELECT id FROM rounds WHERE result != '' ORDER BY id").fetchall():
        rate_round(db, number)


# -- the names of players ------------------------------------------------------------------------------------------


class PlayerSummary(NamedTuple):
    """A player and their rounds.

    Attributes:
        name: the player's name.
        rounds: the number of rounds, also unfinished ones.
        last_begun: when the last one began, ISO 8601, "" if unknown.
    """

    name: str
    rounds: int
    last_begun: str


def all_players(db: sqlite3.Connection) -> list[PlayerSummary]:
    """All players, by their most recent round first."""
    rows = db.execute(
        "SELECT s.name, count(*), r.begun, max(s.round) FROM seats s JOIN rounds r ON r.id = s.round "
        "GROUP BY s.name ORDER BY max(s.round) DESC, s.name"
    )
    return [PlayerSummary(name, count, begun) for name, count, begun, _ in rows]


def rename_fault(db: sqlite3.Connection, old: str, new: str, *, is_merge: bool) -> str:
    """Why a player cannot be renamed, or merged with another, in one sentence; "" if possible.

    Neither name needs to have played.
    """
    if old == new:
        return text("{who} already has that name.", who=old)
    if not is_merge and new in {each.name for each in all_players(db)}:
        return text("There is already a player named {who}.", who=new)
    both = sorted(set(rounds_of_player(db, old)) & set(rounds_of_player(db, new)))
    if not both:
        return ""
    return text("{who} and {other} sat at the same table in round {number}.", who=old, other=new, number=both[0])


# -- changes since a line, for programs that follow a store --------------------------------------------------------

CHANGING_KINDS = "'result', 'back', 'drop', 'void', 'rename', 'mend'"
"""The kinds of entries that change or remove the record of a finished round."""


class EntryPosition(NamedTuple):
    """A place in a store's journal: an entry's number and checksum.

    Entries are only appended, so two stores with the same entry have the same entries before it. A store that was
    restored from a backup and used since has other checksums from there on.
    """

    number: int
    checksum: int


START_POSITION = EntryPosition(0, 0)
"""The position before the first entry."""


class RoundChange(NamedTuple):
    """The last change of a round. `is_over` is whether the round is finished, so that its record counts.

    `first_checksum` is that of the round's first entry. It differs for another round with the same number, which was
    played on a restored copy of the store.
    """

    position: EntryPosition
    round: int
    first_checksum: int
    is_over: bool


def has_entry(db: sqlite3.Connection, position: EntryPosition) -> bool:
    """Whether a store has the entry with this number and checksum."""
    if position == START_POSITION:
        return True
    row = db.execute("SELECT sum FROM log_entries WHERE id = ?", (position.number,)).fetchone()
    return row is not None and row[0] == position.checksum


def round_changes(db: sqlite3.Connection, after_entry: int, limit: int = -1) -> list[RoundChange]:
    """The rounds that were finished or reopened after an entry, each once, in the order of their last changes.

    At most `limit`, -1 for all. Imported rounds, rounds that were never finished, and score pads are left out.
    """
    rows = db.execute(  # With `max`, SQLite takes the other columns of `e` from the row that has it.
        "SELECT max(e.id), e.sum, r.id, (SELECT sum FROM log_entries WHERE round = r.id ORDER BY id LIMIT 1), "
        "r.state IN ('over', 'closed') AND r.result != '' "
        f"FROM log_entries e JOIN rounds r ON r.id = e.round WHERE e.id > ? AND e.kind IN ({CHANGING_KINDS}) "
        "AND r.state != 'imported' AND r.game != ? "
        "AND EXISTS (SELECT 1 FROM log_entries p WHERE p.round = r.id AND p.kind = 'result') "
        "GROUP BY r.id ORDER BY 1 LIMIT ?",
        (after_entry, pad.PAD_ID, limit),
    )
    return [
        RoundChange(EntryPosition(last, sum_), number, first, bool(over)) for last, sum_, number, first, over in rows
    ]

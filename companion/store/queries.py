"""What the kept rounds tell together: history, standings, ratings. Only reads and rates; the store keeps the rounds."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from companion import games
from companion.game.result import Result
from companion.games.score_pad import rules as pad
from companion.session import matches as session_matches
from companion.session.matches import Match, Part
from companion.session.stored import Rating, Standing
from companion.store import ratings

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence


class RoundSummary(NamedTuple):
    """A round in a line: `result` as in a record, "" while it has none; `begun`, `ended` in ISO 8601, "" if unknown.

    `state` is ``running``, ``aside`` (kept unfinished), ``over``, ``closed`` (over, its match ended) or ``imported``;
    `title` is the game's name where a score pad kept its points, `reason` why the round ended, `match` what it is a
    finished round of.
    """

    id: int
    game: str
    names: tuple[str, ...]
    result: str
    begun: str
    evening: int
    state: str
    ended: str = ""
    reason: str = ""
    title: str = ""
    options: tuple[tuple[str, str], ...] = ()
    match: Match | None = None

    @property
    def scores(self) -> list[int]:
        """The scores by seat, empty without a result."""
        return list(Result.parse(self.result).scores) if self.result else []

    @property
    def winners(self) -> list[str]:
        """The names of those who won or share the win."""
        return list(Result.parse(self.result).names_of_winners(self.names)) if self.result else []


class RoundFilter(NamedTuple):
    """Which rounds: one by its number, of one game, with one player, begun in a span of dates, both included.

    `game` is an id, or the title of the game that a score pad was kept for.
    `since` and `until` are beginnings of ISO 8601 moments, such as ``2026-11`` or ``2026-11-21``.
    """

    game: str = ""
    player: str = ""
    since: str = ""
    until: str = ""
    round: int = 0

    def where(self) -> tuple[str, list[str | int]]:
        """The condition on ``rounds r``, and its values; a round without a date is in no span.

        Rounds that were set aside before anything was entered are wanted by their number alone.
        """
        said = [
            "r.state != 'dropped'",
            "(r.state != 'aside' OR EXISTS (SELECT 1 FROM entries e WHERE e.round = r.id))" if not self.round else "1",
        ]
        values: list[str | int] = []
        if self.round:
            said.append("r.id = ?")
            values.append(self.round)
        if self.game:
            said.append("(r.game = ? OR r.game = ? AND instr(r.options, ?) > 0)")
            values += [self.game, pad.ID, json.dumps(["title", self.game])]
        if self.player:
            said.append("EXISTS (SELECT 1 FROM seats p WHERE p.round = r.id AND p.name = ?)")
            values.append(self.player)
        if self.since:
            said.append("r.begun >= ?")
            values.append(self.since)
        if self.until:
            said.append("r.begun != '' AND substr(r.begun, 1, ?) <= ?")
            values += [len(self.until), self.until]
        return " AND ".join(said), values


ALL = RoundFilter()
BOX = re.compile(r"box-\d")
"""The name of a seat that the box plays, with its strength: it knows hidden pieces, so the round rates nobody."""


def kept(db: sqlite3.Connection, wanted: RoundFilter = ALL, limit: int | None = None) -> list[RoundSummary]:
    """The rounds that are wanted, oldest first; with `limit` so many of the newest."""
    where, values = wanted.where()
    rows = db.execute(
        "SELECT r.id, r.game, r.names, r.result, r.begun, r.evening, r.state, r.ended, r.reason, r.options, r.goal "
        f"FROM rounds r WHERE {where} ORDER BY r.id DESC LIMIT ?",
        (*values, -1 if limit is None else limit),
    )
    found = list(rows)[::-1]
    of_matches = matches(db) if any(goal for *_, goal in found) else ()
    match = {number: each for each in of_matches for number in each.rounds}
    return [_kept(*row)._replace(match=match.get(row[0])) for *row, _ in found]


def matches(db: sqlite3.Connection) -> tuple[Match, ...]:
    """All matches of finished rounds, the first ones first."""
    rows = db.execute(
        "SELECT id, game, names, goal, number, wins, result, match FROM rounds "
        "WHERE goal > 0 AND result != '' AND state != 'dropped' ORDER BY id"
    )
    return session_matches.matches(_part(*row) for row in rows)


def _part(number: int, game: str, names: str, goal: int, of_match: int, wins: str, result: str, match: int) -> Part:
    seats = tuple(json.loads(names))
    winner = Result.parse(result).single_winner(seats)
    before = tuple((name, won) for name, won in json.loads(wins))
    return Part(number, game, seats, goal, of_match, before, winner, match)


def _kept(
    number: int, game: str, names: str, result: str, begun: str, evening: int, state: str, ended: str, reason: str,
    options: str,
) -> RoundSummary:  # fmt: skip
    said = tuple((str(name), str(value)) for name, value in json.loads(options))
    title = dict(said).get("title", "") if game == pad.ID else ""
    return RoundSummary(
        number,
        game,
        tuple(json.loads(names)),
        result,
        begun,
        evening,
        state,
        ended,
        reason,
        "" if title == pad.UNNAMED else title,
        said,
    )


def standings(db: sqlite3.Connection, wanted: RoundFilter = ALL, rounds: Sequence[int] | None = None) -> list[Standing]:
    """Every player of the finished rounds that are wanted: most won first, then fewest played, then by name.

    With `rounds` only those; a round that is shared or drawn counts as drawn for those who share it.
    """
    where, values = wanted.where()
    picked = f"AND r.id IN ({','.join(map(str, map(int, rounds)))})" if rounds is not None else ""
    rows = db.execute(
        "SELECT s.name, s.won, s.shared, s.score, r.game FROM seats s JOIN rounds r ON r.id = s.round "
        f"WHERE s.won IS NOT NULL AND {where} {picked} ORDER BY s.round",
        values,
    )
    players: dict[str, _Tally] = {}
    for name, won, shared, score, game in rows:
        tally = players.get(name)
        if tally is None:
            tally = players[name] = _Tally()
        tally.add(won, shared, score, game)
    found = [tally.standing(name, latest(db, name, wanted.game)) for name, tally in players.items()]
    return sorted(found, key=_placed)


def _placed(each: Standing) -> tuple[int, int, float, str]:
    """Most rounds won, then fewest played, then the better rating."""
    return -each.won, each.played, -each.rating.mu if each.rating else 0.0, each.name


class _Tally:
    """A player's rounds, counted one by one in order."""

    __slots__ = ("best", "drawn", "longest", "played", "streak", "won")

    def __init__(self) -> None:
        self.played = self.won = self.drawn = self.streak = self.longest = 0
        self.best: dict[str, int] = {}

    def add(self, won: int, shared: int, score: int | bytes, game: str) -> None:
        self.played += 1
        self.won += won
        self.drawn += shared
        self.streak = self.streak + 1 if won else 0
        self.longest = max(self.longest, self.streak)
        if games.described(game).best:
            self.best[game] = max(self.best.get(game, int(score)), int(score))

    def standing(self, name: str, rating: Rating | None) -> Standing:
        return Standing(
            name, self.played, self.won, self.drawn, self.streak, self.longest, tuple(sorted(self.best.items())), rating
        )


# -- ratings ----------------------------------------------------------------------------------------------------


def latest(db: sqlite3.Connection, name: str, game: str = "") -> Rating | None:
    """A player's rating now, in one game or ("") in all; None for who has none."""
    row = db.execute(
        "SELECT mu, sigma FROM ratings WHERE name = ? AND game = ? ORDER BY round DESC LIMIT 1", (name, game)
    ).fetchone()
    return Rating(*row) if row else None


def rate(db: sqlite3.Connection, number: int, game: str, names: Sequence[str], winners: Sequence[str]) -> None:
    """Rate a round that has ended, in its game and in all games; nothing where a name sits twice, or the box plays."""
    if len(set(names)) < len(names) or any(map(BOX.fullmatch, names)):
        return
    try:
        for field in ("", game):
            before = {name: latest(db, name, field) or Rating() for name in names}
            after = ratings.rated(before, winners)
            db.executemany(
                "INSERT OR REPLACE INTO ratings (name, game, round, mu, sigma) VALUES (?, ?, ?, ?, ?)",
                [(name, field, number, *rating) for name, rating in after.items()],
            )
    except ImportError:  # Without the library rounds are kept all the same.
        return


def rate_if_none(db: sqlite3.Connection) -> None:
    """Rate all rounds where none is rated yet: they were kept by an earlier version, or without the library."""
    unrated = "SELECT 1 FROM rounds WHERE result != '' AND NOT EXISTS (SELECT 1 FROM ratings) LIMIT 1"
    if db.execute(unrated).fetchone():
        rate_all(db)


def rate_all(db: sqlite3.Connection) -> None:
    """Rate every finished round anew, in order."""
    db.execute("DELETE FROM ratings")
    for number, game, names, winners in list(_finished(db)):
        rate(db, number, game, names, winners)


def _finished(db: sqlite3.Connection) -> Iterator[tuple[int, str, list[str], list[str]]]:
    for number, game, text, result in db.execute(
        "SELECT id, game, names, result FROM rounds WHERE result != '' ORDER BY id"
    ):
        names = json.loads(text)
        yield number, game, names, list(Result.parse(result).names_of_winners(names))


# -- players ----------------------------------------------------------------------------------------------------


class Player(NamedTuple):
    """A name that has sat at the table: finished and unfinished rounds, and when the last one began ("" unknown)."""

    name: str
    rounds: int
    last: str


def players(db: sqlite3.Connection) -> list[Player]:
    """Every name, who sat here last first."""
    rows = db.execute(
        "SELECT s.name, count(*), r.begun, max(s.round) FROM seats s JOIN rounds r ON r.id = s.round "
        "GROUP BY s.name ORDER BY max(s.round) DESC, s.name"
    )
    return [Player(name, count, begun) for name, count, begun, _ in rows]


def name_fault(db: sqlite3.Connection, old: str, new: str, *, merged: bool) -> str:
    """Why a player cannot be renamed, or `merged` into another; "" where it can be."""
    rounds = {each.name: each.rounds for each in players(db)}
    if old not in rounds:
        return f"Nobody named {old} has played."
    if old == new:
        return f"{old} has that name already."
    if merged and new not in rounds:
        return f"Nobody named {new} has played."
    if not merged and new in rounds:
        return f"There is a {new} already."
    both = sorted(set(rounds_with(db, old)) & set(rounds_with(db, new)))
    return f"{old} and {new} sat at the same table in round {both[0]}." if both else ""


def rounds_with(db: sqlite3.Connection, name: str) -> list[int]:
    """The numbers of the rounds in which a player of this name sat."""
    return sorted({number for (number,) in db.execute("SELECT round FROM seats WHERE name = ?", (name,))})


def rename_in_round(db: sqlite3.Connection, number: int, old: str, new: str) -> None:
    """Give a player another name in one round, or that of another player."""
    names, wins = db.execute("SELECT names, wins FROM rounds WHERE id = ?", (number,)).fetchone()
    renamed = [new if name == old else name for name in json.loads(names)]
    won = [[new if name == old else name, count] for name, count in json.loads(wins)]
    db.execute("UPDATE rounds SET names = ?, wins = ? WHERE id = ?", (json.dumps(renamed), json.dumps(won), number))
    db.execute("UPDATE seats SET name = ? WHERE name = ? AND round = ?", (new, old, number))

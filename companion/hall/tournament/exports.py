"""A tournament for paper and programs: the cross-table, CSV and JSON; and the list of players that is pasted in."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, NamedTuple

from companion.game.opponent import strength
from companion.hall.tournament.standings import standings
from companion.session.spelling import LONGEST_NAME, fit

if TYPE_CHECKING:
    from companion.hall.tournament.model import Game
    from companion.hall.tournament.standings import Line
    from companion.hall.tournament.store import Event, Row

HEAD = ("name", "player", "players", "names")
"""First cells that are a heading, and no player."""


class CrossLine(NamedTuple):
    """A player's line of the cross-table; `cells` has one text a round, of a round-robin one an opponent."""

    line: Line
    name: str
    cells: tuple[str, ...]


def number(value: int, parts: int) -> str:
    """A count of halves or quarters as it is written: ``3½``."""
    whole, rest = divmod(value * 4 // parts, 4)
    return f"{whole or '' if rest else whole}{('', '¼', '½', '¾')[rest]}"


def cross_table(event: Event) -> list[CrossLine]:
    """All players, the best first."""
    lines = standings(event.tournament)
    rank = {line.number: n for n, line in enumerate(lines, 1)}
    made = []
    for line in lines:
        games = event.tournament.games_of(line.number)
        if event.tournament.swiss:
            cells = [_by_round(games.get(of), line.number, rank) for of in range(1, event.tournament.rounds + 1)]
        else:
            against = {game.opponent(line.number): game for game in games.values() if game.second}
            cells = [_score(against.get(other.number), line.number) for other in lines]
            cells[rank[line.number] - 1] = "×"
        made.append(CrossLine(line, event.name_of(line.number), tuple(cells)))
    return made


def _by_round(game: Game | None, player: int, rank: dict[int, int]) -> str:
    """The opponent's place and the result: ``4w1``, w for who starts, b for who does not; ``+`` for a bye."""
    if game is None:
        return ""
    if not game.second:
        return "bye"
    return f"{rank[game.opponent(player)]}{'w' if game.first == player else 'b'}{_score(game, player)}"


def _score(game: Game | None, player: int) -> str:
    if game is None or game.outcome is None:
        return ""
    return game.outcome.value[0 if game.first == player else 2]


def as_csv(event: Event) -> str:
    """The cross-table with a line of headings."""
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n")
    lines = cross_table(event)
    heads = [str(n) for n in range(1, len(lines[0].cells) + 1)] if lines else []
    write.writerow(["place", "player", *heads, "points", "buchholz", "sonneborn-berger", "wins"])
    for each in lines:
        line = each.line
        ties = (line.points / 2, line.buchholz / 4, line.sonneborn_berger / 4, line.wins)
        write.writerow(
            [line.place, _harmless(each.name), *(_harmless(cell) for cell in each.cells), *(f"{tie:g}" for tie in ties)]
        )
    return out.getvalue()


def _harmless(text: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") and len(text) > 1 else text


def as_json(event: Event) -> str:
    """Everything: players, pairings with tables and results, standings."""
    tournament = event.tournament
    said = {
        "name": event.name,
        "game": event.game,
        "options": dict(event.options),
        "system": "swiss" if tournament.swiss else "round-robin",
        "rounds": tournament.rounds,
        "players": [{"number": each.number, "name": each.name, "here": each.here} for each in tournament.players],
        "pairings": [_pairing(event, row) for row in event.rows],
        "standings": [_standing(event, line) for line in standings(tournament)],
    }
    return json.dumps(said, ensure_ascii=False, indent=1) + "\n"


def _pairing(event: Event, row: Row) -> dict[str, object]:
    game = row.game
    return {
        "round": game.round,
        "board": game.board,
        "table": row.place,
        "first": event.name_of(game.first),
        "second": event.name_of(game.second) or None,
        "result": "bye" if not game.second else game.outcome and game.outcome.value,
    }


def _standing(event: Event, line: Line) -> dict[str, object]:
    return {
        "place": line.place,
        "name": event.name_of(line.number),
        "points": line.points / 2,
        "buchholz": line.buchholz / 4,
        "sonneborn_berger": line.sonneborn_berger / 4,
        "wins": line.wins,
    }


class BadNames(ValueError):
    """A list of players that cannot be taken, in one sentence."""


def read_players(text: str) -> list[str]:
    """The names in a pasted list: a name a line, or the first column of CSV with commas, semicolons or tabs.

    Raises BadNames.
    """
    lines = [line for line in text.replace("\r", "\n").split("\n") if line.strip()]
    sign = next((sign for sign in ";\t," if any(sign in line for line in lines)), ",")
    names = [row[0].strip() for row in csv.reader(lines, delimiter=sign) if row and row[0].strip()]
    if names and names[0].lower() in HEAD:
        names = names[1:]
    for name in names:
        if strength(name):
            raise BadNames(f"{name} is what the box is called where it plays itself")
        if not fit(name):
            raise BadNames(f"a name has 1 to {LONGEST_NAME} letters and no comma, so that it fits the box: {name[:30]}")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise BadNames(f"two players are named {twice}: tell them apart")
    return names

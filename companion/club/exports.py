"""A tournament for paper and for other programs: a cross-table, CSV, JSON, and the report file of chess federations."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, NamedTuple

from companion.club.tie_breaks import TIES, standings, ties_of
from companion.languages import text

if TYPE_CHECKING:
    from companion.club.tie_breaks import StandingsLine
    from companion.club.tournament import Event, Game, Row

TRF_LETTERS = 33
"""The columns that a name has in FIDE's report file."""
_TRF_RESULTS = {"½": "="}


class CrossLine(NamedTuple):
    """A player's row of the cross-table.

    `cells` has one text a round, or in a round-robin one an opponent; `points` and `ties` are as they are written.
    """

    line: StandingsLine
    name: str
    cells: tuple[str, ...]
    points: str
    ties: tuple[str, ...]


def number(value: int, parts: int) -> str:
    """A count of halves or quarters as it is written: ``3½``."""
    whole, rest = divmod(value * 4 // parts, 4)
    return f"{whole or '' if rest else whole}{('', '¼', '½', '¾')[rest]}"


def cross_table(event: Event) -> list[CrossLine]:
    """A row for each player, the best first."""
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
        ties = tuple(number(getattr(line, key), TIES[key].parts) for key in ties_of(event.tournament))
        made.append(CrossLine(line, event.name_of(line.number), tuple(cells), number(line.points, 2), ties))
    return made


def _by_round(game: Game | None, player: int, rank: dict[int, int]) -> str:
    """The opponent's rank and the result: ``4w1``, w for the player who starts, else b; or a bye."""
    if game is None:
        return ""
    if not game.second:
        return text("½ bye") if game.points(player) == 1 else text("bye")
    return f"{rank[game.opponent(player)]}{'w' if game.first == player else 'b'}{_score(game, player)}"


def _score(game: Game | None, player: int) -> str:
    if game is None or game.outcome is None:
        return ""
    return game.outcome.value[0 if game.first == player else 2]


def as_csv(event: Event) -> str:
    """The cross-table as CSV, with a line of headings; see docs/hall.md."""
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n")
    lines = cross_table(event)
    heads = [str(n) for n in range(1, len(lines[0].cells) + 1)] if lines else []
    ties = ties_of(event.tournament)
    write.writerow(["place", "player", *heads, "points", *(key.replace("_", "-") for key in ties)])
    for each in lines:
        counts = [(each.line.points, 2), *((getattr(each.line, key), TIES[key].parts) for key in ties)]
        write.writerow([
            each.line.place, _harmless(each.name), *(_harmless(cell) for cell in each.cells),
            *(f"{count / parts:g}" for count, parts in counts),
        ])  # fmt: skip
    return out.getvalue()


def _harmless(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: an apostrophe is put before it."""
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@") and len(cell) > 1 else cell


def as_json(event: Event) -> str:
    """The whole tournament as JSON: players, pairings with tables and results, standings."""
    tournament = event.tournament
    said = {
        "name": event.name,
        "game": event.game,
        "options": dict(event.options),
        "system": "swiss" if tournament.swiss else "round-robin",
        "rounds": tournament.rounds,
        "tie_breaks": list(ties_of(tournament)),
        "players": [{"number": each.number, "name": each.name, "here": each.here} for each in tournament.players],
        "pairings": [_pairing(event, row) for row in event.rows],
        "standings": [_standing(event, line) for line in standings(tournament)],
    }
    return json.dumps(said, ensure_ascii=False, indent=1) + "\n"


def _pairing(event: Event, row: Row) -> dict[str, object]:
    game = row.game
    bye = "half-point bye" if game.outcome else "bye"
    return {
        "round": game.round,
        "board": game.board,
        "table": row.place,
        "first": event.name_of(game.first),
        "second": event.name_of(game.second) or None,
        "result": (game.outcome and game.outcome.value) if game.second else bye,
    }


def _standing(event: Event, line: StandingsLine) -> dict[str, object]:
    return {
        "place": line.place,
        "name": event.name_of(line.number),
        "points": line.points / 2,
        **{key: getattr(line, key) / tie.parts for key, tie in TIES.items()},
    }


def as_trf(event: Event) -> str:
    """FIDE's Tournament Report File (TRF16), which programs of chess federations read.

    Each player has a line of fixed columns: from column 92 on, ten for each round, with the opponent's start number, w
    or b for who started, and the result. `XXR`, `XXC` and `XXP` are additions of pairing programs: how many rounds
    there are, that the first of the list starts in round 1, and pairs who must not meet.
    """
    tournament = event.tournament
    kind = "Individual: Swiss-System (Dutch)" if tournament.swiss else "Individual: Round-Robin"
    count = len(tournament.players)
    lines = [
        f"012 {event.name}",
        f"062 {count}",
        "072 0",
        "082 0",
        f"092 {kind}",
        f"XXR {tournament.rounds}",
        "XXC white1",
    ]
    lines += [
        f"XXP {' '.join(str(number) for number in sorted(pair))}" for pair in sorted(map(sorted, tournament.barred))
    ]
    for line in sorted(standings(tournament), key=lambda each: each.number):
        games = tournament.games_of(line.number)
        cells = "".join(_trf_cell(games.get(of), line.number) for of in range(1, tournament.round + 1))
        points = sum(game.points(line.number) for game in games.values())  # with a bye of this round too
        name = f"{event.name_of(line.number):<{TRF_LETTERS}.{TRF_LETTERS}}"
        blank = " " * 31  # Rating, federation, FIDE's number and birthday, which the club does not know.
        lines.append(f"001 {line.number:4}      {name} {blank} {points / 2:4.1f} {line.place:4}{cells}")
    return "\n".join(lines) + "\n"


def _trf_cell(game: Game | None, number: int) -> str:
    """A round of a player: U is a bye, H a bye for half a point, Z a round that the player missed."""
    if game is None:
        return "  0000 - Z"
    if not game.second:
        return f"  0000 - {'H' if game.points(number) == 1 else 'U'}"
    result = game.outcome.value[0 if game.first == number else 2] if game.outcome else " "
    starts = "w" if game.first == number else "b"
    return f"  {game.opponent(number):4} {starts} {_TRF_RESULTS.get(result, result)}"

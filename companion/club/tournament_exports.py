"""A tournament for paper and for other programs: a cross-table, CSV, JSON, and the report file of chess federations."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, NamedTuple

from companion.club.tie_breaks import TIE_BREAKS, tie_break_keys, tournament_standings
from companion.languages import text

if TYPE_CHECKING:
    from companion.club.tie_breaks import StandingsRow
    from companion.club.tournament import Pairing, PairingRow, StoredTournament

TRF_NAME_COLUMNS = 33
"""The columns that a name has in FIDE's report file."""
_TRF_RESULTS = {"½": "="}


class CrossTableRow(NamedTuple):
    """A player's row of the cross-table.

    `cells` has one text a round, or in a round-robin one an opponent; `points` and `tie_break_values` are as they are
    written.
    """

    standings_row: StandingsRow
    name: str
    cells: tuple[str, ...]
    points: str
    tie_break_values: tuple[str, ...]


def format_points(value: int, units_per_point: int) -> str:
    """A count of halves or quarters as it is written: ``3½``."""
    whole_points, quarters = divmod(value * 4 // units_per_point, 4)
    return f"{whole_points or '' if quarters else whole_points}{('', '¼', '½', '¾')[quarters]}"


def cross_table(event: StoredTournament) -> list[CrossTableRow]:
    """A row for each player, the best first."""
    standings = tournament_standings(event.tournament)
    rank = {line.number: n for n, line in enumerate(standings, 1)}
    rows = []
    for line in standings:
        games = event.tournament.games_of(line.number)
        if event.tournament.is_swiss:
            cells = [
                _swiss_cell(games.get(round_number), line.number, rank)
                for round_number in range(1, event.tournament.rounds + 1)
            ]
        else:
            games_by_opponent = {game.opponent_of(line.number): game for game in games.values() if game.second}
            cells = [_score_mark(games_by_opponent.get(other.number), line.number) for other in standings]
            cells[rank[line.number] - 1] = "×"
        tie_break_values = tuple(
            format_points(getattr(line, key), TIE_BREAKS[key].units_per_point)
            for key in tie_break_keys(event.tournament)
        )
        rows.append(
            CrossTableRow(
                line, event.player_name(line.number), tuple(cells), format_points(line.points, 2), tie_break_values
            )
        )
    return rows


def _swiss_cell(game: Pairing | None, player: int, rank: dict[int, int]) -> str:
    """The opponent's rank and the result: ``4w1``, w for the player who starts, else b; or a bye."""
    if game is None:
        return ""
    if not game.second:
        return text("½ bye") if game.points_of(player) == 1 else text("bye")
    return f"{rank[game.opponent_of(player)]}{'w' if game.first == player else 'b'}{_score_mark(game, player)}"


def _score_mark(game: Pairing | None, player: int) -> str:
    if game is None or game.outcome is None:
        return ""
    return game.outcome.value[0 if game.first == player else 2]


def tournament_csv(event: StoredTournament) -> str:
    """The cross-table as CSV, with a line of headings; programs read them, so they must not change."""
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n")
    lines = cross_table(event)
    headings = [str(n) for n in range(1, len(lines[0].cells) + 1)] if lines else []
    ties = tie_break_keys(event.tournament)
    write.writerow(["place", "player", *headings, "points", *(key.replace("_", "-") for key in ties)])
    for each in lines:
        counts = [
            (each.standings_row.points, 2),
            *((getattr(each.standings_row, key), TIE_BREAKS[key].units_per_point) for key in ties),
        ]
        write.writerow([
            each.standings_row.rank, _spreadsheet_safe(each.name), *(_spreadsheet_safe(cell) for cell in each.cells),
            *(f"{count / parts:g}" for count, parts in counts),
        ])  # fmt: skip
    return out.getvalue()


def _spreadsheet_safe(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: an apostrophe is put before it."""
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@") and len(cell) > 1 else cell


def tournament_json(event: StoredTournament) -> str:
    """The whole tournament as JSON: players, pairings with tables and results, standings."""
    tournament = event.tournament
    data = {
        "name": event.name,
        "game": event.game,
        "options": dict(event.options),
        "system": "swiss" if tournament.is_swiss else "round-robin",
        "rounds": tournament.rounds,
        "tie_breaks": list(tie_break_keys(tournament)),
        "players": [{"number": each.number, "name": each.name, "here": each.is_present} for each in tournament.players],
        "pairings": [_pairing_data(event, row) for row in event.rows],
        "standings": [_standing_data(event, line) for line in tournament_standings(tournament)],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _pairing_data(event: StoredTournament, row: PairingRow) -> dict[str, object]:
    game = row.game
    bye = "half-point bye" if game.outcome else "bye"
    return {
        "round": game.round,
        "board": game.board,
        "table": row.table,
        "first": event.player_name(game.first),
        "second": event.player_name(game.second) or None,
        "result": (game.outcome and game.outcome.value) if game.second else bye,
    }


def _standing_data(event: StoredTournament, line: StandingsRow) -> dict[str, object]:
    return {
        "place": line.rank,
        "name": event.player_name(line.number),
        "points": line.points / 2,
        **{key: getattr(line, key) / tie.units_per_point for key, tie in TIE_BREAKS.items()},
    }


def tournament_trf(event: StoredTournament) -> str:
    """FIDE's Tournament Report File (TRF16), which programs of chess federations read.

    Each player has a line of fixed columns: from column 92 on, ten for each round, with the opponent's start number, w
    or b for who started, and the result. `XXR`, `XXC` and `XXP` are additions of pairing programs: how many rounds
    there are, that the first of the list starts in round 1, and pairs who must not meet.
    """
    tournament = event.tournament
    system = "Individual: Swiss-System (Dutch)" if tournament.is_swiss else "Individual: Round-Robin"
    count = len(tournament.players)
    lines = [
        f"012 {event.name}",
        f"062 {count}",
        "072 0",
        "082 0",
        f"092 {system}",
        f"XXR {tournament.rounds}",
        "XXC white1",
    ]
    lines += [
        f"XXP {' '.join(str(number) for number in sorted(pair))}"
        for pair in sorted(map(sorted, tournament.barred_pairs))
    ]
    for line in sorted(tournament_standings(tournament), key=lambda each: each.number):
        games = tournament.games_of(line.number)
        cells = "".join(
            _trf_cell(games.get(round_number), line.number) for round_number in range(1, tournament.round + 1)
        )
        points = sum(game.points_of(line.number) for game in games.values())  # with a bye of this round too
        name = f"{event.player_name(line.number):<{TRF_NAME_COLUMNS}.{TRF_NAME_COLUMNS}}"
        blank = " " * 31  # Rating, federation, FIDE's number and birthday, which the club does not know.
        lines.append(f"001 {line.number:4}      {name} {blank} {points / 2:4.1f} {line.rank:4}{cells}")
    return "\n".join(lines) + "\n"


def _trf_cell(game: Pairing | None, number: int) -> str:
    """A round of a player: U is a bye, H a bye for half a point, Z a round that the player missed."""
    if game is None:
        return "  0000 - Z"
    if not game.second:
        return f"  0000 - {'H' if game.points_of(number) == 1 else 'U'}"
    result = game.outcome.value[0 if game.first == number else 2] if game.outcome else " "
    starts = "w" if game.first == number else "b"
    return f"  {game.opponent_of(number):4} {starts} {_TRF_RESULTS.get(result, result)}"

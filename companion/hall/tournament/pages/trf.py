"""A Swiss tournament as FIDE's Tournament Report File (TRF16), which programs of chess federations read.

Each player has a line of fixed columns: from column 92 on, ten for each round, with the opponent's start number, w or b
for who started, and the result. `XXR`, `XXC` and `XXP` are additions of pairing programs: how many rounds there are,
that the first of the list starts in round 1, and pairs who must not meet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.hall.tournament.tie_breaks import standings

if TYPE_CHECKING:
    from companion.hall.tournament.model import Event, Game

LETTERS = 33
"""The columns of a name."""
_RESULTS = {"½": "="}


def as_trf(event: Event) -> str:
    """The tournament as it is now."""
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
        cells = "".join(_cell(games.get(of), line.number) for of in range(1, tournament.round + 1))
        points = sum(game.points(line.number) for game in games.values())  # of all cells, with a bye that is to count
        name = f"{event.name_of(line.number):<{LETTERS}.{LETTERS}}"
        blank = " " * 31  # Rating, federation, FIDE's number and birthday, which nobody has been asked for.
        lines.append(f"001 {line.number:4}      {name} {blank} {points / 2:4.1f} {line.place:4}{cells}")
    return "\n".join(lines) + "\n"


def _cell(game: Game | None, number: int) -> str:
    """A round of a player: U is a bye, H one for half a point, Z a round that the player missed."""
    if game is None:
        return "  0000 - Z"
    if not game.second:
        return f"  0000 - {'H' if game.points(number) == 1 else 'U'}"
    result = game.outcome.value[0 if game.first == number else 2] if game.outcome else " "
    starts = "w" if game.first == number else "b"
    return f"  {game.opponent(number):4} {starts} {_RESULTS.get(result, result)}"

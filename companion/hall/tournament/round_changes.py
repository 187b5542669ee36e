"""What the organiser does with the rounds of a tournament: pairs them, enters results, moves pairings to tables."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from companion.hall.tournament import desk
from companion.hall.tournament.model import Game, PairingOutcome, Wrong
from companion.hall.tournament.next_round import half_byes
from companion.languages import joined, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.hall.tournament.model import Event, Tournament
    from companion.hall.tournament.next_round import NextRound
    from companion.hall.tournament.tournaments import Tournaments


def check(tournament: Tournament) -> None:
    """Raises Wrong where no further round can be paired now."""
    if len(tournament.players) < 2:
        raise Wrong(text("enter at least two players first"))
    if tournament.over < tournament.round:
        raise Wrong(text("round {round} is not over", round=tournament.over + 1))
    if tournament.round >= tournament.rounds:
        raise Wrong(text("all rounds are played"))


def keep(tournaments: Tournaments, event: Event, made: NextRound, places: Sequence[str]) -> None:
    """Keep a round that was paired for a tournament as it was then; the first boards get these tables. Raises Wrong."""
    with tournaments.changing(event.id) as now:
        if now.tournament != event.tournament:
            raise Wrong(text("somebody has changed the tournament meanwhile: look at it, and pair again"))
        number = event.tournament.round + 1
        _begin(tournaments, event, made.games, places)
        tournaments.note(event.id, text("round {round} is paired", round=number))
        if again := _again(event, made.games):
            tournaments.note(event.id, text("there was no other pairing than that {again}", again=again))
        if not made.starts_kept:
            said = text("some start once more or less often than usual: there was no other pairing")
            tournaments.note(event.id, said)


def pair_by_hand(tournaments: Tournaments, id_: int, pairs: Sequence[tuple[int, int]], places: Sequence[str]) -> None:
    """Pair a round as the organiser says, the first of two starts, a second 0 is a bye.

    It is the next round, or the newest one once more as long as it has no result. Raises Wrong.
    """
    with tournaments.changing(id_) as event:
        if not event.tournament.swiss:
            raise Wrong(text("a round-robin is paired by its table: all meet once"))
        if event.tournament.over < event.tournament.round:
            _unpair(tournaments, event)
            event = tournaments.event(id_)
        tournament = event.tournament
        check(tournament)
        _check_pairs(event, pairs)
        number = tournament.round + 1
        games = [Game(number, board, *pair) for board, pair in enumerate(pairs, 1)]
        _begin(tournaments, event, [*games, *half_byes(tournament, number, len(games))], places)
        again = _again(event, games)
        said = "round {round} is paired by hand: {again}" if again else "round {round} is paired by hand"
        tournaments.note(id_, text(said, round=number, again=again))


def _check_pairs(event: Event, pairs: Sequence[tuple[int, int]]) -> None:
    """Raises Wrong unless everybody who is to be paired is in one pair."""
    seated = [number for pair in pairs for number in pair if number]
    due = {player.number for player in event.tournament.players if player.here and not player.half_bye}
    for number in seated:
        if number not in due:
            raise Wrong(text("there is no such player, or the player is away"))
        if seated.count(number) > 1:
            raise Wrong(text("{who} is in two pairs", who=event.name_of(number)))
    if missing := sorted(due - set(seated)):
        said = "{who} is in no pair: choose an opponent, or the bye, or set the player away"
        raise Wrong(text(said, who=event.name_of(missing[0])))
    if any(not first for first, _ in pairs):
        raise Wrong(text("the player with the bye belongs on the left"))


def _begin(tournaments: Tournaments, event: Event, games: Sequence[Game], places: Sequence[str]) -> None:
    tournaments.add(event.id, games, places)
    tournaments.execute("UPDATE entrants SET half_bye = 0 WHERE tournament = ?", event.id)
    tournaments.execute("UPDATE tournaments SET clock = 0 WHERE id = ?", event.id)


def _again(event: Event, games: Sequence[Game]) -> str:
    """Who meets once more in these games, or has a second bye; "" for nobody."""
    before = {
        frozenset(game[2:4]) for game in event.tournament.games if game.played or not (game.second or game.outcome)
    }
    repeated = [game for game in games if frozenset(game[2:4]) in before and not game.outcome]
    said = [text("{pair} meet again", pair=event.pair(game)) if game.second
            else text("{who} has a second bye", who=event.name_of(game.first)) for game in repeated]  # fmt: skip
    return joined(said, ", ")


def unpair(tournaments: Tournaments, id_: int) -> None:
    """Take the newest round back, as long as it has no result. Raises Wrong."""
    with tournaments.changing(id_) as event:
        _unpair(tournaments, event)


def _unpair(tournaments: Tournaments, event: Event) -> None:
    tournament = event.tournament
    games = [game for game in tournament.games if game.round == tournament.round]
    if not games:
        raise Wrong(text("no round is paired"))
    if any(game.played for game in games):
        raise Wrong(text("round {round} has a result already: correct results instead", round=tournament.round))
    for game in games:
        if not game.second and game.outcome:
            where = "WHERE tournament = ? AND number = ?"
            tournaments.execute(f"UPDATE entrants SET half_bye = 1 {where}", event.id, game.first)
    tournaments.execute("DELETE FROM pairings WHERE tournament = ? AND round = ?", event.id, tournament.round)
    tournaments.note(event.id, text("the pairing of round {round} is taken back", round=tournament.round))


def set_outcome(tournaments: Tournaments, id_: int, row: int, outcome: PairingOutcome | None) -> None:
    """Enter or correct a result; None opens the pairing again. Raises Wrong."""
    with tournaments.changing(id_) as event:
        tournaments.change(event, event.row(row), outcome, source=None, how="entered")


def take(tournaments: Tournaments, id_: int, row: int, number: int) -> None:
    """Take one of the hall's rounds as the result of a pairing, although its box did not know of it. Raises Wrong."""
    with tournaments.changing(id_) as event:
        found = event.row(row)
        played = tournaments.rounds(number - 1).get(number)
        sat = desk.seats(event, found, played.players) if played is not None else ""
        if played is None or not sat or any(each.source == number for each in event.rows):
            raise Wrong(text("there is no such round of these two"))
        desk.take(tournaments, event, found, played, sat)


def move(tournaments: Tournaments, id_: int, row: int, place: str) -> None:
    """A pairing is to be played at another table, or is offered to its table once more. Raises Wrong."""
    with tournaments.changing(id_) as event:
        if not event.row(row).game.open:
            raise Wrong(text("there is no such open pairing"))
        tournaments.put(row, place)


def set_clock(tournaments: Tournaments, id_: int, *, running: bool) -> None:
    """Start the clock of the round, or stop it. Raises Wrong."""
    with tournaments.changing(id_) as event:
        if running and not event.minutes:
            raise Wrong(text("say first how many minutes a round has"))
        tournaments.execute("UPDATE tournaments SET clock = ? WHERE id = ?", time.time() if running else 0.0, id_)

"""What the organiser does with the players of a tournament: they come, go, are renamed and put in order."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING

from companion.hall.tournament.model import Wrong
from companion.rounds.player_names import fit, unfit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.hall.tournament.model import Event, Player
    from companion.hall.tournament.store import Tournaments

MOST_PLAYERS = 128


def add_players(tournaments: Tournaments, id_: int, names: Sequence[str], at: str) -> int:
    """Add players behind those who are in, in their order; how many were new. Raises Wrong."""
    with tournaments.together():
        event = tournaments.event(id_)
        known = {player.name for player in event.tournament.players}
        new = [name for name in dict.fromkeys(names) if name not in known]
        if event.tournament.begun and not event.tournament.swiss:
            raise Wrong("in a round-robin nobody can come in after the first round was paired")
        if len(known) + len(new) > MOST_PLAYERS:
            raise Wrong(f"a tournament has {MOST_PLAYERS} players at most")
        for number, name in enumerate(new, len(known) + 1):
            tournaments.execute(
                "INSERT INTO entrants (tournament, number, name, here) VALUES (?, ?, ?, 1)", id_, number, name
            )
            if event.tournament.begun:
                tournaments.note(id_, at, f"{name} comes in after round {event.tournament.round}")
    return len(new)


def set_here(tournaments: Tournaments, id_: int, number: int, here: bool, at: str) -> None:
    """Whether a player is paired from the next round on. Raises Wrong."""
    with tournaments.together():
        event, player = _found(tournaments, id_, number)
        _update(tournaments, id_, number, "here = ?, half_bye = 0", here)
        from_round = event.tournament.round + 1
        tournaments.note(id_, at, f"{player.name} is {'here' if here else 'away'} from round {from_round} on")


def set_half_bye(tournaments: Tournaments, id_: int, number: int, at: str) -> None:
    """A player sits the next round out for half a point. Raises Wrong."""
    with tournaments.together():
        event, player = _found(tournaments, id_, number)
        if not event.tournament.swiss:
            raise Wrong("half-point byes are for a Swiss: in a round-robin all meet")
        _update(tournaments, id_, number, "here = 1, half_bye = ?", 1)
        tournaments.note(id_, at, f"{player.name} sits round {event.tournament.round + 1} out for half a point")


def rename(tournaments: Tournaments, id_: int, number: int, name: str, at: str) -> None:
    """Give a player another name; rounds that come in with the one before are still found. Raises Wrong."""
    with tournaments.together():
        event, player = _found(tournaments, id_, number)
        if not fit(name):
            raise Wrong(unfit(name))
        if any(name == each.name for each in event.tournament.players if each.number != number):
            raise Wrong(f"another player is named {name}")
        if name == player.name:
            return
        _update(tournaments, id_, number, "name = ?, earlier = ?", name, json.dumps([*player.earlier, player.name]))
        # What is offered at a table has the name in it.
        tournaments.execute(
            "UPDATE pairings SET offer = offer + 1 WHERE tournament = ? AND outcome = '' AND second != 0 "
            "AND ? IN (first, second)",
            id_, number,
        )  # fmt: skip
        tournaments.note(id_, at, f"{player.name} is now {name}")


def remove(tournaments: Tournaments, id_: int, number: int, at: str) -> None:
    """Take out a player who was never paired. Raises Wrong."""
    with tournaments.together():
        event, player = _found(tournaments, id_, number)
        if event.tournament.games_of(number):
            raise Wrong(f"{player.name} was paired already: set the player away instead")
        tournaments.execute("DELETE FROM entrants WHERE tournament = ? AND number = ?", id_, number)
        tournaments.execute("DELETE FROM barred WHERE tournament = ? AND ? IN (one, other)", id_, number)
        _renumber(tournaments, id_, [each.number for each in event.tournament.players if each.number != number])
        tournaments.note(id_, at, f"{player.name} is taken out")


def place(tournaments: Tournaments, id_: int, number: int, to: int) -> None:
    """Put a player into another place of the list, from 1. Raises Wrong."""
    with tournaments.together():
        event, _ = _found(tournaments, id_, number)
        order = [each.number for each in _unbegun(event) if each.number != number]
        order.insert(max(1, min(to, len(order) + 1)) - 1, number)
        _renumber(tournaments, id_, order)


def draw_lots(tournaments: Tournaments, id_: int, at: str) -> None:
    """Put the players in a random order. Raises Wrong."""
    with tournaments.together():
        order = [each.number for each in _unbegun(tournaments.event(id_))]
        secrets.SystemRandom().shuffle(order)
        _renumber(tournaments, id_, order)
        tournaments.note(id_, at, "the order of the players was drawn by lot")


def bar(tournaments: Tournaments, id_: int, pair: tuple[int, int], at: str, *, barred: bool) -> None:
    """Whether two players must not meet. Raises Wrong."""
    with tournaments.together():
        event, one = _found(tournaments, id_, min(pair))
        _, other = _found(tournaments, id_, max(pair))
        if one == other:
            raise Wrong("choose two players")
        if not event.tournament.swiss:
            raise Wrong("in a round-robin all meet")
        values = id_, one.number, other.number
        if barred:
            tournaments.execute("INSERT OR IGNORE INTO barred VALUES (?, ?, ?)", *values)
        else:
            tournaments.execute("DELETE FROM barred WHERE tournament = ? AND one = ? AND other = ?", *values)
        tournaments.note(id_, at, f"{one.name} and {other.name} {'must not' if barred else 'may'} meet")


def _found(tournaments: Tournaments, id_: int, number: int) -> tuple[Event, Player]:
    event = tournaments.event(id_)
    player = next((each for each in event.tournament.players if each.number == number), None)
    if player is None:
        raise Wrong("there is no such player")
    return event, player


def _unbegun(event: Event) -> tuple[Player, ...]:
    """The players of a tournament that has not begun. Raises Wrong."""
    if event.tournament.begun:
        raise Wrong("the order stands once a round was paired: take its pairing back first")
    return event.tournament.players


def _update(tournaments: Tournaments, id_: int, number: int, what: str, *values: object) -> None:
    tournaments.execute(f"UPDATE entrants SET {what} WHERE tournament = ? AND number = ?", *values, id_, number)


def _renumber(tournaments: Tournaments, id_: int, order: Sequence[int]) -> None:
    """Give the players of these numbers the numbers from 1 on."""
    moved = [(old, new) for new, old in enumerate(order, 1) if old != new]
    for table, columns in (("entrants", ("number",)), ("pairings", ("first", "second")), ("barred", ("one", "other"))):
        for column in columns:  # By way of numbers below 0, which nobody has.
            for old, new in moved:
                where = f"WHERE tournament = ? AND {column} = ?"
                tournaments.execute(f"UPDATE {table} SET {column} = ? {where}", -new, id_, old)
            tournaments.execute(
                f"UPDATE {table} SET {column} = -{column} WHERE tournament = ? AND {column} < 0", id_
            )  # fmt: skip
    tournaments.execute("UPDATE barred SET one = other, other = one WHERE tournament = ? AND one > other", id_)

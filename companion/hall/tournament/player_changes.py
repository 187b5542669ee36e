"""What the organiser does with the players of a tournament: they come, go, are renamed and put in order."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING

from companion.hall.tournament.model import Wrong
from companion.languages import text
from companion.rounds.player_names import alike, fit, normal_name, unfit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.hall.tournament.model import Event, Player
    from companion.hall.tournament.tournaments import Tournaments

MOST_PLAYERS = 128


def add_players(tournaments: Tournaments, id_: int, names: Sequence[str]) -> int:
    """Add players behind those who are in, in their order; how many were new. Raises Wrong."""
    with tournaments.changing(id_) as event:
        known = {player.name for player in event.tournament.players}
        new = [name for name in dict.fromkeys(names) if name not in known]
        for number, name in enumerate(new):
            _tell_apart(name, [*known, *new[:number]])
        if event.tournament.begun and not event.tournament.swiss:
            raise Wrong(text("in a round-robin nobody can come in after the first round was paired"))
        if len(known) + len(new) > MOST_PLAYERS:
            raise Wrong(text("a tournament has {most} players at most", most=MOST_PLAYERS))
        for number, name in enumerate(new, len(known) + 1):
            tournaments.execute(
                "INSERT INTO entrants (tournament, number, name, here) VALUES (?, ?, ?, 1)", id_, number, name
            )
            if event.tournament.begun:
                said = text("{who} comes in after round {round}", who=name, round=event.tournament.round)
                tournaments.note(id_, said)
    return len(new)


def _tell_apart(name: str, others: Sequence[str]) -> None:
    if other := alike(name, others):
        said = "{one} and {other} differ in large and small letters alone: tell them apart"
        raise Wrong(text(said, one=other, other=name))


def set_here(tournaments: Tournaments, id_: int, number: int, here: bool) -> None:
    """Whether a player is paired from the next round on. Raises Wrong."""
    with tournaments.changing(id_) as event:
        player = event.player(number)
        _update(tournaments, id_, number, "here = ?, half_bye = 0", here)
        from_round = event.tournament.round + 1
        said = "{who} is here from round {round} on" if here else "{who} is away from round {round} on"
        tournaments.note(id_, text(said, who=player.name, round=from_round))


def set_half_bye(tournaments: Tournaments, id_: int, number: int) -> None:
    """A player sits the next round out for half a point. Raises Wrong."""
    with tournaments.changing(id_) as event:
        player = event.player(number)
        if not event.tournament.swiss:
            raise Wrong(text("half-point byes are for a Swiss: in a round-robin all meet"))
        _update(tournaments, id_, number, "here = 1, half_bye = ?", 1)
        said = text("{who} sits round {round} out for half a point", who=player.name, round=event.tournament.round + 1)
        tournaments.note(id_, said)


def rename(tournaments: Tournaments, id_: int, number: int, name: str) -> None:
    """Give a player another name; rounds that come in with the one before are still found. Raises Wrong."""
    with tournaments.changing(id_) as event:
        player, name = event.player(number), normal_name(name)
        if not fit(name):
            raise Wrong(unfit(name))
        if any(name == each.name for each in event.tournament.players if each.number != number):
            raise Wrong(text("another player is named {who}", who=name))
        _tell_apart(name, [each.name for each in event.tournament.players if each.number != number])
        if name == player.name:
            return
        _update(tournaments, id_, number, "name = ?, earlier = ?", name, json.dumps([*player.earlier, player.name]))
        # What is offered at a table has the name in it.
        tournaments.execute(
            "UPDATE pairings SET offer = offer + 1 WHERE tournament = ? AND outcome = '' AND second != 0 "
            "AND ? IN (first, second)",
            id_, number,
        )  # fmt: skip
        tournaments.note(id_, text("{before} is now {who}", before=player.name, who=name))


def remove(tournaments: Tournaments, id_: int, number: int) -> None:
    """Take out a player who was never paired. Raises Wrong."""
    with tournaments.changing(id_) as event:
        player = event.player(number)
        if event.tournament.games_of(number):
            raise Wrong(text("{who} was paired already: set the player away instead", who=player.name))
        tournaments.execute("DELETE FROM entrants WHERE tournament = ? AND number = ?", id_, number)
        tournaments.execute("DELETE FROM barred WHERE tournament = ? AND ? IN (one, other)", id_, number)
        _renumber(tournaments, id_, [each.number for each in event.tournament.players if each.number != number])
        tournaments.note(id_, text("{who} is taken out", who=player.name))


def place(tournaments: Tournaments, id_: int, number: int, to: int) -> None:
    """Put a player into another place of the list, from 1. Raises Wrong."""
    with tournaments.changing(id_) as event:
        event.player(number)
        order = [each.number for each in _unbegun(event) if each.number != number]
        order.insert(max(1, min(to, len(order) + 1)) - 1, number)
        _renumber(tournaments, id_, order)


def draw_lots(tournaments: Tournaments, id_: int) -> None:
    """Put the players in a random order. Raises Wrong."""
    with tournaments.changing(id_) as event:
        order = [each.number for each in _unbegun(event)]
        secrets.SystemRandom().shuffle(order)
        _renumber(tournaments, id_, order)
        tournaments.note(id_, text("the order of the players was drawn by lot"))


def bar(tournaments: Tournaments, id_: int, pair: tuple[int, int], *, barred: bool) -> None:
    """Whether two players must not meet. Raises Wrong."""
    with tournaments.changing(id_) as event:
        one, other = map(event.player, sorted(pair))
        if one == other:
            raise Wrong(text("choose two players"))
        if not event.tournament.swiss:
            raise Wrong(text("in a round-robin all meet"))
        values = id_, one.number, other.number
        if barred:
            tournaments.execute("INSERT OR IGNORE INTO barred VALUES (?, ?, ?)", *values)
        else:
            tournaments.execute("DELETE FROM barred WHERE tournament = ? AND one = ? AND other = ?", *values)
        said = "{one} and {other} must not meet" if barred else "{one} and {other} may meet"
        tournaments.note(id_, text(said, one=one.name, other=other.name))


def _unbegun(event: Event) -> tuple[Player, ...]:
    """The players of a tournament that has not begun. Raises Wrong."""
    if event.tournament.begun:
        raise Wrong(text("the order stands once a round was paired: take its pairing back first"))
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

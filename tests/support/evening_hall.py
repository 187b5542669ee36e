"""A hall with tournaments for tests: its store, the tables that are here, and rounds that come in."""

from __future__ import annotations

import random
import re

import pytest

from companion import games
from companion.hall.intake import Intake
from companion.hall.messages import LogMessage, Position
from companion.hall.tournament.desk import Desk
from companion.hall.tournament.store import Tournaments
from companion.store.outgoing import START

AT = "2026-11-21T20:15:00+0100"
STORE = "a" * 32


class Hall:
    """A hall's folder with the tables that are here, and a way to let rounds come in."""

    def __init__(self, folder, shortest) -> None:
        self.intake = Intake(folder)
        self.tournaments = Tournaments(folder)
        self.places = ["table-1", "table-2"]
        self.offered: dict = {}
        self.desk = Desk(self.tournaments, lambda: self.places, self._publish)
        self.shortest = shortest
        self.sent = 0

    def _publish(self, offers) -> None:
        self.offered = offers

    def comes(
        self, table: str, first: str, second: str, round_: int = 0, text: str | None = None, store: str = STORE, **more
    ) -> int:
        """A finished round arrives: the first one wins. With `text` "" it is taken back. Its number at the table."""
        self.sent += 1
        entry, key = Position(self.sent, self.sent), round_ or self.sent
        record = self.shortest(first, second, **more) if text is None else text
        message = LogMessage((store + table)[-32:].replace("-", "x"), START, entry, key, key, record)
        with self.intake.together():
            self.intake.take(table, message, AT)
        self.desk.look()
        return key

    def open_rows(self, id_: int):
        return [row for row in self.tournaments.event(id_).rows if row.game.open]

    def close(self) -> None:
        self.tournaments.close()
        self.intake.close()


@pytest.fixture(scope="session")
def shortest(play_round):
    """Writes a finished round of some game with two options to choose from, which seat 1 wins."""
    found = {}
    game = next(each for each in games.built_in() if each.recorded and 2 in each.players and each.options)
    name, values = next(iter(game.values.items()))
    for value in values[:2]:
        chance = random.Random(5)
        while value not in found:
            played = play_round(game.id, game.defaults | {name: value}, 2, chance)
            state = played.states[-1]
            if played.rules.turn(state) is None and played.rules.outcome(state).result.winners == (1,):
                found[value] = played.text

    def write(first: str, second: str, value: str = values[0]) -> str:
        return re.sub("^players: .*$", f"players: {first}, {second}", found[value], flags=re.M)

    write.game, write.options, write.other = game.id, game.defaults, values[1]
    return write


@pytest.fixture
def hall(tmp_path, shortest):
    made = Hall(tmp_path, shortest)
    yield made
    made.close()


def opened(hall, names: str = "Ann Ben Cleo Dan", *, swiss: bool = True, rounds: int = 3) -> int:
    id_ = hall.tournaments.create("Club evening", hall.shortest.game, hall.shortest.options, swiss=swiss, rounds=rounds)
    hall.tournaments.add_players(id_, names.split(), AT)
    return id_


def pair(hall, id_: int) -> None:
    hall.tournaments.pair(id_, hall.places, AT)
    hall.desk.look()

"""A club night with tournaments for tests: its store, the connected tables, and rounds that come in."""

from __future__ import annotations

import os
import random
import re
import time

import pytest
from starlette.testclient import TestClient

from companion import games
from companion.club import tournament_changes as changes
from companion.club.broker_access import organiser_password
from companion.club.club_store import ClubStore
from companion.club.mqtt_messages import EntryPosition, LogMessage, StateMessage
from companion.club.next_round import make_next_round
from companion.club.tournament import PairingOutcome
from companion.club.tournament_director import TournamentDirector
from companion.club.tournament_store import TournamentStore
from companion.club.web.forms import OrganiserLogin
from companion.club.web.television import ClubNightView, club_application
from companion.club.web.tournament_pages import TournamentPages, TournamentViews
from companion.store.history import START_POSITION

DATE = "2026-11-21T20:15:00+0100"
STORE_ID = "a" * 32


class TournamentNight:
    """The folder of a club server with connected tables, and a way to let rounds come in."""

    def __init__(self, folder, shortest_record) -> None:
        self.intake = ClubStore(folder)
        self.tournaments = TournamentStore(folder)
        self.table_names = ["table-1", "table-2"]
        self.offered: dict = {}
        self.desk = TournamentDirector(self.tournaments, lambda: self.table_names, self._publish)
        self.shortest = shortest_record
        self.sent = 0

    def _publish(self, offers) -> None:
        self.offered = offers

    def take_round(
        self, table: str, first: str, second: str, round_: int = 0, *, text: str | None = None, store: str = STORE_ID,
        pairing: str | None = None, at: str = DATE, **more,
    ) -> int:  # fmt: skip
        """Let a finished round arrive, which `first` wins. Returns its number at the table.

        With `text` "" the round is taken back. It was set up for the pairing that is offered at the table, or for
        another one; with `pairing` "" for fun.
        """
        self.sent += 1
        entry, key = EntryPosition(self.sent, self.sent), round_ or self.sent
        record = self.shortest(first, second, **more) if text is None else text
        if pairing is None:
            pairing = self.offered[table].id if table in self.offered else ""
        if pairing:
            record = record.replace("\nplayers:", f"\npairing: {pairing}\nplayers:", 1)
        message = LogMessage((store + table)[-32:].replace("-", "x"), START_POSITION, entry, key, key, record)
        with self.intake.transaction():
            self.intake.store_message(table, message, at)
        self.desk.take_results_and_offer_pairings()
        return key

    def open_rows(self, id_: int):
        return [row for row in self.tournaments.read_event(id_).rows if row.game.is_open]

    def close(self) -> None:
        self.tournaments.close()
        self.intake.close()


@pytest.fixture(scope="session")
def shortest_record(play_round):
    """Writes a finished round, won by seat 1, of a game with at least two options to choose from."""
    found = {}
    game = next(each for each in games.built_in_manifests() if each.has_records and 2 in each.players and each.options)
    name, values = next(iter(game.option_values.items()))
    for value in values[:2]:
        chance = random.Random(5)
        while value not in found:
            played = play_round(game.id, game.option_defaults | {name: value}, 2, chance)
            state = played.states[-1]
            if played.rules.seat_to_move(state) is None and played.rules.outcome(state).result.winners == (1,):
                found[value] = played.record_text

    def write(first: str, second: str, value: str = values[0]) -> str:
        return re.sub("^players: .*$", f"players: {first}, {second}", found[value], flags=re.M)

    write.game, write.options, write.other = game.id, game.option_defaults, values[1]
    return write


@pytest.fixture
def tournament_night(tmp_path, shortest_record):
    made = TournamentNight(tmp_path, shortest_record)
    yield made
    made.close()


@pytest.fixture
def client(tournament_night, tmp_path):
    """A browser at the club's pages, not logged in yet."""
    last_states = {name: StateMessage(STORE_ID, True) for name in tournament_night.table_names}
    reader = ClubStore(tmp_path, as_server=False)
    night = ClubNightView(lambda: last_states, reader)
    shown = TournamentStore(tmp_path)
    night.tournaments = TournamentViews(shown, night.connected_tables)
    login = OrganiserLogin(organiser_password(tmp_path))
    pages = TournamentPages(
        tournament_night.tournaments, night.tournaments, login, night.connected_tables,
        stream_response=night.stream_response, on_change=tournament_night.desk.take_results_and_offer_pairings,
    )  # fmt: skip
    app = club_application(night, (), pages.routes)
    base = "http://192.168.1.20:8028"
    with TestClient(app, base_url=base, client=("192.168.1.7", 50_000), headers={"origin": base}) as found:
        found.password, found.night = organiser_password(tmp_path), night
        yield found
    shown.close()
    reader.close()


@pytest.fixture
def organiser(client):
    assert client.post("/tournaments/door", data={"password": client.password}).status_code == 200
    return client


def new_tournament(tournament_night, names: str = "Ann Ben Cleo Dan", *, swiss: bool = True, rounds: int = 3) -> int:
    game, options = tournament_night.shortest.game, tournament_night.shortest.options
    id_ = tournament_night.tournaments.create_tournament("Club evening", game, options, swiss=swiss, rounds=rounds)
    tournament_night.tournaments.change_event(id_, changes.add_players, names.split())
    return id_


def pair_next_round(tournament_night, id_: int, places=None, *, again: bool = False) -> None:
    event = tournament_night.tournaments.read_event(id_)
    changes.check_next_round(event.tournament)
    free = tournament_night.table_names if places is None else places
    made = make_next_round(event.tournament, allows_rematches=again)
    tournament_night.tournaments.change_event(id_, changes.add_round, event.tournament, made, free)
    tournament_night.desk.take_results_and_offer_pairings()


def enter_results(tournament_night, id_: int, outcome: PairingOutcome | None = PairingOutcome.FIRST) -> None:
    """Enter this result for every open pairing."""
    for row in tournament_night.open_rows(id_):
        tournament_night.tournaments.change_event(id_, changes.enter_outcome, row.id, outcome)


WAIT_FOR_VARIABLE = "COMPANION_TEST_WAIT_FOR"
"""The environment variable with the file for which `pair_when_allowed` waits."""


def pair_when_allowed(tournament, again: bool):
    """Pair as the pages do, but only once a file exists; it runs in the pages' other process."""
    while not os.path.exists(os.environ[WAIT_FOR_VARIABLE]):
        time.sleep(0.01)
    return os.getpid(), make_next_round(tournament, allows_rematches=again)


def post_player_list(organiser, path, form):
    """Send a list of players, and confirm how it was understood."""
    shown = organiser.post(path, data=form)
    seen = re.search(r'name="seen" value="(\w+)"', shown.text)
    return organiser.post(path, data=form | {"seen": seen[1]}) if seen else shown

"""Standings of the same rounds have one order, wherever they are shown."""

from __future__ import annotations

import json
from datetime import datetime

from club_night import log_entries_of_round

from companion.__main__ import main
from companion.club.club_store import ClubStore
from companion.club.mqtt_messages import EntryPosition, LogMessage
from companion.evening.state_machine import start_session
from companion.report.gather import gather_evening
from companion.rounds import standings
from companion.rounds.stored import SessionSettings
from companion.store.history import START_POSITION
from companion.store.read_only_store import ReadOnlyStore
from companion.store.store import Store
from companion.table import public_state

STARTED_AT = "2026-11-21T20:15:00+0100"
ROUNDS = "Eve Ben, Eve Ben, Zoë Eve, Zoë Eve, Ann Ben, Ann Ben, Eve Zoë, Dan Ann, Cleo Dan, Cleo Dan"
"""Who beat whom: Ann, Cleo and Zoë won twice each, Cleo in fewer rounds, Zoë against stronger players than Ann."""


def now() -> datetime:
    """A fixed time, so that no evening ends while the test runs."""
    return datetime.fromisoformat(STARTED_AT)


def save_rounds(folder, hall, finished_rounds) -> None:
    """Save the rounds at a table and at the club server."""
    played = next(each for each in finished_rounds if each.rules.outcome(each.states[-1]).winners == (1,))
    store, intake = Store(folder, now), ClubStore(hall)
    for number, names in enumerate((tuple(pair.split()) for pair in ROUNDS.split(", ")), 1):
        store.write_entries(log_entries_of_round(number, played, names))
        at, before = (
            EntryPosition(number, number),
            EntryPosition(number - 1, number - 1) if number > 1 else START_POSITION,
        )
        record = played.record_text.replace(
            f"players: {', '.join(played.header.players)}\n", f"players: {', '.join(names)}\n"
        )
        with intake.transaction():
            assert (
                intake.store_message("table-1", LogMessage("a" * 32, before, at, number, number, record), STARTED_AT)
                == []
            )
    store.close()
    intake.close()


def test_ties_are_ordered_alike_everywhere(tmp_path, finished_rounds, capsys):
    """Most rounds won, then fewest played, then the name: on panel, big screen, report, pages and by command."""
    save_rounds(tmp_path / "data", tmp_path / "hall", finished_rounds)
    assert main(["standings", "--data", str(tmp_path / "data"), "--json"]) == 0
    lines = [(each["name"], each["won"], each["played"]) for each in json.loads(capsys.readouterr().out)]
    assert [name for name, *_ in lines] == ["Eve", "Cleo", "Ann", "Zoë", "Dan", "Ben"]
    assert lines[1:4] == [("Cleo", 2, 2), ("Ann", 2, 3), ("Zoë", 2, 3)]
    with_store = ReadOnlyStore(tmp_path / "data", now)
    day = start_session(SessionSettings(), with_store.load_history())
    panel = [
        (each.name, each.won, each.played) for each in standings.compute_standings(standings.day_rounds(day.history))
    ]
    screen = [(each["name"], each["won"], each["played"]) for each in public_state.public_state(day)["evening"]]
    report = [(each.name, each.won, each.played) for each in gather_evening(with_store).standings]
    with_store.close()
    intake = ClubStore(tmp_path / "hall", as_server=False)
    hall = [(each.name, each.won, each.played) for each in intake.standings()]
    intake.close()
    assert panel == screen == report == hall == lines

"""The disk fills up under the real program, or is full at its start: reported, nothing lost, playable with room."""

from __future__ import annotations

import random
import re

import pytest

from companion import display
from companion.evening import state_machine
from companion.games.twenty_seven.rules import RULES
from companion.inputs import DeviceMissing, DeviceReturned, KeyPressed
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory
from companion.store.errors import DISK_FULL_SENTENCE
from companion.store.read_only_store import ReadOnlyStore
from companion.store.store import Store
from companion.store.store_warnings import WarningKind
from companion.table.loop import WARNING_BANNERS

HEADER = RoundHeader("27", (("variant", "advanced"),), ("Ann", "Ben"))
ARGUMENTS = ("--game", "27", "--options", "variant=advanced", "--players", "Ann,Ben")
NOT_KEPT = "Not saved: the disk is full."
MOVES_BEFORE = 7
"""The number of moves of a round that are played before the disk is full."""


def first_moves(most: int) -> list[tuple[str, str]]:
    """The first moves of a round in which nobody is skipped: the line of the record, and the keys without the OK."""
    chance, state, found = random.Random(3), RULES.initial_state(2, {"variant": "advanced"}, {}), []
    while len(found) < most:
        seat, move = RULES.seat_to_move(state), chance.choice(RULES.legal_moves(state))
        state = RULES.play_move(state, seat, move)
        assert not RULES.skipped_seats(state)
        found.append((f"{seat}: {move}", str(move).replace("x", "")))
    return found


def pressed(session, keys: str):
    for key in keys:
        session = state_machine.clear_outbox(state_machine.update_session(session, KeyPressed(key, session.now + 0.01)))
    return session


def session_with_disk_error(session, banner: str):
    """The session once the disk error is reported to it."""
    return state_machine.update_session(session, DeviceMissing("disk", banner, session.now))


def events(table) -> list[str]:
    return [line for line in table.exported_record().splitlines() if re.match(r"\d: ", line)]


def refused_until_there_is_room(table, session, ballast, move: tuple[str, str]):
    """Check that a move is not played while the disk is full, and played by OK once there is room.

    Its draft stays until then. Returns the session after the move.
    """
    line, keys = move
    before = events(table)
    session = pressed(session, keys)
    table.type_keys(keys + "#")
    assert table.wait_for_picture(display.session_picture(session_with_disk_error(session, NOT_KEPT)))
    table.type_keys("#")
    table.settled_picture()
    assert table.wait_for_picture(display.session_picture(session_with_disk_error(session, NOT_KEPT)))
    assert events(table) == before
    assert table.log_text.count(NOT_KEPT) == 1
    ballast.unlink()
    table.type_keys("#")
    session = pressed(session, "#")
    if "disk" in session.missing_devices:
        session = state_machine.update_session(session, DeviceReturned("disk", session.now))
    assert table.wait_for_picture(display.session_picture(session))
    assert events(table) == [*before, line]
    return session


@pytest.mark.drill
def test_the_disk_fills_up_during_a_round(box, small_disk, fill_up):
    """What was played is saved, what cannot be saved is refused with a message, and no restart is needed."""
    table = box(*ARGUMENTS)
    table.data = small_disk(1024) / "data"
    table.start()
    session = state_machine.start_session(SessionSettings((), HEADER, True), StoredHistory())
    played = first_moves(MOVES_BEFORE + 3)
    for _, keys in played[:MOVES_BEFORE]:
        table.type_keys(keys + "#")
        session = pressed(session, keys + "#")
    assert table.wait_for_picture(display.session_picture(session))
    ballast = fill_up(table.data.parent)
    session = refused_until_there_is_room(table, session, ballast, played[MOVES_BEFORE])
    for _, keys in played[MOVES_BEFORE + 1 :]:
        table.type_keys(keys + "#")
        session = pressed(session, keys + "#")
    assert table.wait_for_picture(display.session_picture(session))
    assert events(table) == [line for line, _ in played]
    assert table.stop() == 0
    assert "Traceback" not in table.log_text


@pytest.mark.drill
def test_a_table_that_starts_on_a_full_disk(box, small_disk, fill_up):
    """It says so, offers the unfinished round, lets clients read, and plays on as soon as there is room."""
    table = box(*ARGUMENTS)
    table.data = small_disk(1024) / "data"
    table.start()
    played = first_moves(MOVES_BEFORE + 1)
    table.type_keys("".join(keys + "#" for _, keys in played[:MOVES_BEFORE]))
    table.settled_picture()
    assert table.stop() == 0
    ballast = fill_up(table.data.parent)
    reader = ReadOnlyStore(table.data)
    session = session_with_disk_error(
        state_machine.start_session(SessionSettings((), HEADER, True), reader.load_history()),
        WARNING_BANNERS[WarningKind.NO_ROOM],
    )
    reader.close()
    table.start()
    assert table.wait_for_picture(display.session_picture(session))
    assert DISK_FULL_SENTENCE in table.log_text
    assert events(table) == [line for line, _ in played[:MOVES_BEFORE]]
    table.type_keys("#")
    session = pressed(session, "#")
    assert table.wait_for_picture(display.session_picture(session))
    refused_until_there_is_room(table, session, ballast, played[MOVES_BEFORE])
    assert table.stop() == 0
    store = Store(table.data)
    assert store.warning_text == ""
    assert [f"{seat}: {text}" for seat, text in store.load_history().unfinished_round.events] == [
        line for line, _ in played
    ]
    store.close()
    assert "Traceback" not in table.log_text

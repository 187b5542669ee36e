"""A round against the computer with the real program: played to its result by keys, with a power cut in the middle."""

from __future__ import annotations

import random

import pytest

from companion.games.twenty_seven.rules import RULES
from companion.rounds.stored import RoundHeader, SessionSettings
from companion.table.search_workers import ComputerPlayerWorker

HEADER = RoundHeader("27", (("variant", "basic"),), ("Ann", "box-1"))
ARGUMENTS = ("--game", "27", "--players", "Ann,box-1")


def give_computer_move(mirror) -> None:
    """Find the computer's move as the program does; it is the same for the same round."""
    found = []
    ComputerPlayerWorker(found.append).start_search(mirror.session.computer_move.request).join(60)
    for each in found:
        mirror.take_input(each)


@pytest.mark.drill
def test_a_round_against_the_box(box, table_class, tmp_path):
    """Every move of the computer is the same after a power cut; the record names the computer player and is valid."""
    chance, table, mirror = random.Random(5), box(*ARGUMENTS), table_class(SessionSettings((), HEADER))
    table.start()
    assert table.wait_for_picture(mirror.picture)  # What it means that the box plays.
    mirror.press("#")
    table.type_keys("~#")
    pulled = 0
    while not mirror.session.round.is_over:
        assert table.wait_for_picture(mirror.picture)
        if mirror.family == "Notice":
            mirror.press("#")
            table.type_keys("~#")
        elif mirror.session.computer_move is None:
            move = chance.choice(RULES.legal_moves(mirror.session.round.state))
            mirror.type(f"{move.field}{move.pieces}#")
            table.type_keys(f"{move.field}{move.pieces}#")
            if mirror.session.computer_move is not None:
                give_computer_move(mirror)
        else:
            if len(mirror.events) in (3, 8):
                table.cut_power()
                table.start()
                table.type_keys("~#")
                assert table.wait_for_picture(mirror.picture)
                pulled += 1
            mirror.press("#")
            table.type_keys("~#")
            if mirror.session.computer_move is not None:  # It moves again.
                give_computer_move(mirror)
    while mirror.family == "Notice":
        assert table.wait_for_picture(mirror.picture)
        mirror.press("#")
        table.type_keys("~#")
    assert table.wait_for_picture(mirror.picture)
    assert pulled
    assert table.stop() == 0
    record = tmp_path / "round.tcr"
    record.write_text(table.exported_record())
    assert "players: Ann, box-1\n" in record.read_text()
    assert table.is_valid_record(record)
    assert [line for line in record.read_text().splitlines() if line[:3] in ("1: ", "2: ")] == mirror.events

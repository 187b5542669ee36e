"""A whole round of 27, typed on a keypad into the real program."""

from __future__ import annotations

import os
import random
import subprocess
import sysconfig
from pathlib import Path

import pytest

from companion import games
from companion.games.twenty_seven.rules import RULES

REFUSED_KEYS = ("5#", "9#", "199#", "10#", "0#", "29#")
"""A field alone, Black's stack, too many discs, none, no such field, too many of another stack."""


def random_keys(seed: int) -> list[str]:
    """The keys of a round's moves, chosen at random."""
    chance = random.Random(seed)
    state = RULES.initial_state(2, {}, {})
    keys = []
    while (seat := RULES.seat_to_move(state)) is not None:
        move = chance.choice(RULES.legal_moves(state))
        state = RULES.play_move(state, seat, move)
        keys.append(
            str(move).replace("x", "") + "#" + ("#" if RULES.skipped_seats(state) and RULES.seat_to_move(state) else "")
        )
    return keys


@pytest.mark.drill
def test_a_round_with_refusals_is_shown_and_saved(box, matches, tmp_path):
    """The pictures at marked moments equal golden pictures, and the record of the round is right."""
    table = box(config='[table]\nlanguage = "en"\nplayers = ["Ann", "Ben"]')
    table.start()
    table.type_keys("2")
    matches(table, "27/01-options")
    table.type_keys("#" * len(games.manifest_of("27").options) + "#")  # What each proposes, and a single round.
    matches(table, "27/02-players")
    table.type_keys("#")
    matches(table, "27/03-first-turn")
    moves = random_keys(27)
    marked = {1: "04-one-move", 6: "07-six-moves", 20: "08-twenty-moves"}
    for number, keys in enumerate(moves):
        if number == 2:
            make_refused_moves(table, matches)
        if number in marked:
            matches(table, f"27/{marked[number]}")
        table.type_keys(keys)
    matches(table, "27/09-result")
    assert table.stop() == 0
    matches(table, "27/10-goodbye")
    golden = Path(__file__).parent / "golden" / "27" / "round.tcr"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(table.exported_record())
    assert table.exported_record() == golden.read_text()
    record = tmp_path / "round.tcr"
    record.write_text(table.exported_record())
    companion = Path(sysconfig.get_path("scripts")) / "companion"
    assert subprocess.run([companion, "check", record], timeout=60, check=False).returncode == 0


def make_refused_moves(table, matches) -> None:
    """Make six different illegal moves, each closed by OK."""
    for index, keys in enumerate(REFUSED_KEYS):
        table.type_keys(keys)
        if index in (0, 2):
            matches(table, f"27/0{5 + index // 2}-refused")
        table.settled_picture()
        table.type_keys("#")

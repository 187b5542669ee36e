"""Stored rounds and the installed rules: whether these give the stored result."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.rounds import record, replaying
from companion.rounds.stored import RoundHeader, StoredRound

DRAWN = record.check_record((Path(__file__).parents[1] / "records" / "27-basic.tcr").read_text("utf-8"))


@pytest.mark.parametrize(
    ("result", "agrees"),
    [("1 1 winners 1 2", True), ("1 1 winners 2 1", True), ("1 1 winners 1", False), ("2 1 winners 1 2", False)],
)
def test_a_stored_result_that_the_rules_do_not_give_is_a_problem(result, agrees):
    """Other scores or other winners are; another order of those who share a win is not."""
    events = tuple((seat, str(move)) for seat, move in DRAWN.events)
    saved = StoredRound(1, RoundHeader("27", (("variant", "basic"),), ("Ann", "Ben")), (), events, result)
    assert (replaying.find_problem(saved) is None) == agrees

"""The score pad in the real program: typed, the power cut, resumed, exported."""

from __future__ import annotations

import csv
import io
import json

import pytest


@pytest.mark.drill
def test_a_pad_survives_the_plug(box, matches):
    """A pad of three is typed, the power is cut, `#` resumes it; what was shown is exported as CSV and JSON."""
    table = box()
    table.start()
    table.type_keys("~~~5")  # The title passes by itself.
    table.type_keys("13")  # Any game, three players …
    table.type_keys("11#")  # … the most points win, the players say when it is over.
    table.type_keys("12#C5#7#")
    matches(table, "pad/three-entered")
    table.cut_power()
    table.start()
    matches(table, "pad/continue")
    table.type_keys("#")
    matches(table, "pad/three-entered")
    table.type_keys("8#")
    matches(table, "pad/eight-entered")
    table.type_keys("*~4#")
    matches(table, "pad/result")
    rows = list(csv.DictReader(io.StringIO(table.exported_record())))
    assert [(row["player"], row["points"], row["total"]) for row in rows] == [
        ("Player 1", "12", "12"),
        ("Player 2", "-5", "-5"),
        ("Player 3", "7", "7"),
        ("Player 1", "8", "20"),
    ]
    told = json.loads(table.exported_record("--json"))
    assert (told["totals"], told["winners"], told["over"]) == ([20, -5, 7], ["Player 1"], True)
    assert table.stop() == 0

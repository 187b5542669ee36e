"""What the doctor says of the way to a club's hall: connected or not, what waits, and since when."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.config import Config, Hall
from companion.doctor.examination import check_uplink, examine_at_table
from companion.inputs import Finding
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import TEXT, wrap
from companion.screens.doctor import LINES

WELL = {
    "connected": True,
    "since": "2026-11-21T20:15:00+0100",
    "waiting": 0,
    "waiting_since": "2026-11-21T20:31:00+0100",
    "pid": os.getpid(),
}


@pytest.mark.parametrize(
    ("more", "state", "text"),
    [
        ({}, "ok", "Connected. All is sent."),
        ({"waiting": 1}, "ok", "Connected. 1 round on the way."),
        ({"connected": False}, "note", "Not connected since 20:15. Nothing is lost."),
        (
            {"connected": False, "waiting": 12},
            "note",
            "Not connected since 20:15. 12 rounds wait since 20:31. Nothing is lost.",
        ),
        ({"connected": False, "waiting": 1}, "note", "Not connected since 20:15. 1 round waits since 20:31."),
    ],
)
def test_what_the_uplink_tells_is_said_in_a_sentence(tmp_path, more, state, text):
    """A child understands it, and it fits a page of the panel."""
    (tmp_path / "uplink.json").write_text(json.dumps(WELL | more))
    found = check_uplink(tmp_path, tmp_path / "none")
    assert found.state == state
    assert found.text.startswith(text)
    assert len(wrap(found.text, TEXT, RIGHT - LEFT)) <= LINES


def test_an_uplink_that_has_ended_is_told(tmp_path):
    """What a killed uplink has left, no file, or one of nonsense: it is to be started."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait(60)
    for said in (WELL | {"pid": ended.pid}, WELL | {"waiting": "x"}, [], {}, WELL | {"pid": -1}):
        (tmp_path / "uplink.json").write_text(json.dumps(said))
        assert check_uplink(tmp_path, tmp_path / "none").state == "do"
    (tmp_path / "uplink.json").unlink()
    assert check_uplink(tmp_path, tmp_path / "none").text == "No uplink is running. Start it: companion uplink."
    unit = tmp_path / "companion-uplink.service"
    unit.touch()
    told = check_uplink(tmp_path, tmp_path / "none", unit).text
    assert told == "No uplink is running. Start it: sudo systemctl start companion-uplink."
    assert len(wrap(told, TEXT, RIGHT - LEFT)) <= LINES


def test_only_a_table_of_a_club_is_asked(tmp_path):
    """Without a link in the configuration the doctor says nothing of a hall."""
    without = examine_at_table(tmp_path, Config(), (), {})
    with_link = examine_at_table(tmp_path, Config(hall=Hall(Path("hall.link"))), (), {})
    assert [each for each in without if each.about == "hall"] == []
    assert [each for each in with_link if each.about == "hall"] == [
        Finding("hall", "do", "No uplink is running. Start it: companion uplink.")
    ]

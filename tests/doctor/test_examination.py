"""The wall clock, voltage and heat, and the way to a club's hall: connected or not, what waits, and since when."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.config import Config, HallSettings
from companion.doctor import examination
from companion.doctor.examination import check_uplink, examine_at_table
from companion.inputs import Finding
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import TEXT, wrap_text
from companion.panel.widgets import MAX_SMALL_LINES

NOW = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "newest", "by_network", "state", "words"),
    [
        (NOW, "", True, "ok", "2026-11-21 19:30, set by the network."),
        (NOW, "2026-11-21T20:00:00+01:00", True, "ok", "set by the network"),
        (NOW, "2026-11-21T19:30:40+00:00", True, "ok", "set by the network"),
        (NOW, "no date", False, "note", "not set by the network; only the dates"),
        (NOW, "", None, "note", "perhaps not set by the network; only the dates"),
        (datetime(1970, 1, 1, 0, 1, tzinfo=UTC), "", None, "do", "It says 1970-01-01 00:01, which is in the past"),
        (NOW, "2026-12-24T20:00:00+00:00", True, "do", "but the newest round began on"),
    ],
)
def test_clock(now, newest, by_network, state, words):
    """A year that is past, or a time before the newest round, must be corrected; an unset clock is only noted."""
    found = examination.check_clock(newest, now, by_network)
    assert found.state == state
    assert words in found.text


def test_a_time_server_sets_the_clock():
    """The function adjtimex returns 5 for a clock that nobody sets, and less than 0 for a refusal."""
    assert examination.is_clock_synchronised() in (True, False, None)


@pytest.mark.parametrize(("state", "told"), [(0, True), (5, False), (-1, None)])
def test_what_the_kernels_word_means(monkeypatch, state, told):
    """TIME_OK means set, TIME_ERROR not set; after a refusal, as in a sandbox, it is unknown."""

    class Library:
        def adjtimex(self, buffer):
            assert bytes(buffer) == bytes(512), "this would set the clock"
            return state

    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: Library())
    assert examination.is_clock_synchronised() is told


# -- voltage and heat, as the firmware of a Pi has them


@pytest.mark.parametrize(
    ("word", "state", "words"),
    [
        (0x0, "ok", "High enough since the start"),
        (0x50005, "do", "too low right now"),
        (0x50000, "do", "too low at times since the start"),
        (0x80008, "do", "slowed down by heat"),
        (0x20002, "do", "slowed down by heat"),
        (0xE0000, "note", "too hot at times since the start"),
    ],
)
def test_the_firmwares_word(word, state, words):
    """What is wrong now comes before what was, and voltage before heat."""
    found = examination.voltage_finding(word)
    assert (found.about, found.state) == ("voltage", state)
    assert words in found.text


def test_the_word_is_read_from_the_file(tmp_path, monkeypatch):
    """The kernel's file has the word in hexadecimal; the service may read it."""
    (tmp_path / "get_throttled").write_text("50005\n")
    monkeypatch.setattr(examination, "THROTTLED_PATTERNS", (str(tmp_path / "get_thr*"),))
    assert examination.read_firmware_word() == 0x50005


@pytest.mark.parametrize(("says", "word"), [("throttled=0x50000", 0x50000), ("VCHI initialization failed", None)])
def test_the_word_is_read_from_the_tool(tmp_path, monkeypatch, says, word):
    """Without the file vcgencmd is asked. If it does not know, there is no finding."""
    tool = tmp_path / "vcgencmd"
    tool.write_text(f"#!/bin/sh\n[ $1 = get_throttled ] && echo '{says}'\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(examination, "THROTTLED_PATTERNS", ())
    assert examination.read_firmware_word() == word


def test_other_computers_have_no_finding(monkeypatch):
    """Without file and vcgencmd there is no finding."""
    monkeypatch.setattr(examination, "THROTTLED_PATTERNS", ())
    monkeypatch.setattr(examination.shutil, "which", lambda _: None)
    assert examination.check_voltage() is None


# -- the uplink

CONNECTED_STATUS = {
    "connected": True,
    "since": "2026-11-21T20:15:00+0100",
    "waiting": 0,
    "waiting_since": "2026-11-21T20:31:00+0100",
    "pid": os.getpid(),
}


@pytest.mark.parametrize(
    ("more", "state", "text"),
    [
        ({}, "ok", "Connected. Everything has been sent."),
        ({"waiting": 1}, "ok", "Connected. 1 round on the way."),
        ({"connected": False}, "note", "Not connected since 20:15. Nothing is lost."),
        (
            {"connected": False, "waiting": 12},
            "note",
            "Not connected since 20:15. 12 rounds have been waiting since 20:31. Nothing is lost.",
        ),
        ({"connected": False, "waiting": 1}, "note", "Not connected since 20:15. 1 round has been waiting since"),
    ],
)
def test_the_uplinks_status_is_reported_in_a_sentence(tmp_path, more, state, text):
    """A child understands it, and it fits on a page of the panel."""
    (tmp_path / "uplink.json").write_text(json.dumps(CONNECTED_STATUS | more))
    found = check_uplink(tmp_path, tmp_path / "none")
    assert found.state == state
    assert found.text.startswith(text)
    assert len(wrap_text(found.text, TEXT, RIGHT - LEFT)) <= MAX_SMALL_LINES


def test_an_uplink_that_has_ended_is_reported(tmp_path):
    """After a killed uplink, with no status file, or one of nonsense, the finding says to start it."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait(60)
    for said in (
        CONNECTED_STATUS | {"pid": ended.pid},
        CONNECTED_STATUS | {"waiting": "x"},
        [],
        {},
        CONNECTED_STATUS | {"pid": -1},
    ):
        (tmp_path / "uplink.json").write_text(json.dumps(said))
        assert check_uplink(tmp_path, tmp_path / "none").state == "do"
    (tmp_path / "uplink.json").unlink()
    assert check_uplink(tmp_path, tmp_path / "none").text == "The uplink is not running. Start it: companion uplink."
    unit = tmp_path / "companion-uplink.service"
    unit.touch()
    told = check_uplink(tmp_path, tmp_path / "none", unit).text
    assert told == "The uplink is not running. Start it: sudo systemctl start companion-uplink."
    assert len(wrap_text(told, TEXT, RIGHT - LEFT)) <= MAX_SMALL_LINES


def test_only_a_table_of_a_club_is_examined(tmp_path):
    """Without a link in the configuration the doctor does not mention a club server."""
    without = examine_at_table(tmp_path, Config(), (), {})
    with_link = examine_at_table(tmp_path, Config(hall=HallSettings(Path("hall.link"))), (), {})
    assert [each for each in without if each.about == "hall"] == []
    assert [each for each in with_link if each.about == "hall"] == [
        Finding("hall", "do", "The uplink is not running. Start it: companion uplink.")
    ]

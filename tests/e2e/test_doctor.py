"""The doctor's pages on the panel of the real process, from OK held at the start to the last key."""

from __future__ import annotations

import os
import time

import pytest

from companion import display
from companion.config import load_config
from companion.display.pages import finding_pages
from companion.doctor.examination import examine_at_table
from companion.evening import state_machine
from companion.evening.screens.box_checks import Doctor
from companion.inputs import BoxExamined, KeyPressed, Tick
from companion.rounds.stored import SessionSettings, StoredHistory

ATTEMPTS = 20
PATIENCE = 60.0
CONNECTED = ("panel", "keypad", "buttons", "lamps")


def overview_session(table):
    """The session at the doctor's overview, with what this test finds out by itself; None if the menu comes.

    The test looks once the title is gone, since the title comes before the rounds are open. Writing to the disk may be
    slow at the moment, which the doctor reports.
    """
    end = time.monotonic() + PATIENCE
    while table.panel_picture().tobytes() == display.title_picture().tobytes():
        assert time.monotonic() < end, "the title stays"
        time.sleep(0.01)
    session = state_machine.start_session(SessionSettings(), StoredHistory())
    session = state_machine.update_session(session, KeyPressed("doctor", 0.1, True))
    found = examine_at_table(table.data, load_config(str(table.folder / "config.toml")), CONNECTED, {})
    expected = []
    for state in ("ok", "do"):
        findings = [each._replace(state=state) if each.about == "disk" else each for each in found]
        expected.append(
            state_machine.update_session(session, BoxExamined(finding_pages(findings), 0.2))._replace(uses_buttons=True)
        )
    menu = state_machine.update_session(state_machine.start_session(SessionSettings(), StoredHistory()), Tick(3.0))
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for each in expected:
            if table.wait_for_picture(display.session_picture(each), 0.1):
                return each
        if any(
            table.wait_for_picture(display.session_picture(menu._replace(uses_buttons=buttons)), 0.05)
            for buttons in (True, False)
        ):
            break
    return None


def test_ok_held_during_the_start(box, tmp_path):
    """The overview comes instead of the menu, the keys are tried on the last page, and BACK twice leads to the menu."""
    os.mkfifo(tmp_path / "pins")
    (tmp_path / "held").write_text("26")
    table = box()
    table.start()
    session = overview_session(table)
    assert session is not None, "the overview never came"
    pages = len(session.screen.findings)
    with (tmp_path / "pins").open("w") as fingers:
        fingers.write("26 up\n")
    table.settled_picture()
    assert table.wait_for_picture(display.session_picture(session))
    table.press_buttons(*["ok"] * (pages + 1 - session.screen.page_number))
    keys = session.replace_screen(Doctor(session.screen.findings, pages + 1))
    assert table.wait_for_picture(display.session_picture(keys))
    table.press_buttons("up", "ok", "back")
    heard = keys.screen._replace(newest_keys=("up", "OK", "BACK"), key_count=3)
    assert table.wait_for_picture(display.session_picture(keys.replace_screen(heard)))
    table.press_buttons("back")
    menu = state_machine.update_session(state_machine.start_session(SessionSettings(), StoredHistory()), Tick(3.0))
    assert table.wait_for_picture(display.session_picture(menu._replace(uses_buttons=True)))
    assert table.stop() == 0


@pytest.mark.drill
def test_ok_pressed_and_held_on_the_title(box, tmp_path):
    """Switching on first and then holding OK until the doctor comes works as well.

    The title is shown for two seconds; if a busy machine reads the press only after that, the box starts again.
    """
    os.mkfifo(tmp_path / "pins")
    table = box()
    for _ in range(ATTEMPTS):
        table.start()
        with (tmp_path / "pins").open("w") as fingers:
            fingers.write("26 down\n")
            fingers.flush()
            if overview_session(table) is not None:
                return
            fingers.write("26 up\n")
        table.cut_power()
    raise AssertionError(f"in {ATTEMPTS} starts the doctor never came")

"""The doctor's pages on the panel of the real process, from OK held at the start to the last key."""

from __future__ import annotations

import os
import time

from PIL import ImageChops

from companion import screens
from companion import session as sessions
from companion.commands.examination import at_the_table
from companion.config import load
from companion.inputs import BoxExamined, Pressed, Tick
from companion.screens.doctor import paged
from companion.session.model import Doctor, Settings, StoredHistory

ATTEMPTS = 8
CONNECTED = ("panel", "keypad", "buttons", "lamps")


def overview(table):
    """The session at the doctor's overview, with what this test finds out by itself.

    It looks when the title is gone, for the title comes before the rounds are open.
    """
    end = time.monotonic() + 60.0
    while table.picture().tobytes() == screens.splash().tobytes():
        assert time.monotonic() < end, "the title stays"
        time.sleep(0.01)
    session = sessions.start(Settings(), StoredHistory())
    session = sessions.update(session, Pressed("doctor", 0.1, True))
    found = at_the_table(table.data, load(str(table.folder / "config.toml")), CONNECTED, {})
    session = sessions.update(session, BoxExamined(paged(found), 0.2))
    return session._replace(buttons=True)


def shows_nothing_else(table, image, seconds=0.5):
    end = time.monotonic() + seconds
    wanted = [ImageChops.offset(image, shift, 0).tobytes() for shift in (-1, 0, 1)]
    while time.monotonic() < end:
        if table.picture().tobytes() not in wanted:
            return False
        time.sleep(0.02)
    return True


def test_ok_held_while_it_starts(box, tmp_path):
    """The overview comes instead of the menu, the keys are tried on the last page, BACK twice leads to the menu."""
    os.mkfifo(tmp_path / "pins")
    (tmp_path / "held").write_text("26")
    table = box()
    table.start()
    session = overview(table)
    assert table.shows(screens.draw(session))
    pages = len(session.mode.findings)
    with (tmp_path / "pins").open("w") as fingers:
        fingers.write("26 up\n")
    assert shows_nothing_else(table, screens.draw(session))
    table.press(*["ok"] * (pages + 1))
    keys = session._replace(mode=Doctor(None, session.mode.findings, pages + 1))
    assert table.shows(screens.draw(keys))
    table.press("up", "ok", "back")
    heard = keys.mode._replace(heard=("up", "OK", "BACK"), total=3)
    assert table.shows(screens.draw(keys._replace(mode=heard)))
    table.press("back")
    menu = sessions.update(sessions.start(Settings(), StoredHistory()), Tick(3.0))
    assert table.shows(screens.draw(menu._replace(buttons=True)))
    assert table.stop() == 0


def test_ok_pressed_and_held_on_the_title(box, tmp_path):
    """Who has switched on first and then presses OK until the doctor comes is understood as well.

    The title is there for two seconds; where a busy machine hears the press only after it, the box starts again.
    """
    os.mkfifo(tmp_path / "pins")
    table = box()
    for _ in range(ATTEMPTS):
        table.start()
        with (tmp_path / "pins").open("w") as fingers:
            fingers.write("26 down\n")
            fingers.flush()
            if table.shows(screens.draw(overview(table)), 5.0):
                return
            fingers.write("26 up\n")
        table.kill()
    raise AssertionError(f"in {ATTEMPTS} starts the doctor never came")

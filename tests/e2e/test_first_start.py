"""A new box whose panel and buttons are not where the configuration says: it finds them, and finds them again."""

from __future__ import annotations

import os
import time

import pytest

from companion import display, settings_file
from companion.evening import state_machine
from companion.evening.screens.first_start import FirstKeys, name_step
from companion.inputs import Tick
from companion.rounds.stored import SessionSettings, StoredHistory

BONNET = {"up": 17, "down": 22, "left": 27, "right": 23, "ok": 5, "back": 6}
FOUND = {("buttons", key): (pin,) for key, pin in BONNET.items()} | {("display", "address"): 0x3D}


def tap(table, *pins: int) -> None:
    """Press buttons on pins, one after the other."""
    for pin in pins:
        wanted = table.button_taps() + 1
        with (table.folder / "pins").open("w") as fingers:
            fingers.write(f"{pin} tap 5 3\n")
        end = time.monotonic() + 60
        while table.button_taps() < wanted:
            assert time.monotonic() < end, "it was not pressed"
            time.sleep(0.01)
        table.settled_picture()
        time.sleep(1.1)


@pytest.mark.drill
def test_panel_and_buttons_are_found(box):
    """The panel answers at 0x3D, and the buttons are those of another board: after six presses the box is usable."""
    table = box(keypad=False, config="[table]\nclock = false\n")
    os.mkfifo(table.folder / "pins")
    (table.folder / "address").write_text("0x3D")
    table.start()
    session = state_machine.start_session(SessionSettings(asks_language=True, has_keypad=False), StoredHistory())
    assert table.wait_for_picture(display.session_picture(state_machine.update_session(session, Tick(3.0))))
    tap(table, BONNET["up"])
    assert table.wait_for_picture(display.session_picture(session.open_screens(FirstKeys())))
    tap(table, *BONNET.values())
    assert settings_file.load_settings(table.data) == FOUND
    tap(table, BONNET["ok"])
    assert table.wait_for_picture(display.session_picture(session.open_screens(name_step(session))))
    table.cut_power()
    table.start()
    time.sleep(3)
    tap(table, BONNET["down"], BONNET["ok"])  # The second game of the menu.
    assert settings_file.load_settings(table.data) == FOUND
    assert table.stop() == 0

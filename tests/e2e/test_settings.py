"""The settings at the box in the real process: seen at once, and still there after the power was cut."""

from __future__ import annotations

import subprocess

from companion import display, settings_file
from companion.evening import state_machine
from companion.evening.screens.box_settings import PanelMenu
from companion.evening.session_values import BoxSettings
from companion.rounds.stored import SessionSettings, StoredHistory
from hardware import frames


def test_a_panel_is_turned_and_stays_so(box, companion_command):
    """The picture turns at once, is still turned after a power cut, and the doctor says that it was chosen here."""
    table = box()
    table.start()
    table.type_keys("~#~*~9~")
    table.type_keys("1~1~2~")
    assert table.wait_for_picture(turned_menu(cursor=1))
    assert settings_file.load_settings(table.data) == {("display", "brightness"): 255, ("display", "upside_down"): True}
    table.cut_power()
    table.start()
    table.type_keys("~#~*~9~1~")
    assert table.wait_for_picture(turned_menu(cursor=0))
    assert table.stop() == 0
    found = subprocess.run(
        [companion_command, "doctor", "--config", table.folder / "config.toml", "--data", table.data, "--seconds", "0"],
        capture_output=True, text=True, env=table.environment, check=False, timeout=60,
    )  # fmt: skip
    assert (
        "Chosen at the box, so the file does not count for them: brightness = 255, upside_down = true" in found.stdout
    )


def turned_menu(cursor):
    """The settings as they must be shown: upside down."""
    session = state_machine.start_session(SessionSettings(), StoredHistory())
    session = session._replace(box=BoxSettings(brightness=255, upside_down=True)).open_screens(PanelMenu(cursor=cursor))
    frame = frames.pack_frame(display.session_picture(session), 0, upside_down=True)
    return frames.unpack_frame(frame)

"""The settings at the box: each counts at once, the code locks them, and the host's phone picks from the same menu."""

from __future__ import annotations

import pytest
from driven_table import DrivenTable
from list_screens import list_lines

from companion.evening.screens.box_checks import Doctor
from companion.evening.screens.box_settings import BRIGHTNESS_LEVELS, LockCode, SettingsMenu, SoundMenu
from companion.evening.screens.main_menu import MoreMenu
from companion.evening.screens.phones.remote_keys import remote_keys
from companion.evening.session_values import BoxSettings
from companion.evening.state_machine import SLEEP_SECONDS
from companion.rounds.stored import SessionSettings


@pytest.fixture
def table():
    found = DrivenTable()
    found.press("#", "*", "0", "2")
    assert isinstance(found.session.screen, SettingsMenu)
    return found


def test_each_setting_is_changed_by_its_digit(table):
    """Every entry leads round to where it began, and nothing else changes."""
    usual = BoxSettings()
    seen = []
    for digit, name, count in (("1", "brightness", 6), ("2", "upside_down", 2), ("3", "shift", 2), ("4", "idle", 3),
                               ("5", "", 0), ("1", "voice", 3), ("2", "speed", 5), ("3", "loudness", 5),
                               ("4", "quiet", 2)):  # fmt: skip
        if not name:
            table.press(digit)
            assert isinstance(table.session.screen, SoundMenu)
            continue
        values = []
        for _ in range(count):
            table.press(digit)
            values.append(getattr(table.session.box, name))
            assert table.session.box._replace(**{name: getattr(usual, name)}) == usual
        assert len(set(values)) == count
        assert values[-1] == getattr(usual, name)
        seen.append(values)
    assert sorted(seen[0]) == list(BRIGHTNESS_LEVELS)
    assert seen[-2] == [140, 200, 40, 70, 100]
    table.press("*", "7")
    assert isinstance(table.session.screen, Doctor)
    table.press("1", "*", "*", "*")
    assert isinstance(table.session.screen, MoreMenu)


def test_without_a_buzzer_there_is_only_the_voice_to_switch():
    """The buzzer's entry is missing among those of the sound."""
    table = DrivenTable(SessionSettings(has_buzzer=False))
    table.press("#", "*", "0", "2", "5")
    assert [line.words for line in list_lines(table.session)] == ["Voice: off", "Speed: 3", "Loudness: 3"]


@pytest.mark.parametrize(("presses", "light"), [(0, "off"), (1, "dim"), (2, "on")])
def test_what_the_panel_does_at_night(table, presses, light):
    table.press(*["4"] * presses)
    table.wait(SLEEP_SECONDS * 3)
    assert table.session.light == light


def test_the_picture_stays_where_it_is(table):
    """Without the shift against burn-in, no other screen moves the picture."""
    table.press("3")
    for _ in range(4):
        table.now += 121
        table.press("7", "*", "*")
        assert table.session.pixel_shift == 0


@pytest.mark.parametrize("code_keys", ["2718", ["up"] * 3 + ["ok"] + ["down"] * 5 + ["right", "ok", "ok"]])
def test_a_code_locks_them(table, code_keys):
    """It is asked for twice, then before the settings open; a wrong one changes nothing, BACK erases and leaves."""
    table.press("8", *code_keys)
    assert table.session.box.lock == ""
    table.press("1", "1", "1", "1", "#")
    assert table.session.box.lock == ""
    table.press("8", *code_keys, *code_keys)
    assert len(table.session.box.lock) == 4
    assert table.session.box.lock.isdigit()
    table.press("*", "2")
    assert isinstance(table.session.screen, LockCode)
    table.press("0", "0", "*", "0", "0", "0")
    assert table.family == "Page"
    table.press("#", "2", *code_keys)
    assert isinstance(table.session.screen, SettingsMenu)
    table.press("8")
    assert table.session.box.lock == ""


def test_the_hosts_phone_picks_and_types(table):
    """It picks a setting as any entry of a menu, and types all four digits at once; anything else is refused."""
    assert "pick" in remote_keys(table.session, table.session.screen.content(table.session)).keys
    assert table.session.screen.pick_item(table.session, 2).box.upside_down
    screen = LockCode("2718")
    session = table.session.open_screens(screen)
    assert "type" in remote_keys(session, screen.content(session)).keys
    after, reason = screen.take_text(session, "2718")
    assert (type(after.screen), reason) == (SettingsMenu, "")
    for words in ("", "271", "27181", "abcd"):
        after, reason = screen.take_text(session, words)
        assert (after, reason) == (session, "Enter a number.")

"""The settings at the box: each counts at once, the code locks them, and the host's phone picks from the same menu."""

from __future__ import annotations

import pytest
from driven_table import DrivenTable
from list_screens import list_lines

from companion.evening.screens.box_settings import (
    BRIGHTNESS_LEVELS,
    LOCKED_SECONDS,
    MAX_LOCKED_SECONDS,
    ClockInput,
    LockCode,
    PanelMenu,
    SettingsMenu,
    SoundMenu,
    change_for_phone,
    try_code,
)
from companion.evening.screens.main_menu import MoreMenu
from companion.evening.screens.name_screens import SpellingScreen
from companion.evening.screens.phones.remote_keys import remote_keys
from companion.evening.session_values import BoxSettings
from companion.evening.state_machine import DIM_SECONDS, SLEEP_SECONDS
from companion.inputs import BoxExamined, Finding, HelperAnswered, HelperRequest, PhoneRequest, SettingRequest
from companion.rounds.stored import SessionSettings


@pytest.fixture
def table():
    found = DrivenTable()
    found.press("#", "*", "9")
    assert isinstance(found.session.screen, SettingsMenu)
    return found


def test_each_setting_is_changed_by_its_digit(table):
    """Every entry leads round to where it began, and nothing else changes."""
    usual = BoxSettings()
    seen = []
    for digit, name, count in (("1", "", PanelMenu), ("1", "brightness", 6), ("2", "upside_down", 2), ("3", "idle", 3),
                               ("5", "shift", 2), ("2", "", SoundMenu), ("1", "voice", 3), ("2", "speed", 5),
                               ("3", "loudness", 5), ("4", "quiet", 2)):  # fmt: skip
        if not name:
            if not isinstance(table.session.screen, SettingsMenu):
                table.press("*")
            table.press(digit)
            assert isinstance(table.session.screen, count)
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
    table.press("*", "*")
    assert isinstance(table.session.screen, MoreMenu)


def test_each_setting_has_a_digit_of_its_own(table):
    """Under a title, and no digit is there twice; each entry of the panel and of the sound is explained."""
    table.session = table.session._replace(settings=table.session.settings._replace(has_network=True))
    content = table.session.screen.content(table.session)
    digits = [content.digit_of(line) for line in content.lines]
    assert (content.title, digits) == ("Settings", [*"123456789"])
    for digit in "12":
        table.press(digit)
        assert all(line.explains for line in list_lines(table.session))
        table.press("*")


def test_the_panel_is_not_dark_by_surprise(table):
    """Each level says which one follows, so the brightest one that the darkest does."""
    table.press("1")
    seen = []
    for _ in BRIGHTNESS_LEVELS:
        line = list_lines(table.session)[0]
        seen.append((line.words, line.explains))
        table.press("1")
    assert ("Brightness: 6", "then 1; ◂ lowers it") in seen
    assert ("Brightness: 3", "then 4; ◂ lowers it") in seen


def test_it_says_when_the_panel_gets_dark(table):
    """The minutes in the explanations are those after which it happens."""
    table.press("1")
    explained = list_lines(table.session)[2].explains
    assert explained == f"dark after {SLEEP_SECONDS / 60:.0f} minutes"
    table.press("3")
    assert list_lines(table.session)[2].explains == f"dim after {DIM_SECONDS / 60:.0f} minute"


def test_without_a_buzzer_there_is_only_the_voice_to_switch():
    """The buzzer's entry is missing among those of the sound."""
    table = DrivenTable(SessionSettings(has_buzzer=False))
    table.press("#", "*", "9", "2")
    assert [line.words for line in list_lines(table.session)] == ["Voice: off", "Speed: 3", "Loudness: 3"]


@pytest.mark.parametrize(("presses", "light"), [(0, "off"), (1, "dim"), (2, "on")])
def test_what_the_panel_does_at_night(table, presses, light):
    table.press("1", *["3"] * presses)
    table.wait(SLEEP_SECONDS * 3)
    assert table.session.light == light


def test_the_picture_stays_where_it_is(table):
    """Without the shift against burn-in, no other screen moves the picture."""
    table.press("1", "5", "*")
    for _ in range(4):
        table.now += 121
        table.press("2", "*")
        assert table.session.pixel_shift == 0


@pytest.mark.parametrize("code_keys", ["2718", ["up"] * 3 + ["ok"] + ["down"] * 5 + ["right", "ok", "ok"]])
def test_a_code_locks_them(table, code_keys):
    """It is asked for twice, then before the settings open; a wrong one changes nothing, BACK erases and leaves."""
    table.press("4", *code_keys)
    assert table.session.box.lock == ""
    table.press("1", "1", "1", "1", "#")
    assert table.session.box.lock == ""
    table.press("4", *code_keys, *code_keys)
    assert len(table.session.box.lock) == 4
    assert table.session.box.lock.isdigit()
    table.press("*", "9")
    assert isinstance(table.session.screen, LockCode)
    table.press("0", "0", "*", "0", "0", "0")
    assert table.family == "Page"
    table.wait(LOCKED_SECONDS)
    table.press("#", "9", *code_keys)
    assert isinstance(table.session.screen, SettingsMenu)
    table.press("4")
    assert table.session.box.lock == ""


def test_the_hosts_phone_picks_and_types(table):
    """It picks a setting as any entry of a menu, and types all four digits at once; anything else is refused."""
    assert "pick" in remote_keys(table.session, table.session.screen.content(table.session)).keys
    panel = table.session.screen.pick_item(table.session, 1)
    assert panel.screen.pick_item(panel, 2).box.upside_down
    screen = LockCode(is_locked=True)
    session = table.session._replace(box=BoxSettings(lock="2718")).open_screens(screen)
    assert "type" in remote_keys(session, screen.content(session)).keys
    after, reason = screen.take_text(session, "2718")
    assert (type(after.screen), reason) == (SettingsMenu, "")
    for words in ("", "271", "27181", "abcd"):
        after, reason = screen.take_text(session, words)
        assert (after, reason) == (session, "Enter a number.")


def test_wrong_codes_are_slowed(table):
    """Each wrong code doubles the time in which none counts, not even the right one; the right one ends that."""
    session, waits = table.session._replace(box=BoxSettings(lock="2718")), []
    for _ in range(9):
        session, refusal = try_code(session, "0000")
        waits.append(round(session.locked_until - session.now))
        assert f"wait {waits[-1]} second" in refusal
        assert try_code(session, "2718")[1] == refusal
        session = session._replace(now=session.locked_until)
    assert waits == [min(MAX_LOCKED_SECONDS, LOCKED_SECONDS * 2**count) for count in range(9)]
    session, refusal = try_code(session, "2718")
    assert (session.wrong_codes, refusal) == (0, "")


@pytest.mark.parametrize("pad", [False, True], ids=["keypad", "buttons"])
def test_the_clock_is_set(table, pad):
    """By ten digits, or by arrows: what is no time is refused and can be entered again."""
    table.press("5")
    assert isinstance(table.session.screen, ClockInput)
    table.press(*"2602301005")
    assert table.family == "Page"
    table.press("#", "5")
    if pad:
        table.press("up", "up", "up", "ok")
        assert table.session.screen.digits == "2"
        table.press("*")
    table.press(*"2602281005")
    assert isinstance(table.session.screen, SettingsMenu)
    assert table.requests[-1:] == [HelperRequest("clock", ("2026-02-28 10:05",))]


@pytest.mark.parametrize(("answer", "begin"), [("ok", "The clock is set:"), ("no-helper", "Clock not set:")])
def test_a_banner_says_whether_the_clock_is_set(table, answer, begin):
    table.press("5", *"2602281005")
    table.take_input(HelperAnswered(table.requests[-1], (answer,), table.now))
    assert table.session.banner.startswith(begin)


def test_the_box_has_a_name(table):
    """It is spelled like a player's name, and shown on the title."""
    table.press("6")
    assert isinstance(table.session.screen, SpellingScreen)
    table.session = table.session.screen.take_text(table.session, "Kitchen")[0]
    assert table.session.box.name == "Kitchen"
    assert isinstance(table.session.screen, SettingsMenu)


def test_the_hosts_page_changes_settings(table):
    """Each by its word; a lock asks for its code, and slows wrong ones as the box does."""
    session = table.session
    for word, name in (("brightness", "brightness"), ("upside-down", "upside_down"), ("shift", "shift"),
                       ("idle", "idle"), ("voice", "voice"), ("speed", "speed"), ("loudness", "loudness"),
                       ("buzzer", "quiet")):  # fmt: skip
        after, refusal = change_for_phone(session, SettingRequest(word, "", ""))
        assert refusal == ""
        assert getattr(after.box, name) != getattr(session.box, name)
    after, refusal = change_for_phone(session, SettingRequest("name", "", "Kitchen"))
    assert (after.box.name, refusal) == ("Kitchen", "")
    assert change_for_phone(after, SettingRequest("name", "", ""))[0].box.name == ""
    after, refusal = change_for_phone(session, SettingRequest("clock", "", "2026-11-30T10:05"))
    assert (after.outbox.requests[-1], refusal) == (HelperRequest("clock", ("2026-11-30 10:05",)), "")
    for word, words in (("name", "a,b"), ("clock", "2026-13-30T10:05"), ("clock", "soon"), ("lock", ""), ("", "")):
        after, refusal = change_for_phone(session, SettingRequest(word, "", words))
        assert after == session
        assert refusal
    table.session = session._replace(box=BoxSettings(lock="2718"), phones=session.phones._replace(is_on=True, host="h"))
    for code, seconds_later, is_shifted in (("1111", 0, True), ("2718", 0, True), ("2718", LOCKED_SECONDS, False)):
        table.now += seconds_later
        table.take_input(PhoneRequest(7, "h", SettingRequest("shift", code, ""), table.now))
        assert table.session.box.shift is is_shifted
        assert bool(table.phone_replies[-1].refusal) is is_shifted


@pytest.mark.parametrize(
    ("part", "screen"), [("keypad", "FirstKeys"), ("buttons", "FirstKeys"), ("clock", "ClockInput")]
)
def test_the_doctor_begins_a_repair(new_table, part, screen):
    """OK on a finding that the box can repair opens what repairs it; BACK leads back; any other page is turned."""
    table = new_table()
    table.press("0", apart=0.5)
    table.take_input(BoxExamined((Finding(part, "do", "It is wrong."), Finding("disk", "do", "Full.")), table.now))
    table.press("down")
    assert [str(each.says) for each in table.session.screen.content(table.session).key_hints] == ["repair", "back"]
    table.press("#")
    assert type(table.session.screen).__name__ == screen
    table.press(*"**" if screen == "FirstKeys" else "*", "down")
    assert (type(table.session.screen).__name__, table.session.screen.page_number) == ("Doctor", 2)
    table.press("#")
    assert table.session.screen.page_number == 3

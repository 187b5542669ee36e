"""The first start of a new box: from the title to the first move, by a number pad or by buttons alone."""

from __future__ import annotations

import pytest
from list_screens import digit_of_line

from companion.evening import state_machine
from companion.evening.screens.evening_start import Splash
from companion.evening.screens.first_start import FirstKeys
from companion.evening.screens.lists import ListScreen
from companion.evening.screens.main_menu import MainMenu
from companion.evening.screens.name_screens import HOME_CELL, SpellingScreen
from companion.evening.screens.play.playing import PlayScreen
from companion.evening.session_values import BoxSettings
from companion.inputs import KeyPressed, SettingFound
from companion.rounds.stored import SessionSettings, StoredHistory

NEW = SessionSettings(asks_language=True)
MOST_PRESSES = {"buttons": 16, "number pad": 11}
"""From the title to the first move, without names: whoever makes this more takes something away from a new owner."""
BREADBOARD = ((5,), (6,), (13,), (19,), (26,), (21,))
BONNET = (17, 22, 27, 23, 5, 6)


def press_pin(table, pin, key=""):
    table.now += 1.1
    table.take_input(KeyPressed(key, table.now, pin=pin))


def is_name_due(table):
    """Whether a name is asked for, and the cursor is still on the first letter."""
    screen = table.session.screen
    return isinstance(screen, SpellingScreen) and screen.cursor == HOME_CELL


@pytest.mark.parametrize("device", MOST_PRESSES)
def test_from_an_empty_box_to_the_first_move(table_class, device):
    """Every step is left by OK, with buttons after an arrow to "that's all"; each button is pressed once."""
    table, count = table_class(NEW, StoredHistory()), 0
    pins = iter(zip(("up", "down", "left", "right", "ok", "back"), BREADBOARD, strict=True))

    def press(key: str) -> None:
        nonlocal count
        count += 1
        table.now += 1.1
        if device == "buttons" and isinstance(table.session.screen, FirstKeys):
            name, (pin,) = next(pins)
            pressed = KeyPressed(name, table.now, pin=pin)
        elif device == "buttons":
            pressed = KeyPressed({"#": "ok"}.get(key, key), table.now)
        else:
            pressed = KeyPressed(key, table.now, device="number pad")
        table.session = state_machine.mark_shown(state_machine.update_session(table.session, pressed), table.now)
        table.carry_out()

    assert isinstance(table.session.screen, Splash)
    while not isinstance(table.session.screen, PlayScreen):
        press("left" if device == "buttons" and is_name_due(table) else "#")
        if device == "buttons":
            table.session = table.session.screen.release(table.session, "ok")
    assert count == MOST_PRESSES[device]


def test_names_are_offered_from_then_on(table_class):
    """Each name that is spelled is saved as one that the box offers first; OK with nothing entered ends it."""
    table = table_class(NEW, StoredHistory())
    table.press("#", "#", "1", "#", "#")
    assert isinstance(table.session.screen, SpellingScreen)
    table.session = table.session.screen.take_text(table.session, "Zoe")[0]
    table.session = table.session.screen.take_text(table.session, "Emil")[0]
    table.carry_out()
    assert table.session.history.favourites == ("Zoe", "Emil")
    assert [(line.kind, line.text) for line in table.saved_lines[-2:]] == [("favour", "Zoe"), ("favour", "Emil")]
    table.press("#")
    assert isinstance(table.session.screen, MainMenu)


def test_back_opens_the_name_before(table_class):
    """A slip in it can be corrected at once; before the first name BACK leads to the keys."""
    table = table_class(NEW, StoredHistory())
    table.press("#", "#", "1", "#", "#", *"36", "#", "*")
    assert (table.session.screen.name_text, table.session.screen.owner_label) == ("Dm", "name 1")
    assert table.session.history.favourites == ()
    table.press("*", "*", "1", "#")
    assert isinstance(table.session.screen, SpellingScreen), "a sign alone is no name"
    table.press("*")
    table.wait(3)
    table.press("*")
    assert isinstance(table.session.screen, FirstKeys)


@pytest.fixture
def at_keys(table_class):
    """A new box of a known wiring at the step of the keys."""
    table = table_class(NEW, StoredHistory())
    table.session = table.session._replace(box=BoxSettings(buttons=BREADBOARD))
    table.press("#", "1")
    assert isinstance(table.session.screen, FirstKeys)
    return table


def test_every_button_once(at_keys):
    """Each is asked for in turn, one that was pressed before is no answer, and the pins become the box's buttons."""
    shown = []
    for pin in BONNET:
        shown.append(str(at_keys.session.screen.content(at_keys.session).keys.pressed[-1]))
        press_pin(at_keys, pin)
        if pin != BONNET[-1]:
            press_pin(at_keys, pin)
    assert shown == ["▴ up", "▾ down", "◂ left", "▸ right", "OK", "BACK"]
    assert isinstance(at_keys.session.screen, SpellingScreen)
    assert at_keys.session.box.buttons == tuple((pin,) for pin in BONNET)
    assert at_keys.session.uses_buttons


def test_known_buttons_change_nothing(at_keys):
    """Buttons that are wired as configured leave the configuration as it is, also a key with two buttons."""
    at_keys.session = at_keys.session._replace(box=BoxSettings(buttons=(*BREADBOARD[:4], (4, 26), (21,))))
    before = at_keys.session.box
    for pins in BREADBOARD:
        press_pin(at_keys, *pins)
    assert at_keys.session.box == before
    assert isinstance(at_keys.session.screen, SpellingScreen)


def test_the_step_is_left_by_any_button(at_keys):
    """The same one three times: nothing is learned from it."""
    before = at_keys.session.box
    for _ in range(3):
        assert isinstance(at_keys.session.screen, FirstKeys)
        press_pin(at_keys, 12)
    assert at_keys.session.box == before
    assert isinstance(at_keys.session.screen, SpellingScreen)


def test_a_button_that_was_pressed_before_is_named(at_keys):
    """Whoever presses another button than the one that is asked for reads which one that was."""
    press_pin(at_keys, 5)
    press_pin(at_keys, 6)
    press_pin(at_keys, 5)
    assert "that was ▴ up" in at_keys.session.screen.content(at_keys.session).keys.pressed
    press_pin(at_keys, 13)
    assert "3 times the same: next" in at_keys.session.screen.content(at_keys.session).keys.pressed


def test_a_button_wired_as_another_one_is_named_first(at_keys):
    """OK pressed in place of up is not learned as up, unless it is pressed once more: then it is wired otherwise."""
    press_pin(at_keys, 26, "ok")
    keys = at_keys.session.screen.content(at_keys.session).keys
    assert (keys.note, keys.pressed) == ("1 of 6", ("that was OK", "▴ up"))
    press_pin(at_keys, 5, "up")
    assert at_keys.session.screen.pins == (5,)
    press_pin(at_keys, 26, "ok")
    press_pin(at_keys, 26, "ok")
    assert at_keys.session.screen.pins == (5, 26)


def test_an_unknown_button_is_asked_for_at_once(table_class):
    """A box whose buttons are wired otherwise could not choose a language: the keys come first then, and only once."""
    table = table_class(NEW, StoredHistory())
    table.wait(3)
    assert isinstance(table.session.screen, ListScreen)
    press_pin(table, 17)
    assert isinstance(table.session.screen, FirstKeys)
    for pin in BONNET:
        press_pin(table, pin)
    assert isinstance(table.session.screen, ListScreen)
    table.press("ok")
    assert isinstance(table.session.screen, SpellingScreen)


def test_what_was_found_is_a_setting(table_class):
    """A keypad's port with a banner, and a panel's address without one, since the panel is seen."""
    table = table_class(NEW, StoredHistory())
    table.take_input(SettingFound(address=0x3D))
    assert (table.session.box.address, table.session.banner) == (0x3D, "")
    table.take_input(SettingFound("/dev/ttyACM0"))
    assert (table.session.box.port, table.session.banner) == ("/dev/ttyACM0", "Keypad found")


def test_again_from_the_settings(table_class):
    """The steps are taken again over the settings, and lead back to them."""
    table = table_class()
    table.press("#", "*", "9")
    table.press(digit_of_line(table.session, "First start again"), "*", "#", "#", "#")
    assert type(table.session.screen).__name__ == "SettingsMenu"

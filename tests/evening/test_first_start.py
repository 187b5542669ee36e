"""The first start of a new box: from the title to the first move, by a number pad or by buttons alone."""

from __future__ import annotations

import pytest

from companion.evening import state_machine
from companion.evening.screens.evening_start import Splash
from companion.evening.screens.first_start import FirstKeys
from companion.evening.screens.main_menu import MainMenu
from companion.evening.screens.name_screens import SpellingScreen
from companion.evening.screens.play.playing import PlayScreen
from companion.inputs import KeyPressed
from companion.rounds.stored import SessionSettings, StoredHistory

NEW = SessionSettings(asks_language=True)
MOST_PRESSES = {"buttons": 15, "number pad": 13}
"""From the title to the first move, without names: whoever makes this more takes something away from a new owner."""


@pytest.mark.parametrize("device", MOST_PRESSES)
def test_from_an_empty_box_to_the_first_move(table_class, device):
    """Every step is left by OK, or by BACK where nothing has to be entered; the number of presses stays small."""
    table, count = table_class(NEW, StoredHistory()), 0

    def press(key: str) -> None:
        nonlocal count
        count += 1
        table.now += 1.1
        name = {"#": "ok", "*": "back"}[key] if device == "buttons" else key
        pressed = KeyPressed(name, table.now, device="" if device == "buttons" else "number pad")
        table.session = state_machine.mark_shown(state_machine.update_session(table.session, pressed), table.now)
        table.carry_out()

    assert isinstance(table.session.screen, Splash)
    while not isinstance(table.session.screen, PlayScreen):
        press("*" if isinstance(table.session.screen, SpellingScreen) else "#")
        if device == "buttons":
            table.session = table.session.screen.release(table.session, "ok")
    assert count <= MOST_PRESSES[device]


def test_names_are_offered_from_then_on(table_class):
    """Each name that is spelled is saved as one that the box offers first; BACK with nothing entered ends it."""
    table = table_class(NEW, StoredHistory())
    table.press("#", "#", "1", "#", "#")
    assert isinstance(table.session.screen, SpellingScreen)
    table.session = table.session.screen.take_text(table.session, "Zoe")[0]
    table.session = table.session.screen.take_text(table.session, "Emil")[0]
    table.carry_out()
    assert table.session.history.favourites == ("Zoe", "Emil")
    assert [(line.kind, line.text) for line in table.saved_lines[-2:]] == [("favour", "Zoe"), ("favour", "Emil")]
    table.press("*")
    assert isinstance(table.session.screen, MainMenu)


def test_every_button_once(table_class):
    """The page counts which of the six buttons have arrived; the same one again does not count."""
    table = table_class(NEW, StoredHistory())
    table.press("back", "ok")
    assert isinstance(table.session.screen, FirstKeys)
    table.press("up", "up", "down", "left", "right", "ok", "back")
    note = table.session.screen.content(table.session).keys.note
    assert str(note) == "6 of 6"
    table.press("back")
    assert isinstance(table.session.screen, SpellingScreen)


def test_again_from_the_settings(table_class):
    """The steps are taken again over the settings, and lead back to them."""
    table = table_class()
    table.press("#", "*", "0", "2", "9", "*", "*", "*", "*")
    assert type(table.session.screen).__name__ == "SettingsMenu"

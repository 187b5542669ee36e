"""The language of the box: asked for once on a new box, changed in "more", and saved; and what it affects."""

from __future__ import annotations

import pytest

from companion import games, languages
from companion.evening.screens.evening_start import Splash
from companion.evening.screens.first_start import FirstKeys
from companion.evening.screens.main_menu import main_menu_screen
from companion.languages import catalogues
from companion.rounds.stored import SessionSettings, StoredHistory

NEW = SessionSettings(asks_language=True)


def titles(desk):
    """The heading of the open list, and its entries."""
    content = desk.session.screen.content(desk.session)
    return content.title, [line.words for line in content.lines]


def test_a_new_box_asks_for_its_language_once(table_class):
    """It asks after the title. The choice is saved, and the menu follows."""
    desk = table_class(NEW, StoredHistory())
    assert isinstance(desk.session.screen, Splash)
    desk.press("#")
    assert titles(desk) == (
        "Language",
        [catalogues.native_language_name(each) for each in catalogues.available_languages()],
    )
    desk.press("2")
    assert desk.session.language == catalogues.available_languages()[1]
    assert [(line.kind, line.text) for line in desk.saved_lines] == [("language", catalogues.available_languages()[1])]
    assert isinstance(desk.session.screen, FirstKeys)


def test_back_keeps_english(table_class):
    """BACK leaves the language, OK the other steps up to the menu, and the box asks again at the next start."""
    desk = table_class(NEW, StoredHistory())
    desk.press("#", "*", "#", "#", "#")
    assert (desk.session.language, desk.saved_lines) == ("en", [])
    assert type(desk.session.screen) is type(main_menu_screen(desk.session))


@pytest.mark.parametrize(
    ("settings", "history"),
    [
        (SessionSettings(), StoredHistory()),
        (NEW, StoredHistory(language="en")),
        (NEW, StoredHistory(player_names=("Ann",))),
        (NEW, StoredHistory(next_round=2)),
    ],
)
def test_no_other_box_asks(table_class, settings, history):
    """Not one with a configured language, one that has asked already, or one with a saved round."""
    desk = table_class(settings, history)
    desk.press("#")
    assert type(desk.session.screen) is type(main_menu_screen(desk.session))


def test_the_choice_at_the_box_overrides_the_configuration(table_class):
    assert table_class(SessionSettings(language="fr"), StoredHistory()).session.language == "fr"
    assert table_class(SessionSettings(language="fr"), StoredHistory(language="de")).session.language == "de"


def test_it_can_be_changed_in_the_settings(table_class):
    """It is on the first page of the settings, with the name of the language in use."""
    desk = table_class(SessionSettings(), StoredHistory())
    desk.press("#", "*", "9")
    assert titles(desk)[1][2] == "Language: English"
    desk.press("3", "1")
    assert (desk.session.language, desk.saved_lines[-1].kind) == ("en", "language")


def test_help_is_shown_in_the_boxs_language():
    """Each page of a help text is a message of the catalogue."""
    with languages.in_language("xx"):
        assert all(page for game in games.built_in_game_ids() for page in games.help_pages(game))

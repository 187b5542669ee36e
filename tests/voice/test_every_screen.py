"""Every screen has words in every language, and none of them is a sign that only the eye understands."""

from __future__ import annotations

import re

import pytest
import sheet_of_menus
import sheet_of_rounds
from screen_sheet import ScreenSheet

from companion.languages import in_language
from companion.voice.narrator import Narrator
from companion.voice.spoken import _WORDS_BY_KIND, board_parts, label_words

NEVER_SAID = re.compile(r"[#*▴▾◂▸↩×÷→•_=|]|\{|\bNone\b|[,.] ?[,.]|  ")
"""Signs for the eye, and traces of sentences that were put together wrongly."""


@pytest.fixture(scope="module")
def sessions(typed_keys):
    """The session of each picture of the sheet of screens, with a number pad in use."""
    sheet = ScreenSheet("keypad")
    sheet_of_menus.add_all_pictures(sheet)
    sheet_of_rounds.add_all_pictures(sheet, typed_keys)
    return {
        each.name: each.session._replace(key_device="number pad", box=each.session.box._replace(voice="everything"))
        for each in sheet.pictures.values()
    }


@pytest.mark.parametrize("language", ["en", "de", "es", "fr"])
def test_every_screen_is_said(sessions, language):
    """As a whole, and part by part, without a sign for the eye; only the title has nothing to say."""
    wrong, silent = {}, []
    for name, session in sessions.items():
        heard = session._replace(language=language)
        words = Narrator("Ann").repeat(heard)
        silent += [name] if not words else []
        for said in (words, label_words(heard), *board_parts(heard)):
            if NEVER_SAID.search(said):
                wrong[name] = said
    assert wrong == {}
    assert {type(sessions[name].screen).__name__ for name in silent} <= {"Splash"}


def test_each_kind_of_content_has_its_words(sessions):
    """The screens above are of every kind, and each has a function here."""
    with in_language("en"):
        shown = {type(each.screen.content(each)) for each in sessions.values()}
    assert shown <= set(_WORDS_BY_KIND)
    assert {kind.__name__ for kind in set(_WORDS_BY_KIND) - shown} <= set()

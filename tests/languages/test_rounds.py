"""An evening with each game at a new box in each language: set up, played to its end, asked for all that there is."""

from __future__ import annotations

import re

import pseudo_language
import pytest
from tour import Tour, play_evening

from companion import games
from companion.gamekit.contract.picture_faults import find_picture_faults, recorded_texts
from companion.languages import catalogues
from companion.languages.catalogues import native_language_name
from companion.panel import fonts

SAME = re.compile(
    "|".join(
        [
            r"Companion|Zo\w|Ska\w?|Player( \d)?|box-\d|/dev|refill",
            *(game.name for game in games.built_in_manifests() if game.id != "pad"),
        ]
        + [native_language_name(each) for each in catalogues.available_languages()]
    )
    + r"|\b\w*_$|[1-9]\S?[A-Za-z]{2,4}\b|\b\w+…"
)
"""What is the same in every language.

Names, a name that is spelled or cut, the letters that a key stands for, and the move that names drawn tiles, which a
walk shows as in a record.
"""


@pytest.fixture
def ways(typed_keys, picked_keys, naming_keys):
    """How moves and pieces are entered, by the set of keys."""
    return {"keypad": (typed_keys, naming_keys), "buttons": (picked_keys, naming_keys)}


def evening_screens(folder, game, language, keys, ways):
    """The screens of an evening."""
    tour = Tour(folder, native_language_name(language), keys, ways[keys])
    try:
        play_evening(tour, game)
    finally:
        tour.close()
    return tour.stops


def shown_texts(moment, language):
    """The texts on the panel in a language, and those that are cut or touch something."""
    lost, before = [], fonts.on_text_cut
    fonts.on_text_cut = lambda whole, shown, room: lost.append(str(whole))
    try:
        with recorded_texts() as written:
            picture = moment.draw(language)
    finally:
        fonts.on_text_cut = before
    # A piece's figure.
    touched = (each[0] for each in find_picture_faults(picture, written, ignore_accents=True) if not each[0].isdigit())
    return {each.text for each in written}, {*lost, *touched}


@pytest.mark.drill
@pytest.mark.parametrize("keys", ["keypad", "buttons"])
@pytest.mark.parametrize("game", [game.id for game in games.built_in_manifests()])
def test_nothing_is_cut_in_an_evening(tmp_path, game, keys, ways):
    """No language has a text that is cut or touched, unless it is in English too; each has its own screens."""
    for language in catalogues.available_languages()[1:]:
        folder = tmp_path / language
        seen = evening_screens(folder, game, language, keys, ways)
        assert len(seen) > 90
        found = {}
        for moment in seen:
            if wrong := shown_texts(moment, language)[1]:
                found |= {f"{language} {each}": moment.label for each in wrong - shown_texts(moment, "en")[1]}
        assert found == {}


@pytest.mark.drill
@pytest.mark.parametrize("game", [game.id for game in games.built_in_manifests()])
def test_no_english_is_left_in_an_evening(tmp_path, monkeypatch, game, ways):
    """In a made-up language every word differs, except names and the words of records."""
    seen = evening_screens(tmp_path, game, "en", "keypad", ways)
    pseudo_language.install_pseudo_language(monkeypatch)
    english = {}
    for moment in seen:
        for each in shown_texts(moment, pseudo_language.CODE)[0]:
            words = re.findall(r"[A-Za-z]{3,}", SAME.sub("", each))
            if any(word.translate(pseudo_language.ACCENTS) != word for word in words):
                english[each] = moment.label
    assert english == {}

"""Texts in another language: made there, said there later, and in English wherever an entry cannot be used."""

from __future__ import annotations

import json
import re
from gettext import GNUTranslations, NullTranslations
from typing import NamedTuple

import pytest

from companion.languages import (
    catalogues,
    format_list,
    in_language,
    keys_text,
    plural_text,
    text,
    text_from_json,
    texts_to_json,
    translate,
    translate_all,
    update,
)
from companion.languages.catalogues import preferred_language
from companion.languages.key_names import in_language_of_device

GERMAN = {
    "{who} wins": "{who} gewinnt",
    "{some} and {last}": "{some} und {last}",
    "it is {who}'s turn": "{wer} ist dran",
    "open {": "offen {",
    "red": "Rot",
    "{colour} and more": "{colour} und mehr",
}
PLURALS = {"{number} move": ("{number} Zug", "{number} Züge")}


class German(NullTranslations):
    """A small catalogue, with a broken entry."""

    def gettext(self, message):
        return GERMAN.get(message, message)

    def ngettext(self, one, more, number):
        return PLURALS.get(one, (one, more))[number != 1]


@pytest.fixture(autouse=True)
def german(monkeypatch):
    """The small catalogue in place of the real one."""
    monkeypatch.setattr(catalogues, "load_catalogue", lambda language: German() if language == "de" else None)


def test_keys_in_a_sentence_are_called_as_on_the_device():
    """Also keys that are a value of it; a device without names of its own leaves them as they are."""
    made = text("Slam dunk: {keys} #", keys=keys_text("0A4D6"))
    with in_language_of_device("en", "number pad"):
        assert translate(made) == "Slam dunk: 0 + 4 / 6 OK"
    with in_language_of_device("en", ""):
        assert translate(made) == "Slam dunk: 0 A 4 D 6 #"


def test_a_text_is_translated_into_the_current_language():
    """One that was made before, one that is made there, and one inside another sentence."""
    made = text("{who} wins", who="Ann")
    with in_language("de"):
        assert translate(made) == text("{who} wins", who="Ann") == "Ann gewinnt"
        assert f"{made}!" == "Ann gewinnt!"
        assert text("{colour} and more", colour=text("red")) == "Rot und mehr"
    assert translate(made) == made == f"{made}" == "Ann wins"
    with in_language("de"), in_language("en"):
        assert translate(made) == "Ann wins"


def test_a_number_decides_between_forms():
    """The forms are those of the catalogue."""
    for number, expected in ((1, "1 Zug"), (2, "2 Züge"), (0, "0 Züge")):
        made = plural_text(number, "{number} move", "{number} moves")
        with in_language("de"):
            assert translate(made) == expected


def test_a_message_without_a_usable_entry_is_english():
    """A message that it lacks, and one whose entry has a wrong field or an open brace."""
    with in_language("de"):
        assert text("{who} loses", who="Ann") == "Ann loses"
        assert text("it is {who}'s turn", who="Ann") == "it is Ann's turn"
        assert plural_text(2, "{number} slip", "{number} slips") == "2 slips"
        assert text("open {") == "offen {"
        assert text("") == ""


def test_names_are_never_translated():
    """Even if a player is called like a word of the catalogue."""
    with in_language("de"):
        assert translate("red") == "red"
        assert text("{who} wins", who="red") == "red gewinnt"


def test_a_list_is_a_sentence():
    """One, two and three items, some of which are texts."""
    assert [format_list(names) for names in ((), ("Ann",), ("Ann", "Ben"))] == ["", "Ann", "Ann and Ben"]
    made = format_list(("Ann", text("red"), "Cleo"))
    assert made == "Ann, red and Cleo"
    with in_language("de"):
        assert translate(made) == "Ann, Rot und Cleo"


class ShownContent(NamedTuple):
    """What a screen shows."""

    title: str
    rows: tuple[tuple[str, int], ...]
    view: object = None


def test_all_texts_in_a_value_are_translated():
    """Rows and fields are translated, but not a position; in English the value is not even copied."""
    shown = ShownContent(text("red"), ((text("{who} wins", who="red"), 3),), (text("red"),))
    assert translate_all(shown) is shown
    with in_language("de"):
        assert translate_all(shown) == ("Rot", (("red gewinnt", 3),), ("red",))


def test_a_browser_or_locale_prefers():
    """The most preferred language that is available is chosen, by the weights."""
    assert preferred_language("de-AT,de;q=0.9,en;q=0.8") == "de"
    assert preferred_language("pl, fr-CH;q=0.7, en;q=0.8") == "en"
    assert preferred_language("de;q=0, fr") == "fr"
    assert preferred_language("de;q=0, *") == preferred_language("de;q=0.0") == "", "what is not wanted is not spoken"
    assert preferred_language("de_DE.UTF-8") == "de"
    assert [preferred_language(wish) for wish in ("", "C.UTF-8", "xx", ";q=1", "de;q=much", "*")] == [""] * 6


def test_a_text_crosses_a_socket():
    """As JSON it has its parts, from which the other side makes the same text in another language."""
    told = {
        "title": text("{who} wins", who=text("red")),
        "rows": [plural_text(2, "{number} move", "{number} moves")],
        "n": 3,
    }
    line = json.dumps(texts_to_json(told))
    found = json.loads(line, object_hook=text_from_json)
    assert found == told
    with in_language("de"):
        assert [f"{found['title']}", f"{found['rows'][0]}"] == ["Rot gewinnt", "2 Züge"]
    assert json.loads(json.dumps(told)) == {"title": "red wins", "rows": ["2 moves"], "n": 3}


def test_one_message_with_two_meanings_has_two_translations(tmp_path):
    """The context is read from the call, kept in the catalogue, and never shown."""
    package = tmp_path / "at_the_table"
    (package / "languages").mkdir(parents=True)
    code = 'from companion.languages import text\none = text("full", "a hand")\nother = text("full", "the long game")\n'
    (package / "__init__.py").write_text(code, "utf-8")
    (package / "page.html").write_text('{{ _("full", "a page") }}', "utf-8")
    (package / "languages" / "fr.po").touch()
    update.update_catalogues(package)
    file = package / "languages" / "fr.po"
    assert re.findall('msgctxt "(.*)"', file.read_text("utf-8")) == ["a hand", "the long game", "a page"]
    written = re.sub(r'(msgctxt "a hand"\nmsgid "full"\nmsgstr ")', r"\1pleine !", file.read_text("utf-8"))
    file.write_text(written, "utf-8")
    update.update_catalogues(package)
    with (package / "languages" / "fr.mo").open("rb") as compiled:
        words = GNUTranslations(compiled)
    assert words.gettext("a hand\x04full") == "pleine\N{NO-BREAK SPACE}!"
    assert text("full", "a hand") == text("full", "the long game") == "full"
    with in_language("fr"):
        assert text("full", "a meaning that no catalogue has") == "full"

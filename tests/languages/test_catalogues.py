"""The catalogues: all messages of the code, no entry that cannot be used, and the compiled files like their sources."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from companion import languages
from companion.gamekit import sentence_preview
from companion.languages import catalogues, update
from companion.panel import fonts
from companion.rounds.player_names import new_name_fault, undrawable_letters

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "companion" / "languages"
FILES = sorted(FOLDER.glob("*.po"))
AGAIN = "run `.venv/bin/python -m companion.languages.update`"


def message_fields(message):
    """The fields of a message: ``{who}`` and ``{count}``. Raises ValueError for braces that do not match."""
    return {name for _, name, _, _ in string.Formatter().parse(message) if name is not None}


def catalogue_faults(path):
    """What is wrong with a catalogue's entries, each with file and line."""
    catalogue = update.read_catalogue(path)
    for message in catalogue:
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        place = f"{path.name}:{message.lineno}: {ids[0]!r}"
        if message.id and any(forms):
            if len(forms) != (catalogue.num_plurals if len(ids) > 1 else 1) or not all(forms):
                yield f"{place}: a plural form is missing"
            for form in forms:
                try:
                    fields, allowed = message_fields(form), message_fields(ids[-1])
                    if not message_fields(ids[0]) - {"number"} <= fields <= allowed:
                        yield f"{place}: its fields are {sorted(allowed)}, not {sorted(fields)}"
                except ValueError as error:
                    yield f"{place}: {error}"


def test_the_template_has_all_messages_of_the_code():
    """Whoever changes a sentence updates the catalogues."""
    messages = update.make_template(ROOT / "companion")
    assert (FOLDER / "messages.pot").read_bytes() == update.po_bytes(messages), AGAIN
    assert len(messages) > 700


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_catalogue_has_the_messages_of_the_template(path):
    """Merging changes nothing, and the compiled catalogue is made from it."""
    with (FOLDER / "messages.pot").open("rb") as template:
        messages = read_po(template)
    catalogue = update.read_catalogue(path)
    assert {message.id for message in catalogue} == {message.id for message in messages}, AGAIN
    assert path.with_suffix(".mo").read_bytes() == update.mo_bytes(update.read_catalogue(path)), AGAIN


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_entry_can_be_used(path):
    """An entry has the fields of its message, and each plural form of its language."""
    assert [*catalogue_faults(path)] == []


@pytest.mark.parametrize("language", ["de", "es", "fr"])
def test_the_languages_that_are_promised_are_whole(language):
    """Each of their messages is translated. Another language may be unfinished."""
    path = FOLDER / f"{language}.po"
    missing = [message for message in update.read_catalogue(path) if message.id and not update.is_translated(message)]
    assert [f"{path.name}:{message.lineno}: {message.id!r}" for message in missing] == []


def test_faults_are_found(tmp_path):
    """A wrong field, a missing form and an open brace are each reported with their line."""
    path = tmp_path / "de.po"
    path.write_text(
        'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
        'msgid "{who} wins"\nmsgstr "{wer} gewinnt"\n\n'
        'msgid "{number} move"\nmsgid_plural "{number} moves"\nmsgstr[0] "ein Zug"\nmsgstr[1] ""\n\n'
        'msgid "{who} waits"\nmsgstr "{who wartet"\n\n'
        'msgid "one {number}"\nmsgid_plural "{number} more"\nmsgstr[0] "einer"\nmsgstr[1] "{number} mehr"\n',
        encoding="utf-8",
    )
    found = [*catalogue_faults(path)]
    assert [fault.partition(": ")[0] for fault in found] == ["de.po:4", "de.po:7", "de.po:12"]
    assert "not ['wer']" in found[0]
    assert "plural form" in found[1]


def test_there_is_a_catalogue_for_each_language():
    """The languages to choose from are those with a file, English first."""
    assert catalogues.available_languages() == ("en", *(path.stem for path in FILES))
    assert len(FILES) >= 3


def test_the_names_of_languages_cache_no_catalogue() -> None:
    """A box asks for the language at its first start. Catalogues of other languages would take memory all evening."""
    catalogues.load_catalogue.cache_clear()
    assert (
        len({catalogues.native_language_name(language) for language in catalogues.available_languages()})
        == len(FILES) + 1
    )
    assert catalogues.load_catalogue.cache_info().currsize == 0


def test_a_games_package_brings_its_own(tmp_path, monkeypatch):
    """Its messages are found after those of this program, and a damaged file is ignored."""
    (tmp_path / "de.po").write_text('msgid "seeds in a pit"\nmsgstr "Samen in einer Mulde"\n', encoding="utf-8")
    (tmp_path / "de.mo").write_bytes(update.mo_bytes(update.read_catalogue(tmp_path / "de.po")))
    (tmp_path / "fr.mo").write_bytes(b"no catalogue")
    monkeypatch.setattr(catalogues, "CATALOGUE_FOLDERS", [*catalogues.CATALOGUE_FOLDERS])
    try:
        catalogues.add_catalogue_folder(str(tmp_path))
        with languages.in_language("de"):
            assert languages.text("seeds in a pit") == "Samen in einer Mulde"
        with languages.in_language("fr"):
            assert languages.text("seeds in a pit") == "seeds in a pit"
    finally:
        catalogues.load_catalogue.cache_clear()


def test_the_preview_shows_what_does_not_fit(tmp_path):
    """A translator sees a sentence as the panel shows it, and which letters the panel lacks."""
    said = sentence_preview.draw_preview("Ein Satz, der auf zwei Zeilen steht, mit einem Я", str(tmp_path / "satz.png"))
    assert said[0].startswith("3 lines of 126 columns")
    assert said[1:] == ["the panel has no Я and shows an empty box instead"]
    assert (tmp_path / "satz.png").stat().st_size > 100


def test_the_fonts_have_the_letters_of_every_latin_language():
    """Each face for names and sentences has Latin-1, Latin Extended-A, and the signs of their languages."""
    letters = [chr(code) for code in range(0xA1, 0x180) if chr(code).isalpha()]
    signs = "¿¡«»°·„“”‚‘’–—…€ȘșȚț"
    faces = (*fonts.NAME_FACES, fonts.HEADING)
    missing = {face.name: [mark for mark in (*letters, *signs) if not face.has_glyphs(mark)] for face in faces}
    assert {name: "".join(marks) for name, marks in missing.items() if marks} == {}
    assert undrawable_letters("".join(letters)) == ""


@pytest.mark.parametrize(("name", "lost"), [("Ольга", "Ольга"), ("Ελένη", "Ελένη"), ("久美", "久美"), ("Zoë 🐙", "🐙")])
def test_letters_that_the_panel_cannot_draw_are_named(name, lost):
    """The box names the letters that it cannot draw, in the reader's language, and draws a box for each."""
    assert undrawable_letters(name) == lost
    assert not any(face.has_glyphs(mark) for mark in lost for face in fonts.NAME_FACES)
    for language in catalogues.available_languages():
        with languages.in_language(language):
            assert lost in new_name_fault(name, ())


def test_french_signs_are_never_alone_in_a_line():
    """The space before : ; ! ? and inside « » does not break."""
    french = update.read_catalogue(FOLDER / "fr.po")
    said = [form for each in french for form in (each.string if isinstance(each.string, tuple) else (each.string,))]
    assert [form for form in said[1:] if re.search("\\S [:;!?»]|« ", form)] == []

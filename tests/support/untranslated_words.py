"""Finds what is shown without being a message: English words that a pseudo-language has left.

That language (`pseudo_language`) writes each word of a message with accents; names, numbers and keys have none. So a
word of two letters or more without an accent is a sentence that was forgotten, or glued to one.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from unittest import mock

import pseudo_language
import pytest

from companion.languages import catalogues, templates

if TYPE_CHECKING:
    from collections.abc import Iterable

ENGLISH_WORD = re.compile(r"(?!(.)\1$)[A-Za-z]{2,}", re.IGNORECASE)
"""A word of ASCII letters. A single letter is a key, which the pseudo-language writes twice."""
TRANSLATED_WORD = re.compile(f"[A-Za-z]*[{''.join(map(chr, pseudo_language.ACCENTS))}][A-Za-z]*")
"""A word that has an accent in that language; it may be a single letter."""
READ_ALOUD_ATTRIBUTES = ("alt", "aria-description", "aria-label", "data-up", "placeholder", "title")
"""The attributes of HTML and SVG that people see or hear."""
HIDDEN_TAGS = ("script", "style", "textarea")


@pytest.fixture
def nobodys_language(monkeypatch: pytest.MonkeyPatch) -> str:
    """The code of the pseudo-language, which can be spoken and chosen as if it had a catalogue."""
    known = (*catalogues.available_languages(), pseudo_language.CODE)
    pseudo_language.install_pseudo_language(monkeypatch)
    for module in (catalogues, templates):
        monkeypatch.setattr(module, "available_languages", mock.Mock(return_value=known))
    return pseudo_language.CODE


def english_words_in(said: str, *kept: str) -> list[str]:
    """The English words that are left in a sentence, without names and other words that stay as they are."""
    if not _words(said):
        return []
    said = _without(kept, said)
    return _words(said)


def _without(kept: Iterable[str], said: str) -> str:
    names = sorted(filter(None, kept), key=len, reverse=True)
    return re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", " ", said) if names else said


def _words(said: str) -> list[str]:
    # A letter after an apostrophe is a part of the word before it.
    return [word for word in re.findall(r"(?<!['’])\b[^\W\d_]+", said) if ENGLISH_WORD.fullmatch(word)]


def english_texts_in_page(page: str, *kept: str) -> list[str]:
    """The texts of a page in which English words are left, each with these words; attributes count too."""
    return [f"{said!r}: {left}" for said in _shown(page) if (left := english_words_in(said, *kept))]


def unmarked_texts(page: str, names: Iterable[str] = ()) -> list[str]:
    """The texts of a page with a word, or a single letter, that comes from no message and is none of `names`."""
    return [said for said in _shown(page) if TRANSLATED_WORD.search(_without(names, said))]


def _shown(page: str) -> list[str]:
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return reader.found


def is_any_translated(words: Iterable[str]) -> bool:
    """Whether any of these words is in the pseudo-language."""
    return any(not word.isascii() for word in words)


class _Reader(HTMLParser):
    """Collects what a page shows and what is read aloud, without what somebody has typed.

    Languages are named in themselves, in elements with the attribute `lang`; these are left out.
    """

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._unread = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in HIDDEN_TAGS or ("lang" in given and tag != "html"):
            self._unread = self._unread or tag
        self.found += [value for name in READ_ALOUD_ATTRIBUTES if (value := given.get(name))]
        if tag == "input" and given.get("type") in ("submit", "button", "reset"):
            self.found.append(given.get("value") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag == self._unread:
            self._unread = ""

    def handle_data(self, data: str) -> None:
        if not self._unread and data.strip():
            self.found.append(" ".join(data.split()))

"""Finds the languages that are available, and loads their catalogues of translated messages.

A catalogue is the file ``de.mo`` in this folder, or in the folder ``languages`` of a game of another package.
"""

from __future__ import annotations

from functools import cache
from os import path, scandir
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from gettext import NullTranslations as Catalogue


ENGLISH = "en"
NATIVE_NAME = "English"
"""The message whose translation is the language's own name: ``Deutsch``."""
MAX_HEADER_LETTERS = 400
"""The most letters of an ``Accept-Language`` header that are read."""
CATALOGUE_FOLDERS = [path.dirname(__file__)]
"""The folders with catalogues; for a message that several translate, the first folder counts."""


def add_catalogue_folder(folder: str) -> None:
    """Add a folder with catalogues, for the messages of a game of another package.

    It never overrides an earlier folder.
    """
    if folder not in CATALOGUE_FOLDERS:
        CATALOGUE_FOLDERS.append(folder)
        load_catalogue.cache_clear()
        available_languages.cache_clear()


@cache
def load_catalogue(language: str) -> Catalogue | None:
    """Load the catalogue of a language; None for English, and for a language without one. It is cached."""
    return _read_catalogue(language)


@cache
def page_english() -> Catalogue:
    """The catalogue of English pages, which have typographic apostrophes."""
    from gettext import NullTranslations

    class PageEnglish(NullTranslations):
        def gettext(self, message: str) -> str:
            return message.replace("'", "’")

        def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
            return self.gettext(msgid1 if n == 1 else msgid2)

    return PageEnglish()


def _read_catalogue(language: str) -> Catalogue | None:
    if language in ("", ENGLISH) or language not in available_languages():
        return None
    from gettext import GNUTranslations  # Imported late, since English needs no catalogue.

    merged: GNUTranslations | None = None
    for folder in reversed(CATALOGUE_FOLDERS):
        try:
            with open(f"{folder}/{language}.mo", "rb") as file:
                translations = GNUTranslations(file)
        except (OSError, ValueError):  # A game's package may have none for this language, or a damaged one.
            continue
        if merged is not None:
            translations.add_fallback(merged)
        merged = translations
    return merged


@cache
def available_languages() -> tuple[str, ...]:
    """The codes of the languages to choose from (two letters): English, and those with a catalogue in this folder."""
    names = (each.name for each in scandir(CATALOGUE_FOLDERS[0]))
    return (ENGLISH, *sorted(name[:-3] for name in names if name.endswith(".mo")))


@cache
def native_language_name(language: str) -> str:
    """What a language calls itself: ``Deutsch``."""
    # A box that is started for the first time shows all these names. Caching all catalogues would take 1.5 MiB.
    catalogue = _read_catalogue(language)
    return NATIVE_NAME if catalogue is None else catalogue.gettext(NATIVE_NAME)


def preferred_language(preferences: str) -> str:
    """Choose a language from a browser's ``Accept-Language`` header, or from a locale such as ``de_AT.UTF-8``.

    Returns the most preferred one that is available, "" if there is none.
    """
    ranked = []
    for place, each in enumerate(preferences[:MAX_HEADER_LETTERS].replace(" ", "").split(",")):
        name, _, quality = each.partition(";q=")
        code = name.replace("_", "-").partition("-")[0].lower()
        try:
            ranked.append((-float(quality or 1), place, code))
        except ValueError:
            continue
    return next((name for weight, _, name in sorted(ranked) if weight and name in available_languages()), "")


def locale_language(environ: Mapping[str, str]) -> str:
    """The language that the user of a terminal has chosen by LC_ALL, LC_MESSAGES or LANG; "" if it is not available."""
    return preferred_language(next(filter(None, map(environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), ""))

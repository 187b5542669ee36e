"""Which languages there are, and their catalogues: the words of messages.

A catalogue is the file ``de.mo`` of this folder, or of the folder ``languages`` of a game's own package.
"""

from __future__ import annotations

from functools import cache
from os import path, scandir
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from gettext import NullTranslations as Catalogue


ENGLISH = "en"
OWN_NAME = "English"
"""The message whose entry is the language's own name: ``Deutsch``."""
LONGEST_WISH = 400
"""The most letters of an ``Accept-Language`` that are read."""
FOLDERS = [path.dirname(__file__)]


def also_in(folder: str) -> None:
    """Take the catalogues of a folder too, for messages that none before has: those of a game of another package."""
    if folder not in FOLDERS:
        FOLDERS.append(folder)
        catalogue.cache_clear()
        languages.cache_clear()


@cache
def catalogue(language: str) -> Catalogue | None:
    """The catalogue of a language, None for English and for one that has none."""
    return _read_catalogue(language)


def _read_catalogue(language: str) -> Catalogue | None:
    if language in ("", ENGLISH) or language not in languages():
        return None
    from gettext import GNUTranslations  # Imported only where another language than English is spoken.

    found: GNUTranslations | None = None
    for folder in reversed(FOLDERS):
        try:
            with open(f"{folder}/{language}.mo", "rb") as file:
                one = GNUTranslations(file)
        except (OSError, ValueError):  # A game's package has none, or a damaged one.
            continue
        if found is not None:
            one.add_fallback(found)
        found = one
    return found


@cache
def languages() -> tuple[str, ...]:
    """The languages that can be spoken, by their codes of two letters: English, and those with a catalogue here."""
    names = (each.name for each in scandir(FOLDERS[0]))
    return (ENGLISH, *sorted(name[:-3] for name in names if name.endswith(".mo")))


@cache
def own_name(language: str) -> str:
    """What a language calls itself: ``Deutsch``."""
    # All of these names are shown when a box is first started: kept for good, all catalogues would take 1.5 MiB.
    found = _read_catalogue(language)
    return OWN_NAME if found is None else found.gettext(OWN_NAME)


def preferred(wanted: str) -> str:
    """The first language that can be spoken, of a browser's ``Accept-Language``, or a locale such as ``de_AT.UTF-8``.

    "" if it names none.
    """
    ranked = []
    for place, each in enumerate(wanted[:LONGEST_WISH].replace(" ", "").split(",")):
        name, _, quality = each.partition(";q=")
        code = name.replace("_", "-").partition("-")[0].lower()
        try:
            ranked.append((-float(quality or 1), place, code))
        except ValueError:
            continue
    return next((name for weight, _, name in sorted(ranked) if weight and name in languages()), "")


def of_locale(environ: Mapping[str, str]) -> str:
    """The language that the user of a terminal has chosen, "" for none that can be spoken."""
    return preferred(next(filter(None, map(environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), ""))

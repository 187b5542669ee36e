"""Decides what can be a player's name, and which names are easily taken for each other.

A name identifies a player in all standings. Two names that look the same must therefore be the same string, whatever a
phone or an imported file has sent.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from companion.games.api.computer_players import computer_strength
from companion.languages import format_list, plural_text, text
from companion.rounds.record import is_usable_name

MAX_NAME_LETTERS = 16
NAMELESS_PLAYERS = tuple(f"Player {seat}" for seat in range(1, 9))
"""The names of players whose name was not entered."""
_INVISIBLE_LETTERS = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
"""Letters, marks and symbols of Unicode that are drawn as nothing. Variation selectors are checked by their range."""


def normalize_name(name: str, *, is_typing: bool = False) -> str:
    """Bring a name into its one form: composed accents (NFC), single plain spaces, no invisible characters.

    With `is_typing` one space at the end stays, since the next word may follow. Control characters stay too, so that
    `is_valid_name` can refuse them.
    """
    if not name.isascii():
        name = unicodedata.normalize("NFC", "".join(filter(_is_visible, name)))
    return " ".join(name.split()) + (" " if is_typing and name[-1:].isspace() and not name.isspace() else "")


def _is_visible(letter: str) -> bool:
    """Whether a character is drawn, unlike format characters such as U+200B, and variation selectors."""
    selector = "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"
    return unicodedata.category(letter) != "Cf" and letter not in _INVISIBLE_LETTERS and not selector


def name_normalization_text(name: str) -> str:
    """What `normalize_name` changes in a name, as part of a sentence; "" if it only removes spaces at the ends."""
    visible = "".join(filter(_is_visible, name))
    hidden, spaced = len(name) - len(visible), " ".join(visible.split())
    changes = []
    if hidden:
        message = "{number} hidden characters were removed"
        changes.append(plural_text(hidden, "a hidden character was removed", message))
    if spaced != visible.strip(" \t"):
        changes.append(text("its spaces were tidied up"))
    if not unicodedata.is_normalized("NFC", spaced):
        changes.append(text("its accents were joined to their letters"))
    return format_list(changes)


def name_change_message(name: str) -> str:
    """The sentence that tells a player how their name was changed; "" if it was not."""
    changes = name_normalization_text(name)
    return text("The name is now {who}: {changes}.", who=normalize_name(name), changes=changes) if changes else ""


def has_letter_or_digit(name: str) -> bool:
    """Whether a text is more than signs such as ``-``."""
    return any(map(str.isalnum, name))


def is_valid_name(name: str) -> bool:
    """Whether a text can be a player's name: at the box, in a tournament, and wherever players are renamed."""
    return (
        is_usable_name(name)
        and has_letter_or_digit(name)
        and name == normalize_name(name)
        and len(name) <= MAX_NAME_LETTERS
        and not computer_strength(name)
    )


def invalid_name_reason(name: str) -> str:
    """The sentence that says why a text cannot be a player's name."""
    if computer_strength(name):
        return text("{who} is the box's own name when it plays.", who=name)
    if not name:
        return text("Enter a name.")
    return text("A name has 1 to {most} letters, and no comma.", most=MAX_NAME_LETTERS)


def undrawable_letters(name: str) -> str:
    """The characters of a name that the panel's fonts lack, each once.

    The fonts have the letters of Latin alphabets.
    """
    return "".join(dict.fromkeys(letter for letter in name if not _is_drawable(letter)))


def new_name_fault(name: str, taken_names: Iterable[str]) -> str:
    """The sentence that says why a phone's player cannot have this name beside the other names; "" if it is fine."""
    if not is_valid_name(name):
        return invalid_name_reason(name)
    if letters := undrawable_letters(name):
        return text("The box can't show {letters}.", letters=letters)
    if similar := similar_name(name, taken_names):
        return text("{who} exists already: only the capitals differ.", who=similar)
    return ""


def _is_drawable(letter: str) -> bool:
    return " " <= letter <= "~" or ("¡" <= letter <= "ſ" and letter != "\N{SOFT HYPHEN}") or letter in "ȘșȚț–—‘’“”„…€"


def similar_name(name: str, other_names: Iterable[str], *, heed_accents: bool = True) -> str:
    """Another name that differs only in upper and lower case; "" for none, or if the name itself is among them.

    Without `heed_accents`, names that differ only in accents count too.
    """
    other_names = tuple(other_names)
    fold = str.casefold if heed_accents else _without_accents
    return next((each for each in other_names if fold(each) == fold(name)), "") if name not in other_names else ""


def _without_accents(name: str) -> str:
    """A name in lower case without accents: ``ameli`` for ``Améli``."""
    return "".join(each for each in unicodedata.normalize("NFD", name.casefold()) if not unicodedata.combining(each))

"""What can be a player's name, and which names are easily taken for each other."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from companion.games.api.box_seats import strength
from companion.languages import counted, listed, text
from companion.rounds.record import usable_name

LONGEST_NAME = 16
_INVISIBLE = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
"""Letters, marks and symbols of Unicode that nothing is drawn for; variation selectors are such marks too."""


def normal_name(name: str, *, typing: bool = False) -> str:
    """The one form of a name: accents on their letters (NFC), single plain spaces, nothing that cannot be seen.

    So two names that look the same are one player. While a name is still `typing`, one space at its end is kept. A
    control character that is no blank is kept too: `fit` refuses it.
    """
    if not name.isascii():
        name = unicodedata.normalize("NFC", "".join(filter(_is_visible, name)))
    return " ".join(name.split()) + (" " if typing and name[-1:].isspace() and not name.isspace() else "")


def _is_visible(letter: str) -> bool:
    """False for format characters, such as U+200B, a byte order mark and those that turn the direction."""
    selector = "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"
    return unicodedata.category(letter) != "Cf" and letter not in _INVISIBLE and not selector


def name_changes(name: str) -> str:
    """What `normal_name` changes in a name, as part of a sentence; "" where that is no more than spaces at its ends."""
    visible = "".join(filter(_is_visible, name))
    hidden, spaced = len(name) - len(visible), " ".join(visible.split())
    changes = []
    if hidden:
        message = "{number} hidden characters were removed"
        changes.append(counted(hidden, "a hidden character was removed", message))
    if spaced != visible.strip(" \t"):
        changes.append(text("its spaces were tidied up"))
    if not unicodedata.is_normalized("NFC", spaced):
        changes.append(text("its accents were joined to their letters"))
    return listed(changes)


def changed_name(sent: str) -> str:
    """The sentence that says what was changed in a name that was sent; "" for nothing."""
    changes = name_changes(sent)
    return text("The name is now {who}: {changes}.", who=normal_name(sent), changes=changes) if changes else ""


def fit(name: str) -> bool:
    """Whether a text can be a player's name, at the box, in a tournament, and wherever players are renamed."""
    return usable_name(name) and name == normal_name(name) and len(name) <= LONGEST_NAME and not strength(name)


def unfit(name: str) -> str:
    """The sentence that says why a text cannot be a player's name."""
    if strength(name):
        return text("{who} is the box's own name when it plays.", who=name)
    if not name:
        return text("Enter a name.")
    return text("A name has 1 to {most} letters, and no comma.", most=LONGEST_NAME)


def undrawn(name: str) -> str:
    """The characters of a name of which the panel's fonts have none, each once: they have those of Latin alphabets."""
    return "".join(dict.fromkeys(letter for letter in name if not _drawn(letter)))


def not_taken(name: str, others: Iterable[str]) -> str:
    """The sentence that says why a name from a phone cannot be a player's beside those of others, "" if it can."""
    if not fit(name):
        return unfit(name)
    if letters := undrawn(name):
        return text("The box can't show {letters}.", letters=letters)
    if other := alike(name, others):
        return text("{who} exists already: only the capitals differ.", who=other)
    return ""


def _drawn(letter: str) -> bool:
    return " " <= letter <= "~" or ("¡" <= letter <= "ſ" and letter != "\N{SOFT HYPHEN}") or letter in "ȘșȚț–—‘’“”„…€"


def alike(name: str, others: Iterable[str], *, accents: bool = True) -> str:
    """Another name that is the same but for large and small letters, "" for none, or where the name itself is one.

    Without `accents` these make no difference either.
    """
    others = tuple(others)
    small = str.casefold if accents else _plain
    return next((each for each in others if small(each) == small(name)), "") if name not in others else ""


def _plain(name: str) -> str:
    """A name in small letters without accents: ``ameli`` for ``Améli``."""
    return "".join(each for each in unicodedata.normalize("NFD", name.casefold()) if not unicodedata.combining(each))

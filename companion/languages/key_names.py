"""What the keys of a keypad are called on other devices, also in the middle of sentences: ``0 # passes``.

Sentences are written for a keypad, in every language. A `KeyNamesCatalogue` gives them the names of the keys that the
players have.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gettext import NullTranslations

KEY_NAMES: dict[str, dict[str, str]] = {
    "": {"OK": "#", "BACK": "*"},
    "number pad": {"BACK": "↩", "A": "+", "B": "-", "C": "*", "D": "/"},
    "keyboard": {"BACK": "↩"},
}
"""How each device calls a keypad's keys, where it doesn't call them the same."""
SENTENCE_PATTERN = re.compile(r"(?<!#)#(?![#\w])|(?:^|\s)\* |A\+ B|^D: |\bA B C\b|\bB C D\b|\bA-C\b|^B is right")
"""English messages in which keys of a keypad are named."""
KEY_PATTERN = re.compile(r"A-C|A\+|B[-−]|C×|D÷|(?<![\w'’])[A-D#*](?![\w'’])")
"""The keys in these messages; where a sign follows that the key stands for, it goes with it."""


class KeyNamesCatalogue:
    """A language's catalogue, None for English, in whose sentences the keys are called as on a device."""

    def __init__(self, catalogue: NullTranslations | None, device: str) -> None:
        self._catalogue = catalogue
        names = {"OK": "OK"} | KEY_NAMES[device]
        self._names = names | {"#": names["OK"], "*": names["BACK"]}

    def gettext(self, message: str) -> str:
        return self._with_names(message, message if self._catalogue is None else self._catalogue.gettext(message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        if self._catalogue is None:
            return self._with_names(msgid1, msgid1 if n == 1 else msgid2)
        return self._with_names(msgid1, self._catalogue.ngettext(msgid1, msgid2, n))

    def _with_names(self, message: str, form: str) -> str:
        if SENTENCE_PATTERN.search(message) is None:
            return form
        return KEY_PATTERN.sub(lambda key: self._name(key[0]), form)

    def _name(self, key: str) -> str:
        if key == "A-C":
            return " ".join(self._names.get(each, each) for each in "ABC")
        return self._names.get(key[0], key)


@cache
def catalogue_with_key_names(catalogue: NullTranslations | None, device: str) -> Any:
    """The only catalogue of a language for a device, since texts compare catalogues by identity."""
    return KeyNamesCatalogue(catalogue, device)

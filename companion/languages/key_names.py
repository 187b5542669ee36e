"""What the keys of a keypad are called on each device, also in the middle of sentences: ``0 # passes``.

Sentences are written for a keypad, in every language. A `KeyNamesCatalogue` gives them the names of the keys that the
players have.
"""

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.languages import in_language, text

if TYPE_CHECKING:
    from gettext import NullTranslations


class KeyName(NamedTuple):
    """What the panel shows for a key, and what the voice says."""

    shown: str
    spoken: str


KEY_NAMES: dict[str, dict[str, KeyName]] = {
    "": {"OK": KeyName("#", text("hash", "key")), "BACK": KeyName("*", text("star", "key"))},
    "number pad": {
        "OK": KeyName("OK", text("Enter", "key")), "BACK": KeyName("↩", text("Backspace", "key")),
        "A": KeyName("+", text("plus", "key")), "B": KeyName("-", text("minus", "key")),
        "C": KeyName("*", text("times", "key")), "D": KeyName("/", text("divide", "key")),
    },
    "keyboard": {"OK": KeyName("OK", text("Enter", "key")), "BACK": KeyName("↩", text("Backspace", "key"))},
    "buttons": {"OK": KeyName("OK", text("OK", "key")), "BACK": KeyName("↩", text("back", "key"))},
    "number pad aloud": {
        "OK": KeyName("#", ""), "BACK": KeyName("*", ""),
        "A": KeyName("Ⓐ", ""), "B": KeyName("Ⓑ", ""), "C": KeyName("Ⓒ", ""), "D": KeyName("Ⓓ", ""),
    },
}  # fmt: skip
"""How each device calls a keypad's keys, where it doesn't call them the same.

In what is said for a number pad, keys are signs that mean nothing else, until `companion.voice.pronunciation` names
them.
"""
SENTENCE_PATTERN = re.compile(
    r"(?<!#)#(?![#\w])|(?:^|\s)\* |A\+ B|^D: |\bA B C\b|\bB C D\b|\bA-C\b|^B is right|^keys\x04"
)
"""English messages in which keys of a keypad are named, and those of `companion.languages.keys_text`."""
KEY_PATTERN = re.compile(r"A-C|A\+|B[-−]|C×|D÷|(?<![\w'’])[A-D#*](?![\w'’])")
"""The keys in these messages; where a sign follows that the key stands for, it goes with it."""


class KeyNamesCatalogue:
    """A language's catalogue, None for English, in whose sentences the keys are called as on a device."""

    def __init__(self, catalogue: "NullTranslations | None", device: str) -> None:
        self._catalogue = catalogue
        names = {key: name.shown for key, name in KEY_NAMES[device].items()}
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


class in_language_of_device(in_language):
    """A context manager that sets the language, in which a keypad's keys are called as on a device (`KeyPressed`)."""

    def __init__(self, language: str, device: str) -> None:
        super().__init__(language)
        if device:
            self._catalogue = catalogue_with_key_names(self._catalogue, device)


@cache
def catalogue_with_key_names(catalogue: "NullTranslations | None", device: str) -> Any:
    """The only catalogue of a language for a device, since texts compare catalogues by identity."""
    return KeyNamesCatalogue(catalogue, device)

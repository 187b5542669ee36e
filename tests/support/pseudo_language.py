"""A pseudo-language: English with accents, 40 % longer. It shows what is cut, and what is not translatable yet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from companion.languages import catalogues

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

CODE = "xx"
"""The code of the language; no real language has it."""
LENGTHENING = 0.4
ACCENTS = str.maketrans("aceinouyACEINOUY", "áçéíñöúýÂÇÊÎÑÖÛÝ")
MESSAGE_PARTS = re.compile(r"\{[^{}]*\}|%(?:\(\w+\))?[rs]|\w+|[^\w{%]+|[{%]")


class PseudoCatalogue:
    """The catalogue of the language; `note` is called with each message that is looked up."""

    def __init__(self, note: Callable[[str], object] = bool) -> None:
        self._note = note

    def gettext(self, message: str, /) -> str:
        """A message with each word 40 % longer; what is left over is added to the next words."""
        self._note(message)
        owed, made = 0.0, []
        for part in MESSAGE_PARTS.findall(message):
            if part.isalpha():
                owed += len(part) * LENGTHENING
                more = min(int(owed + 0.001), len(part))
                owed -= more
                part = (part + part[len(part) - more :].lower()).translate(ACCENTS)
            made.append(part)
        return "".join(made)

    def info(self) -> dict[str, str]:
        """The header of the catalogue."""
        return {"language": CODE}

    def ngettext(self, one: str, more: str, number: int, /) -> str:
        """The longer form of a plural."""
        self._note(one)
        return self.gettext(one if number == 1 else more)


def install_pseudo_language(monkeypatch: pytest.MonkeyPatch, note: Callable[[str], object] = bool) -> None:
    """Give the language a catalogue, besides the existing ones."""
    stranger, real = PseudoCatalogue(note), catalogues.load_catalogue
    monkeypatch.setattr(catalogues, "load_catalogue", lambda code: stranger if code == CODE else real(code))

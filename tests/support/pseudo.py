"""A language that nobody speaks, English with accents, 40 % longer: it shows what is cut, and what is no text yet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from companion.languages import catalogues

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

CODE = "xx"
"""Its code, which no language has."""
LONGER = 0.4
ACCENTS = str.maketrans("aceinouyACEINOUY", "áçéíñöúýÂÇÊÎÑÖÛÝ")
PARTS = re.compile(r"\{[^{}]*\}|%(?:\(\w+\))?[rs]|\w+|[^\w{%]+|[{%]")


class Pseudo:
    """Its catalogue; `note` is called with each message that is asked for."""

    def __init__(self, note: Callable[[str], object] = bool) -> None:
        self._note = note

    def gettext(self, message: str, /) -> str:
        """A message with each word longer by 40 % of its letters, what is left over added to the next words."""
        self._note(message)
        owed, made = 0.0, []
        for part in PARTS.findall(message):
            if part.isalpha():
                owed += len(part) * LONGER
                more = min(int(owed + 0.001), len(part))
                owed -= more
                part = (part + part[len(part) - more :].lower()).translate(ACCENTS)
            made.append(part)
        return "".join(made)

    def info(self) -> dict[str, str]:
        """What its file would say of itself."""
        return {"language": CODE}

    def ngettext(self, one: str, more: str, number: int, /) -> str:
        """The longer form of a number."""
        self._note(one)
        return self.gettext(one if number == 1 else more)


def install(monkeypatch: pytest.MonkeyPatch, note: Callable[[str], object] = bool) -> None:
    """Give the language a catalogue, beside those that there are."""
    stranger, real = Pseudo(note), catalogues.catalogue
    monkeypatch.setattr(catalogues, "catalogue", lambda code: stranger if code == CODE else real(code))

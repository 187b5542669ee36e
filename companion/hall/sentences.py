"""Sentences in the hall's database: in English, and beside it as a text, for whoever reads them in which language."""

from __future__ import annotations

import json

from companion.languages import Text, packed, said, speaking, unpacked
from companion.languages.catalogues import ENGLISH


def written(sentence: str) -> tuple[str, str | None]:
    """A sentence as two columns: in English, and its parts as JSON, None where it is no text."""
    with speaking(ENGLISH):
        english = str(said(sentence))
    return english, json.dumps(packed(sentence), ensure_ascii=False) if isinstance(sentence, Text) else None


def read(sentence: str, words: str | None) -> str:
    """The sentence of two columns; a version before has written only the first."""
    return str(json.loads(words, object_hook=unpacked)) if words else sentence

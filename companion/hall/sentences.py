"""Sentences in the hall's database, and their times: in English, and as a text, for any language of a reader."""

from __future__ import annotations

import json
import time

from companion.languages import Text, packed, said, speaking, unpacked
from companion.languages.catalogues import ENGLISH


def time_of_day() -> str:
    """When a sentence or a round came, in ISO 8601; it is only shown."""
    return time.strftime("%Y-%m-%dT%H:%M:%S%z")


def written(sentence: str) -> tuple[str, str | None]:
    """A sentence as two columns: in English, and its parts as JSON, None where it is no text."""
    with speaking(ENGLISH):
        english = str(said(sentence))
    return english, json.dumps(packed(sentence), ensure_ascii=False) if isinstance(sentence, Text) else None


def read(sentence: str, words: str | None) -> str:
    """The sentence of two columns; a version before has written only the first."""
    return str(json.loads(words, object_hook=unpacked)) if words else sentence

"""The check of an exported round: a last line, or a last key of a score pad, that tells whether a byte has changed.

A record's own text tells by the rules whether its events stand; this also covers names, dates and comments.
"""

from __future__ import annotations

import re
import zlib
from typing import Any

from companion.commands import json_text

KEY = "sum"
_LINE = re.compile(r"# sum ([0-9a-f]{8})\n?\Z")
CHANGED = f'it is not as it was exported. If you have changed it yourself, take its "{KEY}" out'


def with_line(text: str) -> str:
    """A record with its check as the last line, a comment."""
    return f"{text}# {KEY} {_of(text)}\n"


def without_line(text: str) -> str:
    """A record without that line. Raises ValueError with a sentence if it has one that does not fit."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n")  # As a mail program or an editor may leave it.
    found = _LINE.search(plain)
    if found is None:
        return text
    if found[1] != _of(plain[: found.start()]):
        raise ValueError(CHANGED)
    return plain[: found.start()]


def with_key(said: dict[str, Any]) -> dict[str, Any]:
    """An object with its check as the last key."""
    return said | {KEY: _of(json_text(said))}


def check_key(said: dict[str, Any]) -> None:
    """Raises ValueError with a sentence if an object has a check that does not fit."""
    if KEY in said and said[KEY] != _of(json_text({key: value for key, value in said.items() if key != KEY})):
        raise ValueError(CHANGED)


def _of(text: str) -> str:
    """The CRC-32 of a text in hexadecimal."""
    return f"{zlib.crc32(text.encode(errors='replace')):08x}"

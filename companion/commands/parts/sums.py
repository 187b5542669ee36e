"""The check of an exported round: a last line, or a last key of a score pad, that tells whether a byte has changed.

A record's own text tells by the rules whether its events stand; this also covers names, dates and comments.
"""

from __future__ import annotations

import re
import zlib
from typing import Any

from companion.commands.streams import json_text
from companion.languages import said, text

KEY = "sum"
_LINE = re.compile(r"# sum ([0-9a-f]{8})\n?\Z")
CHANGED = text('it is not as it was exported. If you have changed it yourself, take its "{key}" out', key=KEY)


def with_line(record: str) -> str:
    """A record with its check as the last line, a comment."""
    return f"{record}# {KEY} {_check_sum(record)}\n"


def without_line(record: str) -> str:
    """A record without that line. Raises ValueError with a sentence if it has one that does not fit."""
    plain = record.removeprefix("\ufeff").replace("\r\n", "\n")  # As a mail program or an editor may leave it.
    found = _LINE.search(plain)
    if found is None:
        return record
    if found[1] != _check_sum(plain[: found.start()]):
        raise ValueError(said(CHANGED))
    return plain[: found.start()]


def with_key(found: dict[str, Any]) -> dict[str, Any]:
    """An object with its check as the last key."""
    return found | {KEY: _check_sum(json_text(found))}


def check_key(found: dict[str, Any]) -> None:
    """Raises ValueError with a sentence if an object has a check that does not fit."""
    if KEY in found and found[KEY] != _check_sum(json_text({key: value for key, value in found.items() if key != KEY})):
        raise ValueError(said(CHANGED))


def _check_sum(words: str) -> str:
    """The CRC-32 of words in hexadecimal."""
    return f"{zlib.crc32(words.encode(errors='replace')):08x}"

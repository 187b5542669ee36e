"""What the players are still to be told about damage: kept beside the database until somebody has pressed a key."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from companion.languages import packed, unpacked
from companion.store.data_folder import MOST_BYTES, overwrite, read_small_file
from companion.store.told import joined

if TYPE_CHECKING:
    from pathlib import Path

ENDING = ".notice"


def sentences(path: Path) -> str:
    """The sentences that are kept beside a database, "" for none. Raises StoreError, OSError."""
    written = read_small_file(path.with_name(path.name + ENDING)).decode(errors="replace")
    try:
        said = json.loads(written, object_hook=unpacked)
    except (ValueError, LookupError, AttributeError, TypeError, RecursionError):
        said = None
    if isinstance(said, str):
        return said
    return "".join(char for char in written if char.isprintable())  # An older version's, or damaged itself.


def add(path: Path, sentence: str) -> None:
    """Add a sentence, once, in the form that can be said in any language, in English where that is too long.

    It is on disk when this returns. Raises StoreError, OSError.
    """
    said = joined(sentences(path), sentence)
    written = json.dumps(packed(said)).encode()
    overwrite(path.with_name(path.name + ENDING), written if len(written) <= MOST_BYTES else said.encode(), synced=True)


def forget(path: Path) -> None:
    """Forget the sentences. Raises OSError."""
    path.with_name(path.name + ENDING).unlink(missing_ok=True)

"""What the store tells the players of its files and disks: sentences, and as values what has happened.

Sentences about damage are kept beside the journal until somebody has pressed a key.
"""

from __future__ import annotations

import json
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from companion.languages import joined as in_order
from companion.languages import packed, unpacked
from companion.store.data_folder import MOST_BYTES, overwrite, read_small_file

if TYPE_CHECKING:
    from pathlib import Path

ENDING = ".notice"
"""How the name of the file ends that has what the players are still to be told."""


class Happened(Enum):
    """What a sentence tells; whoever has no room for the sentence says it in a few words of its own."""

    DAMAGED = "rounds were damaged, or are gone"
    MENDED = "files were damaged, and nothing is lost"
    LAST_ENTRY = "the last entry may be missing"
    CUT = "the last entries may be missing"
    NO_ROOM = "the disk is full"
    AWAY = "the second file is in the data folder, for its disk is away"
    FOREIGN = "the second file is in the data folder, for its disk is another table's"
    BACK = "the second file is on its own disk"


class Told(NamedTuple):
    """Sentences for the players, "" for none, and what they tell."""

    words: str = ""
    happened: frozenset[Happened] = frozenset()

    def and_then(self, other: Told) -> Told:
        """Both, one after the other."""
        return Told(joined(self.words, other.words), self.happened | other.happened)


def told(happened: Happened, words: str) -> Told:
    """A sentence that tells one thing."""
    return Told(words, frozenset((happened,)))


def joined(said: str, sentence: str) -> str:
    """Sentences and one more, which is not said twice."""
    if sentence in said:
        return said
    return in_order((said, sentence), " ") if said else sentence


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

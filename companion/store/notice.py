"""What the players are still to be told about damage: kept beside the database until somebody has pressed a key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.languages import joined as in_order
from companion.store.lock import overwrite, plain_bytes

if TYPE_CHECKING:
    from pathlib import Path

ENDING = ".notice"


def kept(path: Path) -> str:
    """The sentences that are kept beside a database, "" for none. Raises StoreError, OSError."""
    said = plain_bytes(path.with_name(path.name + ENDING)).decode(errors="replace")
    return "".join(char for char in said if char.isprintable())


def keep(path: Path, sentence: str) -> None:
    """Add a sentence, once; on disk when this returns. Raises StoreError, OSError."""
    overwrite(path.with_name(path.name + ENDING), joined(kept(path), sentence).encode(), synced=True)


def joined(said: str, sentence: str) -> str:
    """Sentences and one more, which is not said twice."""
    if sentence in said:
        return said
    return in_order((said, sentence), " ") if said else sentence


def heard(path: Path) -> None:
    """Forget the sentences. Raises OSError."""
    path.with_name(path.name + ENDING).unlink(missing_ok=True)

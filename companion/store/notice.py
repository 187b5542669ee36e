"""What the players are still to be told about damage: kept beside the database until somebody has pressed a key."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from companion.store.lock import open_regular, plain, share

if TYPE_CHECKING:
    from pathlib import Path

ENDING = ".notice"
LONGEST = 4096


def kept(path: Path) -> str:
    """The sentences that are kept beside a database, "" for none. Raises StoreError, OSError."""
    try:
        with os.fdopen(plain(path.with_name(path.name + ENDING)), "rb") as file:
            text = file.read(LONGEST).decode(errors="replace")
    except FileNotFoundError:
        return ""
    return "".join(char for char in text if char.isprintable())


def keep(path: Path, sentence: str) -> None:
    """Add a sentence, once; on disk when this returns. Raises StoreError, OSError."""
    fd = open_regular(path.with_name(path.name + ENDING))
    try:
        share(fd, path.parent)
        data = joined(kept(path), sentence).encode()
        os.pwrite(fd, data, 0)
        os.ftruncate(fd, len(data))
        os.fsync(fd)
    finally:
        os.close(fd)


def joined(said: str, sentence: str) -> str:
    """Sentences and one more, which is not said twice."""
    return said if sentence in said else f"{said} {sentence}".strip()


def heard(path: Path) -> None:
    """Forget the sentences. Raises OSError."""
    path.with_name(path.name + ENDING).unlink(missing_ok=True)

"""In which order the games of other packages were first seen: the main menu keeps to it, so that digits stay."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FILE = "games.txt"


def first_seen(folder: Path, games: Sequence[str]) -> tuple[str, ...]:
    """The ids in the order in which this data folder has met them; a new one is remembered as the last.

    A game whose package is away keeps its place. Where nothing can be written, new ones are last all the same.
    """
    file = folder / FILE
    try:
        known = [line for line in file.read_text(encoding="utf-8").split("\n") if line]
    except (OSError, UnicodeDecodeError):
        known = []
    order = list(dict.fromkeys((*known, *games)))
    if order != known:
        _write(file, order)
    return tuple(order)


def _write(file: Path, order: Sequence[str]) -> None:
    part = file.with_suffix(".part")
    try:
        with part.open("w", encoding="utf-8") as out:
            out.write("".join(f"{game}\n" for game in order))
            out.flush()
            os.fsync(out.fileno())
        part.replace(file)
    except OSError:
        part.unlink(missing_ok=True)

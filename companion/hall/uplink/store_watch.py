"""Notices that a table's store was written, without opening it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.store.index import INDEX

if TYPE_CHECKING:
    from pathlib import Path


class StoreWatch:
    """The index of a data folder and its write-ahead log, which are written after the journal."""

    def __init__(self, folder: Path) -> None:
        self._files = [folder / name for name in (INDEX, f"{INDEX}-wal")]
        self._seen: list[tuple[int, int, int] | None] = []
        self.again = False  # `changed` is true once more

    def changed(self) -> bool:
        """Whether inode, size or time of a file differ from the last call; true at the first, and once after a change.

        Once more, because a write may be half done when it is seen: the log is written over from its start, so its size
        stays, and file systems count time in steps of some milliseconds.
        """
        seen = [_identity(file) for file in self._files]
        differs, self._seen = seen != self._seen, seen
        changed, self.again = differs or self.again, differs
        return changed


def _identity(file: Path) -> tuple[int, int, int] | None:
    try:
        at = file.stat()
    except OSError:
        return None
    return at.st_ino, at.st_size, at.st_mtime_ns

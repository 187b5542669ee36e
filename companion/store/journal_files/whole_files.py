"""The journal's files while no journal is open: whether they are as they were noted, read, and written anew."""

from __future__ import annotations

import contextlib
import os
import zlib
from typing import TYPE_CHECKING, NamedTuple

from companion.store.data_folder import open_for_reading, open_for_writing, share_with_group
from companion.store.journal_files.copies import chunks, content_end, filling, is_short
from companion.store.journal_files.diagnosis import lines_from
from companion.store.journal_files.journal_lines import understood

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from companion.store.stored_lines import StoredLine

WINDOW = 1 << 20
"""How many bytes at the end of a journal are looked through line by line where nothing is noted of it."""
NEAR = 4096
"""How many bytes are looked at first for a line near the end."""
WRITTEN = 1 << 18
"""How many bytes of a new file are written at once."""


class Sum(NamedTuple):
    """Size and CRC-32 of the first bytes of a file, and the number of the last line in them; -1 for none."""

    size: int = 0
    crc: int = 0
    top: int = -1


NOTHING = Sum()


def looked_at(paths: Sequence[Path], noted: Sum = NOTHING) -> Sum | None:
    """The sum of files that have the same bytes, those that were noted, and good lines behind; else None.

    Where nothing is noted only the last lines are looked at. Raises StoreError, OSError.
    """
    if not all(map(os.path.lexists, paths)):
        return None
    with contextlib.ExitStack() as undo:
        files = [undo.enter_context(open(open_for_reading(path), "rb", 0)).fileno() for path in paths]
        end = content_end(files[0])
        if any(content_end(fd) != end for fd in files) or noted.size > end or all(map(is_short, files)):
            return None
        crc = 0
        for first, last in ((0, noted.size), (noted.size, end)):
            for data, *others in zip(*(chunks(fd, first, last) for fd in files), strict=True):
                if any(other != data for other in others):
                    return None
                crc = zlib.crc32(data, crc)
            if not first and crc != noted.crc and last == noted.size:
                return None
        top = _top(files[0], noted, end)
        return None if top is None else Sum(end, crc, top)


def _top(fd: int, noted: Sum, end: int) -> int | None:
    """The number of the last line if those behind the noted ones, or the last ones, are right; else None."""
    start = noted.size or max(0, end - WINDOW)
    top, more = noted.top if noted.size or not start else None, 0
    for place, line in enumerate(lines_from(fd, start)):
        if line is None:
            if place or top is not None:
                return None  # Else the look began in the middle of a line.
        elif top is not None and line.number != top + 1:
            return None
        else:
            top, more = line.last, line.more
    return None if more or top == -1 else top


def replaced(paths: Sequence[Path], lines: Iterable[bytes]) -> None:
    """Write the same lines to files, and put these in the place of those that are there. Raises StoreError, OSError."""
    parts = [path.with_name(path.name + ".part") for path in paths]
    with contextlib.ExitStack() as undo:
        files = []
        for part in parts:
            part.unlink(missing_ok=True)
            fd = open_for_writing(part)
            share_with_group(fd, part.parent)
            files.append(undo.enter_context(os.fdopen(fd, "wb", WRITTEN)))
        for line in lines:
            for file in files:
                file.write(line + b"\n")
        for file in files:
            file.write(filling(file.tell()))
            file.flush()
            os.fsync(file.fileno())
    for part, path in zip(parts, paths, strict=True):
        part.rename(path)
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that the names of its files are on disk. Raises OSError."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def after(path: Path, number: int) -> Iterator[StoredLine]:
    """The lines of a file after that number, found from its end. Raises StoreError, OSError."""
    with open(open_for_reading(path), "rb", 0) as file:
        start, step = content_end(file.fileno()), NEAR
        while start:
            start = max(0, start - step)
            step *= 4
            first = next(filter(None, lines_from(file.fileno(), start)), None)
            if first is not None and first.number <= number:
                break
        for line in understood(lines_from(file.fileno(), start)):
            if line.id > number:
                yield line


def recent(path: Path) -> Iterator[StoredLine]:
    """The lines in the last `WINDOW` bytes of a file, some hundred rounds. Raises StoreError, OSError."""
    with open(open_for_reading(path), "rb", 0) as file:
        yield from understood(lines_from(file.fileno(), max(0, content_end(file.fileno()) - WINDOW)))

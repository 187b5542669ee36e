"""Puts a copy of a journal in the place of a folder's rounds, and keeps what was there.

Files are only renamed, each at once, so that a power cut leaves either the rounds of before or those of the copy.
"""

from __future__ import annotations

import contextlib
import os
import re
from typing import TYPE_CHECKING

from companion.languages import text
from companion.store.data_folder import lock_folder, set_file_aside
from companion.store.journal import JOURNAL_NAME, raw_lines, read_lines, replace_journal, sync_folder
from companion.store.second_disk import PLACE_NAME, SECOND_NAME, find_disk_fault, second_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FORMAT_LINE = re.compile(rb"[0-9a-f]{12} 0 companion-journal (\d+)")
FORMAT_NUMBER = 1
"""The newest format of a journal that this version reads."""


def find_fault(source: int) -> str:
    """Why an open file cannot be restored, as the end of a sentence; "" if it can. Raises OSError."""
    if os.pread(source, 6, 0) == b"SQLite":
        return text("it is the database; name the file rounds.journal beside it, which has the same rounds")
    first = next(read_lines(source, 0), None)
    format_line = FORMAT_LINE.fullmatch(first.data) if first is not None else None
    if format_line is not None and int(format_line[1]) > FORMAT_NUMBER:
        return text("a newer version of this program has written it, so install that version first")
    if not count_rounds(source):
        return text("there are no rounds in it")
    return ""


def count_rounds(source: int) -> int:
    """The number of rounds in an open file. Raises OSError."""
    return sum(line is not None and line.data.split(b" ", 5)[4:5] == [b"begin"] for line in read_lines(source, 0))


def restore_journal(source: int, folder: Path) -> Path | None:
    """Replace the rounds of a folder by those of an open file.

    Returns the folder to which the files of before were moved, None if there were none. The next start makes the
    database. Raises FolderInUseError, StoreError, OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = lock_folder(folder)
    try:
        aside, second = _free_folder(folder), second_folder(folder)
        was_ours = second is not None and find_disk_fault(folder, second) is None
        if os.path.lexists(folder / SECOND_NAME):
            _move(folder / SECOND_NAME, aside)
        # Under this name a start finds it while there is no journal, and trusts it less than a journal.
        replace_journal(folder / SECOND_NAME, (data for _, data, _ in raw_lines(source)))
        for path in (*_other_files(folder), folder / JOURNAL_NAME):
            if os.path.lexists(path):
                _move(path, aside)
        sync_folder(folder)
        (folder / SECOND_NAME).rename(folder / JOURNAL_NAME)
        sync_folder(folder)
        os.ftruncate(lock, 0)  # It has the identity of the rounds of before.
        if second is not None and (was_ours or find_disk_fault(folder, second) is None):
            _set_second_copy_aside(second / SECOND_NAME, source)
        return aside if aside.exists() else None
    finally:
        os.close(lock)


def _other_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.glob("rounds.*")):
        if path.name not in (JOURNAL_NAME, SECOND_NAME, PLACE_NAME) and ".damaged-" not in path.name:
            yield path


def _free_folder(folder: Path) -> Path:
    number = 1
    while os.path.lexists(folder / f"replaced-{number}"):
        number += 1
    return folder / f"replaced-{number}"


def _move(path: Path, aside: Path) -> None:
    if not aside.exists():
        aside.mkdir()
        with contextlib.suppress(OSError):
            aside.chmod(path.parent.stat().st_mode & 0o7777)
    path.rename(aside / path.name)


def _set_second_copy_aside(copy: Path, source: int) -> None:
    """Set the copy on another disk aside, since a start would add the rounds that only it has."""
    with contextlib.suppress(OSError):
        if not os.path.samestat(copy.lstat(), os.fstat(source)):
            set_file_aside(copy)

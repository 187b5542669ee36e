"""A folder with a file for each round; a power cut or a full disk never leaves an incomplete file."""

from __future__ import annotations

import fcntl
import os
import re
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from companion import Unusable
from companion.commands.streams import printable, saying_why
from companion.languages import text
from companion.languages.system import why
from companion.replacing import PART, replace_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BEGUN = re.compile(rb'(?:^date: |"date": ")([^"\n]+T[^"\n]+)', re.MULTILINE)
_SUM = re.compile(rb"# sum [0-9a-f]{8}\n?\Z")
"""The last line of a record, which is another one once the round has grown; see `round_text`."""


class Written(NamedTuple):
    """A round's file and what was done: ``new``, ``renewed``, or ``there`` if it existed and is unchanged."""

    file: Path
    how: str


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Create and lock a folder; at the end of the context its file names are synced. Raises Unusable."""
    with saying_why("cannot write to {folder}: {why}", folder=printable(str(folder))):
        folder.mkdir(parents=True, exist_ok=True)
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for left in folder.glob(f".*{PART}"):  # Left by an export that was interrupted.
            with suppress(OSError):
                left.unlink()
        yield
        os.fsync(fd)
    except BlockingIOError:
        raise Unusable(text("another export to {folder} is running", folder=printable(str(folder)))) from None
    finally:
        os.close(fd)


def put(folder: Path, name: str, ending: str, whole: str) -> Written:
    """Write a round's text to NAME.ENDING, or if that is another round's file, to NAME-2.ENDING and so on.

    Raises Unusable if it cannot be written; an existing file is then unchanged.
    """
    data = whole.encode(errors="replace")
    file, before = place(folder, name, ending, data)
    if before == data:
        return Written(file, "there")
    with saying_why("cannot write {file}: {why}", file=printable(str(file))):
        replace_file(file, data)
    return Written(file, "new" if before is None else "renewed")


def place(folder: Path, name: str, ending: str, data: bytes) -> tuple[Path, bytes | None]:
    """The path for a round's file, and the content of an existing one, None for none. Raises Unusable."""
    number = 0
    while True:
        number += 1
        file = folder / f"{name}{f'-{number}' if number > 1 else ''}.{ending}"
        try:
            if not stat.S_ISREG(os.lstat(file).st_mode):  # A link or a pipe is not ours.
                continue
            before = file.read_bytes()
        except FileNotFoundError:
            return file, None
        except OSError as error:
            message = "cannot read {file}: {why}"
            raise Unusable(text(message, file=printable(str(file)), why=why(error))) from None
        if before == data or _same_round(before, data):
            return file, before


def _same_round(before: bytes, now: bytes) -> bool:
    """Whether two contents of a file are states of the same round, and not rounds of different stores.

    Number and game are already equal, being in the file's name; the date of the start (to the second) must be equal
    too. Events and names may differ.
    """
    # A full disk or a power cut may leave an empty file, or one of zeros.
    if now.startswith(_SUM.sub(b"", before).rstrip(b"\0")):
        return True
    old, new = _BEGUN.search(before), _BEGUN.search(now)
    return old is not None and new is not None and old[1] == new[1]

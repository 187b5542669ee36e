"""The files of rounds around an upgrade: which version they are of, a copy of them, and the way back.

Since version 6 the rounds are in a journal, which no version changes for another: `rounds.db` stays beside it as the
program before has left it, and is what that goes on with.

Run as the user companion by the system's Python, whatever state the program itself is in:

    rounds.py version FOLDER        6 for a journal, else the version of the tables, 0 where there are no rounds
    rounds.py copy FOLDER TO        a copy of the rounds, taken beside a running table
    rounds.py back FOLDER VERSION   the rounds as they were before a newer program changed the tables
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import stat
import sys
from pathlib import Path

FILE = "rounds.db"
JOURNAL = ("rounds.journal", "rounds.journal-2")
WITH_JOURNAL = 6
FETCH = "while the service is stopped, `companion rescue {}` takes it in"
PARTS = ("", "-wal", "-shm", "-journal")
"""The names of the files that SQLite opens: a database and what belongs to it."""


def refuse_what_is_no_file(file: Path) -> None:
    """Raise OSError for a link or a pipe in the place of a file: SQLite would follow it, or wait for it for ever."""
    for part in PARTS:
        path = f"{file}{part}"
        if os.path.lexists(path) and not stat.S_ISREG(os.lstat(path).st_mode):
            raise OSError(f"{path} is not a regular file")


def journal(folder: Path) -> Path | None:
    """A file of the journal, None where there is none. Raises OSError for a link or a pipe in its place."""
    for path in (folder / name for name in JOURNAL):
        if os.path.lexists(path):
            refuse_what_is_no_file(path)
            return path
    return None


def version(file: Path) -> int:
    """The version of the tables. Raises sqlite3.Error, OSError."""
    refuse_what_is_no_file(file)
    if not file.exists():
        return 0
    with contextlib.closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


def copy(file: Path, to: Path) -> None:
    """Copy the rounds, with what is only in the log so far. Raises sqlite3.Error, OSError."""
    if journal(file.parent) is not None:
        # The second first: a table that runs writes to it last. What one of them has lost is in the other.
        for path in (file.with_name(name) for name in reversed(JOURNAL)):
            if path.is_file() and not path.is_symlink():
                shutil.copyfile(path, to.with_name(path.name))
        return
    refuse_what_is_no_file(file)
    if file.exists():
        with contextlib.closing(sqlite3.connect(file)) as db, contextlib.closing(sqlite3.connect(to)) as other:
            db.backup(other)


def back(file: Path, wanted: int) -> str:
    """Put the copy that was made before a migration in the place of the migrated file; what was done, "" if nothing.

    The newer file is kept under another name. A power cut leaves the one or the other as the rounds.
    Raises sqlite3.Error, OSError; FileNotFoundError where there is no copy.
    """
    refuse_what_is_no_file(file)
    there = journal(file.parent)
    if not wanted or not file.exists() or version(file) <= wanted:
        if wanted >= WITH_JOURNAL or there is None:
            return ""
        return f"the rounds are as before the upgrade; {there} keeps what was played since, and the next upgrade has it"
    before = file.with_name(f"{file.name}.before-{wanted + 1}")
    refuse_what_is_no_file(before)
    before.stat()
    aside = _free_name(file)
    _bring_log_in(file)
    os.link(file, aside)
    for part in file.parent.glob(f"{file.name}-*"):  # Logs and checksums; none may be taken for one of the older file.
        part.rename(f"{aside}{part.name.removeprefix(file.name)}")
    _sync(file.parent)
    os.rename(before, file)
    _sync(file.parent)
    return f"the rounds are as before the upgrade; what was played since is kept in {aside}: {FETCH.format(aside)}"


def _bring_log_in(file: Path) -> None:
    """Make one file of a database and its log, as far as it can be read."""
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA journal_mode = DELETE")


def _free_name(file: Path) -> Path:
    number = 1
    while os.path.lexists(f"{file}.newer-{number}"):
        number += 1
    return Path(f"{file}.newer-{number}")


def _sync(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    os.fsync(fd)
    os.close(fd)


def main(words: list[str]) -> int:
    """Do what is asked; the exit status."""
    file = Path(words[1]) / FILE
    try:
        if words[0] == "version":
            print(version(file) if journal(file.parent) is None else WITH_JOURNAL)
        elif words[0] == "copy":
            copy(file, Path(words[2]) / FILE)
        elif said := back(file, int(words[2])):
            print(f"companion: {said}")
    except (sqlite3.Error, OSError) as error:
        print(f"companion: the rounds in {words[1]}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

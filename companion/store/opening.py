"""What is done before a database is opened: is it whole, is it of today's form, and what is made of it where it is not.

A new file is written beside the old one and synced before it takes its place, so the power may fail at any moment: then
the old file is there, or the new one, or the new one waits under a name by which the next start goes on.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
from typing import TYPE_CHECKING, NamedTuple

from companion.store import log, rescue, sums
from companion.store.copied import read_only
from companion.store.lock import StoreError, no_file, plain_bytes, share
from companion.store.migrate import old_rounds
from companion.store.rescue import Recovered
from companion.store.schema import FIRST, VERSION

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PARTS = ("", "-wal", "-shm", "-journal", sums.ENDING)
"""The endings of the files that together are one database."""
MENDED, MIGRATED = ".mended", ".migrated"
"""The endings of a new file that is whole, and takes the place of a damaged one, or of an old one that is copied."""
PAGE = 4096
"""The size of a page where the file itself cannot tell."""
LAST_ENTRY = "The last entry may be missing: the power failed while it was written, or the disk has changed it."


class Look(NamedTuple):
    """What the files look like from outside.

    `fits`: every page is as it was counted. `ends_early`: the log once went further. `broken`: more than an entry lies
    behind a place where it is damaged. `torn`: its last entry is not whole. `top`: the last entry there was, as far as
    that is known.
    """

    fits: bool
    ends_early: bool
    broken: bool
    torn: bool
    top: int

    @property
    def well(self) -> bool:
        """Whether nothing needs a closer look."""
        return self.fits and not self.ends_early and not self.broken


class Prepared(NamedTuple):
    """What was found and done: whether all pages fit, all rounds where they do not, and a sentence for the players."""

    fits: bool
    found: Recovered | None
    warning: str


def refuse_what_is_no_file(path: Path) -> None:
    """Raise StoreError for a link or a pipe in the place of a file, which SQLite would follow or wait for."""
    for part in PARTS:
        file = path.with_name(path.name + part)
        if os.path.lexists(file) and not stat.S_ISREG(os.lstat(file).st_mode):
            raise no_file(file)


def look(path: Path) -> Look:
    """Look at a database without opening it; nobody may have it open. Raises OSError."""
    note = sums.noted(path)
    there = log.read(path.with_name(path.name + "-wal"))
    noted = note.end if note is not None else log.End()
    gone = bool(noted.frames) and (noted.salt != there.end.salt if there.end.frames else not there.last)
    early = gone or noted.frames > max(there.last, there.end.frames)
    broken = there.behind > 1
    torn = (there.behind == 1 and noted != there.end) or there.bad_head
    fits = note is not None and path.exists() and sums.fit(path, note)
    return Look(fits, early, broken, torn and not early and not broken, note.top if note is not None else 0)


def prepare(path: Path, slow: Callable[[], object] = lambda: None) -> Prepared:
    """Have a whole database of today's form at a path, whatever lies there.

    `slow` is called before anything that takes minutes on a slow computer with thousands of rounds.
    Raises StoreError, sqlite3.Error, OSError.
    """
    finish(path)
    if not _is_there(path):
        return _begin(path)
    if path.with_name(path.name + "-journal").exists():  # Left by an older program; only a writer can roll it back.
        with contextlib.closing(sqlite3.connect(path)) as db, contextlib.suppress(sqlite3.DatabaseError):
            db.execute("SELECT 1 FROM sqlite_schema").fetchone()
    seen = look(path)
    torn = LAST_ENTRY if seen.torn else ""
    if seen.well:
        return Prepared(True, None, torn)
    slow()
    with contextlib.closing(read_only(path)) as db:
        version = _version(db)
        if version > VERSION:
            raise StoreError(f"The rounds in {path.parent} were kept by a newer version of the program.")
        found = rescue.checked(db) if version >= FIRST and not seen.broken else None
        if 0 < version < FIRST:
            return _migrate(path, db, version)
    if found is not None and found.whole and found.top >= seen.top:
        return Prepared(False, found, torn)  # Another program has brought the log in, or the power failed meanwhile.
    return Prepared(False, None, rescued(path, seen.top))


def rescued(path: Path, last: int = 0) -> str:
    """Put a database with what can be found in a damaged one in its place; what is to be told."""
    with contextlib.closing(read_only(path)) as db:
        wanted = rescue.counts(db)
    return replaced(path, rescue.carved(plain_bytes(path), log_bytes(path), PAGE, wanted), last)


def replaced(path: Path, found: Recovered, last: int = 0) -> str:
    """Set a damaged database aside, and put one with what was found in its place; what is to be told.

    `last` is the number of the last line there was, if that is known.
    """
    aside = _put(path, found, aside=True)
    return f"The kept rounds were damaged; they lie aside as {aside.name}. {found.said(last)}"


def finish(path: Path) -> Path | None:
    """Put a new file that is whole in its place, also where the power failed before; where the old one lies aside.

    Raises OSError.
    """
    aside = None
    if (new := path.with_name(path.name + MENDED)).exists():
        aside = set_aside(path)
    elif (new := path.with_name(path.name + MIGRATED)).exists():
        # The old database is copied. Its log must be gone before the new file is there: SQLite would bring it in.
        for part in PARTS[1:]:
            path.with_name(path.name + part).unlink(missing_ok=True)
    else:
        return None
    sync_folder(path.parent)
    new.rename(path)
    sync_folder(path.parent)
    return aside


def set_aside(path: Path) -> Path:
    """Move a database out of the way with all its parts; nothing is deleted. Raises OSError."""
    aside = _free_name(f"{path}.damaged")
    for part in PARTS:
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + part).rename(aside.with_name(aside.name + part))
    return aside


def sync_folder(folder: Path) -> None:
    """Wait until the names of the files in a folder are on disk. Raises OSError."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _is_there(path: Path) -> bool:
    """Whether there is anything of a database, if only its log."""
    return any(each.exists() and each.stat().st_size for each in (path, path.with_name(path.name + "-wal")))


def _begin(path: Path) -> Prepared:
    """A new database; where there was one, as the file beside it tells, that is told."""
    note = sums.noted(path)
    empty = Recovered({}, [])
    if note is None or not note.pages:
        _put(path, empty, aside=False)
        return Prepared(False, None, "")
    if path.exists():
        return Prepared(False, None, replaced(path, empty))
    _put(path, empty, aside=True)
    return Prepared(False, None, "The file of the kept rounds is gone; a new one was begun.")


def _version(db: sqlite3.Connection) -> int:
    """The version of a database's tables, 0 where they are not ours or cannot be read."""
    try:
        version = int(db.execute("PRAGMA user_version").fetchone()[0])
        if version <= VERSION:
            db.execute("SELECT id FROM rounds WHERE id = 0").fetchone()
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorname", "") not in ("SQLITE_ERROR", ""):
            raise
        return 0
    except sqlite3.DatabaseError:
        return 0
    return version


def _migrate(path: Path, db: sqlite3.Connection, version: int) -> Prepared:
    """An old database in today's form; the old one is kept beside it, for going back to an older program."""
    found = old_rounds(db)
    if found.damaged:
        return Prepared(False, None, replaced(path, found))
    keep_copy(db, path.with_name(f"{path.name}.before-{version + 1}"))
    _put(path, found, aside=False)
    return Prepared(False, None, "")


def _put(path: Path, found: Recovered, *, aside: bool) -> Path:
    """Write a database with what was found, and put it in the place of the one there, which is kept if `aside`."""
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    rescue.built(part, found).close()
    _sync(part)
    part.rename(path.with_name(path.name + (MENDED if aside else MIGRATED)))
    sync_folder(path.parent)
    return finish(path) or path


def keep_copy(db: sqlite3.Connection, copy: Path) -> None:
    """Copy a database to a file beside it; it is on disk when this returns.

    Raises sqlite3.Error, OSError. A copy of that name that is there already is kept under another.
    """
    unfinished = copy.with_name(copy.name + ".part")
    unfinished.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(unfinished)) as to:
        db.backup(to)
        to.execute("PRAGMA journal_mode = DELETE")  # One file, without a log beside it.
    _sync(unfinished)
    if copy.exists():
        copy.rename(_free_name(f"{copy}-old"))
    unfinished.rename(copy)
    sync_folder(copy.parent)


def _sync(path: Path) -> None:
    fd = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        share(fd, path.parent)
        os.fsync(fd)
    finally:
        os.close(fd)


def _free_name(start: str) -> Path:
    """`start` with the first number behind it by which no database lies there."""
    from pathlib import Path

    number = 1
    while any(os.path.lexists(f"{start}-{number}{part}") for part in PARTS):
        number += 1
    return Path(f"{start}-{number}")


def log_bytes(path: Path) -> bytes:
    """What lies in the log of a database. Raises StoreError, OSError."""
    return plain_bytes(path.with_name(path.name + "-wal"))

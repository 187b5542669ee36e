"""Prepares a database for opening: checks it, rescues what is damaged, converts older versions.

A new file is written beside the old one and synced before it takes its place. After a power cut there is the old file,
or the new one, or a complete new one under a name by which the next start continues.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
from typing import TYPE_CHECKING, NamedTuple

from companion.store import log, notice, rescue, sums
from companion.store.carve import images
from companion.store.copied import read_only
from companion.store.lock import StoreError, is_damage, no_file, share
from companion.store.migrate import old_rounds
from companion.store.rescue import Recovered
from companion.store.schema import FIRST, VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PARTS = ("", "-wal", "-shm", "-journal", sums.ENDING)
"""The endings of the files that together make one database."""
MENDED, MIGRATED = ".mended", ".migrated"
"""The endings of a complete new file that is to replace a damaged one, or an older version of which a copy is kept."""
VERSION_AT = 60
"""Where a database has the version of its tables, in four bytes."""
PAGE = 4096
"""The page size if the file's header cannot be read."""
LAST_ENTRY = "The last entry may be missing: the power failed while it was written, or the disk has changed it."


class Look(NamedTuple):
    """The state of a database's files, found without opening it by SQLite.

    Attributes:
        fits: every page has its checksum.
        ends_early: the WAL was longer before.
        broken: more than one line follows a damaged place in the WAL.
        torn: the WAL's last line is incomplete, and may have been kept.
        top: the number of the last line, as far as it is known.
    """

    fits: bool
    ends_early: bool
    broken: bool
    torn: bool
    top: int

    @property
    def well(self) -> bool:
        """Whether nothing has to be examined further."""
        return self.fits and not self.ends_early and not self.broken


class Prepared(NamedTuple):
    """What was found and done: whether all pages fit, whether the tables are to be computed again from the lines since
    they do not, a sentence for the players."""

    fits: bool
    rebuild: bool
    warning: str


def refuse_what_is_no_file(path: Path) -> None:
    """Raise StoreError for a link or a pipe in the place of a file: SQLite would follow it, or wait for it."""
    for part in PARTS:
        file = path.with_name(path.name + part)
        if os.path.lexists(file) and not stat.S_ISREG(os.lstat(file).st_mode):
            raise no_file(file)


def inspect_files(path: Path) -> Look:
    """Examine a database without opening it; nobody else may have it open. Raises OSError."""
    note = sums.noted(path)
    there = log.read(path.with_name(path.name + "-wal"))
    noted = note.end if note is not None else log.End()
    gone = bool(noted.frames) and (noted.salt != there.end.salt if there.end.frames else not there.last)
    early = gone or noted.frames > max(there.last, there.end.frames)
    broken = there.behind > 1
    told = noted.salt == there.salt and noted.frames > there.end.frames  # More was kept than there is.
    torn = (there.behind == 1 and noted != there.end and (told or not there.unwritten)) or there.bad_head
    fits = note is not None and path.exists() and sums.fit(path, note)
    return Look(fits, early, broken, torn and not early and not broken, note.top if note is not None else 0)


def prepare(path: Path, slow: Callable[[], object] = lambda: None) -> Prepared:
    """Make sure that an intact database of the present version is at a path, whatever is there now.

    `slow` is called before anything that may take minutes with thousands of rounds. Raises StoreError, sqlite3.Error,
    OSError.
    """
    finish(path)
    if not _is_there(path):
        return _begin(path)
    if path.with_name(path.name + "-journal").exists():  # Left by an older version; only a writer can roll it back.
        with contextlib.closing(sqlite3.connect(path)) as db, contextlib.suppress(sqlite3.DatabaseError, ValueError):
            db.execute("SELECT 1 FROM sqlite_schema").fetchone()
    seen = inspect_files(path)
    torn = LAST_ENTRY if seen.torn else ""
    if seen.well:
        return Prepared(True, False, torn)
    slow()
    if not path.exists():  # Only its WAL is left.
        return Prepared(False, False, rescued(path, seen.top))
    with contextlib.closing(read_only(path)) as db:
        version = version_of(path, db)
        if version > VERSION:
            raise StoreError(f"The rounds in {path.parent} were kept by a newer version of the program.")
        if 0 < version < FIRST:
            return _migrate(path, db, version)
        found = rescue.checked(db) if version >= FIRST and not seen.broken else None
        whole = found is not None and found.whole and found.top >= seen.top
    if whole:
        return Prepared(False, True, torn)  # Another program made a checkpoint, or there was a power cut.
    return Prepared(False, False, rescued(path, seen.top))


def rescued(path: Path, last: int = 0) -> str:
    """Replace a damaged database by one with all that can be found in it, be it nothing.

    Returns sentences for the players. Raises StoreError, sqlite3.Error, OSError where the disk fails.
    """
    try:
        expected: rescue.Counts = {}
        if path.exists():
            with contextlib.closing(read_only(path)) as db:
                expected = rescue.counts(db)
        with images(path, PAGE) as both:
            return replaced(path, rescue.carved(both, expected), last)
    except Exception as error:
        if not is_damage(error):
            raise
        return replaced(path, Recovered({}, []))


@contextlib.contextmanager
def found_in(path: Path) -> Iterator[Recovered]:
    """All rounds that can be found in a file of any version that nobody has open, to be read within this context.

    Raises StoreError, sqlite3.Error, OSError.
    """
    refuse_what_is_no_file(path)
    with contextlib.closing(read_only(path)) as db:
        if 0 < version_of(path, db) < FIRST:
            yield old_rounds(db)
            return
        expected = rescue.counts(db)
    with images(path, PAGE) as both:
        yield rescue.carved(both, expected)


def replaced(path: Path, found: Recovered, last: int = 0) -> str:
    """Set a damaged database aside and put one with what was found in its place. Returns sentences for the players.

    `last` is the number of the damaged database's last line, 0 if unknown. A power cut does not lose the sentences.
    """
    aside = _free_name(f"{path}.damaged").name
    said = f"The kept rounds were damaged; they lie aside as {aside}. {found.said(last)}"
    _put(path, found, said)
    return said


def finish(path: Path) -> None:
    """Put a complete new file in its place, also one that a power cut left. Raises OSError."""
    if (new := path.with_name(path.name + MENDED)).exists():
        set_aside(path)
    elif (new := path.with_name(path.name + MIGRATED)).exists():
        # A copy is kept. The old WAL must go before the new file comes, or SQLite would apply it to that.
        for part in PARTS[1:]:
            path.with_name(path.name + part).unlink(missing_ok=True)
    else:
        return
    sync_folder(path.parent)
    new.rename(path)
    sync_folder(path.parent)


def set_aside(path: Path) -> None:
    """Rename a database with all its files; nothing is deleted. Raises OSError."""
    aside = _free_name(f"{path}.damaged")
    for part in PARTS:
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + part).rename(aside.with_name(aside.name + part))


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that the names of its files are on disk. Raises OSError."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _is_there(path: Path) -> bool:
    """Whether there is any file of a database, if only its WAL."""
    return any(each.exists() and each.stat().st_size for each in (path, path.with_name(path.name + "-wal")))


def _begin(path: Path) -> Prepared:
    """Create a new database; with a sentence if the file of checksums shows that there was one."""
    note = sums.noted(path)
    empty = Recovered({}, [])
    if note is None or not note.pages:
        _put(path, empty)
        return Prepared(False, False, "")
    if path.exists():
        return Prepared(False, False, replaced(path, empty))
    said = "The file of the kept rounds is gone; a new one was begun."
    _put(path, empty, said)
    return Prepared(False, False, said)


def version_of(path: Path, db: sqlite3.Connection) -> int:
    """The version of a database's tables; 0 if they are not ours or cannot be read, or if the number is damaged."""
    try:
        version = int(db.execute("PRAGMA user_version").fetchone()[0])
        if version <= VERSION:
            db.execute("SELECT id FROM rounds WHERE id = 0").fetchone()
    except Exception as error:
        if not is_damage(error):
            raise
        return 0
    note = sums.noted(path)
    wrong = (
        note is not None and version != VERSION and sums.fits_with(path, note, VERSION_AT, VERSION.to_bytes(4, "big"))
    )
    return 0 if wrong else version


def _migrate(path: Path, db: sqlite3.Connection, version: int) -> Prepared:
    """Convert an old database, and keep a copy of it for going back to an older version of the program."""
    found = old_rounds(db)
    if found.damaged:
        return Prepared(False, False, replaced(path, found))
    keep_copy(db, path.with_name(f"{path.name}.before-{version + 1}"))
    _put(path, found)
    return Prepared(False, False, "")


def _put(path: Path, found: Recovered, said: str = "") -> None:
    """Write a database with what was found, and replace the present one; with something to say that is set aside."""
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    rescue.built(part, found).close()
    _sync(part)
    if said:
        notice.keep(path, said)
    part.rename(path.with_name(path.name + (MENDED if said else MIGRATED)))
    sync_folder(path.parent)
    finish(path)


def keep_copy(db: sqlite3.Connection, copy: Path) -> None:
    """Copy a database to a file, synced when this returns; an existing file of that name is renamed first.

    Raises sqlite3.Error, OSError.
    """
    unfinished = copy.with_name(copy.name + ".part")
    unfinished.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(unfinished)) as to:
        db.backup(to)
        to.execute("PRAGMA journal_mode = DELETE")  # One file, without a WAL.
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
    """`start` with the first number appended under which there is no database."""
    from pathlib import Path

    number = 1
    while any(os.path.lexists(f"{start}-{number}{part}") for part in PARTS):
        number += 1
    return Path(f"{start}-{number}")

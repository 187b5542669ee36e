"""The journal: the truth about the rounds, as lines that are only appended, in two files that say the same.

A line is kept when it is synced in both. The first file is written and synced before the second is begun: so what is
only in the first may or may not have been kept when the power failed, and what only the second lacks is damage. A page
that a power cut leaves as junk has lines in it that were kept; the other file, which is not being written, has them.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import zlib
from typing import TYPE_CHECKING

from companion.store import notices
from companion.store.data_folder import open_for_writing
from companion.store.errors import StoreError
from companion.store.journal_files import diagnosis, second
from companion.store.journal_files.copies import Copy
from companion.store.journal_files.diagnosis import Source
from companion.store.journal_files.journal_lines import HEADER, written
from companion.store.journal_files.second import JOURNAL, SECOND, paths
from companion.store.journal_files.whole_files import NOTHING, Sum, looked_at, replaced, sync_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from companion.store.journal_files.diagnosis import Lines
    from companion.store.notices import Told
    from companion.store.stored_lines import StoredLine


class Journal:
    """The journal of a data folder, open for appending; the folder is locked by the caller.

    Args:
        folder: the data folder.
        noted: what the first bytes summed up to before.
        spare: has lines that were kept, for those that both files have lost.
        slow: called with how many bytes are going to be looked through, before that.
        tell: called with what the players are told, about damage or about the other disk.
        moved: the place of the second file was configured anew.

    `sum` is that of all lines. Raises StoreError, OSError.
    """

    def __init__(
        self,
        folder: Path,
        noted: Sum,
        spare: Lines | None,
        slow: Callable[[int], object],
        tell: Callable[[Told], None],
        *,
        moved: bool,
    ) -> None:
        self._folder, self._home, self._tell = folder, (folder / JOURNAL, folder / SECOND), tell
        self._told: Told | None = None  # what was told last about the other disk
        self.refilled = False  # the other disk had lines that were lost here
        self.copies: list[Copy] = []
        self.paths = paths(folder)
        _finish_naming(self.paths)
        self.fresh = not any(map(_has_lines, self.paths)) and spare is None
        if self.fresh:
            self.paths = self._home
            replaced(self.paths, [HEADER])
        # A second file that has lain elsewhere is not there, or as it was then.
        away = moved or (second.place(folder) is not None and not os.path.lexists(self.paths[1]))
        try:
            seen = looked_at(self.paths, noted)
            if seen is None or (spare is not None and seen.top < spare.top):
                slow(sum(path.stat().st_size for path in self.paths if path.exists()))
                self._mend(self.paths, [open_for_writing(path) for path in self.paths], spare, away=away)
            else:
                self._open(self.paths, seen)
        except (StoreError, OSError):
            if self.paths == self._home:
                raise
            self._mend(self._home, [open_for_writing(path) for path in self._home], spare, away=True)
        self.bring_back()

    def _open(self, those: tuple[Path, Path], seen: Sum) -> None:
        old, self.copies = self.copies, [Copy(path) for path in those]
        for copy in old:
            copy.close()
        self.paths, self.sum = those, seen

    def _mend(
        self, those: tuple[Path, Path], files: Sequence[int], spare: Lines | None = None, *, away: bool = False
    ) -> None:
        """Use these files: those that are damaged, or that a power cut has left behind, are written anew.

        With `away` the second may lack what was kept while it was elsewhere. Raises StoreError, OSError.
        """
        try:
            state = diagnosis.judged(those, [Source(fd) for fd in files], spare, away=away)
            aside = [(path, free_name(path)) for path in state.to_keep if os.path.lexists(path)]
            said = diagnosis.to_tell(state, [name.name for _, name in aside])
            if said.words:
                notices.add(self._folder / JOURNAL, said.words)
                self._tell(said)
            for path, name in aside:
                try:
                    os.link(path, name, follow_symlinks=False)
                except OSError:  # FAT has no second names.
                    shutil.copyfile(path, name, follow_symlinks=False)
            replaced(state.anew, (line.data for line in state.together.lines()))
        finally:
            for fd in files:
                os.close(fd)
        self._open(those, looked_at(those) or NOTHING)

    def bring_back(self) -> None:
        """Use the other disk for the second file, if one is configured, is there and ours. Raises StoreError."""
        there = second.place(self._folder)
        if there is None or self.paths != self._home:
            return
        why = second.why_not(self._folder, there)
        if why is None:
            try:
                there.mkdir(parents=True, exist_ok=True)
                those = self._home[0], there / SECOND
                before = self._home[0].stat().st_ino
                self._mend(those, [open_for_writing(path) for path in those], away=True)
                self.refilled = before != self._home[0].stat().st_ino
                self._home[1].unlink()
                why = second.BACK
            except (StoreError, OSError):
                why = second.AWAY
        self._tell_place(why)

    def _tell_place(self, why: Told) -> None:
        if why != self._told:
            self._tell(why)
        self._told = why

    def _go_home(self, why: Told = second.AWAY) -> bool:
        """Have the second file in the data folder, if it was on another disk; whether it was. Raises OSError."""
        if self.paths == self._home:
            return False
        self._mend(self._home, [os.dup(self.copies[0].fd), open_for_writing(self._home[1])], away=True)
        self._tell_place(why)
        return True

    def append(self, lines: Sequence[StoredLine]) -> None:
        """Append lines, all or none; they are on disk, in both files, when this returns. Raises OSError."""
        data = written(lines)
        ends = [copy.end for copy in self.copies]
        first_is_well = False
        try:
            for copy in self.copies:
                copy.append(data)
                first_is_well = True
        except OSError:
            for copy, end in zip(self.copies, ends, strict=True):
                with contextlib.suppress(OSError):  # It is tried again before the next line is written.
                    copy.cut(end)
            if not (first_is_well and self._go_home()):
                raise
            self.append(lines)
            return
        self.sum = Sum(self.sum.size + len(data), zlib.crc32(data, self.sum.crc), lines[-1].id)

    def check(self, spare: Lines) -> None:
        """Write files anew that were damaged while they are open. Raises StoreError, OSError."""
        try:
            if any(copy.is_changed() for copy in self.copies):
                there = self.paths[1].parent
                why = second.why_not(self._folder, there) if there != self._folder else None
                if why is None or not self._go_home(why):
                    self._mend(self.paths, [os.dup(copy.fd) for copy in self.copies], spare)
        except (StoreError, OSError):
            if not self._go_home():
                raise

    def close(self) -> None:
        """Close the files."""
        for copy in self.copies:
            copy.close()
        self.copies = []


def _finish_naming(paths: Sequence[Path]) -> None:
    """Give a file its name that a power cut has kept from it: see `replaced`. Raises OSError."""
    there = [os.path.lexists(path) for path in paths]
    for path, is_there in zip(paths, there, strict=True):
        part = path.with_name(path.name + ".part")
        if any(there) and not is_there and os.path.lexists(part):
            part.rename(path)
            sync_folder(path.parent)


def _has_lines(path: Path) -> bool:
    return os.path.lexists(path) and (not path.is_file() or path.is_symlink() or path.stat().st_size > 0)


def free_name(path: Path) -> Path:
    """The path with ``damaged`` and the first number under which nothing lies there."""
    number = 1
    while os.path.lexists(f"{path}.damaged-{number}"):
        number += 1
    return path.with_name(f"{path.name}.damaged-{number}")

"""Decides which entries to trust when journal, database and a copy on another disk differ, and what is damaged or lost.

An entry that one source has lost is taken from another. Where two sources differ, the one with an unbroken chain of
checksums is believed, never simply the longer one. A source that is only shorter was left so by a power cut; anything
else is damage. Only numbers, offsets and checksums are held in memory: the entries of thousands of rounds do not fit
into that of a small computer.

    journal ──┐
    database ─┼─ each a `JournalSource` or `DatabaseSource` ──> `Diagnosis` ──> `read_lines()`: the entries to use
    copies ───┘                                                            └──> what to report, repair and set aside
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import zlib
from array import array
from typing import TYPE_CHECKING

from companion.store.errors import is_damage
from companion.store.journal import is_short, pieces
from companion.store.journal_lines import HEADER, LONGEST_LINE, Sealed, opened, placeholder, understood, written
from companion.store.notices import MOST_SPANS, Lost
from companion.store.stored_lines import StoredLine

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

MOST = 1 << 26
"""The highest number of an entry that is believed: a few hundred years of evenings."""
UNREADABLE = 1000
"""After so many unreadable rows in a row, the rest of a database is given up."""
ENDING = ("result", "aside", "drop", "rename", "void")
"""Kinds of entries after which often one of another round follows."""


class _Chains:
    """Follows the entries of a source, and counts how often the chain of a round is broken.

    Attributes:
        entry_marks: for each number what tells the entry from any other: its checksum plus 1, or 0 for no entry.
        chain_breaks: how many entries do not continue the checksum of the entry before in their round.
        lost_before: spans of numbers that an earlier start found lost.
        identity: the store's identity, "" if unknown.
    """

    def __init__(self) -> None:
        self.sums = array("Q")
        self.breaks = 0
        self.gone: list[tuple[int, int]] = []
        self.identity = ""
        self._ends: dict[int, int] = {}
        self._gap = False

    def _lose(self, first: int, last: int) -> None:
        """Note a span that was lost earlier: the entries after it cannot be compared with those before."""
        self.gone.append((first, last))
        self._ends.clear()
        self._gap = True

    def _follow(self, entry: StoredLine, *, known: bool = True) -> bool:
        """Whether an entry continues the chain of its round.

        A source that has only the last entries may begin in the middle of a round, whose chain then starts there.
        """
        before = self._ends.get(entry.round, 0 if (known and not self._gap) or entry.kind == "begin" else None)
        self._ends[entry.round] = entry.sum
        if entry.kind == "store" and entry.id == 1:
            self.identity = entry.text
        follows = before is None or entry.stands_after(before)
        self.breaks += not follows
        return follows

    def _add(self, number: int, sum_: int) -> None:
        self.sums.extend([0] * (number + 1 - len(self.sums)))
        self.sums[number] = self.sums[number] or sum_ + 1


class JournalSource(_Chains):
    """A journal, of which every line is read.

    Attributes:
        last_number: the number of the last entry, -1 for none.
        last_valid: up to this number every entry is valid and follows the one before.
        has_trailing_data: whether something that is no entry follows the last one.
        is_cut_short: whether it has no entry, or incomplete padding.
    """

    def __init__(self, fd: int, path: Path) -> None:
        """Read the whole file. Raises OSError."""
        super().__init__()
        self.path, self._fd = path, fd
        self.top = self.clean = -1
        self.rest = False
        self._places = array("Q")  # by number: where the line begins
        clean = True
        for start, data, complete in pieces(fd):
            line = opened(data) if complete else None
            if line is None or not line.number <= line.last <= MOST:
                self.rest = True
                continue
            clean = clean and not self.rest and line.number == self.top + 1
            self.rest = False
            self.top = max(self.top, line.last)
            self.clean = self.top if clean else self.clean
            self._take(line, start)
        self.short = self.top < 0 or is_short(fd)

    def _take(self, line: Sealed, start: int) -> None:
        if line.lost:
            self._lose(line.number, line.last)
            return
        self._places.extend([0] * (line.number + 1 - len(self._places)))
        if line.number < len(self.sums) and self.sums[line.number]:
            return
        self._places[line.number] = start
        entry = next(understood([line]), None)
        if entry is None:  # The line is a newer program's, or names the format.
            self._add(line.number, (1 << 32) + zlib.crc32(line.data))
        else:
            self._follow(entry)
            self._add(line.number, entry.sum & 0xFFFFFFFF)

    def line(self, number: int) -> Sealed | None:
        """Read the line of an entry that the source has. Raises OSError."""
        size = 512
        while True:
            data = os.pread(self._fd, size, self._places[number])
            if b"\n" in data or len(data) < size or size > LONGEST_LINE:
                return opened(data.partition(b"\n")[0])
            size *= 8


class DatabaseSource(_Chains):
    """The entries of a database whose checksums are right.

    Attributes:
        is_readable: whether all rows could be read, and are right.
        has_first_entry: whether the database begins with the first entry; otherwise it has only the last ones.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        """Read all rows, also behind damaged ones. Raises sqlite3.Error for errors that are no damage."""
        super().__init__()
        self._db = db
        self.readable = True
        number = failed = 0
        self.known = True
        query = "SELECT * FROM log_entries WHERE id > ? ORDER BY id"
        while failed < UNREADABLE:  # Go on behind rows that cannot be read.
            try:
                for row in db.execute(query, (number,)):
                    self._take(StoredLine(*row), first=not number)
                    number, failed = row[0], 0
                break
            except (sqlite3.Error, ValueError, TypeError) as error:
                if isinstance(error, sqlite3.Error) and not is_damage(error):
                    raise
                self.readable = False
                failed += 1
                number += 1
        self.top = self.clean = max(len(self.sums) - 1, max((last for _, last in self.gone), default=0))

    def _take(self, entry: StoredLine, *, first: bool) -> None:
        if not 0 < entry.id <= MOST:
            raise ValueError
        if entry.kind == "lost":
            self._lose(int(entry.text), entry.id)
            return
        if first:
            self.known = entry.id == 1
        if self._follow(entry, known=self.known):
            self._add(entry.id, entry.sum & 0xFFFFFFFF)
        else:
            self.readable = False

    def follows(self, entry: StoredLine) -> bool:
        """Whether an entry continues the database; if so, it counts as one of its entries from then on."""
        before = self.breaks
        self._follow(entry, known=self.known)
        return self.breaks == before

    def line(self, number: int) -> Sealed | None:
        """Read the line of an entry that the source has, as if it were written alone; None if it is not found again."""
        with contextlib.suppress(sqlite3.Error, ValueError, TypeError):
            row = self._db.execute("SELECT * FROM log_entries WHERE id = ?", (number,)).fetchone()
            entry = StoredLine(*row)
            if self.sums[number] == (entry.sum & 0xFFFFFFFF) + 1:
                return opened(written([entry])[:-1])
        self.readable, self.sums[number] = False, 0  # In a damaged tree a search may not find what a scan does.
        return None


AnySource = JournalSource | DatabaseSource


class Diagnosis:
    """What a journal, a database and further journals have together; any of them may be missing.

    Attributes:
        last_number: the number of the last entry to trust; -1 for none.
        lost_spans: spans of entries that no source has, without those known to be lost before.
        rejected_sources: the sources whose entries differ from those that are believed.
        differs_from: the number from which on an unbroken source, or another store's, differs; 0 for none.
        is_last_in_doubt: something that is no entry follows the last one, so a last entry may be missing.
        is_cut_short: all sources were cut short, so nobody knows whether entries are missing.
    """

    def __init__(
        self,
        journal: JournalSource | None,
        database: DatabaseSource | None,
        others: Sequence[JournalSource] = (),
        identity: str = "",
    ) -> None:
        self.journal, self.database, self.others = journal, database, others
        self.files = [each for each in (journal, *others) if each is not None]
        sources: list[AnySource] = [*self.files[:1], *([database] if database else []), *self.files[1:]]
        # If two unbroken sources differ, the identity that is saved with the lock tells which is another box's.
        self._ours = identity
        self._sources = sorted(sources, key=lambda each: (self._is_foreign(each), each.breaks))
        self.losers: list[AnySource] = []
        self.differ = self._difference()
        self.top = self._last()
        self.lost = self._lost()
        intact = database is not None and database.readable
        self.in_doubt = (
            not intact and bool(self.files) and all(each.rest and each.top >= self.top for each in self.files)
        )
        self.short = database is None and all(each.short for each in self.files)

    def _is_foreign(self, source: AnySource) -> bool:
        return source.identity not in ("", self._ours) and bool(self._ours)

    def _difference(self) -> int:
        differ = 0
        for other in self._sources[1:]:
            pairs = enumerate(zip(self._sources[0].sums, other.sums, strict=False))
            if number := next((n for n, (mine, its) in pairs if mine != its and mine and its), 0):
                self.losers.append(other)
                if not other.breaks or self._is_foreign(other):
                    differ = min(differ or number, number)
        return differ

    def _last(self) -> int:
        """Find the number of the last entry, without those of a write that was cut off."""
        database, top = self.database, -1
        if self.losers:
            files = [each for each in self.files if each is self._sources[0]]
            return self._complete(files[0], 0) if files else self._sources[0].top
        if database is None or not database.readable:
            known = database.top if database is not None else -1
            return max((self._complete(each, known) for each in self.files), default=known)
        # A damaged sector may contain anything, so entries after an intact database's last one have to continue it.
        for file in self.files:
            end = database.top
            while end < file.top and self._continues(file, end + 1):
                end += 1
            top = max(top, self._complete(file, database.top, end))
        return max(top, database.top)

    def _continues(self, file: JournalSource, number: int) -> bool:
        assert self.database is not None
        line = file.line(number) if has(file, number) else None
        entry = next(understood([line]), None)
        return line is not None and (entry is None or self.database.follows(entry))

    def _complete(self, file: JournalSource, known: int, top: int | None = None) -> int:
        """The last number up to `top` that ends a complete write of a file.

        At least `saved_until`, since everything up to this number is known to be saved.
        """
        top = file.top if top is None else top
        for number in range(top, known, -1):
            line = file.line(number) if has(file, number) else None
            if line is not None:
                if number + line.more <= top:
                    return top
                top = number - 1
        return max(top, known)

    def _lost(self) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        for number in range(1, self.top + 1):
            if any(has(each, number) for each in self.files):
                continue
            if not self._can_give(number) and not self._was_lost(number):
                if found and found[-1][1] == number - 1:
                    found[-1] = found[-1][0], number
                else:
                    found.append((number, number))
        return found

    def _can_give(self, number: int) -> bool:
        return self.database is not None and has(self.database, number) and self.database.line(number) is not None

    def _was_lost(self, number: int) -> bool:
        return any(first <= number <= last for each in self._sources for first, last in each.gone)

    def line(self, number: int) -> Sealed | None:
        """Read the line of an entry, None if no source has it.

        A journal's own line is preferred, since it knows its write.
        """
        having = [each for each in self._sources if has(each, number)]
        same = [each for each in having if each.sums[number] == having[0].sums[number]]
        best = next((each for each in same if each is not self.database), same[0] if same else None)
        return best.line(number) if best is not None else None

    def lines(self) -> Iterator[Sealed]:
        """All lines in order, with a placeholder for each span of lost entries."""
        missing = 0
        for number in range(self.top + 1):
            line = self.line(number) or (None if number else Sealed(0, 0, 0, HEADER))
            if line is None:
                missing += 1
                continue
            if missing:
                yield placeholder(number - missing, number - 1)
            missing = 0
            yield line
        if missing:
            yield placeholder(self.top + 1 - missing, self.top)

    # -- what has to be done ---------------------------------------------------------------------------------------

    def is_valid(self, source: AnySource) -> bool:
        """Whether a source has exactly the entries that are believed."""
        if source in self.losers or self.lost or source.top > self.top:
            return False
        if any(has(each, n) for first, last in source.gone for n in range(first, last + 1) for each in self._sources):
            return False
        if isinstance(source, JournalSource):
            return source.clean == self.top and not source.rest
        return source.readable

    def is_damaged(self, source: AnySource) -> bool:
        """Whether a source is damaged in a way that no power cut explains."""
        if source in self.losers or self.lost:
            return True
        if isinstance(source, DatabaseSource):
            return not source.readable
        others = [each.clean for each in self._sources if each is not source]
        return source.clean < max(others, default=self.top)

    def is_spoiled(self, other: JournalSource) -> bool:
        """Whether a further journal is more than just behind."""
        return other in self.losers or other.clean < min(other.top, self.top)

    def named(self) -> tuple[tuple[Lost, ...], int]:
        """The first spans of lost entries with their rounds, and how many further spans there are."""
        found = [Lost(first, last, self._rounds(first, last)) for first, last in self.lost[:MOST_SPANS]]
        return tuple(found), len(self.lost) - len(found)

    def _rounds(self, first: int, last: int) -> tuple[int, ...]:
        """The rounds that a span of lost entries may belong to.

        These are the rounds on both sides of the span, unless one begins right after it or ends right before it.
        """
        before, after = (next(understood([self.line(number)]), None) for number in (first - 1, last + 1))
        if before is not None and after is not None and before.round == after.round:
            return () if after.stands_after(before.sum) or not after.round else (after.round,)
        rounds = {before.round} if before is not None and before.kind not in ENDING else set()
        if after is not None and after.kind not in ("rename", "void") and not after.stands_after(0):
            rounds.add(after.round)
        return tuple(sorted(rounds - {0}))


def has(source: AnySource, number: int) -> bool:
    """Whether a source has the entry with this number."""
    return number < len(source.sums) and source.sums[number] > 0

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
from companion.store.journal import is_cut_short, raw_lines
from companion.store.journal_lines import (
    HEADER_LINE,
    MAX_LINE_BYTES,
    CheckedLine,
    format_entries,
    parse_entries,
    parse_journal_line,
    placeholder_line,
)
from companion.store.store_warnings import MAX_NAMED_SPANS, LostSpan
from companion.store.stored_entries import StoredEntry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

HIGHEST_NUMBER = 1 << 26
"""The highest number of an entry that is believed: a few hundred years of evenings."""
MAX_UNREADABLE_ROWS = 1000
"""After so many unreadable rows in a row, the rest of a database is given up."""
ENDING_KINDS = ("result", "aside", "drop", "rename", "void")
"""Kinds of entries after which often one of another round follows."""


class _ChainFollower:
    """Follows the entries of a source, and counts how often the chain of a round is broken.

    Attributes:
        entry_marks: for each number what tells the entry from any other: its checksum plus 1, or 0 for no entry.
        chain_breaks: how many entries do not continue the checksum of the entry before in their round.
        lost_before: spans of numbers that an earlier start found lost.
        identity: the store's identity, "" if unknown.
    """

    def __init__(self) -> None:
        self.entry_marks = array("Q")
        self.chain_breaks = 0
        self.lost_before: list[tuple[int, int]] = []
        self.identity = ""
        self._ends: dict[int, int] = {}
        self._gap = False

    def _note_lost(self, first: int, last: int) -> None:
        """Note a span that was lost earlier: the entries after it cannot be compared with those before."""
        self.lost_before.append((first, last))
        self._ends.clear()
        self._gap = True

    def _follow(self, entry: StoredEntry, *, has_first_entry: bool = True) -> bool:
        """Take an entry as the next one. Returns whether it continues the chain of its round.

        A source that has only the last entries may begin in the middle of a round, whose chain then starts there.
        """
        is_beginning = (has_first_entry and not self._gap) or entry.kind == "begin"
        checksum_before = self._ends.get(entry.round, 0 if is_beginning else None)
        self._ends[entry.round] = entry.checksum
        if entry.kind == "store" and entry.id == 1:
            self.identity = entry.text
        follows = checksum_before is None or entry.follows_checksum(checksum_before)
        self.chain_breaks += not follows
        return follows

    def _add(self, number: int, sum_: int) -> None:
        self.entry_marks.extend([0] * (number + 1 - len(self.entry_marks)))
        self.entry_marks[number] = self.entry_marks[number] or sum_ + 1


class JournalSource(_ChainFollower):
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
        self.last_number = self.last_valid = -1
        self.has_trailing_data = False
        self._places = array("Q")  # by number: where the line begins
        clean = True
        for start, data, complete in raw_lines(fd):
            line = parse_journal_line(data) if complete else None
            if line is None or not line.number <= line.last <= HIGHEST_NUMBER:
                self.has_trailing_data = True
                continue
            clean = clean and not self.has_trailing_data and line.number == self.last_number + 1
            self.has_trailing_data = False
            self.last_number = max(self.last_number, line.last)
            self.last_valid = self.last_number if clean else self.last_valid
            self._take(line, start)
        self.is_cut_short = self.last_number < 0 or is_cut_short(fd)

    def _take(self, line: CheckedLine, start: int) -> None:
        if line.is_placeholder:
            self._note_lost(line.number, line.last)
            return
        self._places.extend([0] * (line.number + 1 - len(self._places)))
        if line.number < len(self.entry_marks) and self.entry_marks[line.number]:
            return
        self._places[line.number] = start
        entry = next(parse_entries([line]), None)
        if entry is None:  # The line is a newer program's, or names the format.
            self._add(line.number, (1 << 32) + zlib.crc32(line.data))
        else:
            self._follow(entry)
            self._add(line.number, entry.checksum & 0xFFFFFFFF)

    def read_line(self, number: int) -> CheckedLine | None:
        """Read the line of an entry that the source has. Raises OSError."""
        size = 512
        while True:
            data = os.pread(self._fd, size, self._places[number])
            if b"\n" in data or len(data) < size or size > MAX_LINE_BYTES:
                return parse_journal_line(data.partition(b"\n")[0])
            size *= 8


class DatabaseSource(_ChainFollower):
    """The entries of a database whose checksums are right.

    Attributes:
        is_readable: whether all rows could be read, and are right.
        has_first_entry: whether the database begins with the first entry; otherwise it has only the last ones.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        """Read all rows, also behind damaged ones. Raises sqlite3.Error for errors that are no damage."""
        super().__init__()
        self._db = db
        self.is_readable = True
        number = failed = 0
        self.has_first_entry = True
        query = "SELECT * FROM log_entries WHERE id > ? ORDER BY id"
        while failed < MAX_UNREADABLE_ROWS:  # Go on behind rows that cannot be read.
            try:
                for row in db.execute(query, (number,)):
                    self._take(StoredEntry(*row), first=not number)
                    number, failed = row[0], 0
                break
            except (sqlite3.Error, ValueError, TypeError) as error:
                if isinstance(error, sqlite3.Error) and not is_damage(error):
                    raise
                self.is_readable = False
                failed += 1
                number += 1
        last_lost = max((last for _, last in self.lost_before), default=0)
        self.last_number = self.last_valid = max(len(self.entry_marks) - 1, last_lost)

    def _take(self, entry: StoredEntry, *, first: bool) -> None:
        if not 0 < entry.id <= HIGHEST_NUMBER:
            raise ValueError
        if entry.kind == "lost":
            self._note_lost(int(entry.text), entry.id)
            return
        if first:
            self.has_first_entry = entry.id == 1
        if self._follow(entry, has_first_entry=self.has_first_entry):
            self._add(entry.id, entry.checksum & 0xFFFFFFFF)
        else:
            self.is_readable = False

    def take_next(self, entry: StoredEntry) -> bool:
        """Take an entry as the next one. Returns whether it continues the chain of its round."""
        return self._follow(entry, has_first_entry=self.has_first_entry)

    def read_line(self, number: int) -> CheckedLine | None:
        """Read the line of an entry that the source has, as if it were written alone; None if it is not found again."""
        with contextlib.suppress(sqlite3.Error, ValueError, TypeError):
            row = self._db.execute("SELECT * FROM log_entries WHERE id = ?", (number,)).fetchone()
            entry = StoredEntry(*row)
            if self.entry_marks[number] == (entry.checksum & 0xFFFFFFFF) + 1:
                return parse_journal_line(format_entries([entry])[:-1])
        # In a damaged tree a search may not find what a scan does.
        self.is_readable, self.entry_marks[number] = False, 0
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
        self._sources = sorted(sources, key=lambda each: (self._is_foreign(each), each.chain_breaks))
        self.rejected_sources: list[AnySource] = []
        self.differs_from = self._find_difference()
        self.last_number = self._find_last_number()
        self.lost_spans = self._find_lost_spans()
        intact = database is not None and database.is_readable
        self.is_last_in_doubt = (
            not intact
            and bool(self.files)
            and all(each.has_trailing_data and each.last_number >= self.last_number for each in self.files)
        )
        self.is_cut_short = database is None and all(each.is_cut_short for each in self.files)

    def _is_foreign(self, source: AnySource) -> bool:
        return source.identity not in ("", self._ours) and bool(self._ours)

    def _find_difference(self) -> int:
        differ = 0
        for other in self._sources[1:]:
            pairs = enumerate(zip(self._sources[0].entry_marks, other.entry_marks, strict=False))
            differing = (n for n, (own_mark, its_mark) in pairs if own_mark != its_mark and own_mark and its_mark)
            if number := next(differing, 0):
                self.rejected_sources.append(other)
                if not other.chain_breaks or self._is_foreign(other):
                    differ = min(differ or number, number)
        return differ

    def _find_last_number(self) -> int:
        """Find the number of the last entry, without those of a write that was cut off."""
        database, top = self.database, -1
        if self.rejected_sources:
            files = [each for each in self.files if each is self._sources[0]]
            return self._last_complete_write(files[0], 0) if files else self._sources[0].last_number
        if database is None or not database.is_readable:
            last_known = database.last_number if database is not None else -1
            return max((self._last_complete_write(each, last_known) for each in self.files), default=last_known)
        # A damaged sector may contain anything, so entries after an intact database's last one have to continue it.
        for file in self.files:
            end = database.last_number
            while end < file.last_number and self._continues(file, end + 1):
                end += 1
            top = max(top, self._last_complete_write(file, database.last_number, end))
        return max(top, database.last_number)

    def _continues(self, file: JournalSource, number: int) -> bool:
        assert self.database is not None
        line = file.read_line(number) if has_entry(file, number) else None
        entry = next(parse_entries([line]), None)
        return line is not None and (entry is None or self.database.take_next(entry))

    def _last_complete_write(self, file: JournalSource, saved_until: int, top: int | None = None) -> int:
        """The last number up to `top` that ends a complete write of a file.

        At least `saved_until`, since everything up to this number is known to be saved.
        """
        top = file.last_number if top is None else top
        for number in range(top, saved_until, -1):
            line = file.read_line(number) if has_entry(file, number) else None
            if line is not None:
                if number + line.following_lines <= top:
                    return top
                top = number - 1
        return max(top, saved_until)

    def _find_lost_spans(self) -> list[tuple[int, int]]:
        spans: list[tuple[int, int]] = []
        for number in range(1, self.last_number + 1):
            if any(has_entry(each, number) for each in self.files):
                continue
            if not self._can_give(number) and not self._was_lost(number):
                if spans and spans[-1][1] == number - 1:
                    spans[-1] = spans[-1][0], number
                else:
                    spans.append((number, number))
        return spans

    def _can_give(self, number: int) -> bool:
        source = self.database
        return source is not None and has_entry(source, number) and source.read_line(number) is not None

    def _was_lost(self, number: int) -> bool:
        return any(first <= number <= last for each in self._sources for first, last in each.lost_before)

    def read_line(self, number: int) -> CheckedLine | None:
        """Read the line of an entry, None if no source has it.

        A journal's own line is preferred, since it knows its write.
        """
        sources = [each for each in self._sources if has_entry(each, number)]
        agreeing = [each for each in sources if each.entry_marks[number] == sources[0].entry_marks[number]]
        best = next((each for each in agreeing if each is not self.database), agreeing[0] if agreeing else None)
        return best.read_line(number) if best is not None else None

    def read_lines(self) -> Iterator[CheckedLine]:
        """All lines in order, with a placeholder for each span of lost entries."""
        missing = 0
        for number in range(self.last_number + 1):
            line = self.read_line(number) or (None if number else CheckedLine(0, 0, 0, HEADER_LINE))
            if line is None:
                missing += 1
                continue
            if missing:
                yield placeholder_line(number - missing, number - 1)
            missing = 0
            yield line
        if missing:
            yield placeholder_line(self.last_number + 1 - missing, self.last_number)

    # -- what has to be done ---------------------------------------------------------------------------------------

    def is_complete_and_valid(self, source: AnySource) -> bool:
        """Whether a source has exactly the entries that are believed."""
        if source in self.rejected_sources or self.lost_spans or source.last_number > self.last_number:
            return False
        if any(
            has_entry(each, n)
            for first, last in source.lost_before
            for n in range(first, last + 1)
            for each in self._sources
        ):
            return False
        if isinstance(source, JournalSource):
            return source.last_valid == self.last_number and not source.has_trailing_data
        return source.is_readable

    def is_damaged(self, source: AnySource) -> bool:
        """Whether a source is damaged in a way that no power cut explains."""
        if source in self.rejected_sources or self.lost_spans:
            return True
        if isinstance(source, DatabaseSource):
            return not source.is_readable
        others = [each.last_valid for each in self._sources if each is not source]
        return source.last_valid < max(others, default=self.last_number)

    def is_spoiled_copy(self, copy: JournalSource) -> bool:
        """Whether a further journal is more than just behind."""
        return copy in self.rejected_sources or copy.last_valid < min(copy.last_number, self.last_number)

    def first_lost_spans(self) -> tuple[tuple[LostSpan, ...], int]:
        """The first spans of lost entries with their rounds, and how many further spans there are."""
        spans = [
            LostSpan(first, last, self._rounds_of_span(first, last))
            for first, last in self.lost_spans[:MAX_NAMED_SPANS]
        ]
        return tuple(spans), len(self.lost_spans) - len(spans)

    def _rounds_of_span(self, first: int, last: int) -> tuple[int, ...]:
        """The rounds that a span of lost entries may belong to.

        These are the rounds on both sides of the span, unless one begins right after it or ends right before it.
        """
        entry_before, entry_after = (
            next(parse_entries([self.read_line(number)]), None) for number in (first - 1, last + 1)
        )
        if entry_before is not None and entry_after is not None and entry_before.round == entry_after.round:
            rounds = set() if entry_after.follows_checksum(entry_before.checksum) else {entry_after.round}
            return tuple(rounds - {0})
        rounds = {entry_before.round} if entry_before is not None and entry_before.kind not in ENDING_KINDS else set()
        if entry_after is not None and not (entry_after.kind in ("rename", "void") or entry_after.follows_checksum(0)):
            rounds.add(entry_after.round)
        return tuple(sorted(rounds - {0}))


def has_entry(source: AnySource, number: int) -> bool:
    """Whether a source has the entry with this number."""
    return number < len(source.entry_marks) and source.entry_marks[number] > 0

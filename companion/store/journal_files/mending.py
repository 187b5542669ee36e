"""Finds out which lines a journal has, from all its files: what one has lost is taken from another.

Only numbers, places and checks of the lines are kept in memory, for the lines of thousands of rounds do not fit into
that of a small computer.
"""

from __future__ import annotations

from array import array
from os import pread
from typing import TYPE_CHECKING, Protocol

from companion.store.journal_files.copies import chunks, is_short
from companion.store.journal_files.journal_lines import CHECK, HEADER, LONGEST_LINE, Sealed, opened, placeholder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST = 1 << 26
"""The highest number of a line that is believed: a few hundred years of evenings."""


class Lines(Protocol):
    """Lines by their numbers."""

    @property
    def top(self) -> int:
        """The number of the last line."""

    def line(self, number: int) -> Sealed | None:
        """The line of that number, None if it is not there."""


class Source:
    """A file of lines as it was found.

    Attributes:
        top: the number of its last line, -1 for none.
        clean: whether each line up to it is right and follows the one before.
        short: it has no line, or is not filled up as each file is that nobody has cut short.
        rest: whether something else than lines follows it.
        checks: by number, the check of each line, 0 for none.
        gone: spans of numbers whose lines were lost before: a line in their place says so.
    """

    def __init__(self, fd: int) -> None:
        """Read all of it. Raises OSError."""
        self.fd = fd
        self.top = -1
        self.clean, self.rest = True, False
        self.checks = array("Q")
        self.gone: list[tuple[int, int]] = []
        self._places = array("Q")  # by number: where the line begins + 1, 0 for none
        for start, data, whole in _pieces(fd):
            line = opened(data) if whole else None
            if line is None or not line.number <= line.last <= MOST:
                self.rest = True
                continue
            self.clean = self.clean and not self.rest and line.number == self.top + 1
            self.rest = False
            self._take(line, start)
        self.short = self.top < 0 or is_short(fd)

    def _take(self, line: Sealed, start: int) -> None:
        self.top = max(self.top, line.last)
        if line.lost:
            self.gone.append((line.number, line.last))
            return
        missing = [0] * (line.number + 1 - len(self._places))
        self._places.extend(missing)
        self.checks.extend(missing)
        if not self._places[line.number]:
            self._places[line.number] = start + 1
            self.checks[line.number] = int(line.data[:CHECK], 16)

    def line(self, number: int) -> Sealed | None:
        """The line of that number, None if it is not there. Raises OSError."""
        place = self._places[number] if 0 <= number < len(self._places) else 0
        size = 512
        while place:
            data = pread(self.fd, size, place - 1)
            if b"\n" in data or len(data) < size or size > LONGEST_LINE:
                return opened(data.partition(b"\n")[0])
            size *= 8
        return None


def _pieces(fd: int, start: int = 0) -> Iterator[tuple[int, bytes, bool]]:
    """Where each line that is not empty begins, its bytes, and whether it is whole."""
    left = b""
    for chunk in chunks(fd, start):
        pieces = (left + chunk).split(b"\n")
        left = pieces.pop()
        for each in pieces:
            if each:
                yield start, each, True
            start += len(each) + 1
        if len(left) > LONGEST_LINE:
            yield start, b"", False
            start, left = start + len(left), b""
    if left:
        yield start, left, False


def lines_from(fd: int, start: int) -> Iterator[Sealed | None]:
    """The lines from the place of one on; None for what is none. Raises OSError."""
    return (opened(data) if whole else None for _, data, whole in _pieces(fd, start))


class Together:
    """The lines of several files, best first; `spare` has lines that were kept, for those that no file has.

    Attributes:
        top: the number of the last line; -1 for none.
        lost: spans of numbers of lines that no file has, known when `lines` has ended.
        rest: the last line may be missing: all files have something behind it that is none.
        other: from this line on the files differ, and the second is not believed; 0 if they do not.
        files: all of them, the believed one first.
    """

    def __init__(self, files: Sequence[Source], spare: Lines | None = None) -> None:
        self.files = list(files)
        self._spare = [spare] if spare is not None else []
        self.other = self._differ()
        self.top = self._last(spare.top if spare is not None else 0)
        self.rest = bool(files) and all(each.rest and each.top >= self.top for each in files)
        self.lost: list[tuple[int, int]] = []

    def _differ(self) -> int:
        """The first line that the files have differently. The longer one is believed from there on."""
        if len(self.files) < 2:
            return 0
        one, other = self.files[:2]
        pairs = enumerate(zip(one.checks, other.checks, strict=False))
        number = next((number for number, (mine, its) in pairs if mine != its and mine and its), 0)
        if number and other.top > one.top:
            self.files[:2] = [other, one]
        return number

    def line(self, number: int) -> Sealed | None:
        """The line of that number, None if no file has it. Raises OSError."""
        believed = self.files[:1] if self.other and number >= self.other else self.files
        return next(filter(None, (each.line(number) for each in (*believed, *self._spare))), None)

    def _last(self, known: int) -> int:
        """The number of the last line: without those of a write that was cut off, unless it is known as kept."""
        top = max([known, *(each.top for each in (self.files[:1] if self.other else self.files))])
        for number in range(top, -1, -1):
            line = self.line(number)
            if line is not None:
                if number <= known or number + line.more <= top:
                    return top
                top = number - 1
        return top

    def lines(self) -> Iterator[Sealed]:
        """All lines in order, with one for each span of lost ones; `lost` then has those that were not known before."""
        number, lost = 0, []
        while number <= self.top:
            line = self.line(number) or (None if number else Sealed(0, 0, 0, HEADER))
            if line is None:
                last, known = number, self._known(number)
                while last < self.top and self.line(last + 1) is None and self._known(last + 1) == known:
                    last += 1
                if not known:
                    lost.append((number, last))
                line = placeholder(number, last)
            yield line
            number = line.last + 1
        self.lost = lost

    def _known(self, number: int) -> bool:
        """Whether a line was lost before."""
        return any(first <= number <= last for each in self.files for first, last in each.gone)

"""Finds out which lines a journal has, from all its files, and judges these: what one has lost is taken from another.

Where they differ one is damaged, or a power cut has left it behind. Only numbers, places and checks of the lines are
kept in memory, for the lines of thousands of rounds do not fit into that of a small computer.
"""

from __future__ import annotations

import os
from array import array
from typing import TYPE_CHECKING, NamedTuple, Protocol

from companion.languages import counted, joined, listed, text
from companion.store.journal_files.copies import chunks, is_short
from companion.store.journal_files.journal_lines import (
    CHECK,
    HEADER,
    LONGEST_LINE,
    Sealed,
    opened,
    placeholder,
    understood,
)
from companion.store.notices import Happened, Told, told
from companion.store.notices import joined as both_said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

MOST = 1 << 26
"""The highest number of a line that is believed: a few hundred years of evenings."""
NOTHING_LOST = "nothing is lost"
"""What a sentence has where all lines are there."""
LAST_ENTRY = told(
    Happened.LAST_ENTRY,
    text("The last entry may be missing: the power failed while it was written, or the disk has changed it."),
)
CUT = told(Happened.CUT, text("The last entries may be missing: all files of the kept rounds were cut short."))


# -- the lines ----------------------------------------------------------------------------------------------------


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
            data = os.pread(self.fd, size, place - 1)
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


# -- the files ----------------------------------------------------------------------------------------------------


class State(NamedTuple):
    """The files of a journal as they were found.

    Attributes:
        together: the lines of all of them.
        anew: the files that have to be written anew.
        damaged: those of them that are not just as a power cut leaves them.
        to_keep: those of which something is left out.
        cut: they may end early, and nobody knows.
    """

    together: Together
    anew: list[Path]
    damaged: list[Path]
    to_keep: list[Path]
    cut: bool


def judged(
    paths: Sequence[Path], sources: Sequence[Source], spare: Lines | None = None, *, away: bool = False
) -> State:
    """Judge open files; `spare` has lines that were kept, `away`: the second file was elsewhere. Raises OSError."""
    together = Together(sources, spare)
    for _ in together.lines():
        pass
    short = all(source.short for source in sources)
    state = State(together, [], [], [], short and spare is None)
    known = spare.top if spare is not None else 0
    for path, source in zip(paths, sources, strict=True):
        here = os.path.lexists(path) and os.path.samestat(os.lstat(path), os.fstat(source.fd))
        well = source.clean and not source.rest and source.top == together.top and not together.lost
        back = any(together.line(number) for first, last in source.gone for number in range(first, last + 1))
        if here and well and not back:
            if short:
                state.anew.append(path)
            continue
        state.anew.append(path)
        late = away and source is not sources[0] and source.clean and not together.other
        if not late and (not here or together.lost or not _was_cut(source, sources, together, known)):
            state.damaged.append(path)
        if not here or together.lost or together.other:
            state.to_keep.append(path)
    return state


def _was_cut(mine: Source, sources: Sequence[Source], found: Together, known: int) -> bool:
    """Whether a file is as a power cut leaves it while lines are written, and not damaged."""
    if not mine.clean or found.other or len(sources) < 2:
        return False
    first, second = sources[:2]
    if mine is first:  # The second file has nothing of what was being written.
        return mine.top >= found.top == second.top and not second.rest
    if mine.top < 0:  # The second file was being made.
        return not found.top
    line = first.line(mine.top + 1)
    return known <= mine.top and first.clean and line is not None and line.number + line.more == found.top


# -- what is told -------------------------------------------------------------------------------------------------


def to_tell(state: State, aside: Sequence[str] = ()) -> Told:
    """What the players are told, no words for nothing; `aside` are the names under which damaged files are kept."""
    found, happened = state.together, Happened.DAMAGED
    end = CUT if state.cut else LAST_ENTRY if found.rest else Told()
    if found.lost:
        what = text("The kept rounds were damaged in both files: {lost}.", lost=lost(state))
    elif found.other:
        what = text("The two files of the kept rounds differ from line {number} on.", number=found.other)
    elif end.words or not state.damaged:
        return end
    elif len(state.damaged) > 1:
        happened = Happened.MENDED
        what = text("Both files of the kept rounds were damaged, at different places, and mended: nothing is lost.")
    else:
        happened, name = Happened.MENDED, state.damaged[0].name
        what = text("{file} was damaged, and mended from the other file: nothing is lost.", file=name)
    where = text("What there was lies aside as {files}.", files=listed(aside)) if aside else ""
    return told(happened, both_said(what, where)).and_then(end)


def kept_to_tell(words: str) -> Told:
    """What was kept to be told again, which is the words alone: what has happened is found in these."""
    rest, happened = words, frozenset[Happened]()
    for end in (LAST_ENTRY, CUT):
        if end.words in rest:
            rest, happened = rest.replace(end.words, ""), happened | end.happened
    if rest.strip() or (words and not happened):
        happened |= {Happened.MENDED if NOTHING_LOST in rest else Happened.DAMAGED}
    return Told(words, happened)


def lost(state: State) -> str:
    """The lines that are lost, with the rounds before and after them: ``line 7 (round 2) is lost``; "" for none."""
    spans = state.together.lost
    if not spans:
        return ""
    some: str = joined([_lines_of(*span, state.together.files) for span in spans[:6]], ", ")
    if len(spans) > 6:
        some = counted(len(spans) - 6, "{some} and {number} more place", "{some} and {number} more places", some=some)
    one = len(spans) == 1 and spans[0][0] == spans[0][1]
    return text("{lines} is lost", lines=some) if one else text("{lines} are lost", lines=some)


def _lines_of(first: int, last: int, sources: Sequence[Source]) -> str:
    lines = text("lines {first} to {last}", first=first, last=last)
    if first == last:
        lines = text("line {number}", number=first)
    beside = understood(
        next(filter(None, (each.line(number) for each in sources)), None) for number in (first - 1, last + 1)
    )
    rounds = sorted({line.round for line in beside} - {0})
    if len(rounds) > 1:
        return text("{lines} (round {one} or {other})", lines=lines, one=rounds[0], other=rounds[1])
    return text("{lines} (round {round})", lines=lines, round=rounds[0]) if rounds else lines
